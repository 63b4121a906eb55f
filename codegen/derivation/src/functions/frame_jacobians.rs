//! The emitted function `frame_jacobians`.

use super::{Definition, Derivation, Derive};
use dqdt_graph::ir::FunctionOutput;
use dqdt_graph::ir::declaration::{Argument, ConstraintNote, Declaration, Returns};
use dqdt_mechanics::kinematics::frame_motions;

/// The emitted function `frame_jacobians`: Jacobians of the named points of bodies, 6 × nv. They
/// map the speeds to the twist of `frame_twists`, velocity before angular velocity, in the axes of
/// the frame. Terms of prescribed motion are not included.
pub const FRAME_JACOBIANS: &Definition = &Definition {
    declaration: Declaration {
        name: "frame_jacobians",
        summary: "Jacobians of named frames. Each Jacobian maps the speeds to the twist of a frame in the axes of that frame, with the velocity of the origin first.",
        constraints: Some(ConstraintNote::new(
            "Ignores the constraints: all speeds of the tree are treated as independent.",
        )),
        arguments: &[Argument::STATE],
        returns: Returns::Struct {
            name: "FrameJacobians",
            about: "Rows: velocity of the origin, angular velocity, in the axes of the frame; columns: speeds.",
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
        let about = format!("Jacobian of frame {name} of {body}");
        let mut rows = Vec::with_capacity(6 * m.nv());
        for i in 0..6 {
            rows.extend(f.jacobian.iter().map(|c| d.node_id(if i < 3 { c.v[i] } else { c.w[i - 3] })));
        }
        if m.nv() > 0 {
            out.push(FunctionOutput::matrix(field, about, (6, m.nv()), rows));
        }
    }
    out
}
