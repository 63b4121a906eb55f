//! The value of a load as a formula, for the table of loads.
//!
//! Problem: a report should say which law, say of friction, acts at a joint.
//! Method:  formulas of the spec combined by the law of the load; in the equations of motion they
//!          are parts of longer sums.

use super::definitions::{math, with_tables};
use crate::inspect::lines;
use crate::symbolic::{Closed, Function};
use dqdt_algebra::Func;
use dqdt_document::report::{Math, Prose};
use dqdt_graph::ir::SymbolKind;
use dqdt_mechanics::mechanism::load::{Law, LawFactor};
use dqdt_mechanics::mechanism::{Formula, Load, Mechanism, SpeedId, VectorFrame};

/// Largest length, in characters, of a formula in the table of loads.
const LONGEST: usize = 80;

/// The value of a load, typeset; `None` if it has no formula or a long one.
pub(in crate::inspect) fn value(m: &Mechanism, load: &Load) -> Option<Prose> {
    let of = |f: &Formula| with_tables(m, f);
    let speed = |i: SpeedId| {
        let (kind, name) = (SymbolKind::Speed(i.index()), m.speeds.get(i.index())?.name.clone());
        Some(Closed::Symbol { kind, name: name.into() })
    };
    let letter = |name: &str| Closed::Symbol { kind: SymbolKind::Length(0), name: name.into() };
    let length = || letter(&lines::name(m, &load.name));
    let factor = |factor: LawFactor<'_>| {
        Some(match factor {
            LawFactor::Speed(v) => speed(v)?,
            LawFactor::Deflection(q, rest) => {
                let name = m.coordinates.get(q.index())?.name.clone();
                let q = Closed::Symbol { kind: SymbolKind::Coordinate(q.index()), name: name.into() };
                Closed::sum(vec![q, of(rest)?.negated()])
            }
            LawFactor::Direction(v, transition) => {
                let ratio = Closed::Quotient(Box::new(speed(v)?), Box::new(of(transition)?));
                Closed::Function(Function::Func(Func::Tanh), vec![ratio])
            }
            LawFactor::Elongation(rest) => Closed::sum(vec![length(), of(rest)?.negated()]),
            LawFactor::LengthRate => letter(&format!("{}_dot", lines::name(m, &load.name))),
        })
    };
    let terms = |terms: Vec<(&Formula, LawFactor<'_>)>| {
        let products: Option<Vec<Closed>> =
            terms.into_iter().map(|(f, x)| Some(Closed::product(vec![of(f)?, factor(x)?]))).collect();
        Some(present(products?))
    };
    let form = match load.kind.form().law()? {
        Law::Vector(value, frame) => {
            let parts: Option<Vec<Math>> = value.iter().map(|f| of(f).map(|c| math(m, &c))).collect();
            let axes = match frame {
                VectorFrame::Ground => ", axes of the ground".to_owned(),
                VectorFrame::Body { body, .. } => format!(", axes on {}", m.bodies.get(body.index())?.name),
            };
            return short(Prose::from("(") + Prose::list(parts?, ", ") + ")" + axes);
        }
        Law::Value(f) => of(f)?,
        Law::Opposing(list) => Closed::sum(terms(list)?.into_iter().map(Closed::negated).collect()),
        Law::Tension(list) => {
            let text = Prose::from("tension ")
                + math(m, &Closed::sum(terms(list)?))
                + " at the length "
                + math(m, &length());
            return short(text);
        }
    };
    short(math(m, &form).into())
}

/// The terms that are not zero.
fn present(terms: Vec<Closed>) -> Vec<Closed> {
    let zero = |c: &Closed| match c {
        Closed::Number(n) => n.is_zero(),
        Closed::Product(factors) => factors.iter().any(|f| matches!(f, Closed::Number(n) if n.is_zero())),
        _ => false,
    };
    terms.into_iter().filter(|t| !zero(t)).collect()
}

fn short(text: Prose) -> Option<Prose> {
    (text.text().chars().count() <= LONGEST).then_some(text)
}
