//! What each choice and each pass saves.
//!
//! Problem: which form, which inertial parameters and which passes made the emitted code as long as it is?
//! Method:  the functions asked for are derived by every form that may be taken, by the one that is taken with the inertial parameters
//! of the bodies too, and counted after each pass in turn.
//! Cost:    one derivation a form, and one count a pass.

use crate::assemble::Assembled;
use crate::derive::{self, InertialParameters, Request, size};
use crate::error::Errors;
use crate::formalism::{Formalism, Lean};
use crate::functions::{self, Definition};
use crate::ir::clean;
use crate::mechanism::{Groups, Mechanism};
use crate::pipeline::{self, AUTO_ALL, Choice};
use crate::plan;
use crate::simplify::{PASSES, simplify};

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

/// The mixed form with some groups, after every pass.
#[derive(Clone, Debug)]
pub struct Grouped {
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
    /// Where the form is `mixed`: with its groups, and with each of their choices off.
    pub groups: Vec<Grouped>,
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
    let functions = functions::in_order(functions);
    let grouped = (taken == Formalism::Mixed).then(|| pipeline::with_groups(loaded, &functions, choice));
    let loaded = grouped.as_ref().unwrap_or(loaded);
    let m = &loaded.mechanism;
    let recorded = |request: &Request| derive::derive_to_count(m, request, &loaded.origin);
    let all = m.nv() <= AUTO_ALL;
    let mut candidates = Vec::new();
    for formalism in Formalism::ALL {
        let tried = formalism == taken || all || formalism.facts().lean != Lean::No;
        if tried && size::fits(m, formalism) {
            let request = Request::new(formalism, functions.clone());
            let program = pipeline::derived(loaded, &request, derive::derive_to_count);
            let (operations, cost) = (pipeline::total(&program), pipeline::cost(&program));
            candidates.push(Candidate { formalism, operations, cost });
        }
    }
    let request = Request::new(taken, functions);
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
        groups: if taken == Formalism::Mixed { of_groups(loaded, &request) } else { Vec::new() },
        passes,
    })
}

/// The mixed form as it is taken, then without each of the two kinds of choices, then without both.
fn of_groups(loaded: &Assembled, request: &Request) -> Vec<Grouped> {
    let taken = &loaded.mechanism.groups;
    let several = taken.joined.iter().filter(|j| **j).count();
    let anew =
        taken.carried.iter().zip(&taken.joined).filter(|(carried, joined)| !**carried && !**joined).count();
    let carried: Vec<bool> = taken.carried.iter().zip(&taken.joined).map(|(c, j)| *c || *j).collect();
    let off = Vec::new;
    let choices = [
        (format!("taken: {several} joints with their parents, {anew} anew"), taken.clone()),
        ("every joint alone".to_owned(), Groups { joined: off(), carried, found: true }),
        ("accelerations anew in every group".to_owned(), Groups { carried: off(), ..taken.clone() }),
        ("both: articulated bodies".to_owned(), Groups { joined: off(), carried: off(), found: true }),
    ];
    let of = |(which, groups): (String, Groups)| {
        let mechanism = Mechanism { groups, ..loaded.mechanism.clone() };
        let loaded = Assembled { mechanism, ..loaded.clone() };
        let program = pipeline::derived(&loaded, request, derive::derive_to_count);
        Grouped { which, operations: pipeline::total(&program), cost: pipeline::cost(&program) }
    };
    choices.into_iter().map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_explained_is_what_is_emitted() {
        let spec = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/data/robots/panda.toml");
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
    fn of_the_mixed_form_each_choice_is_switched_off() {
        let spec = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/data/robots/ur5.toml");
        let loaded = pipeline::load(&spec).unwrap();
        let explained = explain(&loaded, Choice::BySize, &[functions::DQDT]).unwrap();
        assert_eq!(explained.taken, Formalism::Mixed);
        let derived = pipeline::derive(&loaded, Choice::BySize, &[functions::DQDT]).unwrap();
        assert_eq!(explained.base, pipeline::total(&derived.program));
        let costs: Vec<u32> = explained.groups.iter().map(|g| g.cost).collect();
        assert!(costs.len() == 4 && costs[1..].iter().all(|c| *c > costs[0]), "{explained:?}");
    }
}
