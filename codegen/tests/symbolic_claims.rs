//! Proofs of whole mechanisms, and refutations of deliberate mistakes.
#![cfg(feature = "symbolica")]

use std::path::{Path, PathBuf};

use dqdt_codegen::algebra::Number;
use dqdt_codegen::formalism::Formalism;
use dqdt_codegen::inspect;
use dqdt_codegen::ir::lower::Request as LowerRequest;
use dqdt_codegen::ir::{FunctionKind, Graph, NodeId, Op, Program, needed, replay};
use dqdt_codegen::mechanism::{Formula, LoadKind};
use dqdt_codegen::pipeline::{self, Loaded};
use dqdt_codegen::prove::{self, Claim, Decision};
use dqdt_codegen::symbolic::{
    Assumptions, Expressions, Form, Request, Response, Task, Verdict, parse_text, run_here, text,
};

fn spec(name: &str) -> Loaded {
    let path: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../examples/specs/{name}.toml"));
    pipeline::load(&path).unwrap()
}

fn decide(claim: Claim) -> Decision {
    prove::decide(claim, run_here).unwrap()
}

fn prove_all(name: &str) {
    let loaded = spec(name);
    let mut claims = prove::claims(&loaded).unwrap();
    claims.push(prove::printed(&loaded.mechanism, run_here).unwrap().0);
    for claim in claims {
        let decision = decide(claim);
        assert!(decision.overall().is_proved(), "{name}: {}: {:?}", decision.title, decision.overall());
    }
}

#[test]
fn the_swing_is_proved() {
    prove_all("swing");
}

#[test]
fn the_double_pendulum_is_proved() {
    prove_all("double_pendulum");
}

#[test]
fn the_cart_pole_is_proved() {
    prove_all("cart_pole");
}

#[test]
fn the_spherical_pendulum_is_proved() {
    prove_all("spherical_pendulum");
}

#[test]
fn the_gyroscope_is_proved() {
    prove_all("gyroscope");
}

#[test]
fn the_furuta_pendulum_is_proved() {
    prove_all("furuta_pendulum");
}

#[test]
fn kane_two_body_with_symbolic_inertias_is_proved() {
    prove_all("kane_two_body");
}

/// The formulas of the swing text's double pendulum as the project's sheet of mechanics states them.
#[test]
fn the_swing_has_the_mass_matrix_and_the_bias_of_the_text() {
    let loaded = spec("swing");
    let mass = [
        "J1 + J2 + m1*rho1^2 + m2*(l^2 + rho2^2 + 2*l*rho2*cos(theta2))",
        "J2 + m2*(rho2^2 + l*rho2*cos(theta2))",
        "J2 + m2*(rho2^2 + l*rho2*cos(theta2))",
        "J2 + m2*rho2^2",
    ];
    // u⊥ = e₃ × u with u₁ = (cos θ₁, sin θ₁), u₂ = (cos(θ₁ + θ₂), sin(θ₁ + θ₂)).
    let bias = [
        "-m2*l*rho2*sin(theta2)*(2*theta1_dot*theta2_dot + theta2_dot^2) \
         - (m1*rho1 + m2*l)*(g_y*cos(theta1) - g_x*sin(theta1)) \
         - m2*rho2*(g_y*cos(theta1 + theta2) - g_x*sin(theta1 + theta2))",
        "m2*l*rho2*sin(theta2)*theta1_dot^2 - m2*rho2*(g_y*cos(theta1 + theta2) - g_x*sin(theta1 + theta2))",
    ];
    let kinds = vec![FunctionKind::MassMatrix, FunctionKind::Bias];
    for formalism in Formalism::ALL {
        let program = pipeline::program(&loaded, &LowerRequest { formalism, functions: kinds.clone() });
        let expressions = Expressions::new(&program.graph, &nodes(&program));
        let forms = (mass.iter().chain(&bias))
            .map(|t| parse_text(t, expressions.symbol_names().chain(EXTRA)).unwrap())
            .collect();
        let task = Task::ProveClosed { expressions, forms };
        let Response::Verdicts(verdicts) =
            run_here(Request { assumptions: Assumptions::default(), task }).unwrap()
        else {
            panic!("another answer")
        };
        assert!(verdicts.iter().all(Verdict::is_proved), "{verdicts:?}");
    }
}

/// Names that a formula of the text has and an expression may have lost.
const EXTRA: [(&str, dqdt_codegen::ir::SymbolKind); 0] = [];

#[test]
fn inspect_shows_the_vectors_d_of_the_swing() {
    let loaded = spec("swing");
    let q = inspect::quantities(&loaded.mechanism, Formalism::Kane);
    let expected = [
        ["rho1*cos(theta1)", "rho1*sin(theta1)", "0"],
        ["l*cos(theta1)", "l*sin(theta1)", "0"],
        ["rho2*cos(theta1 + theta2)", "rho2*sin(theta1 + theta2)", "0"],
    ];
    let groups: Vec<_> = q.groups.iter().filter(|g| g.note.starts_with("d of body")).collect();
    assert_eq!(groups.len(), expected.len());
    for (group, expected) in groups.iter().zip(expected) {
        let expressions = Expressions::new(&q.graph, &group.nodes);
        let all =
            Expressions::new(&q.graph, &q.groups.iter().flat_map(|g| g.nodes.clone()).collect::<Vec<_>>());
        let forms = expected.iter().map(|t| parse_text(t, all.symbol_names()).unwrap()).collect();
        let request =
            Request { assumptions: Assumptions::default(), task: Task::ProveClosed { expressions, forms } };
        let Response::Verdicts(verdicts) = run_here(request).unwrap() else { panic!("another answer") };
        assert!(verdicts.iter().all(Verdict::is_proved), "{}: {verdicts:?}", group.note);
    }
}

