//! The emitted function `bias`: inertial terms less the loads that act without inputs.

use super::{Definition, Derivation, Derive};
use dqdt_algebra::Scalar;
use dqdt_graph::ir::FunctionOutput;
use dqdt_graph::ir::Tracer;
use dqdt_graph::ir::declaration::{
    Argument, ConstraintNote, Declaration, EntryNames, Returns, Role, Solves, Vector,
};
use dqdt_mechanics::formalism;

/// The emitted function `bias`: `c − Q(u = 0)`, nv values, each in the unit of the effort of its
/// speed (N or N·m). `M v̇ + bias = B u` where inputs enter linearly.
pub const BIAS: &Definition = &Definition {
    declaration: Declaration {
        name: "bias",
        summary: "Bias c − Q(u = 0), so that M v̇ + bias = B u.",
        constraints: Some(ConstraintNote::new(
            "Ignores the constraints: the result applies to the tree of bodies and joints. For a motion that \
             satisfies the constraints, M v̇ + bias = B u + Aᵀ λ.",
        )),
        arguments: &[Argument::STATE],
        returns: Returns::Array { name: "bias", dims: &[Vector::Speeds] },
        entries: EntryNames::Each(Vector::Speeds, "bias_{}"),
        solves: Solves::Nothing,
        checked: false,
        role: Some(Role::Bias),
        by_default: true,
        in_eval: true,
    },
    derive: Derive::State(derive),
};

/// Largest number of speeds for which `c − Q` in closed form and one RNEA sweep are compared by
/// operation count.
const CLOSED: usize = 30;

fn derive(d: &Derivation<'_, '_>) -> Vec<FunctionOutput> {
    let m = d.mechanism();
    let silent = vec![Tracer::ZERO; m.inputs.len()];
    let env = d.environment(&silent);
    let stated = || -> Vec<_> {
        let e = formalism::implicit_equations(d.formalism(), m, &env);
        e.c.iter().zip(&e.force).map(|(c, q)| *c - *q).collect()
    };
    let swept = || formalism::inverse_dynamics(m, &env, &vec![Tracer::ZERO; m.nv()]);
    // In closed forms `c − Q` often costs fewer operations; in general one RNEA sweep does.
    let bias = if m.nv() <= CLOSED {
        let (stated, swept) = (stated(), swept());
        let fewer = d.count_operations(stated.iter().copied()) <= d.count_operations(swept.iter().copied());
        if fewer { stated } else { swept }
    } else {
        swept()
    };
    vec![FunctionOutput::vector("bias", "", "bias c − Q at u = 0", d.node_ids(&bias))]
}
