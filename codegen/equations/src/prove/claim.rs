//! Claims and their decisions, and helpers that build claims over the symbols of a mechanism.

use crate::inspect;
use crate::symbolic::{Assumptions, Query, Reason, Status, SymbolicError, Verdict};
use dqdt_algebra::{Number, Scalar};
use dqdt_derivation::symbols::mechanism_symbols;
use dqdt_graph::ir::{Graph, NodeId, SymbolKind, Tracer};
use dqdt_mechanics::formalism::{self, Formalism, Implicit};
use dqdt_mechanics::kinematics;
use dqdt_mechanics::mechanism::{Environment, Mechanism, Partition};

/// A statement about a mechanism, to be proved or refuted by the symbolic engine.
#[derive(Clone, Debug)]
pub struct Claim {
    /// The statement in one line, as printed by `prove`.
    pub title: String,
    /// Description of each entry, such as `M[1, 2]`, in the order of the verdicts.
    pub entries: Vec<String>,
    /// Query that decides the claim.
    pub query: Query,
    /// Assumptions and limits under which the claim is proved.
    pub assumptions: Assumptions,
    /// The formalism and the part of it that the claim concerns, if it concerns only one.
    pub about: Option<(Formalism, FormalismPart)>,
}

/// Part of a formalism that a claim concerns: its equations or its final accelerations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FormalismPart {
    /// The equations of the formalism: M, c and Q, momenta, or a sparse system.
    Equations,
    /// Accelerations computed by its final graph, after every pass.
    Accelerations,
}

/// A decided claim, with one verdict for each entry.
#[derive(Clone, Debug)]
pub struct Decision {
    /// The decided statement in one line.
    pub title: String,
    /// Description of the entry of each verdict.
    pub entries: Vec<String>,
    /// Verdicts, one for each entry of the claim.
    pub verdicts: Vec<Verdict>,
    /// The formalism and the part of it that the claim concerns, if only one.
    pub about: Option<(Formalism, FormalismPart)>,
}

impl Decision {
    /// Verdict on the whole claim: that of its worst entry.
    pub fn overall(&self) -> Verdict {
        Verdict::overall(&self.verdicts)
    }

    /// Status of the whole claim: proved, checked, undecided or refuted.
    pub fn status(&self) -> Status {
        self.overall().status()
    }
}

/// Decides a claim.
///
/// # Errors
/// If the two sides do not match. A claim that remains undecided is no error.
pub fn decide_claim(claim: Claim) -> Result<Decision, SymbolicError> {
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

/// Number of speeds above which equations that are too large together are compared at random points
/// at once, without a trial of each entry alone.
const LARGE: usize = 6;

/// True if the mechanism has more than [`LARGE`] speeds.
pub(super) fn has_many_speeds(m: &Mechanism) -> bool {
    m.nv() > LARGE
}

/// Assumptions for claims about the equations of a mechanism; with many speeds, entries that are
/// too large together are not tried one by one.
pub(super) fn equation_assumptions(m: &Mechanism) -> Assumptions {
    Assumptions { together: has_many_speeds(m), ..inspect::engine_assumptions(m) }
}

/// Names of the entries `M[i, j]` by rows, followed by one entry for each name and speed.
pub(super) fn matrix_entry_names(m: &Mechanism, rest: &[&str]) -> Vec<String> {
    let n = m.nv();
    let mass = (0..n * n).map(|k| format!("M[{}, {}]", k / n + 1, k % n + 1));
    mass.chain(names_by_speed(m, rest)).collect()
}

/// Names of entries, one for each name and speed.
pub(super) fn names_by_speed(m: &Mechanism, names: &[&str]) -> Vec<String> {
    names.iter().flat_map(|name| m.speeds.iter().map(move |s| format!("{name} of {}", s.name))).collect()
}

/// M, c and Q of a mechanism by a formalism, recorded in the graph of `env`.
pub(super) fn implicit_equations<'g>(
    m: &Mechanism,
    f: Formalism,
    env: &Environment<'_, Tracer<'g>>,
) -> Implicit<Tracer<'g>> {
    formalism::implicit_equations(f, m, env)
}

/// Conversion of exact constants to nodes of a graph.
pub(super) fn constant_converter<'g>(graph: &'g Graph) -> impl Fn(Number) -> Tracer<'g> {
    move |n| Tracer::number(graph, n)
}

/// Calls `f` with the symbols of a mechanism in a graph, inputs saturated.
pub(super) fn with_symbols<'g, R>(
    graph: &'g Graph,
    m: &Mechanism,
    partition: &Partition,
    f: impl FnOnce(&Environment<'_, Tracer<'g>>) -> R,
) -> R {
    let number = constant_converter(graph);
    let symbols = mechanism_symbols(graph, m);
    let inputs = kinematics::saturate_inputs(m, &symbols.as_environment(&number));
    f(&Environment { partition, ..symbols.environment_with_inputs(&number, &inputs) })
}

/// The accelerations `v̇` as symbols.
pub(super) fn acceleration_symbols<'g>(graph: &'g Graph, m: &Mechanism) -> Vec<Tracer<'g>> {
    (m.speeds.iter().enumerate())
        .map(|(i, s)| graph.symbol(&format!("{}_dot", s.name), SymbolKind::Acceleration(i)))
        .map(|symbol| Tracer::new(graph, symbol))
        .collect()
}

/// Auxiliary symbols `{name}_1`, `{name}_2`, …; their indices in the graph start at `first`.
pub(super) fn auxiliary_symbols<'g>(
    graph: &'g Graph,
    name: &str,
    first: usize,
    count: usize,
) -> Vec<Tracer<'g>> {
    (first..first + count)
        .map(|i| graph.symbol(&format!("{name}_{}", i - first + 1), SymbolKind::Auxiliary(i)))
        .map(|symbol| Tracer::new(graph, symbol))
        .collect()
}

/// Graph nodes of recorded values.
pub(super) fn node_ids<'a, 'g: 'a>(
    graph: &Graph,
    xs: impl IntoIterator<Item = &'a Tracer<'g>>,
) -> Vec<NodeId> {
    xs.into_iter().map(|x| x.id(graph)).collect()
}

/// `Σ aᵢ bᵢ`; structurally zero factors are skipped.
pub(super) fn nonzero_dot_product<'g>(a: &[Tracer<'g>], b: &[Tracer<'g>]) -> Tracer<'g> {
    let terms = a.iter().zip(b).filter(|(x, y)| !x.is_zero() && !y.is_zero());
    terms.fold(Tracer::ZERO, |sum, (x, y)| sum + *x * *y)
}
