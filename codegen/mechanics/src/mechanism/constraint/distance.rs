//! A given distance between two points: a massless rod.

use super::kind::*;
use super::multiplier_text::*;
use super::rows::*;
use crate::mechanism::ends::Ends;
use crate::mechanism::environment::Environment;
use crate::mechanism::formula::Formula;
use dqdt_algebra::{Scalar, Vec3};

/// Constraint on the distance between two points. One row; its multiplier is the force in the rod.
#[derive(Clone, PartialEq, Debug)]
pub struct Distance {
    /// The two frames whose origins keep the distance, each fixed on a body or the ground.
    pub ends: Ends,
    /// Required distance of the origins \[m\]: a formula of t, numbers and parameters.
    pub length: Formula,
}

impl ConstraintForm for Distance {
    fn kind_name(&self) -> &'static str {
        "distance"
    }

    fn row_count(&self) -> usize {
        1
    }

    fn ends(&self) -> Option<&Ends> {
        Some(&self.ends)
    }

    fn pose_dependences(&self) -> Vec<Dependence<'_>> {
        self.ends.origin_dependences().to_vec()
    }

    fn describe_multipliers(&self, describer: &MultiplierDescriber<'_>) -> Vec<Multiplier> {
        let names = describer.name_ends(&self.ends);
        let along = format!(
            "the line from the origin on {} to that point; a positive force pushes the two points apart",
            names.from
        );
        vec![names.describe_force("", ORIGIN, &along)]
    }

    fn drawing_symbol(&self) -> Picture<'_> {
        Picture::Rod
    }
}

impl ConstraintMechanics for Distance {
    const WORD: &'static str = "distance";

    fn read(keys: &mut dyn ConstraintKeys) -> Option<Self> {
        let (ends, length) = (keys.read_ends(), keys.read_positive_length("length", true));
        Some(Distance { ends: ends?, length: length? })
    }

    fn add_rows<S: Scalar>(&self, rows: &mut RowBuilder<'_, S>, env: &Environment<'_, S>) {
        // (r² / L − L) / 2: near zero the excess length, and smooth where the points coincide.
        let r = rows.frame.origin;
        let l = value_and_time_derivative(&self.length, env);
        let half = S::ratio(1, 2);
        let square = r.dot(r);
        rows.push_row(String::new(), Some((square / l.v - l.v) * half), r.scale(S::ONE / l.v), Vec3::ZERO);
        if !l.d.is_zero() {
            rows.rows[0].drift = -((square / (l.v * l.v) + S::ONE) * l.d * half);
        }
    }
}
