//! Physical dimensions, and unit texts such as `kg*m^2` or `N*m/rad`.

use std::fmt;

use thiserror::Error;

use super::Ratio;

/// A physical dimension: exponents of m, kg, s, A, K, which may be half-integers. Angles are
/// dimensionless.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Dimension {
    /// Twice the exponents of m, kg, s, A, K.
    halves: [i8; 5],
}

/// A parsed unit text: its dimension and exact factor to SI (`deg` has the factor 1/180 times π,
/// `N/deg` 180 over π).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Unit {
    /// Dimension of the unit: exponents of m, kg, s, A, K.
    pub dimension: Dimension,
    /// SI value of one such unit, without its power of π.
    pub factor: Ratio,
    /// Exponent of π in the SI value: the number of factors in degrees or turns.
    pub pi: i8,
}

/// Reason why a unit text of a spec is invalid.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum UnitError {
    /// No unit has this name in the unit text.
    #[error("unknown unit `{0}`")]
    Unknown(String),
    /// The unit text is not a product of powers of units.
    #[error("a unit must be a product of powers such as `kg*m^2/s`, not `{0}`")]
    Syntax(String),
    /// An exponent of a unit text, or its factor to SI, is out of range.
    #[error("the unit `{0}` is out of range")]
    Range(String),
    /// The unit text contains parentheses, which are not supported.
    #[error(
        "units cannot contain parentheses, and `/` divides only by the factor that follows it: write `N/m/s`, not `{0}`"
    )]
    Parentheses(String),
    /// A half power of a unit with a factor, which would be irrational.
    #[error("a half-integer power requires an SI unit without a factor, such as `m^0.5`, not `{0}`")]
    HalfPower(String),
}

impl Dimension {
    /// The unit text of a coordinate or a speed: `rad` and `rad/s` for angles, although they are
    /// dimensionless.
    pub fn of_motion(self) -> String {
        match self.to_string().as_str() {
            "1" => "rad".to_owned(),
            "1/s" => "rad/s".to_owned(),
            text => text.to_owned(),
        }
    }

    /// The dimension with these exponents of m, kg, s, A, K.
    pub const fn new([m, kg, s, a, k]: [i8; 5]) -> Self {
        Dimension { halves: [2 * m, 2 * kg, 2 * s, 2 * a, 2 * k] }
    }

    /// The dimension of a number or an angle: dimensionless.
    pub const NONE: Dimension = Dimension::new([0; 5]);
    /// The dimension of a length, m.
    pub const LENGTH: Dimension = Dimension::new([1, 0, 0, 0, 0]);
    /// The dimension of a mass, kg.
    pub const MASS: Dimension = Dimension::new([0, 1, 0, 0, 0]);
    /// The dimension of a time, s.
    pub const TIME: Dimension = Dimension::new([0, 0, 1, 0, 0]);
    /// The dimension of a velocity, m/s.
    pub const VELOCITY: Dimension = Dimension::new([1, 0, -1, 0, 0]);
    /// The dimension of an acceleration, m/s².
    pub const ACCELERATION: Dimension = Dimension::new([1, 0, -2, 0, 0]);
    /// The dimension of a force, N.
    pub const FORCE: Dimension = Dimension::new([1, 1, -2, 0, 0]);
    /// The dimension of a moment, N·m; also of energy, J.
    pub const MOMENT: Dimension = Dimension::new([2, 1, -2, 0, 0]);
    /// The dimension of a moment of inertia, kg·m².
    pub const INERTIA: Dimension = Dimension::new([2, 1, 0, 0, 0]);

    /// Exponents of m, kg, s, A, K; `None` if one is not an integer.
    pub fn exponents(self) -> Option<[i8; 5]> {
        self.halves.iter().all(|e| e % 2 == 0).then(|| self.halves.map(|e| e / 2))
    }

    /// True if the exponent of length is one, as for a length, its rates, and a force; tells a
    /// force from a moment.
    pub fn is_translational(self) -> bool {
        self.halves[0] == 2
    }

    /// Dimension of the product of two quantities.
    pub fn times(self, o: Self) -> Self {
        let mut halves = self.halves;
        halves.iter_mut().zip(o.halves).for_each(|(a, b)| *a = a.saturating_add(b));
        Dimension { halves }
    }

