//! Growth of operations with the number of bodies: linear for the recursive and sparse formalisms,
//! with the sparsity of the tree for the others.

use std::path::Path;

use crate::build::{attach, axis, chain, empty, origin, ratio, rigid, state, zero};
use crate::common::implicit;
use dqdt_algebra::{Number, TreeFactors};
use dqdt_codegen::functions;
use dqdt_codegen::pipeline::{self, FormalismChoice};
use dqdt_codegen::read::Settings;
use dqdt_derivation::symbols::mechanism_symbols;
use dqdt_graph::ir::{Graph, NodeId, Operations, SymbolKind, Tracer, count_nodes};
use dqdt_mechanics::formalism::{Formalism, solve_forward_dynamics};
use dqdt_mechanics::kinematics::{elimination_tree, speeds_parents_first};
use dqdt_mechanics::mechanism::joint::Revolute;
use dqdt_mechanics::mechanism::{BodyId, Mechanism, SpeedId};

/// Number of operations of the accelerations of a tree.
fn operations(m: &Mechanism, f: Formalism) -> Operations {
    let graph = Graph::new();
    let number = |n: Number| Tracer::number(&graph, n);
    let symbols = mechanism_symbols(&graph, m);
    let env = symbols.as_environment(&number);
    let roots: Vec<NodeId> =
        solve_forward_dynamics(f, m, &env).accelerations.iter().map(|x| x.id(&graph)).collect();
    count_nodes(&graph, &roots)
}

fn split(o: Operations) -> [i64; 4] {
    [o.multiplications, o.additions, o.divisions, o.sin_cos].map(i64::from)
}

/// A chain of `n` rods with skew joint axes, so that the motion is not planar.
fn spatial_chain(n: i64) -> Mechanism {
    let mut m = chain(n);
    for (i, joint) in m.joints.iter_mut().enumerate() {
        joint.kind = Revolute([axis(1, 2, 2), axis(0, 3, 4), axis(1, 0, 0)][i % 3]).into();
    }
    m
}

fn choose_for_chain(n: i64) -> Formalism {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/specs/families/chain.toml");
    let settings = Settings::new().set("n", n);
    let loaded = pipeline::load_with(Path::new(file), &settings).expect("a good spec");
    pipeline::choose(&loaded, FormalismChoice::BySize, &functions::defaults()).unwrap()
}

#[test]
fn without_a_name_a_long_chain_is_derived_by_a_cheap_form_and_a_short_one_by_kane() {
    assert_eq!(choose_for_chain(3), Formalism::Kane);
    assert_eq!(choose_for_chain(50), Formalism::Mixed);
}

#[test]
fn articulated_body_and_the_sparse_systems_grow_linearly() {
    for f in [Formalism::ArticulatedBody, Formalism::Extended, Formalism::LagrangeFirst] {
        let [a, b, c] = [100, 200, 300].map(|n| split(operations(&chain(n), f)));
        println!("{}: {a:?}, {b:?}, {c:?}", f.name());
        for i in 0..4 {
            assert_eq!(c[i] - 2 * b[i] + a[i], 0, "{}: {a:?}, {b:?}, {c:?}", f.name());
        }
        let [a, b, c] = [30, 60, 90].map(|n| split(operations(&spatial_chain(n), f)));
        println!("{}, in space: {a:?}, {b:?}, {c:?}", f.name());
        for i in 0..4 {
            assert_eq!(c[i] - 2 * b[i] + a[i], 0, "{}, in space: {a:?}, {b:?}, {c:?}", f.name());
        }
    }
}

fn count_for_chain(f: Formalism) -> u32 {
    operations(&chain(50), f).total()
}

#[test]
fn a_chain_of_fifty_rods_by_each_form() {
    for f in Formalism::ALL.into_iter().filter(|f| *f != Formalism::Lagrange && *f != Formalism::Direct) {
        let start = std::time::Instant::now();
        let o = operations(&chain(50), f);
        println!("{:18} {:7} {o}; {:.2} s", f.name(), o.total(), start.elapsed().as_secs_f64());
    }
    assert!(count_for_chain(Formalism::ArticulatedBody) < count_for_chain(Formalism::CompositeBody));
    assert!(count_for_chain(Formalism::CompositeBody) <= count_for_chain(Formalism::Kane));
}

/// A binary tree of `n` bodies with hinges about skew axes.
fn binary_tree(n: usize) -> Mechanism {
    let mut m = empty([zero(), zero(), ratio(-981, 100)]);
    for i in 0..n {
        let body = rigid(
            ratio(1, 1),
            [ratio(1, 2), ratio(1, 5), zero()],
            [ratio(1, 10), ratio(1, 5), ratio(1, 4), zero(), zero(), zero()],
        );
        let kind = Revolute([axis(1, 2, 2), axis(0, 3, 4), axis(2, -1, 2)][i % 3]).into();
        let parent = i.checked_sub(1).map(|p| BodyId(p / 2));
        let side = if i % 2 == 0 { ratio(1, 3) } else { ratio(-1, 3) };
        attach(&mut m, body, kind, parent, [ratio(1, 1), side, zero()], origin());
    }
    m
}

#[test]
fn composite_body_keeps_the_sparsity_of_the_binary_tree() {
    let n = 255;
    let m = binary_tree(n);
    let q: Vec<f64> = (0..n).map(|i| (0.7 * i as f64).sin()).collect();
    let mass = implicit(Formalism::CompositeBody, &state(m.clone(), 0.0, q.clone(), q, vec![])).mass;
    let nonzeros = (0..n).map(|i| (0..=i).filter(|j| mass[i][*j] != 0.0).count()).sum::<usize>();
    assert_eq!(nonzeros, 1793);

    // The LᵀDL factorisation with one symbol per entry of M.
    let graph = Graph::new();
    let parents = elimination_tree(&m);
    assert!(speeds_parents_first(&m).into_iter().eq(m.speed_ids()));
    let parents: Vec<Option<usize>> = parents.into_iter().map(|p| p.map(SpeedId::index)).collect();
    let factors = TreeFactors::new(&parents, |i: usize, j: usize| {
        let name = format!("m_{i}_{j}");
        Tracer::new(&graph, graph.symbol(&name, SymbolKind::Auxiliary(i * n + j)))
    });
    let entries = factors.lower.iter().flatten().chain(&factors.pivots);
    let roots: Vec<NodeId> = entries.map(|x| x.id(&graph)).collect();
    let o = count_nodes(&graph, &roots);
    println!("LᵀDL of 255 bodies: {o}");
    let updates: usize = factors.ancestors.iter().map(|a| a.len() * (a.len() + 1) / 2).sum();
    assert_eq!(o.additions as usize, updates);
    assert!((5000..6200).contains(&o.additions), "{o}");
}
