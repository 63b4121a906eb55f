//! Writes a sample of every picture and report that `emit` prints, for inspection in a browser:
//! `emit_samples DIRECTORY`.
//!
//! The motions are computed here (a double pendulum, a spherical pendulum on an arm) without any
//! other part of the generator, so that the printers can be developed alone.

use dqdt_document::report::{Block, Cell, Math, Report, Section, Spacing};
use dqdt_view::animation::{Animation, Signal, Trace, animation};
use dqdt_view::figure::{JointSymbol, Panel, Plot, Scene, SceneBody, SceneJoint, Series, plot, sketch};
use dqdt_view::report::{print_html, print_latex, print_text};

fn main() -> std::io::Result<()> {
    let directory = std::env::args().nth(1).unwrap_or_else(|| ".".to_owned());
    let directory = std::path::Path::new(&directory);
    std::fs::create_dir_all(directory)?;
    let motion = double_pendulum_motion();
    let curves = plot(&sample_plot(&motion));
    let report = sample_report(sketch(&planar_scene(motion[40].1)), curves.clone());
    std::fs::write(directory.join("report.html"), print_html(&report))?;
    std::fs::write(directory.join("report.tex"), print_latex(&report))?;
    std::fs::write(directory.join("report.txt"), print_text(&report, 100))?;
    std::fs::write(directory.join("plot.svg"), curves)?;
    std::fs::write(directory.join("planar.svg"), sketch(&planar_scene(motion[40].1)))?;
    std::fs::write(directory.join("spatial.svg"), sketch(&spatial_scene(1.0)))?;
    std::fs::write(
        directory.join("planar.html"),
        animation(&sample_animation(&motion, planar_scene, "double_pendulum")),
    )?;
    let times: Vec<(f64, [f64; 4])> =
        (0..600).map(|i| (f64::from(i) / 60.0, [f64::from(i) / 60.0, 0.0, 0.0, 0.0])).collect();
    std::fs::write(
        directory.join("spatial.html"),
        animation(&sample_animation(&times, |x| spatial_scene(x[0]), "arm_with_ball")),
    )?;
    std::fs::write(directory.join("joints.svg"), sketch(&all_joint_symbols_scene()))?;
    let large = large_report();
    std::fs::write(directory.join("large.html"), print_html(&large))?;
    std::fs::write(directory.join("large.tex"), print_latex(&large))?;
    std::fs::write(directory.join("large.txt"), print_text(&large, 100))?;
    std::fs::write(
        directory.join("still.html"),
        animation(&sample_animation(&motion[..1], planar_scene, "one frame")),
    )?;
    std::fs::write(directory.join("empty.html"), animation(&Animation::default()))
}

/// Sample motion of a double pendulum, as times and states: two rods of 1 m with 1 kg at the end of
/// each, released from a steep pose.
fn double_pendulum_motion() -> Vec<(f64, [f64; 4])> {
    let (h, mut x, mut out) = (1e-3, [2.1, 1.2, 0.0, 0.0], Vec::new());
    for i in 0..=10_000 {
        if i % 10 == 0 {
            out.push((f64::from(i) * h, x));
        }
        let a = double_pendulum_rate(x);
        let b = double_pendulum_rate(add_scaled(x, h / 2.0, a));
        let c = double_pendulum_rate(add_scaled(x, h / 2.0, b));
        let d = double_pendulum_rate(add_scaled(x, h, c));
        x = std::array::from_fn(|k| x[k] + h / 6.0 * (a[k] + 2.0 * b[k] + 2.0 * c[k] + d[k]));
    }
    out
}

/// Rate of the state of the double pendulum: angles from the vertical, and their rates.
fn double_pendulum_rate(x: [f64; 4]) -> [f64; 4] {
    let [a, b, u, w] = x;
    let (s, c) = (a - b).sin_cos();
    let r = [-w * w * s - 2.0 * 9.81 * a.sin(), u * u * s - 9.81 * b.sin()];
    let d = 2.0 - c * c;
    [u, w, (r[0] - c * r[1]) / d, (2.0 * r[1] - c * r[0]) / d]
}

