//! Formulas in indices for families of mechanisms: inferred, verified for n ≤ 6, or
//! refused with a reason.

use crate::indexed_support::*;
use dqdt_codegen::pipeline;
use dqdt_codegen::read::Settings;
use dqdt_families::indexed::{
    Answer, Base, Missing, Quantity, Range, Site, Stem, find_formulas, find_wrong_entry,
};
use dqdt_families::notation::{Style, formula_math};

fn stem(s: &Stem) -> String {
    format!("{}{}{}", s.prefix, if s.indexed { "*" } else { "" }, s.suffix)
}

/// Name of a block, such as `M phi* psi*`, `c x phi*_dot psi*_dot` or `Q x`.
fn name(q: &Quantity) -> String {
    match q {
        Quantity::Mass { row, column } => format!("M {} {}", stem(row), stem(column)),
        Quantity::Inertial { row, rates } => {
            let rates: Vec<String> = rates.iter().flatten().map(stem).collect();
            format!("c {} {}", stem(row), rates.join(" "))
        }
        Quantity::Applied { row } => format!("Q {}", stem(row)),
        Quantity::Rate { coordinate } => format!("rate {}", stem(coordinate)),
    }
}

/// Name and formula text of each block of the equations of a family.
fn texts(answers: &[Answer]) -> Vec<(String, String)> {
    let text = |a: &Answer| match &a.formula {
        Ok(f) => {
            let parts =
                formula_math(f, &Style::new("n")).into_iter().map(|(math, condition)| match condition {
                    None => math.text(),
                    Some(c) => format!("{}, {}", math.text(), c.text()),
                });
            parts.collect::<Vec<_>>().join("; ")
        }
        Err(e) => format!("missing: {e}"),
    };
    answers.iter().map(|a| (name(&a.quantity), text(a))).collect()
}

/// Checks that every block has a formula verified up to n = 6, and that it equals the
/// expected text where given.
fn assert_formulas(answers: &[Answer], expected: &[(&str, &str)]) {
    let texts = texts(answers);
    for a in answers {
        assert!(a.formula.is_ok(), "{}: {:?}", name(&a.quantity), a.formula);
        assert_eq!(a.verified_up_to, 6);
        assert!(a.inferred_up_to < a.verified_up_to, "nothing was left to check {} on", name(&a.quantity));
    }
    for (block, text) in expected {
        let texts_of_block: Vec<&String> = texts.iter().filter(|t| t.0 == *block).map(|t| &t.1).collect();
        assert_eq!(texts_of_block, [text], "{block} of\n{texts:#?}");
    }
}

#[test]
fn planar_chain_in_absolute_angles() {
    let answers = find_formulas(&members(6, |n| chain(n, true)));
    assert_formulas(
        &answers,
        &[
            (
                "M phi* phi*",
                "(δᵢⱼ Jᵢ + (mⱼ rⱼ^(1+δᵢⱼ) + Σ[k=j+1..n] mₖ) lᵢ lⱼ) cos(φᵢ − φⱼ), i ≤ j, symmetric",
            ),
            ("c phi* phi*_dot phi*_dot", "(mⱼ rⱼ + Σ[k=j+1..n] mₖ) lᵢ lⱼ sin(φᵢ − φⱼ), i < j, antisymmetric"),
            ("Q phi*", "−(mᵢ rᵢ + Σ[k=i+1..n] mₖ) g lᵢ cos φᵢ"),
        ],
    );
}

fn has_running_angle(t: &dqdt_families::indexed::Term) -> bool {
    let angle = t.wave.as_ref().and_then(|w| w.angles[0].range);
    angle.is_some_and(|(from, to)| from != to && matches!(to.base, Base::Run(_)))
}

#[test]
fn planar_chain_in_relative_angles() {
    let answers = find_formulas(&members(6, |n| chain(n, false)));
    assert_formulas(&answers, &[]);
    // Nested sums over cosines of sums of angles.
    let mass = answers.iter().find(|a| name(&a.quantity) == "M q* q*").unwrap();
    let terms = &mass.formula.as_ref().unwrap().parts[0].1;
    assert!(terms.iter().any(|t| t.sums.len() == 3));
    assert!(terms.iter().any(has_running_angle));
}

