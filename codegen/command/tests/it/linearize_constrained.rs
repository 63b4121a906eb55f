//! Emitted `linearize`, `sensitivities` and `closure` of constrained mechanisms: against jets
//! through the solve, reduced by singular values; against the library, which chooses independent
//! states by pivots at the state; and closed loops.

use crate::files::root;

use crate::common::{at, relative};
use crate::constrained::{BODIES, Flavour};
use crate::linearize::{MotionDirection, constant_jet, free_parameters, inverse, pair_jets, times};
use crate::null_space::{assembled_sample, expected, samples_of};
use dqdt_algebra::Jet;
use dqdt_codegen::functions::{self, Definition};
use dqdt_codegen::linearize::{LinearizeRequest, linearize};
use dqdt_codegen::pipeline::{self, Assembled, Request};
use dqdt_codegen::simulate::Values;
use dqdt_derivation::assemble::{Manifold, find_state};
use dqdt_graph::ir::{Arguments, Machine, Program};
use dqdt_mechanics::formalism::{self, Formalism};
use dqdt_mechanics::kinematics::{
    constraint_rows, coordinate_rates, evaluate_formula, evaluate_parameters, quaternion_starts,
    saturate_inputs,
};
use dqdt_mechanics::mechanism::{CoordinateId, Environment, Instant, Mechanism, joint};
use dqdt_samples::random::Sample;
use dqdt_samples::tier::cases_by_tier;
use nalgebra::DMatrix;

const FUNCTIONS: [&Definition; 3] = [functions::LINEARIZE, functions::SENSITIVITIES, functions::CLOSURE];

/// Derivatives along one direction: of `ẋ` in the coordinate differences of `linearize`, of the
/// outputs, of the position and velocity residuals.
struct ConstrainedDerivatives {
    state: Vec<f64>,
    outputs: Vec<f64>,
    residuals: Vec<f64>,
}

/// Derivatives along a direction, by jets through Kane's equations.
fn derivatives_along(s: &Sample, direction: &MotionDirection) -> ConstrainedDerivatives {
    let m = &s.mechanism;
    let instant = Instant {
        t: Jet::constant(s.t),
        q: pair_jets(&s.q, &direction.q),
        v: pair_jets(&s.v, &direction.v),
        z: pair_jets(&s.z, &direction.z),
        u: pair_jets(&s.u, &direction.u),
        p: evaluate_parameters(m, &constant_jet, &pair_jets(&free_parameters(m), &direction.p)),
        named: Vec::new(),
    };
    let u = saturate_inputs(m, &instant.as_environment(&constant_jet));
    let env = Environment { partition: &s.partition, ..instant.environment_with_inputs(&constant_jet, &u) };
    let solution = formalism::forward_with_reactions(Formalism::Kane, m, &env);
    let (qdot, _) = coordinate_rates(m, &env);
    let mut state = Vec::new();
    let quaternions = quaternion_starts(m);
    let mut i = 0;
    while i < qdot.len() {
        if !quaternions.contains(&CoordinateId(i)) {
            state.push(qdot[i].d);
            i += 1;
            continue;
        }
        // d/dt of e ⊗ (1, δ/2) is ė ⊗ (1, δ/2) + e ⊗ (0, δ̇/2).
        let part = |f: &dyn Fn(usize) -> f64| [0, 1, 2, 3].map(|k| f(i + k));
        let (e, rate) = (part(&|k| s.q[k]), part(&|k| qdot[k].v));
        let (moved, changed) = (part(&|k| direction.q[k]), part(&|k| qdot[k].d));
        let rest = times(rate, times(inverse(e), moved));
        let left: [f64; 4] = std::array::from_fn(|k| changed[k] - rest[k]);
        state.extend(times(inverse(e), left)[1..].iter().map(|x| 2.0 * x));
        i += 4;
    }
    state.extend(solution.accelerations.iter().map(|a| a.d));
    state.extend(m.states.iter().map(|x| evaluate_formula(m, &env, &x.rate).d));
    let rows = constraint_rows(m, &env);
    let outputs =
        formalism::evaluate_outputs(m, &env, &solution.accelerations, (&rows, &solution.multipliers));
    let residuals = rows.iter().filter_map(|r| r.position).chain(rows.iter().map(|r| r.velocity));
    ConstrainedDerivatives {
        state,
        outputs: outputs.into_iter().flat_map(|o| o.values).map(|x| x.d).collect(),
        residuals: residuals.map(|x| x.d).collect(),
    }
}

