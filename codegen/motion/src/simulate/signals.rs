//! Signals along a motion besides the state.

use super::acting::ACTING_INPUTS;
use super::motion::Motion;
use super::start::manifold;
use dqdt_algebra::Number;
use dqdt_derivation::assemble::Assembled;
use dqdt_derivation::functions;
use dqdt_graph::ir::{Arguments, Declaration, FunctionOutput, Machine, Program};
use dqdt_mechanics::formalism::undetermined_reactions;
use dqdt_mechanics::kinematics;
use dqdt_mechanics::mechanism::{Environment, Instant, Mechanism, NamedFormula};
use std::sync::Arc;

/// What a table and a plot may also show.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SignalGroup {
    /// Outputs of the spec; a table always has them
    Outputs,
    /// Inputs as they act: within their limits, and those that realise constraints
    Inputs,
    /// Definitions and prescribed coordinates of the spec
    Definitions,
    /// Multipliers of the constraints that the motion determines
    Multipliers,
    /// Forces and moments through the joints that the motion determines, on the child, about the joint, in child axes
    Reactions,
}

impl SignalGroup {
    /// Before the names of its columns.
    fn prefix(self) -> &'static str {
        match self {
            SignalGroup::Outputs | SignalGroup::Inputs | SignalGroup::Definitions => "",
            SignalGroup::Multipliers => "lambda_",
            SignalGroup::Reactions => "reaction_",
        }
    }
}

/// A quantity along the motion.
#[derive(Clone, PartialEq, Debug)]
pub struct Signal {
    /// What it belongs to.
    pub group: SignalGroup,
    /// Its name.
    pub name: String,
    /// Its unit; empty if none is known.
    pub unit: String,
    /// By times.
    pub values: Vec<f64>,
}

/// All of them.
#[derive(Clone, PartialEq, Debug)]
pub struct Signals {
    /// Kinetic and potential energy \[J\], by times.
    pub energy: Vec<[f64; 2]>,
    /// What was asked for.
    pub columns: Vec<Signal>,
    /// Rows of constraints whose multipliers are not determined, where they were asked for.
    pub undetermined: Vec<String>,
    /// Joints with the components of their reactions that are not determined, where they were asked for.
    pub open_reactions: Vec<String>,
}

impl Signals {
    /// Evaluates energies, outputs and the groups asked for along a motion.
    pub fn of(
        loaded: &Assembled,
        program: &Program,
        arguments: &Arguments,
        motion: &Motion,
        groups: &[SignalGroup],
    ) -> Self {
        let mut columns = Vec::new();
        let wants = |g: SignalGroup| g == SignalGroup::Outputs || groups.contains(&g);
        if wants(SignalGroup::Outputs) {
            columns.extend(signals(program, arguments, motion, SignalGroup::Outputs, functions::OUTPUTS));
        }
        if wants(SignalGroup::Inputs) {
            columns.extend(inputs(program, arguments, motion));
        }
        if wants(SignalGroup::Definitions) {
            columns.extend(definitions(&loaded.mechanism, program, arguments, motion));
        }
        let mut undetermined = Vec::new();
        if wants(SignalGroup::Multipliers) {
            let found = signals(program, arguments, motion, SignalGroup::Multipliers, functions::MULTIPLIERS);
            let known = |row: &String| found.iter().any(|s| s.name.strip_prefix("lambda_") == Some(row));
            let rows = program.layout.velocity_rows.iter().map(|r| &r.name);
            undetermined.extend(rows.filter(|r| !known(r)).cloned());
            columns.extend(found);
        }
        let mut open_reactions = Vec::new();
        if wants(SignalGroup::Reactions) {
            let found = signals(program, arguments, motion, SignalGroup::Reactions, functions::REACTIONS);
            let open = open_components(loaded, arguments, motion);
            // By joint, six each.
            let determined = found.into_iter().zip(open.iter().flatten()).filter(|(_, open)| !**open);
            columns.extend(determined.map(|(signal, _)| signal));
            let names = loaded.mechanism.joints.iter().zip(&open).filter(|(_, open)| open.contains(&true));
            open_reactions.extend(names.map(|(joint, open)| {
                let parts = PARTS.iter().zip(open).filter(|(_, open)| **open).map(|(part, _)| *part);
                format!("{} of {}", parts.collect::<Vec<_>>().join(" "), joint.name)
            }));
        }
        let energy = along(program, arguments, motion, functions::ENERGY);
        let energy = energy.into_iter().map(|e| [0, 1].map(|i| e.get(i).copied().unwrap_or(0.0))).collect();
        Signals { energy, columns, undetermined, open_reactions }
    }
}

/// Components of a reaction.
const PARTS: [&str; 6] = ["fx", "fy", "fz", "mx", "my", "mz"];

/// So many rows of a motion are asked which reactions they determine.
const POSES: usize = 12;

