//! Definitions in a report: derived parameters and limited inputs.
//!
//! Problem: a reader knows `J` and `sat(force)`, not what stands behind them in every equation.
//! Method:  the formulas of the mechanism as closed forms, term by term as the spec has them. Equations of a report have
//!          the names, tables the formulas; `prove` puts the formulas for the names.
//! Not handled: measures of points and constants of inexact origin: they have no short form; tables, but where they are only shown.

use super::closed_math::{letter, spelled};
use crate::inspect::apart::Apart;
use crate::inspect::named;
use crate::symbolic::{Closed, Exact, Function, Style};
use dqdt_algebra::{Func2, Number};
use dqdt_derivation::symbols::{derived_parameters, free_parameters};
use dqdt_document::report::Math;
use dqdt_graph::ir::SymbolKind;
use dqdt_mechanics::mechanism::{Formula, Mechanism, ParameterId, ParameterKind, Variable};

/// A name of a report and what it stands for.
#[derive(Clone, PartialEq, Debug)]
pub struct Definition {
    /// The symbol in the equations.
    pub kind: SymbolKind,
    /// Its formula, over names before it.
    pub formula: Closed,
}

/// The definition of a derived parameter.
pub(super) fn derived(m: &Mechanism, position: ParameterId) -> Option<Definition> {
    let ParameterKind::Derived(f) = &m.parameters.get(position.index())?.kind else { return None };
    let symbol = parameter(m, position)?;
    match symbol {
        Closed::Symbol { kind, .. } => Some(Definition { kind, formula: closed(m, f)? }),
        _ => None,
    }
}

/// The limits of an input, lower and upper.
pub(super) fn limits(m: &Mechanism, input: usize) -> Option<[Closed; 2]> {
    let (low, high) = m.inputs.get(input)?.limits.as_ref()?;
    Some([closed(m, low)?, closed(m, high)?])
}

/// `sat(u)` of an input with limits.
fn limited(m: &Mechanism, input: usize) -> Option<Definition> {
    let [low, high] = limits(m, input)?;
    let u = Closed::Symbol { kind: SymbolKind::Input(input), name: m.inputs[input].name.as_str().into() };
    let extreme = |f, a, b| Closed::Function(Function::Func2(f), vec![a, b]);
    let formula = extreme(Func2::Min, extreme(Func2::Max, u, low), high);
    Some(Definition { kind: SymbolKind::Input(m.inputs.len() + input), formula })
}

/// All definitions, each over free parameters and inputs only. `None` if one of them has no closed form.
pub fn definitions(m: &Mechanism) -> Option<Vec<(SymbolKind, Closed)>> {
    let mut known: Vec<(SymbolKind, Closed)> = Vec::new();
    for position in derived_parameters(m) {
        let Definition { kind, formula } = derived(m, position)?;
        known.push((kind, formula.with(&known)));
    }
    for input in (0..m.inputs.len()).filter(|i| m.inputs[*i].limits.is_some()) {
        let Definition { kind, formula } = limited(m, input)?;
        known.push((kind, formula.with(&known)));
    }
    Some(known)
}

/// A parameter: constants are their values, others symbols.
fn parameter(m: &Mechanism, i: ParameterId) -> Option<Closed> {
    let p = m.parameters.get(i.index())?;
    let before = |list: &mut dyn Iterator<Item = &ParameterKind>, free: bool| {
        list.filter(|k| {
            matches!(k, ParameterKind::Free(_)) == free && !matches!(k, ParameterKind::Constant(_))
        })
        .count()
    };
    let mut kinds = m.parameters[..i.index()].iter().map(|p| &p.kind);
    let position = match &p.kind {
        ParameterKind::Constant(f) => return closed(m, f),
        ParameterKind::Free(_) => before(&mut kinds, true),
        ParameterKind::Derived(_) => free_parameters(m).len() + before(&mut kinds, false),
    };
    Some(Closed::Symbol { kind: SymbolKind::Parameter(position), name: p.name.as_str().into() })
}

fn number(n: Number) -> Option<Closed> {
    let rational = |r: dqdt_algebra::Ratio| {
        let num = r.num().unsigned_abs().to_string();
        Closed::Number(Exact { negative: r.num() < 0, num, den: r.den().to_string() })
    };
    match n {
        Number::Rational(r) => Some(rational(r)),
        Number::Pi(r) => Some(Closed::product(vec![rational(r), Closed::Pi])),
        Number::Wide(w) => {
            let text = w.to_string();
            let (num, den) = text.split_once('/').unwrap_or((&text, "1"));
            let num = num.trim_start_matches('-').to_owned();
            Some(Closed::Number(Exact { negative: w.is_negative(), num, den: den.to_owned() }))
        }
        Number::Float(_) => None,
    }
}

/// A quotient by a whole number is a product with a fraction, as in the equations.
fn quotient(a: Closed, b: Closed) -> Closed {
    let has_number = |c: &Closed| match c {
        Closed::Product(factors) => factors.iter().any(|f| matches!(f, Closed::Number(_))),
        other => matches!(other, Closed::Number(_)),
    };
    match b {
        Closed::Number(n) if !n.is_zero() && !n.negative && n.den == "1" && !has_number(&a) => {
            let inverse = Exact { negative: false, num: n.den, den: n.num };
            Closed::product(vec![Closed::Number(inverse), a])
        }
        b => Closed::Quotient(Box::new(a), Box::new(b)),
    }
}

