//! All formalisms state the same equations, and their accelerations solve them;
//! wrong ones are refuted.
use crate::claims::decide;
use std::path::{Path, PathBuf};

use dqdt_codegen::functions;
use dqdt_codegen::pipeline::{self, Assembled, Request};
use dqdt_equations::prove::{self, Claim, Decision, FormalismPart};
use dqdt_equations::symbolic::{Status, Verdict};
use dqdt_graph::ir::{Graph, NodeId, Op, Program, SymbolKind, Tracer, evaluate, mark_needed, replay};
use dqdt_mechanics::formalism::{Equations, Extended, Formalism, Implicit, equations, implicit_equations};
use dqdt_mechanics::mechanism::{Environment, Formula, SpeedId, Treatment};
use dqdt_samples::tier::cases_by_tier;

fn load(relative: &str) -> Assembled {
    let path: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(relative);
    pipeline::load(&path).unwrap_or_else(|e| panic!("{e}"))
}

fn example(name: &str) -> Assembled {
    load(&format!("examples/specs/{name}.toml"))
}

/// Strength of the evidence for the accelerations of a mechanism.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Known {
    Proved,
    Checked,
}

/// Panics unless the equations of every formalism that states some are proved, and the
/// accelerations of every formalism are `accelerations` (proved or checked).
fn assert_all_agree(loaded: &Assembled, accelerations: Known) -> Vec<Decision> {
    let some = [Formalism::Kane, Formalism::Lagrange, Formalism::Extended, Formalism::MaggiCoordinates];
    let tried = cases_by_tier(some.to_vec(), Formalism::ALL.to_vec());
    let mut claims = prove::mechanism_claims(loaded).unwrap();
    claims.retain(|c| c.about.is_none_or(|(f, _)| tried.contains(&f)));
    let decisions: Vec<Decision> = claims.into_iter().map(decide).collect();
    for d in &decisions {
        assert!(d.status() <= Status::Checked, "{}: {:?}", d.title, d.overall());
        assert!(!d.verdicts.is_empty() && d.verdicts.len() == d.entries.len(), "{}", d.title);
        if matches!(d.about, Some((_, FormalismPart::Equations))) {
            assert!(d.verdicts.iter().all(Verdict::is_proved), "{} is only checked", d.title);
        }
    }
    for f in tried.iter().copied() {
        let known: Vec<Known> = decisions
            .iter()
            .filter(|d| d.about == Some((f, FormalismPart::Accelerations)))
            .map(|d| if d.status() == Status::Checked { Known::Checked } else { Known::Proved })
            .collect();
        assert!(!known.is_empty() && known.iter().all(|k| *k == accelerations), "{}: {known:?}", f.name());
    }
    for f in tried.into_iter().filter(|f| {
        // ABA and the mixed formalism state no equations; without constraints, Maggi's projection
        // states none of its own.
        ![Formalism::ArticulatedBody, Formalism::Mixed].contains(f)
            && (*f != Formalism::MaggiCoordinates || !loaded.mechanism.constraints.is_empty())
    }) {
        assert!(decisions.iter().any(|d| d.about == Some((f, FormalismPart::Equations))), "{}", f.name());
    }
    decisions
}

fn entries<'a>(decisions: &'a [Decision], start: &str) -> Vec<&'a str> {
    let of_title = decisions.iter().filter(|d| d.title.starts_with(start));
    of_title.flat_map(|d| d.entries.iter().map(String::as_str)).collect()
}

#[test]
fn all_formalisms_are_proved_to_agree_on_the_double_pendulum() {
    assert_all_agree(&example("double_pendulum"), Known::Proved);
}

#[test]
fn all_formalisms_are_proved_to_agree_on_the_triple_pendulum() {
    assert_all_agree(&load("tests/data/prove/triple_pendulum.toml"), Known::Proved);
}

#[test]
fn all_formalisms_are_proved_to_agree_on_a_branching_tree_with_a_slider() {
    assert_all_agree(&load("tests/data/prove/branching_tree.toml"), Known::Proved);
}

#[test]
fn all_formalisms_state_the_same_equations_of_kanes_two_bodies() {
    let decisions = assert_all_agree(&example("kane_two_body"), Known::Checked);
    assert_eq!(entries(&decisions, "extended: for the kinematics").len(), 4 + 12);
}

#[test]
fn all_formalisms_are_proved_to_agree_on_the_snowboarder_with_one_link() {
    // No speed of the blade is dependent at every heading, so Maggi's formalisms project.
    let decisions = assert_all_agree(&example("snowboarder1"), Known::Proved);
    let complement = entries(&decisions, "constraints: A B = 0");
    assert_eq!(complement.iter().filter(|e| e.starts_with("A B")).count(), 4);
}

