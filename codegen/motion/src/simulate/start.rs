//! Start state of a motion: that of the spec with overrides of the caller, assembled onto the
//! constraints.

use dqdt_algebra::Number;
use dqdt_derivation::assemble::{
    self, Assembled, AssembledState, KeptStarts, Manifold, NotAssembled, start_messages,
};
use dqdt_derivation::functions;
use dqdt_diagnostics::error::Errors;
use dqdt_graph::ir::{Arguments, Effect, EventSlot, Layout, Machine, Program, Slot};
use dqdt_mechanics::kinematics;
use dqdt_mechanics::mechanism::{Given, Mechanism, StartRole, Starts};

/// Penetration of a joint stop or an impact plane at the start that still counts as contact \[m or
/// rad\].
const ROUNDING: f64 = 1e-12;

/// Manifold of the states that satisfy the constraints, at the parameters of `arguments`; the start
/// is assembled onto it.
#[doc(hidden)]
pub fn constraint_manifold<'l>(loaded: &'l Assembled, arguments: &Arguments) -> Manifold<'l> {
    let m = &loaded.mechanism;
    Manifold::new(m, kinematics::evaluate_parameters(m, &Number::to_f64, &arguments.p))
}

/// Overrides of a spec for a motion or a linearisation, by name and in SI units. Everything else
/// comes from the spec, evaluated at these parameters.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Values {
    /// Overrides of coordinates; with constraints, they are only guesses for the assembly.
    pub q: Vec<(String, f64)>,
    /// Overrides of speeds; with constraints, the assembly keeps them.
    pub v: Vec<(String, f64)>,
    /// Overrides of the start values of user states.
    pub z: Vec<(String, f64)>,
    /// Overrides of the constant values of inputs.
    pub u: Vec<(String, f64)>,
    /// Overrides of parameters.
    pub p: Vec<(String, f64)>,
}

/// Reason why a motion or a linearisation has no start state.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NoStart {
    /// A name in the overrides is unknown.
    #[error("`{group}` has no `{name}`; there are: {known}")]
    Unknown {
        /// Group of the name: `q`, `v`, `z`, `u` or `p`.
        group: &'static str,
        /// The unknown name in the overrides.
        name: String,
        /// Known names of the group, separated by commas.
        known: String,
    },
    /// A start quaternion is zero and has no direction.
    #[error("the quaternion whose first component is `q.{name}` is zero and does not describe an attitude")]
    NoAttitude {
        /// Name of the first component of the quaternion.
        name: String,
    },
    /// Start values that assembly must keep contradict the constraints; the text says which.
    #[error("{0}")]
    Contradiction(String),
    /// The start is beyond a joint stop or a plane of an impact. The event would not fire, because
    /// its function must fall through zero from positive values.
    #[error(
        "the motion starts {distance} beyond `{event}`, which stops only motion from the other \
         side\n\nhelp: start on the allowed side of the event, or correct its `at`, `plane` or `side`"
    )]
    BeyondStop {
        /// Name of the event whose stop or plane is violated.
        event: String,
        /// Distance beyond the stop, as text with its unit.
        distance: String,
    },
    /// Assembly found no state on the constraints near the start.
    #[error(
        "no {what} could be found to satisfy the constraints: `{row}` has a residual of \
         {residual:.3e}\n\nhelp: start closer to an assembled pose, or check the lengths"
    )]
    NotAssembled {
        /// Level at which assembly failed: `pose` or `speeds`.
        what: &'static str,
        /// Name of the constraint row with the largest violation.
        row: String,
        /// Violation of that row, in SI units.
        residual: f64,
    },
}

/// Start state of a motion, before and after assembly onto the constraints, with the role of each
/// coordinate and speed.
#[derive(Clone, Debug)]
#[doc(hidden)]
pub struct Start {
    /// Start state, inputs and parameters.
    pub arguments: Arguments,
    /// Role in assembly (kept, guess or open) and value of each coordinate and speed.
    pub starts: Starts,
    /// Flags of the speeds set by the caller rather than by the spec; assembly keeps them.
    named: Vec<bool>,
}

impl Start {
    /// Start with the roles that the spec assigns, at the state of `arguments`.
    pub fn from_spec(loaded: &Assembled, arguments: Arguments) -> Self {
        let named = vec![false; arguments.v.len()];
        Start { arguments, starts: loaded.starts.clone(), named }
    }

