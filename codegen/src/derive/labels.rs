//! Names of kinematic quantities, for the reader of emitted code.

use std::sync::Arc;

use crate::algebra::{Scalar, Vec3};
use crate::ir::{Graph, SymbolKind, Tracer};
use crate::kinematics::Kinematics;
use crate::mechanism::Mechanism;

/// Names poses, twists, partial velocities and biases.
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
        // Asking must not record: only angles that are used have a sine.
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
            let speed = &m.speeds[*speed].name;
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
