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

use crate::answer::{Answers, Failed};
use crate::normal::Normal;
use dqdt_equations::symbolic::LagrangeTexts;

fn read(text: &str) -> Result<Atom, Failed> {
    try_parse!(text)
        .map_err(|reason| Failed::Text { text: text.chars().take(60).collect(), reason: reason.to_string() })
}

fn read_all(texts: &[String]) -> Result<Vec<Atom>, Failed> {
    texts.iter().map(|t| read(t)).collect()
}

fn sum(terms: impl Iterator<Item = Atom>) -> Atom {
    terms.fold(Atom::num(0), |sum, term| sum + term)
}

pub(crate) fn answers(texts: &LagrangeTexts) -> Result<Answers, Failed> {
    let symbols = |names: &[String]| names.iter().map(|n| symbol!(n)).collect::<Vec<Symbol>>();
    let (q, rates, v) = (symbols(&texts.coordinates), symbols(&texts.rates), symbols(&texts.speeds));
    let time = symbol!(texts.time.as_str());
    let (kinetic, potential) = (read(&texts.kinetic)?, read(&texts.potential)?);
    let (map, drift) = (read_all(&texts.map)?, read_all(&texts.drift)?);
    let (mass, bias, forces) = (read_all(&texts.mass)?, read_all(&texts.bias)?, read_all(&texts.forces)?);
    let (nq, nv) = (q.len(), v.len());
    let n = |i: usize, a: usize| map[i * nv + a].clone();

    // q̇, and q̈ at v̇ = 0.
    let rate: Vec<Atom> =
        (0..nq).map(|i| sum((0..nv).map(|a| n(i, a) * Atom::var(v[a]))) + drift[i].clone()).collect();
    let along = |x: &Atom, rate: &[Atom]| {
        sum(q.iter().zip(rate).map(|(q, r)| x.derivative(*q) * r.clone())) + x.derivative(time)
    };
    let turned: Vec<Atom> = rate.iter().map(|r| along(r, &rate)).collect();
    let with_speeds = |x: Atom| {
        rates
            .iter()
            .zip(&rate)
            .fold(x, |x, (symbol, value)| x.replace(Atom::var(*symbol)).with(value.clone()))
    };

    let momenta: Vec<Atom> = rates.iter().map(|r| kinetic.derivative(*r)).collect();
    let rate_symbols: Vec<Atom> = rates.iter().map(|r| Atom::var(*r)).collect();
    let own: Vec<Vec<Atom>> =
        momenta.iter().map(|p| rates.iter().map(|r| p.derivative(*r)).collect()).collect();
    let rest: Vec<Atom> = (0..nq)
        .map(|i| {
            let turned = sum(own[i].iter().zip(&turned).map(|(m, a)| m.clone() * a.clone()));
            let moved = along(&momenta[i], &rate_symbols);
            let slopes = potential.derivative(q[i]) - kinetic.derivative(q[i]);
            with_speeds(turned + moved + slopes)
        })
        .collect();

    let mut normal = Normal::new(&texts.quaternions);
    let mut masses = Vec::new();
    for a in 0..nv {
        for b in 0..nv {
            let derived = sum((0..nq).flat_map(|i| {
                let own = &own[i];
                (0..nq).map(move |j| n(i, a) * own[j].clone() * n(j, b))
            }));
            masses.push(normal.compare(&with_speeds(derived), &mass[a * nv + b]));
        }
    }
    let biases = (0..nv)
        .map(|a| {
            let derived = sum((0..nq).map(|i| n(i, a) * rest[i].clone()));
            normal.compare(&derived, &(bias[a].clone() + forces[a].clone()))
        })
        .collect();
    Ok(Answers { mass: masses, bias: biases })
}
