//! A loop closed by a universal joint.

use super::kind::*;
use super::rows::*;
use super::words::*;
use crate::mechanism::axis::{AxisVector, unit};
use crate::mechanism::environment::Environment;
use crate::mechanism::load::Ends;
use dqdt_algebra::Scalar;
use dqdt_diagnostics::base::JointSymbol;

/// Four rows; an axis in the first frame stays at right angles to one in the second.
#[derive(Clone, PartialEq, Debug)]
pub struct UniversalClosure(pub Ends, pub AxisVector, pub AxisVector);

impl ConstraintForm for UniversalClosure {
    fn name(&self) -> &'static str {
        "universal"
    }

    fn rows(&self) -> usize {
        4
    }

    fn ends(&self) -> Option<&Ends> {
        Some(&self.0)
    }

    fn multipliers(&self, words: &Words<'_>) -> Vec<Multiplier> {
        let names = words.names(&self.0);
        let mut rows = names.everywhere();
        let axis = format!(
            "the normal of both axes, {} {} × {} {}",
            axis_text(self.2),
            names.second(),
            axis_text(self.1),
            names.first(),
        );
        rows.push(names.moment("", &axis));
        rows
    }

    fn picture(&self) -> Picture<'_> {
        Picture::Joint(JointSymbol::Universal, self.1.to_f64())
    }
}

impl ConstraintMechanics for UniversalClosure {
    const WORD: &'static str = "universal";

    fn read(written: &mut dyn WrittenConstraint) -> Option<Self> {
        let (first, second) = (written.axis(0), written.axis(1));
        Some(UniversalClosure(written.ends()?, first, second))
    }

    fn add_rows<S: Scalar>(&self, rows: &mut Rows<'_, S>, env: &Environment<'_, S>) {
        rows.everywhere();
        let [a, b] = [self.1, self.2].map(|axis| unit(axis, env.number));
        rows.square(b, a, "");
    }
}
