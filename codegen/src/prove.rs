//! Claims about a mechanism, and their proofs.
//!
//! Problem: whoever embeds the emitted function must trust every step from the energies to the printed operation.
//! Method:  claims between expressions of independent origin, each decided by the exact normal form of the engine:
//!          1. Kane's equations against Lagrange's as the engine derives them itself from T and V;
//!          2. Kane's equations against Lagrange's by nested jets, all loads included;
//!          3. the final graph of both formalisms, after every pass, against the formalism;
//!          4. `M v̇ = Q − c` for the accelerations of the final graph, and the factorisation by itself;
//!          5. every closed form that `inspect` prints, read back from its text.
//! Limits:  an entry whose polynomials outgrow the limit is undecided and compared at random points of 100 digits.

mod against;
mod elimination;

pub use against::{Against, Comparison, against};

use crate::algebra::{Number, Scalar, TreeFactors};
use crate::formalism::{self, Formalism, Implicit};
use crate::inspect::{self, Quantities};
use crate::ir::lower::{Request as LowerRequest, Symbols};
use crate::ir::{FunctionKind, Graph, NodeId, Program, SymbolKind, Tracer};
use crate::kinematics;
use crate::mechanism::{Environment, Formula, LoadKind, Mechanism};
use crate::pipeline::{self, Loaded};
use crate::symbolic::{
    Assumptions, Expressions, Form, LagrangeInput, LagrangeRequest, RateMap, Request, Response,
    SymbolicError, Task, Verdict, parse_text, text,
};

/// Up to this number of speeds the accelerations are proved exactly.
const EXACT_SOLVE: usize = 2;
/// Up to this number of speeds the factorisation is proved exactly.
const EXACT_PATTERN: usize = 4;

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
    /// True if agreement at random points of 100 digits is all that is asked for, its size being above the limit.
    pub numeric: bool,
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
    pub numeric: bool,
}

impl Decision {
    /// One verdict for the claim. A numeric claim that was not refuted and whose sides agree at every random point is
    /// not undecided: see [`Decision::checked`].
    pub fn overall(&self) -> Verdict {
        if self.checked() { Verdict::Proved { inexact: false } } else { Verdict::overall(&self.verdicts) }
    }

    /// True for a numeric claim that holds at the random points to 60 digits at least, and was not decided exactly.
    pub fn checked(&self) -> bool {
        let small = |text: &str| text.parse::<f64>().is_ok_and(|x| x < 1e-60);
        self.numeric
            && self.verdicts.iter().any(|v| !v.is_proved())
            && self.verdicts.iter().all(|v| match v {
                Verdict::Proved { .. } => true,
                Verdict::Undecided { largest, .. } => largest.as_deref().is_some_and(small),
                Verdict::Refuted { .. } => false,
            })
    }
}

/// All claims about a mechanism but those about printed forms, which need the forms first.
///
/// # Errors
/// Those of a request that the engine would not take.
pub fn claims(loaded: &Loaded) -> Result<Vec<Claim>, SymbolicError> {
    let m = &loaded.mechanism;
    let mut claims = vec![own_lagrange(m)?, jets(m), pattern(m)];
    for formalism in [Formalism::Kane, Formalism::Lagrange] {
        let kinds = [FunctionKind::Dqdt, FunctionKind::Rates, FunctionKind::MassMatrix, FunctionKind::Bias];
        let program = pipeline::program(loaded, &LowerRequest { formalism, functions: kinds.to_vec() });
        claims.push(final_graph(m, formalism, &program));
        claims.push(solved(m, formalism, &program));
    }
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
    let Claim { title, entries, task, assumptions, numeric } = claim;
    let verdicts = match run(Request { assumptions, task })? {
        Response::Verdicts(verdicts) => verdicts,
        Response::Lagrange(v) => v.mass.into_iter().chain(v.rest).collect(),
        Response::Forms(_) | Response::Failed(_) => {
            return Err(SymbolicError::BadRequest("the answer is of another kind"));
        }
    };
    Ok(Decision { title, entries, verdicts, numeric })
}

