//! Finds the piece of a piecewise cubic that contains a number.

/// Finds the piece of a lookup table (piecewise cubic) that contains `x`. Returns its coefficients
/// and the distance of `x` from its left knot.
///
/// Below the first knot, and from the last knot on, the piece is a constant and the distance is
/// zero. NaN gives the first piece and a distance of NaN, so that the value is NaN.
#[inline]
pub(crate) fn find_table_piece(x: f64, knots: &[f64], coefficients: &[[f64; 4]]) -> ([f64; 4], f64) {
    let above = knots.partition_point(|&knot| knot <= x);
    let index = above.saturating_sub(1);
    let row = coefficients.get(index).copied().unwrap_or_default();
    if x.is_nan() {
        return (row, x);
    }
    if above == 0 || above >= knots.len() {
        return ([row[0], 0.0, 0.0, 0.0], 0.0);
    }
    (row, knots.get(index).map_or(0.0, |knot| x - knot))
}

#[cfg(test)]
mod tests {
    use crate::{Dual, Lanes, Real};

    const KNOTS: [f64; 3] = [-1.0, 0.5, 2.0];
    const ROWS: [[f64; 4]; 3] = [[3.0, -1.0, 0.5, 2.0], [7.5, 0.25, -1.0, 0.125], [6.0, 0.0, 0.0, 0.0]];

    fn table_value_by_hand(x: f64) -> f64 {
        let (row, d) = match x {
            x if x < -1.0 => return 3.0,
            x if x < 0.5 => (ROWS[0], x + 1.0),
            x if x < 2.0 => (ROWS[1], x - 0.5),
            _ => return 6.0,
        };
        row[0] + row[1] * d + row[2] * d * d + row[3] * d * d * d
    }

    #[test]
    fn values_are_those_of_the_pieces_and_constant_outside() {
        for i in -40..=60 {
            let x = f64::from(i) / 16.0;
            assert!((x.table(&KNOTS, &ROWS) - table_value_by_hand(x)).abs() < 1e-14, "{x}");
            assert!(
                (f64::from((x as f32).table(&KNOTS, &ROWS)) - table_value_by_hand(x)).abs() < 1e-5,
                "{x}"
            );
        }
        assert_eq!(f64::INFINITY.table(&KNOTS, &ROWS), 6.0);
        assert_eq!(f64::NEG_INFINITY.table(&KNOTS, &ROWS), 3.0);
        assert!(f64::NAN.table(&KNOTS, &ROWS).is_nan());
    }

    #[test]
    fn a_dual_differentiates_the_cubic() {
        for i in -40..=60 {
            let x = f64::from(i) / 16.0 + 0.001;
            let y = Dual::<f64, 1>::variable(x, 0).table(&KNOTS, &ROWS);
            let slope = (table_value_by_hand(x + 1e-6) - table_value_by_hand(x - 1e-6)) / 2e-6;
            assert!((y.value - table_value_by_hand(x)).abs() < 1e-14);
            assert!((y.derivatives[0] - slope).abs() < 1e-6 * (1.0 + slope.abs()), "{x}");
        }
        let second = Dual { value: Dual::<f64, 1>::variable(0.0, 0), derivatives: [Dual::constant(1.0)] }
            .table(&KNOTS, &ROWS);
        assert!((second.derivatives[0].derivatives[0] - (1.0 + 12.0)).abs() < 1e-14);
    }

    #[test]
    fn each_lane_has_its_own_piece() {
        let x = [-2.0, 0.0, 1.0, 3.0];
        assert_eq!(Lanes(x).table(&KNOTS, &ROWS).0, x.map(table_value_by_hand));
    }

    #[test]
    fn malformed_tables_give_zero_instead_of_a_panic() {
        assert_eq!(1.0_f64.table(&[], &[]), 0.0);
        assert_eq!(1.0_f64.table(&KNOTS, &[]), 0.0);
        assert_eq!(5.0_f64.table(&KNOTS, &ROWS[..1]), 0.0);
        assert_eq!(1.0_f64.table(&[0.0], &[[4.0, 9.0, 9.0, 9.0]]), 4.0);
    }
}
