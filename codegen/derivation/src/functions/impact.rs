//! The emitted function `impact`: jumps of the speeds under impulses of the inputs.

use super::reactions::{OPEN, wrench_outputs};
use super::{Definition, Derivation, Derive, Quotients};
use dqdt_algebra::Scalar;
use dqdt_graph::ir::declaration::{
    Argument, ConstraintNote, Declaration, EntryGroup, EntryNames, Returns, Solves, Vector,
};
use dqdt_graph::ir::{FunctionOutput, Tracer};
use dqdt_mechanics::formalism;

/// The emitted function `impact`: jumps of the speeds under impulses of the inputs, `∫ u dt` over a
/// blow during which nothing moves, from `M Δv = B ι + Aᵀ μ`, `A Δv = 0`.
///
/// A blow at a point of a body is an input of a load of the type `force` or `torque` at that point.
/// Finite forces and gravity have no impulse. Impulses of constraints and joints are also returned.
pub const IMPACT: &Definition = &Definition {
    declaration: Declaration {
        name: "impact",
        summary: "Jumps of the speeds due to impulses of the inputs. The impulse of an input is its integral \
                  over the impact, ∫ u dt, in the unit of the input times seconds. The configuration does not \
                  change; gravity and finite forces have no impulse.",
        constraints: Some(ConstraintNote {
            undetermined: Some(OPEN),
            ..ConstraintNote::new(
                "The constraints hold after the impact if they held before: their impulses Aᵀ μ enforce A Δv = 0.",
            )
        }),
        arguments: &[Argument::STATE, Argument::IMPULSES],
        returns: Returns::Struct {
            name: "Impact",
            about: "Jumps of the speeds, impulses μ of the constraints, and impulses on the child through each joint.",
        },
        solves: Solves::Impacts,
        checked: true,
        ..Declaration::ON_REQUEST
    },
    derive: Derive::Divided(derive),
};

/// Force and moment components of an impulse through a joint, with their units. Used in `impact`.
const IMPULSE: EntryNames = EntryNames::Groups(&[
    EntryGroup { name: "force", unit: "N*s", entries: &["fx", "fy", "fz"] },
    EntryGroup { name: "moment", unit: "N*m*s", entries: &["mx", "my", "mz"] },
]);

fn derive<'g>(d: &Derivation<'g, '_>) -> Quotients<'g> {
    let m = d.mechanism();
    if m.inputs.is_empty() || m.nv() == 0 {
        return Quotients::default();
    }
    let silent = vec![Tracer::ZERO; m.inputs.len()];
    let impact = formalism::impact_by_inputs(m, &d.environment(&silent), &d.impulse_symbols());
    let jump = FunctionOutput::vector("jump", "", "jumps Δv of all speeds", d.node_ids(&impact.jump));
    let mut outputs = vec![jump.with_entries(EntryNames::Each(Vector::Speeds, "jump_{}"))];
    let of_rows = super::multipliers::multiplier_outputs(d, &impact.multipliers, "mu_");
    outputs.extend(of_rows.map(|o| FunctionOutput { unit: impulse_unit(&o.unit), ..o }));
    outputs.extend(wrench_outputs(d, &impact.reactions, "reaction_", &IMPULSE));
    Quotients { outputs, divisors: impact.pivots }
}

/// Unit of an impulse, from the unit of its force: `N` gives `N*s`.
fn impulse_unit(unit: &str) -> String {
    match unit {
        "" => String::new(),
        unit if unit.contains('/') => format!("({unit})*s"),
        unit => format!("{unit}*s"),
    }
}
