//! Parser of closed forms from plain text, so that printed forms can be proved.
//!
//! Grammar: sums of products of powers; a unary `-` binds as in a sum; exponents are integers from
//!          0; decimals are exact, optionally with a power of ten (`1.5e-9`); functions by name,
//!          `if(a < b, yes, no)`, `if(a < x <= b, yes, no)`. Also the notation of printed text: a
//!          blank or `·` between factors, superscript digits as exponents, also after the name of a
//!          function, `−`, a function without brackets before one name, and `|x|` for `√(x²)`.
//!
//! Symbols are given by the caller. Nesting is limited, so that no text overflows the stack.

use super::closed::{Closed, Exact, Function};
use super::error::SymbolicError;
use super::text::RAISED;
use dqdt_algebra::{Cmp, Func, Func2};
use dqdt_graph::ir::SymbolKind;

/// Largest depth of nested brackets, so that no text overflows the stack.
const MAX_DEPTH: usize = 200;
/// Largest number of divisions in one product, since each nests the preceding ones.
const MAX_DIVISIONS: usize = 200;

/// Parses a text to a closed form, with symbols by name.
pub fn parse_text<'a>(
    text: &str,
    symbols: impl IntoIterator<Item = (&'a str, SymbolKind)>,
) -> Result<Closed, SymbolicError> {
    parse_with_tables(text, symbols, &[])
}

/// Same as [`parse_text`], with the names of function tables in their order.
pub fn parse_with_tables<'a>(
    text: &str,
    symbols: impl IntoIterator<Item = (&'a str, SymbolKind)>,
    tables: &[String],
) -> Result<Closed, SymbolicError> {
    let symbols: Vec<(&str, SymbolKind)> = symbols.into_iter().collect();
    let mut parser = FormParser {
        text: text.chars().collect(),
        at: 0,
        depth: 0,
        barred: false,
        symbols: &symbols,
        tables,
    };
    let closed = parser.parse_sum()?;
    parser.skip_blanks();
    if parser.at < parser.text.len() {
        parser.syntax_error("an operator or the end of the expression")
    } else {
        Ok(closed)
    }
}

/// Recursive-descent parser of closed forms: text, position and known names.
struct FormParser<'a> {
    /// Characters of the text.
    text: Vec<char>,
    /// Index of the next character.
    at: usize,
    /// Current depth of nested sums.
    depth: usize,
    /// True between the bars of a magnitude, where a bar closes it.
    barred: bool,
    /// Names of the symbols, with their kinds.
    symbols: &'a [(&'a str, SymbolKind)],
    /// Names of the function tables, in their order.
    tables: &'a [String],
}

