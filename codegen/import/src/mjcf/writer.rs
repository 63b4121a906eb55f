//! State while the text of the spec is written.

use std::collections::BTreeMap;

use super::model::Model;
use super::names::RobotNames;
use super::tree::LinkTree;
use crate::robot::Options;
use crate::robot::names::UniqueNames;
use crate::robot::report::Report;
use crate::robot::turn::{Pose, format_triple};
use dqdt_diagnostics::base::Span;
use dqdt_diagnostics::error::Diagnostic;

/// Writer of the text of a spec for an MJCF: the text so far, and the data that it is written from.
pub(super) struct SpecWriter<'a> {
    pub model: &'a Model,
    pub tree: &'a LinkTree,
    pub options: &'a Options,
    pub report: &'a mut Report,
    pub names: RobotNames,
    /// Names of points of the spec, by the places (source, byte) of their sites in the file.
    pub write_points: BTreeMap<(u32, usize), String>,
    pub text: String,
}

impl SpecWriter<'_> {
    /// Appends a line to the text of the spec.
    pub fn push_line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    /// Writes frames as named points of a body or of the ground; `table` is the section.
    pub fn points(&mut self, table: &str, frames: &[(Option<&str>, &'static str, Span, Pose)]) {
        if frames.is_empty() {
            return;
        }
        self.push_line(&format!("\n[{table}.points]"));
        let mut names = UniqueNames::default();
        // Names in the file have priority over generated ones.
        let mut new_names: Vec<Option<String>> = Vec::new();
        for (name, noun, span, _) in frames {
            new_names.push(name.map(|n| names.choose_name(n, noun, Some(*span), self.report)));
        }
        for ((_, noun, span, pose), name) in frames.iter().zip(new_names) {
            let name = name.unwrap_or_else(|| names.unique_name(noun));
            self.check_finite(&pose.position_values(), &format!("the position of {noun} `{name}`"), *span);
            self.write_points.insert((span.source.0, span.start), name.clone());
            let keys = pose.pose_keys(true);
            let value = match &keys[..] {
                [_] => format_triple(&pose.at),
                _ => format!("{{ {} }}", keys.join(", ")),
            };
            self.push_line(&format!("{name} = {value}"));
        }
    }

    /// Reports an error if a value to be written is infinite or NaN; `what` names it.
    pub fn check_finite(&mut self, values: &[f64], what: &str, span: Span) {
        if !values.iter().all(|x| x.is_finite()) {
            let d = Diagnostic::error("mjcf-number", format!("{what} is not a finite number"));
            let d = d.at(Some(span), "this value is computed from numbers that are too large");
            self.report.add_problem(d.help("express lengths in metres and masses in kilograms"));
        }
    }

    /// Name of the body of the spec for a link, or `ground`.
    pub fn link_name(&self, link: Option<usize>) -> &str {
        link.and_then(|at| self.names.bodies.get(at)).map_or("ground", String::as_str)
    }

    /// Name of a joint in the spec, and the stem of the names of its coordinate and loads.
    pub fn joint_name_and_stem(&self, joint: (usize, usize)) -> Option<(&str, &str)> {
        let link = self.tree.links.iter().position(|l| (l.body, l.joint) == joint)?;
        self.names.joints.get(link).map(|j| (j.name.as_str(), j.stem.as_str()))
    }

    /// Name of the coordinate of a joint that has one coordinate.
    pub fn coordinate_name(&self, joint: (usize, usize)) -> Option<String> {
        self.joint_name_and_stem(joint).map(|(_, stem)| format!("q_{stem}"))
    }

    /// A frame on a link (`None`: the ground), in the notation of specs.
    pub fn frame_text(&self, link: Option<usize>, pose: &Pose) -> String {
        let name = self.link_name(link);
        let keys = pose.pose_keys(false);
        if keys.is_empty() {
            format!("\"{name}\"")
        } else {
            format!("{{ body = \"{name}\", {} }}", keys.join(", "))
        }
    }
}
