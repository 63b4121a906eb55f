//! Claims about a mechanism, and their proofs.
//!
//! Problem: whoever embeds the emitted function must trust every step from the energies to the printed operation.
//! Method:  claims between expressions of independent origin, each decided by the exact normal form of the engine:
//!          1. Kane's equations against Lagrange's as the engine derives them itself from T and V (`forms`);
//!          2. M, c, Q of every other form that has them, Poisson's momenta among them, against Kane's (`forms`);
//!          3. the sparse systems of the other forms in a motion against Kane's equations (`systems`);
//!          4. the complement of the constraints, and the projected equations (`projected`);
//!          5. the solves with M, its entries being symbols (`factorisation`);
//!          6. the final graph of each form that has M, after every pass (`programs`);
//!          7. `M v̇ = Q − c + Aᵀ λ`, `A v̇ = γ` with the accelerations of the final graph of all forms (`programs`);
//!          8. every closed form that `inspect` prints, read back from its text (`printed`), and the system that
//!             these make up, constraints included, against the final graph (`printed_system`).
//! Limits:  an entry whose polynomials outgrow the limit is compared at random points of 100 digits: it is checked then, not
//!          proved. Of the articulated-body form there are accelerations only, so that 7 is all that is claimed.

mod against;
mod factorisation;
mod forms;
mod printed;
mod printed_system;
mod programs;
mod projected;
mod systems;

pub use against::{Against, Comparison, against};
pub use forms::same_equations;
pub use printed::{Printed, printed, texts};
pub use printed_system::printed_system;
pub use programs::{final_graph, solved};
pub use systems::same_motion;

use crate::algebra::{Number, Scalar};
use crate::assemble::with_choices;
use crate::formalism::{self, Formalism, Implicit};
use crate::inspect;
use crate::ir::{Graph, NodeId, SymbolKind, Tracer};
use crate::kinematics;
use crate::mechanism::{Environment, Mechanism, Treatment};
use crate::pipeline::Loaded;
use crate::symbolic::{Assumptions, Request, Response, Status, SymbolicError, Task, Verdict};
use crate::symbols::Symbols;

/// A statement to be decided.
#[derive(Clone, Debug)]
pub struct Claim {
    /// What is claimed, in one line.
    pub title: String,
    /// What each position of the verdicts is.
    pub entries: Vec<String>,
    /// How it is decided.
    pub task: Task,
    /// What may be assumed.
    pub assumptions: Assumptions,
    /// Which part of which formalism it is about, if of one.
    pub about: Option<(Formalism, Part)>,
}

/// A part of a formalism.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
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
    pub about: Option<(Formalism, Part)>,
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

/// All claims about a mechanism but those about printed forms, which need the forms first.
///
/// # Errors
/// Those of a request that the engine would not take.
pub fn claims(loaded: &Loaded) -> Result<Vec<Claim>, SymbolicError> {
    let bare = Loaded { mechanism: unstabilised(&loaded.mechanism), ..loaded.clone() };
    let mut claims = vec![forms::own_lagrange(&loaded.mechanism)?];
    claims.extend(forms::claims(&bare.mechanism));
    claims.extend(systems::claims(&bare.mechanism));
    claims.extend(projected::claims(&bare.mechanism));
    claims.extend(factorisation::claims(&bare.mechanism));
    claims.extend(programs::claims(&bare, &loaded.mechanism));
    Ok(claims)
}

/// Decides a claim by an engine that `run` reaches.
///
/// # Errors
/// Those of the engine; a claim that it cannot decide is no error.
pub fn decide(
    claim: Claim,
    run: impl Fn(Request) -> Result<Response, SymbolicError>,
) -> Result<Decision, SymbolicError> {
    let Claim { title, entries, task, assumptions, about } = claim;
    let verdicts = match run(Request { assumptions, task })? {
        Response::Verdicts(verdicts) => verdicts,
        Response::Lagrange(v) => v.mass.into_iter().chain(v.rest).collect(),
        Response::Forms(_) | Response::Failed(_) => {
            return Err(SymbolicError::BadRequest("the answer is of another kind"));
        }
    };
    Ok(Decision { title, entries, verdicts, about })
}

