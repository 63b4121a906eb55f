//! Transforms tensors to other axes: `R X Rᵀ`.
//!
//! Problem: the inertia of a body in the axes of its parent. Nearly every joint rotates about a
//!          coordinate axis.
//! Method:  about a coordinate axis `R` is a rotation in a plane with sine s and cosine c. There
//!          `xx + yy` and `xy − yx` are invariant, and `(xx − yy, xy + yx)` rotates by twice the
//!          angle: with `p = s (xx − yy) + c (xy + yx)` the entries are `xx − s p`, `c p − yx`,
//!          `c p − xy`, `yy + s p`, which takes 4 products. Any other rotation takes two matrix
//!          products.
//! Frames:  `R` maps components to the new axes.
//! Cost:    8 products for a symmetric X about a coordinate axis, 12 for any X.

use super::{Mat3, Scalar, Vec3};

/// A symmetric matrix from its entries on and above the diagonal, each computed once.
pub fn symmetric_matrix<S: Scalar>(entry: impl Fn(usize, usize) -> S) -> Mat3<S> {
    let pairs = [(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)];
    let [a, b, c, d, e, f] = pairs.map(|(i, j)| entry(i, j));
    Mat3([[a, b, c], [b, d, e], [c, e, f]])
}

/// A rotation about a coordinate axis, up to a permutation of axes: old and new indices of the axis
/// (last) and of the plane, sign, sine and cosine. Rotates tensors with 4 products.
pub struct Plane<S> {
    old: [usize; 3],
    new: [usize; 3],
    sign: S,
    sine: S,
    cosine: S,
    /// Sign of the second new axis of the plane: −1 for a reflection of the plane.
    second: S,
}

/// The other two coordinate axes of an axis, in cyclic order.
fn following_axes(axis: usize) -> [usize; 2] {
    [(axis + 1) % 3, (axis + 2) % 3]
}

impl<S: Scalar> Mat3<S> {
    /// Detects a rotation about a coordinate axis by its structure: the row and the column of the
    /// axis have one entry each.
    pub fn detect_plane_rotation(&self) -> Option<Plane<S>> {
        let r = &self.0;
        for new in 0..3 {
            for old in 0..3 {
                let alone =
                    (0..3).all(|i| (i == old || r[new][i].is_zero()) && (i == new || r[i][old].is_zero()));
                if alone {
                    let ([x, y], [u, v]) = (following_axes(old), following_axes(new));
                    // Both planes are in cyclic order: the block is a rotation or, with the sign
                    // −1, a reflection.
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

    /// The tensor X in the new axes, `R X Rᵀ`; X may be any matrix.
    pub fn rotate_tensor(&self, x: &Self) -> Self {
        let Some(plane) = self.detect_plane_rotation() else { return self.mul(x).mul(&self.transpose()) };
        plane.rotate_tensor(self, x, false)
    }

    /// The tensor X in the new axes, `R X Rᵀ`; X must be symmetric, such as an inertia tensor.
    pub fn rotate_symmetric_tensor(&self, x: &Self) -> Self {
        let Some(plane) = self.detect_plane_rotation() else {
            let half = self.mul(x);
            return symmetric_matrix(|i, j| half.row(i).dot(self.row(j)));
        };
        plane.rotate_tensor(self, x, true)
    }
}

impl<S: Scalar> Plane<S> {
    /// The tensor x in the new axes, by the double angle in the plane; its row and column of the
    /// axis transform as vectors.
    fn rotate_tensor(&self, rotation: &Mat3<S>, x: &Mat3<S>, symmetric: bool) -> Mat3<S> {
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
        // The column and the row of the axis transform as vectors.
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
