//! Formalisms: one method a file, each a function generic over the scalar, all with the contract of `equations`.
//!
//! | file | what |
//! |---|---|
//! | `equations` | the contract: which methods there are, and what each gives |
//! | `forward` | the contract: accelerations, multipliers and reactions at a state, by any method |
//! | `kane`, `lagrange`, `direct`, `composite_body` | `M v̇ + c = Q` |
//! | `articulated_body` | `v̇` by sweeps |
//! | `extended`, `lagrange_first`, `maggi` | sparse systems with more unknowns; `redundant`: what the last two share |
//! | `maggi_coordinates`, `null_space` | projection on constraints |
//! | `momentum` | generalised momenta |
//! | `kinetostatics`, `impact` | other problems: prescribed motion, velocity jumps |
//! | `factorised`, `saddle` | solves: the tree's mass matrix, constraints by the Schur complement |
//! | `pivots` | what is divided by, when it vanishes, what that means |
//! | `elimination_order` | which pivots of a sparse system can vanish, and what to do then |
//! | `reactions`, `applied` | what joints transmit; what acts on the bodies |
//! | `undetermined` | which reactions rows that depend on each other leave open |
//! | `inverse`, `inverse_constrained` | accelerations in, efforts out; of independent speeds |
//! | `actions` | loads as wrenches on bodies and efforts on speeds, for the methods that want them so |
//! | `events` | functions that cross zero; what an impact does |
//! | `rotors` | what turning rotors do to the bodies that carry them |
//! | `energy`, `power` | energy, momentum, the power of every load |
//! | `outputs` | what the spec asks for by name |

mod actions;
mod applied;
mod articulated_body;
mod composite_body;
mod direct;
mod elimination_order;
mod energy;
mod equations;
mod events;
mod extended;
mod factorised;
mod forward;
mod impact;
mod inverse;
mod inverse_constrained;
mod kane;
mod kinetostatics;
mod lagrange;
mod lagrange_first;
mod maggi;
mod maggi_coordinates;
mod momentum;
mod null_space;
mod outputs;
mod pivots;
mod power;
mod reactions;
mod redundant;
mod rotors;
mod saddle;
mod undetermined;

pub use actions::line_denominators;
pub use energy::{Energy, Momentum, energy, lagrangian, momentum, potential_drift};
pub use equations::{Equations, Formalism, Implicit, equations, implicit};
pub use events::{ImpactRow, event_values, impact_row};
pub use extended::Extended;
pub use factorised::Factorised;
pub use forward::{Forward, Solution, forward, solve};
pub use impact::{Contact, Impact, impact, impact_with_restitution};
pub use inverse::inverse_dynamics;
pub use inverse_constrained::{ConstrainedInverse, independent_speeds, inverse_dynamics_constrained};
pub use kinetostatics::{Kinetostatic, kinetostatics};
pub use momentum::GeneralisedMomentum;
pub use null_space::chosen_pivots;
pub use outputs::{OutputShape, OutputValue, outputs};
pub use pivots::{LOST_RANK, Pivot, angles_hint, certain_pivots, scale_of_speed};
pub use power::{Power, powers};
pub use reactions::reactions;
pub use saddle::{ConstrainedSolution, RowNames, solve_constrained};
pub use undetermined::{UndeterminedReactions, undetermined_reactions};
