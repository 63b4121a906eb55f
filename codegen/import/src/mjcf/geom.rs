//! Mass and inertia of geoms, and their shapes for drawings.
//!
//! Problem: the inertia of a body without `<inertial>` is that of its geoms.
//! Method:  closed formulas for solid shapes. The axis z of a shape given by `fromto` is along the
//!          line between the two points.
//! Not handled: meshes, height fields, shells. They are an error if the inertia of a body depends
//!              on them.

use super::element_defaults::{ElementWithDefaults, Notes};
use super::frame::{Angles, matrix_from_z_axis};
use crate::robot::decimal::Decimal;
use crate::robot::inertia::RigidPart;
use crate::robot::turn::{Pose, Turn, format_triple};
use dqdt_diagnostics::base::Span;
use std::f64::consts::PI;

const TYPES: [&str; 9] =
    ["plane", "hfield", "sphere", "capsule", "ellipsoid", "cylinder", "box", "mesh", "sdf"];
/// A solid shape of a geom in an MJCF; lengths are radii and half-lengths, in metres.
#[derive(Clone, Copy, PartialEq, Debug)]
enum GeomSolid {
    Sphere(f64),
    /// Capsule: its radius, and half the length of its cylindrical part.
    Capsule(f64, f64),
    Cylinder(f64, f64),
    Ellipsoid([f64; 3]),
    Box([f64; 3]),
}

impl GeomSolid {
    /// Volume \[m³\], from which the mass follows by the density.
    fn volume(self) -> f64 {
        match self {
            GeomSolid::Sphere(r) => 4.0 / 3.0 * PI * r * r * r,
            GeomSolid::Capsule(r, h) => PI * r * r * (2.0 * h + 4.0 / 3.0 * r),
            GeomSolid::Cylinder(r, h) => 2.0 * PI * r * r * h,
            GeomSolid::Ellipsoid([a, b, c]) => 4.0 / 3.0 * PI * a * b * c,
            GeomSolid::Box([a, b, c]) => 8.0 * a * b * c,
        }
    }

    /// Principal moments of inertia \[m²\] for unit mass, about the axes of the solid through its
    /// centre.
    fn unit_mass_moments(self) -> [f64; 3] {
        match self {
            GeomSolid::Sphere(r) => [0.4 * r * r; 3],
            GeomSolid::Ellipsoid(half) => moments_of_half_lengths(half, 5.0),
            GeomSolid::Box(half) => moments_of_half_lengths(half, 3.0),
            GeomSolid::Cylinder(r, h) => {
                let across = r * r / 4.0 + h * h / 3.0;
                [across, across, r * r / 2.0]
            }
            GeomSolid::Capsule(r, h) => {
                // A cylinder and two hemispheres, whose centres of mass are 3/8 r beyond its ends.
                let ball = 2.0 * r / (2.0 * r + 3.0 * h);
                let rod = 1.0 - ball;
                let across = rod * (r * r / 4.0 + h * h / 3.0) + ball * (0.4 * r * r + h * h + 0.75 * r * h);
                [across, across, rod * r * r / 2.0 + ball * 0.4 * r * r]
            }
        }
    }
}

/// Principal moments \[m²\] for unit mass of a box or an ellipsoid, from its three half lengths;
/// `divisor`: 3 or 5.
fn moments_of_half_lengths([a, b, c]: [f64; 3], divisor: f64) -> [f64; 3] {
    [(b * b + c * c) / divisor, (a * a + c * c) / divisor, (a * a + b * b) / divisor]
}

/// Key of a sphere in the notation of specs.
fn sphere_key_text(radius: f64) -> String {
    format!("sphere = {}", Decimal::from_f64(radius).text)
}

/// Key of a cylinder in the notation of specs, which has the full length.
fn cylinder_key_text(radius: f64, half_length: f64) -> String {
    let [radius, length] = [radius, 2.0 * half_length].map(|x| Decimal::from_f64(x).text);
    format!("cylinder = [{radius}, {length}]")
}

/// The group number of a geom; `inertiagrouprange` selects the geoms that contribute to the inertia
/// by it.
pub(super) fn read_geom_group(attributes: &ElementWithDefaults<'_>, notes: &mut Notes) -> f64 {
    attributes.read_number_or(notes, "group", 0.0).value
}

