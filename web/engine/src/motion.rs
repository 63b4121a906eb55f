//! The request `simulate`: a motion with its animation, curves and events.

use std::cell::Cell;
use std::collections::BTreeMap;

use dqdt::integrate::Method;
use dqdt_document::report::Math;
use dqdt_generate::pipeline::{self, FormalismChoice};
use dqdt_graph::ir::{Program, Slot};
use dqdt_mechanics::formalism::Formalism;
use dqdt_motion::simulate::{
    Control, ControlSource, Curve, Motion, RunnableProgram, SignalGroup, Signals, Span, Start, Values,
    derive_simulation_functions, discontinuity_times, integrate_prepared_motion, motion_curves,
};
use dqdt_view::animation::{Signal, encode_animation};
use dqdt_view::{figure, scene};
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::load::Loaded;
use crate::request::Refusal;

/// Arguments of the request `simulate`: overrides are by name, in SI units.
#[derive(Deserialize)]
pub struct MotionRequest {
    /// Length of the motion \[s\].
    duration: f64,
    /// Overrides of coordinates, speeds and user states at the start.
    #[serde(default)]
    start: BTreeMap<String, f64>,
    /// Overrides of parameters.
    #[serde(default)]
    parameters: BTreeMap<String, f64>,
    /// Overrides of constant inputs.
    #[serde(default)]
    inputs: BTreeMap<String, f64>,
    /// Implicit integration, for stiff equations.
    #[serde(default)]
    stiff: bool,
}

/// Functions derived for motions of the loaded mechanism: explicit, and implicit.
pub type Motions = [Option<MotionFunctions>; 2];

/// Functions of a mechanism, prepared for motions.
pub struct MotionFunctions {
    program: Program,
    runnable: RunnableProgram,
    formalism: Formalism,
}

/// Maximum number of evaluations of the equations for one motion: some seconds.
const MOST_EVALUATIONS: u32 = 300_000;

/// Maximum number of curves below an animation.
const MAX_ANIMATION_CURVES: usize = 12;

/// Groups of signals, beside outputs and energies.
const GROUPS: [SignalGroup; 2] = [SignalGroup::Outputs, SignalGroup::Inputs];

/// Integrates a motion.
///
/// # Errors
/// If a name is unknown, a number is out of range, or the start cannot be assembled.
pub fn simulate(loaded: &Loaded, motions: &mut Motions, request: &MotionRequest) -> Result<Value, Refusal> {
    let method = if request.stiff { Method::Radau } else { Method::Dop853 };
    let span = Span { method, ..Span::until(request.duration) };
    span.check().map_err(|e| e.to_string().replace("`t_end`", "the duration"))?;
    let values = read_values(loaded, request)?;
    let functions = &mut motions[usize::from(request.stiff)];
    if functions.is_none() {
        *functions = Some(derive(loaded, method)?);
    }
    let Some(MotionFunctions { program, runnable, formalism }) = functions else {
        return Err("internal error: web/engine/src/motion.rs: the functions are not derived".to_owned());
    };
    let assembled = &loaded.assembled;
    let mut start = Start::from_values(assembled, &program.layout, &values).map_err(|e| e.to_string())?;
    let violated = program.violated_conditions(&start.arguments);
    if !violated.is_empty() {
        return Err(violated.join("; "));
    }
    start.assemble(assembled).map_err(|e| e.to_string())?;
    let note = start.note_changes(assembled).map(|note| note.render(false));
    start.check_stops(program).map_err(|e| e.to_string())?;
    let stops = discontinuity_times(&assembled.mechanism, &start.arguments, span.t_end);
    let evaluations = Cell::new(0);
    let motion = integrate_prepared_motion(
        runnable,
        &start.arguments,
        (&span, &[]),
        &stops,
        (&|_| (), &|| pipeline::form_that_keeps_digits(assembled, *formalism)),
        Some(Control {
            inputs: &|_, _, _| count_evaluation(&evaluations),
            source: ControlSource::Interruption,
        }),
    );
    let signals = Signals::evaluate_prepared(assembled, runnable, &start.arguments, &motion, &GROUPS);
    describe_motion(loaded, &start.arguments.p, (&motion, &signals), note)
}

