//! A disc or wheel with a sharp rim that rolls on a plane.
//!
//! With the axle a and the normal n, the rows are along the heading `(a × n) / s`, across it,
//! `(a − (a·n) n) / s`, and along the normal, at the contact; s is the sine of the angle between
//! axle and normal. The arm from the centre down to the contact is `r (a (a·n) − n) / s`; in its
//! cross products with the three axes the division cancels.

use super::kind::*;
use super::multiplier_text::*;
use super::rows::*;
use crate::mechanism::axis::{AxisVector, unit};
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
    fn name(&self) -> &'static str {
        "rolling disc"
    }

    fn rows(&self) -> usize {
        3
    }

    fn ends(&self) -> Option<&Ends> {
        Some(&self.ends)
    }

    fn multipliers(&self, describer: &MultiplierDescriber<'_>) -> Vec<Multiplier> {
        let names = describer.names(&self.ends);
        let heading = format!("the heading: axle {} × normal", axis_text(self.axle));
        let across = "normal × heading: the axle as seen along the normal";
        vec![
            names.force("f_along", CONTACT, &heading),
            names.force("f_across", CONTACT, across),
            normal_force(&names, self.normal),
        ]
    }

    fn picture(&self) -> Picture<'_> {
        Picture::Rims { radius: &self.radius, axle: Some(self.axle), normal: self.normal }
    }
}

impl ConstraintMechanics for RollingDisc {
    const WORD: &'static str = "rolling_disc";

    fn read(keys: &mut dyn ConstraintKeys) -> Option<Self> {
        let (normal, axle, ends) = (keys.axis(0), keys.axis(1), keys.ends());
        let radius = keys.positive("radius", false);
        Some(RollingDisc { ends: ends?, normal, axle, radius: radius? })
    }

    fn add_rows<S: Scalar>(&self, rows: &mut RowBuilder<'_, S>, env: &Environment<'_, S>) {
        let (normal, axle, radius) = (self.normal, self.axle, self.radius.eval(env));
        let up = unit(normal, env.number);
        let axle = rows.frame.to_first(unit(axle, env.number));
        let forward = axle.cross(up);
        let lean = axle.dot(up);
        let sine = forward.dot(forward).sqrt().named(&|| "sine_of_axle".to_owned());
        let heading = forward.scale(S::ONE / sine).named(&|| "along".to_owned());
        let across = up.cross(heading).named(&|| "across".to_owned());
        rows.push("f_along".to_owned(), None, heading, -axle.scale(radius));
        rows.push("f_across".to_owned(), None, across, forward.scale(radius));
        let above = rows.frame.origin.dot(up) - radius * sine;
        rows.push("fn".to_owned(), Some(above), up, heading.scale(radius * lean));
    }
}
