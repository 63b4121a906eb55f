//! Local folding of an operation as it is recorded, by its arguments and their arguments.
//!
//! Every rule is an identity of real numbers where both sides are defined. Constants combine
//! exactly or not at all: an operation whose result has no exact [`Number`] is kept. Negations move
//! outwards, so that `a·b` and `(−a)·b` share a node.

use super::graph::Graph;
use super::node::{NodeId, Op};
use dqdt_algebra::{Cmp, Func, Func2, Number, Ratio};

/// Result of folding: an existing node, a constant, or an operation to record.
pub(super) enum Folded {
    /// The operation folds to a node of the graph that has the value already.
    Existing(NodeId),
    /// The operation folds to an exact constant.
    Number(Number),
    /// An operation to record as it is, with its operands and their number.
    Operation(Op, [NodeId; 4], usize),
}

use Folded::{Existing, Operation};

/// The operation unchanged, as no rule applies.
fn unfolded(op: Op, args: &[NodeId]) -> Folded {
    let mut a = [NodeId(0); 4];
    a[..args.len()].copy_from_slice(args);
    Operation(op, a, args.len())
}

/// The node of another operation of equal value, itself folded.
fn fold_again(g: &Graph, op: Op, args: &[NodeId]) -> Folded {
    Existing(g.operation(op, args))
}

impl Graph {
    /// Records an operation after local folding. The result may be an existing node.
    pub fn operation(&self, op: Op, args: &[NodeId]) -> NodeId {
        if let Some(id) = self.look_up_folded(op, args) {
            return id;
        }
        let id = self.fold_operation(op, args);
        self.store_folded(op, args, id);
        id
    }

    fn fold_operation(&self, op: Op, args: &[NodeId]) -> NodeId {
        match fold_by_rules(self, op, args) {
            Folded::Existing(id) => id,
            Folded::Number(n) => {
                let id = self.number(n);
                if let [a, b] = *args
                    && let (Some(a), Some(b)) = (self.constant(a), self.constant(b))
                {
                    self.record_composition(n, op, a, b);
                }
                id
            }
            Folded::Operation(op, args, count) => self.raw(op, &args[..count]),
        }
    }
}

fn fold_by_rules(g: &Graph, op: Op, args: &[NodeId]) -> Folded {
    match (op, args) {
        (Op::Add, &[a, b]) => fold_sum(g, a, b),
        (Op::Sub, &[a, b]) => fold_difference(g, a, b),
        (Op::Mul, &[a, b]) => fold_product(g, a, b),
        (Op::Div, &[a, b]) => fold_quotient(g, a, b),
        (Op::Neg, &[a]) => fold_negation(g, a),
        (Op::Sqrt, &[a]) => match g.constant(a).and_then(Number::exact_sqrt) {
            Some(root) => Folded::Number(root),
            None => unfolded(op, args),
        },
        (Op::Sin | Op::Cos, &[a]) => fold_sine_or_cosine(g, op, a),
        (Op::Func(f), &[a]) => fold_function(g, f, a),
        (Op::Func2(f), &[a, b]) => fold_function2(g, f, a, b),
        (Op::Select(cmp), &[a, b, yes, no]) => fold_selection(g, cmp, a, b, yes, no),
        _ => unfolded(op, args),
    }
}

/// The operand x, if the node is `−x`.
fn operand_of_negation(g: &Graph, id: NodeId) -> Option<NodeId> {
    let node = g.node(id);
    (node.op == Op::Neg).then(|| node.args()[0])
}

/// The node as `c · x` with an exact constant `c`, if it is a product with a constant or a
/// negation.
fn split_constant_factor(g: &Graph, id: NodeId) -> Option<(Number, NodeId)> {
    let node = g.node(id);
    match (node.op, node.args()) {
        (Op::Mul, &[c, x]) => g.constant(c).map(|c| (c, x)),
        (Op::Neg, &[x]) => Some((Number::integer(-1), x)),
        _ => None,
    }
}