/// Counts an evaluation of the equations; an error beyond [`MOST_EVALUATIONS`].
fn count_evaluation(evaluations: &Cell<u32>) -> Result<(), String> {
    evaluations.set(evaluations.get() + 1);
    match evaluations.get() <= MOST_EVALUATIONS {
        true => Ok(()),
        false => Err(format!(
            "{MOST_EVALUATIONS} evaluations of the equations did not reach the end; show a shorter motion, \
             or integrate implicitly if the equations are stiff"
        )),
    }
}

fn derive(loaded: &Loaded, method: Method) -> Result<MotionFunctions, Refusal> {
    let derivation = derive_simulation_functions(&loaded.assembled, FormalismChoice::Quick, &GROUPS, method);
    let derivation = derivation.map_err(|e| e.render(false))?;
    let runnable = RunnableProgram::new(&derivation.program);
    Ok(MotionFunctions { program: derivation.program, runnable, formalism: derivation.formalism })
}

/// Overrides by name, sorted into groups.
fn read_values(loaded: &Loaded, request: &MotionRequest) -> Result<Values, Refusal> {
    let mut values = read_state(loaded, &request.start)?;
    values.u = request.inputs.clone().into_iter().collect();
    values.p = request.parameters.clone().into_iter().collect();
    Ok(values)
}

/// Overrides of coordinates, speeds and user states by name.
///
/// # Errors
/// If a name is unknown.
pub fn read_state(loaded: &Loaded, state: &BTreeMap<String, f64>) -> Result<Values, Refusal> {
    let mut values = Values::default();
    let layout = &loaded.layout;
    for (name, x) in state {
        let group = match name {
            name if has_slot(&layout.q, name) => &mut values.q,
            name if has_slot(&layout.v, name) => &mut values.v,
            name if has_slot(&layout.z, name) => &mut values.z,
            name => return Err(format!("there is no coordinate, speed or state `{name}`")),
        };
        group.push((name.clone(), *x));
    }
    Ok(values)
}

fn has_slot(slots: &[Slot], name: &str) -> bool {
    slots.iter().any(|s| s.name == name)
}

fn describe_motion(
    loaded: &Loaded,
    parameters: &[f64],
    (motion, signals): (&Motion, &Signals),
    note: Option<String>,
) -> Result<Value, Refusal> {
    let (m, layout) = (&loaded.assembled.mechanism, &loaded.layout);
    let curves = motion_curves(layout, (&motion.states, &motion.work), signals);
    let mut page = scene::motion_animation(m, layout, parameters, &motion.times, &motion.states);
    page.rests = motion.rest_spans();
    let rows = scene::frame_rows(motion.times.len());
    let shown = curves.iter().filter(|c| c.kind == "coordinates").take(MAX_ANIMATION_CURVES);
    page.signals = shown
        .map(|c| Signal {
            name: Math::identifier(&c.name).text(),
            unit: c.unit.clone(),
            values: rows.iter().map(|k| c.values[*k]).collect(),
        })
        .collect();
    let animation = RawValue::from_string(encode_animation(&page));
    let animation = animation.map_err(|e| format!("internal error: the animation is no JSON: {e}"))?;
    let plot = scene::motion_plot(&m.name, layout, &motion.times, &motion.states, &signals.energy);
    let events: Vec<Value> = motion.events.iter().map(|(name, t)| json!({ "name": name, "t": t })).collect();
    Ok(json!({
        "ok": true,
        "animation": animation,
        "t": motion.times,
        "signals": curves.iter().map(describe_curve).collect::<Vec<_>>(),
        "events": events,
        "stopped": motion.stopped.as_ref().map(ToString::to_string),
        "ended": motion.ended,
        "note": note,
        "steps": motion.steps,
        "plot": figure::plot(&plot),
    }))
}

fn describe_curve(c: &Curve) -> Value {
    json!({ "name": c.name, "unit": c.unit, "kind": c.kind, "values": c.values })
}