/// Unit directions of the state differences, of the inputs and of the free parameters.
fn directions(s: &Sample) -> [Vec<MotionDirection>; 3] {
    let still = MotionDirection::zero(s);
    let mut states = Vec::new();
    for dq in crate::effort_slopes::directions(s) {
        states.push(MotionDirection { q: dq, ..still.clone() });
    }
    for k in 0..s.v.len() {
        let mut direction = still.clone();
        direction.v[k] = 1.0;
        states.push(direction);
    }
    for k in 0..s.z.len() {
        let mut direction = still.clone();
        direction.z[k] = 1.0;
        states.push(direction);
    }
    let unit_direction = |component: fn(&mut MotionDirection) -> &mut Vec<f64>, k: usize| {
        let mut direction = still.clone();
        component(&mut direction)[k] = 1.0;
        direction
    };
    let inputs = (0..s.u.len()).map(|k| unit_direction(|s| &mut s.u, k)).collect();
    let parameters = (0..still.p.len()).map(|k| unit_direction(|s| &mut s.p, k)).collect();
    [states, inputs, parameters]
}

fn columns(list: &[ConstrainedDerivatives], part: fn(&ConstrainedDerivatives) -> &Vec<f64>) -> DMatrix<f64> {
    let rows = list.first().map_or(0, |a| part(a).len());
    DMatrix::from_fn(rows, list.len(), |i, j| part(&list[j])[i])
}

/// Reduces the derivatives to the independent differences `free` by singular values. Returns A, B,
/// C, D, E, F by rows in one list, and the largest entry of the null-space matrix.
fn reduce_by_null_space(s: &Sample, free: &[usize]) -> (Vec<f64>, f64) {
    let [states, inputs, parameters] = directions(s).map(|list| -> Vec<ConstrainedDerivatives> {
        list.iter().map(|x| derivatives_along(s, x)).collect()
    });
    let g = columns(&states, |x| &x.residuals);
    let n = g.ncols();
    let dependent: Vec<usize> = (0..n).filter(|i| !free.contains(i)).collect();
    // Dependent differences for given right-hand sides, by singular values. Redundant
    // rows must be consistent.
    let follow = |right: DMatrix<f64>| -> DMatrix<f64> {
        if dependent.is_empty() || right.ncols() == 0 {
            return DMatrix::zeros(dependent.len(), right.ncols());
        }
        let differences = g.select_columns(&dependent).svd(true, true).solve(&right, 1e-9).unwrap();
        let off = (g.select_columns(&dependent) * &differences - &right).amax();
        assert!(
            off < 1e-8 * right.amax().max(1.0),
            "{}: the others do not follow: {off:e}, {} beyond",
            s.mechanism.name,
            s.partition.redundant_count()
        );
        differences
    };
    let merge = |independent: DMatrix<f64>, rest: DMatrix<f64>| {
        let mut out = DMatrix::zeros(n, rest.ncols());
        for k in 0..rest.ncols() {
            free.iter().enumerate().for_each(|(i, place)| out[(*place, k)] = independent[(i, k)]);
            dependent.iter().enumerate().for_each(|(i, place)| out[(*place, k)] = rest[(i, k)]);
        }
        out
    };
    let basis = merge(DMatrix::identity(free.len(), free.len()), follow(-g.select_columns(free)));
    let (a, c) = (columns(&states, |x| &x.state), columns(&states, |x| &x.outputs));
    let mut out: Vec<f64> = Vec::new();
    let mut by_rows = |x: &DMatrix<f64>| {
        for row in x.row_iter() {
            out.extend(row.iter());
        }
    };
    let of_base = |base: &[ConstrainedDerivatives]| {
        let right = -columns(base, |x| &x.residuals);
        let moved = merge(DMatrix::zeros(free.len(), base.len()), follow(right));
        let part = |part: fn(&ConstrainedDerivatives) -> &Vec<f64>, by: &DMatrix<f64>| match base.is_empty() {
            true => DMatrix::zeros(0, 0),
            false => columns(base, part) + by * &moved,
        };
        [part(|x| &x.state, &a), part(|x| &x.outputs, &c)]
    };
    let select_free = |x: &DMatrix<f64>| if x.ncols() == 0 { x.clone() } else { x.select_rows(free) };
    let [b, d] = of_base(&inputs);
    by_rows(&select_free(&(&a * &basis)));
    by_rows(&select_free(&b));
    by_rows(&(&c * &basis));
    by_rows(&d);
    // With redundant rows, changed parameters (such as lengths) make the rows inconsistent.
    if s.partition.redundant_count() == 0 {
        let [e, f] = of_base(&parameters);
        by_rows(&select_free(&e));
        by_rows(&f);
    }
    (out, basis.amax().max(1.0))
}

