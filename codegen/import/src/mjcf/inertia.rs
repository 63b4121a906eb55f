//! Mass and inertia of a body: from its `<inertial>` or its geoms, within the bounds set for the
//! compiler.

use super::element::XmlElement;
use super::element_defaults::{ElementWithDefaults, Notes};
use super::frame::Angles;
use super::settings::CompilerSettings;
use crate::robot::decimal::Decimal;
use crate::robot::inertia::{BodyInertia, RigidPart, combine_parts};
use crate::robot::turn::{Matrix3, Pose, UNIT, matrix_product};

/// Mass and inertia in the element `<inertial>` of a body, in the frame of the body.
pub(super) fn read_inertial(
    element: &XmlElement,
    frame: &Pose,
    angles: &Angles<'_>,
    notes: &mut Notes,
) -> Option<BodyInertia> {
    notes.report_unread_parts(element, "body/inertial");
    let attributes = ElementWithDefaults::without_defaults(element);
    if element.attribute("mass").is_none() {
        report_missing_attribute(element, "mass", notes);
    }
    let mass = attributes.read_number(notes, "mass");
    if let Some(mass) = mass.as_ref().filter(|m| m.value < 0.0) {
        let message = format!("the mass {} of a body is negative", mass.text);
        notes.add_problem(
            "mjcf-mass",
            message,
            (attributes.attribute_span("mass"), "here"),
            "write zero or a positive mass",
        );
    }
    let pose = angles.read_pose(&attributes, "an <inertial>", notes);
    let turned = !pose.turn.is_identity();
    let tensor = read_inertia_tensor(&attributes, turned, notes)?;
    let stated = BodyInertia { mass: mass?, center: pose.at.clone(), tensor };
    if !turned && *frame == Pose::identity() {
        return Some(stated);
    }
    let pose = frame.compose(&pose);
    let tensor = pose.turn.rotate_tensor(stated.tensor_matrix());
    Some(BodyInertia {
        mass: stated.mass.clone(),
        ..combine_parts(&[RigidPart { mass: stated.mass.value, center: pose.position_values(), tensor }])
    })
}

/// Reports an attribute that `<inertial>` lacks.
fn report_missing_attribute(element: &XmlElement, name: &str, notes: &mut Notes) {
    let help = "write <inertial pos=\"0 0 0\" mass=\"…\" diaginertia=\"… … …\"/>, or omit <inertial>, so that the inertia is computed from the geoms";
    notes.add_problem(
        "mjcf-missing",
        format!("<inertial> has no attribute `{name}`"),
        (element.span, "here"),
        help,
    );
}

/// The inertia tensor in `<inertial>`: moments, then products. `turned`: true if the element has an
/// orientation.
fn read_inertia_tensor(
    attributes: &ElementWithDefaults<'_>,
    turned: bool,
    notes: &mut Notes,
) -> Option<[Decimal; 6]> {
    let element = attributes.element;
    let full = attributes.read_numbers(notes, "fullinertia", 6);
    let diagonal = attributes.read_triple(notes, "diaginertia");
    let tensor: [Decimal; 6] = match (full, diagonal) {
        (Some(_), Some(_)) => {
            let place = (attributes.attribute_span("fullinertia"), "`diaginertia` is also present");
            notes.add_problem(
                "duplicate",
                "<inertial> specifies the inertia twice".into(),
                place,
                "remove `fullinertia` or `diaginertia`",
            );
            return None;
        }
        (Some(_), None) if turned => {
            let place =
                (attributes.attribute_span("fullinertia"), "the axes of `fullinertia` must be the body axes");
            let help = "remove the orientation from <inertial>: MuJoCo does not allow it together with `fullinertia`";
            notes.add_problem(
                "mjcf-orientation",
                "<inertial> has both `fullinertia` and an orientation".into(),
                place,
                help,
            );
            return None;
        }
        (Some(full), None) => full.try_into().ok()?,
        (None, Some([a, b, c])) => {
            [a, b, c, Decimal::from_f64(0.0), Decimal::from_f64(0.0), Decimal::from_f64(0.0)]
        }
        (None, None) => {
            if element.attribute("fullinertia").is_none() && element.attribute("diaginertia").is_none() {
                report_missing_attribute(element, "diaginertia", notes);
            }
            return None;
        }
    };
    if let Some(moment) = tensor.iter().take(3).find(|m| m.value < 0.0) {
        let message = format!("the moment of inertia {} of a body is negative", moment.text);
        notes.add_problem(
            "mjcf-mass",
            message,
            (element.span, "here"),
            "write zero or a positive moment of inertia",
        );
    }
    Some(tensor)
}

/// Combined mass and inertia of the geoms of a body; `None` if there are none.
pub(super) fn combine_geom_parts(parts: &[RigidPart]) -> Option<BodyInertia> {
    (!parts.is_empty()).then(|| combine_parts(parts))
}

