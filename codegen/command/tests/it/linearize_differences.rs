//! The library's `linearize`, which the command prints, against differences of `dqdt` and `outputs`
//! in the interpreter, on random mechanisms with outputs of all kinds and widths, and along the
//! constraints if there are any.
//!
//! The differences share no code with the linearisation: another formalism evaluates the motion,
//! dependent entries of `δx` are computed by Newton's method on the residuals, and derivatives are
//! extrapolated from eight steps (Ridders 1982).

use crate::files::case_path;
use std::path::Path;

use crate::common::{at, trees};
use crate::constrained::{BODIES, Flavour, random_constrained};
use crate::linearize::{inverse, times};
use crate::null_space::FLAVOURS;
use dqdt_codegen::functions;
use dqdt_codegen::linearize::{LinearizeRequest, Linearized, linearize};
use dqdt_codegen::pipeline::{self, Assembled, Request};
use dqdt_codegen::simulate::Values;
use dqdt_derivation::assemble::assemble;
use dqdt_graph::ir::{Arguments, Declaration, Machine, Program};
use dqdt_mechanics::formalism::Formalism;
use dqdt_mechanics::kinematics::{constraint_rows, quaternion_starts};
use dqdt_mechanics::mechanism::output::kinds::JointEffort;
use dqdt_mechanics::mechanism::{CoordinateId, Formulation, Mechanism, Output};
use dqdt_samples::random::{Sample, random_mechanism};
use dqdt_spec::resolve::Resolved;
use nalgebra::{DMatrix, DVector};

/// Largest step of the differences; each further step is half the previous.
const STEP: f64 = 1.0 / 64.0;
const STEPS: usize = 8;
/// Tolerance for differences from the linearisation, relative to the scale of the row.
const AGREES: f64 = 1e-7;
/// Largest estimated error, relative to the scale of the row, of a difference that is compared.
const SURE: f64 = 2e-8;

/// The mechanism with the effort of every joint as an output; efforts of fixed joints, which have
/// no entries, come in between.
fn with_efforts(mut m: Mechanism) -> Mechanism {
    for joint in m.joint_ids() {
        let kind = JointEffort { joint }.into();
        let place = (3 * joint.index()).min(m.outputs.len());
        m.outputs.insert(
            place,
            Output { name: format!("effort{}", joint.index()), description: String::new(), kind },
        );
    }
    m
}

/// Evaluates the motion and the outputs at a point, by another formalism than the linearisation.
struct Evaluated<'a> {
    m: &'a Mechanism,
    motion: Machine,
    outputs: Machine,
    quaternions: Vec<CoordinateId>,
    at: Arguments,
    /// `q̇` at this point.
    rates: Vec<f64>,
}

impl<'a> Evaluated<'a> {
    fn new(m: &'a Mechanism, program: &Program, at: &Arguments) -> Self {
        let machine = |f: &Declaration| Machine::new(program, f).unwrap();
        let (mut motion, outputs) = (machine(functions::DQDT), machine(functions::OUTPUTS));
        let rates = motion.call(at).unwrap()[..m.nq()].to_vec();
        Evaluated { m, motion, outputs, quaternions: quaternion_starts(m), at: at.clone(), rates }
    }

    /// The point displaced by `δx` and `δu`.
    fn moved(&self, dx: &[f64], du: &[f64]) -> Arguments {
        let mut out = self.at.clone();
        let mut dx = dx.iter().copied();
        let mut i = 0;
        while i < out.q.len() {
            if self.quaternions.contains(&CoordinateId(i)) {
                let half =
                    [1.0, dx.next().unwrap() / 2.0, dx.next().unwrap() / 2.0, dx.next().unwrap() / 2.0];
                let turned = times([0, 1, 2, 3].map(|k| self.at.q[i + k]), half);
                let norm = turned.iter().map(|x| x * x).sum::<f64>().sqrt();
                (0..4).for_each(|k| out.q[i + k] = turned[k] / norm);
                i += 4;
            } else {
                out.q[i] += dx.next().unwrap();
                i += 1;
            }
        }
        out.v.iter_mut().chain(&mut out.z).zip(dx).for_each(|(x, d)| *x += d);
        out.u.iter_mut().zip(du).for_each(|(x, d)| *x += d);
        out
    }

