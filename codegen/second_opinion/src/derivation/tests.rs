use crate::{EntryVerdict, lagrange};
use dqdt_equations::symbolic::LagrangeTexts;

/// Energies and equations, as texts, of a test mechanism with one coordinate whose rate is its
/// speed.
fn texts_of_one_coordinate(kinetic: &str, potential: &str, mass: &str, bias: &str) -> LagrangeTexts {
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

fn texts(all: &[&str]) -> Vec<String> {
    all.iter().map(|t| (*t).to_owned()).collect()
}

/// Names of a letter with the numbers from 0 on, such as `q0`, `q1`.
fn names(letter: &str, n: usize) -> Vec<String> {
    (0..n).map(|i| format!("{letter}{i}")).collect()
}

/// Texts of a pendulum with this text of its bias.
fn pendulum(bias: &str) -> LagrangeTexts {
    texts_of_one_coordinate("p0*p1^2*r0^2/2", "-p0*p2*p1*cos(q0)", "p0*p1^2", bias)
}

/// Texts of a bead whose kinetic energy needs `sin² + cos² = 1`, with this text of its bias.
fn bead(bias: &str) -> LagrangeTexts {
    texts_of_one_coordinate("p0*(1+sin(q0)^2)*r0^2/2", "0", "p0*(2-cos(q0)^2)", bias)
}

/// Verdicts of Symbolica on the first entries of M and c − Q.
fn verdicts(texts: LagrangeTexts) -> (EntryVerdict, EntryVerdict) {
    let verdicts = lagrange(&texts).unwrap();
    (verdicts.mass[0].clone(), verdicts.bias[0].clone())
}

/// A single test function: without a licence Symbolica runs on one thread only.
#[test]
fn hand_written_equations_are_decided() {
    assert_eq!(verdicts(pendulum("p0*p2*p1*sin(q0)")), (EntryVerdict::Equal, EntryVerdict::Equal));
    let (mass, bias) = verdicts(pendulum("-p0*p2*p1*sin(q0)"));
    assert_eq!(mass, EntryVerdict::Equal);
    assert!(matches!(&bias, EntryVerdict::Different { numerator } if numerator.contains("p0")), "{bias:?}");

    // M depends on q: c = ½ M′ v².
    assert_eq!(verdicts(bead("p0*sin(2*q0)*v0^2/2")).1, EntryVerdict::Equal);
    assert!(matches!(verdicts(bead("p0*sin(2*q0)*v0^2")).1, EntryVerdict::Different { .. }));

    // A moving support: T depends on time, so ∂p/∂t counts.
    let moved = texts_of_one_coordinate("p0*(r0+p1*cos(t))^2/2", "0", "p0", "-p0*p1*sin(t)");
    assert_eq!(verdicts(moved), (EntryVerdict::Equal, EntryVerdict::Equal));

    // A spring between two points: the square root of a cosine.
    let spring = "p0*(sqrt(p1^2+p2^2-2*p1*p2*cos(q0))-p3)^2/2";
    let force = "p0*p1*p2*sin(q0)*(1-p3/sqrt(p1^2+p2^2-2*p1*p2*cos(q0)))";
    assert_eq!(
        verdicts(texts_of_one_coordinate("r0^2/2", spring, "1", force)),
        (EntryVerdict::Equal, EntryVerdict::Equal)
    );
    let other = verdicts(texts_of_one_coordinate("r0^2/2", spring, "1", "p0*p1*p2*sin(q0)"));
    assert!(matches!(other.1, EntryVerdict::Open { .. }), "{other:?}");

    // Sines of numbers are not independent: 2 sin(1/2) cos(1/2) = sin(1).
    let numbers = verdicts(texts_of_one_coordinate("r0^2/2", "2*sin(1/2)*cos(1/2)*q0", "1", "sin(1)")).1;
    assert!(
        matches!(&numbers, EntryVerdict::Open { reason } if reason.contains("is a number")),
        "{numbers:?}"
    );

    // A speed that is not the rate: q̇ = 2 v.
    let doubled =
        LagrangeTexts { map: vec!["2".to_owned()], ..texts_of_one_coordinate("r0^2/2", "q0^2", "4", "4*q0") };
    assert_eq!(verdicts(doubled), (EntryVerdict::Equal, EntryVerdict::Equal));

    // A sphere whose attitude is a unit quaternion: M is I (e₀² + e₁² + e₂² + e₃²).
    let mut map = texts(&["-q1", "-q2", "-q3", "q0", "-q3", "q2", "q3", "q0", "-q1", "-q2", "q1", "q0"]);
    map.iter_mut().for_each(|entry| *entry = format!("({entry})/2"));
    let sphere = LagrangeTexts {
        coordinates: names("q", 4),
        rates: names("r", 4),
        speeds: names("v", 3),
        quaternions: vec![["q0", "q1", "q2", "q3"].map(str::to_owned)],
        map,
        drift: texts(&["0"; 4]),
        mass: texts(&["p0", "0", "0", "0", "p0", "0", "0", "0", "p0"]),
        bias: texts(&["0"; 3]),
        forces: texts(&["0"; 3]),
        ..texts_of_one_coordinate("2*p0*(r0^2+r1^2+r2^2+r3^2)", "0", "", "")
    };
    let verdicts_on_sphere = lagrange(&sphere).unwrap();
    assert!(verdicts_on_sphere.mass.iter().all(|a| *a == EntryVerdict::Equal), "{verdicts_on_sphere:?}");
    assert!(verdicts_on_sphere.bias.iter().all(|a| *a == EntryVerdict::Equal), "{verdicts_on_sphere:?}");
    let longer = lagrange(&LagrangeTexts { quaternions: Vec::new(), ..sphere }).unwrap();
    assert!(matches!(longer.mass[0], EntryVerdict::Different { .. }));

    let failed = lagrange(&texts_of_one_coordinate("r0^2/", "0", "1", "0")).unwrap_err().to_string();
    assert!(failed.contains("`r0^2/`"), "{failed}");
    let tangent = verdicts(texts_of_one_coordinate("r0^2/2", "tan(q0)", "1", "0")).1;
    assert!(
        matches!(&tangent, EntryVerdict::Open { reason } if reason.contains("the function")),
        "{tangent:?}"
    );
}
