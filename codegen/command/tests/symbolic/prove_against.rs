//! Formulas from other sources against the derived ones: misprints are refuted with the difference,
//! corrections proved.
//!
//! `DQDT_BLESS=1` rewrites the expected messages of bad files; read every one of
//! them before committing.
use crate::files::root;
use std::path::PathBuf;

use dqdt_codegen::error::Errors;
use dqdt_codegen::read::{self, Settings};
use dqdt_codegen::spec::Spec;
use dqdt_equations::prove::{self, Decision};
use dqdt_equations::symbolic::{Status, Verdict};

fn example(name: &str, settings: &Settings) -> Spec {
    read::read_with(root("examples/specs").join(name), settings).unwrap()
}

fn snowboarder(n: i64) -> Spec {
    example("families/snowboarder.toml", &Settings::new().set("n", n))
}

fn decide_text(spec: &Spec, name: &str, text: Vec<u8>) -> Result<Decision, Errors> {
    Ok(prove::read_formula_file(spec, name, text)?.equality_claim(name)?.decide().unwrap())
}

fn decide(spec: &Spec, name: &str) -> Decision {
    let text = std::fs::read(root("tests/data/formulas").join(name)).unwrap();
    decide_text(spec, name, text).unwrap_or_else(|e| panic!("{e}"))
}

fn assert_proved(spec: &Spec, name: &str, elements: usize) {
    let decision = decide(spec, name);
    assert_eq!(decision.verdicts.len(), elements, "{name}");
    for (entry, verdict) in decision.entries.iter().zip(&decision.verdicts) {
        assert_eq!(*verdict, Verdict::Proved { inexact: false }, "{name}: {entry}");
    }
}

fn book_formulas(c: &str) -> Vec<u8> {
    format!("[definitions]\nw = \"2*t\"\n[equal]\n\"c[theta]\" = \"{c}\"\n").into_bytes()
}

#[test]
fn rates_of_prescribed_coordinates_have_the_names_of_printed_equations() {
    let spec = read::parse(
        "crane.toml",
        r#"
name = "crane"
gravity = [0, "-g", 0]
[parameters]
g = 9.81
m = 2
[definitions]
phase = "0.3 + 0.1 [1/s]*t"
[bodies.load]
mass = "m"
[joints.rope]
type = "revolute"
axis = "z"
parent = "ground"
child = "link"
coordinates = { names = ["theta"] }
[bodies.link]
mass = 0
[joints.winch]
type = "prismatic"
axis = "-y"
parent = "link"
child = "load"
coordinates = { names = ["l"], prescribed = "1 [m]*(1 + sin(2 [1/s]*t) + 0*phase)" }
"#,
    )
    .unwrap();
    let proof =
        decide_text(&spec, "book", book_formulas("2*m*l*l_dot*theta_dot")).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(proof.verdicts, [Verdict::Proved { inexact: false }]);
    let wrong = decide_text(&spec, "misprint", book_formulas("m*l*l_ddot*theta_dot"))
        .unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(refuted_elements(&wrong).len(), 1);
    assert!(refuted_elements(&wrong)[0].1.contains("cos(2*t)"), "{:?}", refuted_elements(&wrong));
}

/// Refuted elements with the differences shown. Panics if another element is not proved.
fn refuted_elements(decision: &Decision) -> Vec<(&str, &str)> {
    let pairs = decision.entries.iter().zip(&decision.verdicts);
    pairs
        .filter_map(|(entry, verdict)| match verdict {
            Verdict::Proved { .. } => None,
            Verdict::Refuted { difference, witness, .. } => {
                assert!(!witness.is_empty(), "{entry}");
                Some((entry.as_str(), difference.as_str()))
            }
            Verdict::Undecided { .. } => panic!("{entry}: {verdict:?}"),
        })
        .collect()
}

#[test]
fn the_equations_of_the_swing_text_are_proved() {
    assert_proved(&example("swing.toml", &Settings::new()), "swing.toml", 12);
}

#[test]
fn the_corrected_equations_of_the_snowboarder_with_one_link_are_proved() {
    assert_proved(&snowboarder(1), "snowboarder_one_link.toml", 5);
    // The other form of the constraint gives the same reduced equations.
    let tangent = Settings::new().set("n", 1).set("tangent", 1);
    let tangent = example("families/snowboarder.toml", &tangent);
    assert_proved(&tangent, "snowboarder_one_link.toml", 5);
    assert_proved(&tangent, "snowboarder_routh.toml", 5);
    // Its multiplier differs.
    let decision = decide(&snowboarder(1), "snowboarder_routh.toml");
    let names: Vec<&str> = refuted_elements(&decision).iter().map(|r| r.0).collect();
    assert_eq!(names, ["equation[x]", "equation[y]"]);
}

#[test]
fn the_printed_equations_of_the_snowboarder_with_one_link_are_refuted() {
    let decision = decide(&snowboarder(1), "snowboarder_one_link_printed.toml");
    let all = refuted_elements(&decision);
    let names: Vec<&str> = all.iter().map(|r| r.0).collect();
    assert_eq!(names, ["T", "equation[x]", "equation[phi1]", "equation[psi1]"]);
    // The rate of the ski instead of the link's, and the gravity of the leg.
    assert_eq!(all[1].1, "sin(phi0)*x_dot*(m0 + m1)*(phi0_dot - phi1_dot)/cos(phi0)^3");
    assert_eq!(all[2].1, "g1*m1*l1*n1*sin(phi1)*cos(psi1)");
    assert_eq!(all[3].1, "m1*l1*n1*(g2*cos(psi1) + g1*sin(psi1)*cos(phi1))");
}

