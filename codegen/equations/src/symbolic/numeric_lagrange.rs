//! Lagrange's equations at a point with 100 digits, by finite differences.
//!
//! Problem: compare given equations with Lagrange's where the engine's own derivation is out of
//!          reach.
//! Method:  M and the rest are directional derivatives of T and V along the columns of the map of
//!          rates and along the motion, by a five-point stencil. With steps of 1e-18 its error is
//!          about 1e-72 times a fifth derivative; rounding errors of 1e-120 grow by 1e36 in second
//!          differences.
//! Limits:  about 60 digits are correct; agreement is no proof.

use std::collections::BTreeMap;

use dqdt_polynomials::Rational;

use super::evaluation::{TestPoint, float_from_rational, values_by_symbols};
use super::float::Float;
use super::lagrange::LagrangeRequest;
use dqdt_graph::ir::SymbolKind;

/// Negative power of ten of a step of the finite differences: 1e-18.
const STEP: u32 = 18;

/// A point or a direction in the space of coordinates q, their rates r, and time t.
#[derive(Clone)]
struct StateVector {
    /// Coordinates, or their change.
    q: Vec<Float>,
    /// Rates of the coordinates, or their change.
    r: Vec<Float>,
    /// Time, or its change.
    t: Float,
}

/// A state of motion, at which entries of Lagrange's equations are computed numerically.
pub(super) struct NumericLagrange<'a> {
    /// Energies, and the equations that are compared with those derived from them.
    request: &'a LagrangeRequest,
    /// Values of the symbols other than coordinates, rates and time.
    point: TestPoint,
    /// Coordinates, rates and time of the state.
    here: StateVector,
    /// Map of rates `N` by columns, nv × nq.
    columns: Vec<Vec<Float>>,
    /// The part of `q̈` without `v̇`, nq entries.
    bias: Vec<Float>,
    /// Given M by rows, bias and forces.
    equations: Vec<Option<Float>>,
    /// Cache of derived entries of M, the smaller index first, since M is symmetric.
    mass_entry: BTreeMap<(usize, usize), Option<Float>>,
}

impl<'a> NumericLagrange<'a> {
    /// The state at a point; `None` outside the domain.
    pub fn new(request: &'a LagrangeRequest, mut point: TestPoint) -> Option<Self> {
        let (nq, nv) = (request.nq, request.nv);
        let q =
            (0..nq).map(|i| float_from_rational(&point.symbol_value(SymbolKind::Coordinate(i)))).collect();
        let v: Vec<Float> =
            (0..nv).map(|i| float_from_rational(&point.symbol_value(SymbolKind::Speed(i)))).collect();
        let t = float_from_rational(&point.symbol_value(SymbolKind::Time));
        let zero = float_from_rational(&Rational::ZERO);
        let here = StateVector { q, r: vec![zero.clone(); nq], t };
        let mut state = NumericLagrange {
            request,
            point,
            here,
            columns: Vec::new(),
            bias: vec![zero; nq],
            equations: Vec::new(),
            mass_entry: BTreeMap::new(),
        };
        let here = state.here.clone();
        let (n, r) = state.map_columns_and_rates(&here, &v)?;
        state.columns = n;
        state.here.r = r;
        let first = 2 + if request.mapped { nq * nv + nq } else { 0 };
        let outputs: Vec<usize> = (first..first + nv * nv + 2 * nv).collect();
        let here = state.here.clone();
        state.equations = state.values_at_state(&outputs, &here);
        if request.mapped {
            let motion = state.motion_direction();
            state.bias = (0..nq)
                .map(|i| {
                    differentiate_at_zero(|s| {
                        let moved = state.displaced_state(&[(&motion, s)]);
                        state.map_columns_and_rates(&moved, &v)?.1.get(i).cloned()
                    })
                })
                .collect::<Option<_>>()?;
        }
        Some(state)
    }

    /// Columns of `N`, and the rates `r = N v + n₀`, at a point.
    fn map_columns_and_rates(
        &mut self,
        at: &StateVector,
        v: &[Float],
    ) -> Option<(Vec<Vec<Float>>, Vec<Float>)> {
        let (nq, nv) = (self.request.nq, self.request.nv);
        if !self.request.mapped {
            let columns = (0..nv)
                .map(|j| (0..nq).map(|i| float_from_rational(&Rational::from(i64::from(i == j)))).collect())
                .collect();
            return Some((columns, v.to_vec()));
        }
        let outputs: Vec<usize> = (2..2 + nq * nv + nq).collect();
        let all: Vec<Float> = self.values_at_state(&outputs, at).into_iter().collect::<Option<_>>()?;
        let columns: Vec<Vec<Float>> =
            (0..nv).map(|j| (0..nq).map(|i| all[i * nv + j].clone()).collect()).collect();
        let mut rates = all[nq * nv..].to_vec();
        for (i, rate) in rates.iter_mut().enumerate() {
            for (column, v) in columns.iter().zip(v) {
                *rate += &(column[i].clone() * v);
            }
        }
        Some((columns, rates))
    }