/// `M[i, j]` by rows, then one entry a speed with this prefix.
fn entry_names(m: &Mechanism, rest: &[&str]) -> Vec<String> {
    let n = m.nv();
    let mass = (0..n * n).map(|k| format!("M[{}, {}]", k / n + 1, k % n + 1));
    let vectors = rest.iter().flat_map(|name| m.speeds.iter().map(move |s| format!("{name} of {}", s.name)));
    mass.chain(vectors).collect()
}

fn implicit<'g>(m: &Mechanism, f: Formalism, env: &Environment<'_, Tracer<'g>>) -> Implicit<Tracer<'g>> {
    formalism::implicit(f, m, env)
}

fn ids(graph: &Graph, xs: impl IntoIterator<Item = impl IntoTracer>) -> Vec<NodeId> {
    xs.into_iter().map(|x| x.node(graph)).collect()
}

/// What has a node in a graph.
trait IntoTracer {
    fn node(self, graph: &Graph) -> NodeId;
}

impl IntoTracer for Tracer<'_> {
    fn node(self, graph: &Graph) -> NodeId {
        self.id(graph)
    }
}

impl IntoTracer for &Tracer<'_> {
    fn node(self, graph: &Graph) -> NodeId {
        self.id(graph)
    }
}

/// The mechanism with those loads only that have a potential.
fn conservative(m: &Mechanism) -> Mechanism {
    let mut m = m.clone();
    m.loads.retain_mut(|load| match &mut load.kind {
        LoadKind::LineSpring { damping, .. } | LoadKind::JointSpring { damping, .. } => {
            *damping = Formula::ZERO;
            true
        }
        LoadKind::Force { .. }
        | LoadKind::Torque { .. }
        | LoadKind::Actuator { .. }
        | LoadKind::GeneralisedForce { .. }
        | LoadKind::Friction { .. } => false,
    });
    m
}

fn own_lagrange(m: &Mechanism) -> Result<Claim, SymbolicError> {
    let m = conservative(m);
    let graph = Graph::new();
    let number = |n: Number| Tracer::number(&graph, n);
    let symbols = Symbols::new(&graph, &m);
    let env = symbols.environment(&number, &symbols.u);
    let rates: Vec<_> = (m.coordinates.iter().enumerate())
        .map(|(i, c)| Tracer::new(&graph, graph.symbol(&format!("{}_dot", c.name), SymbolKind::Rate(i))))
        .collect();
    let (kinetic, potential) = formalism::lagrangian(&m, &env, &rates);
    let e = implicit(&m, Formalism::Kane, &env);
    let k = kinematics::kinematics(&m, &env);
    let bias: Vec<_> = e.c.iter().zip(&e.force).map(|(c, q)| *c - *q).collect();
    let zeros = vec![Tracer::ZERO; m.nv()];
    let input = LagrangeInput {
        graph: &graph,
        nq: m.nq(),
        nv: m.nv(),
        kinetic: kinetic.id(&graph),
        potential: potential.id(&graph),
        map: Some(RateMap {
            n: ids(&graph, k.rate_matrix.iter().flatten()),
            n0: vec![Tracer::ZERO.id(&graph); m.nq()],
        }),
        mass: ids(&graph, e.mass.iter().flatten()),
        bias: ids(&graph, &bias),
        forces: ids(&graph, &zeros),
    };
    Ok(Claim {
        title: "Kane = Lagrange as the symbolic engine derives it from T and V".to_owned(),
        entries: entry_names(&m, &["c − Q"]),
        task: Task::ProveLagrange { request: LagrangeRequest::new(&input)? },
        assumptions: inspect::assumptions(&m),
        numeric: false,
    })
}

/// `M`, `c` and `Q` of a formalism as expressions.
fn equations_of(m: &Mechanism, f: Formalism) -> Expressions {
    let graph = Graph::new();
    let number = |n: Number| Tracer::number(&graph, n);
    let symbols = Symbols::new(&graph, m);
    let inputs = kinematics::saturate_inputs(m, &symbols.environment(&number, &symbols.u));
    let e = implicit(m, f, &symbols.environment(&number, &inputs));
    let nodes = ids(&graph, e.mass.iter().flatten().chain(&e.c).chain(&e.force));
    Expressions::new(&graph, &nodes)
}

