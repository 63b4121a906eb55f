//! Elements and attributes of the file with source spans; errors for missing or malformed ones.

use roxmltree::Node;

use super::relevance::{REFLECTED, RELEVANCE, has_neutral_value};
use crate::robot::decimal::{Decimal, Triple};
use crate::robot::prefixes::{attribute_name, element_name};
use crate::robot::relevance::{Loss, Relevance};
use dqdt_diagnostics::base::{SourceId, Span};
use dqdt_diagnostics::error::Diagnostic;
use dqdt_spec::spec::did_you_mean;

/// Reader of the XML elements of a URDF, with the problems and losses collected so far.
pub(super) struct ElementReader<'a> {
    pub source: SourceId,
    /// Text of the URDF file.
    pub required_text: &'a str,
    pub problems: Vec<Diagnostic>,
    /// XML namespace of the root; elements of other namespaces do not belong to URDF.
    pub namespace: Option<&'a str>,
    pub ignored: Vec<Loss>,
}

impl<'t> ElementReader<'t> {
    /// True for an element that belongs to URDF by its namespace.
    pub fn is_urdf_element(&self, node: Node<'_, '_>) -> bool {
        node.is_element() && node.tag_name().namespace() == self.namespace
    }

    /// Name of an XML element with its prefix, as written in the file.
    pub fn prefixed_name(&self, node: Node<'_, '_>) -> &'t str {
        element_name(node, self.required_text)
    }

    /// Reports attributes that are not read, and all children except those in `children`.
    pub fn report_unread_parts(&mut self, node: Node<'_, '_>, path: &str, children: &[&str]) {
        self.report_unread_attributes(node, path);
        for child in node.children().filter(Node::is_element) {
            if !(self.is_urdf_element(child) && children.contains(&child.tag_name().name())) {
                self.report_unread_element(path, child);
            }
        }
    }

    /// Reports an element that is not read, by its relevance in the table; `parent` is the path of
    /// its parent. Children are reported too, unless the relevance applies to the whole element.
    pub fn report_unread_element(&mut self, parent: &str, node: Node<'_, '_>) {
        let path = match parent {
            "" => self.prefixed_name(node).to_owned(),
            _ => format!("{parent}/{}", self.prefixed_name(node)),
        };
        let span = self.tag_span(node);
        let said = node.attribute("value").or(node.text()).unwrap_or("");
        match RELEVANCE.element_relevance(&path) {
            Some(_) if has_neutral_value(&path, said) => self.record_loss(Relevance::Harmless, path, span),
            Some((relevance, true)) => {
                for inner in node.descendants().filter(Node::is_element) {
                    if REFLECTED.contains(&self.prefixed_name(inner)) {
                        let span = self.tag_span(inner);
                        self.record_loss(
                            Relevance::Structural,
                            format!("{path}/{}", self.prefixed_name(inner)),
                            span,
                        );
                    }
                }
                self.record_loss(relevance, path, span);
            }
            // Elements that only group others and are not read themselves.
            Some((_, false))
                if ["gazebo", "mujoco", "mujoco/compiler", "mujoco/size"].contains(&path.as_str()) =>
            {
                self.report_unread_attributes(node, &path);
                for child in node.children().filter(Node::is_element) {
                    self.report_unread_element(&path, child);
                }
            }
            Some((_, false)) | None => self.record_loss(Relevance::Structural, path, span),
        }
    }

    fn record_loss(&mut self, relevance: Relevance, path: String, span: Span) {
        self.ignored.push(Loss { path, relevance, text: None, span });
    }

    /// Reports attributes that are not read, by their relevance in the table. One that is similar
    /// to a known attribute is an error.
    pub fn report_unread_attributes(&mut self, node: Node<'_, '_>, path: &str) {
        for attribute in node.attributes() {
            let name = attribute_name(&attribute, self.required_text);
            let range = attribute.range();
            let span = Span::new(self.source, range.start, range.start + name.len());
            let relevance = match RELEVANCE.attribute_relevance(path, name) {
                Some(Relevance::Used) => continue,
                Some(relevance) => relevance,
                None => {
                    let missing = RELEVANCE.used_attributes(path).filter(|r| !node.has_attribute(*r));
                    if let Some(meant) = did_you_mean(name, missing) {
                        let message =
                            format!("<{}> does not accept the attribute `{name}`", self.prefixed_name(node));
                        let d = Diagnostic::error("urdf-attribute", message);
                        self.add_problem(
                            d.at(Some(span), "unknown attribute").help(format!("write `{meant}`")),
                        );
                        continue;
                    }
                    Relevance::Structural
                }
            };
            self.record_loss(relevance, format!("{path}@{name}"), span);
        }
    }

    /// Place of the opening tag of an element, without its attributes.
    pub fn tag_span(&self, node: Node<'_, '_>) -> Span {
        let range = node.range();
        let tag = range.start..range.start + 1 + self.prefixed_name(node).len();
        Span::new(self.source, tag.start, tag.end)
    }

    /// Place of the value of an attribute, or of the tag if the attribute is missing.
    pub fn attribute_value_span(&self, node: Node<'_, '_>, name: &str) -> Span {
        match node.attribute_node(name) {
            Some(a) => {
                let range = a.range_value();
                Span::new(self.source, range.start, range.end)
            }
            None => self.tag_span(node),
        }
    }

    pub fn add_problem(&mut self, d: Diagnostic) {
        self.problems.push(d);
    }

    /// A required attribute of an element, as text. A missing one is reported.
    pub fn text<'a>(&mut self, node: Node<'a, '_>, name: &str) -> Option<&'a str> {
        let value = node.attribute(name).map(str::trim);
        if value.is_none_or(str::is_empty) {
            let tag = self.prefixed_name(node);
            let d = Diagnostic::error("urdf-missing", format!("<{tag}> has no attribute `{name}`"))
                .at(Some(self.tag_span(node)), "here")
                .help(format!("write <{tag} {name}=\"…\">"));
            self.add_problem(d);
            return None;
        }
        if let Some(text) = value.filter(|v| v.contains("${") || v.contains("$(")) {
            let d = Diagnostic::error("urdf-xacro", format!("`{text}` is a xacro expression, not URDF"))
                .at(Some(self.attribute_value_span(node, name)), "here")
                .help("convert the file to URDF first: `xacro robot.urdf.xacro > robot.urdf`");
            self.add_problem(d);
            return None;
        }
        value
    }

    /// A required attribute of an element that is a number. Problems are reported.
    pub fn required_number(&mut self, node: Node<'_, '_>, name: &str) -> Option<Decimal> {
        let text = self.text(node, name)?;
        self.parse_decimal(node, name, text)
    }

    /// An attribute of an element that is a number, with a default.
    pub fn number_or_default(&mut self, node: Option<Node<'_, '_>>, name: &str, default: f64) -> Decimal {
        let attribute = node.and_then(|n| n.attribute(name).map(|text| (n, text)));
        let number = attribute.and_then(|(n, text)| self.parse_decimal(n, name, text.trim()));
        number.unwrap_or_else(|| Decimal::from_f64(default))
    }

    /// An attribute of an element that is three numbers, with a default.
    pub fn triple_or_default(&mut self, node: Option<Node<'_, '_>>, name: &str, default: [f64; 3]) -> Triple {
        let fallback = default.map(Decimal::from_f64);
        let Some((node, text)) = node.and_then(|n| n.attribute(name).map(|text| (n, text))) else {
            return fallback;
        };
        let parts: Vec<&str> = text.split_whitespace().collect();
        let [a, b, c] = parts[..] else {
            let d = Diagnostic::error("urdf-number", format!("`{name}` has {} numbers, not 3", parts.len()))
                .at(
                    Some(self.attribute_value_span(node, name)),
                    "expected three numbers, separated by spaces",
                )
                .help(format!("write {name}=\"0 0 0\""));
            self.add_problem(d);
            return fallback;
        };
        let numbers = [a, b, c].map(|text| self.parse_decimal(node, name, text));
        match numbers {
            [Some(a), Some(b), Some(c)] => [a, b, c],
            _ => fallback,
        }
    }

    fn parse_decimal(&mut self, node: Node<'_, '_>, name: &str, text: &str) -> Option<Decimal> {
        let number = Decimal::parse(text);
        if number.is_none() {
            let help = if text.contains("${") || text.contains("$(") {
                "this is a xacro expression, not URDF: convert the file first with `xacro robot.urdf.xacro > robot.urdf`"
            } else {
                "write a finite decimal number with a decimal point and without a unit"
            };
            let d = Diagnostic::error("urdf-number", format!("`{text}` is not a number"))
                .at(Some(self.attribute_value_span(node, name)), format!("in `{name}`"))
                .help(help);
            self.add_problem(d);
        }
        number
    }
}

/// The only child element of the given name, if there is one; duplicates are reported.
pub(super) fn single_child<'a, 'i>(
    reader: &mut ElementReader<'_>,
    node: Node<'a, 'i>,
    name: &str,
) -> Option<Node<'a, 'i>> {
    let mut all = node
        .children()
        .filter(|n| reader.is_urdf_element(*n) && n.tag_name().name() == name)
        .collect::<Vec<_>>()
        .into_iter();
    let first = all.next()?;
    if let Some(second) = all.next() {
        let d = Diagnostic::error("duplicate", format!("<{name}> is specified twice"))
            .at(Some(reader.tag_span(second)), "again here")
            .also(Some(reader.tag_span(first)), "first here")
            .help("keep only one of the two elements");
        reader.add_problem(d);
    }
    Some(first)
}
