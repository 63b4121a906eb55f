//! Reads loop closures, motors and joint types for a URDF from a YAML file.
//!
//! Problem: a URDF is a tree. The repository example-parallel-robots (Gepetto, LAAS-CNRS) closes
//!          the loops of its robots by a file `robot.yaml`: pairs of coincident frames, and
//!          properties of joints that URDF cannot express.
//! Keys: `closed_loop` (pairs of names of frames), `type` ("3d", "6d"), `name_mot` (joints with
//!       motors), `joint_name` and `joint_type` ("SPHERICAL", "FIXED", "UJOINT_XY", …). Older files
//!       have `rotule_name` and `name_spherical` (part of the names of ball joints), and a single
//!       word for `type` and for `name_mot`.

use std::collections::BTreeMap;

use super::robot::{ClosureEnd, ClosureKind, LoopClosure, Origin, Robot, UrdfJointKind};
use crate::robot::relevance::Relevance;
use crate::robot::report::Report;
use crate::robot::yaml::{Data, YamlNode, read_yaml};
use dqdt_diagnostics::base::{SourceId, Span};
use dqdt_diagnostics::error::Diagnostic;
use dqdt_spec::spec::did_you_mean;

/// Keys that a side file may have.
const KEYS: [&str; 7] =
    ["closed_loop", "type", "name_mot", "joint_name", "joint_type", "rotule_name", "name_spherical"];
/// Keys of older side files that number the coordinates of Pinocchio's model; `name_mot` has the
/// same information by name.
const NUMBERS: [&str; 2] = ["Lidmot", "Lidvmot"];
const PAIRS: &str = "write closed_loop: [[\"frame_a\", \"frame_b\"], …]";

/// Applies a side file (YAML) to the robot of the URDF: loop closures, motors and joint types.
pub(super) fn apply_side_file(
    text: &str,
    source: SourceId,
    robot: &mut Robot,
    report: &mut Report,
) -> Result<(), Vec<Diagnostic>> {
    let root = read_yaml(text, source).map_err(|d| vec![*d])?;
    let Some(YamlNode { data: Data::Table(entries), .. }) = root else {
        let place =
            root.map_or(Span::new(source, 0, 0), |node| Span::new(source, node.span.start, node.span.start));
        let d = Diagnostic::error("side-file", "the closure file lists no closures");
        return Err(vec![d.at(Some(place), "expected entries of the form `key: value`").help(PAIRS)]);
    };
    let mut file = SideFile { keys: BTreeMap::new(), robot, problems: Vec::new() };
    for (key, value) in &entries {
        file.record_key(key, value, report);
    }
    if file.problems.is_empty() {
        file.change_joint_types();
        file.remove_motors();
        file.read_closures(source);
    }
    if file.problems.is_empty() { Ok(()) } else { Err(file.problems) }
}

struct SideFile<'a> {
    keys: BTreeMap<&'a str, (&'a YamlNode, &'a YamlNode)>,
    robot: &'a mut Robot,
    problems: Vec<Diagnostic>,
}

impl<'a> SideFile<'a> {
    fn add_problem(&mut self, code: &'static str, message: String, (span, label): (Span, &str), help: &str) {
        self.problems.push(Diagnostic::error(code, message).at(Some(span), label).help(help));
    }

