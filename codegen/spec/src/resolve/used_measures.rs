//! Measures used in formulas, before they are resolved.

use crate::spec::Name;
use dqdt_diagnostics::base::Span;
use dqdt_mechanics::mechanism::{MeasureKind, SpeedId};

/// A frame as a formula names it: a body (`None`: the ground) and one of its points.
#[derive(Clone, PartialEq)]
pub(super) struct NamedFrame {
    pub body: Option<usize>,
    pub point: Option<Name>,
}

/// A measure used in some formula, such as `position_x(p)`, listed once for all its uses.
#[derive(Clone)]
pub(super) struct UsedMeasure {
    /// Text and place of the first use of the measure.
    pub text: String,
    pub span: Option<Span>,
    pub kind: MeasureKind,
    pub subject: UsedSubject,
}

/// The frames or the speed that a measure refers to, while the points of bodies are not resolved.
#[derive(Clone)]
pub(super) enum UsedSubject {
    Frames { observed: NamedFrame, observer: NamedFrame },
    Speed(SpeedId),
}

impl NamedFrame {
    /// Key that is equal for equal frames; their places in the source do not count.
    fn comparison_key(&self) -> (Option<usize>, Option<&str>) {
        (self.body, self.point.as_ref().map(|p| p.value.as_str()))
    }
}

impl UsedSubject {
    /// True for the same frames or the same speed; places in the source do not count.
    pub(super) fn is_same_as(&self, other: &UsedSubject) -> bool {
        match (self, other) {
            (UsedSubject::Speed(a), UsedSubject::Speed(b)) => a == b,
            (
                UsedSubject::Frames { observed: a, observer: b },
                UsedSubject::Frames { observed: c, observer: d },
            ) => a.comparison_key() == c.comparison_key() && b.comparison_key() == d.comparison_key(),
            _ => false,
        }
    }
}
