//! Reads parameters, tables, definitions, inputs, states.

use super::fields::{Fields, SpecReader};
use crate::read::document::Data;
use crate::spec::formula::Node;
use crate::spec::keys;
use crate::spec::{Definition, Input, Parameter, State, Table, UnitText, Value};
use dqdt_algebra::Unit;
use dqdt_diagnostics::base::Spanned;

pub(super) fn read_parameters(r: &mut SpecReader<'_>, top: &Fields<'_>) -> Vec<Parameter> {
    let mut out = Vec::new();
    for (name, item) in r.named_entries(top, "parameters") {
        let what = format!("parameter `{}`", name.value);
        let parameter = if let Data::Table(_) = item.data {
            let span = name.span.unwrap_or(item.span);
            let Some(f) = r.open_table(item, what, &keys::PARAMETER, span) else { continue };
            Parameter {
                value: r.read_required_value(&f, "value"),
                unit: r.read_unit(&f, "unit"),
                description: r.read_text(&f, "description"),
                constant: r.read_flag(&f, "constant"),
                is_overridden: false,
                name,
            }
        } else {
            let value = r.parse_value(item, &what);
            let unit = unit_in_quantity(&value);
            Parameter { name, value, unit, description: String::new(), constant: false, is_overridden: false }
        };
        out.push(parameter);
    }
    out
}

/// The unit in the text of a parameter that is a quantity, such as `9.81 m/s^2`.
fn unit_in_quantity(value: &Value) -> Option<UnitText> {
    let [(Node::Quantity(..), _)] = value.expr()?.nodes() else { return None };
    let (_, text) = value.text.trim().split_once(char::is_whitespace)?;
    let text = text.trim().trim_start_matches('[').trim_end_matches(']');
    let unit = Unit::parse(text).ok()?;
    Some(UnitText { text: Spanned { value: text.to_owned(), span: value.span }, unit })
}

pub(super) fn read_tables(r: &mut SpecReader<'_>, top: &Fields<'_>) -> Vec<Table> {
    let mut out = Vec::new();
    for (name, item) in r.named_entries(top, "tables") {
        let span = name.span.unwrap_or(item.span);
        let what = format!("table `{}`", name.value);
        let Some(f) = r.open_table(item, what, &keys::TABLE, span) else {
            r.unreadable_names.push(name.value);
            continue;
        };
        let (x, y) = (r.read_values(&f, "x"), r.read_values(&f, "y"));
        let cubic =
            r.read_word(&f, "interpolation", &["linear", "cubic"]).is_some_and(|w| w.value == "cubic");
        let (x_unit, y_unit) = (r.read_unit(&f, "x_unit"), r.read_unit(&f, "y_unit"));
        match x.zip(y) {
            Some((x, y)) => out.push(Table { name, x, y, cubic, x_unit, y_unit }),
            None => r.unreadable_names.push(name.value),
        }
    }
    out
}

pub(super) fn read_definitions(r: &mut SpecReader<'_>, top: &Fields<'_>) -> Vec<Definition> {
    r.named_entries(top, "definitions")
        .into_iter()
        .map(|(name, item)| {
            let value = r.parse_value(item, &format!("definition `{}`", name.value));
            Definition { name, value }
        })
        .collect()
}

pub(super) fn read_inputs(r: &mut SpecReader<'_>, top: &Fields<'_>) -> Vec<Input> {
    let mut out = Vec::new();
    for (name, item) in r.named_entries(top, "inputs") {
        let what = format!("input `{}`", name.value);
        let mut input =
            Input { name, unit: None, limits: None, default: None, description: String::new(), law: None };
        match &item.data {
            Data::Table(_) => {
                let span = input.name.span.unwrap_or(item.span);
                if let Some(f) = r.open_table(item, what, &keys::INPUT, span) {
                    input.unit = r.read_unit(&f, "unit");
                    input.limits = r.read_range(&f, "limits");
                    input.default = r.read_value(&f, "default");
                    input.description = r.read_text(&f, "description");
                }
            }
            Data::Text(_) => input.unit = r.parse_unit(item, &what),
            _ => r.report_wrong_type(
                &what,
                item,
                "a unit in quotes, or a table { unit, limits, default, description }",
            ),
        }
        out.push(input);
    }
    out
}

pub(super) fn read_states(r: &mut SpecReader<'_>, top: &Fields<'_>) -> Vec<State> {
    let mut out = Vec::new();
    for (name, item) in r.named_entries(top, "states") {
        let what = format!("state `{}`", name.value);
        let span = name.span.unwrap_or(item.span);
        let state = match r.open_table(item, what, &keys::STATE, span) {
            Some(f) => State {
                rate: r.read_required_value(&f, "rate"),
                start: r.read_value(&f, "start"),
                unit: r.read_unit(&f, "unit"),
                description: r.read_text(&f, "description"),
                name,
            },
            None => State {
                rate: Value::unreadable(Some(span)),
                start: None,
                unit: None,
                description: String::new(),
                name: Spanned::with_span(name.value, span),
            },
        };
        out.push(state);
    }
    out
}
