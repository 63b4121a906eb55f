//! All formalisms on 100 random constrained mechanisms: accelerations, constraint forces and
//! determined reactions, evaluated with doubles, over the graph and as programs, agree with a dense
//! solve by singular values.

use std::collections::BTreeMap;

use crate::common::{flatten_wrenches, forward, relative, trace};
use crate::constrained::{BODIES, Flavour};
use crate::null_space::{assembled_sample, cases_per_flavour, expected, samples_of};
use dqdt_codegen::functions;
use dqdt_codegen::pipeline::{self, Assembled};
use dqdt_derivation::derive::{Request, derive};
use dqdt_graph::ir::{Arguments, Declaration, Machine, Program};
use dqdt_graph::simplify::simplify;
use dqdt_mechanics::formalism::{self, Formalism, Forward};
use dqdt_samples::random::Sample;
use nalgebra::DVector;

/// Tolerance of errors divided by the condition number. The conventions require 1e-10.
const LIMIT: f64 = 1e-11;

/// Accelerations, multipliers and reactions, recorded in a graph and interpreted.
fn interpret_solution(f: Formalism, s: &Sample, rows: usize) -> [Vec<f64>; 3] {
    let (mut values, _) = trace(s, |m, env| {
        let Forward { accelerations, multipliers, reactions, .. } =
            formalism::forward_with_reactions(f, m, env);
        let reactions = reactions.iter().flat_map(|w| [w.f.0, w.m.0]).flatten();
        accelerations.into_iter().chain(multipliers).chain(reactions).collect()
    });
    let reactions = values.split_off(s.mechanism.nv() + rows);
    let multipliers = values.split_off(s.mechanism.nv());
    [values, multipliers, reactions]
}

fn call(p: &Program, kind: &Declaration, s: &Sample, place: &str) -> Vec<f64> {
    let mut a = Arguments::defaults(p);
    (a.t, a.q, a.v, a.z, a.u) = (s.t, s.q.clone(), s.v.clone(), s.z.clone(), s.u.clone());
    let Some(mut machine) = Machine::new(p, kind) else { return Vec::new() };
    machine.call(&a).unwrap_or_else(|e| panic!("{place}: {e}")).to_vec()
}

/// The largest error seen so far, by formalism and quantity.
#[derive(Default)]
struct Worst(BTreeMap<(&'static str, &'static str), f64>);

impl Worst {
    fn see(&mut self, f: Formalism, what: &'static str, error: f64, place: &str) {
        assert!(error < LIMIT, "{place}: {}: {what}: {error:e}", f.name());
        let worst = self.0.entry((f.name(), what)).or_default();
        *worst = worst.max(error);
    }
}

