//! The emitted function `power`: rates of work.

use super::{Definition, Derivation, Derive, Solved};
use dqdt_algebra::Scalar;
use dqdt_graph::ir::FunctionOutput;
use dqdt_graph::ir::Tracer;
use dqdt_graph::ir::declaration::{Argument, ConstraintNote, Declaration, Returns, Solves};
use dqdt_mechanics::formalism;

/// The emitted function `power`: rates at which work is done on the mechanism \[W\], whose sum is
/// `Ṫ + V̇`. One for each load without a potential and each drive of a prescribed joint, one for
/// gravity that depends on time, and one for all constraints together. Emitted on request only.
pub const POWER: &Definition = &Definition {
    declaration: Declaration {
        name: "power",
        summary: "Powers of all effects that do work on the mechanism and have no potential; their sum is the \
                  rate of the sum of kinetic and potential energy.",
        constraints: Some(ConstraintNote::new("Uses accelerations that satisfy the constraints.")),
        arguments: &[Argument::STATE, Argument::INPUTS],
        returns: Returns::Struct { name: "Power", about: "Powers, in watts." },
        solves: Solves::Accelerations,
        checked: true,
        ..Declaration::ON_REQUEST
    },
    derive: Derive::Motion(derive),
};

fn derive<'g>(d: &Derivation<'g, '_>, motion: &Solved<'g>) -> Vec<FunctionOutput> {
    let powers = powers(d, motion).into_iter();
    powers.map(|p| FunctionOutput::scalar(&p.name, "W", p.about, d.node_id(p.value))).collect()
}

/// A rate at which work is done on the mechanism, by one load, one drive or all constraints.
pub struct Power<'g> {
    /// Name of the load or drive, or `changing_gravity` or `constraints`.
    pub name: String,
    /// Description of the rate for the emitted documentation.
    pub about: String,
    /// Rate of work on the mechanism \[W\], recorded in the graph.
    pub value: Tracer<'g>,
}

impl<'g> Power<'g> {
    fn new(name: &str, about: &str, value: Tracer<'g>) -> Self {
        Power { name: name.to_owned(), about: about.to_owned(), value }
    }
}

/// All rates of work that the function `power` returns.
#[doc(hidden)]
pub fn powers<'g>(d: &Derivation<'g, '_>, motion: &Solved<'g>) -> Vec<Power<'g>> {
    let m = d.mechanism();
    let env = d.environment(motion.inputs());
    let all =
        formalism::evaluate_powers(m, &env, motion.accelerations()).into_iter().filter(|p| !p.potential);
    let mut powers: Vec<_> =
        all.map(|p| Power::new(&p.name, &format!("power of {}", p.name), p.value)).collect();
    if let Some(rate) = formalism::potential_energy_drift(m, &env) {
        powers.push(Power::new("changing_gravity", "rate of the potential energy in a fixed pose", rate));
    }
    if !d.rows().is_empty() {
        // The drives of prescribed joints contribute the power that they have without constraints.
        // The rest of the work of the constraints is `λᵀ A v`, which is zero unless a constraint
        // depends on time.
        let sum = (d.rows().iter().zip(motion.multipliers()).filter(|(_, lambda)| !lambda.is_zero())).fold(
            Tracer::ZERO,
            |sum, (row, lambda)| {
                let terms = row.jacobian.iter().zip(env.v).filter(|(a, _)| !a.is_zero());
                sum + *lambda * terms.fold(Tracer::ZERO, |sum, (a, v)| sum + *a * *v)
            },
        );
        powers.push(Power::new("constraints", "power of all constraints", sum));
    }
    powers
}
