//! Index arithmetic for repeats: whole numbers, names, `+ - * / % ^`, parentheses; ranges and
//! conditions.
//!
//! Division rounds down, so that `{i/2}` is the parent of node i of a binary tree. A result beyond
//! 64 bits is an error, not an overflow.

/// Syntax tree of an index expression of a repeat, such as `i-1` in `{i-1}`.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Index {
    Number(i64),
    Name(String),
    Negated(Box<Index>),
    Operation(char, Box<Index>, Box<Index>),
}

/// Reason why an index expression of a repeat has no value.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum IndexError {
    /// A name in the expression that `[repeat]` does not define.
    Unknown(String),
    /// The name of an index, used outside of entries repeated over it.
    Unbound(String),
    /// Name of a size whose definition depends on itself.
    Cycle(String),
    Zero,
    Large,
}

/// Maximum nesting depth of parentheses, signs and powers in an index expression.
const MAX_DEPTH: usize = 40;

/// Parses an index expression such as `i-1`; the error describes the syntax problem.
pub(super) fn parse_index(text: &str) -> Result<Index, String> {
    let mut p = IndexParser { rest: text, depth: 0 };
    let index = p.parse_sum()?;
    match p.peek_character() {
        None => Ok(index),
        Some(c) => Err(format!("unexpected `{c}` in an index expression")),
    }
}

/// Parses the range of an index in `[repeat]`, `a to b`.
pub(super) fn parse_index_range(text: &str) -> Result<(Index, Index), String> {
    let mut parts = text.split(" to ");
    match (parts.next(), parts.next(), parts.next()) {
        (Some(from), Some(to), None) => Ok((parse_index(from)?, parse_index(to)?)),
        _ => Err("a range must have the form `1 to n`".to_owned()),
    }
}

/// Relations in conditions of repeats; longer ones first, so that `<=` is not read as `<`.
const RELATIONS: [&str; 6] = ["<=", ">=", "!=", "=", "<", ">"];

/// Condition of an `if` key of a repeat, such as `if i = 1`: relations joined by `and`.
pub(super) type RepeatCondition = Vec<(Index, &'static str, Index)>;

/// Parses the condition of an `if` key of a repeat, such as `i = 1` or `1 < i and i < n`.
pub(super) fn parse_condition(text: &str) -> Result<RepeatCondition, String> {
    text.split(" and ").map(parse_relation).collect()
}

fn parse_relation(text: &str) -> Result<(Index, &'static str, Index), String> {
    let matches = RELATIONS.iter().filter_map(|r| text.find(r).map(|at| (at, *r)));
    let (at, relation) = matches
        .min_by_key(|(at, r)| (*at, std::cmp::Reverse(r.len())))
        .ok_or("a condition must compare two index expressions with =, !=, <, <=, > or >=, as in `i = 1`")?;
    Ok((parse_index(&text[..at])?, relation, parse_index(&text[at + relation.len()..])?))
}

/// True if the relation, such as `<=`, holds between the index values `a` and `b`.
pub(super) fn relation_holds(a: i64, relation: &str, b: i64) -> bool {
    match relation {
        "<=" => a <= b,
        ">=" => a >= b,
        "!=" => a != b,
        "<" => a < b,
        ">" => a > b,
        _ => a == b,
    }
}

impl Index {
    /// Appends the names in the index expression to `out`, in their order.
    pub fn collect_names<'i>(&'i self, out: &mut Vec<&'i str>) {
        match self {
            Index::Number(_) => {}
            Index::Name(n) => out.push(n),
            Index::Negated(a) => a.collect_names(out),
            Index::Operation(_, a, b) => {
                a.collect_names(out);
                b.collect_names(out);
            }
        }
    }

    /// Value of the index expression; `name` returns the values of names.
    pub fn evaluate(&self, name: &dyn Fn(&str) -> Result<i64, IndexError>) -> Result<i64, IndexError> {
        let large = IndexError::Large;
        match self {
            Index::Number(n) => Ok(*n),
            Index::Name(n) => name(n),
            Index::Negated(a) => a.evaluate(name)?.checked_neg().ok_or(large),
            Index::Operation(op, a, b) => {
                let (a, b) = (a.evaluate(name)?, b.evaluate(name)?);
                match op {
                    '+' => a.checked_add(b),
                    '-' => a.checked_sub(b),
                    '*' => a.checked_mul(b),
                    '^' => u32::try_from(b).ok().and_then(|b| a.checked_pow(b)),
                    _ if b == 0 => return Err(IndexError::Zero),
                    '/' => a.checked_div_euclid(b),
                    _ => a.checked_rem_euclid(b),
                }
                .ok_or(large)
            }
        }
    }
}

struct IndexParser<'t> {
    rest: &'t str,
    depth: usize,
}

