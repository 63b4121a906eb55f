//! Reads numbers, formulas, vectors, axes, rotations, frames.

use super::constant::evaluate_constant_formula;
use super::fields::{Fields, SpecReader};
use crate::read::document::{Data, TomlItem};
use crate::spec::formula::{self, Expr, FormulaError, Node, Operator};
use crate::spec::keys;
use crate::spec::{AxisText, FrameOn, Location, Name, Rotation, RotationKind, UnitText, Value};
use dqdt_algebra::{Axis, Number, Unit};
use dqdt_diagnostics::base::{Span, Spanned};
use dqdt_diagnostics::error::Diagnostic;

impl SpecReader<'_> {
    /// Value of a key that is a number or a formula, if the key is present.
    pub fn read_value(&mut self, fields: &Fields<'_>, key: &str) -> Option<Value> {
        fields.find_item(key).map(|item| self.parse_value(item, &fields.quoted_key_name(key)))
    }

    /// Value of a required key that is a number or a formula. If the key is missing, which is
    /// already reported, a broken value.
    pub fn read_required_value(&mut self, fields: &Fields<'_>, key: &str) -> Value {
        self.read_value(fields, key).unwrap_or_else(|| Value::unreadable(Some(fields.span)))
    }

    pub fn parse_value(&mut self, item: &TomlItem, what: &str) -> Value {
        let span = Some(item.span);
        match &item.data {
            Data::Number(text) => {
                let number = Number::parse_decimal(text).or_else(|| {
                    let x: f64 = text.parse().ok()?;
                    // A number other than zero that underflows to zero is rejected.
                    (x.is_finite() && x != 0.0).then(|| Number::float(x))
                });
                let Some(n) = number else {
                    self.report(
                        Diagnostic::error(
                            "number-out-of-range",
                            format!("{what} is outside the range of double-precision numbers"),
                        )
                        .at(span, "this number is too large, or too small to distinguish from zero")
                        .help("choose another unit, or check the exponent"),
                    );
                    return Value::unreadable(span);
                };
                let value = Value {
                    text: text.clone(),
                    span,
                    origin: None,
                    expr: Some(Expr::from_number(n, text.len())),
                };
                self.warn_inexact_numbers(&value);
                value
            }
            Data::Text(text) => {
                let origin = self.sources.origin(item.span, text);
                let mut value = Value { text: text.clone(), span, origin, expr: None };
                match formula::parse_quantity(text).map_or_else(|| formula::parse_formula(text), Ok) {
                    Ok(expr) => value.expr = Some(expr),
                    Err(error) => self.report_formula_error(&value, error),
                }
                self.warn_inexact_numbers(&value);
                self.warn_unit_power(&value);
                value
            }
            _ => {
                self.report_wrong_type(what, item, "a number or a formula in quotes");
                Value::unreadable(span)
            }
        }
    }

    fn report_formula_error(&mut self, value: &Value, error: FormulaError) {
        let d =
            Diagnostic::error("formula-syntax", error.message).at(value.part_span(&error.range), error.label);
        self.report(error.with_help.into_iter().fold(d, Diagnostic::help));
    }

    /// Warns about `1e-4 [m]^2`, which means (1e-4 m)² but looks like 1e-4 m².
    fn warn_unit_power(&mut self, value: &Value) {
        let Some(expr) = &value.expr else { return };
        let nodes = expr.nodes();
        for (node, range) in nodes {
            let Node::Binary(Operator::Pow, base, exponent) = node else { continue };
            let (base, exponent) = (&nodes[*base].1, &nodes[*exponent].1);
            // Not ambiguous: a base in parentheses, and the bases 0 and 1.
            let Some((number, unit)) = value.text[base.clone()].split_once('[') else { continue };
            let Some(unit) = unit.strip_suffix(']').map(str::trim) else { continue };
            let number = number.trim();
            let same = number.parse::<f64>().map_or(true, |x| x == 1.0 || x == 0.0);
            if same || number.starts_with('(') {
                continue;
            }
            let power = &value.text[exponent.clone()];
            let product = unit.contains(['*', '/', '^', '·']);
            let (units, other) = if product {
                (
                    format!("({unit})^{power}"),
                    "write the power inside the brackets, after each unit".to_owned(),
                )
            } else {
                (format!("{unit}^{power}"), format!("write `{number} [{unit}^{power}]`"))
            };
            let label = match (number.parse::<f64>(), power.parse::<i32>()) {
                (Ok(x), Ok(n)) => {
                    format!("this power equals {} {units}, not {number} {units}", nine_digits(x.powi(n)))
                }
                _ => format!("this power is not {number} {units}"),
            };
            let read = format!("`{}` is read as ({number} [{unit}])^{power}", &value.text[range.clone()]);
            self.report(
                Diagnostic::warning(
                    "power-of-quantity",
                    format!("{read}: the power applies to the number too"),
                )
                .at(value.part_span(range), label)
                .help(format!("if the power should apply only to the unit, {other}"))
                .help(format!(
                    "if it should apply to both the number and the unit, write `({number} [{unit}])^{power}` to suppress this warning"
                )),
            );
        }
    }

    /// Warns about numbers in a formula with too many digits to be stored exactly.
    fn warn_inexact_numbers(&mut self, value: &Value) {
        let Some(expr) = &value.expr else { return };
        for (node, range) in expr.nodes() {
            if let Node::Number(n) | Node::Quantity(n, _) = node
                && !n.is_exact()
                && !is_same_decimal(text_in_range(&value.text, range), &n.to_string())
            {
                self.problems.push(
                    Diagnostic::warning(
                        "inexact-number",
                        format!("`{}` cannot be stored as an exact fraction", value.text),
                    )
                    .at(value.part_span(range), format!("this number is rounded to {n}"))
                    .help("to keep the number exact, shorten it to about 150 digits or fewer when written out without an exponent; otherwise, proofs report that they used a rounded number"),
                );
            }
        }
    }

    /// Value of a key that is a list of numbers and formulas, with its place.
    pub fn read_values(&mut self, fields: &Fields<'_>, key: &str) -> Option<Spanned<Vec<Value>>> {
        let item = fields.find_item(key)?;
        let what = fields.quoted_key_name(key);
        let Data::Array(items) = &item.data else {
            self.report_wrong_type(&what, item, "a list [ … ]");
            return None;
        };
        Some(Spanned::with_span(items.iter().map(|i| self.parse_value(i, &what)).collect(), item.span))
    }

    /// A list of exactly `N` numbers or formulas. `form` is the expected form, for messages.
    fn parse_fixed_list<const N: usize>(&mut self, item: &TomlItem, what: &str, form: &str) -> [Value; N] {
        let broken = || std::array::from_fn(|_| Value::unreadable(Some(item.span)));
        let Data::Array(items) = &item.data else {
            self.report_wrong_type(what, item, form);
            return broken();
        };
        if items.len() != N {
            self.report(
                Diagnostic::error(
                    "wrong-length",
                    format!("{what} must have {N} entries, not {}", items.len()),
                )
                .at(Some(item.span), format!("expected {form}")),
            );
            return broken();
        }
        std::array::from_fn(|i| self.parse_value(&items[i], what))
    }

    pub fn read_triple(&mut self, fields: &Fields<'_>, key: &str) -> Option<[Value; 3]> {
        fields
            .find_item(key)
            .map(|item| self.parse_fixed_list(item, &fields.quoted_key_name(key), "[x, y, z]"))
    }

    pub fn parse_triple(&mut self, item: &TomlItem, what: &str, form: &str) -> [Value; 3] {
        self.parse_fixed_list(item, what, form)
    }

    pub fn read_range(&mut self, fields: &Fields<'_>, key: &str) -> Option<[Value; 2]> {
        fields
            .find_item(key)
            .map(|item| self.parse_fixed_list(item, &fields.quoted_key_name(key), "[lowest, highest]"))
    }

    /// Value of a key that is a list of two values; `form` is the expected form, for messages.
    pub fn read_pair(&mut self, fields: &Fields<'_>, key: &str, form: &str) -> Option<[Value; 2]> {
        fields.find_item(key).map(|item| self.parse_fixed_list(item, &fields.quoted_key_name(key), form))
    }

    pub fn read_unit(&mut self, fields: &Fields<'_>, key: &str) -> Option<UnitText> {
        let item = fields.find_item(key)?;
        self.parse_unit(item, &fields.quoted_key_name(key))
    }

    pub fn parse_unit(&mut self, item: &TomlItem, what: &str) -> Option<UnitText> {
        let Data::Text(text) = &item.data else {
            self.report_wrong_type(what, item, "a unit in quotes");
            return None;
        };
        match Unit::parse(text) {
            Ok(unit) => Some(UnitText { text: Spanned::with_span(text.clone(), item.span), unit }),
            Err(e) => {
                self.report(
                    Diagnostic::error("bad-unit", e.to_string())
                        .at(Some(item.span), "this is not a valid unit")
                        .help(dqdt_algebra::list_units_for_help()),
                );
                None
            }
        }
    }

    pub fn read_names(&mut self, fields: &Fields<'_>, key: &str) -> Option<Spanned<Vec<Name>>> {
        let item = fields.find_item(key)?;
        let what = fields.quoted_key_name(key);
        let Data::Array(items) = &item.data else {
            self.report_wrong_type(&what, item, "a list of names [\"…\"]");
            return None;
        };
        let mut names = Vec::new();
        for i in items {
            match &i.data {
                Data::Text(t) => {
                    let name = Spanned::with_span(t.clone(), i.span);
                    self.check_name(&name);
                    names.push(name);
                }
                _ => self.report_wrong_type(&what, i, "a name in quotes"),
            }
        }
        (names.len() == items.len()).then(|| Spanned::with_span(names, item.span))
    }

    /// Value of the key `accept`: codes of messages to suppress, such as
    /// `["redundant-constraint"]`. Unknown codes are not reported, because the message may no
    /// longer exist.
    pub fn read_codes(&mut self, fields: &Fields<'_>, key: &str) -> Vec<Name> {
        let Some(item) = fields.find_item(key) else { return Vec::new() };
        let what = fields.quoted_key_name(key);
        let Data::Array(items) = &item.data else {
            self.report_wrong_type(&what, item, "a list of warning codes or names of robot parts [\"…\"]");
            return Vec::new();
        };

        let mut codes = Vec::new();
        for i in items {
            match &i.data {
                Data::Text(t) if !t.is_empty() && t.chars().all(is_code_character) => {
                    codes.push(Spanned::with_span(t.clone(), i.span));
                }
                _ => self.report_wrong_type(
                    &what,
                    i,
                    "the code of a warning, as printed in brackets, or the name of a part of a robot",
                ),
            }
        }
        codes
    }

    /// Value of a key that is a required axis. If it is missing or invalid, which is reported, a
    /// default axis lets the rest of the joint be checked.
    pub fn read_axis(&mut self, fields: &Fields<'_>, key: &str) -> AxisText {
        let item = fields.find_item(key);
        item.and_then(|item| self.parse_axis(item, &fields.quoted_key_name(key)))
            .unwrap_or_else(|| unit_axis(2))
    }

    /// Value of a key that is a pair of axes; by default x and y.
    pub fn read_axis_pair(&mut self, fields: &Fields<'_>, key: &str) -> (AxisText, AxisText) {
        let default = (unit_axis(0), unit_axis(1));
        let Some(item) = fields.find_item(key) else { return default };
        let what = fields.quoted_key_name(key);
        match &item.data {
            Data::Array(items) if items.len() == 2 => {
                let first = self.parse_axis(&items[0], &what);
                let second = self.parse_axis(&items[1], &what);
                first.zip(second).unwrap_or(default)
            }
            _ => {
                self.report_wrong_type(&what, item, "two axes [\"x\", \"y\"]");
                default
            }
        }
    }

    fn parse_axis(&mut self, item: &TomlItem, what: &str) -> Option<AxisText> {
        let numbers = match &item.data {
            Data::Text(t) => {
                let (sign, letter) = match t.strip_prefix('-') {
                    Some(rest) => (-1, rest),
                    None => (1, t.strip_prefix('+').unwrap_or(t)),
                };
                let index = ["x", "y", "z"].iter().position(|l| *l == letter);
                index.map(|i| std::array::from_fn(|j| Number::integer(if i == j { sign } else { 0 })))
            }
            Data::Array(items) if items.len() == 3 => {
                let mut numbers = [Number::ZERO; 3];
                let mut good = true;
                for (n, item) in numbers.iter_mut().zip(items) {
                    let value = self.parse_value(item, what);
                    let Some(expr) = &value.expr else { return None };
                    self.axis_names.extend(expr.names().map(|(name, _)| name.to_owned()));
                    match evaluate_constant_formula(expr, &self.constants) {
                        Ok(number) if number.to_f64().is_finite() => *n = number,
                        Ok(_) => good = false,
                        Err(name) => {
                            let name = name.to_owned();
                            self.report(
                                Diagnostic::error("axis-not-constant", format!("{what} must be constant, but depends on `{name}`"))
                                    .at(value.span, "this value is not known when the equations are derived")
                                    .help("use only numbers, constant parameters (`constant = true`), + - * / ^, sqrt, abs, sin, cos, tan and their inverses; for a direction that changes at run time, use a `rotation` of the joint's frames"),
                            );
                            return None;
                        }
                    }
                }
                good.then_some(numbers)
            }
            _ => None,
        };
        let Some(numbers) = numbers else {
            self.report(
                Diagnostic::error("bad-axis", format!("{what} is not an axis"))
                    .at(Some(item.span), "expected an axis")
                    .help("write \"x\", \"y\", \"z\", \"-x\", … or three numbers such as [0, 0.6, 0.8], or formulas such as [0, \"cos(30 deg)\", \"sin(30 deg)\"]"),
            );
            return None;
        };
        if numbers.iter().all(|n| n.is_zero()) {
            self.report(
                Diagnostic::error("zero-axis", format!("{what} has zero length"))
                    .at(Some(item.span), "no direction")
                    .help("write an axis of nonzero length, such as [0, 0, 1]"),
            );
            return None;
        }
        Some(Spanned::with_span(scale_to_moderate_length(numbers), item.span))
    }

    pub fn read_rotation(&mut self, fields: &Fields<'_>, key: &str) -> Option<Rotation> {
        let item = fields.find_item(key)?;
        let inner = self.open_table(item, fields.quoted_key_name(key), &keys::ROTATION, item.span)?;
        if inner.find_item("matrix").is_some() {
            if let Some(extra) = inner.key_span("sequence").or(inner.key_span("angles")) {
                self.report(
                    Diagnostic::error("conflict", format!("{} is specified twice", inner.name_in_messages))
                        .at(Some(extra), "the matrix already specifies this rotation")
                        .help("write either `matrix`, or `sequence` with `angles`"),
                );
            }
            let rows = inner.find_item("matrix")?;
            let what = inner.quoted_key_name("matrix");
            let Data::Array(items) = &rows.data else {
                self.report_wrong_type(&what, rows, "three rows [[…], […], […]]");
                return None;
            };
            if items.len() != 3 {
                self.report_wrong_type(&what, rows, "three rows [[…], […], […]]");
                return None;
            }
            let matrix =
                std::array::from_fn(|i| self.parse_fixed_list(&items[i], &what, "a row of three numbers"));
            return Some(Rotation { span: item.span, kind: RotationKind::Matrix(Box::new(matrix)) });
        }
        for needed in ["sequence", "angles"] {
            if inner.find_item(needed).is_none() {
                self.report(
                    Diagnostic::error(
                        "missing-key",
                        format!("{} lacks the required key `{needed}`", inner.name_in_messages),
                    )
                    .at(Some(item.span), format!("`{needed}` is missing"))
                    .help("write { sequence = \"xyz\", angles = [a, b, c] }"),
                );
            }
        }
        let sequence = self.read_sequence(&inner, "sequence");
        let angles = self.read_triple(&inner, "angles");
        let (sequence, angles) = sequence.zip(angles)?;
        Some(Rotation { span: item.span, kind: RotationKind::Sequence(sequence.value, Box::new(angles)) })
    }

    /// Value of a key that is a rotation sequence of three axes, such as `xyz`.
    pub fn read_sequence(&mut self, fields: &Fields<'_>, key: &str) -> Option<Spanned<[Axis; 3]>> {
        let word = self.read_word(fields, key, keys::SEQUENCES)?;
        Some(word.map_value(|w| {
            let bytes = w.as_bytes();
            std::array::from_fn(|i| match bytes[i] {
                b'x' => Axis::X,
                b'y' => Axis::Y,
                _ => Axis::Z,
            })
        }))
    }

    pub fn read_location(&mut self, fields: &Fields<'_>, key: &str) -> Option<Location> {
        let item = fields.find_item(key)?;
        Some(match &item.data {
            Data::Text(t) => Location::Named(Spanned::with_span(t.clone(), item.span)),
            Data::Array(_) => Location::Components(Box::new(self.parse_triple(
                item,
                &fields.quoted_key_name(key),
                "[x, y, z]",
            ))),
            Data::Table(_) => {
                let inner = self.open_table(item, fields.quoted_key_name(key), &keys::OFFSET, item.span)?;
                let point = self.read_reference(&inner, "point");
                let offset = self.read_triple(&inner, "offset");
                Location::Offset(point?, Box::new(offset?))
            }
            _ => {
                let wanted = "the name of a point, [x, y, z], or { point = …, offset = … }";
                self.report_wrong_type(&fields.quoted_key_name(key), item, wanted);
                return None;
            }
        })
    }

    /// Value of a key that is a frame: `"ground"`, a body, or a table with a body and a pose on it.
    pub fn read_frame(
        &mut self,
        fields: &Fields<'_>,
        key: &str,
        shape: &'static crate::spec::key::TableShape,
    ) -> Option<FrameOn> {
        let item = fields.find_item(key)?;
        if let Data::Text(t) = &item.data {
            return Some(FrameOn {
                body: Spanned::with_span(t.clone(), item.span),
                at: None,
                rotation: None,
            });
        }
        if !matches!(item.data, Data::Table(_)) {
            self.report_wrong_type(
                &fields.quoted_key_name(key),
                item,
                "\"ground\", a body in quotes, or { body = …, at = … }",
            );
            return None;
        }
        let span: Span = item.span;
        let inner = self.open_table(item, fields.quoted_key_name(key), shape, span)?;
        let turnable = shape.key("rotation").is_some();
        let rotation = if turnable { self.read_rotation(&inner, "rotation") } else { None };
        let body = self.read_reference(&inner, "body")?;
        Some(FrameOn { body, at: self.read_location(&inner, "at"), rotation })
    }
}

