//! Frames of an animation as still pictures, for making videos.
//!
//! Problem: films and slides need pictures, not a page with a player.
//! Method:  every frame is drawn on one canvas that covers the whole motion: ground, outlines of
//!          solids from back to front, lines of the bodies, joints, arrows of forces, the time.
//! Limits:  each solid hides all that is behind it, without intersections. There are no traces and
//!          no curves.

use super::arrows::Arrows;
use super::model::Animation;
use crate::figure::{self, Canvas, INK, SOFT, View, WIDTH, body_color, is_finite_point};

/// Still pictures of the frames of one animation, all at one scale, for `--frames`.
pub struct Stills<'a> {
    animation: &'a Animation,
    canvas: Option<Canvas>,
    arrows: Arrows,
    /// Size of the scene, which scales the arrows \[m\].
    size: f64,
}

/// Still pictures of an animation, one for each frame, for `dqdt simulate --frames`.
pub fn still_pictures(animation: &Animation) -> Stills<'_> {
    let scenes = animation.scenes.iter().flat_map(figure::scene_points);
    let arrows = Arrows::from_motion(animation);
    let size = super::arrows::farthest_arrow(animation);
    let tips = animation.arrows.iter().flat_map(|all| arrows.end_points(all, size));
    let view = animation.scenes.first().map(View::of_scene);
    let canvas = view.and_then(|view| Canvas::fit_points(view, scenes.chain(tips)));
    Stills { animation, canvas, arrows, size }
}

impl Stills<'_> {
    /// Number of still pictures, one for each frame.
    pub fn count_stills(&self) -> usize {
        self.animation.scenes.len()
    }

    /// Still picture of frame `k` as SVG.
    pub fn still_svg(&self, k: usize) -> String {
        let (Some(canvas), Some(scene)) = (&self.canvas, self.animation.scenes.get(k)) else {
            return format!("{}</svg>\n", figure::open_svg("still", WIDTH, 120.0, &self.animation.title));
        };
        let mut out = figure::open_svg("still", WIDTH, canvas.height, &self.animation.title);
        let flat = |p| canvas.to_picture(p);
        let down = canvas.gravity_direction(scene.gravity);
        out.push_str(&self.floor_line(canvas));
        for line in scene.ground.iter().filter(|l| l.iter().all(is_finite_point)) {
            out.push_str(&figure::ground_symbol(flat(line[0]), flat(line[1]), down));
        }
        out.push_str(&figure::solids_svg(canvas, &scene.solids));
        for (_, i, [a, b]) in figure::sorted_body_lines(canvas, scene) {
            out.push_str(&figure::body_line_svg(a, b, &body_color(i)));
        }
        for (i, body) in scene.bodies.iter().enumerate() {
            out.push_str(&figure::body_points_svg(canvas, body, &body_color(i)));
            if let Some(c) = body.center_of_mass.filter(is_finite_point) {
                out.push_str(&figure::mass_center_symbol(flat(c), &body_color(i)));
            }
        }
        for joint in scene.joints.iter().filter(|j| is_finite_point(&j.position) && is_finite_point(&j.axis))
        {
            out.push_str(&figure::joint_symbol(
                joint.kind,
                flat(joint.position),
                canvas.picture_direction(joint.axis),
            ));
        }
        let arrows = self.animation.arrows.get(k).map_or(&[][..], Vec::as_slice);
        let points: Vec<[f64; 3]> = self.arrows.end_points(arrows, self.size).collect();
        for ends in points.chunks_exact(2).filter(|ends| ends.iter().all(is_finite_point)) {
            out.push_str(&arrow_svg(flat(ends[0]), flat(ends[1])));
        }
        let time = self.animation.times.get(k).copied().unwrap_or_default();
        let style = format!("fill=\"{SOFT}\"");
        out.push_str(&figure::text_element(12.0, 22.0, "start", &style, &format!("t = {time:.3} s")));
        out.push_str("</svg>\n");
        out
    }

    /// SVG of the plane on which the mechanism moves, if it is seen edge-on; otherwise empty.
    fn floor_line(&self, canvas: &Canvas) -> String {
        let Some((normal, point)) =
            self.animation.floor.filter(|f| is_finite_point(&f.0) && is_finite_point(&f.1))
        else {
            return String::new();
        };
        let [x, y] = canvas.picture_direction(normal);
        if canvas.view.depth(normal).abs() > 0.3 * x.hypot(y) {
            return String::new();
        }
        let (along, middle) = ([-y, x], canvas.to_picture(point));
        let end = |k: f64| [middle[0] + k * along[0], middle[1] + k * along[1]];
        let far = 2.0 * (WIDTH + canvas.height);
        figure::line_element(end(-far), end(far), &format!("stroke=\"{SOFT}\" stroke-width=\"1.5\""))
    }
}

