//! Detection of stiffness: decides if stability, not accuracy, limited the steps of a motion.
//!
//! Problem: an explicit method integrates a stiff motion with many tiny steps, without any warning.
//! Method:  the fastest decay rate `−Re λ` of the equations is computed along the motion, by finite
//! differences. DOP853 is stable on the negative real axis up to `h |λ| ≈ 6`; where accuracy limits
//! the step, `h |λ|` is well below that.

use std::fmt;

use dqdt::integrate::Seconds;
use nalgebra::{DMatrix, Schur};

use super::control::Control;
use super::motion::Motion;
use dqdt_derivation::functions;
use dqdt_graph::ir::{Arguments, Machine, Program};

/// Number of states along a motion at which the decay rate is computed.
const STATES: usize = 9;
/// Minimum number of steps of a motion for the test of stiffness.
const FEW: usize = 1000;
/// Mean `h |λ|` (step times fastest decay rate) above which stability, not accuracy, limited the
/// steps.
const LIMIT: f64 = 2.5;

/// Finding that a motion is stiff; displayed as a message with advice.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Stiffness {
    /// Time constant of the fastest decay, the mean over the motion \[s\].
    decay: f64,
    /// Integration step, the mean over the motion \[s\].
    step: f64,
}

fn round_to_two_digits(x: f64) -> Seconds {
    Seconds(format!("{x:.1e}").parse().unwrap_or(x))
}

impl fmt::Display for Stiffness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "the motion is stiff: its fastest decay has a time constant of {} s, which limits the steps of explicit \
             methods to {} s even where the motion is smooth; use `--method radau` for longer steps",
            round_to_two_digits(self.decay),
            round_to_two_digits(self.step)
        )
    }
}

/// Tests if a motion that was integrated by an explicit method is stiff; `None` if it is not. The
/// decay is that of the mechanism with the inputs of `control`.
#[doc(hidden)]
pub fn detect_stiffness(
    program: &Program,
    arguments: &Arguments,
    motion: &Motion,
    control: Option<Control<'_>>,
) -> Option<Stiffness> {
    let span = motion.times.last()? - motion.times.first()?;
    if motion.steps < FEW || span <= 0.0 {
        return None;
    }
    let mut machine = Machine::new(program, functions::DQDT)?;
    let mut a = arguments.clone();
    let (mut sum, mut count) = (0.0, 0);
    for k in 0..STATES {
        let i = (motion.times.len() - 1) * (2 * k + 1) / (2 * STATES);
        a.t = motion.times[i];
        if let Some(decay) = fastest_decay_rate(&mut machine, &mut a, &motion.states[i], control) {
            (sum, count) = (sum + decay, count + 1);
        }
    }
    let (rate, step) = (sum / f64::from(count.max(1)), span / motion.steps as f64);
    (rate * step > LIMIT).then(|| Stiffness { decay: 1.0 / rate, step })
}

/// Fastest decay rate of the equations at a state \[1/s\]: the largest `−Re λ` of their Jacobian.
fn fastest_decay_rate(
    machine: &mut Machine,
    a: &mut Arguments,
    x: &[f64],
    control: Option<Control<'_>>,
) -> Option<f64> {
    let n = x.len();
    let mut rates = |x: &[f64]| {
        a.set_state(x);
        if let Some(control) = control {
            (control.inputs)(a.t, x, &mut a.u).ok()?;
        }
        machine.call(a).ok().map(<[f64]>::to_vec)
    };
    let here = rates(x)?;
    let mut jacobian = DMatrix::zeros(n, n);
    for j in 0..n {
        let mut moved = x.to_vec();
        moved[j] += f64::EPSILON.sqrt() * x[j].abs().max(1e-3);
        let (there, step) = (rates(&moved)?, moved[j] - x[j]);
        (0..n).for_each(|i| jacobian[(i, j)] = (there[i] - here[i]) / step);
    }
    if jacobian.iter().any(|x| !x.is_finite()) {
        return None;
    }
    // The iteration does not end for every matrix.
    let values = Schur::try_new(jacobian, f64::EPSILON, 10_000)?.complex_eigenvalues();
    Some(values.iter().map(|v| -v.re).fold(0.0, f64::max))
}
