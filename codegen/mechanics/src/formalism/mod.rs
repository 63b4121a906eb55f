//! Formalisms: ways to derive equations of motion, each generic over the scalar, and other
//! quantities of a motion.
//!
//! - `registry`: the list of the formalisms; `method`: the interface that each implements.
//! - `methods`: the formalisms, one file for each.
//! - `equations`, `forward`: by any formalism, equations, or accelerations with multipliers and
//!   reactions.
//! - `dynamics`: building blocks of the formalisms, such as sweeps and solves.
//! - `quantities`: energy, power, reactions, outputs, impacts, inverse dynamics.

mod dynamics;
mod equations;
mod forward;
mod method;
mod methods;
mod quantities;
mod registry;

pub use crate::kinematics::composite_inertias as subtree_inertias;
pub use dynamics::actions::squared_line_lengths;
pub use dynamics::articulated_sweep::name_half_rotated_inertias;
pub use dynamics::factorised::Factorised;
pub use dynamics::null_space::NullSpace;
pub use dynamics::pivots::{LOST_RANK, Pivot, find_nonvanishing_pivots, gimbal_lock_hint, speed_pivot_scale};
pub use dynamics::projected::Projected;
pub use dynamics::regroup::{regroup_inertias, select_regrouped_joints};
pub use dynamics::saddle::{ConstrainedSolution, RowNames, solve_constrained};
pub use dynamics::sparse_system::{Extended, SystemLayout};
pub use equations::{equations, implicit_equations, mass_matrix_and_right_side};
pub use forward::{Forward, Solution, forward_with_reactions, solve_forward_dynamics};
pub use method::{ConstraintsBy, Equations, Facts, GeneralisedMomentum, Implicit, Lean, SolvedSystem};
pub use quantities::arrows::{Arrow, constraint_arrows, load_arrows};
pub use quantities::base_parameters::default_mechanism_length;
pub use quantities::base_parameters::{BaseParameter, BaseParameters, base_parameters};
pub use quantities::centroid::{Centroid, evaluate_centroid};
pub use quantities::coriolis::{coriolis_efforts, coriolis_matrix};
pub use quantities::effort_derivatives::{
    ColumnWrenches, EffortDerivatives, EquivalentAcceleration, Momenta, MotionChange, composite_momenta,
    doubled_pole_velocities, effort_derivatives, motion_changes, wrenches_on_subtrees,
};
pub use quantities::energy::{
    Energy, Momentum, energy, lagrangian_energies, momentum, potential_energy_drift,
};
pub use quantities::energy_gradients::{KineticGradients, kinetic_energy_gradients};
pub use quantities::events::{StopRow, evaluate_event_function, stop_row};
pub use quantities::frame_accelerations::frame_accelerations;
pub use quantities::friction::{friction_efforts, friction_regressor_columns};
pub use quantities::gravity::gravity_efforts;
pub use quantities::impact::{Contact, Impact, impact, impact_by_inputs, impact_with_restitution};
pub use quantities::inverse::{
    body_accelerations_with_ground as body_rates, efforts_balancing_loads, ground_acceleration_for_gravity,
    inverse_dynamics,
};
pub use quantities::inverse_constrained::{
    ConstrainedInverse, independent_speeds, inverse_dynamics_constrained,
};
pub use quantities::kinetostatics::{Kinetostatic, NotDriven, driven_speeds, kinetostatics};
pub use quantities::outputs::{
    OutputShape, OutputValue, depends_on_accelerations, depends_on_multipliers, evaluate_outputs,
};
pub use quantities::power::{Power, evaluate_powers};
pub use quantities::reactions::reactions;
pub use quantities::regressor::{
    EnergyRegressor, INERTIAL, Regressor, energy_regressor, inertial_parameters, regressor,
};
pub use quantities::undetermined::{UndeterminedReactions, undetermined_reactions};
pub use registry::{Formalism, independence_text};