    /// Records a key of the side file; an unknown one is reported.
    fn record_key(&mut self, key: &'a YamlNode, value: &'a YamlNode, report: &mut Report) {
        let name = key.as_text().unwrap_or("");
        if NUMBERS.contains(&name) {
            let text = format!("`{name}` in the closure file, because joints are identified by name");
            report.record_loss(Relevance::Harmless, name, Some(text), key.span);
            return;
        }
        if !KEYS.contains(&name) {
            let help = match did_you_mean(name, KEYS) {
                _ if matches!(name, "name_closedloop" | "closed_loop_number") => PAIRS.to_owned(),
                Some(meant) => format!("write `{meant}`"),
                None => format!("use one of: {}", KEYS.join(", ")),
            };
            let message = format!("a closure file has no key `{name}`");
            return self.add_problem("unknown-key", message, (key.span, "unknown key"), &help);
        }
        if let Some((first, _)) = self.keys.insert(name, (key, value)) {
            let d = Diagnostic::error("duplicate", format!("the closure file defines `{name}` twice"))
                .at(Some(key.span), "again here")
                .also(Some(first.span), "first here")
                .help("keep only one of the two entries");
            self.problems.push(d);
        }
    }

    /// Reports that the value of a key of the side file has the wrong type.
    fn report_wrong_type(&mut self, key: &str, value: &YamlNode, expected: &str) {
        let message = format!("`{key}` must be {expected}, not {}", value.data);
        self.add_problem(
            "wrong-type",
            message,
            (value.span, "wrong type"),
            &format!("write {key}: {expected}"),
        );
    }

    /// The texts of a list in the side file; `None` if the key is missing or its value invalid,
    /// which is reported.
    fn read_text_list(&mut self, key: &str, expected: &str) -> Option<Vec<(&'a str, Span)>> {
        let (_, value) = *self.keys.get(key)?;
        let texts: Option<Vec<(&'a str, Span)>> = match &value.data {
            Data::List(items) => items.iter().map(|n| n.as_text().map(|t| (t, n.span))).collect(),
            _ => None,
        };
        if texts.is_none() {
            self.report_wrong_type(key, value, expected);
        }
        texts
    }