    /// Dimension of the quotient of two quantities.
    pub fn over(self, o: Self) -> Self {
        self.times(o.power(-1))
    }

    /// Dimension of the integer power of a quantity.
    pub fn power(self, n: i8) -> Self {
        Dimension { halves: self.halves.map(|e| e.saturating_mul(n)) }
    }

    /// Dimension of a square root; `None` if an exponent is not an integer.
    pub fn sqrt(self) -> Option<Self> {
        let whole = self.halves.iter().all(|e| e % 2 == 0);
        whole.then(|| Dimension { halves: self.halves.map(|e| e / 2) })
    }
}

impl fmt::Display for Dimension {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = [
            (Dimension::FORCE, "N"),
            (Dimension::MOMENT, "N*m"),
            (Dimension::FORCE.over(Dimension::LENGTH), "N/m"),
            (Dimension::NONE, "1"),
        ];
        if let Some((_, name)) = named.iter().find(|(d, _)| d == self) {
            return f.write_str(name);
        }
        let bases = ["m", "kg", "s", "A", "K"];
        let order = [1, 0, 2, 3, 4];
        let mut first = true;
        for positive in [true, false] {
            for i in order {
                let e = self.halves[i];
                if (e > 0) != positive || e == 0 {
                    continue;
                }
                match (positive, first) {
                    (true, false) => f.write_str("*")?,
                    (false, true) => f.write_str("1/")?,
                    (false, false) => f.write_str("/")?,
                    (true, true) => {}
                }
                first = false;
                f.write_str(bases[i])?;
                match e.unsigned_abs() {
                    2 => {}
                    halves => write!(f, "^{}", f32::from(halves) / 2.0)?,
                }
            }
        }
        Ok(())
    }
}

/// A unit that a text may name, with its dimension and factor.
#[derive(Debug)]
// Public because the command's reference prints it.
pub struct NamedUnit {
    pub name: &'static str,
    /// Description of the unit in words, for the reference of units.
    pub meaning: &'static str,
    pub dimension: Dimension,
    /// SI value of one unit as a fraction, without its power of π.
    pub factor: (i128, i128),
    pub pi: i8,
}

/// An entry of [`UNITS`]; the SI value of one unit is `numerator / denominator · π^pi`.
const fn named_unit(
    name: &'static str,
    meaning: &'static str,
    dimension: [i8; 5],
    numerator: i128,
    denominator: i128,
    pi: i8,
) -> NamedUnit {
    NamedUnit { name, meaning, dimension: Dimension::new(dimension), factor: (numerator, denominator), pi }
}

