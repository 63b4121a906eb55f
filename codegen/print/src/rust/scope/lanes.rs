//! Calls of equal parts, whose computations run in SIMD lanes.

use std::ops::Range;
use std::rc::Rc;

use syn::{Expr, Pat, Stmt, parse_quote};

use super::RustScope;
use crate::rust::syntax::{
    array_expression, ident, int_literal, let_statement, name_expression, name_pattern, slice_pattern,
};
use crate::tree::BodyTree;
use dqdt_graph::plan::Column;

/// Maximum number of SIMD lanes in one call of an equal part.
const MAX_LANES: usize = 8;

impl RustScope<'_> {
    /// Statements that call an equal part of the body, each with up to eight SIMD lanes.
    pub(super) fn equal_part_calls(&mut self, number: usize) -> Vec<Stmt> {
        let lanes = self.body.equal_part(number).lanes;
        (0..lanes)
            .step_by(MAX_LANES)
            .map(|from| self.lane_call(number, from..lanes.min(from + MAX_LANES)))
            .collect()
    }

    /// Statement that calls equal part `number` for these SIMD lanes.
    fn lane_call(&mut self, number: usize, lanes: Range<usize>) -> Stmt {
        let body = Rc::clone(&self.body);
        let part = body.equal_part(number);
        let (method, width) = match lanes.len() {
            ..=2 => ("in_pairs", 2),
            3..=4 => ("in_fours", 4),
            _ => ("in_eights", MAX_LANES),
        };
        let (shared, per_lane) = part.inputs.split_at(part.shared_input_count());
        let shared: Vec<Expr> = shared.iter().map(|c| self.value_expression(body.lane_value(c, 0))).collect();
        let inputs: Vec<Expr> =
            per_lane.iter().map(|c| self.lane_values(c, number, lanes.clone(), width)).collect();
        let outputs: Vec<Pat> =
            part.outputs.iter().map(|c| output_pattern(&body, c, lanes.clone(), width)).collect();
        let (method, name) = (ident(method), ident(&part.name));
        let [h, i, o] = [shared.len(), inputs.len(), outputs.len()].map(int_literal);
        let value: Expr = parse_quote!(T::#method::<#name, #h, #i, #o>([#(#shared),*], [#(#inputs),*]));
        let_statement(parse_quote!([#(#outputs),*]), value)
    }

    /// Values of an input in all SIMD lanes, as an argument of equal part `number`. Surplus lanes
    /// repeat the last value.
    fn lane_values(&mut self, column: &Column, number: usize, lanes: Range<usize>, width: usize) -> Expr {
        let body = Rc::clone(&self.body);
        if let Some((part, output)) = body.forwarded_output(column, number) {
            return name_expression(body.lane_output_name(&part.outputs[output], lanes.start));
        }
        let mut values: Vec<Expr> =
            lanes.map(|lane| self.value_expression(body.lane_value(column, lane))).collect();
        let last = values[values.len() - 1].clone();
        values.resize(width, last);
        array_expression(values)
    }
}

/// Pattern that binds an output of an equal part: the array of its lanes as a whole, or the lanes
/// that are used separately.
fn output_pattern(body: &BodyTree<'_>, column: &Column, lanes: Range<usize>, width: usize) -> Pat {
    if !column.alone.contains(&true) {
        return name_pattern(Some(body.lane_output_name(column, lanes.start)));
    }
    let names: Vec<Option<&str>> = lanes
        .map(|k| (column.alone.get(k) == Some(&true)).then(|| body.lane_output_name(column, k)))
        .chain(std::iter::repeat(None))
        .take(width)
        .collect();
    slice_pattern(&names)
}
