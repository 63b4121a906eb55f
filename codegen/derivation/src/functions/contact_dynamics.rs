//! The emitted function `contact_dynamics`: forward dynamics with switchable contacts.

use super::{Definition, Derivation, Derive, Quotients, Solved};
use dqdt_algebra::{Scalar, TreeFactors, dot};
use dqdt_graph::ir::declaration::{Argument, Declaration, Returns, Solves};
use dqdt_graph::ir::{FunctionOutput, Tracer};
use dqdt_mechanics::formalism::Pivot;
use dqdt_mechanics::kinematics::contact_motions;

/// The emitted function `contact_dynamics`: accelerations of the speeds, and contact forces of the
/// ground, where active contacts have no acceleration.
///
/// With the diagonal matrix `D` of the contact flags: `M v̇ = Q − c + Jᵀ D f`,
/// `D (J v̇ + J̇ v) = 0` and `(1 − D) f = 0`. The forces are bilateral, in ground axes, and act on
/// the bodies. Only for mechanisms without constraints.
///
/// Redundant active contacts, such as four corners of one foot, leave the forces undetermined: the
/// function returns `Singular`. So does a contact with a direction that no speed moves, such as one
/// on a body that only a prescribed joint moves. Method: the Schur complement
/// `D J M⁻¹ Jᵀ D + 1 − D`, in which an inactive contact has the equation `f = 0`.
pub const CONTACT_DYNAMICS: &Definition = &Definition {
    declaration: Declaration {
        name: "contact_dynamics",
        summary: "Accelerations of {mechanism} and forces exerted by the ground, on the assumption that active contacts do not accelerate.",
        arguments: &[Argument::STATE, Argument::INPUTS, Argument::CONTACTS],
        returns: Returns::Struct {
            name: "ContactDynamics",
            about: "Accelerations, and forces on the contacts in ground axes.",
        },
        solves: Solves::Accelerations,
        checked: true,
        ..Declaration::ON_REQUEST
    },
    derive: Derive::MotionDivided(derive),
};

fn derive<'g>(d: &Derivation<'g, '_>, motion: &Solved<'g>) -> Quotients<'g> {
    let m = d.mechanism();
    let all = contact_motions(m, &d.environment(d.saturated_inputs()));
    if m.nv() == 0 || all.is_empty() || !d.rows().is_empty() || !m.inputs_realising_constraints().is_empty() {
        return Quotients::default();
    }
    let flags = d.contact_symbols();
    let mut rows: Vec<Vec<Tracer<'g>>> = Vec::new();
    for contact in &all {
        rows.extend((0..3).map(|i| contact.jacobian.iter().map(|v| v[i]).collect()));
    }
    let on = |i: usize| flags[i / 3];
    let n = rows.len();
    let factored = d.factor_mass_matrix(&d.equations().mass);
    let solved = factored.solve_many(&rows);
    let chain: Vec<Option<usize>> = (0..n).map(|i| i.checked_sub(1)).collect();
    let factors = TreeFactors::new(&chain, |i, j| {
        let (i, j) = (i.max(j), i.min(j));
        let product = dot(&rows[i], &solved[j]);
        let masked = if product.is_zero() { product } else { product * on(i) * on(j) };
        if i == j { masked + (Tracer::ONE - on(i)) } else { masked }
    });
    let bias: Vec<Tracer<'g>> = all.iter().flat_map(|c| c.bias.0).collect();
    let right: Vec<Tracer<'g>> =
        (0..n).map(|i| -(dot(&rows[i], motion.accelerations()) + bias[i]) * on(i)).collect();
    let forces = factors.solve(&right);
    let accelerations: Vec<Tracer<'g>> = (0..m.nv())
        .map(|s| {
            let terms = (0..n).filter(|i| !solved[*i][s].is_zero());
            terms.fold(motion.accelerations()[s], |sum, i| sum + solved[i][s] * (forces[i] * on(i)))
        })
        .collect();
    let names: Vec<&str> = all.iter().map(|c| c.name.as_str()).collect();
    let independence = (0..n).map(|i| {
        let name = format!("{} along {}", names[i / 3], ["x", "y", "z"][i % 3]);
        // Relative to all three rows of the contact: a row that is only rounding error next to the
        // other two counts as dependent.
        let first = i - i % 3;
        let scale = (first..first + 3).fold(Tracer::ZERO, |sum, k| sum + factors.diagonal[k]);
        Pivot::contact_pivot(&name, factors.pivots[i], scale)
    });
    let divisors = factored.pivots(m).into_iter().chain(independence).collect();
    let outputs = vec![
        FunctionOutput::vector("accelerations", "", "v̇", d.node_ids(&accelerations)),
        FunctionOutput::matrix(
            "forces",
            format!("forces on the contacts in N; rows: {}", names.join(", ")),
            (all.len(), 3),
            d.node_ids(&forces),
        ),
    ];
    Quotients { outputs, divisors }
}
