//! Proofs about whole mechanisms, and refutations of deliberate mistakes.
//!
//! Above 500 lines: each mistake is next to the mechanism in which it is made.

use std::path::{Path, PathBuf};

use dqdt_algebra::Number;
use dqdt_codegen::pipeline::{self, Assembled, Request};
use dqdt_codegen::read::Settings;
use dqdt_codegen::{Formalism, functions};
use dqdt_document::report::Math;
use dqdt_equations::inspect::{self, GroupRole};
use dqdt_equations::prove::{self, Claim, Decision, FormalismPart};
use dqdt_equations::symbolic::{
    Assumptions, Closed, Expressions, Query, Reason, Simplified, Status, Verdict, closed_forms, parse_text,
    plain_text, record_form,
};
use dqdt_graph::ir::{Graph, NodeId, Op, Program, Tracer, mark_needed, replay};
use dqdt_mechanics::mechanism::{Formula, LoadKind, ParameterKind, Stabilisation};
use dqdt_samples::random::random_mechanism;
use dqdt_samples::tier::cases_by_tier;
use dqdt_view::report;

fn spec(name: &str) -> Assembled {
    let path: PathBuf =
        Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../examples/specs/{name}.toml"));
    pipeline::load(&path).unwrap()
}

pub(crate) fn decide(claim: Claim) -> Decision {
    prove::decide_claim(claim).unwrap()
}

fn prove_all(name: &str) {
    let loaded = spec(name);
    let mut claims = prove::mechanism_claims(&loaded).unwrap();
    claims.extend(prove::printed_forms_claims(&loaded).unwrap().claims);
    for claim in claims {
        let decision = decide(claim);
        let solved = matches!(decision.about, Some((_, FormalismPart::Accelerations)) | None);
        let enough = if solved { Status::Checked } else { Status::Proved };
        assert!(decision.status() <= enough, "{name}: {}: {:?}", decision.title, decision.overall());
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

/// The formulas for the double pendulum of the swing text, as in the project's sheet of mechanics.
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
    let kinds = vec![functions::MASS_MATRIX, functions::BIAS];
    for formalism in Formalism::ALL {
        let program = pipeline::program(&loaded, &Request::new(formalism, kinds.clone()));
        let expressions = Expressions::new(&program.graph, &nodes(&program));
        let forms =
            (mass.iter().chain(&bias)).map(|t| parse_text(t, expressions.symbol_names()).unwrap()).collect();
        let query = Query::ProveClosed { expressions, forms };
        let verdicts = query.verdicts(&Assumptions::default()).unwrap();
        assert!(verdicts.iter().all(Verdict::is_proved), "{verdicts:?}");
    }
}

#[test]
fn inspect_shows_the_vectors_d_of_the_swing() {
    let loaded = spec("swing");
    let q = inspect::record_quantities_with_names(&loaded, Formalism::Kane);
    let expected = [
        ["rho1*cos(theta1)", "rho1*sin(theta1)", "0"],
        ["l*cos(theta1)", "l*sin(theta1)", "0"],
        ["rho2*cos(theta1 + theta2)", "rho2*sin(theta1 + theta2)", "0"],
    ];
    let groups: Vec<_> = q.groups.iter().filter(|g| g.note.text().starts_with("vector d of body")).collect();
    assert_eq!(groups.len(), expected.len());
    for (group, expected) in groups.iter().zip(expected) {
        let expressions = Expressions::new(&q.graph, &group.nodes);
        let all =
            Expressions::new(&q.graph, &q.groups.iter().flat_map(|g| g.nodes.clone()).collect::<Vec<_>>());
        let forms = expected.iter().map(|t| parse_text(t, all.symbol_names()).unwrap()).collect();
        let query = Query::ProveClosed { expressions, forms };
        let verdicts = query.verdicts(&Assumptions::default()).unwrap();
        assert!(verdicts.iter().all(Verdict::is_proved), "{}: {verdicts:?}", group.note.text());
    }
}

fn nodes(program: &Program) -> Vec<NodeId> {
    program.functions.iter().flat_map(|f| &f.outputs).flat_map(|o| o.nodes.iter().copied()).collect()
}

fn assert_refuted(decision: &Decision) {
    let Verdict::Refuted { witness, difference, .. } = decision.overall() else {
        panic!("{}: {:?}", decision.title, decision.overall())
    };
    assert!(!witness.is_empty(), "{difference}");
}

fn request() -> Request {
    let functions = vec![functions::RATES, functions::MASS_MATRIX, functions::BIAS];
    Request::new(Formalism::Kane, functions)
}

#[test]
fn a_wrong_sign_in_a_load_is_refuted_with_a_witness() {
    let right = spec("cart_pole");
    let mut wrong = right.clone();
    let friction = wrong.mechanism.loads.iter_mut().find_map(|l| match &mut l.kind {
        LoadKind::Friction(f) => Some(&mut f.viscous),
        _ => None,
    });
    let viscous = friction.expect("the cart pole has friction");
    *viscous = Formula::Neg(Box::new(viscous.clone()));
    let program = pipeline::program(&wrong, &request());
    assert_refuted(&decide(prove::final_graph_claim(&right.mechanism, Formalism::Kane, &program)));

    let mut wrong = right.clone();
    wrong.mechanism.gravity = wrong.mechanism.gravity.map(|g| Formula::Neg(Box::new(g)));
    let program = pipeline::program(&wrong, &request());
    assert_refuted(&decide(prove::final_graph_claim(&right.mechanism, Formalism::Kane, &program)));
}

/// The program with its `which`-th sum made a difference (a faulty pass); `None` if there is none.
fn with_a_wrong_sign(program: &Program, which: usize) -> Option<Program> {
    let outputs = nodes(program);
    let reach = mark_needed(&program.graph, &outputs);
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
        evaluation: program.evaluation,
    })
}

