//! Closed-loop simulation of controller and plant.

use std::f64::consts::PI;

use dqdt::Singular;
use dqdt_codegen::pictures::{self, Panel, Plot, Series};

use crate::cart_pole::{Energy, Model, NU, NX, Q_THETA, Q_X};
use crate::controller::{Controller, Mode, wrap};
use crate::plant;

/// Start state: the pole hangs at rest.
pub const HANGING: [f64; NX] = [0.0, PI, 0.0, 0.0];
/// Angle below which the pole counts as upright \[rad\].
const UPRIGHT: f64 = 0.05;

/// A recorded motion, with one entry per period of the controller.
#[derive(Debug, Default)]
pub struct ClosedLoopRun {
    /// Start times of the periods \[s\].
    pub t: Vec<f64>,
    /// States at these times.
    pub x: Vec<[f64; NX]>,
    /// Force commanded by the controller \[N\].
    pub commanded: Vec<f64>,
    /// Force of the motor, within its limits \[N\].
    pub applied: Vec<f64>,
    /// True where a limit of the motor acts.
    pub limited: Vec<bool>,
    /// True where the regulator is active.
    pub balance: Vec<bool>,
    /// Maximum force of the motor \[N\].
    pub limit: f64,
    /// Kinetic and potential energy \[J\].
    pub energy: Vec<[f64; 2]>,
}

impl ClosedLoopRun {
    /// Simulates from `start` for `end` seconds.
    ///
    /// # Errors
    /// [`Singular`] where the equations cannot be solved.
    pub fn new(
        model: &Model,
        controller: &mut Controller,
        start: [f64; NX],
        end: f64,
    ) -> Result<Self, Singular> {
        let mut run = ClosedLoopRun { limit: model.params().f_max, ..ClosedLoopRun::default() };
        let mut x = start;
        let periods = (end / plant::PERIOD).round() as u32;
        for k in 0..periods {
            let commanded = controller.inputs(&x);
            // The plant applies the limits itself; this call only records their effect.
            let mut applied = [0.0; NU];
            let limited = model.saturate(0.0, &x, &commanded, &mut applied);
            let mut energy = Energy::default();
            model.energy(0.0, &x, &mut energy);
            run.t.push(f64::from(k) * plant::PERIOD);
            run.x.push(x);
            run.commanded.push(commanded[0]);
            run.applied.push(applied[0]);
            run.limited.push(limited[0]);
            run.balance.push(controller.mode == Mode::Balance);
            run.energy.push([energy.kinetic, energy.potential]);
            plant::period(model, &mut x, &commanded)?;
        }
        Ok(run)
    }

    /// Time from which the pole stays upright until the end.
    pub fn upright_from(&self) -> Option<f64> {
        let fallen = self.x.iter().rposition(|x| wrap(x[Q_THETA]).abs() > UPRIGHT);
        self.t.get(fallen.map_or(0, |i| i + 1)).copied()
    }

    /// Maximum absolute value of a state.
    pub fn reach(&self, index: usize) -> f64 {
        self.x.iter().map(|x| x[index].abs()).fold(0.0, f64::max)
    }

    /// Maximum absolute force: commanded, and of the motor \[N\].
    pub fn greatest_force(&self) -> [f64; 2] {
        [&self.commanded, &self.applied].map(|u| u.iter().map(|u| u.abs()).fold(0.0, f64::max))
    }

