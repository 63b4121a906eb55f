//! The emitted function `regressor`: efforts as linear functions of inertial parameters.

use super::{Definition, Derivation, Derive};
use dqdt_algebra::Scalar;
use dqdt_graph::ir::declaration::{Argument, ConstraintNote, Declaration, Returns};
use dqdt_graph::ir::{FunctionOutput, Tracer};
use dqdt_mechanics::formalism;

/// The emitted function `regressor`: matrix `Y` of `τ = Y π + τ_rest`, the efforts of
/// `inverse_dynamics`.
///
/// π are the inertial parameters of the bodies, ten for each (m, m c, Ixx, Ixy, Iyy, Ixz, Iyz,
/// Izz), about the origin of the inboard joint's frame on the body, in body axes;
/// `inertial_parameters` returns their values. The rest consists of rotors, armature and loads at
/// `u = 0`.
pub const REGRESSOR: &Definition = &Definition {
    declaration: Declaration {
        name: "regressor",
        summary: "Efforts of inverse dynamics as a linear function of the inertial parameters π of the bodies: \
                  τ = Y π + rest.",
        constraints: Some(ConstraintNote::new(
            "Ignores the constraints: the result applies to the tree of bodies and joints.",
        )),
        arguments: &[Argument::STATE, Argument::ACCELERATIONS],
        returns: Returns::Struct {
            name: "Regressor",
            about: "Regressor of the efforts. Columns of `matrix`: for each body in order, m, m c_x, m c_y, m \
                    c_z, I_xx, I_xy, I_yy, I_xz, I_yz, I_zz, about the origin of the inboard joint's frame on \
                    the body, in body axes.",
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
    let silent = vec![Tracer::ZERO; m.inputs.len()];
    let regressor = formalism::regressor(m, &d.environment(&silent), &d.acceleration_symbols());
    let shape = (m.nv(), 10 * m.bodies.len());
    vec![
        FunctionOutput::matrix("matrix", "Y", shape, d.node_ids(&regressor.matrix.concat())),
        FunctionOutput::vector(
            "rest",
            "",
            "efforts of rotors, armature and loads at u = 0",
            d.node_ids(&regressor.rest),
        ),
    ]
}
