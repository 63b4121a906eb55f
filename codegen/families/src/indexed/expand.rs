//! Expands nodes of a graph into polynomials with a unique form.
//!
//! Problem: the terms of an entry of the mass matrix are needed, but it is recorded as a graph.
//! Method:  the graph is replayed in a [`Ring`]. The argument of a sine or cosine must be a sum of
//!          integer multiples of symbols and of right angles; addition formulas expand it.
//! Not handled: operations named by [`PolynomialError`].

use std::collections::BTreeMap;
use std::rc::Rc;

use super::names::{Class, Symbol};
use dqdt_algebra::polynomial::{Complex, Poly, PolynomialError, Ring, VariableRole};
use dqdt_algebra::{Func, Func2, Number, Ratio};
use dqdt_graph::ir::{Graph, NodeId, Op, SymbolKind, replay};

/// Class of a symbol of formulas for a kind of symbol of graphs.
pub(super) fn symbol_class(kind: SymbolKind) -> Class {
    match kind {
        SymbolKind::Parameter(_) | SymbolKind::Auxiliary(_) | SymbolKind::Named(_) => Class::Parameter,
        SymbolKind::Input(_)
        | SymbolKind::Impulse(_)
        | SymbolKind::Effort(_)
        | SymbolKind::Contact(_)
        | SymbolKind::Costate(_) => Class::Input,
        SymbolKind::State(_) => Class::State,
        SymbolKind::Time => Class::Time,
        SymbolKind::Coordinate(_) | SymbolKind::Length(_) => Class::Coordinate,
        SymbolKind::Speed(_) | SymbolKind::Rate(_) | SymbolKind::Acceleration(_) => Class::Speed,
    }
}

/// All symbols of a graph, each with class and name, as formulas use them.
pub(super) fn graph_symbols(graph: &Graph) -> Vec<Symbol> {
    graph.symbols().into_iter().map(|s| Symbol { class: symbol_class(s.kind), name: s.name }).collect()
}

/// The symbol that represents the constant π in polynomials.
fn pi_symbol() -> Symbol {
    Symbol { class: Class::Pi, name: "pi".to_owned() }
}

/// Expands graph nodes into polynomials. Angles for which `phase` is true become phases `exp(i q)`.
pub(super) fn expand_nodes(
    ring: &mut Ring<Symbol>,
    graph: &Graph,
    outputs: &[NodeId],
    phase: &dyn Fn(&Symbol) -> bool,
) -> Vec<Result<Poly, PolynomialError>> {
    let infos = graph.symbols();
    let mut pairs = BTreeMap::new();
    let polys = replay(graph, outputs, |_, op, args: &[Result<Rc<Poly>, PolynomialError>]| {
        let mut a: Vec<&Poly> = Vec::with_capacity(args.len());
        for arg in args {
            a.push(arg.as_ref().map_err(Clone::clone)?);
        }
        let poly = match (op, &a[..]) {
            (Op::Const(Number::Rational(r)), _) => Ok(Poly::constant(r)),
            (Op::Const(Number::Pi(r)), _) => {
                let pi = ring.intern_variable(&pi_symbol(), VariableRole::Plain)?;
                Ok(Poly::from_monomial(vec![(pi, 1)], Complex::from_real(r)))
            }
            (Op::Const(Number::Wide(_)), _) => Err(PolynomialError::Overflow),
            (Op::Const(Number::Float(_)), _) => Err(PolynomialError::Inexact),
            (Op::Symbol(s), _) => {
                let info = &infos[s.0 as usize];
                let symbol = Symbol { class: symbol_class(info.kind), name: info.name.clone() };
                let v = ring.intern_variable(&symbol, VariableRole::Plain)?;
                Ok(Poly::from_monomial(vec![(v, 1)], Complex::ONE))
            }
            (Op::Add, [x, y]) => x.add(y),
            (Op::Sub, [x, y]) => x.sub(y),
            (Op::Mul, [x, y]) => ring.mul(x, y),
            (Op::Div, [x, y]) => {
                let inverse = ring.invert_single_term(y)?;
                ring.mul(x, &inverse)
            }
            (Op::Neg, [x]) => x.neg(),
            (Op::Sin, [x]) => Ok(sin_cos_sum(ring, x, phase, &mut pairs)?.0),
            (Op::Cos, [x]) => Ok(sin_cos_sum(ring, x, phase, &mut pairs)?.1),
            (Op::Func(Func::Tan), [x]) => {
                let (s, c) = sin_cos_sum(ring, x, phase, &mut pairs)?;
                let inverse = ring.invert_single_term(&c)?;
                ring.mul(&s, &inverse)
            }
            (Op::Func2(Func2::Pow), [x, y]) => match y.as_number() {
                Some(n) if n.is_integer() => ring.pow(x, n.num()),
                _ => Err(PolynomialError::Function("pow")),
            },
            (Op::Sqrt, [x]) => match x.as_number().and_then(Ratio::exact_sqrt) {
                Some(root) => Ok(Poly::constant(root)),
                None => Err(PolynomialError::Function("sqrt")),
            },
            (Op::Func(f), _) => Err(PolynomialError::Function(f.name())),
            (Op::Func2(f), _) => Err(PolynomialError::Function(f.name())),
            (Op::Select(_), _) => Err(PolynomialError::Function("a conditional")),
            _ => Err(PolynomialError::Function("a table")),
        };
        poly.map(Rc::new)
    });
    polys.into_iter().map(|p| p.map(|p| (*p).clone())).collect()
}