fn jets(m: &Mechanism) -> Claim {
    let [left, right] = [Formalism::Kane, Formalism::Lagrange].map(|f| equations_of(m, f));
    Claim {
        title: "Kane = Lagrange by exact differentiation, all loads included".to_owned(),
        entries: entry_names(m, &["c", "Q"]),
        task: Task::ProveEqual { left, right },
        assumptions: inspect::assumptions(m),
        numeric: false,
    }
}

fn nodes_of(program: &Program, kind: FunctionKind) -> Vec<NodeId> {
    let function = program.functions.iter().filter(|f| f.kind == kind);
    function.flat_map(|f| &f.outputs).flat_map(|o| o.nodes.iter().copied()).collect()
}

/// `q̇`, `M` and the bias of the final graph against Kane's equations (which equal those of the other formalisms by
/// the claims before).
pub fn final_graph(m: &Mechanism, formalism: Formalism, program: &Program) -> Claim {
    let graph = Graph::new();
    let number = |n: Number| Tracer::number(&graph, n);
    let symbols = Symbols::new(&graph, m);
    let zeros = vec![Tracer::ZERO; m.inputs.len()];
    let env = symbols.environment(&number, &zeros);
    let e = implicit(m, Formalism::Kane, &env);
    let rates = kinematics::kinematics(m, &env).rates;
    let bias: Vec<_> = e.c.iter().zip(&e.force).map(|(c, q)| *c - *q).collect();
    let left = ids(&graph, e.mass.iter().flatten().chain(&bias).chain(&rates));
    let kinds = [FunctionKind::MassMatrix, FunctionKind::Bias, FunctionKind::Rates];
    let right: Vec<NodeId> = kinds.iter().flat_map(|k| nodes_of(program, *k)).collect();
    let mut entries = entry_names(m, &["bias"]);
    entries.extend(m.coordinates.iter().map(|c| format!("rate of {}", c.name)));
    Claim {
        title: format!("{}: the final graph, after every pass, has Kane's M, bias and q̇", formalism.name()),
        entries,
        task: Task::ProveEqual {
            left: Expressions::new(&graph, &left),
            right: Expressions::new(&program.graph, &right),
        },
        assumptions: inspect::assumptions(m),
        numeric: false,
    }
}

/// `M v̇ = Q − c` with the accelerations and the mass matrix of the final graph. Exact up to [`EXACT_SOLVE`] speeds;
/// beyond, at random points, while [`pattern`] proves the solve for all values.
fn solved(m: &Mechanism, formalism: Formalism, program: &Program) -> Claim {
    let n = m.nv();
    let dx = nodes_of(program, FunctionKind::Dqdt);
    let mass = nodes_of(program, FunctionKind::MassMatrix);
    let bias = nodes_of(program, FunctionKind::Bias);
    let g = &program.graph;
    let at = |id: NodeId| Tracer::new(g, id);
    // The right side at the inputs: Q − c of the formalism, recorded in the same graph.
    let number = |k: Number| Tracer::number(g, k);
    let symbols = Symbols::new(g, m);
    let inputs = kinematics::saturate_inputs(m, &symbols.environment(&number, &symbols.u));
    let right: Vec<Tracer<'_>> = if m.inputs.is_empty() {
        bias.iter().map(|b| -at(*b)).collect()
    } else {
        let e = implicit(m, formalism, &symbols.environment(&number, &inputs));
        e.force.iter().zip(&e.c).map(|(q, c)| *q - *c).collect()
    };
    let accelerations = &dx[m.nq()..m.nq() + n];
    let product = |i: usize| {
        let terms = (0..n).map(|j| at(mass[i * n + j]) * at(accelerations[j]));
        terms.fold(Tracer::ZERO, |sum, x| sum + x)
    };
    let left: Vec<NodeId> = (0..n).map(|i| product(i).id(g)).collect();
    let right: Vec<NodeId> = right.iter().map(|x| x.id(g)).collect();
    Claim {
        title: format!("{}: its accelerations solve M v̇ = Q − c", formalism.name()),
        entries: m.speeds.iter().map(|s| format!("row of {}", s.name)).collect(),
        task: Task::ProveEqual { left: Expressions::new(g, &left), right: Expressions::new(g, &right) },
        assumptions: if n <= EXACT_SOLVE {
            inspect::assumptions(m)
        } else {
            Assumptions { limit: 1, ..inspect::assumptions(m) }
        },
        numeric: n > EXACT_SOLVE,
    }
}

