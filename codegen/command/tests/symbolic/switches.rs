//! Formulas that differ only beyond a limit, a knot or a condition: none of them
//! is proved or checked.
//!
//! `DQDT_SWITCH_MUTANTS=500` sets their number; by default some dozens.
use crate::files::case_path;

use dqdt_codegen::pipeline;
use dqdt_codegen::read;
use dqdt_codegen::spec::Spec;
use dqdt_diagnostics::base::Random;
use dqdt_equations::prove::{self, Decision};
use dqdt_equations::symbolic::{Status, Verdict};

fn decide(spec: &Spec, text: impl Into<Vec<u8>>) -> Decision {
    let against = prove::read_formula_file(spec, "formulas.toml", text).unwrap_or_else(|e| panic!("{e}"));
    against.equality_claim("formulas").unwrap_or_else(|e| panic!("{e}")).decide().unwrap()
}

/// A random switching value between 1e-3 and 1e6 with three digits.
fn draw_value(random: &mut Random) -> f64 {
    let text = format!("{:.2e}", 10f64.powf(-3.0 + 9.0 * random.next_between(0.0, 1.0)));
    text.parse().unwrap()
}

/// `x` changed by at least a thousandth.
fn perturbed(random: &mut Random, x: f64) -> f64 {
    let by = 10f64.powf(-3.0 + 3.0 * random.next_between(0.0, 1.0));
    let factor = if random.next_between(0.0, 1.0) < 0.5 { 1.0 + by } else { 1.0 / (1.0 + by) };
    format!("{:.6e}", x * factor).parse().unwrap()
}

/// The load of a slide, an equivalent formula, a wrong one (mutant), and the tables that they call.
struct LoadFormulas {
    tables: String,
    load_formula: String,
    same: String,
    mutant: String,
}

fn curve_table(name: &str, x: [f64; 4], y: [f64; 4]) -> String {
    format!("[tables.{name}]\nx = {x:?}\ny = {y:?}\ninterpolation = \"linear\"\n")
}

fn draw_formulas(kind: usize, random: &mut Random) -> LoadFormulas {
    let (s, r) = (draw_value(random), draw_value(random));
    let other = perturbed(random, s);
    let none = String::new();
    let (x, y) = ([-s, 0.0, s, 3.0 * s], [-1.0, 0.5, 2.0, 1.0]);
    match kind {
        // Mutates a limit.
        0 => LoadFormulas {
            tables: none,
            load_formula: format!("-k*clamp(x_dot, -{s}, {s})"),
            same: format!("-k*max(min(x_dot, {s}), -{s})"),
            mutant: format!("-k*clamp(x_dot, -{s}, {other})"),
        },
        // Mutates a limit of a smooth step.
        1 => LoadFormulas {
            tables: none,
            load_formula: format!("k*smooth_step(x, {s}, {})", 2.0 * s),
            same: format!("k*(3 - 2*clamp((x - {s})/{s} [m], 0, 1))*clamp((x - {s})/{s} [m], 0, 1)^2"),
            mutant: format!("k*smooth_step(x, {}, {})", s / 2.0, 2.0 * s),
        },
        // Mutates a knot of a table.
        2 => {
            let place = (random.next_between(0.0, 1.0) * 4.0) as usize;
            let mut moved = x;
            moved[place] += 0.3 * s * (random.next_between(0.0, 1.0) + 0.01);
            LoadFormulas {
                tables: [
                    curve_table("curve", x, y),
                    curve_table("other", moved, y),
                    curve_table("copy", x, y),
                ]
                .concat(),
                load_formula: "k*curve(x) + c*x_dot".into(),
                same: "c*x_dot - (-k)*copy(x)".into(),
                mutant: "k*other(x) + c*x_dot".into(),
            }
        }
        // Mutates a value of a table.
        3 => {
            let place = (random.next_between(0.0, 1.0) * 4.0) as usize;
            let mut moved = y;
            moved[place] = perturbed(random, y[place]);
            LoadFormulas {
                tables: [
                    curve_table("curve", x, y),
                    curve_table("other", x, moved),
                    curve_table("copy", x, y),
                ]
                .concat(),
                load_formula: "k*curve(x)*abs(x_dot)".into(),
                same: "k*max(x_dot, -x_dot)*copy(x)".into(),
                mutant: "k*other(x)*abs(x_dot)".into(),
            }
        }
        // Mutates a comparison operator.
        4 => LoadFormulas {
            tables: none,
            load_formula: format!("if(x > {s}, -k*(x - {s}), 0)"),
            same: format!("-k*max(x - {s}, 0)"),
            mutant: format!("if(x < {s}, -k*(x - {s}), 0)"),
        },
        // Mutates the sign of a branch.
        5 => LoadFormulas {
            tables: none,
            load_formula: format!("if(x > {s}, -k*(x - {s}), 0)"),
            same: format!("if(x - {s} <= 0, 0, k*({s} - x))"),
            mutant: format!("if(x > {s}, k*(x - {s}), 0)"),
        },
        // Mutates the threshold of a jump.
        6 => LoadFormulas {
            tables: none,
            load_formula: format!("if(k*x > {s}, 1, c*x_dot)"),
            same: format!("if({s} - k*x < 0, 1, c*x_dot)"),
            mutant: format!("if(k*x > {other}, 1, c*x_dot)"),
        },
        // Mutates a limit inside a branch.
        _ => {
            let inner = perturbed(random, r);
            LoadFormulas {
                tables: none,
                load_formula: format!("if(x > {s}, c*min(x_dot, {r}), d*x)"),
                same: format!("if(x <= {s}, d*x, c*(x_dot + {r} - abs(x_dot - {r}))/2)"),
                mutant: format!("if(x > {s}, c*min(x_dot, {inner}), d*x)"),
            }
        }
    }
}

