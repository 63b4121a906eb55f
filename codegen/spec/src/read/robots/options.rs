//! Options of an import: choices that a robot description leaves open.

/// Connection of the root link to the ground.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Base {
    /// The root link is fixed: a part of the ground.
    #[default]
    Fixed,
    /// The root link moves freely, with a quaternion and speeds in its own axes.
    Free,
}

/// Options of an import: choices that a robot description leaves open.
#[derive(Clone, Debug)]
pub struct Options {
    /// Connection of the root link to the ground; URDF only.
    pub base: Base,
    /// Angles within this tolerance of a multiple of a right angle are rounded to it \[rad\].
    pub snap: f64,
    /// True if the damping of joints is imported as loads.
    pub damping: bool,
    /// Speed scale of the regularised dry friction: at this speed it reaches 76 % [rad/s or m/s].
    /// `None`: dry friction is not imported.
    pub dry_friction: Option<f64>,
    /// Names of structural parts of the file that may be left out, such as `tendon` or
    /// `tendon/spatial`.
    pub accept: Vec<String>,
}

/// Default tolerance of right angles \[rad\]: 1.57 is rounded to a right angle, 1.5 is not.
pub const SNAP: f64 = 1e-3;

impl Default for Options {
    fn default() -> Self {
        Options { base: Base::Fixed, snap: SNAP, damping: true, dry_friction: None, accept: Vec::new() }
    }
}
