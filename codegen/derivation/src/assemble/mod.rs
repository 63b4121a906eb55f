//! The stage `assemble`: an assembled start, and the choices on which the equations depend.
//!
//! Problem: find coordinates with `Φ(q, t) = 0` and speeds with `A v + a₀ = 0` near a start, the
//!          redundant rows, the number of degrees of freedom, and the dependent speeds.
//! Method:  [`assemble`] runs the parts. All of them compute in `f64`, at given parameters.
//!
//! - `solve`: damped least squares from several starts.
//! - `rank`: rank of the rows at several assembled poses; `dependence`: redundant rows at one pose;
//!   `identity`: exact proof of redundancy in every pose.
//! - `contradiction`: conflicts among the values that are kept.
//! - `partition`: dependent speeds; `driven`: the speeds that inputs drive; `program`: inputs that
//!   realise constraints.
//! - `finding`: results as data; `messages` and `start_messages`: their texts.

mod attempt;
mod contradiction;
mod coordinates;
mod dependence;
mod driven;
mod finding;
mod identity;
mod manifold;
mod massless;
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

pub use contradiction::Relation;
pub use finding::{Finding, Source, explain_failure};
pub use manifold::Manifold;
pub use massless::{find_massless_speed, massless_error, tree_mass_matrix_is_singular};
pub use partition::repartition;
pub use rank::{Mobility, RowRank, count_mobility, find_determined_speeds, rank_constraint_rows};
pub use solve::{AssembledState, NotAssembled, find_assembly_modes, find_state, project_onto_constraints};
pub use stage::{Assembled, KeptStarts, assemble};
