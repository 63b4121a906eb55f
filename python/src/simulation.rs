//! Simulation with inputs that Python computes.

use std::cell::{Cell, RefCell};
use std::sync::Arc;
use std::time::{Duration, Instant};

use dqdt::integrate::Method;
use dqdt_codegen::error::Errors;
use dqdt_codegen::pipeline::{self, Assembled, FormalismChoice};
use dqdt_codegen::simulate::{Motion, NoStart, SignalGroup, Signals, Span, Values};
use dqdt_graph::ir::{Evaluation, Layout, Slot};
use dqdt_motion::simulate::{
    Control, Start, derive_simulation_functions, discontinuity_times, integrate_controlled_motion,
};
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

use crate::arrays::{read_array, read_number, read_vector, type_name};
use crate::errors::{error, spec_error, unknown_name};
use crate::feedback::{Feedback, FeedbackArgument};
use crate::mechanism::PyMechanism;
use crate::run::PyRun;
use crate::source::Setting;
use crate::words::{read_formalism, read_settings};

/// Inputs that the caller computes.
enum InputLaw {
    /// A constant for one input, by its index, where feedback would set it.
    Constant(usize, f64),
    /// One input, by its index: a callable of time and state that returns a number.
    One(usize, Py<PyAny>),
    /// All inputs: a callable of time and state that returns a vector.
    All(Py<PyAny>),
    /// Linear feedback.
    Feedback(Feedback),
}

/// InputFormulas of inputs by name, as texts.
type InputFormulas = Vec<(String, Setting)>;

/// Interval between two checks for Ctrl-C.
const CHECK_EVERY: Duration = Duration::from_millis(50);

/// Replaces options of the command in a message by arguments of the package.
pub fn with_python_arguments(text: &str) -> String {
    let options = [
        ("`--t-end`", "`t_end`"),
        ("`--method radau`", "`method=\"radau\"`"),
        ("`--formalism ", "`formalism="),
        ("`--rtol`", "`rtol`"),
        ("`--atol`", "`atol`"),
        ("`--step`", "`step`"),
        ("`--at`", "`at`"),
    ];
    options.iter().fold(text.to_owned(), |text, (option, argument)| text.replace(option, argument))
}

/// Exception for a start that cannot be assembled.
pub fn start_error(e: &NoStart) -> PyErr {
    error(with_python_arguments(&e.to_string()))
}

/// Overrides of a start by a dictionary of names, or by a whole state.
///
/// # Errors
/// If a name is unknown, or a value no number.
pub fn read_start(layout: &Layout, start: Option<&Bound<'_, PyAny>>, values: &mut Values) -> PyResult<()> {
    let Some(start) = start else { return Ok(()) };
    let groups: [&[Slot]; 3] = [&layout.q, &layout.v, &layout.z];
    let all: Vec<(usize, &str)> =
        groups.iter().enumerate().flat_map(|(g, slots)| slots.iter().map(move |s| (g, &*s.name))).collect();
    let mut set = |group: usize, name: &str, x: f64| {
        let entry = (name.to_owned(), x);
        match group {
            0 => values.q.push(entry),
            1 => values.v.push(entry),
            _ => values.z.push(entry),
        }
    };
    let Ok(dict) = start.cast::<PyDict>() else {
        let x = read_vector(start, "start", all.len())?;
        if let Some(bad) = x.iter().find(|x| !x.is_finite()) {
            return Err(error(format!("`start` must be finite, not {bad}")));
        }
        all.iter().zip(x).for_each(|((group, name), x)| set(*group, name, x));
        return Ok(());
    };
    for (key, value) in dict.iter() {
        let Ok(name) = key.extract::<String>() else {
            return Err(error(format!("names in `start` must be texts, not {}", type_name(&key))));
        };
        let entry = all.iter().find(|(_, n)| *n == name);
        let (group, _) = entry.ok_or_else(|| {
            let known: Vec<&str> = all.iter().map(|(_, n)| *n).collect();
            unknown_name("coordinate, speed or state", &name, &known)
        })?;
        let x = read_number(&value).filter(|x| x.is_finite());
        let x = x.ok_or_else(|| {
            error(format!(
                "`{name}` in `start` must be a finite number in SI units, not {}",
                type_name(&value)
            ))
        })?;
        set(*group, &name, x);
    }
    Ok(())
}

