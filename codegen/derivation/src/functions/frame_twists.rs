//! The emitted function `frame_twists`.

use super::{Definition, Derivation, Derive};
use dqdt_graph::ir::FunctionOutput;
use dqdt_graph::ir::declaration::{Argument, ConstraintNote, Declaration, EntryGroup, EntryNames, Returns};
use dqdt_mechanics::kinematics::frame_motions;

/// The emitted function `frame_twists`: velocity of the origin [m/s] and angular velocity [rad/s]
/// of the named points of bodies, in the axes of the frame.
pub const FRAME_TWISTS: &Definition = &Definition {
    declaration: Declaration {
        name: "frame_twists",
        summary: "Twists of named frames, in the axes of each frame: velocity of the origin, then angular velocity.",
        constraints: Some(ConstraintNote::new(
            "Uses the state as given, without checking that it satisfies the constraints.",
        )),
        arguments: &[Argument::STATE],
        returns: Returns::Struct {
            name: "FrameTwists",
            about: "Velocity of the origin and angular velocity, in the axes of the frame.",
        },
        entries: EntryNames::Groups(&[
            EntryGroup { name: "v", unit: "m/s", entries: &["v_x", "v_y", "v_z"] },
            EntryGroup { name: "w", unit: "rad/s", entries: &["w_x", "w_y", "w_z"] },
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
        let about = format!("twist of frame {name} of {body}");
        let twist = [f.twist.v.0, f.twist.w.0].concat();
        out.push(FunctionOutput::vector(field, "", about, d.node_ids(&twist)));
    }
    out
}
