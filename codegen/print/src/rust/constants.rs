//! The numeric constants of a module in Rust.

use syn::{Expr, Item, parse_quote};

use super::data::ModulePart;
use super::literal::number_literal;
use super::syntax::{associated_call, comment_attribute, ident, name_expression};
use crate::code::constants::{Constants, ModuleConstant};

/// Minimum number of uses in a body for a named constant of the module to get a local there,
/// already converted to the scalar type.
const MIN_USES_NAMED: u32 = 2;
/// Minimum number of uses in a body for a number in digits to get a local there, already converted
/// to the scalar type.
const MIN_USES_DIGITS: u32 = 4;

/// Rust expression of a positive number that a body uses `uses` times, and the local name that it
/// should get, if any.
pub fn number_expression(constants: &Constants, value: f64, uses: u32) -> (Expr, Option<&str>) {
    let Some(names) = constants.names_for_number(value) else {
        return (associated_call("from_f64", vec![number_literal(value)]), None);
    };
    let (inner, least) = match names.item {
        Some(item) => (name_expression(item), MIN_USES_NAMED),
        None => (number_literal(value), MIN_USES_DIGITS),
    };
    (associated_call("from_f64", vec![inner]), (uses >= least).then_some(names.local))
}

/// Module parts of the named constants that emitted functions have used.
pub fn constant_items(constants: &Constants) -> Vec<ModulePart> {
    constants.used().iter().map(constant_item).collect()
}

fn constant_item(constant: &ModuleConstant) -> ModulePart {
    let (name, value) = (ident(constant.name), number_literal(constant.value));
    let about = constant.about.map(comment_attribute);
    let item: Item = parse_quote!(#about const #name: f64 = #value;);
    item.into()
}