fn add_scaled(x: [f64; 4], k: f64, d: [f64; 4]) -> [f64; 4] {
    std::array::from_fn(|i| x[i] + k * d[i])
}

fn rod_body(name: &str, a: [f64; 3], b: [f64; 3], tip: &str) -> SceneBody {
    SceneBody {
        name: name.into(),
        lines: vec![[a, b]],
        points: vec![(tip.into(), b)],
        center_of_mass: Some(std::array::from_fn(|k| (a[k] + b[k]) / 2.0)),
    }
}

fn scene_joint(name: &str, kind: JointSymbol, position: [f64; 3], axis: [f64; 3]) -> SceneJoint {
    SceneJoint { name: name.into(), kind, position, axis }
}

fn planar_scene(x: [f64; 4]) -> Scene {
    let knee = [x[0].sin(), 0.0, -x[0].cos()];
    let tip = [knee[0] + x[1].sin(), 0.0, knee[2] - x[1].cos()];
    let y = [0.0, -1.0, 0.0];
    Scene {
        bodies: vec![rod_body("upper", [0.0; 3], knee, "A"), rod_body("lower", knee, tip, "tip")],
        joints: vec![
            scene_joint("O", JointSymbol::Revolute, [0.0; 3], y),
            scene_joint("A", JointSymbol::Revolute, knee, y),
        ],
        ground: vec![[[0.0; 3], [0.0; 3]]],
        solids: Vec::new(),
        gravity: [0.0, 0.0, -9.81],
    }
}

fn spatial_scene(t: f64) -> Scene {
    let (s, c) = (0.7 * t).sin_cos();
    let slide = 1.2 + 0.3 * (1.9 * t).sin();
    let elbow = [slide * c, slide * s, 0.6];
    let (p, q) = ((0.6 * (2.6 * t).sin()).sin(), (0.5 * (2.1 * t).cos()).sin());
    let ball =
        [elbow[0] + 0.8 * p, elbow[1] + 0.8 * q, elbow[2] - 0.8 * (1.0 - p * p - q * q).max(0.0).sqrt()];
    Scene {
        bodies: vec![
            rod_body("column", [0.0; 3], [0.0, 0.0, 0.6], "shoulder"),
            rod_body("arm", [0.0, 0.0, 0.6], elbow, "hand"),
            rod_body("ball", elbow, ball, "center"),
        ],
        joints: vec![
            scene_joint("turn", JointSymbol::Revolute, [0.0; 3], [0.0, 0.0, 1.0]),
            scene_joint("reach", JointSymbol::Prismatic, [0.6 * c, 0.6 * s, 0.6], [c, s, 0.0]),
            scene_joint("wrist", JointSymbol::Spherical, elbow, [0.0; 3]),
        ],
        ground: vec![[[-0.6, -0.6, 0.0], [0.6, -0.6, 0.0]], [[0.6, -0.6, 0.0], [0.6, 0.6, 0.0]]],
        solids: Vec::new(),
        gravity: [0.0, 0.0, -9.81],
    }
}

/// Sample scene with every kind of joint symbol.
fn all_joint_symbols_scene() -> Scene {
    use JointSymbol as K;
    let all = [
        K::Fixed,
        K::Revolute,
        K::Prismatic,
        K::Helical,
        K::Cylindrical,
        K::Universal,
        K::Planar,
        K::Spherical,
        K::Free,
        K::Direction,
    ];
    Scene {
        bodies: (0..9)
            .map(|i| rod_body(&format!("body{i}"), joint_position(i), joint_position(i + 1), "P"))
            .collect(),
        joints: all
            .into_iter()
            .enumerate()
            .map(|(i, kind)| {
                scene_joint(&format!("{kind:?}").to_lowercase(), kind, joint_position(i), [0.0, 1.0, 0.5])
            })
            .collect(),
        ground: vec![[joint_position(0), joint_position(0)]],
        solids: Vec::new(),
        gravity: [0.0, 0.0, -9.81],
    }
}

