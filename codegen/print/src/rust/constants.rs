//! The numeric constants of a module in Rust.

use syn::{Expr, Item, parse_quote};

use super::data::Part;
use super::literal::literal;
use super::syntax::{associated, comment_of, ident, path};
use crate::code::constants::Constants;

/// Minimum number of uses in a body for a constant of the module to get a local name there.
const NAMED: u32 = 2;
/// Minimum number of uses in a body for a number in digits to get a local name there.
const DIGITS: u32 = 4;

/// A positive number that a body uses `uses` times, and the local name that it should get, if any.
pub fn expression(constants: &Constants, value: f64, uses: u32) -> (Expr, Option<&str>) {
    let Some(called) = constants.called(value) else {
        return (associated("from_f64", vec![literal(value)]), None);
    };
    let (inner, least) = match called.item {
        Some(item) => (path(item), NAMED),
        None => (literal(value), DIGITS),
    };
    (associated("from_f64", vec![inner]), (uses >= least).then_some(called.local))
}

/// The constants of the module that have been used, as items.
pub fn items(constants: &Constants) -> Vec<Part> {
    let item = |c: crate::code::constants::Item| {
        let (name, value) = (ident(c.name), literal(c.value));
        let about = c.about.map(comment_of);
        let item: Item = parse_quote!(#about const #name: f64 = #value;);
        item.into()
    };
    constants.used().into_iter().map(item).collect()
}
