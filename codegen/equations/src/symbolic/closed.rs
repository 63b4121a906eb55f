//! Closed forms: small expression trees for printers.
//!
//! The order of terms and factors is defined here: numbers, then parameters, inputs, states, time,
//! coordinates, functions, speeds, accelerations; short terms before long ones.

use std::cmp::Ordering;
use std::sync::Arc;

use dqdt_algebra::{Cmp, Func, Func2};
use dqdt_graph::ir::SymbolKind;

/// An exact rational number of any size, as decimal digits; in lowest terms, unless it was parsed
/// from a decimal.
#[derive(Clone, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub struct Exact {
    /// True if the number is negative.
    pub negative: bool,
    /// Decimal digits of the numerator, without sign.
    pub num: String,
    /// Decimal digits of the denominator.
    pub den: String,
}

/// A function that a closed form applies to its arguments.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub enum Function {
    /// Sine of an angle in radians.
    Sin,
    /// Cosine of an angle in radians.
    Cos,
    /// Square root.
    Sqrt,
    /// An elementary function of one argument, such as `exp` or `tanh`.
    Func(Func),
    /// A function of two arguments, such as `min`, `atan2` or a power.
    Func2(Func2),
    /// The selection `if a cmp b { c } else { d }`.
    Select(Cmp),
    /// A function table, by its position in the expressions.
    Table(u32),
}

impl Function {
    /// Name of the function in plain text.
    pub fn name(self) -> String {
        match self {
            Function::Sin => "sin".into(),
            Function::Cos => "cos".into(),
            Function::Sqrt => "sqrt".into(),
            Function::Func(f) => f.name().into(),
            Function::Func2(f) => f.name().into(),
            Function::Select(Cmp::Lt) => "select_lt".into(),
            Function::Select(Cmp::Le) => "select_le".into(),
            Function::Select(Cmp::Eq) => "select_eq".into(),
            Function::Table(t) => format!("table{t}"),
        }
    }

    /// Key of a function in maps of names. The key of a table contains a blank, so it differs from
    /// every symbol.
    pub fn name_map_key(self) -> String {
        match self {
            Function::Table(t) => format!("table {t}"),
            other => other.name(),
        }
    }

    /// Number of arguments of the function.
    pub fn arity(self) -> usize {
        match self {
            Function::Func2(_) => 2,
            Function::Select(_) => 4,
            _ => 1,
        }
    }
}

/// A formula in closed form, as a tree of sums, products, powers, quotients and functions; printed
/// by reports.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Closed {
    /// A rational number, exact.
    Number(Exact),
    /// The number π.
    Pi,
    /// A named quantity: parameter, coordinate, speed, ….
    Symbol {
        /// Quantity that the symbol denotes.
        kind: SymbolKind,
        /// Name in the spec; shared, since forms are copied often.
        name: Arc<str>,
    },
    /// A sum; an empty one is zero.
    Sum(Vec<Closed>),
    /// A product; an empty one is one. At most one number, in first position.
    Product(Vec<Closed>),
    /// A power with a positive integer exponent.
    Power(Box<Closed>, u32),
    /// A quotient: numerator and denominator.
    Quotient(Box<Closed>, Box<Closed>),
    /// A function applied to its arguments, in order.
    Function(Function, Vec<Closed>),
}

impl Exact {
    /// The integer `n` as an exact number.
    pub fn integer(n: i64) -> Self {
        Exact { negative: n < 0, num: n.unsigned_abs().to_string(), den: "1".into() }
    }

    /// True for the number one.
    pub fn is_one(&self) -> bool {
        !self.negative && self.num == "1" && self.den == "1"
    }

    /// True for the number zero.
    pub fn is_zero(&self) -> bool {
        self.num == "0"
    }

    /// The number without its sign.
    pub fn abs(&self) -> Self {
        Exact { negative: false, ..self.clone() }
    }

    /// Approximate value as a double.
    pub fn to_f64(&self) -> f64 {
        let [num, den] = [&self.num, &self.den].map(|digits| digits.parse::<f64>().unwrap_or(f64::NAN));
        let magnitude = num / den;
        if self.negative { -magnitude } else { magnitude }
    }
}

impl Closed {
    /// The integer `n` as a closed form.
    pub fn integer(n: i64) -> Self {
        Closed::Number(Exact::integer(n))
    }

