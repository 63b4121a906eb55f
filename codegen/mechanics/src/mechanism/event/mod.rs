//! Events: zero crossings at which the motion ends, speeds jump, or user states change.
//!
//! Method:  one file per kind, with everything specific to it (`kind.rs`).
//! Units:   those of the function that crosses zero.
//! To add a kind: a file like `switch.rs`, and its line in the registry below; its keys in
//! `spec/event_keys`.

mod end;
mod gap;
mod impact;
mod joint_stop;
mod kind;
mod switch;

pub use gap::Gap;
pub use kind::{
    Crossing, EventContext, EventForm, EventFunction, EventKeys, EventMechanics, Outcome, Trigger, When,
};

use dqdt_algebra::Scalar;
use kind::event_kinds;

// The registry: one line a kind.
event_kinds! {
    end::End,
    switch::Switch,
    impact::Impact,
    joint_stop::JointStop,
}

/// A named event of a mechanism, at which a motion ends, switches or jumps.
#[derive(Clone, PartialEq, Debug)]
pub struct Event {
    /// Name of the event in the spec.
    pub name: String,
    /// One-line description of the event for readers; may be empty.
    pub description: String,
    /// Kind of the event, such as impact, with its data.
    #[doc(hidden)]
    pub kind: EventKind,
}
