//! Linear dependence among rows of numbers.
//!
//! Problem: the first independent rows of a matrix, and the others as linear combinations of them.
//! Method:  rows of unit length are orthogonalised in order, each twice (Giraud, Langou and
//!          Rozloznik 2005). A row whose remainder is shorter than 1e-7 depends on those before it.

/// Shortest remainder of a unit row, after orthogonalisation against earlier rows, that counts as
/// independent.
const KEPT: f64 = 1e-7;

/// Index of a dependent row, and the rows of its linear combination with their factors.
type DependentRow = (usize, Vec<(usize, f64)>);

/// Indices of the independent rows in order, and each other row as a combination of them.
pub(super) fn find_independent_rows(rows: &[Vec<f64>]) -> (Vec<usize>, Vec<DependentRow>) {
    let mut basis: Vec<Vec<f64>> = Vec::new();
    // Each basis vector as a combination of the independent rows.
    let mut recipes: Vec<Vec<f64>> = Vec::new();
    let (mut kept, mut sizes, mut dependent) = (Vec::new(), Vec::new(), Vec::new());
    for (i, row) in rows.iter().enumerate() {
        let size = row.iter().map(|x| x * x).sum::<f64>().sqrt();
        if size.is_nan() || size < 1e-12 {
            dependent.push((i, Vec::new()));
            continue;
        }
        let mut rest: Vec<f64> = row.iter().map(|x| x / size).collect();
        let mut recipe = vec![0.0; kept.len()];
        for _ in 0..2 {
            for (b, r) in basis.iter().zip(&recipes) {
                let share: f64 = rest.iter().zip(b).map(|(x, y)| x * y).sum();
                rest.iter_mut().zip(b).for_each(|(x, y)| *x -= share * y);
                recipe.iter_mut().zip(r).for_each(|(x, y)| *x += share * y);
            }
        }
        let left = rest.iter().map(|x| x * x).sum::<f64>().sqrt();
        if left < KEPT {
            let largest = recipe.iter().fold(0.0f64, |m, x| m.max(x.abs()));
            let sources = recipe.iter().zip(&kept).zip(&sizes).filter(|((x, _), _)| x.abs() > 1e-6 * largest);
            dependent.push((i, sources.map(|((x, k), source_size)| (*k, x * size / source_size)).collect()));
            continue;
        }
        rest.iter_mut().for_each(|x| *x /= left);
        recipe.iter_mut().for_each(|x| *x /= -left);
        recipe.push(1.0 / left);
        basis.push(rest);
        recipes.iter_mut().for_each(|r| r.push(0.0));
        recipes.push(recipe);
        kept.push(i);
        sizes.push(size);
    }
    (kept, dependent)
}
