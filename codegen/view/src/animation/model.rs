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
    /// Solids of the bodies, by frame; as many in each as in the first.
    #[doc(hidden)]
    pub solids: Vec<Vec<SolidPicture>>,
    /// Forces and moments, by frame; as many in each as in the first.
    #[doc(hidden)]
    pub arrows: Vec<Vec<Arrow>>,
}

/// A solid in a pose, in metres and in ground coordinates.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SolidPicture {
    /// Index into the bodies of the scene; `None`: it stands on the ground.
    pub body: Option<usize>,
    /// What it is.
    pub kind: SolidKind,
    /// It stands for the inertia of a body, not for what it looks like.
    pub ghost: bool,
    /// Its middle.
    pub center: [f64; 3],
    /// Half axes; that of a cylinder is the third.
    pub axes: [[f64; 3]; 3],
}

impl SolidPicture {
    /// True if a point is in it, or close to its surface.
    pub(super) fn holds(&self, p: [f64; 3]) -> bool {
        /// Beyond the surface, by its distance from the middle.
        const CLOSE: f64 = 1.1;
        let span = [0, 1, 2].map(|k| p[k] - self.center[k]);
        let dot = |a: [f64; 3], b: [f64; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
        let [x, y, z] = self.axes.map(|a| dot(span, a) / dot(a, a) / CLOSE);
        match self.kind {
            SolidKind::Box => [x, y, z].iter().all(|x| x.abs() <= 1.0),
            SolidKind::Cylinder => x * x + y * y <= 1.0 && z.abs() <= 1.0,
            SolidKind::Ellipsoid => x * x + y * y + z * z <= 1.0,
        }
    }
}

/// A kind of solids.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum SolidKind {
    Box,
    Cylinder,
    Ellipsoid,
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
