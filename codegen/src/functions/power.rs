//! Rates at which work is done.

use super::{Definition, Derivation, Derive, Solved};
use crate::algebra::Scalar;
use crate::formalism;
use crate::ir::FunctionOutput;
use crate::ir::Tracer;
use crate::ir::declaration::{Argument, ConstraintNote, Declaration, Returns, Solves};
use crate::kinematics::ConstraintRow;

/// Rates at which work is done on the mechanism \[W\]: `Ṫ + V̇` is their sum. One a load that has no potential, a drive of a
/// prescribed joint, and one for all constraints. On request only.
pub const POWER: &Definition = &Definition {
    declaration: Declaration {
        name: "power",
        summary: "Rates at which work is done on the mechanism by what has no potential: their sum is the rate of kinetic and potential \
                  energy together.",
        constraints: Some(ConstraintNote::new("At accelerations that obey the constraints.")),
        arguments: &[Argument::STATE, Argument::INPUTS],
        returns: Returns::Struct { name: "Power", about: "Rates at which work is done, in watts." },
        solves: Solves::Accelerations,
        checked: true,
        ..Declaration::ON_REQUEST
    },
    derive: Derive::Motion(derive),
};

fn derive<'g>(d: &Derivation<'g, '_>, motion: &Solved<'g>) -> Vec<FunctionOutput> {
    let m = d.mechanism();
    let env = d.environment(motion.inputs());
    let watts = |name: &str, about: String, x: Tracer<'g>| FunctionOutput::scalar(name, "W", about, d.id(x));
    let powers = formalism::powers(m, &env, motion.accelerations()).into_iter().filter(|p| !p.potential);
    let mut found: Vec<FunctionOutput> =
        powers.map(|p| watts(&p.name, format!("power of {}", p.name), p.value)).collect();
    if let Some(rate) = formalism::potential_drift(m, &env) {
        let about = "rate of the potential energy in a pose that stands still".to_owned();
        found.push(watts("changing_gravity", about, rate));
    }
    if !d.rows().is_empty() {
        // With the drives of prescribed joints, whose power is that without constraints, this is all that constraints
        // do: `λᵀ A v`, which is zero where nothing of a constraint depends on time.
        let along = |row: &ConstraintRow<Tracer<'g>>| {
            let terms = row.jacobian.iter().zip(env.v).filter(|(a, _)| !a.is_zero());
            terms.fold(Tracer::ZERO, |sum, (a, v)| sum + *a * *v)
        };
        let sum = (d.rows().iter().zip(motion.multipliers()).filter(|(_, lambda)| !lambda.is_zero()))
            .fold(Tracer::ZERO, |sum, (row, lambda)| sum + *lambda * along(row));
        found.push(watts("constraints", "power of all constraints".to_owned(), sum));
    }
    found
}
