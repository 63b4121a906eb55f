//! Twists, wrenches and rigid-body inertias.
//!
//! All are in the axes of one body and about its pole, the origin of its inboard joint. The linear
//! part comes first.

use std::ops::{Add, Neg, Sub};

use super::{Mat3, Scalar, Vec3};

/// Velocity of the pole and angular velocity, both in body axes; also used for their component-wise
/// rates, and for columns of the motion subspace of a joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Twist<S> {
    /// Velocity of the pole [m/s], in body axes.
    pub v: Vec3<S>,
    /// Angular velocity [rad/s], in body axes.
    pub w: Vec3<S>,
}

/// Force and moment about the pole of a body, both in its axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wrench<S> {
    /// Force \[N\], in body axes.
    pub f: Vec3<S>,
    /// Moment about the pole [N·m], in body axes.
    pub m: Vec3<S>,
}

/// Inertia of a rigid body about its pole, in body axes: mass, first moment, tensor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Inertia<S> {
    /// Mass of the body \[kg\].
    pub mass: S,
    /// First moment: mass times the vector from the pole to the centre of mass [kg·m].
    pub first: Vec3<S>,
    /// Inertia tensor about the pole [kg·m²], symmetric.
    pub second: Mat3<S>,
}

impl<S: Scalar> Twist<S> {
    /// The zero twist: no motion.
    pub const ZERO: Self = Twist { v: Vec3::ZERO, w: Vec3::ZERO };

    /// Product of the twist with a scalar.
    pub fn scale(self, s: S) -> Self {
        Twist { v: self.v.scale(s), w: self.w.scale(s) }
    }

    /// The index of the only nonzero component, if that is 1 or −1: 0 to 2 for v, 3 to 5 for ω.
    /// Lets a sum over a joint axis take a single component.
    pub fn sole_unit_component(self) -> Option<usize> {
        let mut left = (0..6).filter(|i| !self.component(*i).is_zero());
        let at = left.next()?;
        let x = self.component(at);
        let unit = (x - S::ONE).is_zero() || (x + S::ONE).is_zero();
        (unit && left.next().is_none()).then_some(at)
    }

    /// Component `i` of the twist: 0 to 2 for v, 3 to 5 for ω.
    pub fn component(self, i: usize) -> S {
        if i < 3 { self.v[i] } else { self.w[i - 3] }
    }

    /// The spatial cross product `V × W`: the rate of the twist W (`o`), fixed in a body that moves
    /// with the twist V (`self`).
    pub fn cross(self, o: Self) -> Self {
        Twist { v: self.w.cross(o.v) + self.v.cross(o.w), w: self.w.cross(o.w) }
    }

    /// Velocity of the body's point at `r` from the pole: `v + ω × r`.
    pub fn velocity_at(self, r: Vec3<S>) -> Vec3<S> {
        self.v + self.w.cross(r)
    }

    /// True if all six components are structurally zero.
    pub fn is_zero(self) -> bool {
        self.v.is_zero() && self.w.is_zero()
    }
}

impl<S: Scalar> Wrench<S> {
    /// The zero wrench: no force and no moment.
    pub const ZERO: Self = Wrench { f: Vec3::ZERO, m: Vec3::ZERO };

    /// The wrench about the pole of a force `f` that acts at `r` from the pole: `(f, r × f)`.
    pub fn from_force_at(f: Vec3<S>, r: Vec3<S>) -> Self {
        Wrench { f, m: r.cross(f) }
    }

    /// Product of the wrench with a scalar.
    pub fn scale(self, s: S) -> Self {
        Wrench { f: self.f.scale(s), m: self.m.scale(s) }
    }

    /// The same wrench with component `i` replaced by `value`: 0 to 2 for f, 3 to 5 for m.
    #[must_use]
    pub fn with_component(mut self, i: usize, value: S) -> Self {
        if i < 3 {
            self.f.0[i] = value
        } else {
            self.m.0[i - 3] = value
        }
        self
    }

    /// Power of the wrench on a twist, about the same pole in the same axes \[W\].
    pub fn power_on_twist(self, t: Twist<S>) -> S {
        self.f.dot(t.v) + self.m.dot(t.w)
    }
}

impl<S: Scalar> Inertia<S> {
    /// The inertia from mass, centre of mass (from the pole) and central tensor:
    /// `J = J_c + m (c² E − c cᵀ)`.
    pub fn from_central_inertia(mass: S, c: Vec3<S>, central: Mat3<S>) -> Self {
        let first = c.scale(mass);
        let mut second = central.0;
        let diagonal = [0, 1, 2].map(|i| first[i] * c[i]);
        for i in 0..3 {
            for j in 0..3 {
                second[i][j] = if i == j {
                    second[i][j] + (diagonal[(i + 1) % 3] + diagonal[(i + 2) % 3])
                } else {
                    second[i][j] - first[i.min(j)] * c[i.max(j)]
                };
            }
        }
        Inertia { mass, first, second: Mat3(second) }
    }