#[test]
fn all_formalisms_are_proved_to_agree_on_the_rolling_disc() {
    let decisions = assert_all_agree(&example("rolling_disc"), Known::Proved);
    let complement = entries(&decisions, "constraints: A B = 0");
    assert_eq!(complement.iter().filter(|e| e.starts_with("A B")).count(), 9);
    assert_eq!(entries(&decisions, "constraints: projected").len(), 3);
}

fn has_eliminated_speeds(d: &&Decision) -> bool {
    d.title.contains("with eliminated speeds")
}

#[test]
fn all_formalisms_state_the_same_equations_of_the_four_bar() {
    let decisions = assert_all_agree(&example("four_bar"), Known::Checked);
    assert_eq!(decisions.iter().filter(has_eliminated_speeds).count(), 2);
    assert_eq!(entries(&decisions, "constraints: projected").len(), 1);
}

#[track_caller]
fn assert_refuted(claim: Claim) {
    let decision = decide(claim);
    let Verdict::Refuted { witness, difference, .. } = decision.overall() else {
        panic!("{}: {:?}", decision.title, decision.overall())
    };
    assert!(!witness.is_empty() && !difference.is_empty(), "{}", decision.title);
}

#[test]
fn a_form_with_a_wrong_sign_is_refuted_with_a_witness_in_every_term() {
    let loaded = load("tests/data/prove/branching_tree.toml");
    let m = &loaded.mechanism;
    let wrong: [fn(&mut Implicit<Tracer<'_>>); 4] = [
        |e| e.c[0] = -e.c[0],
        |e| e.mass[0][2] = -e.mass[0][2],
        |e| e.force[2] = -e.force[2],
        |e| e.c.swap(0, 1),
    ];
    for spoil in wrong {
        assert_refuted(prove::equal_equations_claim(m, Formalism::Direct, "wrong", |env| {
            let mut e = implicit_equations(Formalism::Direct, m, env);
            spoil(&mut e);
            e
        }));
    }
}

/// The system of a formalism with a parameter added to a row: to its first entry
/// (`is_in_first_entry`), or to its right-hand side.
fn with_wrong_row<'g>(
    loaded: &Assembled,
    f: Formalism,
    env: &Environment<'_, Tracer<'g>>,
    row: usize,
    is_in_first_entry: bool,
) -> Option<Extended<Tracer<'g>>> {
    let Equations::Extended(mut system) = equations(f, &loaded.mechanism, env) else { return None };
    if is_in_first_entry {
        let column = *system.rows.row_entries(row).keys().next()?;
        system.rows.add_entry(row, column, env.p[0]);
    } else {
        system.rows.add_right_hand_side(row, env.p[0]);
    }
    Some(system)
}

#[test]
fn a_system_with_a_wrong_row_is_refuted_with_a_witness_in_every_row() {
    // A free body: no joint constraint can absorb the error.
    let loaded = example("rolling_disc");
    for (f, rows) in [(Formalism::Extended, 21), (Formalism::LagrangeFirst, 9), (Formalism::Maggi, 6)] {
        for row in 0..rows {
            let claim = prove::equivalent_system_claim(&loaded, f, "wrong", |env| {
                with_wrong_row(&loaded, f, env, row, false)
            });
            assert_refuted(claim.unwrap());
        }
        let claim = prove::equivalent_system_claim(&loaded, f, "wrong", |env| {
            with_wrong_row(&loaded, f, env, 0, true)
        });
        assert_refuted(claim.unwrap());
    }
}

#[test]
fn a_multiplier_with_a_wrong_sign_is_refuted() {
    let loaded = example("four_bar");
    let m = &loaded.mechanism;
    let claim = prove::equivalent_system_claim(&loaded, Formalism::Extended, "wrong", |env| {
        let Equations::Extended(mut system) = equations(Formalism::Extended, m, env) else { return None };
        // Reverse the sign of the first multiplier in the row of the first speed.
        let (speed, column) = (12 * m.bodies.len(), system.unknowns.len() - 2);
        let a = *system.rows.row_entries(speed).get(&column)?;
        system.rows.add_entry(speed, column, -(a + a));
        Some(system)
    });
    assert_refuted(claim.unwrap());
}

