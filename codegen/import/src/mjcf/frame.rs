//! Positions and orientations in MJCF.
//!
//! Problem: an orientation is given by a quaternion, an axis and an angle, three angles, two axes,
//!          or an axis z.
//! Method:  each becomes a matrix, but angles about axes of the frame remain angles. Within the
//!          tolerance, right angles are made exact.

use super::element_defaults::{ElementWithDefaults, Notes};
use super::settings::CompilerSettings;
use crate::robot::decimal::Decimal;
use crate::robot::turn::{Matrix3, Pose, RotationAngle, Turn, UNIT, matrix_product, snap_position};
use dqdt_diagnostics::base::Span;

/// Attributes that specify an orientation in MJCF; an element may have only one of them.
const ORIENTATIONS: [&str; 5] = ["quat", "axisangle", "xyaxes", "zaxis", "euler"];
const SEQUENCES: [&str; 12] =
    ["xyz", "xzy", "yxz", "yzx", "zxy", "zyx", "xyx", "xzx", "yxy", "yzy", "zxz", "zyz"];

/// Conversion of angles of an MJCF: their unit, the Euler sequence, and the tolerance within which
/// right angles are made exact.
pub(super) struct Angles<'s> {
    pub settings: &'s CompilerSettings,
    pub snap: f64,
}

/// The attribute of an element that defines an orientation; several of them are reported.
fn find_orientation_attribute(
    attributes: &ElementWithDefaults<'_>,
    notes: &mut Notes,
) -> Option<&'static str> {
    let kinds: Vec<&'static str> =
        ORIENTATIONS.into_iter().filter(|n| attributes.find_attribute(n).is_some()).collect();
    if let Some(second) = kinds.get(1) {
        let own_count = ORIENTATIONS.iter().filter(|n| attributes.element.attribute(n).is_some()).count();
        let which = if own_count > 1 { "" } else { " (in the element and in its class)" };
        let message = format!(
            "<{}> specifies several orientations{which}: {}",
            attributes.element.tag,
            kinds.join(", ")
        );
        notes.add_problem(
            "mjcf-orientation",
            message,
            (attributes.attribute_span(second), "here"),
            "keep only one of the orientations",
        );
        return None;
    }
    kinds.first().copied()
}

