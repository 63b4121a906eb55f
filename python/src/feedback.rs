//! Linear feedback `u = u₀ − K δx` around a state.

use dqdt_derivation::derive::full_linearisation::state_difference_names;
use dqdt_graph::ir::Layout;
use dqdt_mechanics::mechanism::Mechanism;
use pyo3::PyResult;

use crate::errors::{error, unknown_name};

/// An entry of the difference `δx` of two states.
#[derive(Clone, Copy)]
enum StateDifference {
    /// Difference of an entry of the state.
    Entry(usize),
    /// Component of the small rotation between two quaternions, the first entry of which is given.
    Rotation { first: usize, axis: usize },
}

/// Gain of a linear feedback, with the state and the inputs around which it acts.
pub struct Feedback {
    /// Gain K by rows: inputs × differences.
    gain: Vec<f64>,
    differences: Vec<StateDifference>,
    x0: Vec<f64>,
    u0: Vec<f64>,
}

/// Gain by rows, names of its columns (`None` for all entries of the state), reference state and
/// inputs.
pub type FeedbackArgument = (Vec<f64>, Option<Vec<String>>, Vec<f64>, Vec<f64>);

/// All entries of a difference of states, in the order of their names.
fn all_differences(layout: &Layout) -> Vec<StateDifference> {
    let (nq, rest) = (layout.q.len(), layout.v.len() + layout.z.len());
    let mut all = Vec::new();
    let mut i = 0;
    while i < nq {
        if layout.quaternions.contains(&i) {
            all.extend((0..3).map(|axis| StateDifference::Rotation { first: i, axis }));
            i += 4;
        } else {
            all.push(StateDifference::Entry(i));
            i += 1;
        }
    }
    all.extend((nq..nq + rest).map(StateDifference::Entry));
    all
}

/// Component of the rotation from `e0` to `e`, as twice the vector part of `e0⁻¹ e`.
fn rotation_component(e0: &[f64], e: &[f64], axis: usize) -> f64 {
    let scalar: f64 = e0.iter().zip(e).map(|(a, b)| a * b).sum();
    let (j, k) = (1 + (axis + 1) % 3, 1 + (axis + 2) % 3);
    let i = 1 + axis;
    let vector = e0[0] * e[i] - e[0] * e0[i] - (e0[j] * e[k] - e0[k] * e[j]);
    // A quaternion and its opposite are the same attitude.
    2.0 * vector * if scalar < 0.0 { -1.0 } else { 1.0 }
}

impl Feedback {
    /// Feedback with the columns of these names.
    ///
    /// # Errors
    /// If a name is unknown, or the sizes do not fit.
    pub fn new(argument: FeedbackArgument, m: &Mechanism, layout: &Layout) -> PyResult<Self> {
        let (gain, names, x0, u0) = argument;
        let nx = layout.q.len() + layout.v.len() + layout.z.len();
        let differences = match names {
            None => (0..nx).map(StateDifference::Entry).collect(),
            Some(names) => {
                let known = state_difference_names(m);
                let all = all_differences(layout);
                let mut columns = Vec::new();
                for name in names {
                    let i = known.iter().position(|n| *n == name).and_then(|i| all.get(i).copied());
                    columns.push(i.ok_or_else(|| {
                        unknown_name("state", &name, &known.iter().map(String::as_str).collect::<Vec<_>>())
                    })?);
                }
                columns
            }
        };
        if x0.len() != nx || u0.len() != layout.u.len() || gain.len() != u0.len() * differences.len() {
            return Err(error("the gain of the feedback does not fit the inputs and states"));
        }
        Ok(Feedback { gain, differences, x0, u0 })
    }

    /// An entry of the difference between a state and that of the reference.
    fn difference(&self, difference: StateDifference, x: &[f64]) -> f64 {
        match difference {
            StateDifference::Entry(i) => x[i] - self.x0[i],
            StateDifference::Rotation { first, axis } => {
                rotation_component(&self.x0[first..first + 4], &x[first..first + 4], axis)
            }
        }
    }

    /// Writes the inputs at a state.
    pub fn write_inputs(&self, x: &[f64], u: &mut [f64]) {
        let n = self.differences.len();
        for (i, target) in u.iter_mut().enumerate() {
            let row = &self.gain[i * n..][..n];
            let terms = row.iter().zip(&self.differences).map(|(k, d)| k * self.difference(*d, x));
            *target = self.u0[i] - terms.sum::<f64>();
        }
    }
}
