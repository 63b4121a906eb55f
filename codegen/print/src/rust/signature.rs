//! Signatures of emitted Rust functions, and the methods of the model.
//!
//! One convention for all: results are written to the last argument, and the returned value says
//! whether they are valid. A `Result` with the values could not report an error that concerns one
//! lane of several.

use syn::{Ident, ReturnType, Type, parse_quote};

use super::data::{MacroCall, ModulePart};
use super::names::ModuleNames;
use super::scope::Array;
use super::syntax::ident;
use crate::code::result_arguments::{joined_functions, result_argument_names};
use dqdt_graph::ir::declaration::{Declaration, Returns, Vector};
use dqdt_graph::ir::{Function, Program};

/// Arguments of an emitted function after model and time: names, types and entries.
pub struct FunctionArguments {
    pub arrays: Vec<Array>,
    pub types: Vec<Type>,
    /// Names and types of the arguments that receive results.
    pub out: Vec<(Ident, Type)>,
}

/// Name of the emitted constant for the length of a vector, such as `NX`.
fn length_constant(vector: Vector) -> Ident {
    ident(match vector {
        Vector::State | Vector::Costates => "NX",
        Vector::Coordinates => "NQ",
        Vector::Speeds | Vector::Accelerations | Vector::Efforts => "NV",
        Vector::IndependentAccelerations => "NI",
        Vector::DrivenAccelerations => "NDRIVEN",
        Vector::Inputs | Vector::Impulses => "NU",
        Vector::Contacts => "NCON",
    })
}

/// Rust type of an array, nested if there are several `dims`, with the lengths of these vectors.
fn array_type(dims: &[Vector], scalar: &Type) -> Type {
    dims.iter().rev().fold(scalar.clone(), |inner, vector| {
        let n = length_constant(*vector);
        parse_quote!([#inner; #n])
    })
}

/// Arguments of an emitted function for a scalar type, after model and time.
pub fn function_arguments(
    declaration: &Declaration,
    names: &ModuleNames,
    scalar: &Type,
) -> FunctionArguments {
    let inputs = declaration.arguments;
    let arrays =
        inputs.iter().map(|a| Array { name: a.name, entries: names.vector_entries(a.vector) }).collect();
    let types = inputs.iter().map(|a| {
        let ty = array_type(&[a.vector], scalar);
        parse_quote!(&#ty)
    });
    let out = joined_functions(declaration).into_iter().zip(result_argument_names(declaration));
    let out = out.filter_map(|(part, place)| Some((ident(place), result_type(part, scalar)?))).collect();
    FunctionArguments { arrays, types: types.collect(), out }
}

/// Rust type of a function's result argument; `None` for a joint call, which has several.
fn result_type(declaration: &Declaration, scalar: &Type) -> Option<Type> {
    match declaration.returns {
        Returns::Array { dims, .. } => Some(array_type(dims, scalar)),
        Returns::Struct { name, .. } => {
            let name = ident(name);
            Some(parse_quote!(#name<#scalar>))
        }
        Returns::Limited { of: argument } => Some(array_type(&[argument.vector], scalar)),
        Returns::Joint(_) => None,
    }
}

/// Return type of an emitted function: a `Result` on the validity of its results, or flags of the
/// limits that acted. `mask` is the type of a flag.
pub fn return_type(function: &Function, mask: &Type) -> ReturnType {
    match function.declaration.returns {
        Returns::Limited { of: argument } => {
            let flags = array_type(&[argument.vector], mask);
            parse_quote!(-> #flags)
        }
        Returns::Array { .. } | Returns::Struct { .. } | Returns::Joint(_) if function.is_fallible() => {
            parse_quote!(-> ::core::result::Result<(), ::dqdt::Singular<#mask>>)
        }
        Returns::Array { .. } | Returns::Struct { .. } | Returns::Joint(_) => ReturnType::Default,
    }
}

/// Methods of the model, compiled for a scalar type in the crate of the module: a macro call with
/// one line for each function.
pub fn methods_macro(program: &Program, scalar: &str) -> ModulePart {
    let functions = program.functions.iter().filter(|f| !f.outputs.is_empty());
    let call = MacroCall::new("methods").push_line(1, &format!("Model compiled for {scalar} {{"));
    let call = functions.fold(call, |call, f| call.push_line(2, &method_line(f)));
    call.push_line(1, "}").finish_call()
}

/// Line of a method in the macro call: `dqdt(x[NX], u[NU]) -> dx[NX] or Singular;`.
fn method_line(function: &Function) -> String {
    let declaration = function.declaration;
    let inputs =
        declaration.arguments.iter().map(|a| format!("{}{}", a.name, bracketed_lengths(&[a.vector])));
    let inputs = inputs.collect::<Vec<_>>().join(", ");
    let out = joined_functions(declaration).into_iter().zip(result_argument_names(declaration)).map(
        |(part, place)| match part.returns {
            Returns::Array { dims, .. } => format!("{place}{}", bracketed_lengths(dims)),
            Returns::Struct { name, .. } => format!("{place}: {name}"),
            Returns::Limited { of: argument } => {
                let size = bracketed_lengths(&[argument.vector]);
                format!("{place}{size} with flags{size}")
            }
            Returns::Joint(_) => String::new(),
        },
    );
    let out = out.collect::<Vec<_>>().join(", ");
    let verdict = if function.is_fallible() { " or Singular" } else { "" };
    format!("{}({inputs}) -> {out}{verdict};", declaration.name)
}

/// Lengths of an array for a method line, each in square brackets: `[NV][NV]`.
fn bracketed_lengths(dims: &[Vector]) -> String {
    dims.iter().map(|v| format!("[{}]", length_constant(*v))).collect()
}