/// Compares all formalisms on random mechanisms of a flavour. Returns the number of undetermined
/// reaction components.
fn assert_all_agree(flavour: Flavour) -> usize {
    let mut worst = Worst::default();
    let (mut count, mut undetermined, mut unscaled) = (0, 0, 0.0f64);
    for (seed, flavour, s) in samples_of(flavour, BODIES).take(cases_per_flavour()) {
        let s = assembled_sample(&s, (seed, flavour));
        let m = &s.mechanism;
        let e = expected(&s);
        count += 1;
        undetermined += e.determined.iter().filter(|d| !**d).count();
        let place = format!("{flavour:?} {seed}, condition {:e}", e.condition);
        let pulled = |lambda: &[f64]| -> Vec<f64> {
            (e.jacobian.transpose() * DVector::from_column_slice(lambda)).as_slice().to_vec()
        };
        let rows = e.multipliers.len();
        let known = e.determined_multipliers(&s);
        let reactions = e.determined_of(&e.reactions);
        for f in Formalism::ALL {
            let mut see = |what, actual: &[f64], expected: &[f64]| {
                let error = relative(actual, expected);
                worst.see(f, what, error / e.condition, &place);
                unscaled = unscaled.max(error);
            };
            let solution = forward(f, &s);
            see("v̇ over f64", &solution.accelerations, &e.accelerations);
            see("Aᵀλ over f64", &pulled(&solution.multipliers), &e.forces);
            see("reactions over f64", &e.determined_of(&flatten_wrenches(&solution.reactions)), &reactions);
            let [a, lambda, r] = interpret_solution(f, &s, rows);
            see("v̇ over the graph", &a, &e.accelerations);
            see("Aᵀλ over the graph", &pulled(&lambda), &e.forces);
            see("reactions over the graph", &e.determined_of(&r), &reactions);
            // The path of emitted code: lowered, simplified by every pass, interpreted.
            let functions = vec![functions::DQDT, functions::MULTIPLIERS, functions::REACTIONS];
            let bare = Assembled::without_spec(m.clone(), s.partition.clone());
            let p = simplify(&derive(&bare, &s.formulation, &Request::new(f, functions)));
            let dx = call(&p, functions::DQDT, &s, &place);
            see("v̇ of the program", &dx[m.nq()..m.nq() + m.nv()], &e.accelerations);
            see("λ of the program", &call(&p, functions::MULTIPLIERS, &s, &place), &known);
            see(
                "reactions of the program",
                &e.determined_of(&call(&p, functions::REACTIONS, &s, &place)),
                &reactions,
            );
        }
    }
    for ((form, what), error) in &worst.0 {
        println!("{flavour:?} {form:18} {what:26} {error:.1e}");
    }
    println!(
        "{flavour:?}: unscaled {unscaled:.1e}; {undetermined} components of reactions are not determined"
    );
    assert_eq!(count, cases_per_flavour());
    undetermined
}

// One test per flavour, so that they run in parallel.

#[test]
fn all_formalisms_agree_on_random_loops() {
    assert_all_agree(Flavour::Loops);
}

#[test]
fn all_formalisms_agree_on_random_nonholonomic_constraints() {
    assert_all_agree(Flavour::Nonholonomic);
}

#[test]
fn all_formalisms_agree_on_loops_with_nonholonomic_constraints() {
    assert_all_agree(Flavour::Both);
}

#[test]
fn all_formalisms_agree_on_what_redundant_constraints_determine() {
    assert!(assert_all_agree(Flavour::Redundant) > 0);
}

/// Poses of Bricard's linkage, with speeds that fulfil its constraints to 1e-15. All angles move at
/// two frequencies.
const BRICARD: [[f64; 4]; 4] = [
    [0.08236928630347584, -0.08977296993766723, 0.06955227733339318, -0.08263514252744054],
    [-0.41556247644284267, 0.29171939196817825, 0.4609807485431008, -0.22348450332682857],
    [-0.16775597851178226, 0.14357286728360777, -0.9453831010063741, 0.691576086986304],
    [-0.33129788705884833, 0.247970586243929, 0.7380574477593133, -0.4099109399349318],
];

fn alternate(a: f64, b: f64) -> Vec<f64> {
    vec![a, b, a, b, a]
}

#[test]
fn projection_divides_by_no_row_that_another_pose_does_not_take() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/specs/bricard.toml");
    let loaded = pipeline::load(std::path::Path::new(file)).unwrap();
    let forms = [Formalism::Kane, Formalism::Maggi, Formalism::MaggiCoordinates];
    for [odd, even, odd_rate, even_rate] in BRICARD {
        let by_form = forms.map(|f| {
            let program = pipeline::program(&loaded, &Request::new(f, vec![functions::DQDT]));
            let mut a = Arguments::defaults(&program);
            (a.q, a.v) = (alternate(odd, even), alternate(odd_rate, even_rate));
            let mut machine = Machine::new(&program, functions::DQDT).unwrap();
            machine.call(&a).unwrap_or_else(|e| panic!("{}: {e}", f.name()))[5..].to_vec()
        });
        for (f, other) in forms.iter().zip(&by_form).skip(1) {
            let error = relative(other, &by_form[0]);
            assert!(error < 1e-11, "{}: {error:e}", f.name());
        }
    }
}
