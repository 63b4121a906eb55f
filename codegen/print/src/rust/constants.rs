//! The numbers of a module as Rust writes them.

use syn::{Expr, Item, parse_quote};

use super::data::Part;
use super::literal::literal;
use super::syntax::{associated, comment_of, ident, path};
use crate::code::constants::Constants;

/// From so many uses in a body on a constant gets a local name there.
const NAMED: u32 = 2;
/// The same for a number that is written with its digits.
const DIGITS: u32 = 4;

/// A positive number that a body uses `uses` times; with its local name where it should have one.
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

/// The constants that were used.
pub fn items(constants: &Constants) -> Vec<Part> {
    let item = |c: crate::code::constants::Item| {
        let (name, value) = (ident(c.name), literal(c.value));
        let about = c.about.map(comment_of);
        let item: Item = parse_quote!(#about const #name: f64 = #value;);
        item.into()
    };
    constants.used().into_iter().map(item).collect()
}
