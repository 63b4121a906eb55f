//! Computed-torque control: a UR5 from its URDF follows a fast motion with a load in its hand.
//!
//! `u = M(q) (q̈_d + 2 ω ė + ω² e) + bias`: the emitted `inverse_dynamics` at the corrected desired
//! acceleration (Luh, Walker and Paul 1980). The controller runs at 1 kHz, once with a model that
//! includes the load, once without; only one parameter of the model differs. The plot is written to
//! `target/ur5_computed_torque/tracking.svg`.

/// The generated module.
mod ur5 {
    dqdt::include_mechanism!("ur5_load");
}

use std::error::Error;
use std::fs;
use std::path::Path;

use dqdt::rk4_step;
use dqdt_codegen::pictures::{self, Panel, Plot, Series};
use ur5::{Model, NU, NV, NX, Params};

const PERIOD: f64 = 1e-3;
const CYCLES: usize = 4000;
/// Bandwidth of the error dynamics \[rad/s\].
const OMEGA: f64 = 20.0;
/// Mean, amplitude and frequency of the motion of each joint \[rad, rad, rad/s\].
const WAVES: [[f64; 3]; NV] =
    [[0.0, 0.8, 2.0], [-1.2, 0.5, 2.5], [1.3, 0.6, 2.0], [-0.8, 0.7, 3.0], [0.5, 0.6, 2.5], [0.0, 1.0, 3.0]];

/// Desired angles, speeds and accelerations: sines that start from rest within one second.
fn desired(t: f64) -> [[f64; NV]; 3] {
    let s = t.min(1.0);
    // Ramp 10 s³ − 15 s⁴ + 6 s⁵ and its derivatives.
    let ramp = [
        s.powi(3) * (10.0 + s * (6.0 * s - 15.0)),
        30.0 * s.powi(2) * (1.0 - s).powi(2),
        60.0 * s * (1.0 - s) * (1.0 - 2.0 * s),
    ];
    let mut out = [[0.0; NV]; 3];
    for (joint, [middle, size, frequency]) in WAVES.into_iter().enumerate() {
        let (sin, cos) = (frequency * t).sin_cos();
        let wave = [size * sin, size * frequency * cos, -size * frequency * frequency * sin];
        out[0][joint] = middle + ramp[0] * wave[0];
        out[1][joint] = ramp[1] * wave[0] + ramp[0] * wave[1];
        out[2][joint] = ramp[2] * wave[0] + 2.0 * ramp[1] * wave[1] + ramp[0] * wave[2];
    }
    out
}

/// Torques of the controller at a state.
fn control(model: &Model<f64>, t: f64, x: &[f64; NX]) -> [f64; NU] {
    let [angles, speeds, accelerations] = desired(t);
    let mut a = [0.0; NV];
    for i in 0..NV {
        let (error, rate) = (angles[i] - x[i], speeds[i] - x[NV + i]);
        a[i] = accelerations[i] + 2.0 * OMEGA * rate + OMEGA * OMEGA * error;
    }
    let mut torque = [0.0; NU];
    model.inverse_dynamics(t, x, &a, &mut torque);
    torque
}

/// Results: times, the largest joint error \[rad\] at each, and the number of cycles in which a
/// motor was at its limit.
struct TrackingRun {
    t: Vec<f64>,
    error: Vec<f64>,
    limited: usize,
}

impl TrackingRun {
    fn largest_error(&self) -> f64 {
        self.error.iter().copied().fold(0.0, f64::max)
    }
}

fn simulate(known_load: f64) -> Result<TrackingRun, dqdt::Singular> {
    let robot = Model::default();
    let controller = Model::new(Params { load: known_load });
    let mut x = [0.0; NX];
    x[..NV].copy_from_slice(&desired(0.0)[0]);
    let mut out = TrackingRun { t: Vec::new(), error: Vec::new(), limited: 0 };
    for k in 0..CYCLES {
        let t = PERIOD * k as f64;
        let u = control(&controller, t, &x);
        let mut acting = [0.0; NU];
        out.limited += usize::from(robot.saturate(t, &x, &u, &mut acting).contains(&true));
        rk4_step(&robot, t, PERIOD, &mut x, &u)?;
        let angles = desired(t + PERIOD)[0];
        let error = angles.iter().zip(&x).map(|(a, x)| (a - x).abs()).fold(0.0, f64::max);
        out.t.push(t + PERIOD);
        out.error.push(error);
    }
    Ok(out)
}

fn series(name: &str, values: Vec<f64>) -> Series {
    Series { name: name.to_owned(), values }
}

fn main() -> Result<(), Box<dyn Error>> {
    let (knows, does_not) = (simulate(2.0)?, simulate(0.0)?);
    println!("largest error of a joint over {} s:", PERIOD * CYCLES as f64);
    println!("  the controller knows of the load   {:.5} rad", knows.largest_error());
    println!("  it does not                        {:.5} rad", does_not.largest_error());
    println!("cycles with a motor at its limit: {}", knows.limited);
    let plot = pictures::plot(&Plot {
        title: "UR5 with 2 kg in its hand: largest error of a joint under computed torque".to_owned(),
        x_label: "t".to_owned(),
        x_unit: "s".to_owned(),
        x: knows.t.clone(),
        panels: vec![
            Panel {
                label: "load not known".to_owned(),
                unit: "rad".to_owned(),
                series: vec![series("error", does_not.error)],
            },
            Panel {
                label: "load known".to_owned(),
                unit: "rad".to_owned(),
                series: vec![series("error", knows.error)],
            },
        ],
    });
    let folder = Path::new("target/ur5_computed_torque");
    fs::create_dir_all(folder)?;
    fs::write(folder.join("tracking.svg"), plot)?;
    println!("wrote target/ur5_computed_torque/tracking.svg");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn with_the_load_known_the_arm_follows_a_hundred_times_closer() {
        let (knows, does_not) =
            (simulate(2.0).unwrap().largest_error(), simulate(0.0).unwrap().largest_error());
        assert!(knows < 2e-3 && 20.0 * knows < does_not, "{knows} {does_not}");
        assert_eq!(simulate(2.0).unwrap().limited, 0);
    }
}
