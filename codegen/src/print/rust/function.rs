//! The generic functions, with what belongs to each.

use syn::{FnArg, Item, ItemFn, parse_quote};

use super::data::Part;
use super::documentation::documentation;
use super::items::{struct_of, style};
use super::names::ModuleNames;
use super::pivots;
use super::results::results;
use super::scope::Scope;
use super::signature::{Arguments, arguments, verdict};
use super::syntax::ident;
use crate::ir::declaration::{Declaration, Returns};
use crate::ir::{Function, NodeId, Program, SymbolKind, Taken};
use crate::plan::{Body, Plan, Step};

/// Everything that belongs to a function: its struct of results, itself.
pub fn parts(
    program: &Program,
    plan: &Plan,
    names: &ModuleNames,
    function: &Function,
    body: &Body,
) -> Vec<Part> {
    if function.outputs.is_empty() {
        return Vec::new();
    }
    let declaration = function.declaration;
    let mut fields = Taken::default();
    let fields: Vec<String> = function.outputs.iter().map(|o| fields.unique(&o.name)).collect();
    let arguments = arguments(declaration, names, &parse_quote!(T));
    let mut items = Vec::new();
    let structure = match declaration.returns {
        Returns::Struct { name, about } => Some((name, about)),
        Returns::Array { .. } | Returns::Limited { .. } => None,
    };
    if let Some((name, about)) = structure {
        items.push(struct_of(name, about, &function.outputs, &fields));
    }
    items.extend(pivots::part(function));

    let mut scope = Scope::of_function(&program.graph, plan, body, names, &arguments.arrays);
    let statements = scope.statements();
    let end = results(&mut scope, function, &fields);
    let mut stmts = scope.prologue(&arguments.arrays);
    let checked = declaration.checked && !function.checks.is_empty();
    let mut unused = unused(&scope, declaration, &arguments, checked);
    let empty = function.outputs.iter().all(|o| o.nodes.is_empty());
    if empty && structure.is_none() && !checked {
        unused.push(arguments.out.0.to_string());
    }
    stmts.extend(statements);
    stmts.extend(end);

    // An argument that is not used says so by its name.
    let argument =
        |name: &str| ident(&if unused.iter().any(|u| u == name) { format!("_{name}") } else { name.into() });
    let (model, t) = (argument("model"), argument("t"));
    let mut inputs: Vec<FnArg> = vec![parse_quote!(#model: &Model<T>), parse_quote!(#t: T)];
    for (a, ty) in arguments.arrays.iter().zip(&arguments.types) {
        let name = argument(a.name);
        inputs.push(parse_quote!(#name: #ty));
    }
    let (name, ty) = &arguments.out;
    let name = argument(&name.to_string());
    inputs.push(parse_quote!(#name: &mut #ty));
    let returns = verdict(function, &parse_quote!(T::Mask));
    let name = ident(declaration.name);
    let about = documentation(program, function);
    let style = style(locals(&scope, body, &arguments).iter().map(String::as_str));
    let mut item: ItemFn = parse_quote! {
        #(#about)*
        #style
        pub fn #name<T: ::dqdt::Real>(#(#inputs),*) #returns {}
    };
    item.block.stmts = stmts;
    items.push(Item::Fn(item).into());
    items
}

fn locals(scope: &Scope, body: &Body, arguments: &Arguments) -> Vec<String> {
    let mut out: Vec<String> =
        arguments.arrays.iter().flat_map(|a| &a.entries).map(|e| e.1.clone()).collect();
    for statement in &body.schedule.statements {
        let ids: Vec<NodeId> = match &statement.step {
            Step::Value(id) => vec![*id],
            Step::SinCos(pairs) => pairs.iter().flat_map(|p| [p.sin, p.cos]).flatten().collect(),
        };
        out.extend(ids.iter().filter_map(|id| scope.name_of(*id)).map(str::to_owned));
    }
    out
}

fn unused(scope: &Scope, declaration: &Declaration, arguments: &Arguments, needs_model: bool) -> Vec<String> {
    let mut out = Vec::new();
    if !scope.has_used_model() && !needs_model {
        out.push("model".to_owned());
    }
    if !scope.has_used(SymbolKind::Time) {
        out.push("t".to_owned());
    }
    for a in &arguments.arrays {
        // What has limits is compared with its limited values.
        let compared = matches!(declaration.returns, Returns::Limited { of } if of.name == a.name);
        let compared = compared && !a.entries.is_empty();
        if !compared && !a.entries.iter().any(|(kind, _)| scope.has_used(*kind)) {
            out.push(a.name.to_owned());
        }
    }
    out
}
