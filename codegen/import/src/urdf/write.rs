//! Writes the text of the spec.

mod constraints;
mod joints;
mod loads;

use std::collections::BTreeMap;

use self::joints::{limits_text, plane_axes_text, start_value};
use self::loads::{LostPart, find_lost_joint_parts, write_friction_entry};
use super::inertia::combine_link_inertia;
use super::robot::{Robot, UrdfJoint, UrdfJointKind};
use super::tree::{BodyTree, PlacedLink, TreeBody, pinocchio_order};
use crate::robot::decimal::Decimal;
use crate::robot::names::{UniqueNames, make_valid_name, to_single_line};
use crate::robot::relevance::Relevance;
use crate::robot::report::Report;
use crate::robot::turn::{self, Pose, format_triple};
use crate::robot::{Base, Options};
use dqdt_diagnostics::base::Span;
use dqdt_diagnostics::error::Diagnostic;

/// Gravity of all robots: along −z of the ground, with the value used by Pinocchio and MuJoCo.
const GRAVITY: &str = "gravity = [0, 0, -9.81]\n";

/// Writer of the text of a spec for a URDF: the text so far, and the data that it is written from.
struct UrdfSpecWriter<'a> {
    robot: &'a Robot,
    tree: &'a BodyTree,
    options: &'a Options,
    report: &'a mut Report,
    /// Names of the bodies of the spec, by their index in the tree.
    bodies: Vec<String>,
    /// Name and stem of each moving joint, by its index in the file; its coordinates and input are
    /// named by the stem.
    joints: Vec<Option<(String, String)>>,
    /// Indices of the joints in the URDF, by name.
    by_name: BTreeMap<&'a str, usize>,
    text: String,
}

/// Writes the text of the spec of a URDF. `file` is the name of the URDF.
pub(super) fn write_spec(
    robot: &Robot,
    tree: &BodyTree,
    options: &Options,
    report: &mut Report,
    file: &str,
) -> String {
    let mut names = UniqueNames::default();
    let bodies = tree.bodies.iter().map(|b| {
        let link = &robot.links[b.links[0].link];
        names.choose_name(&link.name, "link", Some(link.span), report)
    });
    let bodies: Vec<String> = bodies.collect();
    let joints = joint_names(robot, tree, options, report);
    let by_name = robot.joints.iter().enumerate().map(|(i, j)| (j.name.as_str(), i)).collect();
    let mut writer =
        UrdfSpecWriter { robot, tree, options, report, bodies, joints, by_name, text: String::new() };
    writer.write_header(file);
    writer.write_ground();
    for at in 0..tree.bodies.len() {
        writer.write_body(at);
    }
    for at in 0..tree.bodies.len() {
        writer.write_joint(at);
    }
    writer.write_motors_and_friction();
    writer.write_constraints();
    writer.text
}

/// Name and stem of each moving joint by its index in the file. Coordinates, speeds and inputs,
/// which share one namespace, are named by the stem.
fn joint_names(
    robot: &Robot,
    tree: &BodyTree,
    options: &Options,
    report: &mut Report,
) -> Vec<Option<(String, String)>> {
    let (mut names, mut symbols) = (UniqueNames::default(), UniqueNames::default());

    if options.base == Base::Free {
        names.unique_name("base");
        symbols.unique_name_with("base", &quaternion_joint_symbols);
    }
    let mut joints = vec![None; robot.joints.len()];
    let moving: Vec<usize> = tree.bodies.iter().filter_map(|b| b.joint).collect();
    // Joints with quaternions come first, because their coordinates are named after them.
    for floating in [true, false] {
        for at in moving.iter().copied().filter(|at| robot.joints[*at].kind.has_quaternion() == floating) {
            let joint = &robot.joints[at];
            let name = names.choose_name(&joint.name, "joint", Some(joint.span), report);
            let stem = name.strip_suffix("_joint").or_else(|| name.strip_prefix("joint_")).unwrap_or(&name);
            let stem = match floating {
                true => symbols.unique_name_with(&name, &quaternion_joint_symbols),
                false => symbols.unique_name_with(stem, &joint_symbols),
            };
            joints[at] = Some((name, stem));
        }
    }
    joints
}

