//! Reads constraints.

use super::fields::{Fields, SpecReader};
use crate::read::document::{Data, TomlItem};
use crate::spec::constraint_keys::{self, CONSTRAINT};
use crate::spec::key::{Kind, TableShape};
use crate::spec::keys::FRAME;
use crate::spec::type_keys::TypeKeys;
use crate::spec::{Constraint, ConstraintKind, Stabilisation};
use crate::spec::{Name, Value};
use dqdt_diagnostics::base::Spanned;
use dqdt_diagnostics::error::Diagnostic;

pub(super) fn read_constraints(r: &mut SpecReader<'_>, top: &Fields<'_>) -> Vec<Constraint> {
    let mut out = Vec::new();
    for (name, item) in r.entries_outside_formulas(top, "constraints") {
        out.extend(read_constraint(r, name, item));
    }
    out
}

fn read_constraint(r: &mut SpecReader<'_>, name: Name, item: &TomlItem) -> Option<Constraint> {
    let span = name.span.unwrap_or(item.span);
    let (f, word) = r.open_typed_table(item, format!("constraint `{}`", name.value), &CONSTRAINT, span)?;
    let shape = CONSTRAINT.member_shape(word)?;
    let description = r.read_text(&f, "description");
    let stabilisation = read_stabilisation(r, &f, shape);
    let treatment = r.read_word(&f, "treatment", &["multipliers", "elimination"]);
    let elimination = treatment.map(|w| Spanned { value: w.value == "elimination", span: w.span });
    let dependent = r.read_names(&f, "dependent");
    let realised_by = r.read_names(&f, "realised_by");
    let kind = read_constraint_kind(r, &f, constraint_keys::by_word(word)?)?;
    Some(Constraint { name, description, kind, stabilisation, elimination, dependent, realised_by })
}

fn read_stabilisation(
    r: &mut SpecReader<'_>,
    f: &Fields<'_>,
    shape: &'static TableShape,
) -> Option<Stabilisation> {
    let item = f.find_item("stabilisation")?;
    let Some(Kind::Table(inner)) = shape.key("stabilisation").map(|k| k.kind) else { return None };
    let inner = r.open_table(item, f.quoted_key_name("stabilisation"), inner, item.span)?;
    let alpha = r.read_value(&inner, "alpha");
    let beta = r.read_value(&inner, "beta");
    let time_constant = r.read_value(&inner, "time_constant");
    if time_constant.is_some() && (alpha.is_some() || beta.is_some()) {
        r.report(
            Diagnostic::error("conflict", format!("{} specifies conflicting keys", inner.name_in_messages))
                .at(inner.key_span("time_constant"), "a time constant T sets alpha = beta = 1/T")
                .also(inner.key_span("alpha").or(inner.key_span("beta")), "alternative coefficients")
                .help("write either `time_constant`, or `alpha` and `beta`"),
        );
    } else if time_constant.is_none() && alpha.is_none() && beta.is_none() {
        r.report(
            Diagnostic::error("missing-key", format!("{} is empty", inner.name_in_messages))
                .at(Some(item.span), "no coefficient")
                .help("add `time_constant = …` (in s), or `alpha` and `beta` (in 1/s)"),
        );
    }
    Some(Stabilisation { span: item.span, alpha, beta, time_constant })
}

/// Reads the keys that only this type of constraint has. All of them are read before a missing one
/// rejects the constraint, so that all errors are reported.
fn read_constraint_kind(
    r: &mut SpecReader<'_>,
    f: &Fields<'_>,
    keys: &'static TypeKeys,
) -> Option<ConstraintKind> {
    let mut kind = ConstraintKind {
        kind: keys.kind,
        from: None,
        to: None,
        axes: Vec::new(),
        values: Vec::new(),
        names: Vec::new(),
        formulas: Vec::new(),
    };
    let mut whole = true;
    for key in keys.own {
        match key.kind {
            Kind::Frame => {
                let frame = r.read_frame(f, key.name, &FRAME);
                // A name that is not a body is reported by the stage `resolve`.
                let unreadable = f.find_item(key.name).is_some_and(|i| !matches!(i.data, Data::Text(_)));
                whole &= frame.is_some() || !(key.required || unreadable);
                if key.name == "to" { kind.to = frame } else { kind.from = frame }
            }
            Kind::Axis => kind.axes.push(r.read_axis(f, key.name)),
            Kind::Axes => {
                let (first, second) = r.read_axis_pair(f, key.name);
                kind.axes.extend([first, second]);
            }
            Kind::Name => {
                let name = r.read_reference(f, key.name);
                whole &= name.is_some();
                kind.names.extend(name);
            }
            Kind::Values => {
                let list = read_one_or_two_formulas(r, f, key.name);
                whole &= list.is_some();
                kind.formulas.extend(list.into_iter().flatten());
            }
            _ if key.required => kind.values.push((key.name, r.read_required_value(f, key.name))),
            _ => kind.values.extend(r.read_value(f, key.name).map(|v| (key.name, v))),
        }
    }
    whole.then_some(kind)
}

/// Value of a key that is a list of one or two formulas, as of a surface or a curve; any other
/// number is an error.
fn read_one_or_two_formulas(r: &mut SpecReader<'_>, f: &Fields<'_>, key: &str) -> Option<Vec<Value>> {
    let list = r.read_values(f, key)?;
    if !(1..=2).contains(&list.value.len()) {
        r.report(
            Diagnostic::error(
                "wrong-count",
                format!("{} must be a list of one or two formulas", f.quoted_key_name(key)),
            )
            .at(list.span, format!("{} formulas", list.value.len()))
            .help("write one formula for a surface, or two for a curve"),
        );
    }
    Some(list.value)
}