#[test]
fn a_wrong_sign_by_a_pass_is_refuted_with_a_witness_wherever_it_is() {
    let loaded = spec("double_pendulum");
    let program = pipeline::program(&loaded, &request());
    let mut count = 0;
    while let Some(wrong) = with_a_wrong_sign(&program, count) {
        assert_refuted(&decide(prove::final_graph_claim(&loaded.mechanism, Formalism::Kane, &wrong)));
        count += 1;
    }
    assert!(count > 5, "only {count} sums were tried");
}

/// The applied generalised forces Q as `inspect` prints them, one text per speed.
fn forces(name: &str) -> Vec<String> {
    let q = inspect::record_quantities_with_names(&spec(name), Formalism::Kane);
    let group = q.groups.iter().find(|g| g.note.text().starts_with("applied generalised forces")).unwrap();
    let assumptions = Assumptions { limit: 400, ..Assumptions::default() };
    let forms = closed_forms(&Expressions::new(&q.graph, &group.nodes), &assumptions).unwrap();
    forms.iter().map(|f| plain_text(f.closed_form().unwrap())).collect()
}

#[test]
fn printed_forces_hold_limited_inputs_by_name() {
    assert_eq!(forces("cart_pole")[0], "sat(force) - d_rail*x_dot");
    assert_eq!(forces("furuta_pendulum")[0], "sat(torque) - d1*theta1_dot");
    let panda = forces("panda_arm");
    assert_eq!(panda.len(), 7);
    assert_eq!(panda[0], "sat(tau1) - 0.5*q1_dot - 0.6*tanh(q1_dot/smooth)");
    for (i, row) in panda.iter().enumerate() {
        assert!(row.starts_with(&format!("sat(tau{}) - 0.", i + 1)), "{row}");
        assert!(!row.contains("abs") && !row.contains('/') || row.matches('/').count() == 1, "{row}");
    }
}

fn refuse_closed_forms(q: &inspect::Quantities) -> Vec<Result<Math, String>> {
    q.groups.iter().flat_map(|g| &g.nodes).map(|_| Err("none".to_owned())).collect()
}