impl Angles<'_> {
    /// An angle in the unit of the MJCF file, as a number in the notation of specs; its value is in
    /// radians.
    pub fn angle_in_radians(&self, number: &Decimal) -> Decimal {
        if !self.settings.degrees || number.is_zero() {
            return number.clone();
        }
        Decimal { text: format!("\"{} deg\"", number.text), value: number.value.to_radians() }
    }

    /// Pose of a frame in its parent frame, from `pos` and the attributes of orientation. `label`
    /// names the frame in messages.
    pub fn read_pose(&self, attributes: &ElementWithDefaults<'_>, label: &str, notes: &mut Notes) -> Pose {
        let at = attributes.read_triple_or(notes, "pos", [0.0; 3]);
        let at =
            snap_position(&at, self.snap, label, Some(attributes.attribute_span("pos")), &mut notes.report);
        Pose { at, turn: self.read_rotation(attributes, label, notes) }
    }

    /// Orientation of a frame in its parent frame, from one of the attributes [`ORIENTATIONS`].
    pub fn read_rotation(
        &self,
        attributes: &ElementWithDefaults<'_>,
        label: &str,
        notes: &mut Notes,
    ) -> Turn {
        let Some(kind) = find_orientation_attribute(attributes, notes) else { return Turn::NONE };
        let count = match kind {
            "quat" | "axisangle" => 4,
            "xyaxes" => 6,
            _ => 3,
        };
        let span = attributes.attribute_span(kind);
        let Some(numbers) = attributes.read_numbers(notes, kind, count) else { return Turn::NONE };
        let x: Vec<f64> = numbers.iter().map(|n| n.value).collect();
        let matrix = match (kind, &x[..]) {
            ("euler", _) => return self.rotation_from_euler_angles(&numbers, label, span, notes),
            ("axisangle", [a, b, c, _]) => match find_coordinate_axis([*a, *b, *c]) {
                Some((axis, sign)) => {
                    let angle = if sign < 0.0 { negate_decimal(&numbers[3]) } else { numbers[3].clone() };
                    return Turn::about_axis(axis, self.snap_angle(&angle, label, span, notes));
                }
                None => matrix_about_axis([*a, *b, *c], self.angle_in_radians(&numbers[3]).value),
            },
            ("quat", [w, a, b, c]) => matrix_from_quaternion([*w, *a, *b, *c]),
            ("xyaxes", [a, b, c, d, e, f]) => matrix_from_axes([*a, *b, *c], [*d, *e, *f]),
            ("zaxis", [a, b, c]) => matrix_from_z_axis([*a, *b, *c]),
            _ => None,
        };
        let Some(matrix) = matrix else {
            let place = (span, "the directions are zero or parallel");
            notes.add_problem(
                "bad-axis",
                format!("`{kind}` does not define an orientation"),
                place,
                "specify nonzero directions that are not parallel to each other",
            );
            return Turn::NONE;
        };
        let (turn, changed) = Turn::from_matrix(matrix, self.snap);
        if let Some(off) = changed {
            let by = Decimal::from_f64((off * 1e6).ceil() / 1e6).text;
            notes.report.record_snapping(
                format!(
                    "{label}: `{kind}` is rounded to right angles (entries of the matrix change by up to {by})"
                ),
                Some(span),
                off,
            );
        }
        turn
    }

    /// An Euler angle, made exact if it is close to a right angle, which is reported.
    fn snap_angle(&self, number: &Decimal, label: &str, span: Span, notes: &mut Notes) -> RotationAngle {
        let (angle, snapped) = RotationAngle::new(&self.angle_in_radians(number), self.snap);
        if let Some(by) = snapped {
            let text = format!("{label}: the angle {} is rounded to {}", number.text, angle.display_text());
            notes.report.record_snapping(text, Some(span), by);
        }
        angle
    }

    /// Rotation by Euler angles in the sequence `eulerseq`: lower-case letters are rotations about
    /// body axes (intrinsic), capitals about fixed axes (extrinsic).
    fn rotation_from_euler_angles(
        &self,
        numbers: &[Decimal],
        label: &str,
        span: Span,
        notes: &mut Notes,
    ) -> Turn {
        let word = self.settings.sequence.as_str();
        let [a, b, c] = [0, 1, 2].map(|i| match numbers.get(i) {
            Some(x) => self.snap_angle(x, label, span, notes),
            None => RotationAngle::zero(),
        });
        let small = word.to_ascii_lowercase();
        if SEQUENCES.contains(&word) {
            return Turn::from_sequence(word, [a, b, c]);
        }
        let backwards: String = small.chars().rev().collect();
        if word.bytes().all(|b| b.is_ascii_uppercase()) && SEQUENCES.contains(&backwards.as_str()) {
            return Turn::from_sequence(&backwards, [c, b, a]);
        }
        let mut matrix = UNIT;
        for (letter, angle) in word.bytes().zip([a, b, c]) {
            let axis = usize::from(letter.to_ascii_lowercase().wrapping_sub(b'x')).min(2);
            let one = Turn::about_axis(axis, angle).matrix;
            matrix = if letter.is_ascii_lowercase() {
                matrix_product(&matrix, &one)
            } else {
                matrix_product(&one, &matrix)
            };
        }
        Turn::from_matrix(matrix, 0.0).0
    }
}

/// The negated number, with its text in the notation of specs.
pub(super) fn negate_decimal(x: &Decimal) -> Decimal {
    if x.is_zero() {
        return x.clone();
    }
    let quoted = x.text.starts_with('"');
    let bare = x.text.trim_matches('"');
    let text = bare.strip_prefix('-').map_or_else(|| format!("-{bare}"), str::to_owned);
    Decimal { text: if quoted { format!("\"{text}\"") } else { text }, value: -x.value }
}

/// The coordinate axis (0, 1, 2 for x, y, z) parallel to a direction, and its sign; `None` for any
/// other direction.
pub(super) fn find_coordinate_axis(axis: [f64; 3]) -> Option<(usize, f64)> {
    let at = (0..3).find(|i| axis[*i] != 0.0)?;
    let others = (0..3).filter(|i| *i != at).all(|i| axis[i] == 0.0);
    others.then(|| (at, axis[at].signum()))
}

