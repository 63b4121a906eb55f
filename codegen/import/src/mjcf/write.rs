//! Writes bodies and joints to the text of the spec.

use super::frame::{
    find_coordinate_axis, matrix_about_axis, negate_decimal, quaternion_from_matrix, unit_vector,
};
use super::loads;
use super::model::{Equality, MjcfJoint, MjcfJointKind, Model};
use super::names::choose_robot_names;
use super::tendon_forces;
use super::tree::{Link, LinkTree};
use super::writer::SpecWriter;
use crate::robot::Options;
use crate::robot::decimal::Decimal;
use crate::robot::names::{UniqueNames, make_valid_name, to_single_line};
use crate::robot::relevance::Relevance;
use crate::robot::report::Report;
use crate::robot::turn::{self, Pose, RotationAngle, Turn, format_triple};

/// Writes the text of the spec of an MJCF model. `file` is the name of the MJCF file.
pub(super) fn write_spec(
    model: &Model,
    tree: &LinkTree,
    options: &Options,
    report: &mut Report,
    file: &str,
) -> String {
    let names = choose_robot_names(model, tree, report);
    let mut writer = SpecWriter {
        model,
        tree,
        options,
        report,
        names,
        write_points: Default::default(),
        text: String::new(),
    };
    writer.write_header(file);
    let frames = tree.frames_on_link(model, None);
    writer.points("ground", &frames);
    let places = tree.places.iter().enumerate();
    let fixed: Vec<(usize, Pose)> = places
        .filter(|(_, (link, _))| link.is_none())
        .map(|(body, (_, pose))| (body, pose.clone()))
        .collect();
    writer.write_shapes("ground", &fixed);
    for (at, link) in tree.links.iter().enumerate() {
        writer.write_body(at, link);
    }
    for (at, link) in tree.links.iter().enumerate() {
        writer.write_joint(at, link);
    }
    loads::write_inputs_and_loads(&mut writer);
    writer.write_constraints();
    writer.text
}