    /// Plot of the motion as SVG.
    pub fn plot(&self) -> String {
        let state = |i: usize| self.x.iter().map(|x| x[i]).collect();
        let energy = |f: fn(&[f64; 2]) -> f64| self.energy.iter().map(f).collect();
        pictures::plot(&Plot {
            title: "cart-pole: swing-up and balance".to_owned(),
            x_label: "t".to_owned(),
            x_unit: "s".to_owned(),
            x: self.t.clone(),
            panels: vec![
                panel("cart", "m", vec![series("x", state(Q_X))]),
                panel("pole", "rad", vec![series("theta, from upright", state(Q_THETA))]),
                panel(
                    "force",
                    "N",
                    vec![
                        series("motor", self.applied.clone()),
                        series("its limits", vec![self.limit; self.t.len()]),
                        series("", vec![-self.limit; self.t.len()]),
                    ],
                ),
                panel(
                    "energy",
                    "J",
                    vec![
                        series("kinetic", energy(|e| e[0])),
                        series("potential", energy(|e| e[1])),
                        series("total", energy(|e| e[0] + e[1])),
                    ],
                ),
            ],
        })
    }
}

fn series(name: &str, values: Vec<f64>) -> Series {
    Series { name: name.to_owned(), values }
}

fn panel(label: &str, unit: &str, series: Vec<Series>) -> Panel {
    Panel { label: label.to_owned(), unit: unit.to_owned(), series }
}

#[cfg(test)]
mod tests {
    use std::error::Error;

    use super::*;
    use crate::cart_pole::Params;

    /// Half the length of the rail \[m\].
    const RAIL: f64 = 1.0;

    fn check(model: &Model, start: [f64; NX], by: f64) -> Result<ClosedLoopRun, Box<dyn Error>> {
        let run = ClosedLoopRun::new(model, &mut Controller::new()?, start, by + 5.0)?;
        let upright = run.upright_from().ok_or("never upright")?;
        assert!(upright < by, "upright from {upright} s only");
        assert!(run.reach(Q_X) < RAIL, "the cart goes to {} m", run.reach(Q_X));
        let [_, force] = run.greatest_force();
        assert!(force <= model.params().f_max, "{force} N");
        assert!(run.balance.last() == Some(&true));
        Ok(run)
    }

    #[test]
    fn the_pole_swings_up_and_stays() -> Result<(), Box<dyn Error>> {
        let run = check(&Model::default(), HANGING, 5.0)?;
        let last = run.x[run.x.len() - 1];
        assert!(last[Q_X].abs() < 0.01 && wrap(last[Q_THETA]).abs() < 1e-3, "{last:?}");
        Ok(())
    }

    #[test]
    fn from_other_places() -> Result<(), Box<dyn Error>> {
        for angle in [0.1, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 3.3, 4.0, 5.0, -1.5] {
            for x in [0.0, 0.1] {
                check(&Model::default(), [x, angle, 0.0, 0.0], 6.0)?;
            }
        }
        Ok(())
    }

    /// The controller keeps its default model; only the plant changes.
    #[test]
    fn a_pole_that_is_lighter_or_heavier() -> Result<(), Box<dyn Error>> {
        let default = Params::default();
        for factor in [0.8, 1.2] {
            check(&Model::new(Params { m_pole: factor * default.m_pole, ..default }), HANGING, 6.0)?;
        }
        Ok(())
    }

    /// The motor of the plant gives half of the force that the controller assumes.
    #[test]
    fn the_limit_of_the_motor_holds() -> Result<(), Box<dyn Error>> {
        let default = Params::default();
        let run = check(&Model::new(Params { f_max: 0.5 * default.f_max, ..default }), HANGING, 8.0)?;
        assert!(run.limited.contains(&true) && run.limited.contains(&false));
        for ((commanded, applied), limited) in run.commanded.iter().zip(&run.applied).zip(&run.limited) {
            assert_eq!(commanded != applied, *limited, "{commanded} N and {applied} N");
        }
        Ok(())
    }

    #[test]
    fn the_plot_holds_every_curve() -> Result<(), Box<dyn Error>> {
        let run = ClosedLoopRun::new(&Model::default(), &mut Controller::new()?, HANGING, 0.5)?;
        let plot = run.plot();
        for name in ["theta", "motor", "limits", "kinetic", "total"] {
            assert!(plot.contains(name), "{name}");
        }
        Ok(())
    }
}