#[test]
fn formula_7_is_refuted_as_printed_and_proved_as_corrected() {
    for n in 2..=4 {
        let spec = snowboarder(n);
        let pairs = (n * (n - 1) / 2) as usize;
        assert_proved(&spec, "snowboarder_formula7.toml", n as usize + pairs);
        let decision = decide(&spec, "snowboarder_formula7_printed.toml");
        let all = refuted_elements(&decision);
        assert_eq!(all.len(), pairs);
        // The difference is exactly m_j n_j l_i l_j cos(φ_i − φ_j) cos ψ_i cos ψ_j for every j > i.
        let mut expected = Vec::new();
        for i in 1..=n {
            for j in i + 1..=n {
                expected.push((
                    format!("M[phi{i}, phi{j}]"),
                    format!("m{j}*l{i}*l{j}*n{j}*cos(psi{i})*cos(psi{j})*cos(phi{i} - phi{j})"),
                ));
            }
        }
        let actual: Vec<(String, String)> =
            all.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect();
        assert_eq!(actual, expected);
    }
}

#[test]
fn every_block_of_the_indexed_system_is_proved_for_one_to_four_links() {
    for n in 1..=4usize {
        // Number of elements: one half of the symmetric blocks A of φ and B of ψ, both halves of
        // the others, one bias per row.
        let elements = n * (n + 1) + 2 * n * n + 4 * n + 1 + 2 * n + 1;
        assert_proved(&snowboarder(n as i64), "snowboarder_blocks.toml", elements);
    }
}

#[test]
fn a_wrong_sign_anywhere_is_refuted() {
    let text = std::fs::read_to_string(root("tests/data/formulas/snowboarder_blocks.toml")).unwrap();
    let spec = snowboarder(2);
    let (head, equal) = text.split_once("[equal]").unwrap();
    let mut tried = 0;
    for (at, _) in equal.match_indices(" + ") {
        let wrong = format!("{head}[equal]{} - {}", &equal[..at], &equal[at + 3..]);
        let decision = decide_text(&spec, "wrong.toml", wrong.into_bytes()).unwrap();
        assert!(!refuted_elements(&decision).is_empty(), "{:.60}", &equal[at..]);
        tried += 1;
    }
    assert!(tried >= 15, "{tried}");
}

fn slider_formulas(stop: &str, soft: &str) -> Vec<u8> {
    format!("[equal]\n\"Q[x]\" = \"{stop}\"\n\"Q[y]\" = \"{soft}\"\n\"M[x, y]\" = \"2\"\n").into_bytes()
}

#[test]
fn a_choice_in_one_element_leaves_the_others_decided() {
    let spec = read::parse(
        "sliders.toml",
        r#"
name = "sliders"
parameters = { k = 100, gap = 0.1 }
[bodies]
a = { mass = 1 }
b = { mass = 2 }
[joints]
ja = { type = "prismatic", axis = "x", parent = "ground", child = "a", coordinates = { names = ["x"] } }
jb = { type = "prismatic", axis = "x", parent = "a", child = "b", coordinates = { names = ["y"] } }
[loads]
stop = { type = "generalised_force", speed = "x_dot", value = "if(x > gap, -k*(x - gap), 0)" }
soft = { type = "generalised_force", speed = "y_dot", value = "-k*gap*tanh(y/gap)" }
"#,
    )
    .unwrap();
    let known = |stop: &str, soft: &str| -> Vec<Status> {
        let decision =
            decide_text(&spec, "sliders", slider_formulas(stop, soft)).unwrap_or_else(|e| panic!("{e}"));
        decision.verdicts.iter().map(Verdict::status).collect()
    };
    use Status::{Checked, Proved, Refuted};
    let (stop, soft) = ("if(x > gap, -k*(x - gap), 0)", "-k*gap*tanh(y/gap)");
    assert_eq!(known(stop, soft), [Proved, Proved, Proved]);
    assert_eq!(known(stop, "-2*k*gap*tanh(y/gap)"), [Proved, Refuted, Proved]);
    assert_eq!(known("if(x > gap, -k*x, 0)", soft), [Refuted, Proved, Proved]);
    // An equivalent formula: beyond the normal form, but equal.
    assert_eq!(known("-k*max(x - gap, 0)", soft), [Checked, Proved, Proved]);
}

#[test]
fn bad_files_of_formulas_are_refused_in_the_expected_words() {
    let folder = root("tests/data/formulas/fail");
    let mut files: Vec<PathBuf> = std::fs::read_dir(&folder).unwrap().map(|e| e.unwrap().path()).collect();
    files.retain(|p| p.extension().is_some_and(|e| e == "toml"));
    files.sort();
    assert!(files.len() >= 15);
    let mut wrong = Vec::new();
    for path in files {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        // Parsed from text, so that messages contain no folder of this machine.
        let (spec_file, settings) = match name.starts_with("swing") {
            true => ("swing.toml", Settings::new()),
            false => ("families/snowboarder.toml", Settings::new().set("n", 1)),
        };
        let text = std::fs::read(root("examples/specs").join(spec_file)).unwrap();
        let spec = read::parse_with(spec_file, text, &settings).unwrap();
        let text = match decide_text(&spec, &name, std::fs::read(&path).unwrap()) {
            Ok(_) => panic!("{name} is accepted"),
            Err(e) => e.to_string(),
        };
        let text: String = text.trim_end().lines().map(|l| format!("{}\n", l.trim_end())).collect();
        let expected = path.with_extension("expected");
        if std::env::var("DQDT_BLESS").as_deref() == Ok("1") {
            std::fs::write(&expected, text).unwrap();
        } else if std::fs::read_to_string(&expected).unwrap_or_default() != text {
            wrong.push(format!("{name} now says\n{text}"));
        }
    }
    assert!(wrong.is_empty(), "{}\nDQDT_BLESS=1 accepts these", wrong.join("\n"));
}