#[test]
fn equal_rods_have_coefficients_in_the_indices() {
    let answers = find_formulas(&members(6, |n| equal_chain(n, true)));
    assert_formulas(
        &answers,
        &[
            ("M q* q*", "(−1/6 δᵢⱼ + n − j + 1/2) l² m cos(qᵢ − qⱼ), i ≤ j, symmetric"),
            ("c q* q*_dot q*_dot", "(n − j + 1/2) l² m sin(qᵢ − qⱼ), i < j, antisymmetric"),
            ("Q q*", "−(n − i + 1/2) g l m cos qᵢ"),
        ],
    );
}

#[test]
fn pendulums_on_one_cart() {
    let answers = find_formulas(&members(6, pendulums_on_a_cart));
    assert_formulas(
        &answers,
        &[
            ("M x x", "m₀ + Σ[k=1..n] mₖ"),
            ("M x theta*", "mᵢ rᵢ cos θᵢ"),
            ("M theta* theta*", "δᵢⱼ (Jᵢ + mᵢ rᵢ²), i ≤ j, symmetric"),
            ("c x theta*_dot theta*_dot", "−mᵢ rᵢ sin θᵢ"),
        ],
    );
}

#[test]
fn arms_on_a_hub() {
    let answers = find_formulas(&members(6, star));
    assert_formulas(
        &answers,
        &[
            ("M x q*", "−mᵢ rᵢ sin(q₀ + qᵢ)"),
            ("M q0 q*", "Jᵢ + mᵢ rᵢ² + aᵢ mᵢ rᵢ cos qᵢ + bᵢ mᵢ rᵢ sin qᵢ"),
            ("M q* q*", "δᵢⱼ (Jᵢ + mᵢ rᵢ²), i ≤ j, symmetric"),
            ("M x q0", "−(Σ[k=1..n] aₖ mₖ) sin q₀ − (Σ[k=1..n] bₖ mₖ) cos q₀ − Σ[k=1..n] mₖ rₖ sin(q₀ + qₖ)"),
        ],
    );
}

fn formulas_of_example(name: &str) -> Vec<Answer> {
    let path = format!("{}/../../examples/specs/families/{name}.toml", env!("CARGO_MANIFEST_DIR"));
    find_formulas(&members(6, |n| {
        pipeline::load_with(path.as_ref(), &Settings::new().set("n", n)).unwrap().mechanism
    }))
}

/// The example families have formulas, except the tree: the grammar has none for it, and a
/// counterexample is reported.
#[test]
fn families_of_the_examples() {
    // A minus sign before a sum needs brackets.
    let hub = "−(Σ[k=1..n] lₖ mₖ sin(θ + γₖ + qₖ) + r Σ[k=1..n] mₖ sin(θ + γₖ))";
    assert_formulas(
        &formulas_of_example("star"),
        &[("M x theta", hub), ("M x q*", "−lᵢ mᵢ sin(θ + γᵢ + qᵢ)")],
    );
    assert_formulas(&formulas_of_example("chain"), &[]);
    assert_formulas(
        &formulas_of_example("chain_absolute"),
        &[("Q theta*", "−(1/2 mᵢ + Σ[k=i+1..n] mₖ) g lᵢ cos θᵢ")],
    );
    assert_formulas(
        &formulas_of_example("snowboarder_edge"),
        &[("M phi0 phi0", "I₀"), ("rate y", "x\u{307} tan φ₀")],
    );
    let tree = formulas_of_example("binary_tree");
    let first = Some(Site { n: 3, i: 1, j: 1 });
    assert_eq!(tree[0].formula, Err(Missing::NoPattern { upto: 6, counterexample: first }));
}

