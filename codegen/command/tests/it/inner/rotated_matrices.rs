//! Rotated matrices `R X Rᵀ`: `Mat3::turned` and `Mat3::turned_symmetric` against matrix products.

use dqdt_algebra::{Axis, Mat3, Scalar, Vec3, symmetric_matrix};
use dqdt_graph::ir::{Graph, NodeId, SymbolKind, Tracer, evaluate};

/// A rotation by `times` quarter turns about an axis, with literal entries, so that structural
/// zeros are known.
fn quarters<'g>(axis: Axis, times: usize) -> Mat3<Tracer<'g>> {
    let (o, l) = (Tracer::ZERO, Tracer::ONE);
    let once = Mat3(match axis {
        Axis::X => [[l, o, o], [o, o, -l], [o, l, o]],
        Axis::Y => [[o, o, l], [o, l, o], [-l, o, o]],
        Axis::Z => [[o, -l, o], [l, o, o], [o, o, l]],
    });
    (0..times).fold(Mat3::identity(), |all, _| all.mul(&once))
}

#[test]
fn about_every_axis_and_its_permutations_it_is_the_product_of_matrices() {
    let graph = Graph::new();
    let symbol = |i: usize| Tracer::new(&graph, graph.symbol(&format!("x{i}"), SymbolKind::Coordinate(i)));
    let any = Mat3([0, 3, 6].map(|i| [i, i + 1, i + 2].map(symbol)));
    let same = symmetric_matrix(|i, j| any.0[i][j]);
    let axes = [Axis::X, Axis::Y, Axis::Z];
    let mut pairs: Vec<(Tracer<'_>, Tracer<'_>)> = Vec::new();
    for axis in axes {
        for (first, last) in axes.iter().flat_map(|a| axes.map(|b| (*a, b))) {
            for (k, l) in (0..4).flat_map(|k| (0..4).map(move |l| (k, l))) {
                let about = Mat3::rotation_about_axis(axis, symbol(9));
                let r = quarters(first, k).mul(&about).mul(&quarters(last, l));
                assert!(r.detect_plane_rotation().is_some());
                for (x, y) in [(any, r.rotate_tensor(&any)), (same, r.rotate_symmetric_tensor(&same))] {
                    let expected = r.mul(&x).mul(&r.transpose());
                    pairs.extend(y.0.into_iter().flatten().zip(expected.0.into_iter().flatten()));
                }
            }
        }
    }
    let ids: Vec<NodeId> = pairs.iter().flat_map(|(a, b)| [a.id(&graph), b.id(&graph)]).collect();
    for x in evaluate(&graph, &ids, |kind| (1.0 + 1.7 * kind.place().1 as f64).sin()).chunks_exact(2) {
        assert!((x[0] - x[1]).abs() < 1e-14, "{x:?}");
    }
}

#[test]
fn any_other_rotation_is_two_products() {
    let x = Mat3([[1.3, -0.2, 0.7], [-0.2, 2.1, -1.1], [0.7, -1.1, 0.8]]);
    let r = Mat3::rotation_about_vector(Vec3([0.6, 0.0, 0.8]), 0.7);
    let expected = r.mul(&x).mul(&r.transpose());
    for y in [r.rotate_tensor(&x), r.rotate_symmetric_tensor(&x)] {
        for (a, b) in y.0.iter().flatten().zip(expected.0.iter().flatten()) {
            assert!((a - b).abs() < 1e-14, "{y:?} against {expected:?}");
        }
    }
}
