//! Attributes of an element, including those inherited from its default class.

use super::element::{Attribute, XmlElement};
use super::relevance::{PARTS, RELEVANCE};
use crate::robot::decimal::{Decimal, Triple};
use crate::robot::relevance::Relevance;
use crate::robot::report::Report;
use dqdt_diagnostics::base::Span;
use dqdt_diagnostics::error::Diagnostic;
use dqdt_spec::spec::did_you_mean;

/// Errors, and the report on unused parts, collected while the file is read. Shared by all readers
/// of MJCF elements.
#[derive(Default)]
pub(super) struct Notes {
    pub problems: Vec<Diagnostic>,
    pub report: Report,
}

impl Notes {
    pub fn add_problem(&mut self, code: &'static str, message: String, at: (Span, &str), help: &str) {
        self.problems
            .push(Diagnostic::error(code, message).at(Some(at.0), at.1.to_owned()).help(help.to_owned()));
    }

    /// Reports an element that is not read, by its relevance in the table [`RELEVANCE`]. Children
    /// are reported too, unless the relevance applies to the whole element.
    pub fn report_unread_element(&mut self, path: &str, element: &XmlElement) {
        match RELEVANCE.element_relevance(path) {
            Some((relevance, true)) => self.report.record_loss(relevance, path, None, element.span),
            Some((Relevance::Used, false)) if element.tag != "default" => {
                // The element is read elsewhere, but not in this place.
                self.report.record_loss(Relevance::Structural, path, None, element.span);
            }
            Some((_, false)) => {
                self.report_unread_attributes(element, path);
                for child in &element.children {
                    self.report_unread_element(&format!("{path}/{}", child.tag), child);
                }
            }
            None => self.report.record_loss(Relevance::Structural, path, None, element.span),
        }
    }

    /// Reports an element that is not read, with a relevance that depends on the context rather
    /// than on its name.
    pub fn report_unread_as(&mut self, relevance: Relevance, path: &str, element: &XmlElement) {
        self.report.record_loss(relevance, path, None, element.span);
    }

    /// Reports unused attributes and children of an element that has no relevant children. Parts of
    /// the robot among the children are rejected elsewhere.
    pub fn report_unread_parts(&mut self, element: &XmlElement, path: &str) {
        self.report_unread_attributes(element, path);
        for child in element.children.iter().filter(|c| !PARTS.contains(&c.tag.as_str())) {
            self.report_unread_element(&format!("{path}/{}", child.tag), child);
        }
    }

    /// Reports attributes that are not read, by their relevance in the table [`RELEVANCE`]. An
    /// attribute unknown to MuJoCo and similar to a known one is an error.
    pub fn report_unread_attributes(&mut self, element: &XmlElement, path: &str) {
        for attribute in &element.attributes {
            let name = attribute.name.as_str();
            let relevance = match RELEVANCE.attribute_relevance(path, name) {
                Some(Relevance::Used) => continue,
                Some(relevance) => relevance,
                None => {
                    let missing = RELEVANCE.used_attributes(path).filter(|r| element.attribute(r).is_none());
                    if let Some(meant) = did_you_mean(name, missing) {
                        self.add_problem(
                            "mjcf-attribute",
                            format!("<{}> does not accept the attribute `{name}`", element.tag),
                            (attribute.span, "unknown attribute"),
                            &format!("write `{meant}`"),
                        );
                        continue;
                    }
                    Relevance::Structural
                }
            };
            self.report.record_loss(relevance, format!("{path}@{name}"), None, attribute.span);
        }
    }

    /// Parses the value of an attribute as `count` numbers, or at most as many if `fewer`.
    pub fn parse_numbers(
        &mut self,
        attribute: &Attribute,
        count: usize,
        fewer: bool,
    ) -> Option<Vec<Decimal>> {
        let parts: Vec<&str> = attribute.value.split_whitespace().collect();
        if parts.len() > count || parts.is_empty() || (parts.len() < count && !fewer) {
            let what = match count {
                1 => "one number".to_owned(),
                n if fewer => format!("at most {n} numbers"),
                n => format!("{n} numbers"),
            };
            let zeros = vec!["0"; count].join(" ");
            let name = &attribute.name;
            let (n, s) = (parts.len(), if parts.len() == 1 { "" } else { "s" });
            let not = if fewer && n > 0 { "more than" } else { "not" };
            self.add_problem(
                "mjcf-number",
                format!("`{name}` has {n} number{s}, {not} {count}"),
                (attribute.value_span, &format!("expected {what}, separated by spaces")),
                &format!("write {name}=\"{zeros}\", with your own values instead of the zeros"),
            );
            return None;
        }
        let mut numbers = Vec::new();
        for text in parts {
            match Decimal::parse(text) {
                Some(number) => numbers.push(number),
                None => self.add_problem(
                    "mjcf-number",
                    format!("`{text}` is not a number"),
                    (attribute.value_span, &format!("in `{}`", attribute.name)),
                    "write a finite decimal number with a decimal point and without a unit",
                ),
            }
        }
        (numbers.len() <= count && (fewer || numbers.len() == count)).then_some(numbers)
    }

    /// Parses an attribute as one of several words; another word is an error.
    pub fn parse_word<'w>(&mut self, attribute: &Attribute, words: &[&'w str]) -> Option<&'w str> {
        let word = words.iter().copied().find(|w| *w == attribute.value);
        if word.is_none() {
            let meant = did_you_mean(&attribute.value, words.iter().copied());
            let help =
                meant.map_or_else(|| format!("use one of: {}", words.join(", ")), |w| format!("write `{w}`"));
            let message = format!("`{}` cannot be `{}`", attribute.name, attribute.value);
            self.add_problem("mjcf-word", message, (attribute.value_span, "unknown word"), &help);
        }
        word
    }
}

