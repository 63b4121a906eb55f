//! Energies and equations as text, for another computer algebra system.
//!
//! Problem: a second opinion that shares only T and V with this engine.
//! Method:  T, V and the map of rates are written as in the graph, before any normal form; M, the
//!          bias and the forces as closed forms of this engine. Sums, products and functions are
//!          bracketed; numbers are quotients of integers. Symbols have plain names: `q0` a
//!          coordinate, `r0` its rate, `v0` a speed, `t` the time, `p0` any other.
//! Limits:  no functions except sine, cosine and square root; no multiples of π; no texts above a
//!          length, since shared operands are written at each use.

use std::collections::BTreeMap;

use super::closed::{Closed, Exact, Function};
use super::error::SymbolicError;
use super::expressions::Expressions;
use super::lagrange::LagrangeRequest;
use super::prove::Assumptions;
use super::simplify::closed_forms;
use dqdt_algebra::Number;
use dqdt_graph::ir::{Op, SymbolKind};

/// Largest length in bytes of the text of one expression for another algebra system.
const LONGEST: usize = 400_000;

/// The equations `Nᵀ (d/dt ∂T/∂q̇ − ∂T/∂q + ∂V/∂q) = Q̂` with `q̇ = N v + n₀`, as text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LagrangeTexts {
    /// Names of the coordinates q in the texts below.
    pub coordinates: Vec<String>,
    /// Names of the rates q̇ in the texts below.
    pub rates: Vec<String>,
    /// Names of the speeds v in the texts below.
    pub speeds: Vec<String>,
    /// Name of the symbol of time.
    pub time: String,
    /// Names of the components of unit quaternions, scalar first.
    pub quaternions: Vec<[String; 4]>,
    /// Text of the kinetic energy `T(q, q̇, t)`.
    pub kinetic: String,
    /// Text of the potential energy `V(q, t)`.
    pub potential: String,
    /// Texts of the matrix `N` of the map from speeds to rates, by rows, nq × nv.
    pub map: Vec<String>,
    /// Texts of the vector `n₀` of the map from speeds to rates, nq entries.
    pub drift: Vec<String>,
    /// Texts of the mass matrix `M` by rows, nv × nv.
    pub mass: Vec<String>,
    /// Texts of the bias `c − Q`, nv entries.
    pub bias: Vec<String>,
    /// `Q̂`: forces without a potential that are included in the bias, nv entries.
    pub forces: Vec<String>,
}

