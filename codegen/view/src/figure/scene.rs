//! A pose of a mechanism as lines and points, in metres and in ground coordinates.

use super::solid::SolidPicture;
use dqdt_diagnostics::base::JointSymbol;

/// A pose of a mechanism as lines and points: content of a sketch, or of one frame of an animation.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Scene {
    /// Skeletons of the bodies of the mechanism, in drawing order.
    pub bodies: Vec<SceneBody>,
    /// Symbols of the joints, drawn above the bodies.
    pub joints: Vec<SceneJoint>,
    /// Lines of the ground, drawn with a hatch, in metres.
    pub ground: Vec<Line>,
    /// Shapes (or inertia ellipsoids) of bodies and of the ground, drawn behind their lines.
    #[doc(hidden)]
    pub solids: Vec<SolidPicture>,
    /// Acceleration of gravity in ground axes \[m/s²\]; zero for none.
    pub gravity: [f64; 3],
}

/// Start and end of a line in a pose, in metres and in ground coordinates.
pub type Line = [[f64; 3]; 2];

/// A body in a pose as a skeleton of lines and points.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct SceneBody {
    /// Name of the body, as plain text.
    pub name: String,
    /// Lines of the skeleton, usually from the inboard joint to the outboard joints and points.
    pub lines: Vec<Line>,
    /// Named points of the body, in metres and in ground coordinates.
    pub points: Vec<(String, [f64; 3])>,
    /// Centre of mass, in metres and in ground coordinates; `None` for a body without inertia.
    pub center_of_mass: Option<[f64; 3]>,
}

/// Symbol of a joint in a pose: its kind, place and axis.
#[derive(Clone, PartialEq, Debug)]
pub struct SceneJoint {
    /// Name of the joint, as plain text.
    pub name: String,
    /// Kind of the joint, which determines its symbol.
    pub kind: JointSymbol,
    /// Origin of the joint's frame on the child, in metres and in ground coordinates.
    pub position: [f64; 3],
    /// First axis of the joint in ground coordinates; the normal of a planar joint; ignored for
    /// kinds without an axis.
    pub axis: [f64; 3],
}
