//! Events, as written.

use super::load_model::Target;
use super::model::{AxisText, FrameOn, Location, Name, Value};
use dqdt_diagnostics::base::Spanned;

/// `[events]`
#[derive(Clone, PartialEq, Debug)]
#[allow(missing_docs)]
pub struct Event {
    pub name: Name,
    pub description: String,
    pub kind: EventKind,
}

/// What an event is.
#[derive(Clone, PartialEq, Debug)]
#[allow(missing_docs)]
pub enum EventKind {
    End {
        when: Value,
        direction: Option<Spanned<&'static str>>,
    },
    Switch {
        when: Value,
        direction: Option<Spanned<&'static str>>,
        set: Vec<(Name, Value)>,
    },
    Impact {
        body: Name,
        at: Option<Location>,
        plane: Box<FrameOn>,
        normal: AxisText,
        radius: Option<Value>,
        restitution: Value,
    },
    JointStop {
        target: Target,
        side: Option<Spanned<&'static str>>,
        at: Value,
        restitution: Value,
    },
}