fn program(s: &Sample, f: Formalism) -> Program {
    let bare = Assembled::without_spec(s.mechanism.clone(), s.partition.clone());
    pipeline::program(&bare, &Request::new(f, FUNCTIONS.to_vec()))
}

pub(crate) fn arguments(s: &Sample, p: &Program) -> Arguments {
    let mut a = Arguments::defaults(p);
    (a.t, a.q, a.v, a.z, a.u) = (s.t, s.q.clone(), s.v.clone(), s.z.clone(), s.u.clone());
    a
}

/// Compares emitted functions with the reduction by singular values. Returns false if nothing is
/// emitted because the independent states depend on the pose.
fn check_by_null_space(s: &Sample, forms: &[(Formalism, Program)], tolerance: f64, what: &str) -> bool {
    for (f, p) in forms {
        let call = |function: &Definition| {
            let mut machine = Machine::new(p, function)?;
            let actual = machine.call(&arguments(s, p)).unwrap_or_else(|e| panic!("{what}, {f:?}: {e}"));
            Some(actual.to_vec())
        };
        let Some(mut actual) = call(functions::LINEARIZE) else {
            assert!(s.partition.driven.is_none() || s.partition.coordinates.is_none(), "{what}");
            return false;
        };
        if s.partition.redundant_count() == 0 {
            actual.extend(call(functions::SENSITIVITIES).into_iter().flatten());
        }
        let (expected, factor) = reduce_by_null_space(s, &p.layout.independent_differences);
        assert_eq!(actual.len(), expected.len(), "{what}");
        let error = relative(&actual, &expected);
        assert!(error < tolerance * factor, "{what}, {f:?}: {error:e} ({factor:e})");
    }
    true
}

pub(crate) use crate::common::at_start as sample;

/// The sample displaced by `by` and projected onto the constraints again.
pub(crate) fn moved(s: &Sample, by: f64) -> Option<Sample> {
    let m = &s.mechanism;
    let mut out = s.clone();
    for (i, x) in out.q.iter_mut().chain(&mut out.v).chain(&mut out.z).enumerate() {
        *x += by * (1.7 * i as f64 + 0.5).sin();
    }
    out.u.iter_mut().enumerate().for_each(|(i, u)| *u += 0.05 * (i as f64 + 1.0));
    let manifold = Manifold::with_default_parameters(m);
    let free = (vec![false; m.nq()], vec![false; m.nv()]);
    let state = find_state(&manifold, out.t, (&out.q, &out.v), (&free.0, &free.1)).ok()?;
    (out.q, out.v) = (state.q, state.v);
    Some(out)
}

pub(crate) fn specs() -> Vec<(String, Assembled)> {
    let slalom = root("examples/snowboarder_slalom/slalom.toml");
    let mut out = vec![("slalom".to_owned(), pipeline::load(&slalom).unwrap_or_else(|e| panic!("{e}")))];
    for folder in ["examples/specs", "tests/data/robots/loops", "tests/data/linearize", "tests/data/specs"] {
        let mut files: Vec<_> = std::fs::read_dir(root(folder)).unwrap().map(|e| e.unwrap().path()).collect();
        files.retain(|f| f.extension().is_some_and(|e| e == "toml"));
        files.sort();
        for file in files {
            let loaded = pipeline::load(&file).unwrap_or_else(|e| panic!("{e}"));
            let m = &loaded.mechanism;
            if !m.constraints.is_empty() && m.nv() <= cases_by_tier(8, usize::MAX) {
                out.push((file.file_stem().unwrap().to_string_lossy().into_owned(), loaded));
            }
        }
    }
    out
}

/// Largest number of speeds for which the projecting formalisms are compared too.
const SMALL: usize = 12;

