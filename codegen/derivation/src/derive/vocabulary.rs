//! Names of values that simplification passes are likely to form from mechanical quantities.
//!
//! Problem: sums are regrouped and factored; a new intermediate value is often a known quantity (an
//!          acceleration, a partly rotated matrix, the cosine of a difference), but was recorded by
//!          other operations or not at all.
//! Method:  all such quantities are recorded and named last. Their nodes are unused, so the first
//!          pass drops them, but an equal value inherits their name (`ir::Lexicon`).
//! Cost:    O(bodies), O(angles²) up to a bound, and O(coordinates · bodies) if constraints have
//!          derivatives by coordinates.

use super::derivation::Derivation;
use super::solution::Solved;
use dqdt_algebra::{Dimension, Mat3, Scalar, Twist, Vec3};
use dqdt_graph::ir::Tracer;
use dqdt_mechanics::formalism::{self, ground_acceleration_for_gravity};
use dqdt_mechanics::kinematics::{self, BodyMotion};
use dqdt_mechanics::mechanism::{BodyId, CoordinateId};

/// Maximum number of angles for which sums and differences of two angles are named.
const ANGLES: usize = 12;
/// Maximum number of named pose derivatives, counted as bodies times coordinates.
const DERIVATIVES: usize = 1000;

/// A vector of values recorded in a graph.
type TracedVector<'g> = Vec3<Tracer<'g>>;

/// Records and names all quantities of this module. Called last, and only if names are wanted.
pub(super) fn record_vocabulary<'g>(d: &Derivation<'g, '_>, solved: Option<&Solved<'g>>) {
    name_coordinate_rates(d);
    name_angle_sums(d);
    name_energy_shares(d);
    name_turned_inertias(d);
    name_rotation_rates(d);
    name_constraint_ends(d);
    name_accelerations(d, solved);
    name_pose_derivatives(d);
}

/// Names the rates `q̇` of the coordinates.
fn name_coordinate_rates(d: &Derivation<'_, '_>) {
    for (rate, c) in d.kinematics.rates.iter().zip(&d.m.coordinates) {
        rate.suggest_name(&|| format!("{}_dot", c.name));
    }
}

/// Names sine and cosine of the sum and the difference of each two angles.
fn name_angle_sums(d: &Derivation<'_, '_>) {
    let quaternions = kinematics::quaternion_starts(d.m);
    let angles: Vec<CoordinateId> = (d.m.coordinate_ids())
        .filter(|i| {
            let in_quaternion = quaternions.iter().any(|first| first.quaternion_range().contains(&i.index()));
            d.m.coordinates[*i].dimension == Dimension::NONE && !in_quaternion
        })
        .collect();
    if angles.len() > ANGLES {
        return;
    }
    for (at, i) in angles.iter().enumerate() {
        for j in &angles[at + 1..] {
            let [a, b] = [*i, *j].map(|k| &d.m.coordinates[k].name);
            let [(sa, ca), (sb, cb)] = [*i, *j].map(|k| d.symbols.q[k].sin_cos());
            (sa * cb + ca * sb).suggest_name(&|| format!("s_{a}_{b}"));
            (sa * cb - ca * sb).suggest_name(&|| format!("s_{a}_m_{b}"));
            (ca * cb - sa * sb).suggest_name(&|| format!("c_{a}_{b}"));
            (ca * cb + sa * sb).suggest_name(&|| format!("c_{a}_m_{b}"));
        }
    }
}

/// Names twice the kinetic energy of each body, also split into the parts of velocity and angular
/// velocity.
fn name_energy_shares(d: &Derivation<'_, '_>) {
    for (b, body) in d.kinematics.bodies.iter().zip(&d.m.bodies) {
        let momentum = b.inertia.momentum(b.twist);
        momentum.f.dot(b.twist.v).suggest_name(&|| format!("twice_kinetic_v_{}", body.name));
        momentum.m.dot(b.twist.w).suggest_name(&|| format!("twice_kinetic_w_{}", body.name));
        momentum.power_on_twist(b.twist).suggest_name(&|| format!("twice_kinetic_{}", body.name));
        b.twist.w.cross(b.twist.v).name_components(&|| format!("w_cross_v_{}", body.name));
        b.twist.v.dot(b.twist.v).suggest_name(&|| format!("v_sq_{}", body.name));
        b.twist.w.dot(b.twist.w).suggest_name(&|| format!("w_sq_{}", body.name));
    }
}

