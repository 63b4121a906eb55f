//! A member of a family: the equations of one mechanism as nodes of a graph.
//!
//! Problem: `M v̇ + c = Q` for each n, with the speeds that velocity constraints make dependent
//!          already eliminated.
//! Method:  Kane's equations, recorded. With constraints `A v + a₀ = 0`, `A v̇ = γ` each row gives
//!          one speed by the others, `v = N w + v₀`, `v̇ = N ẇ + β`; then
//!          `Nᵀ M N ẇ + Nᵀ (c + M β) = Nᵀ Q`, which contains no multiplier. The dependent speed of
//!          a row is the one that the spec names, else the last whose coefficient is a nonzero
//!          constant, else the last with a coefficient. Rows are the independent speeds, in spec
//!          order.
//! Not handled: position constraints; a row without speeds.

use super::descriptions::{SymbolDescription, describe_symbols};
use super::names::{Class, Symbol};
use dqdt_algebra::{Number, Scalar};
use dqdt_derivation::symbols::mechanism_symbols;
use dqdt_graph::ir::{Graph, NodeId, Tracer};
use dqdt_mechanics::formalism::{self, Formalism, Implicit};
use dqdt_mechanics::kinematics::{self, ConstraintRow, Selection};
use dqdt_mechanics::mechanism::{DependentSpeed, Instant, Mechanism, Partition, SpeedId, Treatment};

/// The equations `M v̇ + c = Q` of one mechanism of a family, such as the chain with n links, as
/// nodes of a graph.
#[derive(Debug)]
pub struct Member {
    /// Number of links n of this mechanism.
    pub n: i64,
    /// Graph that contains the nodes of all fields below.
    pub graph: Graph,
    /// Symbol that names each row of M, c and Q: the coordinate whose rate is the speed of the row,
    /// else that speed.
    pub rows: Vec<Symbol>,
    /// Independent speed of each row of M, c and Q.
    pub speeds: Vec<Symbol>,
    /// All coordinates of the mechanism, in spec order.
    pub coordinates: Vec<Symbol>,
    /// Rates `q̇` of the coordinates, one node each, in the order of `coordinates`.
    pub rates: Vec<NodeId>,
    /// Mass matrix `M` in the independent speeds: one node per entry, by rows.
    pub mass_matrix: Vec<Vec<NodeId>>,
    /// Velocity-dependent inertia terms `c` (Coriolis and centrifugal), one node per row.
    pub inertia_terms: Vec<NodeId>,
    /// Applied generalised forces `Q`, gravity included, one node per row.
    pub applied_forces: Vec<NodeId>,
    /// Units, texts and defaults of the symbols in the spec of this mechanism.
    pub descriptions: Vec<SymbolDescription>,
    /// True if some coordinates form quaternions: an integrator must keep their norm at one, so the
    /// emitted family gets no `System` impl.
    pub quaternions: bool,
}

/// Reason why a mechanism cannot be a member of a family of indexed formulas.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NoMember {
    /// A constraint restricts positions (its name); only velocity constraints can be eliminated.
    #[error("the constraint {0:?} is on positions; only velocity constraints can be eliminated")]
    Position(String),
    /// A constraint (its name) has no speed that could be eliminated.
    #[error("the constraint {0:?} has no speed that can be eliminated")]
    Dependent(String),
}

/// All speeds in terms of the independent ones `w`: `v = N w + v₀`, `v̇ = N ẇ + β`. Used to project
/// the equations.
struct SpeedReduction<'g> {
    independent: Vec<SpeedId>,
    v: Vec<Tracer<'g>>,
    speed_matrix: Vec<Vec<Tracer<'g>>>,
    beta: Vec<Tracer<'g>>,
}

/// Builds a symbol from its class and name.
fn build_symbol(class: Class, name: &str) -> Symbol {
    Symbol { class, name: name.to_owned() }
}

