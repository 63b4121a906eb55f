//! Emitted functions with their divisor checks.

use super::derivation::Derivation;
use super::solution::Solved;
use super::{Definition, Derive, accelerations};
use dqdt_graph::ir::declaration::{Declaration, Role, Solves};
use dqdt_graph::ir::{Check, Function, NodeId};

/// Derives a function with its checks; `None` if it does not apply to the mechanism. `solved` is
/// the solved motion, shared by all functions that need it.
pub(super) fn derive_function<'g>(
    d: &Derivation<'g, '_>,
    solved: Option<&Solved<'g>>,
    definition: &'static Definition,
) -> Option<Function> {
    let declaration = &definition.declaration;
    let (outputs, divisors, motion) = match definition.derive {
        Derive::State(derive) => (derive(d), Vec::new(), None),
        Derive::Divided(derive) => {
            let quotients = derive(d);
            (quotients.outputs, quotients.divisors, None)
        }
        Derive::Motion(derive) => {
            let motion = solved.cloned().unwrap_or_else(|| accelerations::solve_equations_of_motion(d));
            (derive(d, &motion), Vec::new(), Some(motion))
        }
        Derive::MotionDivided(derive) => {
            let motion = solved.cloned().unwrap_or_else(|| accelerations::solve_equations_of_motion(d));
            let quotients = derive(d, &motion);
            (quotients.outputs, quotients.divisors, Some(motion))
        }
        Derive::Joint(functions) => return derive_joint_call(d, solved, declaration, functions),
    };
    if outputs.is_empty() {
        return None;
    }
    let own_pivots = d.pivot_checks(&divisors);
    let nodes: Vec<NodeId> = outputs.iter().flat_map(|o| o.nodes.iter().copied()).collect();
    let unknowns = declaration.solves == Solves::Reactions;
    let motion = motion.filter(|s| d.depends_on_solution(s, &nodes, unknowns));
    let is_state_derivative = declaration.role == Some(Role::StateDerivative);
    let solves = motion.is_some() || declaration.solves == Solves::Impacts;
    // The first vanishing divisor is reported, so the most informative checks come first. Reactions
    // are returned even where a pose does not determine all of them.
    let mut checks = d.denominator_checks(&nodes, is_state_derivative, solves, !unknowns);
    if is_state_derivative || motion.is_some() {
        // Checked under the name of the load, independently of how the formalism computes the
        // length.
        checks.extend(d.line_length_checks());
    }
    if let Some(motion) = motion {
        checks.extend(d.pivot_checks(&motion.solution.pivots));
        checks.extend(d.row_independence_checks(&motion.solution.independence));
    }
    checks.extend(own_pivots);
    remove_duplicate_checks(&mut checks);
    Some(Function { declaration, outputs, parts: Vec::new(), checks })
}

/// Derives a joint call: the outputs of several functions in one; `None` if one of them does not
/// apply to the mechanism.
fn derive_joint_call<'g>(
    d: &Derivation<'g, '_>,
    solved: Option<&Solved<'g>>,
    declaration: &'static Declaration,
    functions: &[&'static Definition],
) -> Option<Function> {
    let mut all = Function { declaration, outputs: Vec::new(), parts: Vec::new(), checks: Vec::new() };
    for definition in functions {
        // Repeated recordings are shared by the graph.
        let part = derive_function(d, solved, definition)?;
        all.parts.push(part.outputs.len());
        all.outputs.extend(part.outputs);
        // A function without checks of its own adds none to the joint call.
        all.checks.extend(part.checks.into_iter().filter(|_| definition.checked));
    }
    remove_duplicate_checks(&mut all.checks);
    Some(all)
}

/// Removes divisor checks of a value and a size that an earlier check compares already.
fn remove_duplicate_checks(checks: &mut Vec<Check>) {
    let mut compared: Vec<(NodeId, NodeId)> = Vec::new();
    checks.retain(|c| {
        let new = !compared.contains(&(c.value, c.scale));
        compared.push((c.value, c.scale));
        new
    });
}
