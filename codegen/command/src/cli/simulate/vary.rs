//! `--vary`: several values of a parameter or an input, one motion for each.

/// Maximum number of values of `--vary`, hence of motions per command.
const MOST: usize = 20;

/// The argument of `--vary`: name of a parameter or an input, and its values as written for `-p`.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Vary {
    pub name: String,
    pub values: Vec<String>,
}

/// Parses the argument of `--vary`: `NAME=A,B,C` or `NAME=FROM:TO:COUNT`.
pub(super) fn parse_vary(text: &str) -> Result<Vary, String> {
    let (name, list) = text.split_once('=').ok_or_else(vary_syntax_message)?;
    let name = name.trim().to_owned();
    let values: Vec<String> = if list.contains(':') {
        let parts: Vec<&str> = list.split(':').map(str::trim).collect();
        let [from, to, count] = parts[..] else { return Err(vary_syntax_message()) };
        spaced_values(from, to, count).ok_or_else(vary_syntax_message)?
    } else {
        list.split(',').map(|v| v.trim().to_owned()).collect()
    };
    if name.is_empty() || values.iter().any(|v| v.is_empty() || v.contains("..")) {
        return Err(vary_syntax_message());
    }
    if let Some(twice) = values.iter().enumerate().find(|(i, v)| values[..*i].contains(v)) {
        return Err(format!("the value {} occurs twice", twice.1));
    }
    match values.len() {
        1 => Err(format!("a single value does not need `--vary`; use `-p {name}={}`", values[0])),
        2..=MOST => Ok(Vary { name, values }),
        n => Err(format!("{n} values are too many to distinguish in a plot; use at most {MOST}")),
    }
}

fn vary_syntax_message() -> String {
    "expected a name and values, such as m_pole=0.1,0.2,0.3 or \"l=10 cm,20 cm\", or a range with a count, \
     such as m_pole=0.1:0.5:5"
        .to_owned()
}

/// Equally spaced values between two numbers, which may have a unit; texts for `--vary`. `None` if
/// the range is invalid.
fn spaced_values(from: &str, to: &str, count: &str) -> Option<Vec<String>> {
    let ((a, first), (b, unit)) = (parse_with_unit(from)?, parse_with_unit(to)?);
    let count: usize = count.parse().ok().filter(|n| (2..=10_000).contains(n))?;
    if a == b || !(first.is_empty() || first == unit) {
        return None;
    }
    let values = (0..count).map(|i| match i {
        i if i + 1 == count => b,
        i => round_to_fifteen_digits(a + (b - a) * i as f64 / (count - 1) as f64),
    });
    Some(values.map(|x| if unit.is_empty() { format!("{x}") } else { format!("{x} {unit}") }).collect())
}

/// A finite number and the unit text that follows it, empty without one; `None` if the text is no
/// number.
fn parse_with_unit(text: &str) -> Option<(f64, String)> {
    let (x, unit) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    Some((x.parse::<f64>().ok().filter(|x| x.is_finite())?, unit.trim().to_owned()))
}

/// Rounds to fifteen digits: 0.3 instead of 0.30000000000000004.
fn round_to_fifteen_digits(x: f64) -> f64 {
    format!("{x:.14e}").parse().unwrap_or(x)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(text: &str) -> Result<Vec<String>, String> {
        parse_vary(text).map(|v| v.values)
    }

    #[test]
    fn lists_and_ranges_are_read_and_refused() {
        assert_eq!(values("m = 1, 2.5"), Ok(vec!["1".to_owned(), "2.5".to_owned()]));
        assert_eq!(values("l=10 cm,20 cm").map(|v| v[1].clone()), Ok("20 cm".to_owned()));
        let steps = ["0.1", "0.2", "0.3", "0.4"].map(str::to_owned).to_vec();
        assert_eq!(values("m=0.1:0.4:4"), Ok(steps));
        assert_eq!(values("l=10:30 cm:3").map(|v| v.join("|")), Ok("10 cm|20 cm|30 cm".to_owned()));
        for wrong in [
            "m", "m=", "=1,2", "m=1", "m=1,,2", "m=1,1", "m=1:2", "m=1:2:1", "m=1:1:3", "m=1:2:21", "m=a:b:3",
        ] {
            assert!(parse_vary(wrong).is_err(), "{wrong}");
        }
    }
}