fn joint_position(i: usize) -> [f64; 3] {
    [0.3 * (i % 2) as f64, 0.4 * i as f64, 0.25 * (i % 3) as f64]
}

/// Entry of a symmetric band matrix, for the sample of a large report.
fn band_entry(i: usize, j: usize) -> Math {
    let (i, j) = (i.min(j), i.max(j));
    if j > i + 6 { Math::integer(0) } else { parse_formula(&format!("m{j}*l{i}*l{j}*cos(q{i}-q{j})")) }
}

fn negative_identity(n: usize) -> Vec<Vec<Math>> {
    (0..n).map(|i| (0..n).map(|j| Math::integer(if i == j { -1 } else { 0 })).collect()).collect()
}

/// Sample report like that of a mechanism with many bodies: matrices wider than any page, sums of
/// hundreds of terms, and texts that contain markup.
fn large_report() -> Report {
    let bad = "</p><script>alert(1)</script> \\input{x} % $ _ ^ ~ & # {} [2] \"' 中 θ̇₁ é ² — “q”".to_owned();

    let sum: Vec<String> = (1..120).map(|i| format!("m{i}*l{i}*(l{i}*cos(q{i}-q1)-l1*sin(q{i}))")).collect();
    let product = parse_formula(&(1..60).map(|i| format!("m{i}")).collect::<Vec<_>>().join("*"));
    let fraction = product.clone().quotient(parse_formula("c+d"));
    let section = Section::new(bad.clone())
        .with_block(Block::paragraph(bad.clone()))
        .with_block(Block::Code(bad.clone()))
        .with_block(Block::Table {
            caption: bad.clone().into(),
            header: vec!["name".into(), bad.clone(), "x".into()],
            rows: vec![vec!["a".into(), bad.clone().into(), Math::words(&bad).into()]],
            numeric: vec![2],
        })
        .with_block(Block::Matrix {
            name: Math::bold("M"),
            rows: (1..=12).map(|i| (1..=12).map(|j| band_entry(i, j)).collect()).collect(),
            note: "Matrix of twelve rows and twelve columns".into(),
        })
        .with_block(Block::Equations(vec![
            (Math::identifier("Q"), parse_formula(&sum.join("+"))),
            (Math::identifier("p"), product),
            (Math::identifier("r"), fraction),
        ]));

    let path = Section::new("path").with_block(Block::Matrix {
        name: Math::bold("path"),
        rows: negative_identity(30),
        note: Default::default(),
    });
    Report { title: bad.clone(), subtitle: bad, sections: vec![section, path] }
}

fn sample_animation(motion: &[(f64, [f64; 4])], scene: impl Fn([f64; 4]) -> Scene, title: &str) -> Animation {
    let signal = |name: &str, unit: &str, k: usize| Signal {
        name: Math::identifier(name).text(),
        unit: unit.into(),
        values: motion.iter().map(|(_, x)| x[k]).collect(),
    };
    Animation {
        title: title.into(),
        subtitle: "simulated with DOP853, relative tolerance 1e-9".into(),
        times: motion.iter().map(|(t, _)| *t).collect(),
        scenes: motion.iter().map(|(_, x)| scene(*x)).collect(),
        traces: vec![Trace { body: scene([0.0; 4]).bodies.len() - 1, point: Some(0) }],
        signals: vec![
            signal("theta1", "rad", 0),
            signal("theta2", "rad", 1),
            signal("omega_1", "rad/s", 2),
            signal("omega_2", "rad/s", 3),
        ],
        ..Animation::default()
    }
}

