//! Loads: what acts besides inertia and the reactions of joints. Gravity is [`super::Mechanism::gravity`].

use super::formula::Formula;
use super::index::{BodyId, CoordinateId, SpeedId};
use super::model::{Placement, Rotation};

/// A named load.
#[derive(Clone, PartialEq, Debug)]
pub struct Load {
    /// Name.
    pub name: String,
    /// What it is.
    pub kind: LoadKind,
}

/// Axes of a force or moment vector.
#[derive(Clone, PartialEq, Debug)]
pub enum VectorFrame {
    /// Ground axes.
    Ground,
    /// Axes of a frame on a body.
    Body {
        /// The body.
        body: BodyId,
        /// Rotation from that frame to body axes.
        rotation: Box<Rotation>,
    },
}

/// The two points of a line element; `None` is the ground.
#[derive(Clone, PartialEq, Debug)]
pub struct Ends {
    /// Body and point where it begins.
    pub from: (Option<BodyId>, Placement),
    /// Body and point where it ends.
    pub to: (Option<BodyId>, Placement),
}

/// What a load is. Formulas may use everything unless said otherwise.
#[derive(Clone, PartialEq, Debug)]
pub enum LoadKind {
    /// Force on a point of a body \[N\]; no reaction. With `reaction`, the opposite acts on that body (or the ground)
    /// at the same place.
    Force {
        /// Body that it acts on.
        body: BodyId,
        /// Point that it acts at.
        point: Placement,
        /// Axes of `value`.
        frame: VectorFrame,
        /// Components.
        value: [Formula; 3],
        /// Body that takes the opposite.
        reaction: Option<BodyId>,
    },
    /// Moment on a body [N·m].
    Torque {
        /// Body that it acts on.
        body: BodyId,
        /// Axes of `value`.
        frame: VectorFrame,
        /// Components.
        value: [Formula; 3],
        /// Body that takes the opposite.
        reaction: Option<BodyId>,
    },
    /// Spring and damper between two points: tension `k (l − l₀) + d l̇` along the line. Potential `k (l − l₀)²/2`.
    /// Stiffness and rest length: numbers and parameters.
    LineSpring {
        /// The points.
        ends: Ends,
        /// k [N/m].
        stiffness: Formula,
        /// d [N·s/m].
        damping: Formula,
        /// l₀ \[m\].
        rest_length: Formula,
    },
    /// Force along the line between two points.
    LineForce {
        /// The points.
        ends: Ends,
        /// Pulls them together where it is positive \[N\].
        tension: Formula,
    },
    /// Spring and damper of one joint coordinate whose rate is a speed: effort `−k (q − q₀) − d v`.
    /// All formulas: numbers and parameters.
    JointSpring {
        /// Coordinate.
        coordinate: CoordinateId,
        /// Its speed.
        speed: SpeedId,
        /// k
        stiffness: Formula,
        /// d
        damping: Formula,
        /// q₀
        rest: Formula,
    },
    /// Effort on a joint speed, its opposite on the parent.
    Actuator {
        /// Speed that the effort is conjugate to.
        speed: SpeedId,
        /// Effort.
        effort: Formula,
    },
    /// Generalised force on a speed, without an opposite.
    GeneralisedForce {
        /// Speed that it is conjugate to.
        speed: SpeedId,
        /// Value.
        value: Formula,
    },
    /// Friction at a joint speed: effort `−viscous v − coulomb tanh(v / transition)`.
    Friction {
        /// Speed.
        speed: SpeedId,
        /// [N·m·s/rad] or [N·s/m].
        viscous: Formula,
        /// [N·m] or \[N\].
        coulomb: Formula,
        /// Speed at which the smooth Coulomb law has reached 76 % [rad/s or m/s].
        transition: Formula,
    },
}