/// Overrides of parameters by numbers, which become part of `values`, and by texts, which remain.
///
/// # Errors
/// If a name is unknown, or a value neither a number nor a text.
pub fn read_parameters(
    layout: &Layout,
    parameters: Option<&Bound<'_, PyAny>>,
    values: &mut Values,
) -> PyResult<Vec<(String, Setting)>> {
    let Some(parameters) = parameters else { return Ok(Vec::new()) };
    let Ok(dict) = parameters.cast::<PyDict>() else {
        let p = read_vector(parameters, "parameters", layout.p.len())?;
        values.p = layout.p.iter().map(|s| s.name.clone()).zip(p).collect();
        return Ok(Vec::new());
    };
    let mut texts = Vec::new();
    for (name, setting) in read_settings(dict, "parameter")? {
        if layout.p.iter().all(|s| s.name != name) {
            let known: Vec<&str> = layout.p.iter().map(|s| &*s.name).collect();
            return Err(unknown_name("parameter", &name, &known));
        }
        match setting {
            Setting::Number(x) => values.p.push((name, x)),
            text => texts.push((name, text)),
        }
    }
    Ok(texts)
}

/// All inputs as computed by the caller: laws given to `load` do not apply to them.
fn computed(layout: &Layout) -> InputFormulas {
    layout.u.iter().map(|slot| (slot.name.clone(), Setting::Computed)).collect()
}

/// Inputs of a simulation: numbers become part of `values`, callables are returned as laws, and
/// formulas as texts. All of them replace laws given to `load`.
fn read_inputs(
    layout: &Layout,
    inputs: Option<&Bound<'_, PyAny>>,
    values: &mut Values,
) -> PyResult<(Vec<InputLaw>, InputFormulas)> {
    let (mut laws, mut texts) = (Vec::new(), Vec::new());
    let Some(inputs) = inputs else { return Ok((laws, texts)) };
    if inputs.is_callable() {
        return Ok((vec![InputLaw::All(inputs.clone().unbind())], computed(layout)));
    }
    let Ok(dict) = inputs.cast::<PyDict>() else {
        let u = read_vector(inputs, "inputs", layout.u.len())?;
        values.u = layout.u.iter().map(|s| s.name.clone()).zip(u).collect();
        return Ok((laws, computed(layout)));
    };
    for (key, value) in dict.iter() {
        let Ok(name) = key.extract::<String>() else {
            return Err(error(format!("names of inputs must be texts, not {}", type_name(&key))));
        };
        let index = layout.u.iter().position(|s| s.name == name);
        let index = index.ok_or_else(|| {
            let known: Vec<&str> = layout.u.iter().map(|s| &*s.name).collect();
            unknown_name("input", &name, &known)
        })?;
        if let Ok(text) = value.cast::<PyString>() {
            texts.push((name, Setting::Text(text.to_cow()?.into_owned())));
        } else if value.is_callable() {
            texts.push((name, Setting::Computed));
            laws.push(InputLaw::One(index, value.unbind()));
        } else if let Some(x) = read_number(&value).filter(|x| x.is_finite()) {
            texts.push((name.clone(), Setting::Computed));
            values.u.push((name, x));
        } else {
            return Err(error(format!(
                "input `{name}` must be a number, a formula or a callable of time and state, not {}",
                type_name(&value)
            )));
        }
    }
    Ok((laws, texts))
}

impl InputLaw {
    /// Writes the inputs of this law.
    fn apply(&self, py: Python<'_>, t: f64, x: &[f64], u: &mut [f64]) -> PyResult<()> {
        match self {
            InputLaw::Constant(index, x) => u[*index] = *x,
            InputLaw::One(index, callable) => {
                let value = callable.bind(py).call1((t, PyArray1::from_slice(py, x)))?;
                let number = read_number(&value).or_else(|| {
                    let array = read_array::<f64>(&value, "input").ok()?;
                    array.as_slice().ok().filter(|all| all.len() == 1).and_then(|all| all.first().copied())
                });
                let number = number.ok_or_else(|| {
                    error(format!("a callable of an input must return a number, not {}", type_name(&value)))
                });
                u[*index] = check_finite(number?, t)?;
            }
            InputLaw::All(callable) => {
                let value = callable.bind(py).call1((t, PyArray1::from_slice(py, x)))?;
                let all = read_vector(&value, "inputs", u.len())?;
                for (target, x) in u.iter_mut().zip(all) {
                    *target = check_finite(x, t)?;
                }
            }
            InputLaw::Feedback(feedback) => feedback.write_inputs(x, u),
        }
        Ok(())
    }

