//! Value enums of command-line options, each mapped to an enum of an inner crate.
//!
//! The doc comments of their variants are the help texts.

use clap::ValueEnum;

use dqdt_equations::inspect::{Form, Part};
use dqdt_import::robot::Base;
use dqdt_motion::simulate::{ArrowGroup, SignalGroup};

/// Declares a value enum of the command line, and its conversion to the enum of an inner crate.
macro_rules! words {
    ($word:ident of $of:ident { $($(#[$help:meta])* $variant:ident,)* }) => {
        #[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
        pub(super) enum $word {
            $($(#[$help])* $variant,)*
        }

        impl From<$word> for $of {
            fn from(word: $word) -> Self {
                match word {
                    $($word::$variant => $of::$variant,)*
                }
            }
        }
    };
}

words! {
    BaseWord of Base {
        /// The root is fixed to the ground
        Fixed,
        /// The root moves freely, with a quaternion and with speeds in its own axes
        Free,
    }
}

words! {
    SignalWord of SignalGroup {
        /// Outputs of the spec, which the table always includes
        Outputs,
        /// Inputs clamped to their limits, and inputs that enforce constraints
        Inputs,
        /// Definitions and prescribed coordinates of the spec
        Definitions,
        /// Multipliers of constraints, where the motion determines them
        Multipliers,
        /// Forces and moments of joints on their children, where the motion determines them;
        /// moments are about the joint, and components are in the axes of the child
        Reactions,
    }
}

words! {
    ArrowWord of ArrowGroup {
        /// Forces and moments of loads, without gravity
        Loads,
        /// Forces and moments of constraints, computed from their multipliers
        Constraints,
    }
}

words! {
    FormWord of Form {
        /// One equation for each speed; only loads without a potential are on the right-hand side
        Scalar,
        /// Equations with multipliers Aᵀ λ, one for each speed; projected if speeds are eliminated
        Constrained,
        /// The equation M v̇ + c = Q, followed by its matrices
        Implicit,
        /// M q̈ + C(q, q̇) q̇ + g(q) = B u + f, followed by its matrices; f: all other forces
        Robot,
        /// Intermediate variables in the order in which the emitted functions compute them;
        /// this form is complete for a mechanism of any size
        Recursive,
    }
}

words! {
    PartWord of Part {
        /// Overview of the mechanism: counts, a sketch and warnings
        Summary,
        /// The equations of motion
        Equations,
        /// Constraint rows, multipliers and elimination
        Constraints,
        /// Derived parameters and limited inputs
        Definitions,
        /// Coordinates, speeds and user states with their start values
        State,
        /// Bodies and joints
        Bodies,
        /// Loads and outputs
        Loads,
        /// Parameters and inputs
        Parameters,
        /// Kinetic and potential energy
        Energy,
        /// Rotations, velocities and partial velocities of the bodies
        Kinematics,
        /// Incidence and path matrices, and vectors of the tree
        Topology,
        /// The kinematic structure matrix and its inverse
        Structure,
        /// Operation counts of the emitted functions
        Costs,
        /// References to the literature on the equations
        Sources,
    }
}
