//! Measures: components of the pose and of the motion of frames, as formulas name them.

use super::ends::Ends;

/// One measured quantity, of the frame `ends.to` as seen from the frame `ends.from`.
#[derive(Clone, PartialEq, Debug)]
pub struct Measure {
    /// As in names of emitted values: `position_z_of_wheel_hub`.
    pub name: String,
    /// What is measured.
    pub kind: MeasureKind,
    /// The frame that is seen (`to`), and the one that it is seen from (`from`).
    pub ends: Ends,
}

/// What is measured; a number is an axis of the frame that it is seen from: 0, 1, 2 for x, y, z.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MeasureKind {
    /// Of the origin \[m\].
    Position(usize),
    /// Component along the first axis of the seen frame's second axis.
    Rotation {
        /// The first axis.
        row: usize,
        /// The second axis.
        column: usize,
    },
    /// Between the two origins \[m\].
    Distance,
    /// Rate of the position [m/s].
    Velocity(usize),
    /// Of the seen frame relative to the other [rad/s].
    AngularVelocity(usize),
    /// Rate of the distance [m/s].
    DistanceRate,
}

impl MeasureKind {
    /// True if it depends on the speeds.
    pub fn moves(self) -> bool {
        matches!(self, MeasureKind::Velocity(_) | MeasureKind::AngularVelocity(_) | MeasureKind::DistanceRate)
    }

    /// True if it depends on how the seen frame is turned.
    pub fn turns(self) -> bool {
        matches!(self, MeasureKind::Rotation { .. } | MeasureKind::AngularVelocity(_))
    }
}
