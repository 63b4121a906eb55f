//! Definitions in a report: derived parameters and limited inputs.
//!
//! Problem: a reader prefers `J` and `sat(force)` to their formulas in every equation.
//! Method:  formulas of the mechanism as closed forms, term by term as in the spec. Equations of a
//!          report contain the names, tables the formulas; `prove` replaces names by formulas.
//! Limits:  measures of points and inexact constants have no short form; function tables have one
//!          for display only.

use super::closed_math::{terminal_name, typeset_with_names};
use crate::inspect::ambiguous_names::AmbiguousNames;
use crate::inspect::named;
use crate::symbolic::{Closed, Exact, Function, NumberStyle};
use dqdt_algebra::{Func2, Number, Ratio};
use dqdt_derivation::symbols::{derived_parameters, free_parameter_names};
use dqdt_document::report::Math;
use dqdt_graph::ir::SymbolKind;
use dqdt_mechanics::mechanism::{Formula, Mechanism, ParameterId, ParameterKind, Variable};

/// A name that a report uses instead of a formula (a derived parameter, `sat(u)`), with that
/// formula.
#[derive(Clone, PartialEq, Debug)]
pub struct ReportDefinition {
    /// Symbol that stands for the formula in the equations.
    pub kind: SymbolKind,
    /// Formula; it may contain names that are defined earlier.
    pub formula: Closed,
}

/// Definition of a derived parameter.
pub(super) fn parameter_definition(m: &Mechanism, position: ParameterId) -> Option<ReportDefinition> {
    let ParameterKind::Derived(f) = &m.parameters.get(position.index())?.kind else { return None };
    let symbol = parameter_form(m, position)?;
    match symbol {
        Closed::Symbol { kind, .. } => {
            Some(ReportDefinition { kind, formula: closed_form_of_formula(m, f)? })
        }
        _ => None,
    }
}

/// Lower and upper limit of an input as closed forms; `None` without limits or closed forms.
pub(super) fn input_limits(m: &Mechanism, input: usize) -> Option<[Closed; 2]> {
    let (low, high) = m.inputs.get(input)?.limits.as_ref()?;
    Some([closed_form_of_formula(m, low)?, closed_form_of_formula(m, high)?])
}

/// Definition of `sat(u)`, an input clamped to its limits.
fn limited_input_definition(m: &Mechanism, input: usize) -> Option<ReportDefinition> {
    let [low, high] = input_limits(m, input)?;
    let u = Closed::Symbol { kind: SymbolKind::Input(input), name: m.inputs[input].name.as_str().into() };
    let above = Closed::Function(Function::Func2(Func2::Max), vec![u, low]);
    let formula = Closed::Function(Function::Func2(Func2::Min), vec![above, high]);
    Some(ReportDefinition { kind: SymbolKind::Input(m.inputs.len() + input), formula })
}

/// All definitions, expanded to free parameters and inputs. `None` if one of them has no closed
/// form.
pub fn expanded_definitions(m: &Mechanism) -> Option<Vec<(SymbolKind, Closed)>> {
    let mut known: Vec<(SymbolKind, Closed)> = Vec::new();
    for position in derived_parameters(m) {
        let ReportDefinition { kind, formula } = parameter_definition(m, position)?;
        known.push((kind, formula.replace_symbols(&known)));
    }
    for input in (0..m.inputs.len()).filter(|i| m.inputs[*i].limits.is_some()) {
        let ReportDefinition { kind, formula } = limited_input_definition(m, input)?;
        known.push((kind, formula.replace_symbols(&known)));
    }
    Some(known)
}

