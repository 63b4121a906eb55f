//! The search for a formalism and its formulation, for each [`FormalismChoice`].

use super::choice::FormalismChoice;
use super::cost::{WAITING, cost, cost_with_weight, total_operations};
use super::optimised::Optimised;
use super::{complete_formulation, default_formulation, digits, shortest_program_to_count, singles};
use crate::inertia;
use dqdt_derivation::assemble::Assembled;
use dqdt_derivation::derive::{Request, derive_to_count, size};
use dqdt_derivation::functions::{self, Definition};
use dqdt_graph::ir::Program;
use dqdt_graph::ir::{Cost, count};
use dqdt_mechanics::formalism::{ConstraintsBy, Formalism, Lean, SolvedSystem};
use dqdt_mechanics::mechanism::Formulation;

/// Maximum number of speeds up to which [`FormalismChoice::LeastCost`] derives every formalism.
pub const AUTO_ALL: usize = 12;

/// Ratio of the recorded operations of a formalism to those of the best candidate, above which the
/// formalism is not simplified: passes cannot make it the best.
#[doc(hidden)]
pub const HOPELESS: u32 = 3;

/// Minimum saving of cost, in percent, by which another formalism replaces Kane's.
const BETTER: u32 = 3;

/// Minimum saving of cost, in operations, by which another formalism replaces Kane's; less does not
/// justify an unfamiliar one.
const SLIGHT: u32 = 2 * WAITING;

