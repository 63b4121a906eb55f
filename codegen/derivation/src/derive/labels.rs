//! Names of kinematic quantities, for the reader of emitted code.
//!
//! Labels are set before other values are built on theirs, which keeps the labelled values intact.
//! Notes are set after everything is recorded. They only add names: the values that they name exist
//! already, or are unused.

use dqdt_mechanics::mechanism::{BodyAxes, BodyId};
use std::sync::Arc;

use dqdt_algebra::{Mat3, Scalar, Vec3};
use dqdt_graph::ir::{Graph, SymbolKind, Tracer};
use dqdt_mechanics::kinematics::Kinematics;
use dqdt_mechanics::mechanism::Mechanism;

/// Labels poses, twists, partial velocities and bias accelerations.
pub(super) fn label_kinematics<'g>(graph: &'g Graph, m: &Mechanism, k: &Kinematics<Tracer<'g>>) {
    let axes = ["x", "y", "z"];
    let label3 = |v: &Vec3<Tracer<'g>>, name: &str, section: &Arc<str>| {
        for (x, axis) in v.0.iter().zip(axes) {
            graph.label(x.id(graph), &format!("{name}_{axis}"), section);
        }
    };
    let rotations: Arc<str> = Arc::from("sines and cosines");
    for (i, c) in m.coordinates.iter().enumerate() {
        let q = graph.symbol(&c.name, SymbolKind::Coordinate(i));
        let before = graph.len();
        let (s, co) = Tracer::new(graph, q).sin_cos();
        // Skips values that `sin_cos` has just recorded: only angles in use get names.
        for (x, prefix) in [(s, "s"), (co, "c")] {
            let id = x.id(graph);
            if (id.0 as usize) < before {
                graph.label(id, &format!("{prefix}_{}", c.name), &rotations);
            }
        }
    }
    for (body, b) in m.bodies.iter().zip(&k.bodies) {
        let name = &body.name;
        let section: Arc<str> = Arc::from(format!("{name}: rotation from body axes to ground axes"));
        for (i, row) in b.rotation.0.iter().enumerate() {
            for (j, x) in row.iter().enumerate() {
                graph.label(x.id(graph), &format!("r_{name}_{}{}", axes[i], axes[j]), &section);
            }
        }
        label3(
            &b.origin,
            &format!("p_{name}"),
            &Arc::from(format!("{name}: position of the joint origin [m]")),
        );
        label3(&b.twist.w, &format!("w_{name}"), &Arc::from(format!("{name}: angular velocity [rad/s]")));
        label3(
            &b.twist.v,
            &format!("v_{name}"),
            &Arc::from(format!("{name}: velocity of the joint origin [m/s]")),
        );
        for (speed, column) in &b.partial {
            let speed = m.speed_name_stem(*speed);
            let section = Arc::from(format!("{name}: partial velocities"));
            label3(&column.w, &format!("pw_{name}_{speed}"), &section);
            label3(&column.v, &format!("pv_{name}_{speed}"), &section);
        }
        label3(
            &b.bias.w,
            &format!("bw_{name}"),
            &Arc::from(format!("{name}: angular acceleration at v̇ = 0 [rad/s²]")),
        );
        label3(
            &b.bias.v,
            &format!("bv_{name}"),
            &Arc::from(format!("{name}: acceleration of the joint origin at v̇ = 0 [m/s²]")),
        );
    }
}

/// Names inertias, lever arms, relative rotations and the motion that each joint adds. Runs first,
/// since these keep their names in whatever is built from them.
pub(super) fn name_body_quantities(m: &Mechanism, k: &Kinematics<Tracer<'_>>) {
    for ((body, joint), b) in m.bodies.iter().zip(&m.joints).zip(&k.bodies) {
        b.inertia.name_parts("", &|| body.name.clone());
        if joint.parent.is_some() {
            b.relative_rotation.name_entries(&|| format!("o_{}", body.name));
            b.offset.name_components(&|| format!("arm_{}", body.name));
        }
        b.convective.name_parts("own_b", &|| body.name.clone());
        for column in &b.columns {
            if let Some(speed) = column.speed {
                column.twist.name_parts("column_", &|| m.speed_name_stem(speed).to_owned());
            }
        }
    }
}

