//! Claims that all formalisms with `M`, `c` and `Q` state the same equations, element by element.
//!
//! Problem: different formalisms must state the same equations of motion.
//! Method:  Kane's equations are the reference. They are compared with the result of the engine's
//!          own calculus from T and V, and with each other formalism over one set of symbols, all
//!          loads and saturated inputs included. Poisson's form states `p = M v + p₀` and `ṗ`: the
//!          part of `ṗ` without accelerations must equal `Q − c`. Its M is Kane's.
//! Limits:  formalisms without a mass matrix are in `systems`.

use super::claim::{
    Claim, FormalismPart, constant_converter, implicit_equations, matrix_entry_names, names_by_speed,
    node_ids, nonzero_dot_product, with_symbols,
};
use crate::inspect;
use crate::symbolic::{
    Expressions, LagrangeInput, LagrangeRequest, LagrangeTexts, NoText, Query, RateMap, SymbolicError,
};
use dqdt_algebra::Scalar;
use dqdt_derivation::symbols::mechanism_symbols;
use dqdt_graph::ir::{Graph, SymbolKind, Tracer};
use dqdt_mechanics::formalism::{self, Equations, Formalism, Implicit};
use dqdt_mechanics::kinematics;
use dqdt_mechanics::mechanism::{Environment, Load, Mechanism, Partition};

/// Claims about the formalisms with M, c and Q, and about Poisson's. Quantities that a formalism
/// computes by Kane's code are not compared, since that could not fail.
pub(super) fn formalism_claims(m: &Mechanism) -> Vec<Claim> {
    let others = Formalism::stating_equations().filter(|f| *f != Formalism::Kane);
    let claims = others.map(|f| {
        let title = if f.shares_mass_with(Formalism::Kane) {
            format!(
                "{}: c equals that of Kane's equations; the same code computes M and Q for both",
                f.name()
            )
        } else {
            format!("{}: M, c and Q equal those of Kane's equations, element by element", f.name())
        };
        equal_equations_claim(m, f, &title, |env| implicit_equations(m, f, env))
    });
    claims.chain([momentum_claim(m)]).collect()
}

/// A copy of the mechanism with only the conservative loads.
fn with_conservative_loads(m: &Mechanism) -> Mechanism {
    let loads = m.loads.iter().filter_map(|load| {
        let [conservative, _] = load.kind.parts();
        Some(Load { name: load.name.clone(), kind: conservative? })
    });
    Mechanism { loads: loads.collect(), ..m.clone() }
}

/// Claim that Kane's equations equal Lagrange's, derived by the engine's own calculus; conservative
/// loads only.
pub(super) fn lagrange_claim(m: &Mechanism) -> Result<Claim, SymbolicError> {
    let m = with_conservative_loads(m);
    let graph = Graph::new();
    let number = constant_converter(&graph);
    let symbols = mechanism_symbols(&graph, &m);
    let env = symbols.as_environment(&number);
    let rates: Vec<_> = (m.coordinates.iter().enumerate())
        .map(|(i, c)| Tracer::new(&graph, graph.symbol(&format!("{}_dot", c.name), SymbolKind::Rate(i))))
        .collect();
    let (kinetic, potential) = formalism::lagrangian_energies(&m, &env, &rates);
    let e = implicit_equations(&m, Formalism::Kane, &env);
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
            n: node_ids(&graph, k.rate_matrix.iter().flatten()),
            n0: vec![Tracer::ZERO.id(&graph); m.nq()],
        }),
        mass: node_ids(&graph, e.mass.iter().flatten()),
        bias: node_ids(&graph, &bias),
        forces: node_ids(&graph, &zeros),
    };
    Ok(Claim {
        title: "Kane's equations equal Lagrange's, which the symbolic engine derives from T and V".to_owned(),
        entries: matrix_entry_names(&m, &["c − Q"]),
        query: Query::ProveLagrange { request: LagrangeRequest::new(&input)? },
        assumptions: inspect::engine_assumptions(&m),
        about: Some((Formalism::Kane, FormalismPart::Equations)),
    })
}

