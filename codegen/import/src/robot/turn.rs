//! Rotations and poses. A single rotation keeps the notation of the file, products of several
//! become matrices; rounded right angles are made exact.

use std::f64::consts::FRAC_PI_2;

use super::decimal::{Decimal, Triple};
use super::report::Report;
use dqdt_diagnostics::base::Span;

/// An angle of a rotation in a robot file: its text in the notation of specs, sine and cosine.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct RotationAngle {
    /// Text of the angle in the notation of specs: a decimal number, or degrees in quotes.
    text: String,
    sine: f64,
    cosine: f64,
}

impl RotationAngle {
    /// The angle zero.
    pub fn zero() -> Self {
        RotationAngle { text: "0".to_owned(), sine: 0.0, cosine: 1.0 }
    }

    /// The angle of a rotation \[rad\], snapped to the nearest multiple of a right angle within the
    /// tolerance `snap`; and the change, if there is any.
    pub fn new(number: &Decimal, snap: f64) -> (Self, Option<f64>) {
        let quarters = (number.value / FRAC_PI_2).round();
        let off = (number.value - quarters * FRAC_PI_2).abs();
        if number.is_zero() || (off <= snap && quarters.abs() < 1e6) {
            // A right angle as exact as a double permits counts as no change.
            let changed = off > 4.0 * f64::EPSILON * number.value.abs();
            return (RotationAngle::from_quarter_turns(quarters), changed.then_some(off));
        }
        let (sine, cosine) = number.value.sin_cos();
        (RotationAngle { text: number.text.clone(), sine, cosine }, None)
    }

    /// An angle of the given number of quarter turns.
    fn from_quarter_turns(quarters: f64) -> Self {
        let (sine, cosine) =
            [(0.0, 1.0), (1.0, 0.0), (0.0, -1.0), (-1.0, 0.0)][quarters.rem_euclid(4.0) as usize];
        let degrees = 90.0 * quarters;
        let text = if degrees == 0.0 { "0".to_owned() } else { format!("\"{degrees} deg\"") };
        RotationAngle { text, sine, cosine }
    }

    /// Text of the angle without quotes, for messages about snapping.
    pub fn display_text(&self) -> &str {
        self.text.trim_matches('"')
    }

    /// Rotation matrix by this angle about a coordinate axis: 0, 1, 2 for x, y, z.
    fn matrix_about_axis(&self, axis: usize) -> Matrix3 {
        let (j, k) = ((axis + 1) % 3, (axis + 2) % 3);
        let mut r = UNIT;
        r[j][j] = self.cosine;
        r[k][k] = self.cosine;
        r[j][k] = -self.sine;
        r[k][j] = self.sine;
        r
    }
}

pub(crate) type Matrix3 = [[f64; 3]; 3];

/// A rotation of a robot file: maps components in the rotated axes to components in the original
/// axes.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Turn {
    pub matrix: Matrix3,
    /// Sequence and angles with which the spec writes the rotation, if there are any; otherwise it
    /// writes the matrix.
    notation: Option<(String, [RotationAngle; 3])>,
}

pub(crate) const UNIT: Matrix3 = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

/// Matrix product `A B`.
pub(crate) fn matrix_product(a: &Matrix3, b: &Matrix3) -> Matrix3 {
    a.map(|row| [0, 1, 2].map(|j| row[0] * b[0][j] + row[1] * b[1][j] + row[2] * b[2][j]))
}

impl Turn {
    pub const NONE: Turn = Turn { matrix: UNIT, notation: None };

    /// Rotation by an intrinsic sequence, in the order of the word: `zyx` is `Rz Ry Rx`.
    pub fn from_sequence(word: &str, angles: [RotationAngle; 3]) -> Turn {
        let mut matrix = UNIT;
        for (letter, angle) in word.bytes().zip(&angles) {
            matrix = matrix_product(
                &matrix,
                &angle.matrix_about_axis(usize::from(letter.wrapping_sub(b'x')).min(2)),
            );
        }
        if matrix == UNIT { Turn::NONE } else { Turn { matrix, notation: Some((word.to_owned(), angles)) } }
    }

    /// Rotation about one coordinate axis: 0, 1, 2 for x, y, z; it is written as an angle.
    pub fn about_axis(axis: usize, angle: RotationAngle) -> Turn {
        let word = ["xyz", "yzx", "zxy"][axis.min(2)];
        Turn::from_sequence(word, [angle, RotationAngle::zero(), RotationAngle::zero()])
    }

