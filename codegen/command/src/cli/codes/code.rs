//! An entry of the table of message codes.

/// Explanation of a message code, for `dqdt explain` and the reference.
#[derive(Debug)]
pub(crate) struct Code {
    /// The code, without brackets: `unknown-key` of `error[unknown-key]`.
    pub code: &'static str,
    /// Situation in which the message is printed.
    pub cause: &'static str,
    /// Advice to the user.
    pub remedy: &'static str,
    /// Input that provokes the message.
    pub example: Example,
}

/// Input that provokes a message.
#[derive(Debug)]
pub(crate) enum Example {
    /// Entries merged into the pendulum spec of the README.
    Pendulum(&'static str),
    /// A complete spec.
    Spec(&'static str),
    /// A complete robot file (URDF or MJCF).
    Robot(&'static str),
    /// A description in words, for a message that needs a command line or a state of the machine.
    Described(&'static str),
}

/// An entry whose example is merged into the pendulum spec of the README.
pub(super) const fn from_pendulum(
    code: &'static str,
    cause: &'static str,
    remedy: &'static str,
    example: &'static str,
) -> Code {
    Code { code, cause, remedy, example: Example::Pendulum(example) }
}

/// An entry whose example is a complete spec.
pub(super) const fn from_spec(
    code: &'static str,
    cause: &'static str,
    remedy: &'static str,
    example: &'static str,
) -> Code {
    Code { code, cause, remedy, example: Example::Spec(example) }
}

/// An entry whose example is a robot file.
pub(super) const fn from_robot(
    code: &'static str,
    cause: &'static str,
    remedy: &'static str,
    example: &'static str,
) -> Code {
    Code { code, cause, remedy, example: Example::Robot(example) }
}

/// An entry whose example is a description in words.
pub(super) const fn described(
    code: &'static str,
    cause: &'static str,
    remedy: &'static str,
    example: &'static str,
) -> Code {
    Code { code, cause, remedy, example: Example::Described(example) }
}
