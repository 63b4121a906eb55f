//! A sketch of a mechanism in a pose, as SVG.

use super::canvas::{
    Canvas, WIDTH, body_line_svg, body_points_svg, is_finite_point, scene_points, solids_svg,
    sorted_body_lines,
};
use super::labels::Labels;
use super::scene::Scene;
use super::svg::{self, INK, SOFT, body_color};
use super::symbols;
use super::view::View;

/// Draws a pose: bodies as skeletons, joints as symbols, the ground with a hatch (a line of length
/// zero as a support). Points that are not finite are omitted.
pub fn sketch(scene: &Scene) -> String {
    let view = View::of_scene(scene);
    let Some(canvas) = Canvas::fit_points(view, scene_points(scene)) else {
        let note = svg::text_element(
            WIDTH / 2.0,
            60.0,
            "middle",
            &format!("fill=\"{SOFT}\""),
            "no geometry to draw",
        );
        return format!("{}{note}</svg>\n", svg::open_svg("sketch", WIDTH, 120.0, "sketch"));
    };
    let height = canvas.height;
    let mut sketch = Sketch {
        scene,
        lines: sorted_body_lines(&canvas, scene),
        canvas: &canvas,
        labels: Labels::new([WIDTH, height]),
        out: svg::open_svg("sketch", WIDTH, height, "sketch of the mechanism"),
    };
    sketch.draw_ground();
    sketch.draw_bodies();
    sketch.draw_joints();

    // Names are placed last, when everything that they must avoid is known.
    sketch.labels.avoid_disc([46.0, height - 46.0], 44.0);
    sketch.labels.avoid_disc([WIDTH - 34.0, 48.0], 34.0);
    sketch.name_joints();
    sketch.name_bodies();
    sketch.name_points();

    let Sketch { mut out, .. } = sketch;
    out.push_str(&axes_triad(&view, height));
    out.push_str(&draw_gravity_arrow(&view, &canvas, scene.gravity));
    out.push_str("</svg>\n");
    out
}

/// A sketch in the making.
struct Sketch<'a> {
    scene: &'a Scene,
    canvas: &'a Canvas,
    /// Lines of the bodies on the picture, in the order in which they are drawn.
    lines: Vec<(f64, usize, [[f64; 2]; 2])>,
    labels: Labels,
    out: String,
}

impl Sketch<'_> {
    fn draw_ground(&mut self) {
        let canvas = self.canvas;
        let down = canvas.gravity_direction(self.scene.gravity);
        for line in self.scene.ground.iter().filter(|l| l.iter().all(is_finite_point)) {
            let [a, b] = line.map(|p| canvas.to_picture(p));
            self.out.push_str(&symbols::ground_symbol(a, b, down));
            self.labels.avoid_line(a, b);
        }
    }

    fn draw_bodies(&mut self) {
        self.out.push_str(&solids_svg(self.canvas, &self.scene.solids));
        for (_, i, [a, b]) in &self.lines {
            self.out.push_str(&body_line_svg(*a, *b, &body_color(*i)));
            self.labels.avoid_line(*a, *b);
        }
        for (i, body) in self.scene.bodies.iter().enumerate() {
            let color = body_color(i);
            self.out.push_str(&body_points_svg(self.canvas, body, &color));
            if let Some(c) = body.center_of_mass.filter(is_finite_point) {
                let center = self.canvas.to_picture(c);
                self.out.push_str(&symbols::mass_center_symbol(center, &color));
                self.labels.avoid_disc(center, 5.0);
            }
        }
    }

    fn draw_joints(&mut self) {
        let canvas = self.canvas;
        for joint in self.scene.joints.iter().filter(|j| is_finite_point(&j.position)) {
            let is_finite = is_finite_point(&joint.axis);
            let axis = if is_finite { canvas.picture_direction(joint.axis) } else { [0.0; 2] };
            let at = canvas.to_picture(joint.position);
            self.out.push_str(&symbols::joint_symbol(joint.kind, at, axis));
            self.labels.avoid_disc(at, symbols::RADIUS);
        }
    }

    fn name_joints(&mut self) {
        for joint in self.scene.joints.iter().filter(|j| is_finite_point(&j.position)) {
            let style = format!("fill=\"{INK}\" font-style=\"italic\"");
            let at = self.canvas.to_picture(joint.position);
            self.out.push_str(&self.labels.place_label(at, symbols::RADIUS, &joint.name, &style));
        }
    }

    /// Places the name of each body at its longest line, its centre of mass, or a point of it.
    fn name_bodies(&mut self) {
        let flat = |p| self.canvas.to_picture(p);
        for (i, body) in self.scene.bodies.iter().enumerate() {
            let style = format!("fill=\"{}\" font-weight=\"600\"", body_color(i));
            let lines = self.lines.iter().filter(|l| l.1 == i);
            let longest = lines.max_by(|a, b| line_length(a.2).total_cmp(&line_length(b.2)));
            let anchor = match (longest, body.center_of_mass.filter(is_finite_point)) {
                (Some((_, _, [a, b])), _) => Some([0.4 * a[0] + 0.6 * b[0], 0.4 * a[1] + 0.6 * b[1]]),
                (None, Some(c)) => Some(flat(c)),
                (None, None) => body.points.iter().map(|(_, p)| *p).find(is_finite_point).map(flat),
            };
            if let Some(anchor) = anchor {
                self.out.push_str(&self.labels.place_label(anchor, 5.0, &body.name, &style));
            }
        }
    }

    /// Places the names of points, except those at joints, whose names are there already.
    fn name_points(&mut self) {
        let flat = |p| self.canvas.to_picture(p);
        for (i, body) in self.scene.bodies.iter().enumerate() {
            let style = format!("fill=\"{}\" font-size=\"12\"", body_color(i));
            for (name, p) in body.points.iter().filter(|(_, p)| is_finite_point(p)) {
                let at = flat(*p);
                let is_joint = (self.scene.joints.iter().map(|j| j.position))
                    .any(|q| is_finite_point(&q) && line_length([flat(q), at]) < 2.0);
                if !is_joint {
                    self.out.push_str(&self.labels.place_label(at, 3.0, name, &style));
                }
            }
        }
    }
}

