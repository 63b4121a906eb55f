//! Code emitted for small mechanisms has no more operations than the equations printed by `inspect`
//! after common subexpression elimination; otherwise one would copy the report.

use std::path::{Path, PathBuf};

use dqdt_algebra::Scalar;
use dqdt_codegen::Formalism;
use dqdt_codegen::functions::{self, Definition};
use dqdt_codegen::pipeline::{self, Assembled, FormalismChoice, Request};
use dqdt_equations::inspect::{self, GroupRole};
use dqdt_equations::symbolic::{Assumptions, Expressions, closed_forms, record_form};
use dqdt_graph::ir::{Graph, NodeId, Operations, SymbolKind, Tracer, count};

/// Exceptions (mechanism, function) in which the emitted code has more operations, if the sine and
/// cosine of an angle count as one. The printed gravity of the double pendulum has
/// `m2 g l2 sin(phi1 + phi2)` as a term of both rows, that of the swing the sine and cosine of such
/// a sum: a third angle, whose sine costs more than the one operation that the emitted form adds.
/// An obsolete entry fails.
const MORE: [(&str, &str); 2] = [("double_pendulum", "bias"), ("swing", "bias")];

/// Least cost of the sine and cosine of an angle: products and sums of the two polynomials of the
/// runtime, six coefficients each.
const PAIR: u32 = 24;

/// Largest number of speeds of a small mechanism.
const SMALL: usize = 5;

/// Two totals of operations: with a pair of sine and cosine as one operation, and as
/// [`PAIR`] operations.
fn both_totals(all: &Operations) -> [u32; 2] {
    [all.total(), all.total() + (PAIR - 1) * all.sin_cos]
}

/// Operation totals of the printed forms of some groups. `entries` combines the values of the
/// groups into the entries to count. `None` if a value has no closed form.
fn count_printed<'g>(
    loaded: &Assembled,
    graph: &'g Graph,
    roles: &[GroupRole],
    entries: impl Fn(&[Vec<Tracer<'g>>]) -> Vec<Tracer<'g>>,
) -> Option<[u32; 2]> {
    let m = &loaded.mechanism;
    let q = inspect::record_quantities_with_names(loaded, Formalism::Kane);
    let groups: Vec<&[NodeId]> = roles
        .iter()
        .map(|role| q.groups.iter().find(|g| g.role == *role).map_or(&[][..], |g| &g.nodes[..]))
        .collect();
    let expressions = Expressions::new(&q.graph, &groups.concat());
    let assumptions = Assumptions { limit: inspect::LIMIT, ..inspect::engine_assumptions(m) };
    let forms = closed_forms(&expressions, &assumptions).unwrap();
    let mut values = forms.iter().map(|f| {
        record_form(f.closed_form()?, graph, &expressions, &|kind, name| match kind {
            // The bias is defined without inputs.
            SymbolKind::Input(_) => Tracer::ZERO,
            _ => Tracer::new(graph, graph.symbol(name, kind)),
        })
    });
    let mut values_of_groups = Vec::new();
    for group in groups {
        values_of_groups.push(values.by_ref().take(group.len()).collect::<Option<Vec<_>>>()?);
    }
    let roots: Vec<NodeId> = entries(&values_of_groups).iter().map(|x| x.id(graph)).collect();
    Some(both_totals(&count::count_operations(graph, &roots).call))
}

fn count_emitted(loaded: &Assembled, function: &'static Definition) -> [u32; 2] {
    let formalism = pipeline::choose(loaded, FormalismChoice::BySize, &[function]).unwrap();
    let program = pipeline::program(loaded, &Request::new(formalism, vec![function]));
    both_totals(&count::count(&program, &program.functions[0]).call)
}

fn specs() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/specs");
    let mut specs: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    specs.retain(|p| p.extension().is_some_and(|e| e == "toml"));
    specs.sort();
    specs
}

fn entry_or_zero<'g>(x: &[Tracer<'g>], i: usize) -> Tracer<'g> {
    x.get(i).copied().unwrap_or(Tracer::ZERO)
}

#[test]
fn small_mechanisms_take_at_most_the_operations_of_their_printed_forms() {
    let (mut more, mut compared) = (Vec::new(), 0);
    for path in specs() {
        let loaded = pipeline::load(&path).unwrap();
        let name = loaded.mechanism.name.as_str();
        if loaded.mechanism.nv() > SMALL {
            continue;
        }
        let graph = Graph::new();
        let mass = count_printed(&loaded, &graph, &[GroupRole::Mass], |groups| groups[0].clone());
        let graph = Graph::new();
        let bias = count_printed(&loaded, &graph, &[GroupRole::Inertial, GroupRole::Applied], |groups| {
            // A group whose entries are all zero may be missing.
            let (inertial, applied) = (&groups[0], &groups[1]);
            (0..inertial.len().max(applied.len()))
                .map(|i| entry_or_zero(inertial, i) - entry_or_zero(applied, i))
                .collect()
        });
        for (function, limit) in [(functions::MASS_MATRIX, mass), (functions::BIAS, bias)] {
            let Some(limit) = limit else {
                println!("{name} {}: no closed form", function.name);
                continue;
            };
            let emitted = count_emitted(&loaded, function);
            println!("{name} {}: emitted {emitted:?}, printed {limit:?}", function.name);
            compared += 1;
            assert!(emitted[1] <= limit[1], "{name} {}: {emitted:?}, {limit:?}", function.name);
            if emitted[0] > limit[0] {
                more.push((name.to_owned(), function.name.to_owned()));
            }
        }
    }
    assert!(compared >= 20, "only {compared} were compared");
    let known: Vec<_> = MORE.iter().map(|(m, f)| ((*m).to_owned(), (*f).to_owned())).collect();
    assert_eq!(more, known, "more operations than the printed form");
}
