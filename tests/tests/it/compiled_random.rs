//! Thirty random mechanisms, derived, emitted, compiled by cargo as a user's crate, and run. The
//! compiled functions are compared with the interpreter and with each other: Kane with all
//! functions on each mechanism, Lagrange with those that have a mass matrix or energies too, the
//! others with accelerations and reactions.

use std::collections::BTreeMap;

use crate::compiled::{Module, ShownValues, relative};

use dqdt_codegen::Formalism;
use dqdt_codegen::functions::{self, Definition};
use dqdt_codegen::pipeline::{self, Assembled, Request};
use dqdt_graph::ir::{Arguments, Machine, Program};
use dqdt_samples::random::{Sample, random_mechanism};
use dqdt_samples::tier;

fn count() -> u64 {
    tier::cases_by_tier(1, 30)
}
/// Largest number of bodies, as in the tests in doubles, so that the mechanisms are the same.
const BODIES: usize = 8;
const FORMALISMS: [Formalism; 2] = [Formalism::Kane, Formalism::Lagrange];

/// Accelerations for calls of inverse dynamics.
fn accelerations(n: usize) -> Vec<f64> {
    (0..n).map(|i| (1.7 * i as f64 + 0.3).sin()).collect()
}

struct RandomCase {
    sample: Sample,
    programs: [Program; 2],
    /// Programs with state derivative and reactions by the other formalisms.
    others: Vec<Program>,
}

fn case(seed: u64) -> RandomCase {
    let sample = random_mechanism(seed, BODIES);
    let program = |formalism: Formalism, functions: &[&'static Definition]| {
        let mut mechanism = sample.mechanism.clone();
        mechanism.name = format!("{}_{}", mechanism.name, formalism.name());
        let loaded = Assembled::without_spec(mechanism, sample.partition.clone());
        pipeline::program_with(&loaded, &sample.formulation, &Request::new(formalism, functions.to_vec()))
    };
    let all = functions::defaults_and(&[functions::REACTIONS]);
    // Only called functions are emitted: compilation is slow.
    let called = [
        functions::DQDT,
        functions::MASS_MATRIX,
        functions::BIAS,
        functions::INVERSE_DYNAMICS,
        functions::ENERGY,
        functions::REACTIONS,
    ];
    let others = Formalism::ALL.into_iter().filter(|f| !FORMALISMS.contains(f));
    RandomCase {
        programs: [program(FORMALISMS[0], &all), program(FORMALISMS[1], &called)],
        others: others.map(|f| program(f, &[functions::DQDT, functions::REACTIONS])).collect(),
        sample,
    }
}

fn arguments(case: &RandomCase, program: &Program) -> Arguments {
    let s = &case.sample;
    let mut a = Arguments::defaults(program);
    (a.t, a.q, a.v, a.z, a.u) = (s.t, s.q.clone(), s.v.clone(), s.z.clone(), s.u.clone());
    a.a = accelerations(s.v.len());
    a
}

/// Rust text of calls of the state derivative and of the reactions.
fn few_calls(case: &RandomCase) -> String {
    let s = &case.sample;
    let x = [&s.q[..], &s.v, &s.z].concat();
    let joints: Vec<String> = s.mechanism.joints.iter().map(|j| format!("&y.{}[..]", j.name)).collect();
    format!(
        "let model = m::Model::<f64>::default();\n\
         let t = {:?};\nlet x: [f64; m::NX] = {x:?};\nlet u: [f64; m::NU] = {:?};\n\
         let mut dx = [f64::NAN; m::NX];\n\
         model.dqdt(t, &x, &u, &mut dx).unwrap();\nshow(\"dqdt\", &dx);\n\
         let mut y = m::Reactions::default();\n\
         model.reactions(t, &x, &u, &mut y).done();\n\
         show(\"reactions\", &[{}].concat());\n",
        s.t,
        s.u,
        joints.join(", ")
    )
}

