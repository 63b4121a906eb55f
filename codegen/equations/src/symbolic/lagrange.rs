//! Lagrange's equations by the engine's own calculus, compared with given ones.
//!
//! Problem: an independent derivation of `M v̇ + c = Q` from the kinetic energy `T(q, q̇, t)` and
//!          the potential `V(q, t)`, projected on speeds `v` with `q̇ = N(q) v + n₀(q, t)`:
//!          `Nᵀ (d/dt ∂T/∂q̇ − ∂T/∂q + ∂V/∂q) = Q̂`, with `Q̂` the generalised forces of loads
//!          without a potential.
//! Method:  with `p = ∂T/∂q̇` the mass matrix of the coordinates is `∂p/∂q̇`; `q̇` is replaced by
//!          `r = N v + n₀` and `q̈` by `N v̇ + ṙ`, where `ṙ` is the derivative of `r` along the
//!          motion at fixed speeds. `M = Nᵀ (∂p/∂q̇) N`; the rest is what remains without `v̇`.
//!          Given are `M`, the bias (`c − Q(u = 0)`, or `c − Q` with the inputs in it) and the `Q̂`
//!          included in the bias. Entry by entry the given `M` must equal the derived one, and the
//!          bias must equal `rest − Q̂`.
//! Frames:  none; units as in `T` and `V`.
//! Limits:  derivatives treat the components of a unit quaternion as independent; that is sound
//!          because `N` is tangent to the sphere. Time-dependent energies are allowed. Selections,
//!          magnitudes and signs have no derivative: their entries are compared numerically.

use std::cell::OnceCell;
use std::collections::BTreeMap;

use dqdt_polynomials::Rational;

use super::calculus::DerivativeDirection;
use super::conversion::SymbolNames;
use super::discrepancy::{self, ComparisonPoint, Context};
use super::engine::{EngineResult, StopReason, SymbolicEngine, run_query};
use super::error::{Reason, SymbolicError};
use super::expressions::Expressions;
use super::float::Float;
use super::numeric_lagrange::NumericLagrange;
use super::prove::{Assumptions, Verdict, judge_difference};
use super::samples::Samples;
use super::variable::Fraction;
use dqdt_diagnostics::base::map_parallel_in_order;
use dqdt_graph::ir::{Graph, NodeId, SymbolKind};

/// Energies, and equations of motion to compare with; all nodes are of one graph.
#[derive(Clone, Debug)]
pub struct LagrangeInput<'g> {
    /// The graph that contains all nodes below.
    pub graph: &'g Graph,
    /// Number of coordinates.
    pub nq: usize,
    /// Number of speeds.
    pub nv: usize,
    /// Kinetic energy `T(q, q̇, t)` in joules, with [`SymbolKind::Rate`] for `q̇`.
    pub kinetic: NodeId,
    /// Potential energy `V(q, t)` in joules.
    pub potential: NodeId,
    /// Map `q̇ = N v + n₀`; if absent, `q̇` is `v`, and `nq = nv`.
    pub map: Option<RateMap>,
    /// Mass matrix `M` of the given equations, by rows, nv × nv.
    pub mass: Vec<NodeId>,
    /// Bias `c − Q` of the given equations, nv entries.
    pub bias: Vec<NodeId>,
    /// Generalised forces without a potential that are included in `bias`, nv entries.
    pub forces: Vec<NodeId>,
}

/// The map `q̇ = N v + n₀` from speeds to rates of coordinates.
#[derive(Clone, Debug)]
pub struct RateMap {
    /// Matrix `N` by rows, nq × nv.
    pub n: Vec<NodeId>,
    /// Vector `n₀`, the rates at zero speeds, nq entries.
    pub n0: Vec<NodeId>,
}

/// [`LagrangeInput`] as plain data. Outputs in order: T, V, N, n₀, M, bias, forces.
#[derive(Clone, PartialEq, Debug)]
pub struct LagrangeRequest {
    /// All energies, map and equations, in the order of the outputs above.
    pub(super) expressions: Expressions,
    /// Number of coordinates, for the positions of the outputs.
    pub(super) nq: usize,
    /// Number of speeds, for the positions of the outputs.
    pub(super) nv: usize,
    /// True if `q̇` is given by a map; otherwise it is `v`.
    pub(super) mapped: bool,
}

