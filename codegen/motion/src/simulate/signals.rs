//! Signals along a motion other than the state: energies, outputs, inputs, multipliers and so on.

use super::effective_inputs::EFFECTIVE_INPUTS;
use super::events::stop_events;
use super::motion::Motion;
use super::runnable::{RunnableProgram, SignalsAtRest};
use super::start::constraint_manifold;
use dqdt_algebra::Number;
use dqdt_derivation::assemble::Assembled;
use dqdt_derivation::functions;
use dqdt_graph::ir::{Arguments, Declaration, Layout, Program};
use dqdt_mechanics::formalism::undetermined_reactions;
use dqdt_mechanics::kinematics;
use dqdt_mechanics::mechanism::{Environment, Instant, Mechanism};

/// Groups of signals along a motion that a table or a plot can show in addition to the state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SignalGroup {
    /// Outputs of the spec; a table always has them.
    Outputs,
    /// Effective inputs: clamped to their limits; those that realise constraints as computed.
    Inputs,
    /// Values of the definitions and of the prescribed coordinates of the spec.
    Definitions,
    /// Multipliers of the constraints, as far as the motion determines them.
    Multipliers,
    /// Forces and moments through the joints, as far as the motion determines them: on the child,
    /// about the joint, in child axes.
    Reactions,
}

impl SignalGroup {
    /// Prefix of the column names of a group in a table, such as `lambda_`.
    fn column_prefix(self) -> &'static str {
        match self {
            SignalGroup::Outputs | SignalGroup::Inputs | SignalGroup::Definitions => "",
            SignalGroup::Multipliers => "lambda_",
            SignalGroup::Reactions => "reaction_",
        }
    }
}

/// A scalar quantity along a motion, such as an output; a column of a table.
#[derive(Clone, PartialEq, Debug)]
pub struct Signal {
    /// Group that the signal belongs to.
    pub group: SignalGroup,
    /// Name of the column of the signal in a table.
    pub name: String,
    /// SI unit of the values; empty if it is not known.
    pub unit: String,
    /// Value of the signal at each time of the motion.
    pub values: Vec<f64>,
}

/// Values of energies and requested signals at the times of a motion.
#[derive(Clone, PartialEq, Debug)]
pub struct Signals {
    /// Kinetic and potential energy \[J\] at each time.
    pub energy: Vec<[f64; 2]>,
    /// The requested signals, each a column of the table.
    pub columns: Vec<Signal>,
    /// Names of the constraint rows whose multipliers are not determined, if multipliers were
    /// requested.
    pub undetermined: Vec<String>,
    /// Undetermined components of joint reactions, as text such as `fx mz of hinge`, if reactions
    /// were requested.
    pub open_reactions: Vec<String>,
}

impl Signals {
    /// Names of the outputs and of the requested signals, also of those that a motion does not
    /// determine.
    #[doc(hidden)]
    pub fn names(
        loaded: &Assembled,
        program: &RunnableProgram,
        groups: &[SignalGroup],
    ) -> Vec<(SignalGroup, String)> {
        let mut names = Vec::new();
        let mut of_function = |group: SignalGroup, kind: &Declaration| {
            let entries = program.outputs(kind).iter().flat_map(|o| kind.entry_names(o, &program.layout));
            names.extend(entries.map(|name| (group, format!("{}{name}", group.column_prefix()))));
        };
        of_function(SignalGroup::Outputs, functions::OUTPUTS);
        if groups.contains(&SignalGroup::Multipliers) {
            of_function(SignalGroup::Multipliers, functions::MULTIPLIERS);
        }
        if groups.contains(&SignalGroup::Reactions) {
            of_function(SignalGroup::Reactions, functions::REACTIONS);
            let stops = stop_force_names(&program.layout);
            names.extend(stops.map(|(_, name, _)| (SignalGroup::Reactions, name)));
        }
        if groups.contains(&SignalGroup::Inputs) {
            names.extend(program.layout.u.iter().map(|u| (SignalGroup::Inputs, u.name.clone())));
        }
        if groups.contains(&SignalGroup::Definitions) {
            let formulas = loaded.mechanism.named_formulas.iter();
            names.extend(formulas.map(|f| (SignalGroup::Definitions, f.name.clone())));
        }
        names
    }