/// Maximum number of polynomial coefficients that MuJoCo reads as a stiffness or a damping.
const POWERS: usize = 3;

/// An element of an MJCF with the default elements that it inherits attributes from, from the
/// nearest class to the farthest.
#[derive(Clone, Debug)]
pub(super) struct ElementWithDefaults<'a> {
    pub element: &'a XmlElement,
    pub defaults: Vec<&'a XmlElement>,
}

impl<'a> ElementWithDefaults<'a> {
    /// An element that inherits no attributes from default classes.
    pub fn without_defaults(element: &'a XmlElement) -> Self {
        ElementWithDefaults { element, defaults: Vec::new() }
    }

    /// The element itself, then its default elements from the nearest class to the farthest.
    fn element_and_defaults(&self) -> impl DoubleEndedIterator<Item = &'a XmlElement> {
        std::iter::once(self.element).chain(self.defaults.iter().copied())
    }

    /// An attribute of the element, or else of the nearest default class that has it.
    pub fn find_attribute(&self, name: &str) -> Option<&'a Attribute> {
        self.element_and_defaults().find_map(|e| e.attribute(name))
    }

    /// Place of an attribute of the element or of its defaults, or of the element if there is none.
    pub fn attribute_span(&self, name: &str) -> Span {
        self.find_attribute(name).map_or(self.element.span, |a| a.value_span)
    }

    /// An attribute that is one number; `None` if it is missing or invalid.
    pub fn read_number(&self, notes: &mut Notes, name: &str) -> Option<Decimal> {
        let numbers = notes.parse_numbers(self.find_attribute(name)?, 1, false)?;
        numbers.into_iter().next()
    }

    /// An attribute that is one number, or a default value.
    pub fn read_number_or(&self, notes: &mut Notes, name: &str, default: f64) -> Decimal {
        self.read_number(notes, name).unwrap_or_else(|| Decimal::from_f64(default))
    }

    /// Reports a negative number in this attribute.
    pub fn reject_negative_number(&self, notes: &mut Notes, name: &str, value: &Decimal, label: &str) {
        if value.value < 0.0 {
            let message = format!("the {name} {} of {label} is negative", value.text);
            notes.add_problem(
                "mjcf-friction",
                message,
                (self.attribute_span(name), "here"),
                "write zero or a positive number",
            );
        }
    }

    /// An attribute that is a stiffness or a damping: non-negative, zero by default. In MuJoCo
    /// further numbers are coefficients of higher powers; they are reported if they are not zero.
    pub fn read_coefficient(&self, notes: &mut Notes, name: &str, label: &str, path: &str) -> Decimal {
        let Some(numbers) = self.find_attribute(name).and_then(|a| notes.parse_numbers(a, POWERS, true))
        else {
            return Decimal::from_f64(0.0);
        };
        if numbers.iter().skip(1).any(|x| !x.is_zero()) {
            let text = format!("the polynomial part of `{name}` of {label} (every number after the first)");
            notes.report.record_loss(
                Relevance::Structural,
                format!("{path}@{name}"),
                Some(text),
                self.attribute_span(name),
            );
        }
        let first = numbers.into_iter().next().unwrap_or_else(|| Decimal::from_f64(0.0));
        if first.value < 0.0 {
            let message = format!("the {name} {} of {label} is negative", first.text);
            notes.add_problem(
                "mjcf-friction",
                message,
                (self.attribute_span(name), "here"),
                "write zero or a positive coefficient",
            );
        }
        first
    }

    /// An attribute that is exactly `count` numbers.
    pub fn read_numbers(&self, notes: &mut Notes, name: &str, count: usize) -> Option<Vec<Decimal>> {
        notes.parse_numbers(self.find_attribute(name)?, count, false)
    }

    /// An attribute that is three numbers.
    pub fn read_triple(&self, notes: &mut Notes, name: &str) -> Option<Triple> {
        self.read_numbers(notes, name, 3)?.try_into().ok()
    }

    /// An attribute that is three numbers, or a default value.
    pub fn read_triple_or(&self, notes: &mut Notes, name: &str, default: [f64; 3]) -> Triple {
        self.read_triple(notes, name).unwrap_or_else(|| default.map(Decimal::from_f64))
    }

    /// An attribute of which an element may set only the first numbers, such as `size` of a geom;
    /// the others are those of farther classes, or else the defaults.
    pub fn read_overlaid_numbers(&self, notes: &mut Notes, name: &str, default: &[f64]) -> Vec<Decimal> {
        let mut values: Vec<Decimal> = default.iter().map(|x| Decimal::from_f64(*x)).collect();
        for attribute in self.element_and_defaults().rev().filter_map(|e| e.attribute(name)) {
            for (slot, number) in
                values.iter_mut().zip(notes.parse_numbers(attribute, default.len(), true).unwrap_or_default())
            {
                *slot = number;
            }
        }
        values
    }

    /// An attribute that is one of several words, or a default word.
    pub fn read_word<'w>(
        &self,
        notes: &mut Notes,
        name: &str,
        words: &[&'w str],
        default: &'w str,
    ) -> &'w str {
        self.find_attribute(name).and_then(|a| notes.parse_word(a, words)).unwrap_or(default)
    }

    /// An attribute that is a flag: `true`, `false`, or `auto`, which means `automatic`.
    pub fn read_flag(&self, notes: &mut Notes, name: &str, automatic: bool) -> bool {
        match self.read_word(notes, name, &["true", "false", "auto"], "auto") {
            "true" => true,
            "false" => false,
            _ => automatic,
        }
    }
}