    /// Number of nodes, the length that simplification minimises. A power counts one more than its
    /// base.
    pub fn node_count(&self) -> usize {
        match self {
            Closed::Number(n) => 1 + usize::from(n.den != "1" && !n.is_decimal()),
            Closed::Pi | Closed::Symbol { .. } => 1,
            Closed::Sum(terms) | Closed::Product(terms) => {
                terms.iter().map(Closed::node_count).sum::<usize>() + terms.len().saturating_sub(1)
            }
            Closed::Power(base, _) => base.node_count() + 1,
            Closed::Quotient(a, b) => a.node_count() + b.node_count() + 1,
            Closed::Function(_, args) => 1 + args.iter().map(Closed::node_count).sum::<usize>(),
        }
    }

    /// Length for a reader: names, numbers, functions, signs, exponents and pairs of brackets count
    /// one, products nothing.
    pub fn printed_length(&self) -> usize {
        match self {
            Closed::Number(n) => 1 + 2 * usize::from(n.den != "1" && !n.is_decimal()),
            Closed::Pi | Closed::Symbol { .. } => 1,
            // The sign of a negative term also separates it from the preceding one.
            Closed::Sum(terms) => {
                let lengths =
                    terms.iter().map(|t| t.printed_length() - usize::from(t.starts_with_minus_one()));
                lengths.sum::<usize>() + terms.len().saturating_sub(1)
            }
            Closed::Product(factors) => factors.iter().map(Closed::length_in_brackets).sum(),
            Closed::Power(base, _) => base.length_in_brackets() + 1,
            Closed::Quotient(a, b) => a.length_in_brackets() + b.length_in_brackets() + 1,
            Closed::Function(_, args) => {
                let bare = matches!(&args[..], [argument] if argument.is_name_or_multiple());
                1 + args.iter().map(Closed::printed_length).sum::<usize>() + usize::from(!bare)
            }
        }
    }

    /// Length for a reader, with the brackets that a sum gets as a factor.
    fn length_in_brackets(&self) -> usize {
        self.printed_length() + usize::from(self.is_bracket())
    }

    /// True for a sum, which gets brackets as a factor.
    fn is_bracket(&self) -> bool {
        matches!(self, Closed::Sum(terms) if terms.len() > 1)
    }

    /// Measure for the choice among equal forms. First the length; a leading sign is free, and a
    /// bracket containing speeds next to a speed counts two more, so that terms with different
    /// products of speeds stay separate. Then the number of names, to prefer shared factors.
    pub fn simplicity_measure(&self) -> (usize, usize) {
        let length = self.printed_length() - usize::from(self.starts_with_minus_one());
        (length + 2 * self.count_mixed_brackets(), self.count_names())
    }

    /// True if the form contains a speed.
    fn has_speed(&self) -> bool {
        self.contains_symbol_where(&|kind| matches!(kind, SymbolKind::Speed(_)))
    }

    /// Number of brackets with speeds that are multiplied by a speed.
    fn count_mixed_brackets(&self) -> usize {
        match self {
            Closed::Number(_) | Closed::Pi | Closed::Symbol { .. } => 0,
            Closed::Product(factors) => {
                let (brackets, others): (Vec<&Closed>, Vec<&Closed>) =
                    factors.iter().partition(|f| f.is_bracket());
                let has_speed = others.iter().any(|f| f.has_speed());
                let mixed = brackets.iter().filter(|f| has_speed && f.has_speed()).count();
                mixed + factors.iter().map(Closed::count_mixed_brackets).sum::<usize>()
            }
            Closed::Sum(all) | Closed::Function(_, all) => all.iter().map(Closed::count_mixed_brackets).sum(),
            Closed::Power(base, _) => base.count_mixed_brackets(),
            Closed::Quotient(a, b) => a.count_mixed_brackets() + b.count_mixed_brackets(),
        }
    }

    /// Number of symbols in the form, with repetitions.
    fn count_names(&self) -> usize {
        match self {
            Closed::Number(_) => 0,
            Closed::Pi | Closed::Symbol { .. } => 1,
            Closed::Sum(all) | Closed::Product(all) | Closed::Function(_, all) => {
                all.iter().map(Closed::count_names).sum()
            }
            Closed::Power(base, _) => base.count_names(),
            Closed::Quotient(a, b) => a.count_names() + b.count_names(),
        }
    }

    /// True for a name or an integer multiple of one, which a function takes without brackets.
    pub fn is_name_or_multiple(&self) -> bool {
        match self {
            Closed::Symbol { name, .. } => !name.contains('('),
            Closed::Product(factors) => match &factors[..] {
                [Closed::Number(n), Closed::Symbol { name, .. }] => {
                    !n.negative && n.den == "1" && !name.contains('(')
                }
                _ => false,
            },
            _ => false,
        }
    }

