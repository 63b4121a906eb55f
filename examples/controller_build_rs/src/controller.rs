//! Swing-up and balance.
//!
//! Problem: the pole hangs; bring it upright by pushing the cart, within the motor's force and the length of the rail.
//! Method:  swing-up by energy (Åström and Furuta 2000) after partial feedback linearisation (Spong 1994): the
//!          controller commands the cart's acceleration `a`, and finds the force for it from `M v̇ + bias = B u`,
//!          row of the hinge first. With `E` the pole's energy above upright rest, `Ė = −m_12 θ̇ a` but for friction, so
//!          `a = k E tanh(m_12 θ̇ / s)` pumps where `E < 0` and brakes where `E > 0`; a weak spring and damper hold the
//!          cart near the middle of the rail. Near upright a linear quadratic regulator takes over.
//! Uses:    generated `mass_matrix`, `bias`, `energy`, and `dqdt` through the linearisation.

use std::f64::consts::PI;

use crate::cart_pole::{Energy, Model, NU, NV, NX, Q_THETA, Q_X, V_THETA_DOT, V_X_DOT};
use crate::lqr::{self, NoGain, Weights};

/// Weights of the regulator: position [1/m²], angle [1/rad²] and their rates, force [1/N²].
pub const WEIGHTS: Weights = Weights { state: [20.0, 20.0, 1.0, 1.0], input: 0.1 };
/// Acceleration of the cart for a full swing of missing energy [m/s²].
const PUMP: f64 = 12.0;
/// Energy that is aimed at above upright rest, of a full swing: friction takes some.
const EXCESS: f64 = 0.06;
/// Where θ̇ m_12 counts as a swing in one direction [kg·m·rad/s].
const SWING: f64 = 0.15;
/// Pull of the cart to the middle of the rail [1/s²] and its damping [1/s].
const CENTRE: [f64; 2] = [6.0, 2.0];
/// Greatest acceleration that is commanded [m/s²].
const ACCELERATION: f64 = 3.5;
/// Angles from upright within which the regulator takes over, and beyond which it gives up \[rad\].
const CATCH: [f64; 2] = [0.4, 0.8];

/// What the controller is doing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// Pumping energy into the pole.
    SwingUp,
    /// Holding the pole upright.
    Balance,
}

/// The controller: a model of the plant, the regulator's gain, and the mode.
#[derive(Debug)]
pub struct Controller {
    model: Model,
    gain: [f64; NX],
    limit: f64,
    /// What it did last.
    pub mode: Mode,
}

impl Controller {
    /// Finds the gain.
    ///
    /// # Errors
    /// [`NoGain`] if the plant cannot be held upright.
    pub fn new() -> Result<Self, NoGain> {
        let model = Model::default();
        let limit = model.params().f_max;
        Ok(Controller { gain: lqr::gain(&WEIGHTS)?, limit, model, mode: Mode::SwingUp })
    }

    /// The gain of the regulator.
    pub fn gain(&self) -> &[f64; NX] {
        &self.gain
    }

    /// The force for a measured state, before the motor's limits.
    pub fn force(&mut self, x: &[f64; NX]) -> f64 {
        // A pole that went round is as upright as one that did not.
        let mut error = *x;
        error[Q_THETA] = wrap(x[Q_THETA]);
        let angle = error[Q_THETA].abs();
        let regulated = -lqr::dot(&self.gain, &error);
        self.mode = match self.mode {
            // The regulator may have it where the motor can do what it asks for.
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
        // Towards where Ė has the sign that is wanted. At rest below nothing tells: then to the right.
        let swing = if rate.abs() < 1e-3 { -1.0 } else { (rate * m[0][1] / SWING).tanh() };
        let pump = PUMP * energy * swing;
        let centre = -CENTRE[0] * x[Q_X] - CENTRE[1] * x[V_X_DOT];
        let a = (pump + centre).clamp(-ACCELERATION, ACCELERATION);
        // The row of the hinge, which no motor drives: m_21 a + m_22 θ̈ + bias = 0. Then the row of the rail.
        let theta_dot_dot = -(m[1][0] * a + bias[1]) / m[1][1];
        m[0][0] * a + m[0][1] * theta_dot_dot + bias[0]
    }

    /// Inputs of the plant for a measured state, before the motor's limits.
    pub fn inputs(&mut self, x: &[f64; NX]) -> [f64; NU] {
        [self.force(x)]
    }
}

/// The angle between −π and π.
pub fn wrap(angle: f64) -> f64 {
    let turn = std::f64::consts::TAU;
    angle - turn * (angle / turn).round()
}
