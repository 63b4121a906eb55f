//! Discontinuous formulas in the equations, as text for messages.

use dqdt_algebra::{Cmp, Func};
use dqdt_derivation::functions;
use dqdt_graph::ir::{Graph, NodeId, Op, Program, mark_needed};

/// Maximum number of discontinuous formulas that a message about slow integration names.
const NAMED: usize = 3;

/// Up to [`NAMED`] occurrences of `sign(…)` and `if …` on which the state derivative depends, as
/// text for messages about slow integration.
pub(super) fn find_discontinuous_formulas(program: &Program) -> Vec<String> {
    let Some(function) = program.function(functions::DQDT) else { return Vec::new() };
    let graph = &program.graph;
    let nodes: Vec<NodeId> = function.outputs.iter().flat_map(|o| o.nodes.iter().copied()).collect();
    let mut texts: Vec<String> = Vec::new();
    let is_needed = mark_needed(graph, &nodes);
    for id in (0..is_needed.len()).filter(|i| is_needed[*i]).map(|i| NodeId(i as u32)) {
        let node = graph.node(id);
        let text = match (node.op, node.args()) {
            (Op::Func(Func::Sign), [x]) => format!("`sign({})`", operand_text(graph, *x)),
            (Op::Select(cmp), [a, b, ..]) => {
                format!(
                    "`if {} {} {}`",
                    operand_text(graph, *a),
                    comparison_symbol(cmp),
                    operand_text(graph, *b)
                )
            }
            _ => continue,
        };
        if texts.len() < NAMED && !texts.contains(&text) {
            texts.push(text);
        }
    }
    texts
}

/// Operand of a condition as text: a symbol, a number or a named value; `…` for any other formula.
fn operand_text(graph: &Graph, id: NodeId) -> String {
    match graph.node(id).op {
        Op::Symbol(s) => graph.symbol_info(s).name.to_string(),
        _ => match graph.constant(id) {
            Some(n) => n.to_f64().to_string(),
            None => graph.name_of(id).unwrap_or_else(|| "…".to_owned()),
        },
    }
}

/// Symbol of a comparison in messages.
fn comparison_symbol(cmp: Cmp) -> &'static str {
    match cmp {
        Cmp::Lt => "<",
        Cmp::Le => "<=",
        Cmp::Eq => "==",
    }
}

#[cfg(test)]
mod tests {
    use crate::simulate::{SimulationRequest, simulate};
    use dqdt_generate::pipeline;
    use dqdt_import::read;

    #[test]
    fn a_motion_held_by_a_formula_that_jumps_ends_with_its_name() {
        let text = r#"
            name = "slider"
            bodies.block.mass = 1
            [joints.rail]
            type = "prismatic"
            axis = "x"
            parent = "ground"
            child = "block"
            coordinates = { names = ["x"] }
            [loads.friction]
            type = "actuator"
            joint = "rail"
            effort = "1 [N]*sin(3 [rad/s]*t) - 10 [N]*sign(x_dot)"
        "#;
        let loaded = pipeline::build(&read::parse("slider.toml", text).unwrap(), "slider.toml").unwrap();
        let stopped = simulate(&loaded, &SimulationRequest::until(10.0)).unwrap().motion.stopped;
        let message = stopped.unwrap().to_string();
        assert!(message.contains("in `sign(x_dot)`"), "{message}");
        assert!(message.contains("tanh(v/e)"), "{message}");
    }
}
