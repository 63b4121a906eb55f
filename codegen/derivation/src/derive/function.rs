//! Functions with what they must check.

use super::derivation::Derivation;
use super::solution::Solved;
use super::{Definition, Derive, accelerations};
use dqdt_graph::ir::declaration::{Declaration, Role, Solves};
use dqdt_graph::ir::{Check, Function, NodeId};

/// Derives a function and what it must check; `None` where the mechanism has nothing of the kind. `solved`: the motion, where
/// any function asks for it.
pub(super) fn function<'g>(
    d: &Derivation<'g, '_>,
    solved: Option<&Solved<'g>>,
    definition: &'static Definition,
) -> Option<Function> {
    let declaration = &definition.declaration;
    let (outputs, divisors, motion) = match definition.derive {
        Derive::State(derive) => (derive(d), Vec::new(), None),
        Derive::Divided(derive) => {
            let found = derive(d);
            (found.outputs, found.divisors, None)
        }
        Derive::Motion(derive) => {
            let motion = solved.cloned().unwrap_or_else(|| accelerations::solve(d));
            (derive(d, &motion), Vec::new(), Some(motion))
        }
        Derive::MotionDivided(derive) => {
            let motion = solved.cloned().unwrap_or_else(|| accelerations::solve(d));
            let found = derive(d, &motion);
            (found.outputs, found.divisors, Some(motion))
        }
        Derive::Joint(functions) => return joint(d, solved, declaration, functions),
    };
    if outputs.is_empty() {
        return None;
    }
    let own_pivots = d.checks_of(&divisors);
    let nodes: Vec<NodeId> = outputs.iter().flat_map(|o| o.nodes.iter().copied()).collect();
    let unknowns = declaration.solves == Solves::Reactions;
    let motion = motion.filter(|s| d.reaches(s, &nodes, unknowns));
    let whole = declaration.role == Some(Role::StateDerivative);
    let solves = motion.is_some() || declaration.solves == Solves::Impacts;
    // What says most comes first: of several that vanish the first is reported.
    // A reaction that a pose does not determine is no reason to refuse all of them.
    let mut checks = d.denominators(&nodes, whole, solves, !unknowns);
    if whole || motion.is_some() {
        // By name of the load, whichever way the formalism at hand came to the length.
        checks.extend(d.line_lengths());
    }
    if let Some(motion) = motion {
        checks.extend(d.checks_of(&motion.solution.pivots));
        checks.extend(d.independence(&motion.solution.independence));
    }
    checks.extend(own_pivots);
    each_once(&mut checks);
    Some(Function { declaration, outputs, parts: Vec::new(), checks })
}

/// Several functions as one; `None` where the mechanism lacks what one of them gives.
fn joint<'g>(
    d: &Derivation<'g, '_>,
    solved: Option<&Solved<'g>>,
    declaration: &'static Declaration,
    functions: &[&'static Definition],
) -> Option<Function> {
    let mut all = Function { declaration, outputs: Vec::new(), parts: Vec::new(), checks: Vec::new() };
    for definition in functions {
        // Recorded again, it is there once.
        let part = function(d, solved, definition)?;
        all.parts.push(part.outputs.len());
        all.outputs.extend(part.outputs);
        // What asks about nothing alone asks about nothing here.
        all.checks.extend(part.checks.into_iter().filter(|_| definition.checked));
    }
    each_once(&mut all.checks);
    Some(all)
}

fn each_once(checks: &mut Vec<Check>) {
    let mut seen: Vec<(NodeId, NodeId)> = Vec::new();
    checks.retain(|c| {
        let new = !seen.contains(&(c.value, c.scale));
        seen.push((c.value, c.scale));
        new
    });
}
