//! Hand-built programs that tests emit, compile and interpret.
#![allow(dead_code)]

use std::sync::Arc;

use dqdt_algebra::{Cmp, Func, Func2, PiecewiseCubic, Scalar, TreeFactors};
use dqdt_codegen::functions;
use dqdt_graph::ir::{
    Check, Declaration, Evaluation, Function, FunctionOutput, Graph, Layout, NodeId, Program, ResultShape,
    Slot, SymbolKind, Tracer,
};

/// π rounded to two decimals, as a user may write it.
pub const ROUNDED_PI: f64 = 314.0 / 100.0;

/// A layout slot (coordinate, speed or parameter) without description and limits.
pub fn slot(name: &str, unit: &str, value: f64) -> Slot {
    Slot { name: name.to_owned(), unit: unit.to_owned(), description: String::new(), value, limits: None }
}

/// An output of a hand-built function, from its graph nodes.
pub fn output(name: &str, unit: &str, shape: ResultShape, nodes: Vec<NodeId>) -> FunctionOutput {
    FunctionOutput {
        name: name.to_owned(),
        unit: unit.to_owned(),
        description: String::new(),
        shape,
        nodes,
        entries: None,
        labels: Vec::new(),
        places: Vec::new(),
    }
}

/// A hand-built function without divisor checks.
pub fn function(declaration: &'static Declaration, outputs: Vec<FunctionOutput>) -> Function {
    Function { declaration, outputs, parts: Vec::new(), checks: Vec::new() }
}

/// A divisor check: `value` must not be small against `scale`.
pub fn check(name: &str, value: NodeId, scale: NodeId) -> Check {
    Check { name: name.to_owned(), hint: "nothing resists".to_owned(), value, scale, squared: false }
}

/// A hand-built program from a layout, a graph and functions.
pub fn program(name: &str, layout: Layout, graph: Graph, functions: Vec<Function>) -> Program {
    Program {
        name: name.to_owned(),
        description: format!("Test mechanism {name}."),
        spec: format!("{name}.toml"),
        spec_hash: "0123456789abcdef".to_owned(),
        formalism: "by hand".to_owned(),
        layout,
        graph,
        functions,
        parameter_checks: None,
        evaluation: Evaluation::default(),
    }
}

/// A pendulum with viscous friction and a torque input.
pub fn pendulum() -> Program {
    let g = Graph::new();
    let sym = |name: &str, kind| Tracer::new(&g, g.symbol(name, kind));
    let theta = sym("theta", SymbolKind::Coordinate(0));
    let omega = sym("omega", SymbolKind::Speed(0));
    let tau = sym("tau", SymbolKind::Input(0));
    let p = ["m", "l", "g", "d"].map(|n| n.to_owned());
    let [m, l, gravity, d] = [0, 1, 2, 3].map(|i| sym(&p[i], SymbolKind::Parameter(i)));
    let (s, c) = theta.sin_cos();
    let inertia = m * l * l;
    let section: Arc<str> = Arc::from("pendulum: moment about the joint [N*m]");
    let moment = tau - d * omega - m * gravity * l * s;
    g.label(moment.id(&g), "moment", &section);
    let acceleration = moment / inertia;
    let half = Tracer::ratio(1, 2);
    let dqdt = Function {
        checks: vec![check("inertia", inertia.id(&g), inertia.id(&g))],
        ..function(
            functions::DQDT,
            vec![output("dx", "", ResultShape::Vector(2), vec![omega.id(&g), acceleration.id(&g)])],
        )
    };
    let functions = vec![
        dqdt,
        function(functions::RATES, vec![output("dq", "", ResultShape::Vector(1), vec![omega.id(&g)])]),
        function(
            functions::MASS_MATRIX,
            vec![output("m", "kg*m^2", ResultShape::Matrix(1, 1), vec![inertia.id(&g)])],
        ),
        function(
            functions::BIAS,
            vec![output(
                "bias",
                "N*m",
                ResultShape::Vector(1),
                vec![(d * omega + m * gravity * l * s).id(&g)],
            )],
        ),
        function(
            functions::INVERSE_DYNAMICS,
            vec![output(
                "effort",
                "N*m",
                ResultShape::Vector(1),
                vec![
                    (inertia * sym("omega_dot", SymbolKind::Acceleration(0))
                        + d * omega
                        + m * gravity * l * s)
                        .id(&g),
                ],
            )],
        ),
        function(
            functions::ENERGY,
            vec![
                output("kinetic", "J", ResultShape::Scalar, vec![(half * inertia * omega * omega).id(&g)]),
                output("potential", "J", ResultShape::Scalar, vec![(-(m * gravity * l * c)).id(&g)]),
            ],
        ),
        function(
            functions::OUTPUTS,
            vec![
                output(
                    "force",
                    "N",
                    ResultShape::Scalar,
                    vec![(m * l * omega * omega + m * gravity * c).id(&g)],
                ),
                output("tip", "m", ResultShape::Vector(2), vec![(l * s).id(&g), (-(l * c)).id(&g)]),
            ],
        ),
        function(
            functions::POSITIONS,
            vec![output(
                "bob",
                "m",
                ResultShape::Vector(3),
                vec![(l * s).id(&g), Tracer::ZERO.id(&g), (-(l * c)).id(&g)],
            )],
        ),
        function(
            functions::SATURATE,
            vec![output(
                "u",
                "N*m",
                ResultShape::Vector(1),
                vec![
                    tau.apply_function2(Func2::Min, Tracer::ratio(2, 1))
                        .apply_function2(Func2::Max, Tracer::ratio(-2, 1))
                        .id(&g),
                ],
            )],
        ),
    ];
    let layout = Layout {
        q: vec![slot("theta", "rad", 0.1)],
        v: vec![slot("omega", "rad/s", 0.0)],
        u: vec![slot("tau", "N*m", 0.0)],
        p: vec![
            slot("m", "kg", 1.5),
            slot("l", "m", 0.7),
            slot("g", "m/s^2", 9.807),
            slot("d", "N*m*s", 0.02),
        ],
        ..Layout::default()
    };
    program("pendulum", layout, g, functions)
}

