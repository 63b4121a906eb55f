//! Solids in a pose: boxes, cylinders, ellipsoids.

/// A solid (box, cylinder, ellipsoid) in a pose, in metres and in ground coordinates.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SolidPicture {
    /// Index of the body among the bodies of the scene; `None` for a solid on the ground.
    pub body: Option<usize>,
    /// Shape of the solid: box, cylinder or ellipsoid.
    pub kind: SolidKind,
    /// True if the solid depicts the inertia of a body, not its appearance; drawn fainter.
    pub ghost: bool,
    /// Centre of the solid in metres, in ground coordinates.
    pub center: [f64; 3],
    /// Half axes in metres, in ground coordinates. The third is the axis of a cylinder.
    pub axes: [[f64; 3]; 3],
}

impl SolidPicture {
    /// Returns `true` if a point in ground coordinates is inside the solid or close to its surface.
    pub(crate) fn contains_point(&self, p: [f64; 3]) -> bool {
        /// Factor by which the solid is enlarged for points close to its surface.
        const CLOSE: f64 = 1.1;
        let span = [0, 1, 2].map(|k| p[k] - self.center[k]);

        let [x, y, z] = self.axes.map(|a| dot(span, a) / dot(a, a) / CLOSE);
        match self.kind {
            SolidKind::Box => [x, y, z].iter().all(|x| x.abs() <= 1.0),
            SolidKind::Cylinder => x * x + y * y <= 1.0 && z.abs() <= 1.0,
            SolidKind::Ellipsoid => x * x + y * y + z * z <= 1.0,
        }
    }
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// Shape of a solid in a picture.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum SolidKind {
    Box,
    Cylinder,
    Ellipsoid,
}

/// Points on the surface of a solid in ground coordinates, whose convex hull in the picture is the
/// outline.
pub(crate) fn outline_points(solid: &SolidPicture) -> impl Iterator<Item = [f64; 3]> + '_ {
    /// Number of points around the edge of a cylinder.
    const AROUND: usize = 32;
    let points: Vec<[f64; 3]> = match solid.kind {
        SolidKind::Box => (0..8).map(|i| [1, 2, 4].map(|bit| if i & bit > 0 { 1.0 } else { -1.0 })).collect(),
        SolidKind::Cylinder => (0..AROUND)
            .flat_map(|i| {
                let (s, c) = sin_cos_of_turn(i, AROUND);
                [[c, s, -1.0], [c, s, 1.0]]
            })
            .collect(),
        SolidKind::Ellipsoid => (0..=AROUND / 2)
            .flat_map(|j| {
                let (radius, height) = sin_cos_of_turn(j, AROUND);
                (0..AROUND).map(move |i| {
                    let (s, c) = sin_cos_of_turn(i, AROUND);
                    [radius * c, radius * s, height]
                })
            })
            .collect(),
    };
    points
        .into_iter()
        .map(|a| [0, 1, 2].map(|i| solid.center[i] + (0..3).map(|k| a[k] * solid.axes[k][i]).sum::<f64>()))
}

/// Sine and cosine of `i / n` of a full turn; points around the edge of a solid.
fn sin_cos_of_turn(i: usize, n: usize) -> (f64, f64) {
    (std::f64::consts::TAU * i as f64 / n as f64).sin_cos()
}