/// True for characters that codes of warnings and names of parts of robots may have.
fn is_code_character(c: char) -> bool {
    c.is_ascii_alphanumeric() || "-_/@:.".contains(c)
}

/// Scales the direction of an axis so that its largest component is one, if the square of its
/// length would overflow or underflow.
fn scale_to_moderate_length(axis: [Number; 3]) -> [Number; 3] {
    let largest = axis.iter().max_by(|a, b| a.to_f64().abs().total_cmp(&b.to_f64().abs()));
    let Some(largest) = largest.copied() else { return axis };
    if (1e-60..1e60).contains(&largest.to_f64().abs()) {
        return axis;
    }
    let magnitude = if largest.to_f64() < 0.0 { largest.checked_neg() } else { Some(largest) };
    let magnitude = magnitude.unwrap_or(largest);
    axis.map(|n| {
        n.checked_div(magnitude).unwrap_or_else(|| Number::float(n.to_f64() / magnitude.to_f64().abs()))
    })
}

/// The part of the text of a formula in a byte range; empty if the range is invalid because of
/// escapes.
fn text_in_range<'t>(text: &'t str, range: &std::ops::Range<usize>) -> &'t str {
    text.get(range.clone()).unwrap_or_default()
}

/// True if two decimal literals have the same value, as `1.50` and `1.5`.
fn is_same_decimal(a: &str, b: &str) -> bool {
    canonical_decimal(a).is_some_and(|a| canonical_decimal(b) == Some(a))
}

