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
    Control, ControlSource, Feedback, FeedbackLaw, GainError, InputSetting, Start,
    derive_simulation_functions, discontinuity_times, integrate_controlled_motion, read_feedback_file,
};
use dqdt_spec::spec::formula::read_quantity;
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

use crate::arrays::{describe_value, read_array, read_number, read_vector, type_name};
use crate::errors::{error, spec_error, unknown_name};
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
}

/// InputFormulas of inputs by name, as texts.
type InputFormulas = Vec<(String, Setting)>;

/// Gain of a feedback by rows, names of its columns (`None` for all entries of the state),
/// reference state and inputs.
type GainArgument = (Vec<Vec<f64>>, Option<Vec<String>>, Vec<f64>, Vec<f64>);

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
        ("`--rest-speed`", "`rest_speed`"),
        ("`--at`", "`at`"),
    ];
    options.iter().fold(text.to_owned(), |text, (option, argument)| text.replace(option, argument))
}

/// Exception for a start that cannot be assembled.
pub fn start_error(e: &NoStart) -> PyErr {
    // Names of the package have no group in front, as `q.` in the file of `--at`.
    error(with_python_arguments(&e.to_string()).replace("`q.", "`"))
}

/// Overrides of a start by a dictionary of names, or by a whole state.
///
/// # Errors
/// If a name is unknown, or a value no number.
pub fn read_start(
    layout: &Layout,
    (argument, start): (&str, Option<&Bound<'_, PyAny>>),
    values: &mut Values,
) -> PyResult<()> {
    let Some(start) = start else { return Ok(()) };
    let groups: [&[Slot]; 3] = [&layout.q, &layout.v, &layout.z];
    let all: Vec<(usize, &Slot)> =
        groups.iter().enumerate().flat_map(|(g, slots)| slots.iter().map(move |s| (g, s))).collect();
    let mut set = |group: usize, name: &str, x: f64| {
        let entry = (name.to_owned(), x);
        match group {
            0 => values.q.push(entry),
            1 => values.v.push(entry),
            _ => values.z.push(entry),
        }
    };
    let Ok(dict) = start.cast::<PyDict>() else {
        let x = read_vector(start, argument, all.len())?;
        if let Some(bad) = x.iter().find(|x| !x.is_finite()) {
            return Err(error(format!("`{argument}` must be finite, not {bad}")));
        }
        all.iter().zip(x).for_each(|((group, slot), x)| set(*group, &slot.name, x));
        return Ok(());
    };
    for (key, value) in dict.iter() {
        let Ok(name) = key.extract::<String>() else {
            return Err(error(format!("names in `{argument}` must be texts, not {}", type_name(&key))));
        };
        let entry = all.iter().find(|(_, slot)| slot.name == name);
        let (group, slot) = entry.ok_or_else(|| {
            let known: Vec<&str> = all.iter().map(|(_, slot)| &*slot.name).collect();
            unknown_name("coordinate, speed or state", &name, &known)
        })?;
        let x = match value.cast::<PyString>() {
            Ok(text) => read_quantity(&text.to_cow()?, &slot.unit),
            Err(_) => read_number(&value),
        };
        let x = x.filter(|x| x.is_finite()).ok_or_else(|| {
            let text = match slot.unit.as_str() {
                "" | "1" => "a finite number".to_owned(),
                unit => format!("a finite number in {unit}, or a text with a number and its unit"),
            };
            error(format!("`{name}` in `{argument}` must be {text}, not {}", describe_value(&value)))
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
                "input `{name}` must be a finite number, a formula or a callable of time and state, not {}",
                describe_value(&value)
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
        }
        Ok(())
    }

    /// True if the law calls Python.
    fn calls_python(&self) -> bool {
        matches!(self, InputLaw::One(..) | InputLaw::All(_))
    }
}

/// Laws of a running simulation, with the exception that one of them raised.
struct RunningLaws<'f> {
    calls_python: bool,
    feedback: Option<FeedbackLaw<'f>>,
    /// Time of the last check for Ctrl-C.
    checked: Cell<Instant>,
    raised: RefCell<Option<PyErr>>,
    laws: Vec<InputLaw>,
}

/// Reason of a motion that an exception ends; never shown, since the exception is raised instead.
const RAISED: &str = "a callable of an input raised an exception";

impl<'f> RunningLaws<'f> {
    fn new(feedback: Option<FeedbackLaw<'f>>, laws: Vec<InputLaw>) -> Self {
        RunningLaws {
            calls_python: laws.iter().any(InputLaw::calls_python),
            feedback,
            checked: Cell::new(Instant::now()),
            raised: RefCell::new(None),
            laws,
        }
    }

    /// Description of the callables for messages; `None` without any.
    fn describe_callables(&self, layout: &Layout) -> Option<String> {
        let mut names = Vec::new();
        for law in &self.laws {
            match law {
                InputLaw::All(_) => return Some("the callable of the inputs".to_owned()),
                InputLaw::One(index, _) => names.push(format!("`{}`", layout.u[*index].name)),
                InputLaw::Constant(..) => {}
            }
        }
        match &names[..] {
            [] => None,
            [one] => Some(format!("the callable of input {one}")),
            all => Some(format!("one of the callables of the inputs {}", all.join(", "))),
        }
    }

    /// Writes the inputs at a time and a state; checks for Ctrl-C now and then.
    fn write_inputs(&self, t: f64, x: &[f64], u: &mut [f64]) -> Result<(), String> {
        if self.raised.borrow().is_some() {
            return Err(RAISED.to_owned());
        }
        if let Some(feedback) = &self.feedback {
            feedback.write_inputs(t, x, u)?;
        }
        let is_due = self.checked.get().elapsed() > CHECK_EVERY;
        if !self.calls_python && !is_due {
            for law in &self.laws {
                if let InputLaw::Constant(index, constant) = law {
                    u[*index] = *constant;
                }
            }
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
    feedback: Option<Feedback>,
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
        let Task { loaded, choice, span, values, groups, feedback, laws } = self;
        let derivation =
            derive_simulation_functions(&loaded, choice, &groups, span.method).map_err(Failed::Spec)?;
        let (formalism, mut program) = (derivation.formalism, derivation.program);
        program.evaluation = Evaluation::Adaptive(dqdt_native::compile_tape);
        let mut start = Start::from_values(&loaded, &program.layout, &values).map_err(Failed::Start)?;
        check_parameters(&program.violated_conditions(&start.arguments)).map_err(Failed::Python)?;
        start.assemble(&loaded).map_err(Failed::Start)?;
        let start_note = start.note_changes(&loaded).map(|note| note.render(false));
        start.check_stops(&program).map_err(Failed::Start)?;
        let stops = discontinuity_times(&loaded.mechanism, &start.arguments, span.t_end);
        let law = feedback.as_ref().map(|f| f.build_law(&program, &start.arguments)).transpose();
        let laws = RunningLaws::new(law.map_err(Failed::Spec)?, laws);
        let callables = laws.describe_callables(&program.layout);
        let source = match (&callables, &feedback) {
            (Some(text), _) => ControlSource::Functions(text),
            (None, Some(_)) => ControlSource::Law,
            (None, None) => ControlSource::Interruption,
        };
        let control = Control { inputs: &|t, x, u| laws.write_inputs(t, x, u), source };
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
        let Motion { times, states, work, events, rests, ended, stopped, evaluations, steps, .. } = motion;
        Ok(PyRun {
            loaded,
            layout: program.layout,
            parameters: start.arguments.p,
            start_note,
            stopped: stopped.map(|s| with_python_arguments(&s.to_string())),
            times,
            states,
            work,
            events,
            rests,
            ended,
            evaluations,
            steps,
            signals,
        })
    }
}

/// Raises an exception for violated conditions on the parameters, such as a negative mass.
///
/// # Errors
/// If there are any.
pub fn check_parameters(violated: &[String]) -> PyResult<()> {
    if violated.is_empty() { Ok(()) } else { Err(error(format!("`parameters`: {}", violated.join("; ")))) }
}

/// End time, interval of the rows (by default 1/500 of the motion), relative and absolute
/// tolerance, speed below which impacts are plastic, and name of the method.
pub type SpanArgument = (f64, Option<f64>, f64, f64, f64, String);

/// Time span, tolerances and method of an integration.
///
/// # Errors
/// If the method is unknown or a number is out of range.
pub fn read_span(argument: SpanArgument) -> PyResult<Span> {
    let (t_end, step, rtol, atol, rest_speed, method) = argument;
    let method = match method.as_str() {
        "dop853" => Method::Dop853,
        "radau" => Method::Radau,
        other => return Err(unknown_name("method", other, &["dop853", "radau"])),
    };
    let step = step.unwrap_or(Span::until(t_end).step);
    let span = Span { t_end, step, rtol, atol, method, rest_speed };
    span.check().map_err(|e| error(e.to_string()))?;
    Ok(span)
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
    #[pyo3(signature = (span, groups, *, start = None, inputs = None, parameters = None,
                        feedback = None, feedback_file = None, formalism = None))]
    #[allow(clippy::too_many_arguments)]
    fn simulate(
        &self,
        py: Python<'_>,
        span: SpanArgument,
        groups: Vec<String>,
        start: Option<&Bound<'_, PyAny>>,
        inputs: Option<&Bound<'_, PyAny>>,
        parameters: Option<&Bound<'_, PyAny>>,
        feedback: Option<GainArgument>,
        feedback_file: Option<(String, String)>,
        formalism: Option<&str>,
    ) -> PyResult<PyRun> {
        let span = read_span(span)?;
        let mut values = Values::default();
        read_start(&self.layout, ("start", start), &mut values)?;
        let parameter_texts = read_parameters(&self.layout, parameters, &mut values)?;
        let (mut laws, mut formulas) = read_inputs(&self.layout, inputs, &mut values)?;
        let feedback = match (feedback, feedback_file) {
            (Some(gain), _) => Some(self.feedback_from_gain(gain)?),
            (None, Some((name, text))) => {
                let settings = formulas
                    .iter()
                    .map(|(input, _)| InputSetting { name: input.clone(), by: "`inputs`".to_owned() });
                let settings: Vec<InputSetting> = settings.collect();
                let read = read_feedback_file(&name, &text, &self.loaded.mechanism, &settings);
                Some(read.map_err(|e| spec_error(&e))?)
            }
            (None, None) => None,
        };
        if let Some(feedback) = &feedback {
            for i in feedback.inputs() {
                let name = &self.layout.u[*i].name;
                // Numbers take precedence over a gain.
                let number = values.u.iter().find(|(other, _)| other == name);
                laws.extend(number.map(|(_, x)| InputLaw::Constant(*i, *x)));
                if !formulas.iter().any(|(other, _)| other == name) {
                    formulas.push((name.clone(), Setting::Computed));
                }
            }
        }
        // Without a law given to `load`, the mechanism is used as it is.
        let at_load = &self.source.inputs;
        formulas
            .retain(|(name, s)| *s != Setting::Computed || at_load.iter().any(|(other, _)| other == name));
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
            Task { loaded, choice, span, values, groups, feedback, laws }.run()
        });
        outcome.map_err(|e| match e {
            Failed::Spec(errors) => spec_error(&errors),
            Failed::Start(e) => start_error(&e),
            Failed::Python(e) => e,
        })
    }
}

impl PyMechanism {
    /// Feedback of states to all inputs by a gain.
    fn feedback_from_gain(&self, (gain, names, x0, u0): GainArgument) -> PyResult<Feedback> {
        let m = &self.loaded.mechanism;
        Feedback::from_gain(gain, names.as_deref(), (x0, u0), m, &self.layout).map_err(|e| match e {
            GainError::UnknownState { name, known } => {
                unknown_name("state", &name, &known.iter().map(String::as_str).collect::<Vec<_>>())
            }
            e @ GainError::Size => error(e.to_string()),
        })
    }
}
