//! Relevance of the elements and attributes of a robot file for the mechanics.
//!
//! Problem: nothing in a file may be dropped silently, and a new element must not pass as
//!          irrelevant.
//! Method:  one table for each format maps names to their relevance. A name that is not in the
//!          table is structural.

use dqdt_diagnostics::base::Span;

/// Relevance of an element or an attribute of a robot file for the mechanics.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Relevance {
    /// Becomes a part of the spec, or affects how others are read.
    Used,
    /// Has no effect on the mechanics; the short report counts all such parts in one line.
    Harmless,
    /// A force or a limit that a model of rigid bodies neglects, with its noun. One warning counts
    /// them.
    Idealised(&'static str),
    /// Affects the equations: an error, unless the user accepts it by name.
    Structural,
}

/// Row of the table of a robot format: relevance of one element and of its attributes.
pub(crate) struct ElementRow {
    /// Path of the element: its tag, preceded by as many parent tags as needed to identify it:
    /// `equality/joint`.
    pub path: &'static str,
    pub relevance: Relevance,
    /// True if the relevance applies to everything within the element.
    pub is_subtree: bool,
    /// Names of the attributes of the element by relevance, separated by spaces.
    pub attributes: &'static [(Relevance, &'static str)],
}

impl ElementRow {
    /// True if the path ends with the tags of this row.
    fn matches_path_end(&self, path: &str) -> bool {
        path.strip_suffix(self.path).is_some_and(|before| before.is_empty() || before.ends_with('/'))
    }
}

/// Row of an element whose attributes and children have a relevance of their own.
pub(crate) const fn element_row(
    path: &'static str,
    attributes: &'static [(Relevance, &'static str)],
) -> ElementRow {
    ElementRow { path, relevance: Relevance::Used, is_subtree: false, attributes }
}

/// Row of an element whose relevance applies to everything within it.
pub(crate) const fn subtree_row(path: &'static str, relevance: Relevance) -> ElementRow {
    ElementRow { path, relevance, is_subtree: true, attributes: &[] }
}

/// The table of a robot format (URDF or MJCF): relevance of all its elements and attributes for the
/// mechanics.
pub(crate) struct RelevanceTable(pub &'static [ElementRow]);

impl RelevanceTable {
    /// The row of the table for a path of tags: the one that matches the most tags at its end.
    pub fn find_row(&self, path: &str) -> Option<&'static ElementRow> {
        self.0.iter().filter(|row| row.matches_path_end(path)).max_by_key(|row| row.path.len())
    }

    /// The row of the nearest enclosing element whose relevance applies to everything within it.
    fn enclosing_subtree(&self, path: &str) -> Option<&'static ElementRow> {
        let mut outer = path;
        while let Some((parent, _)) = outer.rsplit_once('/') {
            if let Some(row) = self.find_row(parent).filter(|r| r.is_subtree) {
                return Some(row);
            }
            outer = parent;
        }
        None
    }

    /// Relevance of an element, and true if it applies to everything within; `None` if the table
    /// does not list it.
    pub fn element_relevance(&self, path: &str) -> Option<(Relevance, bool)> {
        let row = self.enclosing_subtree(path).or_else(|| self.find_row(path))?;
        Some((row.relevance, row.is_subtree))
    }

    /// Relevance of an attribute; `None` if the table does not list it.
    pub fn attribute_relevance(&self, path: &str, name: &str) -> Option<Relevance> {
        if let Some(row) = self.enclosing_subtree(path) {
            return Some(row.relevance);
        }
        let row = self.find_row(path)?;
        let relevance = row.attributes.iter().find(|(_, names)| names.split_whitespace().any(|n| n == name));
        relevance.map(|(relevance, _)| *relevance).or(row.is_subtree.then_some(row.relevance))
    }

    /// Names of the attributes of an element that are read; used to suggest corrections.
    pub fn used_attributes(&self, path: &str) -> impl Iterator<Item = &'static str> {
        let attributes = self.find_row(path).map_or(&[][..], |row| row.attributes);
        attributes
            .iter()
            .filter(|(c, _)| *c == Relevance::Used)
            .flat_map(|(_, names)| names.split_whitespace())
    }
}

/// A part of a robot file that the spec does not represent; the report lists it.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Loss {
    /// Path of tags and attribute of the lost part: `link/visual`, `joint@springyield`.
    pub path: String,
    pub relevance: Relevance,
    /// Description of the loss for messages, if the path is not sufficient.
    pub text: Option<String>,
    pub span: Span,
}

/// True if a name that the user accepted (key `accept`) matches the path of a part: as a whole, its
/// first tags or its last tags.
pub(crate) fn matches_path(accepted: &str, path: &str) -> bool {
    const SEPARATORS: [char; 2] = ['/', '@'];
    let is_start =
        path.strip_prefix(accepted).is_some_and(|rest| rest.is_empty() || rest.starts_with(SEPARATORS));
    let is_end = path.strip_suffix(accepted).is_some_and(|rest| rest.ends_with(SEPARATORS));
    !accepted.is_empty() && (is_start || is_end)
}

#[cfg(test)]
mod tests {
    use super::{Relevance, RelevanceTable, element_row, matches_path, subtree_row};

    #[test]
    fn longest_end_of_a_path_decides() {
        const TABLE: RelevanceTable = RelevanceTable(&[
            element_row("joint", &[(Relevance::Used, "name axis"), (Relevance::Harmless, "user")]),
            element_row("equality/joint", &[(Relevance::Used, "name joint1")]),
            subtree_row("asset", Relevance::Harmless),
        ]);
        assert_eq!(TABLE.attribute_relevance("body/joint", "axis"), Some(Relevance::Used));
        assert_eq!(TABLE.attribute_relevance("equality/joint", "axis"), None);
        assert_eq!(TABLE.attribute_relevance("asset/joint", "axis"), Some(Relevance::Harmless));
        assert_eq!(TABLE.element_relevance("asset/anything/within"), Some((Relevance::Harmless, true)));
        assert_eq!(TABLE.element_relevance("body/joints"), None);
        assert_eq!(TABLE.element_relevance("body/ajoint"), None);
    }

    #[test]
    fn whole_first_and_last_tags_are_names() {
        for name in
            ["tendon", "tendon/spatial", "spatial", "tendon/spatial@armature", "armature", "spatial@armature"]
        {
            assert!(matches_path(name, "tendon/spatial@armature") != (name == "spatial"), "{name}");
        }
        assert!(matches_path("spatial", "tendon/spatial"));
        assert!(!matches_path("ten", "tendon/spatial") && !matches_path("", "tendon"));
    }
}
