//! Options of an import: choices that a robot description leaves open.

use crate::read::file_source::FileSource;

/// Connection of the root link of a URDF to the ground.
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
    /// Connection of the root link to the ground: fixed or free; URDF only.
    pub base: Base,
    /// Tolerance of right angles \[rad\]: angles this close to a multiple of a right angle are
    /// rounded to it.
    pub snap: f64,
    /// True if the import turns the damping of joints into loads.
    pub damping: bool,
    /// Speed scale of the regularised dry friction: at this speed it reaches 76 % [rad/s or m/s].
    /// `None`: dry friction is not imported.
    pub dry_friction: Option<f64>,
    /// Names of structural parts of the robot file that may be dropped, such as `tendon` or
    /// `tendon/spatial`.
    pub accept: Vec<String>,
    /// Source of included files.
    #[doc(hidden)]
    pub files: FileSource,
}

/// Default tolerance of right angles \[rad\]: 1.57 is rounded to a right angle, 1.5 is not.
pub const SNAP: f64 = 1e-3;

impl Default for Options {
    fn default() -> Self {
        Options {
            base: Base::Fixed,
            snap: SNAP,
            damping: true,
            dry_friction: None,
            accept: Vec::new(),
            files: FileSource::Disk,
        }
    }
}
