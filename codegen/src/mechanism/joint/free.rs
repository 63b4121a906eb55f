//! Free joint: six degrees of freedom.
//!
//! Coordinates: position of C in P axes (3) \[m\], then the attitude. Speeds: linear (3), then angular (3).
//! Linear speeds are the velocity of the origin of C relative to P, `ḋ`, in P axes (then they are the rates of the
//! position) or in C axes (`ḋ = R_PC v`, `A` constant). With `R_CP` and the angular velocity `ω` of C relative to P in C
//! axes, P axes give `A = (R_CP; 0)` and `Ȧ v = (−ω × R_CP ḋ; 0)`. With absolute angles both follow from the attitudes
//! of C and P to the ground, which is why this kind asks for the reference.

use super::{
    Kind, RateMatrix, Reference, Subspace, angular, attitude, first, force, identity, linear, moment,
};
use crate::algebra::{Mat3, Scalar, Vec3};
use crate::mechanism::{Attitude, SpeedKind, VelocityFrame};

pub(super) struct Free {
    pub attitude: Attitude,
    pub speeds: SpeedKind,
    pub frame: VelocityFrame,
}

/// Position and attitude, or linear and angular speeds.
fn split<S>(x: &[S]) -> (&[S], &[S]) {
    x.split_at(x.len().min(3))
}

impl Free {
    /// C to P axes.
    fn relative<S: Scalar>(&self, q: &[S], reference: &Reference<S>) -> Mat3<S> {
        reference.rotation.transposed_mul(&attitude::rotation(self.attitude, split(q).1))
    }
}

impl<S: Scalar> Kind<S> for Free {
    fn pose(&self, q: &[S]) -> (Mat3<S>, Vec3<S>) {
        let (position, angles) = split(q);
        (attitude::rotation(self.attitude, angles), Vec3(first(position)))
    }

    fn subspace(&self, q: &[S], v: &[S], reference: &Reference<S>) -> Subspace<S> {
        let (linear_speeds, angular_speeds) = split(v);
        let (columns, bias, dual) =
            attitude::subspace(self.attitude, self.speeds, split(q).1, angular_speeds);
        let w: [S; 3] = first(angular_speeds);
        let (axes, linear_bias) = match self.frame {
            VelocityFrame::Body => ([0, 1, 2].map(Vec3::unit), Vec3::ZERO),
            VelocityFrame::Parent => {
                let relative = self.relative(q, reference);
                let omega = columns[0].scale(w[0]) + columns[1].scale(w[1]) + columns[2].scale(w[2])
                    - relative.apply_transposed(reference.angular_velocity);
                let velocity = relative.apply_transposed(Vec3(first(linear_speeds)));
                ([0, 1, 2].map(|i| relative.row(i)), -omega.cross(velocity))
            }
        };
        let bias = crate::algebra::Twist { v: linear_bias, w: bias };
        Subspace {
            columns: axes.map(linear).into_iter().chain(columns.map(angular)).collect(),
            bias,
            dual: axes.map(force).into_iter().chain(dual.map(moment)).collect(),
        }
    }

    fn rates(&self, q: &[S], reference: &Reference<S>) -> Option<RateMatrix<S>> {
        let angular = attitude::rates(self.attitude, self.speeds, split(q).1);
        if angular.is_none() && self.frame == VelocityFrame::Parent {
            return None;
        }
        let angular = angular.unwrap_or_else(|| identity(3));
        let relative = match self.frame {
            VelocityFrame::Parent => Mat3::identity(),
            VelocityFrame::Body => self.relative(q, reference),
        };
        let zeros = [S::ZERO; 3];
        let top = relative.0.iter().map(|row| [*row, zeros].concat());
        let bottom = angular.matrix.iter().map(|row| [&zeros[..], &row[..]].concat());
        Some(RateMatrix { matrix: top.chain(bottom).collect(), denominators: angular.denominators })
    }
}
