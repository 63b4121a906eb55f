use crate::{Answer, lagrange};
use dqdt_equations::symbolic::LagrangeTexts;

/// Texts of a mechanism with one coordinate whose rate is its speed.
fn one(kinetic: &str, potential: &str, mass: &str, bias: &str) -> LagrangeTexts {
    let text = |s: &str| vec![s.to_owned()];
    LagrangeTexts {
        coordinates: text("q0"),
        rates: text("r0"),
        speeds: text("v0"),
        time: "t".to_owned(),
        quaternions: Vec::new(),
        kinetic: kinetic.to_owned(),
        potential: potential.to_owned(),
        map: text("1"),
        drift: text("0"),
        mass: text(mass),
        bias: text(bias),
        forces: text("0"),
    }
}

/// A single test function: without a licence Symbolica runs on one thread only.
#[test]
fn hand_written_equations_are_decided() {
    let pendulum = |bias| one("p0*p1^2*r0^2/2", "-p0*p2*p1*cos(q0)", "p0*p1^2", bias);
    let answers = |texts| {
        let answers = lagrange(&texts).unwrap();
        (answers.mass[0].clone(), answers.bias[0].clone())
    };
    assert_eq!(answers(pendulum("p0*p2*p1*sin(q0)")), (Answer::Equal, Answer::Equal));
    let (mass, bias) = answers(pendulum("-p0*p2*p1*sin(q0)"));
    assert_eq!(mass, Answer::Equal);
    assert!(matches!(&bias, Answer::Different { numerator } if numerator.contains("p0")), "{bias:?}");

    // M depends on q: c = ½ M′ v².
    let bead = |bias| one("p0*(1+sin(q0)^2)*r0^2/2", "0", "p0*(2-cos(q0)^2)", bias);
    assert_eq!(answers(bead("p0*sin(2*q0)*v0^2/2")).1, Answer::Equal);
    assert!(matches!(answers(bead("p0*sin(2*q0)*v0^2")).1, Answer::Different { .. }));

    // A moving support: T depends on time, so ∂p/∂t counts.
    let moved = one("p0*(r0+p1*cos(t))^2/2", "0", "p0", "-p0*p1*sin(t)");
    assert_eq!(answers(moved), (Answer::Equal, Answer::Equal));

    // A spring between two points: the square root of a cosine.
    let spring = "p0*(sqrt(p1^2+p2^2-2*p1*p2*cos(q0))-p3)^2/2";
    let force = "p0*p1*p2*sin(q0)*(1-p3/sqrt(p1^2+p2^2-2*p1*p2*cos(q0)))";
    assert_eq!(answers(one("r0^2/2", spring, "1", force)), (Answer::Equal, Answer::Equal));
    let other = answers(one("r0^2/2", spring, "1", "p0*p1*p2*sin(q0)"));
    assert!(matches!(other.1, Answer::Open { .. }), "{other:?}");

    // Sines of numbers are not independent: 2 sin(1/2) cos(1/2) = sin(1).
    let numbers = answers(one("r0^2/2", "2*sin(1/2)*cos(1/2)*q0", "1", "sin(1)")).1;
    assert!(matches!(&numbers, Answer::Open { reason } if reason.contains("is a number")), "{numbers:?}");

    // A speed that is not the rate: q̇ = 2 v.
    let doubled = LagrangeTexts { map: vec!["2".to_owned()], ..one("r0^2/2", "q0^2", "4", "4*q0") };
    assert_eq!(answers(doubled), (Answer::Equal, Answer::Equal));

    // A sphere whose attitude is a unit quaternion: M is I (e₀² + e₁² + e₂² + e₃²).
    let names = |letter: &str, n: usize| (0..n).map(|i| format!("{letter}{i}")).collect::<Vec<_>>();
    let texts = |all: &[&str]| all.iter().map(|t| (*t).to_owned()).collect::<Vec<_>>();
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
        ..one("2*p0*(r0^2+r1^2+r2^2+r3^2)", "0", "", "")
    };
    let answers_of_sphere = lagrange(&sphere).unwrap();
    assert!(answers_of_sphere.mass.iter().all(|a| *a == Answer::Equal), "{answers_of_sphere:?}");
    assert!(answers_of_sphere.bias.iter().all(|a| *a == Answer::Equal), "{answers_of_sphere:?}");
    let longer = lagrange(&LagrangeTexts { quaternions: Vec::new(), ..sphere }).unwrap();
    assert!(matches!(longer.mass[0], Answer::Different { .. }));

    let failed = lagrange(&one("r0^2/", "0", "1", "0")).unwrap_err().to_string();
    assert!(failed.contains("`r0^2/`"), "{failed}");
    let tangent = answers(one("r0^2/2", "tan(q0)", "1", "0")).1;
    assert!(matches!(&tangent, Answer::Open { reason } if reason.contains("the function")), "{tangent:?}");
}
