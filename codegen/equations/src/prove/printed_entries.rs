//! Printed forms, read into the graph of the emitted functions, and pairs that must be equal.

use super::claim::{constant_converter, node_ids, nonzero_dot_product};
use crate::inspect::{self, GroupRole, Quantities};
use crate::symbolic::{Closed, Expressions, Query, record_form};
use dqdt_derivation::symbols::{self, mechanism_symbols};
use dqdt_graph::ir::{Declaration, Graph, Program, SymbolKind, Tracer};
use dqdt_mechanics::kinematics;
use dqdt_mechanics::mechanism::Mechanism;

/// Named pairs of expressions that must be equal.
#[derive(Default)]
pub(super) struct Pairs<'g> {
    /// Printed side of each pair.
    pub left: Vec<Tracer<'g>>,
    /// Side of each pair that the emitted functions compute.
    pub right: Vec<Tracer<'g>>,
    /// Description of each pair, for the verdicts.
    pub entries: Vec<String>,
}

impl<'g> Pairs<'g> {
    /// Adds a pair, unless a part of it is not printed.
    pub fn add_pair(&mut self, name: String, sides: Option<(Tracer<'g>, Tracer<'g>)>) {
        let Some((left, right)) = sides else { return };
        self.left.push(left);
        self.right.push(right);
        self.entries.push(name);
    }

    /// The query that proves all pairs equal.
    pub fn equality_query(&self, graph: &Graph) -> Query {
        Query::ProveEqual {
            left: Expressions::new(graph, &node_ids(graph, &self.left)),
            right: Expressions::new(graph, &node_ids(graph, &self.right)),
        }
    }
}

/// Values of one output of a function of the program, by its position.
pub(super) fn output_values<'g>(program: &'g Program, kind: &Declaration, output: usize) -> Vec<Tracer<'g>> {
    let function = program.function(kind);
    let nodes = function.and_then(|f| f.outputs.get(output)).map(|o| o.nodes.clone());
    nodes.unwrap_or_default().into_iter().map(|n| Tracer::new(&program.graph, n)).collect()
}

/// All outputs of a function of the program.
pub(super) fn all_output_values<'g>(program: &'g Program, kind: &Declaration) -> Vec<Tracer<'g>> {
    let outputs = program.functions.iter().filter(|f| f.is(kind)).flat_map(|f| &f.outputs);
    outputs.flat_map(|o| &o.nodes).map(|n| Tracer::new(&program.graph, *n)).collect()
}

/// Reads printed forms into the graph of the emitted functions.
pub(super) struct FormReader<'a, 'g> {
    /// Printed quantities of the report.
    pub q: &'a Quantities,
    /// Expressions that define symbols and function tables of the forms.
    pub expressions: &'a Expressions,
    /// Closed form of each printed entry; `None` for an entry without one.
    pub forms: &'a [Option<Closed>],
    /// Graph of the emitted functions, into which forms are read.
    pub graph: &'g Graph,
    /// Values of the report's names, as returned by [`report_name_values`].
    pub named: Vec<(SymbolKind, Tracer<'g>)>,
}

/// Values of derived parameters, limited inputs, lengths and named formulas, as nodes of the graph.
pub(super) fn report_name_values<'g>(graph: &'g Graph, m: &Mechanism) -> Vec<(SymbolKind, Tracer<'g>)> {
    let number = constant_converter(graph);
    let symbols = mechanism_symbols(graph, m);
    let saturated = kinematics::saturate_inputs(m, &symbols.as_environment(&number));
    let free = symbols::free_parameter_names(m).len();
    let parameters = symbols::derived_parameters(m).into_iter().enumerate();
    let parameters = parameters.map(|(k, i)| (SymbolKind::Parameter(free + k), symbols.p[i]));
    let limited = saturated.iter().copied().enumerate().filter(|(i, _)| m.inputs[*i].limits.is_some());
    let env = symbols.as_environment(&number);
    let lengths = inspect::load_lengths(m, &kinematics::kinematics(m, &env), &env);
    let formulas = inspect::named_formula_values(m, &symbols.environment_with_inputs(&number, &saturated));
    let limited = limited.map(|(i, u)| (SymbolKind::Input(m.inputs.len() + i), u));
    parameters.chain(limited).chain(lengths).chain(formulas).collect()
}

impl<'g> FormReader<'_, 'g> {
    /// Value of a name of the report; a symbol of the graph for all other names.
    fn name_value(&self, kind: SymbolKind, name: &str) -> Tracer<'g> {
        let value = self.named.iter().find(|named| named.0 == kind).map(|named| named.1);
        value.unwrap_or_else(|| Tracer::new(self.graph, self.graph.symbol(name, kind)))
    }

    /// Printed entries of the groups with a role. `known` gives values of symbols; the others
    /// remain symbols.
    pub fn read_entries(
        &self,
        role: GroupRole,
        known: &dyn Fn(SymbolKind) -> Option<Tracer<'g>>,
    ) -> Vec<Option<Tracer<'g>>> {
        let mut at = 0;
        let mut out = Vec::new();
        for group in &self.q.groups {
            let places = at..at + group.nodes.len();
            at = places.end;
            if group.role == role {
                let forms = self.forms.get(places).unwrap_or_default().iter();
                out.extend(forms.map(|form| {
                    record_form(form.as_ref()?, self.graph, self.expressions, &|kind, name| {
                        known(kind).unwrap_or_else(|| self.name_value(kind, name))
                    })
                }));
            }
        }
        out
    }
}

/// The sum `Σ aᵢ bᵢ` of printed entries; `None` if one is missing.
pub(super) fn printed_dot_product<'g>(a: &[Option<Tracer<'g>>], b: &[Tracer<'g>]) -> Option<Tracer<'g>> {
    let a: Vec<Tracer<'g>> = a.iter().copied().collect::<Option<_>>()?;
    Some(nonzero_dot_product(&a, b))
}

/// The printed entry with this index; `None` if it is not printed.
pub(super) fn printed_entry<'g>(entries: &[Option<Tracer<'g>>], i: usize) -> Option<Tracer<'g>> {
    entries.get(i).copied().flatten()
}

/// A matrix column: entries `from`, `from + step`, ….
pub(super) fn printed_column<'g>(
    entries: &[Option<Tracer<'g>>],
    from: usize,
    step: usize,
) -> Vec<Option<Tracer<'g>>> {
    entries.iter().skip(from).step_by(step.max(1)).copied().collect()
}
