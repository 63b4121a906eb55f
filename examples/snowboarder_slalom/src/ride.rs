//! Simulation of the ride, with forces and moments.

use std::error::Error;

use dqdt::integrate::{Options, integrate_constrained};

use crate::slalom::{Model, Multipliers, NU, NX, Outputs, ProgramInputs, Q_PHI0, Q_X, Q_Y, V_X_DOT, V_Y_DOT};

/// Placeholder for the inputs, which are computed from the program constraints and not read.
const NO_INPUTS: [f64; NU] = [0.0; NU];
/// Samples per second.
const SAMPLES: f64 = 100.0;

/// Quantities of one sample.
#[derive(Clone, Copy, Debug)]
pub struct RideSample {
    /// Time \[s\].
    pub t: f64,
    /// Position down the slope \[m\].
    pub x: f64,
    /// Position across the slope \[m\].
    pub y: f64,
    /// Commanded position across the slope \[m\].
    pub commanded: f64,
    /// Path error e, across the slope \[m\].
    pub error: f64,
    /// Heading error h: sin φ₀ − (A k cos(k x) − κ e) cos φ₀.
    pub heading: f64,
    /// Speed along the edge \[m/s\].
    pub speed: f64,
    /// Force of the slope on the edge, positive to the right \[N\].
    pub edge: f64,
    /// Steering moment on the ski \[N·m\].
    pub steering: f64,
    /// Moment of the leg about the vertical \[N·m\].
    pub azimuth: f64,
    /// Moment of the leg that raises the rider \[N·m\].
    pub elevation: f64,
}

/// A simulated ride.
#[derive(Clone, Debug, Default)]
pub struct Ride {
    /// State at each sample.
    pub states: Vec<[f64; NX]>,
    /// Derived quantities at each sample.
    pub samples: Vec<RideSample>,
}

impl Ride {
    /// Simulates from `start` for `end` seconds. At every sample the velocity of the ski is
    /// projected onto its edge.
    ///
    /// # Errors
    /// Where the equations are singular: a rider who stands upright has no azimuth.
    pub fn new(model: &Model, start: &[f64; NX], end: f64) -> Result<Self, Box<dyn Error>> {
        let count = (end * SAMPLES).round() as u32;
        let times: Vec<f64> = (0..=count).map(|i| f64::from(i) / SAMPLES).collect();
        let options = Options { rtol: 1e-10, atol: 1e-10, ..Options::default() };
        let run = integrate_constrained(model, (0.0, start), &times, |_, _| NO_INPUTS, &options, 1e-12)?;
        let samples = run.t.iter().zip(&run.x).map(|(t, x)| sample(model, *t, x));
        Ok(Ride { samples: samples.collect::<Result<_, _>>()?, states: run.x })
    }
}

