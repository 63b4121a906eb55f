//! Calls of what a body computes in lanes.

use std::ops::Range;

use proc_macro2::Span;
use syn::{Expr, LitInt, Pat, Stmt, parse_quote};

use super::Scope;
use crate::rust::syntax::{array, bind, ident, neg, path, pattern, slice_pattern};
use dqdt_graph::plan::Column;

/// The most lanes of a call.
const MOST: usize = 8;

impl Scope<'_> {
    /// The calls of an equal part, of up to eight lanes each.
    pub(super) fn side_by_side(&mut self, number: usize) -> Vec<Stmt> {
        let lanes = self.body.parts[number].lanes;
        (0..lanes).step_by(MOST).map(|from| self.lanes(number, from..lanes.min(from + MOST))).collect()
    }

    fn lanes(&mut self, number: usize, lanes: Range<usize>) -> Stmt {
        let body = self.body;
        let part = &body.parts[number];
        let (together, width) = match lanes.len() {
            ..=2 => ("in_pairs", 2),
            3..=4 => ("in_fours", 4),
            _ => ("in_eights", MOST),
        };
        let (shared, own) = part.inputs.split_at(part.shared());
        let shared: Vec<Expr> = shared.iter().map(|c| self.value_in_lane(c, 0)).collect();
        let inputs: Vec<Expr> = own.iter().map(|c| self.column(c, number, lanes.clone(), width)).collect();
        let pattern_of = |c: &Column| -> Pat {
            if !c.alone.contains(&true) {
                return pattern(Some(self.lane(c, lanes.start)));
            }
            let name = |k: usize| (c.alone.get(k) == Some(&true)).then(|| self.lane(c, k));
            let names: Vec<Option<&str>> =
                lanes.clone().map(name).chain(std::iter::repeat(None)).take(width).collect();
            slice_pattern(&names)
        };
        let outputs: Vec<Pat> = part.outputs.iter().map(pattern_of).collect();
        let (together, name) = (ident(together), ident(&part.name));
        let [h, i, o] = [shared.len(), inputs.len(), outputs.len()].map(number_of);
        let value: Expr = parse_quote!(T::#together::<#name, #h, #i, #o>([#(#shared),*], [#(#inputs),*]));
        bind(parse_quote!([#(#outputs),*]), value)
    }

    /// What a lane of a column is called that holds its value or the opposite.
    fn lane(&self, column: &Column, lane: usize) -> &str {
        let node = column.nodes[lane];
        if column.negated[lane] {
            let opposite = self.body.opposites.get(&node).map(String::as_str);
            return self.graph.invariants().require(opposite, "value", "the opposite in a lane has no name");
        }
        self.name(node)
    }

    /// The values of a column, for the equal part of this number; what has more lanes than parts repeats the last.
    fn column(&mut self, column: &Column, number: usize, lanes: Range<usize>, width: usize) -> Expr {
        let body = self.body;
        // A column that nobody takes apart is handed on as it is.
        let earlier = body.parts[..number].iter().flat_map(|p| &p.outputs);
        let whole = |c: &&Column| c.nodes == column.nodes && !c.alone.contains(&true);
        if let Some(c) = earlier.clone().find(whole) {
            return path(self.lane(c, lanes.start));
        }
        let mut lanes: Vec<Expr> = lanes.map(|lane| self.value_in_lane(column, lane)).collect();
        let last = lanes[lanes.len() - 1].clone();
        lanes.resize(width, last);
        array(lanes)
    }

    /// What a lane of a column holds.
    fn value_in_lane(&mut self, column: &Column, lane: usize) -> Expr {
        let (node, negated) = (column.nodes[lane], column.negated[lane]);
        match self.body.opposites.get(&node) {
            // What is at hand is the opposite.
            Some(opposite) if negated => path(opposite),
            _ => {
                let value = self.expression(node);
                if negated { neg(value) } else { value }
            }
        }
    }
}

fn number_of(n: usize) -> LitInt {
    LitInt::new(&n.to_string(), Span::call_site())
}
