//! Arrays as nalgebra vectors and matrices.
//!
//! Shapes: a `[T; N]` is a column of `N`. A `[[T; C]; R]` is a matrix of `R` rows and `C` columns
//!         in row-major order, as everywhere in emitted code; nalgebra is column-major. So a view
//!         without a copy is the transpose, [`transposed`], which for a symmetric matrix is the
//!         matrix itself; [`matrix`] copies.
//! Limits: a strided view could be the matrix itself without a copy, but nalgebra 0.35 writes out
//!         of bounds when such a view is multiplied by a vector (`array_axc` uses the length of the
//!         strided slice as the number of its elements; issue 1616). `transposed(&a).tr_mul(&x)` is
//!         `A x` without a copy.

use nalgebra::{SMatrix, SMatrixView, SMatrixViewMut, SVectorView, SVectorViewMut, Scalar};

/// View of an array as a nalgebra column vector, without a copy.
#[inline]
pub fn vector<T: Scalar, const N: usize>(array: &[T; N]) -> SVectorView<'_, T, N> {
    SVectorView::from_slice(array)
}

/// Mutable view of an array as a nalgebra column vector, without a copy.
#[inline]
pub fn vector_mut<T: Scalar, const N: usize>(array: &mut [T; N]) -> SVectorViewMut<'_, T, N> {
    SVectorViewMut::from_slice(array)
}

/// View of nested arrays as the transposed nalgebra matrix, without a copy: column `i` of the view
/// is `array[i]`.
#[inline]
pub fn transposed<T: Scalar, const R: usize, const C: usize>(
    array: &[[T; C]; R],
) -> SMatrixView<'_, T, C, R> {
    SMatrixView::from_slice(array.as_flattened())
}

/// Mutable view of nested arrays as the transposed nalgebra matrix, without a copy: column `i` of
/// the view is `array[i]`.
#[inline]
pub fn transposed_mut<T: Scalar, const R: usize, const C: usize>(
    array: &mut [[T; C]; R],
) -> SMatrixViewMut<'_, T, C, R> {
    SMatrixViewMut::from_slice(array.as_flattened_mut())
}

/// Copies nested arrays to a nalgebra matrix, row by row.
#[inline]
pub fn matrix<T: Scalar, const R: usize, const C: usize>(array: &[[T; C]; R]) -> SMatrix<T, R, C> {
    SMatrix::from_fn(|i, j| array[i][j].clone())
}

/// Copies a nalgebra matrix to nested arrays, row by row: the inverse of [`matrix`].
#[inline]
pub fn rows<T: Scalar, const R: usize, const C: usize>(matrix: &SMatrix<T, R, C>) -> [[T; C]; R] {
    core::array::from_fn(|i| core::array::from_fn(|j| matrix[(i, j)].clone()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Dual, Lanes};
    use nalgebra::{Matrix2x3, Vector2, Vector3};

    const ARRAY: [[f64; 3]; 2] = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]];

    #[test]
    fn a_matrix_keeps_its_rows() {
        let a = matrix(&ARRAY);
        assert_eq!(a, Matrix2x3::new(1.0, 2.0, 3.0, 4.0, 5.0, 6.0));
        assert_eq!(rows(&a), ARRAY);
    }

    #[test]
    fn the_view_is_the_transpose() {
        let view = transposed(&ARRAY);
        assert_eq!(view.shape(), (3, 2));
        assert_eq!(view[(2, 0)], 3.0);
        assert_eq!(view.into_owned(), matrix(&ARRAY).transpose());
        let x = vector(&[1.0, 1.0, 1.0]).into_owned();
        assert_eq!(view.tr_mul(&x), Vector2::new(6.0, 15.0));
        assert_eq!(view * vector(&[1.0, -1.0]), Vector3::new(-3.0, -3.0, -3.0));
    }

    #[test]
    fn what_is_written_arrives_in_the_array() {
        let mut array = [[0.0; 3]; 2];
        transposed_mut(&mut array)[(0, 1)] = 7.0;
        assert_eq!(array, [[0.0; 3], [7.0, 0.0, 0.0]]);
        let mut x = [0.0; 2];
        vector_mut(&mut x)[1] = 3.0;
        assert_eq!(x, [0.0, 3.0]);
    }

    #[test]
    fn empty_arrays_are_empty_views() {
        assert_eq!(vector::<f64, 0>(&[]).len(), 0);
        assert_eq!(transposed::<f64, 0, 3>(&[]).shape(), (3, 0));
        assert_eq!(transposed::<f64, 2, 0>(&[[], []]).shape(), (0, 2));
        assert_eq!(transposed_mut::<f64, 0, 0>(&mut []).shape(), (0, 0));
        assert_eq!(matrix::<f64, 0, 3>(&[]).shape(), (0, 3));
    }

    #[test]
    fn every_scalar_has_views() {
        assert_eq!(vector(&[Lanes([1.0, 2.0])])[0], Lanes([1.0, 2.0]));
        let duals = [[Dual::<f32, 1>::constant(2.0)]];
        assert_eq!(transposed(&duals)[(0, 0)].value, 2.0);
    }
}
