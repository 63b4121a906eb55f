//! Selection of independent rows of a row group at a pose.

use dqdt_generate::pipeline;
use dqdt_mechanics::kinematics::{ConstraintRow, PivotedGroup};
use dqdt_mechanics::mechanism::{RowGroup, RowIndex};
use nalgebra::DMatrix;

/// A pseudo-random number in [−1, 1].
fn random(seed: &mut u64) -> f64 {
    *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*seed >> 11) as f64 / (1u64 << 53) as f64 * 2.0 - 1.0
}

fn singular_values(a: &DMatrix<f64>) -> Vec<f64> {
    let mut values: Vec<f64> = a.clone().singular_values().iter().copied().collect();
    values.sort_by(f64::total_cmp);
    values
}

fn rows_of(a: &DMatrix<f64>) -> Vec<ConstraintRow<f64>> {
    (0..a.nrows())
        .map(|index| ConstraintRow {
            constraint: 0,
            index,
            name: String::new(),
            position: None,
            velocity: 0.0,
            jacobian: a.row(index).iter().copied().collect(),
            gamma: 0.0,
            drift: 0.0,
        })
        .collect()
}

/// The selected rows are nearly as well conditioned as the best subset; tested with rows that are
/// small, parallel, zero, or lacking a direction.
#[test]
fn rows_that_are_taken_are_nearly_as_independent_as_the_best_choice_of_them() {
    let spec = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/specs/bricard.toml");
    let m = pipeline::load(&spec).unwrap().mechanism;
    let (mut seed, mut worst, mut compared) = (3, f64::INFINITY, 0);
    for (count, rank) in [(2, 1), (3, 2), (5, 4), (5, 3), (6, 3), (7, 6)] {
        for trial in 0..300 {
            let mut factor = DMatrix::from_fn(count, rank, |_, _| random(&mut seed));
            let (one, other) = (trial % count, (trial / 7) % count);
            match trial % 5 {
                0 => factor.row_mut(one).scale_mut(1e-4),
                1 => factor.set_row(one, &(factor.row(other) * -2.0)),
                // Only one row has a component in the last direction.
                2 => (0..count).filter(|i| *i != one).for_each(|i| factor[(i, rank - 1)] = 0.0),
                3 => factor.row_mut(one).fill(0.0),
                _ => {}
            }
            let a = &factor * DMatrix::from_fn(rank, rank + 2, |_, _| random(&mut seed));
            let all = rows_of(&a);
            let places = (0..count).map(|row| RowIndex { constraint: 0, row });
            let group = RowGroup { rows: places.collect(), rank };
            let selection = PivotedGroup::new(&m, &group, &all);
            let columns = (0..a.ncols()).map(|j| selection.select_active_values("A", |i| all[i].jacobian[j]));
            let taken = DMatrix::from_vec(rank, a.ncols(), columns.flatten().collect());
            let best = (0..1usize << count)
                .filter(|subset| subset.count_ones() as usize == rank)
                .map(|subset| {
                    let rows: Vec<usize> = (0..count).filter(|i| subset >> i & 1 == 1).collect();
                    singular_values(&a.select_rows(&rows))[0]
                })
                .fold(0.0f64, f64::max);
            if best < 1e-6 {
                continue;
            }
            worst = worst.min(singular_values(&taken)[0] / best);
            compared += 1;

            // Restoring selected entries to their rows leaves zeros elsewhere.
            let places: Vec<f64> = (1..=count).map(|i| i as f64).collect();
            let labels = selection.select_active_values("x", |i| places[i]);
            let back = selection.expand_to_all_rows(&labels);
            let held = back.iter().zip(&places).filter(|(x, place)| x == place).count();
            let empty = back.iter().filter(|x| **x == 0.0).count();
            assert_eq!((held, empty), (rank, count - rank), "{back:?}");
        }
    }
    println!("{worst} of the best choice at worst, {compared} matrices");
    assert!(worst > 0.05 && compared > 1000, "{worst}, {compared} matrices");
}
