//! Claims, and their parts: symbols, entries, sums.

use crate::inspect;
use crate::symbolic::{Assumptions, Query, Reason, Status, SymbolicError, Verdict};
use dqdt_algebra::{Number, Scalar};
use dqdt_derivation::symbols::symbols;
use dqdt_graph::ir::{Graph, NodeId, SymbolKind, Tracer};
use dqdt_mechanics::formalism::{self, Formalism, Implicit};
use dqdt_mechanics::kinematics;
use dqdt_mechanics::mechanism::{Environment, Mechanism, Partition};

/// A statement to be decided.
#[derive(Clone, Debug)]
pub struct Claim {
    /// What is claimed, in one line.
    pub title: String,
    /// What each position of the verdicts is.
    pub entries: Vec<String>,
    /// How it is decided.
    pub query: Query,
    /// What may be assumed.
    pub assumptions: Assumptions,
    /// Which part of which formalism it is about, if of one.
    pub about: Option<(Formalism, FormalismPart)>,
}

/// A part of a formalism.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FormalismPart {
    /// The equations that it states: M, c and Q, momenta, or a sparse system.
    Equations,
    /// The accelerations that its final graph gives, after every pass.
    Accelerations,
}

/// A claim and its verdicts, one an entry.
#[derive(Clone, Debug)]
pub struct Decision {
    /// What was claimed.
    pub title: String,
    /// What each verdict is about.
    pub entries: Vec<String>,
    /// One an entry.
    pub verdicts: Vec<Verdict>,
    /// As in the claim.
    pub about: Option<(Formalism, FormalismPart)>,
}

impl Decision {
    /// One verdict for the claim: that of its worst entry.
    pub fn overall(&self) -> Verdict {
        Verdict::overall(&self.verdicts)
    }

    /// How well the claim is known, as a whole.
    pub fn status(&self) -> Status {
        self.overall().status()
    }
}

/// Decides a claim.
///
/// # Errors
/// Sides that do not match; a claim that stays open is no error.
pub fn decide(claim: Claim) -> Result<Decision, SymbolicError> {
    let Claim { title, entries, query, assumptions, about } = claim;
    let mut verdicts = query.verdicts(&assumptions)?;
    if assumptions.on_constraints {
        for verdict in &mut verdicts {
            if let Verdict::Refuted { which, .. } = *verdict {
                let reason = Reason::OffConstraints;
                *verdict = Verdict::Undecided { which, reason, largest: None, uncrossed: None };
            }
        }
    }
    Ok(Decision { title, entries, verdicts, about })
}

/// Above this number of speeds equations that are too large together are compared at random points, not tried one by one.
const LARGE: usize = 6;

pub(super) fn is_large(m: &Mechanism) -> bool {
    m.nv() > LARGE
}

/// Assumptions about a mechanism, and limits of claims about equations.
pub(super) fn assumptions(m: &Mechanism) -> Assumptions {
    Assumptions { together: is_large(m), ..inspect::assumptions(m) }
}

/// `M[i, j]` by rows, then one entry a speed with each of these names.
pub(super) fn entry_names(m: &Mechanism, rest: &[&str]) -> Vec<String> {
    let n = m.nv();
    let mass = (0..n * n).map(|k| format!("M[{}, {}]", k / n + 1, k % n + 1));
    mass.chain(by_speed(m, rest)).collect()
}

/// One entry a speed with each of these names.
pub(super) fn by_speed(m: &Mechanism, names: &[&str]) -> Vec<String> {
    names.iter().flat_map(|name| m.speeds.iter().map(move |s| format!("{name} of {}", s.name))).collect()
}

pub(super) fn implicit<'g>(
    m: &Mechanism,
    f: Formalism,
    env: &Environment<'_, Tracer<'g>>,
) -> Implicit<Tracer<'g>> {
    formalism::implicit(f, m, env)
}

/// Something over the symbols of a mechanism, with saturated inputs.
pub(super) fn with_symbols<'g, R>(
    graph: &'g Graph,
    m: &Mechanism,
    partition: &Partition,
    f: impl FnOnce(&Environment<'_, Tracer<'g>>) -> R,
) -> R {
    let number = |n: Number| Tracer::number(graph, n);
    let symbols = symbols(graph, m);
    let inputs = kinematics::saturate_inputs(m, &symbols.environment(&number));
    f(&Environment { partition, ..symbols.with_inputs(&number, &inputs) })
}

/// `v̇` as symbols.
pub(super) fn accelerations<'g>(graph: &'g Graph, m: &Mechanism) -> Vec<Tracer<'g>> {
    let symbol = |(i, name): (usize, String)| {
        Tracer::new(graph, graph.symbol(&format!("{name}_dot"), SymbolKind::Acceleration(i)))
    };
    m.speeds.iter().map(|s| s.name.clone()).enumerate().map(symbol).collect()
}

/// Symbols of any other kind, numbered from `first`.
pub(super) fn unknowns<'g>(graph: &'g Graph, name: &str, first: usize, count: usize) -> Vec<Tracer<'g>> {
    let symbol = |i: usize| graph.symbol(&format!("{name}_{}", i - first + 1), SymbolKind::Auxiliary(i));
    (first..first + count).map(|i| Tracer::new(graph, symbol(i))).collect()
}

pub(super) fn ids<'a, 'g: 'a>(graph: &Graph, xs: impl IntoIterator<Item = &'a Tracer<'g>>) -> Vec<NodeId> {
    xs.into_iter().map(|x| x.id(graph)).collect()
}

/// Σ aᵢ bᵢ without structural zeros.
pub(super) fn dot<'g>(a: &[Tracer<'g>], b: &[Tracer<'g>]) -> Tracer<'g> {
    let terms = a.iter().zip(b).filter(|(x, y)| !x.is_zero() && !y.is_zero());
    terms.fold(Tracer::ZERO, |sum, (x, y)| sum + *x * *y)
}
