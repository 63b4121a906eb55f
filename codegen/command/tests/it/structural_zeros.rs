//! No structural zero remains in M and the constraint rows of any example.
//!
//! Problem: an entry that vanishes in every pose would be factored, divided by and carried through
//!          a solve.
//! Method:  entries of the emitted functions are evaluated at random states and parameters,
//!          independently of normal forms. An entry at rounding level in all of them must be the
//!          constant zero.

use dqdt_codegen::Formalism;
use dqdt_codegen::functions::{self, Definition};
use dqdt_codegen::pipeline::{self, Assembled};
use dqdt_derivation::derive::{Request, derive};
use dqdt_diagnostics::base::Random;
use dqdt_graph::ir::{Graph, NodeId, Program, SymbolKind, evaluate};
use dqdt_mechanics::mechanism::Formulation;

const POINTS: usize = 8;

fn examples() -> Vec<Assembled> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/specs");
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    paths.retain(|p| p.extension().is_some_and(|e| e == "toml"));
    paths.sort();
    assert!(paths.len() > 20, "{}", paths.len());
    paths.iter().map(|p| pipeline::load(p).unwrap()).collect()
}

/// Value of a symbol at the random point of a seed.
fn draw_symbol(seed: u64, kind: SymbolKind) -> f64 {
    let (class, index) = match kind {
        SymbolKind::Time => (0, 0),
        SymbolKind::Parameter(i) => (1, i),
        SymbolKind::Coordinate(i) => (2, i),
        SymbolKind::Speed(i) => (3, i),
        _ => (4, 0),
    };
    let mut random = Random::new(seed ^ (class * 1_000 + index as u64));
    // Parameters are positive and of order one, and so are their products.
    if class == 1 { random.next_between(0.5, 1.5) } else { random.next_between(-1.2, 1.2) }
}

/// The largest magnitude of each node over random points.
fn largest_magnitudes(graph: &Graph, nodes: &[NodeId], random: &mut Random) -> Vec<f64> {
    let mut largest = vec![0.0f64; nodes.len()];
    for _ in 0..POINTS {
        let seed = random.next_bits();
        let values = evaluate(graph, nodes, |kind| draw_symbol(seed, kind));
        for (largest, x) in largest.iter_mut().zip(values) {
            *largest = largest.max(if x.is_nan() { f64::INFINITY } else { x.abs() });
        }
    }
    largest
}

/// Indices of output entries that vanish at all points without being the constant zero.
fn vanishing_entries(
    program: &Program,
    function: &'static Definition,
    output: &str,
    random: &mut Random,
) -> Vec<usize> {
    let outputs =
        program.functions.iter().filter(|f| f.declaration.name == function.name).flat_map(|f| &f.outputs);
    let nodes: Vec<NodeId> =
        outputs.filter(|o| o.name == output).flat_map(|o| o.nodes.iter().copied()).collect();
    let magnitudes = largest_magnitudes(&program.graph, &nodes, random);
    let vanishing = (0..nodes.len()).filter(|i| magnitudes[*i] < 1e-11);
    vanishing.filter(|i| !program.graph.constant(nodes[*i]).is_some_and(|n| n.is_zero())).collect()
}

fn check(function: &'static Definition, output: &str) {
    let mut random = Random::new(20);
    let mut left = Vec::new();
    for loaded in examples() {
        let request = Request::new(Formalism::Kane, vec![function]);
        let program = derive(&loaded, &Formulation::default(), &request);
        let entries = vanishing_entries(&program, function, output, &mut random);
        if !entries.is_empty() {
            left.push((loaded.mechanism.name.clone(), entries));
        }
    }
    assert!(left.is_empty(), "entries of {output} that vanish: {left:?}");
}

#[test]
fn no_entry_of_a_mass_matrix_vanishes_unseen() {
    check(functions::MASS_MATRIX, "mass_matrix");
}

#[test]
fn no_entry_of_the_rows_of_constraints_vanishes_unseen() {
    check(functions::VELOCITY_CONSTRAINTS, "jacobian");
}

#[test]
fn the_mass_matrix_of_the_snowboarder_is_its_closed_form() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/specs/snowboarder1.toml");
    let loaded = pipeline::load(path.as_ref()).unwrap();
    let program = pipeline::program(&loaded, &Request::all(Formalism::Kane));
    let mass = program.functions.iter().find(|f| f.declaration.name == "mass_matrix").unwrap();
    let cost = dqdt_graph::ir::count(&program, mass).call;
    assert!(cost.multiplications <= 8 && cost.additions == 0, "{cost}");
    // (m0 + m1), the first two diagonal entries in the book, does not depend on the pose.
    let group = dqdt_graph::ir::dependency_groups(&program.graph)[mass.outputs[0].nodes[0].0 as usize];
    assert_eq!(group, dqdt_graph::ir::Group::Parameter);
}
