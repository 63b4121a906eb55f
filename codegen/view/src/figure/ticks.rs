//! Ranges and round numbers for axes.

/// Linear scale of an axis of a plot: range, ticks and labels.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Scale {
    pub low: f64,
    pub high: f64,
    /// Value and label of each tick of the axis.
    pub ticks: Vec<(f64, String)>,
    /// Power of ten by which the tick labels of the axis are to be multiplied; shown next to the
    /// unit.
    pub exponent: i32,
}

/// Maximum absolute value on an axis; larger values are clamped, which keeps differences finite.
const LIMIT: f64 = 1e300;

/// Smallest and largest finite value, for the range of an axis; `None` without one.
pub(super) fn finite_range<'a>(values: impl IntoIterator<Item = &'a f64>) -> Option<(f64, f64)> {
    values.into_iter().filter(|v| v.is_finite()).map(|v| v.clamp(-LIMIT, LIMIT)).fold(None, |range, v| {
        match range {
            None => Some((v, v)),
            Some((a, b)) => Some((a.min(v), b.max(v))),
        }
    })
}

impl Scale {
    /// Scale of an axis over a range with about `count` ticks, and with a margin of `margin` times
    /// the range on both sides. A range whose extent is zero, up to rounding, is widened.
    pub fn new(range: Option<(f64, f64)>, count: usize, margin: f64) -> Scale {
        let (a, b) = range.unwrap_or((0.0, 1.0));
        let (mut low, mut high) = (a.min(b), a.max(b));
        let size = low.abs().max(high.abs());
        if high - low <= 1e-9 * size {
            let widen = if size < 1e-290 { 1.0 } else { 0.1 * size };
            (low, high) = (low - widen, high + widen);
        } else {
            let m = margin * (high - low);
            (low, high) = (low - m, high + m);
        }
        let step = round_tick_step((high - low) / count.max(1) as f64);
        let largest = low.abs().max(high.abs());
        let magnitude = largest.log10().floor();
        let exponent = if (-3.0..5.0).contains(&magnitude) { 0 } else { magnitude as i32 };
        let unit = 10f64.powi(exponent.clamp(-300, 300));
        let decimals = (-(step / unit).log10().floor()).clamp(0.0, 12.0) as usize;
        let first = (low / step).ceil();
        let ticks = (0..=4 * count)
            .map(|i| (first + i as f64) * step)
            .take_while(|x| *x <= high + 1e-9 * step)
            .map(|x| {
                let label = format!("{:.decimals$}", x / unit);
                let label =
                    if label.trim_matches(['-', '0', '.']).is_empty() { "0".to_owned() } else { label };
                (x, label.replace('-', "−"))
            })
            .collect();
        Scale { low, high, ticks, exponent }
    }

    /// Position of a value on the axis: 0 at the low end, 1 at the high end.
    pub fn axis_position(&self, x: f64) -> f64 {
        (x.clamp(-LIMIT, LIMIT) - self.low) / (self.high - self.low)
    }
}

/// Distance between ticks: the smallest of 1, 2, 5 times a power of ten that is not less than
/// `rough`.
fn round_tick_step(rough: f64) -> f64 {
    let power = 10f64.powf(rough.log10().floor());
    let digit = rough / power;
    power
        * if digit <= 1.0 {
            1.0
        } else if digit <= 2.0 {
            2.0
        } else if digit <= 5.0 {
            5.0
        } else {
            10.0
        }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(low: f64, high: f64) -> Vec<String> {
        Scale::new(Some((low, high)), 5, 0.0).ticks.into_iter().map(|t| t.1).collect()
    }

    #[test]
    fn ticks_are_round() {
        assert_eq!(labels(0.0, 10.0), ["0", "2", "4", "6", "8", "10"]);
        assert_eq!(labels(-0.3, 0.3), ["−0.2", "0", "0.2"]);
        assert_eq!(labels(0.0, 2.5e-7), ["0", "0.5", "1.0", "1.5", "2.0", "2.5"]);
    }

    #[test]
    fn every_range_gives_a_finite_axis() {
        for (low, high) in
            [(0.0, 0.0), (3.0, 3.0), (-1e308, 1e308), (1.0, 1.0 + 1e-15), (5e-324, 5e-324), (2.0, 1.0)]
        {
            let range = finite_range(&[low, high, f64::NAN, f64::INFINITY]);
            for range in [range, Some((low.clamp(-1e300, 1e300), high.clamp(-1e300, 1e300)))] {
                let s = Scale::new(range, 5, 0.05);
                assert!(s.high > s.low && s.high.is_finite() && s.low.is_finite(), "{low} {high} {s:?}");
                assert!(s.ticks.len() >= 2 && s.ticks.len() < 20, "{low} {high} {s:?}");
                assert!(s.axis_position(low).is_finite());
            }
        }
        assert_eq!(finite_range(&[]), None);
    }
}
