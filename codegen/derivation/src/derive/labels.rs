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
pub(super) fn kinematics<'g>(graph: &'g Graph, m: &Mechanism, k: &Kinematics<Tracer<'g>>) {
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
        let section: Arc<str> = Arc::from(format!("{name}: rotation to the ground"));
        for (i, row) in b.rotation.0.iter().enumerate() {
            for (j, x) in row.iter().enumerate() {
                graph.label(x.id(graph), &format!("r_{name}_{}{}", axes[i], axes[j]), &section);
            }
        }
        label3(&b.origin, &format!("p_{name}"), &Arc::from(format!("{name}: position of the joint [m]")));
        label3(&b.twist.w, &format!("w_{name}"), &Arc::from(format!("{name}: angular velocity [rad/s]")));
        label3(&b.twist.v, &format!("v_{name}"), &Arc::from(format!("{name}: velocity of the joint [m/s]")));
        for (speed, column) in &b.partial {
            let speed = m.stem_of_speed(*speed);
            let section = Arc::from(format!("{name}: partial velocities"));
            label3(&column.w, &format!("pw_{name}_{speed}"), &section);
            label3(&column.v, &format!("pv_{name}_{speed}"), &section);
        }
        label3(
            &b.bias.w,
            &format!("bw_{name}"),
            &Arc::from(format!("{name}: bias of angular acceleration [rad/s²]")),
        );
        label3(&b.bias.v, &format!("bv_{name}"), &Arc::from(format!("{name}: bias of acceleration [m/s²]")));
    }
}

/// Names inertias, lever arms, relative rotations and the motion that each joint adds. Runs first,
/// since these keep their names in whatever is built from them.
pub(super) fn bodies(m: &Mechanism, k: &Kinematics<Tracer<'_>>) {
    for ((body, joint), b) in m.bodies.iter().zip(&m.joints).zip(&k.bodies) {
        b.inertia.named("", &|| body.name.clone());
        if joint.parent.is_some() {
            b.relative_rotation.named(&|| format!("o_{}", body.name));
            b.offset.named(&|| format!("arm_{}", body.name));
        }
        b.convective.named("own_b", &|| body.name.clone());
        for column in &b.columns {
            if let Some(speed) = column.speed {
                column.twist.named("column_", &|| m.stem_of_speed(speed).to_owned());
            }
        }
    }
}

/// Names the quantities of bodies that are expressed in axes other than body axes.
pub(super) fn bodies_in_axes(m: &Mechanism, axes: &BodyAxes, k: &Kinematics<Tracer<'_>>) {
    for (i, (body, b)) in BodyId::enumerate(m.bodies.iter().zip(&k.bodies)) {
        if axes.is_unturned(i) {
            b.inertia.named("unturned_", &|| body.name.clone());
        }
        if m.parent(i).is_some() {
            b.relative_rotation.named(&|| format!("o_{}", body.name));
            b.offset.named(&|| format!("arm_{}", body.name));
        }
        let kind = if axes.is_unturned(i) { "unturned_" } else { "" };
        b.twist.named(kind, &|| body.name.clone());
        b.bias.named(&format!("{kind}b"), &|| body.name.clone());
        b.convective.named("own_b", &|| body.name.clone());
    }
}

/// Names derived quantities of each body: motion transferred from the parent, momenta, and terms of
/// inertial wrenches.
pub(super) fn body_notes<'g>(m: &Mechanism, k: &Kinematics<Tracer<'g>>) {
    for (i, (body, b)) in BodyId::enumerate(m.bodies.iter().zip(&k.bodies)) {
        let name_of = |quantity: &'static str| move || format!("{quantity}_{}", body.name);
        let (t, inertia) = (b.twist, &b.inertia);
        let acceleration = b.bias.v;
        Mat3::turning(t.w, b.bias.w)
            .named(&name_of("bturning"))
            .apply(inertia.first)
            .named(&name_of("bturning_mc"));
        Mat3::turning(t.w, Vec3::ZERO)
            .named(&name_of("turning"))
            .apply(inertia.first)
            .named(&name_of("turning_mc"));
        t.w.cross(inertia.first).named(&name_of("w_cross_mc"));
        inertia.second.apply(t.w).named(&name_of("h"));
        inertia.gyroscopic(t.w).m.named(&name_of("gyroscopic"));
        inertia.first.cross(acceleration).named(&name_of("mc_cross_acc"));
        acceleration.scale(inertia.mass).named(&name_of("m_acc"));
        t.v.scale(inertia.mass).named(&name_of("m_v"));
        inertia.first.cross(t.v).named(&name_of("mc_cross_v"));
        b.rotation.apply(inertia.first).named(&name_of("mc_in_ground"));
        let Some(parent) = m.parent(i) else { continue };
        let (p, parent) = (&k.bodies[parent], &m.bodies[parent].name);
        let here = |quantity: &'static str| move || format!("{quantity}_{}_in_{parent}", body.name);
        let there = |quantity: &'static str| move || format!("{quantity}_{parent}_in_{}", body.name);
        p.twist.w.cross(b.offset).named(&name_of("w_cross_arm"));
        (p.twist.v + p.twist.w.cross(b.offset)).named(&here("v"));
        let o = &b.relative_rotation;
        let turned = o.apply_transposed(p.twist.w).named(&there("w"));
        o.apply_transposed(p.bias.w).named(&there("bw"));
        b.carry(p.twist).v.named(&name_of("carried_v"));
        (t.w - turned).named(&name_of("relative_w"));
        let centripetal =
            Mat3::turning(p.twist.w, Vec3::ZERO).apply(b.offset).named(&name_of("arm_centripetal"));
        o.apply_transposed(centripetal).named(&name_of("turned_centripetal"));
        let arm = Mat3::turning(p.twist.w, p.bias.w).apply(b.offset).named(&name_of("bturning_arm"));
        (p.bias.v + arm).named(&here("bv"));
        let place = p.rotation.apply(b.offset);
        place.named(&name_of("arm_in_ground"));
    }
}

/// Names the values of constant and derived parameters, which no caller can set.
pub(super) fn parameters(m: &Mechanism, values: &[Tracer<'_>]) {
    for (parameter, value) in m.parameters.iter().zip(values) {
        value.named(&|| parameter.name.clone());
    }
}
