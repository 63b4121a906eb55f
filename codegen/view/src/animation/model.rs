//! An animation as plain data.

use crate::figure::Scene;
use dqdt_mechanics::formalism::Arrow;

/// A motion to be played.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Animation {
    /// Name of the mechanism, usually.
    pub title: String,
    /// One line below it; may be empty.
    pub subtitle: String,
    /// Of the frames in seconds, ascending; the player interpolates between them.
    pub times: Vec<f64>,
    /// One pose a frame. All have the bodies, lines, points and joints of the first, in its order; names are read
    /// from the first only.
    pub scenes: Vec<Scene>,
    /// Points that leave a trace.
    pub traces: Vec<Trace>,
    /// Read-outs, and curves below.
    pub signals: Vec<Signal>,
    /// The plane that the mechanism moves on, if it has one: normal and a point.
    #[doc(hidden)]
    pub floor: Option<([f64; 3], [f64; 3])>,
    /// Forces and moments, by frame; as many in each as in the first.
    #[doc(hidden)]
    pub arrows: Vec<Vec<Arrow>>,
}

/// A point that leaves a trace.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Trace {
    /// Index into the bodies of the scene.
    pub body: usize,
    /// Index into the points of the body; `None`: its centre of mass.
    pub point: Option<usize>,
}

/// A number that is shown beside the picture as it changes.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Signal {
    /// Plain text, such as `Math::identifier(name).text()`.
    pub name: String,
    /// May be empty.
    pub unit: String,
    /// One value a frame.
    pub values: Vec<f64>,
}
