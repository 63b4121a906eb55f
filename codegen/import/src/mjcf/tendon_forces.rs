//! Writes the lengths and forces of tendons to the text of the spec.

use super::model::{Actuator, BodyFrame, Drive, Equality, MjcfJointKind, Tendon, TendonCourse};
use super::tendon::{distance_between_points, tendon_length};
use super::writer::SpecWriter;
use crate::robot::decimal::Decimal;
use crate::robot::names::UniqueNames;
use crate::robot::relevance::Relevance;
use crate::robot::turn::Pose;

/// Units of a tendon: they depend on the unit of its length.
struct Units {
    length: &'static str,
    stiffness: &'static str,
    damping: &'static str,
    force: &'static str,
    speed: &'static str,
}

const METRES: Units = Units { length: "m", stiffness: "N/m", damping: "N*s/m", force: "N", speed: "m/s" };
/// Units of a tendon whose length is a sum of angles, or of angles and distances.
const RADIANS: Units = Units { length: "1", stiffness: "N*m", damping: "N*m*s", force: "N*m", speed: "1/s" };

/// Unit of the force along the tendon with this index.
pub(super) fn tendon_force_unit(w: &SpecWriter<'_>, tendon: usize) -> &'static str {
    w.model.tendons.get(tendon).map_or("N", |t| tendon_units(w, t).force)
}

/// Units of a tendon: those of metres if it is spatial or joins slides only.
fn tendon_units(w: &SpecWriter<'_>, tendon: &Tendon) -> &'static Units {
    let slides = match &tendon.course {
        TendonCourse::Fixed(parts) => parts
            .iter()
            .all(|(at, _)| w.model.joint_at_indices(*at).is_some_and(|j| j.kind == MjcfJointKind::Slide)),
        TendonCourse::Spatial(_) | TendonCourse::Wrapped => true,
    };
    if slides { &METRES } else { &RADIANS }
}

/// A segment of a spatial tendon, for formulas of its length: between two bodies of the spec, or of
/// constant length.
enum Segment {
    Moving([(Option<usize>, String); 2]),
    Constant(f64),
}

/// The segments between consecutive sites of a spatial tendon; those on one body have constant
/// length.
fn tendon_segments(w: &SpecWriter<'_>, frames: &[BodyFrame]) -> Vec<Segment> {
    let places: Vec<(Option<usize>, Pose, String)> = frames
        .iter()
        .map(|f| {
            let on = f.body.and_then(|b| w.tree.places.get(b)).cloned();
            let (link, pose) = on.unwrap_or((None, Pose::identity()));
            let name =
                f.site.and_then(|s| w.write_points.get(&(s.source.0, s.start)).cloned()).unwrap_or_default();
            (link, pose.compose(&f.pose), name)
        })
        .collect();
    let segments = places.windows(2).map(|pair| {
        let (a, b) = (&pair[0], &pair[1]);
        if a.0 == b.0 {
            return Segment::Constant(distance_between_points(a.1.position_values(), b.1.position_values()));
        }
        Segment::Moving([(a.0, a.2.clone()), (b.0, b.2.clone())])
    });
    segments.collect()
}

/// A number with its unit in formula text, such as `3 [N/m]`, unless it is dimensionless.
fn number_with_unit(x: f64, unit: &str) -> String {
    let text = Decimal::from_f64(x).text;
    if unit == "1" { text } else { format!("{text} [{unit}]") }
}

/// Formula text of a sum; each term has a number whose sign is that of the term.
fn sum_text(terms: &[(f64, String)]) -> String {
    let mut text = String::new();
    for (sign, term) in terms {
        match (text.is_empty(), *sign < 0.0) {
            (true, true) => text.push_str(&format!("-{term}")),
            (true, false) => text.push_str(term),
            (false, true) => text.push_str(&format!(" - {term}")),
            (false, false) => text.push_str(&format!(" + {term}")),
        }
    }
    text
}

/// A signed term of formula text: a factor with its unit, times a symbol.
fn signed_term(factor: f64, unit: &str, symbol: &str) -> (f64, String) {
    let size = factor.abs();
    if size == 1.0 && unit == "1" {
        return (factor, symbol.to_owned());
    }
    (factor, format!("{}*{symbol}", number_with_unit(size, unit)))
}

/// Unit of the factor of a joint coordinate, so that the product has the unit of the length of the
/// tendon.
fn joint_factor_unit(units: &Units, kind: MjcfJointKind) -> &'static str {
    if units.length == "1" && kind == MjcfJointKind::Slide { "1/m" } else { "1" }
}

/// Formulas of the length and the rate of a tendon, which become definitions of the spec.
fn length_and_rate_formulas(w: &SpecWriter<'_>, tendon: &Tendon) -> [String; 2] {
    let units = tendon_units(w, tendon);
    let (mut lengths, mut rates) = (Vec::new(), Vec::new());
    match &tendon.course {
        TendonCourse::Wrapped => {}
        TendonCourse::Fixed(parts) => {
            if parts.is_empty() {
                lengths.push((1.0, number_with_unit(0.0, units.length)));
                rates.push((1.0, number_with_unit(0.0, units.speed)));
            }
            for (at, factor) in parts {
                let (Some(symbol), Some(joint)) = (w.coordinate_name(*at), w.model.joint_at_indices(*at))
                else {
                    continue;
                };
                let unit = joint_factor_unit(units, joint.kind);
                lengths.push(signed_term(factor.value, unit, &symbol));
                rates.push(signed_term(factor.value, unit, &format!("{symbol}_dot")));
            }
        }
        TendonCourse::Spatial(frames) => {
            let mut constant = 0.0;
            for segment in tendon_segments(w, frames) {
                match segment {
                    Segment::Constant(x) => constant += x,
                    Segment::Moving(ends) => {
                        let [a, b] = ends.map(|(link, point)| format!("{}.{point}", w.link_name(link)));
                        lengths.push((1.0, format!("distance({a}, {b})")));
                        rates.push((1.0, format!("distance_rate({a}, {b})")));
                    }
                }
            }
            if constant != 0.0 || lengths.is_empty() {
                lengths.push((1.0, number_with_unit(constant, "m")));
            }
            if rates.is_empty() {
                rates.push((1.0, number_with_unit(0.0, "m/s")));
            }
        }
    }
    [sum_text(&lengths), sum_text(&rates)]
}

/// Writes definitions, inputs and loads for the tendons that exert a force or are constrained.
pub(super) fn write_tendons(w: &mut SpecWriter<'_>, loads: &mut UniqueNames) -> String {
    let model = w.model;
    let (mut definitions, mut text) = (String::new(), String::new());
    for (i, tendon) in model.tendons.iter().enumerate() {
        if matches!(tendon.course, TendonCourse::Wrapped) {
            continue;
        }
        let Some(name) = w.names.tendons.get(i).cloned() else { continue };
        let force = tendon_force_terms(w, i, tendon, &name);
        let is_constrained = model.equalities.iter().any(|e| e.kind.involves_tendon(i));
        if force.is_empty() && !is_constrained {
            let path = if matches!(tendon.course, TendonCourse::Fixed(_)) {
                "tendon/fixed"
            } else {
                "tendon/spatial"
            };
            w.report.record_loss(Relevance::Harmless, path, None, tendon.span);
            continue;
        }
        let [length, rate] = length_and_rate_formulas(w, tendon);
        let force = sum_text(&force);
        for (symbol, formula, used) in
            [(format!("length_{name}"), length, is_constrained), (format!("rate_{name}"), rate, false)]
        {
            if used || force.contains(&symbol) {
                definitions.push_str(&format!("{symbol} = \"{formula}\"\n"));
            }
        }
        if force.is_empty() {
            continue;
        }
        definitions.push_str(&format!("force_{name} = \"{force}\"\n"));
        text.push_str(&tendon_loads_text(w, tendon, &name, loads));
    }
    if !definitions.is_empty() {
        w.push_line(&format!("\n[definitions]\n{}", definitions.trim_end()));
    }
    text
}

/// Terms of the formula of the force along a tendon, positive if it lengthens the tendon: spring,
/// damper, dry friction, actuators.
fn tendon_force_terms(w: &mut SpecWriter<'_>, at: usize, tendon: &Tendon, name: &str) -> Vec<(f64, String)> {
    let units = tendon_units(w, tendon);
    let (length, rate) = (format!("length_{name}"), format!("rate_{name}"));
    let mut terms = Vec::new();
    let [low, high] = [tendon.rest[0].value, tendon.rest[1].value];
    let numbers = [tendon.stiffness.value, tendon.damping.value, low, high];
    w.check_finite(&numbers, "the spring of a tendon", tendon.span);
    if !tendon.stiffness.is_zero() {
        let segment = if low != high {
            let band = [low, high].map(|x| number_with_unit(x, units.length));
            format!("({length} - clamp({length}, {}, {}))", band[0], band[1])
        } else if low == 0.0 {
            length.clone()
        } else {
            format!(
                "({})",
                sum_text(&[(1.0, length.clone()), (-low, number_with_unit(low.abs(), units.length))])
            )
        };
        terms
            .push((-1.0, format!("{}*{segment}", number_with_unit(tendon.stiffness.value, units.stiffness))));
    }
    if !tendon.damping.is_zero() {
        if w.options.damping {
            terms.push((-1.0, format!("{}*{rate}", number_with_unit(tendon.damping.value, units.damping))));
        } else {
            let text = format!("damping {} of tendon `{name}`", tendon.damping.text);
            w.report.record_loss(Relevance::Harmless, "tendon@damping", Some(text), tendon.span);
        }
    }
    if !tendon.dry_friction.is_zero() {
        match w.options.dry_friction {
            Some(speed) => {
                let (size, speed) = (
                    number_with_unit(tendon.dry_friction.value, units.force),
                    number_with_unit(speed, units.speed),
                );
                terms.push((-1.0, format!("{size}*tanh({rate}/({speed}))")));
            }
            None => {
                let text = format!(
                    "dry friction {} of tendon `{name}` (use --dry-friction to include it)",
                    tendon.dry_friction.text
                );
                w.report.record_loss(
                    Relevance::Idealised("dry friction"),
                    "tendon@frictionloss",
                    Some(text),
                    tendon.span,
                );
            }
        }
    }
    let model = w.model;
    for (i, a) in model.actuators.iter().enumerate().filter(|(_, a)| a.drive == Drive::Tendon(at)) {
        let Some(input) = w.names.inputs.get(i).cloned() else { continue };
        push_actuator_force(w, a, &input, units, [&length, &rate], &mut terms);
    }
    terms
}

/// Appends the force of an actuator on a tendon: `gear (gain u + bias · (1, gear l, gear l̇))`.
fn push_actuator_force(
    w: &mut SpecWriter<'_>,
    a: &Actuator,
    input: &str,
    units: &Units,
    [length, rate]: [&str; 2],
    terms: &mut Vec<(f64, String)>,
) {
    let gear = a.gear.value;
    let [constant, stiffness, damping] = [0, 1, 2].map(|i| a.bias[i].value);
    let values = [gear * a.gain.value, gear * constant, gear * gear * stiffness];
    if !w.options.damping && !a.damping.is_zero() {
        let text = format!("damping {} of actuator `{input}`", a.damping.text);
        w.report.record_loss(Relevance::Harmless, "actuator@damping", Some(text), a.span);
    }
    let slowed = gear * gear * (damping - if w.options.damping { a.damping.value } else { 0.0 });
    w.check_finite(&[values[0], values[1], values[2], slowed], "the gain of an actuator", a.span);
    terms.push(signed_term(values[0], "1", input));
    if values[1] != 0.0 {
        terms.push((values[1], number_with_unit(values[1].abs(), units.force)));
    }
    if values[2] != 0.0 {
        terms.push((values[2], format!("{}*{length}", number_with_unit(values[2].abs(), units.stiffness))));
    }
    if slowed != 0.0 {
        terms.push((slowed, format!("{}*{rate}", number_with_unit(slowed.abs(), units.damping))));
    }
}

/// Text of the loads that apply the force of a tendon to joints or between sites.
fn tendon_loads_text(w: &SpecWriter<'_>, tendon: &Tendon, name: &str, loads: &mut UniqueNames) -> String {
    let mut text = String::new();
    match &tendon.course {
        TendonCourse::Wrapped => {}
        TendonCourse::Fixed(parts) => {
            let units = tendon_units(w, tendon);
            for (at, factor) in parts {
                let (Some((joint, stem)), Some(kind)) =
                    (w.joint_name_and_stem(*at), w.model.joint_at_indices(*at).map(|j| j.kind))
                else {
                    continue;
                };
                let (sign, effort) =
                    signed_term(factor.value, joint_factor_unit(units, kind), &format!("force_{name}"));
                let effort = sum_text(&[(sign, effort)]);
                let key = loads.unique_name(&format!("tendon_{name}_{stem}"));
                text.push_str(&format!(
                    "{key} = {{ type = \"actuator\", joint = \"{joint}\", effort = \"{effort}\" }}\n"
                ));
            }
        }
        TendonCourse::Spatial(frames) => {
            for segment in tendon_segments(w, frames) {
                let Segment::Moving(ends) = segment else { continue };
                let [a, b] = ends
                    .map(|(link, point)| format!("{{ body = \"{}\", at = \"{point}\" }}", w.link_name(link)));
                let key = loads.unique_name(&format!("tendon_{name}"));
                text.push_str(&format!(
                    "{key} = {{ type = \"line_force\", from = {a}, to = {b}, tension = \"-force_{name}\" }}\n"
                ));
            }
        }
    }
    text
}

/// Keys of the position constraint for an equality of the lengths of two tendons, or of one with a
/// constant.
pub(super) fn tendon_equality_keys(
    w: &mut SpecWriter<'_>,
    equality: &Equality,
    (first, second): (usize, Option<usize>),
    polynomial: &[Decimal; 5],
) -> Option<String> {
    let model = w.model;
    let mut wrapped = false;
    let mut side = |at: usize| {
        let tendon = model.tendons.get(at)?;
        wrapped |= matches!(tendon.course, TendonCourse::Wrapped);
        let name = w.names.tendons.get(at)?;
        Some((
            format!("length_{name}"),
            tendon_length(&tendon.course, model, false),
            tendon_units(w, tendon).length,
        ))
    };
    let (y, y0, unit_y) = side(first)?;
    let other = second.and_then(&mut side);
    if wrapped {
        let text = "an equality constraint on a tendon that wraps around a geom or a pulley".to_owned();
        w.report.record_loss(Relevance::Structural, "equality/tendon", Some(text), equality.span);
        return None;
    }
    let mut terms = vec![(1.0, y)];
    let [constant, rest @ ..] = polynomial;
    let offset = y0 + constant.value;
    if offset != 0.0 {
        terms.push((-offset, number_with_unit(offset.abs(), unit_y)));
    }
    if let Some((x, x0, unit_x)) = other {
        let base = if x0 == 0.0 {
            x
        } else {
            format!("({})", sum_text(&[(1.0, x), (-x0, number_with_unit(x0.abs(), unit_x))]))
        };
        for (power, factor) in (1..).zip(rest).filter(|(_, c)| !c.is_zero()) {
            let unit = match (unit_y, unit_x, power) {
                ("m", "m", 1) | ("1", "1", _) => "1".to_owned(),
                ("m", "m", _) => format!("1/m^{}", power - 1),
                ("m", _, _) => "m".to_owned(),
                _ => format!("1/m^{power}"),
            };
            let base = if power == 1 { base.clone() } else { format!("{base}^{power}") };
            terms.push(signed_term(-factor.value, &unit, &base));
        }
    }
    Some(format!("type = \"position\", formula = \"{}\"", sum_text(&terms)))
}
