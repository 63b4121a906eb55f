//! What each choice and each pass saves.
//!
//! Problem: which form, which inertial parameters and which passes made the emitted code as long as it is?
//! Method:  the functions asked for are derived by every form that may be taken, by the one that is taken with the inertial parameters
//! of the bodies too, and counted after each pass in turn.
//! Cost:    one derivation a form, and one count a pass.

use dqdt_derivation::assemble::Assembled;
use dqdt_derivation::derive::{self, InertialParameters, Request, size};
use dqdt_derivation::functions::{self, Definition};
use dqdt_diagnostics::error::Errors;
use dqdt_generate::pipeline::{self, AUTO_ALL, Choice};
use dqdt_graph::ir::clean;
use dqdt_graph::plan;
use dqdt_graph::simplify::{PASSES, simplify};
use dqdt_mechanics::formalism::{Formalism, Lean};
use dqdt_mechanics::mechanism::{Groups, Mechanism, Poles};

/// One form after every pass.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// Which.
    pub formalism: Formalism,
    /// Operations of one call of every function, all together.
    pub operations: u32,
    /// What [`pipeline::cost`] says of them.
    pub cost: u32,
}

/// The form that is taken with some of its choices, after every pass.
#[derive(Clone, Debug)]
pub struct Chosen {
    /// What is on and off.
    pub which: String,
    /// Operations of one call of every function, all together.
    pub operations: u32,
    /// What [`pipeline::cost`] says of them.
    pub cost: u32,
}