    /// `d(δx)/dt` and the outputs at a displaced point; `None` if it is singular.
    fn values(&mut self, point: &Arguments) -> Option<(Vec<f64>, Vec<f64>)> {
        let all = self.motion.call(point).ok()?.to_vec();
        let mut rates = Vec::new();
        let mut i = 0;
        while i < self.m.nq() {
            if self.quaternions.contains(&CoordinateId(i)) {
                // p = e⁻¹ e′ of the point e and the displaced point e′, δ = 2 p_v / p_w.
                let four = |x: &[f64]| [0, 1, 2, 3].map(|k| x[i + k]);
                let (e, e_dot) = (inverse(four(&self.at.q)), four(&self.rates));
                let (moved, moved_dot) = (four(&point.q), four(&all));
                let p = times(e, moved);
                let first = times(times(e, e_dot), p);
                let second = times(e, moved_dot);
                let p_dot = [0, 1, 2, 3].map(|k| second[k] - first[k]);
                rates.extend((1..4).map(|k| 2.0 * (p_dot[k] * p[0] - p[k] * p_dot[0]) / (p[0] * p[0])));
                i += 4;
            } else {
                rates.push(all[i]);
                i += 1;
            }
        }
        rates.extend(&all[self.m.nq()..]);
        Some((rates, self.outputs.call(point).ok()?.to_vec()))
    }

    /// Position residuals, then velocity residuals, of the constraints.
    fn residuals(&self, point: &Arguments) -> Vec<f64> {
        let s = Sample {
            mechanism: self.m.clone(),
            formulation: Default::default(),
            partition: Default::default(),
            t: point.t,
            q: point.q.clone(),
            v: point.v.clone(),
            z: point.z.clone(),
            u: point.u.clone(),
        };
        let rows = at(&s, |env| constraint_rows(self.m, env));
        rows.iter().filter_map(|r| r.position).chain(rows.iter().map(|r| r.velocity)).collect()
    }
}

/// Names of the entries of `δx` as in the conventions.
fn entries(m: &Mechanism) -> Vec<String> {
    let quaternions = quaternion_starts(m);
    let mut out = Vec::new();
    let mut i = 0;
    while i < m.nq() {
        if quaternions.contains(&CoordinateId(i)) {
            let joint = &m.joints[m.coordinates[i].joint].name;
            out.extend(["x", "y", "z"].map(|axis| format!("{joint}_delta_{axis}")));
            i += 4;
        } else {
            out.push(m.coordinates[i].name.clone());
            i += 1;
        }
    }
    out.extend(m.speeds.iter().map(|s| s.name.clone()));
    out.extend(m.states.iter().map(|s| s.name.clone()));
    out
}

/// Projects displaced points onto the constraints by changing the dependent entries.
struct OnConstraints {
    dependent: Vec<usize>,
    /// Inverse of the derivative of the residuals by the dependent entries, at
    /// the undisturbed point.
    inverse: DMatrix<f64>,
}

impl OnConstraints {
    fn new(e: &Evaluated<'_>, nx: usize, dependent: Vec<usize>) -> Self {
        let count = e.residuals(&e.at).len();
        let mut slopes = DMatrix::zeros(count, dependent.len());
        for (k, j) in dependent.iter().enumerate() {
            let side = |h: f64| {
                let mut dx = vec![0.0; nx];
                dx[*j] = h;
                e.residuals(&e.moved(&dx, &[]))
            };
            for (i, (a, b)) in side(1e-6).iter().zip(side(-1e-6)).enumerate() {
                slopes[(i, k)] = (a - b) / 2e-6;
            }
        }
        let inverse = match dependent.is_empty() {
            true => DMatrix::zeros(0, count),
            false => slopes.pseudo_inverse(1e-9).unwrap(),
        };
        OnConstraints { dependent, inverse }
    }