fn fold_sum(g: &Graph, a: NodeId, b: NodeId) -> Folded {
    let (ca, cb) = (g.constant(a), g.constant(b));
    if ca.is_some_and(Number::is_zero) {
        return Existing(b);
    }
    if cb.is_some_and(Number::is_zero) {
        return Existing(a);
    }
    if let (Some(x), Some(y)) = (ca, cb)
        && let Some(sum) = x.checked_add(y)
    {
        return Folded::Number(sum);
    }
    match (operand_of_negation(g, a), operand_of_negation(g, b)) {
        (Some(x), Some(y)) => {
            let sum = g.operation(Op::Add, &[x, y]);
            return fold_again(g, Op::Neg, &[sum]);
        }
        (Some(x), None) => return fold_again(g, Op::Sub, &[b, x]),
        (None, Some(y)) => return fold_again(g, Op::Sub, &[a, y]),
        (None, None) => {}
    }
    if let Some(result) = collect_common_operand(g, a, b, false) {
        return result;
    }
    if is_sine_square_sum(g, a, b) {
        return Folded::Number(Number::ONE);
    }
    // (a − b) + b = a
    for (x, y) in [(a, b), (b, a)] {
        let node = g.node(x);
        if node.op == Op::Sub && node.args()[1] == y {
            return Existing(node.args()[0]);
        }
    }
    unfolded(Op::Add, &[a.min(b), a.max(b)])
}

fn fold_difference(g: &Graph, a: NodeId, b: NodeId) -> Folded {
    if a == b {
        return Folded::Number(Number::ZERO);
    }
    let (ca, cb) = (g.constant(a), g.constant(b));
    if cb.is_some_and(Number::is_zero) {
        return Existing(a);
    }
    if ca.is_some_and(Number::is_zero) {
        return fold_again(g, Op::Neg, &[b]);
    }
    if let (Some(x), Some(y)) = (ca, cb.and_then(Number::checked_neg))
        && let Some(difference) = x.checked_add(y)
    {
        return Folded::Number(difference);
    }
    if let Some(y) = operand_of_negation(g, b) {
        return fold_again(g, Op::Add, &[a, y]);
    }
    if let Some(x) = operand_of_negation(g, a) {
        let sum = g.operation(Op::Add, &[x, b]);
        return fold_again(g, Op::Neg, &[sum]);
    }
    if let Some(result) = collect_common_operand(g, a, b, true) {
        return result;
    }
    let (na, nb) = (g.node(a), g.node(b));
    // (x + y) − y = x, (x + y) − x = y
    if na.op == Op::Add {
        if na.args()[0] == b {
            return Existing(na.args()[1]);
        }
        if na.args()[1] == b {
            return Existing(na.args()[0]);
        }
    }
    // x − (x + y) = −y, x − (x − y) = y
    match nb.op {
        Op::Add if nb.args()[0] == a => return fold_again(g, Op::Neg, &[nb.args()[1]]),
        Op::Add if nb.args()[1] == a => return fold_again(g, Op::Neg, &[nb.args()[0]]),
        Op::Sub if nb.args()[0] == a => return Existing(nb.args()[1]),
        _ => {}
    }
    // If b − a is recorded, use its negation.
    match g.find_operation(Op::Sub, &[b, a]) {
        Some(opposite) if g.find_operation(Op::Sub, &[a, b]).is_none() => unfolded(Op::Neg, &[opposite]),
        _ => unfolded(Op::Sub, &[a, b]),
    }
}

/// Folds a sum or difference of multiples of one operand: `c₁ x ± c₂ x = (c₁ ± c₂) x` with exact
/// constants.
fn collect_common_operand(g: &Graph, a: NodeId, b: NodeId, minus: bool) -> Option<Folded> {
    let split = |id| split_constant_factor(g, id).unwrap_or((Number::ONE, id));
    let ((ka, xa), (kb, xb)) = (split(a), split(b));
    if xa != xb || g.constant(xa).is_some() {
        return None;
    }
    let kb = if minus { kb.checked_neg()? } else { kb };
    let k = g.number(ka.checked_add(kb)?);
    Some(fold_again(g, Op::Mul, &[k, xa]))
}