/// The program with the `which`-th sum of its graph turned into a difference, as a faulty pass
/// would; `None` if there are fewer sums.
fn with_a_wrong_sign(program: &Program, which: usize) -> Option<Program> {
    let outputs: Vec<NodeId> =
        (program.functions.iter().flat_map(|f| &f.outputs)).flat_map(|o| o.nodes.iter().copied()).collect();
    let reach = mark_needed(&program.graph, &outputs);
    let target = NodeId(
        (0..reach.len())
            .filter(|i| reach[*i] && program.graph.node(NodeId(*i as u32)).op == Op::Add)
            .nth(which)? as u32,
    );
    let graph = Graph::new();
    let moved = replay(&program.graph, &outputs, |id, op, args: &[NodeId]| match op {
        Op::Const(n) => graph.number(n),
        Op::Symbol(s) => {
            let symbol = program.graph.symbol_info(s);
            graph.symbol(&symbol.name, symbol.kind)
        }
        Op::Add if id == target => graph.operation(Op::Sub, args),
        op => graph.operation(op, args),
    });
    let mut functions = program.functions.clone();
    let mut moved = moved.into_iter();
    for node in functions.iter_mut().flat_map(|f| &mut f.outputs).flat_map(|o| &mut o.nodes) {
        *node = moved.next()?;
    }
    Some(Program {
        name: program.name.clone(),
        description: String::new(),
        spec: String::new(),
        spec_hash: String::new(),
        formalism: program.formalism.clone(),
        layout: program.layout.clone(),
        graph,
        functions,
        parameter_checks: None,
        evaluation: program.evaluation,
    })
}

fn dqdt(loaded: &Assembled, formalism: Formalism) -> Program {
    let functions = vec![functions::DQDT, functions::MULTIPLIERS];
    pipeline::program(loaded, &Request::new(formalism, functions))
}

fn symbol_value(kind: SymbolKind) -> f64 {
    match kind {
        SymbolKind::Parameter(i) => 1.0 + 0.3 * i as f64,
        SymbolKind::Coordinate(i) => 0.7 - 0.4 * i as f64,
        SymbolKind::Speed(i) => 1.1 + 0.6 * i as f64,
        _ => 0.5,
    }
}

/// `v̇` at a state at which no entry vanishes.
fn values(program: &Program, nq: usize) -> Vec<f64> {
    let nodes = &program.functions[0].outputs[0].nodes[nq..];
    evaluate(&program.graph, nodes, symbol_value)
}

#[test]
fn a_wrong_sign_in_the_sweeps_is_refuted_exactly_where_it_changes_the_accelerations() {
    let loaded = example("double_pendulum");
    let nq = loaded.mechanism.nq();
    let program = dqdt(&loaded, Formalism::ArticulatedBody);
    let right = values(&program, nq);
    let (mut changed, mut which) = (0, 0);
    while let Some(wrong) = with_a_wrong_sign(&program, which) {
        let gap = values(&wrong, nq).iter().zip(&right).fold(0.0f64, |m, (a, b)| m.max((a - b).abs()));
        let claim = prove::solved_accelerations_claim(&loaded, Formalism::ArticulatedBody, &wrong);
        if gap > 1e-9 {
            assert_refuted(claim);
            changed += 1;
        } else {
            // A term along a joint axis is projected out by the articulated inertia.
            assert!(decide(claim).overall().is_proved(), "sum {which}");
        }
        which += 1;
    }
    assert!(changed > 5 && which - changed < 3, "{changed} of {which}");
}

#[test]
fn wrong_accelerations_beyond_an_exact_proof_are_refuted_at_a_rational_point() {
    let right = example("four_bar");
    let mut wrong = right.clone();
    wrong.mechanism.gravity = wrong.mechanism.gravity.map(|g| Formula::Neg(Box::new(g)));
    for f in [Formalism::ArticulatedBody, Formalism::Mixed, Formalism::Extended, Formalism::MaggiCoordinates]
    {
        assert_refuted(prove::solved_accelerations_claim(&right, f, &dqdt(&wrong, f)));
    }
}

#[test]
fn accelerations_of_other_dependent_speeds_than_claimed_are_refuted() {
    // The claim computes the dependent speeds, so a program that reads them from the
    // state is no solution.
    let state = example("four_bar");
    let mut eliminating = state.clone();
    eliminating.mechanism.constraints[0].treatment = Treatment::Elimination(vec![SpeedId(1), SpeedId(2)]);
    eliminating.partition =
        dqdt_derivation::assemble::repartition(&eliminating.mechanism, &eliminating.partition);
    assert_refuted(prove::solved_accelerations_claim(
        &eliminating,
        Formalism::Kane,
        &dqdt(&state, Formalism::Kane),
    ));
}
