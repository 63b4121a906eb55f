//! Checks of masses and inertia tensors at the default parameters: no negative mass, a physically
//! possible tensor.

use super::checks::TOLERANCE;
use super::turns::{Turns, find_body_rotations};
use super::{Build, numeric};
use dqdt_algebra::Mat3;
use dqdt_diagnostics::error::Diagnostic;
use dqdt_mechanics::mechanism::{Body, BodyId, Mechanism};

impl Build<'_> {
    /// Reports negative masses and inertia tensors that no rigid body has.
    pub(super) fn check_masses(&mut self, m: &Mechanism, order: &[usize], p: &[f64]) {
        for (i, (body, at)) in BodyId::enumerate(m.bodies.iter().zip(order)) {
            let spec = &self.spec.bodies[*at];
            let mass = numeric::evaluate_formula(&body.mass, p);
            let span = spec.mass.as_ref().and_then(|v| v.span).or(spec.name.span);
            if mass < 0.0 || mass.is_nan() {
                self.report(
                    Diagnostic::error(
                        "negative-mass",
                        format!("the mass of body `{}` is {mass} kg, but must not be negative", body.name),
                    )
                    .at(span, "negative mass")
                    .help("check the sign; the value is computed with the default parameters"),
                );
                continue;
            }
            if has_only_moment_about_axis(m, i, p) {
                continue;
            }
            let values = principal_moments(central_inertia(body, mass, p));
            let scale = values.iter().fold(0.0f64, |a, b| a.max(b.abs()));
            let [a, b, c] = values;
            let span = spec.inertia.as_ref().map(|i| i.span).or(spec.name.span);
            if a < -TOLERANCE * scale {
                self.report(
                    Diagnostic::warning(
                        "inertia-not-positive",
                        format!("the inertia of body `{}` has a negative principal value", body.name),
                    )
                    .at(
                        span,
                        format!(
                            "principal values about the centre of mass: {}, {}, {}",
                            six_digits(a),
                            six_digits(b),
                            six_digits(c)
                        ),
                    )
                    .help(
                        "check the products of inertia, their signs, and the reference point of the tensor",
                    ),
                );
            } else if a + b < c * (1.0 - TOLERANCE) {
                self.report(
                    Diagnostic::warning(
                        "triangle-inequality",
                        format!("the inertia of body `{}` is physically impossible for a rigid body", body.name),
                    )
                    .at(span, format!("the sum of two principal values, {} + {}, is less than the third, {}", six_digits(a), six_digits(b), six_digits(c)))
                    .help("make each principal value no greater than the sum of the other two, or set `about` if the tensor does not refer to the centre of mass"),
                );
            }
        }
    }
}

/// True if the tensor in the spec has only the moment about the one axis that the body can turn
/// about, as in specs of planar mechanisms. No other component affects the motion.
fn has_only_moment_about_axis(m: &Mechanism, i: BodyId, p: &[f64]) -> bool {
    let body = &m.bodies[i];
    let Turns::About(e) = find_body_rotations(m, i, p) else { return false };
    let tensor = written_inertia(body, p);
    let moment = |j: [[f64; 3]; 3]| e.dot(Mat3(j).apply(e));
    let about = moment(tensor);
    let mass = numeric::evaluate_formula(&body.mass, p);
    let has_rest = (0..9).any(|k| {
        let (r, c) = (k / 3, k % 3);
        (tensor[r][c] - about * e[r] * e[c]).abs() > TOLERANCE * about.abs()
    });
    !has_rest && moment(central_inertia(body, mass, p)) >= -TOLERANCE * about.abs()
}

/// A number rounded to six significant digits, for messages.
fn six_digits(x: f64) -> f64 {
    format!("{x:.5e}").parse().unwrap_or(x)
}

/// The inertia tensor as the spec has it, about the reference point of the spec.
fn written_inertia(body: &Body, p: &[f64]) -> [[f64; 3]; 3] {
    let [xx, yy, zz, xy, xz, yz] = [0, 1, 2, 3, 4, 5].map(|i| numeric::evaluate_formula(&body.inertia[i], p));
    [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]
}

/// The inertia tensor of a body about its centre of mass, at the parameters `p`.
pub(super) fn central_inertia(body: &Body, mass: f64, p: &[f64]) -> [[f64; 3]; 3] {
    let mut j = written_inertia(body, p);
    if let Some(about) = &body.inertia_about {
        let (a, c) = (numeric::evaluate_vector(about, p), numeric::evaluate_vector(&body.center_of_mass, p));
        let r = [0, 1, 2].map(|i| c[i] - a[i]);
        let square: f64 = r.iter().map(|x| x * x).sum();
        for i in 0..3 {
            for k in 0..3 {
                let unit = if i == k { square } else { 0.0 };
                j[i][k] -= mass * (unit - r[i] * r[k]);
            }
        }
    }
    j
}

/// Principal moments of an inertia tensor, ascending (Jacobi rotations).
fn principal_moments(mut a: [[f64; 3]; 3]) -> [f64; 3] {
    for _ in 0..32 {
        for (p, q) in [(0, 1), (0, 2), (1, 2)] {
            if a[p][q] == 0.0 || !a[p][q].is_finite() {
                continue;
            }
            let theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
            let t = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
            let c = 1.0 / (t * t + 1.0).sqrt();
            let s = t * c;
            for row in &mut a {
                let (x, y) = (row[p], row[q]);
                (row[p], row[q]) = (c * x - s * y, s * x + c * y);
            }
            let (x, y) = (a[p], a[q]);
            for k in 0..3 {
                (a[p][k], a[q][k]) = (c * x[k] - s * y[k], s * x[k] + c * y[k]);
            }
        }
    }
    let mut values = [a[0][0], a[1][1], a[2][2]];
    values.sort_by(f64::total_cmp);
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn principal_values_of_a_turned_tensor() {
        let [a, b, c] = principal_moments([[2.0, 1.0, 0.0], [1.0, 2.0, 0.0], [0.0, 0.0, 5.0]]);
        assert!((a - 1.0).abs() < 1e-12 && (b - 3.0).abs() < 1e-12 && (c - 5.0).abs() < 1e-12);
    }
}