/// True if the sum `a + b` is `sin²x + cos²x`, which folds to one.
fn is_sine_square_sum(g: &Graph, a: NodeId, b: NodeId) -> bool {
    let square_of = |id| {
        let node = g.node(id);
        match (node.op, node.args()) {
            (Op::Mul, &[x, y]) if x == y => Some(g.node(x)),
            _ => None,
        }
    };
    match (square_of(a), square_of(b)) {
        (Some(x), Some(y)) => {
            matches!((x.op, y.op), (Op::Sin, Op::Cos) | (Op::Cos, Op::Sin)) && x.args() == y.args()
        }
        _ => false,
    }
}

fn fold_product(g: &Graph, a: NodeId, b: NodeId) -> Folded {
    // The constant, if any, comes first.
    let (a, b) = if g.constant(b).is_some() && g.constant(a).is_none() { (b, a) } else { (a, b) };
    let (ca, cb) = (g.constant(a), g.constant(b));
    if ca.is_some_and(Number::is_zero) {
        return Folded::Number(Number::ZERO);
    }
    if let (Some(x), Some(y)) = (ca, cb)
        && let Some(product) = x.checked_mul(y)
    {
        return Folded::Number(product);
    }
    if let Some(c) = ca {
        if c.is_one() {
            return Existing(b);
        }
        if c == Number::integer(-1) {
            return fold_again(g, Op::Neg, &[b]);
        }
        if let Some((k, x)) = split_constant_factor(g, b)
            && let Some(product) = c.checked_mul(k)
        {
            g.record_composition(product, Op::Mul, c, k);
            return fold_again(g, Op::Mul, &[g.number(product), x]);
        }
        // Constants whose product has no exact number are grouped into one operation, evaluated at
        // emission.
        let node = g.node(b);
        if let (Op::Mul, &[k, x]) = (node.op, node.args())
            && g.constant(k).is_some()
            && g.constant(x).is_none()
        {
            let product = g.raw(Op::Mul, &[a.min(k), a.max(k)]);
            return unfolded(Op::Mul, &[product, x]);
        }
        return unfolded(Op::Mul, &[a, b]);
    }
    match (operand_of_negation(g, a), operand_of_negation(g, b)) {
        (Some(x), Some(y)) => return fold_again(g, Op::Mul, &[x, y]),
        (Some(x), None) => {
            let product = g.operation(Op::Mul, &[x, b]);
            return fold_again(g, Op::Neg, &[product]);
        }
        (None, Some(y)) => {
            let product = g.operation(Op::Mul, &[a, y]);
            return fold_again(g, Op::Neg, &[product]);
        }
        (None, None) => {}
    }
    if a == b && g.node(a).op == Op::Sqrt {
        return Existing(g.node(a).args()[0]);
    }
    // Constants move to the front of a product: x · (c y) = c (x y).
    for (x, y) in [(a, b), (b, a)] {
        if let Some((c, z)) = split_constant_factor(g, y) {
            let product = g.operation(Op::Mul, &[x, z]);
            let c = g.number(c);
            return fold_again(g, Op::Mul, &[c, product]);
        }
    }
    unfolded(Op::Mul, &[a.min(b), a.max(b)])
}

fn fold_quotient(g: &Graph, a: NodeId, b: NodeId) -> Folded {
    let (ca, cb) = (g.constant(a), g.constant(b));
    if cb.is_some_and(Number::is_zero) {
        return unfolded(Op::Div, &[a, b]);
    }
    if ca.is_some_and(Number::is_zero) {
        return Folded::Number(Number::ZERO);
    }
    if a == b {
        return Folded::Number(Number::ONE);
    }
    if let (Some(x), Some(y)) = (ca, cb)
        && let Some(quotient) = x.checked_div(y)
    {
        return Folded::Number(quotient);
    }
    if let Some(inverse) = cb.and_then(|c| Number::ONE.checked_div(c)) {
        let inverse = g.number(inverse);
        return fold_again(g, Op::Mul, &[inverse, a]);
    }
    match (operand_of_negation(g, a), operand_of_negation(g, b)) {
        (Some(x), Some(y)) => return fold_again(g, Op::Div, &[x, y]),
        (Some(x), None) => {
            let quotient = g.operation(Op::Div, &[x, b]);
            return fold_again(g, Op::Neg, &[quotient]);
        }
        (None, Some(y)) => {
            let quotient = g.operation(Op::Div, &[a, y]);
            return fold_again(g, Op::Neg, &[quotient]);
        }
        (None, None) => {}
    }
    let na = g.node(a);
    if na.op == Op::Mul {
        if na.args()[0] == b {
            return Existing(na.args()[1]);
        }
        if na.args()[1] == b {
            return Existing(na.args()[0]);
        }
    }
    unfolded(Op::Div, &[a, b])
}

