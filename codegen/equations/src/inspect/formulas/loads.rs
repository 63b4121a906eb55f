//! The value of a load as a formula, for the table of loads.
//!
//! Problem: a report should say which law, say of friction, acts at a joint.
//! Method:  formulas of the spec combined by the law of the load; in the equations of motion they
//!          are parts of longer sums.

use super::definitions::{closed_form_with_tables, typeset_with_report_names};
use crate::inspect::load_lengths;
use crate::symbolic::{Closed, Function};
use dqdt_algebra::Func;
use dqdt_document::report::{Math, Prose};
use dqdt_graph::ir::SymbolKind;
use dqdt_mechanics::mechanism::load::{Law, LawFactor};
use dqdt_mechanics::mechanism::{Formula, Load, Mechanism, SpeedId, VectorFrame};

/// Largest length, in characters, of a formula in the table of loads.
const LONGEST: usize = 80;

/// The value of a load, typeset; `None` if it has no formula or a long one.
pub(in crate::inspect) fn load_law(m: &Mechanism, load: &Load) -> Option<Prose> {
    let closed = |f: &Formula| closed_form_with_tables(m, f);
    let speed = |i: SpeedId| {
        let (kind, name) = (SymbolKind::Speed(i.index()), m.speeds.get(i.index())?.name.clone());
        Some(Closed::Symbol { kind, name: name.into() })
    };
    let length = || load_length_symbol(&load_lengths::length_symbol_name(m, &load.name));
    let factor = |factor: LawFactor<'_>| {
        Some(match factor {
            LawFactor::Speed(v) => speed(v)?,
            LawFactor::Deflection(q, rest) => {
                let name = m.coordinates.get(q.index())?.name.clone();
                let q = Closed::Symbol { kind: SymbolKind::Coordinate(q.index()), name: name.into() };
                Closed::sum(vec![q, closed(rest)?.negated()])
            }
            LawFactor::Direction(v, transition) => {
                let ratio = Closed::Quotient(Box::new(speed(v)?), Box::new(closed(transition)?));
                Closed::Function(Function::Func(Func::Tanh), vec![ratio])
            }
            LawFactor::Elongation(rest) => Closed::sum(vec![length(), closed(rest)?.negated()]),
            LawFactor::LengthRate => {
                load_length_symbol(&format!("{}_dot", load_lengths::length_symbol_name(m, &load.name)))
            }
        })
    };
    let terms = |terms: Vec<(&Formula, LawFactor<'_>)>| {
        let products: Option<Vec<Closed>> =
            terms.into_iter().map(|(f, x)| Some(Closed::product(vec![closed(f)?, factor(x)?]))).collect();
        Some(without_zeros(products?))
    };
    let form = match load.kind.form().force_law()? {
        Law::Vector(value, frame) => {
            let parts: Option<Vec<Math>> =
                value.iter().map(|f| closed(f).map(|c| typeset_with_report_names(m, &c))).collect();
            let axes = match frame {
                VectorFrame::Ground => ", in ground axes".to_owned(),
                VectorFrame::Body { body, .. } => {
                    format!(", in axes of {}", m.bodies.get(body.index())?.name)
                }
            };
            return prose_unless_long(Prose::from("(") + Prose::join_texts(parts?, ", ") + ")" + axes);
        }
        Law::Value(f) => closed(f)?,
        Law::Opposing(list) => Closed::sum(terms(list)?.into_iter().map(Closed::negated).collect()),
        Law::Tension(list) => {
            let text = Prose::from("tension ")
                + typeset_with_report_names(m, &Closed::sum(terms(list)?))
                + " for a length of "
                + typeset_with_report_names(m, &length());
            return prose_unless_long(text);
        }
    };
    prose_unless_long(typeset_with_report_names(m, &form).into())
}

/// The terms that are not zero.
fn without_zeros(terms: Vec<Closed>) -> Vec<Closed> {
    terms.into_iter().filter(|term| !is_zero(term)).collect()
}

/// True for zero and for a product with the factor zero.
fn is_zero(term: &Closed) -> bool {
    match term {
        Closed::Number(n) => n.is_zero(),
        Closed::Product(factors) => factors.iter().any(|f| matches!(f, Closed::Number(n) if n.is_zero())),
        _ => false,
    }
}

/// Symbol of the length along which a load acts, or of its rate.
fn load_length_symbol(name: &str) -> Closed {
    Closed::Symbol { kind: SymbolKind::Length(0), name: name.into() }
}

/// The text of a load's value, if it is at most [`LONGEST`] characters long; else `None`.
fn prose_unless_long(text: Prose) -> Option<Prose> {
    (text.text().chars().count() <= LONGEST).then_some(text)
}