    /// Evaluates energies, outputs and the requested groups along a motion.
    pub fn evaluate(
        loaded: &Assembled,
        program: &Program,
        arguments: &Arguments,
        motion: &Motion,
        groups: &[SignalGroup],
    ) -> Self {
        Signals::evaluate_prepared(loaded, &RunnableProgram::new(program), arguments, motion, groups)
    }

    /// Same as [`Signals::evaluate`], with functions that are prepared already.
    #[doc(hidden)]
    pub fn evaluate_prepared(
        loaded: &Assembled,
        program: &RunnableProgram,
        arguments: &Arguments,
        motion: &Motion,
        groups: &[SignalGroup],
    ) -> Self {
        let along = Along::new(loaded, program, arguments, motion);
        let mut columns = Vec::new();
        let wants = |g: SignalGroup| g == SignalGroup::Outputs || groups.contains(&g);
        if wants(SignalGroup::Outputs) {
            columns.extend(along.signal_group(SignalGroup::Outputs, functions::OUTPUTS));
        }
        if wants(SignalGroup::Inputs) {
            columns.extend(along.effective_inputs());
        }
        if wants(SignalGroup::Definitions) {
            columns.extend(along.definitions(&loaded.mechanism));
        }
        let mut undetermined = Vec::new();
        if wants(SignalGroup::Multipliers) {
            let multipliers = along.signal_group(SignalGroup::Multipliers, functions::MULTIPLIERS);
            let names = multipliers.iter().map(|s| s.name.strip_prefix("lambda_"));
            let rows = program.layout.velocity_rows.iter().map(|r| &r.name);
            undetermined.extend(rows.filter(|r| !names.clone().any(|n| n == Some(r))).cloned());
            columns.extend(multipliers);
        }
        let mut open_reactions = Vec::new();
        if wants(SignalGroup::Reactions) {
            let reactions = along.signal_group(SignalGroup::Reactions, functions::REACTIONS);
            let open = undetermined_reaction_components(loaded, arguments, motion);
            // The signals are ordered by joint, six components each.
            let determined = reactions.into_iter().zip(open.iter().flatten()).filter(|(_, open)| !**open);
            columns.extend(determined.map(|(signal, _)| signal));
            let names = loaded.mechanism.joints.iter().zip(&open).filter(|(_, open)| open.contains(&true));
            open_reactions.extend(names.map(|(joint, open)| {
                let parts = COMPONENTS.iter().zip(open).filter(|(_, open)| **open).map(|(part, _)| *part);
                format!("{} of {}", parts.collect::<Vec<_>>().join(" "), joint.name)
            }));
            columns.extend(stop_force_columns(&program.layout, motion));
        }
        let energy = along.function(functions::ENERGY);
        let energy = energy.into_iter().map(|e| [0, 1].map(|i| e.get(i).copied().unwrap_or(0.0))).collect();
        Signals { energy, columns, undetermined, open_reactions }
    }
}

/// Suffixes of the columns of a reaction: force, then moment on the child, in child axes.
const COMPONENTS: [&str; 6] = ["fx", "fy", "fz", "mx", "my", "mz"];

/// Maximum number of poses along a motion at which the determinacy of reactions is tested.
const POSES: usize = 12;

/// For each joint, the components of its reaction that the motion does not determine at general
/// poses. Singular poses, at which more components are undetermined, are ignored.
fn undetermined_reaction_components(
    loaded: &Assembled,
    arguments: &Arguments,
    motion: &Motion,
) -> Vec<[bool; 6]> {
    let m = &loaded.mechanism;
    let manifold = constraint_manifold(loaded, arguments);
    let mut a = arguments.clone();
    let every = motion.times.len().div_ceil(POSES).max(1);
    let poses = motion.times.iter().zip(&motion.states).step_by(every).map(|(t, x)| {
        a.set_state(x);
        manifold.with_environment(*t, &a.q, &a.v, |env| {
            undetermined_reactions(m, &Environment { partition: &loaded.partition, ..*env })
        })
    });
    let poses: Vec<_> = poses.collect();
    let rank = poses.iter().map(|p| p.rank).max();
    let mut open = vec![[false; 6]; m.joints.len()];
    for pose in poses.iter().filter(|p| Some(p.rank) == rank) {
        let both = open.iter_mut().flatten().zip(pose.components.iter().flatten());
        both.for_each(|(open, here)| *open |= here);
    }
    open
}

