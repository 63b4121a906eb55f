//! Origins of joints, and axes of equal limbs, by what they cost after every pass.
//!
//! Problem: the search of `choices` counts operations as they are recorded. What passes and equal limbs save of them differs between
//!          origins by as much as the origins themselves do, and with other origins other axes are best.
//! Method:  a search with the origins of the spec, and one with all choices; from the better one the origins of each class of joints are
//!          turned round, as long as the cost falls.
//! Cost:    up to [`BUDGET`] operations of programs that are tried. Of mechanisms with more than [`LARGE`] the search with all choices
//!          has the last word.

use super::choices;
use super::cost::{cost_by, total};
use dqdt_derivation::assemble::Assembled;
use dqdt_derivation::derive::{Request, alike, derive_to_count};
use dqdt_graph::ir::Program;
use dqdt_mechanics::mechanism::{Axes, Mechanism, Poles, classes};

/// Operations of all programs that are tried. Passes go over some hundred thousand a second.
const BUDGET: u32 = 15_000;

/// Recorded operations up to which origins are compared after passes.
const LARGE: u32 = 5_000;

/// Derives the functions, without names, and runs every pass.
type Derived<'a> = &'a dyn Fn(&Assembled, &Request) -> Program;

/// The mechanism with choices for these functions by this form.
pub(super) fn found(loaded: &Assembled, request: &Request, waiting: u32, derived: Derived<'_>) -> Assembled {
    let found = with_origins(loaded, request, waiting, derived);
    if waiting == 0 || !found.mechanism.axes.any_unturned() || alike(&loaded.mechanism).is_none() {
        return found;
    }
    // The search knows nothing of equal limbs; in their own axes these may be more alike.
    let axes = Axes { unturned: Vec::new(), ..found.mechanism.axes.clone() };
    let own = Assembled { mechanism: Mechanism { axes, ..found.mechanism.clone() }, ..loaded.clone() };
    let cost = |x: &Assembled| cost_by(&derived(x, request), waiting);
    if cost(&own) < cost(&found) { own } else { found }
}

fn with_origins(loaded: &Assembled, request: &Request, waiting: u32, derived: Derived<'_>) -> Assembled {
    let spec = &loaded.mechanism;
    let search = |loaded: &Assembled| Assembled {
        mechanism: choices::found(loaded, request, waiting),
        ..loaded.clone()
    };
    if !choices::poles_open(spec, request) {
        return search(loaded);
    }
    let poles = Poles { found: true, ..Poles::default() };
    let as_written = Assembled { mechanism: Mechanism { poles, ..spec.clone() }, ..loaded.clone() };
    if total(&derive_to_count(spec, request, &loaded.origin)) > LARGE {
        return search(loaded);
    }
    let own = search(&as_written);
    let other = search(loaded);
    let [of_own, of_other] = [&own, &other].map(|x| cost_by(&derived(x, request), waiting));
    let found = if of_other < of_own { other } else { own };
    refined(spec, found, request, waiting, derived)
}

/// `found` with better origins, if there are any. `spec`: the mechanism before it chose.
fn refined(
    spec: &Mechanism,
    found: Assembled,
    request: &Request,
    waiting: u32,
    derived: Derived<'_>,
) -> Assembled {
    let mut left = BUDGET;
    let mut cost = |loaded: &Assembled| {
        let program = derived(loaded, request);
        left = left.saturating_sub(total(&program));
        (left > 0).then(|| cost_by(&program, waiting))
    };
    let Some(first) = cost(&found) else { return found };
    let mut best = (first, found.clone());
    let mut tried = vec![found.mechanism.joints.clone()];
    // True if it was better; `None` where the budget is used up.
    let mut attempt = |best: &mut (u32, Assembled), poles: Poles| {
        let poles = Poles { found: true, ..poles.which_move(&spec.joints) };
        let joints = poles.placed(&spec.joints);
        if tried.contains(&joints) {
            return Some(false);
        }
        tried.push(joints.clone());
        let mechanism = Mechanism { poles, joints, ..found.mechanism.clone() };
        let other = Assembled { mechanism, ..found.clone() };
        let cost = cost(&other)?;
        let better = cost < best.0;
        if better {
            *best = (cost, other);
        }
        Some(better)
    };
    let classes = classes(&spec.joints);
    loop {
        let mut better = false;
        for class in &classes {
            let mut poles = best.1.mechanism.poles.clone();
            poles.level.resize(spec.joints.len(), false);
            class.iter().for_each(|j| poles.level[*j] = !poles.level[*j]);
            match attempt(&mut best, poles) {
                Some(found) => better |= found,
                None => return best.1,
            }
        }
        if !better {
            return best.1;
        }
    }
}