/// A planar chain of `n` rods with relative angles, by partial velocities of all
/// centres (Kane), in O(n³).
pub fn chain(n: usize) -> Program {
    let g = Graph::new();
    let sym = |name: &str, kind| Tracer::new(&g, g.symbol(name, kind));
    let p: Vec<String> = (1..=n).flat_map(|i| [format!("m{i}"), format!("l{i}"), format!("J{i}")]).collect();
    let parameter = |i: usize| sym(&p[i], SymbolKind::Parameter(i));
    let gravity = sym("g", SymbolKind::Parameter(3 * n));
    let q: Vec<_> = (0..n).map(|i| sym(&format!("q{}", i + 1), SymbolKind::Coordinate(i))).collect();
    let v: Vec<_> = (0..n).map(|i| sym(&format!("w{}", i + 1), SymbolKind::Speed(i))).collect();
    let u: Vec<_> = (0..n).map(|i| sym(&format!("tau{}", i + 1), SymbolKind::Input(i))).collect();
    let half = Tracer::ratio(1, 2);
    // Direction of every rod in ground axes, by composition of rotations.
    let (mut s, mut c, mut w) = (Vec::new(), Vec::new(), Vec::new());
    for i in 0..n {
        let (si, ci) = q[i].sin_cos();
        if i == 0 {
            (s, c, w) = (vec![si], vec![ci], vec![v[0]]);
        } else {
            s.push(s[i - 1] * ci + c[i - 1] * si);
            c.push(c[i - 1] * ci - s[i - 1] * si);
            w.push(w[i - 1] + v[i]);
            let section: Arc<str> = Arc::from(format!("rod {}: direction", i + 1));
            g.label(s[i].id(&g), &format!("s_rod{}", i + 1), &section);
            g.label(c[i].id(&g), &format!("c_rod{}", i + 1), &section);
            let section: Arc<str> = Arc::from(format!("rod {}: angular velocity [rad/s]", i + 1));
            g.label(w[i].id(&g), &format!("w_rod{}", i + 1), &section);
        }
    }
    let mut m = vec![vec![Tracer::ZERO; n]; n];
    let mut bias = vec![Tracer::ZERO; n];
    for i in 0..n {
        // Partial velocities of the centre of rod i by speeds j, and its bias acceleration.
        let partials: Vec<_> = (0..=i)
            .map(|j| {
                let (mut x, mut y) = (Tracer::ZERO, Tracer::ZERO);
                for k in j..=i {
                    let l = if k == i { half * parameter(3 * k + 1) } else { parameter(3 * k + 1) };
                    (x, y) = (x + l * c[k], y + l * s[k]);
                }
                (x, y)
            })
            .collect();
        let (mut ax, mut ay) = (Tracer::ZERO, Tracer::ZERO);
        for k in 0..=i {
            let l = if k == i { half * parameter(3 * k + 1) } else { parameter(3 * k + 1) };
            (ax, ay) = (ax - l * s[k] * w[k] * w[k], ay + l * c[k] * w[k] * w[k]);
        }
        let (mass, inertia) = (parameter(3 * i), parameter(3 * i + 2));
        for a in 0..=i {
            for b in 0..=a {
                let ((xa, ya), (xb, yb)) = (partials[a], partials[b]);
                m[a][b] = m[a][b] + (mass * (xa * xb + ya * yb) + inertia);
            }
            bias[a] = bias[a] + mass * (partials[a].0 * ax + partials[a].1 * (ay + gravity));
        }
    }
    let section: Arc<str> = Arc::from("mass matrix");
    for (a, row) in m.iter().enumerate() {
        for (b, entry) in row.iter().enumerate().take(a + 1) {
            g.label(entry.id(&g), &format!("m_{}_{}", a + 1, b + 1), &section);
        }
    }
    let parent: Vec<Option<usize>> = (0..n).map(|i: usize| i.checked_sub(1)).collect();
    let factors = TreeFactors::new(&parent, |a, b| m[a.max(b)][a.min(b)]);
    let section: Arc<str> = Arc::from("factors of the mass matrix");
    for (i, d) in factors.pivots.iter().enumerate() {
        g.label(d.id(&g), &format!("d_{}", i + 1), &section);
    }
    let right: Vec<_> = (0..n).map(|i| u[i] - bias[i]).collect();
    let acceleration = factors.solve(&right);
    let dx: Vec<NodeId> = v.iter().chain(&acceleration).map(|x| x.id(&g)).collect();
    let pairs = factors.pivots.iter().zip(&factors.diagonal).enumerate();
    let pivots = pairs.map(|(i, (d, m))| check(&format!("d_{}", i + 1), d.id(&g), m.id(&g)));
    let entries = (0..n * n).map(|k| m[(k / n).max(k % n)][(k / n).min(k % n)].id(&g)).collect();
    let functions = vec![
        Function {
            checks: pivots.collect(),
            ..function(functions::DQDT, vec![output("dx", "", ResultShape::Vector(2 * n), dx)])
        },
        function(functions::MASS_MATRIX, vec![output("m", "kg*m^2", ResultShape::Matrix(n, n), entries)]),
    ];
    let names =
        |letter: &str, unit: &str| (1..=n).map(|i| slot(&format!("{letter}{i}"), unit, 0.3)).collect();
    let mut slots: Vec<Slot> = p
        .iter()
        .enumerate()
        .map(|(i, name)| slot(name, ["kg", "m", "kg*m^2"][i % 3], 0.5 + 0.1 * i as f64))
        .collect();
    slots.push(slot("g", "m/s^2", 9.807));
    let layout = Layout {
        q: names("q", "rad"),
        v: names("w", "rad/s"),
        u: names("tau", "N*m"),
        p: slots,
        ..Layout::default()
    };
    program("chain", layout, g, functions)
}

