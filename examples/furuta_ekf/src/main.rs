//! Extended Kalman filter that estimates the speeds of a Furuta pendulum from incremental encoders.
//!
//! `build.rs` derives `dqdt_derivatives` from `examples/specs/furuta_pendulum.toml`;
//! `dqdt::discrete::rk4_step_derivatives` turns it into the prediction step of the filter and its
//! exact derivative. The motor swings the arm, disturbed by a torque that the filter does not know.
//! The plot, `target/furuta_ekf/speeds.svg`, shows the estimated speed of the pendulum and that
//! from differences of encoder counts.

/// The generated module.
mod furuta {
    dqdt::include_mechanism!("furuta_pendulum");
}

use std::error::Error;
use std::fs;
use std::path::Path;

use dqdt::discrete::rk4_step_derivatives;
use dqdt::rk4_step;
use dqdt_codegen::pictures::{self, Panel, Plot, Series};
use furuta::{Model, NU, NX, START};
use nalgebra::{Matrix2, Matrix2x4, Matrix4, Vector2, Vector4};

/// The filter runs at 200 Hz; the simulated pendulum takes five integration steps per period.
const PERIOD: f64 = 0.005;
const SUBSTEPS: usize = 5;
const CYCLES: usize = 800;
/// Encoder counts per turn.
const COUNTS: f64 = 2000.0;
/// Standard deviation of the unknown disturbance torque \[N·m\].
const DISTURBANCE: f64 = 0.002;

/// Reproducible pseudo-random numbers (SplitMix64, Steele, Lea and Flood 2014), uniform or normal.
struct Noise(u64);

impl Noise {
    fn uniform(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 * 2f64.powi(-53)
    }

    fn normal(&mut self) -> f64 {
        let (a, b) = (1.0 - self.uniform(), self.uniform());
        (-2.0 * a.ln()).sqrt() * (std::f64::consts::TAU * b).cos()
    }
}

/// State estimate and its covariance.
struct Filter {
    x: [f64; NX],
    covariance: Matrix4<f64>,
}

impl Filter {
    fn new(x: [f64; NX]) -> Self {
        Filter { x, covariance: Matrix4::from_diagonal(&Vector4::new(1e-5, 1e-5, 1.0, 1.0)) }
    }

    /// Prediction over one period: propagates the covariance by the derivative of the step and adds
    /// that of the disturbance.
    fn predict(&mut self, model: &Model<f64>, u: &[f64; NU]) -> Result<(), dqdt::Singular> {
        let step = rk4_step_derivatives(model, 0.0, PERIOD, &self.x, u)?;
        self.x = step.x;
        let f = Matrix4::from_fn(|i, j| step.by_state[i][j]);
        let g = Vector4::from_fn(|i, _| step.by_input[i][0]) * DISTURBANCE;
        self.covariance = f * self.covariance * f.transpose() + g * g.transpose();
        Ok(())
    }

    /// Correction by the encoder readings of both angles.
    fn correct(&mut self, angles: [f64; 2]) {
        let h: Matrix2x4<f64> = Matrix2x4::identity();
        // Quantisation error: uniform over one count.
        let noise = Matrix2::identity() * (std::f64::consts::TAU / COUNTS).powi(2) / 12.0;
        let innovation = Vector2::new(angles[0] - self.x[0], angles[1] - self.x[1]);
        let spread: Matrix2<f64> = h * self.covariance * h.transpose() + noise;
        let Some(inverse) = spread.try_inverse() else { return };
        let gain = self.covariance * h.transpose() * inverse;
        let correction = gain * innovation;
        (0..NX).for_each(|i| self.x[i] += correction[i]);
        // Joseph's form keeps the covariance positive definite.
        let rest = Matrix4::identity() - gain * h;
        self.covariance = rest * self.covariance * rest.transpose() + gain * noise * gain.transpose();
    }
}

/// Angles rounded to encoder counts.
fn read_encoders(x: &[f64; NX]) -> [f64; 2] {
    [x[0], x[1]]
        .map(|angle| (angle * COUNTS / std::f64::consts::TAU).round() * std::f64::consts::TAU / COUNTS)
}

/// Results: times, and the speed of the pendulum: true, estimated, and from differences of counts.
#[derive(Default)]
struct FilterRun {
    t: Vec<f64>,
    speed: [Vec<f64>; 3],
    /// Root-mean-square errors of estimate and differences, after the first half second.
    errors: [f64; 2],
}

fn simulate() -> Result<FilterRun, dqdt::Singular> {
    let model = Model::default();
    let mut random = Noise(3);
    let mut x = START;
    let mut before = read_encoders(&x);
    // Initial estimate: angles of the encoders, unknown speeds.
    let mut filter = Filter::new([before[0], before[1], 0.0, 0.0]);
    let mut out = FilterRun::default();
    let mut squares = [0.0; 2];
    for k in 0..CYCLES {
        let t = PERIOD * k as f64;
        let u = [0.04 * (5.0 * t).sin() + 0.02 * (17.0 * t).cos()];
        let unknown = DISTURBANCE * random.normal();
        for _ in 0..SUBSTEPS {
            rk4_step(&model, t, PERIOD / SUBSTEPS as f64, &mut x, &[u[0] + unknown])?;
        }
        filter.predict(&model, &u)?;
        let angles = read_encoders(&x);
        filter.correct(angles);
        let difference = (angles[1] - before[1]) / PERIOD;
        before = angles;
        let speeds = [x[3], filter.x[3], difference];
        out.t.push(t + PERIOD);
        out.speed.iter_mut().zip(speeds).for_each(|(list, x)| list.push(x));
        if t >= 0.5 {
            squares[0] += (speeds[1] - speeds[0]).powi(2);
            squares[1] += (speeds[2] - speeds[0]).powi(2);
        }
    }
    let samples = CYCLES as f64 - 0.5 / PERIOD;
    out.errors = squares.map(|s| (s / samples).sqrt());
    Ok(out)
}

fn series(name: &str, values: Vec<f64>) -> Series {
    Series { name: name.to_owned(), values }
}

fn panel(label: &str, series: Vec<Series>) -> Panel {
    Panel { label: label.to_owned(), unit: "rad/s".to_owned(), series }
}

fn main() -> Result<(), Box<dyn Error>> {
    let FilterRun { t, speed: [truth, estimate, differences], errors: [filter, plain] } = simulate()?;
    println!("speed of the pendulum, root mean square error:");
    println!("  extended Kalman filter   {filter:.4} rad/s");
    println!("  differences of counts    {plain:.4} rad/s");
    let off = estimate.iter().zip(&truth).map(|(a, b)| a - b).collect();
    let plain = differences.iter().zip(&truth).map(|(a, b)| a - b).collect();
    let plot = pictures::plot(&Plot {
        title: "Furuta pendulum: the speed of the pendulum, from counted angles".to_owned(),
        x_label: "t".to_owned(),
        x_unit: "s".to_owned(),
        x: t,
        panels: vec![
            panel("speed", vec![series("true", truth), series("filter", estimate)]),
            panel("error", vec![series("differences", plain), series("filter", off)]),
        ],
    });
    let folder = Path::new("target/furuta_ekf");
    fs::create_dir_all(folder)?;
    fs::write(folder.join("speeds.svg"), plot)?;
    println!("wrote target/furuta_ekf/speeds.svg");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_filter_knows_the_speed_ten_times_better_than_differences() {
        let [filter, differences] = simulate().unwrap().errors;
        assert!(10.0 * filter < differences && differences < 0.5, "{filter} {differences}");
    }
}
