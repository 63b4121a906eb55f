//! Controller of the cart-pole: swing-up and balance.
//!
//! Problem: the pole hangs; bring it upright by pushing the cart, within the limits of the motor
//! and of the rail.
//! Method:  swing-up by energy (Åström and Furuta 2000) after partial feedback linearisation (Spong
//! 1994). The controller commands the acceleration `a` of the cart and solves `M v̇ + bias = B u`
//! for the force, the row of the hinge first. With the pole's energy `E` relative to upright rest,
//! `Ė = −m_12 θ̇ a` apart from friction, so `a = k E tanh(m_12 θ̇ / s)` increases the energy where
//! `E < 0` and decreases it where `E > 0`. A weak spring and damper keep the cart near the middle
//! of the rail. Near upright a linear-quadratic regulator takes over.
//! Uses:    generated `mass_matrix`, `bias`, `energy`, and `dqdt` through the linearisation.

use std::f64::consts::PI;

use crate::cart_pole::{Energy, Model, NU, NV, NX, Q_THETA, Q_X, V_THETA_DOT, V_X_DOT};
use crate::lqr::{self, NoGain, Weights};

/// Weights of the regulator: position [1/m²], angle [1/rad²] and their rates, force [1/N²].
pub const WEIGHTS: Weights = Weights { state: [20.0, 20.0, 1.0, 1.0], input: 0.1 };
/// Gain from the missing energy, as a fraction of a full swing, to the acceleration of the cart
/// [m/s²].
const PUMP: f64 = 12.0;
/// Target energy above upright rest, as a fraction of a full swing, to compensate friction.
const EXCESS: f64 = 0.06;
/// Width of the smoothed sign function of θ̇ m_12 [kg·m·rad/s].
const SWING: f64 = 0.15;
/// Stiffness [1/s²] and damping [1/s] that pull the cart to the middle of the rail.
const CENTRE: [f64; 2] = [6.0, 2.0];
/// Maximum commanded acceleration [m/s²].
const ACCELERATION: f64 = 3.5;
/// Angles from upright: below the first the regulator takes over, above the second it gives up
/// \[rad\].
const CATCH: [f64; 2] = [0.4, 0.8];

/// Mode of the controller.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// Swing-up: pumps energy into the pole.
    SwingUp,
    /// Balance: keeps the pole upright.
    Balance,
}

/// Controller with a model of the plant, the gain of the regulator, and its mode.
#[derive(Debug)]
pub struct Controller {
    model: Model,
    gain: [f64; NX],
    limit: f64,
    /// Mode of the last call.
    pub mode: Mode,
}

impl Controller {
    /// Computes the gain of the regulator.
    ///
    /// # Errors
    /// [`NoGain`] if the plant cannot be stabilised upright.
    pub fn new() -> Result<Self, NoGain> {
        let model = Model::default();
        let limit = model.params().f_max;
        Ok(Controller { gain: lqr::gain(&WEIGHTS)?, limit, model, mode: Mode::SwingUp })
    }

    /// Gain of the regulator.
    pub fn gain(&self) -> &[f64; NX] {
        &self.gain
    }

    /// Force for a measured state, before the limits of the motor \[N\].
    pub fn force(&mut self, x: &[f64; NX]) -> f64 {
        // Full turns of the pole do not matter.
        let mut error = *x;
        error[Q_THETA] = wrap(x[Q_THETA]);
        let angle = error[Q_THETA].abs();
        let regulated = -lqr::dot(&self.gain, &error);
        self.mode = match self.mode {
            // The regulator takes over only if its force is within the limits of the motor.
            Mode::SwingUp if angle < CATCH[0] && regulated.abs() < self.limit => Mode::Balance,
            Mode::Balance if angle > CATCH[1] => Mode::SwingUp,
            mode => mode,
        };
        match self.mode {
            Mode::Balance => regulated,
            Mode::SwingUp => self.swing_up(x),
        }
    }

    fn swing_up(&self, x: &[f64; NX]) -> f64 {
        let mut m = [[0.0; NV]; NV];
        self.model.mass_matrix(0.0, x, &mut m);
        let mut bias = [0.0; NV];
        self.model.bias(0.0, x, &mut bias);
        let rate = x[V_THETA_DOT];
        let potential = |angle: f64| {
            let mut energy = Energy::default();
            self.model.energy(0.0, &[0.0, angle, 0.0, 0.0], &mut energy);
            energy.potential
        };
        let range = potential(0.0) - potential(PI);
        let energy = (0.5 * m[1][1] * rate * rate + potential(x[Q_THETA]) - potential(0.0)) / range - EXCESS;
        // Direction in which Ė has the desired sign. At rest there is none: push to the right.
        let swing = if rate.abs() < 1e-3 { -1.0 } else { (rate * m[0][1] / SWING).tanh() };
        let pump = PUMP * energy * swing;
        let centre = -CENTRE[0] * x[Q_X] - CENTRE[1] * x[V_X_DOT];
        let a = (pump + centre).clamp(-ACCELERATION, ACCELERATION);
        // Row of the hinge, which has no motor: m_21 a + m_22 θ̈ + bias = 0. Then the row of the
        // rail.
        let theta_dot_dot = -(m[1][0] * a + bias[1]) / m[1][1];
        m[0][0] * a + m[0][1] * theta_dot_dot + bias[0]
    }

    /// Inputs of the plant for a measured state, before the limits of the motor.
    pub fn inputs(&mut self, x: &[f64; NX]) -> [f64; NU] {
        [self.force(x)]
    }
}

/// The angle, normalised to −π … π.
pub fn wrap(angle: f64) -> f64 {
    let turn = std::f64::consts::TAU;
    angle - turn * (angle / turn).round()
}
