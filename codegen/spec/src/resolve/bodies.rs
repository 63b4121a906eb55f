//! Resolves bodies, points and gravity.

use super::Build;
use super::formulas::PermittedNames;
use crate::spec::{self, RotationKind};
use dqdt_algebra::Dimension;
use dqdt_diagnostics::error::Diagnostic;
use dqdt_mechanics::mechanism::{Body, Formula, Placement, Point, Rotation};

/// The zero vector, for the gravity and points that a spec omits.
const ZERO3: [Formula; 3] = [Formula::ZERO, Formula::ZERO, Formula::ZERO];

impl Build<'_> {
    /// Resolves the bodies with their points and shapes, in the order of the spec.
    pub(super) fn build_bodies(&mut self) -> Vec<Body> {
        let spec = self.spec;
        self.ground_points = self.build_points(&spec.ground.0, "the ground");
        self.build_shapes(None, &spec.ground.1);
        let mut bodies = Vec::new();
        for b in &spec.bodies {
            let what = format!("body `{}`", b.name.value);
            let points = self.build_points(&b.points, &what);
            let mass = self.resolve_formula_or(
                b.mass.as_ref(),
                Formula::ZERO,
                &format!("the mass of {what}"),
                PermittedNames::Parameters,
                Some(Dimension::MASS),
            );
            let center = match &b.center_of_mass {
                Some(v) => {
                    let text = format!("the centre of mass of {what}");
                    self.resolve_vector(v, &text, PermittedNames::Parameters, Some(Dimension::LENGTH))
                }
                None => ZERO3,
            };
            self.points.push(points.clone());
            self.centers.push(center.clone());
            let mut inertia = [const { Formula::ZERO }; 6];
            let mut about = None;
            if let Some(i) = &b.inertia {
                let text = format!("the inertia of {what}");
                for (slot, value) in inertia.iter_mut().zip(&i.components) {
                    *slot = self.resolve_formula(
                        value,
                        &text,
                        PermittedNames::Parameters,
                        Some(Dimension::INERTIA),
                    );
                }
                let index = self.points.len() - 1;
                about = i.about.as_ref().map(|l| self.resolve_location(Some(index), l, &text).origin);
            }
            self.build_shapes(Some(self.points.len() - 1), &b.shapes);
            bodies.push(Body {
                name: b.name.value.clone(),
                mass,
                center_of_mass: center,
                inertia,
                inertia_about: about,
                points,
            });
        }
        bodies
    }

    /// Resolves the named points of a body or of the ground; `owner` names it in messages.
    fn build_points(&mut self, points: &[spec::Point], owner: &str) -> Vec<Point> {
        let mut out = Vec::new();
        for p in points {
            if p.name.value == "com" {
                self.report(
                    Diagnostic::error("reserved-name", "`com` cannot be used as the name of a point")
                        .at(p.name.span, "`com` denotes the centre of mass")
                        .help("choose another name for the point, or set `center_of_mass` instead"),
                );
            }
            let what = format!("point `{}` of {owner}", p.name.value);
            if owner == "the ground" && (p.contact || p.in_ground_axes) {
                let key = if p.contact { "contact" } else { "axes" };
                self.report(
                    Diagnostic::error(
                        "conflict",
                        format!("{what} cannot have `{key}`, which is only allowed for points of bodies"),
                    )
                    .at(p.name.span, "this point is fixed to the ground")
                    .help(format!("remove `{key}`, or move it to a point of a body")),
                );
            }
            let origin =
                self.resolve_vector(&p.at, &what, PermittedNames::Parameters, Some(Dimension::LENGTH));
            let rotation = self.build_rotation(p.rotation.as_ref(), &what);
            out.push(Point {
                name: p.name.value.clone(),
                placement: Placement { origin, rotation },
                in_ground_axes: p.in_ground_axes,
                contact: p.contact,
            });
        }
        out
    }

    /// Resolves the rotation of a frame or a shape; a matrix is checked later.
    pub(super) fn build_rotation(&mut self, rotation: Option<&spec::Rotation>, what: &str) -> Rotation {
        let Some(r) = rotation else { return Rotation::Identity };
        let what = format!("the rotation of {what}");
        match &r.kind {
            RotationKind::Sequence(axes, angles) => {
                let angles =
                    self.resolve_vector(angles, &what, PermittedNames::Parameters, Some(Dimension::NONE));
                Rotation::Sequence { axes: *axes, angles }
            }
            RotationKind::Matrix(rows) => {
                let rows = [0, 1, 2].map(|i| {
                    self.resolve_vector(&rows[i], &what, PermittedNames::Parameters, Some(Dimension::NONE))
                });
                let rotation = Rotation::Matrix(Box::new(rows));
                self.matrices.push((r.span, what, rotation.clone()));
                rotation
            }
        }
    }

    /// Resolves the acceleration of gravity; zero if the spec has none.
    pub(super) fn build_gravity(&mut self) -> [Formula; 3] {
        match &self.spec.gravity {
            Some(g) => self.resolve_vector(g, "gravity", PermittedNames::Time, Some(Dimension::ACCELERATION)),
            None => ZERO3,
        }
    }
}