/// Names inertias that are rotated to parent axes on one side only.
fn name_turned_inertias(d: &Derivation<'_, '_>) {
    if d.formalism.has_mass_matrix() {
        let kind = |i: BodyId| if d.m.joints.iter().any(|j| j.parent == Some(i)) { "tree_" } else { "" };
        for (i, inertia) in BodyId::enumerate(formalism::subtree_inertias(d.m, &d.kinematics)) {
            let (o, name, kind) = (&d.kinematics.bodies[i].relative_rotation, &d.m.bodies[i].name, kind(i));
            o.rotate_symmetric_tensor(&inertia.second).name_entries(&|| format!("turned_{kind}J_{name}"));
            o.apply(inertia.first).name_components(&|| format!("o_{kind}mc_{name}"));
        }
    } else {
        formalism::name_half_rotated_inertias(d.m, &d.kinematics);
    }
}

/// Names rates of rotation matrices, and velocities of bodies in ground axes.
fn name_rotation_rates(d: &Derivation<'_, '_>) {
    for ((b, body), joint) in d.kinematics.bodies.iter().zip(&d.m.bodies).zip(&d.m.joints) {
        b.rotation
            .mul(&Mat3::cross_product_matrix(b.twist.w))
            .name_entries(&|| format!("rate_r_{}", body.name));
        b.rotation.apply(b.twist.v).name_components(&|| format!("ground_v_{}", body.name));
        b.rotation.apply(b.twist.w).name_components(&|| format!("ground_w_{}", body.name));
        if let Some(parent) = joint.parent {
            let turned = b.relative_rotation.apply_transposed(d.kinematics.bodies[parent].twist.w);
            let relative = b.twist.w - turned;
            b.relative_rotation
                .mul(&Mat3::cross_product_matrix(relative))
                .name_entries(&|| format!("rate_o_{}", body.name));
        }
    }
}

/// Names positions and velocities of the ends of constraints on their bodies.
fn name_constraint_ends(d: &Derivation<'_, '_>) {
    let silent = vec![Tracer::ZERO; d.m.inputs.len()];
    let env = d.environment(&silent);
    for c in d.m.constraints.iter().filter(|c| !c.is_program()) {
        let Some(ends) = c.kind.form().ends() else { continue };
        for (body, placement) in [&ends.from, &ends.to] {
            let Some(i) = *body else { continue };
            let (b, name) = (&d.kinematics.bodies[i], &d.m.bodies[i].name);
            let name_of = |quantity: &'static str| move || format!("{quantity}_{}_on_{name}", c.name);
            let arm = kinematics::evaluate_vector(&placement.origin, &env) - b.pole;
            arm.name_components(&name_of("arm"));
            b.rotation.apply(arm).name_components(&name_of("ground_arm"));
            b.twist.w.cross(arm).name_components(&name_of("w_cross_arm"));
            b.twist.velocity_at(arm).name_components(&name_of("v"));
            b.rotation.apply(b.twist.velocity_at(arm)).name_components(&name_of("ground_v"));
        }
    }
}

/// Names accelerations of bodies: at `v̇ = 0` without and with gravity, for given accelerations,
/// and for the solved ones.
fn name_accelerations<'g>(d: &Derivation<'g, '_>, solved: Option<&Solved<'g>>) {
    let silent = vec![Tracer::ZERO; d.m.inputs.len()];
    let ground = ground_acceleration_for_gravity(d.m, &d.environment(&silent));
    let acceleration_symbols = d.acceleration_symbols();
    let still = vec![Tracer::ZERO; d.m.nv()];
    let mut all = vec![
        ("b", Vec3::ZERO, still.clone()),
        ("d", ground, acceleration_symbols),
        ("felt_b", ground, still),
    ];
    all.extend(solved.map(|s| ("rate_", ground, s.accelerations().to_vec())));
    for (kind, ground, accelerations) in all {
        let rates = formalism::body_rates(d.m, &d.kinematics, &accelerations, ground, kind);
        for (i, b) in BodyId::enumerate(&d.kinematics.bodies) {
            name_body_values(d, i, rates[i], kind);
            if let Some(parent) = d.m.parent_body(i) {
                let parents = (d.kinematics.bodies[parent].twist.w, rates[parent]);
                name_carried_values(d, i, b, parents, kind, &d.m.bodies[parent].name);
            }
        }
    }
}