impl SpecWriter<'_> {
    /// Writes the comment, the name and the gravity at the head of the spec.
    fn write_header(&mut self, file: &str) {
        let file =
            std::path::Path::new(file).file_name().map_or_else(|| file.into(), |f| f.to_string_lossy());
        let robot = to_single_line(&self.model.name);
        self.push_line(&format!(
            "# The robot `{robot}`, read from {} by `dqdt import`.",
            to_single_line(&file)
        ));
        self.push_line("#");
        self.push_line("# Coordinates and speeds are the qpos and qvel of MuJoCo, in the same order. A body with several joints is a chain of");
        self.push_line("# massless bodies. Parts without a joint belong to the body that carries them; their frames are points of that body.");
        self.push_line("");
        self.push_line(&format!("name = \"{}\"", make_valid_name(&self.model.name)));
        self.push_line(&format!(
            "description = {}",
            serde_json::Value::from(format!("{robot}, from {}", to_single_line(&file)))
        ));
        let gravity = &self.model.gravity;
        if gravity.iter().any(|x| !x.is_zero()) {
            self.push_line(&format!("gravity = {}", format_triple(gravity)));
        }
    }

    /// Writes the body of the spec for a link: inertia, points and shapes.
    fn write_body(&mut self, at: usize, link: &Link) {
        let name = self.link_name(Some(at)).to_owned();
        self.push_line(&format!("\n[bodies.{name}]"));
        let Some(body) = self.model.bodies.get(link.body) else { return };
        if link.bodies.is_empty() {
            self.push_line(&format!(
                "# massless body between two joints of `{}`",
                to_single_line(body.name.as_deref().unwrap_or("body"))
            ));
        }
        if let Some(inertia) = self.tree.link_inertia(self.model, link) {
            if !inertia.is_finite() {
                self.check_finite(
                    &[f64::NAN],
                    &format!("the inertia of body {}", body.quoted_name()),
                    body.span,
                );
            }
            inertia.spec_keys().iter().for_each(|line| self.push_line(line));
        }
        let frames = self.tree.frames_on_link(self.model, Some(at));
        self.points(&format!("bodies.{name}"), &frames);
        self.write_shapes(&format!("bodies.{name}"), &link.bodies);
    }

    /// Writes drawing shapes of bodies of the file, in the frame of the body of the spec or of the
    /// ground.
    fn write_shapes(&mut self, table: &str, bodies: &[(usize, Pose)]) {
        let model = self.model;
        let mut shapes = Vec::new();
        for (body, pose) in bodies {
            let body_shapes = model.bodies.get(*body).map_or(&[][..], |b| &b.shapes[..]);
            shapes.extend(body_shapes.iter().flat_map(|shape| shape.shape_entries(pose)));
        }
        if !shapes.is_empty() {
            self.push_line(&format!("\n[{table}.shapes]"));
        }
        for (k, shape) in shapes.iter().enumerate() {
            self.push_line(&format!("geom{} = {shape}", k + 1));
        }
    }

    /// Writes the joint of the spec for a link: type, frames, coordinates and limits.
    fn write_joint(&mut self, at: usize, link: &Link) {
        let Some(joint) = self.model.joint_at_indices((link.body, link.joint)) else { return };
        let Some(name) = self.names.joints.get(at).cloned() else { return };
        let child = self.link_name(Some(at)).to_owned();
        self.push_line(&format!("\n[joints.{}]", name.name));
        self.check_finite(
            &link.pose.position_values(),
            &format!("the position of joint `{}`", name.name),
            joint.span,
        );
        if joint.kind == MjcfJointKind::Free {
            return self.write_free_joint(&link.pose, &child);
        }
        let anchor = Pose { at: joint.at.clone(), turn: Turn::NONE };
        let parent = self.frame_text(link.parent, &link.pose.compose(&anchor));
        let on_child = self.child_joint_frame(joint, anchor);
        let child = self.frame_text(Some(at), &on_child);
        if joint.kind == MjcfJointKind::Ball {
            self.push_line("type = \"spherical\"");
            self.push_line(&format!("parent = {parent}"));
            self.push_line(&format!("child = {child}"));
            self.push_line("coordinates = { quaternion = true }");
            return;
        }
        let word = if joint.kind == MjcfJointKind::Slide { "prismatic" } else { "revolute" };
        let (axis, snapped) = turn::format_axis(&joint.axis, self.options.snap);
        if snapped {
            let text = format!(
                "joint `{}`: the axis {} is rounded to {}",
                name.name,
                format_triple(&joint.axis),
                axis.trim_matches('"')
            );
            self.report.record_snapping(text, Some(joint.span), 1.0);
        }
        self.push_line(&format!("type = \"{word}\""));
        self.push_line(&format!("axis = {axis}"));
        self.push_line(&format!("parent = {parent}"));
        self.push_line(&format!("child = {child}"));
        let armature = self.joint_armature(at, joint);
        if !armature.is_zero() {
            self.push_line(&format!("armature = {}", armature.text));
        }
        let start = &joint.reference;
        let start = if start.is_zero() { String::new() } else { format!(", start = [{}]", start.text) };
        self.push_line(&format!("coordinates = {{ names = [\"q_{}\"]{start} }}", name.stem));
        if let Some([low, high]) = &joint.range {
            self.push_line(&format!("limits = {{ position = [{}, {}] }}", low.text, high.text));
        }
    }

    /// Inertia that the key `armature` of a joint adds to the diagonal of M: its own armature, and
    /// those of its actuators times the squares of their gears.
    fn joint_armature(&self, at: usize, joint: &MjcfJoint) -> Decimal {
        let geared = loads::joint_actuators(self, at).filter(|(_, a)| !a.armature.is_zero());
        let more: f64 = geared.map(|(_, a)| a.gear.value * a.gear.value * a.armature.value).sum();
        if more == 0.0 { joint.armature.clone() } else { Decimal::from_f64(joint.armature.value + more) }
    }

    /// Pose of the joint frame on the child, such that the coordinate has its reference value
    /// (`ref`) in the reference pose.
    fn child_joint_frame(&self, joint: &MjcfJoint, anchor: Pose) -> Pose {
        let reference = &joint.reference;
        if reference.is_zero() {
            return anchor;
        }
        let axis = [0, 1, 2].map(|i| joint.axis[i].value);
        // The axis as it will be written in the spec.
        let (letter, _) = turn::format_axis(&joint.axis, self.options.snap);
        let axis = match letter.trim_matches('"') {
            "x" => [1.0, 0.0, 0.0],
            "-x" => [-1.0, 0.0, 0.0],
            "y" => [0.0, 1.0, 0.0],
            "-y" => [0.0, -1.0, 0.0],
            "z" => [0.0, 0.0, 1.0],
            "-z" => [0.0, 0.0, -1.0],
            _ => axis,
        };
        match (joint.kind, find_coordinate_axis(axis)) {
            (MjcfJointKind::Slide, _) => {
                let unit = unit_vector(axis).unwrap_or([0.0; 3]);
                let at = match find_coordinate_axis(axis) {
                    Some((i, sign)) => {
                        let mut at = anchor.at.clone();
                        at[i] = if sign < 0.0 { negate_decimal(reference) } else { reference.clone() };
                        at
                    }
                    None => unit.map(|x| Decimal::from_f64(reference.value * x)),
                };
                Pose { at, turn: Turn::NONE }
            }
            (_, Some((i, sign))) => {
                let angle = if sign < 0.0 { negate_decimal(reference) } else { reference.clone() };
                Pose { turn: Turn::about_axis(i, RotationAngle::new(&angle, 0.0).0), ..anchor }
            }
            (_, None) => {
                let matrix = matrix_about_axis(axis, reference.value).unwrap_or(turn::UNIT);
                Pose { turn: Turn::from_matrix(matrix, 0.0).0, ..anchor }
            }
        }
    }

    /// Writes the keys of a free joint; `pose` gives its start values.
    fn write_free_joint(&mut self, pose: &Pose, child: &str) {
        self.push_line("type = \"free\"");
        self.push_line("parent = \"ground\"");
        self.push_line(&format!("child = \"{child}\""));
        let start = if *pose == Pose::identity() {
            String::new()
        } else {
            let [x, y, z] = &pose.at;
            let q = quaternion_from_matrix(&pose.turn.matrix)
                .map(|x| Decimal::from_f64(turn::round_off_to_zero(x, 1.0)).text)
                .join(", ");
            format!(", start = [{}, {}, {}, {q}]", x.text, y.text, z.text)
        };
        self.push_line(&format!("coordinates = {{ quaternion = true{start} }}"));
    }

    /// Writes the section `[constraints]` for the equalities of the model.
    fn write_constraints(&mut self) {
        let mut names = UniqueNames::default();
        let mut text = String::new();
        let model = self.model;
        for equality in &model.equalities {
            let Some(entry) = self.constraint_entry(equality) else { continue };
            let name = names.unique_name(equality.name.as_deref().unwrap_or(entry.0));
            text.push_str(&format!("{name} = {{ {} }}\n", entry.1));
        }
        if !text.is_empty() {
            self.push_line("\n[constraints]");
            self.text.push_str(&text);
        }
    }

    /// Stem of the name of the constraint for an equality, and its keys; `None` if it cannot be
    /// written.
    fn constraint_entry(&mut self, equality: &Equality) -> Option<(&'static str, String)> {
        use super::model::EqualityKind;
        let (word, kind, frames) = match &equality.kind {
            EqualityKind::Connect(frames) => ("connect", "spherical", frames),
            EqualityKind::Weld(frames) => ("weld", "weld", frames),
            EqualityKind::Joints { first, second, polynomial } => {
                return loads::joint_equality_keys(self, equality, (*first, *second), polynomial)
                    .map(|t| ("coupled", t));
            }
            EqualityKind::Tendons { first, second, polynomial } => {
                return tendon_forces::tendon_equality_keys(self, equality, (*first, *second), polynomial)
                    .map(|t| ("coupled", t));
            }
        };
        let placed = frames.clone().map(|f| {
            let on = f.body.and_then(|b| self.tree.places.get(b)).cloned();
            let (link, pose) = on.unwrap_or((None, Pose::identity()));
            (link, pose.compose(&f.pose))
        });
        let [first, second] = &placed;
        if first.0 == second.0 {
            let text = format!("a <{word}> between bodies that cannot move relative to each other");
            self.report.record_loss(Relevance::Harmless, "equality", Some(text), equality.span);
            return None;
        }
        // The reaction is that on the second body, so the ground comes first.
        let (from, to) = if second.0.is_none() { (second, first) } else { (first, second) };
        let positions = [from.1.position_values(), to.1.position_values()].concat();
        self.check_finite(&positions, "the position of an equality constraint", equality.span);
        let (from, to) = (self.frame_text(from.0, &from.1), self.frame_text(to.0, &to.1));
        Some((word, format!("type = \"{kind}\", from = {from}, to = {to}")))
    }
}
