//! Lookup of bodies, joints, points and frames by name.

use super::Build;
use super::formulas::PermittedNames;
use super::topology::unknown_body_error;
use crate::spec::{FrameOn, Location, Name};
use dqdt_algebra::Dimension;
use dqdt_diagnostics::error::Diagnostic;
use dqdt_mechanics::mechanism::{BodyId, Formula, Placement, Rotation, VectorFrame};

impl Build<'_> {
    /// Index in the spec of the body of this name; an unknown name is reported.
    pub(super) fn find_body(&mut self, name: &Name, what: &str) -> Option<usize> {
        if let Some(i) = self.body_names.get(&name.value) {
            return Some(*i);
        }
        let d = if name.value == "ground" {
            Diagnostic::error("ground-as-body", format!("{what} requires a body, not the ground"))
                .at(name.span, "the ground is not a body")
                .help("name a body instead of the ground")
        } else {
            let known: Vec<&str> = self.body_names.keys().map(String::as_str).collect();
            unknown_body_error(known.iter().copied(), name, what, self.problems.len())
        };
        self.report(d);
        None
    }

    /// Index in the spec of the named body, or `Some(None)` for the ground; an unknown name is
    /// reported.
    pub(super) fn find_body_or_ground(&mut self, name: &Name, what: &str) -> Option<Option<usize>> {
        if name.value == "ground" { Some(None) } else { self.find_body(name, what).map(Some) }
    }

    /// Index in the spec of the joint of this name; an unknown name is reported.
    pub(super) fn find_joint(&mut self, name: &Name, what: &str) -> Option<usize> {
        if let Some(i) = self.joint_names.get(&name.value) {
            return Some(*i);
        }
        if self.spec.broken.joints {
            return None;
        }
        let d = Diagnostic::error("unknown-joint", format!("unknown joint `{}` in {what}", name.value))
            .at(name.span, "not found");
        let known: Vec<&str> = self.joint_names.keys().map(String::as_str).collect();
        self.report(match self.suggest_name(&name.value, known.iter().copied()) {
            Some(near) => d.help(format!("did you mean `{near}`?")),
            None => {
                d.help(format!("joints: {}", known.iter().take(12).copied().collect::<Vec<_>>().join(", ")))
            }
        });
        None
    }

    /// Id in the mechanism of the body with this index in the spec.
    pub(super) fn body_id(&self, body: usize) -> BodyId {
        self.body_index.get(body).copied().unwrap_or(BodyId(0))
    }

    /// Resolves a point of a body (`None`: the ground), which the spec gives by name or components.
    pub(super) fn resolve_location(
        &mut self,
        body: Option<usize>,
        location: &Location,
        what: &str,
    ) -> Placement {
        let name = match location {
            Location::Components(v) => {
                let origin = self.resolve_vector(
                    v,
                    &format!("the point of {what}"),
                    PermittedNames::Parameters,
                    Some(Dimension::LENGTH),
                );
                return Placement::at_origin(origin);
            }
            Location::Offset(name, offset) => {
                let from = self.find_named_point(body, name, what);
                let permitted = PermittedNames::Parameters;
                let offset = self.resolve_vector(
                    offset,
                    &format!("the offset of {what}"),
                    permitted,
                    Some(Dimension::LENGTH),
                );
                let mut along = from.origin.into_iter().zip(offset);
                let origin =
                    std::array::from_fn(|_| along.next().map_or(Formula::ZERO, |(a, b)| add_formulas(a, b)));
                return Placement { origin, rotation: from.rotation };
            }
            Location::Named(name) => name,
        };
        self.find_named_point(body, name, what)
    }

    /// The named point on a body (`None`: the ground), with its axes; `com` is the centre of mass.
    fn find_named_point(&mut self, body: Option<usize>, name: &Name, what: &str) -> Placement {
        if name.value == "com"
            && let Some(center) = body.and_then(|b| self.centers.get(b))
        {
            return Placement::at_origin(center.clone());
        }
        let points = match body {
            Some(b) => self.points.get(b).map_or(&[][..], Vec::as_slice),
            None => &self.ground_points,
        };
        if let Some(p) = points.iter().find(|p| p.name == name.value) {
            return p.placement.clone();
        }
        let owner =
            body.map_or("the ground".to_owned(), |b| format!("body `{}`", self.spec.bodies[b].name.value));
        let d = Diagnostic::error(
            "unknown-point",
            format!("{owner} has no point `{}`, which is used in {what}", name.value),
        )
        .at(name.span, "not found")
        .also(body.and_then(|b| self.spec.bodies[b].name.span), "the body");
        let known: Vec<&str> = points.iter().map(|p| p.name.as_str()).collect();
        let d = match self.suggest_name(&name.value, known.iter().copied()) {
            Some(near) => d.help(format!("did you mean `{near}`?")),
            None if known.is_empty() => d.help(format!(
                "no points are defined there; write [x, y, z], or add `points = {{ {} = [x, y, z] }}`",
                name.value
            )),
            None => d.help(format!("its points: {}", known.join(", "))),
        };
        self.report(d);
        Placement::IDENTITY
    }

    /// Resolves a point of a body (`None`: the ground); by default the origin of its frame.
    pub(super) fn resolve_location_or_origin(
        &mut self,
        body: Option<usize>,
        at: Option<&Location>,
        what: &str,
    ) -> Placement {
        match at {
            Some(l) => self.resolve_location(body, l, what),
            None => Placement::IDENTITY,
        }
    }

    /// Resolves a frame of the spec: its body (`Some(None)`: the ground), and the pose on it.
    pub(super) fn resolve_frame(&mut self, f: &FrameOn, what: &str) -> Option<(Option<usize>, Placement)> {
        let body = self.find_body_or_ground(&f.body, what)?;
        let mut placement = self.resolve_location_or_origin(body, f.at.as_ref(), what);
        if let Some(r) = &f.rotation {
            if placement.rotation != Rotation::Identity {
                self.report(
                    Diagnostic::error("conflict", format!("{what} is rotated twice"))
                        .at(Some(r.span), "this frame is already rotated")
                        .help("remove one of the two rotations: the point has a rotation of its own"),
                );
            }
            placement.rotation = self.build_rotation(Some(r), what);
        }
        Some((body, placement))
    }

    /// Resolves the axes in which the spec gives a vector; by default those of the ground.
    pub(super) fn resolve_vector_frame(&mut self, frame: Option<&FrameOn>, what: &str) -> VectorFrame {
        let Some(f) = frame else { return VectorFrame::Ground };
        match self.resolve_frame(f, &format!("the frame of {what}")) {
            Some((Some(b), placement)) => {
                let rotation = Box::new(placement.rotation);
                VectorFrame::Body { body: self.body_id(b), rotation }
            }
            Some((None, placement)) => {
                if placement.rotation != Rotation::Identity {
                    self.report(
                        Diagnostic::error(
                            "turned-ground-frame",
                            format!("{what} cannot use a rotated frame on the ground"),
                        )
                        .at(f.body.span, "only ground axes are allowed")
                        .help("remove `frame`, or add a fixed body that carries the frame"),
                    );
                }
                VectorFrame::Ground
            }
            None => VectorFrame::Ground,
        }
    }
}

/// The sum `a + b` of formulas, simplified if a term is zero or both are numbers.
fn add_formulas(a: Formula, b: Formula) -> Formula {
    match (a.as_number(), b.as_number()) {
        (Some(x), _) if x.is_zero() => b,
        (_, Some(y)) if y.is_zero() => a,
        (Some(x), Some(y)) => match x.checked_add(y) {
            Some(total) => Formula::Number(total),
            None => Formula::Add(Box::new(a), Box::new(b)),
        },
        _ => Formula::Add(Box::new(a), Box::new(b)),
    }
}
