//! Default classes: attributes that elements inherit.

use super::element::XmlElement;
use super::element_defaults::{ElementWithDefaults, Notes};
use dqdt_spec::spec::did_you_mean;

/// A class of `<default>` in an MJCF: elements with default attributes, and the index of the parent
/// class.
struct DefaultClass<'a> {
    name: String,
    parent: Option<usize>,
    elements: Vec<&'a XmlElement>,
}

/// The default classes of an MJCF file. The first one, `main`, applies to elements without a class.
pub(super) struct Defaults<'a> {
    classes: Vec<DefaultClass<'a>>,
}

impl<'a> Defaults<'a> {
    /// Reads the default classes in the sections `<default>` of an MJCF.
    pub fn read(root: &'a XmlElement, notes: &mut Notes) -> Self {
        let main = DefaultClass { name: "main".to_owned(), parent: None, elements: Vec::new() };
        let mut defaults = Defaults { classes: vec![main] };
        for section in root.children.iter().filter(|e| e.tag == "default") {
            if let Some(name) = section.attribute_value("class").filter(|n| *n != "main") {
                // Old files give the top-level class a name.
                defaults.classes.push(DefaultClass {
                    name: name.to_owned(),
                    parent: Some(0),
                    elements: Vec::new(),
                });
            }
            notes.report_unread_attributes(section, "default");
            defaults.read_class(section, 0, notes);
        }
        defaults
    }

    /// Reads a `<default>` section into the class of index `at`; nested sections become child
    /// classes.
    fn read_class(&mut self, section: &'a XmlElement, at: usize, notes: &mut Notes) {
        for element in &section.children {
            if element.tag != "default" {
                self.classes[at].elements.push(element);
                continue;
            }
            notes.report_unread_attributes(element, "default");
            let name = element.attribute_value("class").unwrap_or("");
            if name.is_empty() {
                let help = "write <default class=\"…\">";
                notes.add_problem(
                    "mjcf-missing",
                    "<default> has no attribute `class`".into(),
                    (element.span, "here"),
                    help,
                );
            } else if self.find_class(name).is_some() {
                let place = (element.value_span("class"), "again here");
                notes.add_problem(
                    "duplicate",
                    format!("the class `{name}` is defined twice"),
                    place,
                    "rename one of the two classes",
                );
            }
            self.classes.push(DefaultClass { name: name.to_owned(), parent: Some(at), elements: Vec::new() });
            self.read_class(element, self.classes.len() - 1, notes);
        }
    }

    /// Index of the default class of this name.
    fn find_class(&self, name: &str) -> Option<usize> {
        self.classes.iter().position(|c| c.name == name)
    }

    /// Reports an attribute, such as `class`, that names an unknown default class.
    pub fn check_class_name(&self, element: &XmlElement, name: &str, notes: &mut Notes) {
        let Some(attribute) = element.attribute(name).filter(|a| self.find_class(&a.value).is_none()) else {
            return;
        };
        let meant = did_you_mean(&attribute.value, self.classes.iter().map(|c| c.name.as_str()));
        let help = meant.map_or_else(
            || "define the class in <default>, as <default class=\"…\">".to_owned(),
            |m| format!("write `{m}`"),
        );
        let message = format!("there is no class `{}`", attribute.value);
        notes.add_problem("unknown-name", message, (attribute.value_span, "unknown class"), &help);
    }

    /// An element together with its defaults: those of its own class, or of the `childclass` of its
    /// parents, or else of the top-level class.
    pub fn with_inherited_defaults(
        &self,
        element: &'a XmlElement,
        childclass: Option<&str>,
        tags: &[&str],
        notes: &mut Notes,
    ) -> ElementWithDefaults<'a> {
        self.check_class_name(element, "class", notes);
        let name = element.attribute_value("class").or(childclass);
        let mut at = Some(name.and_then(|n| self.find_class(n)).unwrap_or(0));
        let mut defaults = Vec::new();
        while let Some(class) = at.and_then(|i| self.classes.get(i)) {
            defaults.extend(class.elements.iter().rev().filter(|e| tags.contains(&e.tag.as_str())));
            at = class.parent;
        }
        ElementWithDefaults { element, defaults }
    }

    /// All elements of all default classes; used to report those that are not read.
    pub fn default_elements(&self) -> impl Iterator<Item = &'a XmlElement> {
        self.classes.iter().flat_map(|c| c.elements.iter().copied())
    }
}
