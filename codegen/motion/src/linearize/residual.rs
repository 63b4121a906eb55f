//! A residual of a trim, with name, unit and tolerance, for messages.

use super::derivatives::Derivatives;
use super::error::LinearizeError;
use dqdt_graph::ir::Row;

/// A residual that a trim could not bring to zero, with name, unit and tolerance; becomes an error
/// message.
pub(super) struct Residual {
    quantity: &'static str,
    name: String,
    value: f64,
    unit: String,
    tolerance: f64,
    has_constraints: bool,
}

impl Residual {
    /// Residual of a trim that is the rate of a speed or user state; `entry` is its index in `δx`.
    pub(super) fn from_rate(derivatives: &Derivatives, entry: usize, value: f64, tolerance: f64) -> Self {
        let names = derivatives.names();
        let layout = &derivatives.program().layout;
        let first = names.coordinates + names.speeds;
        let (quantity, slot) = match entry.checked_sub(first) {
            Some(k) => ("rate of", layout.z.get(k)),
            None => ("acceleration of", entry.checked_sub(names.coordinates).and_then(|k| layout.v.get(k))),
        };
        let unit = slot.map_or_else(String::new, |s| unit_per_second(&s.unit));
        let has_constraints = !names.residuals.is_empty();
        Residual { quantity, name: names.states[entry].clone(), value, unit, tolerance, has_constraints }
    }

    /// Residual of a trim that is that of a constraint row; rows of positions come first.
    pub(super) fn from_constraint_row(
        derivatives: &Derivatives,
        row: usize,
        value: f64,
        tolerance: f64,
    ) -> Self {
        let names = derivatives.names();
        let layout = &derivatives.program().layout;
        let (quantity, rows): (_, &[Row]) = match row < names.positions {
            true => ("position residual of the constraint", &layout.position_rows),
            false => ("velocity residual of the constraint", &layout.velocity_rows),
        };
        let name = names.residuals.get(row).cloned().unwrap_or_default();
        let unit = rows.iter().find(|r| r.name == name).map_or_else(String::new, |r| r.unit.clone());
        Residual { quantity, name, value, unit, tolerance, has_constraints: true }
    }

    /// The error of a trim that stopped with this residual after a number of Newton steps.
    pub(super) fn into_error(self, steps: usize) -> LinearizeError {
        LinearizeError::NotSteady {
            name: self.name,
            quantity: self.quantity,
            residual: self.value.abs(),
            unit: self.unit,
            tolerance: self.tolerance,
            steps,
            beyond: Vec::new(),
            has_constraints: self.has_constraints,
        }
    }
}

/// Unit of the rate of a quantity that has this unit.
fn unit_per_second(unit: &str) -> String {
    match unit {
        "" | "1" => "1/s".to_owned(),
        _ => match unit.strip_suffix("/s") {
            Some(rest) => format!("{rest}/s^2"),
            None => format!("({unit})/s"),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::unit_per_second;

    #[test]
    fn rates_have_the_unit_over_seconds() {
        for (unit, rate) in
            [("rad/s", "rad/s^2"), ("m/s", "m/s^2"), ("1", "1/s"), ("", "1/s"), ("kg*m^2", "(kg*m^2)/s")]
        {
            assert_eq!(unit_per_second(unit), rate);
        }
    }
}
