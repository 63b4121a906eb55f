//! Combined inertia of a body that consists of several parts.

use super::decimal::{Decimal, Triple};
use super::turn::{format_triple, max_abs, round_off_to_zero};

/// Inertia of a body of the spec: mass, centre of mass in the body frame, and tensor about it in
/// body axes (xx, yy, zz, xy, xz, yz).
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct BodyInertia {
    pub mass: Decimal,
    pub center: Triple,
    pub tensor: [Decimal; 6],
}

/// A rigid part of a body, such as a geom or a link: mass, centre of mass, and tensor about it, in
/// the frame and axes of the body.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct RigidPart {
    pub mass: f64,
    pub center: [f64; 3],
    pub tensor: [[f64; 3]; 3],
}

/// Combined inertia of the parts of a body, about their common centre of mass.
pub(crate) fn combine_parts(parts: &[RigidPart]) -> BodyInertia {
    let mass: f64 = parts.iter().map(|p| p.mass).sum();
    let center = match parts {
        [part] => part.center,
        _ if mass == 0.0 => [0.0; 3],
        _ => [0, 1, 2].map(|k| parts.iter().map(|p| p.mass * p.center[k]).sum::<f64>() / mass),
    };
    let mut tensor = [[0.0; 3]; 3];
    for part in parts {
        let d = [0, 1, 2].map(|k| part.center[k] - center[k]);
        let square: f64 = d.iter().map(|x| x * x).sum();
        for i in 0..3 {
            for j in 0..3 {
                let steiner = if i == j { square - d[i] * d[j] } else { -(d[i] * d[j]) };
                tensor[i][j] += part.tensor[i][j] + part.mass * steiner;
            }
        }
    }
    // Rotated tensors are symmetric only up to rounding.
    let size = tensor.iter().flatten().fold(0.0f64, |m, x| m.max(x.abs()));
    let entry =
        |i: usize, j: usize| Decimal::from_f64(round_off_to_zero(0.5 * (tensor[i][j] + tensor[j][i]), size));
    let reach = parts.iter().fold(0.0f64, |m, p| m.max(max_abs(p.center)));
    BodyInertia {
        mass: Decimal::from_f64(mass),
        center: center.map(|x| Decimal::from_f64(round_off_to_zero(x, reach))),
        tensor: [entry(0, 0), entry(1, 1), entry(2, 2), entry(0, 1), entry(0, 2), entry(1, 2)],
    }
}

impl BodyInertia {
    /// The inertia tensor about the centre of mass as a 3 × 3 matrix.
    pub fn tensor_matrix(&self) -> [[f64; 3]; 3] {
        let [xx, yy, zz, xy, xz, yz] = [0, 1, 2, 3, 4, 5].map(|k| self.tensor[k].value);
        [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]
    }

    /// True if mass, centre of mass and tensor are finite numbers.
    pub fn is_finite(&self) -> bool {
        let numbers = self.tensor.iter().chain(&self.center).chain([&self.mass]);
        numbers.map(|x| x.value).all(f64::is_finite)
    }

    /// Lines with the keys `mass`, `center_of_mass` and `inertia` of a body in the spec; zeros are
    /// omitted.
    pub fn spec_keys(&self) -> Vec<String> {
        let mut lines = Vec::new();
        if !self.mass.is_zero() {
            lines.push(format!("mass = {}", self.mass.text));
        }
        if self.center.iter().any(|x| !x.is_zero()) {
            lines.push(format!("center_of_mass = {}", format_triple(&self.center)));
        }
        let [xx, yy, zz, xy, xz, yz] = &self.tensor;
        if [xy, xz, yz].iter().all(|x| x.is_zero()) {
            if !(xx.is_zero() && yy.is_zero() && zz.is_zero()) {
                lines.push(format!("inertia = [{}, {}, {}]", xx.text, yy.text, zz.text));
            }
        } else {
            let products = [("xy", xy), ("xz", xz), ("yz", yz)];
            let products: String = (products.iter().filter(|(_, x)| !x.is_zero()))
                .map(|(name, x)| format!(", {name} = {}", x.text))
                .collect();
            let (xx, yy, zz) = (&xx.text, &yy.text, &zz.text);
            lines.push(format!("inertia = {{ xx = {xx}, yy = {yy}, zz = {zz}{products} }}"));
        }
        lines
    }
}
