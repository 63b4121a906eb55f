//! Viewing direction and projection of a sketch.
//!
//! A planar mechanism, whose rotation axes are parallel and whose displacements are perpendicular
//! to them, is seen along these axes. Every other one is seen from the side and slightly from
//! above. Up is against gravity, otherwise z, otherwise y.

use super::scene::{Scene, SceneJoint};
use dqdt_diagnostics::base::JointSymbol;

/// Direction from which a scene is seen: orthonormal vectors in ground axes.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct View {
    /// Direction to the right in the picture, as a unit vector in ground axes.
    pub right: [f64; 3],
    /// Upward direction in the picture, as a unit vector in ground axes.
    pub up: [f64; 3],
    /// Direction from the scene towards the viewer, as a unit vector in ground axes.
    pub eye: [f64; 3],
    /// Upward direction of the mechanism in ground axes: the axis around which a viewer would
    /// orbit.
    pub top: [f64; 3],
    /// True if the mechanism moves only in the plane of the picture.
    pub planar: bool,
}

impl View {
    /// Chooses the view of a scene: along its normal if the motion is planar, otherwise from the
    /// side and slightly above.
    pub fn of_scene(scene: &Scene) -> View {
        match motion_plane_normal(scene) {
            Some(normal) => view_along_normal(normal, scene.gravity),
            None => axonometric_view(scene.gravity),
        }
    }

    /// Orthogonal projection of a point in ground coordinates to the picture: right and up, in
    /// metres.
    pub fn project(&self, p: [f64; 3]) -> [f64; 2] {
        [dot(self.right, p), dot(self.up, p)]
    }

    /// Depth of a point in metres, for drawing from back to front; greater is closer to the viewer.
    pub fn depth(&self, p: [f64; 3]) -> f64 {
        dot(self.eye, p)
    }
}

fn view_along_normal(normal: [f64; 3], gravity: [f64; 3]) -> View {
    let up = [scale_vector(gravity, -1.0), [0.0, 0.0, 1.0], [0.0, 1.0, 0.0]]
        .into_iter()
        .find_map(|candidate| unit_vector(orthogonal_part(candidate, normal), 1e-6))
        .unwrap_or([1.0, 0.0, 0.0]);
    let right = cross(up, normal);
    // Choose the side from which the horizontal axis points to the right.
    let main = right.iter().copied().fold(0.0, |a: f64, b| if b.abs() > a.abs() + 1e-9 { b } else { a });
    let sign = if main < 0.0 { -1.0 } else { 1.0 };
    View { right: scale_vector(right, sign), up, eye: scale_vector(normal, sign), top: up, planar: true }
}

fn axonometric_view(gravity: [f64; 3]) -> View {
    let top = unit_vector(scale_vector(gravity, -1.0), 1e-300).unwrap_or([0.0, 0.0, 1.0]);
    let main = (0..3).max_by(|a, b| top[*a].abs().total_cmp(&top[*b].abs())).unwrap_or(2);
    let mut next = [0.0; 3];
    next[(main + 1) % 3] = 1.0;
    let x = unit_vector(orthogonal_part(next, top), 1e-9).unwrap_or([1.0, 0.0, 0.0]);
    let y = cross(top, x);
    let (sa, ca) = 35f64.to_radians().sin_cos();
    let (se, ce) = 20f64.to_radians().sin_cos();
    let out = sum_vectors(scale_vector(x, ca), scale_vector(y, sa));
    let eye = sum_vectors(scale_vector(out, ce), scale_vector(top, se));
    let right = sum_vectors(scale_vector(x, -sa), scale_vector(y, ca));
    View { right, up: cross(eye, right), eye, top, planar: false }
}

