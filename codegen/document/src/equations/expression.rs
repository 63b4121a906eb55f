//! Expressions of a page: converts graph nodes to sums of products, with symbols for named values.

use rustc_hash::FxHashMap;

use crate::report::{Math, Spacing};
use dqdt_algebra::{Cmp, Func2};
use dqdt_graph::ir::{Graph, Group, NodeId, Op};
use dqdt_graph::plan::Plan;
use dqdt_print::code::numbers;

/// The symbol under which a page shows a value, with the factor between both.
#[derive(Clone, Debug)]
pub struct ValueSymbol {
    /// Mathematics of the symbol, without sign and factor.
    pub math: Math,
    /// True if the value is the opposite of the symbol.
    pub opposite: bool,
    /// Factor between symbol and value: the value is `times` the symbol, as for twice a named
    /// number.
    pub times: f64,
    /// Sort position of the symbol within a product: numbers with names first, then sines and
    /// cosines, then others.
    pub rank: u8,
}

/// Converts values of a graph to mathematics for a page of equations, given the symbols of the
/// page.
pub struct Expressions<'a> {
    pub graph: &'a Graph,
    pub plan: &'a Plan,
    pub shown: FxHashMap<NodeId, ValueSymbol>,
}

/// One term of a sum on a page of equations: a signed quotient of factors.
#[derive(Clone, Default)]
struct SignedTerm {
    negative: bool,
    numbers: Vec<f64>,
    above: Vec<TermFactor>,
    below: Vec<TermFactor>,
}

#[derive(Clone)]
struct TermFactor {
    rank: u8,
    math: Math,
}

/// Maximum width, in columns, of an expression below a root sign on a page of equations. A wider
/// one is printed as `sqrt(…)`.
const MAX_ROOT: usize = 24;

/// Sort position of functions and sums, which come last in a product.
const LAST_RANK: u8 = 4;