    /// Writes the inputs of laws that do not call Python; others write nothing.
    fn apply_without_python(&self, x: &[f64], u: &mut [f64]) {
        match self {
            InputLaw::Feedback(feedback) => feedback.write_inputs(x, u),
            InputLaw::Constant(index, constant) => u[*index] = *constant,
            InputLaw::One(..) | InputLaw::All(_) => {}
        }
    }

    /// True if the law calls Python.
    fn calls_python(&self) -> bool {
        matches!(self, InputLaw::One(..) | InputLaw::All(_))
    }
}

/// Laws of a running simulation, with the exception that one of them raised.
struct RunningLaws {
    calls_python: bool,
    /// Time of the last check for Ctrl-C.
    checked: Cell<Instant>,
    raised: RefCell<Option<PyErr>>,
    laws: Vec<InputLaw>,
}

/// Reason of a motion that an exception ends; never shown, since the exception is raised instead.
const RAISED: &str = "a callable of an input raised an exception";

impl RunningLaws {
    fn new(laws: Vec<InputLaw>) -> Self {
        RunningLaws {
            calls_python: laws.iter().any(InputLaw::calls_python),
            checked: Cell::new(Instant::now()),
            raised: RefCell::new(None),
            laws,
        }
    }

    /// Writes the inputs at a time and a state; checks for Ctrl-C now and then.
    fn write_inputs(&self, t: f64, x: &[f64], u: &mut [f64]) -> Result<(), String> {
        if self.raised.borrow().is_some() {
            return Err(RAISED.to_owned());
        }
        let is_due = self.checked.get().elapsed() > CHECK_EVERY;
        if !self.calls_python && !is_due {
            self.laws.iter().for_each(|law| law.apply_without_python(x, u));
            return Ok(());
        }
        let outcome = Python::attach(|py| {
            if is_due {
                self.checked.set(Instant::now());
                py.check_signals()?;
            }
            self.laws.iter().try_for_each(|law| law.apply(py, t, x, u))
        });
        outcome.map_err(|e| {
            *self.raised.borrow_mut() = Some(e);
            RAISED.to_owned()
        })
    }
}

/// Refuses an input that is not finite.
fn check_finite(x: f64, t: f64) -> PyResult<f64> {
    if x.is_finite() { Ok(x) } else { Err(error(format!("an input is {x} at t = {t} s"))) }
}

/// Everything that a simulation needs, independent of Python's lock.
struct Task {
    loaded: Arc<Assembled>,
    choice: FormalismChoice,
    span: Span,
    values: Values,
    groups: Vec<SignalGroup>,
    laws: Vec<InputLaw>,
}

/// Reason why a simulation has no motion.
enum Failed {
    Spec(Errors),
    Start(NoStart),
    Python(PyErr),
}

impl Task {
    /// Integrates the motion, without Python's lock except in callables.
    fn run(self) -> Result<PyRun, Failed> {
        let Task { loaded, choice, span, values, groups, laws } = self;
        let derivation =
            derive_simulation_functions(&loaded, choice, &groups, span.method).map_err(Failed::Spec)?;
        let (formalism, mut program) = (derivation.formalism, derivation.program);
        program.evaluation = Evaluation::Adaptive(dqdt_native::compile_tape);
        let mut start = Start::from_values(&loaded, &program.layout, &values).map_err(Failed::Start)?;
        start.assemble(&loaded).map_err(Failed::Start)?;
        start.check_stops(&program).map_err(Failed::Start)?;
        let stops = discontinuity_times(&loaded.mechanism, &start.arguments, span.t_end);
        let laws = RunningLaws::new(laws);
        let control =
            Control { inputs: &|t, x, u| laws.write_inputs(t, x, u), varies: !laws.laws.is_empty() };
        let motion = integrate_controlled_motion(
            &program,
            &start.arguments,
            &span,
            &stops,
            (&|_| (), &|| pipeline::form_that_keeps_digits(&loaded, formalism)),
            Some(control),
        );
        if let Some(e) = laws.raised.take() {
            return Err(Failed::Python(e));
        }
        let signals = Signals::evaluate(&loaded, &program, &start.arguments, &motion, &groups);
        let Motion { times, states, work, events, ended, stopped, evaluations, steps, .. } = motion;
        Ok(PyRun {
            loaded,
            layout: program.layout,
            parameters: start.arguments.p,
            stopped: stopped.map(|s| with_python_arguments(&s.to_string())),
            times,
            states,
            work,
            events,
            ended,
            evaluations,
            steps,
            signals,
        })
    }
}