fn fold_negation(g: &Graph, a: NodeId) -> Folded {
    if let Some(n) = g.constant(a).and_then(Number::checked_neg) {
        return Folded::Number(n);
    }
    if let Some(x) = operand_of_negation(g, a) {
        return Existing(x);
    }
    let node = g.node(a);
    match (node.op, node.args()) {
        (Op::Sub, &[x, y]) => fold_again(g, Op::Sub, &[y, x]),
        (Op::Mul, &[c, x]) => match g.constant(c).and_then(Number::checked_neg) {
            Some(c) => {
                let c = g.number(c);
                fold_again(g, Op::Mul, &[c, x])
            }
            None => unfolded(Op::Neg, &[a]),
        },
        _ => unfolded(Op::Neg, &[a]),
    }
}

/// Folds exact values at multiples of π/6 and π/4 (with √2 and √3 as operations), shifts by
/// multiples of π/2, and parity.
fn fold_sine_or_cosine(g: &Graph, op: Op, a: NodeId) -> Folded {
    if g.constant(a).is_some_and(Number::is_zero) {
        return Folded::Number(if op == Op::Sin { Number::ZERO } else { Number::ONE });
    }
    if let Some(Number::Pi(r)) = g.constant(a)
        && let Some(value) = exact_sine_or_cosine(g, op, r)
    {
        return Existing(value);
    }
    if let Some(x) = operand_of_negation(g, a) {
        let value = g.operation(op, &[x]);
        return if op == Op::Sin { fold_again(g, Op::Neg, &[value]) } else { Existing(value) };
    }
    let node = g.node(a);
    match (node.op, node.args()) {
        // Only the positive multiple is evaluated, so that sin(k x) and sin(−k x) share a node. A
        // difference has one orientation already.
        (Op::Mul, &[c, x]) => {
            if let Some(c) = g.constant(c)
                && c.is_negative()
                && let Some(positive) = c.checked_neg()
            {
                let angle = g.number(positive);
                let angle = g.operation(Op::Mul, &[angle, x]);
                let value = g.operation(op, &[angle]);
                return if op == Op::Sin { fold_again(g, Op::Neg, &[value]) } else { Existing(value) };
            }
        }
        (Op::Add, &[x, y]) => {
            for (constant, rest) in [(x, y), (y, x)] {
                if let Some(Number::Pi(r)) = g.constant(constant)
                    && let Some(quarters) = r.checked_mul(Ratio::integer(2))
                    && quarters.is_integer()
                {
                    return fold_quarter_turns(g, op, quarters.num().rem_euclid(4), rest);
                }
            }
        }
        _ => {}
    }
    unfolded(op, &[a])
}

/// Folds the sine or cosine (`op`) of `rest + quarters · π/2`.
fn fold_quarter_turns(g: &Graph, op: Op, quarters: i64, rest: NodeId) -> Folded {
    let phase = if op == Op::Sin { quarters } else { quarters + 1 };
    let base = if phase % 2 == 0 { Op::Sin } else { Op::Cos };
    let value = g.operation(base, &[rest]);
    // sin(x + k π/2): sin, cos, −sin, −cos.
    if (phase / 2) % 2 == 1 { fold_again(g, Op::Neg, &[value]) } else { Existing(value) }
}

