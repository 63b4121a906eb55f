//! Sparse systems of formalisms with more unknowns than `v̇`.

use crate::mechanism::Mechanism;
use dqdt_algebra::{Scalar, SparseRows, Twist, Vec3, Wrench};

/// A sparse linear system `rows · unknowns = right-hand sides`, with named unknowns, of a formalism
/// with more unknowns than `v̇`.
#[derive(Clone, Debug)]
pub struct Extended<S> {
    /// Names of the unknowns, one for each column.
    pub unknowns: Vec<String>,
    /// Rows of the system with their right-hand sides.
    pub rows: SparseRows<S>,
    /// Positions of the system's rows by kind, for printing.
    pub layout: SystemLayout,
}

/// Positions of the rows of a sparse system by kind, and its unknowns after the accelerations of
/// the bodies.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SystemLayout {
    /// True if the system starts with the equations of motion of the bodies, six rows each.
    pub motion: bool,
    /// First row of the speeds' equations, if they have rows of their own.
    pub speeds: Option<usize>,
    /// Range of the kinematic rows, which relate body accelerations and hold in every motion.
    pub kinematics: std::ops::Range<usize>,
    /// First row of the constraints, if the system contains them.
    pub constraints: Option<usize>,
    /// Number of unknowns of the joints: reactions or multipliers.
    pub joint_unknowns: usize,
    /// True if the accelerations of the speeds are unknowns too.
    pub with_speeds: bool,
}

/// The six unit twists, linear ones first.
pub(crate) fn unit_twists<S: Scalar>() -> [Twist<S>; 6] {
    std::array::from_fn(|a| {
        let unit = Vec3::unit_vector(a % 3);
        if a < 3 { Twist { v: unit, w: Vec3::ZERO } } else { Twist { v: Vec3::ZERO, w: unit } }
    })
}

/// The six entries of a twist, linear ones first.
pub(crate) fn twist_entries<S: Scalar>(t: Twist<S>) -> [S; 6] {
    std::array::from_fn(|a| if a < 3 { t.v[a] } else { t.w[a - 3] })
}

/// The six entries of a wrench, force first.
pub(crate) fn wrench_entries<S: Scalar>(w: Wrench<S>) -> [S; 6] {
    std::array::from_fn(|a| if a < 3 { w.f[a] } else { w.m[a - 3] })
}

/// Names of the six components of a twist.
const AXES: [&str; 6] = ["vx", "vy", "vz", "wx", "wy", "wz"];

/// Names of the unknown body accelerations `V̇`: six for each body, in order.
pub(crate) fn body_acceleration_names(m: &Mechanism) -> Vec<String> {
    m.bodies.iter().flat_map(|b| AXES.iter().map(|a| format!("d{a} of {}", b.name))).collect()
}