/// SVG of an arrow of a force or moment, a line with a head, between two points of the picture.
fn arrow_svg(from: [f64; 2], to: [f64; 2]) -> String {
    let (x, y) = (to[0] - from[0], to[1] - from[1]);
    let length = x.hypot(y);
    if length < 1.0 {
        return String::new();
    }
    let head = length.min(9.0);
    let (x, y) = (head * x / length, head * y / length);
    let base = [to[0] - x, to[1] - y];
    let corners = [to, [base[0] - 0.4 * y, base[1] + 0.4 * x], [base[0] + 0.4 * y, base[1] - 0.4 * x]];
    let shaft = figure::line_element(from, base, &format!("stroke=\"{INK}\" stroke-width=\"2\""));
    shaft + &figure::polygon_element(&corners, &format!("fill=\"{INK}\""))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::{Scene, SceneBody, SolidKind, SolidPicture};

    fn cube(x: f64) -> SolidPicture {
        SolidPicture {
            body: Some(0),
            kind: SolidKind::Box,
            ghost: false,
            center: [x, 0.0, 0.0],
            axes: [[0.1, 0.0, 0.0], [0.0, 0.1, 0.0], [0.0, 0.0, 0.1]],
        }
    }

    fn scene(x: f64) -> Scene {
        let body =
            SceneBody { name: "a".into(), lines: vec![[[0.0; 3], [x, 0.0, 0.0]]], ..Default::default() };
        Scene { solids: vec![cube(x)], bodies: vec![body], ..Scene::default() }
    }

    /// Number of corners of the first polygon.
    fn count_corners(svg: &str) -> Option<usize> {
        svg.split("points=\"").nth(1).map(|s| s.split('"').next().unwrap().split(' ').count())
    }

    #[test]
    fn all_frames_have_one_scale_and_solids_are_their_outlines() {
        let animation =
            Animation { times: vec![0.0, 0.5], scenes: vec![scene(1.0), scene(2.0)], ..Animation::default() };
        let stills = still_pictures(&animation);
        let [a, b] = [0, 1].map(|k| stills.still_svg(k));
        assert_eq!(a.lines().next(), b.lines().next());
        // A cube seen at an angle has six corners.
        assert_eq!((count_corners(&a), stills.count_stills()), (Some(6), 2));
        assert!(a.contains("t = 0.000 s") && b.contains("t = 0.500 s"), "{a}{b}");
        assert_ne!(a, b);
    }

    #[test]
    fn motions_of_nothing_and_broken_numbers_are_drawn() {
        let nan = SceneBody { lines: vec![[[f64::NAN; 3]; 2]], ..Default::default() };
        for scene in [Scene::default(), Scene { bodies: vec![nan], ..Scene::default() }] {
            let animation = Animation { times: vec![0.0], scenes: vec![scene], ..Animation::default() };
            let svg = still_pictures(&animation).still_svg(0);
            assert!(svg.ends_with("</svg>\n") && !svg.contains("NaN"), "{svg}");
        }
        assert_eq!(still_pictures(&Animation::default()).count_stills(), 0);
    }
}