    fn complete(&self, e: &Evaluated<'_>, dx: &mut [f64]) -> Option<()> {
        for _ in 0..60 {
            if self.dependent.is_empty() {
                return Some(());
            }
            let r = DVector::from_vec(e.residuals(&e.moved(dx, &[])));
            let step = &self.inverse * &r;
            self.dependent.iter().zip(step.iter()).for_each(|(j, s)| dx[*j] -= s);
            if step.amax() < 1e-15 {
                return Some(());
            }
        }
        let left = DVector::from_vec(e.residuals(&e.moved(dx, &[]))).amax();
        (left < 1e-12).then_some(())
    }
}

/// Derivatives by extrapolation, each with an error estimate; `None` if a point is singular.
/// `rounding`: the rounding error of a value.
fn derivatives(rounding: f64, mut at: impl FnMut(f64) -> Option<Vec<f64>>) -> Option<Vec<(f64, f64)>> {
    let mut before: Vec<Vec<f64>> = Vec::new();
    let mut best: Vec<(f64, f64)> = Vec::new();
    for k in 0..STEPS {
        let h = STEP / f64::from(1 << k);
        let (Some(ahead), Some(behind)) = (at(h), at(-h)) else { continue };
        let mut now = vec![ahead.iter().zip(&behind).map(|(a, b)| (a - b) / (2.0 * h)).collect::<Vec<f64>>()];
        best.resize(now[0].len(), (0.0, f64::INFINITY));
        let mut factor = 4.0;
        for (order, lower) in before.iter().enumerate() {
            let next: Vec<f64> =
                now[order].iter().zip(lower).map(|(a, b)| (factor * a - b) / (factor - 1.0)).collect();
            for (i, x) in next.iter().enumerate() {
                let error = (x - now[order][i]).abs().max((x - lower[i]).abs()) + rounding / h;
                if error < best[i].1 {
                    best[i] = (*x, error);
                }
            }
            now.push(next);
            factor *= 4.0;
        }
        before = now;
    }
    (!best.is_empty()).then_some(best)
}

#[derive(Default)]
struct Tally {
    mechanisms: usize,
    constrained: usize,
    drives: usize,
    compared: usize,
    unsure: usize,
    worst: f64,
    wrong: Vec<String>,
}

fn pair_names(names: Vec<&String>, x: &[f64]) -> Vec<(String, f64)> {
    names.into_iter().cloned().zip(x.iter().copied()).collect()
}

