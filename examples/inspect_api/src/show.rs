//! Tables for the terminal.

use dqdt_codegen::algebra::Number;
use dqdt_codegen::formalism::{self, Formalism, Implicit};
use dqdt_codegen::ir::{self, Layout, Program, Slot};
use dqdt_codegen::kinematics;
use dqdt_codegen::mechanism::{Environment, Mechanism};

/// Columns as wide as their widest entry, the first to the left, the others to the right.
pub fn table(header: &[&str], rows: &[Vec<String>]) -> String {
    let header: Vec<String> = header.iter().map(|h| (*h).to_owned()).collect();
    let all = || std::iter::once(&header).chain(rows);
    let width = |c: usize| all().filter_map(|r| r.get(c)).map(|s| s.chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..header.len()).map(width).collect();
    let mut text = String::new();
    for row in all() {
        for (c, (entry, &width)) in row.iter().zip(&widths).enumerate() {
            let entry = if c == 0 { format!("  {entry:<width$}") } else { format!("  {entry:>width$}") };
            text.push_str(&entry);
        }
        text.truncate(text.trim_end().len());
        text.push('\n');
    }
    text
}

/// Bodies with their inboard joints.
pub fn bodies(m: &Mechanism) -> String {
    let rows: Vec<Vec<String>> = (m.bodies.iter().zip(&m.joints))
        .map(|(body, joint)| {
            let parent = joint.parent.map_or("ground", |p| m.bodies[p].name.as_str());
            let kind = format!("{:?}", joint.kind);
            let kind = kind.split(['(', ' ']).next().unwrap_or_default().to_lowercase();
            vec![body.name.clone(), joint.name.clone(), kind, parent.to_owned()]
        })
        .collect();
    table(&["body", "joint", "kind", "parent"], &rows)
}

/// The vectors of emitted functions.
pub fn layout(l: &Layout) -> String {
    let vectors: [(&str, &[Slot]); 5] = [("q", &l.q), ("v", &l.v), ("z", &l.z), ("u", &l.u), ("p", &l.p)];
    let mut rows = Vec::new();
    for (vector, slots) in vectors {
        rows.extend(slots.iter().enumerate().map(|(i, s)| {
            vec![format!("{vector}[{i}]"), s.name.clone(), format!("{:.4}", s.value), s.unit.clone()]
        }));
    }
    table(&["", "name", "value", "unit"], &rows)
}

/// M, c and Q at the initial pose with all speeds one: mechanics run over doubles, without a graph.
pub fn equations(m: &Mechanism, f: Formalism) -> Implicit<f64> {
    let number = |n: Number| n.to_f64();
    let p = kinematics::parameters(m, &number, &[]);
    let start = kinematics::start(m, &number, &p);
    let v = vec![1.0; m.nv()];
    let given = Environment { number: &number, t: 0.0, q: &start.q, v: &v, z: &start.z, u: &start.u, p: &p };
    let u = kinematics::saturate_inputs(m, &given);
    formalism::implicit(f, m, &Environment { u: &u, ..given })
}

/// Equations as rows of `M | c | Q`.
pub fn implicit(m: &Mechanism, e: &Implicit<f64>) -> String {
    let rows: Vec<Vec<String>> = (0..m.nv())
        .map(|i| {
            let numbers = e.mass[i].iter().chain([&e.c[i], &e.force[i]]).map(|x| format!("{x:.5}"));
            std::iter::once(m.speeds[i].name.clone()).chain(numbers).collect()
        })
        .collect();
    let speeds = m.speeds.iter().map(|s| s.name.as_str());
    let header: Vec<&str> = std::iter::once("M").chain(speeds).chain(["c", "Q"]).collect();
    table(&header, &rows)
}

/// Largest difference between two sets of equations of one mechanism.
pub fn difference(a: &Implicit<f64>, b: &Implicit<f64>) -> f64 {
    let all = |e: &Implicit<f64>| -> Vec<f64> {
        e.mass.iter().flatten().chain(e.c.iter()).chain(&e.force).copied().collect()
    };
    all(a).iter().zip(all(b)).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

/// Operation counts, one row a function.
pub fn costs(program: &Program) -> String {
    let (header, rows) = ir::count::table(program);
    let header: Vec<&str> = header.iter().map(String::as_str).collect();
    table(&header, &rows)
}

/// Operations at each call, all functions together.
pub fn total(program: &Program) -> u32 {
    program.functions.iter().map(|f| ir::count(program, f).call.total()).sum()
}