/// By joint, the components of reactions that the motion does not determine at general poses. At a singular one, where
/// fewer rows are independent than elsewhere, more is open; it does not count.
fn open_components(loaded: &Assembled, arguments: &Arguments, motion: &Motion) -> Vec<[bool; 6]> {
    let m = &loaded.mechanism;
    let manifold = manifold(loaded, arguments);
    let mut a = arguments.clone();
    let every = motion.times.len().div_ceil(POSES).max(1);
    let mut at = |(t, x): (&f64, &Vec<f64>)| {
        a.set_state(x);
        manifold.at(*t, &a.q, &a.v, |env| {
            undetermined_reactions(m, &Environment { partition: &loaded.partition, ..*env })
        })
    };
    let poses: Vec<_> = motion.times.iter().zip(&motion.states).step_by(every).map(&mut at).collect();
    let rank = poses.iter().map(|p| p.rank).max();
    let mut open = vec![[false; 6]; m.joints.len()];
    for pose in poses.iter().filter(|p| Some(p.rank) == rank) {
        let both = open.iter_mut().flatten().zip(pose.components.iter().flatten());
        both.for_each(|(open, here)| *open |= here);
    }
    open
}

/// The values of a function, by times; not a number where it is singular.
fn along(program: &Program, arguments: &Arguments, motion: &Motion, kind: &Declaration) -> Vec<Vec<f64>> {
    let mut a = arguments.clone();
    let outputs = outputs(program, kind);
    let n = outputs.iter().map(|o| o.nodes.len()).sum();
    let mut machine = Machine::new(program, kind);
    let mut at = |(t, x): (&f64, &Vec<f64>)| {
        a.t = *t;
        a.set_state(x);
        let machine = machine.as_mut()?;
        Some(machine.call(&a).map_or_else(|_| vec![f64::NAN; n], <[f64]>::to_vec))
    };
    motion.times.iter().zip(&motion.states).map(|point| at(point).unwrap_or_default()).collect()
}

fn outputs<'p>(program: &'p Program, kind: &Declaration) -> &'p [FunctionOutput] {
    program.function(kind).map_or(&[], |f| &f.outputs)
}

fn signals(
    program: &Program,
    arguments: &Arguments,
    motion: &Motion,
    group: SignalGroup,
    kind: &Declaration,
) -> Vec<Signal> {
    let rows = along(program, arguments, motion, kind);
    let prefix = group.prefix();
    let named = outputs(program, kind).iter().flat_map(|o| {
        let names = kind.entry_names(o, &program.layout).into_iter();
        names.map(|name| format!("{prefix}{name}")).zip(kind.entry_units(o))
    });
    let signal = |(k, (name, unit)): (usize, (String, String))| Signal {
        group,
        name,
        unit,
        values: rows.iter().map(|row| row[k]).collect(),
    };
    named.enumerate().map(signal).collect()
}

/// Definitions and prescribed coordinates, at inputs as they act.
fn definitions(m: &Mechanism, program: &Program, arguments: &Arguments, motion: &Motion) -> Vec<Signal> {
    let number = |n: Number| n.to_f64();
    let acting = inputs(program, arguments, motion);
    let mut at = arguments.clone();
    let mut instant = Instant { p: kinematics::parameters(m, &number, &arguments.p), ..Instant::default() };
    let rows = motion.times.iter().zip(&motion.states).enumerate().map(|(k, (t, x))| {
        at.set_state(x);
        (instant.t, instant.q, instant.v, instant.z) = (*t, at.q.clone(), at.v.clone(), at.z.clone());
        instant.u = acting.iter().map(|input| input.values[k]).collect();
        let env = instant.environment(&number);
        m.named_formulas.iter().map(|f| kinematics::value_of(m, &env, &f.formula)).collect::<Vec<f64>>()
    });
    let rows: Vec<Vec<f64>> = rows.collect();
    let signal = |(k, f): (usize, &Arc<NamedFormula>)| Signal {
        group: SignalGroup::Definitions,
        name: f.name.clone(),
        unit: f.unit.clone(),
        values: rows.iter().map(|row| row[k]).collect(),
    };
    m.named_formulas.iter().enumerate().map(signal).collect()
}

/// Inputs as they act.
pub(super) fn inputs(program: &Program, arguments: &Arguments, motion: &Motion) -> Vec<Signal> {
    let limited = along(program, arguments, motion, ACTING_INPUTS);
    let realised = along(program, arguments, motion, functions::PROGRAM_INPUTS);
    let names: Vec<&str> =
        outputs(program, functions::PROGRAM_INPUTS).iter().map(|o| o.name.as_str()).collect();
    let signal = |(i, slot): (usize, &dqdt_graph::ir::Slot)| {
        let own = names.iter().position(|n| *n == slot.name);
        let value = |k: usize| match own {
            Some(j) => realised[k][j],
            None => limited[k].get(i).copied().unwrap_or(arguments.u[i]),
        };
        Signal {
            group: SignalGroup::Inputs,
            name: slot.name.clone(),
            unit: slot.unit.clone(),
            values: (0..motion.times.len()).map(value).collect(),
        }
    };
    program.layout.u.iter().enumerate().map(signal).collect()
}
