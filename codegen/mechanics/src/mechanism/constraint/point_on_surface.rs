//! A point of one body on a surface or a curve of another.

use super::kind::*;
use super::multiplier_text::*;
use super::rows::*;
use crate::mechanism::ends::Ends;
use crate::mechanism::environment::Environment;
use crate::mechanism::formula::Formula;
use dqdt_algebra::{Dimension, Scalar, Vec3};

/// Constraint that the second origin stays where formulas are zero: one formula for a surface, two
/// for a curve. In the formulas, the three coordinates beyond the last are x, y and z of the point
/// in the first frame. They may also use t, numbers and parameters.
#[derive(Clone, PartialEq, Debug)]
pub struct PointOnSurface {
    /// The frame with the surface, and the frame whose origin is on it.
    pub ends: Ends,
    /// Formulas of x, y and z that are zero on the surface or curve, one a row.
    pub formulas: Vec<Formula>,
}

impl ConstraintForm for PointOnSurface {
    fn kind_name(&self) -> &'static str {
        "point on surface"
    }

    fn row_count(&self) -> usize {
        self.formulas.len()
    }

    fn ends(&self) -> Option<&Ends> {
        Some(&self.ends)
    }

    fn pose_dependences(&self) -> Vec<Dependence<'_>> {
        let axes = Dependence::Axes(self.ends.from.0);
        self.ends.origin_dependences().into_iter().chain([axes]).collect()
    }

    fn describe_multipliers(&self, describer: &MultiplierDescriber<'_>) -> Vec<Multiplier> {
        let names = describer.name_ends(&self.ends);
        let place = format!(
            "λ ∇f of {} on {} at {ORIGIN}, where f is the formula in the coordinates x, y, z {}",
            names.from,
            names.to,
            names.first_axes_text()
        );
        let rows = 0..self.formulas.len();
        rows.map(|i| Multiplier {
            suffix: self.row_suffix(i),
            quantity: "force",
            ..describer.describe_formula_multiplier(i, Dimension::MOMENT, &place)
        })
        .collect()
    }
}

impl PointOnSurface {
    /// Suffix of a row's name: its number, empty if there is only one.
    fn row_suffix(&self, row: usize) -> String {
        if self.formulas.len() > 1 { (row + 1).to_string() } else { String::new() }
    }
}

impl ConstraintMechanics for PointOnSurface {
    const WORD: &'static str = "point_on_surface";

    fn read(keys: &mut dyn ConstraintKeys) -> Option<Self> {
        let (ends, formulas) = (keys.read_ends(), keys.read_surface_formulas());
        Some(PointOnSurface { ends: ends?, formulas })
    }

    fn add_rows<S: Scalar>(&self, rows: &mut RowBuilder<'_, S>, env: &Environment<'_, S>) {
        for (i, f) in self.formulas.iter().enumerate() {
            rows.rows.push(RowFunctional {
                suffix: self.row_suffix(i),
                ..evaluate_surface_row(f, rows.frame.origin, env)
            });
        }
    }
}

/// Row of one formula `f` at the point: residual, gradient and partial derivative by time.
fn evaluate_surface_row<S: Scalar>(
    f: &Formula,
    point: Vec3<S>,
    env: &Environment<'_, S>,
) -> RowFunctional<S> {
    let q = [env.q, &point.0[..]].concat();
    let nq = env.q.len();
    let env = Environment { q: &q, ..*env };
    let dv = vec![S::ZERO; env.v.len()];
    let slope = |i: usize| {
        let dq: Vec<S> = (0..q.len()).map(|k| if k == nq + i { S::ONE } else { S::ZERO }).collect();
        env.with_jets(S::ZERO, &dq, &dv, |env| f.eval(env)).d
    };
    RowFunctional {
        suffix: String::new(),
        position: Some(f.eval(&env)),
        n: Vec3([slope(0), slope(1), slope(2)]),
        h: Vec3::ZERO,
        drift: value_and_time_derivative(f, &env).d,
        in_second: false,
    }
}