/// Derives the equations of mechanism `m` by Kane's method, as member `n` of its family.
pub fn derive_member(m: &Mechanism, partition: &Partition, n: i64) -> Result<Member, NoMember> {
    let graph = Graph::new();
    let (kept, rates, mass, c, force) = {
        let number = |x: Number| Tracer::number(&graph, x);
        let mut symbols = mechanism_symbols(&graph, m);
        let reduction = reduce_speeds(m, partition, &symbols, &number)?;
        symbols.v.clone_from(&reduction.v);
        let inputs = kinematics::saturate_inputs(m, &symbols.as_environment(&number));
        let env = symbols.environment_with_inputs(&number, &inputs);
        let e = formalism::implicit_equations(Formalism::Kane, m, &env);
        let e = project_equations(&reduction, &e);
        let ids = |xs: &[Tracer<'_>]| xs.iter().map(|x| x.id(&graph)).collect::<Vec<_>>();
        let mass = e.mass.iter().map(|row| ids(row)).collect::<Vec<_>>();
        let rates = ids(&kinematics::coordinate_rates(m, &env).0);
        (reduction.independent, rates, mass, ids(&e.c), ids(&e.force))
    };
    Ok(Member {
        n,
        graph,
        rows: kept.iter().map(|speed| row_symbol(m, *speed)).collect(),
        speeds: kept.iter().map(|speed| build_symbol(Class::Speed, &m.speeds[*speed].name)).collect(),
        coordinates: m.coordinates.iter().map(|c| build_symbol(Class::Coordinate, &c.name)).collect(),
        rates,
        mass_matrix: mass,
        inertia_terms: c,
        applied_forces: force,
        descriptions: describe_symbols(m),
        quaternions: !kinematics::quaternion_starts(m).is_empty(),
    })
}

/// The symbol that names the row of a speed: the coordinate whose rate it is, else the speed.
fn row_symbol(m: &Mechanism, speed: SpeedId) -> Symbol {
    let name = &m.speeds[speed].name;
    let coordinate = name.strip_suffix("_dot").filter(|q| m.coordinates.iter().any(|c| c.name == *q));
    match coordinate {
        Some(q) => Symbol { class: Class::Coordinate, name: q.to_owned() },
        None => Symbol { class: Class::Speed, name: name.clone() },
    }
}

/// Solves the velocity constraints for dependent speeds: `N`, `v₀` and `β` of a [`SpeedReduction`].
fn reduce_speeds<'g>(
    m: &Mechanism,
    partition: &Partition,
    symbols: &Instant<Tracer<'g>>,
    number: &dyn Fn(Number) -> Tracer<'g>,
) -> Result<SpeedReduction<'g>, NoMember> {
    let nv = m.nv();
    let unit = |i: SpeedId| m.speed_ids().map(|j| if i == j { Tracer::ONE } else { Tracer::ZERO }).collect();
    let mut map: Vec<Vec<Tracer<'g>>> = m.speed_ids().map(unit).collect();
    let mut dependent: Vec<SpeedId> = Vec::new();
    // At v = 0 the rows give A and a₀; at the reduced v they give γ.
    let still = vec![Tracer::ZERO; nv];
    let mut env = symbols.as_environment(number);
    env.v = &still;
    let independent = |env: &_| -> Vec<ConstraintRow<Tracer<'g>>> {
        Selection::new(m, partition, &kinematics::constraint_rows(m, env)).rows
    };
    let rows = independent(&env);
    if let Some(row) = rows.iter().find(|row| row.position.is_some()) {
        return Err(NoMember::Position(row.name.clone()));
    }
    let mut offset = vec![Tracer::ZERO; nv];
    let mut pivots = Vec::new();
    for row in &rows {
        // Coefficients of this row in the speeds that are still independent.
        let along = |j: SpeedId| {
            let terms = row.jacobian.iter().zip(&map).map(|(a, n)| *a * n[j]);
            terms.fold(Tracer::ZERO, |s, x| s + x)
        };
        let a: Vec<Tracer<'g>> = m.speed_ids().map(along).collect();
        let a0 = row.jacobian.iter().zip(&offset).fold(row.velocity, |s, (a, o)| s + *a * *o);
        let Some(pivot) = choose_dependent_speed(m, partition, row, &a, &dependent) else {
            return Err(NoMember::Dependent(row.name.clone()));
        };
        substitute_speed(&mut map, &mut offset, (pivot, &a), a0);
        dependent.push(pivot);
        pivots.push((pivot, a));
    }
    let kept: Vec<SpeedId> = m.speed_ids().filter(|j| !dependent.contains(j)).collect();
    let v = m.speed_ids().map(|i| {
        let along = kept.iter().fold(offset[i], |s, j| s + map[i][*j] * symbols.v[*j]);
        if dependent.contains(&i) { along } else { symbols.v[i] }
    });
    let v: Vec<Tracer<'g>> = v.collect();
    let mut env = symbols.as_environment(number);
    env.v = &v;
    // β solves the same rows with γ in place of −a₀ and no independent acceleration.
    let mut beta = vec![Tracer::ZERO; nv];
    let mut partial: Vec<Vec<Tracer<'g>>> = m.speed_ids().map(unit).collect();
    for (row, (pivot, a)) in independent(&env).iter().zip(&pivots) {
        let rest = row.jacobian.iter().zip(&beta).fold(-row.gamma, |s, (a, b)| s + *a * *b);
        substitute_speed(&mut partial, &mut beta, (*pivot, a), rest);
    }
    Ok(SpeedReduction { independent: kept, v, speed_matrix: map, beta })
}