    /// Start of the spec with overrides by name.
    ///
    /// # Errors
    /// If a name is unknown, or a quaternion is zero.
    pub fn from_values(loaded: &Assembled, layout: &Layout, values: &Values) -> Result<Self, NoStart> {
        let mut arguments = Arguments::from_layout(layout);
        if *values == Values::default() {
            return Ok(Start::from_spec(loaded, arguments));
        }
        let mut named: [Vec<bool>; 5] = Default::default();
        type StartVector<'p> = (&'static str, &'p [Slot], &'p mut Vec<f64>, &'p [(String, f64)]);
        let groups: [StartVector<'_>; 5] = [
            ("q", &layout.q, &mut arguments.q, &values.q),
            ("v", &layout.v, &mut arguments.v, &values.v),
            ("z", &layout.z, &mut arguments.z, &values.z),
            ("u", &layout.u, &mut arguments.u, &values.u),
            ("p", &layout.p, &mut arguments.p, &values.p),
        ];
        for ((group, slots, target, overrides), named) in groups.into_iter().zip(&mut named) {
            *named = vec![false; slots.len()];
            for (name, value) in overrides {
                let i = slots.iter().position(|s| s.name == *name).ok_or_else(|| NoStart::Unknown {
                    group,
                    name: name.clone(),
                    known: slots.iter().map(|s| s.name.as_str()).collect::<Vec<_>>().join(", "),
                })?;
                (target[i], named[i]) = (*value, true);
            }
        }
        let [q, v, z, u, _] = named;
        let mut start = Start::from_arguments(loaded, arguments, [q, v, z, u]);
        start.normalise_quaternions(layout, |_, _| ())?;
        Ok(start)
    }

    /// Start from `arguments`, in which the coordinates, speeds, user states and inputs flagged in
    /// `named` are given.
    ///
    /// All others are replaced by values of the spec, at the parameters of `arguments`. Assembly
    /// keeps the given speeds; it also keeps those of the spec unless that contradicts the given
    /// ones.
    pub fn from_arguments(loaded: &Assembled, mut arguments: Arguments, named: [Vec<bool>; 4]) -> Self {
        complete_from_spec(&loaded.mechanism, &mut arguments, &named);
        let mut starts = loaded.starts.clone();
        for (i, start) in starts.coordinates.iter_mut().enumerate() {
            if named[0][i] && start.role == StartRole::Open {
                start.role = StartRole::Guess;
            }
            *start = Given { role: start.role, value: arguments.q[i], span: None };
        }
        for (i, start) in starts.speeds.iter_mut().enumerate() {
            if named[1][i] {
                start.role = StartRole::Kept;
            }
            *start = Given { role: start.role, value: arguments.v[i], span: None };
        }
        let [_, named, ..] = named;
        Start { arguments, starts, named }
    }

    /// Normalises the quaternions of the start. `tell` is called with the name and the length of
    /// each that was not normalised.
    ///
    /// # Errors
    /// If a quaternion is zero.
    pub fn normalise_quaternions(
        &mut self,
        layout: &Layout,
        tell: impl Fn(&str, f64),
    ) -> Result<(), NoStart> {
        let a = &mut self.arguments;
        for first in &layout.quaternions {
            let quaternion = &mut a.q[*first..*first + 4];
            // Divide by the largest component first: squares could overflow or underflow.
            let largest = quaternion.iter().fold(0.0f64, |most, x| most.max(x.abs()));
            let name = &layout.q[*first].name;
            if largest == 0.0 {
                return Err(NoStart::NoAttitude { name: name.clone() });
            }
            let norm = quaternion.iter().map(|x| (x / largest).powi(2)).sum::<f64>().sqrt();
            if (largest * norm - 1.0).abs() > 1e-9 {
                tell(name, largest * norm);
            }
            quaternion.iter_mut().for_each(|x| *x = *x / largest / norm);
        }
        let values = self.starts.coordinates.iter_mut().zip(&a.q);
        values.for_each(|(start, x)| start.value = *x);
        Ok(())
    }

    /// Turns speeds that assembly would keep into guesses, which it may change.
    pub fn turn_speeds_into_guesses(&mut self) {
        for start in &mut self.starts.speeds {
            if start.role == StartRole::Kept {
                start.role = StartRole::Guess;
            }
        }
        self.named.fill(false);
    }

    /// Moves the start state onto the constraints; `None` without constraints.
    ///
    /// # Errors
    /// If no such state was found near the start.
    pub fn assemble(&mut self, loaded: &Assembled) -> Result<Option<AssembledState>, NoStart> {
        if loaded.mechanism.constraints.is_empty() {
            return Ok(None);
        }
        let manifold = constraint_manifold(loaded, &self.arguments);
        let t = self.arguments.t;
        let kept_starts = KeptStarts::from(&self.starts);
        let start = (&self.arguments.q[..], &self.arguments.v[..]);
        let find =
            |kept: &[bool]| assemble::find_state(&manifold, t, start, (&kept_starts.coordinates, kept));
        let mut state = find(&kept_starts.speeds);
        if state.as_ref().is_err_and(|e| e.speeds) && self.named.contains(&true) {
            // If speeds of the caller and of the spec contradict each other, the caller's are kept.
            state = find(&self.named).or(state);
        }
        match state {
            Ok(state) => {
                self.arguments.q.clone_from(&state.q);
                self.arguments.v.clone_from(&state.v);
                Ok(Some(state))
            }
            Err(e) => Err(self.explain_assembly_failure(loaded, &manifold, &e)),
        }
    }

