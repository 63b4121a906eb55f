//! Errors of accelerations in single precision, and the choice of a formalism that keeps them
//! small.
//!
//! Problem: in single precision, losses of formalisms differ by a factor of a hundred: M of a long
//!          chain squares the condition number of its solve, unlike recursions over few joints.
//! Method:  accelerations are evaluated at random states around the start with every operation
//!          rounded to `f32`, and compared with those in `f64`; errors are relative to the largest
//!          acceleration of the state. States with a vanishing pivot in `f64` are skipped.
//! Cost:    one evaluation per state and formalism.

use super::cost::{WAITING, cost};
use super::{complete_formulation, shortest_program_to_count};
use dqdt_derivation::assemble::Assembled;
use dqdt_derivation::derive::Request;
use dqdt_derivation::functions::{self, Definition};
use dqdt_diagnostics::base::Random;
use dqdt_graph::ir::{Arguments, Machine, NodeId, Program, Tape, evaluate};
use dqdt_mechanics::formalism::{Formalism, Lean};
use dqdt_mechanics::kinematics;
use dqdt_mechanics::mechanism::{BodyAxes, EliminationGroups, Formulation, Mechanism};

/// Maximum error of a formalism for single precision in nine states out of ten, relative to the
/// largest acceleration of the state.
pub const LIMIT: f64 = 1e-5;

/// Number of random states at which errors in single precision are evaluated.
const STATES: usize = 64;

/// Relative errors of accelerations in single precision at random states, relative to the largest
/// acceleration of each state.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Errors {
    /// Error not exceeded in half of the states.
    pub median: f64,
    /// Error not exceeded in nine states out of ten. The other states are usually close to singular
    /// poses, where every formalism loses precision.
    pub most: f64,
    /// Largest error of all random states.
    pub largest: f64,
}

/// Errors of the accelerations of `dqdt` in single precision; `None` if the program lacks this
/// function, or every state is singular.
pub fn errors(m: &Mechanism, program: &Program) -> Option<Errors> {
    let dqdt = program.function(functions::DQDT)?;
    let nodes: Vec<NodeId> = dqdt.outputs.iter().flat_map(|o| o.nodes.iter().copied()).collect();
    let accelerations = nodes.get(m.nq()..m.nq() + m.nv())?;
    let mut machine = Machine::new(program, functions::DQDT)?;
    let tape = Tape::new(&program.graph, accelerations);
    let (mut work, mut single) = (Vec::new(), vec![0.0f32; accelerations.len()]);
    let mut random = Random::new(7);
    let mut errors = Vec::new();
    for _ in 0..STATES {
        let a = random_single_state(m, program, &mut random);
        if machine.call(&a).is_err() {
            continue;
        }
        let exact = evaluate(&program.graph, accelerations, |k| a.value(k));
        tape.evaluate(|k| a.value(k) as f32, &mut work, &mut single);
        let largest = exact.iter().fold(0.0f64, |m, x| m.max(x.abs()));
        let off = exact.iter().zip(&single).map(|(x, y)| (x - f64::from(*y)).abs());
        let off = off.fold(0.0f64, |m, x| if x.is_nan() { f64::INFINITY } else { m.max(x) });
        errors.push(if largest > 0.0 { off / largest } else { off });
    }
    errors.sort_by(f64::total_cmp);
    let quantile = |part: usize| errors.get(errors.len() * part / 10).copied();
    Some(Errors { median: quantile(5)?, most: quantile(9)?, largest: *errors.last()? })
}

fn round_to_single(x: f64) -> f64 {
    f64::from(x as f32)
}

/// A random state around the start of the spec, rounded to `f32`.
fn random_single_state(m: &Mechanism, program: &Program, random: &mut Random) -> Arguments {
    let mut a = Arguments::defaults(program);
    // Far from the start, constraint rows of closed loops lose rank, or nearly so.
    let far = if m.constraints.iter().any(|c| c.constrains_positions()) { 0.2 } else { 1.0 };
    for x in a.q.iter_mut().chain(&mut a.v) {
        *x += far * random.next_between(-1.0, 1.0);
    }
    for first in kinematics::quaternion_starts(m) {
        if let Some(quaternion) = a.q.get_mut(first.quaternion_range()) {
            let length = quaternion.iter().map(|x| x * x).sum::<f64>().sqrt();
            quaternion.iter_mut().for_each(|x| *x /= length);
        }
    }
    let all = a.q.iter_mut().chain(&mut a.v).chain(&mut a.z).chain(&mut a.u).chain(&mut a.p);
    all.for_each(|x| *x = round_to_single(*x));
    a
}

/// The formalism for single precision, as defined by
/// [`FormalismChoice::ForSingles`](super::FormalismChoice::ForSingles), and the part of its
/// formulation that is decided. `may` is true for formalisms that fit in memory; `default` is
/// preferred if it is accurate enough.
pub(super) fn choose_precise_formalism(
    loaded: &Assembled,
    functions: &[&'static Definition],
    default: (Formalism, &Formulation),
    may: &dyn Fn(Formalism) -> bool,
) -> (Formalism, Option<Formulation>) {
    let m = &loaded.mechanism;
    let (default, formulation) = default;
    let request = Request::new(default, vec![functions::DQDT]);
    let by_default = errors(m, &shortest_program_to_count(loaded, formulation, &request));
    if by_default.is_none_or(|e| e.most <= LIMIT) {
        return (default, None);
    }
    // Shorter groups lose less, and so do chains whose bodies have their own axes.
    let in_own_axes =
        Formulation { body_axes: Some(BodyAxes::from_joints(&m.joints)), ..Formulation::default() };
    let shorter = [3, 2, 1].map(|longest| {
        let groups = Some(EliminationGroups::from_leaves(&m.joints, longest));
        (Formalism::Mixed, Formulation { elimination_groups: groups, ..in_own_axes.clone() })
    });
    let open = Formalism::ALL.into_iter().map(|f| (f, Formulation::default()));
    let candidates = open.chain(Formalism::ALL.into_iter().map(|f| (f, in_own_axes.clone()))).chain(shorter);
    let derive = |f: Formalism, partial: &Formulation, functions: Vec<&'static Definition>| {
        let request = Request::new(f, functions);
        shortest_program_to_count(loaded, &complete_formulation(loaded, partial, &request, WAITING), &request)
    };
    let mut tried: Vec<(u32, Formalism, Formulation)> = candidates
        .filter(|(f, _)| f.facts().lean != Lean::No && may(*f))
        .map(|(f, partial)| (cost(&derive(f, &partial, functions.to_vec())), f, partial))
        .collect();
    tried.sort_by_key(|(cost, ..)| *cost);
    let mut closest: Option<(f64, Formalism, Formulation)> = None;
    for (_, f, partial) in tried {
        let program = derive(f, &partial, vec![functions::DQDT]);
        let Some(Errors { most, .. }) = errors(m, &program) else { return (f, Some(partial)) };
        if most <= LIMIT {
            return (f, Some(partial));
        }
        if closest.as_ref().is_none_or(|(least, ..)| most < *least) {
            closest = Some((most, f, partial));
        }
    }
    closest.map_or((Formalism::ArticulatedBody, None), |(_, f, partial)| (f, Some(partial)))
}