/// Normal of the plane of motion of a scene, if all motion is planar.
fn motion_plane_normal(scene: &Scene) -> Option<[f64; 3]> {
    let axes = |kinds: &'static [JointSymbol]| {
        scene
            .joints
            .iter()
            .filter(move |j: &&SceneJoint| kinds.contains(&j.kind))
            .map(|j| unit_vector(j.axis, 1e-300))
    };
    use JointSymbol as K;
    let moving = scene.joints.iter().filter(|j| j.kind != K::Fixed).count();
    if moving == 0
        || axes(&[K::Helical, K::Cylindrical, K::Universal, K::Spherical, K::Free, K::Direction]).count() > 0
    {
        return None;
    }
    let turns: Vec<[f64; 3]> = axes(&[K::Revolute, K::Planar]).collect::<Option<_>>()?;
    let slides: Vec<[f64; 3]> = axes(&[K::Prismatic]).collect::<Option<_>>()?;
    let gravity = unit_vector(scene.gravity, 1e-300).unwrap_or([0.0, 0.0, 1.0]);
    let normal = match (turns.first(), slides.first()) {
        (Some(axis), _) => *axis,
        (None, Some(first)) => slides
            .iter()
            .chain([&gravity, &[1.0, 0.0, 0.0], &[0.0, 1.0, 0.0]])
            .find_map(|other| unit_vector(cross(*first, *other), 1e-6))?,
        (None, None) => return None,
    };
    let parallel = turns.iter().all(|a| norm(cross(*a, normal)) < 1e-6);
    let inside = slides.iter().all(|a| dot(*a, normal).abs() < 1e-6);
    (parallel && inside).then_some(normal)
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn sum_vectors(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

fn scale_vector(a: [f64; 3], k: f64) -> [f64; 3] {
    a.map(|x| x * k)
}

fn norm(a: [f64; 3]) -> f64 {
    a[0].hypot(a[1]).hypot(a[2])
}

/// Part of the normalised vector `a` that is orthogonal to the unit vector `n`.
fn orthogonal_part(a: [f64; 3], n: [f64; 3]) -> [f64; 3] {
    let size = norm(a);
    let a = if size > 0.0 && size.is_finite() { scale_vector(a, 1.0 / size) } else { a };
    sum_vectors(a, scale_vector(n, -dot(a, n)))
}

fn unit_vector(a: [f64; 3], least: f64) -> Option<[f64; 3]> {
    let size = norm(a);
    (size > least && size.is_finite()).then(|| a.map(|x| x / size))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn view(joints: &[(JointSymbol, [f64; 3])], gravity: [f64; 3]) -> View {
        let joints = joints
            .iter()
            .map(|(kind, axis)| SceneJoint {
                name: String::new(),
                kind: *kind,
                position: [0.0; 3],
                axis: *axis,
            })
            .collect();
        View::of_scene(&Scene { joints, gravity, ..Scene::default() })
    }

    fn near(a: [f64; 3], b: [f64; 3]) -> bool {
        (0..3).all(|i| (a[i] - b[i]).abs() < 1e-12)
    }

    #[test]
    fn planar_mechanisms_are_seen_along_their_normal_with_gravity_downwards() {
        use JointSymbol::{Prismatic, Revolute};
        let y = [0.0, 1.0, 0.0];
        let v = view(
            &[(Revolute, y), (Revolute, [0.0, -1.0, 0.0]), (Prismatic, [1.0, 0.0, 0.0])],
            [0.0, 0.0, -9.81],
        );
        assert!(v.planar && near(v.up, [0.0, 0.0, 1.0]) && near(v.right, [1.0, 0.0, 0.0]));
        let v = view(&[(Revolute, [0.0, 0.0, 2.0])], [0.0, -9.81, 0.0]);
        assert!(v.planar && near(v.up, y) && near(v.right, [1.0, 0.0, 0.0]) && near(v.eye, [0.0, 0.0, 1.0]));
        let v = view(&[(Prismatic, [1.0, 0.0, 0.0])], [0.0, 0.0, -9.81]);
        assert!(v.planar && near(v.right, [1.0, 0.0, 0.0]));
    }

    #[test]
    fn spatial_mechanisms_are_seen_at_an_angle() {
        use JointSymbol::{Fixed, Prismatic, Revolute, Spherical};
        let (x, z) = ([1.0, 0.0, 0.0], [0.0, 0.0, 1.0]);
        for joints in [
            &[(Revolute, x), (Revolute, z)][..],
            &[(Spherical, x)],
            &[(Revolute, z), (Prismatic, z)],
            &[(Fixed, x)],
        ] {
            assert!(!view(joints, [0.0, 0.0, -9.81]).planar);
        }
    }

    #[test]
    fn every_view_is_a_right_handed_frame() {
        use JointSymbol::{Free, Revolute};
        for gravity in [[0.0; 3], [0.0, 0.0, -9.81], [9.81, 0.0, 0.0], [0.0, 3.0, -4.0], [f64::NAN, 0.0, 0.0]]
        {
            for kind in [Free, Revolute] {
                for axis in [[0.0, 0.0, 1.0], [1.0, 1.0, 0.0], [0.0, 0.0, 0.0], [0.0, f64::INFINITY, 0.0]] {
                    let v = view(&[(kind, axis)], gravity);
                    assert!(near(cross(v.right, v.up), v.eye), "{gravity:?} {axis:?} {v:?}");
                }
            }
        }
    }
}
