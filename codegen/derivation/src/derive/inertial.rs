//! Choice of the inertial parameters with which equations are written.

/// Inertial parameters with which M, c and the efforts are written. The choice does not change
/// their values.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum InertialParameters {
    /// Base parameters: inertia that a joint cannot distinguish from that of its parent is moved to
    /// the parent, where that saves operations.
    #[default]
    Base,
    /// The parameters of each body as the spec states them, without regrouping.
    OfBodies,
}
