//! Identification of the base inertial parameters of a Panda from noisy torques.
//!
//! `build.rs` derives the regressor `Y` of `τ = Y π + rest` from `examples/specs/panda_arm.toml`.
//! 43 of its 70 columns are independent (`dqdt_codegen::identify`). Over a motion of all joints
//! they are fitted to measured torques, here those of the spec with noise. Friction is assumed
//! known: it is part of `rest`. Another motion then validates the fit. The plot is written to
//! `target/panda_identification/torques.svg`.

mod fit;

/// The generated module.
mod panda {
    dqdt::include_mechanism!("panda_arm");
}

use std::error::Error;
use std::fs;
use std::path::Path;

use dqdt_codegen::pictures::{self, Panel, Plot, Series};
use dqdt_codegen::{identify, pipeline};
use fit::Fit;
use panda::{Model, NV, NX, Regressor, START};

/// Standard deviation of the noise of a torque sensor \[N·m\].
const NOISE: f64 = 0.2;
/// Number of samples of a motion, 10 ms apart.
const SAMPLES: usize = 1000;
const STEP: f64 = 0.01;

/// Reproducible pseudo-random numbers (SplitMix64, Steele, Lea and Flood 2014).
struct Noise(u64);

impl Noise {
    /// Uniform from 0 to 1.
    fn uniform(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 * 2f64.powi(-53)
    }

    /// Normal with standard deviation one (Box and Muller 1958).
    fn normal(&mut self) -> f64 {
        let (a, b) = (1.0 - self.uniform(), self.uniform());
        (-2.0 * a.ln()).sqrt() * (std::f64::consts::TAU * b).cos()
    }
}

/// A motion of all joints around the start: sums of sines, an excitation as in Swevers et al.
/// (1997).
struct ExcitationMotion {
    /// Amplitude \[rad\], frequency \[rad/s\] and phase of each sine, by joint.
    waves: Vec<[[f64; 3]; 4]>,
}

impl ExcitationMotion {
    fn new(seed: u64) -> Self {
        let mut random = Noise(seed);
        let waves = (0..NV).map(|_| {
            std::array::from_fn(|k| {
                [
                    0.1 + 0.25 * random.uniform(),
                    0.2 * std::f64::consts::TAU * (k + 1) as f64,
                    6.3 * random.uniform(),
                ]
            })
        });
        ExcitationMotion { waves: waves.collect() }
    }

