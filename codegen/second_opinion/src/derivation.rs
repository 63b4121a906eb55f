//! Lagrange's equations, derived by Symbolica.
//!
//! Problem: `Nᵀ (d/dt ∂T/∂q̇ − ∂T/∂q + ∂V/∂q) = Q̂` with `q̇ = N v + n₀`, from T and V as text.
//! Method:  `p = ∂T/∂q̇` and `M = Nᵀ (∂p/∂q̇) N`. The terms without `v̇` follow by substituting
//! `q̇ = r = N v + n₀` and `q̈ = ∂r/∂q r + ∂r/∂t`. Entries are compared by normal forms (`normal`).
//! Source:  Lagrange's equations in quasi-velocities, as in Greenwood (2003), Advanced Dynamics,
//! 4.1.

#[cfg(test)]
mod tests;

use symbolica::atom::{Atom, AtomCore, Symbol};
use symbolica::{symbol, try_parse};

use crate::normal::NormalForms;
use crate::verdict::{ComparisonError, EntryVerdicts};
use dqdt_equations::symbolic::LagrangeTexts;

/// Parses a formula by Symbolica.
fn parse_expression(text: &str) -> Result<Atom, ComparisonError> {
    try_parse!(text).map_err(|reason| ComparisonError::Text {
        text: text.chars().take(60).collect(),
        reason: reason.to_string(),
    })
}

/// Parses a list of formulas by Symbolica.
fn parse_expressions(texts: &[String]) -> Result<Vec<Atom>, ComparisonError> {
    texts.iter().map(|t| parse_expression(t)).collect()
}

/// Adds expressions.
fn sum_terms(terms: impl Iterator<Item = Atom>) -> Atom {
    terms.fold(Atom::num(0), |sum, term| sum + term)
}

/// Symbolica's symbols with these names.
fn symbols_by_name(names: &[String]) -> Vec<Symbol> {
    names.iter().map(|n| symbol!(n)).collect()
}

/// Derives M and c − Q from T and V, and compares each entry with the text of this project.
pub(crate) fn compare_equations(texts: &LagrangeTexts) -> Result<EntryVerdicts, ComparisonError> {
    let (q, rates, v) =
        (symbols_by_name(&texts.coordinates), symbols_by_name(&texts.rates), symbols_by_name(&texts.speeds));
    let time = symbol!(texts.time.as_str());
    let (kinetic, potential) = (parse_expression(&texts.kinetic)?, parse_expression(&texts.potential)?);
    let (map, drift) = (parse_expressions(&texts.map)?, parse_expressions(&texts.drift)?);
    let (mass, bias, forces) =
        (parse_expressions(&texts.mass)?, parse_expressions(&texts.bias)?, parse_expressions(&texts.forces)?);
    let (nq, nv) = (q.len(), v.len());
    let n = |i: usize, a: usize| map[i * nv + a].clone();

    // q̇, and q̈ at v̇ = 0.
    let rate: Vec<Atom> =
        (0..nq).map(|i| sum_terms((0..nv).map(|a| n(i, a) * Atom::var(v[a]))) + drift[i].clone()).collect();
    let along = |x: &Atom, rate: &[Atom]| {
        sum_terms(q.iter().zip(rate).map(|(q, r)| x.derivative(*q) * r.clone())) + x.derivative(time)
    };
    let second_rates: Vec<Atom> = rate.iter().map(|r| along(r, &rate)).collect();
    let with_speeds = |x: Atom| {
        rates
            .iter()
            .zip(&rate)
            .fold(x, |x, (symbol, value)| x.replace(Atom::var(*symbol)).with(value.clone()))
    };

    let momenta: Vec<Atom> = rates.iter().map(|r| kinetic.derivative(*r)).collect();
    let rate_symbols: Vec<Atom> = rates.iter().map(|r| Atom::var(*r)).collect();
    let mass_by_rates: Vec<Vec<Atom>> =
        momenta.iter().map(|p| rates.iter().map(|r| p.derivative(*r)).collect()).collect();
    let rest: Vec<Atom> = (0..nq)
        .map(|i| {
            let inertia =
                sum_terms(mass_by_rates[i].iter().zip(&second_rates).map(|(m, a)| m.clone() * a.clone()));
            let transport = along(&momenta[i], &rate_symbols);
            let slopes = potential.derivative(q[i]) - kinetic.derivative(q[i]);
            with_speeds(inertia + transport + slopes)
        })
        .collect();

    let mut normal = NormalForms::new(&texts.quaternions);
    let mut masses = Vec::new();
    for a in 0..nv {
        for b in 0..nv {
            let entry = sum_terms((0..nq).flat_map(|i| {
                let row = &mass_by_rates[i];
                (0..nq).map(move |j| n(i, a) * row[j].clone() * n(j, b))
            }));
            masses.push(normal.compare_expressions(&with_speeds(entry), &mass[a * nv + b]));
        }
    }
    let biases = (0..nv)
        .map(|a| {
            let entry = sum_terms((0..nq).map(|i| n(i, a) * rest[i].clone()));
            normal.compare_expressions(&entry, &(bias[a].clone() + forces[a].clone()))
        })
        .collect();
    Ok(EntryVerdicts { mass: masses, bias: biases })
}
