//! Printed equations against published ones: proved equal, lengths compared, both on the page
//! `docs/textbook.md`.
//!
//! `DQDT_BLESS=1` writes the page.

use crate::files::root;
use std::fmt::Write as _;

use dqdt_codegen::read::Settings;
use dqdt_codegen::{Formalism, pipeline};
use dqdt_equations::inspect::{self, GroupRole, Spelling};
use dqdt_equations::symbolic::{
    self, Assumptions, Closed, Expressions, Query, Verdict, parse_text, printed_text, prove_equal,
    record_form,
};
use dqdt_families::indexed::{Answer, Member, Quantity, build_comparison, derive_member, find_formulas};
use dqdt_families::notation::{Style, formula_math};
use dqdt_graph::ir::{Graph, NodeId, Tracer};

/// Published equations of a mechanism.
struct Published {
    spec: &'static str,
    title: &'static str,
    /// Source of the equations, and changes to them.
    source: &'static str,
    /// Left and right sides with the names of the spec, in the order of the speeds.
    equations: &'static [(&'static str, &'static str)],
    /// The part of the report to compare with.
    with: With,
}

/// The part of a report that corresponds to published equations.
enum With {
    /// The equations of motion, one per speed.
    Motion,
    /// Matrix entries: role of the matrix, and index of the entry by rows. The published
    /// left sides are names.
    Entries(&'static [(GroupRole, usize)]),
}

const PUBLISHED: &[Published] = &[
    Published {
        spec: "examples/specs/cart_pole.toml",
        title: "Cart and pole",
        source: "The mechanism of A. G. Barto, R. S. Sutton, C. W. Anderson (1983) with viscous friction, in the implicit form \
                 that textbooks of control have; derived by hand.",
        equations: &[
            (
                "(m_cart + m_pole)*x_ddot + m_pole*l*cos(theta)*theta_ddot - m_pole*l*sin(theta)*theta_dot^2",
                "sat(force) - d_rail*x_dot",
            ),
            (
                "(J + m_pole*l^2)*theta_ddot + m_pole*l*cos(theta)*x_ddot - m_pole*g*l*sin(theta)",
                "-d_hinge*theta_dot",
            ),
        ],
        with: With::Motion,
    },
    Published {
        spec: "tests/data/textbook/two_link_arm.toml",
        title: "Two-link arm with point masses",
        source: "In the form of J. J. Craig, *Introduction to Robotics*, the example of the iterative Newton-Euler method; the \
                 efforts stand on the right.",
        equations: &[
            (
                "m2*l2^2*(theta1_ddot + theta2_ddot) + m2*l1*l2*cos(theta2)*(2*theta1_ddot + theta2_ddot) \
                 + (m1 + m2)*l1^2*theta1_ddot - m2*l1*l2*sin(theta2)*theta2_dot^2 \
                 - 2*m2*l1*l2*sin(theta2)*theta1_dot*theta2_dot + m2*l2*g*cos(theta1 + theta2) \
                 + (m1 + m2)*l1*g*cos(theta1)",
                "tau1",
            ),
            (
                "m2*l1*l2*cos(theta2)*theta1_ddot + m2*l1*l2*sin(theta2)*theta1_dot^2 \
                 + m2*l2*g*cos(theta1 + theta2) + m2*l2^2*(theta1_ddot + theta2_ddot)",
                "tau2",
            ),
        ],
        with: With::Motion,
    },
    Published {
        spec: "tests/data/textbook/acrobot.toml",
        title: "Acrobot",
        source: "In the form of M. W. Spong, \"The swing up control problem for the Acrobot\" (1995); his abbreviations are \
                 written out.",
        equations: &[
            (
                "(m1*lc1^2 + m2*(l1^2 + lc2^2 + 2*l1*lc2*cos(q2)) + I1 + I2)*q1_ddot \
                 + (m2*(lc2^2 + l1*lc2*cos(q2)) + I2)*q2_ddot - m2*l1*lc2*sin(q2)*q2_dot^2 \
                 - 2*m2*l1*lc2*sin(q2)*q2_dot*q1_dot + (m1*lc1 + m2*l1)*g*cos(q1) + m2*lc2*g*cos(q1 + q2)",
                "0",
            ),
            (
                "(m2*(lc2^2 + l1*lc2*cos(q2)) + I2)*q1_ddot + (m2*lc2^2 + I2)*q2_ddot \
                 + m2*l1*lc2*sin(q2)*q1_dot^2 + m2*lc2*g*cos(q1 + q2)",
                "tau",
            ),
        ],
        with: With::Motion,
    },
    Published {
        spec: "examples/specs/furuta_pendulum.toml",
        title: "Furuta pendulum",
        source: "In the form of B. S. Cazzolato, Z. Prime, \"On the dynamics of the Furuta pendulum\" (2011), for a slender \
                 pendulum; their sums of inertias are written out.",
        equations: &[
            (
                "theta1_ddot*(J1 + m1*l1^2 + m2*L1^2 + (J2 + m2*l2^2)*sin(theta2)^2) \
                 + theta2_ddot*m2*L1*l2*cos(theta2) - m2*L1*l2*sin(theta2)*theta2_dot^2 \
                 + theta1_dot*theta2_dot*sin(2*theta2)*(J2 + m2*l2^2) + d1*theta1_dot",
                "sat(torque)",
            ),
            (
                "theta1_ddot*m2*L1*l2*cos(theta2) + theta2_ddot*(J2 + m2*l2^2) \
                 - 1/2*theta1_dot^2*sin(2*theta2)*(J2 + m2*l2^2) + d2*theta2_dot + g*m2*l2*sin(theta2)",
                "0",
            ),
        ],
        with: With::Motion,
    },
    Published {
        spec: "tests/data/textbook/coplanar_pendulum.toml",
        title: "Coplanar double pendulum",
        source: "Of the Lagrangian in L. D. Landau, E. M. Lifshitz, *Mechanics*, § 5, problem 1; Lagrange's equations derived by \
                 hand.",
        equations: &[
            (
                "(m1 + m2)*l1^2*phi1_ddot + m2*l1*l2*cos(phi1 - phi2)*phi2_ddot \
                 + m2*l1*l2*sin(phi1 - phi2)*phi2_dot^2 + (m1 + m2)*g*l1*sin(phi1)",
                "0",
            ),
            (
                "m2*l1*l2*cos(phi1 - phi2)*phi1_ddot + m2*l2^2*phi2_ddot \
                 - m2*l1*l2*sin(phi1 - phi2)*phi1_dot^2 + m2*g*l2*sin(phi2)",
                "0",
            ),
        ],
        with: With::Motion,
    },
    Published {
        spec: "tests/data/textbook/spherical_pendulum.toml",
        title: "Spherical pendulum",
        source: "A standard example of analytical mechanics, in polar angles; derived by hand.",
        equations: &[
            ("m*l^2*sin(theta)^2*phi_ddot + 2*m*l^2*sin(theta)*cos(theta)*theta_dot*phi_dot", "0"),
            ("m*l^2*theta_ddot - m*l^2*sin(theta)*cos(theta)*phi_dot^2 + m*g*l*sin(theta)", "0"),
        ],
        with: With::Motion,
    },
    Published {
        spec: "tests/data/textbook/ball_and_beam.toml",
        title: "Ball and beam",
        source: "In the form of J. Hauser, S. Sastry, P. Kokotović, \"Nonlinear control via approximate input-output \
                 linearization: the ball and beam example\" (1992).",
        equations: &[
            ("(M*r^2 + J + J_b)*theta_ddot + 2*M*r*r_dot*theta_dot + M*G*r*cos(theta)", "tau"),
            ("(J_b/R^2 + M)*r_ddot + M*G*sin(theta) - M*r*theta_dot^2", "0"),
        ],
        with: With::Motion,
    },
    Published {
        spec: "examples/specs/gyroscope.toml",
        title: "Heavy symmetric top",
        source: "Of the Lagrangian in H. Goldstein, *Classical Mechanics*, on the heavy symmetrical top, its inertias about the \
                 tip written as A + m l² and C; Lagrange's equations derived by hand.",
        equations: &[
            (
                "((A + m*l^2)*sin(theta)^2 + C*cos(theta)^2)*psi_ddot + C*cos(theta)*phi_ddot \
                 + 2*(A + m*l^2 - C)*sin(theta)*cos(theta)*theta_dot*psi_dot - C*sin(theta)*theta_dot*phi_dot",
                "0",
            ),
            (
                "(A + m*l^2)*theta_ddot - (A + m*l^2)*sin(theta)*cos(theta)*psi_dot^2 \
                 + C*(phi_dot + psi_dot*cos(theta))*psi_dot*sin(theta) - m*g*l*sin(theta)",
                "0",
            ),
            ("C*(phi_ddot + psi_ddot*cos(theta) - psi_dot*theta_dot*sin(theta))", "0"),
        ],
        with: With::Motion,
    },
    Published {
        spec: "tests/data/textbook/elastic_pendulum.toml",
        title: "Elastic pendulum",
        source: "A standard example of analytical mechanics; derived by hand.",
        equations: &[
            ("m*r^2*theta_ddot + 2*m*r*r_dot*theta_dot + m*g*r*sin(theta)", "0"),
            ("m*r_ddot - m*r*theta_dot^2 + k*(r - l0) - m*g*cos(theta)", "0"),
        ],
        with: With::Motion,
    },
    Published {
        spec: "tests/data/textbook/bead_on_hoop.toml",
        title: "Bead on a turning hoop",
        source: "A standard example of analytical mechanics; derived by hand.",
        equations: &[("m*R^2*theta_ddot", "m*R^2*Omega^2*sin(theta)*cos(theta) - m*g*R*sin(theta)")],
        with: With::Motion,
    },
    Published {
        spec: "tests/data/textbook/elbow_manipulator.toml",
        title: "Planar elbow manipulator",
        source: "In the form of M. W. Spong, S. Hutchinson, M. Vidyasagar, *Robot Modeling and Control*, on the planar elbow \
                 manipulator: D, C by Christoffel's symbols, and g, with `--form robot`; h is written out.",
        equations: &[
            ("d11", "m1*lc1^2 + m2*(l1^2 + lc2^2 + 2*l1*lc2*cos(q2)) + I1 + I2"),
            ("d12", "m2*(lc2^2 + l1*lc2*cos(q2)) + I2"),
            ("d22", "m2*lc2^2 + I2"),
            ("C11", "-m2*l1*lc2*sin(q2)*q2_dot"),
            ("C12", "-m2*l1*lc2*sin(q2)*q2_dot - m2*l1*lc2*sin(q2)*q1_dot"),
            ("C21", "m2*l1*lc2*sin(q2)*q1_dot"),
            ("g1", "(m1*lc1 + m2*l1)*g*cos(q1) + m2*lc2*g*cos(q1 + q2)"),
            ("g2", "m2*lc2*g*cos(q1 + q2)"),
        ],
        with: With::Entries(&[
            (GroupRole::Mass, 0),
            (GroupRole::Mass, 1),
            (GroupRole::Mass, 3),
            (GroupRole::Coriolis, 0),
            (GroupRole::Coriolis, 1),
            (GroupRole::Coriolis, 2),
            (GroupRole::Potential, 0),
            (GroupRole::Potential, 1),
        ]),
    },
    Published {
        spec: "tests/data/textbook/kane_robot.toml",
        title: "A robot with two turns and a slide",
        source: "T. R. Kane, D. A. Levinson, *Dynamics: Theory and Applications* (1985), exercises 11.7 and 11.8: the equations \
                 X u̇ = Y of the case in which they are uncoupled; the Z that they are made of are written out.",
        equations: &[
            (
                "(A1 + (B1 + C1 + D11)*cos(q1)^2 + (B3 + C3 + D33)*sin(q1)^2 + m_A*L_A^2 + m_B*(L_P + L_B*cos(q1))^2 \
                 + m_C*(L_P + (L_B + q2)*cos(q1))^2 + m_D*(L_P + (L_B + q2 + p3)*cos(q1))^2)*u1_dot",
                "2*(B1 - B3 + C1 - C3 + D11 - D33)*sin(q1)*cos(q1)*u1*u2 + 2*m_B*L_B*(L_P + L_B*cos(q1))*sin(q1)*u1*u2 \
                 + 2*m_C*(L_P + (L_B + q2)*cos(q1))*((L_B + q2)*sin(q1)*u2 - cos(q1)*u3)*u1 \
                 + 2*m_D*(L_P + (L_B + q2 + p3)*cos(q1))*((L_B + q2 + p3)*sin(q1)*u2 - cos(q1)*u3)*u1 + T1",
            ),
            (
                "(B2 + C2 + D22 + m_B*L_B^2 + m_C*(L_B + q2)^2 + m_D*(L_B + q2 + p3)^2)*u2_dot",
                "-(B1 - B3 + C1 - C3 + D11 - D33)*sin(q1)*cos(q1)*u1^2 - m_B*L_B*(L_P + L_B*cos(q1))*sin(q1)*u1^2 \
                 - m_C*(L_B + q2)*((L_P + (L_B + q2)*cos(q1))*sin(q1)*u1^2 + 2*u2*u3) \
                 - m_D*(L_B + q2 + p3)*((L_P + (L_B + q2 + p3)*cos(q1))*sin(q1)*u1^2 + 2*u2*u3) \
                 - g*(m_B*L_B + m_C*(L_B + q2) + m_D*(L_B + q2 + p3))*cos(q1) + T2",
            ),
            (
                "(m_C + m_D)*u3_dot",
                "m_C*((L_P + (L_B + q2)*cos(q1))*cos(q1)*u1^2 + (L_B + q2)*u2^2) \
                 + m_D*((L_P + (L_B + q2 + p3)*cos(q1))*cos(q1)*u1^2 + (L_B + q2 + p3)*u2^2) \
                 - g*(m_C + m_D)*sin(q1) + K3",
            ),
        ],
        with: With::Motion,
    },
];

/// Formula (7) of the snowboarder paper, with the sum over outboard links written
/// out as in the paper.
const INDEXED: &str = "(δᵢⱼ Iᵢ + (mⱼ nⱼ^(1+δᵢⱼ) + Σ[k=j+1..n] mₖ) lᵢ lⱼ) cos(φᵢ − φⱼ) cos ψᵢ cos ψⱼ";

/// Largest allowed ratio of the lengths of a printed and a published equation.
const LONGER: f64 = 1.15;

fn equation_length(sides: [&Closed; 2]) -> usize {
    1 + sides[0].printed_length() + sides[1].printed_length()
}

/// The section of the page about a mechanism. Panics if an equation differs from the published one,
/// or is too long.
fn mechanism_section(published: &Published) -> String {
    let loaded = pipeline::load(&root(published.spec)).unwrap();
    let q = inspect::record_quantities_with_names(&loaded, Formalism::Kane);
    let (expressions, forms) = inspect::entry_closed_forms(&q, &loaded.mechanism).unwrap();
    let place = |role: GroupRole| {
        let at = q.groups.iter().position(|g| g.role == role).unwrap();
        (at, q.groups[..at].iter().map(|g| g.nodes.len()).sum::<usize>())
    };
    let form = |i: usize| forms[i].as_ref().unwrap().clone();
    let count = published.equations.len();
    let printed: Vec<[Closed; 2]> = match published.with {
        With::Motion => {
            let (at, first) = place(GroupRole::Motion);
            assert_eq!(q.groups[at].nodes.len(), 2 * count, "{}", published.title);
            (0..count).map(|i| [form(first + 2 * i), form(first + 2 * i + 1)]).collect()
        }
        With::Entries(places) => {
            places.iter().map(|(role, i)| [Closed::integer(0), form(place(*role).1 + i)]).collect()
        }
    };
    let entries = matches!(published.with, With::Entries(_));
    let read =
        |text: &str| parse_text(text, expressions.symbol_names()).unwrap_or_else(|e| panic!("{text}: {e}"));
    let name = |left: &str| if entries { Closed::integer(0) } else { read(left) };
    let theirs: Vec<[Closed; 2]> =
        published.equations.iter().map(|(left, right)| [name(left), read(right)]).collect();

    let graph = Graph::new();
    let node = |c: &Closed| {
        record_form(c, &graph, &expressions, &|kind, name| Tracer::new(&graph, graph.symbol(name, kind)))
            .unwrap()
    };
    let gap = |left: &Closed, right: &Closed| (node(left) - node(right)).id(&graph);
    let ours: Vec<NodeId> = printed.iter().map(|[left, right]| gap(left, right)).collect();
    let wanted: Vec<NodeId> = theirs.iter().map(|[left, right]| gap(left, right)).collect();
    let query =
        Query::ProveEqual { left: Expressions::new(&graph, &ours), right: Expressions::new(&graph, &wanted) };
    let verdicts = query.verdicts(&Assumptions::default()).unwrap();
    assert!(verdicts.iter().all(Verdict::is_proved), "{}: {verdicts:?}", published.title);

    let spelling = Spelling::new(expressions.symbol_names().map(|(name, _)| name));
    let spell = |c: &Closed| {
        printed_text(c, &|name| spelling.printed_name(name), symbolic::NumberStyle::for_forms([c]))
    };
    let mut out =
        format!("## {}\n\n`{}`. {}\n\n```text\n", published.title, published.spec, published.source);
    let label = if published.source.contains("derived by hand") { "by hand  " } else { "published" };
    let mut lengths = Vec::new();
    for ((ours, [left, right]), (text, _)) in printed.iter().zip(&theirs).zip(published.equations) {
        let (a, b) = (equation_length([left, right]), equation_length([&ours[0], &ours[1]]));
        let shown = |left: &Closed, right: &Closed| match entries {
            true => format!("{} = {}", spelling.printed_name(text), spell(right)),
            false => format!("{} = {}", spell(left), spell(right)),
        };
        let (theirs, ours) = (shown(left, right), shown(&ours[0], &ours[1]));
        writeln!(out, "{label}  {theirs}\nprinted    {ours}\n").unwrap();
        lengths.push(format!("{b} : {a}"));
        assert!(b as f64 <= LONGER * a as f64, "{}: {b} against {a}\n{out}", published.title);
    }
    let out = out.trim_end().to_owned();
    format!("{out}\n```\n\nLengths, the printed one first: {}.\n", lengths.join(", "))
}

fn is_mass_of_angles(a: &&Answer) -> bool {
    match &a.quantity {
        Quantity::Mass { row, column } => [row, column].iter().all(|s| s.prefix == "phi" && s.indexed),
        _ => false,
    }
}

fn count_words(text: &str) -> usize {
    text.split([' ', '(', ')']).filter(|w| !w.is_empty()).count()
}

/// The section about formula (7): inferred for any number of links, printed as published, proved
/// for four links.
fn indexed_section() -> String {
    let spec = "examples/specs/families/snowboarder.toml";
    let members: Vec<Member> = (1..=6)
        .map(|n| {
            let loaded = pipeline::load_with(&root(spec), &Settings::new().set("n", n)).unwrap();
            derive_member(&loaded.mechanism, &loaded.partition, n).unwrap()
        })
        .collect();
    let answers = find_formulas(&members);
    let answer = answers.iter().find(is_mass_of_angles).unwrap();
    let parts = formula_math(answer.formula.as_ref().unwrap(), &Style::new("n"));
    let printed = parts[0].0.text();
    let c = build_comparison(&answers, &members[3]);
    let (ours, recorded) = (
        Expressions::new(&c.graph, &c.formula_nodes),
        Expressions::new(&members[3].graph, &c.reference_nodes),
    );
    let verdicts = prove_equal(&ours, &recorded, &Assumptions::default()).unwrap();
    assert!(verdicts.iter().all(Verdict::is_proved), "{verdicts:?}");
    let (a, b) = (count_words(INDEXED), count_words(&printed));
    assert!(b as f64 <= LONGER * a as f64, "{printed}");
    assert_eq!(printed, INDEXED);
    format!(
        "## Snowboarder with n links\n\n`{spec}`, `--family n`. Formula (7) of the same paper, as corrected in \
         [mechanics](mechanics.md), 4.2: what stands before φ̈ⱼ in the equation of φᵢ, j ≥ i. The engine proves M, c and Q of four \
         links equal to the formulas.\n\n```text\npublished  {INDEXED}\nprinted    {printed}\n```\n\nLengths in words, the printed \
         one first: {b} : {a}.\n"
    )
}

#[test]
fn printed_equations_are_the_published_ones_and_no_longer() {
    let mut page = "# Textbook equations\n\n\
        Equations that `dqdt inspect` prints beside published ones. The engine proves each printed equation equal to the \
        published one, and the test that writes this page (`codegen/command/tests/symbolic/textbook.rs`) fails where a printed line is \
        more than 15 % longer. A length counts names, numbers, functions, signs, exponents and pairs of \
        brackets one each, products nothing. Lines \"by hand\" are not from the \
        source, which has the mechanism: they were derived on paper, apart from the program.\n"
        .to_owned();
    for published in PUBLISHED {
        write!(page, "\n{}", mechanism_section(published)).unwrap();
    }
    write!(page, "\n{}", indexed_section()).unwrap();
    let path = root("docs/textbook.md");
    if std::env::var_os("DQDT_BLESS").is_some() {
        std::fs::write(&path, &page).unwrap();
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(kept, page, "run with DQDT_BLESS=1 and look at the change");
}
