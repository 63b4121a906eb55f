//! The emitted function `inverse_dynamics_derivatives`.

use super::{Definition, Derivation, Derive};
use crate::derive::directions;
use crate::derive::effort_derivatives::differentiate_efforts;
use dqdt_algebra::Scalar;
use dqdt_graph::ir::declaration::{Argument, ConstraintNote, Declaration, Returns};
use dqdt_graph::ir::{FunctionOutput, Tracer};

/// The emitted function `inverse_dynamics_derivatives`: `∂τ/∂q` and `∂τ/∂v` of the efforts
/// `τ = M a + bias` of `inverse_dynamics`; `∂τ/∂a` is `mass_matrix`. Rows are the efforts of the
/// speeds; columns are differences of coordinates (three for a unit quaternion, as in `linearize`)
/// and speeds.
pub const INVERSE_DYNAMICS_DERIVATIVES: &Definition = &Definition {
    declaration: Declaration {
        name: "inverse_dynamics_derivatives",
        summary: "Derivatives of the efforts of inverse dynamics with respect to coordinates and speeds; the derivative with respect to accelerations is the mass matrix.",
        constraints: Some(ConstraintNote::new(
            "Ignores the constraints: dependent speeds are treated as independent.",
        )),
        arguments: &[Argument::STATE, Argument::ACCELERATIONS],
        returns: Returns::Struct {
            name: "InverseDynamicsDerivatives",
            about: "Derivatives of efforts, in row-major order. For a unit quaternion `e`, each matrix has \
                    three columns: derivatives with respect to δ in `e ⊗ (1, δ/2)`, in the axes of the child.",
        },
        ..Declaration::ON_REQUEST
    },
    derive: Derive::State(derive),
};

fn derive<'g>(d: &Derivation<'g, '_>) -> Vec<FunctionOutput> {
    let m = d.mechanism();
    if m.nv() == 0 {
        return Vec::new();
    }
    let silent = vec![Tracer::ZERO; m.inputs.len()];
    let (pose, speeds) = (directions::pose_directions(d), directions::speed_directions(d));
    let count = pose.len();
    let directions: Vec<_> = pose.into_iter().chain(speeds).collect();
    let columns = differentiate_efforts(d, &silent, &directions, &[]);
    let part = |name: &str, what: &str, range: std::ops::Range<usize>| {
        let columns = &columns[range.clone()];
        let entries: Vec<_> = (0..m.nv()).flat_map(|i| columns.iter().map(move |c| c[i])).collect();
        let names: Vec<_> = directions[range].iter().map(|x| x.name.as_str()).collect();
        let about = format!("{what}, columns: {}", names.join(", "));
        FunctionOutput::matrix(name, about, (m.nv(), columns.len()), d.node_ids(&entries))
    };
    vec![part("by_coordinates", "∂τ/∂q", 0..count), part("by_speeds", "∂τ/∂v", count..directions.len())]
}