/// Cache of sine and cosine of integer multiples of an angle, by symbol and multiple.
type Known = BTreeMap<(Symbol, i64), (Poly, Poly)>;

/// Sine and cosine of a sum of multiples of symbols and right angles, by addition formulas.
fn sin_cos_sum(
    ring: &mut Ring<Symbol>,
    argument: &Poly,
    phase: &dyn Fn(&Symbol) -> bool,
    known: &mut Known,
) -> Result<(Poly, Poly), PolynomialError> {
    let (mut sin, mut cos) = (Poly::default(), Poly::constant(Ratio::ONE));
    for (monomial, value) in &argument.0 {
        let [(v, 1)] = monomial[..] else { return Err(PolynomialError::Angle) };
        let (role, symbol) = ring.role_and_atom(v);
        let symbol = symbol.clone();
        if role != VariableRole::Plain || !value.im.is_zero() {
            return Err(PolynomialError::Angle);
        }
        let (s, c) = if symbol.class == Class::Pi {
            sin_cos_right_angles(value.re)?
        } else if value.re.is_integer() && value.re.num().unsigned_abs() <= 16 {
            sin_cos_multiple(ring, &symbol, value.re.num(), phase, known)?
        } else {
            return Err(PolynomialError::Angle);
        };
        let sc = ring.mul(&sin, &c)?;
        let cs = ring.mul(&cos, &s)?;
        let cc = ring.mul(&cos, &c)?;
        let ss = ring.mul(&sin, &s)?;
        (sin, cos) = (sc.add(&cs)?, cc.sub(&ss)?);
    }
    Ok((sin, cos))
}

/// Sine and cosine of an integer multiple of one angle, from the cache if known.
fn sin_cos_multiple(
    ring: &mut Ring<Symbol>,
    symbol: &Symbol,
    k: i64,
    phase: &dyn Fn(&Symbol) -> bool,
    known: &mut Known,
) -> Result<(Poly, Poly), PolynomialError> {
    if let Some(pair) = known.get(&(symbol.clone(), k)) {
        return Ok(pair.clone());
    }
    let pair = match k {
        0 => (Poly::default(), Poly::constant(Ratio::ONE)),
        1 => ring.sine_and_cosine(symbol, phase(symbol))?,
        k if k < 0 => {
            let (s, c) = sin_cos_multiple(ring, symbol, -k, phase, known)?;
            (s.neg()?, c)
        }
        k => {
            let (s, c) = sin_cos_multiple(ring, symbol, k - 1, phase, known)?;
            let (s1, c1) = sin_cos_multiple(ring, symbol, 1, phase, known)?;
            let sin = ring.mul(&s, &c1)?.add(&ring.mul(&c, &s1)?)?;
            (sin, ring.mul(&c, &c1)?.sub(&ring.mul(&s, &s1)?)?)
        }
    };
    known.insert((symbol.clone(), k), pair.clone());
    Ok(pair)
}

/// Sine and cosine of `r π`, a multiple of a right angle.
fn sin_cos_right_angles(r: Ratio) -> Result<(Poly, Poly), PolynomialError> {
    let quarters = r.checked_mul(Ratio::integer(2)).ok_or(PolynomialError::Overflow)?;
    if !quarters.is_integer() {
        return Err(PolynomialError::Angle);
    }
    let (s, c) = [(0, 1), (1, 0), (0, -1), (-1, 0)][quarters.num().rem_euclid(4) as usize];
    Ok((Poly::constant(Ratio::integer(s)), Poly::constant(Ratio::integer(c))))
}
