//! The law of a linear feedback: inputs from the differences of states or outputs.

use std::cell::RefCell;

use dqdt_derivation::derive::full_linearisation::state_difference_names;
use dqdt_derivation::functions;
use dqdt_diagnostics::base::{Sources, Span};
use dqdt_diagnostics::error::{Diagnostic, Errors};
use dqdt_graph::ir::{Arguments, Function, Layout, Machine, NodeId, Op, Program, SymbolKind, mark_needed};
use dqdt_mechanics::mechanism::Mechanism;

/// An entry of the difference `δx` of two states.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum StateDifference {
    /// Difference of an entry of the state.
    Entry(usize),
    /// Component of the small rotation between two quaternions, the first entry of which is given.
    Rotation { first: usize, axis: usize },
}

/// Quantities that a feedback measures, one for each column of its gain.
#[derive(Clone, Debug)]
pub(super) enum Measured {
    States(Vec<StateDifference>),
    /// Entries of the outputs.
    Outputs {
        entries: Vec<usize>,
        names: Vec<String>,
        /// Places of the names in the text that describes the feedback.
        places: Vec<Span>,
    },
}

/// Gain of a linear feedback, with the state or outputs and the inputs around which it acts.
#[derive(Clone, Debug)]
#[doc(hidden)]
pub struct Feedback {
    /// Gain K by rows, one for each input that the feedback sets.
    pub(super) gain: Vec<Vec<f64>>,
    /// Indices of the inputs that the feedback sets.
    pub(super) inputs: Vec<usize>,
    pub(super) measured: Measured,
    /// Whole reference state x₀, or references y₀ of the measured outputs.
    pub(super) reference: Vec<f64>,
    /// Reference u₀ of each input that the feedback sets.
    pub(super) reference_inputs: Vec<f64>,
    /// Text that describes the feedback, for messages; empty for a gain from a caller.
    pub(super) sources: Sources,
}

/// Reason why a gain does not fit a mechanism.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[doc(hidden)]
pub enum GainError {
    /// The name of a column is that of no state.
    #[error("there is no state `{name}`; there are: {}", known.join(", "))]
    UnknownState {
        /// The unknown name.
        name: String,
        /// Names of the states, as a linearisation has them.
        known: Vec<String>,
    },
    /// The numbers of rows or columns do not fit.
    #[error("the gain of the feedback does not fit the inputs and states")]
    Size,
}

/// All entries of a difference of states, in the order of their names.
pub(super) fn all_state_differences(layout: &Layout) -> Vec<StateDifference> {
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
    /// Feedback of states to all inputs around a state and inputs. `names` are those of the columns
    /// of the gain; `None` for all entries of the state.
    ///
    /// # Errors
    /// If a name is unknown, or the sizes do not fit.
    pub fn from_gain(
        gain: Vec<Vec<f64>>,
        names: Option<&[String]>,
        (x0, u0): (Vec<f64>, Vec<f64>),
        m: &Mechanism,
        layout: &Layout,
    ) -> Result<Self, GainError> {
        let nx = layout.q.len() + layout.v.len() + layout.z.len();
        let differences: Vec<StateDifference> = match names {
            None => (0..nx).map(StateDifference::Entry).collect(),
            Some(names) => {
                let known = state_difference_names(m);
                let all = all_state_differences(layout);
                let columns = names.iter().map(|name| {
                    let column = known.iter().position(|n| n == name).and_then(|i| all.get(i).copied());
                    column.ok_or_else(|| GainError::UnknownState { name: name.clone(), known: known.clone() })
                });
                columns.collect::<Result<_, _>>()?
            }
        };
        let is_row_wrong = gain.iter().any(|row| row.len() != differences.len());
        if x0.len() != nx || u0.len() != layout.u.len() || gain.len() != u0.len() || is_row_wrong {
            return Err(GainError::Size);
        }
        Ok(Feedback {
            gain,
            inputs: (0..u0.len()).collect(),
            measured: Measured::States(differences),
            reference: x0,
            reference_inputs: u0,
            sources: Sources::new(),
        })
    }

    /// Indices of the inputs that the feedback sets.
    pub fn inputs(&self) -> &[usize] {
        &self.inputs
    }

    /// The law of the inputs along a motion of a program.
    ///
    /// # Errors
    /// If a measured output depends on an input that the feedback sets.
    pub fn build_law(&self, program: &Program, arguments: &Arguments) -> Result<FeedbackLaw<'_>, Errors> {
        let Measured::Outputs { entries, names, places } = &self.measured else {
            return Ok(FeedbackLaw { feedback: self, outputs: None });
        };
        let function = program.function(functions::OUTPUTS);
        let nodes: Vec<NodeId> = function.map(output_nodes).unwrap_or_default();
        let mut problems = Vec::new();
        for ((entry, name), place) in entries.iter().zip(names).zip(places) {
            let Some(node) = nodes.get(*entry) else { continue };
            let inputs = self.inputs.iter().filter(|i| depends_on_input(program, *node, **i));
            let inputs: Vec<String> = inputs.map(|i| format!("`{}`", program.layout.u[*i].name)).collect();
            if !inputs.is_empty() {
                let message =
                    format!("output `{name}` depends on the input that it sets: {}", inputs.join(", "));
                let d = Diagnostic::error("feedback", message).at(Some(*place), "this output");
                problems.push(d.help(
                    "measure an output of positions and speeds only, or model the sensor as a filter with a user \
                     state (`[states]`)",
                ));
            }
        }
        if !problems.is_empty() {
            return Err(Errors { sources: self.sources.clone(), diagnostics: problems });
        }
        let call = Machine::new(program, functions::OUTPUTS)
            .map(|machine| RefCell::new(OutputCall { machine, arguments: arguments.clone() }));
        Ok(FeedbackLaw { feedback: self, outputs: call })
    }
}

