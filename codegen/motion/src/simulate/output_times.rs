//! Times of the rows of a motion.

/// Rounds a time to fifteen digits: 0.9 instead of 0.8999999999999999.
fn round_to_fifteen_digits(t: f64) -> f64 {
    format!("{t:.14e}").parse().unwrap_or(t)
}

/// Times of the rows of a motion: multiples of the output step, and the end time.
pub(super) fn output_times(t_end: f64, step: f64) -> Vec<f64> {
    // With a whole number of steps per second, divide: 3/10 prints with fewer digits than 3 * 0.1.
    let pace = (1.0 / step).round();
    let whole = pace >= 1.0 && (pace * step - 1.0).abs() < 1e-12;
    let nearly = 1e-9 * step;
    let count = ((t_end - nearly) / step).ceil().max(1.0) as usize;
    (0..count)
        .map(|i| if whole { i as f64 / pace } else { round_to_fifteen_digits(i as f64 * step) })
        .filter(|t| *t < t_end - nearly)
        .chain([t_end])
        .collect()
}

/// Output times and further times in order. An output time that nearly equals a further time is
/// replaced by it.
pub(super) fn merge_times(mut times: Vec<f64>, further: &[f64], step: f64) -> Vec<f64> {
    let nearly = 1e-9 * step;
    times.retain(|t| further.iter().all(|other| (t - other).abs() > nearly));
    times.extend(further);
    times.sort_by(f64::total_cmp);
    times.dedup();
    times
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_stand_at_multiples_of_the_step_and_at_the_end() {
        assert_eq!(output_times(1.0, 0.3), [0.0, 0.3, 0.6, 0.9, 1.0]);
        assert_eq!(output_times(1.0, 0.7), [0.0, 0.7, 1.0]);
        assert_eq!(output_times(1.0, 3.0), [0.0, 1.0]);
        assert_eq!(output_times(0.4, 0.1), [0.0, 0.1, 0.2, 0.3, 0.4]);
        assert_eq!(output_times(10.0, 0.02).len(), 501);
        assert_eq!(output_times(0.3, 0.1).len(), 4);
    }

    #[test]
    fn further_times_replace_output_times_that_nearly_equal_them() {
        let near = 0.5 - 1e-12;
        assert_eq!(merge_times(output_times(1.0, 0.5), &[0.25, near], 0.5), [0.0, 0.25, near, 1.0]);
        assert_eq!(merge_times(output_times(1.0, 0.5), &[], 0.5), [0.0, 0.5, 1.0]);
    }
}
