//! Functions that can be emitted: one file for each, with its declaration and its derivation.
//!
//! To add one, write a file here and add a line to `registry!` below. Printers, the plan,
//! `dqdt eval` and the operation tables use the declaration; none refers to a function by name.

use crate::derive::Request;
use dqdt_mechanics::formalism::Formalism;

#[doc(hidden)]
pub use power::powers;

pub use crate::derive::Definition;
#[doc(hidden)]
pub use crate::derive::{Derivation, Derive, Quotients, Solved};
pub use crate::derive::{JointError, joint};

/// Declares the modules of the functions, and their list in the order of emission.
macro_rules! registry {
    ($($module:ident::$definition:ident,)*) => {
        $(mod $module; pub use $module::$definition;)*

        /// All functions that can be emitted, in the order of emission.
        pub const ALL: &[&Definition] = &[$($definition),*];
    };
}

registry! {
    dqdt::DQDT,
    rates::RATES,
    mass_matrix::MASS_MATRIX,
    bias::BIAS,
    inverse_dynamics::INVERSE_DYNAMICS,
    input_matrix::INPUT_MATRIX,
    inverse_dynamics_constrained::INVERSE_DYNAMICS_CONSTRAINED,
    energy::ENERGY,
    outputs::OUTPUTS,
    positions::POSITIONS,
    reactions::REACTIONS,
    saturate::SATURATE,
    multipliers::MULTIPLIERS,
    program_inputs::PROGRAM_INPUTS,
    position_constraints::POSITION_CONSTRAINTS,
    velocity_constraints::VELOCITY_CONSTRAINTS,
    events::EVENTS,
    after_events::AFTER_EVENTS,
    stops::STOPS,
    power::POWER,
    inverse_mass_matrix::INVERSE_MASS_MATRIX,
    solve_mass_matrix::SOLVE_MASS_MATRIX,
    coriolis_matrix::CORIOLIS_MATRIX,
    coriolis::CORIOLIS,
    gravity::GRAVITY,
    friction::FRICTION,
    energy_gradients::ENERGY_GRADIENTS,
    center_of_mass::CENTER_OF_MASS,
    centroidal_momentum::CENTROIDAL_MOMENTUM,
    frames::FRAMES,
    frame_twists::FRAME_TWISTS,
    frame_jacobians::FRAME_JACOBIANS,
    frame_biases::FRAME_BIASES,
    frame_accelerations::FRAME_ACCELERATIONS,
    contact_jacobians::CONTACT_JACOBIANS,
    contact_dynamics::CONTACT_DYNAMICS,
    inverse_operational_inertias::INVERSE_OPERATIONAL_INERTIAS,
    kinetostatics::KINETOSTATICS,
    impact::IMPACT,
    linearize::LINEARIZE,
    dqdt_derivatives::DQDT_DERIVATIVES,
    dqdt_hessian::DQDT_HESSIAN,
    sensitivities::SENSITIVITIES,
    closure::CLOSURE,
    independent_equations::INDEPENDENT_EQUATIONS,
    inverse_dynamics_derivatives::INVERSE_DYNAMICS_DERIVATIVES,
    regressor::REGRESSOR,
    energy_regressor::ENERGY_REGRESSOR,
    friction_regressor::FRICTION_REGRESSOR,
    inertial_parameters::INERTIAL_PARAMETERS,
}

mod output_derivatives;
pub use output_derivatives::OUTPUT_DERIVATIVES;

/// Functions that are emitted if the user names none.
pub fn defaults() -> Vec<&'static Definition> {
    ALL.iter().copied().filter(|f| f.by_default).collect()
}

/// Functions whose results refer to joint origins (wrenches or inertias about them). If one is
/// requested, the search for a formulation keeps the joint origins of the spec.
#[doc(hidden)]
pub const REFERS_TO_JOINT_ORIGINS: [&Definition; 6] =
    [REACTIONS, KINETOSTATICS, IMPACT, REGRESSOR, ENERGY_REGRESSOR, INERTIAL_PARAMETERS];

/// The functions of [`defaults`], followed by `more`. For callers that request additional
/// functions.
pub fn defaults_and(more: &[&'static Definition]) -> Vec<&'static Definition> {
    [&defaults(), more].concat()
}

/// Functions that `dqdt eval` requests: the default ones, and others whose results it prints.
#[doc(hidden)]
pub fn for_eval() -> Vec<&'static Definition> {
    ALL.iter().copied().filter(|f| f.by_default || f.in_eval).collect()
}

/// The function with the given name, such as `dqdt`; `None` if there is none.
pub fn by_name(name: &str) -> Option<&'static Definition> {
    ALL.iter().copied().find(|f| f.name == name)
}

/// The functions without duplicates, in the order of [`ALL`]. Functions that are not in `ALL`
/// follow in their given order.
#[doc(hidden)]
pub fn in_order(functions: &[&'static Definition]) -> Vec<&'static Definition> {
    let mut sorted = functions.to_vec();
    sorted.sort_by_key(|f| ALL.iter().position(|g| g == f).unwrap_or(ALL.len()));
    let mut out: Vec<&'static Definition> = Vec::new();
    for f in sorted {
        if !out.contains(&f) {
            out.push(f);
        }
    }
    out
}

impl Request {
    /// A request for all default functions, derived with the given formalism.
    pub fn all(formalism: Formalism) -> Self {
        Request::new(formalism, defaults())
    }
}