/// A parameter as a closed form: the value of a constant, else a symbol.
fn parameter_form(m: &Mechanism, i: ParameterId) -> Option<Closed> {
    let p = m.parameters.get(i.index())?;
    let earlier = m.parameters[..i.index()].iter().map(|p| &p.kind);
    let position = match &p.kind {
        ParameterKind::Constant(f) => return closed_form_of_formula(m, f),
        ParameterKind::Free(_) => earlier.filter(|kind| matches!(kind, ParameterKind::Free(_))).count(),
        ParameterKind::Derived(_) => {
            let count = earlier.filter(|kind| matches!(kind, ParameterKind::Derived(_))).count();
            free_parameter_names(m).len() + count
        }
    };
    Some(Closed::Symbol { kind: SymbolKind::Parameter(position), name: p.name.as_str().into() })
}

/// An exact number of the spec as a closed form; `None` for an inexact one.
fn number_form(n: Number) -> Option<Closed> {
    match n {
        Number::Rational(r) => Some(rational_form(r)),
        Number::Pi(r) => Some(Closed::product(vec![rational_form(r), Closed::Pi])),
        Number::Wide(w) => {
            let text = w.to_string();
            let (num, den) = text.split_once('/').unwrap_or((&text, "1"));
            let num = num.trim_start_matches('-').to_owned();
            Some(Closed::Number(Exact { negative: w.is_negative(), num, den: den.to_owned() }))
        }
        Number::Float(_) => None,
    }
}

/// A fraction as a closed form.
fn rational_form(r: Ratio) -> Closed {
    let num = r.num().unsigned_abs().to_string();
    Closed::Number(Exact { negative: r.num() < 0, num, den: r.den().to_string() })
}

/// True for a number and for a product with a numeric factor.
fn has_numeric_factor(c: &Closed) -> bool {
    match c {
        Closed::Product(factors) => factors.iter().any(|f| matches!(f, Closed::Number(_))),
        other => matches!(other, Closed::Number(_)),
    }
}

/// A quotient; division by an integer becomes a factor such as 1/2, as in the equations.
fn quotient_form(a: Closed, b: Closed) -> Closed {
    match b {
        Closed::Number(n) if !n.is_zero() && !n.negative && n.den == "1" && !has_numeric_factor(&a) => {
            let inverse = Exact { negative: false, num: n.den, den: n.num };
            Closed::product(vec![Closed::Number(inverse), a])
        }
        b => Closed::Quotient(Box::new(a), Box::new(b)),
    }
}

/// A variable in a formula: an input with limits is `sat(u)`; measures have names only if `names`
/// permits.
fn variable_form(m: &Mechanism, v: Variable, names: KeptNames) -> Option<Closed> {
    Some(match v {
        Variable::Parameter(i) => parameter_form(m, i)?,
        Variable::Time => symbol_form(SymbolKind::Time, "t"),
        Variable::Coordinate(i) => {
            symbol_form(SymbolKind::Coordinate(i.index()), &m.coordinates.get(i.index())?.name)
        }
        Variable::Speed(i) => symbol_form(SymbolKind::Speed(i.index()), &m.speeds.get(i.index())?.name),
        Variable::State(i) => symbol_form(SymbolKind::State(i), &m.states.get(i)?.name),
        Variable::Input(i) => {
            let input = m.inputs.get(i)?;
            match input.limits {
                Some(_) => {
                    symbol_form(SymbolKind::Input(m.inputs.len() + i), &format!("sat({})", input.name))
                }
                None => symbol_form(SymbolKind::Input(i), &input.name),
            }
        }
        Variable::Position(i) | Variable::Velocity(i) if names.measures => {
            symbol_form(named::measure_symbol(m, i), &named::measure_name(m, i))
        }
        Variable::Position(_) | Variable::Velocity(_) => return None,
    })
}

/// A symbol of the graph as a closed form.
fn symbol_form(kind: SymbolKind, name: &str) -> Closed {
    Closed::Symbol { kind, name: name.into() }
}

/// A formula of the mechanism, operation by operation as in the spec; `None` if it contains a
/// function table, since a proof numbers tables differently.
pub(super) fn closed_form_of_formula(m: &Mechanism, f: &Formula) -> Option<Closed> {
    formula_to_closed_form(m, f, KeptNames::default())
}

