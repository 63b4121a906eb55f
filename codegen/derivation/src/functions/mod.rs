//! The functions that can be emitted: one a file, with its declaration and its derivation.
//!
//! A new one is a file here and a line in the list below. Printers, the plan, `dqdt eval` and the tables of operations go by
//! what is declared; none of them knows a function by its name.

use crate::derive::Request;
use dqdt_mechanics::formalism::Formalism;

#[doc(hidden)]
pub use power::powers;

pub use crate::derive::Definition;
#[doc(hidden)]
pub use crate::derive::{Derivation, Derive, Quotients, Solved};
pub use crate::derive::{JointError, joint};

/// Declares the modules, and the list of what they define in the order in which it is emitted.
macro_rules! registry {
    ($($module:ident::$definition:ident,)*) => {
        $(mod $module; pub use $module::$definition;)*

        /// All functions, in the order in which they are emitted.
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
    sensitivities::SENSITIVITIES,
    closure::CLOSURE,
    independent_equations::INDEPENDENT_EQUATIONS,
    inverse_dynamics_derivatives::INVERSE_DYNAMICS_DERIVATIVES,
    regressor::REGRESSOR,
    energy_regressor::ENERGY_REGRESSOR,
    friction_regressor::FRICTION_REGRESSOR,
    inertial_parameters::INERTIAL_PARAMETERS,
}

/// Those that are emitted unless others are asked for.
pub fn defaults() -> Vec<&'static Definition> {
    ALL.iter().copied().filter(|f| f.by_default).collect()
}

/// What tells wrenches or inertias about the origins of joints, so that these must be where the spec has them.
#[doc(hidden)]
pub const ABOUT_POLES: [&Definition; 6] =
    [REACTIONS, KINETOSTATICS, IMPACT, REGRESSOR, ENERGY_REGRESSOR, INERTIAL_PARAMETERS];

/// Those of [`defaults`], and these.
pub fn defaults_and(more: &[&'static Definition]) -> Vec<&'static Definition> {
    [&defaults(), more].concat()
}

/// Those that `dqdt eval` asks for: the default ones, and what else it shows.
#[doc(hidden)]
pub fn for_eval() -> Vec<&'static Definition> {
    ALL.iter().copied().filter(|f| f.by_default || f.in_eval).collect()
}

/// The function of a name.
pub fn by_name(name: &str) -> Option<&'static Definition> {
    ALL.iter().copied().find(|f| f.name == name)
}

/// Each once, in the order of [`ALL`]; those that are not in it come last, as they stand.
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
    /// Every function that is emitted by default, by the given formalism.
    pub fn all(formalism: Formalism) -> Self {
        Request::new(formalism, defaults())
    }
}
