//! Writes bodies and joints to the text of the spec.

use super::frame::{find_coordinate_axis, matrix_about_axis, negate, quaternion, unit};
use super::loads;
use super::model::{Equality, MjcfJoint, MjcfJointKind, Model};
use super::names::choose_names;
use super::tendon_forces;
use super::tree::{Link, LinkTree};
use super::writer::SpecWriter;
use crate::robot::Options;
use crate::robot::decimal::Decimal;
use crate::robot::names::{UniqueNames, make_valid, to_single_line};
use crate::robot::relevance::Relevance;
use crate::robot::report::Report;
use crate::robot::turn::{self, Pose, RotationAngle, Turn, format_list};

/// Writes the text of the spec of an MJCF model. `file` is the name of the MJCF file.
pub(super) fn write(
    model: &Model,
    tree: &LinkTree,
    options: &Options,
    report: &mut Report,
    file: &str,
) -> String {
    let names = choose_names(model, tree, report);
    let mut writer =
        SpecWriter { model, tree, options, report, names, points: Default::default(), text: String::new() };
    writer.head(file);
    let frames = tree.frames(model, None);
    writer.points("ground", &frames);
    let places = tree.places.iter().enumerate();
    let fixed: Vec<(usize, Pose)> = places
        .filter(|(_, (link, _))| link.is_none())
        .map(|(body, (_, pose))| (body, pose.clone()))
        .collect();
    writer.shapes("ground", &fixed);
    for (at, link) in tree.links.iter().enumerate() {
        writer.body(at, link);
    }
    for (at, link) in tree.links.iter().enumerate() {
        writer.joint(at, link);
    }
    loads::write(&mut writer);
    writer.constraints();
    writer.text
}