/// Reason why equations cannot be passed to another algebra system as text.
#[derive(Debug, thiserror::Error)]
pub enum NoText {
    /// A function other than sine, cosine and square root.
    #[error("{0} cannot be passed to another system; only sine, cosine and square root can")]
    Function(String),
    /// A number is not rational: a multiple of π, or a float.
    #[error("a number is not rational")]
    Number,
    /// The text of an expression is longer than the limit.
    #[error("the written-out energies are longer than {LONGEST} bytes")]
    TooLong,
    /// An entry of M, the bias or the forces has no closed form.
    #[error("an entry of the equations has no closed form")]
    NoClosedForm,
    /// An error of the symbolic engine.
    #[error(transparent)]
    Engine(#[from] SymbolicError),
}

impl LagrangeRequest {
    /// Texts of the energies, the map of rates and the equations.
    ///
    /// # Errors
    /// If an expression has no such text.
    pub fn equation_texts(&self, assumptions: &Assumptions) -> Result<LagrangeTexts, NoText> {
        self.check_output_count()?;
        let (e, nq, nv) = (&self.expressions, self.nq, self.nv);
        let maps = if self.mapped { nq * nv + nq } else { 0 };
        let raw = graph_texts(e, 2 + maps)?;
        let (energies, map) = raw.split_at(2);
        let (map, drift) = match self.mapped {
            true => (map[..nq * nv].to_vec(), map[nq * nv..].to_vec()),
            false => {
                let identity = (0..nq * nv).map(|k| if k / nv == k % nv { "1" } else { "0" }.to_owned());
                (identity.collect(), vec!["0".to_owned(); nq])
            }
        };
        let rest = Expressions { outputs: e.outputs[2 + maps..].to_vec(), ..e.clone() };
        let forms = closed_forms(&rest, assumptions)?;
        let forms: Vec<String> = (forms.iter())
            .map(|form| {
                let mut out = String::new();
                write_bracketed_form(form.closed_form().ok_or(NoText::NoClosedForm)?, e, &mut out)?;
                Ok(out)
            })
            .collect::<Result<_, NoText>>()?;
        Ok(LagrangeTexts {
            coordinates: numbered_names('q', nq),
            rates: numbered_names('r', nq),
            speeds: numbered_names('v', nv),
            time: "t".to_owned(),
            quaternions: assumptions.quaternions.iter().map(|q| q.map(|i| format!("q{i}"))).collect(),
            kinetic: energies[0].clone(),
            potential: energies[1].clone(),
            map,
            drift,
            mass: forms[..nv * nv].to_vec(),
            bias: forms[nv * nv..nv * nv + nv].to_vec(),
            forces: forms[nv * nv + nv..].to_vec(),
        })
    }
}

/// Names of a letter and a number: `q0`, `q1`, ….
fn numbered_names(letter: char, count: usize) -> Vec<String> {
    (0..count).map(|i| format!("{letter}{i}")).collect()
}

/// Name of a symbol by its position, so that no name has a meaning in the other system.
fn plain_symbol_name(e: &Expressions, kind: SymbolKind) -> String {
    match kind {
        SymbolKind::Coordinate(i) => format!("q{i}"),
        SymbolKind::Rate(i) => format!("r{i}"),
        SymbolKind::Speed(i) => format!("v{i}"),
        SymbolKind::Time => "t".to_owned(),
        other => {
            let place = e.symbols.iter().position(|s| s.kind == other);
            format!("p{}", place.unwrap_or(e.symbols.len()))
        }
    }
}

/// Texts of the first `count` outputs, operation by operation as in the graph.
fn graph_texts(e: &Expressions, count: usize) -> Result<Vec<String>, NoText> {
    let roots = e.outputs.iter().take(count).map(|o| *o as usize);
    let last = roots.clone().max().unwrap_or(0);
    let mut needed = vec![false; last + 1];
    roots.clone().for_each(|root| needed[root] = true);
    // Operands precede their operations.
    for i in (0..=last).rev() {
        if needed[i] {
            e.nodes[i].args.iter().for_each(|arg| needed[*arg as usize] = true);
        }
    }
    let mut texts: BTreeMap<usize, String> = BTreeMap::new();
    for (i, _) in needed.iter().enumerate().filter(|(_, needed)| **needed) {
        let text = node_text(e, i, &texts)?;
        if text.len() > LONGEST {
            return Err(NoText::TooLong);
        }
        texts.insert(i, text);
    }
    Ok(roots.filter_map(|r| texts.get(&r).cloned()).collect())
}

/// Text of one operation, from the texts of its operands.
fn node_text(e: &Expressions, i: usize, texts: &BTreeMap<usize, String>) -> Result<String, NoText> {
    let n = &e.nodes[i];
    let arg = |k: usize| n.args.get(k).and_then(|a| texts.get(&(*a as usize))).map_or("", String::as_str);
    let (a, b) = (arg(0), arg(1));
    Ok(match n.op {
        Op::Const(Number::Rational(r)) => format!("({}/{})", r.num(), r.den()),
        Op::Const(Number::Wide(w)) => format!("({w})"),
        Op::Const(Number::Pi(_) | Number::Float(_)) => return Err(NoText::Number),
        Op::Symbol(s) => plain_symbol_name(e, e.symbols[s.0 as usize].kind),
        Op::Neg => format!("(-{a})"),
        Op::Add => format!("({a}+{b})"),
        Op::Sub => format!("({a}-{b})"),
        Op::Mul => format!("({a}*{b})"),
        Op::Div => format!("({a}/{b})"),
        Op::Sqrt => format!("sqrt({a})"),
        Op::Sin => format!("sin({a})"),
        Op::Cos => format!("cos({a})"),
        Op::Func(f) => return Err(NoText::Function(f.name().to_owned())),
        Op::Func2(f) => return Err(NoText::Function(f.name().to_owned())),
        Op::Table(_) => return Err(NoText::Function("a table".to_owned())),
        Op::Select(_) => return Err(NoText::Function("a conditional".to_owned())),
    })
}

/// Writes a closed form for another algebra system, fully bracketed.
fn write_bracketed_form(c: &Closed, e: &Expressions, out: &mut String) -> Result<(), NoText> {
    let mut write_list = |all: &[Closed], empty: &str, sign: char| {
        out.push('(');
        out.push_str(if all.is_empty() { empty } else { "" });
        for (i, part) in all.iter().enumerate() {
            out.extend((i > 0).then_some(sign));
            write_bracketed_form(part, e, out)?;
        }
        out.push(')');
        Ok::<(), NoText>(())
    };
    match c {
        Closed::Sum(terms) => write_list(terms, "0", '+')?,
        Closed::Product(factors) => write_list(factors, "1", '*')?,
        Closed::Quotient(a, b) => write_list(&[(**a).clone(), (**b).clone()], "", '/')?,
        Closed::Number(Exact { negative, num, den }) => {
            let sign = if *negative { "-" } else { "" };
            out.push_str(&format!("({sign}{num}/{den})"));
        }
        Closed::Symbol { kind, .. } => out.push_str(&plain_symbol_name(e, *kind)),
        Closed::Power(base, n) => {
            write_bracketed_form(base, e, out)?;
            out.push_str(&format!("^{n}"));
        }
        Closed::Function(f @ (Function::Sin | Function::Cos | Function::Sqrt), args) => {
            out.push_str(&f.name());
            out.push('(');
            for arg in args {
                write_bracketed_form(arg, e, out)?;
            }
            out.push(')');
        }
        Closed::Function(f, _) => return Err(NoText::Function(f.name())),
        Closed::Pi => return Err(NoText::Number),
    }
    Ok(())
}