/// Canonical form of a decimal literal: true if it is negative, its digits without zeros at the
/// ends, and the exponent of the last digit.
fn canonical_decimal(text: &str) -> Option<(bool, String, i64)> {
    let text = text.replace('_', "");
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((&text, "0"));
    let negative = mantissa.starts_with('-');
    let (whole, fraction) = mantissa
        .trim_start_matches(['-', '+'])
        .split_once('.')
        .unwrap_or((mantissa.trim_start_matches(['-', '+']), ""));
    let digits = format!("{whole}{fraction}");
    if digits.is_empty() || !digits.bytes().all(|c| c.is_ascii_digit()) {
        return None;
    }
    let trailing = digits.len() - digits.trim_end_matches('0').len();
    let exponent = exponent.parse::<i64>().ok()? - fraction.len() as i64 + trailing as i64;
    Some((negative, digits.trim_matches('0').to_owned(), exponent))
}

fn unit_axis(i: usize) -> AxisText {
    Spanned::without_span(std::array::from_fn(|j| Number::integer(i64::from(i == j))))
}

/// A number rounded to nine significant digits, for messages.
fn nine_digits(x: f64) -> String {
    let x = format!("{x:.8e}").parse::<f64>().unwrap_or(x);
    if (1e-3..1e6).contains(&x.abs()) { x.to_string() } else { format!("{x:e}") }
}
