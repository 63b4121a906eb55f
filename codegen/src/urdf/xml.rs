//! Elements and attributes with their places, and what is said of those that are missing or no numbers.

use roxmltree::Node;

use crate::base::{SourceId, Span};
use crate::error::Diagnostic;
use crate::robot::decimal::{Decimal, Triple};
use crate::robot::report::Ignored;
use crate::spec::did_you_mean;

/// The file while it is read.
pub(super) struct Reader<'a> {
    pub source: SourceId,
    pub problems: Vec<Diagnostic>,
    /// The namespace of the root: elements of others are not of URDF.
    pub namespace: Option<&'a str>,
    pub ignored: Vec<Ignored>,
}

impl Reader<'_> {
    /// True for an element of URDF.
    pub fn own(&self, node: Node<'_, '_>) -> bool {
        node.is_element() && node.tag_name().namespace() == self.namespace
    }

    /// An element that nothing is read of.
    pub fn ignore(&mut self, path: String, node: Node<'_, '_>) {
        self.ignored.push(Ignored { path, span: self.place(node) });
    }

    /// Attributes that are not read; one that looks like another is an error.
    pub fn attributes(&mut self, node: Node<'_, '_>, path: &str, read: &[&str]) {
        for attribute in node.attributes() {
            let name = attribute.name();
            if read.contains(&name) {
                continue;
            }
            let range = attribute.range();
            let span = Span::new(self.source, range.start, range.start + name.len());
            let missing = read.iter().copied().filter(|r| !node.has_attribute(*r));
            if let Some(meant) = did_you_mean(name, missing) {
                let message = format!("<{}> has no attribute `{name}`", node.tag_name().name());
                let d = Diagnostic::error("urdf-attribute", message);
                self.report(d.at(Some(span), "not read").help(format!("write `{meant}`")));
            } else {
                self.ignored.push(Ignored { path: format!("{path}@{name}"), span });
            }
        }
    }

    /// The opening tag of an element, up to its attributes.
    pub fn place(&self, node: Node<'_, '_>) -> Span {
        let range = node.range();
        let tag = range.start..range.start + 1 + node.tag_name().name().len();
        Span::new(self.source, tag.start, tag.end)
    }

    /// The value of an attribute.
    pub fn value_place(&self, node: Node<'_, '_>, name: &str) -> Span {
        match node.attribute_node(name) {
            Some(a) => {
                let range = a.range_value();
                Span::new(self.source, range.start, range.end)
            }
            None => self.place(node),
        }
    }

    pub fn report(&mut self, d: Diagnostic) {
        self.problems.push(d);
    }

    /// An attribute that has to be there.
    pub fn text<'a>(&mut self, node: Node<'a, '_>, name: &str) -> Option<&'a str> {
        let value = node.attribute(name).map(str::trim);
        if value.is_none_or(str::is_empty) {
            let tag = node.tag_name().name();
            let d = Diagnostic::error("urdf-missing", format!("<{tag}> has no `{name}`"))
                .at(Some(self.place(node)), "here")
                .help(format!("write <{tag} {name}=\"…\">"));
            self.report(d);
            return None;
        }
        if let Some(text) = value.filter(|v| v.contains("${") || v.contains("$(")) {
            let d = Diagnostic::error("urdf-xacro", format!("`{text}` is xacro, not URDF yet"))
                .at(Some(self.value_place(node, name)), "here")
                .help("run `xacro robot.urdf.xacro > robot.urdf` first");
            self.report(d);
            return None;
        }
        value
    }

    /// A number that has to be there.
    pub fn number(&mut self, node: Node<'_, '_>, name: &str) -> Option<Decimal> {
        let text = self.text(node, name)?;
        self.decimal(node, name, text)
    }

    /// A number, or its default.
    pub fn number_or(&mut self, node: Option<Node<'_, '_>>, name: &str, default: f64) -> Decimal {
        let given = node.and_then(|n| n.attribute(name).map(|text| (n, text)));
        let number = given.and_then(|(n, text)| self.decimal(n, name, text.trim()));
        number.unwrap_or_else(|| Decimal::of(default))
    }

    /// Three numbers, or their default.
    pub fn triple(&mut self, node: Option<Node<'_, '_>>, name: &str, default: [f64; 3]) -> Triple {
        let fallback = default.map(Decimal::of);
        let Some((node, text)) = node.and_then(|n| n.attribute(name).map(|text| (n, text))) else {
            return fallback;
        };
        let parts: Vec<&str> = text.split_whitespace().collect();
        let [a, b, c] = parts[..] else {
            let d = Diagnostic::error("urdf-number", format!("`{name}` has {} numbers, not 3", parts.len()))
                .at(Some(self.value_place(node, name)), "three numbers, separated by spaces")
                .help(format!("write {name}=\"0 0 0\""));
            self.report(d);
            return fallback;
        };
        let numbers = [a, b, c].map(|text| self.decimal(node, name, text));
        match numbers {
            [Some(a), Some(b), Some(c)] => [a, b, c],
            _ => fallback,
        }
    }

    fn decimal(&mut self, node: Node<'_, '_>, name: &str, text: &str) -> Option<Decimal> {
        let number = Decimal::read(text);
        if number.is_none() {
            let help = if text.contains("${") || text.contains("$(") {
                "this is xacro, not URDF yet: run `xacro robot.urdf.xacro > robot.urdf` first"
            } else {
                "write a finite decimal number, with a point and without a unit"
            };
            let d = Diagnostic::error("urdf-number", format!("`{text}` is not a number"))
                .at(Some(self.value_place(node, name)), format!("in `{name}`"))
                .help(help);
            self.report(d);
        }
        number
    }
}