fn nodes(program: &Program) -> Vec<NodeId> {
    program.functions.iter().flat_map(|f| &f.outputs).flat_map(|o| o.nodes.iter().copied()).collect()
}

fn refuted(decision: &Decision) {
    let Verdict::Refuted { witness, difference, .. } = decision.overall() else {
        panic!("{}: {:?}", decision.title, decision.overall())
    };
    assert!(!witness.is_empty(), "{difference}");
}

fn request() -> LowerRequest {
    let functions = vec![FunctionKind::Rates, FunctionKind::MassMatrix, FunctionKind::Bias];
    LowerRequest { formalism: Formalism::Kane, functions }
}

#[test]
fn a_wrong_sign_in_a_load_is_refuted_with_a_witness() {
    let right = spec("cart_pole");
    let mut wrong = right.clone();
    let friction = wrong.mechanism.loads.iter_mut().find_map(|l| match &mut l.kind {
        LoadKind::Friction { viscous, .. } => Some(viscous),
        _ => None,
    });
    let viscous = friction.expect("the cart pole has friction");
    *viscous = Formula::Neg(Box::new(viscous.clone()));
    let program = pipeline::program(&wrong, &request());
    refuted(&decide(prove::final_graph(&right.mechanism, Formalism::Kane, &program)));

    let mut wrong = right.clone();
    wrong.mechanism.gravity = wrong.mechanism.gravity.map(|g| Formula::Neg(Box::new(g)));
    let program = pipeline::program(&wrong, &request());
    refuted(&decide(prove::final_graph(&right.mechanism, Formalism::Kane, &program)));
}

/// The program with the `which`-th sum of its graph turned into a difference, as a faulty pass would.
fn with_a_wrong_sign(program: &Program, which: usize) -> Option<Program> {
    let outputs = nodes(program);
    let reach = needed(&program.graph, &outputs);
    let sums: Vec<usize> = (0..reach.len())
        .filter(|i| reach[*i] && program.graph.node(NodeId(*i as u32)).op == Op::Add)
        .collect();
    let target = NodeId(*sums.get(which)? as u32);
    let graph = Graph::new();
    let moved = replay(&program.graph, &outputs, |id, op, args: &[NodeId]| match op {
        Op::Const(n) => graph.number(n),
        Op::Symbol(s) => {
            let symbol = program.graph.symbol_info(s);
            graph.symbol(&symbol.name, symbol.kind)
        }
        Op::Table(t) => graph.operation(Op::Table(graph.table(&program.graph.table_data(t))), args),
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
    })
}

#[test]
fn a_wrong_sign_by_a_pass_is_refuted_with_a_witness_wherever_it_is() {
    let loaded = spec("double_pendulum");
    let program = pipeline::program(&loaded, &request());
    let mut count = 0;
    while let Some(wrong) = with_a_wrong_sign(&program, count) {
        refuted(&decide(prove::final_graph(&loaded.mechanism, Formalism::Kane, &wrong)));
        count += 1;
    }
    assert!(count > 5, "only {count} sums were tried");
}

#[test]
fn a_wrong_sign_in_a_printed_element_is_refuted_with_a_witness() {
    let loaded = spec("furuta_pendulum");
    let q = inspect::quantities(&loaded.mechanism, Formalism::Kane);
    let nodes: Vec<NodeId> = q.groups.iter().flat_map(|g| g.nodes.iter().copied()).collect();
    let expressions = Expressions::new(&q.graph, &nodes);
    let assumptions = inspect::assumptions(&loaded.mechanism);
    let task = Task::ClosedForms { expressions: expressions.clone() };
    let Response::Forms(forms) = run_here(Request { assumptions: assumptions.clone(), task }).unwrap() else {
        panic!("another answer")
    };
    let mut count = 0;
    for (node, form) in nodes.iter().zip(forms) {
        let Form::Closed { closed, .. } = form else { continue };
        let printed = text(&closed);
        let Some(at) = printed.find(" + ") else { continue };
        let mut wrong = printed.clone();
        wrong.replace_range(at..at + 3, " - ");
        let forms = vec![parse_text(&wrong, expressions.symbol_names()).unwrap()];
        let task = Task::ProveClosed { expressions: Expressions::new(&q.graph, &[*node]), forms };
        let response = run_here(Request { assumptions: assumptions.clone(), task }).unwrap();
        let Response::Verdicts(verdicts) = response else { panic!("another answer") };
        assert!(
            matches!(&verdicts[0], Verdict::Refuted { witness, .. } if !witness.is_empty()),
            "{printed}: {verdicts:?}"
        );
        count += 1;
    }
    assert!(count > 3, "only {count} elements were tried");
}

#[test]
fn constants_of_a_spec_stay_exact_into_the_proof() {
    let loaded = spec("kane_two_body");
    let decision = decide(prove::claims(&loaded).unwrap().remove(0));
    assert_eq!(decision.overall(), Verdict::Proved { inexact: false });
    assert_eq!(Number::ratio(9807, 1000).map(Number::to_f64), Some(9.807));
}
