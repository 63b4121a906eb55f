//! Questions about expressions, as claims ask them.

use super::closed::Closed;
use super::error::SymbolicError;
use super::expressions::Expressions;
use super::lagrange::{LagrangeRequest, prove_lagrange};
use super::prove::{Assumptions, Verdict, prove_closed, prove_equal};

/// A question that verdicts answer.
#[derive(Clone, PartialEq, Debug)]
pub enum Query {
    /// Equality of outputs, position by position; symbols are matched by kind.
    ProveEqual {
        /// One side.
        left: Expressions,
        /// The other.
        right: Expressions,
    },
    /// Equality of outputs with closed forms, printed ones for example.
    ProveClosed {
        /// The outputs.
        expressions: Expressions,
        /// One form per output.
        forms: Vec<Closed>,
    },
    /// Lagrange's equations, derived from the energies, against given ones.
    ProveLagrange {
        /// Energies and equations.
        request: LagrangeRequest,
    },
}

impl Query {
    /// The verdicts: one per pair, output, or entry of M and the rest.
    ///
    /// # Errors
    /// Sides that do not match; a verdict that is open is no error.
    pub fn verdicts(self, assumptions: &Assumptions) -> Result<Vec<Verdict>, SymbolicError> {
        match self {
            Query::ProveEqual { left, right } => prove_equal(&left, &right, assumptions),
            Query::ProveClosed { expressions, forms } => prove_closed(&expressions, &forms, assumptions),
            Query::ProveLagrange { request } => {
                let verdicts = prove_lagrange(&request, assumptions)?;
                Ok(verdicts.mass.into_iter().chain(verdicts.rest).collect())
            }
        }
    }
}