    /// The rotation with a given matrix, snapped to right angles within the tolerance; and the
    /// change, if there is any. Rotations about one coordinate axis are written as an angle.
    pub fn from_matrix(matrix: Matrix3, snap: f64) -> (Turn, Option<f64>) {
        const ROUNDING: f64 = 8.0 * f64::EPSILON;
        let near = matrix.map(|row| row.map(f64::round));
        let mut off = 0.0f64;
        for (row, whole) in matrix.iter().zip(&near) {
            for (x, n) in row.iter().zip(whole) {
                off = off.max((x - n).abs());
            }
        }
        if off <= snap.max(ROUNDING) {
            const QUARTER_TURNS: [f64; 4] = [0.0, 1.0, 2.0, -1.0];
            for x in QUARTER_TURNS {
                for y in QUARTER_TURNS {
                    for z in QUARTER_TURNS {
                        let turn =
                            Turn::from_sequence("zyx", [z, y, x].map(RotationAngle::from_quarter_turns));
                        if turn.matrix == near {
                            return (turn, (off > ROUNDING).then_some(off));
                        }
                    }
                }
            }
        }
        for axis in 0..3 {
            let (j, k) = ((axis + 1) % 3, (axis + 2) % 3);
            // A negative entry means half a turn about a perpendicular axis, whose other entries
            // are zero too.
            if matrix[axis][axis] > 0.0
                && [(axis, j), (axis, k), (j, axis), (k, axis)]
                    .iter()
                    .all(|(a, b)| matrix[*a][*b].abs() <= ROUNDING)
            {
                let angle = Decimal::from_f64(matrix[k][j].atan2(matrix[j][j]));
                return (Turn::about_axis(axis, RotationAngle::new(&angle, 0.0).0), None);
            }
        }
        (Turn { matrix: matrix.map(|row| row.map(|x| round_off_to_zero(x, 1.0))), notation: None }, None)
    }

    /// The inverse rotation.
    pub fn inverse(&self) -> Turn {
        Turn { matrix: [0, 1, 2].map(|i| [0, 1, 2].map(|j| self.matrix[j][i])), notation: None }
    }

    /// True for the identity.
    pub fn is_identity(&self) -> bool {
        self.matrix == UNIT
    }

    /// Components of a vector in the original axes, from those in the rotated axes.
    pub fn rotate_vector(&self, x: [f64; 3]) -> [f64; 3] {
        self.matrix.map(|row| row[0] * x[0] + row[1] * x[1] + row[2] * x[2])
    }

    /// The product of two rotations: `other` is the inner one.
    pub fn compose(&self, other: &Turn) -> Turn {
        if self.is_identity() {
            return other.clone();
        }
        if other.is_identity() {
            return self.clone();
        }
        let matrix = matrix_product(&self.matrix, &other.matrix);
        Turn { matrix: matrix.map(|row| row.map(|x| round_off_to_zero(x, 1.0))), notation: None }
    }

    /// The tensor `R J Rᵀ` in the original axes, from `J` in the rotated axes.
    pub fn rotate_tensor(&self, tensor: [[f64; 3]; 3]) -> [[f64; 3]; 3] {
        if self.is_identity() {
            return tensor;
        }
        let columns = [0, 1, 2].map(|j| self.rotate_vector([0, 1, 2].map(|i| tensor[i][j])));
        // Applies R to the rows of R J.
        [0, 1, 2].map(|i| self.rotate_vector([0, 1, 2].map(|j| columns[j][i])))
    }

    /// Value of the key `rotation` in a spec: angles if the file has a single rotation, else a
    /// matrix; `None` for the identity.
    pub fn rotation_text(&self) -> Option<String> {
        if self.is_identity() {
            return None;
        }
        Some(match &self.notation {
            Some((word, [a, b, c])) => {
                format!("{{ sequence = \"{word}\", angles = [{}, {}, {}] }}", a.text, b.text, c.text)
            }
            None => {
                let rows = self.matrix.map(|row| format_triple(&row.map(Decimal::from_f64)));
                format!("{{ matrix = [{}] }}", rows.join(", "))
            }
        })
    }
}

/// Pose of a frame in another frame: position and rotation; a node of the chain from a body to its
/// parent.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Pose {
    pub at: Triple,
    pub turn: Turn,
}

impl Pose {
    pub fn identity() -> Pose {
        Pose { at: [0.0; 3].map(Decimal::from_f64), turn: Turn::NONE }
    }

    pub fn position_values(&self) -> [f64; 3] {
        [0, 1, 2].map(|i| self.at[i].value)
    }

