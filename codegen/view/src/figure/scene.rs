//! A pose of a mechanism as lines and points, everything in metres and in ground coordinates.

use super::solid::SolidPicture;
use dqdt_diagnostics::base::JointSymbol;

/// What a sketch shows, and one frame of an animation.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Scene {
    /// Drawn in this order.
    pub bodies: Vec<SceneBody>,
    /// Drawn above the bodies.
    pub joints: Vec<SceneJoint>,
    /// Lines of the ground, drawn with a hatch.
    pub ground: Vec<Line>,
    /// What bodies and the ground look like, behind their lines.
    #[doc(hidden)]
    pub solids: Vec<SolidPicture>,
    /// Acceleration of gravity in m/s²; zero for none.
    pub gravity: [f64; 3],
}

/// From, to.
pub type Line = [[f64; 3]; 2];

/// A body as a skeleton.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct SceneBody {
    /// Plain text.
    pub name: String,
    /// Its skeleton, usually from its inboard joint to its outboard joints and points.
    pub lines: Vec<Line>,
    /// Named points.
    pub points: Vec<(String, [f64; 3])>,
    /// `None` for a body without mass.
    pub center_of_mass: Option<[f64; 3]>,
}

/// A joint where it is.
#[derive(Clone, PartialEq, Debug)]
pub struct SceneJoint {
    /// Plain text.
    pub name: String,
    /// What symbol it gets.
    pub kind: JointSymbol,
    /// Of its frame on the child.
    pub position: [f64; 3],
    /// Its (first) axis; the normal for a planar joint; ignored for the kinds without one.
    pub axis: [f64; 3],
}
