//! Tables for the terminal.

use std::error::Error;

use dqdt_codegen::pipeline::mechanism::Mechanism;
use dqdt_codegen::pipeline::program::{self, Arguments, Layout, Machine, Program, Slot};
use dqdt_codegen::pipeline::{self, Assembled, Request};
use dqdt_codegen::{Formalism, functions};

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

/// `M v̇ + h = τ` at the initial pose: M, and h, which is all that stands beside `M v̇`: inertia terms of the speeds less the
/// forces of gravity and of loads.
#[derive(Debug)]
pub struct Equations {
    /// M, by rows.
    pub mass: Vec<Vec<f64>>,
    /// h
    pub bias: Vec<f64>,
}

/// The equations by a formalism at the initial pose with all speeds one: its program, run by the interpreter.
///
/// # Errors
/// Where a pivot vanishes, and if the program lacks a function.
pub fn equations(loaded: &Assembled, f: Formalism) -> Result<Equations, Box<dyn Error>> {
    let request = Request::new(f, vec![functions::MASS_MATRIX, functions::BIAS]);
    let program = pipeline::program(loaded, &request);
    let mut arguments = Arguments::defaults(&program);
    arguments.v.fill(1.0);
    let call = |function| -> Result<Vec<f64>, Box<dyn Error>> {
        let mut machine = Machine::new(&program, function).ok_or("no such function")?;
        Ok(machine.call(&arguments)?.to_vec())
    };
    let mass = call(functions::MASS_MATRIX)?.chunks(program.layout.v.len()).map(<[f64]>::to_vec).collect();
    Ok(Equations { mass, bias: call(functions::BIAS)? })
}

/// Equations as rows of `M | h`.
pub fn matrix(m: &Mechanism, e: &Equations) -> String {
    let rows: Vec<Vec<String>> = (m.speeds.iter().zip(e.mass.iter().zip(&e.bias)))
        .map(|(speed, (row, h))| {
            let numbers = row.iter().chain([h]).map(|x| format!("{x:.5}"));
            std::iter::once(speed.name.clone()).chain(numbers).collect()
        })
        .collect();
    let speeds = m.speeds.iter().map(|s| s.name.as_str());
    let header: Vec<&str> = std::iter::once("M").chain(speeds).chain(["h"]).collect();
    table(&header, &rows)
}

/// Largest difference between two sets of equations of one mechanism.
pub fn difference(a: &Equations, b: &Equations) -> f64 {
    let all = |e: &Equations| -> Vec<f64> { e.mass.iter().flatten().chain(&e.bias).copied().collect() };
    all(a).iter().zip(all(b)).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

/// Operation counts, one row a function.
pub fn costs(program: &Program) -> String {
    let (header, rows) = program::table(program);
    let header: Vec<&str> = header.iter().map(String::as_str).collect();
    table(&header, &rows)
}

/// Operations at each call, all functions together.
pub fn total(program: &Program) -> u32 {
    program.functions.iter().map(|f| program::count(program, f).call.total()).sum()
}
