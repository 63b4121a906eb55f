//! Reads bodies and the ground, with their points and shapes.

use super::fields::{Fields, SpecReader};
use crate::read::document::Data;
use crate::spec::keys;
use crate::spec::{Body, Inertia, Location, Point, Shape, ShapeKind, Value};
use dqdt_algebra::Number;
use dqdt_diagnostics::error::Diagnostic;

/// Reads the section `[ground]`: points and drawing shapes of the ground.
pub(super) fn read_ground(r: &mut SpecReader<'_>, top: &Fields<'_>) -> (Vec<Point>, Vec<Shape>) {
    let Some(item) = top.find_item("ground") else { return Default::default() };
    let span = top.key_span("ground").unwrap_or(item.span);
    match r.open_table(item, "the ground".to_owned(), &keys::GROUND, span) {
        Some(f) => (read_points(r, &f), read_shapes(r, &f)),
        None => Default::default(),
    }
}

/// Reads the section `[bodies]`.
pub(super) fn read_bodies(r: &mut SpecReader<'_>, top: &Fields<'_>) -> Vec<Body> {
    let mut out = Vec::new();
    for (name, item) in r.entries_outside_formulas(top, "bodies") {
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
        if let Some(f) = r.open_table(item, what, &keys::BODY, span) {
            body.mass = r.read_value(&f, "mass");
            body.center_of_mass = r.read_triple(&f, "center_of_mass");
            body.inertia = read_inertia(r, &f);
            body.points = read_points(r, &f);
            body.shapes = read_shapes(r, &f);
        }
        out.push(body);
    }
    out
}

/// Reads the key `inertia` of a body: three principal values, or a table.
fn read_inertia(r: &mut SpecReader<'_>, body: &Fields<'_>) -> Option<Inertia> {
    let item = body.find_item("inertia")?;

    let what = body.quoted_key_name("inertia");
    if let Data::Table(_) = item.data {
        let f = r.open_table(item, what, &keys::INERTIA, item.span)?;
        let components =
            ["xx", "yy", "zz", "xy", "xz", "yz"].map(|key| r.read_value(&f, key).unwrap_or_else(zero_value));
        let about =
            r.read_location(&f, "about").filter(|l| !matches!(l, Location::Named(n) if n.value == "com"));
        return Some(Inertia { span: item.span, components, about });
    }
    let [a, b, c] =
        r.parse_triple(item, &what, "a list [xx, yy, zz] or a table { xx, yy, zz, xy, xz, yz, about }");
    Some(Inertia {
        span: item.span,
        components: [a, b, c, zero_value(), zero_value(), zero_value()],
        about: None,
    })
}

fn zero_value() -> Value {
    Value::from_number(Number::ZERO)
}

/// Reads the drawing shapes of a body or of the ground.
fn read_shapes(r: &mut SpecReader<'_>, owner: &Fields<'_>) -> Vec<Shape> {
    let mut out = Vec::new();
    for (name, item) in r.entries_outside_formulas(owner, "shapes") {
        let what = format!("shape `{}` of {}", name.value, owner.name_in_messages);
        let span = name.span.unwrap_or(item.span);
        let Some(f) = r.open_table(item, what, &keys::SHAPE, span) else { continue };
        let kinds = ["box", "cylinder", "sphere"];
        let kind_keys: Vec<&str> = kinds.into_iter().filter(|key| f.find_item(key).is_some()).collect();
        let kind = match kind_keys[..] {
            ["box"] => r.read_triple(&f, "box").map(ShapeKind::Box),
            ["cylinder"] => r.read_pair(&f, "cylinder", "[radius, length]").map(ShapeKind::Cylinder),
            ["sphere"] => r.read_value(&f, "sphere").map(ShapeKind::Sphere),
            _ => {
                let text = if kind_keys.is_empty() {
                    "does not specify a box, a cylinder or a sphere"
                } else {
                    "specifies more than one of box, cylinder and sphere"
                };
                let d = Diagnostic::error("shape-kind", format!("{} {text}", f.name_in_messages))
                    .at(Some(span), "here");
                r.report(d.help(
                    "specify exactly one of `box = [x, y, z]`, `cylinder = [radius, length]` or `sphere = radius`",
                ));
                continue;
            }
        };
        if let Some(extra) = f.key_span("axis").filter(|_| kind_keys[..] != ["cylinder"]) {
            let text = format!("`axis` of {} is allowed only if the shape is a cylinder", f.name_in_messages);
            r.report(
                Diagnostic::error("shape-kind", text)
                    .at(Some(extra), "this shape is not a cylinder")
                    .help("use `rotation` to orient shapes other than cylinders"),
            );
        }
        let (at, rotation, axis) =
            (r.read_location(&f, "at"), r.read_rotation(&f, "rotation"), r.read_axis(&f, "axis"));
        out.extend(kind.map(|kind| Shape { name, kind, at, rotation, axis }));
    }
    out
}

/// Reads the named points of a body or of the ground.
fn read_points(r: &mut SpecReader<'_>, owner: &Fields<'_>) -> Vec<Point> {
    let mut out = Vec::new();
    for (name, item) in r.entries_outside_formulas(owner, "points") {
        let what = format!("point `{}` of {}", name.value, owner.name_in_messages);
        if let Data::Table(_) = item.data {
            let span = name.span.unwrap_or(item.span);
            let Some(f) = r.open_table(item, what, &keys::POINT, span) else { continue };
            let at = r
                .read_triple(&f, "at")
                .unwrap_or_else(|| std::array::from_fn(|_| Value::unreadable(Some(span))));
            let axes = r.read_word(&f, "axes", &["own", "ground"]);
            let in_ground_axes = axes.is_some_and(|word| word.value == "ground");
            let (rotation, contact) = (r.read_rotation(&f, "rotation"), r.read_flag(&f, "contact"));
            out.push(Point { name, at, rotation, in_ground_axes, contact });
        } else {
            let at = r.parse_triple(item, &what, "a list [x, y, z] or a table { at, rotation }");
            out.push(Point { name, at, rotation: None, in_ground_axes: false, contact: false });
        }
    }
    out
}
