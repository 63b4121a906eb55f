//! The emitted function `energy_regressor`: energies and momenta as linear functions of inertial
//! parameters.

use super::{Definition, Derivation, Derive};
use dqdt_graph::ir::FunctionOutput;
use dqdt_graph::ir::declaration::{Argument, ConstraintNote, Declaration, Returns};
use dqdt_mechanics::formalism;

/// The emitted function `energy_regressor`: kinetic energy, potential energy of gravity, and
/// generalised momentum `∂T/∂v` as linear functions of the inertial parameters of `regressor`.
/// Rotors, armature and springs are not included.
pub const ENERGY_REGRESSOR: &Definition = &Definition {
    declaration: Declaration {
        name: "energy_regressor",
        summary: "Kinetic energy, potential energy of gravity and momenta ∂T/∂v by the inertial parameters of the bodies.",
        constraints: Some(ConstraintNote::new("Of the tree: constraints are not in it.")),
        arguments: &[Argument::STATE],
        returns: Returns::Struct {
            name: "EnergyRegressor",
            about: "Energies and momenta by inertial parameters, ten of each body as in the regressor. Those of rotors and armature are \
                    not in them.",
        },
        ..Declaration::ON_REQUEST
    },
    derive: Derive::State(derive),
};

fn derive(d: &Derivation<'_, '_>) -> Vec<FunctionOutput> {
    let m = d.mechanism();
    if m.nv() == 0 {
        return Vec::new();
    }
    let regressor = formalism::energy_regressor(m, &d.environment(d.limited_inputs()));
    let shape = (m.nv(), 10 * m.bodies.len());
    vec![
        FunctionOutput::vector("kinetic", "", "of the kinetic energy", d.ids(&regressor.kinetic)),
        FunctionOutput::vector("potential", "", "of gravity's potential energy", d.ids(&regressor.potential)),
        FunctionOutput::matrix("momentum", "of ∂T/∂v", shape, d.ids(&regressor.momentum.concat())),
    ]
}
