//! Descriptions of the symbols of one member, as in its spec: unit, text, default.

use super::names::{Class, Symbol};
use dqdt_algebra::Number;
use dqdt_mechanics::kinematics;
use dqdt_mechanics::mechanism::{Mechanism, ParameterKind};

/// A symbol of one mechanism with its unit, description and default in the spec.
#[derive(Clone, PartialEq, Debug)]
pub struct SymbolDescription {
    /// The symbol that is described, such as the parameter `m3`.
    pub symbol: Symbol,
    /// SI unit of the symbol as text; empty if it has none.
    pub unit: String,
    /// One-line description of the symbol in the spec; may be empty.
    pub description: String,
    /// Default value of a parameter; `None` for other symbols.
    pub default: Option<Number>,
}

/// Builds the description of a symbol from its parts.
fn describe_symbol(
    class: Class,
    name: &str,
    unit: String,
    description: &str,
    value: Option<Number>,
) -> SymbolDescription {
    let symbol = Symbol { class, name: name.to_owned() };
    SymbolDescription { symbol, unit, description: description.to_owned(), default: value }
}

/// Describes all symbols that emitted code has as arguments: free parameters, coordinates, speeds,
/// inputs.
pub(super) fn describe_symbols(m: &Mechanism) -> Vec<SymbolDescription> {
    let quaternions = kinematics::quaternion_starts(m);
    let parameters = m.parameters.iter().filter_map(|p| match &p.kind {
        ParameterKind::Free(n) => {
            Some(describe_symbol(Class::Parameter, &p.name, p.unit.clone(), &p.description, Some(*n)))
        }
        ParameterKind::Constant(_) | ParameterKind::Derived(_) => None,
    });
    let coordinates = m.coordinates.iter().enumerate().map(|(i, c)| {
        let in_quaternion = quaternions.iter().any(|s| s.quaternion_range().contains(&i));
        let unit = if in_quaternion { String::new() } else { c.dimension.of_motion() };
        describe_symbol(Class::Coordinate, &c.name, unit, &c.description, None)
    });
    let speeds = m
        .speeds
        .iter()
        .map(|s| describe_symbol(Class::Speed, &s.name, s.dimension.of_motion(), &s.description, None));
    let inputs =
        m.inputs.iter().map(|u| describe_symbol(Class::Input, &u.name, u.unit.clone(), &u.description, None));
    parameters.chain(coordinates).chain(speeds).chain(inputs).collect()
}
