//! Signatures of inner functions (blocks), for their callers.

use syn::{Expr, parse_quote};

use super::syntax::{ident, name_expression};

/// Name of the local in emitted Rust with the angles and their sines and cosines. The next constant
/// names its struct.
pub const ANGLES: &str = "angles";
pub const ANGLES_STRUCT: &str = "Angles";

/// Signature of an inner function (block) of emitted Rust, for its callers.
pub struct BlockSignature {
    /// Name of the inner function, and of the local with its result in the caller.
    pub name: String,
    /// Name of the result struct that the inner function returns.
    pub structure: String,
    /// Number of values in the struct that the inner function returns.
    pub fields: usize,
    /// True if the model is an argument of the inner function.
    pub uses_model: bool,
    /// Names of further arguments of the inner function: time and arrays.
    pub arguments: Vec<&'static str>,
    /// True if the struct of angles, sines and cosines is an argument of the inner function.
    pub takes_angles: bool,
    /// Indices of the blocks whose results are arguments of this inner function.
    pub takes: Vec<usize>,
    /// Names of the blocks in `takes`, as arguments of the call.
    pub names: Vec<String>,
}

impl BlockSignature {
    /// Rust expression that calls the inner function; in the caller, each argument has the name
    /// that it has inside.
    pub fn call_expression(&self) -> Expr {
        let name = ident(&self.name);
        let model = self.uses_model.then(|| name_expression("model"));
        let arguments = self.arguments.iter().map(|a| name_expression(a));
        let angles = self.takes_angles.then_some(ANGLES);
        let blocks = angles.into_iter().chain(self.names.iter().map(String::as_str)).map(|name| -> Expr {
            let name = ident(name);
            parse_quote!(&#name)
        });
        let all = model.into_iter().chain(arguments).chain(blocks);
        parse_quote!(#name(#(#all),*))
    }
}
