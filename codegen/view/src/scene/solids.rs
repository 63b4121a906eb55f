//! Bodies as solids: the shapes in the spec, or the ellipsoids of their inertia.

use super::geometry::distance;
use crate::figure::{SolidKind, SolidPicture};
use dqdt_algebra::{Mat3, Vec3};
use dqdt_mechanics::kinematics::{self, BodyMotion};
use dqdt_mechanics::mechanism::{Body, BodyId, Environment, Mechanism, Shape, Solid};

/// Thickness of an inertia ellipsoid, as a fraction of its length, below which it is not drawn.
const THIN: f64 = 0.02;

/// Longest half axis of the ellipsoid of a body with inertia and without mass, as a fraction of the
/// mechanism's size; in metres if the mechanism has no extent.
const WEIGHTLESS: f64 = 0.2;

/// Solids of the bodies of `m` in a pose, for a scene: shapes of the spec, else inertia ellipsoids.
/// Their number does not depend on the pose.
pub(super) fn body_solids(
    m: &Mechanism,
    env: &Environment<'_, f64>,
    bodies: &[BodyMotion<f64>],
) -> Vec<SolidPicture> {
    let mut out = Vec::new();
    let far = bodies.iter().map(|b| distance(b.origin.0, bodies[0].origin.0)).fold(0.0, f64::max);
    let size = if far > 0.0 { WEIGHTLESS * far } else { WEIGHTLESS };
    for (i, (body, b)) in BodyId::enumerate(m.bodies.iter().zip(bodies)) {
        let place = |r: Vec3<f64>| b.origin + b.rotation.apply(r - b.pole);
        let before = out.len();
        let shapes = m.shapes.iter().filter(|s| s.body == Some(i));
        out.extend(shapes.map(|shape| shape_picture(shape, env, &b.rotation, &place)));
        if out.len() == before
            && let Some((center, axes)) = inertia_ellipsoid(body, env, size)
        {
            let axes = axes.map(|a| b.rotation.apply(a).0);
            out.push(SolidPicture {
                body: Some(i.index()),
                kind: SolidKind::Ellipsoid,
                ghost: true,
                center: place(center).0,
                axes,
            });
        }
    }
    // Solids of the ground come last.
    let ground_shapes = m.shapes.iter().filter(|s| s.body.is_none());
    out.extend(ground_shapes.map(|shape| shape_picture(shape, env, &Mat3::identity(), &|r| r)));
    out
}

/// Solid in a scene for a shape of the spec on a body with this rotation matrix; `place` maps
/// points of the body to the ground.
fn shape_picture(
    shape: &Shape,
    env: &Environment<'_, f64>,
    rotation: &Mat3<f64>,
    place: &dyn Fn(Vec3<f64>) -> Vec3<f64>,
) -> SolidPicture {
    let turn = kinematics::evaluate_rotation(&shape.placement.rotation, env);
    let (kind, axes) = match &shape.solid {
        Solid::Box(sides) => {
            let half = kinematics::evaluate_vector(sides, env).scale(0.5).0;
            (SolidKind::Box, [0, 1, 2].map(|k| Vec3::unit_vector(k).scale(half[k])))
        }
        Solid::Cylinder { radius, length, axis } => {
            let [a, b, c] = frame_along_axis(axis.to_f64());
            let (radius, length) = (radius.eval(env), length.eval(env));
            (SolidKind::Cylinder, [a.scale(radius), b.scale(radius), c.scale(0.5 * length)])
        }
        Solid::Sphere(radius) => {
            let radius = radius.eval(env);
            (SolidKind::Ellipsoid, [0, 1, 2].map(|k| Vec3::unit_vector(k).scale(radius)))
        }
    };
    let center = place(kinematics::evaluate_vector(&shape.placement.origin, env)).0;
    let axes = axes.map(|v| rotation.apply(turn.apply(v)).0);
    SolidPicture { body: shape.body.map(BodyId::index), kind, ghost: false, center, axes }
}

fn unit_vector(v: Vec3<f64>) -> Vec3<f64> {
    v.scale(1.0 / v.dot(v).sqrt())
}

/// Right-handed orthonormal frame whose third axis is along `axis`.
fn frame_along_axis(axis: Vec3<f64>) -> [Vec3<f64>; 3] {
    let c = unit_vector(axis);
    let least = (0..3).min_by(|a, b| c.0[*a].abs().total_cmp(&c.0[*b].abs())).unwrap_or(0);
    let a = unit_vector(c.cross(Vec3::unit_vector(least)));
    [a, c.cross(a), c]
}

