//! The letters of the equations of motion, as the conventions have them.

use crate::mechanism::Mechanism;
use crate::print::report::Math;

/// `λ_pin_fx`: a letter by its English name with the name of a row as index.
pub(super) fn of_row(letter: &str, row: &str) -> Math {
    // A row's name is no derivative, whatever it ends with.
    if row.ends_with("_dot") || row.ends_with("_ddot") || row.is_empty() {
        Math::identifier(letter).labelled(row)
    } else {
        Math::identifier(&format!("{letter}_{row}"))
    }
}

/// A name in prose: `θ̇₁`.
pub(super) fn text(name: &str) -> String {
    Math::identifier(name).text()
}

/// Letters side by side, with thin spaces.
pub(super) fn product<const N: usize>(factors: [Math; N]) -> Math {
    joined(factors, &Math::operator(" ", r"\,"))
}

/// Terms with plus signs.
pub(super) fn sum<const N: usize>(terms: [Math; N]) -> Math {
    joined(terms, &Math::operator(" + ", " + "))
}

fn joined<const N: usize>(parts: [Math; N], between: &Math) -> Math {
    let mut all = Vec::new();
    for (i, part) in parts.into_iter().enumerate() {
        if i > 0 {
            all.push(between.clone());
        }
        all.push(part);
    }
    Math::row(all)
}

/// A matrix or vector.
pub(super) fn bold(letter: &str) -> Math {
    Math::bold(letter)
}

/// `λ`
pub(super) fn lambda() -> Math {
    Math::identifier("lambda")
}

/// `γ`
pub(super) fn gamma() -> Math {
    Math::identifier("gamma")
}

/// What an acceleration is called: `x_ddot` for `x_dot`, `omega_dot` for `omega`.
pub fn acceleration(speed: &str) -> String {
    match speed.strip_suffix("_dot") {
        Some(coordinate) => format!("{coordinate}_ddot"),
        None => format!("{speed}_dot"),
    }
}

/// What a multiplier is called in formulas.
pub fn multiplier(row: &str) -> String {
    let word = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    format!("lambda_{}", row.chars().map(word).collect::<String>())
}

/// The name with as many underscores as keep it apart from every name of the mechanism.
pub(super) fn unused(m: &Mechanism, mut name: String) -> String {
    let taken = |name: &str| {
        m.coordinates.iter().any(|x| x.name == name)
            || m.speeds.iter().any(|x| x.name == name)
            || m.states.iter().any(|x| x.name == name)
            || m.inputs.iter().any(|x| x.name == name)
            || m.parameters.iter().any(|x| x.name == name)
    };
    while taken(&name) {
        name.push('_');
    }
    name
}