/// A variable as the equations have it: an input with limits is `sat(u)`, a measure is known by
/// name in definitions alone.
fn variable(m: &Mechanism, v: Variable, names: Names) -> Option<Closed> {
    let symbol = |kind, name: &str| Some(Closed::Symbol { kind, name: name.into() });
    match v {
        Variable::Parameter(i) => parameter(m, i),
        Variable::Time => symbol(SymbolKind::Time, "t"),
        Variable::Coordinate(i) => {
            symbol(SymbolKind::Coordinate(i.index()), &m.coordinates.get(i.index())?.name)
        }
        Variable::Speed(i) => symbol(SymbolKind::Speed(i.index()), &m.speeds.get(i.index())?.name),
        Variable::State(i) => symbol(SymbolKind::State(i), &m.states.get(i)?.name),
        Variable::Input(i) => {
            let input = m.inputs.get(i)?;
            match input.limits {
                Some(_) => symbol(SymbolKind::Input(m.inputs.len() + i), &format!("sat({})", input.name)),
                None => symbol(SymbolKind::Input(i), &input.name),
            }
        }
        Variable::Position(i) | Variable::Velocity(i) if names.measures => {
            symbol(named::of_measure(m, i), &named::name_of_measure(m, i))
        }
        Variable::Position(_) | Variable::Velocity(_) => None,
    }
}

/// A formula of the mechanism, operation by operation as the spec has it; `None` with tables, which a proof knows by other numbers.
pub(super) fn closed(m: &Mechanism, f: &Formula) -> Option<Closed> {
    written_out(m, f, Names::default())
}

/// The same with definitions and prescribed coordinates by their names.
pub(super) fn by_names(m: &Mechanism, f: &Formula) -> Option<Closed> {
    written_out(m, f, Names { formulas: true, tables: false, measures: true })
}

/// The same to be shown: with tables, by their names.
pub(in crate::inspect) fn shown(m: &Mechanism, f: &Formula) -> Option<Math> {
    Some(math(m, &with_tables(m, f)?))
}

/// The same as a closed form.
pub(super) fn with_tables(m: &Mechanism, f: &Formula) -> Option<Closed> {
    written_out(m, f, Names { formulas: true, tables: true, measures: false })
}

/// A form of that kind in print.
pub(super) fn math(m: &Mechanism, form: &Closed) -> Math {
    let apart = Apart::new(m);
    let name = |name: &str| {
        if apart.stays(name) {
            return name.to_owned();
        }
        let table = m.tables.iter().enumerate().find(|(t, _)| Function::Table(*t as u32).key() == name);
        table.map_or_else(|| letter(name), |(_, table)| table.function.name.clone())
    };
    spelled(form, &name, Style::of([form]))
}

/// What a closed form may call by its name.
#[derive(Clone, Copy, Default)]
struct Names {
    /// Definitions and prescribed coordinates.
    formulas: bool,
    /// Tables; without, a formula with one has no closed form.
    tables: bool,
    /// Measures of frames, as definitions of a report have them; the same.
    measures: bool,
}

fn written_out(m: &Mechanism, f: &Formula, names: Names) -> Option<Closed> {
    let of = |f: &Formula| written_out(m, f, names);
    let call = |function: Function, args: &[&Formula]| {
        let args: Option<Vec<Closed>> = args.iter().map(|f| of(f)).collect();
        Some(Closed::Function(function, args?))
    };
    match f {
        Formula::Number(n) => number(*n),
        Formula::Variable(v) => variable(m, *v, names),
        Formula::Named(named) if names.formulas => {
            let kind = SymbolKind::Named(3 * named.place);
            Some(Closed::Symbol { kind, name: named.name.as_str().into() })
        }
        Formula::Named(named) => of(&named.formula),
        Formula::Table(table, x) => {
            let known = m.tables.iter().position(|t| t.function == *table).filter(|_| names.tables)?;
            Some(Closed::Function(Function::Table(known as u32), vec![of(x)?]))
        }
        Formula::Neg(a) => Some(of(a)?.negated()),
        Formula::Add(a, b) => Some(Closed::sum(vec![of(a)?, of(b)?])),
        Formula::Sub(a, b) => Some(Closed::sum(vec![of(a)?, of(b)?.negated()])),
        Formula::Mul(a, b) => Some(Closed::product(vec![of(a)?, of(b)?])),
        Formula::Div(a, b) => Some(quotient(of(a)?, of(b)?)),
        Formula::Power(a, n) => {
            let power = match n.unsigned_abs() {
                0 => Closed::integer(1),
                1 => of(a)?,
                k => Closed::Power(Box::new(of(a)?), k),
            };
            let one = Closed::integer(1);
            Some(if *n < 0 { Closed::Quotient(Box::new(one), Box::new(power)) } else { power })
        }
        Formula::Sqrt(a) => call(Function::Sqrt, &[a]),
        Formula::Sin(a) => call(Function::Sin, &[a]),
        Formula::Cos(a) => call(Function::Cos, &[a]),
        Formula::Func(f, a) => call(Function::Func(*f), &[a]),
        Formula::Func2(f, a, b) => call(Function::Func2(*f), &[a, b]),
        Formula::Select(cmp, args) => call(Function::Select(*cmp), &args.each_ref()),
    }
}
