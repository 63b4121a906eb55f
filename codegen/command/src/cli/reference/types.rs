//! Reference pages of joints, loads, constraints, outputs and events, whose keys depend on `type`.

use super::keys::{NestedTable, key_table, nested_tables};
use super::page::{code_cell, escape_cell, markdown_table};
use dqdt_algebra::{Axis, Dimension};
use dqdt_mechanics::mechanism::joint::{Attitude, JointKeyValues, SpeedComponent, SpeedKind, VelocityFrame};
use dqdt_mechanics::mechanism::{Formula, JointKind};
#[cfg(test)]
use dqdt_spec::spec::key::Kind;
use dqdt_spec::spec::key::{Family, Key, TableShape};

/// Title, spec section and introduction of a reference page about a family of types.
pub(super) struct PageHead {
    pub title: &'static str,
    pub section: &'static str,
    pub text: &'static str,
}

pub(super) const LOADS: PageHead = PageHead {
    title: "Loads",
    section: "loads",
    text: "Forces and moments other than gravity. A positive joint effort acts on the child along the axis \
           of the joint, and the opposite effort acts on the parent; a `generalised_force` has no opposite. \
           Formulas may use all parameters, coordinates, speeds, inputs, user states, `t`, and [measures of \
           frames](formulas.md#points-and-frames).",
};
pub(super) const OUTPUTS: PageHead = PageHead {
    title: "Outputs",
    section: "outputs",
    text: "Named results in addition to the motion. A formula alone also defines an output: `height = \"l*sin(theta)\"`. The components of a vector are named `NAME_x`, `NAME_y` and `NAME_z`.",
};
pub(super) const EVENTS: PageHead = PageHead {
    title: "Events",
    section: "events",
    text: "Conditions under which a motion ends or jumps; see the [guide to events](../events.md).",
};
const JOINTS: PageHead = PageHead {
    title: "Joints",
    section: "joints",
    text: "Each body is the child of one joint. A joint connects a frame on its parent to a frame on its \
           child; if all its coordinates are zero, the two frames coincide. A coordinate is named after its \
           joint, followed by the text in the column *name*, or by `coordinates.names`; the speed of a \
           coordinate `theta` is `theta_dot`.",
};
const CONSTRAINTS: PageHead = PageHead {
    title: "Constraints",
    section: "constraints",
    text: "Equations that coordinates or speeds must satisfy. A multiplier is the force or moment that the \
           constraint exerts on `to`; its opposite acts on `from`. Multipliers of cut joints are in the \
           axes of the frame on `from`; forces act at the origin of `to`. A multiplier is named after the \
           constraint and the letters of its type: `lambda_loop_fx`. The multiplier λ of a formula times \
           the derivative of the formula is a generalised force; the unit of λ is N·m divided by the unit \
           of the formula. With `treatment = \"elimination\"` there are no multipliers: dependent speeds \
           are computed from the others. Redundant rows are [reported and \
           dropped](../how-to/redundant-rows.md).",
};

/// Renders the reference page of a family of types (loads, outputs or events) as Markdown.
pub(super) fn type_family_page(f: &'static Family, head: PageHead) -> String {
    typed_keys_page(f, &head, &|_| String::new())
}

/// Renders the reference page of joints as Markdown, with their coordinates and speeds.
pub(super) fn joints_page(f: &'static Family) -> String {
    typed_keys_page(f, &JOINTS, &variable_tables)
}

/// Renders the reference page of constraints as Markdown.
pub(super) fn constraints_page(f: &'static Family) -> String {
    typed_keys_page(f, &CONSTRAINTS, &|_| String::new())
}

fn typed_keys_page(f: &'static Family, head: &PageHead, more: &dyn Fn(&str) -> String) -> String {
    let members: Vec<_> = f.members.iter().collect();
    let common: Vec<&Key> = match members.split_first() {
        Some((first, rest)) if !rest.is_empty() => first
            .1
            .keys()
            .filter(|k| rest.iter().all(|m| m.1.key(k.name).is_some_and(|o| is_same_key(k, o))))
            .collect(),
        _ => Vec::new(),
    };
    let mut out = format!("# {}\n\n{}\n", head.title, head.text);
    let rows: Vec<Vec<String>> = members
        .iter()
        .map(|m| vec![format!("[`{0}`](#{0})", m.0), escape_cell(first_sentence(m.2))])
        .collect();
    out.push_str(&markdown_table(&["type", "meaning"], &rows));
    if !common.is_empty() {
        out.push_str(&format!("## Keys of every {}\n", f.noun));
        out.push_str(&key_table(common.iter().copied()));
    }
    for (word, shape, text) in members.iter().copied() {
        out.push_str(&format!("## `{word}`\n\n{text}\n\n"));
        out.push_str(&format!("```toml\n{}```\n\n", minimal_entry(head.section, word, shape)));
        out.push_str(&more(word));
        let specific: Vec<&Key> = shape.keys().filter(|k| common.iter().all(|c| c.name != k.name)).collect();
        if !specific.is_empty() {
            out.push_str(&key_table(specific.into_iter()));
        }
    }
    for (path, words, shape) in nested_tables_by_type(f) {
        let types = if words.len() == f.members.len() { "every type".to_owned() } else { words.join(", ") };
        out.push_str(&format!("## `{path}` of {types}\n"));
        out.push_str(&key_table(shape.keys()));
    }
    out
}

/// True if a key has the same meaning in two types, so that the page lists it once.
fn is_same_key(a: &Key, b: &Key) -> bool {
    a.doc == b.doc && a.required == b.required && a.default == b.default && a.unit == b.unit
}

