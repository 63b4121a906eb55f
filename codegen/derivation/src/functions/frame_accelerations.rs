//! The emitted function `frame_accelerations`.

use super::{Definition, Derivation, Derive};
use dqdt_graph::ir::FunctionOutput;
use dqdt_graph::ir::declaration::{Argument, ConstraintNote, Declaration, EntryGroup, EntryNames, Returns};
use dqdt_mechanics::formalism;
use dqdt_mechanics::kinematics::frame_motions;

/// The emitted function `frame_accelerations`: acceleration of the origin, then angular
/// acceleration, of the named points of bodies, for given accelerations `dv` of the speeds.
///
/// They are `J v̇ + J̇ v`, in the axes in which the frame is specified. An accelerometer there
/// measures this less gravity.
pub const FRAME_ACCELERATIONS: &Definition = &Definition {
    declaration: Declaration {
        name: "frame_accelerations",
        summary: "Accelerations of named frames for given v̇: acceleration of the origin, then angular acceleration.",
        constraints: Some(ConstraintNote::new(
            "Uses the accelerations as given, whether or not they satisfy the constraints.",
        )),
        arguments: &[Argument::STATE, Argument::ACCELERATIONS],
        returns: Returns::Struct {
            name: "FrameAccelerations",
            about: "Acceleration of the origin, then angular acceleration, in the axes in which the frame is specified.",
        },
        entries: EntryNames::Groups(&[
            EntryGroup { name: "a", unit: "m/s^2", entries: &["a_x", "a_y", "a_z"] },
            EntryGroup { name: "alpha", unit: "rad/s^2", entries: &["alpha_x", "alpha_y", "alpha_z"] },
        ]),
        ..Declaration::ON_REQUEST
    },
    derive: Derive::State(derive),
};

fn derive(d: &Derivation<'_, '_>) -> Vec<FunctionOutput> {
    let m = d.mechanism();
    let env = d.environment(d.saturated_inputs());
    let all = formalism::frame_accelerations(m, &env, &d.acceleration_symbols());
    let named = frame_motions(m, &env).into_iter().map(|f| (f.body, f.name));
    let mut outputs = Vec::new();
    for ((body, name), t) in named.zip(all) {
        let body = &m.bodies[body].name;
        let values = d.node_ids(&[t.v.0, t.w.0].concat());
        outputs.push(FunctionOutput::vector(
            format!("{body}_{name}"),
            "",
            format!("acceleration of frame {name} of {body}"),
            values,
        ));
    }
    outputs
}
