//! Numeric checks of a resolved mechanism, at the default values of its parameters.

use super::{Build, numeric};
use crate::spec::Start;
use dqdt_algebra::{Number, Ratio};
use dqdt_diagnostics::error::Diagnostic;
use dqdt_mechanics::mechanism::{CoordinateId, Formula, Mechanism, Rotation};

/// Tolerance of the numeric checks of a spec, for zero tests of numbers computed in floating point.
pub(super) const TOLERANCE: f64 = 1e-9;

/// The components of a quaternion divided by its length. `exact`: its squared length, if rational.
fn divide_by_norm(components: Vec<Formula>, exact: Option<Ratio>) -> Vec<Formula> {
    let square = match exact {
        Some(e) => Formula::Number(Number::Rational(e)),
        None => components
            .iter()
            .map(|f| Formula::Power(Box::new(f.clone()), 2))
            .reduce(|a, b| Formula::Add(Box::new(a), Box::new(b)))
            .unwrap_or(Formula::ONE),
    };
    let root = exact.and_then(Ratio::exact_sqrt);
    components
        .into_iter()
        .map(|f| {
            let quotient = match (root, f.as_number().and_then(Number::as_ratio)) {
                (Some(r), Some(n)) => n.checked_div(r).map(|q| Formula::Number(Number::Rational(q))),
                _ => None,
            };
            quotient.unwrap_or_else(|| {
                Formula::Div(Box::new(f), Box::new(Formula::Sqrt(Box::new(square.clone()))))
            })
        })
        .collect()
}