/// Applies the bounds of `<compiler>` to the inertia of a body: minimum mass and moments,
/// `balanceinertia`. `pose`: pose of the body in its parent.
pub(super) fn apply_inertia_bounds(
    inertia: Option<BodyInertia>,
    pose: &Pose,
    settings: &CompilerSettings,
) -> Option<BodyInertia> {
    if settings.bound_mass <= 0.0 && settings.bound_inertia <= 0.0 && !settings.balance {
        return inertia;
    }
    // If a body has no inertia, MuJoCo uses its position in the parent as its centre of mass.
    let mut inertia =
        inertia.unwrap_or_else(|| BodyInertia { center: pose.at.clone(), ..combine_parts(&[]) });
    if inertia.mass.value < settings.bound_mass {
        inertia.mass = Decimal::from_f64(settings.bound_mass);
    }
    if !inertia.is_finite() {
        return Some(inertia);
    }
    let (moments, axes) = principal_axes(inertia.tensor_matrix());
    let mut bounded = moments.map(|m| m.max(settings.bound_inertia));
    let [a, b, c] = bounded;
    if settings.balance && (a + b < c || a + c < b || b + c < a) {
        bounded = [(a + b + c) / 3.0; 3];
    }
    if bounded == moments {
        return Some(inertia);
    }
    let diagonal = [0, 1, 2].map(|i| [0, 1, 2].map(|j| if i == j { bounded[i] } else { 0.0 }));
    let transposed = [0, 1, 2].map(|i| [0, 1, 2].map(|j| axes[j][i]));
    let tensor = matrix_product(&matrix_product(&axes, &diagonal), &transposed);
    let center = [0, 1, 2].map(|i| inertia.center[i].value);
    let mass = inertia.mass.value;
    Some(BodyInertia {
        center: inertia.center.clone(),
        mass: inertia.mass.clone(),
        ..combine_parts(&[RigidPart { mass, center, tensor }])
    })
}

/// Reason why no rigid body can have this inertia, such as a negative moment; deviations within
/// rounding are accepted.
pub(super) fn find_inertia_violation(inertia: &BodyInertia) -> Option<&'static str> {
    let (moments, _) = principal_axes(inertia.tensor_matrix());
    let [a, b, c] = moments;
    let size = moments.iter().fold(0.0f64, |m, x| m.max(x.abs()));
    let rounding = 1e-6 * size;
    if moments.iter().any(|m| *m < -rounding) {
        return Some("a principal moment of inertia is negative");
    }
    (a + b < c - rounding || a + c < b - rounding || b + c < a - rounding)
        .then_some("one principal moment of inertia is larger than the sum of the other two")
}

/// Principal moments of a tensor, and their axes as columns (Jacobi rotations).
fn principal_axes(tensor: Matrix3) -> ([f64; 3], Matrix3) {
    let (mut a, mut axes) = (tensor, UNIT);
    for _ in 0..50 {
        let size = a.iter().flatten().fold(0.0f64, |m, x| m.max(x.abs()));
        let off = [(0, 1), (0, 2), (1, 2)]
            .into_iter()
            .max_by(|p, q| a[p.0][p.1].abs().total_cmp(&a[q.0][q.1].abs()));
        let Some((p, q)) = off.filter(|(p, q)| a[*p][*q].abs() > 1e-17 * size) else { break };
        let angle = 0.5 * (2.0 * a[p][q]).atan2(a[q][q] - a[p][p]);
        let (s, c) = angle.sin_cos();
        let mut turn = UNIT;
        (turn[p][p], turn[q][q], turn[p][q], turn[q][p]) = (c, c, s, -s);
        let back = [0, 1, 2].map(|i| [0, 1, 2].map(|j| turn[j][i]));
        a = matrix_product(&matrix_product(&back, &a), &turn);
        axes = matrix_product(&axes, &turn);
    }
    ([a[0][0], a[1][1], a[2][2]], axes)
}

#[cfg(test)]
mod tests {
    use super::{matrix_product, principal_axes};

    #[test]
    fn principal_moments_make_the_tensor_again() {
        let tensor = [[2.0, 0.3, -0.4], [0.3, 1.0, 0.2], [-0.4, 0.2, 1.5]];
        let (m, axes) = principal_axes(tensor);
        let diagonal = [0, 1, 2].map(|i| [0, 1, 2].map(|j| if i == j { m[i] } else { 0.0 }));
        let transposed = [0, 1, 2].map(|i| [0, 1, 2].map(|j| axes[j][i]));
        let again = matrix_product(&matrix_product(&axes, &diagonal), &transposed);
        for i in 0..3 {
            for j in 0..3 {
                assert!((again[i][j] - tensor[i][j]).abs() < 1e-14, "{again:?}");
            }
        }
    }
}
