//! Reads parameters, tables, definitions, inputs, states.

use super::fields::{Fields, SpecReader};
use crate::read::document::Data;
use crate::spec::formula::Node;
use crate::spec::keys;
use crate::spec::{Definition, Input, Parameter, State, Table, UnitText, Value};
use dqdt_algebra::Unit;
use dqdt_diagnostics::base::Spanned;

pub(super) fn parameters(r: &mut SpecReader<'_>, top: &Fields<'_>) -> Vec<Parameter> {
    let mut out = Vec::new();
    for (name, item) in r.entries(top, "parameters") {
        let what = format!("parameter `{}`", name.value);
        let parameter = if let Data::Table(_) = item.data {
            let span = name.span.unwrap_or(item.span);
            let Some(f) = r.open(item, what, &keys::PARAMETER, span) else { continue };
            Parameter {
                value: r.needed(&f, "value"),
                unit: r.unit(&f, "unit"),
                description: r.text(&f, "description"),
                constant: r.flag(&f, "constant"),
                given: false,
                name,
            }
        } else {
            let value = r.value_of(item, &what);
            let unit = unit_within(&value);
            Parameter { name, value, unit, description: String::new(), constant: false, given: false }
        };
        out.push(parameter);
    }
    out
}

/// The unit in the text of a parameter that is a quantity, such as `9.81 m/s^2`.
fn unit_within(value: &Value) -> Option<UnitText> {
    let [(Node::Quantity(..), _)] = value.expr()?.nodes() else { return None };
    let (_, text) = value.text.trim().split_once(char::is_whitespace)?;
    let text = text.trim().trim_start_matches('[').trim_end_matches(']');
    let unit = Unit::parse(text).ok()?;
    Some(UnitText { text: Spanned { value: text.to_owned(), span: value.span }, unit })
}

pub(super) fn tables(r: &mut SpecReader<'_>, top: &Fields<'_>) -> Vec<Table> {
    let mut out = Vec::new();
    for (name, item) in r.entries(top, "tables") {
        let span = name.span.unwrap_or(item.span);
        let what = format!("table `{}`", name.value);
        let Some(f) = r.open(item, what, &keys::TABLE, span) else {
            r.broken.push(name.value);
            continue;
        };
        let (x, y) = (r.values(&f, "x"), r.values(&f, "y"));
        let cubic = r.word(&f, "interpolation", &["linear", "cubic"]).is_some_and(|w| w.value == "cubic");
        let (x_unit, y_unit) = (r.unit(&f, "x_unit"), r.unit(&f, "y_unit"));
        match x.zip(y) {
            Some((x, y)) => out.push(Table { name, x, y, cubic, x_unit, y_unit }),
            None => r.broken.push(name.value),
        }
    }
    out
}

pub(super) fn definitions(r: &mut SpecReader<'_>, top: &Fields<'_>) -> Vec<Definition> {
    r.entries(top, "definitions")
        .into_iter()
        .map(|(name, item)| {
            let value = r.value_of(item, &format!("definition `{}`", name.value));
            Definition { name, value }
        })
        .collect()
}

pub(super) fn inputs(r: &mut SpecReader<'_>, top: &Fields<'_>) -> Vec<Input> {
    let mut out = Vec::new();
    for (name, item) in r.entries(top, "inputs") {
        let what = format!("input `{}`", name.value);
        let mut input =
            Input { name, unit: None, limits: None, default: None, description: String::new(), law: None };
        match &item.data {
            Data::Table(_) => {
                let span = input.name.span.unwrap_or(item.span);
                if let Some(f) = r.open(item, what, &keys::INPUT, span) {
                    input.unit = r.unit(&f, "unit");
                    input.limits = r.pair(&f, "limits");
                    input.default = r.value(&f, "default");
                    input.description = r.text(&f, "description");
                }
            }
            Data::Text(_) => input.unit = r.unit_of(item, &what),
            _ => r.wrong_type(
                &what,
                item,
                "a unit in quotes or a table { unit, limits, default, description }",
            ),
        }
        out.push(input);
    }
    out
}

pub(super) fn states(r: &mut SpecReader<'_>, top: &Fields<'_>) -> Vec<State> {
    let mut out = Vec::new();
    for (name, item) in r.entries(top, "states") {
        let what = format!("state `{}`", name.value);
        let span = name.span.unwrap_or(item.span);
        let state = match r.open(item, what, &keys::STATE, span) {
            Some(f) => State {
                rate: r.needed(&f, "rate"),
                start: r.value(&f, "start"),
                unit: r.unit(&f, "unit"),
                description: r.text(&f, "description"),
                name,
            },
            None => State {
                rate: Value::broken(Some(span)),
                start: None,
                unit: None,
                description: String::new(),
                name: Spanned::at(name.value, span),
            },
        };
        out.push(state);
    }
    out
}