impl SpecWriter<'_> {
    /// Writes the comment, the name and the gravity at the head of the spec.
    fn head(&mut self, file: &str) {
        let file =
            std::path::Path::new(file).file_name().map_or_else(|| file.into(), |f| f.to_string_lossy());
        let robot = to_single_line(&self.model.name);
        self.push(&format!("# The robot `{robot}`, read from {} by `dqdt import`.", to_single_line(&file)));
        self.push("#");
        self.push("# Coordinates and speeds are MuJoCo's qpos and qvel, in the same order. A body with several joints is a chain of");
        self.push("# massless bodies. Parts that no joint moves belong to the body that carries them; their frames are points of it.");
        self.push("");
        self.push(&format!("name = \"{}\"", make_valid(&self.model.name)));
        self.push(&format!(
            "description = {}",
            serde_json::Value::from(format!("{robot}, from {}", to_single_line(&file)))
        ));
        let gravity = &self.model.gravity;
        if gravity.iter().any(|x| !x.is_zero()) {
            self.push(&format!("gravity = {}", format_list(gravity)));
        }
    }

    /// Writes the body of the spec for a link: inertia, points and shapes.
    fn body(&mut self, at: usize, link: &Link) {
        let name = self.name_of(Some(at)).to_owned();
        self.push(&format!("\n[bodies.{name}]"));
        let Some(body) = self.model.bodies.get(link.body) else { return };
        if link.bodies.is_empty() {
            self.push(&format!(
                "# massless, between the joints of `{}`",
                to_single_line(body.name.as_deref().unwrap_or("body"))
            ));
        }
        if let Some(inertia) = self.tree.inertia(self.model, link) {
            if !inertia.is_finite() {
                self.finite(&[f64::NAN], &format!("the inertia of body {}", body.quoted_name()), body.span);
            }
            inertia.lines().iter().for_each(|line| self.push(line));
        }
        let frames = self.tree.frames(self.model, Some(at));
        self.points(&format!("bodies.{name}"), &frames);
        self.shapes(&format!("bodies.{name}"), &link.bodies);
    }

    /// Writes drawing shapes of bodies of the file, in the frame of the body of the spec or of the
    /// ground.
    fn shapes(&mut self, table: &str, bodies: &[(usize, Pose)]) {
        let model = self.model;
        let mut shapes = Vec::new();
        for (body, pose) in bodies {
            let body_shapes = model.bodies.get(*body).map_or(&[][..], |b| &b.shapes[..]);
            shapes.extend(body_shapes.iter().flat_map(|shape| shape.entries(pose)));
        }
        if !shapes.is_empty() {
            self.push(&format!("\n[{table}.shapes]"));
        }
        for (k, shape) in shapes.iter().enumerate() {
            self.push(&format!("geom{} = {shape}", k + 1));
        }
    }

    /// Writes the joint of the spec for a link: type, frames, coordinates and limits.
    fn joint(&mut self, at: usize, link: &Link) {
        let Some(joint) = self.model.joint_at((link.body, link.joint)) else { return };
        let Some(name) = self.names.joints.get(at).cloned() else { return };
        let child = self.name_of(Some(at)).to_owned();
        self.push(&format!("\n[joints.{}]", name.name));
        self.finite(&link.pose.position(), &format!("the position of joint `{}`", name.name), joint.span);
        if joint.kind == MjcfJointKind::Free {
            return self.free(&link.pose, &child);
        }
        let anchor = Pose { at: joint.at.clone(), turn: Turn::NONE };
        let parent = self.frame(link.parent, &link.pose.times(&anchor));
        let on_child = self.on_child(joint, anchor);
        let child = self.frame(Some(at), &on_child);
        if joint.kind == MjcfJointKind::Ball {
            self.push("type = \"spherical\"");
            self.push(&format!("parent = {parent}"));
            self.push(&format!("child = {child}"));
            self.push("coordinates = { quaternion = true }");
            return;
        }
        let word = if joint.kind == MjcfJointKind::Slide { "prismatic" } else { "revolute" };
        let (axis, snapped) = turn::format_axis(&joint.axis, self.options.snap);
        if snapped {
            let text = format!(
                "joint `{}`: the axis {} becomes {}",
                name.name,
                format_list(&joint.axis),
                axis.trim_matches('"')
            );
            self.report.record_snapping(text, Some(joint.span), 1.0);
        }
        self.push(&format!("type = \"{word}\""));
        self.push(&format!("axis = {axis}"));
        self.push(&format!("parent = {parent}"));
        self.push(&format!("child = {child}"));
        let armature = self.armature(at, joint);
        if !armature.is_zero() {
            self.push(&format!("armature = {}", armature.text));
        }
        let start = &joint.reference;
        let start = if start.is_zero() { String::new() } else { format!(", start = [{}]", start.text) };
        self.push(&format!("coordinates = {{ names = [\"q_{}\"]{start} }}", name.stem));
        if let Some([low, high]) = &joint.range {
            self.push(&format!("limits = {{ position = [{}, {}] }}", low.text, high.text));
        }
    }

    /// Inertia that the key `armature` of a joint adds to the diagonal of M: its own armature, and
    /// those of its actuators times the squares of their gears.
    fn armature(&self, at: usize, joint: &MjcfJoint) -> Decimal {
        let geared = loads::actuators_of_joint(self, at).filter(|(_, a)| !a.armature.is_zero());
        let more: f64 = geared.map(|(_, a)| a.gear.value * a.gear.value * a.armature.value).sum();
        if more == 0.0 { joint.armature.clone() } else { Decimal::from_f64(joint.armature.value + more) }
    }

    /// Pose of the joint frame on the child, such that the coordinate has its reference value
    /// (`ref`) in the reference pose.
    fn on_child(&self, joint: &MjcfJoint, anchor: Pose) -> Pose {
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
                let unit = unit(axis).unwrap_or([0.0; 3]);
                let at = match find_coordinate_axis(axis) {
                    Some((i, sign)) => {
                        let mut at = anchor.at.clone();
                        at[i] = if sign < 0.0 { negate(reference) } else { reference.clone() };
                        at
                    }
                    None => unit.map(|x| Decimal::from_f64(reference.value * x)),
                };
                Pose { at, turn: Turn::NONE }
            }
            (_, Some((i, sign))) => {
                let angle = if sign < 0.0 { negate(reference) } else { reference.clone() };
                Pose { turn: Turn::about(i, RotationAngle::new(&angle, 0.0).0), ..anchor }
            }
            (_, None) => {
                let matrix = matrix_about_axis(axis, reference.value).unwrap_or(turn::UNIT);
                Pose { turn: Turn::from_matrix(matrix, 0.0).0, ..anchor }
            }
        }
    }

    /// Writes the keys of a free joint; `pose` gives its start values.
    fn free(&mut self, pose: &Pose, child: &str) {
        self.push("type = \"free\"");
        self.push("parent = \"ground\"");
        self.push(&format!("child = \"{child}\""));
        let start = if *pose == Pose::none() {
            String::new()
        } else {
            let [x, y, z] = &pose.at;
            let q = quaternion(&pose.turn.matrix)
                .map(|x| Decimal::from_f64(turn::round_off(x, 1.0)).text)
                .join(", ");
            format!(", start = [{}, {}, {}, {q}]", x.text, y.text, z.text)
        };
        self.push(&format!("coordinates = {{ quaternion = true{start} }}"));
    }

    /// Writes the section `[constraints]` for the equalities of the model.
    fn constraints(&mut self) {
        let mut names = UniqueNames::default();
        let mut text = String::new();
        let model = self.model;
        for equality in &model.equalities {
            let Some(entry) = self.constraint(equality) else { continue };
            let name = names.unique(equality.name.as_deref().unwrap_or(entry.0));
            text.push_str(&format!("{name} = {{ {} }}\n", entry.1));
        }
        if !text.is_empty() {
            self.push("\n[constraints]");
            self.text.push_str(&text);
        }
    }

    /// Stem of the name of the constraint for an equality, and its keys; `None` if it cannot be
    /// written.
    fn constraint(&mut self, equality: &Equality) -> Option<(&'static str, String)> {
        use super::model::EqualityKind;
        let (word, kind, frames) = match &equality.kind {
            EqualityKind::Connect(frames) => ("connect", "spherical", frames),
            EqualityKind::Weld(frames) => ("weld", "weld", frames),
            EqualityKind::Joints { first, second, polynomial } => {
                return loads::couple_joints(self, equality, (*first, *second), polynomial)
                    .map(|t| ("coupled", t));
            }
            EqualityKind::Tendons { first, second, polynomial } => {
                return tendon_forces::couple_tendons(self, equality, (*first, *second), polynomial)
                    .map(|t| ("coupled", t));
            }
        };
        let placed = frames.clone().map(|f| {
            let on = f.body.and_then(|b| self.tree.places.get(b)).cloned();
            let (link, pose) = on.unwrap_or((None, Pose::none()));
            (link, pose.times(&f.pose))
        });
        let [first, second] = &placed;
        if first.0 == second.0 {
            let text = format!("an equality <{word}> between bodies that cannot move relative to each other");
            self.report.record_loss(Relevance::Harmless, "equality", Some(text), equality.span);
            return None;
        }
        // The reaction is that on the second body, so the ground comes first.
        let (from, to) = if second.0.is_none() { (second, first) } else { (first, second) };
        let positions = [from.1.position(), to.1.position()].concat();
        self.finite(&positions, "the position of an equality", equality.span);
        let (from, to) = (self.frame(from.0, &from.1), self.frame(to.0, &to.1));
        Some((word, format!("type = \"{kind}\", from = {from}, to = {to}")))
    }
}
