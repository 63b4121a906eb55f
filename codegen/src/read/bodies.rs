//! Bodies, the ground, their points.

use super::fields::{Fields, Reader};
use crate::algebra::Number;
use crate::read::document::Data;
use crate::spec::keys;
use crate::spec::{Body, Inertia, Location, Point, Value};

pub(super) fn ground(r: &mut Reader<'_>, top: &Fields<'_>) -> Vec<Point> {
    let Some(item) = top.item("ground") else { return Vec::new() };
    let span = top.key_span("ground").unwrap_or(item.span);
    match r.open(item, "the ground".to_owned(), &keys::GROUND, span) {
        Some(f) => points(r, &f),
        None => Vec::new(),
    }
}

pub(super) fn bodies(r: &mut Reader<'_>, top: &Fields<'_>) -> Vec<Body> {
    let mut out = Vec::new();
    for (name, item) in r.entries(top, "bodies") {
        let span = name.span.unwrap_or(item.span);
        let what = format!("body `{}`", name.value);
        let mut body = Body { name, mass: None, center_of_mass: None, inertia: None, points: Vec::new() };
        if let Some(f) = r.open(item, what, &keys::BODY, span) {
            body.mass = r.value(&f, "mass");
            body.center_of_mass = r.triple(&f, "center_of_mass");
            body.inertia = inertia(r, &f);
            body.points = points(r, &f);
        }
        out.push(body);
    }
    out
}

fn inertia(r: &mut Reader<'_>, body: &Fields<'_>) -> Option<Inertia> {
    let item = body.item("inertia")?;
    let zero = || Value::number(Number::ZERO);
    let what = body.of("inertia");
    if let Data::Table(_) = item.data {
        let f = r.open(item, what, &keys::INERTIA, item.span)?;
        let mut component = |key: &str| r.value(&f, key).unwrap_or_else(zero);
        let components = ["xx", "yy", "zz", "xy", "xz", "yz"].map(&mut component);
        let about = r.location(&f, "about").filter(|l| !matches!(l, Location::Named(n) if n.value == "com"));
        return Some(Inertia { span: item.span, components, about });
    }
    let [a, b, c] = r.triple_of(item, &what, "[xx, yy, zz] or a table { xx, yy, zz, xy, xz, yz, about }");
    Some(Inertia { span: item.span, components: [a, b, c, zero(), zero(), zero()], about: None })
}

fn points(r: &mut Reader<'_>, owner: &Fields<'_>) -> Vec<Point> {
    let mut out = Vec::new();
    for (name, item) in r.entries(owner, "points") {
        let what = format!("point `{}` of {}", name.value, owner.what);
        if let Data::Table(_) = item.data {
            let span = name.span.unwrap_or(item.span);
            let Some(f) = r.open(item, what, &keys::POINT, span) else { continue };
            let at = r.triple(&f, "at").unwrap_or_else(|| std::array::from_fn(|_| Value::broken(Some(span))));
            out.push(Point { name, at, rotation: r.rotation(&f, "rotation") });
        } else {
            let at = r.triple_of(item, &what, "[x, y, z] or a table { at, rotation }");
            out.push(Point { name, at, rotation: None });
        }
    }
    out
}
