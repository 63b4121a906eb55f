//! What the file of a robot leaves open.

/// What carries the root of a robot.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Base {
    /// The root is part of the ground
    #[default]
    Fixed,
    /// The root moves freely: quaternion, speeds in its own axes
    Free,
}

/// What the file leaves open.
#[derive(Clone, Debug)]
pub struct Options {
    /// What carries the root; URDF only.
    pub base: Base,
    /// Angles that are so near to a right angle are made one \[rad\].
    pub snap: f64,
    /// Whether the damping of joints is a load.
    pub damping: bool,
    /// The speed at which dry friction has grown to 76 % [rad/s or m/s]; without it there is none.
    pub dry_friction: Option<f64>,
    /// Structural parts of the file that may be left out, by name: `tendon`, `tendon/spatial`.
    pub accept: Vec<String>,
}

/// The tolerance of right angles that is taken if none is given \[rad\]: 1.57 is one, 1.5 is not.
pub const SNAP: f64 = 1e-3;

impl Default for Options {
    fn default() -> Self {
        Options { base: Base::Fixed, snap: SNAP, damping: true, dry_friction: None, accept: Vec::new() }
    }
}
