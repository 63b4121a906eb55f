//! Measures used in formulas, before they are resolved.

use crate::spec::Name;
use dqdt_diagnostics::base::Span;
use dqdt_mechanics::mechanism::{MeasureKind, SpeedId};

/// A frame in a formula: a body (`None`: the ground) and one of its points.
#[derive(Clone, PartialEq)]
pub(super) struct Frame {
    pub body: Option<usize>,
    pub point: Option<Name>,
}

/// A measure used in some formula, listed once for all its uses.
#[derive(Clone)]
pub(super) struct Asked {
    /// Text and place of its first use.
    pub written: String,
    pub span: Option<Span>,
    pub kind: MeasureKind,
    pub subject: AskedSubject,
}

/// The measured frames or speed, while the points of bodies are unknown.
#[derive(Clone)]
pub(super) enum AskedSubject {
    Frames { seen: Frame, from: Frame },
    Speed(SpeedId),
}

impl Frame {
    /// Key that is equal for equal frames; spans do not count.
    fn key(&self) -> (Option<usize>, Option<&str>) {
        (self.body, self.point.as_ref().map(|p| p.value.as_str()))
    }
}

impl AskedSubject {
    /// True for the same frames or the same speed; spans do not count.
    pub(super) fn is(&self, other: &AskedSubject) -> bool {
        match (self, other) {
            (AskedSubject::Speed(a), AskedSubject::Speed(b)) => a == b,
            (AskedSubject::Frames { seen: a, from: b }, AskedSubject::Frames { seen: c, from: d }) => {
                a.key() == c.key() && b.key() == d.key()
            }
            _ => false,
        }
    }
}
