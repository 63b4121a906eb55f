//! Inertia of a body that consists of several links.

use super::origin;
use super::robot::{Inertial, Robot};
use super::tree::PlacedLink;
use crate::robot::decimal::Triple;
use crate::robot::inertia::{BodyInertia, RigidPart, combine_parts};
use crate::robot::report::Report;
use crate::robot::turn::{Pose, Turn};

/// Combined inertia of the links that a body of the spec consists of; `None` if they have neither
/// mass nor inertia.
pub(super) fn combine_link_inertia(
    robot: &Robot,
    links: &[PlacedLink],
    snap: f64,
    report: &mut Report,
) -> Option<BodyInertia> {
    let heavy: Vec<(&PlacedLink, &Inertial)> = links
        .iter()
        .filter_map(|p| robot.links[p.link].inertial.as_ref().map(|i| (p, i)))
        .filter(|(_, i)| !i.mass.is_zero() || i.inertia.iter().any(|x| !x.is_zero()))
        .collect();
    let turns: Vec<Turn> = heavy
        .iter()
        .map(|(p, i)| {
            origin::rotation_from_rpy(
                &i.origin,
                snap,
                &format!("inertia of `{}`", robot.links[p.link].name),
                report,
            )
        })
        .collect();
    let centers: Vec<Triple> = heavy
        .iter()
        .map(|(p, i)| {
            origin::origin_position(
                &i.origin,
                snap,
                &format!("inertia of `{}`", robot.links[p.link].name),
                report,
            )
        })
        .collect();
    match heavy[..] {
        [] => None,
        // A single link keeps the numbers of the file.
        [(placed, i)] if placed.pose == Pose::identity() && turns[0].is_identity() => {
            Some(BodyInertia { mass: i.mass.clone(), center: centers[0].clone(), tensor: i.inertia.clone() })
        }
        _ => Some(combine_parts(&link_rigid_parts(&heavy, &turns, &centers))),
    }
}

/// The links with mass as rigid parts in the frame of the body.
fn link_rigid_parts(
    heavy: &[(&PlacedLink, &Inertial)],
    turns: &[Turn],
    centers: &[Triple],
) -> Vec<RigidPart> {
    heavy
        .iter()
        .zip(turns.iter().zip(centers))
        .map(|((placed, i), (turn, center))| {
            let local = [0, 1, 2].map(|k| center[k].value);
            let moved = placed.pose.turn.rotate_vector(local);
            let at = placed.pose.position_values();
            let center = [0, 1, 2].map(|k| at[k] + moved[k]);
            let [xx, yy, zz, xy, xz, yz] = [0, 1, 2, 3, 4, 5].map(|k| i.inertia[k].value);
            let tensor =
                placed.pose.turn.compose(turn).rotate_tensor([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]);
            RigidPart { mass: i.mass.value, center, tensor }
        })
        .collect()
}
