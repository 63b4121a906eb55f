//! Reads bodies and the ground, with their points and shapes.

use super::fields::{Fields, SpecReader};
use crate::read::document::Data;
use crate::spec::keys;
use crate::spec::{Body, Inertia, Location, Point, Shape, ShapeKind, Value};
use dqdt_algebra::Number;
use dqdt_diagnostics::error::Diagnostic;

/// Reads the section `[ground]`: points and drawing shapes of the ground.
pub(super) fn ground(r: &mut SpecReader<'_>, top: &Fields<'_>) -> (Vec<Point>, Vec<Shape>) {
    let Some(item) = top.item("ground") else { return Default::default() };
    let span = top.key_span("ground").unwrap_or(item.span);
    match r.open(item, "the ground".to_owned(), &keys::GROUND, span) {
        Some(f) => (points(r, &f), shapes(r, &f)),
        None => Default::default(),
    }
}

/// Reads the section `[bodies]`.
pub(super) fn bodies(r: &mut SpecReader<'_>, top: &Fields<'_>) -> Vec<Body> {
    let mut out = Vec::new();
    for (name, item) in r.named_outside_formulas(top, "bodies") {
        let span = name.span.unwrap_or(item.span);
        let what = format!("body `{}`", name.value);
        let mut body = Body {
            name,
            mass: None,
            center_of_mass: None,
            inertia: None,
            points: Vec::new(),
            shapes: Vec::new(),
        };
        if let Some(f) = r.open(item, what, &keys::BODY, span) {
            body.mass = r.value(&f, "mass");
            body.center_of_mass = r.triple(&f, "center_of_mass");
            body.inertia = inertia(r, &f);
            body.points = points(r, &f);
            body.shapes = shapes(r, &f);
        }
        out.push(body);
    }
    out
}

/// Reads the key `inertia` of a body: three principal values, or a table.
fn inertia(r: &mut SpecReader<'_>, body: &Fields<'_>) -> Option<Inertia> {
    let item = body.item("inertia")?;

    let what = body.key_name("inertia");
    if let Data::Table(_) = item.data {
        let f = r.open(item, what, &keys::INERTIA, item.span)?;
        let components =
            ["xx", "yy", "zz", "xy", "xz", "yz"].map(|key| r.value(&f, key).unwrap_or_else(zero));
        let about = r.location(&f, "about").filter(|l| !matches!(l, Location::Named(n) if n.value == "com"));
        return Some(Inertia { span: item.span, components, about });
    }
    let [a, b, c] = r.triple_of(item, &what, "[xx, yy, zz] or a table { xx, yy, zz, xy, xz, yz, about }");
    Some(Inertia { span: item.span, components: [a, b, c, zero(), zero(), zero()], about: None })
}

fn zero() -> Value {
    Value::number(Number::ZERO)
}

/// Reads the drawing shapes of a body or of the ground.
fn shapes(r: &mut SpecReader<'_>, owner: &Fields<'_>) -> Vec<Shape> {
    let mut out = Vec::new();
    for (name, item) in r.named_outside_formulas(owner, "shapes") {
        let what = format!("shape `{}` of {}", name.value, owner.what);
        let span = name.span.unwrap_or(item.span);
        let Some(f) = r.open(item, what, &keys::SHAPE, span) else { continue };
        let kinds = ["box", "cylinder", "sphere"];
        let kind_keys: Vec<&str> = kinds.into_iter().filter(|key| f.item(key).is_some()).collect();
        let kind = match kind_keys[..] {
            ["box"] => r.triple(&f, "box").map(ShapeKind::Box),
            ["cylinder"] => r.pair_of(&f, "cylinder", "[radius, length]").map(ShapeKind::Cylinder),
            ["sphere"] => r.value(&f, "sphere").map(ShapeKind::Sphere),
            _ => {
                let text = if kind_keys.is_empty() { "has no geometry" } else { "has several geometries" };
                let d = Diagnostic::error("shape-kind", format!("{} {text}", f.what)).at(Some(span), "here");
                r.report(d.help(
                    "specify one of `box = [x, y, z]`, `cylinder = [radius, length]` and `sphere = radius`",
                ));
                continue;
            }
        };
        if let Some(extra) = f.key_span("axis").filter(|_| kind_keys[..] != ["cylinder"]) {
            let text = format!("`axis` of {} is only allowed for a cylinder", f.what);
            r.report(
                Diagnostic::error("shape-kind", text)
                    .at(Some(extra), "not a cylinder")
                    .help("use `rotation` for other shapes"),
            );
        }
        let (at, rotation, axis) = (r.location(&f, "at"), r.rotation(&f, "rotation"), r.axis(&f, "axis"));
        out.extend(kind.map(|kind| Shape { name, kind, at, rotation, axis }));
    }
    out
}

/// Reads the named points of a body or of the ground.
fn points(r: &mut SpecReader<'_>, owner: &Fields<'_>) -> Vec<Point> {
    let mut out = Vec::new();
    for (name, item) in r.named_outside_formulas(owner, "points") {
        let what = format!("point `{}` of {}", name.value, owner.what);
        if let Data::Table(_) = item.data {
            let span = name.span.unwrap_or(item.span);
            let Some(f) = r.open(item, what, &keys::POINT, span) else { continue };
            let at = r.triple(&f, "at").unwrap_or_else(|| std::array::from_fn(|_| Value::broken(Some(span))));
            let axes = r.word(&f, "axes", &["own", "ground"]);
            let in_ground_axes = axes.is_some_and(|word| word.value == "ground");
            let (rotation, contact) = (r.rotation(&f, "rotation"), r.flag(&f, "contact"));
            out.push(Point { name, at, rotation, in_ground_axes, contact });
        } else {
            let at = r.triple_of(item, &what, "[x, y, z] or a table { at, rotation }");
            out.push(Point { name, at, rotation: None, in_ground_axes: false, contact: false });
        }
    }
    out
}