impl IndexParser<'_> {
    fn peek_character(&mut self) -> Option<char> {
        self.rest = self.rest.trim_start();
        self.rest.chars().next()
    }

    /// Consumes the next character of the index expression if it is one of those in `characters`.
    fn take_character(&mut self, characters: &str) -> Option<char> {
        let c = self.peek_character().filter(|c| characters.contains(*c))?;
        self.rest = &self.rest[c.len_utf8()..];
        Some(c)
    }

    fn parse_sum(&mut self) -> Result<Index, String> {
        let mut left = self.parse_product()?;
        while let Some(op) = self.take_character("+-") {
            left = Index::Operation(op, Box::new(left), Box::new(self.parse_product()?));
            self.count_nesting()?;
        }
        Ok(left)
    }

    fn parse_product(&mut self) -> Result<Index, String> {
        let mut left = self.parse_factor()?;
        while let Some(op) = self.take_character("*/%") {
            left = Index::Operation(op, Box::new(left), Box::new(self.parse_factor()?));
            self.count_nesting()?;
        }
        Ok(left)
    }

    /// Counts nesting and operations of an index expression, so that its tree is never deeper than
    /// [`MAX_DEPTH`].
    fn count_nesting(&mut self) -> Result<(), String> {
        self.depth += 1;
        if self.depth > MAX_DEPTH { Err("the index expression is too long".to_owned()) } else { Ok(()) }
    }

    fn parse_factor(&mut self) -> Result<Index, String> {
        self.count_nesting()?;
        if self.take_character("-").is_some() {
            return Ok(Index::Negated(Box::new(self.parse_factor()?)));
        }
        let base = if self.take_character("(").is_some() {
            let inner = self.parse_sum()?;
            self.take_character(")").ok_or("unclosed parenthesis")?;
            inner
        } else {
            self.parse_atom()?
        };
        match self.take_character("^") {
            Some(op) => Ok(Index::Operation(op, Box::new(base), Box::new(self.parse_factor()?))),
            None => Ok(base),
        }
    }

    fn parse_atom(&mut self) -> Result<Index, String> {
        let Some(first) = self.peek_character() else { return Err("missing index".to_owned()) };
        let end =
            self.rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        if word.is_empty() {
            return Err(format!("unexpected `{first}` in an index expression"));
        }
        self.rest = rest;
        if first.is_ascii_digit() {
            let number = word.parse().map_err(|_| format!("`{word}` is not a whole number"))?;
            return Ok(Index::Number(number));
        }
        Ok(Index::Name(word.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse_and_evaluate(text: &str) -> Result<i64, IndexError> {
        parse_index(text)
            .unwrap()
            .evaluate(&|n: &str| if n == "i" { Ok(7) } else { Err(IndexError::Unknown(n.to_owned())) })
    }

    #[test]
    fn arithmetic_is_that_of_whole_numbers() {
        for (text, n) in [
            ("i-1", 6),
            ("2*i + 1", 15),
            ("i/2", 3),
            ("-i/2", -4),
            ("i % 2", 1),
            ("2^(i-4) - 1", 7),
            ("-2^2", -4),
            ("10-4-3", 3),
        ] {
            assert_eq!(parse_and_evaluate(text), Ok(n), "{text}");
        }
        assert_eq!(parse_and_evaluate("1/(i-7)"), Err(IndexError::Zero));
        assert_eq!(parse_and_evaluate("10^19"), Err(IndexError::Large));
        assert_eq!(parse_and_evaluate("i + k"), Err(IndexError::Unknown("k".to_owned())));
    }

    #[test]
    fn what_is_no_index_is_refused_however_long() {
        let deep = format!("{}1{}", "(".repeat(100_000), ")".repeat(100_000));
        let long = "1+".repeat(100_000) + "1";
        for text in ["", "i+", "(i", "i)", "1.5", "2i", "i j", "é", "99999999999999999999", &deep, &long] {
            assert!(parse_index(text).is_err(), "{text:.20}");
        }
    }

    #[test]
    fn conditions_and_ranges() {
        let c = parse_condition("1 <= i and i != n").unwrap();
        assert_eq!(c.iter().map(|c| c.1).collect::<Vec<_>>(), ["<=", "!="]);
        assert!(parse_condition("i").is_err() && parse_condition("i == 1").is_err());
        assert!(
            parse_index_range("1 to n").is_ok()
                && parse_index_range("1..n").is_err()
                && parse_index_range("1 to 2 to 3").is_err()
        );
        assert!(
            relation_holds(1, "<=", 1)
                && !relation_holds(1, "<", 1)
                && relation_holds(1, "!=", 2)
                && relation_holds(2, "=", 2)
        );
    }
}
