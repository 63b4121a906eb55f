//! Sums as Rust writes them.

use syn::Expr;

use super::Scope;
use crate::code::sums::{Sum, Sums, Term};
use crate::rust::syntax::{add, method, mul, neg, sub};
use dqdt_graph::ir::NodeId;

impl<'a> Scope<'a> {
    /// How sums and products of this body are written.
    pub(super) fn sums(&self) -> Sums<'a> {
        Sums { graph: self.graph, plan: self.plan, body: self.body, setup: self.setup, fused: self.fused }
    }

    /// `a ± b`
    pub(super) fn sum(&mut self, a: NodeId, b: NodeId, minus: bool) -> Expr {
        match self.sums().sum(a, b, minus) {
            Sum::Fused(f) => {
                let first = match f.first {
                    Term::Multiple(size, _) => self.constant(size),
                    Term::Value(x) => self.expression(x),
                };
                let first = if f.negative { neg(first) } else { first };
                let second = self.expression(f.second);
                let other = self.expression(f.other);
                method(first, "mul_add", vec![second, if f.negates_other { neg(other) } else { other }])
            }
            Sum::Plain { first, second, minus } => {
                // Numbers that are named here are named in the order in which they were asked for.
                let multiple = match second {
                    Term::Multiple(size, of) => Some(self.multiple(size, of)),
                    Term::Value(_) => None,
                };
                let first = self.term(first);
                let second = multiple.unwrap_or_else(|| self.term(second));
                if minus { sub(first, second) } else { add(first, second) }
            }
        }
    }

    fn term(&mut self, term: Term) -> Expr {
        match term {
            Term::Value(id) => self.expression(id),
            Term::Multiple(size, of) => self.multiple(size, of),
        }
    }

    fn multiple(&mut self, size: f64, of: NodeId) -> Expr {
        let factor = self.constant(size);
        mul(factor, self.expression(of))
    }
}