impl FormParser<'_> {
    /// The error that `expected` is missing at the current position.
    fn syntax_error<T>(&self, expected: &'static str) -> Result<T, SymbolicError> {
        Err(SymbolicError::Syntax { column: self.at + 1, expected })
    }

    /// Skips blanks.
    fn skip_blanks(&mut self) {
        while self.text.get(self.at).is_some_and(|c| c.is_whitespace()) {
            self.at += 1;
        }
    }

    /// Skips blanks and accepts the character `c`; true if it was there.
    fn take_character(&mut self, c: char) -> bool {
        self.skip_blanks();
        let is_next = self.text.get(self.at) == Some(&c);
        self.at += usize::from(is_next);
        is_next
    }

    /// Parses terms separated by plus and minus signs.
    fn parse_sum(&mut self) -> Result<Closed, SymbolicError> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return self.syntax_error("less nesting");
        }
        let mut terms = vec![self.parse_product()?];
        loop {
            if self.take_character('+') {
                terms.push(self.parse_product()?);
            } else if self.take_minus() {
                terms.push(self.parse_product()?.negated());
            } else {
                self.depth -= 1;
                return Ok(Closed::sum(terms));
            }
        }
    }

    /// Parses factors and divisors, with leading minus signs.
    fn parse_product(&mut self) -> Result<Closed, SymbolicError> {
        let mut negative = false;
        while self.take_minus() {
            negative = !negative;
        }
        let mut value = self.parse_power()?;
        let mut divisions = 0;
        loop {
            if self.take_times() {
                let factor = self.parse_power()?;
                // A quotient keeps its place: a/b*c is (a/b)*c.
                value = match value {
                    Closed::Product(mut factors) => {
                        factors.push(factor);
                        Closed::Product(factors)
                    }
                    other => Closed::Product(vec![other, factor]),
                };
            } else if self.take_character('/') {
                divisions += 1;
                if divisions > MAX_DIVISIONS {
                    return self.syntax_error("fewer divisions");
                }
                value = Closed::Quotient(Box::new(value), Box::new(self.parse_power()?));
            } else {
                return Ok(if negative { Closed::Product(vec![Closed::integer(-1), value]) } else { value });
            }
        }
    }

    /// Parses a base with an optional exponent.
    fn parse_power(&mut self) -> Result<Closed, SymbolicError> {
        let base = self.parse_atom()?;
        if let Some(n) = self.parse_superscript()? {
            return Ok(Closed::Power(Box::new(base), n));
        }
        if !self.take_character('^') {
            return Ok(base);
        }
        self.skip_blanks();
        let digits = self.take_while(|c| c.is_ascii_digit());
        match digits.parse::<u32>() {
            Ok(n) if n <= 10_000 => Ok(Closed::Power(Box::new(base), n)),
            _ => self.syntax_error("an integer exponent"),
        }
    }

    /// Accepts a minus sign, in ASCII or typeset.
    fn take_minus(&mut self) -> bool {
        self.take_character('-') || self.take_character('−')
    }

    /// Accepts a sign of multiplication, or a factor that follows after at most a blank.
    fn take_times(&mut self) -> bool {
        self.take_character('*')
            || self.take_character('·')
            || self
                .text
                .get(self.at)
                .is_some_and(|c| *c == '(' || *c == '_' || c.is_alphabetic() || (*c == '|' && !self.barred))
    }

    /// Parses superscript digits as an exponent, if there are any.
    fn parse_superscript(&mut self) -> Result<Option<u32>, SymbolicError> {
        let digits = self.take_while(|c| RAISED.contains(&c));
        let digits: String = (digits.chars())
            .filter_map(|c| char::from_digit(RAISED.iter().position(|r| *r == c)? as u32, 10))
            .collect();
        match digits.parse::<u32>() {
            _ if digits.is_empty() => Ok(None),
            Ok(n) if n <= 10_000 => Ok(Some(n)),
            _ => self.syntax_error("an integer exponent"),
        }
    }

    /// Parses a function without brackets before one name, or a function with an exponent after its
    /// name.
    fn parse_function_without_brackets(
        &mut self,
        function: Function,
        start: usize,
        name: &str,
    ) -> Result<Closed, SymbolicError> {
        let exponent = self.parse_superscript()?;
        let value = if self.text.get(self.at) == Some(&'(') {
            self.at += 1;
            self.parse_call(start, name)?
        } else {
            let first = self.parse_atom()?;
            let argument = match first {
                Closed::Number(_) => Closed::Product(vec![first, self.parse_atom()?]),
                other => other,
            };
            if function.arity() != 1 || !argument.is_name_or_multiple() {
                return self.syntax_error("a name or a bracket");
            }
            Closed::Function(function, vec![argument])
        };
        Ok(exponent.map_or_else(|| value.clone(), |n| Closed::Power(Box::new(value.clone()), n)))
    }

    /// A function table of the caller, or a built-in function.
    fn find_function(&self, name: &str) -> Option<Function> {
        let table = self.tables.iter().position(|t| t == name);
        table.map(|t| Function::Table(t as u32)).or_else(|| function_by_name(name))
    }

    /// Takes characters while they are accepted, and returns them.
    fn take_while(&mut self, accept: impl Fn(char) -> bool) -> String {
        let start = self.at;
        while self.text.get(self.at).is_some_and(|c| accept(*c)) {
            self.at += 1;
        }
        self.text[start..self.at].iter().collect()
    }

    /// Parses a number, a name, a call, or a sum in brackets or bars.
    fn parse_atom(&mut self) -> Result<Closed, SymbolicError> {
        if self.take_character('(') {
            let inner = self.parse_sum()?;
            return if self.take_character(')') { Ok(inner) } else { self.syntax_error(")") };
        }
        if !self.barred && self.take_character('|') {
            // |x| is √(x²).
            self.barred = true;
            let inner = self.parse_sum()?;
            self.barred = false;
            if !self.take_character('|') {
                return self.syntax_error("|");
            }
            return Ok(Closed::Function(Function::Sqrt, vec![Closed::Power(Box::new(inner), 2)]));
        }
        self.skip_blanks();
        let start = self.at;
        match self.text.get(self.at) {
            Some(c) if c.is_ascii_digit() => self.parse_number(),
            Some(c) if c.is_alphabetic() || *c == '_' => self.parse_name(start),
            _ => self.syntax_error("a number, a name or a bracket"),
        }
    }

    /// Parses a decimal number, with or without an exponent, exactly.
    fn parse_number(&mut self) -> Result<Closed, SymbolicError> {
        let mut num = self.take_while(|c| c.is_ascii_digit());
        let mut den = "1".to_owned();
        if self.text.get(self.at) == Some(&'.') {
            self.at += 1;
            let fraction = self.take_while(|c| c.is_ascii_digit());
            let fraction = fraction.trim_end_matches('0');
            num.push_str(fraction);
            den.push_str(&"0".repeat(fraction.len()));
        }
        if self.text.get(self.at) == Some(&'e') {
            self.at += 1;
            let is_negative = self.take_character('-');
            let zeros = self.take_while(|c| c.is_ascii_digit());
            let zeros = match zeros.parse::<usize>() {
                Ok(n) if n <= 400 => "0".repeat(n),
                _ => return self.syntax_error("an integer exponent"),
            };
            if is_negative { &mut den } else { &mut num }.push_str(&zeros);
        }
        let num = num.trim_start_matches('0');
        let num = if num.is_empty() { "0" } else { num };
        Ok(Closed::Number(Exact { negative: false, num: num.into(), den }))
    }

    /// Parses a symbol or a call, whose name starts at `start`.
    fn parse_name(&mut self, start: usize) -> Result<Closed, SymbolicError> {
        let name = self.take_while(continues_name);
        if let Some(symbol) = self.parse_operator_symbol(&name) {
            return Ok(symbol);
        }
        if self.text.get(self.at) == Some(&'(') {
            self.at += 1;
            return self.parse_call(start, &name);
        }
        if let Some((_, kind)) = self.symbols.iter().find(|(n, _)| *n == name) {
            return Ok(Closed::Symbol { kind: *kind, name: name.into() });
        }
        if name == "pi" || name == "π" {
            return Ok(Closed::Pi);
        }
        if let Some(function) = self.find_function(&name) {
            return self.parse_function_without_brackets(function, start, &name);
        }
        Err(SymbolicError::UnknownName { column: start + 1, name })
    }

    /// Parses a symbol whose name is an operator on another name, `sat(u)`.
    fn parse_operator_symbol(&mut self, operator: &str) -> Option<Closed> {
        let rest = &self.text[self.at..];
        let end = rest.iter().position(|c| *c == ')')?;
        let name = format!("{operator}{}", rest[..=end].iter().collect::<String>());
        let (_, kind) = self.symbols.iter().find(|(n, _)| *n == name)?;
        self.at += end + 1;
        Some(Closed::Symbol { kind: *kind, name: name.into() })
    }

    /// Parses `if(a < b, yes, no)` or `if(a < x <= b, yes, no)` after the opening bracket.
    fn parse_condition(&mut self) -> Result<Closed, SymbolicError> {
        let a = self.parse_sum()?;
        let cmp = match (self.take_character('<'), self.take_character('=')) {
            (true, false) => Cmp::Lt,
            (true, true) => Cmp::Le,
            (false, true) if self.take_character('=') => Cmp::Eq,
            _ => return self.syntax_error("<, <= or =="),
        };
        let mut args = vec![a, self.parse_sum()?];
        // An interval as condition: `if(a < x <= b, yes, no)`.
        let high = match cmp {
            Cmp::Lt if self.take_character('<') => {
                if !self.take_character('=') {
                    return self.syntax_error("<=");
                }
                Some(self.parse_sum()?)
            }
            _ => None,
        };
        for _ in 0..2 {
            if !self.take_character(',') {
                return self.syntax_error(",");
            }
            args.push(self.parse_sum()?);
        }
        if !self.take_character(')') {
            return self.syntax_error(")");
        }
        Ok(match (high, <[Closed; 4]>::try_from(args)) {
            (Some(high), Ok([low, x, yes, no])) => Closed::piecewise_between([low, x, high, yes, no]),
            (_, Ok(args)) => Closed::Function(Function::Select(cmp), args.to_vec()),
            (_, Err(args)) => Closed::Function(Function::Select(cmp), args),
        })
    }

    /// Parses the arguments of a function after its opening bracket; `start` is the column of its
    /// name.
    fn parse_call(&mut self, start: usize, name: &str) -> Result<Closed, SymbolicError> {
        if name == "if" {
            return self.parse_condition();
        }
        let is_clamp = name == "clamp";
        let function = if is_clamp { Some(Function::Func2(Func2::Min)) } else { self.find_function(name) };
        let Some(function) = function else {
            return Err(SymbolicError::UnknownName { column: start + 1, name: name.to_owned() });
        };
        let mut args = vec![self.parse_sum()?];
        while self.take_character(',') {
            args.push(self.parse_sum()?);
        }
        if !self.take_character(')') {
            return self.syntax_error(")");
        }
        if is_clamp {
            return match <[Closed; 3]>::try_from(args) {
                Ok(args) => Ok(Closed::clamp(args)),
                Err(_) => self.syntax_error("a different number of arguments"),
            };
        }
        if args.len() != function.arity() {
            return self.syntax_error("a different number of arguments");
        }
        Ok(Closed::Function(function, args))
    }
}

/// True for characters that continue a name. Dots above a letter or after a word belong to it,
/// superscript digits do not.
pub fn continues_name(c: char) -> bool {
    let dots = matches!(c, '\u{307}' | '\u{308}' | '˙' | '¨');
    dots || (c.is_alphanumeric() && !RAISED.contains(&c)) || "_.[]'".contains(c)
}

/// A built-in function by its name; `None` if there is none.
fn function_by_name(name: &str) -> Option<Function> {
    use Func::*;
    let one = [Tan, Asin, Acos, Atan, Sinh, Cosh, Tanh, Exp, Ln, Abs, Sign].map(Function::Func);
    let two = [Func2::Atan2, Func2::Pow, Func2::Min, Func2::Max].map(Function::Func2);
    let rest = [Function::Sin, Function::Cos, Function::Sqrt];
    let selects = [Cmp::Lt, Cmp::Le, Cmp::Eq].map(Function::Select);
    let mut all = one.into_iter().chain(two).chain(rest).chain(selects);
    all.find(|f| f.name() == name)
        .or_else(|| name.strip_prefix("table").and_then(|t| t.parse().ok()).map(Function::Table))
}
