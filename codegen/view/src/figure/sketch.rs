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
    let flat = |p| canvas.to_picture(p);
    let direction = |a| canvas.picture_direction(a);
    let mut labels = Labels::new([WIDTH, height]);
    let mut out = svg::open_svg("sketch", WIDTH, height, "sketch of the mechanism");

    let down = canvas.gravity_direction(scene.gravity);
    for line in scene.ground.iter().filter(|l| l.iter().all(is_finite_point)) {
        out.push_str(&symbols::ground_symbol(flat(line[0]), flat(line[1]), down));
        labels.avoid_line(flat(line[0]), flat(line[1]));
    }

    out.push_str(&solids_svg(&canvas, &scene.solids));
    let lines = sorted_body_lines(&canvas, scene);
    for (_, i, [a, b]) in &lines {
        out.push_str(&body_line_svg(*a, *b, &body_color(*i)));
        labels.avoid_line(*a, *b);
    }
    for (i, body) in scene.bodies.iter().enumerate() {
        let color = body_color(i);
        out.push_str(&body_points_svg(&canvas, body, &color));
        if let Some(c) = body.center_of_mass.filter(is_finite_point) {
            out.push_str(&symbols::mass_center_symbol(flat(c), &color));
            labels.avoid_disc(flat(c), 5.0);
        }
    }
    for joint in scene.joints.iter().filter(|j| is_finite_point(&j.position)) {
        let axis = if is_finite_point(&joint.axis) { direction(joint.axis) } else { [0.0; 2] };
        out.push_str(&symbols::joint_symbol(joint.kind, flat(joint.position), axis));
        labels.avoid_disc(flat(joint.position), symbols::RADIUS);
    }

    // Names are placed last, when everything that they must avoid is known.
    labels.avoid_disc([46.0, height - 46.0], 44.0);
    labels.avoid_disc([WIDTH - 34.0, 48.0], 34.0);
    for joint in scene.joints.iter().filter(|j| is_finite_point(&j.position)) {
        let style = format!("fill=\"{INK}\" font-style=\"italic\"");
        out.push_str(&labels.place_label(flat(joint.position), symbols::RADIUS, &joint.name, &style));
    }
    for (i, body) in scene.bodies.iter().enumerate() {
        let style = format!("fill=\"{}\" font-weight=\"600\"", body_color(i));
        let longest =
            lines.iter().filter(|l| l.1 == i).max_by(|a, b| line_length(a.2).total_cmp(&line_length(b.2)));
        let anchor = match (longest, body.center_of_mass.filter(is_finite_point)) {
            (Some((_, _, [a, b])), _) => Some([0.4 * a[0] + 0.6 * b[0], 0.4 * a[1] + 0.6 * b[1]]),
            (None, Some(c)) => Some(flat(c)),
            (None, None) => body.points.iter().map(|(_, p)| *p).find(is_finite_point).map(flat),
        };
        if let Some(anchor) = anchor {
            out.push_str(&labels.place_label(anchor, 5.0, &body.name, &style));
        }
    }
    for (i, body) in scene.bodies.iter().enumerate() {
        let style = format!("fill=\"{}\" font-size=\"12\"", body_color(i));
        for (name, p) in body.points.iter().filter(|(_, p)| is_finite_point(p)) {
            let at = flat(*p);
            let is_joint = (scene.joints.iter().map(|j| j.position))
                .any(|q| is_finite_point(&q) && line_length([flat(q), at]) < 2.0);
            if !is_joint {
                out.push_str(&labels.place_label(at, 3.0, name, &style));
            }
        }
    }

    out.push_str(&axes_triad(&view, height));
    if is_finite_point(&scene.gravity) && scene.gravity.iter().any(|g| *g != 0.0) {
        let towards = view.depth(scene.gravity);
        let from = [WIDTH - 34.0, if down[1] < -0.5 { 70.0 } else { 24.0 }];
        out.push_str(&symbols::labelled_arrow(from, direction(scene.gravity), 40.0, towards, "g", SOFT));
    }
    out.push_str("</svg>\n");
    out
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
