//! The emitted function `frames`: poses of named frames.

use super::{Definition, Derivation, Derive};
use dqdt_graph::ir::FunctionOutput;
use dqdt_graph::ir::declaration::{Argument, ConstraintNote, Declaration, Returns};
use dqdt_mechanics::kinematics::frame_motions;

/// The emitted function `frames`: poses of the named points of bodies. Each is the origin in ground
/// axes \[m\], and the rotation matrix from frame axes to ground axes, by rows.
pub const FRAMES: &Definition = &Definition {
    declaration: Declaration {
        name: "frames",
        summary: "Poses of named frames: origin and rotation, in ground axes.",
        constraints: Some(ConstraintNote::new(
            "Uses the state as given, without checking that it satisfies the constraints.",
        )),
        arguments: &[Argument::STATE],
        returns: Returns::Struct {
            name: "Frames",
            about: "Origins of frames in ground axes, and rotations from frame axes to ground axes, in \
                    row-major order.",
        },
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
        let about = format!("origin of frame {name} of {body}, in ground axes");
        out.push(FunctionOutput::vector(field.clone(), "m", about, d.node_ids(&f.position.0)));
        let about = format!("rotation from the axes of frame {name} of {body} to ground axes");
        let rows = f.rotation.0.concat();
        out.push(FunctionOutput::matrix(format!("{field}_rotation"), about, (3, 3), d.node_ids(&rows)));
    }
    out
}
