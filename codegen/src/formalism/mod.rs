//! Formalisms: one method a file, each a function generic over the scalar, all with the contract of `equations`.

mod equations;
mod outputs;

pub use equations::{
    Energy, Equations, Formalism, Implicit, Momentum, Power, energy, equations, inverse_dynamics, lagrangian,
    momentum, powers,
};
pub use outputs::{OutputShape, OutputValue, outputs};