/// Speed that a row determines, given its coefficients `a` and the speeds that are `dependent`
/// already: one that the spec or the partition names, else one with a constant coefficient, else
/// any.
fn choose_dependent_speed<'g>(
    m: &Mechanism,
    partition: &Partition,
    row: &ConstraintRow<Tracer<'g>>,
    a: &[Tracer<'g>],
    dependent: &[SpeedId],
) -> Option<SpeedId> {
    let other = |j: &SpeedId| !a[*j].is_zero();
    let free = || m.speed_ids().rev().filter(|j| !dependent.contains(j));
    let by_spec = free().find(|j| match &m.constraints[row.constraint].treatment {
        Treatment::Elimination(named) => {
            let by_partition =
                partition.dependent.contains(&DependentSpeed { constraint: row.constraint, speed: *j });
            (by_partition || named.contains(j)) && other(j)
        }
        _ => false,
    });
    by_spec
        .or_else(|| free().find(|j| a[*j].constant().is_some_and(|x| !x.is_zero())))
        .or_else(|| free().find(other))
}

/// Replaces the speed `pivot` in `map` and `offset` by its solution from the row `a v + rest = 0`.
fn substitute_speed<'g>(
    map: &mut [Vec<Tracer<'g>>],
    offset: &mut [Tracer<'g>],
    (pivot, a): (SpeedId, &[Tracer<'g>]),
    rest: Tracer<'g>,
) {
    for (n, o) in map.iter_mut().zip(offset) {
        let share = n[pivot] / a[pivot];
        for (j, x) in SpeedId::enumerate(n.iter_mut()) {
            *x = if j == pivot { Tracer::ZERO } else { *x - share * a[j] };
        }
        *o = *o - share * rest;
    }
}

/// Scalar product of two vectors of recorded values.
fn dot_product<'g>(a: &[Tracer<'g>], b: &[Tracer<'g>]) -> Tracer<'g> {
    a.iter().zip(b).fold(Tracer::ZERO, |s, (x, y)| s + *x * *y)
}

/// Projects the equations on the independent speeds: `Nᵀ M N`, `Nᵀ (c + M β)`, `Nᵀ Q`.
fn project_equations<'g>(r: &SpeedReduction<'g>, e: &Implicit<Tracer<'g>>) -> Implicit<Tracer<'g>> {
    let columns: Vec<Vec<Tracer<'g>>> =
        r.independent.iter().map(|j| r.speed_matrix.iter().map(|n| n[*j]).collect()).collect();
    let along = |x: &[Tracer<'g>]| columns.iter().map(|n| dot_product(n, x)).collect::<Vec<_>>();
    let times = |x: &[Tracer<'g>]| e.mass.iter().map(|row| dot_product(row, x)).collect::<Vec<_>>();
    // M is symmetric, so its rows serve as columns.
    let mass = columns.iter().map(|n| along(&times(n))).collect();
    let c: Vec<_> = e.c.iter().zip(times(&r.beta)).map(|(c, b)| *c + b).collect();
    Implicit { mass, c: along(&c), force: along(&e.force) }
}