    /// Value of a key that is a word, by which joints are selected: a part of their names.
    fn read_joint_name_part(&mut self, key: &str) -> Option<&'a str> {
        let (_, value) = *self.keys.get(key)?;
        let word = value.as_text().filter(|t| !t.is_empty());
        if word.is_none() {
            self.report_wrong_type(key, value, "text that occurs in the names of joints");
        }
        word
    }

    /// Index of the named joint, which must not be fixed; otherwise an error is reported.
    fn find_moving_joint(&mut self, (name, span): (&str, Span)) -> Option<usize> {
        let at = self.robot.joints.iter().position(|j| j.name == name);
        match at.filter(|j| self.robot.joints[*j].kind != UrdfJointKind::Fixed) {
            Some(at) => Some(at),
            None if at.is_some() => {
                let message = format!("the joint `{name}` of the robot is fixed");
                self.add_problem(
                    "side-file",
                    message,
                    (span, "a fixed joint does not move"),
                    "replace the name with that of a movable joint, or remove it from the list",
                );
                None
            }
            None => {
                let help = did_you_mean(name, self.robot.joints.iter().map(|j| j.name.as_str())).map_or_else(
                    || "use the name of a joint of the robot".to_owned(),
                    |meant| format!("write `{meant}`"),
                );
                self.add_problem(
                    "unknown-name",
                    format!("there is no joint `{name}`"),
                    (span, "not found"),
                    &help,
                );
                None
            }
        }
    }

    /// Changes the types of joints to those in the side file, such as ball joints.
    fn change_joint_types(&mut self) {
        for key in ["rotule_name", "name_spherical"] {
            let Some(word) = self.read_joint_name_part(key) else { continue };
            for joint in self
                .robot
                .joints
                .iter_mut()
                .filter(|j| j.kind != UrdfJointKind::Fixed && j.name.contains(word))
            {
                joint.kind = UrdfJointKind::Spherical;
            }
        }
        let names = self.read_text_list("joint_name", "a list of joint names");
        let types = self.read_text_list("joint_type", "a list of joint types");
        let (names, types) = match (names, types) {
            (Some(names), Some(types)) if names.len() == types.len() => (names, types),
            (None, None) => return,
            (names, types) => {
                return self.report_unequal_lengths(
                    ["joint_name", "joint_type"],
                    [names.map(|n| n.len()), types.map(|t| t.len())],
                );
            }
        };
        for (name, (word, span)) in names.into_iter().zip(types) {
            let kind = parse_joint_type(word);
            if kind.is_none() {
                let help = "use SPHERICAL, FIXED, or UJOINT_ followed by the letters of two different axes, as in UJOINT_XY";
                self.add_problem(
                    "urdf-joint-type",
                    format!("there is no joint type `{word}`"),
                    (span, "this is not a joint type"),
                    help,
                );
            }
            if let Some((at, kind)) = self.find_moving_joint(name).zip(kind) {
                self.robot.joints[at].kind = kind;
            }
        }
    }

    /// Reports two lists of the side file that must have the same length and have not, or of which
    /// one is missing.
    fn report_unequal_lengths(&mut self, keys: [&str; 2], lengths: [Option<usize>; 2]) {
        let places = keys.map(|k| self.keys.get(k).map(|(key, _)| key.span));
        let Some(span) = places[1].or(places[0]) else { return };
        if !self.problems.is_empty() {
            return;
        }
        let count = |i: usize| {
            lengths[i].map_or_else(|| format!("no `{}`", keys[i]), |n| format!("{n} in `{}`", keys[i]))
        };
        let message = format!("two lists have different lengths: {}, and {}", count(0), count(1));
        let help = format!("write one entry in `{}` for each entry of `{}`", keys[1], keys[0]);
        self.add_problem("side-file", message, (span, "both lists must have the same length"), &help);
    }

    /// Removes the inputs of all joints that the key `name_mot` of the side file does not list as
    /// motors.
    fn remove_motors(&mut self) {
        let Some((_, value)) = self.keys.get("name_mot").copied() else { return };
        let motors: Vec<usize> = if value.as_text().is_some() {
            let Some(word) = self.read_joint_name_part("name_mot") else { return };
            let joints = self.robot.joints.iter().enumerate();
            joints.filter(|(_, j)| j.name.contains(word)).map(|(i, _)| i).collect()
        } else {
            let Some(names) = self.read_text_list("name_mot", "a list of joint names") else { return };
            let mut motors = Vec::new();
            for name in names {
                let Some(at) = self.find_moving_joint(name) else { continue };
                if !self.robot.joints[at].kind.has_one_coordinate() {
                    let message = format!("the joint `{}` has several coordinates", name.0);
                    self.add_problem(
                        "side-file",
                        message,
                        (name.1, "a motor can drive only one coordinate"),
                        "specify a revolute or prismatic joint",
                    );
                }
                motors.push(at);
            }
            motors
        };
        for (i, joint) in self.robot.joints.iter_mut().enumerate() {
            joint.has_motor = motors.contains(&i);
        }
    }

    /// Reads the loop closures in `closed_loop` and `type` and adds them to the robot.
    fn read_closures(&mut self, source: SourceId) {
        let Some((_, value)) = self.keys.get("closed_loop").copied() else {
            let place = (Span::new(source, 0, 0), "no `closed_loop`");
            return self.add_problem(
                "side-file",
                "the closure file lists no closures".to_owned(),
                place,
                PAIRS,
            );
        };
        let Data::List(pairs) = &value.data else {
            return self.report_wrong_type("closed_loop", value, "a list of pairs of frame names");
        };
        let kinds: Vec<(&str, Span)> = match self.keys.get("type") {
            // A single word applies to all pairs.
            Some((_, YamlNode { data: Data::Text(word), span })) => vec![(word, *span); pairs.len()],
            Some(_) => match self.read_text_list("type", "a list of \"3d\" and \"6d\"") {
                Some(kinds) => kinds,
                None => return,
            },
            None => Vec::new(),
        };
        if kinds.len() != pairs.len() {
            let count = self.keys.contains_key("type").then_some(kinds.len());
            return self.report_unequal_lengths(["closed_loop", "type"], [Some(pairs.len()), count]);
        }
        for (pair, kind) in pairs.iter().zip(kinds) {
            let closure = self.read_closure(pair, kind);
            self.robot.closures.extend(closure);
        }
    }

    /// Reads a loop closure: a pair of frames, and the word for its kind.
    fn read_closure(&mut self, pair: &YamlNode, (word, span): (&str, Span)) -> Option<LoopClosure> {
        let kind = match word.to_ascii_lowercase().as_str() {
            "3d" => ClosureKind::Spherical,
            "6d" => ClosureKind::Weld,
            _ => {
                let message = format!("there is no closure type `{word}`");
                self.add_problem(
                    "urdf-loop-type",
                    message,
                    (span, "this is not a closure type"),
                    "write \"3d\" to make two points coincide, or \"6d\" to make two frames coincide",
                );
                return None;
            }
        };
        let names = match &pair.data {
            Data::List(items) => {
                items.iter().map(|n| n.as_text().map(|t| (t, n.span))).collect::<Option<Vec<_>>>()
            }
            _ => None,
        };
        let Some([a, b]) = names.and_then(|n| <[_; 2]>::try_from(n).ok()) else {
            self.add_problem(
                "side-file",
                "a loop closure must be a pair of frames".to_owned(),
                (pair.span, "expected the names of two frames"),
                PAIRS,
            );
            return None;
        };
        let (first, second) = (self.find_frame(a), self.find_frame(b));
        let ends = [first?, second?];
        let name = Some(common_prefix(a.0, b.0).to_owned()).filter(|n| !n.is_empty());
        Some(LoopClosure { name, span: pair.span, kind, ends, axis: None })
    }

    /// The frame that a side file names: that of a link, or of the link that the named joint
    /// carries.
    fn find_frame(&mut self, (name, span): (&str, Span)) -> Option<ClosureEnd> {
        let is_link = self.robot.links.iter().any(|l| l.name == name);
        let link = is_link
            .then_some(name)
            .or_else(|| self.robot.joints.iter().find(|j| j.name == name).map(|j| j.child.as_str()))
            .map(str::to_owned);
        if link.is_none() {
            let links = self.robot.links.iter().map(|l| l.name.as_str());
            let help = did_you_mean(name, links).map_or_else(
                || "use the name of a link of the robot".to_owned(),
                |meant| format!("write `{meant}`"),
            );
            self.add_problem(
                "unknown-name",
                format!("there is no frame `{name}`"),
                (span, "not found"),
                &help,
            );
        }
        Some(ClosureEnd { link: link?, span, origin: Origin::identity() })
    }
}

/// The type of joint for a word of `joint_type`, such as `SPHERICAL` or `UJOINT_XY`.
fn parse_joint_type(word: &str) -> Option<UrdfJointKind> {
    let word = word.to_ascii_uppercase();
    match word.as_str() {
        "SPHERICAL" => return Some(UrdfJointKind::Spherical),
        "FIXED" => return Some(UrdfJointKind::Fixed),
        _ => {}
    }
    let axes: Vec<usize> =
        word.strip_prefix("UJOINT_")?.bytes().map(|b| usize::from(b.wrapping_sub(b'X'))).collect();
    let axes: [usize; 2] = axes.try_into().ok()?;
    (axes.iter().all(|a| *a < 3) && axes[0] != axes[1]).then_some(UrdfJointKind::Universal(axes))
}

/// Common prefix of the names of two frames, without trailing separators; the name of a loop
/// closure.
fn common_prefix<'n>(a: &'n str, b: &str) -> &'n str {
    let same = a
        .char_indices()
        .zip(b.chars())
        .find(|((_, x), y)| x != y)
        .map_or(a.len().min(b.len()), |((i, _), _)| i);
    a.get(..same).unwrap_or("").trim_end_matches(['_', '-', '.', ' '])
}
