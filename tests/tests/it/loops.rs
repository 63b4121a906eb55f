//! Loops in independent coordinates with emitted constraints: closing, and derivatives against
//! differences of closed loops and against the velocity constraints, which are derived separately.

use dqdt::System;
use dqdt::loops::{close_coordinates, close_speeds};

/// Moves the independent coordinates away from the start in steps, and checks loop closing and
/// derivatives at each pose.
macro_rules! closes {
    ($name:ident, $coordinates:expr, $speeds:expr, $far:expr) => {{
        use dqdt_generated::$name as m;
        let (model, name) = (m::Model::default(), stringify!($name));
        let (coordinates, speeds) = ($coordinates, $speeds);
        let mut x: [f64; m::NX] = m::START;
        for step in 0..6 {
            for (k, i) in coordinates.iter().enumerate() {
                x[*i] += $far * (1.7 * step as f64 + k as f64 + 0.5).sin();
            }
            let before = x;
            let closing = close_coordinates(&model, 0.0, &mut x, &coordinates, 8);
            assert!(closing.is_closed(1e-13), "{name}, step {step}: {closing:?}");
            assert!(coordinates.iter().all(|i| x[*i] == before[*i]), "{name}: an independent one moved");
            assert_eq!(x[m::NQ..], before[m::NQ..], "{name}");
            // Differences of closed loops.
            for (k, i) in coordinates.iter().enumerate() {
                let h = 1e-5;
                let moved = |by: f64| {
                    let mut y = x;
                    y[*i] += by;
                    assert!(close_coordinates(&model, 0.0, &mut y, &coordinates, 8).is_closed(1e-13));
                    y
                };
                let (ahead, back) = (moved(h), moved(-h));
                for j in 0..m::NX {
                    let (slope, expected) = (closing.by_independent[j][k], (ahead[j] - back[j]) / (2.0 * h));
                    let error = (slope - expected).abs() / expected.abs().max(1.0);
                    assert!(error < 1e-6, "{name}, step {step}: entry {j} by {i}: {slope} is not {expected}");
                }
            }
            // The velocity constraints give the same ratios of rates.
            for (k, i) in speeds.iter().enumerate() {
                x[*i] = (0.9 * step as f64 + 2.0 * k as f64).cos();
            }
            let of_speeds = close_speeds(&model, 0.0, &mut x, &speeds);
            assert!(of_speeds.is_closed(1e-12), "{name}, step {step}: speeds: {of_speeds:?}");
            for j in m::NQ..m::NQ + m::NV {
                let sum: f64 =
                    speeds.iter().enumerate().map(|(k, i)| of_speeds.by_independent[j][k] * x[*i]).sum();
                assert!((sum - x[j]).abs() < 1e-11 * x[j].abs().max(1.0), "{name}: speed {j}");
            }
            let mut rates = [0.0; m::NX];
            System::coordinate_rates(&model, 0.0, &x, &mut rates).unwrap();
            for j in 0..m::NQ {
                let sum: f64 = coordinates
                    .iter()
                    .enumerate()
                    .map(|(k, i)| closing.by_independent[j][k] * rates[*i])
                    .sum();
                let size = rates[..m::NQ].iter().fold(1.0, |m: f64, r| m.max(r.abs()));
                assert!((sum - rates[j]).abs() < 1e-11 * size, "{name}: rate {j}: {sum}, {}", rates[j]);
            }
        }
    }};
}

#[test]
fn loops_close_and_follow_their_independent_coordinates() {
    closes!(four_bar, [m::Q_PHI], [m::V_PHI_DOT], 0.2);
    closes!(four_bar, [m::Q_PSI], [m::V_PSI_DOT], 0.02);
    closes!(slider_crank, [m::Q_PHI], [m::V_PHI_DOT], 0.3);
    closes!(slider_crank, [m::Q_S], [m::V_S_DOT], 0.005);
    closes!(seven_body, [m::Q_BETA], [m::V_BETA_DOT], 0.2);
    // One row is redundant.
    closes!(bricard, [m::Q_Q1], [m::V_Q1_DOT], 0.1);
}

/// The pose of a Stewart platform by the lengths of its legs, with a quaternion among the
/// dependent coordinates.
#[test]
fn the_pose_of_a_platform_follows_from_the_lengths_of_its_legs() {
    closes!(
        stewart_platform,
        [m::Q_S1, m::Q_S2, m::Q_S3, m::Q_S4, m::Q_S5, m::Q_S6],
        [m::V_S1_DOT, m::V_S2_DOT, m::V_S3_DOT, m::V_S4_DOT, m::V_S5_DOT, m::V_S6_DOT],
        0.01
    );
    // In the other direction: three components of the quaternion determine the fourth.
    closes!(
        stewart_platform,
        [m::Q_X, m::Q_Y, m::Q_Z, m::Q_E1, m::Q_E2, m::Q_E3],
        [m::V_VX, m::V_VY, m::V_VZ, m::V_WX, m::V_WY, m::V_WZ],
        0.01
    );
}

#[test]
fn a_dead_point_is_told_by_the_rank() {
    use dqdt_generated::slider_crank as m;
    let model: m::Model = m::Model::default();
    let mut x: [f64; m::NX] = m::START;
    x[m::Q_PHI] = 0.0;
    assert!(close_coordinates(&model, 0.0, &mut x, &[m::Q_PHI], 20).is_closed(1e-14));
    let dead = x;
    let closing = close_coordinates(&model, 0.0, &mut x, &[m::Q_S], 3);
    assert_eq!((closing.rank, closing.dependent), (1, 2), "{closing:?}");
    assert!(!closing.is_closed(1e-9) && x.iter().all(|x| x.is_finite()));
    assert!(x.iter().zip(&dead).all(|(a, b)| (a - b).abs() < 1e-12));
    // An unreachable stroke leaves a residual, or NaN with the state unchanged.
    x[m::Q_S] += 1.0;
    assert!(!close_coordinates(&model, 0.0, &mut x, &[m::Q_S], 10).is_closed(1e-6));
    x[m::Q_BETA] = f64::NAN;
    let before = x.map(f64::to_bits);
    let closing = close_coordinates(&model, 0.0, &mut x, &[m::Q_S], 3);
    assert!(closing.residual.is_nan() && !closing.is_closed(f64::INFINITY));
    assert_eq!(x.map(f64::to_bits), before);
}
