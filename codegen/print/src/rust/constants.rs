//! The numeric constants of a module in Rust.

use syn::{Expr, Item, parse_quote};

use super::data::ModulePart;
use super::literal::literal;
use super::syntax::{associated, comment_of, ident, path};
use crate::code::constants::{Constants, ModuleConstant};

/// Minimum number of uses in a body for a named constant of the module to get a local there,
/// already converted to the scalar type.
const MIN_USES_NAMED: u32 = 2;
/// Minimum number of uses in a body for a number in digits to get a local there, already converted
/// to the scalar type.
const MIN_USES_DIGITS: u32 = 4;

/// Rust expression of a positive number that a body uses `uses` times, and the local name that it
/// should get, if any.
pub fn expression(constants: &Constants, value: f64, uses: u32) -> (Expr, Option<&str>) {
    let Some(names) = constants.names_of(value) else {
        return (associated("from_f64", vec![literal(value)]), None);
    };
    let (inner, least) = match names.item {
        Some(item) => (path(item), MIN_USES_NAMED),
        None => (literal(value), MIN_USES_DIGITS),
    };
    (associated("from_f64", vec![inner]), (uses >= least).then_some(names.local))
}

/// Module parts of the named constants that emitted functions have used.
pub fn items(constants: &Constants) -> Vec<ModulePart> {
    constants.used().iter().map(item).collect()
}

fn item(constant: &ModuleConstant) -> ModulePart {
    let (name, value) = (ident(constant.name), literal(constant.value));
    let about = constant.about.map(comment_of);
    let item: Item = parse_quote!(#about const #name: f64 = #value;);
    item.into()
}
