//! A sketch of a mechanism in a pose, as SVG.

use super::canvas::{Canvas, WIDTH, bar, bars, dots, finite, points, solids};
use super::labels::Labels;
use super::scene::Scene;
use super::svg::{self, INK, SOFT, body_color};
use super::symbols;
use super::view::View;

/// Draws a pose: bodies as skeletons, joints as symbols, the ground with a hatch (a line of length
/// zero as a support). Points that are not finite are omitted.
pub fn sketch(scene: &Scene) -> String {
    let view = View::of_scene(scene);
    let Some(canvas) = Canvas::fit(view, points(scene)) else {
        let note = svg::text(WIDTH / 2.0, 60.0, "middle", &format!("fill=\"{SOFT}\""), "nothing to draw");
        return format!("{}{note}</svg>\n", svg::open("sketch", WIDTH, 120.0, "sketch"));
    };
    let height = canvas.height;
    let flat = |p| canvas.to_picture(p);
    let direction = |a| canvas.direction(a);
    let mut labels = Labels::new([WIDTH, height]);
    let mut out = svg::open("sketch", WIDTH, height, "sketch of the mechanism");

    let down = canvas.down(scene.gravity);
    for line in scene.ground.iter().filter(|l| l.iter().all(finite)) {
        out.push_str(&symbols::ground(flat(line[0]), flat(line[1]), down));
        labels.avoid_line(flat(line[0]), flat(line[1]));
    }

    out.push_str(&solids(&canvas, &scene.solids));
    let lines = bars(&canvas, scene);
    for (_, i, [a, b]) in &lines {
        out.push_str(&bar(*a, *b, &body_color(*i)));
        labels.avoid_line(*a, *b);
    }
    for (i, body) in scene.bodies.iter().enumerate() {
        let color = body_color(i);
        out.push_str(&dots(&canvas, body, &color));
        if let Some(c) = body.center_of_mass.filter(finite) {
            out.push_str(&symbols::center_of_mass(flat(c), &color));
            labels.avoid_disc(flat(c), 5.0);
        }
    }
    for joint in scene.joints.iter().filter(|j| finite(&j.position)) {
        let axis = if finite(&joint.axis) { direction(joint.axis) } else { [0.0; 2] };
        out.push_str(&symbols::joint(joint.kind, flat(joint.position), axis));
        labels.avoid_disc(flat(joint.position), symbols::RADIUS);
    }

    // Names are placed last, when everything that they must avoid is known.
    labels.avoid_disc([46.0, height - 46.0], 44.0);
    labels.avoid_disc([WIDTH - 34.0, 48.0], 34.0);
    for joint in scene.joints.iter().filter(|j| finite(&j.position)) {
        let style = format!("fill=\"{INK}\" font-style=\"italic\"");
        out.push_str(&labels.place(flat(joint.position), symbols::RADIUS, &joint.name, &style));
    }
    for (i, body) in scene.bodies.iter().enumerate() {
        let style = format!("fill=\"{}\" font-weight=\"600\"", body_color(i));
        let longest = lines.iter().filter(|l| l.1 == i).max_by(|a, b| length(a.2).total_cmp(&length(b.2)));
        let anchor = match (longest, body.center_of_mass.filter(finite)) {
            (Some((_, _, [a, b])), _) => Some([0.4 * a[0] + 0.6 * b[0], 0.4 * a[1] + 0.6 * b[1]]),
            (None, Some(c)) => Some(flat(c)),
            (None, None) => body.points.iter().map(|(_, p)| *p).find(finite).map(flat),
        };
        if let Some(anchor) = anchor {
            out.push_str(&labels.place(anchor, 5.0, &body.name, &style));
        }
    }
    for (i, body) in scene.bodies.iter().enumerate() {
        let style = format!("fill=\"{}\" font-size=\"12\"", body_color(i));
        for (name, p) in body.points.iter().filter(|(_, p)| finite(p)) {
            let at = flat(*p);
            let is_joint =
                (scene.joints.iter().map(|j| j.position)).any(|q| finite(&q) && length([flat(q), at]) < 2.0);
            if !is_joint {
                out.push_str(&labels.place(at, 3.0, name, &style));
            }
        }
    }

    out.push_str(&triad(&view, height));
    if finite(&scene.gravity) && scene.gravity.iter().any(|g| *g != 0.0) {
        let towards = view.depth(scene.gravity);
        let from = [WIDTH - 34.0, if down[1] < -0.5 { 70.0 } else { 24.0 }];
        out.push_str(&symbols::arrow(from, direction(scene.gravity), 40.0, towards, "g", SOFT));
    }
    out.push_str("</svg>\n");
    out
}

fn triad(view: &View, height: f64) -> String {
    let origin = [40.0, height - 40.0];
    let axes = [("x", [1.0, 0.0, 0.0]), ("y", [0.0, 1.0, 0.0]), ("z", [0.0, 0.0, 1.0])];
    let mut out = String::new();
    for (name, axis) in axes {
        let v = view.project(axis);
        out.push_str(&symbols::arrow(origin, [v[0], -v[1]], 28.0, view.depth(axis), name, SOFT));
    }
    out
}

fn length([a, b]: [[f64; 2]; 2]) -> f64 {
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
        assert!(sketch(&Scene::default()).contains("nothing to draw"));
    }
}
