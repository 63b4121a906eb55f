//! Dimension of an expression during dimension checks.

use dqdt_algebra::Dimension;

/// Knowledge about the dimension of a part of a formula, during dimension checks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Dim {
    /// A bare number: in sums it has the dimension of the other terms, in products none.
    Literal,
    /// Depends on a parameter or a table without a unit; dimensions are then not checked.
    Unknown,
    /// A dimension that is known, from units.
    Known(Dimension),
}

impl Dim {
    pub fn from_unit(unit: Option<Dimension>) -> Self {
        unit.map_or(Dim::Unknown, Dim::Known)
    }

    /// Common dimension of two operands that must agree, as in sums, comparisons, `min`; `None` if
    /// they do not.
    pub fn unify(self, o: Self) -> Option<Self> {
        match (self, o) {
            (Dim::Literal, d) | (d, Dim::Literal) => Some(d),
            (Dim::Unknown, d) | (d, Dim::Unknown) => Some(d),
            (Dim::Known(a), Dim::Known(b)) => (a == b).then_some(self),
        }
    }

    /// Dimension of a product.
    pub fn product(self, o: Self) -> Self {
        match (self, o) {
            (Dim::Literal, d) | (d, Dim::Literal) => d,
            (Dim::Unknown, _) | (_, Dim::Unknown) => Dim::Unknown,
            (Dim::Known(a), Dim::Known(b)) => Dim::Known(a.times(b)),
        }
    }

    /// Dimension of the reciprocal.
    pub fn inverse(self) -> Self {
        match self {
            Dim::Known(d) => Dim::Known(d.power(-1)),
            other => other,
        }
    }

    pub fn power(self, n: i32) -> Self {
        match self {
            Dim::Known(d) if d == Dimension::NONE => self,
            Dim::Known(d) => i8::try_from(n).map_or(Dim::Unknown, |n| Dim::Known(d.power(n))),
            other => other,
        }
    }

    /// Dimension of the square root; `None` if an exponent is not a whole number.
    pub fn sqrt(self) -> Option<Self> {
        match self {
            Dim::Known(d) => d.sqrt().map(Dim::Known),
            other => Some(other),
        }
    }

    /// True if the dimension is `wanted`, or not known and therefore not checked.
    pub fn is_compatible_with(self, wanted: Dimension) -> bool {
        match self {
            Dim::Known(d) => d == wanted,
            Dim::Literal | Dim::Unknown => true,
        }
    }
}

/// Description of a dimension for messages of dimension checks.
pub(super) fn describe_dimension(d: Dimension) -> String {
    if d == Dimension::NONE { "a pure number or an angle".to_owned() } else { format!("in {d}") }
}

pub(super) fn describe_dim(d: Dim) -> String {
    match d {
        Dim::Known(d) => describe_dimension(d),
        Dim::Literal => "a bare number".to_owned(),
        Dim::Unknown => "in an unknown unit".to_owned(),
    }
}