/// Names and units of the forces of stops, with the indices of their events.
fn stop_force_names(layout: &Layout) -> impl Iterator<Item = (usize, String, &'static str)> {
    let prefix = SignalGroup::Reactions.column_prefix();
    stop_events(layout).into_iter().map(move |event| {
        let slot = &layout.events[event];
        let unit = if slot.unit == "m" { "N" } else { "N*m" };
        (event, format!("{prefix}{}", slot.name), unit)
    })
}

/// Signals of the forces of stops; NaN where they are not determined. None for a motion that was
/// not integrated.
fn stop_force_columns(layout: &Layout, motion: &Motion) -> Vec<Signal> {
    if motion.stop_forces.is_empty() {
        return Vec::new();
    }
    let columns = stop_force_names(layout).map(|(event, name, unit)| Signal {
        group: SignalGroup::Reactions,
        name,
        unit: unit.to_owned(),
        values: motion
            .stop_forces
            .iter()
            .map(|row| match row.undetermined.get(event) {
                Some(false) => row.forces[event],
                Some(true) => f64::NAN,
                None => 0.0,
            })
            .collect(),
    });
    columns.collect()
}

/// A motion along which functions are evaluated.
pub(super) struct Along<'a> {
    program: &'a RunnableProgram,
    arguments: &'a Arguments,
    motion: &'a Motion,
    /// The program with the forces of stops as loads, and its inputs at each row, for a motion that
    /// rests.
    at_rest: Option<(&'a SignalsAtRest, Vec<Vec<f64>>)>,
}

impl<'a> Along<'a> {
    fn new(
        loaded: &Assembled,
        program: &'a RunnableProgram,
        arguments: &'a Arguments,
        motion: &'a Motion,
    ) -> Self {
        let at_rest = (!motion.rests.is_empty()).then(|| {
            let at_rest = program.at_rest(loaded);
            (at_rest, inputs_with_stops(loaded, program, arguments, motion, at_rest))
        });
        Along { program, arguments, motion, at_rest }
    }

    /// The same for functions that do not depend on the forces of stops.
    pub(super) fn without_stops(
        program: &'a RunnableProgram,
        arguments: &'a Arguments,
        motion: &'a Motion,
    ) -> Self {
        Along { program, arguments, motion, at_rest: None }
    }

    /// Results of a function of the program at each time of a motion; NaN where it is singular.
    fn function(&self, kind: &Declaration) -> Vec<Vec<f64>> {
        let mut a = self.arguments.clone();
        let n = self.program.outputs(kind).iter().map(|o| o.nodes.len()).sum();
        let at_rest = self.at_rest.as_ref().filter(|_| n > 0 && SignalsAtRest::concern(kind));
        let (mut machine, inputs) = match at_rest {
            Some((at_rest, inputs)) => match at_rest.machine(kind) {
                Some(machine) => (Some(machine), inputs),
                // Without the forces of the stops the values would be wrong.
                None => return vec![vec![f64::NAN; n]; self.motion.times.len()],
            },
            None => (self.program.machine(kind), &self.motion.inputs),
        };
        let results = self.motion.times.iter().zip(&self.motion.states).enumerate().map(|(k, (t, x))| {
            a.t = *t;
            a.set_state(x);
            if let Some(u) = inputs.get(k) {
                a.u.clone_from(u);
            }
            let Some(machine) = machine.as_mut() else { return Vec::new() };
            machine.call(&a).map_or_else(|_| vec![f64::NAN; n], <[f64]>::to_vec)
        });
        results.collect()
    }

    /// Signals of a group: all outputs of the function `kind` at each time of a motion.
    fn signal_group(&self, group: SignalGroup, kind: &Declaration) -> Vec<Signal> {
        let rows = self.function(kind);
        let prefix = group.column_prefix();
        let named = self.program.outputs(kind).iter().flat_map(|o| {
            let names = kind.entry_names(o, &self.program.layout).into_iter();
            names.map(|name| format!("{prefix}{name}")).zip(kind.entry_units(o))
        });
        let signals = named.enumerate().map(|(k, (name, unit))| Signal {
            group,
            name,
            unit,
            values: rows.iter().map(|row| row[k]).collect(),
        });
        signals.collect()
    }