/// Verdicts on given equations of motion against Lagrange's, one for each entry.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LagrangeVerdicts {
    /// Verdicts on the entries of `M` by rows, nv × nv.
    pub mass: Vec<Verdict>,
    /// Verdicts on the terms without `v̇`, nv entries.
    pub rest: Vec<Verdict>,
}

impl LagrangeVerdicts {
    /// Overall verdict; positions count the entries of `M` by rows, then the rest from nv².
    pub fn overall(&self) -> Verdict {
        let all: Vec<Verdict> = self.mass.iter().chain(&self.rest).cloned().collect();
        Verdict::overall(&all)
    }
}

impl LagrangeRequest {
    /// Converts an input to plain data; an error if its lists have wrong lengths.
    pub fn new(input: &LagrangeInput<'_>) -> Result<Self, SymbolicError> {
        let (nq, nv) = (input.nq, input.nv);
        let mut outputs = vec![input.kinetic, input.potential];
        match &input.map {
            Some(map) if map.n.len() == nq * nv && map.n0.len() == nq => {
                outputs.extend(map.n.iter().chain(&map.n0));
            }
            None if nq == nv => {}
            _ => {
                return Err(SymbolicError::BadRequest(
                    "the matrix that maps speeds to rates has the wrong shape",
                ));
            }
        }
        if input.mass.len() != nv * nv || input.bias.len() != nv || input.forces.len() != nv {
            return Err(SymbolicError::BadRequest(
                "the mass matrix, the bias or the forces have the wrong number of entries",
            ));
        }
        outputs.extend(input.mass.iter().chain(&input.bias).chain(&input.forces));
        let expressions = Expressions::new(input.graph, &outputs);
        Ok(LagrangeRequest { expressions, nq, nv, mapped: input.map.is_some() })
    }

    /// Checks that the number of outputs fits nq and nv.
    pub(super) fn check_output_count(&self) -> Result<(), SymbolicError> {
        self.expressions.check_references()?;
        let (nq, nv) = (self.nq, self.nv);
        let map = if self.mapped { nq.checked_mul(nv).and_then(|n| n.checked_add(nq)) } else { Some(0) };
        let wanted =
            map.and_then(|m| nv.checked_mul(nv)?.checked_add(m)?.checked_add(nv)?.checked_add(nv + 2));
        if wanted != Some(self.expressions.len()) || (!self.mapped && nq != nv) {
            return Err(SymbolicError::BadRequest("the number of outputs is wrong"));
        }
        Ok(())
    }
}

/// Derives Lagrange's equations and compares them with the given ones, entry by entry.
pub fn prove_lagrange(
    request: &LagrangeRequest,
    assumptions: &Assumptions,
) -> Result<LagrangeVerdicts, SymbolicError> {
    request.check_output_count()?;
    Ok(entry_verdicts(request, assumptions))
}

/// Result for one entry of the equations: a quotient, or the reason why there is none.
type EntryResult = Result<Fraction, Reason>;

/// Verdicts on all entries: exact where the engine derives them, else by 100-digit values.
fn entry_verdicts(request: &LagrangeRequest, assumptions: &Assumptions) -> LagrangeVerdicts {
    let settings = assumptions.engine_settings(!request.mapped);
    let names = SymbolNames::new(&request.expressions);
    let nv = request.nv;
    let cell = OnceCell::new();
    let entries = nv * nv + nv;
    let samples = || {
        cell.get_or_init(|| {
            Samples::around_switches_in_outputs(&request.expressions, entries, &assumptions.quaternions)
        })
    };
    let split = |all: Vec<Verdict>| {
        let mut mass = all;
        let rest = mass.split_off(nv * nv);
        LagrangeVerdicts { mass, rest }
    };
    let entries: Vec<Result<Verdict, Reason>> =
        match run_query(&settings, |engine| entry_differences(engine, request)) {
            Ok((entries, engine)) => {
                let verdict = |(which, entry): (usize, &EntryResult)| match entry {
                    Ok(difference) => Ok(judge_difference(&engine, difference, which, &names, &samples)),
                    Err(reason) => Err(reason.clone()),
                };
                entries.iter().enumerate().map(verdict).collect()
            }
            Err(reason) => vec![Err(reason); nv * nv + nv],
        };
    // Entries that the engine cannot derive are compared numerically, all at the same points.
    if entries.iter().all(Result::is_ok) {
        return split(entries.into_iter().flatten().collect());
    }
    let quaternions = &settings.quaternions;
    let mut context = Context::for_expression_pairs(
        &request.expressions,
        &request.expressions,
        &names,
        quaternions,
        samples(),
    );
    // Rates follow from the speeds, so they are no part of a witness.
    context.symbols.retain(|kind| !matches!(kind, SymbolKind::Rate(_)));
    let open: Vec<usize> = (0..entries.len()).filter(|i| entries[*i].is_err()).collect();
    let first = differences_at_first_points(request, &context, &open);
    let mut motions: BTreeMap<ComparisonPoint, Option<NumericLagrange<'_>>> = BTreeMap::new();
    let verdict = |(which, entry): (usize, Result<Verdict, Reason>)| {
        entry.unwrap_or_else(|reason| {
            let discrepancy = discrepancy::largest_discrepancy(&context, |place| {
                if let Some(known) = first.get(&place) {
                    return known.get(&which).cloned();
                }
                let motion =
                    motions.entry(place).or_insert_with(|| motion_at_point(request, &context, place));
                motion.as_mut()?.entry_difference(which)
            });
            discrepancy.verdict(which, reason, &context)
        })
    };
    split(entries.into_iter().enumerate().map(verdict).collect())
}