/// Chooses the formalism and the formulation by which these functions are derived.
pub fn choose_optimised(
    loaded: &Assembled,
    choice: FormalismChoice,
    functions: &[&'static Definition],
) -> Optimised {
    let functions = functions::in_order(functions);
    match choice {
        FormalismChoice::Given(formalism) => complete_formulation_for(loaded, formalism, choice, &functions),
        FormalismChoice::Quick => replace_if_imprecise(loaded, &functions, choose_without_search(loaded)),
        _ if loaded.partition.tree_is_singular => {
            choose_least_cost(loaded, &functions, choice, &|f| solves_everywhere(loaded, f))
        }
        FormalismChoice::BySize => choose_by_size(loaded, &functions),
        FormalismChoice::LeastCost => {
            let all = loaded.mechanism.nv() <= AUTO_ALL;
            let least = choose_least_cost(loaded, &functions, choice, &|f| all || is_graph_small(loaded, f));
            replace_if_imprecise(loaded, &functions, least)
        }
        FormalismChoice::FewestOperations => {
            let least = choose_least_cost(loaded, &functions, choice, &|f| {
                is_graph_small(loaded, f) && solves_everywhere(loaded, f)
            });
            replace_if_imprecise(loaded, &functions, least)
        }
        FormalismChoice::ForSingles => choose_for_singles(loaded, &functions),
    }
}

fn complete_formulation_for(
    loaded: &Assembled,
    formalism: Formalism,
    choice: FormalismChoice,
    functions: &[&'static Definition],
) -> Optimised {
    let request = choice.request(formalism, functions.to_vec());
    let formulation = complete_formulation(loaded, &Formulation::default(), &request, choice.waiting());
    Optimised { formalism, formulation }
}

fn choose_for_singles(loaded: &Assembled, functions: &[&'static Definition]) -> Optimised {
    let default = choose_by_size(loaded, functions);
    let (formalism, partial) = singles::choose_precise_formalism(
        loaded,
        functions,
        (default.formalism, &default.formulation),
        &|f| fits_and_solves_everywhere(loaded, f),
    );
    match partial {
        // The default formalism may be chosen with other body axes.
        Some(partial) => {
            let request = Request::new(formalism, functions.to_vec());
            Optimised { formalism, formulation: complete_formulation(loaded, &partial, &request, WAITING) }
        }
        None if formalism == default.formalism => default,
        None => complete_formulation_for(loaded, formalism, FormalismChoice::ForSingles, functions),
    }
}

fn choose_without_search(loaded: &Assembled) -> Optimised {
    let m = &loaded.mechanism;
    let fits = |f: &Formalism| size::is_within_size_limit(m, *f);
    let formulation = default_formulation(m);
    if loaded.partition.tree_is_singular {
        let forms = [Formalism::MaggiCoordinates, Formalism::Maggi, Formalism::LagrangeFirst];
        let formalism =
            forms.into_iter().find(|f| fits_and_solves_everywhere(loaded, *f)).unwrap_or(Formalism::Extended);
        return Optimised { formalism, formulation };
    }
    let small = m.nv() <= AUTO_ALL || !m.constraints.is_empty();
    let first = if small { Formalism::Kane } else { Formalism::Mixed };
    let mut others =
        Formalism::ALL.into_iter().filter(|f| is_graph_small(loaded, *f) && solves_everywhere(loaded, *f));
    let formalism = if fits(&first) { first } else { others.find(fits).unwrap_or(first) };
    Optimised { formalism, formulation }
}

/// True if the graph of a formalism stays small on this mechanism, however many speeds it has.
fn is_graph_small(loaded: &Assembled, f: Formalism) -> bool {
    match f.facts().lean {
        Lean::Always => true,
        Lean::WithConstraints => !loaded.mechanism.constraints.is_empty(),
        Lean::No => false,
    }
}

/// True if a formalism solves in every pose in which the constraints have full rank. Few do if M of
/// the tree is singular. Projection divides by pivots of dependent speeds that are chosen once: a
/// closed loop may have a pose where they do not follow from the others. That cannot happen if
/// every loop has one degree of freedom (`mechanism::find_embedded_loops`).
fn solves_everywhere(loaded: &Assembled, f: Formalism) -> bool {
    let m = &loaded.mechanism;
    let embeds = f == Formalism::MaggiCoordinates && loaded.partition.embedded.is_some();
    inertia::supports_massless_tree(&loaded.partition, f)
        && (f.facts().constraints != ConstraintsBy::Projection
            || embeds
            || !m.constraints.iter().any(|c| !c.is_program() && c.constrains_positions()))
}

/// True if a formalism fits in memory and solves in every pose in which the constraints have full
/// rank.
fn fits_and_solves_everywhere(loaded: &Assembled, f: Formalism) -> bool {
    solves_everywhere(loaded, f) && size::is_within_size_limit(&loaded.mechanism, f)
}

/// A formalism and formulation with its cost, in the search for the least cost.
struct Candidate {
    /// Cost, then the index in the list of formalisms, which decides between equal costs.
    cost: (u32, usize),
    operations: u32,
    optimised: Optimised,
}

/// The formalism of least cost, with its formulation, among those for which `may` is true.
fn choose_least_cost(
    loaded: &Assembled,
    functions: &[&'static Definition],
    choice: FormalismChoice,
    may: &dyn Fn(Formalism) -> bool,
) -> Optimised {
    let mut candidates: Vec<(usize, Formalism)> = Formalism::ALL
        .into_iter()
        .enumerate()
        .filter(|(_, f)| may(*f) && size::is_within_size_limit(&loaded.mechanism, *f))
        .collect();
    // On a large mechanism recursive formalisms usually win; tried first, they spare the
    // simplification of the others.
    candidates.sort_by_key(|(i, f)| (f.facts().solves != SolvedSystem::Sweeps, *i));
    let open = Formulation::default();
    let mut best: Option<Candidate> = None;
    let mut tried: Vec<(usize, Vec<Cost>)> = Vec::new();
    for (i, formalism) in candidates {
        let request = choice.request(formalism, functions.to_vec());
        let recorded = derive_to_count(loaded, &open, &request);
        let hopeless =
            best.as_ref().is_some_and(|least| total_operations(&recorded) > HOPELESS * least.operations);
        // On a tree some formalisms record the same operations; each would repeat the same search.
        let counts: Vec<Cost> = recorded.functions.iter().map(|f| count(&recorded, f)).collect();
        if hopeless || tried.iter().any(|(before, same)| *before < i && *same == counts) {
            continue;
        }
        tried.push((i, counts));
        let formulation = complete_formulation(loaded, &open, &request, choice.waiting());
        let program = shortest_program_to_count(loaded, &formulation, &request);
        let cost = (cost_with_weight(&program, choice.waiting()), i);
        if best.as_ref().is_none_or(|least| cost < least.cost) {
            let optimised = Optimised { formalism, formulation };
            best = Some(Candidate { cost, operations: total_operations(&program), optimised });
        }
    }
    // A formalism of linear growth; the check of its size then rejects the mechanism.
    let lean =
        if loaded.partition.tree_is_singular { Formalism::Extended } else { Formalism::ArticulatedBody };
    best.map_or(Optimised { formalism: lean, formulation: open }, |least| least.optimised)
}

fn choose_by_size(loaded: &Assembled, functions: &[&'static Definition]) -> Optimised {
    replace_if_imprecise(loaded, functions, choose_by_cost(loaded, functions))
}

/// Returns `taken`, or a formalism that keeps precision under constraints if `taken` loses it.
fn replace_if_imprecise(
    loaded: &Assembled,
    functions: &[&'static Definition],
    taken: Optimised,
) -> Optimised {
    digits::keep_precision(loaded, functions, taken, &|f| fits_and_solves_everywhere(loaded, f))
}

/// A formalism that keeps the precision that `taken` loses to light bodies under load and
/// constraints; `None` if `taken` keeps it, or none does. `program` returns the equations of motion
/// as interpreted.
pub fn form_that_keeps_digits(
    loaded: &Assembled,
    taken: Formalism,
    program: &dyn Fn(Formalism) -> Option<Program>,
) -> Option<Formalism> {
    digits::precise_formalism(loaded, taken, &|f| size::is_within_size_limit(&loaded.mechanism, f), program)
}

fn choose_by_cost(loaded: &Assembled, functions: &[&'static Definition]) -> Optimised {
    if loaded.mechanism.nv() > AUTO_ALL {
        return choose_least_cost(loaded, functions, FormalismChoice::BySize, &|f| {
            is_graph_small(loaded, f) && solves_everywhere(loaded, f)
        });
    }
    let complete = |formalism: Formalism| {
        complete_formulation_for(loaded, formalism, FormalismChoice::BySize, functions)
    };
    let kane = complete(Formalism::Kane);
    if !functions.iter().any(|f| f.derive.needs_motion()) {
        return kane;
    }
    let cost_of = |o: &Optimised| {
        let request = Request::new(o.formalism, functions.to_vec());
        cost(&shortest_program_to_count(loaded, &o.formulation, &request))
    };
    let by_kane = cost_of(&kane);
    let mut best = (by_kane, kane);
    let constrained = !loaded.mechanism.constraints.is_empty();
    let others = [Formalism::Mixed].into_iter().chain(constrained.then_some(Formalism::MaggiCoordinates));
    for f in others.filter(|f| solves_everywhere(loaded, *f)) {
        let candidate = complete(f);
        let other = cost_of(&candidate);
        let better = other * 100 < by_kane * (100 - BETTER) && other + SLIGHT < by_kane;
        if better && other < best.0 {
            best = (other, candidate);
        }
    }
    best.1
}
