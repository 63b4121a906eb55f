//! Tables for the terminal.

use std::error::Error;

use dqdt_codegen::pipeline::mechanism::Mechanism;
use dqdt_codegen::pipeline::program::{self, Arguments, Layout, Machine, Program, Slot};
use dqdt_codegen::pipeline::{self, Assembled, Request};
use dqdt_codegen::{Formalism, functions};

/// A table with columns as wide as their widest entry; the first is aligned left, the others right.
pub fn table(header: &[&str], rows: &[Vec<String>]) -> String {
    let header: Vec<String> = header.iter().map(|h| (*h).to_owned()).collect();
    let lines = || std::iter::once(&header).chain(rows);
    let widths: Vec<usize> = (0..header.len())
        .map(|c| lines().filter_map(|r| r.get(c)).map(|s| s.chars().count()).max().unwrap_or(0))
        .collect();
    let mut text = String::new();
    for row in lines() {
        for (c, (entry, &width)) in row.iter().zip(&widths).enumerate() {
            let entry = if c == 0 { format!("  {entry:<width$}") } else { format!("  {entry:>width$}") };
            text.push_str(&entry);
        }
        text.truncate(text.trim_end().len());
        text.push('\n');
    }
    text
}

/// Table of the bodies with their inboard joints.
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

/// Table of the vectors of emitted functions.
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

/// Equations `M v̇ + h = τ` at the initial pose: the mass matrix M and the bias h (Coriolis,
/// centrifugal, gravity, other loads).
#[derive(Debug)]
pub struct EvaluatedEquations {
    /// Mass matrix M, by rows.
    pub mass: Vec<Vec<f64>>,
    /// Bias h, one entry per speed.
    pub bias: Vec<f64>,
}

impl EvaluatedEquations {
    /// Entries of M by rows, then those of h.
    fn entries(&self) -> impl Iterator<Item = f64> + '_ {
        self.mass.iter().flatten().chain(&self.bias).copied()
    }
}

/// Evaluates the equations of a formalism in the interpreter, at the initial pose with all speeds
/// one.
///
/// # Errors
/// If a pivot vanishes, or the program lacks a function.
pub fn equations(loaded: &Assembled, f: Formalism) -> Result<EvaluatedEquations, Box<dyn Error>> {
    let request = Request::new(f, vec![functions::MASS_MATRIX, functions::BIAS]);
    let program = pipeline::program(loaded, &request);
    let mut arguments = Arguments::defaults(&program);
    arguments.v.fill(1.0);
    let call = |function| -> Result<Vec<f64>, Box<dyn Error>> {
        let mut machine = Machine::new(&program, function).ok_or("no such function")?;
        Ok(machine.call(&arguments)?.to_vec())
    };
    let mass = call(functions::MASS_MATRIX)?.chunks(program.layout.v.len()).map(<[f64]>::to_vec).collect();
    Ok(EvaluatedEquations { mass, bias: call(functions::BIAS)? })
}

/// Table of the equations, with rows `M | h`.
pub fn matrix(m: &Mechanism, e: &EvaluatedEquations) -> String {
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
pub fn difference(a: &EvaluatedEquations, b: &EvaluatedEquations) -> f64 {
    a.entries().zip(b.entries()).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

/// Table of operation counts, one row per function.
pub fn costs(program: &Program) -> String {
    let (header, rows) = program::table(program);
    let header: Vec<&str> = header.iter().map(String::as_str).collect();
    table(&header, &rows)
}

/// Operations per call, summed over all functions.
pub fn total(program: &Program) -> u32 {
    program.functions.iter().map(|f| program::count(program, f).call.total()).sum()
}
