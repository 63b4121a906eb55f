//! Headings that divide long sections of emitted code by body.
//!
//! Names consist of words separated by `_`. A value belongs to the first body whose name occurs in
//! its name: `dv_link3_in_link2_x` belongs to link3. Values without a body belong with those before
//! them.

use dqdt_graph::ir::ValueNames;
use dqdt_graph::plan::{PlannedBody, Step};

/// Minimum number of consecutive statements about one body that form a part of a section of emitted
/// code.
const MIN_RUN: usize = 3;
/// Minimum average number of statements in a part of a section. With fewer, the section is not
/// divided, since headings that alternate do not help the reader.
const MIN_AVERAGE: usize = 6;
/// Sections of emitted code whose values belong to pairs of speeds, not to a body.
const PAIR_SECTIONS: [&str; 2] = ["mass matrix", "pivots"];
/// Maximum number of parts about the same body in a section of emitted code. The recursive
/// algorithms visit each body three times: velocities outboard, accelerations outboard, wrenches
/// inboard.
const MAX_REPEATS: usize = 3;

/// Index of the body of the mechanism to which the emitted name of a value refers.
fn body_in_name(name: &str, bodies: &[String]) -> Option<usize> {
    let starts = std::iter::once(0).chain(name.match_indices('_').map(|(i, _)| i + 1));
    for start in starts {
        let rest = &name[start..];
        let matches = (0..bodies.len()).filter(|i| starts_with_words(rest, &bodies[*i]));
        if let Some(longest) = matches.max_by_key(|i| bodies[*i].len()) {
            return Some(longest);
        }
    }
    None
}

/// Returns `true` if an emitted name begins with `words` and a word ends there.
fn starts_with_words(name: &str, words: &str) -> bool {
    name.strip_prefix(words).is_some_and(|after| after.is_empty() || after.starts_with('_'))
}

/// Heading comment before each statement of an emitted body, if any. Statements marked `early` are
/// printed first, so they get headings separately.
pub fn statement_headings(
    body: &PlannedBody,
    names: &ValueNames,
    early: &[bool],
    bodies: &[String],
) -> Vec<Option<String>> {
    let mut texts: Vec<Option<String>> = vec![None; early.len()];
    for is_early in [true, false] {
        let places: Vec<usize> = (0..early.len()).filter(|i| early[*i] == is_early).collect();
        let described: Vec<(&str, Option<&str>)> = (places.iter())
            .map(|i| {
                let statement = &body.schedule.statements[*i];
                let name = match &statement.step {
                    Step::Value(id) => names.node_name(*id),
                    _ => None,
                };
                (&*statement.section, name)
            })
            .collect();
        for (place, text) in places.into_iter().zip(section_headings(&described, bodies)) {
            texts[place] = text;
        }
    }
    texts
}

/// Heading comment before each statement, if any. `statements` has the section and the name of
/// each.
fn section_headings(statements: &[(&str, Option<&str>)], bodies: &[String]) -> Vec<Option<String>> {
    let mut headings = vec![None; statements.len()];
    let mut start = 0;
    while start < statements.len() {
        let section = statements[start].0;
        let length = statements[start..].iter().take_while(|s| s.0 == section).count();
        let part = &statements[start..start + length];
        headings[start] = Some(section.to_owned());
        let names_body =
            bodies.iter().any(|b| section.strip_prefix(b.as_str()).is_some_and(|s| s.starts_with(':')));
        if !names_body && !PAIR_SECTIONS.iter().any(|p| section.starts_with(p)) {
            for (at, body) in split_section_by_body(part, bodies) {
                let text =
                    if at == 0 { format!("{section}: {}", bodies[body]) } else { bodies[body].clone() };
                headings[start + at] = Some(text);
            }
        }
        start += length;
    }
    headings
}

/// Start and body of each part of a section of emitted code. Empty if the section is about one body
/// or would be divided too finely.
fn split_section_by_body(section: &[(&str, Option<&str>)], bodies: &[String]) -> Vec<(usize, usize)> {
    let mut runs: Vec<(usize, usize, usize)> = Vec::new();
    for (at, (_, name)) in section.iter().enumerate() {
        let body = name.and_then(|n| body_in_name(n, bodies));
        match (runs.last_mut(), body) {
            (Some((_, last, count)), body) if body.is_none_or(|b| b == *last) => *count += 1,
            (_, Some(body)) => runs.push((at, body, 1)),
            (_, None) => {}
        }
    }
    let mut parts: Vec<(usize, usize)> = Vec::new();
    for (at, body, count) in runs {
        if count >= MIN_RUN && parts.last().is_none_or(|(_, last)| *last != body) {
            parts.push((at, body));
        }
    }
    let alternates = section.len() < MIN_AVERAGE * parts.len()
        || parts.iter().any(|(_, body)| parts.iter().filter(|(_, b)| b == body).count() > MAX_REPEATS);
    if parts.len() < 2 || alternates { Vec::new() } else { parts }
}

#[cfg(test)]
mod tests {
    use super::{body_in_name, section_headings};

    #[test]
    fn a_value_belongs_to_the_first_body_of_its_name() {
        let bodies = ["b1", "b10", "left_leg", "leg"].map(str::to_owned);
        let body = |name: &str| body_in_name(name, &bodies).map(|i| bodies[i].as_str());
        assert_eq!(body("dv_b10_in_b1_x"), Some("b10"));
        assert_eq!(body("tree_f_left_leg_x"), Some("left_leg"));
        assert_eq!(body("s_q1"), None);
        assert_eq!(body("b1"), Some("b1"));
        assert_eq!(body("ab1_b1x"), None);
    }

    fn force(name: &'static str) -> (&'static str, Option<&'static str>) {
        ("forces", Some(name))
    }

    #[test]
    fn long_sections_are_divided_and_short_ones_are_not() {
        let bodies = ["a", "b"].map(str::to_owned);
        let names = [
            "f_a_x", "f_a_y", "s", "m_a_z", "m_a_x", "f_b_x", "f_b_y", "m_b_x", "f_a_z", "m_b_y", "m_b_z",
            "c",
        ];
        let long: Vec<_> = names.map(force).to_vec();
        let divided = section_headings(&long, &bodies);
        assert_eq!(divided[0].as_deref(), Some("forces: a"));
        assert_eq!(divided[5].as_deref(), Some("b"));
        assert_eq!(divided.iter().flatten().count(), 2);
        let short: Vec<_> = ["f_a_x", "f_b_x", "f_a_y"].map(force).to_vec();
        assert_eq!(section_headings(&short, &bodies), [Some("forces".to_owned()), None, None]);
        let about_one_body = [("a: velocity", Some("v_a_x")); 4];
        assert_eq!(section_headings(&about_one_body, &bodies)[0].as_deref(), Some("a: velocity"));
    }
}