/// Every block A…P of the snowboarder's system with n links and ẏ eliminated; G
/// includes its factor two.
#[test]
fn snowboarder() {
    let answers = find_formulas(&members(6, crate::indexed_support::snowboarder));
    let mu = "(mₕ nₕ + Σ[k=h+1..n] mₖ) lᵢ lⱼ";
    let mu_diagonal = "(mₕ nₕ^(1+δᵢⱼ) + Σ[k=h+1..n] mₖ) lᵢ lⱼ";
    let nu = "(mᵢ nᵢ + Σ[k=i+1..n] mₖ) lᵢ";
    let mass = "(m₀ + Σ[k=1..n] mₖ)";
    let blocks: Vec<(&str, String)> = vec![
        (
            "M phi* phi*",
            "(δᵢⱼ Iᵢ + (mⱼ nⱼ^(1+δᵢⱼ) + Σ[k=j+1..n] mₖ) lᵢ lⱼ) cos(φᵢ − φⱼ) cos ψᵢ cos ψⱼ, i ≤ j, symmetric"
                .into(),
        ),
        ("M phi* psi*", format!("{mu} sin(φᵢ − φⱼ) cos ψᵢ sin ψⱼ, h = max(i, j)")),
        (
            "M psi* psi*",
            "(mⱼ nⱼ^(1+δᵢⱼ) + Σ[k=j+1..n] mₖ) lᵢ lⱼ (cos(φᵢ − φⱼ) sin ψᵢ sin ψⱼ + cos ψᵢ cos ψⱼ) + δᵢⱼ Iᵢ, \
             i ≤ j, symmetric"
                .into(),
        ),
        ("M x phi*", format!("−{nu} cos ψᵢ (sin φᵢ − tan φ₀ cos φᵢ)")),
        ("M x psi*", format!("−{nu} sin ψᵢ (cos φᵢ + tan φ₀ sin φᵢ)")),
        ("M x x", format!("{mass} sec² φ₀")),
        ("M phi0 phi0", "I₀".into()),
        (
            "c phi* phi*_dot phi*_dot",
            "(mⱼ nⱼ + Σ[k=j+1..n] mₖ) lᵢ lⱼ sin(φᵢ − φⱼ) cos ψᵢ cos ψⱼ, i < j, antisymmetric".into(),
        ),
        (
            "c psi* phi*_dot phi*_dot",
            format!("(δᵢⱼ Iᵢ + {mu_diagonal}) cos(φᵢ − φⱼ) cos ψⱼ sin ψᵢ, h = max(i, j)"),
        ),
        ("c x phi*_dot phi*_dot", format!("−{nu} cos ψᵢ (cos φᵢ + tan φ₀ sin φᵢ)")),
        (
            "c phi* psi*_dot psi*_dot",
            "(mⱼ nⱼ + Σ[k=j+1..n] mₖ) lᵢ lⱼ sin(φᵢ − φⱼ) cos ψᵢ cos ψⱼ, i < j, antisymmetric".into(),
        ),
        (
            "c psi* psi*_dot psi*_dot",
            format!("−{mu} (cos ψᵢ sin ψⱼ − cos(φᵢ − φⱼ) cos ψⱼ sin ψᵢ), h = max(i, j)"),
        ),
        ("c x psi*_dot psi*_dot", format!("−{nu} cos ψᵢ (cos φᵢ + tan φ₀ sin φᵢ)")),
        (
            "c phi* phi*_dot psi*_dot",
            format!("−2 (δᵢⱼ Iᵢ + {mu_diagonal}) cos(φᵢ − φⱼ) cos ψᵢ sin ψⱼ, h = max(i, j)"),
        ),
        (
            "c psi* phi*_dot psi*_dot",
            "2 (mⱼ nⱼ + Σ[k=j+1..n] mₖ) lᵢ lⱼ sin(φᵢ − φⱼ) sin ψᵢ sin ψⱼ, i < j, antisymmetric".into(),
        ),
        ("c x phi*_dot psi*_dot", format!("2 {nu} sin ψᵢ (sin φᵢ − tan φ₀ cos φᵢ)")),
        ("c phi* phi0_dot x_dot", format!("{nu} sec² φ₀ cos φᵢ cos ψᵢ")),
        ("c psi* phi0_dot x_dot", format!("−{nu} sec² φ₀ sin φᵢ sin ψᵢ")),
        ("c x phi0_dot x_dot", format!("{mass} tan φ₀ sec² φ₀")),
        ("Q phi*", "−(mᵢ nᵢ + Σ[k=i+1..n] mₖ) g₁ lᵢ cos ψᵢ sin φᵢ".into()),
        ("Q psi*", format!("−{nu} (g₁ cos φᵢ sin ψᵢ + g₂ cos ψᵢ)")),
        ("Q x", format!("{mass} g₁")),
        ("rate y", "x\u{307} tan φ₀".into()),
    ];
    let blocks: Vec<(&str, &str)> = blocks.iter().map(|(n, t)| (*n, t.as_str())).collect();
    assert_formulas(&answers, &blocks);
}

