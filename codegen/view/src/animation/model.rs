//! An animation as plain data.

use crate::figure::Scene;
use dqdt_mechanics::formalism::Arrow;

/// A motion of a mechanism to be played in a browser.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Animation {
    /// Title of the animation page, usually the name of the mechanism.
    pub title: String,
    /// Line below the title of the animation; may be empty.
    pub subtitle: String,
    /// Times of the frames in seconds, ascending. The player interpolates between frames.
    pub times: Vec<f64>,
    /// Pose of the mechanism in each frame. All have the bodies, lines, points and joints of the
    /// first, in the same order. Names are read from the first only.
    pub scenes: Vec<Scene>,
    /// Points of bodies whose paths are drawn during the animation.
    pub traces: Vec<Trace>,
    /// Values along the motion that are displayed as numbers, and as curves below the picture.
    pub signals: Vec<Signal>,
    /// Stops on which the motion rests: name, and start and end in seconds. The player names those
    /// of the present time.
    pub rests: Vec<(String, [f64; 2])>,
    /// Normal and a point of the plane on which the mechanism moves, in ground coordinates; `None`
    /// without a plane.
    #[doc(hidden)]
    pub floor: Option<([f64; 3], [f64; 3])>,
    /// Arrows of forces and moments in each frame, the same number in each.
    #[doc(hidden)]
    pub arrows: Vec<Vec<Arrow>>,
}

/// Point of a body whose path an animation draws.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Trace {
    /// Index of the body among the bodies of the scene.
    pub body: usize,
    /// Index among the named points of the body; `None` for its centre of mass.
    pub point: Option<usize>,
}

/// Value along a motion that an animation displays as a number and a curve as it changes.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Signal {
    /// Name of the displayed value: plain text, such as `Math::identifier(name).text()`.
    pub name: String,
    /// Unit of the displayed value; may be empty.
    pub unit: String,
    /// Value of the signal in each frame.
    pub values: Vec<f64>,
}
