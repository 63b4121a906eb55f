//! Writes the constraints of the spec: mimic joints, loop closures, couplings.

use super::UrdfSpecWriter;
use crate::robot::names::UniqueNames;
use crate::robot::turn;
use crate::urdf::closures::BodyPlacements;

impl UrdfSpecWriter<'_> {
    /// Writes the section `[constraints]`: mimic joints, loop closures and couplings.
    pub(super) fn write_constraints(&mut self) {
        let mut names = UniqueNames::default();
        let mut text = self.mimic_constraints_text(&mut names);
        let places = BodyPlacements::new(self.robot, self.tree, self.options.snap);
        for closure in &self.robot.closures {
            let Some(cut) = places.closure_constraint(closure, self.report) else { continue };
            let name = names.choose_name(&cut.name, "closure", Some(closure.span), self.report);
            let [from, to] = cut.ends.map(|end| self.frame_text(end.body, &end.pose));
            text.push_str(&format!("{name} = {{ type = \"{}\", from = {from}, to = {to}", cut.word));
            for (key, direction) in &cut.directions {
                let direction = turn::format_axis(direction, self.options.snap).0;
                text.push_str(&format!(", {key} = {direction}"));
            }
            text.push_str(" }\n");
        }
        for coupling in &self.robot.couplings {
            let Some(joints) = places.coupled_joints(coupling, self.report) else { continue };
            let original = coupling.name.as_deref().unwrap_or("coupling");
            let name = names.choose_name(original, "coupling", Some(coupling.span), self.report);
            let [predecessor, successor] = joints.map(|chain| self.coordinate_names(&chain));
            let ratio = &coupling.ratio.text;
            text.push_str(&match (&predecessor[..], &successor[..]) {
                ([p], [s]) => {
                    format!(
                        "{name} = {{ type = \"gear\", first = \"{s}\", second = \"{p}\", ratio = {ratio} }}\n"
                    )
                }
                (p, s) => {
                    let (p, s) = (p.join(" + "), s.join(" + "));
                    format!("{name} = {{ type = \"position\", formula = \"{s} - ({ratio})*({p})\" }}\n")
                }
            });
        }
        if !text.is_empty() {
            self.text.push_str(&format!("\n[constraints]\n{text}"));
        }
    }

    /// Names of the coordinates of those of these joints that have one coordinate.
    fn coordinate_names(&self, joints: &[usize]) -> Vec<String> {
        let stems = joints.iter().filter_map(|j| self.joints[*j].as_ref());
        stems.map(|(_, stem)| format!("q_{stem}")).collect()
    }

    /// Text of the position constraints for the mimic joints.
    fn mimic_constraints_text(&self, names: &mut UniqueNames) -> String {
        let moving = self.moving_joints();

        let mut text = String::new();
        for (joint, _, stem) in &moving {
            let Some(mimic) = &joint.mimic else { continue };
            let Some(at) = self.by_name.get(mimic.joint.as_str()) else { continue };
            let Some((_, other)) = &self.joints[*at] else { continue };
            let name = names.unique_name(&format!("mimic_{stem}"));
            text.push_str(&format!(
                "{name} = {{ type = \"gear\", first = \"q_{stem}\", second = \"q_{other}\", ratio = {}",
                mimic.multiplier.text
            ));
            if !mimic.offset.is_zero() {
                text.push_str(&format!(", offset = {}", mimic.offset.text));
            }
            text.push_str(" }\n");
        }
        text
    }
}
