//! The inertia of a body made of several links.

use super::report::Report;
use super::robot::{Decimal, Inertial, Robot, Triple};
use super::tree::Placed;
use super::turn::{Turn, largest, place, rounded};

/// Mass, centre of mass in the body's frame, tensor about it in the body's axes: xx, yy, zz, xy, xz, yz.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Inertia {
    pub mass: Decimal,
    pub center: Triple,
    pub tensor: [Decimal; 6],
}

/// The links of a body together; `None` if they have neither mass nor inertia.
pub(super) fn inertia(robot: &Robot, links: &[Placed], snap: f64, report: &mut Report) -> Option<Inertia> {
    let heavy: Vec<(&Placed, &Inertial)> = links
        .iter()
        .filter_map(|p| robot.links[p.link].inertial.as_ref().map(|i| (p, i)))
        .filter(|(_, i)| !i.mass.is_zero() || i.inertia.iter().any(|x| !x.is_zero()))
        .collect();
    let turns: Vec<Turn> = heavy
        .iter()
        .map(|(p, i)| {
            Turn::of(&i.origin, snap, &format!("inertia of `{}`", robot.links[p.link].name), report)
        })
        .collect();
    let centers: Vec<Triple> = heavy
        .iter()
        .map(|(p, i)| place(&i.origin, snap, &format!("inertia of `{}`", robot.links[p.link].name), report))
        .collect();
    match heavy[..] {
        [] => None,
        // As it was written.
        [(placed, i)] if placed.pose == super::turn::Pose::none() && turns[0].is_none() => {
            Some(Inertia { mass: i.mass.clone(), center: centers[0].clone(), tensor: i.inertia.clone() })
        }
        _ => Some(together(&heavy, &turns, &centers)),
    }
}

fn together(heavy: &[(&Placed, &Inertial)], turns: &[Turn], centers: &[Triple]) -> Inertia {
    let parts: Vec<(f64, [f64; 3], [[f64; 3]; 3])> = heavy
        .iter()
        .zip(turns.iter().zip(centers))
        .map(|((placed, i), (own, center))| {
            let local = [0, 1, 2].map(|k| center[k].value);
            let moved = placed.pose.turn.apply(local);
            let at = placed.pose.position();
            let center = [0, 1, 2].map(|k| at[k] + moved[k]);
            let [xx, yy, zz, xy, xz, yz] = [0, 1, 2, 3, 4, 5].map(|k| i.inertia[k].value);
            let tensor = placed.pose.turn.times(own).turned([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]);
            (i.mass.value, center, tensor)
        })
        .collect();
    let mass: f64 = parts.iter().map(|p| p.0).sum();
    let center = match parts[..] {
        [(_, center, _)] => center,
        _ if mass == 0.0 => [0.0; 3],
        _ => [0, 1, 2].map(|k| parts.iter().map(|p| p.0 * p.1[k]).sum::<f64>() / mass),
    };
    let mut tensor = [[0.0; 3]; 3];
    for (m, c, own) in &parts {
        let d = [0, 1, 2].map(|k| c[k] - center[k]);
        let square: f64 = d.iter().map(|x| x * x).sum();
        for i in 0..3 {
            for j in 0..3 {
                let steiner = if i == j { square - d[i] * d[j] } else { -(d[i] * d[j]) };
                tensor[i][j] += own[i][j] + m * steiner;
            }
        }
    }
    // Turned tensors are symmetric but for rounding.
    let size = tensor.iter().flatten().fold(0.0f64, |m, x| m.max(x.abs()));
    let entry = |i: usize, j: usize| Decimal::of(rounded(0.5 * (tensor[i][j] + tensor[j][i]), size));
    let reach = parts.iter().fold(0.0f64, |m, p| m.max(largest(p.1)));
    Inertia {
        mass: Decimal::of(mass),
        center: center.map(|x| Decimal::of(rounded(x, reach))),
        tensor: [entry(0, 0), entry(1, 1), entry(2, 2), entry(0, 1), entry(0, 2), entry(1, 2)],
    }
}