#[test]
fn derived_parameters_are_symbols_and_their_formulas_and_limits_stand_in_the_tables() {
    let loaded = spec("cart_pole");
    let definitions = inspect::expanded_definitions(&loaded.mechanism).unwrap();
    let shown: Vec<String> = definitions.iter().map(|(_, form)| plain_text(form)).collect();
    assert_eq!(shown, ["1/3*m_pole*l^2", "clamp(force, -f_max, f_max)"]);
    let view = inspect::View::default();
    let report = inspect::report(&loaded, Formalism::Kane, &mut refuse_closed_forms, None, &view);
    let printed = report::print_text(&report, 100);
    assert!(printed.contains("0.006  = 1/3 m_pole l²"), "{printed}");
    assert!(printed.contains("sat(force) = force limited to [−f_max, f_max] N"), "{printed}");
    let printed = report::print_latex(&report);
    assert!(printed.contains(r"\frac{1}{3} \sym{m_pole} \sym{l}^{2}"), "{printed}");
    let printed = report::print_html(&report);
    assert!(printed.contains("<mi>sat</mi>") && printed.contains("limited to"), "{printed}");
    // The equations contain the derived parameter and the saturated input as symbols.
    let q = inspect::record_quantities_with_names(&loaded, Formalism::Kane);
    let names: Vec<String> = q.graph.symbols().into_iter().map(|s| s.name).collect();
    assert!(names.contains(&"J".to_owned()) && names.contains(&"sat(force)".to_owned()), "{names:?}");
}

#[test]
fn what_is_printed_is_proved_with_the_formulas_of_its_names() {
    let loaded = spec("cart_pole");
    // Random mechanisms have a derived parameter and limited inputs.
    for seed in [2, 5].into_iter().take(cases_by_tier(1, 2)) {
        let mut random = loaded.clone();
        random.mechanism = random_mechanism(seed, 2).mechanism;
        for claim in prove::printed_forms_claims(&random).unwrap().claims {
            let decision = decide(claim);
            assert!(decision.status() <= Status::Checked, "{seed}: {:?}", decision.overall());
        }
    }
    // Another formula for J than that of the equations must be refuted.
    let mut other = loaded.clone();
    for p in &mut other.mechanism.parameters {
        if let ParameterKind::Derived(f) = &mut p.kind {
            *f = Formula::Mul(Box::new(Formula::from_integer(2)), Box::new(f.clone()));
        }
    }
    let mut claim = prove::printed_forms_claims(&loaded).unwrap().claims.remove(0);
    let wrong = prove::printed_forms_claims(&other).unwrap().claims.remove(0);
    if let (Query::ProveClosed { forms, .. }, Query::ProveClosed { forms: wrong, .. }) =
        (&mut claim.query, wrong.query)
    {
        *forms = wrong;
    }
    assert_eq!(decide(claim).status(), Status::Refuted);
}

#[test]
fn what_outgrows_the_limit_is_checked_whatever_the_claim() {
    let loaded = spec("double_pendulum");
    let mut claims = prove::mechanism_claims(&loaded).unwrap();
    claims.extend(prove::printed_forms_claims(&loaded).unwrap().claims);
    let mut checked = 0;
    for mut claim in claims {
        claim.assumptions.limit = 8;
        let decision = decide(claim);
        assert!(decision.status() <= Status::Checked, "{}: {:?}", decision.title, decision.overall());
        checked += usize::from(decision.status() == Status::Checked);
    }
    assert!(checked > 12, "only {checked} claims outgrew the limit");
}