fn sample_plot(motion: &[(f64, [f64; 4])]) -> Plot {
    let series = |name: &str, k: usize| Series {
        name: Math::identifier(name).text(),
        values: motion.iter().map(|(_, x)| x[k]).collect(),
    };
    let drift = motion.iter().map(|(t, x)| 1e-9 * t * (1.0 + (7.0 * x[0]).sin())).collect();
    Plot {
        title: "double_pendulum".into(),
        x_label: "t".into(),
        x_unit: "s".into(),
        x: motion.iter().map(|(t, _)| *t).collect(),
        panels: vec![
            sample_panel("coordinates", "rad", vec![series("theta1", 0), series("theta2", 1)]),
            sample_panel("speeds", "rad/s", vec![series("theta1_dot", 2), series("theta2_dot", 3)]),
            sample_panel(
                "energy drift",
                "",
                vec![Series { name: "relative to the peak kinetic energy".into(), values: drift }],
            ),
        ],
    }
}

fn sample_panel(label: &str, unit: &str, series: Vec<Series>) -> Panel {
    Panel { label: label.into(), unit: unit.into(), series }
}

/// Parses a formula in plain text to mathematics; a simple parser, sufficient for the samples.
fn parse_formula(source: &str) -> Math {
    let mut parts: Vec<Math> = Vec::new();
    let mut rest = source;
    while let Some(c) = rest.chars().next() {
        let long = |test: fn(char) -> bool| rest.find(|c: char| !test(c)).unwrap_or(rest.len());
        let n = match c {
            'a'..='z' | 'A'..='Z' => long(|c| c.is_ascii_alphanumeric() || c == '_'),
            '0'..='9' => long(|c| c.is_ascii_digit()),
            _ => c.len_utf8(),
        };
        let (token, tail) = rest.split_at(n);
        let part = match token {
            "sin" | "cos" => Math::row([Math::Function(token.to_owned()), Math::Spacing(Spacing::Call)]),
            t if c.is_ascii_alphabetic() => Math::identifier(t),
            t if c.is_ascii_digit() => Math::integer(t.parse().unwrap_or(0)),
            "-" => Math::operator(" − ", "-"),
            "+" => Math::operator(" + ", "+"),
            "*" => Math::Spacing(Spacing::Times),
            "²" => {
                let base = parts.pop().unwrap_or_default();
                base.to_power(Math::integer(2))
            }
            t => Math::operator(t, t),
        };
        parts.push(part);
        rest = tail;
    }
    Math::row(parts)
}

/// Table cell with a text, or with a name after `$` as mathematics.
fn text_or_name_cell(text: &str) -> Cell {
    match text.strip_prefix('$') {
        Some(name) => Cell::Math(Math::identifier(name)),
        None => Cell::from(text),
    }
}

fn table_block(caption: &str, header: &[&str], rows: &[&[&str]], numeric: &[usize]) -> Block {
    Block::Table {
        caption: caption.into(),
        header: header.iter().map(ToString::to_string).collect(),
        rows: rows.iter().map(|row| row.iter().map(|text| text_or_name_cell(text)).collect()).collect(),
        numeric: numeric.to_vec(),
    }
}

fn matrix_block(name: &str, rows: &[&[&str]], note: &str) -> Block {
    Block::Matrix {
        name: Math::bold(name),
        rows: rows.iter().map(|r| r.iter().map(|e| parse_formula(e)).collect()).collect(),
        note: note.into(),
    }
}