    /// Signals of definitions and prescribed coordinates, evaluated at the effective inputs.
    fn definitions(&self, m: &Mechanism) -> Vec<Signal> {
        let effective = self.effective_inputs();
        let mut at = self.arguments.clone();
        let mut instant = Instant {
            p: kinematics::evaluate_parameters(m, &Number::to_f64, &self.arguments.p),
            ..Instant::default()
        };
        let rows = self.motion.times.iter().zip(&self.motion.states).enumerate().map(|(k, (t, x))| {
            at.set_state(x);
            (instant.t, instant.q, instant.v, instant.z) = (*t, at.q.clone(), at.v.clone(), at.z.clone());
            instant.u = effective.iter().map(|input| input.values[k]).collect();
            let env = instant.as_environment(&Number::to_f64);
            m.named_formulas
                .iter()
                .map(|f| kinematics::evaluate_formula(m, &env, &f.formula))
                .collect::<Vec<f64>>()
        });
        let rows: Vec<Vec<f64>> = rows.collect();
        let signals = m.named_formulas.iter().enumerate().map(|(k, f)| Signal {
            group: SignalGroup::Definitions,
            name: f.name.clone(),
            unit: f.unit.clone(),
            values: rows.iter().map(|row| row[k]).collect(),
        });
        signals.collect()
    }

    /// Signals of the effective inputs: clamped to their limits, or as constraints determine them.
    pub(super) fn effective_inputs(&self) -> Vec<Signal> {
        let limited = self.function(EFFECTIVE_INPUTS);
        let realised = self.function(functions::PROGRAM_INPUTS);
        let outputs = self.program.outputs(functions::PROGRAM_INPUTS);
        let names: Vec<&str> = outputs.iter().map(|o| o.name.as_str()).collect();
        let signals = self.program.layout.u.iter().enumerate().map(|(i, slot)| {
            let realised_column = names.iter().position(|n| *n == slot.name);
            let values = (0..self.motion.times.len()).map(|k| match realised_column {
                Some(j) => realised[k][j],
                None => limited[k]
                    .get(i)
                    .copied()
                    .unwrap_or_else(|| self.motion.inputs.get(k).map_or(self.arguments.u[i], |u| u[i])),
            });
            Signal {
                group: SignalGroup::Inputs,
                name: slot.name.clone(),
                unit: slot.unit.clone(),
                values: values.collect(),
            }
        });
        signals.collect()
    }
}

/// Inputs of a mechanism with the forces of its stops at each row of a motion: those of the motion,
/// then those of the stops.
fn inputs_with_stops(
    loaded: &Assembled,
    program: &RunnableProgram,
    arguments: &Arguments,
    motion: &Motion,
    at_rest: &SignalsAtRest,
) -> Vec<Vec<f64>> {
    let manifold = constraint_manifold(loaded, arguments);
    let stops = stop_events(&program.layout);
    let (mut at, mut machine) = (arguments.clone(), program.machine(functions::STOPS));
    let (nq, nv) = (at.q.len(), at.v.len());
    let along = motion.times.iter().zip(&motion.states).zip(&motion.stop_forces).enumerate();
    let along = along.map(|(k, ((t, x), acting))| {
        at.t = *t;
        at.set_state(x);
        if let Some(u) = motion.inputs.get(k) {
            at.u.clone_from(u);
        }
        let terms = machine.as_mut().and_then(|m| m.call(&at).ok()).unwrap_or(&[]);
        let of_stops = manifold.with_environment(at.t, &at.q, &at.v, |env| {
            let values = at_rest.inputs.iter().map(|input| {
                input.value(&loaded.mechanism, env, &acting.forces, |event| {
                    let place = stops.iter().position(|stop| *stop == event)?;
                    terms.chunks(4 + 2 * nv + nq).nth(place)?.get(4..4 + nv)
                })
            });
            values.collect::<Vec<f64>>()
        });
        [&at.u[..], &of_stops].concat()
    });
    along.collect()
}