fn sample(model: &Model, t: f64, x: &[f64; NX]) -> Result<RideSample, dqdt::Singular> {
    let (mut outputs, mut edge, mut inputs) =
        (Outputs::default(), Multipliers::default(), ProgramInputs::default());
    model.outputs(t, x, &NO_INPUTS, &mut outputs);
    model.multipliers(t, x, &NO_INPUTS, &mut edge)?;
    model.program_inputs(t, x, &NO_INPUTS, &mut inputs)?;
    let p = model.params();
    let slope = p.A * p.k * (p.k * x[Q_X]).cos() - p.kappa * outputs.error;
    let (sin, cos) = x[Q_PHI0].sin_cos();
    Ok(RideSample {
        t,
        x: x[Q_X],
        y: x[Q_Y],
        commanded: x[Q_Y] - outputs.error,
        error: outputs.error,
        heading: sin - slope * cos,
        speed: x[V_X_DOT].hypot(x[V_Y_DOT]),
        edge: edge.edge,
        steering: inputs.M0,
        azimuth: inputs.M_phi1,
        elevation: inputs.M_psi1,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::slalom::{Params, Q_PHI1, Q_PSI1, START, V_PHI0_DOT};

    fn ride(model: &Model, start: &[f64; NX]) -> Result<Ride, Box<dyn Error>> {
        let ride = Ride::new(model, start, 6.0)?;
        for m in &ride.samples {
            let all = [m.error, m.speed, m.edge, m.steering, m.azimuth, m.elevation];
            assert!(all.iter().all(|v| v.is_finite()), "{m:?}");
        }
        Ok(ride)
    }

    /// Checks that e exp(κ x) is constant once the heading is right.
    fn decays(ride: &Ride, kappa: f64, from: f64) {
        let (before, settled): (Vec<&RideSample>, Vec<&RideSample>) =
            ride.samples.iter().partition(|m| m.t < from);
        let grown = |m: &RideSample| m.error * (kappa * m.x).exp();
        let level = grown(settled[0]);
        assert!(level.abs() > 0.2 * before[0].error.abs(), "{level} m: nothing decays here");
        for m in &settled {
            assert!((grown(m) / level - 1.0).abs() < 1e-3, "t = {}: {} m, not {level} m", m.t, grown(m));
        }
        let last = ride.samples[ride.samples.len() - 1];
        assert!(last.x > 15.0 && last.speed > 3.0, "{last:?}");
        assert!(before.iter().all(|m| m.error.abs() < 4.0));
    }

    #[test]
    fn the_error_decays_over_the_way_at_the_rate_that_was_asked_for() -> Result<(), Box<dyn Error>> {
        let model = Model::default();
        // Ten time constants of the heading reduce its error to 5e-4.
        decays(&ride(&model, &START)?, model.params().kappa, 2.2);
        Ok(())
    }

    #[test]
    fn also_at_other_rates_and_from_the_other_side() -> Result<(), Box<dyn Error>> {
        for (kappa, y) in [(0.15, 2.0), (0.3, -1.5), (0.5, 1.0)] {
            let model = Model::new(Params { kappa, ..Params::default() });
            let mut start = START;
            // The heading is right at the start, but not its rate.
            let slope: f64 = model.params().A * model.params().k - kappa * y;
            (start[Q_Y], start[Q_PHI0], start[V_Y_DOT]) = (y, slope.atan(), start[V_X_DOT] * slope);
            decays(&ride(&model, &start)?, kappa, 3.4);
        }
        Ok(())
    }

    /// Decay of the heading error, with the time constant T = 0.2 s.
    fn decay(t: f64) -> f64 {
        (-t / 0.2f64).exp()
    }

    /// The heading error obeys ḧ + 2 ḣ/T + h/T² = 0, T = 0.2 s.
    #[test]
    fn the_heading_comes_right_with_its_time_constant() -> Result<(), Box<dyn Error>> {
        let ride = ride(&Model::default(), &START)?;
        let h = |i: usize| ride.samples[i].heading;
        // Solution through the values at 0 s and 0.2 s: h = (h₀ + c t) exp(−t/T).
        let c = (h(20) / decay(0.2) - h(0)) / 0.2;
        assert!(h(0).abs() > 0.05 || c.abs() > 0.05);
        for (i, m) in ride.samples.iter().enumerate() {
            let expected = (h(0) + c * m.t) * decay(m.t);
            assert!((h(i) - expected).abs() < 1e-7, "t = {}: {} against {expected}", m.t, h(i));
        }
        Ok(())
    }

    #[test]
    fn the_rider_holds_his_angles_and_the_edge_its_line() -> Result<(), Box<dyn Error>> {
        let model = Model::default();
        let ride = ride(&model, &START)?;
        let last = ride.states[ride.states.len() - 1];
        assert!((last[Q_PHI1] - model.params().phi_held).abs() < 1e-4);
        assert!((last[Q_PSI1] - model.params().psi_held).abs() < 1e-4);
        for x in &ride.states {
            let (sin, cos) = x[Q_PHI0].sin_cos();
            assert!((x[V_X_DOT] * sin - x[V_Y_DOT] * cos).abs() < 1e-11);
        }
        Ok(())
    }

    /// At constant angles all points have the acceleration of the ski. Across the ski:
    /// `m (v dφ₀/dt + g₁ sin φ₀)`.
    #[test]
    fn the_edge_carries_the_turns_of_ski_and_rider() -> Result<(), Box<dyn Error>> {
        let model = Model::default();
        let ride = ride(&model, &START)?;
        let p = model.params();
        let settled = ride.samples.iter().zip(&ride.states).filter(|(m, _)| m.t > 5.0);
        let mut greatest = 0.0f64;
        for (m, x) in settled {
            let expected = -(p.m0 + p.m1) * (m.speed * x[V_PHI0_DOT] + p.g1 * x[Q_PHI0].sin());
            assert!((m.edge - expected).abs() < 1.0, "t = {}: {} N against {expected} N", m.t, m.edge);
            greatest = greatest.max(m.edge.abs());
        }
        assert!(greatest > 300.0, "{greatest} N");
        Ok(())
    }
}

/// Error of the generator if the path itself is made a program constraint.
#[cfg(test)]
mod refusal {
    use std::path::Path;

    use dqdt_codegen::read::{Settings, parse_with};

    #[test]
    fn the_path_itself_cannot_be_asked_for_the_moment_comes_a_derivative_too_late() {
        let text = include_str!("../slalom.toml");
        let heading = "sin(phi0) - (A*k*cos(k*x) - kappa*(y - A*sin(k*x)))*cos(phi0)";
        assert!(text.contains(heading));
        let text = text.replace(heading, "y - A*sin(k*x)");
        let settings = Settings::new().folder(Path::new(env!("CARGO_MANIFEST_DIR")));
        let spec = parse_with("slalom.toml", text, &settings);
        let message = match spec.map(|s| dqdt_codegen::pipeline::build(&s, "slalom.toml")) {
            Ok(Err(errors)) | Err(errors) => errors.to_string(),
            Ok(Ok(_)) => String::new(),
        };
        assert!(message.contains("not-decoupled"), "{message}");
    }
}
