//! Inputs that the caller computes while a motion is integrated.

use dqdt_graph::ir::Arguments;

/// Function that writes the inputs at a time and a state `[q, v, z]`; an error stops the motion,
/// with this text as the reason.
pub type WriteInputs<'c> = dyn Fn(f64, &[f64], &mut [f64]) -> Result<(), String> + 'c;

/// Source of the inputs that a control writes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[doc(hidden)]
pub enum ControlSource<'c> {
    /// None: the control only interrupts the motion.
    Interruption,
    /// A smooth law, such as a linear feedback.
    Law,
    /// Functions of the caller, which may be discontinuous. The text names them in messages:
    /// ``the callable of input `force` ``.
    Functions(&'c str),
}

/// Control of a running integration by the caller: inputs as functions of time and state, and
/// interruption.
#[derive(Clone, Copy)]
#[doc(hidden)]
pub struct Control<'c> {
    /// Writes the inputs that the caller computes; the others keep their values.
    pub inputs: &'c WriteInputs<'c>,
    /// Source of these inputs.
    pub source: ControlSource<'c>,
}

impl Control<'_> {
    /// True if the inputs vary along the motion; otherwise the control only interrupts it.
    pub(super) fn varies(&self) -> bool {
        self.source != ControlSource::Interruption
    }
}

/// Inputs at each row of a motion, given by its times and states; none if they are constant or
/// formulas of the spec.
pub(super) fn inputs_at_rows(
    control: Option<Control<'_>>,
    arguments: &Arguments,
    (times, states): (&[f64], &[Vec<f64>]),
) -> Vec<Vec<f64>> {
    let Some(control) = control.filter(Control::varies) else { return Vec::new() };
    let rows = times.iter().zip(states).map(|(t, x)| {
        let mut u = arguments.u.clone();
        if (control.inputs)(*t, x, &mut u).is_err() {
            u.fill(f64::NAN);
        }
        u
    });
    rows.collect()
}
