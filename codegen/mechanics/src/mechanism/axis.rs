//! Axis directions as the spec gives them, and the unit vectors along them.

use std::fmt;

use dqdt_algebra::{Number, Scalar, Vec3};

/// A constant direction of an axis, with exact components of the spec. Any non-zero length;
/// normalised where it is used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AxisVector(pub [Number; 3]);

impl AxisVector {
    /// Creates the direction with these integer components.
    pub fn from_integers(components: [i64; 3]) -> Self {
        AxisVector(components.map(Number::integer))
    }

    /// Creates the direction of the coordinate axis `i` (0: x, 1: y, 2: z).
    pub fn coordinate_axis(i: usize) -> Self {
        AxisVector(std::array::from_fn(|k| if k == i { Number::ONE } else { Number::ZERO }))
    }

    /// Components of the direction as doubles, not normalised.
    #[doc(hidden)]
    pub fn to_f64(self) -> Vec3<f64> {
        Vec3(self.0.map(Number::to_f64))
    }

    /// Dot product with another direction; `None` if it has no exact value.
    pub fn dot(self, other: Self) -> Option<Number> {
        (0..3).try_fold(Number::ZERO, |sum, i| sum.checked_add(self.0[i].checked_mul(other.0[i])?))
    }

    /// Cross product with another direction; `None` if it has no exact value.
    pub fn cross(self, other: Self) -> Option<Self> {
        let (a, b) = (self.0, other.0);
        let minor =
            |i: usize, j: usize| a[i].checked_mul(b[j])?.checked_add(a[j].checked_mul(b[i])?.checked_neg()?);
        Some(AxisVector([minor(1, 2)?, minor(2, 0)?, minor(0, 1)?]))
    }

    /// Names of the axes of a right-handed triple whose third axis is along this one: `x`, `y`, `z`
    /// if it is a coordinate axis, else `1`, `2`, `3`. Used in names of multipliers.
    pub fn triple_axis_names(self) -> [&'static str; 3] {
        let nonzero: Vec<usize> = (0..3).filter(|i| !self.0[*i].is_zero()).collect();
        match nonzero[..] {
            [i] => [(i + 1) % 3, (i + 2) % 3, i].map(|i| ["x", "y", "z"][i]),
            _ => ["1", "2", "3"],
        }
    }

    /// Direction of the axis named `1` by [`AxisVector::triple_axis_names`] for an oblique axis:
    /// perpendicular to it and to x, or to it and to z if it has no z component.
    pub fn perpendicular_axis(self) -> Self {
        let [x, y, z] = self.0;
        AxisVector(if z.is_zero() {
            [y, negate_if_exact(x), z]
        } else {
            [Number::ZERO, z, negate_if_exact(y)]
        })
    }
}

/// Opposite `−n` of an exact number, or `n` if `−n` has no exact value.
fn negate_if_exact(n: Number) -> Number {
    n.checked_neg().unwrap_or(n)
}

impl fmt::Display for AxisVector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [x, y, z] = self.0;
        match (0..3).find(|i| *self == AxisVector::coordinate_axis(*i)) {
            Some(i) => f.write_str(["x", "y", "z"][i]),
            None => write!(f, "({x}, {y}, {z})"),
        }
    }
}

/// The unit vector along an axis, over any scalar. Exact for coordinate axes.
pub fn unit_vector_along<S: Scalar>(axis: AxisVector, number: &dyn Fn(Number) -> S) -> Vec3<S> {
    let n = axis.0;
    let nonzero: Vec<usize> = (0..3).filter(|i| !n[*i].is_zero()).collect();
    if let [i] = nonzero[..] {
        let e = Vec3::unit_vector(i);
        return if n[i].to_f64() < 0.0 { -e } else { e };
    }
    let a = Vec3(n.map(|x| if x.is_zero() { S::ZERO } else { number(x) }));
    let length = a.dot(a).sqrt();
    a.map(|x| if x.is_zero() { S::ZERO } else { x / length })
}
