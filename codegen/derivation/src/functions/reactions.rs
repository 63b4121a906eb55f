//! The emitted function `reactions`: reactions of the joints.

use super::{Definition, Derivation, Derive, Solved};
use dqdt_algebra::Wrench;
use dqdt_graph::ir::FunctionOutput;
use dqdt_graph::ir::Tracer;
use dqdt_graph::ir::declaration::{
    Argument, ConstraintNote, Declaration, EntryGroup, EntryNames, Returns, Solves,
};
use dqdt_mechanics::formalism;

/// The emitted function `reactions`: wrench on each body through its inboard joint, a force \[N\]
/// and the moment [N·m] about the origin of the joint's frame, both in child axes. Emitted on
/// request only.
pub const REACTIONS: &Definition = &Definition {
    declaration: Declaration {
        name: "reactions",
        summary: "Reactions: six numbers for each joint, the force on its child followed by the moment about the joint, in child axes.",
        constraints: Some(ConstraintNote {
            with_dependent_speeds: None,
            names_dependent_speeds: false,
            undetermined: Some(OPEN),
            ..ConstraintNote::new(
                "The constraints are enforced, and the reactions of the joints include their effect.",
            )
        }),
        arguments: &[Argument::STATE, Argument::INPUTS],
        returns: Returns::Struct {
            name: "Reactions",
            about: "Wrenches on the child through each joint, force first.",
        },
        entries: WRENCH,
        solves: Solves::Reactions,
        checked: true,
        in_eval: true,
        ..Declaration::ON_REQUEST
    },
    derive: Derive::Motion(derive),
};

/// Note for the emitted documentation: reactions that depend on undetermined multipliers are one
/// choice of many.
pub(super) const OPEN: &str = " Wrenches that depend on the multipliers of {rows} are not unique, because the \
                               motion of rigid bodies does not determine these multipliers.";

fn derive<'g>(d: &Derivation<'g, '_>, motion: &Solved<'g>) -> Vec<FunctionOutput> {
    let m = d.mechanism();
    let env = d.environment(motion.inputs());
    let reactions = match d.solve_tree_by_formalism(&env) {
        Some(solution) => solution.reactions(m, &env),
        None => formalism::reactions(m, &env, motion.accelerations(), d.rows(), motion.multipliers()),
    };
    wrench_outputs(d, &reactions, "", &WRENCH).collect()
}

/// Force and moment components of a wrench through a joint, with their units.
pub(super) const WRENCH: EntryNames = EntryNames::Groups(&[
    EntryGroup { name: "force", unit: "N", entries: &["fx", "fy", "fz"] },
    EntryGroup { name: "moment", unit: "N*m", entries: &["mx", "my", "mz"] },
]);

/// Function outputs of the joint wrenches, each named after its joint, with a prefix.
pub(super) fn wrench_outputs<'a, 'g>(
    d: &'a Derivation<'g, '_>,
    reactions: &'a [Wrench<Tracer<'g>>],
    prefix: &'a str,
    entries: &'static EntryNames,
) -> impl Iterator<Item = FunctionOutput> + 'a {
    let m = d.mechanism();
    let units = match entries {
        EntryNames::Groups(parts) => parts.iter().map(|p| p.unit).collect::<Vec<_>>().join(", "),
        _ => String::new(),
    };
    m.joints.iter().zip(&m.bodies).zip(reactions).map(move |((joint, body), w)| {
        let about = format!(
            "force and moment on {} through {}, about the joint, in axes of {}",
            body.name, joint.name, body.name
        );
        let components = d.node_ids(&[w.f.0, w.m.0].concat());
        FunctionOutput::vector(format!("{prefix}{}", joint.name), units.clone(), about, components)
            .with_entries(*entries)
    })
}
