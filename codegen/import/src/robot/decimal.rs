//! Numbers in the notation in which they were written.

/// A number of a robot file with its text, so that decimals of the file remain exact in the spec.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Decimal {
    /// The number in the notation of specs; an angle may be in degrees, in quotes.
    pub text: String,
    pub value: f64,
}

pub(crate) type Triple = [Decimal; 3];

impl Decimal {
    pub fn from_f64(value: f64) -> Self {
        // A sum of zeros may be −0.
        let value = if value == 0.0 { 0.0 } else { value };
        let text = if value == value.trunc() && value.abs() < 1e15 {
            format!("{value:.0}")
        } else {
            format!("{value:?}")
        };
        Decimal { text, value }
    }

    /// Parses a number of a robot file as C's `strtod` does, except hexadecimal numbers, infinity
    /// and NaN.
    pub fn parse(text: &str) -> Option<Self> {
        let value: f64 = text.parse().ok().filter(|v: &f64| v.is_finite())?;
        let bare = text.trim_start_matches(['+', '-']);
        let has_extra_zero =
            bare.strip_prefix('0').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
        let is_toml = match bare.split_once('.') {
            Some((a, b)) => is_digits(a) && is_digits(b),
            None => is_digits(bare),
        };
        // Trailing zeros are removed; numbers in a notation that TOML does not accept are
        // rewritten.
        if has_extra_zero || !is_toml || value == 0.0 {
            return Some(Decimal::from_f64(value));
        }
        let short = if bare.contains('.') { bare.trim_end_matches('0').trim_end_matches('.') } else { bare };
        Some(Decimal { text: format!("{}{short}", if value < 0.0 { "-" } else { "" }), value })
    }

    pub fn is_zero(&self) -> bool {
        self.value == 0.0
    }
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::Decimal;

    fn parsed_text(text: &str) -> Option<String> {
        Decimal::parse(text).map(|d| d.text)
    }

    #[test]
    fn numbers_stay_as_they_were_written_where_toml_can_read_them() {
        let same = ["0.1", "-0.333", "12", "1.5707963267948966"];
        for t in same {
            assert_eq!(parsed_text(t).as_deref(), Some(t));
        }
        let rewritten = [
            ("+1.50", "1.5"),
            (".5", "0.5"),
            ("-.25", "-0.25"),
            ("2.", "2"),
            ("1e-3", "0.001"),
            ("007", "7"),
            ("-0.0", "0"),
            ("3.000", "3"),
            ("1E-10", "1e-10"),
        ];
        for (t, expected) in rewritten {
            assert_eq!(parsed_text(t).as_deref(), Some(expected), "{t}");
        }
        for t in ["nan", "inf", "1e999", "0x10", "1,5", "", "${l}"] {
            assert_eq!(parsed_text(t), None, "{t}");
        }
    }
}
