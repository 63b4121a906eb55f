//! An order of pivots for a system whose scalar cannot be compared.

/// Rows and columns of `a` (by rows) in an order in which elimination finds large pivots: the largest entry that is left
/// is the next pivot, rows scaled to their largest entry. `first`: columns that are taken before all others. As many
/// pairs as there are rows; fewer where what is left is below 1e-9 of the row.
pub fn pivot_order(a: &[Vec<f64>], first: &[usize]) -> Vec<(usize, usize)> {
    let mut a: Vec<Vec<f64>> = a
        .iter()
        .map(|row| {
            let size = row.iter().fold(0.0f64, |m, x| m.max(x.abs()));
            row.iter().map(|x| if size > 0.0 { x / size } else { 0.0 }).collect()
        })
        .collect();
    let columns = a.first().map_or(0, Vec::len);
    let mut pairs: Vec<(usize, usize)> = Vec::new();
    while pairs.len() < a.len() {
        let free_row = |r: &usize| !pairs.iter().any(|p| p.0 == *r);
        let free_column = |c: &usize| !pairs.iter().any(|p| p.1 == *c);
        let wanted = |c: &usize| !first.iter().any(|f| free_column(f)) || first.contains(c);
        let mut best: Option<(usize, usize)> = None;
        for r in (0..a.len()).filter(free_row) {
            for c in (0..columns).filter(free_column).filter(wanted) {
                if a[r][c].abs() > best.map_or(1e-9, |(i, k)| a[i][k].abs()) {
                    best = Some((r, c));
                }
            }
        }
        let Some((r, c)) = best else { break };
        pairs.push((r, c));
        let pivot = a[r].clone();
        for (i, row) in a.iter_mut().enumerate() {
            if !pairs.iter().any(|p| p.0 == i) {
                let factor = row[c] / pivot[c];
                row.iter_mut().zip(&pivot).for_each(|(x, p)| *x -= factor * p);
            }
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_that_are_wanted_come_first_and_dependent_rows_last() {
        let a = vec![vec![1.0, 5.0, 0.0], vec![2.0, 10.0, 0.0], vec![0.0, 1.0, 1.0]];
        let pairs = pivot_order(&a, &[0]);
        assert_eq!(pairs[0].1, 0);
        assert_eq!(pairs.len(), 2);
    }
}
