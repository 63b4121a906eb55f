//! Projection of speeds onto the constraints in the kinetic-energy metric.
//!
//! Problem: speeds `v₀` that violate `A v + a₀ = 0`, as just before a joint locks. The nearest
//! speeds in the Euclidean norm would weigh a metre per second like a radian per second.
//! Method:  minimise `½ (v − v₀)ᵀ M (v − v₀)` on the constraints: `M v + Aᵀ μ = M v₀`, `A v = −a₀`,
//! solved by singular values, so that dependent rows and massless bodies are allowed. The result is
//! that of perfectly plastic impulses of the constraints (Moreau 1985).
//! Cost:    O((speeds + rows)³), once.

use super::start::constraint_manifold;
use dqdt_derivation::assemble::Assembled;
use dqdt_graph::ir::Arguments;
use dqdt_mechanics::formalism::{self, Formalism};
use nalgebra::{DMatrix, DVector};

/// Singular values below this fraction of the largest count as zero in the projection of speeds.
const ZERO: f64 = 1e-12;

/// The speeds that satisfy the constraints and are nearest to `v` in the metric of kinetic energy,
/// at the pose of `arguments`.
#[doc(hidden)]
pub fn speeds_by_kinetic_energy(loaded: &Assembled, arguments: &Arguments, v: &[f64]) -> Vec<f64> {
    let manifold = constraint_manifold(loaded, arguments);
    let n = v.len();
    let rows = manifold.constraint_rows(arguments.t, &arguments.q, v);
    let mass = manifold.with_environment(arguments.t, &arguments.q, v, |env| {
        formalism::implicit_equations(Formalism::Kane, &loaded.mechanism, env).mass
    });
    let mut system = DMatrix::zeros(n + rows.len(), n + rows.len());
    let mut right = DVector::zeros(n + rows.len());
    for (i, row) in mass.iter().enumerate() {
        for (j, entry) in row.iter().enumerate() {
            system[(i, j)] = *entry;
        }
    }
    // Scale the rows to equal size, whatever their units.
    for (k, row) in rows.iter().enumerate() {
        let size = row.jacobian.iter().fold(0.0f64, |most, x| most.max(x.abs()));
        let scale = if size > 0.0 { 1.0 / size } else { 0.0 };
        for (j, entry) in row.jacobian.iter().enumerate() {
            system[(n + k, j)] = scale * entry;
            system[(j, n + k)] = scale * entry;
        }
        right[n + k] = -scale * row.velocity;
    }
    let largest = system.amax();
    let change = system.svd(true, true).solve(&right, ZERO * largest).unwrap_or_else(|_| DVector::zeros(n));
    v.iter().zip(change.iter()).map(|(v, change)| v + change).collect()
}
