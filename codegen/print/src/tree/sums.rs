//! Sums of a body: where a sign goes, which term stands in front, which products are one operation with a sum.

use dqdt_graph::ir::{Graph, Group, NodeId, Op};
use dqdt_graph::plan::{Body, Plan};

/// A sum as it is written; the terms are printed by whoever asks.
pub enum Sum {
    /// `first × second + other` in one rounding.
    Fused(Fused),
    /// `first + second`, or `first − second`.
    Plain {
        /// The term in front.
        first: Term,
        /// The other.
        second: Term,
        /// It is taken away.
        minus: bool,
    },
}

/// A term of a sum.
#[derive(Clone, Copy)]
pub enum Term {
    /// A value.
    Value(NodeId),
    /// A positive number times a value: its sign is in the operator.
    Multiple(f64, NodeId),
}

/// A product and a sum in one operation.
pub struct Fused {
    /// One factor; with the sign of `negative`.
    pub first: Term,
    /// True if the product is taken away.
    pub negative: bool,
    /// The other factor.
    pub second: NodeId,
    /// What is added.
    pub other: NodeId,
    /// It is taken away instead.
    pub negates_other: bool,
}

/// What the sums of a body go by.
pub struct Sums<'a> {
    /// The operations.
    pub graph: &'a Graph,
    /// Where they stand.
    pub plan: &'a Plan,
    /// The body.
    pub body: &'a Body,
    /// It is that of the model.
    pub setup: bool,
    /// Whether products are fused with sums.
    pub fused: bool,
}

impl Sums<'_> {
    /// `a ± b`; the sign of a factor moves into the operator. A sum stands in front, where it needs no brackets.
    pub fn sum(&self, a: NodeId, b: NodeId, minus: bool) -> Sum {
        if let Some(fused) = self.as_fused(a, b, minus) {
            return Sum::Fused(fused);
        }
        let (a, b) = if !minus && self.is_sum(b) && !self.is_sum(a) { (b, a) } else { (a, b) };
        let multiple = |(size, of)| Term::Multiple(size, of);
        match (self.negative(a), self.negative(b)) {
            (_, Some(positive)) => {
                Sum::Plain { first: Term::Value(a), second: multiple(positive), minus: !minus }
            }
            (Some(positive), None) if !minus => {
                Sum::Plain { first: Term::Value(b), second: multiple(positive), minus: true }
            }
            _ => Sum::Plain { first: Term::Value(a), second: Term::Value(b), minus },
        }
    }

    /// The factors of a product, what is known first in front.
    pub fn factors(&self, a: NodeId, b: NodeId) -> (NodeId, NodeId) {
        let late = self.plan.group(a).min(Group::Pose) > self.plan.group(b).min(Group::Pose);
        if late { (b, a) } else { (a, b) }
    }

    /// True for what has a statement or comes from a block.
    fn has_name(&self, id: NodeId) -> bool {
        self.body.schedule.is_bound(id) || self.body.takes(id)
    }

    /// `a ± b` in one operation, where one of them is a product that stands nowhere else: that of the product and the sum.
    fn as_fused(&self, a: NodeId, b: NodeId, minus: bool) -> Option<Fused> {
        let (product, other, negative, negates_other) = match (self.product(a), self.product(b)) {
            (_, Some(product)) => (product, a, minus, false),
            (Some(product), None) => (product, b, false, minus),
            (None, None) => return None,
        };
        let (x, y) = self.factors(product[0], product[1]);
        let constant =
            self.plan.constant(x).filter(|_| self.plan.group(x) == Group::Constant && !self.has_name(x));
        let (first, negative) = match constant {
            Some(value) => (Term::Multiple(value.abs(), x), (value < 0.0) != negative),
            None => (Term::Value(x), negative),
        };
        Some(Fused { first, negative, second: y, other, negates_other })
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

    /// For an inlined product with a negative constant: the size of the constant, and the other factor.
    fn negative(&self, id: NodeId) -> Option<(f64, NodeId)> {
        let node = self.graph.node(id);
        if node.op != Op::Mul || self.plan.group(id) <= Group::Parameter && !self.setup {
            return None;
        }
        // What is a number as a whole is printed as one: its factors must not be asked for.
        if self.has_name(id) || self.plan.group(id) == Group::Constant {
            return None;
        }
        let value = self.plan.constant(node.args()[0]).filter(|v| *v < 0.0)?;
        Some((-value, node.args()[1]))
    }
}
