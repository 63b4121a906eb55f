//! Help for a joint that would close a loop: the equivalent constraint.

use crate::spec::{AxisText, Closing, Flat, FrameOn, Joint, Location, Value, joint_closing};
use dqdt_algebra::Number;
use dqdt_diagnostics::error::Diagnostic;

/// Adds as help to a message the constraint that closes the loop in place of the joint `second`.
pub(super) fn add_closing_help(d: Diagnostic, second: &Joint) -> Diagnostic {
    let (kind, flat) = match joint_closing(second.kind.word) {
        Some(Closing::By(kind) | Closing::ByNormal(kind)) => (kind, None),
        Some(Closing::Flat(kind, flat)) => (kind, Some(flat)),
        Some(Closing::Never(advice)) => return d.help(advice),
        None => return d,
    };
    let name = &second.name.value;
    let mut lines = vec![format!("[constraints.{name}]"), format!("type = \"{kind}\"")];
    match &second.kind.axes[..] {
        [a] => lines.push(format!("axis = {}", axis_text(a))),
        [a, b] if matches!(joint_closing(second.kind.word), Some(Closing::ByNormal(_))) => {
            lines.push(format!("normal = {}", normal_text(a, b)));
        }
        [a, b] => lines.push(format!("axes = [{}, {}]", axis_text(a), axis_text(b))),
        _ => {}
    }
    lines.extend(second.kind.values.iter().map(|(key, v)| format!("{key} = {}", value_text(v))));
    lines.push(format!("from = {}", frame_text(&second.parent)));
    lines.push(format!("to = {}", frame_text(&second.child)));
    let d = d.help(format!(
        "each body must be the child of exactly one joint, so a loop of bodies must be closed by a constraint. Replace joint `{name}` with:\n{}",
        lines.join("\n")
    ));
    let Some(Flat { word, about_axis }) = flat else { return d };
    match second.kind.axes.first() {
        Some(a) if about_axis => d.help(format!(
            "if all motion is in one plane, use type = \"{word}\", which has only two constraint rows, and normal = {} instead of `axis`",
            axis_text(a)
        )),
        _ => d.help(format!(
            "if all motion is in one plane, use type = \"{word}\", which has only two constraint rows, and set `normal` to the normal of the plane"
        )),
    }
}

fn axis_text(a: &AxisText) -> String {
    let letters = ["x", "y", "z"];
    for (i, letter) in letters.iter().enumerate() {
        let others = (0..3).filter(|k| *k != i).all(|k| a.value[k].is_zero());
        if others && a.value[i] == Number::ONE {
            return format!("\"{letter}\"");
        }
        if others && a.value[i].checked_neg().is_some_and(|n| n == Number::ONE) {
            return format!("\"-{letter}\"");
        }
    }
    format!("[{}]", a.value.map(number_text).join(", "))
}

/// Normal of the plane spanned by two axes of a joint, in the notation of specs.
fn normal_text(a: &AxisText, b: &AxisText) -> String {
    let (a, b) = (a.value.map(Number::to_f64), b.value.map(Number::to_f64));
    let n = [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
    for (i, letter) in ["x", "y", "z"].iter().enumerate() {
        if (0..3).all(|k| k == i || n[k] == 0.0) {
            return format!("\"{}{letter}\"", if n[i] < 0.0 { "-" } else { "" });
        }
    }
    format!("[{}]", n.map(|x| x.to_string()).join(", "))
}

/// A number in the notation of specs; a fraction becomes a formula in quotes.
fn number_text(n: Number) -> String {
    let text = n.to_string();
    if text.parse::<f64>().is_ok() { text } else { format!("\"{text}\"") }
}

fn value_text(v: &Value) -> String {
    if v.text.parse::<f64>().is_ok() { v.text.clone() } else { format!("\"{}\"", v.text) }
}

fn frame_text(f: &FrameOn) -> String {
    let body = &f.body.value;
    if f.at.is_none() && f.rotation.is_none() {
        return format!("\"{body}\"");
    }
    let mut parts = vec![format!("body = \"{body}\"")];
    match &f.at {
        None => {}
        Some(Location::Named(point)) => parts.push(format!("at = \"{}\"", point.value)),
        Some(Location::Components(c)) => {
            parts.push(format!("at = [{}]", c.each_ref().map(value_text).join(", ")));
        }
        Some(Location::Offset(point, offset)) => {
            let offset = offset.each_ref().map(value_text).join(", ");
            parts.push(format!("at = {{ point = \"{}\", offset = [{offset}] }}", point.value));
        }
    }
    if f.rotation.is_some() {
        parts.push("rotation = { … }".to_owned());
    }
    format!("{{ {} }}", parts.join(", "))
}