/// Homogeneous ellipsoid of the same mass and inertia as the body: its centre and its half axes, in
/// the body frame. Without mass its longest half axis is `size`.
fn inertia_ellipsoid(
    body: &Body,
    env: &Environment<'_, f64>,
    size: f64,
) -> Option<(Vec3<f64>, [Vec3<f64>; 3])> {
    let own_mass = body.mass.eval(env);
    let mass = if own_mass == 0.0 { 1.0 } else { own_mass };
    let center = kinematics::evaluate_vector(&body.center_of_mass, env);
    let [xx, yy, zz, xy, xz, yz] = [0, 1, 2, 3, 4, 5].map(|i| body.inertia[i].eval(env));
    let mut tensor = Mat3([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]);
    if let Some(about) = &body.inertia_about {
        let r = center - kinematics::evaluate_vector(about, env);
        let square = r.dot(r);
        for (i, row) in tensor.0.iter_mut().enumerate() {
            for (k, entry) in row.iter_mut().enumerate() {
                let one = if i == k { square } else { 0.0 };
                *entry -= mass * (one - r.0[i] * r.0[k]);
            }
        }
    }
    if !(mass > 0.0 && tensor.0.iter().flatten().all(|x| x.is_finite())) {
        return None;
    }
    let (moments, axes) = principal_axes(tensor.0);
    let sum: f64 = moments.iter().sum();
    // I₁ = m (b² + c²)/5, and cyclic permutations.
    let half = moments.map(|i| (2.5 * (sum - 2.0 * i) / mass).max(0.0).sqrt());
    let longest = half.iter().fold(0.0f64, |m, x| m.max(*x));
    let half = if own_mass == 0.0 { half.map(|x| x * size / longest) } else { half };
    let longest = if own_mass == 0.0 { size } else { longest };
    let solid = longest > 0.0 && half.iter().all(|x| *x > THIN * longest);
    solid.then(|| (center, [0, 1, 2].map(|k| axes[k].scale(half[k]))))
}

/// Eigenvalues and eigenvectors of a symmetric 3×3 tensor, by Jacobi rotations.
fn principal_axes(mut a: [[f64; 3]; 3]) -> ([f64; 3], [Vec3<f64>; 3]) {
    let mut v = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    for _ in 0..30 {
        for (p, q) in [(0, 1), (0, 2), (1, 2)] {
            if a[p][q] == 0.0 {
                continue;
            }
            let theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
            let t = theta.signum() / (theta.abs() + theta.hypot(1.0));
            let t = if theta == 0.0 { 1.0 } else { t };
            let (c, s) = (1.0 / t.hypot(1.0), t / t.hypot(1.0));
            for row in &mut a {
                (row[p], row[q]) = (c * row[p] - s * row[q], s * row[p] + c * row[q]);
            }
            let [of_p, of_q] = [a[p], a[q]];
            a[p] = [0, 1, 2].map(|k| c * of_p[k] - s * of_q[k]);
            a[q] = [0, 1, 2].map(|k| s * of_p[k] + c * of_q[k]);
            for row in &mut v {
                (row[p], row[q]) = (c * row[p] - s * row[q], s * row[p] + c * row[q]);
            }
        }
    }
    ([a[0][0], a[1][1], a[2][2]], [0, 1, 2].map(|k| Vec3([v[0][k], v[1][k], v[2][k]])))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn principal_axes_turn_the_tensor_back() {
        let tensor = [[3.0, 0.4, -0.2], [0.4, 2.0, 0.7], [-0.2, 0.7, 4.0]];
        let (values, axes) = principal_axes(tensor);
        for (i, row) in tensor.iter().enumerate() {
            for (k, expected) in row.iter().enumerate() {
                let sum: f64 = (0..3).map(|n| values[n] * axes[n].0[i] * axes[n].0[k]).sum();
                assert!((sum - expected).abs() < 1e-12, "{i} {k}: {sum}");
            }
        }
    }

    #[test]
    fn an_ellipsoid_has_the_inertia_that_it_is_drawn_for() {
        let text = "name = \"stone\"\n[bodies.stone]\nmass = 2\ncenter_of_mass = [0.1, 0, 0]\n\
                    inertia = { xx = 0.5, yy = 0.6, zz = 0.7, xy = 0.05 }\n\
                    [joints.flight]\ntype = \"free\"\nparent = \"ground\"\nchild = \"stone\"\n";
        let spec = dqdt_import::read::parse("stone.toml", text).unwrap();
        let m = dqdt_generate::pipeline::build(&spec, "stone.toml").unwrap().mechanism;
        let p = kinematics::evaluate_parameters(&m, &dqdt_algebra::Number::to_f64, &[]);
        let start = kinematics::initial_instant(&m, &dqdt_algebra::Number::to_f64, &p);
        let env = start.as_environment(&dqdt_algebra::Number::to_f64);
        let (center, axes) = inertia_ellipsoid(&m.bodies[0], &env, 1.0).unwrap();
        assert_eq!(center.0, [0.1, 0.0, 0.0]);
        // ∫ r rᵀ dm of an ellipsoid is m/5 Σ a aᵀ. Its inertia tensor is the trace of that minus
        // itself.
        let second = |i: usize, k: usize| -> f64 { axes.iter().map(|a| 2.0 / 5.0 * a.0[i] * a.0[k]).sum() };
        let trace: f64 = (0..3).map(|i| second(i, i)).sum();
        for (i, k, expected) in [(0, 0, 0.5), (1, 1, 0.6), (2, 2, 0.7), (0, 1, 0.05), (1, 2, 0.0)] {
            let inertia = if i == k { trace } else { 0.0 } - second(i, k);
            assert!((inertia - expected).abs() < 1e-12, "{i} {k}: {inertia}");
        }
    }
}