/// Names the quantities of bodies that are expressed in axes other than body axes.
pub(super) fn name_quantities_in_axes(m: &Mechanism, axes: &BodyAxes, k: &Kinematics<Tracer<'_>>) {
    for (i, (body, b)) in BodyId::enumerate(m.bodies.iter().zip(&k.bodies)) {
        if axes.is_unrotated(i) {
            b.inertia.name_parts("unturned_", &|| body.name.clone());
        }
        if m.parent_body(i).is_some() {
            b.relative_rotation.name_entries(&|| format!("o_{}", body.name));
            b.offset.name_components(&|| format!("arm_{}", body.name));
        }
        let kind = if axes.is_unrotated(i) { "unturned_" } else { "" };
        b.twist.name_parts(kind, &|| body.name.clone());
        b.bias.name_parts(&format!("{kind}b"), &|| body.name.clone());
        b.convective.name_parts("own_b", &|| body.name.clone());
    }
}

/// Names derived quantities of each body: motion transferred from the parent, momenta, and terms of
/// inertial wrenches.
pub(super) fn name_body_intermediates<'g>(m: &Mechanism, k: &Kinematics<Tracer<'g>>) {
    for (i, (body, b)) in BodyId::enumerate(m.bodies.iter().zip(&k.bodies)) {
        let name_of = |quantity: &'static str| move || format!("{quantity}_{}", body.name);
        let (t, inertia) = (b.twist, &b.inertia);
        let acceleration = b.bias.v;
        Mat3::relative_acceleration_matrix(t.w, b.bias.w)
            .name_entries(&name_of("bturning"))
            .apply(inertia.first)
            .name_components(&name_of("bturning_mc"));
        Mat3::relative_acceleration_matrix(t.w, Vec3::ZERO)
            .name_entries(&name_of("turning"))
            .apply(inertia.first)
            .name_components(&name_of("turning_mc"));
        t.w.cross(inertia.first).name_components(&name_of("w_cross_mc"));
        inertia.second.apply(t.w).name_components(&name_of("h"));
        inertia.gyroscopic_wrench(t.w).m.name_components(&name_of("gyroscopic"));
        inertia.first.cross(acceleration).name_components(&name_of("mc_cross_acc"));
        acceleration.scale(inertia.mass).name_components(&name_of("m_acc"));
        t.v.scale(inertia.mass).name_components(&name_of("m_v"));
        inertia.first.cross(t.v).name_components(&name_of("mc_cross_v"));
        b.rotation.apply(inertia.first).name_components(&name_of("mc_in_ground"));
        let Some(parent) = m.parent_body(i) else { continue };
        let (p, parent) = (&k.bodies[parent], &m.bodies[parent].name);
        let here = |quantity: &'static str| move || format!("{quantity}_{}_in_{parent}", body.name);
        let there = |quantity: &'static str| move || format!("{quantity}_{parent}_in_{}", body.name);
        p.twist.w.cross(b.offset).name_components(&name_of("w_cross_arm"));
        (p.twist.v + p.twist.w.cross(b.offset)).name_components(&here("v"));
        let o = &b.relative_rotation;
        let turned = o.apply_transposed(p.twist.w).name_components(&there("w"));
        o.apply_transposed(p.bias.w).name_components(&there("bw"));
        b.carry_parent_twist(p.twist).v.name_components(&name_of("carried_v"));
        (t.w - turned).name_components(&name_of("relative_w"));
        let centripetal = Mat3::relative_acceleration_matrix(p.twist.w, Vec3::ZERO)
            .apply(b.offset)
            .name_components(&name_of("arm_centripetal"));
        o.apply_transposed(centripetal).name_components(&name_of("turned_centripetal"));
        let arm = Mat3::relative_acceleration_matrix(p.twist.w, p.bias.w)
            .apply(b.offset)
            .name_components(&name_of("bturning_arm"));
        (p.bias.v + arm).name_components(&here("bv"));
        let place = p.rotation.apply(b.offset);
        place.name_components(&name_of("arm_in_ground"));
    }
}

/// Names the values of constant and derived parameters, which no caller can set.
pub(super) fn name_parameters(m: &Mechanism, values: &[Tracer<'_>]) {
    for (parameter, value) in m.parameters.iter().zip(values) {
        value.suggest_name(&|| parameter.name.clone());
    }
}
