//! Names, tables and units in reports.

use std::path::{Path, PathBuf};

use dqdt_codegen::pipeline::{self, Assembled};
use dqdt_codegen::{Formalism, functions};
use dqdt_equations::symbolic::{Query, Status};
use dqdt_equations::{inspect, prove};
use dqdt_graph::ir::{NodeId, Op, mark_needed};
use dqdt_mechanics::mechanism::{Formula, NamedFormula};
use dqdt_samples::tier::cases_by_tier;
use dqdt_view::report;

fn data(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data").join(path)
}

fn report_by_kane(loaded: &Assembled) -> dqdt_document::report::Report {
    let mut closed = inspect::closed_forms(&loaded.mechanism);
    inspect::report(loaded, Formalism::Kane, &mut closed, None, &inspect::View::default())
}

#[track_caller]
fn assert_contains(text: &str, lines: &[&str]) {
    for line in lines {
        assert!(text.contains(line), "no {line:?} in\n{text}");
    }
}

#[test]
fn vectors_are_bold_where_a_name_has_their_letter_and_a_note_says_so() {
    let loaded = pipeline::load(&data("names/letters.toml")).unwrap();
    let report = report_by_kane(&loaded);
    assert_contains(
        &report::print_text(&report, 100),
        &[
            "  𝐌 v\u{307} + c = Q + Aᵀ 𝛌\n  A v\u{307} = 𝛄\n",
            "note: 𝐌, 𝛃, 𝛄, 𝛌 in bold denote matrices and vectors; in regular type, names such as M, β, γ, λ",
            "  Bᵀ 𝐌 B v\u{307}ᵢ + Bᵀ (c + 𝐌 𝛃) = Bᵀ Q\n",
            "  𝛃[β\u{307}] = 0\n",
            "  γ_chain = 0\n",
        ],
    );
    assert_contains(
        &report::print_latex(&report),
        &[r"\matr{A}\,\dot{\matr{v}} = \boldsymbol{\gamma}", r"\sym{gamma_dot}"],
    );
    let html = report::print_html(&report);
    assert_contains(&html, &[r#"<mi mathvariant="normal" style="font-weight:bold">λ</mi>"#]);
}

fn ballbot_report(speeds: &str, rolling: &str, forms: &[inspect::Form]) -> String {
    let spec = format!(
        r#"
name = "ballbot"
[parameters]
I_b = {{ value = 0.025, unit = "kg*m^2" }}
I_k = {{ value = 1.2, unit = "kg*m^2" }}
[inputs]
u_x = {{ unit = "N*m" }}
u_y = {{ unit = "N*m" }}
u_z = {{ unit = "N*m" }}
[bodies.ball]
mass = 2
inertia = ["I_b", "I_b", "I_b"]
[bodies.body]
mass = 3
inertia = ["I_k", "I_k", "I_k"]
[joints.base]
type = "free"
parent = "ground"
child = "ball"
coordinates = {{ quaternion = true }}
speeds = {{ kind = "{speeds}", names = ["vx", "vy", "vz", "wx", "wy", "wz"] }}
[joints.wheels]
type = "spherical"
parent = "ball"
child = "body"
coordinates = {{ sequence = "zyx", names = ["yaw", "pitch", "roll"], measured_from = "ground" }}
[loads.motors]
type = "torque"
body = "ball"
reaction = "body"
frame = "body"
value = ["u_x", "u_y", "u_z"]
{rolling}"#
    );
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ballbot.toml");
    std::fs::write(&path, spec).unwrap();
    let loaded = pipeline::load(&path).unwrap_or_else(|e| panic!("{e}"));
    let mut closed = inspect::closed_forms(&loaded.mechanism);
    let view = inspect::View { forms: forms.to_vec(), ..inspect::View::default() };
    report::print_text(&inspect::report(&loaded, Formalism::Kane, &mut closed, None, &view), 100)
}

fn count_lines_of_torques(text: &str) -> usize {
    text.split("  Q₄ = ").nth(1).unwrap().split("  Q₇ = ").next().unwrap().lines().count()
}

#[test]
fn a_ballbot_in_ground_axes_has_its_torques_in_three_lines() {
    let ground = ballbot_report("parent_rates", "", &[]);
    assert_contains(
        &ground,
        &[
            "  Q₄ = cos yaw (u_x cos pitch + sin pitch (u_y sin roll + u_z cos roll))\n       − sin yaw (u_y cos roll − u_z sin roll)\n",
            "  Q₆ = cos pitch (u_y sin roll + u_z cos roll) − u_x sin pitch\n",
        ],
    );
    assert!(
        count_lines_of_torques(&ground) <= 6
            && count_lines_of_torques(&ballbot_report("body_rates", "", &[])) >= 18,
        "{}",
        count_lines_of_torques(&ballbot_report("body_rates", "", &[]))
    );
    // Three of nine speeds are eliminated; the others have equations of their own on request.
    let rolling = "[constraints.floor]\ntype = \"rolling_ball\"\nto = \"ball\"\nradius = \"0.1 [m]\"\ntreatment = \"elimination\"\n";
    let projected = ballbot_report("parent_rates", rolling, &[inspect::Form::Constrained]);
    assert_contains(
        &projected,
        &[
            "projected onto the null space of the constraints, one for each of w_x, w_y, w_z,",
            "  I_b w\u{307}_z = cos pitch (u_y sin roll + u_z cos roll) − u_x sin pitch\n",
        ],
    );
}

#[test]
fn a_note_about_rows_names_them() {
    let loaded = pipeline::load(&data("specs/synchro_drive.toml")).unwrap_or_else(|e| panic!("{e}"));
    let rows = "first_f_across, second_f_across, third_f_across: which of these rows follow from the others depends on the pose";
    let text = report::print_text(&report_by_kane(&loaded), 200);
    assert_contains(&text, &[&format!("1 of 3 rows follows from the others ({rows})")]);
}

#[test]
fn tables_units_laws_axes_and_starts_are_shown() {
    let loaded = pipeline::load(&data("names/letters.toml")).unwrap();
    let text = report::print_text(&report_by_kane(&loaded), 100);
    assert_contains(
        &text,
        &[
            "(torque − curve²(β))",
            "torque − curve²(β)\n",
            "curve  straight lines  (0, 0), (0.1745329252, 1), (0.4, 4),",
            "(1.1, 5) [rad, N·m]\n",
            "resistance  curve(β) [N·m]",
            "height      sin β\n",
            "(prescribed)",
            " = Ω t\n",
            "revolute about −y",
            "revolute about (0, 1, −1)",
            "γ\u{307}       rad/s  10.47197551",
            "γ       rad   20°",
        ],
    );
}

#[test]
fn names_that_would_look_alike_or_like_something_else_stay_as_they_were_written() {
    let loaded = pipeline::load(&data("names/alike.toml")).unwrap();
    let report = report_by_kane(&loaded);
    let text = report::print_text(&report, 100);
    assert_contains(
        &text,
        &[
            "= m x_ddot\n",
            "  3 m x\u{308} − m e sin table₁ table₁¨",
            "= −2 lambda_cam table₁ λ_cam\n",
            "+ gamma_cam + a1 φ − exp(−e) curve(φ) + (a_1 + Phi_cam) table₁\n",
            "  γ_cam = 2 lambda_cam table₁˙² − 0.2 sin t\n",
            "including the multipliers λ of the constraints",
            "sat(torque) = torque limited to [−curve(2), curve(2)] N·m",
            "m x_ddot\n",
            "far    1 − x falls through zero  the motion ends",
        ],
    );
    // Names in the table of parameters are those of the spec.
    for name in ["a1", "a_1", "x_ddot", "Phi_cam", "gamma_cam", "lambda_cam"] {
        assert!(text.lines().any(|l| l.starts_with(&format!("  {name} "))), "{name}\n{text}");
    }
    let latex = report::print_latex(&report);
    assert_contains(
        &latex,
        &[
            r"\text{x\_ddot}",
            r"\text{a1}",
            r"\text{a\_1}",
            r"\lambda_{\mathrm{cam}}",
            r"\exp\left(-\sym{e}\right)",
        ],
    );
    // The multiplier is a symbol, the parameter of the same name is not.
    assert!(latex.contains(r"\text{lambda\_cam} \,  \, \sym{table1} \, \sym{lambda_cam}"), "{latex}");
    assert!(!latex.contains(r"\setsymbol{a1}"), "{latex}");
}

#[test]
fn loads_outputs_and_events_say_what_they_are_about() {
    let text =
        report::print_text(&report_by_kane(&pipeline::load(&data("spec/pass/formulas.toml")).unwrap()), 200);
    assert_contains(&text, &["cart.hook", "ground at (0, 0, 1), cart.hook"]);
}

#[test]
fn forms_with_tables_are_read_back_by_the_names_of_tables() {
    let specs =
        ["names/letters.toml", "spec/pass/formulas.toml", "names/alike.toml", "names/long_forms.toml"];
    for name in specs.into_iter().take(cases_by_tier(2, 4)) {
        let loaded = pipeline::load(&data(name)).unwrap();
        let claims = prove::printed_forms_claims(&loaded).unwrap().claims;
        assert!(
            claims[0]
                .entries
                .iter()
                .any(|entry| ["curve(", "curve²(", "torque(", "t2("].iter().any(|t| entry.contains(t)))
        );
        for claim in claims {
            let decision = prove::decide_claim(claim).unwrap();
            assert!(decision.status() <= Status::Checked, "{name}: {}", decision.title);
        }
    }
}

#[test]
fn emitted_tables_have_the_names_of_the_spec() {
    let loaded = pipeline::load(&data("names/letters.toml")).unwrap();
    let request = pipeline::Request::new(
        Formalism::Kane,
        ["dqdt", "linearize"].into_iter().filter_map(functions::by_name).collect(),
    );
    let program = pipeline::program(&loaded, &request);
    let code = pipeline::rust(&program).unwrap();
    assert_contains(
        &code,
        &["static TABLE_CURVE_KNOTS: [f64; 10]", ".table(&TABLE_CURVE_KNOTS", "&TABLE_CURVE_SLOPE_ROWS"],
    );
}

#[test]
fn lengths_have_letters_and_the_equations_say_what_they_are() {
    let loaded = pipeline::load(&data("names/lines.toml")).unwrap();
    let text = report::print_text(&report_by_kane(&loaded), 100);
    assert_contains(
        &text,
        &[
            "  m l² φ\u{308} + l k x sin φ (1 − l₀/ℓ_brace)",
            "= l (h pull cos φ/ℓ_rope − d x sin φ",
            "+ ell_brace\n",
            "  ℓ_brace = sqrt(l² + x² − 2 l x cos φ)\n  ℓ_rope = sqrt(l² + h² − 2 l h sin φ)\n",
            "tension k (ℓ_brace − l₀) + d",
            "joint wire, along x\u{307}",
            "ell_brace  N ",
        ],
    );
    // The length of a slide is |x|, which needs no symbol, and no definition if nothing has one.
    assert!(!text.contains("ℓ_back ="), "{text}");
    let view = inspect::View { forms: Vec::new(), parts: vec![inspect::Part::Energy] };
    let mut closed = inspect::closed_forms(&loaded.mechanism);
    let energy =
        report::print_text(&inspect::report(&loaded, Formalism::Kane, &mut closed, None, &view), 100);
    assert!(energy.contains("ℓ_brace = sqrt(") && energy.contains("V = "), "{energy}");
    let proved = prove::printed_forms_claims(&loaded).unwrap();
    assert_eq!(proved.missing, 0);
    for claim in proved.claims {
        let title = claim.title.clone();
        let decision = prove::decide_claim(claim).unwrap();
        assert!(decision.status() == Status::Proved, "{title}");
    }
}

#[test]
fn parts_without_formulas_ask_for_no_closed_form_of_a_length() {
    let loaded = pipeline::load(&data("names/lines.toml")).unwrap();
    let view = inspect::View { forms: Vec::new(), parts: vec![inspect::Part::Parameters] };
    let mut requests = 0;
    let report = inspect::report(
        &loaded,
        Formalism::Kane,
        &mut |_: &inspect::Quantities| {
            requests += 1;
            Vec::new()
        },
        None,
        &view,
    );
    let text = report::print_text(&report, 100);
    assert!(requests == 0 && text.contains("l₀") && !text.contains("ℓ_brace"), "{text}");
}

/// Lengths are recognised in every formalism, in energies, and with a quaternion.
#[test]
fn no_root_of_a_length_is_left_by_any_formalism() {
    let specs = ["names/lines", "names/tethered", "spec/pass/robot", "stiff/governor", "measures/pulleys"];
    for name in specs.map(|spec| format!("{spec}.toml")) {
        let loaded = pipeline::load(&data(&name)).unwrap();
        for formalism in Formalism::ALL {
            let q = inspect::record_quantities_with_names(&loaded, formalism);
            assert!(!q.lengths.is_empty(), "{name}");
            for group in q.groups.iter().filter(|g| g.role != inspect::GroupRole::Length) {
                let needed = mark_needed(&q.graph, &group.nodes);
                for i in (0..needed.len()).filter(|i| needed[*i]) {
                    let id = NodeId(i as u32);
                    let arguments = q.graph.node(id);
                    let is_root = arguments.op == Op::Sqrt;
                    // The only remaining root is a magnitude, √(x²).
                    let radicand = arguments.args().first().map(|a| q.graph.node(*a).op);
                    let magnitude = radicand == Some(Op::Mul);
                    assert!(!is_root || magnitude, "{name}, {}: {}", formalism.name(), group.heading);
                }
            }
        }
    }
}

#[test]
fn prescribed_coordinates_and_definitions_are_symbols_of_the_equations() {
    let loaded = pipeline::load(&data("names/crane.toml")).unwrap();
    let text = report::print_text(&report_by_kane(&loaded), 100);
    // A textbook case: a trolley, a rope of length l(t), a load.
    assert_contains(
        &text,
        &[
            "  (m + M) x\u{308} + m l cos θ θ\u{308} + m (2 cos θ θ\u{307} l\u{307} + sin θ (l\u{308} − l θ\u{307}²)) = F − drag\n",
            "  m l cos θ x\u{308} + m l² θ\u{308} + 2 m l θ\u{307} l\u{307} + m g l sin θ = −l drag cos θ\n",
            "  Qₗ = drag sin θ + m (l\u{308} − g cos θ − l θ\u{307}² + sin θ x\u{308})\n",
            "  s = clamp(t/T, 0, 1)\n",
            "  s\u{307} = if(0 < t/T <= 1, 1/T, 0)\n",
            "  l = l₀ − dl s² (3 − 2 s)\n",
            "  l\u{307} = −6 dl s (1 − s) s\u{307}\n",
            "  l\u{308} = −6 dl (1 − 2 s) s\u{307}²\n",
            "  drag = d (x\u{307} + l θ\u{307})\n",
            "  l       m     5      prescribed motion of joint `rope`\n",
            "(−drag, 0, 0), in ground axes",
        ],
    );
    let loaded = pipeline::load(&data("names/hopper.toml")).unwrap();
    let text = report::print_text(&report_by_kane(&loaded), 100);
    assert_contains(
        &text,
        &[
            " = −μ normal slip\n",
            " = −k stretch\n",
            "  normal = if(y < 0, max(kg depth − dg y\u{307}, 0), 0)\n",
            "  slip = x\u{307}/sqrt(x\u{307}² + vs²)\n",
        ],
    );
    // A rate that is a parameter has no symbol of its own.
    let turntable = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/specs/ball_on_turntable.toml");
    let text = report::print_text(&report_by_kane(&pipeline::load(&turntable).unwrap()), 100);
    assert_contains(&text, &["  turn = Ω t\n"]);
    assert!(!text.contains("turn\u{307}"), "{text}");
}

#[test]
fn a_clamp_follows_the_definitions_in_its_argument_and_has_a_letter_of_its_own() {
    let crane = std::fs::read_to_string(data("names/crane.toml")).unwrap();
    let step = crane
        .replace("smooth_step(t, 0, T)", "smooth_step(phase, 0, 1)")
        .replace("[definitions]", "[definitions]\nphase = \"sin(t/T)\"");
    let with_s = step
        .replace("l0 - dl*", "l0 - s*")
        .replace("[parameters]", "[parameters]\ns = { value = 3, unit = \"m\" }");
    for (spec, lines) in [
        (step, ["  phase = sin(t/T)\n", "  s = clamp(phase, 0, 1)\n", "  l = l₀ − dl s² (3 − 2 s)\n"]),
        (with_s, ["  phase = sin(t/T)\n", "  σ = clamp(phase, 0, 1)\n", "  l = l₀ − s σ² (3 − 2 σ)\n"]),
    ] {
        let loaded =
            pipeline::build(&dqdt_codegen::read::parse("crane.toml", &*spec).unwrap(), "crane.toml").unwrap();
        let text = report::print_text(&report_by_kane(&loaded), 100);
        assert_contains(&text, &lines);
        let places: Vec<usize> = lines.iter().map(|line| text.find(line).unwrap()).collect();
        assert!(places.is_sorted(), "{text}");
        for claim in prove::printed_forms_claims(&loaded).unwrap().claims {
            assert_ne!(prove::decide_claim(claim).unwrap().status(), Status::Refuted, "{spec}");
        }
    }
}

#[test]
fn equations_with_names_of_formulas_are_proved_and_another_formula_behind_a_name_is_refuted() {
    for name in ["crane", "hopper"] {
        let loaded = pipeline::load(&data(&format!("names/{name}.toml"))).unwrap();
        let printed = prove::printed_forms_claims(&loaded).unwrap();
        assert_eq!(printed.missing, 0, "{name}");
        assert!(printed.claims.len() >= 3, "{name}");
        for claim in printed.claims {
            let decision = prove::decide_claim(claim).unwrap();
            assert_eq!(decision.status(), Status::Proved, "{name}: {:?}", decision.overall());
        }
    }
    let loaded = pipeline::load(&data("names/crane.toml")).unwrap();
    let mut other = loaded.clone();
    let [length, drag] = &loaded.mechanism.named_formulas[..] else { panic!("two formulas") };
    assert_eq!((length.name.as_str(), drag.name.as_str()), ("l", "drag"));
    let doubled = Formula::Mul(Box::new(Formula::from_integer(2)), Box::new(drag.formula.clone()));
    other.mechanism.named_formulas[1] = NamedFormula { formula: doubled, ..(**drag).clone() }.into();
    let mut claim = prove::printed_forms_claims(&loaded).unwrap().claims.remove(0);
    let wrong = prove::printed_forms_claims(&other).unwrap().claims.remove(0);
    if let (Query::ProveClosed { forms, .. }, Query::ProveClosed { forms: wrong, .. }) =
        (&mut claim.query, wrong.query)
    {
        *forms = wrong;
    }
    assert_eq!(prove::decide_claim(claim).unwrap().status(), Status::Refuted);
}
