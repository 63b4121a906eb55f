//! Evaluates the tokens of a formula: sums, juxtaposed products, quotients, powers, functions.

use std::collections::BTreeMap;

use super::Tables;

/// A token of a formula.
#[derive(Clone, Debug, PartialEq)]
pub enum Token {
    Number(f64),
    Name(String),
    /// A function name; its argument in brackets follows.
    Call(String),
    /// An exponent of the preceding factor.
    Power(i32),
    Sign(char),
    If,
    Else,
}

struct TokenReader<'a> {
    tokens: &'a [Token],
    at: usize,
    values: &'a BTreeMap<String, f64>,
    tables: &'a Tables,
}

/// The value of a complete formula, from values of its symbols.
pub fn evaluate_tokens(tokens: &[Token], values: &BTreeMap<String, f64>, tables: &Tables) -> f64 {
    let mut reader = TokenReader { tokens, at: 0, values, tables };
    let value = reader.sum();
    assert_eq!(reader.at, tokens.len(), "read until {:?} of {tokens:?}", &tokens[reader.at..]);
    value
}

fn subscript_digit(c: char) -> u32 {
    "₀₁₂₃₄₅₆₇₈₉".chars().position(|d| d == c).unwrap() as u32
}

impl TokenReader<'_> {
    fn next(&self) -> Option<&Token> {
        self.tokens.get(self.at)
    }

    fn is(&self, sign: char) -> bool {
        self.next() == Some(&Token::Sign(sign))
    }

    fn takes(&mut self, sign: char) -> bool {
        let is = self.is(sign);
        self.at += usize::from(is);
        is
    }

    fn sum(&mut self) -> f64 {
        let mut sum = if self.takes('-') { -self.product() } else { self.product() };
        loop {
            if self.takes('+') {
                sum += self.product();
            } else if self.takes('-') {
                sum -= self.product();
            } else {
                return sum;
            }
        }
    }

    fn product(&mut self) -> f64 {
        let mut product = self.quotient();
        while matches!(
            self.next(),
            Some(Token::Number(_) | Token::Name(_) | Token::Call(_) | Token::Sign('('))
        ) {
            product *= self.quotient();
        }
        product
    }

    fn quotient(&mut self) -> f64 {
        let mut value = self.power();
        while self.takes('/') {
            value /= self.power();
        }
        value
    }

    fn power(&mut self) -> f64 {
        let mut value = self.atom();
        if let Some(Token::Power(n)) = self.next() {
            value = value.powi(*n);
            self.at += 1;
        } else if self.takes('^') {
            value = value.powf(self.atom());
        }
        value
    }

    fn atom(&mut self) -> f64 {
        let token = self.next().unwrap_or_else(|| panic!("ends early: {:?}", self.tokens)).clone();
        self.at += 1;
        match token {
            Token::Number(x) => x,
            Token::Name(name) => {
                *self.values.get(&name).unwrap_or_else(|| panic!("`{name}` is not defined before it is used"))
            }
            Token::Call(name) => {
                assert!(self.takes('('), "{name} has no arguments");
                let mut arguments = vec![self.sum()];
                while self.takes(',') {
                    arguments.push(self.sum());
                }
                assert!(self.takes(')'), "{name} is not closed");
                self.function(&name, &arguments)
            }
            Token::Sign('(') => {
                let value = self.sum();
                let value = match self.next() {
                    Some(Token::If) => self.case(value),
                    _ => value,
                };
                assert!(self.takes(')'), "a bracket is not closed in {:?}", self.tokens);
                value
            }
            token => panic!("{token:?} in {:?}", self.tokens),
        }
    }

    fn case(&mut self, yes: f64) -> f64 {
        self.at += 1;
        let a = self.sum();
        let Some(Token::Sign(sign)) = self.next().cloned() else { panic!("a comparison is missing") };
        self.at += 1;
        let b = self.sum();
        assert!(self.takes(',') && self.next() == Some(&Token::Else));
        self.at += 1;
        let no = self.sum();
        let holds = match sign {
            '<' => a < b,
            '≤' => a <= b,
            '=' => a == b,
            sign => panic!("{sign}"),
        };
        if holds { yes } else { no }
    }

    fn function(&self, name: &str, a: &[f64]) -> f64 {
        let table = name.strip_prefix("table").map(|n| {
            let (rows, before) = &self.tables[&n.chars().fold(0, |n, c| 10 * n + subscript_digit(c))];
            let row = rows.iter().rev().find(|row| row[0] <= a[0]);
            row.map_or(*before, |[knot, c0, c1, c2, c3]| {
                let d = a[0] - knot;
                c0 + d * (c1 + d * (c2 + d * c3))
            })
        });
        match (name, a) {
            (_, [_]) if table.is_some() => table.unwrap(),
            ("sin", [x]) => x.sin(),
            ("cos", [x]) => x.cos(),
            ("tan", [x]) => x.tan(),
            ("asin", [x]) => x.asin(),
            ("acos", [x]) => x.acos(),
            ("atan", [x]) => x.atan(),
            ("sinh", [x]) => x.sinh(),
            ("cosh", [x]) => x.cosh(),
            ("tanh", [x]) => x.tanh(),
            ("exp", [x]) => x.exp(),
            ("ln", [x]) => x.ln(),
            ("abs", [x]) => x.abs(),
            ("sqrt", [x]) => x.sqrt(),
            ("sign", [x]) => {
                if *x > 0.0 {
                    1.0
                } else if *x < 0.0 {
                    -1.0
                } else {
                    0.0
                }
            }
            ("min", [x, y]) => x.min(*y),
            ("max", [x, y]) => x.max(*y),
            ("atan2", [x, y]) => x.atan2(*y),
            _ => panic!("what is {name} of {} arguments?", a.len()),
        }
    }
}
