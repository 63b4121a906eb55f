//! An entry of the table of message codes.

/// Entry of the table of message codes, for `dqdt explain` and the reference page `messages.md`.
#[derive(Debug)]
pub(crate) struct Code {
    /// The code without brackets: `unknown-key` of the message `error[unknown-key]`.
    pub code: &'static str,
    /// Situation in which the message is printed, as sentences for `dqdt explain`.
    pub cause: &'static str,
    /// Advice to the user, in the imperative, for `dqdt explain`.
    pub remedy: &'static str,
    /// Input that provokes the message. A test checks that it does.
    pub example: Example,
}

/// Input that provokes a message, shown by `dqdt explain` and run by a test.
#[derive(Debug)]
pub(crate) enum Example {
    /// Spec entries (TOML) that are merged into the pendulum spec of the README to provoke the
    /// message.
    Pendulum(&'static str),
    /// Text of a complete spec that provokes the message.
    Spec(&'static str),
    /// Text of a complete robot file (URDF or MJCF) that provokes the message.
    Robot(&'static str),
    /// Description in words, for a message that needs a command line or a state of the machine. No
    /// test runs it.
    Described(&'static str),
}

/// Entry of the table of message codes whose example is merged into the pendulum spec of the
/// README.
pub(super) const fn from_pendulum(
    code: &'static str,
    cause: &'static str,
    remedy: &'static str,
    example: &'static str,
) -> Code {
    Code { code, cause, remedy, example: Example::Pendulum(example) }
}

/// Entry of the table of message codes whose example is a complete spec.
pub(super) const fn from_spec(
    code: &'static str,
    cause: &'static str,
    remedy: &'static str,
    example: &'static str,
) -> Code {
    Code { code, cause, remedy, example: Example::Spec(example) }
}

/// Entry of the table of message codes whose example is a robot file.
pub(super) const fn from_robot(
    code: &'static str,
    cause: &'static str,
    remedy: &'static str,
    example: &'static str,
) -> Code {
    Code { code, cause, remedy, example: Example::Robot(example) }
}

/// Entry of the table of message codes whose example is a description in words.
pub(super) const fn from_description(
    code: &'static str,
    cause: &'static str,
    remedy: &'static str,
    example: &'static str,
) -> Code {
    Code { code, cause, remedy, example: Example::Described(example) }
}
