//! Tensors in other axes: `R X Rᵀ`.
//!
//! Problem: an inertia in the axes of the parent. Nearly every joint turns about a coordinate axis.
//! Method:  about an axis `R` is a rotation in a plane with sine s and cosine c. There the sum and the difference
//!          `xx + yy`, `xy − yx` stay, and `(xx − yy, xy + yx)` turns by twice the angle: with
//!          `p = s (xx − yy) + c (xy + yx)` the entries are `xx − s p`, `c p − yx`, `c p − xy`, `yy + s p`, which is 4 products.
//!          Any other rotation is two products of matrices.
//! Frames:  `R` maps components to the new axes.
//! Cost:    8 products of a symmetric X about an axis, 12 of any.

use super::{Mat3, Scalar, Vec3};

/// A symmetric matrix from its entries on and above the diagonal.
pub(super) fn symmetric<S: Scalar>(entry: impl Fn(usize, usize) -> S) -> Mat3<S> {
    let pairs = [(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)];
    let [a, b, c, d, e, f] = pairs.map(|(i, j)| entry(i, j));
    Mat3([[a, b, c], [b, d, e], [c, e, f]])
}

/// A rotation about a coordinate axis: which old axis becomes which new one, with its sign, and the others.
struct Plane<S> {
    old: [usize; 3],
    new: [usize; 3],
    sign: S,
    sine: S,
    cosine: S,
    /// The sign of the second new axis of the plane.
    second: S,
}

impl<S: Scalar> Mat3<S> {
    /// The axis is known by its structure: its row and column have one entry each.
    fn plane(&self) -> Option<Plane<S>> {
        let r = &self.0;
        for new in 0..3 {
            for old in 0..3 {
                let alone =
                    (0..3).all(|i| (i == old || r[new][i].is_zero()) && (i == new || r[i][old].is_zero()));
                if alone {
                    let others = |k: usize| [(k + 1) % 3, (k + 2) % 3];
                    let ([x, y], [u, v]) = (others(old), others(new));
                    // Both planes have the order of their axes: the block turns or, with the sign −1, it mirrors.
                    let sign = r[new][old];
                    return Some(Plane {
                        old: [x, y, old],
                        new: [u, v, new],
                        sign,
                        sine: -r[u][y],
                        cosine: r[u][x],
                        second: sign,
                    });
                }
            }
        }
        None
    }

    /// `R X Rᵀ`
    pub fn turned(&self, x: &Self) -> Self {
        let Some(plane) = self.plane() else { return self.mul(x).mul(&self.transpose()) };
        plane.turned(self, x, false)
    }

    /// `R X Rᵀ` of a symmetric X.
    pub fn turned_symmetric(&self, x: &Self) -> Self {
        let Some(plane) = self.plane() else {
            let half = self.mul(x);
            return symmetric(|i, j| half.row(i).dot(self.row(j)));
        };
        plane.turned(self, x, true)
    }
}

impl<S: Scalar> Plane<S> {
    fn turned(&self, rotation: &Mat3<S>, x: &Mat3<S>, symmetric: bool) -> Mat3<S> {
        let ([a, b, k], [u, v, n]) = (self.old, self.new);
        let x = &x.0;
        let (s, c) = (self.sine, self.cosine);
        let p = s * (x[a][a] - x[b][b]) + c * (x[a][b] + x[b][a]);
        let mut y = [[S::ZERO; 3]; 3];
        let sp = s * p;
        y[u][u] = x[a][a] - sp;
        y[v][v] = x[b][b] + sp;
        y[u][v] = self.second * (c * p - x[b][a]);
        y[v][u] = if symmetric { y[u][v] } else { self.second * (c * p - x[a][b]) };
        // The column and the row of the axis turn as vectors.
        let vector = |p: S, q: S| {
            let mut w = [S::ZERO; 3];
            (w[a], w[b]) = (p, q);
            rotation.apply(Vec3(w))
        };
        let column = vector(x[a][k], x[b][k]);
        let row = if symmetric { column } else { vector(x[k][a], x[k][b]) };
        for i in [u, v] {
            y[i][n] = self.sign * column[i];
            y[n][i] = self.sign * row[i];
        }
        y[n][n] = x[k][k];
        Mat3(y)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Axis;
    use dqdt_graph::ir::{Graph, NodeId, SymbolKind, Tracer, evaluate};

    /// A quarter turn about an axis, so many times, in literals: structure can be seen in these.
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
        let symbol =
            |i: usize| Tracer::new(&graph, graph.symbol(&format!("x{i}"), SymbolKind::Coordinate(i)));
        let any = Mat3([0, 3, 6].map(|i| [i, i + 1, i + 2].map(symbol)));
        let same = symmetric(|i, j| any.0[i][j]);
        let axes = [Axis::X, Axis::Y, Axis::Z];
        let mut pairs: Vec<(Tracer<'_>, Tracer<'_>)> = Vec::new();
        for axis in axes {
            for (first, last) in axes.iter().flat_map(|a| axes.map(|b| (*a, b))) {
                for (k, l) in (0..4).flat_map(|k| (0..4).map(move |l| (k, l))) {
                    let about = Mat3::about(axis, symbol(9));
                    let r = quarters(first, k).mul(&about).mul(&quarters(last, l));
                    assert!(r.plane().is_some());
                    for (x, y) in [(any, r.turned(&any)), (same, r.turned_symmetric(&same))] {
                        let expected = r.mul(&x).mul(&r.transpose());
                        pairs.extend(y.0.into_iter().flatten().zip(expected.0.into_iter().flatten()));
                    }
                }
            }
        }
        let ids: Vec<NodeId> = pairs.iter().flat_map(|(a, b)| [a.id(&graph), b.id(&graph)]).collect();
        let leaf = |kind: SymbolKind| (1.0 + 1.7 * kind.place().1 as f64).sin();
        for x in evaluate(&graph, &ids, leaf).chunks_exact(2) {
            assert!((x[0] - x[1]).abs() < 1e-14, "{x:?}");
        }
    }

    #[test]
    fn any_other_rotation_is_two_products() {
        let x = Mat3([[1.3, -0.2, 0.7], [-0.2, 2.1, -1.1], [0.7, -1.1, 0.8]]);
        let r = Mat3::about_vector(Vec3([0.6, 0.0, 0.8]), 0.7);
        let expected = r.mul(&x).mul(&r.transpose());
        for y in [r.turned(&x), r.turned_symmetric(&x)] {
            for (a, b) in y.0.iter().flatten().zip(expected.0.iter().flatten()) {
                assert!((a - b).abs() < 1e-14, "{y:?} against {expected:?}");
            }
        }
    }
}