/// All units that a unit text of a spec may name; also printed in the reference.
#[rustfmt::skip]
pub static UNITS: &[NamedUnit] = &[
    named_unit("1", "pure number", [0, 0, 0, 0, 0], 1, 1, 0),
    named_unit("rad", "angle", [0, 0, 0, 0, 0], 1, 1, 0),
    named_unit("-", "pure number", [0, 0, 0, 0, 0], 1, 1, 0),
    named_unit("m", "metre", [1, 0, 0, 0, 0], 1, 1, 0),
    named_unit("kg", "kilogram", [0, 1, 0, 0, 0], 1, 1, 0),
    named_unit("s", "second", [0, 0, 1, 0, 0], 1, 1, 0),
    named_unit("A", "ampere", [0, 0, 0, 1, 0], 1, 1, 0),
    named_unit("K", "kelvin", [0, 0, 0, 0, 1], 1, 1, 0),
    named_unit("N", "newton", [1, 1, -2, 0, 0], 1, 1, 0),
    named_unit("J", "joule", [2, 1, -2, 0, 0], 1, 1, 0),
    named_unit("W", "watt", [2, 1, -3, 0, 0], 1, 1, 0),
    named_unit("Hz", "hertz", [0, 0, -1, 0, 0], 1, 1, 0),
    named_unit("V", "volt", [2, 1, -3, -1, 0], 1, 1, 0),
    named_unit("ohm", "ohm", [2, 1, -3, -2, 0], 1, 1, 0),
    named_unit("Ohm", "ohm", [2, 1, -3, -2, 0], 1, 1, 0),
    named_unit("H", "henry", [2, 1, -2, -2, 0], 1, 1, 0),
    named_unit("F", "farad", [-2, -1, 4, 2, 0], 1, 1, 0),
    named_unit("C", "coulomb", [0, 0, 1, 1, 0], 1, 1, 0),
    named_unit("Pa", "pascal", [-1, 1, -2, 0, 0], 1, 1, 0),
    named_unit("um", "micrometre", [1, 0, 0, 0, 0], 1, 1_000_000, 0),
    named_unit("µm", "micrometre", [1, 0, 0, 0, 0], 1, 1_000_000, 0),
    named_unit("mm", "millimetre", [1, 0, 0, 0, 0], 1, 1000, 0),
    named_unit("cm", "centimetre", [1, 0, 0, 0, 0], 1, 100, 0),
    named_unit("km", "kilometre", [1, 0, 0, 0, 0], 1000, 1, 0),
    named_unit("g", "gram", [0, 1, 0, 0, 0], 1, 1000, 0),
    named_unit("t", "tonne", [0, 1, 0, 0, 0], 1000, 1, 0),
    named_unit("ms", "millisecond", [0, 0, 1, 0, 0], 1, 1000, 0),
    named_unit("min", "minute", [0, 0, 1, 0, 0], 60, 1, 0),
    named_unit("h", "hour", [0, 0, 1, 0, 0], 3600, 1, 0),
    named_unit("mA", "milliampere", [0, 0, 0, 1, 0], 1, 1000, 0),
    named_unit("mH", "millihenry", [2, 1, -2, -2, 0], 1, 1000, 0),
    named_unit("mN", "millinewton", [1, 1, -2, 0, 0], 1, 1000, 0),
    named_unit("kN", "kilonewton", [1, 1, -2, 0, 0], 1000, 1, 0),
    named_unit("MN", "meganewton", [1, 1, -2, 0, 0], 1_000_000, 1, 0),
    named_unit("kJ", "kilojoule", [2, 1, -2, 0, 0], 1000, 1, 0),
    named_unit("mW", "milliwatt", [2, 1, -3, 0, 0], 1, 1000, 0),
    named_unit("kW", "kilowatt", [2, 1, -3, 0, 0], 1000, 1, 0),
    named_unit("MW", "megawatt", [2, 1, -3, 0, 0], 1_000_000, 1, 0),
    named_unit("kHz", "kilohertz", [0, 0, -1, 0, 0], 1000, 1, 0),
    named_unit("hPa", "hectopascal", [-1, 1, -2, 0, 0], 100, 1, 0),
    named_unit("kPa", "kilopascal", [-1, 1, -2, 0, 0], 1000, 1, 0),
    named_unit("MPa", "megapascal", [-1, 1, -2, 0, 0], 1_000_000, 1, 0),
    named_unit("GPa", "gigapascal", [-1, 1, -2, 0, 0], 1_000_000_000, 1, 0),
    named_unit("mbar", "millibar", [-1, 1, -2, 0, 0], 100, 1, 0),
    named_unit("bar", "bar", [-1, 1, -2, 0, 0], 100_000, 1, 0),
    named_unit("deg", "degree: π/180", [0, 0, 0, 0, 0], 1, 180, 1),
    named_unit("rpm", "revolutions per minute: π/30 rad/s", [0, 0, -1, 0, 0], 1, 30, 1),
];

/// Looks up a single unit of [`UNITS`] by its name.
fn find_named_unit(name: &str) -> Option<Unit> {
    let unit = UNITS.iter().find(|u| u.name == name)?;
    let factor = Ratio::new(unit.factor.0, unit.factor.1)?;
    Some(Unit { dimension: unit.dimension, factor, pi: unit.pi })
}

/// Help text for diagnostics about units: lists all units.
pub fn list_units_for_help() -> String {
    let names: Vec<&str> = UNITS.iter().map(|u| u.name).filter(|name| !["1", "-"].contains(name)).collect();
    format!(
        "available units: {}, 1; combine them with `*`, `/` and powers, as in `kg*m^2/s`",
        names.join(" ")
    )
}