    /// Values of outputs at a state; `None` for those that are not finite.
    fn values_at_state(&mut self, outputs: &[usize], at: &StateVector) -> Vec<Option<Float>> {
        let (request, point) = (self.request, &mut self.point);
        values_by_symbols(&request.expressions, outputs, |kind| match kind {
            SymbolKind::Coordinate(i) if i < at.q.len() => at.q[i].clone(),
            SymbolKind::Rate(i) if i < at.r.len() => at.r[i].clone(),
            SymbolKind::Speed(i) if !request.mapped && i < at.r.len() => at.r[i].clone(),
            SymbolKind::Time => at.t.clone(),
            other => float_from_rational(&point.symbol_value(other)),
        })
    }

    /// The state of motion, displaced by steps along directions, for finite differences.
    fn displaced_state(&self, steps: &[(&StateVector, &Float)]) -> StateVector {
        let mut to = self.here.clone();
        for (direction, s) in steps {
            let pairs = to.q.iter_mut().zip(&direction.q).chain(to.r.iter_mut().zip(&direction.r));
            for (x, d) in pairs {
                *x += &(d.clone() * *s);
            }
            to.t += &(direction.t.clone() * *s);
        }
        to
    }

    /// The direction that changes nothing.
    fn zero_direction(&self) -> StateVector {
        let zero = float_from_rational(&Rational::ZERO);
        StateVector {
            q: vec![zero.clone(); self.request.nq],
            r: vec![zero.clone(); self.request.nq],
            t: zero,
        }
    }

    /// The direction of motion at fixed rates: `q̇ = r`, `ṫ = 1`.
    fn motion_direction(&self) -> StateVector {
        StateVector {
            q: self.here.r.clone(),
            t: float_from_rational(&Rational::ONE),
            ..self.zero_direction()
        }
    }

    /// Second derivative of T along a change of the rates and another direction.
    fn second_derivative(&mut self, rates: &[Float], other: &StateVector) -> Option<Float> {
        let first = StateVector { r: rates.to_vec(), ..self.zero_direction() };
        differentiate_at_zero(|s| {
            differentiate_at_zero(|t| {
                let at = self.displaced_state(&[(&first, s), (other, t)]);
                self.values_at_state(&[0], &at).into_iter().next().flatten()
            })
        })
    }

    /// Derived minus given, and the derived value, of an entry: M by rows, then the rest.
    pub fn entry_difference(&mut self, which: usize) -> Option<(Float, Float)> {
        let nv = self.request.nv;
        let (derived_value, value) = if which < nv * nv {
            (self.mass(which / nv, which % nv)?, self.equations[which].clone()?)
        } else {
            let i = which - nv * nv;
            let bias = self.equations[nv * nv + i].clone()?;
            (self.rest_entry(i)?, bias + &self.equations[nv * nv + nv + i].clone()?)
        };
        Some((derived_value.clone() - &value, derived_value))
    }

    /// Entry of M by finite differences of T, from the cache if it is known.
    fn mass(&mut self, i: usize, j: usize) -> Option<Float> {
        let place = (i.min(j), i.max(j));
        if let Some(known) = self.mass_entry.get(&place) {
            return known.clone();
        }
        let row = self.columns[place.0].clone();
        let other = StateVector { r: self.columns[place.1].clone(), ..self.zero_direction() };
        let entry = self.second_derivative(&row, &other);
        self.mass_entry.insert(place, entry.clone());
        entry
    }

    /// Entry of `Nᵀ (d/dt ∂T/∂q̇ − ∂T/∂q + ∂V/∂q)` without `v̇`, by finite differences.
    fn rest_entry(&mut self, i: usize) -> Option<Float> {
        let row = self.columns[i].clone();
        let motion = self.motion_direction();
        let bias = StateVector { r: self.bias.clone(), ..self.zero_direction() };
        let along = StateVector { q: row.clone(), ..self.zero_direction() };
        let change = self.second_derivative(&row, &motion)? + &self.second_derivative(&row, &bias)?;
        let force = differentiate_at_zero(|s| {
            let at = self.displaced_state(&[(&along, s)]);
            let energies = self.values_at_state(&[0, 1], &at);
            Some(energies[1].clone()? - &energies[0].clone()?)
        })?;
        Some(change + &force)
    }
}

/// Derivative at zero by a five-point stencil: `(8 (f(h) − f(−h)) − (f(2h) − f(−2h))) / 12h`.
fn differentiate_at_zero(mut f: impl FnMut(&Float) -> Option<Float>) -> Option<Float> {
    let step = Rational::ratio(1, 10).pow(STEP);
    let mut at = |k: i64| f(&float_from_rational(&(&step * &Rational::from(k))));
    let near = at(1)? - &at(-1)?;
    let far = at(2)? - &at(-2)?;
    let eight = float_from_rational(&Rational::from(8));
    let twelve = float_from_rational(&(&step * &Rational::from(12)));
    Some((near * &eight - &far) / &twelve)
}
