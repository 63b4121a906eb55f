//! Measures used in formulas: positions, rotations and velocities between frames.

use crate::spec::Name;
use dqdt_diagnostics::base::Span;
use dqdt_mechanics::mechanism::MeasureKind;

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
    /// Keys of the observed frame and of the reference frame; equal for equal frames.
    pub frames: [String; 2],
    pub seen: Frame,
    pub from: Frame,
}
