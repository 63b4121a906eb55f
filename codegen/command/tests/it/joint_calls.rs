//! Joint calls (several functions in one) on all examples: their cost, and equality
//! with the single calls.

use std::path::{Path, PathBuf};

use dqdt_codegen::functions::{self, Definition, JointError, joint};
use dqdt_codegen::pipeline::{self, Assembled, FormalismChoice, Request};
use dqdt_graph::ir::{
    Arguments, Function, Machine, Operations, Program, count, count_nodes, mark_needed, needed_roots,
};
use dqdt_samples::tier::cases_by_tier;

fn examples() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/specs");
    let mut all: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    all.retain(|p| p.extension().is_some_and(|e| e == "toml"));
    all.sort();
    all
}

fn load(name: &str) -> Assembled {
    pipeline::load(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/specs").join(name)).unwrap()
}

/// Sets of functions to join into one call, for mechanisms that have them.
fn joint_calls_to_check() -> [Vec<&'static Definition>; 5] {
    use functions::{BIAS, DQDT, ENERGY, MASS_MATRIX, MULTIPLIERS, OUTPUTS, REACTIONS};
    [
        vec![DQDT, OUTPUTS],
        vec![DQDT, MULTIPLIERS],
        vec![REACTIONS, DQDT],
        vec![MASS_MATRIX, BIAS, ENERGY],
        vec![MULTIPLIERS, OUTPUTS],
    ]
}

fn program(loaded: &Assembled, functions: &[&'static Definition]) -> Program {
    let formalism = pipeline::choose(loaded, FormalismChoice::BySize, &functions::defaults()).unwrap();
    pipeline::program(loaded, &Request::new(formalism, functions.to_vec()))
}

/// A state away from the start, with non-zero inputs.
fn arguments(program: &Program) -> Arguments {
    let mut a = Arguments::defaults(program);
    a.t = 0.37;
    let values = a.q.iter_mut().chain(&mut a.v).chain(&mut a.z).chain(&mut a.u);
    for (i, x) in values.enumerate() {
        *x += 0.11 * ((i * 7 + 3) % 11) as f64 / 11.0;
    }
    a
}

/// Number of graph nodes that at least one of the functions needs.
fn union(program: &Program, parts: &[&Function]) -> usize {
    let mut all = vec![false; program.graph.len()];
    for part in parts {
        for (have, need) in all.iter_mut().zip(mark_needed(&program.graph, &needed_roots(part))) {
            *have |= need;
        }
    }
    all.into_iter().filter(|n| *n).count()
}

fn to_bits(values: &[f64]) -> Vec<u64> {
    values.iter().map(|x| x.to_bits()).collect::<Vec<_>>()
}

#[test]
fn a_joint_call_costs_the_union_of_the_graphs_and_gives_the_same_bits() {
    let (mut calls, mut shared) = (0, 0);
    for path in examples() {
        let loaded = pipeline::load(&path).unwrap();
        if loaded.mechanism.nv() > cases_by_tier(4, usize::MAX) {
            continue;
        }
        let joints: Vec<(&Definition, Vec<&'static Definition>)> =
            joint_calls_to_check().into_iter().map(|parts| (joint(&parts).unwrap(), parts)).collect();
        let mut wanted = functions::defaults_and(&[functions::REACTIONS]);
        wanted.extend(joints.iter().map(|(j, _)| *j));
        let program = program(&loaded, &wanted);
        let a = arguments(&program);
        for (joint, parts) in joints {
            let single: Vec<&Function> = parts.iter().filter_map(|p| program.function(p)).collect();
            let Some(whole) = program.function(joint) else {
                assert!(single.len() < parts.len(), "{}: no {}", loaded.mechanism.name, joint.name);
                continue;
            };
            let what = format!("{}: {}", loaded.mechanism.name, joint.name);
            calls += 1;
            assert_eq!(single.len(), parts.len(), "{what}");

            let all: Vec<_> = single.iter().flat_map(|f| needed_roots(f)).collect();
            let operations = count_nodes(&program.graph, &all);
            assert_eq!(count_nodes(&program.graph, &needed_roots(whole)), operations, "{what}");
            let nodes = mark_needed(&program.graph, &needed_roots(whole)).into_iter().filter(|n| *n).count();
            assert_eq!(nodes, union(&program, &single), "{what}");
            let separate: u32 = single.iter().map(|f| count(&program, f).call.total()).sum();
            shared += u32::from(count(&program, whole).call.total() < separate);

            let joint_values = Machine::from_function(&program, whole).call(&a).map(<[f64]>::to_vec);
            let alone: Result<Vec<Vec<f64>>, _> = single
                .iter()
                .map(|f| Machine::from_function(&program, f).call(&a).map(<[f64]>::to_vec))
                .collect();
            match (joint_values, alone) {
                (Ok(joint_values), Ok(alone)) => {
                    assert_eq!(to_bits(&joint_values), to_bits(&alone.concat()), "{what}");
                }
                (joint_values, alone) => {
                    assert_eq!(joint_values.is_err(), alone.is_err(), "{what}: {joint_values:?}, {alone:?}")
                }
            }
        }
    }
    assert!(
        calls > cases_by_tier(40, 100) && shared > cases_by_tier(30, 80),
        "{calls} joint calls, {shared} of them share something"
    );
}

#[test]
fn single_calls_cost_the_same_beside_a_joint_call() {
    let both = joint(&[functions::DQDT, functions::MULTIPLIERS]).unwrap();
    for name in ["four_bar.toml", "snowboarder1.toml", "rolling_disc.toml"] {
        let loaded = load(name);
        let costs = |p: &Program| -> Vec<(&str, Operations)> {
            let single = p.functions.iter().filter(|f| !f.is(both));
            single.map(|f| (f.declaration.name, count(p, f).call)).collect()
        };
        let alone = program(&loaded, &functions::defaults());
        let beside = program(&loaded, &functions::defaults_and(&[both]));
        assert_eq!(costs(&alone), costs(&beside), "{name}");
        assert!(beside.function(both).is_some());
    }
}

#[test]
fn a_singular_pose_of_one_is_one_of_the_joint_call() {
    let loaded = load("four_bar.toml");
    let both = joint(&[functions::ENERGY, functions::DQDT]).unwrap();
    let program = program(&loaded, &functions::defaults_and(&[both]));
    let mut a = Arguments::defaults(&program);
    let regular = Machine::new(&program, both).unwrap().call(&a).map(<[f64]>::to_vec);
    assert!(regular.is_ok(), "{regular:?}");
    a.v.fill(f64::INFINITY);
    let alone = Machine::new(&program, functions::DQDT).unwrap().call(&a).map(drop);
    let joined = Machine::new(&program, both).unwrap().call(&a).map(drop);
    assert!(alone.is_err());
    assert_eq!(format!("{alone:?}"), format!("{joined:?}"));
}

fn joint_name(parts: &[&'static Definition]) -> Result<&'static str, String> {
    joint(parts).map(|j| j.name).map_err(|e| e.to_string())
}

#[test]
fn what_does_not_go_together_is_refused_with_its_reason() {
    use functions::{DQDT, INVERSE_DYNAMICS, INVERSE_DYNAMICS_CONSTRAINED, OUTPUTS, SATURATE};
    assert_eq!(joint_name(&[DQDT]), Err("a joint call requires at least two functions".into()));
    assert_eq!(joint_name(&[DQDT, OUTPUTS, DQDT]), Err("`dqdt` is listed twice in a joint call".into()));
    assert_eq!(
        joint_name(&[DQDT, SATURATE]),
        Err("`saturate` cannot be part of a joint call: it returns flags of active limits".into())
    );
    assert_eq!(
        joint_name(&[INVERSE_DYNAMICS, INVERSE_DYNAMICS_CONSTRAINED]),
        Err("`inverse_dynamics` and `inverse_dynamics_constrained` cannot be combined in one call: their arguments `dv` differ"
            .into())
    );
    let both = joint(&[DQDT, OUTPUTS]).unwrap();
    assert_eq!(joint(&[both, INVERSE_DYNAMICS]), Err(JointError::Nested("dqdt_and_outputs")));
    // The definition is created once and cached.
    assert!(std::ptr::eq(both, joint(&[DQDT, OUTPUTS]).unwrap()));
    assert_eq!(joint(&[OUTPUTS, DQDT]).unwrap().name, "outputs_and_dqdt");
}

#[test]
fn a_joint_call_of_what_the_mechanism_does_not_give_is_refused() {
    let loaded = load("cart_pole.toml");
    let both = joint(&[functions::DQDT, functions::MULTIPLIERS]).unwrap();
    let errors =
        pipeline::derive(&loaded, FormalismChoice::BySize, &functions::defaults_and(&[both])).unwrap_err();
    let text = errors.render(false);
    assert!(text.contains("`dqdt_and_multipliers`: `cart_pole` has no `multipliers`"), "{text}");
}
