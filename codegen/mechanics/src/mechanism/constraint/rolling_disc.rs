//! A disc or wheel with a sharp rim that rolls on a plane.
//!
//! With the axle a and the normal n, the rows are along the heading `(a × n) / s`, across it,
//! `(a − (a·n) n) / s`, and along the normal, at the contact; s is the sine of the angle between
//! axle and normal. The arm from the centre down to the contact is `r (a (a·n) − n) / s`; in its
//! cross products with the three axes the division cancels.

use super::kind::*;
use super::multiplier_text::*;
use super::rows::*;
use crate::mechanism::axis::{AxisVector, unit_vector_along};
use crate::mechanism::ends::Ends;
use crate::mechanism::environment::Environment;
use crate::mechanism::formula::Formula;
use dqdt_algebra::Scalar;

/// Rolling without slip of a disc, centred at the second origin, on a plane of the first frame.
/// Three rows: velocity along and across the heading, position along the normal.
#[derive(Clone, PartialEq, Debug)]
pub struct RollingDisc {
    /// The frame with the plane, and the frame at the centre of the disc.
    pub ends: Ends,
    /// The normal of the plane towards the disc, in the first frame.
    pub normal: AxisVector,
    /// The axle of the disc, in the second frame.
    pub axle: AxisVector,
    /// Radius of the disc \[m\]: a formula of numbers and parameters.
    pub radius: Formula,
}

impl ConstraintForm for RollingDisc {
    fn kind_name(&self) -> &'static str {
        "rolling disc"
    }

    fn row_count(&self) -> usize {
        3
    }

    fn ends(&self) -> Option<&Ends> {
        Some(&self.ends)
    }

    fn describe_multipliers(&self, describer: &MultiplierDescriber<'_>) -> Vec<Multiplier> {
        let names = describer.name_ends(&self.ends);
        let heading = format!("the heading (axle {} × normal)", axis_text(self.axle));
        let across = "normal × heading (the projection of the axle onto the plane)";
        vec![
            names.describe_force("f_along", CONTACT, &heading),
            names.describe_force("f_across", CONTACT, across),
            describe_normal_force(&names, self.normal),
        ]
    }

    fn drawing_symbol(&self) -> Picture<'_> {
        Picture::Rims { radius: &self.radius, axle: Some(self.axle), normal: self.normal }
    }
}

impl ConstraintMechanics for RollingDisc {
    const WORD: &'static str = "rolling_disc";

    fn read(keys: &mut dyn ConstraintKeys) -> Option<Self> {
        let (normal, axle, ends) = (keys.read_axis(0), keys.read_axis(1), keys.read_ends());
        let radius = keys.read_positive_length("radius", false);
        Some(RollingDisc { ends: ends?, normal, axle, radius: radius? })
    }

    fn add_rows<S: Scalar>(&self, rows: &mut RowBuilder<'_, S>, env: &Environment<'_, S>) {
        let (normal, axle, radius) = (self.normal, self.axle, self.radius.eval(env));
        let up = unit_vector_along(normal, env.number);
        let axle = rows.frame.rotate_to_first(unit_vector_along(axle, env.number));
        let forward = axle.cross(up);
        let lean = axle.dot(up);
        let sine = forward.dot(forward).sqrt().suggest_name(&|| "sine_of_axle".to_owned());
        let heading = forward.scale(S::ONE / sine).name_components(&|| "along".to_owned());
        let across = up.cross(heading).name_components(&|| "across".to_owned());
        rows.push_row("f_along".to_owned(), None, heading, -axle.scale(radius));
        rows.push_row("f_across".to_owned(), None, across, forward.scale(radius));
        let above = rows.frame.origin.dot(up) - radius * sine;
        rows.push_row("fn".to_owned(), Some(above), up, heading.scale(radius * lean));
    }
}
