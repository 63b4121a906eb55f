//! The symbolic engine: closed forms, proofs and simplification.
//!
//! A graph is replayed into quotients of polynomials over the rationals, in which sine and cosine
//! of each angle, square roots and unknown functions are variables with relations of their own.
//! There equality is exact.
//!
//! | function                          | result                                               |
//! |-----------------------------------|------------------------------------------------------|
//! | [`Expressions::new`]              | nodes of a graph as plain data                       |
//! | [`closed_forms`]                  | simplified [`Closed`] forms, proved equal            |
//! | [`prove_equal`], [`prove_closed`] | a [`Verdict`] for each pair                          |
//! | [`prove_lagrange`]                | a [`Verdict`] for each entry of Lagrange's equations |
//! | [`plain_text`]                    | text of a closed form; [`parse_text`] reads it back  |
//! | [`record_form`]                   | a closed form recorded in a graph                    |
//!
//! Layers: `expressions` (input) — `float` (100 digits) — `variable`, `engine`, `fraction`,
//! `normal`, `angles`, `functions`, `atoms`, `calculus` (exact arithmetic) — `evaluation`,
//! `witness`, `samples`, `discrepancy`, `prove`, `numeric_lagrange`, `lagrange` (decisions) —
//! `terms`, `angle_sums`, `sums`, `collect`, `tangents`, `tidy`, `below_roots`, `simplify`,
//! `conversion` (closed forms) — `closed`, `clamp`, `decimal`, `arrange`, `text`, `parse`, `record`
//! (output) — `query` (kinds of queries).
//!
//! Polynomials are those of `dqdt_polynomials`. Invariants: results are the same for the same
//! input, on any number of cores; every printed form was proved equal to its expression; a
//! refutation has a witness, a point given by exact values.

mod angle_sums;
mod angles;
mod arrange;
mod atoms;
mod below_roots;
mod calculus;
mod clamp;
mod closed;
mod collect;
mod conversion;
mod decimal;
mod discrepancy;
mod engine;
mod error;
mod evaluation;
mod expressions;
mod float;
mod fraction;
mod functions;
mod lagrange;
mod lagrange_texts;
mod normal;
mod numeric_lagrange;
mod parse;
mod prove;
mod query;
mod record;
mod samples;
mod simplify;
mod sums;
mod tangents;
mod terms;
mod text;
mod tidy;
mod variable;
mod witness;

pub use arrange::{ParameterOrder, arrange_for_reading};
pub use closed::{Closed, Exact, Function};
pub use decimal::{NumberStyle, NumberText};
pub use error::{Reason, SymbolicError};
pub use expressions::Expressions;
pub use lagrange::{LagrangeInput, LagrangeRequest, LagrangeVerdicts, RateMap, prove_lagrange};
pub use lagrange_texts::{LagrangeTexts, NoText};
pub use parse::{continues_name, parse_text, parse_with_tables};
pub use prove::{Assumptions, Status, Verdict, prove_closed, prove_equal};
pub use query::Query;
pub use record::record_form;
pub use simplify::{Simplified, closed_forms};
pub(crate) use text::magnitude_operand;
pub use text::{plain_text, printed_text};
pub use witness::Assignment;
