//! Measures that formulas ask for.

use crate::spec::Name;
use dqdt_diagnostics::base::Span;
use dqdt_mechanics::mechanism::{MeasureKind, SpeedId};

/// A frame as a formula names it: the body (`None`: the ground) and its point.
#[derive(Clone, PartialEq)]
pub(super) struct Frame {
    pub body: Option<usize>,
    pub point: Option<Name>,
}

/// A measure that some formula asks for.
#[derive(Clone)]
pub(super) struct Asked {
    /// As the first formula wrote it, and where.
    pub written: String,
    pub span: Option<Span>,
    pub kind: MeasureKind,
    pub subject: AskedSubject,
}

/// The arguments of a measure, before the points of bodies are known.
#[derive(Clone)]
pub(super) enum AskedSubject {
    Frames { seen: Frame, from: Frame },
    Speed(SpeedId),
}

impl Frame {
    /// A key that is equal for equal frames, wherever they are named.
    fn key(&self) -> (Option<usize>, Option<&str>) {
        (self.body, self.point.as_ref().map(|p| p.value.as_str()))
    }
}

impl AskedSubject {
    /// True for the same frames or the same speed, wherever they are named.
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
