//! Rails: a body that slides on the ground is drawn on a line.

use super::geometry::{distance, is_massless_slider};
use crate::figure::Scene;
use dqdt_algebra::Vec3;
use dqdt_diagnostics::base::JointSymbol;
use dqdt_mechanics::mechanism::{Joint, Mechanism};

/// Length of a drawn rail beyond the range of motion, as a fraction of the mechanism's size.
const BEYOND: f64 = 0.3;
/// Size assumed for the rails of a mechanism without extent \[m\].
const SMALL: f64 = 0.5;

/// Adds ground lines below prismatic joints to the scenes: rails that cover the range of motion in
/// all of them.
pub(super) fn add_rails(m: &Mechanism, scenes: &mut [Scene]) {
    let Some(first) = scenes.first() else { return };
    let reach = first.joints.iter().map(|j| distance(j.position, first.joints[0].position));
    let points = first.bodies.iter().flat_map(|b| b.lines.iter().map(|[a, b]| distance(*a, *b)));
    let size = reach.chain(points).filter(|x| x.is_finite()).fold(0.0, f64::max);
    let size = if size > 0.0 { size } else { SMALL };
    let roots = m.body_ids().filter(|b| m.joints[b.inboard_joint()].parent.is_none());
    for (k, body) in roots.enumerate() {
        if !needs_rail(&m.joints[body.inboard_joint()]) || is_massless_slider(m, body) {
            continue;
        }
        let positions: Vec<f64> =
            scenes.iter().filter_map(|scene| position_on_rail(scene, body.index(), k)).collect();
        let low = positions.iter().copied().fold(0.0, f64::min) - BEYOND * size;
        let high = positions.iter().copied().fold(0.0, f64::max) + BEYOND * size;
        for scene in scenes.iter_mut() {
            let Some(axis) = scene.joints.get(body.index()).map(|j| Vec3(j.axis)) else { continue };
            let unit = axis.scale(1.0 / axis.dot(axis).sqrt());
            if let Some(line) = scene.ground.get_mut(k) {
                let anchor = Vec3(line[0]);
                *line = [low, high].map(|s| (anchor + unit.scale(s)).0);
            }
        }
    }
}

/// Position of a body along its rail, the ground line with index `rail` of the scene \[m\].
fn position_on_rail(scene: &Scene, body: usize, rail: usize) -> Option<f64> {
    let joint = scene.joints.get(body)?;
    let [anchor, _] = *scene.ground.get(rail)?;
    let (axis, along) = (Vec3(joint.axis), Vec3(joint.position) - Vec3(anchor));
    Some(along.dot(axis) / axis.dot(axis).sqrt()).filter(|x| x.is_finite())
}

fn needs_rail(joint: &Joint) -> bool {
    joint.kind.form().drawing_symbol() == JointSymbol::Prismatic
}

#[cfg(test)]
mod tests {
    use super::super::{motion_animation, start_scene};
    use dqdt_derivation::derive;

    fn mechanism(spec: &str) -> dqdt_mechanics::mechanism::Mechanism {
        let spec = dqdt_import::read::parse("cart.toml", spec).unwrap();
        dqdt_generate::pipeline::build(&spec, "cart.toml").unwrap().mechanism
    }

    const CART: &str = "name = \"cart\"\n[bodies.cart]\nmass = 1\n[bodies.wheel]\ninertia = [0, 0, 1]\n\
                        [joints.rail]\ntype = \"prismatic\"\naxis = \"x\"\nparent = \"ground\"\nchild = \"cart\"\n\
                        coordinates = { names = [\"x\"] }\n[joints.hub]\ntype = \"revolute\"\naxis = \"z\"\n\
                        parent = { body = \"cart\", at = [1, 0, 0] }\nchild = \"wheel\"\ncoordinates = { names = [\"r\"] }\n";

    #[test]
    fn a_rail_is_as_long_as_the_way_on_it() {
        let m = mechanism(CART);
        let scene = start_scene(&m);
        assert_eq!(scene.ground, [[[-0.3, 0.0, 0.0], [0.3, 0.0, 0.0]]]);
        let states = [[0.0, 0.0, 0.0, 0.0], [2.0, 0.0, 0.0, 0.0], [-1.0, 0.0, 0.0, 0.0]].map(|x| x.to_vec());
        let all = motion_animation(&m, &derive::vector_layout(&m), &[], &[0.0, 1.0, 2.0], &states);
        assert!(
            all.scenes.iter().all(|s| s.ground == [[[-1.3, 0.0, 0.0], [2.3, 0.0, 0.0]]]),
            "{:?}",
            all.scenes[0].ground
        );
    }

    #[test]
    fn what_turns_without_a_mass_is_drawn() {
        let scene = start_scene(&mechanism(CART));
        assert_eq!(scene.bodies[1].center_of_mass, Some([1.0, 0.0, 0.0]));
    }

    #[test]
    fn displacements_one_behind_the_other_have_no_rails() {
        let moved = CART.replace("mass = 1", "points = { tip = [0, 0, 0] }");
        let m =
            mechanism(&moved.replace("parent = { body = \"cart\", at = [1, 0, 0] }", "parent = \"cart\""));
        let [[a, b]] = start_scene(&m).ground[..] else { panic!("one line") };
        assert_eq!(a, b);
    }
}
