//! Factorisation of tree-structured matrices ([`TreeFactors`]): values and recorded operations.

use dqdt_algebra::solve_tree_system;
use dqdt_diagnostics::base::Random;
use dqdt_graph::ir::{Graph, SymbolKind, Tracer, count_nodes};

/// Ancestors of each node, nearest first. A parent index not below the child's is ignored.
fn ancestors(parent: &[Option<usize>]) -> Vec<Vec<usize>> {
    let mut lists: Vec<Vec<usize>> = Vec::with_capacity(parent.len());
    for (i, p) in parent.iter().enumerate() {
        let mut list = Vec::new();
        if let Some(p) = p.filter(|p| *p < i) {
            list.push(p);
            list.extend_from_slice(&lists[p]);
        }
        lists.push(list);
    }
    lists
}

/// A random positive definite matrix with the sparsity of the tree: a sum over paths to the root,
/// as composite inertias give.
fn matrix(parent: &[Option<usize>], random: &mut Random) -> Vec<Vec<f64>> {
    let n = parent.len();
    let mut m = vec![vec![0.0; n]; n];
    let lists = ancestors(parent);
    for i in 0..n {
        let mut path = vec![i];
        path.extend(&lists[i]);
        for _ in 0..3 {
            let w: Vec<f64> = path.iter().map(|_| random.next_between(-0.5, 0.5)).collect();
            for (a, wa) in path.iter().zip(&w) {
                for (b, wb) in path.iter().zip(&w) {
                    m[*a][*b] += wa * wb;
                }
            }
        }
        m[i][i] += 0.1;
    }
    m
}

#[test]
fn solutions_fulfil_the_dense_system_on_random_trees() {
    let mut random = Random::new(7);
    for n in 1..24 {
        let parent: Vec<Option<usize>> = (0..n)
            .map(|i| {
                let p = random.next_below(i + 1);
                (p < i).then_some(p)
            })
            .collect();
        let m = matrix(&parent, &mut random);
        let b: Vec<f64> = (0..n).map(|_| random.next_between(-0.5, 0.5)).collect();
        let (x, pivots) = solve_tree_system(&parent, |i, j| m[i][j], &b);
        assert!(pivots.iter().all(|d| *d > 0.0));
        for i in 0..n {
            let left: f64 = (0..n).map(|j| m[i][j] * x[j]).sum();
            assert!((left - b[i]).abs() < 1e-11, "{n}: row {i}: {left} against {}", b[i]);
        }
    }
}

fn operations(parent: &[Option<usize>]) -> [u32; 3] {
    let g = Graph::new();
    let mut next = 0;
    let mut symbol = || {
        next += 1;
        Tracer::new(&g, g.symbol(&format!("s{next}"), SymbolKind::Auxiliary(next)))
    };
    let n = parent.len();
    let m: Vec<Vec<_>> = (0..n).map(|_| (0..n).map(|_| symbol()).collect()).collect();
    let b: Vec<_> = (0..n).map(|_| symbol()).collect();
    let (x, _) = solve_tree_system(parent, |i, j| m[i][j], &b);
    let roots: Vec<_> = x.iter().map(|x| x.id(&g)).collect();
    let c = count_nodes(&g, &roots);
    [c.multiplications, c.additions, c.divisions]
}

fn formula_of_costs(parent: &[Option<usize>]) -> [u32; 3] {
    let d: Vec<usize> = ancestors(parent).iter().map(Vec::len).collect();
    let sum_over_depths = |f: &dyn Fn(usize) -> usize| d.iter().map(|depth| f(*depth)).sum::<usize>() as u32;
    let n = d.len() as u32;
    [sum_over_depths(&|d| d * (d + 3) / 2 + 2 * d) + n, sum_over_depths(&|d| d * (d + 1) / 2 + 2 * d), n]
}

#[test]
fn costs_are_those_of_the_header() {
    let chain: Vec<Option<usize>> = (0..15).map(|i: usize| i.checked_sub(1)).collect();
    let tree: Vec<Option<usize>> = (0..15).map(|i: usize| i.checked_sub(1).map(|p| p / 2)).collect();
    assert_eq!(operations(&chain), formula_of_costs(&chain));
    assert_eq!(operations(&tree), formula_of_costs(&tree));
    assert_eq!(operations(&chain), [890, 770, 15]);
    assert_eq!(operations(&tree), [179, 130, 15]);
}
