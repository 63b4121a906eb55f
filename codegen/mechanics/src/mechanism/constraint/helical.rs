//! A loop closed by a helical joint (screw).

use super::kind::*;
use super::multiplier_text::*;
use super::rows::*;
use crate::mechanism::axis::{AxisVector, unit_vector_along};
use crate::mechanism::ends::Ends;
use crate::mechanism::environment::Environment;
use crate::mechanism::formula::Formula;
use dqdt_algebra::{Scalar, Vec3};
use dqdt_diagnostics::base::JointSymbol;

/// Constraint of a helical joint in a loop. Five rows: no displacement perpendicular to the axis,
/// axes parallel, displacement along the axis proportional to the angle.
#[derive(Clone, PartialEq, Debug)]
pub struct HelicalClosure {
    /// The two frames that the constraint connects, each fixed on a body or the ground.
    pub ends: Ends,
    /// The screw axis, with the same components in both frames.
    pub axis: AxisVector,
    /// Pitch of the screw: displacement along the axis per angle \[m/rad\].
    pub pitch: Formula,
}

impl ConstraintForm for HelicalClosure {
    fn kind_name(&self) -> &'static str {
        "helical"
    }

    fn row_count(&self) -> usize {
        5
    }

    fn ends(&self) -> Option<&Ends> {
        Some(&self.ends)
    }

    fn describe_multipliers(&self, describer: &MultiplierDescriber<'_>) -> Vec<Multiplier> {
        let names = describer.name_ends(&self.ends);
        let mut rows = names.describe_forces_and_moments(self.axis, &[0, 1], &[0, 1]);
        let along = format!(
            "{} {}, together with the moment −pitch · λ about the same axis",
            triple_axis_text(self.axis, 2),
            names.first_axes_text()
        );
        rows.push(names.describe_force(&format!("f{}", self.axis.triple_axis_names()[2]), ORIGIN, &along));
        rows
    }

    fn drawing_symbol(&self) -> Picture<'_> {
        Picture::Joint { symbol: JointSymbol::Helical, axis: self.axis.to_f64() }
    }

    fn data_error(&self) -> Option<InvalidData> {
        self.pitch.is_zero().then_some(InvalidData {
            code: "zero-pitch",
            before: "the pitch of ",
            after: " is zero",
            key: Some("pitch"),
            label: "a pitch of zero allows no motion along the axis",
            help: "use a constraint of type `revolute` instead",
        })
    }
}

impl ConstraintMechanics for HelicalClosure {
    const WORD: &'static str = "helical";

    fn read(keys: &mut dyn ConstraintKeys) -> Option<Self> {
        let (axis, ends) = (keys.read_axis(0), keys.read_ends());
        let pitch = keys.read_length("pitch")?;
        Some(HelicalClosure { ends: ends?, axis, pitch })
    }

    fn add_rows<S: Scalar>(&self, rows: &mut RowBuilder<'_, S>, env: &Environment<'_, S>) {
        let (axes, letters) = right_handed_triple(self.axis, env);
        rows.forbid_displacement_along_axes(axes, letters, &[0, 1]);
        rows.keep_axes_parallel(axes, letters);
        // Along the axis with its sign in the spec, which is the sign of the screw.
        let [b, c, a] = axes;
        let sign = unit_vector_along(self.axis, env.number).dot(a);
        add_screw_row(rows, [b.scale(sign), c, a.scale(sign)], self.pitch.eval(env), letters[2]);
    }

    fn alignments<S: Scalar>(&self, frame: &RelativeFrame<S>, env: &Environment<'_, S>) -> Vec<S> {
        let (axes, _) = right_handed_triple(self.axis, env);
        let b = frame.rotate_to_first(axes[0]);
        let sign = unit_vector_along(self.axis, env.number).dot(axes[2]);
        let (s, k) = (frame.origin.dot(axes[2]) * sign / self.pitch.eval(env)).sin_cos();
        vec![axis_cosine(frame, self.axis, env), k * b.dot(axes[0]) + s * sign * b.dot(axes[1])]
    }
}

/// Adds the row `p sin(d/p − θ)`: zero on the screw for any number of turns; near zero, the
/// displacement off the screw.
fn add_screw_row<S: Scalar>(rows: &mut RowBuilder<'_, S>, [b, c, a]: [Vec3<S>; 3], pitch: S, letter: &str) {
    let turned = rows.frame.rotate_to_first(b);
    let (sine, cosine) = (turned.dot(c), turned.dot(b));
    let (s, k) = (rows.frame.origin.dot(a) / pitch).sin_cos();
    let n = a.scale(k * cosine + s * sine);
    let h = turned.cross(b).scale(pitch * s) - turned.cross(c).scale(pitch * k);
    rows.push_row(format!("f{letter}"), Some(pitch * (s * cosine - k * sine)), n, h);
}
