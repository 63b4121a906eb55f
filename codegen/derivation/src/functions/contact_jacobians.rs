//! The emitted function `contact_jacobians`: Jacobians of switchable contacts.

use super::{Definition, Derivation, Derive};
use dqdt_algebra::Scalar;
use dqdt_graph::ir::declaration::{Argument, ConstraintNote, Declaration, Returns};
use dqdt_graph::ir::{FunctionOutput, Tracer};
use dqdt_mechanics::kinematics::contact_motions;

/// The emitted function `contact_jacobians`: Jacobians of all points with `contact = true`,
/// stacked, three rows each, and `J̇ v`. They map the speeds to the velocities of the contacts in
/// ground axes. Rows of an inactive contact are zero, so that the shape of the matrix is constant.
pub const CONTACT_JACOBIANS: &Definition = &Definition {
    declaration: Declaration {
        name: "contact_jacobians",
        summary: "Jacobians and bias accelerations of the contacts in ground axes, with three rows for each contact; the rows of a contact are zero if its entry of `on` is zero.",
        constraints: Some(ConstraintNote::new(
            "Ignores the constraints: all speeds of the tree are treated as independent.",
        )),
        arguments: &[Argument::STATE, Argument::CONTACTS],
        returns: Returns::Struct {
            name: "ContactJacobians",
            about: "Rows: x, y and z of each contact in ground axes, contact by contact; columns: speeds.",
        },
        ..Declaration::ON_REQUEST
    },
    derive: Derive::State(derive),
};

fn derive<'g>(d: &Derivation<'g, '_>) -> Vec<FunctionOutput> {
    let m = d.mechanism();
    let all = contact_motions(m, &d.environment(d.saturated_inputs()));
    if m.nv() == 0 || all.is_empty() {
        return Vec::new();
    }
    let on = d.contact_symbols();
    let mut entries: Vec<Tracer<'g>> = Vec::new();
    for (c, on) in all.iter().zip(&on) {
        for i in 0..3 {
            entries.extend(c.jacobian.iter().map(|v| multiply_by_contact_flag(v[i], *on)));
        }
    }
    let bias: Vec<Tracer<'g>> =
        all.iter().zip(&on).flat_map(|(c, on)| c.bias.0.map(|x| multiply_by_contact_flag(x, *on))).collect();
    let names: Vec<&str> = all.iter().map(|c| c.name.as_str()).collect();
    vec![
        FunctionOutput::matrix(
            "jacobian",
            format!("of {}", names.join(", ")),
            (3 * all.len(), m.nv()),
            d.node_ids(&entries),
        ),
        FunctionOutput::vector("bias", "m/s^2", "J̇ v", d.node_ids(&bias)),
    ]
}

/// Product of a value with a contact flag (1 active, 0 inactive); a structural zero stays zero.
fn multiply_by_contact_flag<'g>(x: Tracer<'g>, on: Tracer<'g>) -> Tracer<'g> {
    if x.is_zero() { x } else { x * on }
}
