//! Efforts, energies and momenta as linear functions of the inertial parameters.
//!
//! Problem: `τ = Y(q, v, v̇) π + τ_rest` with the ten inertial parameters of every body in π; likewise kinetic energy, potential
//!          energy of gravity and generalised momentum.
//! Method:  a body with one parameter equal to one and the others zero has the inertial wrench that is that parameter's column;
//!          it is carried to the root, and each joint on the way takes its share (Atkeson, An and Hollerbach 1986).
//! Order:   of each body m, m c_x, m c_y, m c_z, I_xx, I_xy, I_yy, I_xz, I_yz, I_zz, about the pole in body axes.
//! Frames:  body axes, about the pole: the origin of the inboard joint's frame on the body.
//! Units:   kg, kg·m, kg·m².
//! Cost:    O(bodies · depth).
//! Not handled: what is not inertia of a body (rotors, armature, loads): that is the rest.

use super::inverse::{accelerations, efforts_of, felt_ground};
use crate::kinematics::{Kinematics, kinematics, vector};
use crate::mechanism::{BodyId, Environment, Mechanism};
use dqdt_algebra::{Inertia, Mat3, Scalar, Vec3, Wrench};

/// Inertial parameters of a body, in order.
pub const INERTIAL: [&str; 10] = ["m", "mcx", "mcy", "mcz", "Ixx", "Ixy", "Iyy", "Ixz", "Iyz", "Izz"];

/// Rows and columns of the tensor's entries among the parameters, from the fifth on.
const ENTRIES: [(usize, usize); 6] = [(0, 0), (0, 1), (1, 1), (0, 2), (1, 2), (2, 2)];

/// Efforts by inertial parameters.
#[derive(Clone, Debug)]
pub struct Regressor<S> {
    /// `Y`, nv × 10 bodies.
    pub matrix: Vec<Vec<S>>,
    /// What else there is of the efforts: rotors, armature, loads.
    pub rest: Vec<S>,
}

/// Energies and momenta by inertial parameters.
#[derive(Clone, Debug)]
pub struct EnergyRegressor<S> {
    /// Of the kinetic energy.
    pub kinetic: Vec<S>,
    /// Of the potential energy of gravity.
    pub potential: Vec<S>,
    /// Of `∂T/∂v`, nv × 10 bodies.
    pub momentum: Vec<Vec<S>>,
}

/// The inertia of which one parameter is one.
pub(crate) fn unit<S: Scalar>(parameter: usize) -> Inertia<S> {
    let mut inertia = nothing();
    match parameter {
        0 => inertia.mass = S::ONE,
        1..=3 => inertia.first = Vec3::unit(parameter - 1),
        _ => {
            let (i, j) = ENTRIES[parameter - 4];
            (inertia.second.0[i][j], inertia.second.0[j][i]) = (S::ONE, S::ONE);
        }
    }
    inertia
}

pub(crate) fn nothing<S: Scalar>() -> Inertia<S> {
    Inertia { mass: S::ZERO, first: Vec3::ZERO, second: Mat3([[S::ZERO; 3]; 3]) }
}

/// π of all bodies.
pub fn inertial_parameters<S: Scalar>(m: &Mechanism, env: &Environment<'_, S>) -> Vec<S> {
    kinematics(m, env).bodies.iter().flat_map(|b| of_inertia(&b.inertia)).collect()
}

/// The ten parameters of an inertia.
pub(crate) fn of_inertia<S: Scalar>(i: &Inertia<S>) -> Vec<S> {
    let entries = ENTRIES.map(|(a, b)| i.second.0[a][b]);
    [&[i.mass], &i.first.0[..], &entries].concat()
}

/// The share of each speed in a wrench on a body, in a column of a matrix.
fn along_path<S: Scalar>(
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
                matrix[speed][column] = wrench.power(c.twist);
            }
        }
        wrench = k.bodies[b].gather(wrench);
        at = m.parent(b);
    }
}

/// `Y` and the rest of the efforts at given accelerations; loads at the inputs of `env`.
pub fn regressor<S: Scalar>(m: &Mechanism, env: &Environment<'_, S>, given: &[S]) -> Regressor<S> {
    let mut k = kinematics(m, env);
    let rates = accelerations(m, &k, given, felt_ground(m, env), "d");
    let mut matrix = vec![vec![S::ZERO; 10 * m.bodies.len()]; m.nv()];
    for (b, (body, rate)) in BodyId::enumerate(k.bodies.iter().zip(&rates)) {
        for parameter in 0..10 {
            let wrench = unit(parameter).inertial_wrench(body.twist.w, *rate);
            along_path(m, &k, b, wrench, 10 * b.index() + parameter, &mut matrix);
        }
    }
    k.bodies.iter_mut().for_each(|b| b.inertia = nothing());
    Regressor { matrix, rest: efforts_of(m, env, &k, given) }
}

/// Energies and momenta by inertial parameters.
pub fn energy_regressor<S: Scalar>(m: &Mechanism, env: &Environment<'_, S>) -> EnergyRegressor<S> {
    let k = kinematics(m, env);
    let g = vector(&m.gravity, env);
    let n = 10 * m.bodies.len();
    let mut momentum = vec![vec![S::ZERO; n]; m.nv()];
    let (mut kinetic, mut potential) = (Vec::with_capacity(n), Vec::with_capacity(n));
    for (b, body) in BodyId::enumerate(&k.bodies) {
        let height = |moment: Vec3<S>| -g.dot(moment);
        for parameter in 0..10 {
            let inertia = unit(parameter);
            kinetic.push(inertia.kinetic_energy(body.twist));
            let moment = body.origin.scale(inertia.mass) + body.rotation.apply(inertia.first);
            potential.push(height(moment));
            along_path(m, &k, b, inertia.apply(body.twist), 10 * b.index() + parameter, &mut momentum);
        }
    }
    EnergyRegressor { kinetic, potential, momentum }
}
