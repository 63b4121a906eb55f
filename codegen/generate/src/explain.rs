//! Explains the operation counts of emitted code: the savings of each choice and each pass.
//!
//! Problem: which formalism, which inertial parameters and which passes give the emitted code its
//!          operation count?
//! Method:  the requested functions are derived by every candidate formalism, then by the chosen
//!          one with the inertial parameters of the bodies, and counted after each pass.
//! Cost:    one derivation per formalism, and one count per pass.

use crate::optimise::{
    AUTO_ALL, FormalismChoice, complete_formulation, cost, default_formulation, shortest_program_to_count,
    total_operations,
};
use crate::pipeline;
use dqdt_derivation::assemble::Assembled;
use dqdt_derivation::derive::{InertialParameters, Request, derive_to_count, size};
use dqdt_derivation::functions::{self, Definition};
use dqdt_diagnostics::error::Errors;
use dqdt_graph::ir::drop_unneeded_nodes;
use dqdt_graph::plan;
use dqdt_graph::simplify::{PASSES, simplify};
use dqdt_mechanics::formalism::{Formalism, Lean};
use dqdt_mechanics::mechanism::{EliminationGroups, Formulation, JointOrigins, Mechanism};

/// Operation counts of one candidate formalism, after all passes; a row of `dqdt emit --explain`.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The candidate formalism.
    pub formalism: Formalism,
    /// Operations of one call of every requested function, in total.
    pub operations: u32,
    /// Value of [`cost()`], by which formalisms are compared: it also weighs the longest chain of
    /// operations.
    pub cost: u32,
}

/// Operation counts of the chosen formalism with some choices of its formulation switched off,
/// after all passes; a row of `dqdt emit --explain`.
#[derive(Clone, Debug)]
pub struct ChoiceCost {
    /// Description of the choices (axes, origins, groups) that are on or off.
    pub which: String,
    /// Operations of one call of every requested function, in total.
    pub operations: u32,
    /// Value of [`cost()`], by which formulations are compared: it also weighs the longest chain of
    /// operations.
    pub cost: u32,
}

