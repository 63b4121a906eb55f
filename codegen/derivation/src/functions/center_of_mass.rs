//! The emitted function `center_of_mass`.

use super::{Definition, Derivation, Derive};
use dqdt_graph::ir::FunctionOutput;
use dqdt_graph::ir::declaration::{Argument, ConstraintNote, Declaration, Returns};
use dqdt_mechanics::formalism;

/// The emitted function `center_of_mass`: position, velocity, 3 × nv Jacobian and acceleration at
/// `v̇ = 0` (`J̇ v` and prescribed motion) of the centre of mass of all bodies, in ground axes.
pub const CENTER_OF_MASS: &Definition = &Definition {
    declaration: Declaration {
        name: "center_of_mass",
        summary: "Centre of mass of all bodies, in ground axes: position, velocity, Jacobian and bias acceleration.",
        constraints: Some(ConstraintNote::new(
            "Ignores the constraints: all speeds of the tree are treated as independent.",
        )),
        arguments: &[Argument::STATE],
        returns: Returns::Struct {
            name: "CenterOfMass",
            about: "Centre of mass of all bodies, in ground axes.",
        },
        ..Declaration::ON_REQUEST
    },
    derive: Derive::State(derive),
};

fn derive(d: &Derivation<'_, '_>) -> Vec<FunctionOutput> {
    let m = d.mechanism();
    let centroid = formalism::evaluate_centroid(m, &d.environment(d.saturated_inputs()));
    if m.nv() == 0 || centroid.mass.constant().is_some_and(|x| x.is_zero()) {
        return Vec::new();
    }
    let by_mass = |f: dqdt_algebra::Vec3<_>| f.map(|x| x / centroid.mass).0;
    let rows: Vec<_> =
        (0..3).flat_map(|i| centroid.matrix.iter().map(move |c| c.f[i] / centroid.mass)).collect();
    vec![
        FunctionOutput::scalar("mass", "kg", "total mass of all bodies", d.node_id(centroid.mass)),
        FunctionOutput::vector(
            "position",
            "m",
            "position of the centre of mass, relative to the origin of the ground",
            d.node_ids(&centroid.position.0),
        ),
        FunctionOutput::vector("velocity", "m/s", "its rate", d.node_ids(&by_mass(centroid.momentum.f))),
        FunctionOutput::matrix(
            "jacobian",
            "matrix that maps the speeds to the velocity of the centre of mass",
            (3, m.nv()),
            d.node_ids(&rows),
        ),
        FunctionOutput::vector(
            "bias",
            "m/s²",
            "acceleration of the centre of mass at v̇ = 0",
            d.node_ids(&by_mass(centroid.bias.f)),
        ),
    ]
}