    /// Notes on values that assembly moved, other than those of accepted codes; `None` if there are
    /// none.
    pub fn note_changes(&self, loaded: &Assembled) -> Option<Errors> {
        let a = &self.arguments;
        let manifold = constraint_manifold(loaded, a);
        let state = (a.t, &a.q[..], &a.v[..]);
        let sources = &loaded.warnings.sources;
        let mut note = start_messages::note_start_changes(&manifold, &self.starts, state, sources)?;
        note.diagnostics.retain(|d| !loaded.accepted.iter().any(|code| code == d.code));
        (!note.diagnostics.is_empty()).then_some(note)
    }

    /// Checks that the start is not beyond a joint stop or a plane of an impact, by more than
    /// rounding.
    ///
    /// # Errors
    /// The event with the largest penetration.
    pub fn check_stops(&self, program: &Program) -> Result<(), NoStart> {
        let events = &program.layout.events;
        Machine::new(program, functions::EVENTS).map_or(Ok(()), |machine| self.check_events(machine, events))
    }

    /// Same as [`Start::check_stops`], for event functions that are prepared already.
    ///
    /// # Errors
    /// The event with the largest penetration.
    pub fn check_events(&self, mut machine: Machine, events: &[EventSlot]) -> Result<(), NoStart> {
        // A function that cannot be evaluated is reported when the equations are.
        let Ok(values) = machine.call(&self.arguments) else { return Ok(()) };
        let impacts = events.iter().zip(values).filter(|(e, _)| e.effect == Effect::Bounces);
        let deepest = impacts.filter(|(_, x)| **x < -ROUNDING).reduce(|a, b| if b.1 < a.1 { b } else { a });
        let Some((event, x)) = deepest else { return Ok(()) };
        let unit = if event.unit == "1" { "rad" } else { event.unit.as_str() };
        Err(NoStart::BeyondStop {
            event: event.name.clone(),
            distance: start_messages::format_difference(-x, unit),
        })
    }

    /// The error of a failed assembly: a contradiction between kept values, or the row with the
    /// largest violation.
    fn explain_assembly_failure(
        &self,
        loaded: &Assembled,
        manifold: &Manifold<'_>,
        e: &NotAssembled,
    ) -> NoStart {
        let (a, kept) = (&self.arguments, KeptStarts::from(&self.starts));
        let starts = (&self.starts.coordinates[..], &self.starts.speeds[..]);
        let findings = assemble::explain_failure(manifold, a.t, e, (&a.q, &a.v), &kept.coordinates);
        let messages: Vec<String> = findings
            .iter()
            .filter_map(|finding| {
                start_messages::contradiction_error(&loaded.mechanism, starts, finding, None)
            })
            .map(|d| format!("{}\n\nhelp: {}", d.message, d.help.join("\nhelp: ")))
            .collect();
        if !messages.is_empty() {
            return NoStart::Contradiction(messages.join("\n\n"));
        }
        if let Some(constraint) = e.reversed {
            let name = loaded.mechanism.constraints.get(constraint).map_or("", |c| c.name.as_str());
            return NoStart::Contradiction(format!(
                "no pose was found in which all axes have the intended direction: an axis of `{name}` \
                 points in the opposite direction\n\nhelp: start closer to the intended attitude"
            ));
        }
        let rows = manifold.constraint_rows(a.t, &e.q, &a.v);
        let of_level = rows.iter().filter(|r| e.speeds || r.position.is_some());
        let row = of_level.map(|r| r.name.clone()).nth(e.row).unwrap_or_else(|| "a quaternion".to_owned());
        let what = if e.speeds { "speeds" } else { "pose" };
        NoStart::NotAssembled { what, row, residual: e.residual }
    }
}

/// Replaces coordinates, speeds, user states and inputs that are not flagged in `named` by values
/// of the spec, at the parameters of `a`.
#[doc(hidden)]
pub fn complete_from_spec(m: &Mechanism, a: &mut Arguments, named: &[Vec<bool>; 4]) {
    let start = kinematics::initial_instant(
        m,
        &Number::to_f64,
        &kinematics::evaluate_parameters(m, &Number::to_f64, &a.p),
    );
    let parts = [(&mut a.q, start.q), (&mut a.v, start.v), (&mut a.z, start.z), (&mut a.u, start.u)];
    for ((values, defaults), named) in parts.into_iter().zip(named) {
        let missing = values.iter_mut().zip(defaults).zip(named).filter(|(_, named)| !**named);
        missing.for_each(|((value, default), _)| *value = default);
    }
}