#[test]
fn a_wrong_sign_in_a_printed_element_is_refuted_with_a_witness() {
    let loaded = spec("furuta_pendulum");
    let q = inspect::record_quantities_with_names(&loaded, Formalism::Kane);
    let nodes: Vec<NodeId> = q.groups.iter().flat_map(|g| g.nodes.iter().copied()).collect();
    let expressions = Expressions::new(&q.graph, &nodes);
    let assumptions = inspect::engine_assumptions(&loaded.mechanism);
    let forms = closed_forms(&expressions, &assumptions).unwrap();
    let mut count = 0;
    for (node, form) in nodes.iter().zip(forms) {
        let Simplified::Closed { closed, .. } = form else { continue };
        let printed = plain_text(&closed);
        let Some(at) = printed.find(" + ") else { continue };
        let mut wrong = printed.clone();
        wrong.replace_range(at..at + 3, " - ");
        let forms = vec![parse_text(&wrong, expressions.symbol_names()).unwrap()];
        let query = Query::ProveClosed { expressions: Expressions::new(&q.graph, &[*node]), forms };
        let verdicts = query.verdicts(&assumptions).unwrap();
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
    let decision = decide(prove::mechanism_claims(&loaded).unwrap().remove(0));
    assert_eq!(decision.overall(), Verdict::Proved { inexact: false });
    assert_eq!(Number::ratio(9807, 1000).map(Number::to_f64), Some(9.807));
}

/// The snowboarder with one link; the edge constraint determines the speed across the slope.
fn on_the_edge() -> Assembled {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/specs/families/snowboarder_edge.toml");
    pipeline::load_with(&path, &Settings::new().set("n", 1)).unwrap()
}

/// The Chaplygin sleigh with a stabilised blade constraint.
fn stabilised_sleigh() -> Assembled {
    let mut loaded = spec("chaplygin_sleigh");
    loaded.mechanism.constraints[0].stabilisation =
        Some(Stabilisation { alpha: Formula::from_integer(2), beta: Formula::from_integer(2) });
    loaded
}

fn assert_printed_proved(loaded: &Assembled, claims: usize) -> Vec<Decision> {
    let printed = prove::printed_forms_claims(loaded).unwrap();
    let decisions: Vec<Decision> = printed.claims.into_iter().map(decide).collect();
    assert_eq!(decisions.len(), claims);
    for d in &decisions {
        assert!(d.status() <= Status::Checked, "{}: {:?}", d.title, d.overall());
    }
    decisions
}

fn entries_of(decisions: &[Decision]) -> Vec<&str> {
    decisions.iter().flat_map(|d| d.entries.iter().map(String::as_str)).collect()
}

#[test]
fn the_printed_system_is_the_emitted_one_with_its_constraints() {
    for name in ["rolling_disc", "four_bar", "snowboarder1"] {
        let loaded = spec(name);
        let decisions = assert_printed_proved(&loaded, 3);
        let entries = entries_of(&decisions);
        for row in dqdt_derivation::derive::vector_layout(&loaded.mechanism).velocity_rows {
            assert!(entries.contains(&&*format!("A v̇ = γ: row `{}`", row.name)), "{name}: {entries:?}");
        }
        for speed in &loaded.mechanism.speeds {
            assert!(entries.contains(&&*format!("equation of `{}`", speed.name)), "{name}");
            assert!(entries.contains(&&*format!("equation of `{}`, as written out", speed.name)), "{name}");
        }
    }
    assert_printed_proved(&stabilised_sleigh(), 3);
}

#[test]
fn the_printed_system_with_elimination_is_the_emitted_one() {
    let decisions = assert_printed_proved(&on_the_edge(), 3);
    let entries = entries_of(&decisions);
    let count = |start: &str| entries.iter().filter(|e| e.starts_with(start)).count();
    assert_eq!(count("A B: row `edge`"), 4);
    assert_eq!(count("A (B v_i + b) + a₀: row `edge`"), 1);
    assert_eq!(count("B v̇_i + β: row `y_dot`"), 1);
    assert_eq!(count("projected equation of"), 8);
    let written_out = (entries.iter().filter(|e| e.starts_with("projected equation of")))
        .filter(|e| e.ends_with("as written out"));
    assert_eq!(written_out.count(), 4);
}

/// A report as text: closed forms of all its entries, which a test may change.
struct ReportTexts {
    loaded: Assembled,
    q: inspect::Quantities,
    expressions: Expressions,
    texts: Vec<Option<String>>,
}

impl ReportTexts {
    fn new(loaded: Assembled) -> Self {
        let q = inspect::record_quantities_with_names(&loaded, Formalism::Kane);
        let (expressions, texts) = prove::closed_form_texts(&loaded, &q).unwrap();
        ReportTexts { loaded, q, expressions, texts }
    }

    /// Decisions on the claims about the system, after `change` is applied to one entry of a role.
    fn decide_after_change(&self, role: GroupRole, change: &dyn Fn(&str) -> Option<String>) -> Vec<Decision> {
        let mut texts = self.texts.clone();
        let (mut at, mut changed) = (0, false);
        for group in &self.q.groups {
            for text in texts[at..at + group.nodes.len()].iter_mut().flatten() {
                if group.role == role
                    && !changed
                    && let Some(wrong) = change(text)
                {
                    (*text, changed) = (wrong, true);
                }
            }
            at += group.nodes.len();
        }
        assert!(changed, "{role:?}: nothing to change");
        let forms: Vec<Option<Closed>> = texts
            .iter()
            .map(|t| t.as_ref().map(|t| parse_text(t, self.expressions.symbol_names()).unwrap()))
            .collect();
        prove::printed_system_claims(&self.loaded, &self.q, &self.expressions, &forms)
            .into_iter()
            .map(decide)
            .collect()
    }
}

fn is_refuted_with_witness(d: &Decision) -> bool {
    matches!(d.overall(), Verdict::Refuted { witness, .. } if !witness.is_empty())
}

#[track_caller]
fn assert_some_refuted(decisions: &[Decision], what: &str) {
    assert!(decisions.iter().any(is_refuted_with_witness), "{what} was not refuted");
}

fn negate_nonzero(t: &str) -> Option<String> {
    (t != "0").then(|| format!("-({t})"))
}

fn negate_multiplier(t: &str) -> Option<String> {
    t.contains("lambda_").then(|| t.replace("lambda_", "(-1)*lambda_"))
}

fn double_nonzero(t: &str) -> Option<String> {
    (t != "0").then(|| format!("2*({t})"))
}

/// The text plus a speed. It changes a row whose right-hand side is zero, where a factor on the
/// left changes nothing.
fn add_speed(t: &str) -> Option<String> {
    Some(format!("{t} + x_dot"))
}

#[test]
fn a_wrong_sign_in_the_printed_system_is_refuted() {
    let sleigh = ReportTexts::new(stabilised_sleigh());
    for role in
        [GroupRole::Jacobian, GroupRole::Gamma, GroupRole::Inertial, GroupRole::Velocity, GroupRole::Mass]
    {
        assert_some_refuted(&sleigh.decide_after_change(role, &negate_nonzero), &format!("{role:?}"));
    }
    assert_some_refuted(
        &sleigh.decide_after_change(GroupRole::Motion, &negate_multiplier),
        "the sign of the multiplier",
    );
    let edge = ReportTexts::new(on_the_edge());
    let parts = [
        GroupRole::DependentSpeeds,
        GroupRole::Complement,
        GroupRole::Beta,
        GroupRole::ReducedMass,
        GroupRole::ReducedInertial,
        GroupRole::ReducedApplied,
    ];
    for role in parts {
        assert_some_refuted(&edge.decide_after_change(role, &double_nonzero), &format!("{role:?}"));
    }
    assert_some_refuted(&edge.decide_after_change(GroupRole::ReducedMotion, &add_speed), "a projected row");
    // Without a change nothing is refuted.
    let kept = edge.decide_after_change(GroupRole::Beta, &|t| Some(t.to_owned()));
    assert!(kept.iter().all(|d| d.status() <= Status::Checked));
}

/// Equations (2), (4) and (5) of the snowboarder paper, as in the project's sheet of mechanics.
#[test]
fn inspect_prints_the_equations_of_the_snowboarder_paper() {
    let loaded = on_the_edge();
    let q = inspect::record_quantities_with_names(&loaded, Formalism::Kane);
    let (expressions, texts) = prove::closed_form_texts(&loaded, &q).unwrap();
    let at = q.groups.iter().position(|g| g.role == GroupRole::ReducedMotion).unwrap();
    let first: usize = q.groups[..at].iter().map(|g| g.nodes.len()).sum();
    let printed: Vec<&String> = texts[first..first + 8].iter().map(|t| t.as_ref().unwrap()).collect();
    let (k, j) = ("m1*l1*n1", "(I1 + m1*l1^2*n1^2)");
    let tan = "sin(phi0)/cos(phi0)";
    let paper = [
        format!(
            "(m0 + m1)/cos(phi0)^2*x_ddot + {k}*(cos(psi1)*cos(phi1)*{tan} - cos(psi1)*sin(phi1))*phi1_ddot \
             - {k}*(sin(psi1)*sin(phi1)*{tan} + sin(psi1)*cos(phi1))*psi1_ddot \
             - {k}*(cos(psi1)*sin(phi1)*{tan} + cos(psi1)*cos(phi1))*(phi1_dot^2 + psi1_dot^2) \
             - 2*{k}*(sin(psi1)*cos(phi1)*{tan} - sin(psi1)*sin(phi1))*phi1_dot*psi1_dot \
             + (m0 + m1)/cos(phi0)^2*{tan}*x_dot*phi0_dot - (m0 + m1)*g1"
        ),
        "I0*phi0_ddot - M0".to_owned(),
        format!(
            "{j}*(cos(psi1)^2*phi1_ddot - 2*sin(psi1)*cos(psi1)*phi1_dot*psi1_dot) \
             + {k}*cos(psi1)*((cos(phi1)*{tan} - sin(phi1))*x_ddot + cos(phi1)/cos(phi0)^2*x_dot*phi0_dot) \
             - M_phi1 + g1*{k}*cos(psi1)*sin(phi1)"
        ),
        format!(
            "{j}*(psi1_ddot + sin(psi1)*cos(psi1)*phi1_dot^2) \
             - {k}*sin(psi1)*((cos(phi1) + sin(phi1)*{tan})*x_ddot + sin(phi1)/cos(phi0)^2*x_dot*phi0_dot) \
             - M_psi1 + {k}*(g1*sin(psi1)*cos(phi1) + g2*cos(psi1))"
        ),
    ];
    let graph = Graph::new();
    let node = |text: &str| {
        let closed = parse_text(text, expressions.symbol_names()).unwrap();
        record_form(&closed, &graph, &expressions, &|kind, name| {
            Tracer::new(&graph, graph.symbol(name, kind))
        })
        .unwrap()
    };
    let left: Vec<NodeId> =
        printed.chunks(2).map(|sides| (node(sides[0]) - node(sides[1])).id(&graph)).collect();
    let right: Vec<NodeId> = paper.iter().map(|t| node(t).id(&graph)).collect();
    let query =
        Query::ProveEqual { left: Expressions::new(&graph, &left), right: Expressions::new(&graph, &right) };
    let verdicts = query.verdicts(&Assumptions::default()).unwrap();
    assert!(verdicts.iter().all(Verdict::is_proved), "{verdicts:?}");
}

fn is_off_constraints(v: &Verdict) -> bool {
    matches!(v, Verdict::Undecided { reason: Reason::OffConstraints, .. })
}

#[test]
fn a_difference_where_the_constraints_do_not_hold_refutes_nothing() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/elimination/ackermann.toml");
    let loaded = pipeline::load(&path).unwrap();
    let decided: Vec<Decision> =
        prove::printed_forms_claims(&loaded).unwrap().claims.into_iter().map(decide).collect();
    assert!(decided.len() > 2 && decided.iter().all(|d| d.status() < Status::Refuted));
    assert!(decided.iter().flat_map(|d| &d.verdicts).any(is_off_constraints), "no random point shows it");
    // Entries that do not depend on the choice of rows are still proved.
    let rates = decided.iter().find(|d| d.title.contains("q̇ equal those")).unwrap();
    let of_rows = rates.entries.iter().zip(&rates.verdicts).filter(|(name, _)| name.starts_with("A: row"));
    assert!(of_rows.clone().count() > 8 && of_rows.clone().all(|(_, v)| v.is_proved()));
}
