//! Maps points of a scene to a picture of fixed width.

use super::scene::{Scene, SceneBody};
use super::solid::{SolidPicture, outline_points};
use super::svg::{self, SOFT, body_color};
use super::view::View;

/// Width of the picture of a scene, in units of the SVG.
pub(crate) const WIDTH: f64 = 520.0;
const MARGIN: f64 = 66.0;

/// View of a scene with a scale and an offset: maps points in ground coordinates to the picture.
pub(crate) struct Canvas {
    /// Direction from which the scene is seen.
    pub view: View,
    /// Height of the picture of the scene, in units of the SVG.
    pub height: f64,
    scale: f64,
    middle: [f64; 2],
}

impl Canvas {
    /// Canvas that contains all of these points, in ground coordinates; `None` if no point is
    /// finite.
    pub fn fit_points(view: View, points: impl Iterator<Item = [f64; 3]>) -> Option<Canvas> {
        let (low, high) = (points.filter(is_finite_point).map(|p| view.project(p)))
            .map(|p| (p, p))
            .reduce(|(a, b), (p, _)| ([a[0].min(p[0]), a[1].min(p[1])], [b[0].max(p[0]), b[1].max(p[1])]))?;
        let (w, h) = ((high[0] - low[0]).max(1e-9), (high[1] - low[1]).max(1e-9));
        let scale = ((WIDTH - 2.0 * MARGIN) / w).min(340.0 / h);
        let height = (h * scale + 2.0 * MARGIN).clamp(240.0, 480.0);
        Some(Canvas { view, height, scale, middle: [(low[0] + high[0]) / 2.0, (low[1] + high[1]) / 2.0] })
    }

    /// Position in the picture, in units of the SVG, of a point of the scene in ground coordinates.
    pub fn to_picture(&self, p: [f64; 3]) -> [f64; 2] {
        let v = self.view.project(p);
        [
            WIDTH / 2.0 + (v[0] - self.middle[0]) * self.scale,
            self.height / 2.0 - (v[1] - self.middle[1]) * self.scale,
        ]
    }

    /// Direction of a ground vector in the picture, foreshortened by the view: at most of length
    /// one.
    pub fn picture_direction(&self, a: [f64; 3]) -> [f64; 2] {
        let size = a[0].hypot(a[1]).hypot(a[2]);
        let v = self.view.project(if size > 0.0 { a.map(|x| x / size) } else { a });
        [v[0], -v[1]]
    }

    /// Direction of gravity in the picture as a unit vector; downwards if gravity points to the
    /// viewer. Hatches of the ground are on that side.
    pub fn gravity_direction(&self, gravity: [f64; 3]) -> [f64; 2] {
        match self.picture_direction(gravity) {
            d if d[0].hypot(d[1]) > 0.2 => [d[0] / d[0].hypot(d[1]), d[1] / d[0].hypot(d[1])],
            _ => [0.0, 1.0],
        }
    }
}

/// All points of a scene that a picture has to contain, in ground coordinates.
pub(crate) fn scene_points(scene: &Scene) -> impl Iterator<Item = [f64; 3]> + '_ {
    let bodies = scene.bodies.iter().flat_map(|b| {
        let ends = b.lines.iter().flatten().copied();
        ends.chain(b.points.iter().map(|(_, p)| *p)).chain(b.center_of_mass)
    });
    let solids = scene.solids.iter().flat_map(outline_points);
    let joints = scene.joints.iter().map(|j| j.position);
    bodies.chain(solids).chain(joints).chain(scene.ground.iter().flatten().copied())
}

/// Lines of the bodies' skeletons from back to front: depth, index of the body, ends in the
/// picture.
pub(crate) fn sorted_body_lines(canvas: &Canvas, scene: &Scene) -> Vec<(f64, usize, [[f64; 2]; 2])> {
    let mut bars: Vec<(f64, usize, [[f64; 2]; 2])> = Vec::new();
    for (i, body) in scene.bodies.iter().enumerate() {
        for line in body.lines.iter().filter(|l| l.iter().all(is_finite_point)) {
            let depth = canvas.view.depth(line[0]) + canvas.view.depth(line[1]);
            bars.push((depth, i, line.map(|p| canvas.to_picture(p))));
        }
    }
    bars.sort_by(|a, b| a.0.total_cmp(&b.0));
    bars
}

/// SVG of a line of a body's skeleton, in the colour of the body.
pub(crate) fn body_line_svg(a: [f64; 2], b: [f64; 2], color: &str) -> String {
    svg::line_element(a, b, &format!("stroke=\"{color}\" stroke-width=\"5\" stroke-linecap=\"round\""))
}

/// SVG of the named points of a body, as dots.
pub(crate) fn body_points_svg(canvas: &Canvas, body: &SceneBody, color: &str) -> String {
    (body.points.iter().filter(|(_, p)| is_finite_point(p)))
        .map(|(_, p)| svg::circle_element(canvas.to_picture(*p), 3.0, &format!("fill=\"{color}\"")))
        .collect()
}

pub(crate) fn is_finite_point(p: &[f64; 3]) -> bool {
    p.iter().all(|x| x.abs() < 1e30)
}

/// SVG of the outlines of solids (boxes, cylinders, ellipsoids), from back to front.
pub(crate) fn solids_svg(canvas: &Canvas, solids: &[SolidPicture]) -> String {
    let mut solids: Vec<&SolidPicture> =
        solids.iter().filter(|s| outline_points(s).all(|p| is_finite_point(&p))).collect();
    solids.sort_by(|a, b| canvas.view.depth(a.center).total_cmp(&canvas.view.depth(b.center)));
    let mut out = String::new();
    for solid in solids {
        let color = solid.body.map_or(SOFT.to_owned(), body_color);
        let opacity = if solid.ghost { 0.15 } else { 0.4 };
        let style = format!(
            "fill=\"{color}\" fill-opacity=\"{opacity}\" stroke=\"{color}\" stroke-linejoin=\"round\""
        );
        let outline = convex_hull(outline_points(solid).map(|p| canvas.to_picture(p)).collect());
        out.push_str(&svg::polygon_element(&outline, &style));
    }
    out
}

/// Convex hull of points in the picture, by Andrew's monotone chain; the outline of a solid.
fn convex_hull(mut points: Vec<[f64; 2]>) -> Vec<[f64; 2]> {
    points.sort_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
    let mut hull = half_hull(points.iter().copied());
    hull.extend(half_hull(points.iter().rev().copied()));
    hull
}

/// Convex chain to the left of sorted points, without its last point; half of a convex hull.
fn half_hull(points: impl Iterator<Item = [f64; 2]>) -> Vec<[f64; 2]> {
    let mut hull: Vec<[f64; 2]> = Vec::new();
    for p in points {
        while hull.len() > 1 && !turns_left(hull[hull.len() - 2], hull[hull.len() - 1], p) {
            hull.pop();
        }
        hull.push(p);
    }
    hull.pop();
    hull
}

fn turns_left(a: [f64; 2], b: [f64; 2], c: [f64; 2]) -> bool {
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]) > 0.0
}