impl Expressions<'_> {
    /// Mathematics of a value: its symbol, or its expression if it has no symbol.
    pub fn value_math(&self, id: NodeId) -> Math {
        self.sum_math(id, false)
    }

    /// Mathematics of the expression that defines a value, or of its negation.
    pub fn defining_expression(&self, id: NodeId, opposite: bool) -> Math {
        let mut terms = Vec::new();
        self.collect_terms(id, opposite, true, &mut terms);
        join_terms(terms)
    }

    /// Number of symbols in the expression that defines a value, counted to about 64; decides if
    /// the value is written out where it is used.
    pub fn count_symbols(&self, id: NodeId) -> usize {
        let mut stack = self.graph.node(id).args().to_vec();
        let mut count = 0;
        while let Some(id) = stack.pop() {
            if self.shown.contains_key(&id) {
                count += 1;
            } else if self.plan.dependency_group(id) != Group::Constant {
                stack.extend_from_slice(self.graph.node(id).args());
            }
            if count > 64 {
                break;
            }
        }
        count
    }

    /// Values with symbols that occur in the expression that defines a value.
    pub fn needed_symbols(&self, id: NodeId) -> Vec<NodeId> {
        let mut stack = self.graph.node(id).args().to_vec();
        let mut operands = Vec::new();
        while let Some(id) = stack.pop() {
            if self.shown.contains_key(&id) {
                operands.push(id);
            } else {
                stack.extend_from_slice(self.graph.node(id).args());
            }
        }
        operands
    }

    fn sum_math(&self, id: NodeId, top: bool) -> Math {
        let mut terms = Vec::new();
        self.collect_terms(id, false, top, &mut terms);
        join_terms(terms)
    }

    fn collect_terms(&self, id: NodeId, negative: bool, top: bool, out: &mut Vec<SignedTerm>) {
        let node = self.graph.node(id);
        let leaf = !top && self.shown.contains_key(&id) || self.plan.dependency_group(id) == Group::Constant;
        match (node.op, node.args()) {
            (Op::Add, [a, b]) if !leaf => {
                self.collect_terms(*a, negative, false, out);
                self.collect_terms(*b, negative, false, out);
            }
            (Op::Sub, [a, b]) if !leaf => {
                self.collect_terms(*a, negative, false, out);
                self.collect_terms(*b, !negative, false, out);
            }
            (Op::Neg, [a]) if !leaf => self.collect_terms(*a, !negative, false, out),
            _ => {
                let product = self.signed_product(id, top);
                out.push(SignedTerm { negative: product.negative != negative, ..product });
            }
        }
    }

    fn signed_product(&self, id: NodeId, top: bool) -> SignedTerm {
        if let Some(shown) = self.shown.get(&id).filter(|_| !top) {
            let numbers = if shown.times == 1.0 { Vec::new() } else { vec![shown.times] };
            let factor = TermFactor { rank: shown.rank, math: shown.math.clone() };
            return SignedTerm { negative: shown.opposite, numbers, above: vec![factor], below: Vec::new() };
        }
        if self.plan.dependency_group(id) == Group::Constant {
            let value = self.plan.constant_value(id).unwrap_or(f64::NAN);
            return SignedTerm { negative: value < 0.0, numbers: vec![value.abs()], ..SignedTerm::default() };
        }
        let node = self.graph.node(id);
        match (node.op, node.args()) {
            (Op::Mul, [a, b]) => {
                multiply_terms(self.signed_product(*a, false), self.signed_product(*b, false))
            }
            (Op::Div, [a, b]) => {
                let below = self.signed_product(*b, false);
                let over =
                    SignedTerm { above: below.below, below: below.above, numbers: Vec::new(), ..below };
                let mut whole = multiply_terms(self.signed_product(*a, false), over);
                let divisor: f64 = below.numbers.iter().product();
                if divisor != 1.0 {
                    whole.below.push(TermFactor { rank: 0, math: number_math(divisor) });
                }
                whole
            }
            (Op::Neg, [a]) => {
                let product = self.signed_product(*a, false);
                SignedTerm { negative: !product.negative, ..product }
            }
            _ => {
                let math = self.operation_math(id);
                SignedTerm { above: vec![TermFactor { rank: LAST_RANK, math }], ..SignedTerm::default() }
            }
        }
    }

    fn operation_math(&self, id: NodeId) -> Math {
        let node = self.graph.node(id);
        let args = node.args();
        let call = |name: &str| {
            Math::function_call(Math::Function(name.to_owned()), args.iter().map(|a| self.value_math(*a)))
        };
        match node.op {
            Op::Add | Op::Sub => self.sum_math(id, true).bracketed(),
            Op::Sqrt => {
                // The browser cannot break a line below a root.
                let below = self.value_math(args[0]);
                let short = below.text().chars().count() <= MAX_ROOT;
                if short { Math::Root(Box::new(below)) } else { call("sqrt") }
            }
            Op::Sin => call("sin"),
            Op::Cos => call("cos"),
            Op::Func(f) => call(f.name()),
            Op::Func2(Func2::Pow) => {
                let base = match self.shown.get(&args[0]) {
                    Some(shown) if !shown.opposite && shown.times == 1.0 => shown.math.clone(),
                    _ => self.value_math(args[0]).bracketed(),
                };
                base.to_power(self.value_math(args[1]))
            }
            Op::Func2(f) => call(f.name()),
            Op::Select(cmp) => {
                let sign = match cmp {
                    Cmp::Lt => Math::operator(" < ", " < "),
                    Cmp::Le => Math::operator(" ≤ ", r" \le "),
                    Cmp::Eq => Math::operator(" = ", " = "),
                };
                let condition = Math::row([self.value_math(args[0]), sign, self.value_math(args[1])]);
                Math::Cases([self.value_math(args[2]), condition, self.value_math(args[3])].map(Box::new))
            }
            Op::Table(t) => {
                let table = self.graph.table_data(t);
                let name =
                    if table.name.is_empty() { format!("table {}", t.0 + 1) } else { table.name.clone() };
                Math::function_call(Math::Function(name), [self.value_math(args[0])])
            }
            _ => self.value_math(id),
        }
    }
}

