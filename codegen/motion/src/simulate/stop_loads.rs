//! Forces of stops as loads of the mechanism, for signals of a motion that rests on stops.
//!
//! Problem: outputs, multipliers and reactions at rest include the forces of the stops, whose
//!          values the integrator decides.
//! Method:  a second mechanism, in which these forces are loads of additional inputs: for an impact
//!          the components of a force at its point, with the opposite on the body of its plane; for a
//!          joint stop an effort on each speed of its joint, `Wᵀ λ`. Its functions are evaluated at
//!          the inputs of the motion, followed by these.
//! Frames:  a force in axes of the body with the plane.
//! Units:   N; efforts in the unit of power per unit of the speed.

use super::motion::Motion;
use super::runnable::RunnableProgram;
use super::signals::SignalGroup;
use dqdt_derivation::assemble::{Assembled, Manifold};
use dqdt_derivation::functions;
use dqdt_generate::pipeline;
use dqdt_graph::ir::{Arguments, Machine};
use dqdt_mechanics::formalism::Formalism;
use dqdt_mechanics::kinematics;
use dqdt_mechanics::mechanism::load::{Force, GeneralisedForce};
use dqdt_mechanics::mechanism::{
    EventKind, Formula, Gap, Input, Load, LoadKind, Mechanism, Placement, SpeedId, Variable, VectorFrame,
};

/// What an additional input is.
#[derive(Clone, Debug)]
enum StopInput {
    /// Component of the force of an impact, by the index of its event.
    Component { event: usize, axis: usize },
    /// Effort on a speed of the joint of a joint stop.
    Effort { event: usize, speed: SpeedId },
}

/// A mechanism with additional inputs for the forces of its stops, and its program.
#[derive(Clone, Debug)]
pub(super) struct StopLoads {
    /// Functions of the mechanism with these inputs.
    pub(super) program: RunnableProgram,
    inputs: Vec<StopInput>,
}

impl StopLoads {
    /// Derives the functions of the requested signals. `None` if the mechanism has no such signals,
    /// or its equations would exceed the memory.
    pub(super) fn derive(
        loaded: &Assembled,
        program: &RunnableProgram,
        groups: &[SignalGroup],
    ) -> Option<Self> {
        let mut wanted = vec![functions::OUTPUTS, functions::PROGRAM_INPUTS];
        if groups.contains(&SignalGroup::Multipliers) {
            wanted.push(functions::MULTIPLIERS);
        }
        if groups.contains(&SignalGroup::Reactions) {
            wanted.push(functions::REACTIONS);
        }
        wanted.retain(|f| !program.outputs(f).is_empty());
        let formalism = Formalism::ALL.into_iter().find(|f| f.name() == program.formalism)?;
        if wanted.is_empty() {
            return None;
        }
        let mut loaded = loaded.clone();
        let inputs = add_stop_loads(&mut loaded.mechanism);
        let program = pipeline::program_to_run(&loaded, formalism, &wanted).ok()?;
        Some(StopLoads { program: RunnableProgram::new(&program), inputs })
    }

    /// Inputs of the mechanism at each row of a motion: those of the motion, then those here.
    pub(super) fn inputs_along(
        &self,
        loaded: &Assembled,
        rows: Option<Machine>,
        arguments: &Arguments,
        motion: &Motion,
    ) -> Vec<Vec<f64>> {
        let manifold = super::constraint_manifold(loaded, arguments);
        let stops = super::events::stop_events(&self.program.layout);
        let (mut at, mut rows) = (arguments.clone(), rows);
        let along = motion.times.iter().zip(&motion.states).zip(&motion.stop_forces).enumerate();
        let along = along.map(|(k, ((t, x), acting))| {
            at.t = *t;
            at.set_state(x);
            if let Some(u) = motion.inputs.get(k) {
                at.u.clone_from(u);
            }
            let mut u = at.u.clone();
            let terms = rows.as_mut().and_then(|m| m.call(&at).ok()).unwrap_or(&[]);
            let row = |event: usize| {
                let (nq, nv) = (at.q.len(), at.v.len());
                let place = stops.iter().position(|i| *i == event)?;
                terms.chunks(4 + 2 * nv + nq).nth(place).map(|terms| &terms[4..4 + nv])
            };
            u.extend(self.inputs.iter().map(|input| match input {
                StopInput::Component { event, axis } => {
                    let force = acting.forces.get(*event).copied().unwrap_or(0.0);
                    if force == 0.0 {
                        0.0
                    } else {
                        force * self.direction(loaded, &manifold, &at, *event)[*axis]
                    }
                }
                StopInput::Effort { event, speed } => {
                    let force = acting.forces.get(*event).copied().unwrap_or(0.0);
                    if force == 0.0 { 0.0 } else { row(*event).map_or(f64::NAN, |row| force * row[*speed]) }
                }
            }));
            u
        });
        along.collect()
    }

