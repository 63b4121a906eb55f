//! Pivot orders for elimination over a scalar that cannot be compared, chosen from sample values.

/// An order of elimination with large pivots for `a` (by rows), as pairs of row and column. Each
/// pivot is the largest remaining entry, with rows scaled to their largest entry. Columns in
/// `first` precede all others. There are as many pairs as rows; fewer if the remaining entries are
/// below 1e-9 of their rows, that is with redundant rows.
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
        let free_column = |c: &usize| !pairs.iter().any(|p| p.1 == *c);
        let only_first = first.iter().any(free_column);
        let mut best: Option<(usize, usize)> = None;
        for r in (0..a.len()).filter(|r| !pairs.iter().any(|p| p.0 == *r)) {
            for c in (0..columns).filter(free_column).filter(|c| !only_first || first.contains(c)) {
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

/// The matrix with each column multiplied by its unit, so that columns of lengths and of angles are
/// comparable before pivots are chosen.
pub fn scale_columns(a: &[Vec<f64>], units: &[f64]) -> Vec<Vec<f64>> {
    a.iter().map(|row| row.iter().zip(units).map(|(x, unit)| x * unit).collect()).collect()
}

/// Minimum size of a pivot, relative to the largest entry of its row; a smaller one may vanish at a
/// nearby pose.
const STEADY: f64 = 0.02;

/// A pivot order whose pivots keep away from zero in all samples of one matrix, with true; the
/// order of [`pivot_order`] at the first sample if it qualifies, else a greedy order by the largest
/// smallest pivot. If neither qualifies, the former with false.
pub fn choose_steady_pivots(samples: &[Vec<Vec<f64>>], first: &[usize]) -> (Vec<(usize, usize)>, bool) {
    let Some(start) = samples.first() else { return (Vec::new(), true) };
    let pairs = pivot_order(start, first);
    if pivots_are_steady(samples, &pairs) {
        return (pairs, true);
    }
    let others = maximin_pivot_order(samples, first, 1e-9);
    if others.len() == pairs.len() && pivots_are_steady(samples, &others) {
        (others, true)
    } else {
        (pairs, false)
    }
}

/// A pivot order, as pairs of row and column, that ends before a pivot would come near zero in some
/// sample.
pub fn choose_leading_steady_pivots(samples: &[Vec<Vec<f64>>], first: &[usize]) -> Vec<(usize, usize)> {
    if samples.is_empty() { Vec::new() } else { maximin_pivot_order(samples, first, STEADY) }
}

/// Rows and columns of a square block whose determinant keeps away from zero in all samples,
/// whatever pivot order suits each sample. Of the blocks found as pivots of a sample, the one with
/// the largest smallest pivot. Pairs of row and column in a pivot order for the first sample;
/// `None` if every block vanishes or changes sign in some sample.
pub fn choose_steady_block(samples: &[Vec<Vec<f64>>], first: &[usize]) -> Option<Vec<(usize, usize)>> {
    let start = samples.first().filter(|a| !a.is_empty())?;
    let mut best: Option<(f64, Vec<usize>)> = None;
    let mut tried: Vec<Vec<usize>> = Vec::new();
    for sample in samples {
        let pairs = pivot_order(sample, first);
        let mut columns: Vec<usize> = pairs.iter().map(|p| p.1).collect();
        columns.sort_unstable();
        if columns.len() < start.len() || tried.contains(&columns) {
            continue;
        }
        let blocks: Vec<(f64, bool)> = samples.iter().map(|a| smallest_block_pivot(a, &columns)).collect();
        let least = blocks.iter().fold(f64::INFINITY, |least, (size, _)| least.min(*size));
        let one_side = blocks.iter().all(|(_, turned)| *turned == blocks[0].1);
        tried.push(columns.clone());
        if one_side && least >= STEADY && best.as_ref().is_none_or(|b| least > b.0) {
            best = Some((least, columns));
        }
    }
    best.map(|(_, columns)| pivot_order(start, &columns))
}

/// The smallest pivot, by full pivoting, of the block of all rows and these columns, with rows
/// scaled to a largest entry of one; and true if its determinant is negative.
fn smallest_block_pivot(a: &[Vec<f64>], columns: &[usize]) -> (f64, bool) {
    let whole = scale_rows(a);
    let mut left: Vec<Vec<f64>> = whole.iter().map(|row| columns.iter().map(|c| row[*c]).collect()).collect();
    let (mut least, mut negative) = (f64::INFINITY, false);
    for k in 0..left.len() {
        let places = (k..left.len()).flat_map(|r| (k..left.len()).map(move |c| (r, c)));
        let largest =
            places.max_by(|a, b| left[a.0][a.1].abs().total_cmp(&left[b.0][b.1].abs()).then(b.cmp(a)));
        let Some((r, c)) = largest else { break };
        left.swap(k, r);
        left.iter_mut().for_each(|row| row.swap(k, c));
        let pivot = left[k][k];
        negative ^= (k != r) ^ (k != c) ^ (pivot < 0.0);
        // NaN counts as zero.
        least = if pivot.abs() < least {
            pivot.abs()
        } else if pivot.is_nan() {
            0.0
        } else {
            least
        };
        let pivot_row = left[k].clone();
        for row in &mut left[k + 1..] {
            let factor = row[k] / pivot;
            row.iter_mut().zip(&pivot_row).for_each(|(x, p)| *x -= factor * p);
        }
    }
    (least, negative)
}

/// The matrix with each row divided by its largest magnitude; zero rows stay zero.
fn scale_rows(a: &[Vec<f64>]) -> Vec<Vec<f64>> {
    a.iter()
        .map(|row| {
            let size = row.iter().fold(0.0f64, |m, x| m.max(x.abs()));
            row.iter().map(|x| if size > 0.0 { x / size } else { 0.0 }).collect()
        })
        .collect()
}

/// One elimination step with the pivot at `(r, c)`, in all rows that are not yet `taken`.
fn eliminate_pivot(a: &mut [Vec<f64>], taken: &[(usize, usize)], (r, c): (usize, usize)) {
    let pivot = a[r].clone();
    for (i, row) in a.iter_mut().enumerate() {
        if i != r && !taken.iter().any(|p| p.0 == i) {
            let factor = row[c] / pivot[c];
            row.iter_mut().zip(&pivot).for_each(|(x, p)| *x -= factor * p);
        }
    }
}

/// True if no pivot is small or changes its sign between samples. A pivot that is constant over the
/// samples may be small, such as that of a screw joint, where a rotation moves little.
fn pivots_are_steady(samples: &[Vec<Vec<f64>>], pairs: &[(usize, usize)]) -> bool {
    let mut ranges: Vec<(f64, f64)> = vec![(f64::INFINITY, f64::NEG_INFINITY); pairs.len()];
    for sample in samples {
        let mut a = scale_rows(sample);
        for (k, place) in pairs.iter().enumerate() {
            let pivot = a[place.0][place.1];
            if pivot.is_nan() || pivot.abs() < 1e-9 {
                return false;
            }
            ranges[k] = (ranges[k].0.min(pivot), ranges[k].1.max(pivot));
            eliminate_pivot(&mut a, &pairs[..k], *place);
        }
    }
    ranges.iter().all(|(low, high)| {
        let size = low.abs().max(high.abs());
        let constant = samples.len() > 1 && high - low < 1e-9 * size;
        low * high > 0.0 && (constant || low.abs().min(high.abs()) >= STEADY)
    })
}

/// A greedy pivot order: next the entry whose smallest magnitude over the samples is largest.
fn maximin_pivot_order(samples: &[Vec<Vec<f64>>], first: &[usize], least: f64) -> Vec<(usize, usize)> {
    let mut samples: Vec<Vec<Vec<f64>>> = samples.iter().map(|a| scale_rows(a)).collect();
    let (rows, columns) = (samples[0].len(), samples[0].first().map_or(0, Vec::len));
    let mut pairs: Vec<(usize, usize)> = Vec::new();
    while pairs.len() < rows {
        let unused = |c: &usize| !pairs.iter().any(|p| p.1 == *c);
        let only_first = first.iter().any(unused);
        let size = |r: usize, c: usize| {
            let (low, high) = samples.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), a| {
                (low.min(a[r][c]), high.max(a[r][c]))
            });
            low.max(-high)
        };
        let mut best: Option<(usize, usize, f64)> = None;
        for r in (0..rows).filter(|r| !pairs.iter().any(|p| p.0 == *r)) {
            for c in (0..columns).filter(unused).filter(|c| !only_first || first.contains(c)) {
                let size = size(r, c);
                if size > best.map_or(least, |b| b.2) {
                    best = Some((r, c, size));
                }
            }
        }
        let Some((r, c, _)) = best else { break };
        samples.iter_mut().for_each(|a| eliminate_pivot(a, &pairs, (r, c)));
        pairs.push((r, c));
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pivot_that_turns_with_the_pose_is_left_for_one_that_stays() {
        let samples: Vec<_> =
            (0..8).map(|i| vec![vec![-f64::from(i).sin(), f64::from(i).cos(), 0.6]]).collect();
        assert_eq!(choose_steady_pivots(&samples[..1], &[]), (vec![(0, 1)], true));
        assert_eq!(choose_steady_pivots(&samples, &[]), (vec![(0, 2)], true));
        // The preferred column vanishes in some pose.
        assert_eq!(choose_steady_pivots(&samples, &[1]), (vec![(0, 1)], false));
    }

    #[test]
    fn a_small_pivot_that_never_changes_is_steady() {
        let samples: Vec<_> = (0..8).map(|i| vec![vec![1.0, -628.0, f64::from(i).cos()]]).collect();
        assert_eq!(choose_steady_pivots(&samples, &[0]), (vec![(0, 0)], true));
        let samples: Vec<_> = (0..8).map(|i| vec![vec![1.0 + f64::from(i).sin(), -628.0, 0.0]]).collect();
        assert_eq!(choose_steady_pivots(&samples, &[0]), (vec![(0, 0)], false));
    }

    /// Two wheels on an axle: rows along, across, along; columns x, y, heading and the two wheel
    /// angles.
    fn wheels_on_an_axle(angle: f64) -> Vec<Vec<f64>> {
        let (s, c) = angle.sin_cos();
        vec![vec![c, s, -0.25, -0.1, 0.0], vec![-s, c, 0.0, 0.0, 0.0], vec![c, s, 0.25, 0.0, -0.1]]
    }

    #[test]
    fn a_block_may_be_steady_where_no_order_of_its_pivots_is() {
        let samples: Vec<_> = (0..8).map(|i| wheels_on_an_axle(f64::from(i))).collect();
        assert!(!choose_steady_pivots(&samples, &[]).1);
        let mut columns: Vec<usize> =
            choose_steady_block(&samples, &[]).expect("a block").iter().map(|p| p.1).collect();
        columns.sort_unstable();
        assert_eq!(columns, [0, 1, 2]);
        // The middle row alone has no steady block.
        let across: Vec<_> = (0..8).map(|i| vec![wheels_on_an_axle(f64::from(i))[1].clone()]).collect();
        assert_eq!(choose_steady_block(&across, &[]), None);
        assert_eq!(choose_steady_block(&[vec![vec![f64::NAN]]], &[]), None);
        assert_eq!(choose_steady_block(&[], &[]), None);
    }

    #[test]
    fn columns_that_are_wanted_come_first_and_dependent_rows_last() {
        let a = vec![vec![1.0, 5.0, 0.0], vec![2.0, 10.0, 0.0], vec![0.0, 1.0, 1.0]];
        let pairs = pivot_order(&a, &[0]);
        assert_eq!(pairs[0].1, 0);
        assert_eq!(pairs.len(), 2);
    }
}