fn check(loaded: &Assembled, s: &Sample, place: &str, formalism: Formalism, tally: &mut Tally) {
    let m = &loaded.mechanism;
    let values = Values {
        q: pair_names(m.coordinates.iter().map(|c| &c.name).collect(), &s.q),
        v: pair_names(m.speeds.iter().map(|c| &c.name).collect(), &s.v),
        z: pair_names(m.states.iter().map(|c| &c.name).collect(), &s.z),
        u: pair_names(m.inputs.iter().map(|c| &c.name).collect(), &s.u),
        ..Values::default()
    };
    let request = LinearizeRequest { at: values, ..LinearizeRequest::default() };
    let linearized: Linearized = linearize(loaded, &request).unwrap_or_else(|e| panic!("{place}: {e}"));
    let functions = vec![functions::DQDT, functions::OUTPUTS];
    let program = pipeline::program(loaded, &Request::new(formalism, functions));
    let mut e = Evaluated::new(m, &program, &linearized.at);
    let all = entries(m);
    let index = |name: &String| all.iter().position(|n| n == name).unwrap();
    let states: Vec<usize> = linearized.states.iter().map(index).collect();
    let surface = OnConstraints::new(&e, all.len(), linearized.dependent.iter().map(index).collect());
    let (_, outputs) = e.values(&linearized.at).unwrap();
    assert_eq!(linearized.output.len(), outputs.len(), "{place}: entries of the outputs");
    // Output values of both formalisms, name by name.
    let function = program.function(functions::OUTPUTS).unwrap();
    let names = function.outputs.iter().flat_map(|o| functions::OUTPUTS.entry_names(o, &program.layout));
    assert_eq!(linearized.outputs, names.collect::<Vec<_>>(), "{place}");
    let size = outputs.iter().fold(1.0f64, |a, x| a.max(x.abs()));
    for ((name, x), y) in linearized.outputs.iter().zip(&linearized.output).zip(&outputs) {
        assert!((x - y).abs() < 1e-8 * size, "{place}: {name}: {x} against {y}");
    }
    let (n, nu, ny) = (states.len(), m.inputs.len(), linearized.outputs.len());
    assert_eq!(
        (linearized.a.len(), linearized.b.len(), linearized.c.len(), linearized.d.len()),
        (n, n, ny, ny),
        "{place}"
    );
    let base: Vec<f64> = linearized.drift.iter().chain(&linearized.output).copied().collect();
    // Terms of the size of the motion may cancel in a value.
    let rounding = 4.0 * f64::EPSILON * base.iter().fold(1.0f64, |a, x| a.max(x.abs()));
    let mut columns = Vec::new();
    for j in 0..n + nu {
        let column = derivatives(rounding, |h| {
            let (mut dx, mut du) = (vec![0.0; all.len()], vec![0.0; nu]);
            if j < n {
                dx[states[j]] = h
            } else {
                du[j - n] = h
            }
            surface.complete(&e, &mut dx)?;
            let point = e.moved(&dx, &du);
            let (rates, outputs) = e.values(&point)?;
            Some(states.iter().map(|i| rates[*i]).chain(outputs).collect())
        });
        columns.push(column.unwrap_or_else(|| vec![(0.0, f64::INFINITY); n + ny]));
    }
    let row = |i: usize| match i.checked_sub(n) {
        None => [&linearized.a[i][..], &linearized.b[i]].concat(),
        Some(k) => [&linearized.c[k][..], &linearized.d[k]].concat(),
    };
    for i in 0..n + ny {
        let row = row(i);
        assert_eq!(row.len(), n + nu, "{place}");
        let largest = row.iter().fold(0.0f64, |a, x| a.max(x.abs()));
        let scale = largest.max(1e-3 * base[i].abs()).max(1e-3);
        // A row of zeros is compared if its error is below the rounding of a fast motion.
        let noise = 4.0 * rounding / STEP;
        for (j, x) in row.iter().enumerate() {
            let (y, error) = columns[j][i];
            if error.is_nan() || error >= (SURE * scale).max(noise) {
                tally.unsure += 1;
                continue;
            }
            tally.compared += 1;
            let off = (x - y).abs() / scale;
            tally.worst = tally.worst.max(off);
            if off >= AGREES {
                let name = if i < n { &linearized.states[i] } else { &linearized.outputs[i - n] };
                tally.wrong.push(format!(
                    "{place}: {name} (now {:e}), column {j}: {x:e} against {y:e} ± {error:e}, scale {scale:e}",
                    base[i]
                ));
            }
        }
    }
    tally.mechanisms += 1;
    tally.constrained += usize::from(!m.constraints.is_empty());
    tally.drives +=
        m.joints.iter().filter(|j| j.speeds.iter().any(|slot| slot.prescribed_formula().is_some())).count();
}

#[test]
fn speeds_along_axes_of_the_parent_are_linearised_as_differences_say() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/spec/pass/speed_kinds.toml");
    let loaded = pipeline::load(&path).unwrap_or_else(|e| panic!("{e}"));
    let loaded = Assembled::without_spec(with_efforts(loaded.mechanism), loaded.partition);
    let m = &loaded.mechanism;
    let mut tally = Tally::default();
    for case in 0..2 {
        let mut q: Vec<f64> =
            (0..m.coordinates.len()).map(|i| 0.6 + 0.3 * f64::from(case * 7 + i as i32).sin()).collect();
        for first in quaternion_starts(m) {
            let norm = q[first.quaternion_range()].iter().map(|x| x * x).sum::<f64>().sqrt();
            q[first.quaternion_range()].iter_mut().for_each(|x| *x /= norm);
        }
        let s = Sample {
            mechanism: m.clone(),
            formulation: Formulation::default(),
            partition: loaded.partition.clone(),
            t: 0.0,
            q,
            v: (0..m.nv()).map(|i| 1.2 * f64::from(case + 3 * i as i32).cos()).collect(),
            z: Vec::new(),
            u: Vec::new(),
        };
        for formalism in [Formalism::Lagrange, Formalism::Mixed] {
            check(&loaded, &s, &format!("{formalism:?} {case}"), formalism, &mut tally);
        }
    }
    assert!(tally.wrong.is_empty() && tally.compared > 800, "{}: {}", tally.compared, tally.wrong.join("\n"));
}

