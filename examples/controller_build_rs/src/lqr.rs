//! Linear-quadratic regulator of the sampled plant.
//!
//! Problem: a force that returns the cart-pole to upright rest, at minimum cost `Σ xᵀ Q x + R u²`.
//! Method:  the plant over one control period with constant force is a map `x ↦ step(x, u)`.
//! Evaluated over dual numbers it gives its exact derivatives `A = ∂step/∂x` and `B = ∂step/∂u`,
//! without finite differences and without discretisation of a continuous linearisation. The gain
//! follows from the Riccati iteration `P ← Q + Aᵀ P A − Kᵀ (R + Bᵀ P B) K`,
//! `K = (R + Bᵀ P B)⁻¹ Bᵀ P A`.
//! Shapes:  four states, one input, so the inverse is a division.

use dqdt::{Dual, Singular};

use crate::cart_pole::{Model, NU, NX};
use crate::plant;

/// A square matrix of the size of the state, by rows.
pub type StateMatrix = [[f64; NX]; NX];

/// Linearised plant over one control period: `x' = A x + B u`.
#[derive(Clone, Debug)]
pub struct Linear {
    /// A: derivative of the next state by the state.
    pub a: StateMatrix,
    /// B: derivative of the next state by the force.
    pub b: [f64; NX],
}

/// Weights of the cost function.
#[derive(Clone, Debug)]
pub struct Weights {
    /// Weight of each state, in the inverse of its squared unit.
    pub state: [f64; NX],
    /// Weight of the force, in 1/N².
    pub input: f64,
}

/// Reason why there is no gain.
#[derive(Debug)]
pub enum NoGain {
    /// The equations are singular at the point.
    Singular(Singular),
    /// The iteration does not converge: the input cannot stabilise the plant.
    NotSettled,
}

impl std::fmt::Display for NoGain {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            NoGain::Singular(s) => write!(f, "no linearisation: {s}"),
            NoGain::NotSettled => f.write_str("the Riccati iteration does not settle"),
        }
    }
}

impl std::error::Error for NoGain {}

/// Dual number with a derivative by each state and each input.
type DualNumber = Dual<f64, { NX + NU }>;

/// Exact linearisation of the sampled plant, at the default parameters.
///
/// # Errors
/// [`Singular`] where the equations cannot be solved.
pub fn linearise(x: &[f64; NX], u: &[f64; NU]) -> Result<Linear, Singular> {
    let model = Model::<DualNumber>::default();
    let mut next: [DualNumber; NX] = std::array::from_fn(|i| DualNumber::variable(x[i], i));
    let input: [DualNumber; NU] = std::array::from_fn(|i| DualNumber::variable(u[i], NX + i));
    plant::period(&model, &mut next, &input)?;
    Ok(Linear {
        a: std::array::from_fn(|i| std::array::from_fn(|j| next[i].derivatives[j])),
        b: std::array::from_fn(|i| next[i].derivatives[NX]),
    })
}

/// Gain `K` of `u = −K x` at the upright pose.
///
/// # Errors
/// [`NoGain`]
pub fn gain(weights: &Weights) -> Result<[f64; NX], NoGain> {
    let plant = linearise(&[0.0; NX], &[0.0; NU]).map_err(NoGain::Singular)?;
    let mut p: StateMatrix = diagonal(&weights.state);
    let mut k = [0.0; NX];
    for _ in 0..20_000 {
        let new = iterate(&plant, weights, &p);
        let change = (0..NX).map(|i| (new.1[i] - k[i]).abs()).fold(0.0, f64::max);
        (p, k) = new;
        if change < 1e-11 {
            return Ok(k);
        }
    }
    Err(NoGain::NotSettled)
}

/// One step of the Riccati iteration: the next P, and the gain at this P.
///
/// In Joseph's form, `P ← Q + Kᵀ R K + (A − B K)ᵀ P (A − B K)`: a sum of positive semidefinite
/// terms, which rounding does not spoil.
fn iterate(plant: &Linear, weights: &Weights, p: &StateMatrix) -> (StateMatrix, [f64; NX]) {
    let Linear { a, b } = plant;
    let pb: [f64; NX] = std::array::from_fn(|i| dot(&p[i], b));
    let s = weights.input + dot(b, &pb);
    let k: [f64; NX] = std::array::from_fn(|j| (0..NX).map(|i| pb[i] * a[i][j]).sum::<f64>() / s);
    let closed: StateMatrix = std::array::from_fn(|i| std::array::from_fn(|j| a[i][j] - b[i] * k[j]));
    let pc: StateMatrix =
        std::array::from_fn(|i| std::array::from_fn(|j| (0..NX).map(|r| p[i][r] * closed[r][j]).sum()));
    let mut next = diagonal(&weights.state);
    for i in 0..NX {
        for j in 0..NX {
            next[i][j] += weights.input * k[i] * k[j] + (0..NX).map(|r| closed[r][i] * pc[r][j]).sum::<f64>();
        }
    }
    (next, k)
}

/// Scalar product.
pub fn dot(a: &[f64; NX], b: &[f64; NX]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn diagonal(d: &[f64; NX]) -> StateMatrix {
    std::array::from_fn(|i| std::array::from_fn(|j| if i == j { d[i] } else { 0.0 }))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// State after one period of the plant.
    fn step(x: [f64; NX], u: [f64; NU]) -> Result<[f64; NX], Singular> {
        let mut next = x;
        plant::period(&Model::default(), &mut next, &u).map(|()| next)
    }

    #[test]
    fn dual_numbers_agree_with_difference_quotients() -> Result<(), Singular> {
        let (x, u) = ([0.2, 0.4, -0.3, 0.9], [1.5]);
        let exact = linearise(&x, &u)?;
        let h = 1e-6;
        for j in 0..=NX {
            let shifted = |h: f64| {
                let (mut x, mut u) = (x, u);
                *x.get_mut(j).unwrap_or(&mut u[0]) += h;
                step(x, u)
            };
            let (above, below) = (shifted(h)?, shifted(-h)?);
            for i in 0..NX {
                let quotient = (above[i] - below[i]) / (2.0 * h);
                let derivative = if j < NX { exact.a[i][j] } else { exact.b[i] };
                assert!((quotient - derivative).abs() < 1e-8, "{i} by {j}: {quotient} and {derivative}");
            }
        }
        Ok(())
    }

    #[test]
    fn the_gain_makes_the_sampled_plant_stable() -> Result<(), NoGain> {
        let k = gain(&crate::controller::WEIGHTS)?;
        let plant = linearise(&[0.0; NX], &[0.0; NU]).map_err(NoGain::Singular)?;
        let mut x = [0.1, 0.1, 0.0, 0.0];
        for _ in 0..2000 {
            let u = -dot(&k, &x);
            x = std::array::from_fn(|i| dot(&plant.a[i], &x) + plant.b[i] * u);
        }
        assert!(x.iter().all(|x| x.abs() < 1e-4), "{x:?}");
        Ok(())
    }
}