#[test]
fn constrained_examples_are_linearised_as_a_null_space_says() {
    let (mut checked, mut by_pose) = (Vec::new(), Vec::new());
    for (name, loaded) in specs() {
        // Inputs that realise constraints are compared with the library below.
        if !loaded.mechanism.inputs_realising_constraints().is_empty()
            || loaded.mechanism.nv() > cases_by_tier(8, usize::MAX)
        {
            continue;
        }
        let s = sample(&loaded);
        // Each program is derived once: that of a Stewart platform takes longer than all others.
        let derive_by = |f| (f, program(&s, f));
        let mut forms = vec![derive_by(Formalism::Kane)];
        if !check_by_null_space(&s, &forms, 1e-10, &format!("{name}, start")) {
            by_pose.push(name);
            continue;
        }
        forms.push(derive_by(Formalism::Mixed));
        // Maggi's formalisms compute multipliers of redundant rows in another way.
        if loaded.mechanism.nv() <= SMALL {
            forms.extend([Formalism::Maggi, Formalism::MaggiCoordinates].map(derive_by));
        }
        for by in [0.02, 0.05] {
            let s = moved(&s, by).unwrap_or_else(|| panic!("{name}: nothing near by"));
            check_by_null_space(&s, &forms, 1e-10, &format!("{name}, moved by {by}"));
        }
        checked.push(name);
    }
    println!("{checked:?}, by pose: {by_pose:?}");
    assert!(checked.len() >= cases_by_tier(5, 8), "{checked:?} {by_pose:?}");
}

#[test]
fn random_constrained_mechanisms_are_linearised_as_a_null_space_says() {
    for flavour in [Flavour::Loops, Flavour::Nonholonomic, Flavour::Both, Flavour::Redundant] {
        let mut checked = 0;
        for (seed, flavour, s) in samples_of(flavour, BODIES).take(cases_by_tier(2, 16)) {
            let s = assembled_sample(&s, (seed, flavour));
            let condition = expected(&s).condition;
            let what = format!("{flavour:?} {seed}");
            let all = [Formalism::Kane, Formalism::Maggi, Formalism::MaggiCoordinates];
            let all = all.into_iter().take(cases_by_tier(2, 3));
            let forms: Vec<_> = all.map(|f| (f, program(&s, f))).collect();
            checked += usize::from(check_by_null_space(&s, &forms, 1e-12 * condition.max(100.0), &what));
        }
        assert!(checked > cases_by_tier(0, 6), "{flavour:?}: {checked}");
    }
}

/// With the library's choice of independent states, the emitted matrices equal
/// those of the library.
#[test]
fn the_library_says_the_same_also_where_inputs_realise_constraints() {
    let mut programs = 0;
    for (name, loaded) in specs() {
        let m = &loaded.mechanism;
        let p = program(&sample(&loaded), Formalism::Kane);
        let free = &p.layout.independent_differences;
        let Some(mut machine) = Machine::new(&p, functions::LINEARIZE) else { continue };
        let names = names_of_differences(m);
        // Constraints realised by inputs do not reduce the independent states.
        let independent: Vec<String> = match free.is_empty() {
            true => names.clone(),
            false => free.iter().map(|i| names[*i].clone()).collect(),
        };
        let request =
            LinearizeRequest { at: Values::default(), trim: vec![], independent: independent.clone() };
        let linearized = linearize(&loaded, &request).unwrap_or_else(|e| panic!("{name}: {e}"));
        let mut sorted = independent.clone();
        sorted.sort_by_key(|n| names.iter().position(|x| x == n));
        assert_eq!(linearized.states, sorted, "{name}");
        assert_eq!(sorted, independent, "{name}: in the order of the state");
        let emitted = machine.call(&linearized.at).unwrap_or_else(|e| panic!("{name}: {e}")).to_vec();
        let expected =
            [&linearized.a, &linearized.b, &linearized.c, &linearized.d].map(|x| x.concat()).concat();
        let error = relative(&emitted, &expected);
        assert!(error < 1e-10, "{name}: {error:e}");
        programs += usize::from(!m.inputs_realising_constraints().is_empty());
    }
    assert!(programs > 0);
}

fn names_of_differences(m: &Mechanism) -> Vec<String> {
    let mut out = Vec::new();
    for (i, c) in m.coordinates.iter().enumerate() {
        match joint::free_quaternion(&m.joints[c.joint])
            .map(|first| i.wrapping_sub(first.index()))
            .filter(|k| *k < 4)
        {
            Some(3) => {}
            Some(k) => out.push(format!("{}_delta_{}", m.joints[c.joint].name, ["x", "y", "z"][k])),
            None => out.push(c.name.clone()),
        }
    }
    out.extend(m.speeds.iter().map(|s| s.name.clone()));
    out.extend(m.states.iter().map(|s| s.name.clone()));
    out
}

