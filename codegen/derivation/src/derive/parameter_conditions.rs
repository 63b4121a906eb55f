//! Validity conditions on parameters, as a separate program: no pass changes it, and the model
//! stores none of its values.

use super::layout::vector_layout;
use crate::symbols::mechanism_symbols;
use dqdt_graph::ir::declaration::{Declaration, EntryNames, Returns, Solves};
use dqdt_graph::ir::{
    Condition, Evaluation, Function, FunctionOutput, Graph, ParameterChecks, Program, Tracer,
};
use dqdt_mechanics::mechanism::{self, Mechanism, Rule};

/// Declaration of the function whose values are tested. It is not emitted as a function of its own.
static VALUES: Declaration = Declaration {
    name: "values",
    summary: "Values that the conditions on the parameters check.",
    constraints: None,
    arguments: &[],
    returns: Returns::Struct { name: "Values", about: "Values that the conditions on the parameters check." },
    entries: EntryNames::Numbered,
    solves: Solves::Nothing,
    checked: false,
    role: None,
    by_default: false,
    in_eval: false,
};

/// Validity conditions of a mechanism, recorded in a graph; `None` if no free parameter has a
/// condition.
pub fn record_parameter_checks(m: &Mechanism) -> Option<ParameterChecks> {
    let requirements = mechanism::collect_requirements(m);
    if requirements.is_empty() {
        return None;
    }
    let graph = Graph::new();
    let nodes: Vec<_> = {
        let symbols = mechanism_symbols(&graph, m);
        requirements
            .iter()
            .map(|r| {
                let value = r.formula.eval(&symbols.as_environment(&|n| Tracer::number(&graph, n)));
                value.id(&graph)
            })
            .collect()
    };
    let outputs = (nodes.into_iter().enumerate())
        .map(|(i, node)| FunctionOutput::scalar(format!("value_{i}"), "", "", node))
        .collect();
    let conditions = requirements.into_iter().map(|r| {
        let condition = match r.rule {
            Rule::Finite => Condition::Finite,
            Rule::NotNegative => Condition::NotNegative,
            Rule::Positive => Condition::Positive,
        };
        (r.fault, condition)
    });
    let values = Program {
        name: m.name.clone(),
        description: String::new(),
        spec: String::new(),
        spec_hash: String::new(),
        formalism: String::new(),
        layout: vector_layout(m),
        graph,
        functions: vec![Function { declaration: &VALUES, outputs, parts: Vec::new(), checks: Vec::new() }],
        parameter_checks: None,
        evaluation: Evaluation::default(),
    };
    Some(ParameterChecks { conditions: conditions.collect(), values })
}
