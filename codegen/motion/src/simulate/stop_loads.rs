//! Forces of stops as loads of the mechanism, for signals of a motion that rests on stops.
//!
//! Problem: outputs, multipliers and reactions at rest include the forces of the stops, whose
//!          values the integrator decides.
//! Method:  a second mechanism, in which these forces are loads of additional inputs: for a gap the
//!          components of a force at its point, with the opposite on the body of its plane; for the
//!          stop of a joint an effort on each of its speeds, `Wᵀ λ`. Its functions are evaluated at
//!          the inputs of the motion, followed by these.
//! Frames:  a force in axes of the body with the plane.
//! Units:   N; efforts in the unit of power per unit of the speed.

use dqdt_mechanics::kinematics;
use dqdt_mechanics::mechanism::event::{EventFunction, Outcome};
use dqdt_mechanics::mechanism::load::{Force, GeneralisedForce};
use dqdt_mechanics::mechanism::{
    Environment, Formula, Gap, Input, Load, LoadKind, Mechanism, Placement, SpeedId, Variable, VectorFrame,
};

/// An additional input of a mechanism for the force of a stop, given by the index of its event.
#[derive(Clone, Debug)]
pub(super) enum StopInput {
    /// Component of the force of a gap.
    Component { event: usize, axis: usize },
    /// Effort on a speed of the joint of a stop.
    Effort { event: usize, speed: SpeedId },
}

impl StopInput {
    /// Value of the input for these forces of all events. `row` returns the row W of a stop.
    pub(super) fn value<'r>(
        &self,
        m: &Mechanism,
        env: &Environment<'_, f64>,
        forces: &[f64],
        row: impl Fn(usize) -> Option<&'r [f64]>,
    ) -> f64 {
        let (StopInput::Component { event, .. } | StopInput::Effort { event, .. }) = self;
        let force = forces.get(*event).copied().unwrap_or(0.0);
        if force == 0.0 {
            return 0.0;
        }
        match self {
            StopInput::Component { event, axis } => {
                gap_of(m, *event).map_or(f64::NAN, |gap| force * unit_normal(gap, env)[*axis])
            }
            StopInput::Effort { event, speed } => {
                row(*event).and_then(|row| row.get(speed.0)).map_or(f64::NAN, |w| force * w)
            }
        }
    }
}

/// Unit normal of the plane of a gap, in axes of the body with the plane.
fn unit_normal(gap: &Gap, env: &Environment<'_, f64>) -> [f64; 3] {
    let normal = gap.normal.to_f64();
    let length = normal.dot(normal).sqrt();
    kinematics::evaluate_rotation(&gap.origin.rotation, env).apply(normal.scale(1.0 / length)).0
}

/// The gap of an event with one.
fn gap_of(m: &Mechanism, event: usize) -> Option<&Gap> {
    match m.events.get(event)?.kind.form().trigger().function {
        EventFunction::Gap(gap) => Some(gap),
        EventFunction::Formula(_) => None,
    }
}

/// Adds loads and their inputs for all stops of a mechanism. Their names have blanks, which no name
/// of a spec has.
pub(super) fn add_stop_loads(m: &mut Mechanism) -> Vec<StopInput> {
    let first = m.inputs.len();
    let mut inputs = Vec::new();
    let mut loads: Vec<Load> = Vec::new();
    let mut new_input = |input: StopInput| {
        inputs.push(input);
        Formula::Variable(Variable::Input(first + inputs.len() - 1))
    };
    let mut add = |kind: LoadKind| {
        let name = format!("force of a stop {}", loads.len());
        loads.push(Load { name, kind });
    };
    for (event, e) in m.events.iter().enumerate() {
        let form = e.kind.form();
        if !matches!(form.outcome(), Outcome::Bounces(_)) {
            continue;
        }
        match form.trigger().function {
            EventFunction::Gap(gap) => {
                let value = [0, 1, 2].map(|axis| new_input(StopInput::Component { event, axis }));
                let frame = gap.plane.map_or(VectorFrame::Ground, |body| VectorFrame::Body {
                    body,
                    rotation: Box::new(Placement::IDENTITY.rotation),
                });
                let point = gap.point.clone();
                add(Force { body: gap.body, point, frame, value, reaction: gap.plane }.into());
            }
            EventFunction::Formula(distance) => {
                for speed in speeds_of_stop(m, distance) {
                    let value = new_input(StopInput::Effort { event, speed });
                    add(GeneralisedForce { speed, value }.into());
                }
            }
        }
    }
    m.loads.extend(loads);
    m.inputs.extend((0..inputs.len()).map(|k| Input {
        name: format!("force of a stop {k}"),
        unit: String::new(),
        description: String::new(),
        dimension: None,
        default: Formula::ZERO,
        limits: None,
        law: None,
    }));
    inputs
}

/// Free speeds of the joint whose coordinate is limited by a stop at this distance.
fn speeds_of_stop(m: &Mechanism, distance: &Formula) -> Vec<SpeedId> {
    let Formula::Sub(above, below) = distance else { return Vec::new() };
    let coordinate = [above, below].into_iter().find_map(|f| match **f {
        Formula::Variable(Variable::Coordinate(q)) => Some(q),
        _ => None,
    });
    let joint = m.joints.iter().find(|joint| {
        joint.coordinates.iter().any(|c| c.free_index().is_some() && c.free_index() == coordinate)
    });
    joint.map_or_else(Vec::new, |joint| joint.speeds.iter().filter_map(|s| s.free_index()).collect())
}
