//! Poses: turns as they were written where they stand alone, multiplied where links are joined; rounded right angles exact.

use std::f64::consts::FRAC_PI_2;

use super::report::Report;
use super::robot::{Decimal, Origin, Triple};

/// A turn about a fixed axis.
#[derive(Clone, PartialEq, Debug)]
struct Angle {
    /// As a spec has it: a decimal, or right angles in degrees.
    text: String,
    sine: f64,
    cosine: f64,
}

impl Angle {
    /// The angle, or the right angle next to it within the tolerance.
    fn new(given: &Decimal, snap: f64) -> (Self, bool) {
        let quarters = (given.value / FRAC_PI_2).round();
        let off = (given.value - quarters * FRAC_PI_2).abs();
        if given.is_zero() || (off <= snap && quarters.abs() < 1e6) {
            let (sine, cosine) =
                [(0.0, 1.0), (1.0, 0.0), (0.0, -1.0), (-1.0, 0.0)][quarters.rem_euclid(4.0) as usize];
            let degrees = 90.0 * quarters;
            let text = if degrees == 0.0 { "0".to_owned() } else { format!("\"{degrees} deg\"") };
            // As exact as decimals can be: that is no change.
            return (Angle { text, sine, cosine }, off > 4.0 * f64::EPSILON * given.value.abs());
        }
        let (sine, cosine) = given.value.sin_cos();
        (Angle { text: given.text.clone(), sine, cosine }, false)
    }
}

/// A rotation: components in the turned axes to those in the others.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Turn {
    pub matrix: [[f64; 3]; 3],
    /// `angles` of the sequence zyx, where it is a single turn of the file.
    angles: Option<[Angle; 3]>,
}

const UNIT: [[f64; 3]; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

impl Turn {
    pub const NONE: Turn = Turn { matrix: UNIT, angles: None };

    /// `rpy` of the file: `Rz(yaw) Ry(pitch) Rx(roll)`. What is snapped is reported.
    pub fn of(origin: &Origin, snap: f64, of: &str, report: &mut Report) -> Turn {
        let angles = [0, 1, 2].map(|i| {
            let (angle, snapped) = Angle::new(&origin.rpy[2 - i], snap);
            if snapped {
                let what = ["yaw", "pitch", "roll"][i];
                report.snapped(
                    format!("{of}: {what} {} is {}", origin.rpy[2 - i].text, angle.text.trim_matches('"')),
                    origin.span,
                );
            }
            angle
        });
        let [(sy, cy), (sp, cp), (sr, cr)] = [0, 1, 2].map(|i| (angles[i].sine, angles[i].cosine));
        let matrix = [
            [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
            [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
            [-sp, cp * sr, cp * cr],
        ];
        if matrix == UNIT { Turn::NONE } else { Turn { matrix, angles: Some(angles) } }
    }

    pub fn is_none(&self) -> bool {
        self.matrix == UNIT
    }

    pub fn apply(&self, x: [f64; 3]) -> [f64; 3] {
        self.matrix.map(|row| row[0] * x[0] + row[1] * x[1] + row[2] * x[2])
    }

    pub fn times(&self, other: &Turn) -> Turn {
        if self.is_none() {
            return other.clone();
        }
        if other.is_none() {
            return self.clone();
        }
        let column = |j: usize| [0, 1, 2].map(|i| other.matrix[i][j]);
        let matrix = self.matrix.map(|row| {
            [0, 1, 2].map(|j| {
                let c = column(j);
                row[0] * c[0] + row[1] * c[1] + row[2] * c[2]
            })
        });
        Turn { matrix: matrix.map(|row| row.map(|x| rounded(x, 1.0))), angles: None }
    }

    /// `R J Rᵀ`
    pub fn turned(&self, tensor: [[f64; 3]; 3]) -> [[f64; 3]; 3] {
        if self.is_none() {
            return tensor;
        }
        let columns = [0, 1, 2].map(|j| self.apply([0, 1, 2].map(|i| tensor[i][j])));
        // Rows of R J, turned once more.
        [0, 1, 2].map(|i| self.apply([0, 1, 2].map(|j| columns[j][i])))
    }

    /// The value of `rotation`, if there is one.
    pub fn text(&self) -> Option<String> {
        if self.is_none() {
            return None;
        }
        Some(match &self.angles {
            Some([z, y, x]) => {
                format!("{{ sequence = \"zyx\", angles = [{}, {}, {}] }}", z.text, y.text, x.text)
            }
            None => {
                let row = |r: [f64; 3]| format!("[{}]", r.map(|x| Decimal::of(x).text).join(", "));
                format!("{{ matrix = [{}] }}", self.matrix.map(row).join(", "))
            }
        })
    }
}

/// Where a frame stands in another.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Pose {
    pub at: Triple,
    pub turn: Turn,
}

impl Pose {
    pub fn none() -> Pose {
        Pose { at: [0.0; 3].map(Decimal::of), turn: Turn::NONE }
    }

    pub fn of(origin: &Origin, snap: f64, of: &str, report: &mut Report) -> Pose {
        Pose { at: place(origin, snap, of, report), turn: Turn::of(origin, snap, of, report) }
    }

    pub fn position(&self) -> [f64; 3] {
        [0, 1, 2].map(|i| self.at[i].value)
    }

    pub fn times(&self, other: &Pose) -> Pose {
        if *self == Pose::none() {
            return other.clone();
        }
        if other.at.iter().all(Decimal::is_zero) {
            return Pose { at: self.at.clone(), turn: self.turn.times(&other.turn) };
        }
        let moved = self.turn.apply(other.position());
        let at = [0, 1, 2].map(|i| {
            let size = self.at[i].value.abs().max(moved[i].abs());
            Decimal::of(rounded(self.at[i].value + moved[i], size.max(largest(other.position()))))
        });
        Pose { at, turn: self.turn.times(&other.turn) }
    }

    /// `at = …, rotation = …` as far as they are not zero.
    pub fn keys(&self, position_too: bool) -> Vec<String> {
        let mut keys = Vec::new();
        if position_too || self.at.iter().any(|x| !x.is_zero()) {
            keys.push(format!("at = {}", list(&self.at)));
        }
        keys.extend(self.turn.text().map(|t| format!("rotation = {t}")));
        keys
    }
}

/// What is nothing but rounding of numbers of this size is zero.
pub(super) fn rounded(x: f64, size: f64) -> f64 {
    if x.abs() <= 8.0 * f64::EPSILON * size { 0.0 } else { x }
}

pub(super) fn largest(x: [f64; 3]) -> f64 {
    x.iter().fold(0.0, |m, x| m.max(x.abs()))
}

/// Lengths below this are the rounding of whoever wrote the file \[m\].
const NOTHING: f64 = 1e-12;

/// The position of a frame. What is snapped is reported.
pub(super) fn place(origin: &Origin, snap: f64, of: &str, report: &mut Report) -> Triple {
    let mut at = origin.xyz.clone();
    for (x, axis) in at.iter_mut().zip(["x", "y", "z"]) {
        if snap > 0.0 && !x.is_zero() && x.value.abs() <= NOTHING {
            report.snapped(format!("{of}: {axis} {} is 0", x.text), origin.span);
            *x = Decimal::of(0.0);
        }
    }
    at
}

pub(super) fn list(x: &Triple) -> String {
    format!("[{}, {}, {}]", x[0].text, x[1].text, x[2].text)
}
