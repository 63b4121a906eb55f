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
        summary: "Regressors of the kinetic energy, the potential energy of gravity and the momenta ∂T/∂v with respect to the inertial parameters of the bodies.",
        constraints: Some(ConstraintNote::new(
            "Ignores the constraints: the result applies to the tree of bodies and joints.",
        )),
        arguments: &[Argument::STATE],
        returns: Returns::Struct {
            name: "EnergyRegressor",
            about: "Coefficients of the inertial parameters in the energies and momenta, ten for each body as \
                    in `regressor`. Rotors and armature are not included.",
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
    let regressor = formalism::energy_regressor(m, &d.environment(d.saturated_inputs()));
    let shape = (m.nv(), 10 * m.bodies.len());
    vec![
        FunctionOutput::vector(
            "kinetic",
            "",
            "regressor of the kinetic energy",
            d.node_ids(&regressor.kinetic),
        ),
        FunctionOutput::vector(
            "potential",
            "",
            "regressor of the potential energy of gravity",
            d.node_ids(&regressor.potential),
        ),
        FunctionOutput::matrix(
            "momentum",
            "regressor of ∂T/∂v",
            shape,
            d.node_ids(&regressor.momentum.concat()),
        ),
    ]
}