/// The vector scaled to length one; `None` if it is zero or not finite.
pub(super) fn unit_vector(v: [f64; 3]) -> Option<[f64; 3]> {
    // Scaled first, so that the squares neither overflow nor underflow.
    let size = v.iter().fold(0.0f64, |m, x| m.max(x.abs()));
    if size == 0.0 || !size.is_finite() {
        return None;
    }
    let v = v.map(|x| x / size);
    let norm = v.iter().map(|x| x * x).sum::<f64>().sqrt();
    Some(v.map(|x| x / norm))
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// Rotation matrix for an angle about an axis of any length.
pub(super) fn matrix_about_axis(axis: [f64; 3], angle: f64) -> Option<Matrix3> {
    let a = unit_vector(axis)?;
    let (s, c) = angle.sin_cos();
    let tilde = [[0.0, -a[2], a[1]], [a[2], 0.0, -a[0]], [-a[1], a[0], 0.0]];
    Some([0, 1, 2].map(|i| {
        [0, 1, 2].map(|j| {
            let one = if i == j { c } else { 0.0 };
            one + (1.0 - c) * a[i] * a[j] + s * tilde[i][j]
        })
    }))
}

/// Rotation matrix of a quaternion, scalar first, of any length.
pub(crate) fn matrix_from_quaternion(q: [f64; 4]) -> Option<Matrix3> {
    let size = q.iter().fold(0.0f64, |m, x| m.max(x.abs()));
    if size == 0.0 || !size.is_finite() {
        return None;
    }
    let q = q.map(|x| x / size);
    let n = 2.0 / q.iter().map(|x| x * x).sum::<f64>();
    let [w, x, y, z] = q;
    Some([
        [1.0 - n * (y * y + z * z), n * (x * y - w * z), n * (x * z + w * y)],
        [n * (x * y + w * z), 1.0 - n * (x * x + z * z), n * (y * z - w * x)],
        [n * (x * z - w * y), n * (y * z + w * x), 1.0 - n * (x * x + y * y)],
    ])
}

/// Unit quaternion of a matrix, scalar first and non-negative.
pub(super) fn quaternion_from_matrix(r: &Matrix3) -> [f64; 4] {
    let [[a, ..], [_, b, _], [.., c]] = *r;
    // Based on the largest component, which avoids a division by a difference of nearly equal
    // numbers.
    let squares = [1.0 + a + b + c, 1.0 + a - b - c, 1.0 - a + b - c, 1.0 - a - b + c];
    let largest = (0..4).max_by(|i, j| squares[*i].total_cmp(&squares[*j])).unwrap_or(0);
    let s = 2.0 * squares[largest].sqrt();
    let (x, y, z) = (r[2][1] - r[1][2], r[0][2] - r[2][0], r[1][0] - r[0][1]);
    let (xy, xz, yz) = (r[0][1] + r[1][0], r[0][2] + r[2][0], r[1][2] + r[2][1]);
    let q = match largest {
        0 => [s / 4.0, x / s, y / s, z / s],
        1 => [x / s, s / 4.0, xy / s, xz / s],
        2 => [y / s, xy / s, s / 4.0, yz / s],
        _ => [z / s, xz / s, yz / s, s / 4.0],
    };
    if q[0] < 0.0 { q.map(|x| -x) } else { q }
}

/// Rotation matrix from an axis x and an axis y, which is made orthogonal to x.
fn matrix_from_axes(x: [f64; 3], y: [f64; 3]) -> Option<Matrix3> {
    let x = unit_vector(x)?;
    let along = dot(x, y);
    let y = unit_vector([0, 1, 2].map(|i| y[i] - along * x[i]))?;
    let z = cross(x, y);
    Some([0, 1, 2].map(|i| [x[i], y[i], z[i]]))
}

/// Rotation matrix by the smallest angle that aligns the axis z with a direction.
pub(super) fn matrix_from_z_axis(z: [f64; 3]) -> Option<Matrix3> {
    let z = unit_vector(z)?;
    let axis = [-z[1], z[0], 0.0];
    let sine = axis.iter().map(|x| x * x).sum::<f64>().sqrt();
    if sine < 1e-10 {
        // For the opposite direction, half a turn about x.
        return if z[2] > 0.0 {
            Some(UNIT)
        } else {
            Some([[1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, -1.0]])
        };
    }
    matrix_about_axis(axis, sine.atan2(z[2]))
}

#[cfg(test)]
mod tests {
    use super::{matrix_from_quaternion, quaternion_from_matrix};

    #[test]
    fn quaternions_of_matrices_are_those_that_made_them() {
        for q in [[1.0, 2.0, -3.0, 0.5], [0.1, 3.0, -0.2, 0.3], [0.1, 0.2, 3.0, -0.3], [0.0, 0.2, -0.2, -3.0]]
        {
            let norm = q.iter().map(|x: &f64| x * x).sum::<f64>().sqrt();
            let sign = if q[0] < 0.0 { -1.0 } else { 1.0 };
            let p = quaternion_from_matrix(&matrix_from_quaternion(q).unwrap());
            let off = |s: f64| (0..4).map(|i| (p[i] - s * q[i] / norm).abs()).fold(0.0, f64::max);
            assert!(off(sign).min(off(-sign)) < 1e-15, "{q:?} {p:?}");
        }
    }
}