/// Splits a unit text into factors, each with twice its exponent: `N*m/rad` gives N, 2; m, 2; rad,
/// −2.
///
/// A `/` divides only by the factor that follows it.
fn split_unit_factors(text: &str) -> Result<Vec<(&str, i8)>, UnitError> {
    let syntax = || UnitError::Syntax(text.to_owned());
    if text.contains(['(', ')']) {
        return Err(UnitError::Parentheses(text.to_owned()));
    }
    let mut factors = Vec::new();
    let mut rest = text.trim();
    let mut divide = false;
    loop {
        let end = rest.find(['*', '/', '·']).unwrap_or(rest.len());
        let (name, power) = match rest[..end].split_once('^') {
            Some((n, p)) => (n.trim(), p.trim().parse::<f32>().map_err(|_| syntax())?),
            None => (rest[..end].trim(), 1.0),
        };
        if name.is_empty() || name.contains(char::is_whitespace) {
            return Err(syntax());
        }
        if power.is_nan() || power.abs() > 12.0 {
            return Err(UnitError::Range(text.to_owned()));
        }
        if (2.0 * power).fract() != 0.0 {
            return Err(syntax());
        }
        // Fits: the exponent is within ±24.
        let halves = (2.0 * power) as i8;
        factors.push((name, if divide { -halves } else { halves }));
        if end == rest.len() {
            return Ok(factors);
        }
        divide = rest[end..].starts_with('/');
        let separator = rest[end..].chars().next().map_or(1, char::len_utf8);
        rest = &rest[end + separator..];
    }
}

impl Unit {
    /// Parses a unit text such as `kg*m^2/s`, `N*m/rad`, `deg/s`, `m^2.5/s`. A `/` divides only by
    /// the factor that follows it.
    pub fn parse(text: &str) -> Result<Self, UnitError> {
        let range = || UnitError::Range(text.to_owned());
        let mut unit = Unit { dimension: Dimension::NONE, factor: Ratio::ONE, pi: 0 };
        for (name, halves) in split_unit_factors(text)? {
            let one = find_named_unit(name).ok_or_else(|| UnitError::Unknown(name.to_owned()))?;
            if halves % 2 != 0 {
                let root = one.dimension.sqrt().filter(|_| one.factor == Ratio::ONE && one.pi == 0);
                let root = root.ok_or_else(|| UnitError::HalfPower(text.to_owned()))?;
                unit.dimension = unit.dimension.times(root.power(halves));
                continue;
            }
            let power = halves / 2;
            unit.dimension = unit.dimension.times(one.dimension.power(power));
            for _ in 0..power.unsigned_abs() {
                let f = unit.factor;
                let next = if power > 0 { f.checked_mul(one.factor) } else { f.checked_div(one.factor) };
                unit.factor = next.ok_or_else(range)?;
            }
            unit.pi = one.pi.checked_mul(power).and_then(|p| unit.pi.checked_add(p)).ok_or_else(range)?;
        }
        Ok(unit)
    }
}

/// True for a unit without a factor to SI.
fn is_si_unit(unit: Unit) -> bool {
    unit.factor == Ratio::ONE && unit.pi == 0
}

