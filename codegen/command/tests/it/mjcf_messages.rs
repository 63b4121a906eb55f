//! What is said of models in MJCF: reports list all that is not used, bad files are refused in the expected words.

use std::collections::BTreeSet;
use std::path::PathBuf;

use dqdt_codegen::read;
use dqdt_import::robot::Options;
use roxmltree::{Document, Node};

use crate::mjcf::{folder, import, models, text};
use dqdt_samples::tier::cases;

/// Attributes of elements that become a part of the spec, or say how others are meant.
const USED: &[(&str, &str)] = &[
    ("mujoco", "model"),
    (
        "compiler",
        "angle coordinate eulerseq autolimits inertiafromgeom inertiagrouprange boundmass boundinertia balanceinertia settotalmass",
    ),
    ("option", "gravity density viscosity"),
    ("default", "class"),
    ("worldbody", ""),
    ("body", "name childclass gravcomp"),
    ("frame", ""),
    ("inertial", "mass diaginertia fullinertia"),
    (
        "joint",
        "name class type axis ref range limited damping stiffness springref armature frictionloss joint1 joint2 polycoef",
    ),
    ("freejoint", "name"),
    ("geom", "name class type size fromto mass density group contype conaffinity"),
    ("site", "name class fromto"),
    ("equality", ""),
    ("connect", "name anchor body1 body2 site1 site2"),
    ("weld", "name anchor body1 body2 relpose active"),
    ("actuator", ""),
    ("motor", "name joint gear ctrlrange ctrllimited forcerange"),
    ("position", "name joint gear ctrlrange ctrllimited kp kv"),
    ("velocity", "name joint kv"),
    ("general", "name joint gear gainprm biastype biasprm"),
];
const PLACED: [&str; 5] = ["body", "frame", "inertial", "geom", "site"];
const PLACES: &str = "pos quat euler axisangle xyaxes zaxis";

/// Elements and attributes that are not used, as far as the text alone says it: the end of their path, and their line.
fn not_used(node: Node<'_, '_>, found: &mut BTreeSet<(String, usize)>) {
    let line = |at: usize| node.document().text_pos_at(at).row as usize;
    let tag = node.tag_name().name();
    let parent = node.parent_element().map_or("", |p| p.tag_name().name());
    let known = USED.iter().find(|(name, _)| *name == tag);
    let inside = |tag: &str| node.ancestors().any(|a| a.has_tag_name(tag));
    // What has no inertia, and what moves nothing.
    let weightless = tag == "geom"
        && !inside("default")
        && (parent == "worldbody" || node.attribute("type") == Some("plane"));
    let sections = ["asset", "tendon", "contact", "sensor", "visual", "custom"];
    // Of sections that are not read what they hold is listed.
    let section = parent == "mujoco" && sections.contains(&tag) && node.children().any(|c| c.is_element());
    let other = sections.iter().any(|s| inside(s));
    // Nothing is lost of tendons without any word.
    if tag == "tendon" && !section && node.attributes().len() == 0 {
        return;
    }
    if weightless {
        found.insert(("/geom".to_owned(), line(node.range().start)));
    } else if !section && (known.is_none() || other) && tag != "include" {
        found.insert((format!("/{tag}"), line(node.range().start)));
        return;
    }
    for attribute in node.attributes() {
        let used = known.is_some_and(|(_, names)| names.split(' ').any(|n| n == attribute.name()));
        let placed = PLACED.contains(&tag) || tag == "joint";
        if !used && tag != "include" && !(placed && PLACES.split(' ').any(|n| n == attribute.name())) {
            found.insert((format!("{tag}@{}", attribute.name()), line(attribute.range().start)));
        }
    }
    for child in node.children().filter(Node::is_element) {
        not_used(child, found);
    }
}

#[test]
fn reports_list_every_element_and_attribute_that_is_not_used() {
    let mut most = 0;
    for name in models().keys() {
        let text = text(name);
        let mut expected = BTreeSet::new();
        // All of these is read.
        if !["tendons", "drives"].contains(&name.as_str()) {
            not_used(Document::parse(&text).unwrap().root_element(), &mut expected);
        }
        let report = import(name, &text, &Options::default()).unwrap_or_else(|e| panic!("{e}")).report;
        let mut found = BTreeSet::new();
        for kind in report.ignored.iter().filter(|k| k.file.is_none()) {
            // What is used in part is listed by what it loses; a geom without weight, by its contacts if it has any.
            if kind.path.contains(" of ") {
                let contacts = kind.path.starts_with("contacts of");
                let entries = kind.lines.iter().map(|line| ("/geom".to_owned(), *line));
                found.extend(entries.filter(|e| contacts && expected.contains(e)));
                continue;
            }
            let cut = match kind.path.contains('@') {
                true => kind.path.rsplit('/').next().unwrap().to_owned(),
                false => format!("/{}", kind.path.rsplit('/').next().unwrap()),
            };
            found.extend(kind.lines.iter().map(|line| (cut.clone(), *line)));
        }
        // An <inertial>, a mass of zero and a group take the place of what the geoms weigh.
        let weighed =
            |(path, _): &(String, usize)| path == "/geom" && (name == "all_kinds" || name == "bounds");
        found.retain(|entry| !weighed(entry));
        expected.retain(|entry| !weighed(entry));
        let missing: Vec<_> = expected.difference(&found).collect();
        let more: Vec<_> = found.difference(&expected).collect();
        assert!(missing.is_empty() && more.is_empty(), "{name}: not listed {missing:?}; listed {more:?}");
        most = most.max(expected.len());
    }
    assert!(most > 20, "{most}");
}

