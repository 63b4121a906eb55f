//! A point of one body on a surface or a curve of another.

use super::kind::*;
use super::rows::*;
use super::words::*;
use crate::mechanism::ends::Ends;
use crate::mechanism::environment::Environment;
use crate::mechanism::formula::Formula;
use dqdt_algebra::{Dimension, Scalar, Vec3};

/// The second origin stays where these formulas are zero: one formula for a surface, two for a
/// curve. In the formulas, the three coordinates beyond the last are x, y and z of the point in the
/// first frame. They may also use t, numbers and parameters.
#[derive(Clone, PartialEq, Debug)]
pub struct PointOnSurface {
    /// The frame with the surface, and the frame whose origin is on it.
    pub ends: Ends,
    /// Formulas of x, y and z, one a row.
    pub formulas: Vec<Formula>,
}

impl ConstraintForm for PointOnSurface {
    fn name(&self) -> &'static str {
        "point on surface"
    }

    fn rows(&self) -> usize {
        self.formulas.len()
    }

    fn ends(&self) -> Option<&Ends> {
        Some(&self.ends)
    }

    fn depends_on(&self) -> Vec<Dependence<'_>> {
        let axes = Dependence::Axes(self.ends.from.0);
        self.ends.places().into_iter().chain([axes]).collect()
    }

    fn multipliers(&self, words: &Words<'_>) -> Vec<Multiplier> {
        let names = words.names(&self.ends);
        let place = format!(
            "λ ∇f of {} on {} at {ORIGIN}, f the formula, in x, y, z {}",
            names.from,
            names.to,
            names.first()
        );
        let suffix = |i: usize| if self.formulas.len() > 1 { (i + 1).to_string() } else { String::new() };
        let row = |i| Multiplier {
            suffix: suffix(i),
            quantity: "force",
            ..words.of_formula(i, Dimension::MOMENT, &place)
        };
        (0..self.formulas.len()).map(row).collect()
    }
}

impl ConstraintMechanics for PointOnSurface {
    const WORD: &'static str = "point_on_surface";

    fn read(written: &mut dyn WrittenConstraint) -> Option<Self> {
        let (ends, formulas) = (written.ends(), written.surfaces());
        Some(PointOnSurface { ends: ends?, formulas })
    }

    fn add_rows<S: Scalar>(&self, rows: &mut Rows<'_, S>, env: &Environment<'_, S>) {
        for (i, f) in self.formulas.iter().enumerate() {
            let suffix = if self.formulas.len() > 1 { (i + 1).to_string() } else { String::new() };
            rows.rows.push(Pattern { suffix, ..surface(f, rows.seen.origin, env) });
        }
    }
}

fn surface<S: Scalar>(f: &Formula, point: Vec3<S>, env: &Environment<'_, S>) -> Pattern<S> {
    let q = [env.q, &point.0[..]].concat();
    let nq = env.q.len();
    let env = Environment { q: &q, ..*env };
    let dv = vec![S::ZERO; env.v.len()];
    let slope = |i: usize| {
        let dq: Vec<S> = (0..q.len()).map(|k| if k == nq + i { S::ONE } else { S::ZERO }).collect();
        env.with_jets(S::ZERO, &dq, &dv, |env| f.eval(env)).d
    };
    Pattern {
        suffix: String::new(),
        position: Some(f.eval(&env)),
        n: Vec3([slope(0), slope(1), slope(2)]),
        h: Vec3::ZERO,
        drift: with_rate(f, &env).d,
        in_second: false,
    }
}
