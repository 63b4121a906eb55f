//! What is said of a code.

/// What there is to say about a code.
#[derive(Debug)]
pub(crate) struct Code {
    /// As in `error[unknown-key]`.
    pub code: &'static str,
    /// When it is said.
    pub cause: &'static str,
    /// What to do.
    pub remedy: &'static str,
    /// What brings it about.
    pub example: Example,
}

/// What brings a message about.
#[derive(Debug)]
pub(crate) enum Example {
    /// These entries in the pendulum of the README, in place of its own or beside them.
    Added(&'static str),
    /// This spec.
    Spec(&'static str),
    /// This robot.
    Robot(&'static str),
    /// Words: it takes a command or a state of the machine.
    Told(&'static str),
}

/// An entry whose example changes the pendulum.
pub(super) const fn added(
    code: &'static str,
    cause: &'static str,
    remedy: &'static str,
    example: &'static str,
) -> Code {
    Code { code, cause, remedy, example: Example::Added(example) }
}

/// An entry whose example is a whole spec.
pub(super) const fn spec(
    code: &'static str,
    cause: &'static str,
    remedy: &'static str,
    example: &'static str,
) -> Code {
    Code { code, cause, remedy, example: Example::Spec(example) }
}

/// An entry whose example is a robot.
pub(super) const fn robot(
    code: &'static str,
    cause: &'static str,
    remedy: &'static str,
    example: &'static str,
) -> Code {
    Code { code, cause, remedy, example: Example::Robot(example) }
}

/// An entry whose example is told.
pub(super) const fn told(
    code: &'static str,
    cause: &'static str,
    remedy: &'static str,
    example: &'static str,
) -> Code {
    Code { code, cause, remedy, example: Example::Told(example) }
}