#[test]
fn mutants_of_limits_knots_signs_and_tables_are_refuted() {
    let count = std::env::var("DQDT_SWITCH_MUTANTS").ok().and_then(|n| n.parse().ok()).unwrap_or(40);
    let mut random = Random::new(42);
    let (mut refuted, mut equal) = (0, 0);
    let mut wrong = Vec::new();
    for i in 0..count {
        let LoadFormulas { tables, load_formula, same, mutant } = draw_formulas(i % 8, &mut random);
        let text = format!(
            "name = \"slide\"\nparameters = {{ k = 3, c = 2, d = 5 }}\nbodies = {{ b = {{ mass = 1 }} }}\n[joints.s]\ntype = \"prismatic\"\n\
             axis = \"x\"\nparent = \"ground\"\nchild = \"b\"\ncoordinates = {{ names = [\"x\"] }}\n[loads.f]\n\
             type = \"generalised_force\"\nspeed = \"x_dot\"\nvalue = \"{load_formula}\"\n{tables}"
        );
        let spec = read::parse("slide.toml", text).unwrap_or_else(|e| panic!("{e}"));
        let status = |formula: &str| {
            let decision = decide(&spec, format!("[equal]\n\"Q[x]\" = \"{formula}\"\n"));
            (decision.status(), decision.verdicts)
        };
        let (of_same, of_mutant) = (status(&same), status(&mutant));
        equal += usize::from(of_same.0 <= Status::Checked);
        refuted += usize::from(of_mutant.0 == Status::Refuted);
        if of_same.0 > Status::Checked {
            println!("{load_formula} = {same}: {:?}", of_same.1);
        }
        if of_mutant.0 < Status::Refuted {
            println!("{load_formula} = {mutant}: {:?}", of_mutant.1);
        }
        if of_same.0 == Status::Refuted || of_mutant.0 <= Status::Checked {
            wrong.push((load_formula, same, mutant));
        }
    }
    println!("{refuted} of {count} mutants refuted, {equal} of {count} others proved or checked");
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(10 * refuted >= 9 * count && 10 * equal >= 9 * count, "{refuted} and {equal} of {count}");
}

#[test]
fn a_limit_left_out_is_refuted() {
    let spec = read::read(case_path("prove_sat.toml")).unwrap();
    let decision = decide(&spec, std::fs::read(case_path("prove_sat_against.toml")).unwrap());
    assert_eq!(decision.status(), Status::Refuted);
    // An equivalent of the right formula.
    let right = "[equal]\n\"Q[x]\" = \"-k*min(max(x_dot, -3 [m/s]), 3 [m/s])\"\n";
    assert!(decide(&spec, right).status() <= Status::Checked);
}

#[test]
fn a_switch_with_one_side_is_named() {
    let spec = read::read(case_path("prove_sat.toml")).unwrap();
    // x² + 1 has no sign change, so no test point lies on the other side of its switch.
    let formula = "-k*clamp(x_dot, -3 [m/s], 3 [m/s]) + k*(x_dot + abs(x_dot^2 + 1)/1 [m/s] - (x_dot^2 + 1)/1 [m/s] - x_dot)";
    let decision = decide(&spec, format!("[equal]\n\"Q[x]\" = \"{formula}\"\n"));
    assert_eq!(decision.status(), Status::Undecided);
    let Verdict::Undecided { uncrossed: Some(switch), .. } = decision.overall() else { panic!() };
    assert!(switch.contains("x_dot"), "{switch}");
}

#[test]
fn a_random_point_on_a_knot_refutes_nothing() {
    // Random points have simple values: `t` is 1 or 2 at some of them, the knots of this drive.
    let loaded = pipeline::load(&case_path("prove_knots.toml")).unwrap();
    let claim = prove::mechanism_claims(&loaded).unwrap().remove(0);
    assert!(claim.title.contains("Lagrange's"), "{}", claim.title);
    let decision = prove::decide_claim(claim).unwrap();
    assert_eq!(decision.status(), Status::Checked, "{:?}", decision.verdicts);
}

#[test]
fn an_equality_without_elements_is_refused() {
    let spec = read::read(case_path("prove_sat.toml")).unwrap();
    for text in ["[equal]\n", "[repeat]\nn = 0\ni = \"1 to n\"\n[equal]\n\"Q[x{i}]\" = \"1\"\n"] {
        let message = prove::read_formula_file(&spec, "formulas.toml", text).unwrap_err().to_string();
        assert!(message.contains("error[nothing-claimed]"), "{message}");
    }
}

#[test]
fn a_power_of_a_power_ends_at_the_bound_of_work() {
    let spec = read::read(case_path("prove_powpow.toml")).unwrap();
    let decision = decide(&spec, "[equal]\n\"Q[q]\" = \"k*((q*k + k)^50)^50\"\n");
    assert_eq!(decision.status(), Status::Checked, "{:?}", decision.verdicts);
}
