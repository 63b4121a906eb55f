use crate::{EntryVerdict, compare_lagrange_equations};
use dqdt_equations::symbolic::LagrangeTexts;

/// Energies and equations, as texts, of a test mechanism with one coordinate whose rate is its
/// speed.
fn one_coordinate_texts(kinetic: &str, potential: &str, mass: &str, bias: &str) -> LagrangeTexts {
    LagrangeTexts {
        coordinates: one_text("q0"),
        rates: one_text("r0"),
        speeds: one_text("v0"),
        time: "t".to_owned(),
        quaternions: Vec::new(),
        kinetic: kinetic.to_owned(),
        potential: potential.to_owned(),
        map: one_text("1"),
        drift: one_text("0"),
        mass: one_text(mass),
        bias: one_text(bias),
        forces: one_text("0"),
    }
}

fn one_text(text: &str) -> Vec<String> {
    vec![text.to_owned()]
}

fn to_strings(all: &[&str]) -> Vec<String> {
    all.iter().map(|t| (*t).to_owned()).collect()
}

/// Names of a letter with the numbers from 0 on, such as `q0`, `q1`.
fn numbered_names(letter: &str, n: usize) -> Vec<String> {
    (0..n).map(|i| format!("{letter}{i}")).collect()
}

/// Texts of a pendulum with this text of its bias.
fn pendulum_texts(bias: &str) -> LagrangeTexts {
    one_coordinate_texts("p0*p1^2*r0^2/2", "-p0*p2*p1*cos(q0)", "p0*p1^2", bias)
}

/// Texts of a bead whose kinetic energy needs `sin² + cos² = 1`, with this text of its bias.
fn bead_texts(bias: &str) -> LagrangeTexts {
    one_coordinate_texts("p0*(1+sin(q0)^2)*r0^2/2", "0", "p0*(2-cos(q0)^2)", bias)
}

/// Verdicts of Symbolica on the first entries of M and c − Q.
fn first_verdicts(texts: LagrangeTexts) -> (EntryVerdict, EntryVerdict) {
    let verdicts = compare_lagrange_equations(&texts).unwrap();
    (verdicts.mass[0].clone(), verdicts.bias[0].clone())
}

/// A single test function: without a licence Symbolica runs on one thread only.
#[test]
fn hand_written_equations_are_decided() {
    assert_eq!(
        first_verdicts(pendulum_texts("p0*p2*p1*sin(q0)")),
        (EntryVerdict::Equal, EntryVerdict::Equal)
    );
    let (mass, bias) = first_verdicts(pendulum_texts("-p0*p2*p1*sin(q0)"));
    assert_eq!(mass, EntryVerdict::Equal);
    assert!(matches!(&bias, EntryVerdict::Different { numerator } if numerator.contains("p0")), "{bias:?}");

    // M depends on q: c = ½ M′ v².
    assert_eq!(first_verdicts(bead_texts("p0*sin(2*q0)*v0^2/2")).1, EntryVerdict::Equal);
    assert!(matches!(first_verdicts(bead_texts("p0*sin(2*q0)*v0^2")).1, EntryVerdict::Different { .. }));

    // A moving support: T depends on time, so ∂p/∂t counts.
    let moved = one_coordinate_texts("p0*(r0+p1*cos(t))^2/2", "0", "p0", "-p0*p1*sin(t)");
    assert_eq!(first_verdicts(moved), (EntryVerdict::Equal, EntryVerdict::Equal));

    // A spring between two points: the square root of a cosine.
    let spring = "p0*(sqrt(p1^2+p2^2-2*p1*p2*cos(q0))-p3)^2/2";
    let force = "p0*p1*p2*sin(q0)*(1-p3/sqrt(p1^2+p2^2-2*p1*p2*cos(q0)))";
    assert_eq!(
        first_verdicts(one_coordinate_texts("r0^2/2", spring, "1", force)),
        (EntryVerdict::Equal, EntryVerdict::Equal)
    );
    let other = first_verdicts(one_coordinate_texts("r0^2/2", spring, "1", "p0*p1*p2*sin(q0)"));
    assert!(matches!(other.1, EntryVerdict::Open { .. }), "{other:?}");

    // Sines of numbers are not independent: 2 sin(1/2) cos(1/2) = sin(1).
    let numbers = first_verdicts(one_coordinate_texts("r0^2/2", "2*sin(1/2)*cos(1/2)*q0", "1", "sin(1)")).1;
    assert!(
        matches!(&numbers, EntryVerdict::Open { reason } if reason.contains("is a number")),
        "{numbers:?}"
    );

    // A speed that is not the rate: q̇ = 2 v.
    let doubled =
        LagrangeTexts { map: vec!["2".to_owned()], ..one_coordinate_texts("r0^2/2", "q0^2", "4", "4*q0") };
    assert_eq!(first_verdicts(doubled), (EntryVerdict::Equal, EntryVerdict::Equal));

    // A sphere whose attitude is a unit quaternion: M is I (e₀² + e₁² + e₂² + e₃²).
    let mut map = to_strings(&["-q1", "-q2", "-q3", "q0", "-q3", "q2", "q3", "q0", "-q1", "-q2", "q1", "q0"]);
    map.iter_mut().for_each(|entry| *entry = format!("({entry})/2"));
    let sphere = LagrangeTexts {
        coordinates: numbered_names("q", 4),
        rates: numbered_names("r", 4),
        speeds: numbered_names("v", 3),
        quaternions: vec![["q0", "q1", "q2", "q3"].map(str::to_owned)],
        map,
        drift: to_strings(&["0"; 4]),
        mass: to_strings(&["p0", "0", "0", "0", "p0", "0", "0", "0", "p0"]),
        bias: to_strings(&["0"; 3]),
        forces: to_strings(&["0"; 3]),
        ..one_coordinate_texts("2*p0*(r0^2+r1^2+r2^2+r3^2)", "0", "", "")
    };
    let verdicts_on_sphere = compare_lagrange_equations(&sphere).unwrap();
    assert!(verdicts_on_sphere.mass.iter().all(|a| *a == EntryVerdict::Equal), "{verdicts_on_sphere:?}");
    assert!(verdicts_on_sphere.bias.iter().all(|a| *a == EntryVerdict::Equal), "{verdicts_on_sphere:?}");
    let longer = compare_lagrange_equations(&LagrangeTexts { quaternions: Vec::new(), ..sphere }).unwrap();
    assert!(matches!(longer.mass[0], EntryVerdict::Different { .. }));

    let failed =
        compare_lagrange_equations(&one_coordinate_texts("r0^2/", "0", "1", "0")).unwrap_err().to_string();
    assert!(failed.contains("`r0^2/`"), "{failed}");
    let tangent = first_verdicts(one_coordinate_texts("r0^2/2", "tan(q0)", "1", "0")).1;
    assert!(
        matches!(&tangent, EntryVerdict::Open { reason } if reason.contains("the function")),
        "{tangent:?}"
    );
}
