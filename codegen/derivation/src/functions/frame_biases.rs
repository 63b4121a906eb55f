//! The emitted function `frame_biases`: bias accelerations of named frames.

use super::{Definition, Derivation, Derive};
use dqdt_graph::ir::FunctionOutput;
use dqdt_graph::ir::declaration::{Argument, ConstraintNote, Declaration, EntryGroup, EntryNames, Returns};
use dqdt_mechanics::kinematics::frame_motions;

/// The emitted function `frame_biases`: `J̇ v` of the named points of bodies, which is the
/// acceleration of the origin [m/s²] and the angular acceleration [rad/s²] at `v̇ = 0`, in the axes
/// of the frame. With `frame_jacobians`, the acceleration is `J v̇ + J̇ v`.
pub const FRAME_BIASES: &Definition = &Definition {
    declaration: Declaration {
        name: "frame_biases",
        summary: "Bias accelerations J̇ v of named frames, in the axes of each frame: acceleration of the origin and angular acceleration at v̇ = 0.",
        constraints: Some(ConstraintNote::new(
            "Uses the state as given, without checking that it satisfies the constraints.",
        )),
        arguments: &[Argument::STATE],
        returns: Returns::Struct {
            name: "FrameBiases",
            about: "Acceleration of the origin and angular acceleration at v̇ = 0, in the axes of the frame.",
        },
        entries: EntryNames::Groups(&[
            EntryGroup { name: "v", unit: "m/s^2", entries: &["a_x", "a_y", "a_z"] },
            EntryGroup { name: "w", unit: "rad/s^2", entries: &["alpha_x", "alpha_y", "alpha_z"] },
        ]),
        ..Declaration::ON_REQUEST
    },
    derive: Derive::State(derive),
};

fn derive(d: &Derivation<'_, '_>) -> Vec<FunctionOutput> {
    let m = d.mechanism();
    let mut out = Vec::new();
    for f in frame_motions(m, &d.environment(d.saturated_inputs())) {
        let (body, name) = (&m.bodies[f.body].name, &f.name);
        let field = format!("{body}_{name}");
        let about = format!("bias acceleration of frame {name} of {body}");
        let bias = [f.bias.v.0, f.bias.w.0].concat();
        out.push(FunctionOutput::vector(field, "", about, d.node_ids(&bias)));
    }
    out
}
