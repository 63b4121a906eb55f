//! Lexer: the text of a formula to tokens.

use std::ops::Range;

use super::FormulaError;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Token<'t> {
    Number(&'t str),
    /// A name, or the dotted name of a frame on a body, such as `arm.tip`.
    Name(&'t str),
    /// Text of a unit of a number, between square brackets.
    Unit(&'t str),
    /// An operator, parenthesis or comma: one of `+ - * / ^ ( ) , < <= > >= == !=`.
    Symbol(&'static str),
}

/// Symbols of operators in formulas; two-character symbols first, so that `<=` is not read as `<`.
const SYMBOLS: [&str; 14] = ["<=", ">=", "==", "!=", "+", "-", "*", "/", "^", "(", ")", ",", "<", ">"];

/// Common spellings of operators that formulas do not accept, with the accepted ones that the
/// message suggests.
const COMMON_SPELLINGS: [(&str, &str); 12] = [
    ("**", "^"),
    ("·", "*"),
    ("×", "*"),
    ("÷", "/"),
    ("−", "-"),
    ("²", "^2"),
    ("³", "^3"),
    ("≤", "<="),
    ("≥", ">="),
    ("=", "=="),
    ("{", "("),
    ("}", ")"),
];

/// Number of consecutive bytes from `start` that satisfy `f`.
fn run_length(bytes: &[u8], start: usize, f: impl Fn(u8) -> bool) -> usize {
    bytes[start..].iter().take_while(|b| f(**b)).count()
}

/// Length in bytes of a decimal number, with fraction and exponent.
fn number_length(bytes: &[u8], start: usize) -> usize {
    let digits = |i: usize| run_length(bytes, i, |b| b.is_ascii_digit() || b == b'_');
    let mut end = start + digits(start);
    if bytes.get(end) == Some(&b'.') {
        end += 1 + digits(end + 1);
    }
    if matches!(bytes.get(end), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
        let exponent = run_length(bytes, end + 1 + sign, |b| b.is_ascii_digit());
        if exponent > 0 {
            end += 1 + sign + exponent;
        }
    }
    end - start
}

/// Length in bytes of a name, including the dots of frames: `arm.tip`.
fn name_length(bytes: &[u8], start: usize) -> usize {
    let word = |i: usize| run_length(bytes, i, |b| b.is_ascii_alphanumeric() || b == b'_');
    let mut end = start + word(start);
    while bytes.get(end) == Some(&b'.')
        && bytes.get(end + 1).is_some_and(|b| b.is_ascii_alphabetic() || *b == b'_')
    {
        end += 1 + word(end + 1);
    }
    end - start
}

/// Splits the text of a formula into tokens with their byte ranges.
pub(super) fn tokenize(text: &str) -> Result<Vec<(Token<'_>, Range<usize>)>, FormulaError> {
    let bytes = text.as_bytes();
    let mut tokens = Vec::new();
    let mut i = 0;
    while i < bytes.len() {
        let b = bytes[i];
        let rest = &text[i..];
        if b.is_ascii_whitespace() {
            i += 1;
            continue;
        }
        let starts_number =
            b.is_ascii_digit() || (b == b'.' && bytes.get(i + 1).is_some_and(u8::is_ascii_digit));
        let (token, length) = if starts_number {
            let n = number_length(bytes, i);
            (Token::Number(&rest[..n]), n)
        } else if b.is_ascii_alphabetic() || b == b'_' {
            let n = name_length(bytes, i);
            (Token::Name(&rest[..n]), n)
        } else if b == b'[' {
            let Some(n) = rest.find(']') else {
                return Err(FormulaError::new(i..text.len(), "this bracket is never closed", "missing `]`")
                    .help("use brackets only for the unit of the preceding number, as in `2 [rad/s]`"));
            };
            (Token::Unit(&rest[1..n]), n + 1)
        } else if let Some((wrong, right)) = COMMON_SPELLINGS.iter().find(|(w, right)| {
            // `=` is rejected with help, but `==` is valid.
            rest.starts_with(w) && !rest.starts_with(right)
        }) {
            return Err(FormulaError::new(
                i..i + wrong.len(),
                format!("`{wrong}` is not a valid operator in formulas"),
                "unknown operator",
            )
            .help(format!("write `{right}`")));
        } else if let Some(s) = SYMBOLS.iter().find(|s| rest.starts_with(**s)) {
            (Token::Symbol(s), s.len())
        } else {
            let c = rest.chars().next().unwrap_or(' ');
            let letter = c.is_alphabetic();
            let error = FormulaError::new(
                i..i + c.len_utf8(),
                format!("`{}` is not allowed in a formula", c.escape_debug()),
                "unexpected character",
            );
            return Err(error.help(if letter {
                "a name may contain the letters a to z and A to Z, digits and `_`"
            } else {
                "use the operators + - * / ^ and parentheses"
            }));
        };
        tokens.push((token, i..i + length));
        i += length;
    }
    Ok(tokens)
}