    /// The product of two poses: `other` is the pose in the inner frame.
    pub fn compose(&self, other: &Pose) -> Pose {
        if *self == Pose::identity() {
            return other.clone();
        }
        if other.at.iter().all(Decimal::is_zero) {
            return Pose { at: self.at.clone(), turn: self.turn.compose(&other.turn) };
        }
        let moved = self.turn.rotate_vector(other.position_values());
        let at = [0, 1, 2].map(|i| {
            let size = self.at[i].value.abs().max(moved[i].abs());
            Decimal::from_f64(round_off_to_zero(
                self.at[i].value + moved[i],
                size.max(max_abs(other.position_values())),
            ))
        });
        Pose { at, turn: self.turn.compose(&other.turn) }
    }

    /// Keys of a point or frame in the spec, `at = …` and `rotation = …`; identities are omitted,
    /// except the position if `position_too`.
    pub fn pose_keys(&self, position_too: bool) -> Vec<String> {
        let mut keys = Vec::new();
        if position_too || self.at.iter().any(|x| !x.is_zero()) {
            keys.push(format!("at = {}", format_triple(&self.at)));
        }
        keys.extend(self.turn.rotation_text().map(|t| format!("rotation = {t}")));
        keys
    }
}

/// Rounds a number to zero if it is only a rounding error of numbers of magnitude `size`.
pub(crate) fn round_off_to_zero(x: f64, size: f64) -> f64 {
    if x.abs() <= 8.0 * f64::EPSILON * size { 0.0 } else { x }
}

pub(crate) fn max_abs(x: [f64; 3]) -> f64 {
    x.iter().fold(0.0, |m, x| m.max(x.abs()))
}

/// Lengths below this are rounding errors of the program that wrote the robot file \[m\].
const NOTHING: f64 = 1e-12;

/// Position of a frame, with components below [`NOTHING`] set to zero, which is reported.
pub(crate) fn snap_position(
    xyz: &Triple,
    snap: f64,
    label: &str,
    span: Option<Span>,
    report: &mut Report,
) -> Triple {
    let mut at = xyz.clone();
    for (x, axis) in at.iter_mut().zip(["x", "y", "z"]) {
        if snap > 0.0 && !x.is_zero() && x.value.abs() <= NOTHING {
            report.record_snapping(
                format!("{label}: {axis} = {} is rounded to 0", x.text),
                span,
                x.value.abs(),
            );
            *x = Decimal::from_f64(0.0);
        }
    }
    at
}

pub(crate) fn format_triple(x: &Triple) -> String {
    format!("[{}, {}, {}]", x[0].text, x[1].text, x[2].text)
}

/// An axis in the notation of specs: a letter if it is a coordinate axis within the tolerance
/// `snap`, and true if that changed it.
pub(crate) fn format_axis(axis: &Triple, snap: f64) -> (String, bool) {
    let value = [0, 1, 2].map(|i| axis[i].value);
    let length = max_abs(value);
    for (i, letter) in ["x", "y", "z"].into_iter().enumerate() {
        let others = (0..3).filter(|k| *k != i);
        let off = others.map(|k| value[k].abs() / length).fold(0.0, f64::max);
        if value[i].abs() == length && (off == 0.0 || off <= snap) {
            let sign = if value[i] < 0.0 { "-" } else { "" };
            return (format!("\"{sign}{letter}\""), off > 0.0);
        }
    }
    (format_triple(axis), false)
}

#[cfg(test)]
mod tests {
    use super::Turn;
    use crate::mjcf::matrix_from_quaternion;

    /// Includes half turns about axes in the coordinate planes.
    #[test]
    fn a_turn_of_a_matrix_has_that_matrix() {
        const COMPONENTS: [f64; 5] = [-1.0, -0.5, 0.0, 0.5, 0.8660254037844386];
        let mut count = 0;
        for w in COMPONENTS {
            for x in COMPONENTS {
                for y in COMPONENTS {
                    for z in COMPONENTS {
                        let Some(matrix) = matrix_from_quaternion([w, x, y, z]) else { continue };
                        let (turn, _) = Turn::from_matrix(matrix, 0.0);
                        let off = (0..9).map(|i| (turn.matrix[i / 3][i % 3] - matrix[i / 3][i % 3]).abs());
                        let off = off.fold(0.0, f64::max);
                        assert!(off < 1e-14, "{w} {x} {y} {z}: {off}");
                        count += 1;
                    }
                }
            }
        }
        assert_eq!(count, 624);
    }
}