/// The tree-sparse factorisation solves `M x = b`, with the entries of M as symbols.
fn pattern(m: &Mechanism) -> Claim {
    let graph = Graph::new();
    let order = kinematics::order_of_speeds(m);
    let n = order.len();
    let mut place = vec![0; n];
    order.iter().enumerate().for_each(|(k, speed)| place[*speed] = k);
    let parents = kinematics::parents_of_speeds(m);
    let parent: Vec<Option<usize>> = order.iter().map(|s| parents[*s].map(|p| place[p])).collect();
    let related = |i: usize, j: usize| {
        let (low, high) = (i.min(j), i.max(j));
        std::iter::successors(Some(high), |k| parent[*k]).any(|k| k == low)
    };
    let entry = |i: usize, j: usize| {
        let (low, high) = (i.min(j), i.max(j));
        if !related(i, j) {
            return Tracer::ZERO;
        }
        let name = format!("m_{}_{}", low + 1, high + 1);
        Tracer::new(&graph, graph.symbol(&name, SymbolKind::Auxiliary(low * n + high)))
    };
    let right: Vec<_> = (0..n)
        .map(|i| Tracer::new(&graph, graph.symbol(&format!("b_{}", i + 1), SymbolKind::Auxiliary(n * n + i))))
        .collect();
    let x = TreeFactors::new(&parent, entry).solve(&right);
    let row = |i: usize| (0..n).fold(Tracer::ZERO, |sum, j| sum + entry(i, j) * x[j]);
    let left: Vec<NodeId> = (0..n).map(|i| row(i).id(&graph)).collect();
    let right: Vec<NodeId> = right.iter().map(|b| b.id(&graph)).collect();
    Claim {
        title: "the factorisation solves M x = b, the entries of M being symbols".to_owned(),
        entries: (1..=n).map(|i| format!("row {i}")).collect(),
        task: Task::ProveEqual {
            left: Expressions::new(&graph, &left),
            right: Expressions::new(&graph, &right),
        },
        assumptions: Assumptions::default(),
        numeric: n > EXACT_PATTERN,
    }
}

/// Every closed form that `inspect` prints, read back from its text, is what it stands for.
///
/// Returns the claim and the number of quantities that have no closed form.
///
/// # Errors
/// Those of the engine.
pub fn printed(
    m: &Mechanism,
    run: impl Fn(Request) -> Result<Response, SymbolicError>,
) -> Result<(Claim, usize), SymbolicError> {
    let Quantities { graph, groups } = inspect::quantities(m, Formalism::Kane);
    let nodes: Vec<NodeId> = groups.iter().flat_map(|g| g.nodes.iter().copied()).collect();
    let assumptions = inspect::assumptions(m);
    let expressions = Expressions::new(&graph, &nodes);
    let task = Task::ClosedForms { expressions: expressions.clone() };
    let Response::Forms(forms) = run(Request { assumptions: assumptions.clone(), task })? else {
        return Err(SymbolicError::BadRequest("the answer is of another kind"));
    };
    let (mut kept, mut parsed, mut entries) = (Vec::new(), Vec::new(), Vec::new());
    for (node, form) in nodes.iter().zip(&forms) {
        if let Form::Closed { closed, .. } = form {
            let printed = text(closed);
            parsed.push(parse_text(&printed, expressions.symbol_names())?);
            entries.push(printed);
            kept.push(*node);
        }
    }
    let missing = nodes.len() - kept.len();
    let claim = Claim {
        title: format!("the {} closed forms that `inspect` prints say the same", kept.len()),
        entries,
        task: Task::ProveClosed { expressions: Expressions::new(&graph, &kept), forms: parsed },
        assumptions,
        numeric: false,
    };
    Ok((claim, missing))
}