fn first_sentence(text: &str) -> &str {
    text.find(". ").map_or(text, |i| &text[..=i])
}

/// The minimal TOML entry of a type for the reference: its required keys, and the first of
/// alternatives.
pub(super) fn minimal_entry(section: &str, word: &str, shape: &TableShape) -> String {
    let mut out = format!("[{section}.{word}]\ntype = \"{word}\"\n");
    let mut lines: Vec<&Key> = shape.keys().filter(|k| k.required && k.name != "type").collect();
    // Loads require one of several keys, of which `joint` is the first.
    if let Some(joint) = shape.key("joint").filter(|k| !k.required) {
        lines.insert(0, joint);
    }
    if lines.is_empty() && section == "loads" {
        lines.extend(shape.keys().filter(|k| k.name != "type").take(1));
    }
    for key in lines {
        out.push_str(&format!("{} = {}\n", key.name, key.example));
    }
    out
}

/// Nested tables of all types of a family, without repetition, each with the types that have it.
fn nested_tables_by_type(f: &'static Family) -> Vec<(String, Vec<&'static str>, &'static TableShape)> {
    let mut out: Vec<(String, Vec<&'static str>, &'static TableShape)> = Vec::new();
    for (word, shape, _) in f.members {
        for NestedTable { path, shape } in nested_tables(shape, "") {
            match out.iter_mut().find(|(_, _, s)| std::ptr::eq(*s, shape)) {
                Some((_, words, _)) => words.push(word),
                None => out.push((path, vec![word], shape)),
            }
        }
    }
    out
}

/// Markdown tables of the coordinates and speeds of a joint type, one for each choice of attitude
/// and speeds.
fn variable_tables(word: &str) -> String {
    let ways = [
        ("", Attitude::Sequence([Axis::X, Axis::Y, Axis::Z]), SpeedKind::Rates, VelocityFrame::Parent),
        (
            "`kind = \"body_rates\"`",
            Attitude::Sequence([Axis::X, Axis::Y, Axis::Z]),
            SpeedKind::BodyRates,
            VelocityFrame::Parent,
        ),
        (
            "`kind = \"parent_rates\"`",
            Attitude::Sequence([Axis::X, Axis::Y, Axis::Z]),
            SpeedKind::ParentRates,
            VelocityFrame::Parent,
        ),
        (
            "`kind = \"intermediate_rates\"`",
            Attitude::Sequence([Axis::X, Axis::Y, Axis::Z]),
            SpeedKind::IntermediateRates,
            VelocityFrame::Parent,
        ),
        ("`quaternion = true`", Attitude::Quaternion, SpeedKind::BodyRates, VelocityFrame::Parent),
        ("`velocity_frame = \"body\"`", Attitude::Quaternion, SpeedKind::BodyRates, VelocityFrame::Body),
    ];
    let mut tables: Vec<(String, Vec<Vec<String>>)> = Vec::new();
    for (way, attitude, speeds, frame) in ways {
        let mut entry = JointKeyValues {
            axes: &[],
            attitude,
            speeds,
            frame,
            value: &mut |_, _| Formula::from_integer(1),
        };
        let Some(kind) = JointKind::read(word, &mut entry) else { continue };
        let rows = variable_rows(&kind);
        if tables.iter().all(|(_, r)| *r != rows) {
            tables.push((way.to_owned(), rows));
        }
    }
    let mut out = String::new();
    for (way, rows) in tables.iter().filter(|(_, rows)| !rows.is_empty()) {
        if !way.is_empty() {
            out.push_str(&format!("With {way}:\n"));
        }
        out.push_str(&markdown_table(&["", "name", "unit", "meaning"], rows));
    }
    out
}

fn variable_rows(kind: &JointKind) -> Vec<Vec<String>> {
    let form = kind.form();
    let coordinates = form.coordinate_components();
    let mut rows = Vec::new();
    for (i, c) in coordinates.iter().enumerate() {
        let quaternion =
            form.attitude_coordinate().is_some_and(|(first, a)| a == Attitude::Quaternion && i >= first);
        let unit = if quaternion { "1".to_owned() } else { c.dimension.of_motion() };
        rows.push(vec!["coordinate".to_owned(), code_cell(c.suffix), unit, escape_cell(c.text)]);
    }
    for s in form.speed_components() {
        let (name, unit, text) = match s {
            SpeedComponent::RateOf(i) => match coordinates.get(i) {
                Some(c) => {
                    let name =
                        if c.suffix.is_empty() { "dot".to_owned() } else { format!("{}_dot", c.suffix) };
                    let dimension = c.dimension.over(Dimension::TIME);
                    (name, dimension.of_motion(), format!("rate of the {}", c.text))
                }
                None => continue,
            },
            SpeedComponent::Own(c) => (c.suffix.to_owned(), c.dimension.of_motion(), c.text.to_owned()),
        };
        rows.push(vec!["speed".to_owned(), code_cell(&name), unit, escape_cell(&text)]);
    }
    rows
}

/// The families of types (joints, loads, constraints, outputs, events) in the keys of the spec.
#[cfg(test)]
pub(super) fn collect_typed_families(shape: &'static TableShape) -> Vec<&'static Family> {
    fn add_families(k: Kind, out: &mut Vec<&'static Family>) {
        match k {
            Kind::Typed(f) => out.push(f),
            Kind::Named(inner) => add_families(*inner, out),
            Kind::Either(kinds) => kinds.iter().for_each(|k| add_families(*k, out)),
            _ => {}
        }
    }
    let mut out = Vec::new();
    shape.keys().for_each(|k| add_families(k.kind, &mut out));
    out
}