/// An arrow in the direction of gravity; empty without gravity.
fn draw_gravity_arrow(view: &View, canvas: &Canvas, gravity: [f64; 3]) -> String {
    if !is_finite_point(&gravity) || gravity.iter().all(|g| *g == 0.0) {
        return String::new();
    }
    let down = canvas.gravity_direction(gravity);
    let from = [WIDTH - 34.0, if down[1] < -0.5 { 70.0 } else { 24.0 }];
    let direction = canvas.picture_direction(gravity);
    symbols::labelled_arrow(from, direction, 40.0, view.depth(gravity), "g", SOFT)
}

fn axes_triad(view: &View, height: f64) -> String {
    let origin = [40.0, height - 40.0];
    let axes = [("x", [1.0, 0.0, 0.0]), ("y", [0.0, 1.0, 0.0]), ("z", [0.0, 0.0, 1.0])];
    let mut out = String::new();
    for (name, axis) in axes {
        let v = view.project(axis);
        out.push_str(&symbols::labelled_arrow(origin, [v[0], -v[1]], 28.0, view.depth(axis), name, SOFT));
    }
    out
}

fn line_length([a, b]: [[f64; 2]; 2]) -> f64 {
    (a[0] - b[0]).hypot(a[1] - b[1])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::{JointSymbol, SceneBody, SceneJoint};

    #[test]
    fn poses_without_extent_or_with_broken_numbers_are_drawn() {
        let nan = [f64::NAN, 0.0, f64::INFINITY];
        for p in [[0.0; 3], nan, [1e308, 0.0, 0.0], [1.0, 2.0, 3.0]] {
            let scene = Scene {
                bodies: vec![SceneBody {
                    name: "</svg><script>".into(),
                    lines: vec![[p, p], [[0.0; 3], p]],
                    points: vec![("tip".into(), p)],
                    center_of_mass: Some(p),
                }],
                joints: vec![SceneJoint {
                    name: "A".into(),
                    kind: JointSymbol::Revolute,
                    position: p,
                    axis: p,
                }],
                ground: vec![[p, p]],
                solids: Vec::new(),
                gravity: p,
            };
            let svg = sketch(&scene);
            assert!(!svg.contains("NaN") && !svg.contains("inf") && !svg.contains("<script"), "{svg}");
            assert_eq!(svg.matches("</svg>").count(), 1);
        }
        assert!(sketch(&Scene::default()).contains("no geometry to draw"));
    }
}
