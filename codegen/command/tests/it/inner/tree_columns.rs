//! Inverses of tree-structured matrices ([`TreeColumns`]): values and recorded operations.

use dqdt_algebra::{Scalar, TreeColumns, TreeFactors};
use dqdt_diagnostics::base::Random;
use dqdt_graph::ir::{Graph, SymbolKind, Tracer, count_nodes};

/// A random tree (parent indices), and a positive definite matrix with non-zero entries only
/// between ancestors and descendants.
fn system(random: &mut Random, n: usize) -> (Vec<Option<usize>>, Vec<Vec<f64>>) {
    let parent: Vec<Option<usize>> =
        (0..n).map(|i| Some(random.next_below(i + 1)).filter(|p| *p < i)).collect();
    let mut m = vec![vec![0.0; n]; n];
    for i in 0..n {
        let path: Vec<usize> = std::iter::successors(Some(i), |j| parent[*j]).collect();
        let w: Vec<f64> = path.iter().map(|_| random.next_between(-0.5, 0.5)).collect();
        for (a, wa) in path.iter().zip(&w) {
            for (b, wb) in path.iter().zip(&w) {
                m[*a][*b] += wa * wb;
            }
        }
        m[i][i] += 0.2;
    }
    (parent, m)
}

#[test]
fn sides_with_few_entries_and_the_inverse_fulfil_the_dense_system() {
    let mut random = Random::new(11);
    for n in (1..24).flat_map(|n| [n; 3]) {
        let (parent, m) = system(&mut random, n);
        let factors = TreeFactors::new(&parent, |i, j| m[i][j]);
        let mut columns = TreeColumns::new(&factors);
        let inverse = columns.inverse();
        for k in 0..n {
            let mut b = vec![0.0; n];
            b[k] = 1.0;
            b[random.next_below(n)] += 0.5;
            let x = columns.solve(&b);
            for i in 0..n {
                let row = |x: &dyn Fn(usize) -> f64| (0..n).map(|j| m[i][j] * x(j)).sum::<f64>();
                assert!((row(&|j| x[j]) - b[i]).abs() < 1e-11, "{n}: {i}, {k}");
                let unit = f64::from(u8::from(i == k));
                assert!((row(&|j| inverse[j][k]) - unit).abs() < 1e-11, "{n}: inverse {i}, {k}");
                assert_eq!(inverse[i][k], inverse[k][i]);
            }
        }
    }
}

/// Operation counts of the inverse by columns and by [`TreeColumns::inverse`].
fn operations(parent: &[Option<usize>]) -> [u32; 2] {
    let g = Graph::new();
    let n = parent.len();
    let factors = TreeFactors::new(parent, |i, j| {
        let k = i * n + j;
        Tracer::new(&g, g.symbol(&format!("s{k}"), SymbolKind::Auxiliary(k)))
    });
    let by_columns: Vec<_> = (0..n)
        .flat_map(|k| {
            factors
                .solve(&(0..n).map(|i| if i == k { Tracer::ONE } else { Tracer::ZERO }).collect::<Vec<_>>())
        })
        .collect();
    let inverse: Vec<_> = TreeColumns::new(&factors).inverse().concat();
    [by_columns, inverse].map(|all| {
        let roots: Vec<_> = all.iter().map(|x| x.id(&g)).collect();
        count_nodes(&g, &roots).total()
    })
}

#[test]
fn the_inverse_takes_less_than_its_columns() {
    let chain: Vec<Option<usize>> = (0..12).map(|i: usize| i.checked_sub(1)).collect();
    let limbs: Vec<Option<usize>> = (0..30)
        .map(|i: usize| if i > 6 && i.is_multiple_of(6) { Some(5) } else { i.checked_sub(1) })
        .collect();
    for parent in [chain, limbs] {
        let [by_columns, inverse] = operations(&parent);
        assert!(3 * inverse < 2 * by_columns, "{inverse} of {by_columns}");
    }
}
