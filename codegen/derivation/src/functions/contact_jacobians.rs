//! The emitted function `contact_jacobians`: Jacobians of switchable contacts.

use super::{Definition, Derivation, Derive};
use dqdt_algebra::Scalar;
use dqdt_graph::ir::declaration::{Argument, ConstraintNote, Declaration, Returns};
use dqdt_graph::ir::{FunctionOutput, Tracer};
use dqdt_mechanics::kinematics::contacts;

/// The emitted function `contact_jacobians`: Jacobians of all points with `contact = true`,
/// stacked, three rows each, and `J̇ v`. They map the speeds to the velocities of the contacts in
/// ground axes. Rows of an inactive contact are zero, so that the shape of the matrix is constant.
pub const CONTACT_JACOBIANS: &Definition = &Definition {
    declaration: Declaration {
        name: "contact_jacobians",
        summary: "Jacobians and bias accelerations of the contacts in ground axes, three rows each; zero where `on` is zero.",
        constraints: Some(ConstraintNote::new("By all speeds of the tree: constraints are not in it.")),
        arguments: &[Argument::STATE, Argument::CONTACTS],
        returns: Returns::Struct {
            name: "ContactJacobians",
            about: "Rows: the contacts one after another, x, y, z of the ground; columns: speeds.",
        },
        ..Declaration::ON_REQUEST
    },
    derive: Derive::State(derive),
};

fn derive<'g>(d: &Derivation<'g, '_>) -> Vec<FunctionOutput> {
    let m = d.mechanism();
    let all = contacts(m, &d.environment(d.limited_inputs()));
    if m.nv() == 0 || all.is_empty() {
        return Vec::new();
    }
    let on = d.given_contacts();
    let times = |x: Tracer<'g>, on: Tracer<'g>| if x.is_zero() { x } else { x * on };
    let row = |(c, on): (&dqdt_mechanics::kinematics::ContactMotion<Tracer<'g>>, &Tracer<'g>)| {
        (0..3)
            .flat_map(|i| c.jacobian.iter().map(|v| times(v[i], *on)).collect::<Vec<_>>())
            .collect::<Vec<_>>()
    };
    let entries: Vec<Tracer<'g>> = all.iter().zip(&on).flat_map(row).collect();
    let bias: Vec<Tracer<'g>> =
        all.iter().zip(&on).flat_map(|(c, on)| c.bias.0.map(|x| times(x, *on))).collect();
    let names: Vec<&str> = all.iter().map(|c| c.name.as_str()).collect();
    vec![
        FunctionOutput::matrix(
            "jacobian",
            format!("of {}", names.join(", ")),
            (3 * all.len(), m.nv()),
            d.ids(&entries),
        ),
        FunctionOutput::vector("bias", "m/s^2", "J̇ v", d.ids(&bias)),
    ]
}