/// Choices made for the emitted functions, with the operations that each saves; printed by `dqdt
/// emit --explain`.
#[derive(Clone, Debug)]
pub struct Explanation {
    /// The formalism that derives the emitted functions.
    pub taken: Formalism,
    /// Formalisms that fit in memory, in the order of [`Formalism::ALL`]; for many speeds only
    /// those whose graphs stay small.
    pub candidates: Vec<Candidate>,
    /// Operations of the chosen formalism with the ten inertial parameters of each body, without
    /// vectorised limbs.
    pub of_bodies: u32,
    /// Operations of the chosen formalism with base parameters instead of the inertial parameters
    /// of the bodies.
    pub base: u32,
    /// Costs with the chosen body axes, joint origins and elimination groups, then with each kind
    /// of choice switched off; empty if there is no choice.
    pub choices: Vec<ChoiceCost>,
    /// Name of each pass and the operations after it, beginning with the recorded program. For
    /// vectorised limbs two more entries: with the same operations in all equal limbs
    /// (`equal_limbs`), and with these counted once for all lanes.
    pub passes: Vec<(&'static str, u32)>,
}

/// Explains the choices that [`pipeline::derive`] makes for these functions, for `dqdt emit
/// --explain`.
///
/// # Errors
/// Same as for [`pipeline::choose`].
pub fn explain_choices(
    loaded: &Assembled,
    choice: FormalismChoice,
    functions: &[&'static Definition],
) -> Result<Explanation, Errors> {
    let taken = pipeline::choose(loaded, choice, functions)?;
    let quick = choice == FormalismChoice::Quick;
    let partial = if quick { default_formulation(&loaded.mechanism) } else { Formulation::default() };
    let functions = functions::in_order(functions);
    let m = &loaded.mechanism;
    let all = m.nv() <= AUTO_ALL;
    let mut candidates = Vec::new();
    for formalism in Formalism::ALL {
        let tried = formalism == taken || all || formalism.facts().lean != Lean::No;
        if tried && size::is_within_size_limit(m, formalism) {
            let request = choice.request(formalism, functions.clone());
            let completed = complete_formulation(loaded, &partial, &request, choice.waiting());
            let program = shortest_program_to_count(loaded, &completed, &request);
            let (operations, cost) = (total_operations(&program), cost(&program));
            candidates.push(Candidate { formalism, operations, cost });
        }
    }
    let request = choice.request(taken, functions);
    let formulation = &complete_formulation(loaded, &partial, &request, choice.waiting());
    let recorded = |request: &Request| derive_to_count(loaded, formulation, request);
    let of_bodies = Request { inertia: InertialParameters::OfBodies, ..request.clone() };
    let mut program = drop_unneeded_nodes(&recorded(&request));
    let mut passes = vec![("as recorded", total_operations(&program))];
    for (name, pass) in PASSES {
        program = pass(&program);
        passes.push((*name, total_operations(&program)));
    }
    let base = total_operations(&program);
    let emitted = shortest_program_to_count(loaded, formulation, &request);
    let side_by_side: u32 = plan::saved_by_lanes(&emitted).iter().sum();
    if side_by_side > 0 {
        passes.push(("structurally identical limbs unified", total_operations(&emitted)));
        passes.push(("limbs vectorised", total_operations(&emitted) - side_by_side));
    }
    Ok(Explanation {
        taken,
        candidates,
        of_bodies: total_operations(&simplify(&recorded(&of_bodies))),
        base,
        choices: cost_without_choices(loaded, formulation, &request),
        passes,
    })
}

fn use_body_axes(formulation: &mut Formulation) {
    formulation.body_axes.iter_mut().for_each(|axes| axes.unturned.clear());
}

/// Adds the descriptions of elimination groups, and the formulations without them.
fn describe_groups(
    groups: &EliminationGroups,
    formulation: &Formulation,
    descriptions: &mut Vec<String>,
    choices: &mut Vec<(&str, Formulation)>,
) {
    let pairs = || groups.carried.iter().zip(&groups.joined);
    let several = groups.joined.iter().filter(|j| **j).count();
    let anew = pairs().filter(|(carried, joined)| !**carried && !**joined).count();
    if several > 0 {
        descriptions.push(pluralise(
            several,
            "joint eliminated together with its parent joint",
            "joints eliminated together with their parent joints",
        ));
    }
    if anew > 0 {
        descriptions.push(format!("accelerations recomputed at {}", pluralise(anew, "joint", "joints")));
    }
    let carried: Vec<bool> = pairs().map(|(c, j)| *c || *j).collect();
    let with = |groups| Formulation { elimination_groups: Some(groups), ..formulation.clone() };
    if several > 0 {
        choices.push((
            "every joint eliminated separately",
            with(EliminationGroups { joined: Vec::new(), carried }),
        ));
    }
    choices.push((
        "accelerations recomputed in every elimination group",
        with(EliminationGroups { carried: Vec::new(), ..groups.clone() }),
    ));
}

/// Costs of the chosen formulation, then without each kind of choice (axes, origins, groups), then
/// without all.
fn cost_without_choices(loaded: &Assembled, formulation: &Formulation, request: &Request) -> Vec<ChoiceCost> {
    let m: &Mechanism = &loaded.mechanism;
    let mut descriptions = Vec::new();
    let mut choices: Vec<(&str, Formulation)> = Vec::new();
    let mut none = formulation.clone();
    let placed = formulation.move_joint_origins(m);
    let level = placed.joints.iter().zip(&m.joints).filter(|(a, b)| a != b).count();
    if level > 0 {
        descriptions.push(format!(
            "{} with the origin moved along the joint axis",
            pluralise(level, "joint", "joints")
        ));
        none.joint_origins = Some(JointOrigins::default());
        choices.push(("joint origins as in the spec", none.clone()));
    }
    let unturned = formulation.body_axes.iter().flat_map(|axes| &axes.unturned).filter(|x| **x).count();
    if unturned > 0 {
        descriptions.push(format!(
            "{} described in axes that do not rotate with the joint",
            pluralise(unturned, "body", "bodies")
        ));
        use_body_axes(&mut none);
        let mut in_own_axes = formulation.clone();
        use_body_axes(&mut in_own_axes);
        choices.push(("body axes as in the spec", in_own_axes));
    }
    // Otherwise this is the entry "none of these changes" below.
    if level > 0 && unturned > 0 && request.formalism == Formalism::Mixed {
        choices.push(("joint origins and body axes as in the spec", none.clone()));
    }
    if let (Formalism::Mixed, Some(groups)) = (request.formalism, &formulation.elimination_groups) {
        describe_groups(groups, formulation, &mut descriptions, &mut choices);
        none.elimination_groups = Some(EliminationGroups { joined: Vec::new(), carried: Vec::new() });
    }
    if choices.is_empty() {
        return Vec::new();
    }
    if descriptions.is_empty() {
        descriptions.push("every joint eliminated separately".to_owned());
    }
    let first = (format!("taken: {}", descriptions.join(", ")), formulation.clone());
    let all = (choices.len() > 1).then_some(("none of these changes", none));
    let rest = choices.into_iter().chain(all).map(|(which, f)| (which.to_owned(), f));
    let mut costs = Vec::new();
    for (which, formulation) in std::iter::once(first).chain(rest) {
        let program = shortest_program_to_count(loaded, &formulation, request);
        costs.push(ChoiceCost { which, operations: total_operations(&program), cost: cost(&program) });
    }
    costs
}

fn pluralise(n: usize, one: &str, several: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { several })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_explained_is_what_is_emitted() {
        let spec =
            std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/robots/panda.toml");
        let loaded = pipeline::load(&spec).unwrap();
        let requested = [functions::INVERSE_DYNAMICS, functions::DQDT];
        let explained = explain_choices(&loaded, FormalismChoice::BySize, &requested).unwrap();
        let derivation = pipeline::derive(&loaded, FormalismChoice::BySize, &requested).unwrap();
        let emitted = total_operations(&derivation.program);
        assert_eq!(explained.taken, derivation.formalism);
        assert_eq!(explained.passes.last().map(|p| p.1), Some(emitted));
        let candidate = explained.candidates.iter().find(|c| c.formalism == explained.taken).unwrap();
        assert_eq!(candidate.operations, emitted);
        assert!(explained.of_bodies > emitted + 100, "base parameters save more: {explained:?}");
        assert!(explained.passes[0].1 > emitted + 20, "passes save more: {explained:?}");
        assert_eq!(explained.candidates.len(), Formalism::ALL.len());
    }

    #[test]
    fn each_choice_is_switched_off() {
        let spec = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/robots/ur5.toml");
        let loaded = pipeline::load(&spec).unwrap();
        let explained = explain_choices(&loaded, FormalismChoice::BySize, &[functions::DQDT]).unwrap();
        assert_eq!(explained.taken, Formalism::Mixed);
        let derivation = pipeline::derive(&loaded, FormalismChoice::BySize, &[functions::DQDT]).unwrap();
        assert_eq!(explained.base, total_operations(&derivation.program));
        let costs: Vec<u32> = explained.choices.iter().map(|c| c.cost).collect();
        assert!(costs.len() == 7 && costs[1..].iter().all(|c| *c > costs[0]), "{explained:?}");
    }
}