/// Names of the entries of M and c − Q, and the texts of energies and Kane's equations, for a proof
/// by another system.
///
/// # Errors
/// If an expression has no such text ([`NoText`]).
pub fn lagrange_claim_texts(m: &Mechanism) -> Result<(Vec<String>, LagrangeTexts), NoText> {
    let Claim { entries, query, assumptions, .. } = lagrange_claim(m)?;
    match query {
        Query::ProveLagrange { request } => Ok((entries, request.equation_texts(&assumptions)?)),
        _ => {
            Err(SymbolicError::BadRequest("the query of the claim is not about Lagrange's equations").into())
        }
    }
}

/// Claim that a formalism has Kane's c, and Kane's M and Q unless both formalisms compute these by
/// the same code.
pub fn equal_equations_claim(
    m: &Mechanism,
    formalism: Formalism,
    title: &str,
    form: impl for<'g> Fn(&Environment<'_, Tracer<'g>>) -> Implicit<Tracer<'g>>,
) -> Claim {
    let graph = Graph::new();
    let shares = formalism.shares_mass_with(Formalism::Kane);
    let expressions = |e: &Implicit<Tracer<'_>>| {
        let mass = e.mass.iter().flatten().filter(|_| !shares);
        let force = e.force.iter().filter(|_| !shares);
        Expressions::new(&graph, &node_ids(&graph, mass.chain(&e.c).chain(force)))
    };
    let kane = with_symbols(&graph, m, Partition::ALL_ROWS, |env| {
        expressions(&implicit_equations(m, Formalism::Kane, env))
    });
    let other = with_symbols(&graph, m, Partition::ALL_ROWS, |env| expressions(&form(env)));
    Claim {
        title: title.to_owned(),
        entries: if shares { names_by_speed(m, &["c"]) } else { matrix_entry_names(m, &["c", "Q"]) },
        query: Query::ProveEqual { left: kane, right: other },
        assumptions: super::claim::equation_assumptions(m),
        about: Some((formalism, FormalismPart::Equations)),
    }
}

/// Claim about Poisson's momenta: `p − p₀ = M v`, `ṗ − (Ṁ v + ṗ₀) = Q − c`.
fn momentum_claim(m: &Mechanism) -> Claim {
    let graph = Graph::new();
    let (left, right) = with_symbols(&graph, m, Partition::ALL_ROWS, |env| {
        let e = implicit_equations(m, Formalism::Kane, env);
        let mut left: Vec<Tracer<'_>> = e.mass.iter().map(|row| nonzero_dot_product(row, env.v)).collect();
        left.extend(e.force.iter().zip(&e.c).map(|(q, c)| *q - *c));
        let mut right = Vec::new();
        if let Equations::Momentum(p) = formalism::equations(Formalism::Momentum, m, env) {
            right.extend(p.momentum.iter().zip(&p.drift).map(|(p, drift)| *p - *drift));
            right.extend(p.rate.iter().zip(&p.convective).map(|(rate, c)| *rate - *c));
        }
        (left, right)
    });
    let mut entries = names_by_speed(m, &["p − p₀"]);
    entries.extend(names_by_speed(m, &["ṗ − (Ṁ v + ṗ₀)"]));
    Claim {
        title: "momentum: p − p₀ = M v, and ṗ − (Ṁ v + ṗ₀) = Q − c".to_owned(),
        entries,
        query: Query::ProveEqual {
            left: Expressions::new(&graph, &node_ids(&graph, &left)),
            right: Expressions::new(&graph, &node_ids(&graph, &right)),
        },
        assumptions: super::claim::equation_assumptions(m),
        about: Some((Formalism::Momentum, FormalismPart::Equations)),
    }
}
