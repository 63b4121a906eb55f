//! Parser: tokens to a formula.
//!
//! Precedence, from loose to tight: `+ -`, `* /`, sign, `^` (right-associative, so `-x^2` is
//! `-(x^2)` and `2^-1` works). The parser recurses only for nesting and rejects more than
//! [`MAX_NESTING`] levels. A long sum becomes a balanced tree, so that the recursion depth of later
//! passes is logarithmic in its length.

use std::ops::Range;

use super::lex::{Token, tokenize};
use super::{Expr, Node, NodeId, Operator};
use dqdt_algebra::{Cmp, Dimension, Number, Ratio, Unit, UnitError, list_units_for_help};

/// Maximum nesting depth of parentheses, signs and powers in a formula; deeper ones are a syntax
/// error.
pub const MAX_NESTING: usize = 100;

/// Maximum number of terms of a sum whose tree is not balanced.
const LONG_SUM: usize = 16;

/// A syntax error in a formula.
#[derive(Clone, PartialEq, Debug)]
pub struct FormulaError {
    /// Byte range of the wrong part of the text of the formula.
    pub range: Range<usize>,
    /// Description of the syntax problem.
    pub message: String,
    /// Label of the wrong part in the message.
    pub label: String,
    /// Remedy for the message, if there is one.
    pub with_help: Option<String>,
}

impl FormulaError {
    pub(super) fn new(range: Range<usize>, message: impl Into<String>, label: impl Into<String>) -> Self {
        FormulaError { range, message: message.into(), label: label.into(), with_help: None }
    }

    pub(super) fn help(mut self, text: impl Into<String>) -> Self {
        self.with_help = Some(text.into());
        self
    }
}

type Result<T> = std::result::Result<T, FormulaError>;

/// Parses the text of a formula into a syntax tree.
pub fn parse_formula(text: &str) -> Result<Expr> {
    let tokens = tokenize(text)?;
    if tokens.is_empty() {
        return Err(FormulaError::new(0..text.len(), "the formula is empty", "empty formula")
            .help("write a number such as `0` or a formula such as `\"2*m*g\"`"));
    }
    let mut parser = FormulaParser { tokens, at: 0, nodes: Vec::new(), length: text.len(), nesting: 0 };
    parser.parse_sum()?;
    match parser.peek_token() {
        None => Ok(Expr { nodes: parser.nodes }),
        Some(_) => Err(parser.unexpected_token("the end of the formula or an operator")),
    }
}

/// Parses a number with a unit, such as `9.81 m/s^2`; `None` if the text is something else.
pub fn parse_quantity(text: &str) -> Option<Expr> {
    let trimmed = text.trim();
    let start = text.len() - text.trim_start().len();
    let (number, unit) = trimmed.split_once(char::is_whitespace)?;
    let unit = Unit::parse(unit).ok()?;
    let n = scale_to_si(parse_literal(number)?, unit)?;
    Some(Expr { nodes: vec![(Node::Quantity(n, unit.dimension), start..start + trimmed.len())] })
}

/// SI value of a number with a unit of the same dimension as `unit`, such as `30 deg` for `rad`;
/// `None` for any other text.
pub fn read_quantity(text: &str, unit: &str) -> Option<f64> {
    let dimension = Unit::parse(unit).map_or(Dimension::NONE, |u| u.dimension);
    match parse_quantity(text)?.nodes() {
        [(Node::Quantity(n, d), _)] if *d == dimension => Some(n.to_f64()),
        _ => None,
    }
}

/// Parses a decimal number in a formula; exact unless it is very long.
fn parse_literal(text: &str) -> Option<Number> {
    match Number::parse_decimal(text) {
        Some(n) => Some(n),
        None => {
            let x: f64 = text.replace('_', "").parse().ok()?;
            // A number other than zero that underflows to zero is rejected.
            (x.is_finite() && x != 0.0).then(|| Number::float(x))
        }
    }
}