    /// Unit normal of the plane of an impact, in axes of the body with the plane.
    fn direction(
        &self,
        loaded: &Assembled,
        manifold: &Manifold<'_>,
        at: &Arguments,
        event: usize,
    ) -> [f64; 3] {
        let Some(gap) = gap_of(&loaded.mechanism, event) else { return [f64::NAN; 3] };
        manifold.with_environment(at.t, &at.q, &at.v, |env| {
            let normal = gap.normal.to_f64();
            let length = normal.dot(normal).sqrt();
            kinematics::evaluate_rotation(&gap.origin.rotation, env).apply(normal.scale(1.0 / length)).0
        })
    }
}

/// The gap of an impact; `None` for other events.
fn gap_of(m: &Mechanism, event: usize) -> Option<&Gap> {
    match &m.events.get(event)?.kind {
        EventKind::Impact(impact) => Some(&impact.gap),
        _ => None,
    }
}

/// Adds loads and their inputs for all stops of a mechanism.
fn add_stop_loads(m: &mut Mechanism) -> Vec<StopInput> {
    let mut inputs = Vec::new();
    let first = m.inputs.len();
    for (event, e) in m.events.clone().iter().enumerate() {
        match &e.kind {
            EventKind::Impact(impact) => {
                let gap = &impact.gap;
                let value = [0, 1, 2].map(|axis| {
                    inputs.push(StopInput::Component { event, axis });
                    Formula::Variable(Variable::Input(first + inputs.len() - 1))
                });
                let frame = gap.plane.map_or(VectorFrame::Ground, |body| VectorFrame::Body {
                    body,
                    rotation: Box::new(Placement::IDENTITY.rotation),
                });
                let load =
                    Force { body: gap.body, point: gap.point.clone(), frame, value, reaction: gap.plane };
                m.loads.push(Load { name: stop_load_name(&e.name, 0), kind: LoadKind::Force(load) });
            }
            EventKind::JointStop(stop) => {
                for (k, speed) in speeds_of_stop(m, &stop.distance).into_iter().enumerate() {
                    inputs.push(StopInput::Effort { event, speed });
                    let value = Formula::Variable(Variable::Input(first + inputs.len() - 1));
                    let kind = LoadKind::GeneralisedForce(GeneralisedForce { speed, value });
                    m.loads.push(Load { name: stop_load_name(&e.name, k), kind });
                }
            }
            EventKind::End(_) | EventKind::Switch(_) => {}
        }
    }
    let names = (0..inputs.len()).map(|k| Input {
        name: format!("force of stop {k}"),
        unit: String::new(),
        description: String::new(),
        dimension: None,
        default: Formula::ZERO,
        limits: None,
        law: None,
    });
    m.inputs.extend(names);
    inputs
}

/// Name of the load of a stop; no name of a spec has a blank.
fn stop_load_name(event: &str, k: usize) -> String {
    format!("stop {event} {k}")
}

/// Free speeds of the joint whose coordinate a stop limits.
fn speeds_of_stop(m: &Mechanism, distance: &Formula) -> Vec<SpeedId> {
    let Formula::Sub(above, below) = distance else { return Vec::new() };
    let coordinate = [above, below].into_iter().find_map(|f| match **f {
        Formula::Variable(Variable::Coordinate(q)) => Some(q),
        _ => None,
    });
    let joint = m
        .joints
        .iter()
        .find(|j| j.coordinates.iter().any(|c| c.free_index().is_some() && c.free_index() == coordinate));
    joint.map_or_else(Vec::new, |j| j.speeds.iter().filter_map(|s| s.free_index()).collect())
}
