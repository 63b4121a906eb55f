//! Emits the generic functions of a module, each with its struct of results.

use syn::{FnArg, Item, ItemFn, Stmt, parse_quote};

use super::block_signature::BlockSignature;
use super::data::{ModulePart, unparse};
use super::documentation::function_documentation;
use super::items::{allow_upper_case, result_struct};
use super::names::ModuleNames;
use super::pivots;
use super::results::{emit_results, result_field_names};
use super::scope::RustScope;
use super::signature::{FunctionArguments, function_arguments, return_type};
use super::statements::{Statements, body_in_closure as body_of};
use super::syntax::ident;
use crate::tree::FunctionParts;
use dqdt_graph::ir::declaration::{Declaration, Returns};
use dqdt_graph::ir::{Program, Role, SymbolKind};
use dqdt_graph::plan::Plan;

/// Inputs of an emitted function: model, time, vectors, results. Unused ones get an underscore
/// before their names.
fn emit_function_inputs(arguments: &FunctionArguments, unused: &[String]) -> Vec<FnArg> {
    let argument =
        |name: &str| ident(&if unused.iter().any(|u| u == name) { format!("_{name}") } else { name.into() });
    let (model, t) = (argument("model"), argument("t"));
    let mut inputs: Vec<FnArg> = vec![parse_quote!(#model: &Model<T>), parse_quote!(#t: T)];
    for (a, ty) in arguments.arrays.iter().zip(&arguments.types) {
        let name = argument(a.name);
        inputs.push(parse_quote!(#name: #ty));
    }
    inputs.extend(arguments.out.iter().map(|(name, ty)| -> FnArg {
        let name = argument(&name.to_string());
        parse_quote!(#name: &mut #ty)
    }));
    inputs
}

/// Module parts of an emitted function: its struct of results, then the function.
pub fn emit_function(
    program: &Program,
    plan: &Plan,
    names: &ModuleNames,
    blocks: &[BlockSignature],
    number: usize,
) -> Vec<ModulePart> {
    let (function, body) = (&program.functions[number], &plan.functions[number]);
    if function.outputs.is_empty() {
        return Vec::new();
    }
    let declaration = function.declaration;
    let arguments = function_arguments(declaration, names, &parse_quote!(T));
    let mut items = Vec::new();
    for (part, outputs) in function.results() {
        // A function that is also emitted on its own has brought its struct along.
        let defines_struct =
            part == declaration || program.function(part).is_none_or(|f| f.outputs.is_empty());
        if let Returns::Struct { name, about } = part.returns
            && defines_struct
        {
            items.push(result_struct(name, about, outputs, &result_field_names(outputs)));
        }
    }
    items.extend(pivots::pivot_list_part(program, function));

    let mut scope = RustScope::of_function(&program.graph, plan, body, names, &arguments.arrays);
    let in_closure = declaration.role == Some(Role::StateDerivative);
    let (mut early, mut rest) = (Statements::new("early", in_closure), Statements::new("rest", in_closure));
    scope.each_statement(|is_early, stmt| if is_early { &mut early } else { &mut rest }.push_statement(stmt));
    let parts = FunctionParts::new(plan, number, function);
    let returned = emit_results(&mut scope, &parts, &mut rest);
    let block_values = scope.bind_block_values(&parts.calls, blocks);
    let mut stmts = scope.prologue_statements(&arguments.arrays);
    stmts.extend(early.placeholder());
    stmts.extend(block_values);
    stmts.extend(rest.placeholder());
    stmts.extend(returned.map(|e| Stmt::Expr(e, None)));
    let mut unused = unused_arguments(&scope, declaration, &arguments, parts.is_checked);
    for ((part, outputs), (place, _)) in function.results().into_iter().zip(&arguments.out) {
        let empty = outputs.iter().all(|o| o.nodes.is_empty());
        if empty && !parts.is_checked && !matches!(part.returns, Returns::Struct { .. }) {
            unused.push(place.to_string());
        }
    }

    let inputs = emit_function_inputs(&arguments, &unused);
    let returns = return_type(function, &parse_quote!(T::Mask));
    let name = ident(declaration.name);
    let about = function_documentation(program, function);
    let style = allow_upper_case(scope.locals(&arguments.arrays).iter().map(String::as_str));
    let mut item: ItemFn = parse_quote! {
        #(#about)*
        #style
        pub fn #name<T: ::dqdt::Real>(#(#inputs),*) #returns {}
    };
    item.block.stmts = body_of(stmts, in_closure);
    items.push(ModulePart::Printed(
        rest.replace_placeholder(&early.replace_placeholder(&unparse(vec![Item::Fn(item)]))),
    ));
    items
}

fn unused_arguments(
    scope: &RustScope,
    declaration: &Declaration,
    arguments: &FunctionArguments,
    needs_model: bool,
) -> Vec<String> {
    let mut out = Vec::new();
    if !scope.has_used_model() && !needs_model {
        out.push("model".to_owned());
    }
    if !scope.has_used_entry(SymbolKind::Time) && !scope.passes_argument("t") {
        out.push("t".to_owned());
    }
    for a in &arguments.arrays {
        // Values with limits are compared with their limited values, so their entries are read.
        let compared =
            matches!(declaration.returns, Returns::Limited { of: limited } if limited.name == a.name);
        let compared = compared && !a.entries.is_empty();
        if !compared
            && !scope.passes_argument(a.name)
            && !a.entries.iter().any(|(kind, _)| scope.has_used_entry(*kind))
        {
            out.push(a.name.to_owned());
        }
    }
    out
}
