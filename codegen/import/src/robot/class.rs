//! The part that elements and attributes of a robot's file have in the mechanics.
//!
//! Problem: nothing of a file may be lost in silence, and a new element must not pass as one that does not matter.
//! Method:  one table a format, from names to classes. A name that is not in the table is structural.

use dqdt_diagnostics::base::Span;

/// The part of an element or an attribute in the mechanics.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Class {
    /// Becomes a part of the spec, or says how others are meant.
    Used,
    /// Has no part in the mechanics: counted in one line.
    Harmless,
    /// A force or a limit that rigid mechanisms leave out, by its kind: one warning counts them.
    Idealised(&'static str),
    /// Changes the equations: an error, unless it is accepted by name.
    Structural,
}

/// An element of a format.
pub(crate) struct Row {
    /// The tag, with as many of those around it as tell it from others: `equality/joint`.
    pub path: &'static str,
    pub class: Class,
    /// True if all that stands in it is of its class.
    pub whole: bool,
    /// Attributes by class, separated by spaces.
    pub attributes: &'static [(Class, &'static str)],
}

/// An element whose attributes and children have classes of their own.
pub(crate) const fn element(path: &'static str, attributes: &'static [(Class, &'static str)]) -> Row {
    Row { path, class: Class::Used, whole: false, attributes }
}

/// An element that is of one class with all that stands in it.
pub(crate) const fn whole(path: &'static str, class: Class) -> Row {
    Row { path, class, whole: true, attributes: &[] }
}

/// The table of a format.
pub(crate) struct Classes(pub &'static [Row]);

impl Classes {
    /// The row of a path: the one that agrees with most of its last tags.
    pub fn row(&self, path: &str) -> Option<&'static Row> {
        let ends = |row: &&Row| {
            path.strip_suffix(row.path).is_some_and(|before| before.is_empty() || before.ends_with('/'))
        };
        self.0.iter().filter(ends).max_by_key(|row| row.path.len())
    }

    /// The nearest element around a path whose class holds for all within.
    fn around(&self, path: &str) -> Option<&'static Row> {
        let mut outer = path;
        while let Some((parent, _)) = outer.rsplit_once('/') {
            if let Some(row) = self.row(parent).filter(|r| r.whole) {
                return Some(row);
            }
            outer = parent;
        }
        None
    }

    /// The class of an element, and whether it holds for all within; `None` if the table has no such name.
    pub fn element(&self, path: &str) -> Option<(Class, bool)> {
        let row = self.around(path).or_else(|| self.row(path))?;
        Some((row.class, row.whole))
    }

    /// The class of an attribute; `None` if the table has no such name.
    pub fn attribute(&self, path: &str, name: &str) -> Option<Class> {
        if let Some(row) = self.around(path) {
            return Some(row.class);
        }
        let row = self.row(path)?;
        let class = row.attributes.iter().find(|(_, names)| names.split_whitespace().any(|n| n == name));
        class.map(|(class, _)| *class).or(row.whole.then_some(row.class))
    }

    /// Attributes of an element that are read.
    pub fn used(&self, path: &str) -> impl Iterator<Item = &'static str> {
        let attributes = self.row(path).map_or(&[][..], |row| row.attributes);
        attributes.iter().filter(|(c, _)| *c == Class::Used).flat_map(|(_, names)| names.split_whitespace())
    }
}

/// A part of a file that the equations do not have.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Loss {
    /// The tags on the way to it: `link/visual`, `joint@springyield`.
    pub path: String,
    pub class: Class,
    /// What is lost, where the path does not say it.
    pub text: Option<String>,
    pub span: Span,
}

/// True if a name that the user accepts means a path: the whole, its first or its last tags.
pub(crate) fn names(accepted: &str, path: &str) -> bool {
    let border = |c: char| c == '/' || c == '@';
    let first = path.strip_prefix(accepted).is_some_and(|rest| rest.is_empty() || rest.starts_with(border));
    let last = path.strip_suffix(accepted).is_some_and(|rest| rest.ends_with(border));
    !accepted.is_empty() && (first || last)
}

#[cfg(test)]
mod tests {
    use super::{Class, Classes, element, names, whole};

    #[test]
    fn longest_end_of_a_path_decides() {
        const TABLE: Classes = Classes(&[
            element("joint", &[(Class::Used, "name axis"), (Class::Harmless, "user")]),
            element("equality/joint", &[(Class::Used, "name joint1")]),
            whole("asset", Class::Harmless),
        ]);
        assert_eq!(TABLE.attribute("body/joint", "axis"), Some(Class::Used));
        assert_eq!(TABLE.attribute("equality/joint", "axis"), None);
        assert_eq!(TABLE.attribute("asset/joint", "axis"), Some(Class::Harmless));
        assert_eq!(TABLE.element("asset/anything/within"), Some((Class::Harmless, true)));
        assert_eq!(TABLE.element("body/joints"), None);
        assert_eq!(TABLE.element("body/ajoint"), None);
    }

    #[test]
    fn whole_first_and_last_tags_are_names() {
        for name in
            ["tendon", "tendon/spatial", "spatial", "tendon/spatial@armature", "armature", "spatial@armature"]
        {
            assert!(names(name, "tendon/spatial@armature") != (name == "spatial"), "{name}");
        }
        assert!(names("spatial", "tendon/spatial"));
        assert!(!names("ten", "tendon/spatial") && !names("", "tendon"));
    }
}
