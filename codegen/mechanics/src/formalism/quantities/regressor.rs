//! Efforts, energies and momenta as linear functions of the inertial parameters.
//!
//! Problem: `τ = Y(q, v, v̇) π + τ_rest` with the ten inertial parameters of every body in π; also
//!          kinetic energy, potential energy of gravity and generalised momentum.
//! Method:  a body with one parameter equal to one and the others zero has the inertial wrench of
//!          that parameter's column; it is transformed to the root, and each joint on the path
//!          contributes its component (Atkeson, An and Hollerbach 1986).
//! Order:   for each body m, m c_x, m c_y, m c_z, I_xx, I_xy, I_yy, I_xz, I_yz, I_zz, about the
//!          pole in body axes.
//! Frames:  body axes, about the pole: the origin of the inboard joint's frame on the body.
//! Units:   kg, kg·m, kg·m².
//! Cost:    O(bodies · depth).
//!
//! Not handled: terms other than inertia of bodies (rotors, armature, loads): these are the rest.

use super::inverse::{
    body_accelerations_with_ground, ground_acceleration_for_gravity, inverse_dynamics_with_motion,
};
use crate::kinematics::{Kinematics, evaluate_vector, kinematics};
use crate::mechanism::{BodyId, Environment, Mechanism};
use dqdt_algebra::{Inertia, Mat3, Scalar, Vec3, Wrench};

/// Names of the ten inertial parameters of a body, in order.
pub const INERTIAL: [&str; 10] = ["m", "mcx", "mcy", "mcz", "Ixx", "Ixy", "Iyy", "Ixz", "Iyz", "Izz"];

/// Row and column of each inertia tensor entry among the parameters, from the fifth on.
const ENTRIES: [(usize, usize); 6] = [(0, 0), (0, 1), (1, 1), (0, 2), (1, 2), (2, 2)];

/// Efforts as linear functions of the inertial parameters π: `τ = Y π + rest`.
#[derive(Clone, Debug)]
pub struct Regressor<S> {
    /// Regressor matrix `Y`, nv rows, ten columns a body.
    pub matrix: Vec<Vec<S>>,
    /// Efforts that no inertial parameter causes: those of rotors, armature and loads, by speed.
    pub rest: Vec<S>,
}

/// Energies and momenta of a state as linear functions of the inertial parameters.
#[derive(Clone, Debug)]
pub struct EnergyRegressor<S> {
    /// Row of the kinetic energy: ten coefficients for each body.
    pub kinetic: Vec<S>,
    /// Row of the potential energy of gravity: ten coefficients for each body.
    pub potential: Vec<S>,
    /// Matrix of the generalised momentum `∂T/∂v`, nv rows, ten columns a body.
    pub momentum: Vec<Vec<S>>,
}

/// Inertia with one of the ten parameters equal to one and the others zero.
pub(crate) fn unit_inertia<S: Scalar>(parameter: usize) -> Inertia<S> {
    let mut inertia = zero_inertia();
    match parameter {
        0 => inertia.mass = S::ONE,
        1..=3 => inertia.first = Vec3::unit_vector(parameter - 1),
        _ => {
            let (i, j) = ENTRIES[parameter - 4];
            (inertia.second.0[i][j], inertia.second.0[j][i]) = (S::ONE, S::ONE);
        }
    }
    inertia
}

/// Inertia with all parameters zero.
pub(crate) fn zero_inertia<S: Scalar>() -> Inertia<S> {
    Inertia { mass: S::ZERO, first: Vec3::ZERO, second: Mat3([[S::ZERO; 3]; 3]) }
}

/// Inertial parameters π of all bodies, ten for each, about the pole in body axes.
pub fn inertial_parameters<S: Scalar>(m: &Mechanism, env: &Environment<'_, S>) -> Vec<S> {
    kinematics(m, env).bodies.iter().flat_map(|b| inertia_to_parameters(&b.inertia)).collect()
}

/// The ten inertial parameters of an inertia, in the order of `INERTIAL`.
pub(crate) fn inertia_to_parameters<S: Scalar>(i: &Inertia<S>) -> Vec<S> {
    let entries = ENTRIES.map(|(a, b)| i.second.0[a][b]);
    [&[i.mass], &i.first.0[..], &entries].concat()
}

/// Writes the components of a wrench on a body along each speed on its path to the root to a column
/// of `matrix`.
fn write_regressor_column<S: Scalar>(
    m: &Mechanism,
    k: &Kinematics<S>,
    body: BodyId,
    mut wrench: Wrench<S>,
    column: usize,
    matrix: &mut [Vec<S>],
) {
    let mut at = Some(body);
    while let Some(b) = at {
        for c in &k.bodies[b].columns {
            if let Some(speed) = c.speed {
                matrix[speed][column] = wrench.power_on_twist(c.twist);
            }
        }
        wrench = k.bodies[b].transmit_wrench_to_parent(wrench);
        at = m.parent_body(b);
    }
}

/// Regressor matrix `Y` and the rest of the efforts at given accelerations; loads at the inputs of
/// `env`.
pub fn regressor<S: Scalar>(
    m: &Mechanism,
    env: &Environment<'_, S>,
    speed_accelerations: &[S],
) -> Regressor<S> {
    let mut k = kinematics(m, env);
    let rates = body_accelerations_with_ground(
        m,
        &k,
        speed_accelerations,
        ground_acceleration_for_gravity(m, env),
        "d",
    );
    let mut matrix = vec![vec![S::ZERO; 10 * m.bodies.len()]; m.nv()];
    for (b, (body, rate)) in BodyId::enumerate(k.bodies.iter().zip(&rates)) {
        for parameter in 0..10 {
            let wrench = unit_inertia(parameter).inertial_wrench(body.twist.w, *rate);
            write_regressor_column(m, &k, b, wrench, 10 * b.index() + parameter, &mut matrix);
        }
    }
    k.bodies.iter_mut().for_each(|b| b.inertia = zero_inertia());
    Regressor { matrix, rest: inverse_dynamics_with_motion(m, env, &k, speed_accelerations) }
}

/// Rows of the energies and matrix of the momenta by the inertial parameters, at a state.
pub fn energy_regressor<S: Scalar>(m: &Mechanism, env: &Environment<'_, S>) -> EnergyRegressor<S> {
    let k = kinematics(m, env);
    let g = evaluate_vector(&m.gravity, env);
    let n = 10 * m.bodies.len();
    let mut momentum = vec![vec![S::ZERO; n]; m.nv()];
    let (mut kinetic, mut potential) = (Vec::with_capacity(n), Vec::with_capacity(n));
    for (b, body) in BodyId::enumerate(&k.bodies) {
        for parameter in 0..10 {
            let inertia = unit_inertia(parameter);
            kinetic.push(inertia.kinetic_energy(body.twist));
            let moment = body.origin.scale(inertia.mass) + body.rotation.apply(inertia.first);
            potential.push(-g.dot(moment));
            write_regressor_column(
                m,
                &k,
                b,
                inertia.momentum(body.twist),
                10 * b.index() + parameter,
                &mut momentum,
            );
        }
    }
    EnergyRegressor { kinetic, potential, momentum }
}