/// Half of the random mechanisms are trees, the others constrained.
#[test]
fn random_mechanisms_are_linearised_as_differences_of_the_motion_and_the_outputs_say() {
    let all = trees(20);
    let mut tally = Tally::default();
    for seed in 0..all / 2 {
        let mut s = random_mechanism(seed, 5);
        s.t = 0.0;
        let loaded = Assembled::without_spec(with_efforts(s.mechanism.clone()), s.partition.clone());
        let formalism = if seed % 2 == 0 { Formalism::Lagrange } else { Formalism::Mixed };
        check(&loaded, &s, &format!("tree {seed}"), formalism, &mut tally);
    }
    let mut constrained = 0;
    for seed in 0.. {
        if constrained == all - all / 2 {
            break;
        }
        let flavour: Flavour = FLAVOURS[seed as usize % FLAVOURS.len()];
        let Some(mut s) = random_constrained(seed, flavour, BODIES) else { continue };
        s.mechanism = with_efforts(s.mechanism);
        let place = format!("constrained {seed}, {flavour:?}");
        let loaded =
            assemble(Resolved::without_spec(s.mechanism.clone())).unwrap_or_else(|e| panic!("{place}: {e}"));
        check(&loaded, &s, &place, Formalism::Lagrange, &mut tally);
        constrained += 1;
    }
    let Tally { mechanisms, constrained, drives, compared, unsure, worst, wrong } = tally;
    println!(
        "{mechanisms} mechanisms, {constrained} constrained, {drives} with drives: {compared} entries, worst {worst:e}; {unsure} not sure"
    );
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(unsure * 50 < compared, "{unsure} of {compared} differences are not sure");
    assert!(drives as u64 > all / 8);
}

#[test]
fn the_effort_of_a_prescribed_joint_is_that_of_its_drive_and_shifts_no_row() {
    let loaded =
        pipeline::load(&case_path("linearize_prescribed_effort.toml")).unwrap_or_else(|e| panic!("{e}"));
    let linearized = linearize(&loaded, &LinearizeRequest::default()).unwrap();
    assert_eq!(linearized.a, [[0.0, 1.0], [-9.81, 0.0]]);
    assert_eq!(linearized.b, [[0.0], [0.5]]);
    assert_eq!(linearized.outputs, ["force"]);
    // The slide carries the weight of the bob.
    assert!((linearized.output[0] + 2.0 * 9.81).abs() < 1e-12, "{:?}", linearized.output);
}

#[test]
fn the_effort_of_a_fixed_joint_is_refused_and_reactions_are_named() {
    let refused = pipeline::load(&case_path("linearize_fixed_effort.toml")).unwrap_err().to_string();
    assert!(refused.contains("error[no-effort]") && refused.contains("`reactions`"), "{refused}");
}

#[test]
fn outputs_take_no_part_in_a_trim() {
    let loaded = pipeline::load(&case_path("trim_output_slope.toml")).unwrap_or_else(|e| panic!("{e}"));
    let trim = vec!["theta".to_owned()];
    let linearized = linearize(&loaded, &LinearizeRequest { trim, ..LinearizeRequest::default() }).unwrap();
    assert!(linearized.at.q[0].abs() < 1e-12);
    assert_eq!(linearized.a[0], [0.0, 1.0]);
    assert!((linearized.a[1][0] + 9.81).abs() < 1e-12 && linearized.a[1][1] == 0.0);
    assert_eq!(linearized.without_slope.len(), 1);
    assert_eq!((&*linearized.without_slope[0].output, &*linearized.without_slope[0].by), ("lean", "theta"));
}
