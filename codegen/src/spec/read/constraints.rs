//! Constraints.

use super::fields::{Fields, Reader};
use crate::base::Spanned;
use crate::error::Diagnostic;
use crate::spec::constraint_keys::CONSTRAINT;
use crate::spec::constraint_model::{Closure, Constraint, ConstraintKind, Stabilisation};
use crate::spec::document::{Data, Item};
use crate::spec::key::{Kind, Shape};
use crate::spec::keys::FRAME;
use crate::spec::model::{AxisText, FrameOn, Name};

pub(super) fn constraints(r: &mut Reader<'_>, top: &Fields<'_>) -> Vec<Constraint> {
    let mut out = Vec::new();
    for (name, item) in r.entries(top, "constraints") {
        out.extend(constraint(r, name, item));
    }
    out
}

fn constraint(r: &mut Reader<'_>, name: Name, item: &Item) -> Option<Constraint> {
    let span = name.span.unwrap_or(item.span);
    let (f, word) = r.open_typed(item, format!("constraint `{}`", name.value), &CONSTRAINT, span)?;
    let shape = CONSTRAINT.member(word)?;
    let description = r.text(&f, "description");
    let stabilisation = stabilisation(r, &f, shape);
    let treatment = r.word(&f, "treatment", &["multipliers", "elimination"]);
    let elimination = treatment.map(|w| Spanned { value: w.value == "elimination", span: w.span });
    let dependent = r.names(&f, "dependent");
    let realised_by = r.names(&f, "realised_by");
    let kind = kind(r, &f, word)?;
    Some(Constraint { name, description, kind, stabilisation, elimination, dependent, realised_by })
}

fn stabilisation(r: &mut Reader<'_>, f: &Fields<'_>, shape: &'static Shape) -> Option<Stabilisation> {
    let item = f.item("stabilisation")?;
    let Some(Kind::Table(inner)) = shape.key("stabilisation").map(|k| k.kind) else { return None };
    let inner = r.open(item, f.of("stabilisation"), inner, item.span)?;
    let alpha = r.value(&inner, "alpha");
    let beta = r.value(&inner, "beta");
    let time_constant = r.value(&inner, "time_constant");
    if time_constant.is_some() && (alpha.is_some() || beta.is_some()) {
        r.report(
            Diagnostic::error("conflict", format!("{} says it twice", inner.what))
                .at(inner.key_span("time_constant"), "a = b = 1/T")
                .also(inner.key_span("alpha").or(inner.key_span("beta")), "or this")
                .help("write `time_constant`, or `alpha` and `beta`"),
        );
    } else if time_constant.is_none() && alpha.is_none() && beta.is_none() {
        r.report(
            Diagnostic::error("missing-key", format!("{} is empty", inner.what))
                .at(Some(item.span), "nothing is stabilised")
                .help("add `time_constant = …` [s], or `alpha` and `beta` [1/s]"),
        );
    }
    Some(Stabilisation { span: item.span, alpha, beta, time_constant })
}

/// The two frames; both are read before one of them can end the constraint.
fn ends(r: &mut Reader<'_>, f: &Fields<'_>) -> Option<(Box<FrameOn>, Box<FrameOn>)> {
    let (from, to) = (r.frame(f, "from", &FRAME), r.frame(f, "to", &FRAME));
    Some((Box::new(from?), Box::new(to?)))
}

/// The axis z unless something is said.
fn normal(r: &mut Reader<'_>, f: &Fields<'_>) -> AxisText {
    r.axis(f, "normal")
}

fn kind(r: &mut Reader<'_>, f: &Fields<'_>, word: &str) -> Option<ConstraintKind> {
    use ConstraintKind as K;
    Some(match word {
        "position" => K::Position(r.needed(f, "formula")),
        "velocity" => K::Velocity(r.needed(f, "formula")),
        "gear" => {
            let (first, second) = (r.reference(f, "first"), r.reference(f, "second"));
            let (ratio, offset) = (r.needed(f, "ratio"), r.value(f, "offset"));
            K::Gear { first: first?, second: second?, ratio, offset }
        }
        "distance" => {
            let length = r.needed(f, "length");
            let (from, to) = ends(r, f)?;
            K::Distance { from, to, length }
        }
        "point_on_line" => {
            let axis = r.axis(f, "axis");
            let (from, to) = ends(r, f)?;
            K::PointOnLine { from, to, axis }
        }
        "point_on_plane" => {
            let normal = normal(r, f);
            let (from, to) = ends(r, f)?;
            K::PointOnPlane { from, to, normal }
        }
        "point_on_surface" => {
            let formulas = r.values(f, "formulas");
            if let Some(list) = &formulas
                && !(1..=2).contains(&list.value.len())
            {
                r.report(
                    Diagnostic::error("wrong-count", format!("{} are not one or two", f.of("formulas")))
                        .at(list.span, format!("{} formulas", list.value.len()))
                        .help("one formula makes a surface, two make a curve"),
                );
            }
            let (from, to) = ends(r, f)?;
            K::PointOnSurface { from, to, formulas: formulas? }
        }
        "knife_edge" | "rolling_ball" | "rolling_disc" => return surface(r, f, word),
        _ => {
            let closure = closure(r, f, word);
            let (from, to) = ends(r, f)?;
            K::Closure { closure, from, to }
        }
    })
}

fn surface(r: &mut Reader<'_>, f: &Fields<'_>, word: &str) -> Option<ConstraintKind> {
    let from = r.frame(f, "from", &FRAME).map(Box::new);
    let to = r.frame(f, "to", &FRAME).map(Box::new);
    let axis = f.may("axis").then(|| r.axis(f, "axis"));
    let rolling = f.may("normal").then(|| (normal(r, f), r.needed(f, "radius")));
    if from.is_none() && f.item("from").is_some_and(|i| !matches!(i.data, Data::Text(_))) {
        return None;
    }
    let to = to?;
    Some(match (word, axis, rolling) {
        (_, Some(axis), None) => ConstraintKind::KnifeEdge { from, to, axis },
        (_, None, Some((normal, radius))) => ConstraintKind::RollingBall { from, to, normal, radius },
        (_, Some(axis), Some((normal, radius))) => {
            ConstraintKind::RollingDisc { from, to, normal, radius, axis }
        }
        (_, None, None) => return None,
    })
}

fn closure(r: &mut Reader<'_>, f: &Fields<'_>, word: &str) -> Closure {
    match word {
        "revolute" => Closure::Revolute(r.axis(f, "axis")),
        "prismatic" => Closure::Prismatic(r.axis(f, "axis")),
        "cylindrical" => Closure::Cylindrical(r.axis(f, "axis")),
        "helical" => {
            let pitch = r.needed(f, "pitch");
            Closure::Helical(r.axis(f, "axis"), pitch)
        }
        "universal" => {
            let (first, second) = r.axes(f, "axes");
            Closure::Universal(first, second)
        }
        "spherical" => Closure::Spherical,
        "planar" => Closure::Planar(normal(r, f)),
        "planar_revolute" => Closure::PlanarRevolute(normal(r, f)),
        "planar_prismatic" => {
            let axis = r.axis(f, "axis");
            Closure::PlanarPrismatic(axis, normal(r, f))
        }
        _ => Closure::Weld,
    }
}
