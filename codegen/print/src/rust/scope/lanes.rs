//! Calls of equal parts, whose computations run in SIMD lanes.

use std::ops::Range;
use std::rc::Rc;

use proc_macro2::Span;
use syn::{Expr, LitInt, Pat, Stmt, parse_quote};

use super::Scope;
use crate::rust::syntax::{array, bind, ident, path, pattern, slice_pattern};
use dqdt_graph::plan::Column;

/// Maximum number of SIMD lanes in one call.
const MOST: usize = 8;

impl Scope<'_> {
    /// The calls of an equal part, each with up to eight lanes.
    pub(super) fn side_by_side(&mut self, number: usize) -> Vec<Stmt> {
        let lanes = self.body.part(number).lanes;
        (0..lanes).step_by(MOST).map(|from| self.lanes(number, from..lanes.min(from + MOST))).collect()
    }

    fn lanes(&mut self, number: usize, lanes: Range<usize>) -> Stmt {
        let body = Rc::clone(&self.body);
        let part = body.part(number);
        let (together, width) = match lanes.len() {
            ..=2 => ("in_pairs", 2),
            3..=4 => ("in_fours", 4),
            _ => ("in_eights", MOST),
        };
        let (shared, own) = part.inputs.split_at(part.shared());
        let shared: Vec<Expr> = shared.iter().map(|c| self.written(body.in_lane(c, 0))).collect();
        let inputs: Vec<Expr> = own.iter().map(|c| self.column(c, number, lanes.clone(), width)).collect();
        let pattern_of = |c: &Column| -> Pat {
            if !c.alone.contains(&true) {
                return pattern(Some(body.lane(c, lanes.start)));
            }
            let name = |k: usize| (c.alone.get(k) == Some(&true)).then(|| body.lane(c, k));
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

    /// The values of an input in all lanes, as an argument of equal part `number`. Surplus lanes
    /// repeat the last value.
    fn column(&mut self, column: &Column, number: usize, lanes: Range<usize>, width: usize) -> Expr {
        let body = Rc::clone(&self.body);
        if let Some((part, output)) = body.handed_on(column, number) {
            return path(body.lane(&part.outputs[output], lanes.start));
        }
        let mut lanes: Vec<Expr> = lanes.map(|lane| self.written(body.in_lane(column, lane))).collect();
        let last = lanes[lanes.len() - 1].clone();
        lanes.resize(width, last);
        array(lanes)
    }
}

fn number_of(n: usize) -> LitInt {
    LitInt::new(&n.to_string(), Span::call_site())
}