/// The mechanism whose constraints are not stabilised, have all their multipliers, and determine no speeds: what
/// is proved is the equations; claims about elimination choose their speeds themselves.
fn unstabilised(m: &Mechanism) -> Mechanism {
    let mut m = m.clone();
    // A program is not a law of mechanics: the claims are about what carries it out.
    let mut kept = 0..;
    let places: Vec<usize> =
        m.constraints.iter().map(|c| if c.is_program() { 0 } else { kept.next().unwrap_or(0) }).collect();
    let p = &mut m.partition;
    let in_groups = p.groups.iter_mut().flat_map(|g| &mut g.rows);
    for row in in_groups.chain(&mut p.redundant) {
        row.0 = places[row.0];
    }
    p.undetermined.clear();
    m.constraints.retain(|c| !c.is_program());
    for c in &mut m.constraints {
        c.stabilisation = None;
        c.treatment = Treatment::Multipliers;
    }
    with_choices(m)
}

/// Above this number of speeds equations that are too large together are compared at random points, not tried one by one.
const LARGE: usize = 6;

fn is_large(m: &Mechanism) -> bool {
    m.nv() > LARGE
}

/// What the engine may assume about a mechanism, and how far it goes for claims about equations.
fn assumptions(m: &Mechanism) -> Assumptions {
    Assumptions { together: is_large(m), ..inspect::assumptions(m) }
}

/// `M[i, j]` by rows, then one entry a speed with each of these names.
fn entry_names(m: &Mechanism, rest: &[&str]) -> Vec<String> {
    let n = m.nv();
    let mass = (0..n * n).map(|k| format!("M[{}, {}]", k / n + 1, k % n + 1));
    mass.chain(by_speed(m, rest)).collect()
}

/// One entry a speed with each of these names.
fn by_speed(m: &Mechanism, names: &[&str]) -> Vec<String> {
    names.iter().flat_map(|name| m.speeds.iter().map(move |s| format!("{name} of {}", s.name))).collect()
}

fn implicit<'g>(m: &Mechanism, f: Formalism, env: &Environment<'_, Tracer<'g>>) -> Implicit<Tracer<'g>> {
    formalism::implicit(f, m, env)
}

/// Something over the symbols of a mechanism, with saturated inputs.
fn with_symbols<'g, R>(
    graph: &'g Graph,
    m: &Mechanism,
    f: impl FnOnce(&Environment<'_, Tracer<'g>>) -> R,
) -> R {
    let number = |n: Number| Tracer::number(graph, n);
    let symbols = Symbols::new(graph, m);
    let inputs = kinematics::saturate_inputs(m, &symbols.environment(&number, &symbols.u));
    f(&symbols.environment(&number, &inputs))
}

/// `v̇` as symbols.
fn accelerations<'g>(graph: &'g Graph, m: &Mechanism) -> Vec<Tracer<'g>> {
    let symbol = |(i, name): (usize, String)| {
        Tracer::new(graph, graph.symbol(&format!("{name}_dot"), SymbolKind::Acceleration(i)))
    };
    m.speeds.iter().map(|s| s.name.clone()).enumerate().map(symbol).collect()
}

/// Symbols of any other kind, numbered from `first`.
fn unknowns<'g>(graph: &'g Graph, name: &str, first: usize, count: usize) -> Vec<Tracer<'g>> {
    let symbol = |i: usize| graph.symbol(&format!("{name}_{}", i - first + 1), SymbolKind::Auxiliary(i));
    (first..first + count).map(|i| Tracer::new(graph, symbol(i))).collect()
}

fn ids<'a, 'g: 'a>(graph: &Graph, xs: impl IntoIterator<Item = &'a Tracer<'g>>) -> Vec<NodeId> {
    xs.into_iter().map(|x| x.id(graph)).collect()
}

/// Σ aᵢ bᵢ without structural zeros.
fn dot<'g>(a: &[Tracer<'g>], b: &[Tracer<'g>]) -> Tracer<'g> {
    let terms = a.iter().zip(b).filter(|(x, y)| !x.is_zero() && !y.is_zero());
    terms.fold(Tracer::ZERO, |sum, (x, y)| sum + *x * *y)
}