/// Rust text of calls of the other functions, to follow [`few_calls`].
fn more_calls(case: &RandomCase) -> String {
    let s = &case.sample;
    format!(
        "let a: [f64; m::NV] = {:?};\n\
         let mut effort = [f64::NAN; m::NV];\nlet mut mass = [[f64::NAN; m::NV]; m::NV];\n\
         model.mass_matrix(t, &x, &mut mass);\nshow(\"mass_matrix\", mass.as_flattened());\n\
         model.bias(t, &x, &mut effort);\nshow(\"bias\", &effort);\n\
         model.inverse_dynamics(t, &x, &a, &mut effort);\nshow(\"inverse_dynamics\", &effort);\n\
         let mut v = [0.0; m::NV];\nv.copy_from_slice(&dx[m::NQ..m::NQ + m::NV]);\n\
         model.inverse_dynamics(t, &x, &v, &mut effort);\nshow(\"at_motion\", &effort);\n\
         model.dqdt(t, &x, &[0.0; m::NU], &mut dx).unwrap();\n\
         v.copy_from_slice(&dx[m::NQ..m::NQ + m::NV]);\n\
         model.inverse_dynamics(t, &x, &v, &mut effort);\nshow(\"left_over\", &effort);\n\
         let mut e = m::Energy::default();\nmodel.energy(t, &x, &mut e);\nshow(\"energy\", &[e.kinetic, e.potential]);\n\
         let mut back = x;\nback[m::NQ..m::NQ + m::NV].iter_mut().for_each(|v| *v = -*v);\n\
         let mut still = x;\nstill[m::NQ..m::NQ + m::NV].fill(0.0);\n\
         let kinetic = [x, back, still].map(|x| {{\n    let mut e = m::Energy::default();\n    model.energy(t, &x, &mut e);\n    e.kinetic\n}});\n\
         show(\"kinetic\", &kinetic);\n",
        accelerations(s.v.len()),
    )
}

fn compile_and_run(cases: &[RandomCase]) -> ShownValues {
    let mut modules = Vec::new();
    for case in cases {
        let mut add = |program: &Program, calls: String| {
            modules.push(Module {
                name: program.name.clone(),
                source: pipeline::rust(program).unwrap(),
                calls,
            });
        };
        case.programs.iter().for_each(|p| add(p, [few_calls(case), more_calls(case)].concat()));
        case.others.iter().for_each(|p| add(p, few_calls(case)));
    }
    crate::compiled::run("compiled-random", &modules)
}

fn norm(a: &[Vec<f64>]) -> f64 {
    a.iter().map(|row| row.iter().map(|x| x.abs()).sum::<f64>()).fold(0.0, f64::max)
}

/// Condition number of a positive definite matrix in the maximum row-sum norm, by
/// Gauss–Jordan elimination.
fn condition(mass: &[f64], n: usize) -> f64 {
    let mut a: Vec<Vec<f64>> = mass.chunks(n).map(<[f64]>::to_vec).collect();
    let size = norm(&a);
    let mut inverse: Vec<Vec<f64>> =
        (0..n).map(|i| (0..n).map(|j| f64::from(u8::from(i == j))).collect()).collect();
    for k in 0..n {
        let pivot = a[k][k];
        a[k].iter_mut().for_each(|x| *x /= pivot);
        inverse[k].iter_mut().for_each(|x| *x /= pivot);
        let (row, right) = (a[k].clone(), inverse[k].clone());
        for i in (0..n).filter(|i| *i != k) {
            let factor = a[i][k];
            a[i].iter_mut().zip(&row).for_each(|(x, y)| *x -= factor * y);
            inverse[i].iter_mut().zip(&right).for_each(|(x, y)| *x -= factor * y);
        }
    }
    (size * norm(&inverse)).max(1.0)
}

