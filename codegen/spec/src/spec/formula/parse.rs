//! Parser: tokens to a formula.
//!
//! Precedence, from loose to tight: `+ -`, `* /`, sign, `^` (right-associative, so `-x^2` is
//! `-(x^2)` and `2^-1` works). The parser recurses only for nesting and rejects more than
//! [`MAX_NESTING`] levels. A long sum becomes a balanced tree, so that the recursion depth of later
//! passes is logarithmic in its length.

use std::ops::Range;

use super::lex::{Token, lex};
use super::{Expr, Node, NodeId, Operator};
use dqdt_algebra::{Cmp, Number, Ratio, Unit, UnitError, unit_help};

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
    pub help: Option<String>,
}

impl FormulaError {
    pub(super) fn new(range: Range<usize>, message: impl Into<String>, label: impl Into<String>) -> Self {
        FormulaError { range, message: message.into(), label: label.into(), help: None }
    }

    pub(super) fn help(mut self, text: impl Into<String>) -> Self {
        self.help = Some(text.into());
        self
    }
}

type Result<T> = std::result::Result<T, FormulaError>;

/// Parses the text of a formula into a syntax tree.
pub fn parse(text: &str) -> Result<Expr> {
    let tokens = lex(text)?;
    if tokens.is_empty() {
        return Err(FormulaError::new(0..text.len(), "the formula is empty", "empty formula")
            .help("write a number such as `0` or a formula such as `\"2*m*g\"`"));
    }
    let mut parser = FormulaParser { tokens, at: 0, nodes: Vec::new(), length: text.len(), nesting: 0 };
    parser.sum()?;
    match parser.peek() {
        None => Ok(Expr { nodes: parser.nodes }),
        Some(_) => Err(parser.unexpected("the end of the formula or an operator")),
    }
}

/// Parses a number with a unit, such as `9.81 m/s^2`; `None` if the text is something else.
pub fn parse_quantity(text: &str) -> Option<Expr> {
    let trimmed = text.trim();
    let start = text.len() - text.trim_start().len();
    let (number, unit) = trimmed.split_once(char::is_whitespace)?;
    let unit = Unit::parse(unit).ok()?;
    let n = scaled(literal(number)?, unit)?;
    Some(Expr { nodes: vec![(Node::Quantity(n, unit.dimension), start..start + trimmed.len())] })
}