/// Repeated calls of `closure` close the loops, and the dependent coordinates have the derivatives
/// of closed loops.
#[test]
fn closures_close_and_have_the_derivatives_of_a_null_space() {
    let mut checked = 0;
    for (name, loaded) in specs() {
        let s = sample(&loaded);
        let m = &s.mechanism;
        let p = program(&s, Formalism::Kane);
        let Some(mut machine) = Machine::new(&p, functions::CLOSURE) else { continue };
        let free = p.layout.independent_differences.clone();
        let differences = crate::effort_slopes::directions(&s);
        let turns = differences.len();
        // Perturb the dependent coordinates.
        let mut a = arguments(&s, &p);
        let dependent: Vec<usize> = (0..turns).filter(|i| !free.contains(i)).collect();
        for (k, i) in dependent.iter().enumerate() {
            let by = 0.01 * (k as f64 + 0.3).cos();
            a.q.iter_mut().zip(&differences[*i]).for_each(|(q, d)| *q += by * d);
        }
        let output = |values: &[f64], wanted: &str| -> Vec<f64> {
            let mut rest = values;
            for o in &p.function(functions::CLOSURE).unwrap().outputs {
                let (entries, after) = rest.split_at(o.nodes.len());
                if o.name == wanted {
                    return entries.to_vec();
                }
                rest = after;
            }
            Vec::new()
        };
        let mut values = Vec::new();
        for _ in 0..6 {
            values = machine.call(&a).unwrap_or_else(|e| panic!("{name}: {e}")).to_vec();
            a.q = output(&values, "coordinates");
        }
        a.v = output(&values, "speeds");
        let left = output(&values, "residual").iter().fold(0.0f64, |x, y| x.max(y.abs()));
        assert!(left < 1e-13, "{name}: {left:e}");
        let closed = Sample { q: a.q.clone(), v: a.v.clone(), ..s.clone() };
        let residuals: Vec<f64> = at(&closed, |env| {
            let rows = constraint_rows(m, env);
            rows.iter().filter_map(|r| r.position).chain(rows.iter().map(|r| r.velocity)).collect()
        });
        let size = a.v.iter().fold(1.0f64, |x, y| x.max(y.abs()));
        assert!(residuals.iter().all(|r| r.abs() < 1e-12 * size), "{name}: {residuals:?}");
        for k in &free {
            if *k >= turns && *k < turns + m.nv() {
                assert_eq!(a.v[k - turns], s.v[k - turns], "{name}: an independent speed changed");
            }
        }
        // Derivatives against a null space at the closed state.
        let values = machine.call(&a).unwrap().to_vec();
        let [states, ..] = directions(&closed);
        let g = columns(&states.iter().map(|x| derivatives_along(&closed, x)).collect::<Vec<_>>(), |x| {
            &x.residuals
        });
        let others: Vec<usize> = (0..turns + m.nv()).filter(|i| !free.contains(i)).collect();
        let independent: Vec<usize> = free.iter().copied().filter(|i| *i < turns + m.nv()).collect();
        let right = -g.select_columns(&independent);
        let slope = g.select_columns(&others).svd(true, true).solve(&right, 1e-9).unwrap();
        let part = |rows: &dyn Fn(usize) -> bool, columns: &dyn Fn(usize) -> bool| -> Vec<f64> {
            let mut out = Vec::new();
            for (i, place) in others.iter().enumerate().filter(|(_, p)| rows(**p)) {
                let _ = place;
                out.extend(
                    (0..independent.len()).filter(|k| columns(independent[*k])).map(|k| slope[(i, k)]),
                );
            }
            out
        };
        let (pose, motion) = (|p: usize| p < turns, |p: usize| p >= turns);
        for (wanted, expected) in [
            ("coordinates_by_coordinates", part(&pose, &pose)),
            ("speeds_by_coordinates", part(&motion, &pose)),
            ("speeds_by_speeds", part(&motion, &motion)),
        ] {
            let actual = output(&values, wanted);
            assert_eq!(actual.len(), expected.len(), "{name}: {wanted}");
            assert!(actual.is_empty() || relative(&actual, &expected) < 1e-10, "{name}: {wanted}");
        }
        checked += 1;
    }
    assert!(checked >= 8, "{checked}");
}
