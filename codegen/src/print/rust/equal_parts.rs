//! What equal parts compute, once for all of them.

use syn::{Expr, Item, LitInt, Stmt, parse_quote};

use super::items::style;
use super::names::ModuleNames;
use super::scope::{Array, Scope};
use super::syntax::{doc, ident};
use crate::ir::{Program, SymbolKind};
use crate::print::code::equal_part::EqualPart;

/// The items of all equal parts.
pub fn items(program: &Program, equal: &[EqualPart], names: &ModuleNames) -> Vec<Item> {
    equal.iter().flat_map(|part| one(program, part, names)).collect()
}

fn one(program: &Program, part: &EqualPart, names: &ModuleNames) -> Vec<Item> {
    let Some(body) = part.body() else {
        program.graph.invariants().broken("an equal part computes nothing");
        return Vec::new();
    };
    let number = |n: usize| LitInt::new(&n.to_string(), proc_macro2::Span::call_site());
    let entries = part.input_names.iter().enumerate();
    let entries = entries.map(|(i, name)| (SymbolKind::Auxiliary(i), name.clone())).collect();
    let arrays = [Array { name: "inputs", entries }];
    let mut scope = Scope::of_function(&part.graph, &part.plan, body, names, &arrays);
    let statements = scope.statements();
    let results: Vec<_> = body.roots.iter().map(|root| scope.expression(root.node)).collect();
    let names: Vec<_> = part.input_names.iter().map(|name| ident(name)).collect();
    let (h, own) = (part.shared, names.len() - part.shared);
    let loads = (0..h).map(number).map(|i| -> Expr { parse_quote!(T::load([shared[#i]; N])) });
    let loads: Vec<Expr> =
        loads.chain((0..own).map(number).map(|i| -> Expr { parse_quote!(T::load(inputs[#i])) })).collect();
    let mut stmts: Vec<Stmt> = vec![parse_quote!(let [#(#names),*] = [#(#loads),*];)];
    stmts.extend(scope.prologue(&[]));
    stmts.extend(statements.into_iter().map(|(_, stmt)| stmt));
    let results = results.into_iter().map(|x: Expr| -> Expr { parse_quote!(T::store(#x)) });
    stmts.push(Stmt::Expr(parse_quote!([#(#results),*]), None));
    let style = style(scope.locals(&arrays).iter().map(String::as_str));
    // Arrays of nothing have no name.
    let array = |name: &str, entries: usize| ident(if entries == 0 { "_" } else { name });
    let (shared, inputs) = (array("shared", h), array("inputs", own));
    let (name, h, i, o) = (ident(&part.name), number(h), number(own), number(part.outputs));
    let about = doc(&part.about(&program.graph));
    let mut function: syn::ImplItemFn = parse_quote! {
        #style
        #[inline(always)]
        fn part<S: ::dqdt::Real, T: ::dqdt::Together<S, N>, const N: usize>(
            #shared: [S; #h],
            #inputs: [[S; N]; #i],
        ) -> [[S; N]; #o] {}
    };
    function.block.stmts = stmts;
    let mut implementation: syn::ItemImpl = parse_quote!(impl ::dqdt::Part<#h, #i, #o> for #name {});
    implementation.items.push(syn::ImplItem::Fn(function));
    // No value has this type, so no local is taken for one.
    let marker: syn::ItemEnum = parse_quote! {
        #(#about)*
        enum #name {}
    };
    vec![Item::Enum(marker), Item::Impl(implementation)]
}
