//! Sums of a body: where a sign goes, which term stands in front, which products are one operation with a sum.

use syn::Expr;

use super::Scope;
use crate::ir::{Group, NodeId, Op};
use crate::print::rust::syntax::{add, method, mul, neg, sub};

impl Scope<'_> {
    /// `a ± b`; the sign of a factor moves into the operator. A sum stands in front, where it needs no brackets.
    pub(super) fn sum(&mut self, a: NodeId, b: NodeId, minus: bool) -> Expr {
        if let Some(fused) = self.fused(a, b, minus) {
            return fused;
        }
        let (a, b) = if !minus && self.is_sum(b) && !self.is_sum(a) { (b, a) } else { (a, b) };
        match (self.negative(a), self.negative(b)) {
            (_, Some(positive)) => {
                let a = self.expression(a);
                if minus { add(a, positive) } else { sub(a, positive) }
            }
            (Some(positive), None) if !minus => sub(self.expression(b), positive),
            _ => {
                let (a, b) = (self.expression(a), self.expression(b));
                if minus { sub(a, b) } else { add(a, b) }
            }
        }
    }

    /// `a ± b` in one operation, where one of them is a product that stands nowhere else: that of the product and the sum.
    fn fused(&mut self, a: NodeId, b: NodeId, minus: bool) -> Option<Expr> {
        let (product, other, negative, negates_other) = match (self.product(a), self.product(b)) {
            (_, Some(product)) => (product, a, minus, false),
            (Some(product), None) => (product, b, false, minus),
            (None, None) => return None,
        };
        let [x, y] = product;
        let (x, y) = if self.plan.group(x).min(Group::Pose) > self.plan.group(y).min(Group::Pose) {
            (y, x)
        } else {
            (x, y)
        };
        let constant =
            self.plan.constant(x).filter(|_| self.plan.group(x) == Group::Constant && !self.has_name(x));
        let first = match constant {
            Some(value) => {
                let size = self.constant(value.abs());
                if (value < 0.0) != negative { neg(size) } else { size }
            }
            None if negative => neg(self.expression(x)),
            None => self.expression(x),
        };
        let second = self.expression(y);
        let other = self.expression(other);
        Some(method(first, "mul_add", vec![second, if negates_other { neg(other) } else { other }]))
    }

    /// The factors of a product that is written inside the expression of its user.
    fn product(&self, id: NodeId) -> Option<[NodeId; 2]> {
        let node = self.graph.node(id);
        let written =
            self.fused && !self.setup && self.plan.group(id) > Group::Parameter && !self.has_name(id);
        if !written || node.op != Op::Mul {
            return None;
        }
        node.args().try_into().ok()
    }

    /// True for a sum that is written inside the expression of its user.
    fn is_sum(&self, id: NodeId) -> bool {
        let hoisted = self.plan.group(id) <= Group::Parameter && !self.setup;
        let written = !hoisted && !self.has_name(id);
        written && matches!(self.graph.node(id).op, Op::Add | Op::Sub)
    }

    /// For an inlined product with a negative constant: the product without the sign.
    fn negative(&mut self, id: NodeId) -> Option<Expr> {
        let node = self.graph.node(id);
        if node.op != Op::Mul || self.plan.group(id) <= Group::Parameter && !self.setup {
            return None;
        }
        // What is a number as a whole is printed as one: its factors must not be asked for.
        if self.has_name(id) || self.plan.group(id) == Group::Constant {
            return None;
        }
        let value = self.plan.constant(node.args()[0]).filter(|v| *v < 0.0)?;
        let factor = self.constant(-value);
        Some(mul(factor, self.expression(node.args()[1])))
    }
}