    /// State and accelerations at a time.
    fn at(&self, t: f64) -> ([f64; NX], [f64; NV]) {
        let (mut x, mut a) = (START, [0.0; NV]);
        for (joint, waves) in self.waves.iter().enumerate() {
            x[NV + joint] = 0.0;
            for [size, frequency, phase] in waves {
                let (s, c) = (frequency * t + phase).sin_cos();
                x[joint] += size * s;
                x[NV + joint] += size * frequency * c;
                a[joint] -= size * frequency * frequency * s;
            }
        }
        (x, a)
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let spec = Path::new(env!("CARGO_MANIFEST_DIR")).join("../specs/panda_arm.toml");
    let base = identify::base_parameters(&pipeline::load(&spec)?);
    let places: Vec<usize> = base.parameters.iter().map(|p| p.place).collect();
    println!("{} parameters of the bodies, {} combinations show", base.names.len(), places.len());

    let model = Model::default();
    let mut random = Noise(42);
    let mut y = Regressor::default();
    let mut fit = Fit::new(places.len());
    let motion = ExcitationMotion::new(1);
    for k in 0..SAMPLES {
        let (x, a) = motion.at(STEP * k as f64);
        let mut torque = [0.0; NV];
        model.inverse_dynamics(0.0, &x, &a, &mut torque);
        model.regressor(0.0, &x, &a, &mut y);
        for (joint, row) in y.matrix.iter().enumerate() {
            let measured = torque[joint] + NOISE * random.normal();
            let row: Vec<f64> = places.iter().map(|i| row[*i]).collect();
            fit.add(&row, measured - y.rest[joint]);
        }
    }
    let (estimate, deviations) = fit.solve().ok_or("the motion does not show all parameters")?;

    // Values of the spec, for comparison; the fit does not use them.
    let mut all = panda::InertialParameters::default();
    model.inertial_parameters(0.0, &START, &mut all);
    let values = base.values(&all.parameters);
    let within =
        (0..places.len()).filter(|i| (estimate[*i] - values[*i]).abs() < 3.0 * deviations[*i]).count();
    println!(
        "{within} of {} are within three standard deviations of those of the spec; the first:",
        places.len()
    );
    for i in 0..5 {
        println!(
            "  {:>10}: {:>8.4} ± {:.4}, in the spec {:>8.4}",
            base.names[places[i]], estimate[i], deviations[i], values[i]
        );
    }

    let (t, joints, error) = validate(&model, &base.all(&estimate));
    println!(
        "on another motion the torques are off by {error:.3} N·m (root mean square), the noise was {NOISE} N·m"
    );
    let folder = Path::new("target/panda_identification");
    fs::create_dir_all(folder)?;
    fs::write(folder.join("torques.svg"), plot(&t, &joints))?;
    println!("wrote target/panda_identification/torques.svg");
    Ok(())
}

/// Torques of one joint over time: of the arm, and predicted by the fit.
type Torques = [Vec<f64>; 2];

/// Validation on another motion: times, torques of all joints, and the root-mean-square error of
/// the prediction.
fn validate(model: &Model<f64>, parameters: &[f64]) -> (Vec<f64>, Vec<Torques>, f64) {
    let motion = ExcitationMotion::new(2);
    let mut joints: Vec<Torques> = vec![Default::default(); NV];
    let (mut t, mut squares) = (Vec::new(), 0.0);
    let mut y = Regressor::default();
    for k in 0..SAMPLES {
        t.push(STEP * k as f64);
        let (x, a) = motion.at(t[k]);
        let mut torque = [0.0; NV];
        model.inverse_dynamics(0.0, &x, &a, &mut torque);
        model.regressor(0.0, &x, &a, &mut y);
        for (joint, curves) in joints.iter_mut().enumerate() {
            let row = y.matrix[joint].iter().zip(parameters);
            let by_fit = y.rest[joint] + row.map(|(y, p)| y * p).sum::<f64>();
            squares += (by_fit - torque[joint]).powi(2);
            curves[0].push(torque[joint]);
            curves[1].push(by_fit);
        }
    }
    (t, joints, (squares / (SAMPLES * NV) as f64).sqrt())
}

fn series(name: &str, values: Vec<f64>) -> Series {
    Series { name: name.to_owned(), values }
}

/// Plot of the torques of three joints and their prediction errors.
fn plot(t: &[f64], joints: &[Torques]) -> String {
    let panels = [0, 1, 3].map(|joint: usize| {
        let [arm, by_fit] = &joints[joint];
        let off = arm.iter().zip(by_fit).map(|(a, b)| b - a).collect();
        Panel {
            label: format!("joint {}", joint + 1),
            unit: "N·m".to_owned(),
            series: vec![
                series("arm", arm.clone()),
                series("by the fit", by_fit.clone()),
                series("off", off),
            ],
        }
    });
    pictures::plot(&Plot {
        title: "Panda: torques of a motion that the fit has not seen".to_owned(),
        x_label: "t".to_owned(),
        x_unit: "s".to_owned(),
        x: t.to_vec(),
        panels: panels.to_vec(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_noise_the_torques_of_another_motion_are_those_of_the_arm() {
        let spec = Path::new(env!("CARGO_MANIFEST_DIR")).join("../specs/panda_arm.toml");
        let base = identify::base_parameters(&pipeline::load(&spec).unwrap());
        assert_eq!(base.parameters.len(), 43);
        let model = Model::default();
        let mut all = panda::InertialParameters::default();
        model.inertial_parameters(0.0, &START, &mut all);
        let (_, _, error) = validate(&model, &base.all(&base.values(&all.parameters)));
        assert!(error < 1e-10, "{error:e}");
    }
}