/// The motion at a point; `None` outside the domain, and on a switch, where a finite difference is
/// no derivative.
fn motion_at_point<'a>(
    request: &'a LagrangeRequest,
    context: &Context<'_>,
    place: ComparisonPoint,
) -> Option<NumericLagrange<'a>> {
    let mut point = place.test_point(context);
    if context.samples.has_switch_at(&mut point) {
        return None;
    }
    NumericLagrange::new(request, point)
}

/// Differences of the `open` entries at the first random points, computed on all cores.
fn differences_at_first_points(
    request: &LagrangeRequest,
    context: &Context<'_>,
    open: &[usize],
) -> BTreeMap<ComparisonPoint, BTreeMap<usize, (Float, Float)>> {
    let mut all = BTreeMap::new();
    let differences = |place: ComparisonPoint| {
        let mut motion = motion_at_point(request, context, place);
        let entries =
            open.iter().filter_map(|which| Some((*which, motion.as_mut()?.entry_difference(*which)?)));
        (place, entries.collect())
    };
    let Ok(()) = map_parallel_in_order(discrepancy::first_points(), differences, |(place, differences)| {
        all.insert(place, differences);
        Ok::<(), std::convert::Infallible>(())
    });
    all
}

/// Converts a failure to the result of one entry; only a restart affects the whole query.
fn entry_or_restart(result: EngineResult<Fraction>) -> EngineResult<EntryResult> {
    match result {
        Ok(value) => Ok(Ok(value)),
        Err(StopReason::OutsideNormalForm(reason)) => Ok(Err(reason)),
        Err(StopReason::Restart) => Err(StopReason::Restart),
    }
}

/// Differences between derived and given entries: `M` by rows, then the rest.
fn entry_differences(
    engine: &mut SymbolicEngine,
    request: &LagrangeRequest,
) -> EngineResult<Vec<EntryResult>> {
    let (nq, nv) = (request.nq, request.nv);
    let maps = if request.mapped { nq * nv + nq } else { 0 };
    let outputs: Vec<usize> = (0..2 + maps + nv * nv + 2 * nv).collect();
    let (energies, others) = outputs.split_at(2);
    let (map, equations) = others.split_at(maps);
    let energies = engine.evaluate_outputs(&request.expressions, energies)?;
    let map = engine.evaluate_outputs(&request.expressions, map)?;
    let equations = engine.evaluate_outputs(&request.expressions, equations)?;
    let motion = LagrangeEquations::new(engine, nq, nv, &energies, request.mapped.then_some(&map[..]))?;
    let mut result = Vec::with_capacity(nv * nv + nv);
    let mut mass: Vec<EntryResult> = Vec::with_capacity(nv * nv);
    for i in 0..nv {
        for j in 0..nv {
            // Derived once for both sides of the diagonal.
            let mass_entry =
                if j < i { mass[j * nv + i].clone() } else { entry_or_restart(motion.mass(engine, i, j))? };
            let difference = match &mass_entry {
                Ok(m) => entry_or_restart(engine.sub(m, &equations[i * nv + j]))?,
                Err(reason) => Err(reason.clone()),
            };
            mass.push(mass_entry);
            result.push(difference);
        }
    }
    for i in 0..nv {
        let rest = motion.rest(engine, i);
        let difference = rest.and_then(|rest| {
            let rest = engine.sub(&rest, &equations[nv * nv + nv + i])?;
            engine.sub(&rest, &equations[nv * nv + i])
        });
        result.push(entry_or_restart(difference)?);
    }
    Ok(result)
}

