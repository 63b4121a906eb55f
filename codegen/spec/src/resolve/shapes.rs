//! Resolves shapes of bodies and of the ground.

use super::Build;
use super::formulas::PermittedNames;
use crate::spec::{self, ShapeKind};
use dqdt_mechanics::mechanism::{AxisVector, Formula, Placement, Shape, Solid};

impl Build<'_> {
    /// Resolves the drawing shapes of a body of the spec (`None`: the ground). Its points must be
    /// resolved before.
    pub(super) fn build_shapes(&mut self, body: Option<usize>, shapes: &[spec::Shape]) {
        let spec = self.spec;
        for s in shapes {
            let owner =
                body.map_or("the ground".to_owned(), |b| format!("body `{}`", spec.bodies[b].name.value));
            let what = format!("shape `{}` of {owner}", s.name.value);
            let mut length = |value: &spec::Value, part: &str| -> Formula {
                self.check_positive_length(value, &format!("{part} of {what}"), PermittedNames::Parameters)
            };
            let solid = match &s.kind {
                ShapeKind::Box(sides) => Solid::Box([0, 1, 2].map(|i| length(&sides[i], "a side"))),
                ShapeKind::Cylinder(sizes) => {
                    let (radius, length) = (length(&sizes[0], "the radius"), length(&sizes[1], "the length"));
                    Solid::Cylinder { radius, length, axis: AxisVector(s.axis.value) }
                }
                ShapeKind::Sphere(radius) => Solid::Sphere(length(radius, "the radius")),
            };
            let at = s.at.as_ref().map(|at| self.resolve_location(body, at, &what));
            let origin = at.unwrap_or(Placement::IDENTITY);
            let placement = match &s.rotation {
                Some(_) => Placement { rotation: self.build_rotation(s.rotation.as_ref(), &what), ..origin },
                None => origin,
            };
            self.shapes.push(Shape { body: body.map(|b| self.body_id(b)), placement, solid });
        }
    }
}