    /// True for a product whose first factor is −1, which is printed as a sign.
    pub(super) fn starts_with_minus_one(&self) -> bool {
        let Closed::Product(factors) = self else { return false };
        matches!(factors.first(), Some(Closed::Number(n)) if n.negative && n.abs().is_one())
    }

    /// True for a number, product or quotient with a leading minus sign.
    pub fn is_negative(&self) -> bool {
        match self {
            Closed::Number(n) => n.negative,
            Closed::Product(factors) => factors.first().is_some_and(Closed::is_negative),
            Closed::Quotient(a, _) => a.is_negative(),
            _ => false,
        }
    }

    /// The negated form: a leading number changes its sign, else a factor −1 is put in front.
    pub fn negated(self) -> Self {
        match self {
            Closed::Number(n) => {
                let negative = !n.negative && !n.is_zero();
                Closed::Number(Exact { negative, ..n })
            }
            Closed::Product(mut factors) => {
                match factors.first_mut() {
                    Some(Closed::Number(n)) => {
                        n.negative = !n.negative;
                        if n.is_one() {
                            factors.remove(0);
                        }
                    }
                    Some(first) if first.is_negative() => {
                        let opposite = std::mem::replace(first, Closed::integer(1)).negated();
                        *first = opposite;
                    }
                    _ => factors.insert(0, Closed::integer(-1)),
                }
                Closed::product(factors)
            }
            Closed::Quotient(a, b) => Closed::Quotient(Box::new(a.negated()), b),
            other => Closed::Product(vec![Closed::integer(-1), other]),
        }
    }

    /// A product without redundant brackets: factors one are dropped, a single factor is returned
    /// as such, sign and numbers come first.
    pub fn product(factors: Vec<Closed>) -> Self {
        let (mut numbers, mut flat) = (Vec::new(), Vec::with_capacity(factors.len()));
        let mut negative = false;
        let factors = factors.into_iter().flat_map(|factor| match factor {
            Closed::Product(inner) => inner,
            other => vec![other],
        });
        for f in factors {
            match f {
                Closed::Number(n) => {
                    negative ^= n.negative;
                    numbers.extend(Some(n.abs()).filter(|n| !n.is_one()).map(Closed::Number));
                }
                other => flat.push(other),
            }
        }
        match numbers.first_mut() {
            Some(Closed::Number(n)) => n.negative = negative && !n.is_zero(),
            _ if negative => numbers.push(Closed::integer(-1)),
            _ => {}
        }
        flat.splice(0..0, numbers);
        match flat.len() {
            0 => Closed::integer(1),
            1 => flat.remove(0),
            _ => Closed::Product(flat),
        }
    }

    /// A sum without redundant brackets and zeros.
    pub fn sum(terms: Vec<Closed>) -> Self {
        let mut flat = Vec::with_capacity(terms.len());
        for t in terms {
            match t {
                Closed::Sum(inner) => flat.extend(inner),
                Closed::Number(n) if n.is_zero() => {}
                t if t.starts_with_minus_one() => match t.negated() {
                    Closed::Sum(inner) => flat.extend(inner.into_iter().map(Closed::negated)),
                    other => flat.push(other.negated()),
                },
                other => flat.push(other),
            }
        }
        match flat.len() {
            0 => Closed::integer(0),
            1 => flat.remove(0),
            _ => Closed::Sum(flat),
        }
    }

    /// Replaces symbols by other forms, such as derived parameters by their formulas.
    #[must_use]
    pub fn replace_symbols(&self, known: &[(SymbolKind, Closed)]) -> Self {
        let list = |all: &[Closed]| all.iter().map(|c| c.replace_symbols(known)).collect();
        match self {
            Closed::Symbol { kind, .. } => {
                known.iter().find(|(k, _)| k == kind).map_or_else(|| self.clone(), |(_, c)| c.clone())
            }
            Closed::Number(_) | Closed::Pi => self.clone(),
            Closed::Sum(terms) => Closed::Sum(list(terms)),
            Closed::Product(factors) => Closed::Product(list(factors)),
            Closed::Power(base, n) => Closed::Power(Box::new(base.replace_symbols(known)), *n),
            Closed::Quotient(a, b) => {
                Closed::Quotient(Box::new(a.replace_symbols(known)), Box::new(b.replace_symbols(known)))
            }
            Closed::Function(f, args) => Closed::Function(*f, list(args)),
        }
    }