#[test]
fn formula_seven_reads_as_people_write_it() {
    let answers = find_formulas(&members(6, crate::indexed_support::snowboarder));
    let a = answers.iter().find(|a| name(&a.quantity) == "M phi* phi*").unwrap();
    let (math, condition) = formula_math(a.formula.as_ref().unwrap(), &Style::new("n")).remove(0);
    assert_eq!(
        math.latex(),
        r"\left(\delta_{i j} I_{i} + \left(m_{j} n_{j}^{1+\delta_{i j}} + \sum_{k=j+1}^{n} m_{k}\right) l_{i} l_{j}\right) \cos\left(\phi_{i} - \phi_{j}\right) \cos \psi_{i} \cos \psi_{j}"
    );
    assert_eq!(condition.unwrap().latex(), r"i \le j,\ \text{symmetric}");
    for tag in ["mrow", "msub", "msup", "munderover", "mi", "mo", "mn"] {
        let open = math.mathml().matches(&format!("<{tag}>")).count()
            + math.mathml().matches(&format!("<{tag} ")).count();
        assert_eq!(open, math.mathml().matches(&format!("</{tag}>")).count(), "{tag}");
    }
}

fn has_stem_n(f: &dqdt_families::indexed::Factor) -> bool {
    f.symbol.stem.prefix == "n"
}

fn formula_terms(a: &Answer) -> Vec<dqdt_families::indexed::Term> {
    a.formula.clone().unwrap().parts[0].1.clone()
}

/// Refuses the formula as misprinted in the paper (without the link's own share off the diagonal)
/// and other nearly correct ones, each at the smallest element that differs.
#[test]
fn wrong_formulas_are_refused() {
    let members = members(6, crate::indexed_support::snowboarder);
    let mut answers = find_formulas(&members);
    let at = answers.iter().position(|a| name(&a.quantity) == "M phi* phi*").unwrap();
    assert_eq!(find_wrong_entry(&members, &answers[at]), Ok(None));
    let right = answers[at].clone();

    let mut printed = formula_terms(&right);
    printed.iter_mut().filter(|t| t.factors.iter().any(has_stem_n)).for_each(|t| {
        let mut delta = dqdt_families::indexed::Delta::DIAGONAL;
        std::mem::swap(&mut delta.a, &mut delta.b);
        t.deltas.push(delta);
    });
    let mut short = formula_terms(&right);
    short.iter_mut().filter(|t| !t.sums.is_empty()).for_each(|t| t.sums[0].from.offset += 1);
    let mut flat = formula_terms(&right);
    flat.iter_mut().flat_map(|t| &mut t.factors).for_each(|f| f.diagonal_exponent = 0);
    let first = [Site { n: 2, i: 1, j: 2 }, Site { n: 2, i: 1, j: 1 }, Site { n: 1, i: 1, j: 1 }];
    for (wrong, first) in [printed, short, flat].into_iter().zip(first) {
        answers[at].formula.as_mut().unwrap().parts = vec![(Range::Symmetric, wrong)];
        assert_eq!(find_wrong_entry(&members, &answers[at]), Ok(Some(first)));
    }
}

/// A chain whose masses follow no formula (1, 4, 9, 16, 25, 49 kg) is reported as such.
#[test]
fn a_family_without_a_formula_says_so() {
    let members = members(6, lawless_chain);
    let answers = find_formulas(&members);
    let answer_for = |block: &str| answers.iter().find(|a| name(&a.quantity) == block).unwrap();
    let mass = answer_for("M q* q*").formula.clone().unwrap_err();
    assert!(matches!(mass, Missing::NoPattern { upto: 6, counterexample: Some(_) }), "{mass:?}");
    assert!(
        mass.to_string()
            .starts_with("no formula of the grammar matches the members up to n = 6; the formula")
    );
    // The rates still equal the speeds.
    assert!(answer_for("rate q*").is_identity_rate());
}

#[test]
fn the_same_family_gives_the_same_formulas() {
    let once = texts(&find_formulas(&members(6, star)));
    assert_eq!(once, texts(&find_formulas(&members(6, star))));
}
