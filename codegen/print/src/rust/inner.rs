//! Inner functions as their callers see them.

use syn::{Expr, parse_quote};

use super::syntax::{ident, path};

/// The local that holds angles with their sines and cosines, and its struct.
pub const ANGLES: &str = "angles";
pub const ANGLES_STRUCT: &str = "Angles";

/// An inner function as its callers see it.
pub struct Inner {
    /// Its name, and that of the local that holds its result.
    pub name: String,
    /// The struct that it returns.
    pub structure: String,
    /// How many values it returns.
    pub fields: usize,
    /// Whether it takes the model.
    pub uses_model: bool,
    /// Time and arrays that it takes.
    pub arguments: Vec<&'static str>,
    /// Whether it takes angles with their sines and cosines.
    pub takes_angles: bool,
    /// The blocks whose results it takes.
    pub takes: Vec<usize>,
    /// Their names.
    pub names: Vec<String>,
}

impl Inner {
    /// A call, where what it takes has the names that it has inside.
    pub fn call(&self) -> Expr {
        let name = ident(&self.name);
        let model = self.uses_model.then(|| path("model"));
        let arguments = self.arguments.iter().map(|a| path(a));
        let angles = self.takes_angles.then_some(ANGLES);
        let blocks = angles.into_iter().chain(self.names.iter().map(String::as_str)).map(|name| -> Expr {
            let name = ident(name);
            parse_quote!(&#name)
        });
        let all = model.into_iter().chain(arguments).chain(blocks);
        parse_quote!(#name(#(#all),*))
    }
}