/// The text of a report with all lines.
fn whole(name: &str) -> String {
    format!("{:#}", import(name, &text(name), &Options::default()).unwrap_or_else(|e| panic!("{e}")).report)
}

#[test]
fn reports_say_what_a_used_element_loses() {
    let swimmer = whole("swimmer");
    assert!(swimmer.contains("idealised: the fluid (density 4000, viscosity 0.1)"), "{swimmer}");
    assert!(
        swimmer.contains("idealised: 2 limits of joint (data in the spec, no stops) (lines 27, 30)"),
        "{swimmer}"
    );
    // Its geoms touch nothing.
    assert!(!swimmer.contains("contacts of"), "{swimmer}");
    let ant = whole("ant");
    assert!(ant.contains("idealised: 13 contacts of body/geom (lines 23, "), "{ant}");
    let kinds = whole("all_kinds");
    assert!(kinds.contains("idealised: dry friction 0.2 of joint `several_x` (--dry-friction)"), "{kinds}");
    let loops = whole("loops");
    assert!(loops.contains("not used: equality <weld>, which is not active (line 50)"), "{loops}");
}

#[test]
fn bad_models_are_refused_in_the_expected_words() {
    let bless = std::env::var("DQDT_BLESS").as_deref() == Ok("1");
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder().join("fail"))
        .unwrap()
        .map(|e| e.unwrap().path())
        .filter(|p| p.extension().is_some_and(|e| e == "xml"))
        .collect();
    files.sort();
    assert!(files.len() >= 12, "{}", files.len());
    let mut wrong = Vec::new();
    for path in files {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&path).unwrap();
        let Err(errors) = import(&name, &text, &Options::default()) else { panic!("{name} is accepted") };
        let said: String =
            errors.to_string().trim_end().lines().map(|l| format!("{}\n", l.trim_end())).collect();
        let expected = path.with_extension("expected");
        if bless {
            std::fs::write(&expected, said).unwrap();
        } else if std::fs::read_to_string(&expected).unwrap_or_default() != said {
            wrong.push(format!("{name} now says\n{said}"));
        }
    }
    assert!(wrong.is_empty(), "{}\nDQDT_BLESS=1 accepts these", wrong.join("\n"));
}

/// Places where a token of a text can be cut out, doubled or replaced.
fn mutations(text: &str) -> Vec<String> {
    let mut all = Vec::new();
    let quotes: Vec<usize> = text.match_indices('"').map(|(i, _)| i).collect();
    for pair in quotes.chunks_exact(2) {
        let (before, value, after) = (&text[..=pair[0]], &text[pair[0] + 1..pair[1]], &text[pair[1]..]);
        for other in ["", "0", "-1", "1e308", "nan", "0 0 0", "1 2 3 4 5 6 7", "x", "true", "world"] {
            all.push(format!("{before}{other}{after}"));
        }
        all.push(format!("{before}{value} 0{after}"));
    }
    for (at, _) in text.match_indices('<') {
        let end = text[at..].find('>').map_or(text.len(), |i| at + i + 1);
        all.push(format!("{}{}", &text[..at], &text[end..]));
        all.push(format!("{}{}", &text[..end], &text[at..]));
    }
    all
}

#[test]
fn no_change_of_a_model_makes_the_reader_panic() {
    let mut accepted = 0;
    for name in ["all_kinds", "bounds", "loops"] {
        for changed in mutations(&text(name)).into_iter().step_by(cases(4, 1)) {
            match import(name, &changed, &Options::default()) {
                // What is written is a spec, if not one of a mechanism that moves.
                Ok(robot) => {
                    accepted += 1;
                    let read = read::parse("robot", robot.spec.as_str());
                    assert!(read.is_ok(), "{}\n{changed}", read.unwrap_err());
                }
                Err(errors) => {
                    // A text without the root of a robot is quoted nowhere.
                    let robot = changed.contains("<mujoco");
                    let placed = errors.diagnostics.iter().all(|d| d.primary.is_some() || !robot);
                    assert!(placed && !errors.to_string().is_empty(), "{errors}");
                }
            }
        }
    }
    assert!(accepted > cases(100, 500), "{accepted}");
}
