//! Messages about MJCF models: reports list everything unused, bad files are refused with the
//! expected messages.

use std::collections::BTreeSet;
use std::path::PathBuf;

use dqdt_codegen::read;
use dqdt_import::robot::Options;
use roxmltree::{Document, Node};

use crate::mjcf::{folder, import, models, text};
use dqdt_samples::tier::cases_by_tier;

/// Attributes that the import uses, by element.
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

/// Collects unused elements and attributes that are evident from the text: end
/// of the path and line.
fn collect_unused(node: Node<'_, '_>, unused: &mut BTreeSet<(String, usize)>) {
    let line = |at: usize| node.document().text_pos_at(at).row as usize;
    let tag = node.tag_name().name();
    let parent = node.parent_element().map_or("", |p| p.tag_name().name());
    let known = USED.iter().find(|(name, _)| *name == tag);
    let inside = |tag: &str| node.ancestors().any(|a| a.has_tag_name(tag));
    // Geoms without inertia, and those of immobile bodies.
    let weightless = tag == "geom"
        && !inside("default")
        && (parent == "worldbody" || node.attribute("type") == Some("plane"));
    let sections = ["asset", "tendon", "contact", "sensor", "visual", "custom"];
    // For unread sections, the report lists their children.
    let section = parent == "mujoco" && sections.contains(&tag) && node.children().any(|c| c.is_element());
    let other = sections.iter().any(|s| inside(s));
    // An empty tendon section loses nothing.
    if tag == "tendon" && !section && node.attributes().len() == 0 {
        return;
    }
    if weightless {
        unused.insert(("/geom".to_owned(), line(node.range().start)));
    } else if !section && (known.is_none() || other) && tag != "include" {
        unused.insert((format!("/{tag}"), line(node.range().start)));
        return;
    }
    for attribute in node.attributes() {
        let used = known.is_some_and(|(_, names)| names.split(' ').any(|n| n == attribute.name()));
        let placed = PLACED.contains(&tag) || tag == "joint";
        if !used && tag != "include" && !(placed && PLACES.split(' ').any(|n| n == attribute.name())) {
            unused.insert((format!("{tag}@{}", attribute.name()), line(attribute.range().start)));
        }
    }
    for child in node.children().filter(Node::is_element) {
        collect_unused(child, unused);
    }
}

#[test]
fn reports_list_every_element_and_attribute_that_is_not_used() {
    let mut most = 0;
    for name in models().keys() {
        let text = text(name);
        let mut expected = BTreeSet::new();
        // Everything in these files is used.
        if !["tendons", "drives"].contains(&name.as_str()) {
            collect_unused(Document::parse(&text).unwrap().root_element(), &mut expected);
        }
        let report = import(name, &text, &Options::default()).unwrap_or_else(|e| panic!("{e}")).report;
        let mut reported = BTreeSet::new();
        for kind in report.ignored.iter().filter(|k| k.file.is_none()) {
            // Partly used elements are listed by the unused part; a massless geom by
            // its contacts, if any.
            if kind.path.contains(" of ") || kind.path.starts_with("joint limits (") {
                let contacts = kind.path.starts_with("contacts of");
                let entries = kind.lines.iter().map(|line| ("/geom".to_owned(), *line));
                reported.extend(entries.filter(|e| contacts && expected.contains(e)));
                continue;
            }
            let cut = match kind.path.contains('@') {
                true => kind.path.rsplit('/').next().unwrap().to_owned(),
                false => format!("/{}", kind.path.rsplit('/').next().unwrap()),
            };
            reported.extend(kind.lines.iter().map(|line| (cut.clone(), *line)));
        }
        // An `<inertial>`, a zero mass or a group replaces the mass of the geoms.
        let weighed =
            |(path, _): &(String, usize)| path == "/geom" && (name == "all_kinds" || name == "bounds");
        reported.retain(|entry| !weighed(entry));
        expected.retain(|entry| !weighed(entry));
        let missing: Vec<_> = expected.difference(&reported).collect();
        let more: Vec<_> = reported.difference(&expected).collect();
        assert!(missing.is_empty() && more.is_empty(), "{name}: not listed {missing:?}; listed {more:?}");
        most = most.max(expected.len());
    }
    assert!(most > 20, "{most}");
}

/// The complete report of a model, all lines included.
fn full_report(name: &str) -> String {
    format!("{:#}", import(name, &text(name), &Options::default()).unwrap_or_else(|e| panic!("{e}")).report)
}

#[test]
fn reports_say_what_a_used_element_loses() {
    let swimmer = full_report("swimmer");
    assert!(
        swimmer.contains("idealised: forces of the fluid (density 4000, viscosity 0.1) on the bodies"),
        "{swimmer}"
    );
    assert!(
        swimmer.contains(
            "idealised: 2 joint limits (kept in the spec as data, but not enforced) (lines 27, 30)"
        ),
        "{swimmer}"
    );
    // Its geoms have no contacts.
    assert!(!swimmer.contains("contacts of"), "{swimmer}");
    let ant = full_report("ant");
    assert!(ant.contains("idealised: 13 contacts of body/geom (lines 23, "), "{ant}");
    let kinds = full_report("all_kinds");
    assert!(
        kinds.contains("idealised: dry friction 0.2 of joint `several_x` (use --dry-friction to include it)"),
        "{kinds}"
    );
    let loops = full_report("loops");
    assert!(loops.contains("not used: inactive equality <weld> (line 50)"), "{loops}");
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

/// Mutated texts: tokens cut, doubled or replaced.
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
        for changed in mutations(&text(name)).into_iter().step_by(cases_by_tier(4, 1)) {
            match import(name, &changed, &Options::default()) {
                // The output is a valid spec, even if the mechanism cannot move.
                Ok(robot) => {
                    accepted += 1;
                    let read = read::parse("robot", robot.spec.as_str());
                    assert!(read.is_ok(), "{}\n{changed}", read.unwrap_err());
                }
                Err(errors) => {
                    // Errors about a text without the root element of a robot have
                    // no source location.
                    let robot = changed.contains("<mujoco");
                    let placed = errors.diagnostics.iter().all(|d| d.primary.is_some() || !robot);
                    assert!(placed && !errors.to_string().is_empty(), "{errors}");
                }
            }
        }
    }
    assert!(accepted > cases_by_tier(100, 500), "{accepted}");
}