/// Same as [`closed_form_of_formula`], with definitions, prescribed coordinates and measures as
/// symbols.
pub(super) fn closed_form_with_names(m: &Mechanism, f: &Formula) -> Option<Closed> {
    formula_to_closed_form(m, f, KeptNames { formulas: true, tables: false, measures: true })
}

/// A formula, typeset for display, with definitions and function tables by name.
pub(in crate::inspect) fn typeset_formula(m: &Mechanism, f: &Formula) -> Option<Math> {
    Some(typeset_with_report_names(m, &closed_form_with_tables(m, f)?))
}

/// A formula for display as a closed form, with definitions and function tables by name.
pub(super) fn closed_form_with_tables(m: &Mechanism, f: &Formula) -> Option<Closed> {
    formula_to_closed_form(m, f, KeptNames { formulas: true, tables: true, measures: false })
}

/// Typesets a closed form from [`closed_form_with_tables`], with the names of the report.
pub(super) fn typeset_with_report_names(m: &Mechanism, form: &Closed) -> Math {
    let names = AmbiguousNames::new(m);
    typeset_with_names(form, &|name| printed_name(m, &names, name), NumberStyle::for_forms([form]))
}

/// A name in a terminal: as in the spec if it is ambiguous or that of a table, else with Unicode
/// letters.
fn printed_name(m: &Mechanism, names: &AmbiguousNames<'_>, name: &str) -> String {
    if names.is_ambiguous(name) {
        return name.to_owned();
    }
    let table = m.tables.iter().enumerate().find(|(t, _)| Function::Table(*t as u32).name_map_key() == name);
    table.map_or_else(|| terminal_name(name), |(_, table)| table.function.name.clone())
}

/// Kinds of names that a closed form may contain instead of their formulas.
#[derive(Clone, Copy, Default)]
struct KeptNames {
    /// True if definitions and prescribed coordinates keep their names.
    formulas: bool,
    /// True if function tables keep their names; otherwise a formula with one has no closed form.
    tables: bool,
    /// True if measures of frames keep their names; otherwise a formula with one has no closed
    /// form.
    measures: bool,
}

/// A formula of the spec as a closed form, with the names that `names` permits; `None` if it has no
/// such form.
fn formula_to_closed_form(m: &Mechanism, f: &Formula, names: KeptNames) -> Option<Closed> {
    let operand = |f: &Formula| formula_to_closed_form(m, f, names);
    let call = |function: Function, args: &[&Formula]| {
        let args: Option<Vec<Closed>> = args.iter().map(|f| operand(f)).collect();
        Some(Closed::Function(function, args?))
    };
    match f {
        Formula::Number(n) => number_form(*n),
        Formula::Variable(v) => variable_form(m, *v, names),
        Formula::Named(named) if names.formulas => {
            let kind = SymbolKind::Named(3 * named.place);
            Some(Closed::Symbol { kind, name: named.name.as_str().into() })
        }
        Formula::Named(named) => operand(&named.formula),
        Formula::Table(table, x) => {
            let known = m.tables.iter().position(|t| t.function == *table).filter(|_| names.tables)?;
            Some(Closed::Function(Function::Table(known as u32), vec![operand(x)?]))
        }
        Formula::Neg(a) => Some(operand(a)?.negated()),
        Formula::Add(a, b) => Some(Closed::sum(vec![operand(a)?, operand(b)?])),
        Formula::Sub(a, b) => Some(Closed::sum(vec![operand(a)?, operand(b)?.negated()])),
        Formula::Mul(a, b) => Some(Closed::product(vec![operand(a)?, operand(b)?])),
        Formula::Div(a, b) => Some(quotient_form(operand(a)?, operand(b)?)),
        Formula::Power(a, n) => {
            let power = match n.unsigned_abs() {
                0 => Closed::integer(1),
                1 => operand(a)?,
                k => Closed::Power(Box::new(operand(a)?), k),
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
