//! The choice of inertial parameters.

/// Which parameters of inertia M, c and the efforts are written with. Their values are the same.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum InertialParameters {
    /// Base parameters: a joint hands on to the parent what it cannot tell from inertia there, where that leaves fewer.
    #[default]
    Base,
    /// Those of each body, as the spec gives them.
    OfBodies,
}