/// What was chosen, and what it saved.
#[derive(Clone, Debug)]
pub struct Explanation {
    /// The form that is taken.
    pub taken: Formalism,
    /// The forms that fit, in the order of [`Formalism::ALL`]; of many speeds only those whose graphs stay small.
    pub candidates: Vec<Candidate>,
    /// Operations of the form that is taken with the inertial parameters of the bodies, equal parts one by one.
    pub of_bodies: u32,
    /// The same with base parameters.
    pub base: u32,
    /// With the axes of bodies and the groups that it takes, then with each kind of choice off; empty where there is none.
    pub choices: Vec<Chosen>,
    /// Operations as recorded, then after each pass, with the name of the pass. Where parts are equal: when they are derived
    /// alike, and when one of those that stand side by side counts.
    pub passes: Vec<(&'static str, u32)>,
}

/// Explains what [`pipeline::derive`] does.
///
/// # Errors
/// Those of [`pipeline::choose`].
pub fn explain(
    loaded: &Assembled,
    choice: Choice,
    functions: &[&'static Definition],
) -> Result<Explanation, Errors> {
    let taken = pipeline::choose(loaded, choice, functions)?;
    let as_written = (choice == Choice::Quick).then(|| pipeline::as_written(loaded));
    let loaded = as_written.as_ref().unwrap_or(loaded);
    let functions = functions::in_order(functions);
    let m = &loaded.mechanism;
    let all = m.nv() <= AUTO_ALL;
    let mut candidates = Vec::new();
    for formalism in Formalism::ALL {
        let tried = formalism == taken || all || formalism.facts().lean != Lean::No;
        if tried && size::fits(m, formalism) {
            let request = choice.request(formalism, functions.clone());
            let own = pipeline::prepared(loaded, &request, choice.waiting());
            let program = pipeline::derived(&own, &request, derive::derive_to_count);
            let (operations, cost) = (pipeline::total(&program), pipeline::cost(&program));
            candidates.push(Candidate { formalism, operations, cost });
        }
    }
    let request = choice.request(taken, functions);
    let spec = loaded.mechanism.clone();
    let loaded = &pipeline::prepared(loaded, &request, choice.waiting());
    let recorded = |request: &Request| derive::derive_to_count(&loaded.mechanism, request, &loaded.origin);
    let of_bodies = Request { inertia: InertialParameters::OfBodies, ..request.clone() };
    let mut program = clean(&recorded(&request));
    let mut passes = vec![("as recorded", pipeline::total(&program))];
    for (name, pass) in PASSES {
        program = pass(&program);
        passes.push((*name, pipeline::total(&program)));
    }
    let base = pipeline::total(&program);
    let emitted = pipeline::derived(loaded, &request, derive::derive_to_count);
    let side_by_side: u32 = plan::saved(&emitted).iter().sum();
    if side_by_side > 0 {
        passes.push(("equal parts alike", pipeline::total(&emitted)));
        passes.push(("side by side", pipeline::total(&emitted) - side_by_side));
    }
    Ok(Explanation {
        taken,
        candidates,
        of_bodies: pipeline::total(&simplify(&recorded(&of_bodies))),
        base,
        choices: of_choices(loaded, &spec, &request),
        passes,
    })
}

/// The form as it is taken, then without each kind of choice, then without all. `spec`: the mechanism before it chose.
fn of_choices(loaded: &Assembled, spec: &Mechanism, request: &Request) -> Vec<Chosen> {
    let m = &loaded.mechanism;
    let mut taken = Vec::new();
    let mut choices: Vec<(&str, Mechanism)> = Vec::new();
    let mut none = m.clone();
    let level = m.joints.iter().zip(&spec.joints).filter(|(a, b)| a != b).count();
    if level > 0 {
        taken.push(format!("{} moved along the axis", many(level, "joint", "joints")));
        let as_written = Mechanism { joints: spec.joints.clone(), poles: found_none(), ..m.clone() };
        none = as_written.clone();
        choices.push(("every joint where the spec has it", as_written));
    }
    let unturned = m.axes.unturned.iter().filter(|x| **x).count();
    if unturned > 0 {
        taken.push(format!("{} unturned", many(unturned, "body", "bodies")));
        none.axes.unturned = Vec::new();
        let mut own = m.clone();
        own.axes.unturned = Vec::new();
        choices.push(("every body in its own axes", own));
    }
    // Else it is what stands below as none of these.
    if level > 0 && unturned > 0 && request.formalism == Formalism::Mixed {
        choices.push(("both: the frames of the spec", none.clone()));
    }
    if request.formalism == Formalism::Mixed {
        let groups = &m.groups;
        let pairs = || groups.carried.iter().zip(&groups.joined);
        let several = groups.joined.iter().filter(|j| **j).count();
        let anew = pairs().filter(|(carried, joined)| !**carried && !**joined).count();
        if several > 0 {
            taken.push(many(several, "joint with its parent", "joints with their parents"));
        }
        if anew > 0 {
            taken.push(format!("{} anew", many(anew, "joint", "joints")));
        }
        let carried: Vec<bool> = pairs().map(|(c, j)| *c || *j).collect();
        let with = |groups| Mechanism { groups, ..m.clone() };
        if several > 0 {
            choices.push(("every joint alone", with(Groups { joined: Vec::new(), carried, found: true })));
        }
        choices.push((
            "accelerations anew in every group",
            with(Groups { carried: Vec::new(), ..groups.clone() }),
        ));
        none.groups = Groups { joined: Vec::new(), carried: Vec::new(), found: true };
    }
    if choices.is_empty() {
        return Vec::new();
    }
    let of = |(which, mechanism): (String, Mechanism)| {
        let loaded = Assembled { mechanism, ..loaded.clone() };
        let program = pipeline::derived(&loaded, request, derive::derive_to_count);
        Chosen { which, operations: pipeline::total(&program), cost: pipeline::cost(&program) }
    };
    if taken.is_empty() {
        taken.push("every joint for itself".to_owned());
    }
    let first = (format!("taken: {}", taken.join(", ")), m.clone());
    let all = (choices.len() > 1).then_some(("none of these", none));
    let rest = choices.into_iter().chain(all).map(|(which, m)| (which.to_owned(), m));
    std::iter::once(first).chain(rest).map(of).collect()
}

fn many(n: usize, one: &str, several: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { several })
}

fn found_none() -> Poles {
    Poles { found: true, ..Poles::default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_explained_is_what_is_emitted() {
        let spec =
            std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/robots/panda.toml");
        let loaded = pipeline::load(&spec).unwrap();
        let asked = [functions::INVERSE_DYNAMICS, functions::DQDT];
        let explained = explain(&loaded, Choice::BySize, &asked).unwrap();
        let derived = pipeline::derive(&loaded, Choice::BySize, &asked).unwrap();
        let emitted = pipeline::total(&derived.program);
        assert_eq!(explained.taken, derived.formalism);
        assert_eq!(explained.passes.last().map(|p| p.1), Some(emitted));
        let own = explained.candidates.iter().find(|c| c.formalism == explained.taken).unwrap();
        assert_eq!(own.operations, emitted);
        assert!(explained.of_bodies > emitted + 100, "base parameters save more: {explained:?}");
        assert!(explained.passes[0].1 > emitted + 20, "passes save more: {explained:?}");
        assert_eq!(explained.candidates.len(), Formalism::ALL.len());
    }

    #[test]
    fn each_choice_is_switched_off() {
        let spec = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/robots/ur5.toml");
        let loaded = pipeline::load(&spec).unwrap();
        let explained = explain(&loaded, Choice::BySize, &[functions::DQDT]).unwrap();
        assert_eq!(explained.taken, Formalism::Mixed);
        let derived = pipeline::derive(&loaded, Choice::BySize, &[functions::DQDT]).unwrap();
        assert_eq!(explained.base, pipeline::total(&derived.program));
        let costs: Vec<u32> = explained.choices.iter().map(|c| c.cost).collect();
        assert!(costs.len() == 7 && costs[1..].iter().all(|c| *c > costs[0]), "{explained:?}");
    }
}
