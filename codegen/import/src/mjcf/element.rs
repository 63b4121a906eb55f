//! The file as a tree of elements with source spans; included files are merged into it.

use std::collections::BTreeSet;

use roxmltree::{Document, Node};

use crate::robot::prefixes::{attribute_name, element_name, join_undeclared_prefixes};
use crate::robot::syntax::syntax_error;
use dqdt_diagnostics::base::{SourceId, Sources, Span};
use dqdt_diagnostics::error::Diagnostic;

/// An attribute of an XML element, with its place in the file.
#[derive(Clone, Debug)]
pub(super) struct Attribute {
    pub name: String,
    pub value: String,
    pub span: Span,
    pub value_span: Span,
}

/// An XML element with its attributes and children; `span` is the place of its tag.
#[derive(Clone, Debug)]
pub(super) struct XmlElement {
    pub tag: String,
    pub span: Span,
    pub attributes: Vec<Attribute>,
    pub children: Vec<XmlElement>,
}

impl XmlElement {
    /// The attribute of the given name, with its place.
    pub fn attribute(&self, name: &str) -> Option<&Attribute> {
        self.attributes.iter().find(|a| a.name == name)
    }

    /// Value of the attribute of the given name, as text.
    pub fn attribute_value(&self, name: &str) -> Option<&str> {
        self.attribute(name).map(|a| a.value.as_str())
    }

    /// Place of the value of the attribute `name`, or else of the tag, for messages about the
    /// element.
    pub fn name_span(&self) -> Span {
        self.attribute("name").map_or(self.span, |a| a.value_span)
    }

    /// Place of the value of an attribute, or else of the tag.
    pub fn value_span(&self, name: &str) -> Span {
        self.attribute(name).map_or(self.span, |a| a.value_span)
    }
}

/// Reads an included file. Arguments: the name of the including text, and the path in its
/// `<include>`. Result: the name of the file for messages and its text, or the reason of a failure.
pub type LoadFile<'a> = &'a mut dyn FnMut(&str, &str) -> Result<(String, String), String>;

/// Maximum nesting depth of XML elements in an MJCF; deeper files are an error, because elements
/// are read recursively.
const DEEPEST: usize = 250;

/// Parser of an MJCF file and of the files that it includes.
pub(super) struct Loader<'a, 'l> {
    pub sources: &'a mut Sources,
    pub load: LoadFile<'l>,
    pub problems: Vec<Diagnostic>,
    /// Paths of the files included so far; MuJoCo permits each file only once.
    included_paths: BTreeSet<String>,
}

impl<'a, 'l> Loader<'a, 'l> {
    pub fn new(sources: &'a mut Sources, load: LoadFile<'l>) -> Self {
        Loader { sources, load, problems: Vec::new(), included_paths: BTreeSet::new() }
    }

    /// Parses an XML text and returns its root element.
    pub fn parse_root(&mut self, text: &str, source: SourceId, depth: usize) -> Option<XmlElement> {
        let joined = join_undeclared_prefixes(text);
        match Document::parse(&joined) {
            Ok(document) => self.convert_element(document.root_element(), text, source, depth),
            Err(e) => {
                self.problems.push(syntax_error(
                    "mjcf-syntax",
                    &e,
                    (self.sources.name(source), text),
                    source,
                ));
                None
            }
        }
    }

    /// Converts a node of the XML parser; `None` if it is nested too deeply, which is reported.
    fn convert_element(
        &mut self,
        node: Node<'_, '_>,
        text: &str,
        source: SourceId,
        depth: usize,
    ) -> Option<XmlElement> {
        let start = node.range().start;
        let tag = element_name(node, text).to_owned();
        let span = Span::new(source, start, start + 1 + tag.len());
        if depth > DEEPEST {
            let d = Diagnostic::error(
                "mjcf-depth",
                format!("elements are nested more than {DEEPEST} levels deep"),
            );
            self.problems.push(
                d.at(Some(span), "here")
                    .help("reduce the nesting of elements: no robot needs that many levels"),
            );
            return None;
        }
        let attributes = node.attributes().map(|a| {
            let (whole, value) = (a.range(), a.range_value());
            let name = attribute_name(&a, text);
            Attribute {
                name: name.to_owned(),
                value: a.value().trim().to_owned(),
                span: Span::new(source, whole.start, whole.start + name.len()),
                value_span: Span::new(source, value.start, value.end),
            }
        });
        let mut element = XmlElement { tag, span, attributes: attributes.collect(), children: Vec::new() };
        let before = self.problems.len();
        for child in node.children().filter(Node::is_element) {
            if element_name(child, text) == "include" {
                element.children.extend(self.load_included_elements(child, source, depth));
            } else {
                element.children.extend(self.convert_element(child, text, source, depth + 1));
            }
            // A file that is too deep is reported once.
            if self.problems[before..].iter().any(|d| d.code == "mjcf-depth") {
                return None;
            }
        }
        Some(element)
    }

    /// The elements of an included file, which replace the element `<include>`.
    fn load_included_elements(
        &mut self,
        node: Node<'_, '_>,
        source: SourceId,
        depth: usize,
    ) -> Vec<XmlElement> {
        let start = node.range().start;
        let tag = Span::new(source, start, start + "<include".len());
        let Some(file) = node.attribute_node("file") else {
            let d = Diagnostic::error("mjcf-missing", "<include> has no attribute `file`");
            self.problems.push(d.at(Some(tag), "here").help("write <include file=\"…\"/>"));
            return Vec::new();
        };
        let place = Span::new(source, file.range_value().start, file.range_value().end);
        let name = file.value().trim();
        let others = node.attributes().filter(|a| a.name() != "file").map(|a| a.range().start);
        let within = node.children().filter(Node::is_element).map(|c| c.range().start);
        if let Some(start) = others.chain(within).next() {
            let d = Diagnostic::error(
                "mjcf-include",
                "<include> has attributes other than `file`, or child elements",
            )
            .at(Some(Span::new(source, start, start + 1)), "not supported")
            .help("move these attributes or elements into the included file, or outside the <include>");
            self.problems.push(d);
        }
        if !self.included_paths.insert(name.to_owned()) {
            let d = Diagnostic::error("mjcf-include", format!("`{name}` is included twice"))
                .at(Some(place), "again here")
                .help("remove this <include>: MuJoCo includes each file only once, so that no file can include itself");
            self.problems.push(d);
            return Vec::new();
        }
        let from = self.sources.name(source).to_owned();
        match (self.load)(&from, name) {
            Ok((shown, text)) => {
                let id = self.sources.add(shown, text.as_str());
                self.parse_root(&text, id, depth + 1).map_or(Vec::new(), |root| root.children)
            }
            Err(why) => {
                let d = Diagnostic::error("mjcf-include", format!("cannot read `{name}`: {why}"))
                    .at(Some(place), "this file")
                    .help("specify the path relative to the main file of the robot or to the including file");
                self.problems.push(d);
                Vec::new()
            }
        }
    }
}
