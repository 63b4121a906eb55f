//! Decides how the sums of a body are printed: position of signs, order of terms, products fused
//! with sums.

use dqdt_graph::ir::{Graph, Group, NodeId, Op};
use dqdt_graph::plan::{Plan, PlannedBody};

/// Form in which a sum of two terms is printed in emitted code. The caller prints the terms.
pub enum PrintedSum {
    /// `first × second + other` with one rounding (fused multiply-add).
    Fused(Fused),
    /// A sum printed with an operator, `first + second` or `first − second`.
    Plain {
        /// The first term of the sum.
        first: PrintedTerm,
        /// The second term of the sum.
        second: PrintedTerm,
        /// True if the second term is subtracted.
        minus: bool,
    },
}

/// Term of a sum in emitted code.
#[derive(Clone, Copy)]
pub enum PrintedTerm {
    /// Node of the graph, printed by its name or its operation.
    Value(NodeId),
    /// A positive number times a value. Its sign is that of the operator of the sum.
    Multiple(f64, NodeId),
}

/// A product and a sum in one operation (fused multiply-add) of emitted code.
pub struct Fused {
    /// One factor of the product; `negative` has its sign.
    pub first: PrintedTerm,
    /// True if the product is subtracted.
    pub negative: bool,
    /// Other factor of the product, a graph node.
    pub second: NodeId,
    /// Graph node that is added to the product.
    pub other: NodeId,
    /// True if `other` is subtracted instead of added.
    pub negates_other: bool,
}

/// Context for deciding how the sums of an emitted body are printed.
pub struct Sums<'a> {
    /// Graph to which the terms belong.
    pub graph: &'a Graph,
    /// Plan of the program, with the groups of values.
    pub plan: &'a Plan,
    /// Planned body whose sums are printed.
    pub body: &'a PlannedBody,
    /// True for the body of `Model::new`, where nothing is fused.
    pub setup: bool,
    /// True if products are fused with sums.
    pub fused: bool,
}

impl Sums<'_> {
    /// Decides how `a ± b` is printed. The sign of a factor moves into the operator. A nested sum
    /// comes first, where it needs no brackets.
    pub fn arrange_sum(&self, a: NodeId, b: NodeId, minus: bool) -> PrintedSum {
        if let Some(fused) = self.as_fused_sum(a, b, minus) {
            return PrintedSum::Fused(fused);
        }
        let (a, b) =
            if !minus && self.is_inlined_sum(b) && !self.is_inlined_sum(a) { (b, a) } else { (a, b) };
        match (self.negative_multiple(a), self.negative_multiple(b)) {
            (_, Some(positive)) => {
                PrintedSum::Plain { first: PrintedTerm::Value(a), second: positive, minus: !minus }
            }
            (Some(positive), None) if !minus => {
                PrintedSum::Plain { first: PrintedTerm::Value(b), second: positive, minus: true }
            }
            _ => PrintedSum::Plain { first: PrintedTerm::Value(a), second: PrintedTerm::Value(b), minus },
        }
    }

    /// Factors of a product in the order of print. Numbers come before parameters, and both before
    /// values that depend on the state.
    pub fn factors_in_order(&self, a: NodeId, b: NodeId) -> (NodeId, NodeId) {
        let late =
            self.plan.dependency_group(a).min(Group::Pose) > self.plan.dependency_group(b).min(Group::Pose);
        if late { (b, a) } else { (a, b) }
    }

    /// Returns `true` for a value that is printed by its name: it has a statement, or comes from a
    /// block.
    fn is_printed_by_name(&self, id: NodeId) -> bool {
        self.body.schedule.has_statement(id) || self.body.is_computed_elsewhere(id)
    }

    /// The sum `a ± b` as one operation, if one of them is a product that is used only here. The
    /// result has the signs of product and sum.
    fn as_fused_sum(&self, a: NodeId, b: NodeId, minus: bool) -> Option<Fused> {
        let (product, other, negative, negates_other) =
            match (self.inlined_product(a), self.inlined_product(b)) {
                (_, Some(product)) => (product, a, minus, false),
                (Some(product), None) => (product, b, false, minus),
                (None, None) => return None,
            };
        let (x, y) = self.factors_in_order(product[0], product[1]);
        let constant = self
            .plan
            .constant_value(x)
            .filter(|_| self.plan.dependency_group(x) == Group::Constant && !self.is_printed_by_name(x));
        let (first, negative) = match constant {
            Some(value) => (PrintedTerm::Multiple(value.abs(), x), (value < 0.0) != negative),
            None => (PrintedTerm::Value(x), negative),
        };
        Some(Fused { first, negative, second: y, other, negates_other })
    }

    /// Factors of a product that is printed within the expression of its user; `None` for any other
    /// node.
    fn inlined_product(&self, id: NodeId) -> Option<[NodeId; 2]> {
        let node = self.graph.node(id);
        let is_inlined = self.fused
            && !self.setup
            && self.plan.dependency_group(id) > Group::Parameter
            && !self.is_printed_by_name(id);
        if !is_inlined || node.op != Op::Mul {
            return None;
        }
        node.args().try_into().ok()
    }

    /// Returns `true` for a sum that is printed within the expression of its user, without a name.
    fn is_inlined_sum(&self, id: NodeId) -> bool {
        let hoisted = self.plan.dependency_group(id) <= Group::Parameter && !self.setup;
        let is_inlined = !hoisted && !self.is_printed_by_name(id);
        is_inlined && matches!(self.graph.node(id).op, Op::Add | Op::Sub)
    }

    /// Inlined product with a negative constant, without its sign; `None` for any other node.
    fn negative_multiple(&self, id: NodeId) -> Option<PrintedTerm> {
        let node = self.graph.node(id);
        if node.op != Op::Mul || self.plan.dependency_group(id) <= Group::Parameter && !self.setup {
            return None;
        }
        // A product of constants is printed as one number, so its factors are never printed.
        if self.is_printed_by_name(id) || self.plan.dependency_group(id) == Group::Constant {
            return None;
        }
        let value = self.plan.constant_value(node.args()[0]).filter(|v| *v < 0.0)?;
        Some(PrintedTerm::Multiple(-value, node.args()[1]))
    }
}
