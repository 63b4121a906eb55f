//! Sparse systems of the forms that have more unknowns than `v̇`.

use crate::mechanism::Mechanism;
use dqdt_algebra::{Scalar, SparseRows, Twist, Vec3, Wrench};

/// A sparse linear system with named unknowns.
#[derive(Clone, Debug)]
pub struct Extended<S> {
    /// What each column is.
    pub unknowns: Vec<String>,
    /// Rows and right sides.
    pub rows: SparseRows<S>,
    /// What the rows are.
    pub layout: SystemLayout,
}

/// Where the rows of a sparse system stand, and its unknowns after the accelerations of the bodies.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SystemLayout {
    /// True if the rows begin with the equations of motion of the bodies, six each.
    pub motion: bool,
    /// First row of the speeds, if they have rows of their own.
    pub speeds: Option<usize>,
    /// Rows of kinematics, which hold in every motion.
    pub kinematics: std::ops::Range<usize>,
    /// First row of the constraints, if the system has them.
    pub constraints: Option<usize>,
    /// How many unknowns are of joints: reactions or multipliers.
    pub of_joints: usize,
    /// True if the accelerations of the speeds follow as unknowns.
    pub with_speeds: bool,
}

/// The unit twists.
pub(crate) fn unit_twists<S: Scalar>() -> [Twist<S>; 6] {
    std::array::from_fn(|a| {
        let unit = Vec3::unit(a % 3);
        if a < 3 { Twist { v: unit, w: Vec3::ZERO } } else { Twist { v: Vec3::ZERO, w: unit } }
    })
}

/// Entries of a twist, linear first.
pub(crate) fn entries<S: Scalar>(t: Twist<S>) -> [S; 6] {
    std::array::from_fn(|a| if a < 3 { t.v[a] } else { t.w[a - 3] })
}

/// Entries of a wrench, force first.
pub(crate) fn wrench_entries<S: Scalar>(w: Wrench<S>) -> [S; 6] {
    std::array::from_fn(|a| if a < 3 { w.f[a] } else { w.m[a - 3] })
}

const AXES: [&str; 6] = ["vx", "vy", "vz", "wx", "wy", "wz"];

/// Names of the entries of `V̇`, body after body.
pub(crate) fn rate_names(m: &Mechanism) -> Vec<String> {
    m.bodies.iter().flat_map(|b| AXES.iter().map(|a| format!("d{a} of {}", b.name))).collect()
}