#[test]
fn compiled_random_mechanisms_agree_with_the_interpreter_and_among_formalisms() {
    let cases: Vec<RandomCase> = (0..count()).map(case).collect();
    let results = compile_and_run(&cases);
    let mut worst: BTreeMap<&str, f64> = BTreeMap::new();
    for case in &cases {
        let s = &case.sample;
        let (nq, nv) = (s.q.len(), s.v.len());
        let result_of =
            |program: &Program, function: &str| results[&(program.name.clone(), function.to_owned())].clone();
        let mass = result_of(&case.programs[0], "mass_matrix");
        let condition = condition(&mass, nv);
        let mut check = |what: &'static str, error: f64, limit: f64, name: &str| {
            assert!(error < limit, "{name}: {what}: {error:e} against {limit:e}, condition {condition:e}");
            let worst = worst.entry(what).or_default();
            *worst = worst.max(error);
        };

        // The compiled functions against the interpreter.
        for program in &case.programs {
            let a = arguments(case, program);
            for kind in [
                functions::DQDT,
                functions::MASS_MATRIX,
                functions::BIAS,
                functions::INVERSE_DYNAMICS,
                functions::ENERGY,
            ] {
                let scale = if kind == functions::DQDT { condition } else { 1.0 };
                let interpreted = Machine::new(program, kind).unwrap().call(&a).map(<[f64]>::to_vec).unwrap();
                let error = relative(&result_of(program, kind.name), &interpreted) / scale;
                check("interpreter", error, 1e-12, &program.name);
            }
        }

        // Kane against Lagrange, both compiled.
        let [kane, lagrange] = &case.programs;
        for function in ["mass_matrix", "bias", "inverse_dynamics", "energy"] {
            let error = relative(&result_of(kane, function), &result_of(lagrange, function));
            check("formalisms", error, 1e-10, &kane.name);
        }
        let error = relative(&result_of(kane, "dqdt"), &result_of(lagrange, "dqdt")) / condition;
        check("formalisms", error, 1e-10, &kane.name);

        // M is symmetric up to rounding, and M v̇ + bias equals inverse dynamics.
        for program in &case.programs {
            let mass = result_of(program, "mass_matrix");
            let (bias, a) = (result_of(program, "bias"), accelerations(nv));
            let row = |i: usize| &mass[i * nv..(i + 1) * nv];
            let times = |i: usize, x: &[f64]| row(i).iter().zip(x).map(|(m, x)| m * x).sum::<f64>();
            let transposed: Vec<f64> = (0..nv * nv).map(|k| mass[k % nv * nv + k / nv]).collect();
            check("symmetry", relative(&mass, &transposed), 1e-13, &program.name);
            let expected: Vec<f64> = (0..nv).map(|i| times(i, &a) + bias[i]).collect();
            check(
                "M a + bias",
                relative(&result_of(program, "inverse_dynamics"), &expected),
                1e-12,
                &program.name,
            );

            // T = T₂ + T₁ + T₀ with T₁ odd in the speeds, and T₀ the value at rest.
            let half = 0.5 * (0..nv).map(|i| s.v[i] * times(i, &s.v)).sum::<f64>();
            let [forth, back, still] = result_of(program, "kinetic")[..] else { panic!("three energies") };
            check("T₂", relative(&[half], &[0.5 * (forth + back) - still]), 1e-12, &program.name);

            // Inverse dynamics inverts forward dynamics: without inputs the residual is
            // zero, with inputs it is M (v̇ − v̇₀) = B u. Both formalisms must agree on B
            // u, so B is not needed.
            let dx = result_of(program, "dqdt");
            let a = &dx[nq..nq + nv];
            let size = (0..nv).fold(1.0f64, |m, i| {
                m.max(row(i).iter().zip(a).map(|(m, a)| (m * a).abs()).sum::<f64>()).max(bias[i].abs())
            });
            let left = result_of(program, "left_over").iter().fold(0.0f64, |m, e| m.max(e.abs())) / size;
            check("left over", left / condition, 1e-12, &program.name);
            let effort: Vec<f64> = (0..nv).map(|i| times(i, a) + bias[i]).collect();
            check(
                "at the motion",
                relative(&result_of(program, "at_motion"), &effort) / condition,
                1e-12,
                &program.name,
            );
        }
        // The other formalisms, compiled, and all reactions, against the interpreter.
        for program in case.programs.iter().chain(&case.others) {
            let a = arguments(case, program);
            let interpreted = Machine::new(program, functions::REACTIONS).unwrap();
            let interpreted = interpreted.clone().call(&a).map(<[f64]>::to_vec).unwrap();
            let compiled_reactions = result_of(program, "reactions");
            check(
                "interpreter",
                relative(&compiled_reactions, &interpreted) / condition,
                1e-12,
                &program.name,
            );
            let error = relative(&compiled_reactions, &result_of(kane, "reactions")) / condition;
            check("reactions", error, 1e-10, &program.name);
            let error = relative(&result_of(program, "dqdt"), &result_of(kane, "dqdt")) / condition;
            check("formalisms", error, 1e-10, &program.name);
        }
        let (a, b) = (result_of(kane, "at_motion"), result_of(lagrange, "at_motion"));
        check("formalisms", relative(&a, &b) / condition, 1e-10, &kane.name);
    }
    println!("{worst:?}");
}
