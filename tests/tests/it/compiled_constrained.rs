//! Thirty random constrained mechanisms by every formalism, emitted, compiled and
//! run: accelerations, constraint forces, multipliers and reactions against a
//! reference by singular values.

use std::collections::BTreeMap;

use crate::common::implicit;
use crate::compiled::Module;
use crate::null_space::{Expected, FLAVOURS, assembled_sample, expected, samples_of};
use dqdt_codegen::Formalism;
use dqdt_codegen::functions;
use dqdt_codegen::pipeline::{self, Assembled, Request};
use dqdt_graph::ir::Program;
use dqdt_samples::random::Sample;
use dqdt_samples::tier;

fn count() -> usize {
    tier::cases_by_tier(4, 30)
}

/// Largest number of bodies: fewer than in the tests in doubles, because compilation is slow.
const BODIES: usize = 3;
/// Tolerance of errors divided by the condition number. The conventions require 1e-10.
const LIMIT: f64 = 1e-11;

struct ConstrainedCase {
    sample: Sample,
    expected: Expected,
    /// The program of this mechanism by each formalism.
    programs: Vec<(Formalism, Program)>,
}

fn case(name: &str, sample: Sample) -> ConstrainedCase {
    let functions = [functions::DQDT, functions::MULTIPLIERS, functions::REACTIONS];
    ConstrainedCase {
        programs: Formalism::ALL
            .map(|formalism| {
                let mut mechanism = sample.mechanism.clone();
                mechanism.name = format!("{name}_{}", formalism.name());
                let loaded = Assembled::without_spec(mechanism, sample.partition.clone());
                (
                    formalism,
                    pipeline::program_with(
                        &loaded,
                        &sample.formulation,
                        &Request::new(formalism, functions.to_vec()),
                    ),
                )
            })
            .into(),
        expected: expected(&sample),
        sample,
    }
}

fn cases() -> Vec<ConstrainedCase> {
    let each = count().div_ceil(FLAVOURS.len());
    let samples =
        FLAVOURS.into_iter().flat_map(|flavour| samples_of(flavour, BODIES).take(each)).take(count());
    let cases = samples.map(|(seed, flavour, s)| {
        let name = format!("{flavour:?}_{seed}").to_lowercase();
        case(&name, assembled_sample(&s, (seed, flavour)))
    });
    cases.collect()
}

fn format_calls(case: &ConstrainedCase, program: &Program) -> String {
    let s = &case.sample;
    let x = [&s.q[..], &s.v, &s.z].concat();
    let joints: Vec<String> = s.mechanism.joints.iter().map(|j| format!("&y.{}[..]", j.name)).collect();
    let mut out = format!(
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
    );
    // If all constraint rows are redundant with each other, no multiplier is determined.
    if let Some(function) = program.function(functions::MULTIPLIERS) {
        let rows: Vec<String> = function.outputs.iter().map(|o| format!("y.{}", o.name)).collect();
        out.push_str(&format!(
            "let mut y = m::Multipliers::default();\n\
             model.multipliers(t, &x, &u, &mut y).done();\nshow(\"multipliers\", &[{}]);\n",
            rows.join(", ")
        ));
    }
    out
}

fn case_module(case: &ConstrainedCase, program: &Program) -> Module {
    Module {
        name: program.name.clone(),
        source: pipeline::rust(program).unwrap(),
        calls: format_calls(case, program),
    }
}

#[test]
fn compiled_constrained_mechanisms_agree_by_every_formalism() {
    let cases = cases();
    assert_eq!(cases.len(), count());
    let modules: Vec<Module> =
        cases.iter().flat_map(|c| c.programs.iter().map(move |(_, p)| case_module(c, p))).collect();
    let results = crate::compiled::run("compiled-constrained", &modules);
    let mut worst: BTreeMap<(&str, &str), f64> = BTreeMap::new();
    let mut multipliers = 0;
    for case in &cases {
        let (s, e) = (&case.sample, &case.expected);
        let (nq, nv) = (s.q.len(), s.v.len());
        let kane = implicit(Formalism::Kane, s);
        for (f, program) in &case.programs {
            let result_of =
                |function: &str| results.get(&(program.name.clone(), function.to_owned())).cloned();
            let mut see = |what, actual: &[f64], expected: &[f64]| {
                let error = crate::compiled::relative(actual, expected) / e.condition;
                assert!(error < LIMIT, "{}: {what}: {error:e}, condition {:e}", program.name, e.condition);
                let worst = worst.entry((f.name(), what)).or_default();
                *worst = worst.max(error);
            };
            let dx = result_of("dqdt").unwrap();
            let a = &dx[nq..nq + nv];
            see("v̇", a, &e.accelerations);
            let pulled = crate::common::product(&kane.mass, a);
            let forces = (0..nv).map(|i| pulled[i] + kane.c[i] - kane.force[i]);
            see("Aᵀλ = M v̇ + c − Q", &forces.collect::<Vec<_>>(), &e.forces);
            see(
                "reactions",
                &e.determined_of(&result_of("reactions").unwrap()),
                &e.determined_of(&e.reactions),
            );
            let lambda = result_of("multipliers").unwrap_or_default();
            multipliers += lambda.len();
            see("λ", &lambda, &e.determined_multipliers(s));
        }
    }
    for ((form, what), error) in &worst {
        println!("{form:18} {what:20} {error:.1e}");
    }
    assert!(multipliers > tier::cases_by_tier(1, count()) * Formalism::ALL.len(), "{multipliers}");
}