    /// True if the form contains a symbol of a wanted kind.
    pub fn contains_symbol_where(&self, wanted: &dyn Fn(SymbolKind) -> bool) -> bool {
        match self {
            Closed::Number(_) | Closed::Pi => false,
            Closed::Symbol { kind, .. } => wanted(*kind),
            Closed::Sum(all) | Closed::Product(all) | Closed::Function(_, all) => {
                all.iter().any(|c| c.contains_symbol_where(wanted))
            }
            Closed::Power(base, _) => base.contains_symbol_where(wanted),
            Closed::Quotient(a, b) => a.contains_symbol_where(wanted) || b.contains_symbol_where(wanted),
        }
    }

    /// Rank of a factor; factors of a product are sorted by it.
    pub(super) fn factor_rank(&self) -> u32 {
        match self {
            Closed::Number(_) => 0,
            Closed::Pi => 1,
            Closed::Symbol { kind, .. } => match kind {
                SymbolKind::Parameter(_) => 3,
                SymbolKind::Auxiliary(_) => 4,
                SymbolKind::Input(_)
                | SymbolKind::Impulse(_)
                | SymbolKind::Effort(_)
                | SymbolKind::Contact(_)
                | SymbolKind::Costate(_) => 5,
                SymbolKind::State(_) => 6,
                SymbolKind::Time => 7,
                SymbolKind::Coordinate(_) => 8,
                // A length is a function of the pose.
                SymbolKind::Length(_) => 9,
                // Order 0 is a coordinate; the others are its rates.
                SymbolKind::Named(i) if i % 3 == 0 => 8,
                SymbolKind::Named(_) | SymbolKind::Speed(_) | SymbolKind::Rate(_) => 10,
                SymbolKind::Acceleration(_) => 11,
            },
            Closed::Function(Function::Sqrt, args) if matches!(args[..], [Closed::Number(_)]) => 2,
            Closed::Function(..) => 9,
            Closed::Power(base, _) => base.factor_rank(),
            Closed::Product(factors) => factors.iter().map(Closed::factor_rank).max().unwrap_or(0),
            Closed::Sum(_) | Closed::Quotient(..) => 20,
        }
    }
}

impl PartialOrd for Closed {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Closed {
    /// Order of factors in a product, by rank and then by content.
    fn cmp(&self, other: &Self) -> Ordering {
        let by_rank = self.factor_rank().cmp(&other.factor_rank());
        by_rank.then_with(|| match (self, other) {
            (Closed::Power(a, m), Closed::Power(b, n)) => a.cmp(b).then(m.cmp(n)),
            (Closed::Power(a, _), b) => (**a).cmp(b).then(Ordering::Greater),
            (a, Closed::Power(b, _)) => a.cmp(b).then(Ordering::Less),
            (Closed::Symbol { kind: a, name: x }, Closed::Symbol { kind: b, name: y }) => {
                a.cmp(b).then_with(|| x.cmp(y))
            }
            (Closed::Function(f, a), Closed::Function(g, b)) => f.cmp(g).then_with(|| a.cmp(b)),
            (Closed::Number(a), Closed::Number(b)) => a.cmp(b),
            (Closed::Sum(a), Closed::Sum(b)) | (Closed::Product(a), Closed::Product(b)) => a.cmp(b),
            (Closed::Quotient(a, b), Closed::Quotient(c, d)) => a.cmp(c).then_with(|| b.cmp(d)),
            (a, b) => a.variant_number().cmp(&b.variant_number()),
        })
    }
}

impl Closed {
    /// Number of the variant, for the order of forms of different kinds.
    fn variant_number(&self) -> u8 {
        match self {
            Closed::Number(_) => 0,
            Closed::Pi => 1,
            Closed::Symbol { .. } => 2,
            Closed::Function(..) => 3,
            Closed::Power(..) => 4,
            Closed::Product(_) => 5,
            Closed::Quotient(..) => 6,
            Closed::Sum(_) => 7,
        }
    }

    /// Order of terms in a sum: few factors first, then the order of factors, then numbers.
    pub fn cmp_terms(&self, other: &Self) -> Ordering {
        fn factors_without_number(c: &Closed) -> impl Iterator<Item = &Closed> {
            let factors = match c {
                Closed::Product(factors) => factors.as_slice(),
                other => std::slice::from_ref(other),
            };
            factors.iter().filter(|f| !matches!(f, Closed::Number(_)))
        }
        fn term_weight(c: &Closed) -> usize {
            factors_without_number(c)
                .map(|f| match f {
                    Closed::Power(base, n) if base.node_count() <= 2 => *n as usize,
                    Closed::Symbol { .. } => 1,
                    Closed::Function(..) => 2,
                    other => other.node_count() + 1,
                })
                .sum()
        }
        term_weight(self)
            .cmp(&term_weight(other))
            .then_with(|| factors_without_number(self).cmp(factors_without_number(other)))
            .then_with(|| self.cmp(other))
    }
}