/// Names parts of the inertial wrench of a body whose acceleration is `rate`.
fn name_body_values<'g>(d: &Derivation<'g, '_>, i: BodyId, rate: Twist<Tracer<'g>>, kind: &str) {
    let (b, name) = (&d.kinematics.bodies[i], &d.m.bodies[i].name);
    let name_of = |quantity: &'static str| move || format!("{}_{name}", quantity.replace('~', kind));
    let turning = Mat3::relative_acceleration_matrix(b.twist.w, rate.w).name_entries(&name_of("~turning"));
    for inertia in [b.inertia, d.regrouped_kinematics.bodies[i].inertia] {
        rate.v.scale(inertia.mass).name_components(&name_of("m_~acc"));
        inertia.first.cross(rate.v).name_components(&name_of("mc_cross_~acc"));
        turning.apply(inertia.first).name_components(&name_of("~turning_mc"));
    }
}

/// Names the acceleration that a body takes over from its parent.
fn name_carried_values<'g>(
    d: &Derivation<'g, '_>,
    i: BodyId,
    b: &BodyMotion<Tracer<'g>>,
    (w, parents): (TracedVector<'g>, Twist<Tracer<'g>>),
    kind: &str,
    parent: &str,
) {
    let name = &d.m.bodies[i].name;
    let arm = Mat3::relative_acceleration_matrix(w, parents.w)
        .apply(b.offset)
        .name_components(&|| format!("{kind}turning_arm_{name}"));
    let carried = (parents.v + arm).name_components(&|| format!("{kind}v_{name}_in_{parent}"));
    b.relative_rotation
        .apply_transposed(parents.w)
        .name_components(&|| format!("{kind}w_{parent}_in_{name}"));
    b.relative_rotation.apply_transposed(carried).name_components(&|| format!("carried_{kind}v_{name}"));
}

/// Names derivatives of the poses of bodies and of constraint frames by each coordinate.
fn name_pose_derivatives(d: &Derivation<'_, '_>) {
    let (m, nq) = (d.m, d.m.nq());
    if d.constraint_rows.iter().all(|r| r.position.is_none()) || nq * m.bodies.len() > DERIVATIVES {
        return;
    }
    let silent = vec![Tracer::ZERO; m.inputs.len()];
    let (env, still) = (d.environment(&silent), vec![Tracer::ZERO; m.nv()]);
    for (i, c) in m.coordinates.iter().enumerate() {
        let dq: Vec<_> = (0..nq).map(|k| if k == i { Tracer::ONE } else { Tracer::ZERO }).collect();
        let by = |letter: &str, place: &str, axes: &str| format!("{letter}_{place}_{axes}_by_{}", c.name);
        env.with_jets(Tracer::ZERO, &dq, &still, |env| {
            for (body, pose) in m.bodies.iter().zip(kinematics::body_poses(m, env)) {
                name_matrix(pose.rotation.map(|x| x.d), &|axes| by("r", &body.name, axes));
                name_vector(pose.origin.map(|x| x.d), &|axis| by("p", &body.name, axis));
            }
            for (constraint, rotation, span) in kinematics::constraint_relative_frames(m, env) {
                let name = &m.constraints[constraint].name;
                name_matrix(rotation.map(|x| x.d), &|axes| by("o", name, axes));
                name_vector(span.map(|x| x.d), &|axis| by("span", name, axis));
            }
        });
    }
}

/// Names the three components of a vector.
fn name_vector(v: TracedVector<'_>, name: &dyn Fn(&str) -> String) {
    for (x, axis) in v.0.iter().zip(["x", "y", "z"]) {
        x.suggest_name(&|| name(axis));
    }
}

/// Names the nine entries of a matrix by its pairs of axes.
fn name_matrix(matrix: Mat3<Tracer<'_>>, name: &dyn Fn(&str) -> String) {
    for (row, first) in matrix.0.iter().zip(["x", "y", "z"]) {
        for (x, second) in row.iter().zip(["x", "y", "z"]) {
            x.suggest_name(&|| name(&format!("{first}{second}")));
        }
    }
}