/// True if a geom may collide with others (`contype`, `conaffinity`).
pub(super) fn can_collide(attributes: &ElementWithDefaults<'_>, notes: &mut Notes) -> bool {
    ["contype", "conaffinity"].iter().any(|name| attributes.read_number_or(notes, name, 1.0).value != 0.0)
}

/// Shape of a geom for drawings: a box, a cylinder, a capsule or a sphere. Drawings are not
/// mechanics, so a geom that cannot be drawn is omitted without an error. Groups above 2 are
/// omitted, because MuJoCo hides them by default.
pub(super) fn read_drawing_shape(
    attributes: &ElementWithDefaults<'_>,
    outer: &Pose,
    angles: &Angles<'_>,
) -> Option<GeomShape> {
    let mut discarded = Notes::default();
    let kind = attributes.read_word(&mut discarded, "type", &TYPES, "sphere");
    let hidden = attributes.read_number_or(&mut discarded, "group", 0.0).value > 2.0
        || attributes.read_numbers(&mut discarded, "rgba", 4).is_some_and(|rgba| rgba[3].value <= 0.0);
    if hidden
        || attributes.find_attribute("mesh").is_some()
        || matches!(kind, "plane" | "hfield" | "mesh" | "sdf")
    {
        return None;
    }
    let (solid, pose) = read_solid_with_pose(attributes, kind, outer, angles, "a geom", &mut discarded)?;
    let is_drawable =
        !matches!(solid, GeomSolid::Ellipsoid(_)) && pose.position_values().iter().all(|x| x.is_finite());
    (is_drawable && discarded.problems.is_empty()).then_some(GeomShape { solid, pose })
}

/// A solid of a geom for drawings, with its pose in the frame of the body.
#[derive(Clone, Debug)]
pub(super) struct GeomShape {
    solid: GeomSolid,
    pose: Pose,
}

impl GeomShape {
    /// Entries of `shapes` in the spec, for a body of the file whose frame has the pose `body` in
    /// that of the body of the spec.
    pub(super) fn shape_entries(&self, body: &Pose) -> Vec<String> {
        let solids = match self.solid {
            GeomSolid::Sphere(r) => vec![(sphere_key_text(r), 0.0)],
            GeomSolid::Cylinder(r, h) => vec![(cylinder_key_text(r, h), 0.0)],
            GeomSolid::Capsule(r, h) => {
                vec![(cylinder_key_text(r, h), 0.0), (sphere_key_text(r), -h), (sphere_key_text(r), h)]
            }
            GeomSolid::Box(half) | GeomSolid::Ellipsoid(half) => {
                vec![(format!("box = {}", format_triple(&half.map(|x| Decimal::from_f64(2.0 * x)))), 0.0)]
            }
        };
        let pose = body.compose(&self.pose);
        solids.into_iter().map(|(solid, shift)| shape_entry(solid, shift, &pose)).collect()
    }
}

/// Entry of `shapes` in the spec: the key of a solid, shifted along z of a pose.
fn shape_entry(solid: String, shift: f64, pose: &Pose) -> String {
    let mut pose = pose.compose(&Pose { at: [0.0, 0.0, shift].map(Decimal::from_f64), turn: Turn::NONE });
    if solid.starts_with("sphere") {
        pose.turn = Turn::NONE;
    }
    let keys: Vec<String> = std::iter::once(solid).chain(pose.pose_keys(false)).collect();
    format!("{{ {} }}", keys.join(", "))
}