/// Names of the coordinates and speeds of a free or ball joint, whose attitude is a quaternion.
fn quaternion_joint_symbols(name: &str) -> Vec<String> {
    let parts = ["x", "y", "z", "qw", "qx", "qy", "qz", "vx", "vy", "vz", "omega_x", "omega_y", "omega_z"];
    parts.iter().map(|p| format!("{name}_{p}")).collect()
}

/// Names that the coordinates, speeds and the input of a joint may have, by the stem of its name;
/// all must be free.
fn joint_symbols(stem: &str) -> Vec<String> {
    let coordinates = ["q", "x", "y", "angle", "q1", "q2"];
    let motion = coordinates.iter().flat_map(|p| [format!("{p}_{stem}"), format!("{p}_{stem}_dot")]);
    motion.chain([format!("tau_{stem}"), format!("f_{stem}")]).collect()
}

impl UrdfSpecWriter<'_> {
    fn push_line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    fn write_header(&mut self, file: &str) {
        let file =
            std::path::Path::new(file).file_name().map_or_else(|| file.into(), |f| f.to_string_lossy());
        let robot = to_single_line(&self.robot.name);
        self.push_line(&format!(
            "# The robot `{robot}`, read from {} by `dqdt import`.",
            to_single_line(&file)
        ));
        self.push_line("#");
        self.push_line("# The frame of a body is the frame of its link, at the joint that carries the body. Links attached by fixed joints");
        self.push_line("# belong to the body that carries them; their frames are points of that body.");
        if self.options.base == Base::Free {
            self.push_line("#");
            self.push_line("# The base moves freely: position, quaternion (scalar first; Pinocchio puts the scalar last), then linear and");
            self.push_line("# angular velocity in the axes of the base, as in Pinocchio.");
        }
        self.write_pinocchio_order();
        self.push_line("");
        self.push_line(&format!("name = \"{}\"", make_valid_name(&self.robot.name)));
        self.push_line(&format!(
            "description = {}",
            serde_json::Value::from(format!("{robot}, from {}", to_single_line(&file)))
        ));
        self.text.push_str(GRAVITY);
    }

    /// Writes Pinocchio's order of the coordinates as a comment, if that of the spec differs.
    fn write_pinocchio_order(&mut self) {
        let first = self.tree.ground.first().or_else(|| self.tree.bodies.first()?.links.first());
        let Some(first) = first else { return };
        let ours: Vec<usize> = self.tree.bodies.iter().filter_map(|b| b.joint).collect();
        let theirs = pinocchio_order(self.robot, first.link);
        if ours == theirs {
            return;
        }
        let stems: Vec<&str> =
            theirs.iter().filter_map(|j| self.joints[*j].as_ref().map(|(_, stem)| stem.as_str())).collect();
        let mut text = "# Joints are in the order of the file. Pinocchio sorts them by name:".to_owned();
        let mut width = text.len();
        for stem in stems {
            if width + stem.len() > 116 {
                text.push_str("\n#  ");
                width = 3;
            }
            text.push_str(&format!(" {stem}"));
            width += stem.len() + 1;
        }
        self.push_line("#");
        self.push_line(&text);
    }

    fn write_ground(&mut self) {
        let links: Vec<PlacedLink> = self.tree.ground.iter().skip(1).cloned().collect();
        let heavy = self
            .tree
            .ground
            .iter()
            .filter(|p| self.robot.links[p.link].inertial.as_ref().is_some_and(|i| !i.mass.is_zero()));
        for (i, placed) in heavy.enumerate() {
            let link = &self.robot.links[placed.link];
            let help = if i == 0 { "; use --base free to let it move" } else { "" };
            let text = format!("inertia of link `{}`, which is fixed to the ground{help}", link.name);
            self.report.record_loss(Relevance::Harmless, "link/inertial", Some(text), link.span);
        }
        self.write_points("ground", &links);
        self.write_shapes("ground", &self.tree.ground.clone());
    }

    /// Writes the frames of links as points of a body or of the ground.
    fn write_points(&mut self, table: &str, links: &[PlacedLink]) {
        if links.is_empty() {
            return;
        }
        self.push_line(&format!("\n[{table}.points]"));
        let mut names = UniqueNames::default();
        for placed in links {
            let link = &self.robot.links[placed.link];
            let name = names.choose_name(&link.name, "frame", Some(link.span), self.report);
            let keys = placed.pose.pose_keys(true);
            let value = match &keys[..] {
                [_] => format_triple(&placed.pose.at),
                _ => format!("{{ {} }}", keys.join(", ")),
            };
            self.push_line(&format!("{name} = {value}"));
        }
    }

    fn write_body(&mut self, at: usize) {
        let links = &self.tree.bodies[at].links;
        let name = self.bodies[at].clone();
        self.push_line(&format!("\n[bodies.{name}]"));
        if let Some(i) = combine_link_inertia(self.robot, links, self.options.snap, self.report) {
            if !i.is_finite() {
                let link = &self.robot.links[links[0].link];
                self.report
                    .add_problem(not_finite_error(&format!("the inertia of `{}`", link.name), link.span));
            }
            i.spec_keys().iter().for_each(|line| self.push_line(line));
        }
        let fixed: Vec<PlacedLink> = links.iter().skip(1).cloned().collect();
        self.write_points(&format!("bodies.{name}"), &fixed);
        self.write_shapes(&format!("bodies.{name}"), &links.clone());
    }

    /// Writes the drawing shapes of the links of a body or of the ground.
    fn write_shapes(&mut self, table: &str, links: &[PlacedLink]) {
        let mut shapes = Vec::new();
        for placed in links {
            for visual in &self.robot.links[placed.link].visuals {
                shapes.extend(visual.shape_entry(&placed.pose, self.report));
            }
        }
        if !shapes.is_empty() {
            self.push_line(&format!("\n[{table}.shapes]"));
            for (k, shape) in shapes.iter().enumerate() {
                self.push_line(&format!("visual{} = {shape}", k + 1));
            }
        }
    }

    fn write_joint(&mut self, at: usize) {
        let body: &TreeBody = &self.tree.bodies[at];
        let child = self.bodies[at].clone();
        let Some(number) = body.joint else {
            self.push_line("\n[joints.base]");
            self.write_free_joint("ground".into(), &child);
            return;
        };
        let joint = &self.robot.joints[number];
        let Some((name, stem)) = self.joints[number].clone() else { return };
        if !body.pose.position_values().iter().all(|x| x.is_finite()) {
            self.report.add_problem(not_finite_error(
                &format!("the position of joint `{}`", joint.name),
                joint.span,
            ));
        }
        let parent = self.frame_text(body.parent, &body.pose);
        self.push_line(&format!("\n[joints.{name}]"));
        let word = match joint.kind {
            UrdfJointKind::Floating => return self.write_free_joint(parent, &child),
            UrdfJointKind::Spherical => {
                self.push_line(&format!("type = \"spherical\"\nparent = {parent}\nchild = \"{child}\""));
                self.push_line("coordinates = { quaternion = true }");
                return self.report_lost_limits(number);
            }
            UrdfJointKind::Universal(axes) => {
                let [first, second] = axes.map(|i| ["x", "y", "z"][i.min(2)]);
                self.push_line("type = \"universal\"");
                self.push_line(&format!(
                    "axes = [\"{first}\", \"{second}\"]\nparent = {parent}\nchild = \"{child}\""
                ));
                self.push_line(&format!("coordinates = {{ names = [\"q1_{stem}\", \"q2_{stem}\"] }}"));
                return self.report_lost_limits(number);
            }
            UrdfJointKind::Planar => "planar",
            UrdfJointKind::Prismatic => "prismatic",
            UrdfJointKind::Revolute | UrdfJointKind::Continuous | UrdfJointKind::Fixed => "revolute",
        };
        self.push_line(&format!("type = \"{word}\""));
        let axis = self.axis_text(joint);
        match joint.kind {
            UrdfJointKind::Planar => self.push_line(&format!("axes = {}", plane_axes_text(joint, &axis))),
            _ => self.push_line(&format!("axis = {axis}")),
        }
        self.push_line(&format!("parent = {parent}"));
        self.push_line(&format!("child = \"{child}\""));
        if joint.kind == UrdfJointKind::Planar {
            let names = ["x", "y", "angle"].map(|n| format!("\"{n}_{stem}\"")).join(", ");
            self.push_line(&format!("coordinates = {{ names = [{names}] }}"));
        } else {
            let start = self.write_start_key(number);
            self.push_line(&format!("coordinates = {{ names = [\"q_{stem}\"]{start} }}"));
        }
        self.report_invalid_limits(number);
        match limits_text(joint) {
            Some(_) if joint.kind == UrdfJointKind::Planar => self.report_lost_limits(number),
            Some(limits) => self.push_line(&limits),
            None => {}
        }
    }

    /// The key `start` of the coordinate of a joint; empty if it starts at zero.
    fn write_start_key(&mut self, number: usize) -> String {
        let joint = &self.robot.joints[number];
        let start = start_value(self.robot, &self.by_name, number);
        if !start.is_finite() {
            self.report.add_problem(not_finite_error(
                &format!("the initial value of joint `{}`", joint.name),
                joint.span,
            ));
        }
        if start == 0.0 {
            return String::new();
        }
        let start = Decimal::from_f64(start).text;
        let why = "the value 0 is excluded by its limits or by the joint that it mimics";
        self.report.add_note(format!("joint `{}` starts at {start}: {why}", joint.name), Some(joint.span));
        format!(", start = [{start}]")
    }

    /// Reports limits of a joint that are empty or negative.
    fn report_invalid_limits(&mut self, number: usize) {
        let joint = &self.robot.joints[number];
        if let (Some(low), Some(high)) = (&joint.limits.lower, &joint.limits.upper)
            && joint.kind != UrdfJointKind::Continuous
            && low.value > high.value
        {
            let text = format!(
                "limits of joint `{}`: the range from {} to {} is empty",
                joint.name, low.text, high.text
            );
            self.report.record_loss(
                Relevance::Idealised("joint limits"),
                "joint/limit",
                Some(text),
                joint.span,
            );
        }
        for (name, limit) in [("velocity", &joint.limits.velocity), ("effort", &joint.limits.effort)] {
            if let Some(limit) = limit.as_ref().filter(|x| x.value < 0.0) {
                let text =
                    format!("limit of joint `{}`: the {name} limit {} is negative", joint.name, limit.text);
                self.report.record_loss(
                    Relevance::Idealised("joint limits"),
                    "joint/limit",
                    Some(text),
                    joint.span,
                );
            }
        }
    }

    /// Reports the limits of a joint with several coordinates, which a spec cannot have.
    fn report_lost_limits(&mut self, joint: usize) {
        let joint = &self.robot.joints[joint];
        if limits_text(joint).is_some() {
            let motions = if matches!(joint.kind, UrdfJointKind::Universal(_)) { "two" } else { "three" };
            let text = format!(
                "limits of joint `{}`, which has {motions} coordinates but only one pair of limits",
                joint.name
            );
            self.report.record_loss(
                Relevance::Idealised("joint limits"),
                "joint/limit",
                Some(text),
                joint.span,
            );
        }
    }

    fn write_free_joint(&mut self, parent: String, child: &str) {
        let parent = if parent == "ground" { "\"ground\"".to_owned() } else { parent };
        self.push_line("type = \"free\"");
        self.push_line(&format!("parent = {parent}"));
        self.push_line(&format!("child = \"{child}\""));
        self.push_line("coordinates = { quaternion = true }");
        self.push_line("speeds = { velocity_frame = \"body\" }");
    }

    fn frame_text(&self, body: Option<usize>, pose: &Pose) -> String {
        let name = body.map_or("ground", |b| &self.bodies[b]);
        let keys = pose.pose_keys(false);
        if keys.is_empty() {
            format!("\"{name}\"")
        } else {
            format!("{{ body = \"{name}\", {} }}", keys.join(", "))
        }
    }

    /// Axis of a joint in the notation of specs. Snapping to a coordinate axis is reported.
    fn axis_text(&mut self, joint: &UrdfJoint) -> String {
        let (text, snapped) = turn::format_axis(&joint.axis, self.options.snap);
        if snapped {
            let letter = text.trim_matches('"');
            let text = format!(
                "joint `{}`: the axis {} is rounded to {letter}",
                joint.name,
                format_triple(&joint.axis)
            );
            self.report.record_snapping(text, Some(joint.span), 1.0);
        }
        text
    }

    /// The moving joints in the order of the spec, each with its name and stem.
    fn moving_joints(&self) -> Vec<(&UrdfJoint, &str, &str)> {
        let joints = self.tree.bodies.iter().filter_map(|b| b.joint);
        let named = joints.filter_map(|j| Some((&self.robot.joints[j], self.joints[j].as_ref()?)));
        let single = named.filter(|(j, _)| j.kind.has_one_coordinate());
        single.map(|(j, (name, stem))| (j, name.as_str(), stem.as_str())).collect()
    }

    /// Writes inputs, actuators, damping and dry friction of the joints.
    fn write_motors_and_friction(&mut self) {
        let mut inputs = String::new();
        let (mut loads, mut frictions) = (String::new(), String::new());
        let mut left: Vec<LostPart> = Vec::new();
        let mut damped = 0;
        for joint in self.tree.bodies.iter().filter_map(|b| b.joint).map(|j| &self.robot.joints[j]) {
            if !joint.kind.has_one_coordinate() {
                left.extend(find_lost_joint_parts(joint));
            }
        }
        for (joint, name, stem) in self.moving_joints() {
            let (letter, unit) =
                if joint.kind == UrdfJointKind::Prismatic { ("f", "N") } else { ("tau", "N*m") };
            if joint.mimic.is_none() && joint.has_motor {
                inputs.push_str(&format!("{letter}_{stem} = {{ unit = \"{unit}\" }}\n"));
                loads.push_str(&format!(
                    "motor_{stem} = {{ type = \"actuator\", joint = \"{name}\", effort = \"{letter}_{stem}\" }}\n"
                ));
            }
            let viscous = self.options.damping && !joint.damping.is_zero();
            damped += usize::from(viscous);
            let dry = self.options.dry_friction.filter(|_| !joint.friction.is_zero());
            if viscous || dry.is_some() {
                frictions.push_str(&write_friction_entry(joint, (name, stem), viscous, dry));
            }
            if !joint.damping.is_zero() && !viscous {
                let text = format!("damping {} of joint `{}`", joint.damping.text, joint.name);
                left.push((Relevance::Harmless, "joint/dynamics", text, joint.span));
            }
            if !joint.friction.is_zero() && dry.is_none() {
                let text = format!(
                    "dry friction {} of joint `{}` (use --dry-friction to include it)",
                    joint.friction.text, joint.name
                );
                left.push((Relevance::Idealised("dry friction"), "joint/dynamics", text, joint.span));
            }
        }
        if !inputs.is_empty() {
            self.text.push_str(&format!("\n[inputs]\n{inputs}"));
        }
        if !loads.is_empty() || !frictions.is_empty() {
            self.text.push_str(&format!("\n[loads]\n{loads}{frictions}"));
        }
        if damped > 0 {
            let text = format!(
                "the damping of {damped} joints is converted to loads; use --no-damping to drop this damping, as Pinocchio does"
            );
            self.report.add_note(text, None);
        }
        for (relevance, path, text, span) in left {
            self.report.record_loss(relevance, path, Some(text), span);
        }
    }
}

fn not_finite_error(what: &str, span: Span) -> Diagnostic {
    Diagnostic::error("urdf-number", format!("{what} is not a finite number"))
        .at(Some(span), "this value is computed from numbers that are too large")
        .help("express lengths in metres and masses in kilograms")
}