/// Parses a decimal number in a formula; exact unless it is very long.
fn literal(text: &str) -> Option<Number> {
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
pub(crate) fn scaled(n: Number, unit: Unit) -> Option<Number> {
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
    fn peek(&self) -> Option<Token<'t>> {
        self.tokens.get(self.at).map(|t| t.0)
    }

    /// Byte range of the next token, or the end of the text.
    fn here(&self) -> Range<usize> {
        self.tokens.get(self.at).map_or(self.length..self.length, |t| t.1.clone())
    }

    /// Consumes the next token if it is this symbol.
    fn eat(&mut self, symbol: &str) -> bool {
        let hit = self.peek() == Some(Token::Symbol(lookup(symbol)));
        self.at += usize::from(hit);
        hit
    }

    /// Appends a node to the syntax tree and returns its index.
    fn push(&mut self, node: Node, range: Range<usize>) -> NodeId {
        self.nodes.push((node, range));
        self.nodes.len() - 1
    }

    /// Byte range from the start of one node to the end of another.
    fn range(&self, a: NodeId, b: NodeId) -> Range<usize> {
        self.nodes[a].1.start..self.nodes[b].1.end
    }

    fn binary(&mut self, op: Operator, a: NodeId, b: NodeId) -> NodeId {
        let range = self.range(a, b);
        self.push(Node::Binary(op, a, b), range)
    }

    /// Error for the next token; `wanted` describes the permitted ones.
    fn unexpected(&self, wanted: &str) -> FormulaError {
        let range = self.here();
        let token_text = match self.peek() {
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
        match self.peek() {
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
    fn enter(&mut self) -> Result<()> {
        self.nesting += 1;
        if self.nesting > MAX_NESTING {
            return Err(FormulaError::new(
                self.here(),
                format!("the formula is nested deeper than {MAX_NESTING} levels"),
                "too deep",
            )
            .help("define parts of it in [definitions]"));
        }
        Ok(())
    }

    fn sum(&mut self) -> Result<NodeId> {
        self.enter()?;
        let mut terms = vec![(true, self.product()?)];
        loop {
            let plus = match self.peek() {
                Some(Token::Symbol("+")) => true,
                Some(Token::Symbol("-")) => false,
                _ => break,
            };
            self.at += 1;
            terms.push((plus, self.product()?));
        }
        self.nesting -= 1;
        Ok(if terms.len() <= LONG_SUM {
            let mut sum = terms[0].1;
            for (plus, term) in &terms[1..] {
                sum = self.binary(if *plus { Operator::Add } else { Operator::Sub }, sum, *term);
            }
            sum
        } else {
            self.balanced(&terms)
        })
    }

    /// Tree of a sum with balanced depth, from its terms (true: added, false: subtracted). The
    /// first term has a positive sign.
    fn balanced(&mut self, terms: &[(bool, NodeId)]) -> NodeId {
        if let [(_, one)] = terms {
            return *one;
        }
        let (left, right) = terms.split_at(terms.len() / 2);
        let plus = right[0].0;
        let right: Vec<(bool, NodeId)> = right.iter().map(|(p, n)| (*p == plus, *n)).collect();
        let (l, r) = (self.balanced(left), self.balanced(&right));
        self.binary(if plus { Operator::Add } else { Operator::Sub }, l, r)
    }

    fn product(&mut self) -> Result<NodeId> {
        let mut product = self.sign()?;
        loop {
            let op = match self.peek() {
                Some(Token::Symbol("*")) => Operator::Mul,
                Some(Token::Symbol("/")) => Operator::Div,
                _ => return Ok(product),
            };
            self.at += 1;
            let factor = self.sign()?;
            product = self.binary(op, product, factor);
        }
    }

    fn sign(&mut self) -> Result<NodeId> {
        let start = self.here().start;
        let mut negative = false;
        while let Some(Token::Symbol(s @ ("-" | "+"))) = self.peek() {
            negative ^= s == "-";
            self.at += 1;
        }
        let power = self.power()?;
        if !negative {
            return Ok(power);
        }
        let end = self.nodes[power].1.end;
        Ok(self.push(Node::Neg(power), start..end))
    }

    fn power(&mut self) -> Result<NodeId> {
        let base = self.atom()?;
        if !self.eat("^") {
            return Ok(base);
        }
        self.enter()?;
        let exponent = self.sign()?;
        self.nesting -= 1;
        Ok(self.binary(Operator::Pow, base, exponent))
    }

    fn atom(&mut self) -> Result<NodeId> {
        let range = self.here();
        match self.peek() {
            Some(Token::Number(text)) => {
                self.at += 1;
                self.number(text, range)
            }
            Some(Token::Name(name)) => {
                self.at += 1;
                if self.eat("(") {
                    return self.call(name, range);
                }
                Ok(self.push(Node::Name(name.to_owned()), range))
            }
            Some(Token::Symbol("(")) => {
                self.at += 1;
                let inner = self.sum()?;
                self.close(&range)?;
                // The byte range of a parenthesised part includes the parentheses.
                self.nodes[inner].1 = range.start..self.tokens[self.at - 1].1.end;
                Ok(inner)
            }
            _ => Err(self.unexpected("a number, a name or `(`")),
        }
    }

    /// Consumes `)`; `open` is the place of the parenthesis that it closes.
    fn close(&mut self, open: &Range<usize>) -> Result<()> {
        if self.eat(")") {
            return Ok(());
        }
        Err(match self.peek() {
            None => FormulaError::new(open.clone(), "this parenthesis is never closed", "missing `)`"),
            Some(_) => self.unexpected("`)` or an operator"),
        })
    }

    fn number(&mut self, text: &str, range: Range<usize>) -> Result<NodeId> {
        let n = literal(text).ok_or_else(|| {
            FormulaError::new(
                range.clone(),
                format!("the number `{text}` is out of range"),
                "too large or too small",
            )
            .help("the largest number is about 1.8e308")
        })?;
        // Only `deg` is accepted without brackets: `2 m` is more often a forgotten `*` before a
        // mass than two metres.
        let unit_text = match self.peek() {
            Some(Token::Unit(u)) => u,
            Some(Token::Name("deg")) => "deg",
            _ => return Ok(self.push(Node::Number(n), range)),
        };
        let unit_range = self.here();
        let unit = Unit::parse(unit_text).map_err(|e| unit_error(&e, unit_range.clone()))?;
        self.at += 1;
        let whole = range.start..unit_range.end;
        if !(0..=1).contains(&unit.pi) {
            return self.over_pi(n, unit, whole);
        }
        let n = scaled(n, unit).ok_or_else(|| {
            FormulaError::new(whole.clone(), "the quantity is out of range", "out of range in SI units")
        })?;
        Ok(self.push(Node::Quantity(n, unit.dimension), whole))
    }

    /// Appends a quantity whose unit has π in the denominator, or more than once: the formula
    /// multiplies or divides by π and stays exact.
    fn over_pi(&mut self, n: Number, unit: Unit, whole: Range<usize>) -> Result<NodeId> {
        let rational = Unit { pi: 0, ..unit };
        let n = scaled(n, rational).ok_or_else(|| {
            FormulaError::new(whole.clone(), "the quantity is out of range", "out of range in SI units")
        })?;
        let mut quantity = self.push(Node::Quantity(n, unit.dimension), whole.clone());
        let operator = if unit.pi > 0 { Operator::Mul } else { Operator::Div };
        for _ in 0..unit.pi.unsigned_abs() {
            let pi = self.push(Node::Number(Number::pi(Ratio::ONE)), whole.clone());
            quantity = self.push(Node::Binary(operator, quantity, pi), whole.clone());
        }
        Ok(quantity)
    }

    fn call(&mut self, name: &str, range: Range<usize>) -> Result<NodeId> {
        let open = self.tokens[self.at - 1].1.clone();
        if name == "if" {
            return self.choice(range, &open);
        }
        let mut arguments = Vec::new();
        if !self.eat(")") {
            loop {
                arguments.push(self.sum()?);
                if !self.eat(",") {
                    break;
                }
            }
            self.close(&open)?;
        }
        let end = self.tokens[self.at - 1].1.end;
        Ok(self.push(Node::Call(name.to_owned(), arguments), range.start..end))
    }

    /// Parses the arguments of `if(a < b, yes, no)`.
    fn choice(&mut self, range: Range<usize>, open: &Range<usize>) -> Result<NodeId> {
        let a = self.sum()?;
        let Some(Token::Symbol(cmp @ ("<" | "<=" | ">" | ">=" | "==" | "!="))) = self.peek() else {
            return Err(self.unexpected("a comparison"));
        };
        self.at += 1;
        let b = self.sum()?;
        let mut branch = || -> Result<NodeId> {
            if !self.eat(",") {
                return Err(self.unexpected("`,`"));
            }
            self.sum()
        };
        let (yes, no) = (branch()?, branch()?);
        self.close(open)?;
        let (cmp, args) = match cmp {
            "<" => (Cmp::Lt, [a, b, yes, no]),
            "<=" => (Cmp::Le, [a, b, yes, no]),
            ">" => (Cmp::Lt, [b, a, yes, no]),
            ">=" => (Cmp::Le, [b, a, yes, no]),
            "==" => (Cmp::Eq, [a, b, yes, no]),
            _ => (Cmp::Eq, [a, b, no, yes]),
        };
        let end = self.tokens[self.at - 1].1.end;
        Ok(self.push(Node::If(cmp, args), range.start..end))
    }
}

/// The static string of a symbol of one character, so that tokens can be compared.
fn lookup(symbol: &str) -> &'static str {
    ["^", "(", ")", ","].into_iter().find(|s| *s == symbol).unwrap_or("")
}

/// Error of a formula for a text in brackets that is no unit.
fn unit_error(error: &UnitError, range: Range<usize>) -> FormulaError {
    FormulaError::new(range, error.to_string(), "not a unit").help(unit_help())
}
