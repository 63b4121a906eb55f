//! Assembled states of constrained mechanisms: found, counted, kept.
//!
//! Problem: coordinates with `Φ(q, t) = 0` and speeds with `A v + a₀ = 0` near a start; which rows follow from others;
//! how many degrees of freedom are left.
//! Method:  `solve` (damped least squares from several starts), `rank` (orthogonalisation of the rows at several
//! assembled poses), `contradiction` (which of what is kept stands against the rest), `prepare` (what a mechanism is told of its constraints before equations are derived).
//! Everything here is over doubles, at given parameters.

mod contradiction;
mod manifold;
mod prepare;
mod rank;
mod solve;

pub use contradiction::Relation;
pub use manifold::Manifold;
pub use prepare::{Finding, Held, Prepared, Source, prepare, why_not};
pub use rank::{Mobility, RowRank, mobility, rank, speeds_that_follow};
pub use solve::{Assembled, NotAssembled, assemble, modes, project};
