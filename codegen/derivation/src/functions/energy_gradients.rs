//! The emitted function `energy_gradients`.

use super::{Definition, Derivation, Derive};
use crate::derive::{directions, energy_gradients};
use dqdt_graph::ir::FunctionOutput;
use dqdt_graph::ir::declaration::{Argument, ConstraintNote, Declaration, Returns};

/// The emitted function `energy_gradients`: `∂T/∂q`, `∂T/∂v` and `∂V/∂q` of the energies of
/// `energy`. Gradients by coordinates have three entries for a unit quaternion, as in `linearize`.
pub const ENERGY_GRADIENTS: &Definition = &Definition {
    declaration: Declaration {
        name: "energy_gradients",
        summary: "Gradients of the kinetic energy with respect to coordinates and speeds, and of the potential energy with respect to coordinates.",
        constraints: Some(ConstraintNote::new(
            "Ignores the constraints: dependent speeds are treated as independent.",
        )),
        arguments: &[Argument::STATE],
        returns: Returns::Struct {
            name: "EnergyGradients",
            about: "Gradients of the energies. For a unit quaternion `e`, each gradient has three entries δ, as in `e ⊗ (1, \
                    δ/2)`, in the axes of the child.",
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
    let (pose, speeds) = (directions::pose_directions(d), directions::speed_directions(d));
    let gradients = energy_gradients::differentiate_energies(d, &pose, &speeds);
    let vector =
        |name: &str, about: String, values: &[_]| FunctionOutput::vector(name, "", about, d.node_ids(values));
    let mut out = Vec::new();
    if !pose.is_empty() {
        let entries = join_names(&pose);
        out.push(vector(
            "kinetic_by_coordinates",
            format!("gradient of T with respect to {entries}"),
            &gradients.kinetic_by_pose,
        ));
        out.push(vector(
            "potential_by_coordinates",
            format!("gradient of V with respect to {entries}"),
            &gradients.potential_by_pose,
        ));
    }
    out.push(vector(
        "kinetic_by_speeds",
        format!("gradient of T with respect to {}", join_names(&speeds)),
        &gradients.kinetic_by_speeds,
    ));
    out
}

/// Names of directions as one text, separated by commas.
fn join_names(directions: &[directions::Direction<'_>]) -> String {
    directions.iter().map(|x| x.name.as_str()).collect::<Vec<_>>().join(", ")
}
