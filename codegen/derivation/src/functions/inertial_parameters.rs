//! The emitted function `inertial_parameters`.

use super::{Definition, Derivation, Derive};
use dqdt_graph::ir::FunctionOutput;
use dqdt_graph::ir::declaration::{Argument, Declaration, Returns};
use dqdt_mechanics::formalism;

/// The emitted function `inertial_parameters`: vector π of `regressor`, from the parameters of the
/// model. For each body m, m c, Ixx, Ixy, Iyy, Ixz, Iyz, Izz (kg, kg·m, kg·m²), about the origin of
/// the inboard joint's frame on the body, in body axes.
pub const INERTIAL_PARAMETERS: &Definition = &Definition {
    declaration: Declaration {
        name: "inertial_parameters",
        summary: "Inertial parameters of the bodies in the model.",
        arguments: &[Argument::STATE],
        returns: Returns::Struct {
            name: "InertialParameters",
            about: "Inertial parameters, about the origin of the inboard joint's frame on the body, in body axes.",
        },
        ..Declaration::ON_REQUEST
    },
    derive: Derive::State(derive),
};

fn derive(d: &Derivation<'_, '_>) -> Vec<FunctionOutput> {
    let m = d.mechanism();
    if m.bodies.is_empty() {
        return Vec::new();
    }
    let parameters = formalism::inertial_parameters(m, &d.environment(d.saturated_inputs()));
    let about = "m, m c_x, m c_y, m c_z, I_xx, I_xy, I_yy, I_xz, I_yz, I_zz of each body";
    vec![FunctionOutput::vector("parameters", "", about, d.node_ids(&parameters))]
}