    /// The same body in the axes and about the pole of another frame. `rotation` maps components to
    /// the new axes; `offset` is the vector from the new pole to the old one, in new axes.
    pub fn transform_to_frame(&self, rotation: &Mat3<S>, offset: Vec3<S>) -> Self {
        let (first, second) = (rotation.apply(self.first), rotation.rotate_symmetric_tensor(&self.second));
        Inertia { mass: self.mass, first, second }.shift_to_pole(offset)
    }

    /// The same body about another pole: `offset` is the vector from the new pole to the old one.
    ///
    /// With `s` the first moment: `J + 2 (s·r) E − s rᵀ − r sᵀ + m (r² E − r rᵀ)`.
    pub fn shift_to_pole(&self, offset: Vec3<S>) -> Self {
        let (r, s) = (offset, self.first);
        let first = s + r.scale(self.mass);
        // r sᵀ + s rᵀ + m r rᵀ = r s'ᵀ + s rᵀ with the new first moment s'.
        let product = |i: usize, j: usize| r[i] * first[j] + s[i] * r[j];
        let diagonal = [0, 1, 2].map(|i| product(i, i));
        let mut second = self.second.0;
        // Symmetric: each pair is computed once.
        for (i, j) in [(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)] {
            let old = self.second.0[i][j];
            let entry = if i == j {
                old + (diagonal[(i + 1) % 3] + diagonal[(i + 2) % 3])
            } else {
                old - product(i, j)
            };
            second[i][j] = entry;
            second[j][i] = entry;
        }
        Inertia { mass: self.mass, first, second: Mat3(second) }
    }

    /// Momentum and angular momentum about the pole: `(m v + ω × s, s × v + J ω)` with the first
    /// moment `s`.
    pub fn momentum(&self, t: Twist<S>) -> Wrench<S> {
        Wrench {
            f: t.v.scale(self.mass) + t.w.cross(self.first),
            m: self.first.cross(t.v) + self.second.apply(t.w),
        }
    }

    /// The inertial wrench of a motion, `(m a + ω̇ × s + ω × (ω × s), s × a + J ω̇ + ω × J ω)`,
    /// with the acceleration `a` of the pole, the angular velocity `w`, the angular acceleration ω̇
    /// and the first moment s. `acceleration` contains a and ω̇.
    ///
    /// Both parts use `U = ω̃̇ + ω̃ ω̃` (Balafoutis and Patel 1991): the force
    /// contains `U s`, and the moment products of entries of U, 15 of them where `J ω̇` and
    /// `ω × J ω` would take 24.
    pub fn inertial_wrench(&self, w: Vec3<S>, acceleration: Twist<S>) -> Wrench<S> {
        let u = Mat3::relative_acceleration_matrix(w, acceleration.w);
        let (j, s, a) = (&self.second.0, self.first, acceleration.v);
        let square = |i: usize| w[i] * w[i];
        let about = |x: usize| {
            let (y, z) = ((x + 1) % 3, (x + 2) % 3);
            j[x][x] * acceleration.w[x]
                + (j[z][z] - j[y][y]) * (w[y] * w[z])
                + j[y][z] * (square(y) - square(z))
                - j[x][y] * u.0[z][x]
                + j[x][z] * u.0[y][x]
        };
        Wrench { f: a.scale(self.mass) + u.apply(s), m: s.cross(a) + Vec3([about(0), about(1), about(2)]) }
    }

    /// The inertial wrench without linear and angular acceleration: `(ω × (ω × s), ω × J ω)`, with
    /// the first moment `s` and the tensor `J`.
    pub fn gyroscopic_wrench(&self, w: Vec3<S>) -> Wrench<S> {
        self.inertial_wrench(w, Twist::ZERO)
    }

    /// Kinetic energy \[J\] of the rigid body that moves with the twist `t`.
    pub fn kinetic_energy(&self, t: Twist<S>) -> S {
        S::ratio(1, 2) * self.momentum(t).power_on_twist(t)
    }
}

impl<S: Scalar> Add for Inertia<S> {
    type Output = Self;
    fn add(self, o: Self) -> Self {
        let mut second = self.second.0;
        for (row, other) in second.iter_mut().zip(o.second.0) {
            for (x, y) in row.iter_mut().zip(other) {
                *x = *x + y;
            }
        }
        Inertia { mass: self.mass + o.mass, first: self.first + o.first, second: Mat3(second) }
    }
}

impl<S: Scalar> Add for Twist<S> {
    type Output = Self;
    fn add(self, o: Self) -> Self {
        Twist { v: self.v + o.v, w: self.w + o.w }
    }
}

impl<S: Scalar> Sub for Twist<S> {
    type Output = Self;
    fn sub(self, o: Self) -> Self {
        Twist { v: self.v - o.v, w: self.w - o.w }
    }
}

impl<S: Scalar> Add for Wrench<S> {
    type Output = Self;
    fn add(self, o: Self) -> Self {
        Wrench { f: self.f + o.f, m: self.m + o.m }
    }
}

impl<S: Scalar> Sub for Wrench<S> {
    type Output = Self;
    fn sub(self, o: Self) -> Self {
        Wrench { f: self.f - o.f, m: self.m - o.m }
    }
}

impl<S: Scalar> Neg for Wrench<S> {
    type Output = Self;
    fn neg(self) -> Self {
        Wrench { f: -self.f, m: -self.m }
    }
}