/// Lagrange's equations in coordinates, with `q̇` replaced, and the map to speeds.
struct LagrangeEquations {
    nq: usize,
    nv: usize,
    /// `N` by rows; empty for the identity.
    n: Vec<Fraction>,
    /// Mass matrix of the coordinates, `∂p/∂q̇` by rows, nq × nq.
    mass_entry: Vec<EntryResult>,
    /// `d/dt ∂T/∂q̇ − ∂T/∂q + ∂V/∂q` without `v̇`, nq entries.
    rest_entry: Vec<EntryResult>,
}

/// Energies, replacements of the rates, and the part of `q̈` without `v̇`.
struct SubstitutedEnergies<'a> {
    /// Kinetic energy, with the rates as symbols.
    kinetic: &'a Fraction,
    /// Potential energy.
    potential: &'a Fraction,
    /// Replacement of each rate by the speeds.
    replaced: BTreeMap<usize, Fraction>,
    /// Part of `q̈` without `v̇`, nq entries; empty for the identity.
    accelerations: Vec<Fraction>,
}

impl SubstitutedEnergies<'_> {
    /// The equation of one coordinate without `v̇`.
    fn coordinate_rest(
        &self,
        engine: &mut SymbolicEngine,
        coordinate: usize,
        momentum: &Fraction,
        mass: &[EntryResult],
        moving: &mut DerivativeDirection,
    ) -> EngineResult<Fraction> {
        let mut along = engine.partial_direction(coordinate);
        let change = engine.derivative(momentum, moving)?;
        let force = engine.derivative(self.kinetic, &mut along)?;
        let rest = engine.sub(&change, &force)?;
        let mut rest = engine.substitute(&rest, &self.replaced)?;
        let force = engine.derivative(self.potential, &mut along)?;
        rest = engine.add(&rest, &force)?;
        for (m, acceleration) in mass.iter().zip(&self.accelerations) {
            let part = engine.mul(entry_quotient(m)?, acceleration)?;
            rest = engine.add(&rest, &part)?;
        }
        Ok(rest)
    }
}

/// An entry as a quotient; its reason as an error if there is none.
fn entry_quotient(entry: &EntryResult) -> EngineResult<&Fraction> {
    entry.as_ref().map_err(|reason| StopReason::OutsideNormalForm(reason.clone()))
}

/// The rates q̇ = r in terms of the speeds, by the variable of each rate. `map` has the entries of
/// N by rows, then n₀.
fn express_rates_by_speeds(
    engine: &mut SymbolicEngine,
    map: &[std::rc::Rc<Fraction>],
    rates: &[usize],
    nv: usize,
) -> EngineResult<BTreeMap<usize, Fraction>> {
    let nq = rates.len();
    let mut replaced = BTreeMap::new();
    for (i, rate) in rates.iter().enumerate() {
        let mut r = (*map[nq * nv + i]).clone();
        for k in 0..nv {
            let v = engine.find_or_add_symbol_variable(SymbolKind::Speed(k))?;
            let v = engine.variable_fraction(v);
            let part = engine.mul(&map[i * nv + k], &v)?;
            r = engine.add(&r, &part)?;
        }
        replaced.insert(*rate, r);
    }
    Ok(replaced)
}