fn multiply_terms(mut a: SignedTerm, b: SignedTerm) -> SignedTerm {
    a.negative ^= b.negative;
    a.numbers.extend(b.numbers);
    a.above.extend(b.above);
    a.below.extend(b.below);
    a
}

/// A positive number as mathematics; as a fraction if it is a quotient of small integers.
fn number_math(value: f64) -> Math {
    match numbers::small_quotient(value) {
        Some((n, d)) => Math::integer(i64::from(n)).quotient(Math::integer(i64::from(d))),
        None => Math::number(value),
    }
}

/// Factors of a product in the order of their ranks, after its numbers. Equal factors become a
/// power.
fn factors_in_order(mut all: Vec<TermFactor>, numbers: &[f64]) -> Vec<Math> {
    all.sort_by_key(|f| f.rank);
    let mut counted: Vec<(TermFactor, i64)> = Vec::new();
    for factor in all {
        match counted.iter_mut().find(|(known, _)| known.math == factor.math) {
            Some((_, n)) => *n += 1,
            None => counted.push((factor, 1)),
        }
    }
    let powers =
        counted.into_iter().map(|(f, n)| if n == 1 { f.math } else { f.math.to_power(Math::integer(n)) });
    numbers.iter().map(|x| number_math(*x)).chain(powers).collect()
}

fn is_number(math: &Math) -> bool {
    matches!(math, Math::Number(..))
}

/// Mathematics of a product: factors next to each other, with a dot between numbers.
fn join_factors(all: Vec<Math>) -> Math {
    let mut parts = Vec::with_capacity(2 * all.len());
    for (i, math) in all.into_iter().enumerate() {
        if i > 0 {
            let dot = is_number(&math) && parts.last().is_some_and(is_number);
            parts.push(Math::Spacing(if dot { Spacing::Dot } else { Spacing::Apart }));
        }
        parts.push(math);
    }
    if parts.len() == 1 { parts.swap_remove(0) } else { Math::row(parts) }
}

impl SignedTerm {
    /// The term as mathematics, without its sign.
    fn unsigned_math(self) -> Math {
        // A factor of one is omitted unless it is the only factor.
        let ones = self.numbers.iter().filter(|x| **x != 1.0).copied().collect::<Vec<_>>();
        let mut above = factors_in_order(self.above, &ones);
        if above.is_empty() {
            above.push(Math::integer(1));
        }
        let above = join_factors(above);
        if self.below.is_empty() {
            return above;
        }
        let below = factors_in_order(self.below, &[]);
        let single = below.len() == 1;
        let below = join_factors(below);
        // A fraction bar would prevent a line break within the quotient.
        let below = if single { below } else { below.bracketed() };
        Math::row([above, Math::operator("/", "/"), below])
    }
}

/// Mathematics of a sum of terms. A positive term, if there is one, comes first.
fn join_terms(mut terms: Vec<SignedTerm>) -> Math {
    // Zero terms are omitted.
    if terms.len() > 1 {
        terms.retain(|t| !t.numbers.contains(&0.0));
    }
    if let Some(at) = terms.iter().position(|t| !t.negative) {
        let first = terms.remove(at);
        terms.insert(0, first);
    }
    let mut parts: Vec<Math> = Vec::with_capacity(2 * terms.len());
    for term in terms {
        let negative = term.negative;
        let math = term.unsigned_math();
        match (parts.is_empty(), negative) {
            (true, false) => {}
            (true, true) => parts.push(Math::operator("−", "-")),
            (false, true) => parts.push(Math::operator(" − ", " - ")),
            (false, false) => parts.push(Math::operator(" + ", " + ")),
        }
        parts.push(math);
    }
    match parts.len() {
        0 => Math::integer(0),
        1 => parts.swap_remove(0),
        _ => Math::row(parts),
    }
}