/// Mass and inertia that a geom contributes to its body; `None` if it has no mass. `outer` is the
/// pose of enclosing frames.
pub(super) fn read_rigid_part(
    attributes: &ElementWithDefaults<'_>,
    outer: &Pose,
    angles: &Angles<'_>,
    label: &str,
    notes: &mut Notes,
) -> Option<RigidPart> {
    let kind = attributes.read_word(notes, "type", &TYPES, "sphere");
    let mass = attributes.read_number(notes, "mass");
    let density = attributes.read_number_or(notes, "density", 1000.0);
    let weight = mass.as_ref().unwrap_or(&density);
    if weight.value < 0.0 {
        let name = if mass.is_some() { "mass" } else { "density" };
        let message = format!("the {name} {} of a geom is negative", weight.text);
        notes.add_problem(
            "mjcf-mass",
            message,
            (attributes.attribute_span(name), "here"),
            "write zero or a positive mass or density",
        );
    }
    if weight.value <= 0.0 || matches!(kind, "plane" | "hfield") {
        return None;
    }
    if matches!(kind, "mesh" | "sdf") || attributes.find_attribute("mesh").is_some() {
        report_unknown_geom_mass(attributes, "a mesh", notes);
        return None;
    }
    if attributes.read_flag(notes, "shellinertia", false) {
        report_unknown_geom_mass(attributes, "a shell", notes);
        return None;
    }
    let (solid, pose) = read_solid_with_pose(attributes, kind, outer, angles, label, notes)?;
    let mass = mass.map_or_else(|| density.value * solid.volume(), |m| m.value);
    let moments = solid.unit_mass_moments().map(|i| mass * i);
    let diagonal = [0, 1, 2].map(|i| [0, 1, 2].map(|j| if i == j { moments[i] } else { 0.0 }));
    Some(RigidPart { mass, center: pose.position_values(), tensor: pose.turn.rotate_tensor(diagonal) })
}

/// Solid of a geom, with its pose in the frame of its body.
fn read_solid_with_pose(
    attributes: &ElementWithDefaults<'_>,
    kind: &str,
    outer: &Pose,
    angles: &Angles<'_>,
    label: &str,
    notes: &mut Notes,
) -> Option<(GeomSolid, Pose)> {
    let mut size = attributes
        .read_overlaid_numbers(notes, "size", &[0.0; 3])
        .iter()
        .map(|x| x.value)
        .collect::<Vec<_>>();
    size.resize(3, 0.0);
    let mut pose = angles.read_pose(attributes, label, notes);
    if let Some((between, half)) = read_fromto_frame(attributes, &pose, notes) {
        if !matches!(kind, "capsule" | "cylinder" | "ellipsoid" | "box") {
            let place = (attributes.attribute_span("fromto"), "`fromto` is not allowed for this shape");
            notes.add_problem(
                "mjcf-geom",
                format!("a geom of type `{kind}` cannot have `fromto`"),
                place,
                "use `fromto` only for a capsule, a cylinder, an ellipsoid or a box",
            );
        }
        pose = between;
        size = if matches!(kind, "capsule" | "cylinder") {
            vec![size[0], half, 0.0]
        } else {
            vec![size[0], size[0], half]
        };
    }
    let half = [0, 1, 2].map(|i| size[i]);
    let (solid, used) = match kind {
        "sphere" => (GeomSolid::Sphere(half[0]), 1),
        "capsule" => (GeomSolid::Capsule(half[0], half[1]), 2),
        "cylinder" => (GeomSolid::Cylinder(half[0], half[1]), 2),
        "ellipsoid" => (GeomSolid::Ellipsoid(half), 3),
        _ => (GeomSolid::Box(half), 3),
    };
    if half.iter().take(used).any(|x| *x <= 0.0) {
        let place = (attributes.attribute_span("size"), "every radius and half-length must be positive");
        let help = match used {
            1 => "write size=\"radius\"",
            2 => "write size=\"radius half-length\", or size=\"radius\" with fromto",
            _ => "write size=\"x y z\": half the length of each side",
        };
        notes.add_problem("mjcf-geom", format!("the size of the {kind} is not positive"), place, help);
        return None;
    }
    Some((solid, outer.compose(&pose)))
}

/// Frame and half length of a geom given by `fromto`: the origin is in the middle of the two
/// points, z is along their line.
pub(super) fn read_fromto_frame(
    attributes: &ElementWithDefaults<'_>,
    pose: &Pose,
    notes: &mut Notes,
) -> Option<(Pose, f64)> {
    let points: [Decimal; 6] = attributes.read_numbers(notes, "fromto", 6)?.try_into().ok()?;
    let place = |label| (attributes.attribute_span("fromto"), label);
    if pose.position_values() != [0.0; 3] {
        let help = "remove `pos` or `fromto`: `fromto` alone determines the position of the geom";
        notes.add_problem("mjcf-geom", "a geom has both `pos` and `fromto`".into(), place("here"), help);
    }
    let p = points.map(|x| x.value);
    let along = [0, 1, 2].map(|i| p[i] - p[i + 3]);
    let half = 0.5 * along.iter().map(|x| x * x).sum::<f64>().sqrt();
    let Some(matrix) = matrix_from_z_axis(along).filter(|_| half > 1e-14) else {
        notes.add_problem(
            "mjcf-geom",
            "the two points of `fromto` coincide".into(),
            place("here"),
            "specify two different points in `fromto`",
        );
        return None;
    };
    let at = [0, 1, 2].map(|i| Decimal::from_f64(0.5 * (p[i] + p[i + 3])));
    Some((Pose { at, turn: Turn::from_matrix(matrix, 0.0).0 }, half))
}

