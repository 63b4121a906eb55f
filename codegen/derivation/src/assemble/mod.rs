//! The stage `assemble`: a start on the constraints, and the choices that the equations depend on.
//!
//! Problem: coordinates with `Φ(q, t) = 0` and speeds with `A v + a₀ = 0` near a start; which rows follow from others;
//! how many degrees of freedom are left; which speeds the rows give.
//! Method:  `solve` (damped least squares from several starts), `rank` (of the rows at several assembled
//! poses; `dependence`: which rows of one follow from others), `contradiction` (which of what is kept stands against the rest), `partition` (dependent speeds; `driven`: which of
//! them inputs drive),
//! `program` (inputs that realise constraints), `identity` (what holds in every pose, exactly). [`assemble`] puts them
//! together; `finding` has their findings, `messages` and `start_messages` put them into words.
//! Everything here is over doubles, at given parameters.

mod attempt;
mod contradiction;
mod coordinates;
mod dependence;
mod driven;
mod finding;
mod identity;
mod manifold;
mod messages;
mod newton;
mod partition;
mod program;
mod rank;
mod slopes;
mod solve;
mod stage;
pub mod start_messages;
mod switch_poses;
mod unresisted;

pub use contradiction::Relation;
pub use finding::{Finding, Source, why_not};
pub use manifold::Manifold;
pub use partition::repartition;
pub use rank::{Mobility, RowRank, mobility, rank, speeds_that_follow};
pub use solve::{AssembledState, NotAssembled, find_state, modes, project};
pub use stage::{Assembled, KeptStarts, assemble};
pub use unresisted::{nothing_resists, tree_is_singular, unresisted};
