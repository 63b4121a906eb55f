//! The generic functions, with what belongs to each.

use syn::{Expr, FnArg, Item, ItemFn, Stmt, parse_quote};

use super::documentation::documentation;
use super::inner::Inner;
use super::items::{struct_of, style};
use super::names::ModuleNames;
use super::results::{fields, pivots_name, results};
use super::scope::Scope;
use super::signature::{Arguments, arguments, verdict};
use super::syntax::{doc, ident, path};
use crate::ir::declaration::{Declaration, Returns, Role};
use crate::ir::{Function, Program, SymbolKind};
use crate::plan::{Block, Plan};

/// Everything that belongs to a function: its struct of results, itself.
pub fn items(
    program: &Program,
    plan: &Plan,
    names: &ModuleNames,
    blocks: &[Inner],
    number: usize,
) -> Vec<Item> {
    let (function, body) = (&program.functions[number], &plan.functions[number]);
    if function.outputs.is_empty() {
        return Vec::new();
    }
    let declaration = function.declaration;
    let arguments = arguments(declaration, names, &parse_quote!(T));
    let mut items = Vec::new();
    for (part, outputs) in function.results() {
        // A function that is there on its own has brought its struct along.
        let own = part == declaration || program.function(part).is_none_or(|f| f.outputs.is_empty());
        if let Returns::Struct { name, about } = part.returns
            && own
        {
            items.extend(struct_of(name, about, outputs, &fields(outputs)));
        }
    }
    items.extend(pivots(function));

    let mut scope = Scope::of_function(&program.graph, plan, body, names, &arguments.arrays);
    let statements = scope.statements();
    let end = results(&mut scope, function);
    let calls = |(i, b): (usize, &Block)| b.functions.contains(&number).then_some(i);
    let calls: Vec<usize> = plan.blocks.iter().enumerate().filter_map(calls).collect();
    let (early, statements): (Vec<_>, Vec<_>) = statements.into_iter().partition(|(early, _)| *early);
    let taken = scope.takes(&calls, blocks);
    let mut stmts = scope.prologue(&arguments.arrays);
    stmts.extend(early.into_iter().map(|(_, stmt)| stmt));
    stmts.extend(taken);
    let checked = declaration.checked && !function.checks.is_empty();
    let mut unused = unused(&scope, declaration, &arguments, checked);
    for ((part, outputs), (place, _)) in function.results().into_iter().zip(&arguments.out) {
        let empty = outputs.iter().all(|o| o.nodes.is_empty());
        if empty && !checked && !matches!(part.returns, Returns::Struct { .. }) {
            unused.push(place.to_string());
        }
    }
    if !unused.is_empty() {
        let unused = unused.iter().map(|n| path(n));
        let ignore: Stmt = match unused.len() {
            1 => parse_quote!(let _ = #(#unused)*;),
            _ => parse_quote!(let _ = (#(#unused),*);),
        };
        stmts.insert(0, ignore);
    }
    stmts.extend(statements.into_iter().map(|(_, stmt)| stmt));
    stmts.extend(end);

    let mut inputs: Vec<FnArg> = vec![parse_quote!(model: &Model<T>), parse_quote!(t: T)];
    for (a, ty) in arguments.arrays.iter().zip(&arguments.types) {
        let name = ident(a.name);
        inputs.push(parse_quote!(#name: #ty));
    }
    inputs.extend(arguments.out.iter().map(|(name, ty)| -> FnArg { parse_quote!(#name: &mut #ty) }));
    let returns = verdict(function, &parse_quote!(T::Mask));
    let name = ident(declaration.name);
    let about = documentation(program, function);
    let style = style(scope.locals(&arguments.arrays).iter().map(String::as_str));
    let mut item: ItemFn = parse_quote! {
        #(#about)*
        #(#style)*
        #[allow(clippy::many_single_char_names, clippy::similar_names, clippy::too_many_lines)]
        pub fn #name<T: ::dqdt::Real>(#(#inputs),*) #returns {}
    };
    item.block.stmts = stmts;
    items.push(Item::Fn(item));
    items
}

/// The constant with the names of what a function divides by, where it says when that vanishes.
pub fn pivots(function: &Function) -> Option<Item> {
    let (declaration, checks) = (function.declaration, &function.checks);
    let whole = declaration.role == Some(Role::StateDerivative);
    if function.outputs.is_empty() || !whole && !function.is_fallible() {
        return None;
    }
    let name = ident(&pivots_name(declaration));
    let n = syn::LitInt::new(&checks.len().to_string(), proc_macro2::Span::call_site());
    let about = doc(&[format!("What [`{}()`] divides by and what can vanish.", declaration.name)]);
    let pivots = checks.iter().map(|c| -> Expr {
        let (name, hint) = (&c.name, &c.hint);
        parse_quote!(::dqdt::Pivot { name: #name, hint: #hint })
    });
    Some(parse_quote!(#(#about)* #[allow(dead_code)] pub const #name: [::dqdt::Pivot; #n] = [#(#pivots),*];))
}

fn unused(scope: &Scope, declaration: &Declaration, arguments: &Arguments, needs_model: bool) -> Vec<String> {
    let mut out = Vec::new();
    if !scope.has_used_model() && !needs_model {
        out.push("model".to_owned());
    }
    if !scope.has_used(SymbolKind::Time) && !scope.passes("t") {
        out.push("t".to_owned());
    }
    for a in &arguments.arrays {
        // What has limits is compared with its limited values.
        let compared = matches!(declaration.returns, Returns::Limited { of } if of.name == a.name);
        let compared = compared && !a.entries.is_empty();
        if !compared && !scope.passes(a.name) && !a.entries.iter().any(|(kind, _)| scope.has_used(*kind)) {
            out.push(a.name.to_owned());
        }
    }
    out
}