/// Reports a geom, such as a mesh, whose mass is needed but cannot be computed.
fn report_unknown_geom_mass(attributes: &ElementWithDefaults<'_>, what: &str, notes: &mut Notes) {
    let span: Span = attributes.element.span;
    notes.add_problem(
        "mjcf-mesh",
        format!("the inertia of a body depends on {what}, whose mass cannot be computed"),
        (span, "this geom contributes to the mass of its body"),
        "add an <inertial> to the body (MuJoCo writes it if you compile the file with saveinertial=\"true\" and save it), or write mass=\"0\" in the geom",
    );
}

#[cfg(test)]
mod tests {
    use super::GeomSolid;

    /// Volume and moments of a solid as a sum over many small cubes, to check the formulas.
    fn sum_over_cubes(inside: impl Fn([f64; 3]) -> bool, reach: [f64; 3]) -> (f64, [f64; 3]) {
        const N: i32 = 60;
        let (mut volume, mut moments) = (0.0, [0.0; 3]);
        let cell = reach.map(|r| 2.0 * r / f64::from(N));
        let d: f64 = cell.iter().product();
        for i in 0..N {
            for j in 0..N {
                for k in 0..N {
                    let at = [i, j, k].map(|n| f64::from(n) + 0.5);
                    let p = [0, 1, 2].map(|a| at[a] * cell[a] - reach[a]);
                    if inside(p) {
                        volume += d;
                        let s = p.map(|x| x * x);
                        moments[0] += d * (s[1] + s[2]);
                        moments[1] += d * (s[0] + s[2]);
                        moments[2] += d * (s[0] + s[1]);
                    }
                }
            }
        }
        (volume, moments.map(|m| m / volume))
    }

    fn distance_squared_from_z(p: [f64; 3]) -> f64 {
        p[0] * p[0] + p[1] * p[1]
    }

    fn is_in_capsule(p: [f64; 3]) -> bool {
        distance_squared_from_z(p) + (p[2].abs() - 0.7).max(0.0).powi(2) < 0.25
    }

    fn is_in_ellipsoid(p: [f64; 3]) -> bool {
        (p[0] / 0.3).powi(2) + (p[1] / 0.5).powi(2) + (p[2] / 0.8).powi(2) < 1.0
    }

    #[test]
    fn shapes_weigh_what_their_small_parts_weigh() {
        let cases: [(GeomSolid, (f64, [f64; 3])); 5] = [
            (
                GeomSolid::Sphere(0.5),
                sum_over_cubes(|p| distance_squared_from_z(p) + p[2] * p[2] < 0.25, [0.5; 3]),
            ),
            (GeomSolid::Capsule(0.5, 0.7), sum_over_cubes(is_in_capsule, [0.5, 0.5, 1.2])),
            (
                GeomSolid::Cylinder(0.5, 0.7),
                sum_over_cubes(|p| distance_squared_from_z(p) < 0.25, [0.5, 0.5, 0.7]),
            ),
            (GeomSolid::Ellipsoid([0.3, 0.5, 0.8]), sum_over_cubes(is_in_ellipsoid, [0.3, 0.5, 0.8])),
            (GeomSolid::Box([0.3, 0.5, 0.8]), sum_over_cubes(|_| true, [0.3, 0.5, 0.8])),
        ];
        for (solid, (volume, moments)) in cases {
            assert!((solid.volume() / volume - 1.0).abs() < 0.01, "{solid:?} {volume}");
            for (formula, summed) in solid.unit_mass_moments().iter().zip(moments) {
                assert!((formula / summed - 1.0).abs() < 0.01, "{solid:?} {moments:?}");
            }
        }
    }
}
