//! Measures that formulas ask for.

use crate::spec::Name;
use dqdt_diagnostics::base::Span;
use dqdt_mechanics::mechanism::MeasureKind;

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
    /// What is seen, and what it is seen from, as texts that are equal for equal frames.
    pub frames: [String; 2],
    pub seen: Frame,
    pub from: Frame,
}
