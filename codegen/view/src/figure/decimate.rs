//! Thins curves with more samples than the picture has pixels.
//!
//! In each column of pixels, the first, the smallest, the largest and the last sample are kept, in
//! their order: the picture is the same, and no peak is lost.

/// Runs of curve points in pixels, thinned to the resolution of the picture. A point that is not
/// finite ends a run.
pub(super) fn thinned_runs(points: impl Iterator<Item = [f64; 2]>) -> Vec<Vec<[f64; 2]>> {
    let (mut out, mut run, mut bin) = (Vec::new(), Vec::new(), Vec::new());
    for point in points {
        if !point[0].is_finite() || !point[1].is_finite() {
            flush_pixel_column(&mut run, &mut bin);
            if !run.is_empty() {
                out.push(std::mem::take(&mut run));
            }
            continue;
        }
        if bin.last().is_some_and(|last: &[f64; 2]| last[0].floor() != point[0].floor()) {
            flush_pixel_column(&mut run, &mut bin);
        }
        bin.push(point);
    }
    flush_pixel_column(&mut run, &mut bin);
    if !run.is_empty() {
        out.push(run);
    }
    out
}

fn flush_pixel_column(run: &mut Vec<[f64; 2]>, bin: &mut Vec<[f64; 2]>) {
    if bin.len() <= 4 {
        return run.append(bin);
    }
    let by = |a: &usize, b: &usize| bin[*a][1].total_cmp(&bin[*b][1]);
    let (low, high) = ((0..bin.len()).min_by(by).unwrap_or(0), (0..bin.len()).max_by(by).unwrap_or(0));
    let mut keep = [0, low, high, bin.len() - 1];
    keep.sort_unstable();
    for (k, i) in keep.into_iter().enumerate() {
        if k == 0 || keep[k - 1] != i {
            run.push(bin[i]);
        }
    }
    bin.clear();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn peaks_survive() {
        let points =
            (0..100_000).map(|i| [f64::from(i) / 1000.0, if i == 54_321 { 1e6 } else { f64::from(i % 7) }]);
        let all = thinned_runs(points);
        assert_eq!(all.len(), 1);
        assert!(all[0].len() <= 400);
        assert!(all[0].iter().any(|p| p[1] == 1e6));
    }

    #[test]
    fn what_is_not_a_number_leaves_a_gap() {
        let y = [f64::NAN, 1.0, 2.0, f64::INFINITY, f64::NAN, 3.0];
        let got = thinned_runs(y.iter().enumerate().map(|(i, y)| [i as f64, *y]));
        assert_eq!(got, [vec![[1.0, 1.0], [2.0, 2.0]], vec![[5.0, 3.0]]]);
        assert!(thinned_runs(std::iter::empty()).is_empty());
    }
}
