//! Queries by which claims are decided.

use super::closed::Closed;
use super::error::SymbolicError;
use super::expressions::Expressions;
use super::lagrange::{LagrangeRequest, prove_lagrange};
use super::prove::{Assumptions, Verdict, prove_closed, prove_equal};

/// A question to the symbolic engine that decides a claim, answered by verdicts.
#[derive(Clone, PartialEq, Debug)]
pub enum Query {
    /// Equality of outputs, position by position; symbols are matched by kind.
    ProveEqual {
        /// Outputs of the left side of each equation.
        left: Expressions,
        /// Outputs of the right side of each equation.
        right: Expressions,
    },
    /// Equality of outputs with closed forms, such as printed ones.
    ProveClosed {
        /// Expressions whose outputs are compared.
        expressions: Expressions,
        /// Closed forms to compare with, one for each output.
        forms: Vec<Closed>,
    },
    /// Equality of Lagrange's equations, derived from the energies, with given ones.
    ProveLagrange {
        /// Energies, and the equations that are compared with those derived from them.
        request: LagrangeRequest,
    },
}

impl Query {
    /// Decides the query, with one verdict for each pair, output, or entry of M and the rest.
    ///
    /// # Errors
    /// If the two sides do not match. An undecided verdict is no error.
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
