//! Parses decimal literals into sign, digits and exponent.

/// A decimal literal such as `12`, `0.3` or `1e-7`: `± digits · 10^scale`.
pub(super) struct Decimal {
    /// True for a decimal literal with a minus sign.
    pub negative: bool,
    /// Digits 0 to 9 of the literal without point and exponent, most significant first.
    pub digits: Vec<u8>,
    /// Exponent of ten that multiplies the digits, read as an integer.
    pub scale: i32,
}

/// The bytes of a text without the underscores that group digits.
fn strip_underscores(text: &str) -> Vec<u8> {
    text.bytes().filter(|c| *c != b'_').collect()
}

impl Decimal {
    /// Parses a literal; `None` if the text is not one. Underscores between digits are ignored.
    pub fn parse(text: &str) -> Option<Self> {
        let (mantissa, exponent) = match text.find(['e', 'E']) {
            Some(i) => (&text[..i], text[i + 1..].parse::<i32>().ok()?),
            None => (text, 0),
        };
        let (negative, digits) = match mantissa.as_bytes().first()? {
            b'-' => (true, &mantissa[1..]),
            b'+' => (false, &mantissa[1..]),
            _ => (false, mantissa),
        };
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        let fraction = fraction.trim_end_matches(['0', '_']);
        if whole.is_empty() && fraction.is_empty() && !digits.contains('0') {
            return None;
        }
        let (whole, fraction) = (strip_underscores(whole), strip_underscores(fraction));
        let scale = exponent.checked_sub(i32::try_from(fraction.len()).ok()?)?;
        let digits = [whole, fraction].concat();
        if !digits.iter().all(u8::is_ascii_digit) {
            return None;
        }
        Some(Decimal { negative, digits: digits.into_iter().map(|c| c - b'0').collect(), scale })
    }
}