impl LagrangeEquations {
    fn new(
        engine: &mut SymbolicEngine,
        nq: usize,
        nv: usize,
        energies: &[std::rc::Rc<Fraction>],
        map: Option<&[std::rc::Rc<Fraction>]>,
    ) -> EngineResult<Self> {
        let (kinetic, potential) = (&energies[0], &energies[1]);
        let mut coordinates = Vec::with_capacity(nq);
        let mut rates = Vec::with_capacity(nq);
        for i in 0..nq {
            coordinates.push(engine.find_or_add_symbol_variable(SymbolKind::Coordinate(i))?);
            rates.push(engine.find_or_add_symbol_variable(SymbolKind::Rate(i))?);
        }
        for rate in &rates {
            let depends_on_rate = (0..kinetic.num.variable_count())
                .find(|v| kinetic.num.contains_variable(*v) && engine.meaning_contains(*v, *rate))
                .map(|v| engine.variables[v].key.to_string());
            if let Some(function) = depends_on_rate {
                return Err(Reason::NoDerivative { function }.into());
            }
        }
        let time = engine.find_or_add_symbol_variable(SymbolKind::Time)?;
        let n: Vec<Fraction> = map.iter().flat_map(|m| &m[..nq * nv]).map(|f| (**f).clone()).collect();
        let replaced = match map {
            Some(map) => express_rates_by_speeds(engine, map, &rates, nv)?,
            None => BTreeMap::new(),
        };
        // Derivatives along the motion with rates as symbols; ṙ gets its rates replaced afterwards.
        let one = engine.constant_fraction(Rational::ONE);
        let mut moving = DerivativeDirection::default();
        moving.slopes.insert(time, one.clone());
        for (q, rate) in coordinates.iter().zip(&rates) {
            moving.slopes.insert(*q, engine.variable_fraction(*rate));
        }
        let mut accelerations = Vec::new();
        for rate in &rates {
            let Some(r) = replaced.get(rate).cloned() else { continue };
            let slope = engine.derivative(&r, &mut moving)?;
            accelerations.push(engine.substitute(&slope, &replaced)?);
        }
        let mut motion = LagrangeEquations { nq, nv, n, mass_entry: Vec::new(), rest_entry: Vec::new() };
        let substituted = SubstitutedEnergies { kinetic, potential, replaced, accelerations };
        for (i, q) in coordinates.iter().enumerate() {
            let momentum =
                entry_or_restart(engine.derivative(kinetic, &mut engine.partial_direction(rates[i])))?;
            for (j, rate) in rates.iter().enumerate() {
                let m = match &momentum {
                    _ if j < i => motion.mass_entry[j * nq + i].clone(),
                    Ok(momentum) => {
                        let slope = engine.derivative(momentum, &mut engine.partial_direction(*rate));
                        entry_or_restart(slope.and_then(|m| engine.substitute(&m, &substituted.replaced)))?
                    }
                    Err(reason) => Err(reason.clone()),
                };
                motion.mass_entry.push(m);
            }
            let rest = match &momentum {
                Ok(momentum) => entry_or_restart(substituted.coordinate_rest(
                    engine,
                    *q,
                    momentum,
                    &motion.mass_entry[i * nq..],
                    &mut moving,
                ))?,
                Err(reason) => Err(reason.clone()),
            };
            motion.rest_entry.push(rest);
        }
        Ok(motion)
    }

    /// Entry `(Nᵀ (∂p/∂q̇) N)ᵢⱼ` of the mass matrix of the speeds.
    fn mass(&self, engine: &mut SymbolicEngine, i: usize, j: usize) -> EngineResult<Fraction> {
        if self.n.is_empty() {
            return entry_quotient(&self.mass_entry[i * self.nq + j]).cloned();
        }
        let mut sum = engine.constant_fraction(Rational::ZERO);
        for a in 0..self.nq {
            let left = &self.n[a * self.nv + i];
            if left.is_zero() {
                continue;
            }
            let mut inner = engine.constant_fraction(Rational::ZERO);
            for b in 0..self.nq {
                let part = engine
                    .mul(entry_quotient(&self.mass_entry[a * self.nq + b])?, &self.n[b * self.nv + j])?;
                inner = engine.add(&inner, &part)?;
            }
            let part = engine.mul(left, &inner)?;
            sum = engine.add(&sum, &part)?;
        }
        Ok(sum)
    }

    /// Entry of the equation of speed i without `v̇`, `Nᵀ (d/dt ∂T/∂q̇ − ∂T/∂q + ∂V/∂q)`.
    fn rest(&self, engine: &mut SymbolicEngine, i: usize) -> EngineResult<Fraction> {
        if self.n.is_empty() {
            return entry_quotient(&self.rest_entry[i]).cloned();
        }
        let mut sum = engine.constant_fraction(Rational::ZERO);
        for a in 0..self.nq {
            let part = engine.mul(entry_quotient(&self.rest_entry[a])?, &self.n[a * self.nv + i])?;
            sum = engine.add(&sum, &part)?;
        }
        Ok(sum)
    }
}