/// Signal groups by their names.
///
/// # Errors
/// If there is no group of a name.
pub fn read_groups(names: &[String]) -> PyResult<Vec<SignalGroup>> {
    let all = [
        ("outputs", SignalGroup::Outputs),
        ("inputs", SignalGroup::Inputs),
        ("definitions", SignalGroup::Definitions),
        ("multipliers", SignalGroup::Multipliers),
        ("reactions", SignalGroup::Reactions),
    ];
    let mut groups = Vec::new();
    for name in names {
        let group = all.iter().find(|(n, _)| n == name).map(|(_, g)| *g);
        groups.push(group.ok_or_else(|| unknown_name("group of signals", name, &all.map(|(n, _)| n)))?);
    }
    Ok(groups)
}

#[pymethods]
impl PyMechanism {
    /// Simulates the motion: the core of `dqdt.Mechanism.simulate`.
    #[pyo3(signature = (t_end, step, rtol, atol, method, groups, *, start = None, inputs = None,
                        parameters = None, feedback = None, formalism = None))]
    #[allow(clippy::too_many_arguments)]
    fn simulate(
        &self,
        py: Python<'_>,
        t_end: f64,
        step: Option<f64>,
        rtol: f64,
        atol: f64,
        method: &str,
        groups: Vec<String>,
        start: Option<&Bound<'_, PyAny>>,
        inputs: Option<&Bound<'_, PyAny>>,
        parameters: Option<&Bound<'_, PyAny>>,
        feedback: Option<FeedbackArgument>,
        formalism: Option<&str>,
    ) -> PyResult<PyRun> {
        let method = match method {
            "dop853" => Method::Dop853,
            "radau" => Method::Radau,
            other => return Err(unknown_name("method", other, &["dop853", "radau"])),
        };
        let span = Span { t_end, step: step.unwrap_or(t_end / 500.0), rtol, atol, method };
        span.check().map_err(|e| error(e.to_string()))?;
        let mut values = Values::default();
        read_start(&self.layout, start, &mut values)?;
        let parameter_texts = read_parameters(&self.layout, parameters, &mut values)?;
        let (mut laws, mut formulas) = read_inputs(&self.layout, inputs, &mut values)?;
        // Without a law given to `load`, the mechanism is used as it is.
        let at_load = &self.source.inputs;
        formulas
            .retain(|(name, s)| *s != Setting::Computed || at_load.iter().any(|(other, _)| other == name));
        if let Some(argument) = feedback {
            // Numbers take precedence over feedback.
            for (i, slot) in self.layout.u.iter().enumerate() {
                let number = values.u.iter().find(|(name, _)| *name == slot.name);
                laws.extend(number.map(|(_, x)| InputLaw::Constant(i, *x)));
            }
            let feedback = Feedback::new(argument, &self.loaded.mechanism, &self.layout)?;
            laws.insert(0, InputLaw::Feedback(feedback));
        }
        let mut groups = read_groups(&groups)?;
        if !self.layout.u.is_empty() && !groups.contains(&SignalGroup::Inputs) {
            groups.push(SignalGroup::Inputs);
        }
        let choice = read_formalism(formalism)?.unwrap_or(FormalismChoice::Quick);
        let outcome = py.detach(|| {
            let loaded = match parameter_texts.is_empty() && formulas.is_empty() {
                true => Arc::clone(&self.loaded),
                false => Arc::new(self.source.assemble(&parameter_texts, &formulas).map_err(Failed::Spec)?),
            };
            Task { loaded, choice, span, values, groups, laws }.run()
        });
        outcome.map_err(|e| match e {
            Failed::Spec(errors) => spec_error(&errors),
            Failed::Start(e) => start_error(&e),
            Failed::Python(e) => e,
        })
    }
}
