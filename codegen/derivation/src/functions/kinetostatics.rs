//! The emitted function `kinetostatics`: drive efforts and reactions for a given motion.

use super::reactions::{OPEN, WRENCH, wrench_outputs};
use super::{Definition, Derivation, Derive, Quotients};
use dqdt_graph::ir::declaration::{Argument, ConstraintNote, Declaration, EntryNames, Returns, Vector};
use dqdt_graph::ir::{FunctionOutput, Tracer};
use dqdt_mechanics::formalism;

/// The emitted function `kinetostatics`: hybrid dynamics. From the accelerations of the driven
/// speeds it computes the other accelerations, the efforts of the drives, the multipliers of the
/// constraints and the reactions of the joints.
///
/// Driven speeds are those under `driven` in the spec; by default all independent ones. The inputs
/// act in addition: with `u = 0` only the drives act.
pub const KINETOSTATICS: &Definition = &Definition {
    declaration: Declaration {
        name: "kinetostatics",
        summary: "Drive efforts and reactions for a given motion. Computes the efforts that the drives must \
                  supply in addition to the loads and the inputs `u`, and the accelerations of the other \
                  speeds, from the accelerations `dv` of the driven speeds, in the order of [`DRIVEN`].",
        constraints: Some(ConstraintNote {
            names_dependent_speeds: true,
            undetermined: Some(OPEN),
            ..ConstraintNote::new(
                "The constraints are enforced, and the reactions of the joints include their effect.",
            )
        }),
        arguments: &[Argument::STATE, Argument::DRIVEN_ACCELERATIONS, Argument::INPUTS],
        returns: Returns::Struct {
            name: "Kinetostatics",
            about: "Efforts of the drives, accelerations of all speeds, multipliers λ, and wrenches on the child through each joint.",
        },
        checked: true,
        ..Declaration::ON_REQUEST
    },
    derive: Derive::Divided(derive),
};

fn derive<'g>(d: &Derivation<'g, '_>) -> Quotients<'g> {
    let m = d.mechanism();
    let Ok(driven) = formalism::driven_speeds(m, d.partition()) else { return Quotients::default() };
    let dv = d.acceleration_symbols();
    let driven_accelerations: Vec<Option<Tracer<'g>>> =
        m.speed_ids().map(|s| driven.contains(&s).then(|| dv[s])).collect();
    let env = d.environment(d.saturated_inputs());
    let Some(solution) = formalism::kinetostatics(m, &env, &driven_accelerations) else {
        return Quotients::default();
    };
    let drives: Vec<Tracer<'g>> = driven.iter().map(|s| solution.drives[*s]).collect();
    let mut outputs = Vec::new();
    if !drives.is_empty() {
        let about = "efforts of the drives (N or N·m), one for each driven speed";
        let drives = FunctionOutput::vector("drives", "", about, d.node_ids(&drives));
        outputs.push(drives.with_entries(EntryNames::Each(Vector::DrivenAccelerations, "drive_{}")));
    }
    if m.nv() > 0 {
        let about = "accelerations v̇ of all speeds, both given and computed";
        let all = FunctionOutput::vector("accelerations", "", about, d.node_ids(&solution.accelerations));
        outputs.push(all.with_entries(EntryNames::Each(Vector::Accelerations, "found_{}_dot")));
    }
    outputs.extend(super::multipliers::multiplier_outputs(d, &solution.multipliers, "lambda_"));
    outputs.extend(wrench_outputs(d, &solution.reactions, "reaction_", &WRENCH));
    Quotients { outputs, divisors: solution.pivots }
}