/// The sine or cosine of `r π` as a node, if it is a multiple of π/6 or π/4.
fn exact_sine_or_cosine(g: &Graph, op: Op, r: Ratio) -> Option<NodeId> {
    // Reduce to the sine of an angle in [0, 2π), in steps of π/12 (a twenty-fourth of a turn).
    let steps = r.checked_mul(Ratio::integer(12))?;
    if !steps.is_integer() {
        return None;
    }
    let shift = if op == Op::Cos { 6 } else { 0 };
    let k = (steps.num().rem_euclid(24) + shift) % 24;
    let (negative, k) = if k >= 12 { (true, k - 12) } else { (false, k) };
    let k = if k > 6 { 12 - k } else { k };
    let half = Number::ratio(1, 2)?;
    let root = |n: i64| {
        let radicand = g.number(Number::integer(n));
        let root = g.operation(Op::Sqrt, &[radicand]);
        let half = g.number(half);
        g.operation(Op::Mul, &[half, root])
    };
    let value = match k {
        0 => g.number(Number::ZERO),
        2 => g.number(half),
        3 => root(2),
        4 => root(3),
        6 => g.number(Number::ONE),
        _ => return None,
    };
    Some(if negative { g.operation(Op::Neg, &[value]) } else { value })
}

fn fold_function(g: &Graph, f: Func, a: NodeId) -> Folded {
    let value = match (f, g.constant(a)) {
        (_, None) => None,
        (Func::Exp | Func::Cosh, Some(n)) if n.is_zero() => Some(Number::ONE),
        (Func::Ln, Some(n)) if n.is_one() => Some(Number::ZERO),
        (Func::Ln | Func::Exp | Func::Cosh | Func::Acos, Some(_)) => None,
        (_, Some(n)) if n.is_zero() => Some(Number::ZERO),
        (Func::Abs, Some(n)) => {
            n.compare(Number::ZERO).and_then(|order| if order.is_lt() { n.checked_neg() } else { Some(n) })
        }
        (Func::Sign, Some(n)) => Some(Number::integer(f.eval(n.to_f64()) as i64)),
        _ => None,
    };
    if let Some(n) = value {
        return Folded::Number(n);
    }
    if let Some(x) = operand_of_negation(g, a) {
        match f {
            Func::Tan | Func::Asin | Func::Atan | Func::Sinh | Func::Tanh | Func::Sign => {
                let value = g.operation(Op::Func(f), &[x]);
                return fold_again(g, Op::Neg, &[value]);
            }
            Func::Cosh | Func::Abs => return fold_again(g, Op::Func(f), &[x]),
            Func::Acos | Func::Exp | Func::Ln => {}
        }
    }
    unfolded(Op::Func(f), &[a])
}

fn fold_function2(g: &Graph, f: Func2, a: NodeId, b: NodeId) -> Folded {
    if let (Some(x), Some(y)) = (g.constant(a), g.constant(b))
        && let Some(order) = x.compare(y)
    {
        match f {
            Func2::Min => return Folded::Number(if order.is_le() { x } else { y }),
            Func2::Max => return Folded::Number(if order.is_ge() { x } else { y }),
            Func2::Atan2 | Func2::Pow => {}
        }
    }
    if f == Func2::Pow && g.constant(b).is_some_and(Number::is_one) {
        return Existing(a);
    }
    if f == Func2::Pow && g.constant(b).is_some_and(Number::is_zero) {
        return Folded::Number(Number::ONE);
    }
    unfolded(Op::Func2(f), &[a, b])
}

fn fold_selection(g: &Graph, cmp: Cmp, a: NodeId, b: NodeId, yes: NodeId, no: NodeId) -> Folded {
    if yes == no {
        return Existing(yes);
    }
    if let (Some(x), Some(y)) = (g.constant(a), g.constant(b))
        && let Some(order) = x.compare(y)
    {
        let holds = match cmp {
            Cmp::Lt => order.is_lt(),
            Cmp::Le => order.is_le(),
            Cmp::Eq => order.is_eq(),
        };
        return Existing(if holds { yes } else { no });
    }
    unfolded(Op::Select(cmp), &[a, b, yes, no])
}