/// Converts `n` from a unit to SI; the result is rounded if the factor of the unit has π in the
/// denominator, or more than once.
pub(crate) fn scale_to_si(n: Number, unit: Unit) -> Option<Number> {
    let exact = match unit.pi {
        0 => n.checked_mul(Number::Rational(unit.factor)),
        1 => n.checked_mul(Number::pi(unit.factor)),
        _ => None,
    };
    exact.or_else(|| {
        let x = n.to_f64() * unit.factor.to_f64() * std::f64::consts::PI.powi(i32::from(unit.pi));
        x.is_finite().then(|| Number::float(x))
    })
}

/// Recursive-descent parser of formulas: tokens, position, and the nodes of the syntax tree so far.
struct FormulaParser<'t> {
    tokens: Vec<(Token<'t>, Range<usize>)>,
    at: usize,
    nodes: Vec<(Node, Range<usize>)>,
    length: usize,
    nesting: usize,
}

impl<'t> FormulaParser<'t> {
    fn peek_token(&self) -> Option<Token<'t>> {
        self.tokens.get(self.at).map(|t| t.0)
    }

    /// Byte range of the next token, or the end of the text.
    fn token_range(&self) -> Range<usize> {
        self.tokens.get(self.at).map_or(self.length..self.length, |t| t.1.clone())
    }

    /// Consumes the next token if it is this symbol.
    fn take_symbol(&mut self, symbol: &str) -> bool {
        let hit = self.peek_token() == Some(Token::Symbol(static_symbol(symbol)));
        self.at += usize::from(hit);
        hit
    }

    /// Appends a node to the syntax tree and returns its index.
    fn push_node(&mut self, node: Node, range: Range<usize>) -> NodeId {
        self.nodes.push((node, range));
        self.nodes.len() - 1
    }

    /// Byte range from the start of one node to the end of another.
    fn node_range(&self, a: NodeId, b: NodeId) -> Range<usize> {
        self.nodes[a].1.start..self.nodes[b].1.end
    }

    fn push_binary(&mut self, op: Operator, a: NodeId, b: NodeId) -> NodeId {
        let range = self.node_range(a, b);
        self.push_node(Node::Binary(op, a, b), range)
    }

    /// Error for the next token; `wanted` describes the permitted ones.
    fn unexpected_token(&self, wanted: &str) -> FormulaError {
        let range = self.token_range();
        let token_text = match self.peek_token() {
            None => "unexpected end of the formula".to_owned(),
            Some(Token::Symbol(s)) => format!("unexpected `{s}`"),
            Some(Token::Number(s) | Token::Name(s)) => format!("unexpected `{s}`"),
            Some(Token::Unit(s)) => format!("unexpected unit `[{s}]`"),
        };
        let error = FormulaError::new(
            range,
            format!("{token_text}, expected {wanted}"),
            format!("expected {wanted}"),
        );
        match self.peek_token() {
            Some(Token::Name(_) | Token::Number(_)) => error.help(
                "write `*` between factors, and write the unit of a number in brackets, as in `2 [rad/s]`",
            ),
            Some(Token::Unit(_)) => error.help("write a unit in brackets directly after a number"),
            Some(Token::Symbol("<" | "<=" | ">" | ">=" | "==" | "!=")) => {
                error.help("use a comparison only as the first argument of `if(a < b, yes, no)`")
            }
            _ if wanted == "a comparison" => error.help("write `if(a < b, yes, no)`"),
            Some(Token::Symbol(")")) => error.help("check for a missing `(` or a missing argument"),
            _ => error,
        }
    }

    /// Enters a nesting level; too many are an error.
    fn enter_level(&mut self) -> Result<()> {
        self.nesting += 1;
        if self.nesting > MAX_NESTING {
            return Err(FormulaError::new(
                self.token_range(),
                format!("the formula is nested deeper than {MAX_NESTING} levels"),
                "too deep",
            )
            .help("define parts of the formula in [definitions]"));
        }
        Ok(())
    }

    fn parse_sum(&mut self) -> Result<NodeId> {
        self.enter_level()?;
        let mut terms = vec![(true, self.parse_product()?)];
        loop {
            let plus = match self.peek_token() {
                Some(Token::Symbol("+")) => true,
                Some(Token::Symbol("-")) => false,
                _ => break,
            };
            self.at += 1;
            terms.push((plus, self.parse_product()?));
        }
        self.nesting -= 1;
        Ok(if terms.len() <= LONG_SUM {
            let mut sum = terms[0].1;
            for (plus, term) in &terms[1..] {
                sum = self.push_binary(if *plus { Operator::Add } else { Operator::Sub }, sum, *term);
            }
            sum
        } else {
            self.balance_sum(&terms)
        })
    }

    /// Tree of a sum with balanced depth, from its terms (true: added, false: subtracted). The
    /// first term has a positive sign.
    fn balance_sum(&mut self, terms: &[(bool, NodeId)]) -> NodeId {
        if let [(_, one)] = terms {
            return *one;
        }
        let (left, right) = terms.split_at(terms.len() / 2);
        let plus = right[0].0;
        let right: Vec<(bool, NodeId)> = right.iter().map(|(p, n)| (*p == plus, *n)).collect();
        let (l, r) = (self.balance_sum(left), self.balance_sum(&right));
        self.push_binary(if plus { Operator::Add } else { Operator::Sub }, l, r)
    }

    fn parse_product(&mut self) -> Result<NodeId> {
        let mut product = self.parse_signed()?;
        loop {
            let op = match self.peek_token() {
                Some(Token::Symbol("*")) => Operator::Mul,
                Some(Token::Symbol("/")) => Operator::Div,
                _ => return Ok(product),
            };
            self.at += 1;
            let factor = self.parse_signed()?;
            product = self.push_binary(op, product, factor);
        }
    }

    fn parse_signed(&mut self) -> Result<NodeId> {
        let start = self.token_range().start;
        let mut negative = false;
        while let Some(Token::Symbol(s @ ("-" | "+"))) = self.peek_token() {
            negative ^= s == "-";
            self.at += 1;
        }
        let power = self.parse_power()?;
        if !negative {
            return Ok(power);
        }
        let end = self.nodes[power].1.end;
        Ok(self.push_node(Node::Neg(power), start..end))
    }

    fn parse_power(&mut self) -> Result<NodeId> {
        let base = self.parse_atom()?;
        if !self.take_symbol("^") {
            return Ok(base);
        }
        self.enter_level()?;
        let exponent = self.parse_signed()?;
        self.nesting -= 1;
        Ok(self.push_binary(Operator::Pow, base, exponent))
    }

    fn parse_atom(&mut self) -> Result<NodeId> {
        let range = self.token_range();
        match self.peek_token() {
            Some(Token::Number(text)) => {
                self.at += 1;
                self.parse_number(text, range)
            }
            Some(Token::Name(name)) => {
                self.at += 1;
                if self.take_symbol("(") {
                    return self.parse_call(name, range);
                }
                Ok(self.push_node(Node::Name(name.to_owned()), range))
            }
            Some(Token::Symbol("(")) => {
                self.at += 1;
                let inner = self.parse_sum()?;
                self.expect_closing_parenthesis(&range)?;
                // The byte range of a parenthesised part includes the parentheses.
                self.nodes[inner].1 = range.start..self.tokens[self.at - 1].1.end;
                Ok(inner)
            }
            _ => Err(self.unexpected_token("a number, a name or `(`")),
        }
    }

    /// Consumes `)`; `open` is the place of the parenthesis that it closes.
    fn expect_closing_parenthesis(&mut self, open: &Range<usize>) -> Result<()> {
        if self.take_symbol(")") {
            return Ok(());
        }
        Err(match self.peek_token() {
            None => FormulaError::new(open.clone(), "this parenthesis is never closed", "missing `)`"),
            Some(_) => self.unexpected_token("`)` or an operator"),
        })
    }

    fn parse_number(&mut self, text: &str, range: Range<usize>) -> Result<NodeId> {
        let n = parse_literal(text).ok_or_else(|| {
            FormulaError::new(
                range.clone(),
                format!("the number `{text}` is out of range"),
                "this number is too large or too small",
            )
            .help("the largest number is about 1.8e308")
        })?;
        // Only `deg` is accepted without brackets: `2 m` is more often a forgotten `*` before a
        // mass than two metres.
        let unit_text = match self.peek_token() {
            Some(Token::Unit(u)) => u,
            Some(Token::Name("deg")) => "deg",
            _ => return Ok(self.push_node(Node::Number(n), range)),
        };
        let unit_range = self.token_range();
        let unit = Unit::parse(unit_text).map_err(|e| formula_unit_error(&e, unit_range.clone()))?;
        self.at += 1;
        let whole = range.start..unit_range.end;
        if !(0..=1).contains(&unit.pi) {
            return self.multiply_by_pi(n, unit, whole);
        }
        let n = scale_to_si(n, unit).ok_or_else(|| {
            FormulaError::new(
                whole.clone(),
                "the quantity is out of range",
                "this quantity is out of range in SI units",
            )
        })?;
        Ok(self.push_node(Node::Quantity(n, unit.dimension), whole))
    }

    /// Appends a quantity whose unit has π in the denominator, or more than once: the formula
    /// multiplies or divides by π and stays exact.
    fn multiply_by_pi(&mut self, n: Number, unit: Unit, whole: Range<usize>) -> Result<NodeId> {
        let rational = Unit { pi: 0, ..unit };
        let n = scale_to_si(n, rational).ok_or_else(|| {
            FormulaError::new(
                whole.clone(),
                "the quantity is out of range",
                "this quantity is out of range in SI units",
            )
        })?;
        let mut quantity = self.push_node(Node::Quantity(n, unit.dimension), whole.clone());
        let operator = if unit.pi > 0 { Operator::Mul } else { Operator::Div };
        for _ in 0..unit.pi.unsigned_abs() {
            let pi = self.push_node(Node::Number(Number::pi(Ratio::ONE)), whole.clone());
            quantity = self.push_node(Node::Binary(operator, quantity, pi), whole.clone());
        }
        Ok(quantity)
    }

    fn parse_call(&mut self, name: &str, range: Range<usize>) -> Result<NodeId> {
        let open = self.tokens[self.at - 1].1.clone();
        if name == "if" {
            return self.parse_condition(range, &open);
        }
        let mut arguments = Vec::new();
        if !self.take_symbol(")") {
            loop {
                arguments.push(self.parse_sum()?);
                if !self.take_symbol(",") {
                    break;
                }
            }
            self.expect_closing_parenthesis(&open)?;
        }
        let end = self.tokens[self.at - 1].1.end;
        Ok(self.push_node(Node::Call(name.to_owned(), arguments), range.start..end))
    }

    /// Parses the arguments of `if(a < b, yes, no)`.
    fn parse_condition(&mut self, range: Range<usize>, open: &Range<usize>) -> Result<NodeId> {
        let a = self.parse_sum()?;
        let Some(Token::Symbol(cmp @ ("<" | "<=" | ">" | ">=" | "==" | "!="))) = self.peek_token() else {
            return Err(self.unexpected_token("a comparison"));
        };
        self.at += 1;
        let b = self.parse_sum()?;
        let mut branch = || -> Result<NodeId> {
            if !self.take_symbol(",") {
                return Err(self.unexpected_token("`,`"));
            }
            self.parse_sum()
        };
        let (yes, no) = (branch()?, branch()?);
        self.expect_closing_parenthesis(open)?;
        let (cmp, args) = match cmp {
            "<" => (Cmp::Lt, [a, b, yes, no]),
            "<=" => (Cmp::Le, [a, b, yes, no]),
            ">" => (Cmp::Lt, [b, a, yes, no]),
            ">=" => (Cmp::Le, [b, a, yes, no]),
            "==" => (Cmp::Eq, [a, b, yes, no]),
            _ => (Cmp::Eq, [a, b, no, yes]),
        };
        let end = self.tokens[self.at - 1].1.end;
        Ok(self.push_node(Node::If(cmp, args), range.start..end))
    }
}

/// The static string of a symbol of one character, so that tokens can be compared.
fn static_symbol(symbol: &str) -> &'static str {
    ["^", "(", ")", ","].into_iter().find(|s| *s == symbol).unwrap_or("")
}

/// Error of a formula for a text in brackets that is no unit.
fn formula_unit_error(error: &UnitError, range: Range<usize>) -> FormulaError {
    FormulaError::new(range, error.to_string(), "this is not a valid unit").help(list_units_for_help())
}
