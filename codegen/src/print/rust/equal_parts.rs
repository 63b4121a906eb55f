//! What equal parts compute, once for all of them.

use syn::{Expr, Item, LitInt, Stmt, parse_quote};

use super::equal_part::EqualPart;
use super::items::style;
use super::names::ModuleNames;
use super::scope::{Array, Scope};
use super::syntax::{doc, ident, single_line};
use crate::ir::{Op, Program, SymbolKind};

/// The items of all equal parts.
pub fn items(program: &Program, equal: &[EqualPart], names: &ModuleNames) -> Vec<Item> {
    equal.iter().flat_map(|part| one(program, part, names)).collect()
}

fn one(program: &Program, part: &EqualPart, names: &ModuleNames) -> Vec<Item> {
    let Some(body) = part.body() else { return Vec::new() };
    let number = |n: usize| LitInt::new(&n.to_string(), proc_macro2::Span::call_site());
    let entries = part.input_names.iter().enumerate();
    let entries = entries.map(|(i, name)| (SymbolKind::Auxiliary(i), name.clone())).collect();
    let arrays = [Array { name: "inputs", entries }];
    let mut scope = Scope::of_function(&part.graph, &part.plan, body, names, &arrays);
    let statements = scope.statements();
    let results: Vec<_> = body.roots.iter().map(|root| scope.expression(root.node)).collect();
    let names: Vec<_> = part.input_names.iter().map(|name| ident(name)).collect();
    let inputs = (0..names.len()).map(|i| {
        let i = number(i);
        parse_quote!(T::load(inputs[#i]))
    });
    let inputs: Vec<Expr> = inputs.collect();
    let mut stmts: Vec<Stmt> = vec![parse_quote!(let [#(#names),*] = [#(#inputs),*];)];
    stmts.extend(scope.prologue(&[]));
    stmts.extend(statements.into_iter().map(|(_, stmt)| stmt));
    let results = results.into_iter().map(|x: Expr| -> Expr { parse_quote!(T::store(#x)) });
    stmts.push(Stmt::Expr(parse_quote!([#(#results),*]), None));
    let style = style(scope.locals(&arrays).iter().map(String::as_str));
    let (name, i, o) = (ident(&part.name), number(part.inputs.len()), number(part.outputs));
    let about = doc(&about(program, part));
    let mut implementation: syn::ItemImpl = parse_quote! {
        impl ::dqdt::Part<#i, #o> for #name {
            #style
            #[inline(always)]
            fn part<S: ::dqdt::Real, T: ::dqdt::Together<S, N>, const N: usize>(
                inputs: [[S; N]; #i],
            ) -> [[S; N]; #o] {}
        }
    };
    if let Some(syn::ImplItem::Fn(function)) = implementation.items.first_mut() {
        function.block.stmts = stmts;
    }
    // No value has this type, so no local is taken for one.
    let marker: syn::ItemEnum = parse_quote! {
        #(#about)*
        enum #name {}
    };
    vec![Item::Enum(marker), Item::Impl(implementation)]
}

/// Whose parts they are.
fn about(program: &Program, part: &EqualPart) -> Vec<String> {
    let graph = &program.graph;
    let coordinate = |id: &crate::ir::NodeId| match graph.node(*id).op {
        Op::Symbol(s) => {
            let symbol = graph.symbol_info(s);
            matches!(symbol.kind, SymbolKind::Coordinate(_))
                .then(|| format!("`{}`", single_line(&symbol.name)))
        }
        _ => None,
    };
    let lane = |symbols: &Vec<crate::ir::NodeId>| {
        symbols.iter().filter_map(coordinate).collect::<Vec<_>>().join(", ")
    };
    let lanes: Vec<String> = part.symbols.iter().map(lane).filter(|text| !text.is_empty()).collect();
    let mut text = vec![format!(
        "What {} equal parts of the mechanism compute, with the names of the first.",
        part.lanes
    )];
    if let Some((first, others)) = lanes.split_first() {
        text.push(String::new());
        text.push(format!("The first moves by {first}; the others by {}.", others.join("; ")));
    }
    text
}