/// Nodes of all entries of the results of a function.
fn output_nodes(f: &Function) -> Vec<NodeId> {
    f.outputs.iter().flat_map(|o| o.nodes.iter().copied()).collect()
}

/// True if a value depends on the input with this index.
fn depends_on_input(program: &Program, node: NodeId, input: usize) -> bool {
    let graph = &program.graph;
    mark_needed(graph, &[node]).into_iter().enumerate().any(|(i, is_needed)| {
        is_needed
            && match graph.node(NodeId(i as u32)).op {
                Op::Symbol(id) => graph.symbol_info(id).kind == SymbolKind::Input(input),
                _ => false,
            }
    })
}

/// Evaluation of the outputs along a motion.
struct OutputCall {
    machine: Machine,
    arguments: Arguments,
}

/// Law of the inputs that a feedback sets, for the motions of one program.
#[doc(hidden)]
pub struct FeedbackLaw<'f> {
    feedback: &'f Feedback,
    outputs: Option<RefCell<OutputCall>>,
}

impl FeedbackLaw<'_> {
    /// Writes the inputs at a time and a state; those that the feedback does not set are unchanged.
    ///
    /// # Errors
    /// If an output has no value there.
    pub fn write_inputs(&self, t: f64, x: &[f64], u: &mut [f64]) -> Result<(), String> {
        let f = self.feedback;
        let differences: Vec<f64> = match &f.measured {
            Measured::States(all) => all.iter().map(|d| self.state_difference(*d, x)).collect(),
            Measured::Outputs { entries, .. } => self.output_differences(entries, t, x)?,
        };
        for ((input, row), u0) in f.inputs.iter().zip(&f.gain).zip(&f.reference_inputs) {
            u[*input] = u0 - row.iter().zip(&differences).map(|(k, d)| k * d).sum::<f64>();
        }
        Ok(())
    }

    /// An entry of the difference between a state and that of the reference.
    fn state_difference(&self, difference: StateDifference, x: &[f64]) -> f64 {
        let x0 = &self.feedback.reference;
        match difference {
            StateDifference::Entry(i) => x[i] - x0[i],
            StateDifference::Rotation { first, axis } => {
                rotation_component(&x0[first..first + 4], &x[first..first + 4], axis)
            }
        }
    }

    /// Differences between the measured outputs and their references.
    fn output_differences(&self, entries: &[usize], t: f64, x: &[f64]) -> Result<Vec<f64>, String> {
        let Some(call) = &self.outputs else { return Ok(vec![0.0; entries.len()]) };
        let OutputCall { machine, arguments } = &mut *call.borrow_mut();
        arguments.t = t;
        arguments.set_state(x);
        let values = machine.call(arguments).map_err(|e| format!("an output of the feedback: {e}"))?;
        let measured = entries.iter().zip(&self.feedback.reference);
        Ok(measured.map(|(i, y0)| values.get(*i).map_or(f64::NAN, |y| y - y0)).collect())
    }
}