/// The text of the SI unit of the same dimension: `N` for `kN`, `rad/s` for `rpm`. A unit without a
/// factor is returned unchanged. Used for parameters and inputs of the spec.
pub fn si_unit_text(text: &str) -> String {
    let text = text.trim();
    let factors = match (Unit::parse(text), split_unit_factors(text)) {
        (Ok(unit), Ok(factors)) if !is_si_unit(unit) => factors,
        _ => return text.to_owned(),
    };
    let [mut above, mut below] = [Vec::new(), Vec::new()];
    for (name, halves) in factors {
        let factors = match name {
            "rpm" => vec![("rad", halves), ("s", -halves)],
            "deg" => vec![("rad", halves)],
            "1" | "-" => Vec::new(),
            _ if find_named_unit(name).is_some_and(is_si_unit) => vec![(name, halves)],
            _ => {
                let si_unit = UNITS.iter().find(|u| {
                    find_named_unit(name).is_some_and(|b| u.dimension == b.dimension)
                        && u.pi == 0
                        && u.factor == (1, 1)
                });
                si_unit.map(|u| (u.name, halves)).into_iter().collect()
            }
        };
        for (name, halves) in factors {
            let shown = match halves.unsigned_abs() {
                2 => name.to_owned(),
                n => format!("{name}^{}", f32::from(n) / 2.0),
            };
            if halves > 0 { above.push(shown) } else { below.push(shown) }
        }
    }
    let above = if above.is_empty() { "1".to_owned() } else { above.join("*") };
    below.iter().fold(above, |text, factor| format!("{text}/{factor}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_with_factors_have_one_without() {
        for (text, si) in [
            ("kN/m", "N/m"),
            ("cm", "m"),
            ("deg", "rad"),
            ("deg/s", "rad/s"),
            ("rpm", "rad/s"),
            ("N*m/rpm", "N*m*s/rad"),
            ("N*m*s/deg", "N*m*s/rad"),
            ("g*cm^2", "kg*m^2"),
            ("1/ms", "1/s"),
            ("km/h", "m/s"),
            ("N*m", "N*m"),
            ("ohm", "ohm"),
            ("mH", "H"),
            ("t", "kg"),
            ("bar", "Pa"),
            ("kW", "W"),
            ("um/s", "m/s"),
            ("kHz", "Hz"),
            ("kN*m^0.5", "N*m^0.5"),
        ] {
            assert_eq!(si_unit_text(text), si, "{text}");
            let (a, b) = (Unit::parse(text).unwrap(), Unit::parse(si).unwrap());
            assert_eq!(a.dimension, b.dimension, "{text}");
            assert!(b.factor == Ratio::ONE && b.pi == 0, "{text}");
        }
    }

    fn dimension(unit: &str) -> Dimension {
        Unit::parse(unit).unwrap().dimension
    }

    #[test]
    fn units_of_mechanics_are_read() {
        assert_eq!(dimension("kg*m^2/s^2"), Dimension::MOMENT);
        assert_eq!(dimension("N*m/rad"), Dimension::MOMENT);
        assert_eq!(dimension("V*s/A"), dimension("ohm*s"));
        assert_eq!(Unit::parse("mm").unwrap().factor, Ratio::new(1, 1000).unwrap());
        assert_eq!(Unit::parse("deg/s").unwrap().pi, 1);
    }

    #[test]
    fn degrees_may_stand_below_and_twice() {
        let damping = Unit::parse("N*m*s/deg").unwrap();
        assert_eq!((damping.dimension, damping.pi), (Dimension::MOMENT.times(Dimension::TIME), -1));
        assert_eq!(damping.factor, Ratio::new(180, 1).unwrap());
        let rate = Unit::parse("deg/s/rpm").unwrap();
        assert_eq!((rate.dimension, rate.pi, rate.factor), (Dimension::NONE, 0, Ratio::new(1, 6).unwrap()));
        assert_eq!(Unit::parse("W/deg^2").unwrap().pi, -2);
    }

    #[test]
    fn bad_units_say_why() {
        assert_eq!(Unit::parse("parsec"), Err(UnitError::Unknown("parsec".into())));
        assert_eq!(Unit::parse("kg m"), Err(UnitError::Syntax("kg m".into())));
        assert_eq!(Unit::parse(""), Err(UnitError::Syntax("".into())));
        assert_eq!(Unit::parse("m^99"), Err(UnitError::Range("m^99".into())));
        assert_eq!(Unit::parse("m^inf"), Err(UnitError::Range("m^inf".into())));
        assert_eq!(Unit::parse("m^NaN"), Err(UnitError::Range("m^NaN".into())));
        assert_eq!(Unit::parse("m^0.3"), Err(UnitError::Syntax("m^0.3".into())));
        assert_eq!(Unit::parse("N/(m*s)"), Err(UnitError::Parentheses("N/(m*s)".into())));
        assert_eq!(Unit::parse("cm^0.5"), Err(UnitError::HalfPower("cm^0.5".into())));
    }

    #[test]
    fn half_powers_are_read_as_they_are_printed() {
        let orifice = Unit::parse("m^2.5/s").unwrap().dimension;
        assert_eq!(orifice.to_string(), "m^2.5/s");
        assert_eq!(orifice.power(2).to_string(), "m^5/s^2");
        assert_eq!(Dimension::LENGTH.sqrt().unwrap().to_string(), "m^0.5");
        assert_eq!(orifice.sqrt(), None);
        assert_eq!(Unit::parse("1/Pa^0.5").unwrap().dimension, Unit::parse("Pa^-0.5").unwrap().dimension);
    }

    #[test]
    fn dimensions_print_as_units() {
        assert_eq!(Dimension::INERTIA.to_string(), "kg*m^2");
        assert_eq!(Dimension::VELOCITY.to_string(), "m/s");
        assert_eq!(Dimension::TIME.power(-2).to_string(), "1/s^2");
    }
}
