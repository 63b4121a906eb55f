//! A ball that rolls on a plane.

use super::kind::*;
use super::rows::*;
use super::words::*;
use crate::mechanism::axis::{AxisVector, unit};
use crate::mechanism::environment::Environment;
use crate::mechanism::formula::Formula;
use crate::mechanism::load::Ends;
use dqdt_algebra::{Scalar, Vec3};

/// A ball about the second origin rolls on the plane of the first frame: its normal towards the ball, in the first frame;
/// radius \[m\], numbers and parameters.
#[derive(Clone, PartialEq, Debug)]
pub struct RollingBall(pub Ends, pub AxisVector, pub Formula);

impl ConstraintForm for RollingBall {
    fn name(&self) -> &'static str {
        "rolling ball"
    }

    fn rows(&self) -> usize {
        3
    }

    fn ends(&self) -> Option<&Ends> {
        Some(&self.0)
    }

    fn multipliers(&self, words: &Words<'_>) -> Vec<Multiplier> {
        let names = words.names(&self.0);
        let along = |k: usize| format!("{} {}", of_triple(self.1, k), names.first());
        let mut rows: Vec<Multiplier> =
            (0..2).map(|k| names.force(&format!("f{}", self.1.letters()[k]), CONTACT, &along(k))).collect();
        rows.push(normal_force(&names, self.1));
        rows
    }

    fn picture(&self) -> Picture<'_> {
        Picture::Rims(&self.2, None, self.1)
    }
}

impl ConstraintMechanics for RollingBall {
    const WORD: &'static str = "rolling_ball";

    fn read(written: &mut dyn WrittenConstraint) -> Option<Self> {
        let (normal, ends) = (written.axis(0), written.ends());
        let radius = written.positive("radius", false);
        Some(RollingBall(ends?, normal, radius?))
    }

    fn add_rows<S: Scalar>(&self, rows: &mut Rows<'_, S>, env: &Environment<'_, S>) {
        // Rows along the axes of the plane and along its normal n, at the contact.
        let (normal, radius) = (self.1, self.2.eval(env));
        let up = unit(normal, env.number);
        let (axes, letters) = triple(normal, env);
        let arm = -up.scale(radius);
        for (axis, letter) in [axes[0], axes[1]].into_iter().zip(letters) {
            rows.push(format!("f{letter}"), None, axis, arm.cross(axis));
        }
        let above = rows.seen.origin.dot(up) - radius;
        rows.push("fn".to_owned(), Some(above), up, Vec3::ZERO);
    }
}