fn with_squared(c: Check) -> Check {
    Check { squared: true, ..c }
}

/// A program with every operation, names that clash with emitted ones, a quaternion
/// and a time dependence.
pub fn everything() -> Program {
    use dqdt_algebra::{Number, Ratio};
    let g = Graph::new();
    let sym = |name: &str, kind| Tracer::new(&g, g.symbol(name, kind));
    let t = sym("t", SymbolKind::Time);
    let names = ["x", "fn", "dx", "model"];
    let q: Vec<_> = names.iter().enumerate().map(|(i, n)| sym(n, SymbolKind::Coordinate(i))).collect();
    let v = sym("T", SymbolKind::Speed(0));
    let z = sym("i_motor", SymbolKind::State(0));
    let u = sym("verdict", SymbolKind::Input(0));
    let p = sym("params", SymbolKind::Parameter(0));
    let r = sym("θ", SymbolKind::Parameter(1));
    let section: Arc<str> = Arc::from("clashing names\nand a second line");
    let mut values = Vec::new();
    use Func::*;
    let inside = q[0] / Tracer::ratio(10, 1);
    for f in [Tan, Asin, Acos, Atan, Sinh, Cosh, Tanh, Exp, Abs, Sign] {
        values.push(inside.apply_function(f));
    }
    values.push((q[1] * q[1] + Tracer::ONE).apply_function(Ln));
    for f in [Func2::Atan2, Func2::Min, Func2::Max] {
        values.push(q[0].apply_function2(f, q[1]));
    }
    values.push((q[1] * q[1] + Tracer::ONE).apply_function2(Func2::Pow, r));
    for cmp in [Cmp::Lt, Cmp::Le, Cmp::Eq] {
        values.push(Tracer::select(cmp, q[0], v, q[1] - p, t * q[2]));
    }
    let spline = PiecewiseCubic::natural_spline(&[-1.0, 0.0, 0.5, 2.0], &[1.0, ROUNDED_PI, -1.0, 0.5]);
    values.push(q[0].interpolate_table(&spline));
    values.push(q[0].interpolate_table(&spline.derivative()));
    values.push((q[0] + q[1]).sin_cos().0 + (q[0] - q[1]).sin_cos().1);
    values.push((q[2] * q[2] + Tracer::ONE).sqrt() / (-(q[0] + q[1]) - (q[2] - q[3])));
    let pi = |n, d| Tracer::number(&g, Number::pi(Ratio::new(n, d).unwrap()));
    values.push((pi(1, 1) * q[0] - pi(1, 3) * q[1]) * (pi(1, 5).sin_cos().0 * q[2]));
    values.push(
        Tracer::number(&g, Number::float(ROUNDED_PI)) * q[0] + Tracer::ratio(-2, 1) * (q[1] + q[0] * q[3]),
    );
    values.push(p * r * (p + r).sqrt() * q[0] - (-(q[1] * q[2])) * -(z * u));
    values.push(Tracer::ratio(2, 1).sqrt() * q[0] + Tracer::ratio(1, 3) * v);
    let sum = values.iter().fold(Tracer::ZERO, |a, b| a + *b);
    for (i, name) in ["T", "p", "type", "NX", "Q_X", "dqdt", "x", "None"].iter().enumerate() {
        g.label(values[i].id(&g), name, &section);
    }
    let ids = |list: &[Tracer]| list.iter().map(|x| x.id(&g)).collect::<Vec<_>>();
    let denominator = q[1].sin_cos().1;
    let rates = vec![v / denominator, q[0], q[1], v * t];
    let mut dx = rates.clone();
    dx.extend([sum, z * u - z]);
    let outputs = vec![
        output("type", "1", ResultShape::Vector(values.len()), ids(&values)),
        output("grid", "1", ResultShape::Matrix(2, 2), ids(&[sum, Tracer::ONE, Tracer::ZERO, p * p])),
        output("sum", "1", ResultShape::Scalar, ids(&[sum])),
    ];
    let one = Tracer::ONE.id(&g);
    let checks = vec![check("cos [fn]", denominator.id(&g), one)];
    let sum_of_squares = (q[0] * q[0] + Tracer::ONE).id(&g);
    let functions = vec![
        Function {
            checks: vec![
                checks[0].clone(),
                check("p", p.id(&g), p.id(&g)),
                with_squared(check("one", sum_of_squares, one)),
            ],
            ..function(functions::DQDT, vec![output("dx", "", ResultShape::Vector(6), ids(&dx))])
        },
        Function {
            checks: checks.clone(),
            ..function(functions::RATES, vec![output("dq", "", ResultShape::Vector(4), ids(&rates))])
        },
        Function { checks, ..function(functions::OUTPUTS, outputs) },
    ];
    let mut layout = Layout {
        q: names.iter().map(|n| slot(n, "1", 0.5)).collect(),
        v: vec![slot("T", "1", 0.2)],
        z: vec![slot("i_motor", "A", 0.1)],
        u: vec![slot("verdict", "V", 0.3)],
        p: vec![slot("params", "1", ROUNDED_PI), slot("θ", "kg*m^2 | <b>[x]", 0.25)],
        quaternions: vec![0],
        position_rows: Vec::new(),
        velocity_rows: Vec::new(),
        events: Vec::new(),
        ..Layout::default()
    };
    layout.q[0].description = "line one\nline *two* | [link] <tag>".to_owned();
    program("everything", layout, g, functions)
}

/// A program without coordinates, speeds, inputs and parameters.
pub fn nothing() -> Program {
    let g = Graph::new();
    let one = g.number(dqdt_algebra::Number::integer(7));
    let functions = vec![
        function(functions::DQDT, vec![output("dx", "", ResultShape::Vector(0), vec![])]),
        function(functions::ENERGY, vec![output("kinetic", "J", ResultShape::Scalar, vec![one])]),
        function(functions::OUTPUTS, vec![]),
    ];
    let mut p = program("nothing", Layout::default(), g, functions);
    p.spec.clear();
    p.spec_hash.clear();
    p
}