impl Build<'_> {
    /// Runs all numeric checks of a resolved mechanism, at the default parameters. `order`: for
    /// each body of the mechanism its index in the spec.
    pub(super) fn run_checks(&mut self, m: &mut Mechanism, order: &[usize]) {
        let p = numeric::parameter_values(&m.parameters, |_, default| default);
        self.check_parameter_values(&p);
        if !self.has_errors() {
            self.check_finite_formulas(&p);
        }
        self.check_load_conditions(m, &p);
        self.check_masses(m, order, &p);
        self.check_input_limits(m, &p);
        self.check_joint_limits(m, &p);
        self.check_laws(m);
        self.check_rotation_matrices(&p);
        self.check_joint_axes();
        self.check_start_values(m, &p);
        self.normalise_quaternions(m, &p);
        if self.has_errors() {
            return;
        }
        self.check_rotors(m, &p);
        self.check_massless(m, order, &p);
        self.check_ground_angles(m);
        self.check_line_bodies(m, order);
    }

    /// Reports parameters whose value is not finite.
    fn check_parameter_values(&mut self, p: &[f64]) {
        for (i, parameter) in self.spec.parameters.iter().enumerate() {
            let value = p[self.parameter_index[i]];
            if !value.is_finite() {
                self.report(
                    Diagnostic::error(
                        "not-finite",
                        format!("parameter `{}` is not a finite number", parameter.name.value),
                    )
                    .at(parameter.value.span, format!("value at the default parameters: {value}")),
                );
            }
        }
    }

    /// Reports inputs whose limits are an empty range, or whose default is outside of them.
    fn check_input_limits(&mut self, m: &Mechanism, p: &[f64]) {
        for (i, input) in m.inputs.iter().enumerate() {
            let Some((low, high)) = &input.limits else { continue };
            let (low, high) = (numeric::evaluate_formula(low, p), numeric::evaluate_formula(high, p));
            let default = numeric::evaluate_formula(&input.default, p);
            let spec = &self.spec.inputs[i];
            let span = spec.limits.as_ref().and_then(|l| l[0].span);
            if low > high || low.is_nan() || high.is_nan() {
                let other = spec.limits.as_ref().and_then(|l| l[1].span);
                self.report(
                    Diagnostic::error(
                        "limits-crossed",
                        format!("the limits of input `{}` allow no value", input.name),
                    )
                    .at(span, format!("lowest: {low}"))
                    .also(other, format!("highest: {high}"))
                    .help("write limits = [lowest, highest]"),
                );
            } else if default < low || default > high {
                self.report(
                    Diagnostic::warning(
                        "default-beyond-limits",
                        format!("the default of input `{}` is outside its limits", input.name),
                    )
                    .at(
                        spec.default.as_ref().and_then(|d| d.span).or(spec.name.span),
                        format!("{default} is not between {low} and {high}"),
                    )
                    .help("set `default` to a value within the limits"),
                );
            }
        }
    }

    /// Reports rotation matrices of the spec that are not orthogonal.
    fn check_rotation_matrices(&mut self, p: &[f64]) {
        for (span, what, rotation) in std::mem::take(&mut self.matrices) {
            let Rotation::Matrix(rows) = rotation else { continue };
            let r = [0, 1, 2].map(|i| numeric::evaluate_vector(&rows[i], p));

            let mut worst = 0.0f64;
            for i in 0..3 {
                for j in 0..3 {
                    let product: f64 = (0..3).map(|k| r[i][k] * r[j][k]).sum();
                    let error = (product - f64::from(u8::from(i == j))).abs();
                    worst = if error.is_nan() { f64::INFINITY } else { worst.max(error) };
                }
            }
            let minor = |i: usize, j: usize| r[1][i] * r[2][j] - r[1][j] * r[2][i];
            let determinant = r[0][0] * minor(1, 2) - r[0][1] * minor(0, 2) + r[0][2] * minor(0, 1);
            if worst > TOLERANCE {
                self.report(
                    Diagnostic::error("not-a-rotation", format!("{what} is not a rotation"))
                        .at(Some(span), format!("the rows are not orthonormal (error {worst:.1e})"))
                        .help("write the numbers with more digits, or use `sequence` and `angles` instead"),
                );
            } else if determinant < 0.0 {
                self.report(
                    Diagnostic::error("not-a-rotation", format!("{what} is a reflection, not a rotation"))
                        .at(Some(span), "determinant -1")
                        .help("change the sign of one row: frames are right-handed"),
                );
            }
        }
    }

    /// Reports joints whose two axes do not suit their type, for example if they are parallel.
    fn check_joint_axes(&mut self) {
        for j in &self.spec.joints {
            let Some(wrong) = self.joint_kind_without_values(j).form().axes_error() else { continue };
            let [first, second] = &j.kind.axes[..] else { continue };
            self.problems.push(
                Diagnostic::error(
                    wrong.code,
                    format!("the axes of joint `{}` are {}", j.name.value, wrong.predicate),
                )
                .at(second.span.or(j.name.span), wrong.label)
                .also(first.span, "this is the first axis")
                .help(wrong.help),
            );
        }
    }

    /// Reports initial values that are not finite.
    fn check_start_values(&mut self, m: &Mechanism, p: &[f64]) {
        let all = m
            .coordinates
            .iter()
            .map(|c| (&c.name, &c.start))
            .chain(m.speeds.iter().map(|v| (&v.name, &v.start)))
            .chain(m.states.iter().map(|z| (&z.name, &z.start)));
        for (name, start) in all {
            let value = numeric::evaluate_formula(start, p);
            // The same problem may already be reported at the place of the formula.
            let message = format!("the initial value of `{name}` is not a finite number");
            if !value.is_finite() && !self.problems.iter().any(|d| d.message == message) {
                self.problems.push(
                    Diagnostic::error("not-finite", message)
                        .at(self.names.span(name), format!("value at the default parameters: {value}")),
                );
            }
        }
    }

    /// Normalises the initial quaternions of joints, with a warning if their length is not one.
    fn normalise_quaternions(&mut self, m: &mut Mechanism, p: &[f64]) {
        for (j, joint) in self.spec.joints.iter().enumerate() {
            if !joint.coordinates.quaternion {
                continue;
            }
            let Some(layout) = self.layouts.get(j) else { continue };
            let four: Vec<CoordinateId> =
                layout.coordinates.iter().rev().take(4).rev().filter_map(|s| s.free_index()).collect();
            let starts: Vec<Formula> = four.iter().map(|i| m.coordinates[*i].start.clone()).collect();
            let span = match &joint.coordinates.start {
                Some(Start::Listed(list)) => list.span,
                _ => four.iter().find_map(|i| self.starts.coordinates[*i].span),
            };
            let norm = starts.iter().map(|f| numeric::evaluate_formula(f, p).powi(2)).sum::<f64>();
            if norm == 0.0 {
                self.problems.push(
                    Diagnostic::error(
                        "zero-quaternion",
                        format!(
                            "the initial quaternion of joint `{}` does not describe an attitude",
                            joint.name.value
                        ),
                    )
                    .at(span, "this quaternion has zero length")
                    .help("write [1, 0, 0, 0] for no rotation"),
                );
                continue;
            }
            let exact = starts.iter().try_fold(Ratio::ZERO, |sum, f| {
                let r = f.as_number()?.as_ratio()?;
                sum.checked_add(r.checked_mul(r)?)
            });
            if exact.map_or((norm - 1.0).abs() < 1e-12, |e| e.is_one()) {
                continue;
            }
            self.problems.push(
                Diagnostic::warning(
                    "quaternion-length",
                    format!(
                        "the initial quaternion of joint `{}` is not a unit quaternion",
                        joint.name.value
                    ),
                )
                .at(span, format!("the quaternion has length {:.6} and is normalised", norm.sqrt()))
                .help("write a unit quaternion, with the scalar part first"),
            );
            for (i, f) in four.iter().zip(divide_by_norm(starts, exact)) {
                m.coordinates[*i].start = f;
            }
        }
    }
}