fn sample_report(sketch: String, curves: String) -> Report {
    let long = "J1+J2+m1*l1²+m2*(l1²+l2²+2*l1*l2*cos(theta2))+m_load*(l1²+4*l2²+4*l1*l2*cos(theta2))*cos(alpha4)²\
        -m2*l1*l2*sin(theta1-theta2)*omega_x*alpha4_dot+k_spring*(theta1-theta2)-d_joint*theta1_dot+J_rotor*ratio²";
    let wide: Vec<String> =
        (0..4).map(|i| format!("m{i}*l{i}²*cos(theta{i}-theta1)+J{i}*sin(theta{i})*omega_x")).collect();
    let wide: Vec<&str> = wide.iter().map(String::as_str).collect();
    Report {
        title: "double_pendulum".into(),
        subtitle: "Two rods in a vertical plane, revolute joints, viscous friction. Formalism: Kane.".into(),
        sections: vec![
            Section::new("Interpretation of the spec")
                .with_block(Block::Paragraph(
                    "A planar tree of two bodies. Angles are measured from the vertical; gravity acts along −z of the \
                     ground. All quantities are in SI units; angles are in radians."
                        .into(),
                ))
                .with_block(Block::Figure { svg: sketch, caption: "The mechanism in its initial pose, seen along the normal of its plane.".into(), lines: Vec::new() })
                .with_block(table_block(
                    "Bodies",
                    &["body", "mass", "inertia about the centre of mass", "parent", "description"],
                    &[
                        &["upper", "$m1", "$J1", "ground", "a slender rod of length l₁, with a geared rotor at its upper end"],
                        &["lower", "$m2", "$J2", "upper", "a slender rod"],
                    ],
                    &[],
                ))
                .with_block(table_block(
                    "Parameters",
                    &["name", "symbol", "value", "unit"],
                    &[
                        &["m1", "$m1", "1", "kg"],
                        &["m_load", "$m_load", "0.25", "kg"],
                        &["J1", "$J1", "0.083333", "kg·m²"],
                        &["k_spring", "$k_spring", "12.5", "N·m/rad"],
                    ],
                    &[2],
                )),
            Section::new("Topology")
                .with_block(matrix_block("incidence", &[&["-1", "1"], &["0", "-1"]], "Incidence matrix of the tree."))
                .with_block(matrix_block("path", &[&["-1", "-1"], &["0", "-1"]], "")),
            Section::new("Energy").with_block(Block::Equations(vec![
                (Math::identifier("T"), parse_formula("m1*l1²*theta1_dot²+m2*(l1²*theta1_dot²+l2²*theta2_dot²+2*l1*l2*cos(theta1-theta2)*theta1_dot*theta2_dot)")),
                (Math::identifier("V"), parse_formula("-g*(m1+m2)*l1*cos(theta1)-g*m2*l2*cos(theta2)")),
            ])),
            Section::new("Mass matrix")
                .with_block(matrix_block(
                    "M",
                    &[&["(m1+m2)*l1²", "m2*l1*l2*cos(theta1-theta2)"], &["m2*l1*l2*cos(theta1-theta2)", "m2*l2²"]],
                    "Symmetric; entry (i, j) has the unit of τᵢ / v̇ⱼ.",
                ))
                .with_block(matrix_block("W", &[&wide, &wide], "A wide matrix that can be scrolled."))
                .with_block(matrix_block("N", &[&[long, "0"], &["0", long]], "A matrix that is too wide to scroll, printed \
                                                                  entry by entry."))
                .with_block(Block::Equations(vec![
                    (parse_formula("M").with_number_indices(&[1, 1]), parse_formula(long)),
                    (Math::identifier("c").with_number_indices(&[2]), parse_formula("-m2*l1*l2*sin(theta1-theta2)*theta1_dot²")),
                ])),
            Section::new("Operation counts")
                .with_block(table_block(
                    "",
                    &["function", "+ −", "×", "÷", "sin, cos", "√", "stack [B]"],
                    &[
                        &["dqdt", "18", "26", "1", "2", "0", "312"],
                        &["mass_matrix", "4", "9", "0", "1", "0", "96"],
                        &["inverse_dynamics", "1,213", "1,897", "0", "2", "0", "4,096"],
                    ],
                    &[1, 2, 3, 4, 5, 6],
                ))
                .with_block(Block::Note("The rotor's gyroscopic effect on its carrier is neglected.".into()))
                .with_block(Block::Code("let model = Model::new(Params::default());\ndqdt(&model, t, &x, &u, &mut dx)?;".into())),
            Section::new("Motion").with_block(Block::Figure { svg: curves, caption: "DOP853, relative tolerance 1e-9.".into(), lines: Vec::new() }),
        ],
    }
}
