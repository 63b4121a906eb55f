//! Emits the computations of equal parts, once for all SIMD lanes.

use std::collections::BTreeSet;

use syn::{Expr, Ident, Item, Stmt, parse_quote};

use super::items::allow_upper_case;
use super::names::ModuleNames;
use super::prose::doc_attributes;
use super::scope::{Array, RustScope};
use super::syntax::{ident, int_literal};
use crate::code::equal_part::EqualPart;
use dqdt_graph::ir::{Program, SymbolKind, count};
use dqdt_graph::plan::{Equal, Plan};

/// Number of operations of a function above which its large equal parts are not inlined.
///
/// When inlined, the arrays of a part become thousands of variables of the function, and LLVM needs
/// time quadratic in its length: rustc needs 103 s for the derivatives of a Talos (90,000
/// operations), and 52 s if their large parts are functions. In shorter functions inlined parts
/// cost few seconds and are faster: by 18 % for the derivatives of a Solo12 (16,000).
const MAX_OPERATIONS: u32 = 30_000;

/// Number of inputs and outputs of an equal part up to which it is always inlined.
const MAX_VALUES: usize = 160;

/// Rust items of all equal parts of a module, each run in SIMD lanes.
pub fn equal_part_items(
    program: &Program,
    plan: &Plan,
    equal: &[EqualPart],
    names: &ModuleNames,
) -> Vec<Item> {
    let separate = parts_of_long_functions(program, plan);
    (equal.iter())
        .flat_map(|part| {
            let is_large = part.inputs.len() + part.outputs > MAX_VALUES;
            emit_part(program, part, names, is_large && separate.contains(part.name.as_str()))
        })
        .collect()
}

/// Names of the equal parts that only functions with more than [`MAX_OPERATIONS`] call; large ones
/// of these are not inlined.
fn parts_of_long_functions<'p>(program: &Program, plan: &'p Plan) -> BTreeSet<&'p str> {
    let (mut long, mut short): (BTreeSet<&str>, BTreeSet<&str>) = Default::default();
    for (number, function) in program.functions.iter().enumerate() {
        let is_long = count(program, function).call.total() > MAX_OPERATIONS;
        let parts = plan.function_equal_parts(number).map(|part: &Equal| part.name.as_str());
        if is_long { long.extend(parts) } else { short.extend(parts) }
    }
    &long - &short
}

fn emit_part(program: &Program, part: &EqualPart, names: &ModuleNames, is_separate: bool) -> Vec<Item> {
    let Some(body) = part.planned_body() else {
        program.graph.invariants().report_broken("the shared computation of equal parts has no results");
        return Vec::new();
    };

    let entries = part.input_names.iter().enumerate();
    let entries = entries.map(|(i, name)| (SymbolKind::Auxiliary(i), name.clone())).collect();
    let arrays = [Array { name: "inputs", entries }];
    let mut scope = RustScope::of_part(part, body, names, &arrays);
    let statements = scope.statements();
    let results: Vec<_> = body.roots.iter().map(|root| scope.node_expression(root.node)).collect();
    let names: Vec<_> = part.input_names.iter().map(|name| ident(name)).collect();
    let (h, per_lane) = (part.shared, names.len() - part.shared);
    let loads = (0..h).map(int_literal).map(|i| -> Expr { parse_quote!(T::load([shared[#i]; N])) });
    let loads: Vec<Expr> = loads
        .chain((0..per_lane).map(int_literal).map(|i| -> Expr { parse_quote!(T::load(inputs[#i])) }))
        .collect();
    let mut stmts: Vec<Stmt> = vec![parse_quote!(let [#(#names),*] = [#(#loads),*];)];
    stmts.extend(scope.prologue_statements(&[]));
    stmts.extend(statements.into_iter().map(|(_, stmt)| stmt));
    let results = results.into_iter().map(|x: Expr| -> Expr { parse_quote!(T::store(#x)) });
    stmts.push(Stmt::Expr(parse_quote!([#(#results),*]), None));
    let style = allow_upper_case(scope.locals(&arrays).iter().map(String::as_str));
    let (shared, inputs) = (array_argument_name("shared", h), array_argument_name("inputs", per_lane));
    let [h, i, o] = [h, per_lane, part.outputs].map(int_literal);
    let name = ident(&part.name);
    let about = doc_attributes(&part.documentation_paragraphs(&program.graph));
    let inlining = ident(if is_separate { "never" } else { "always" });
    let mut function: syn::ImplItemFn = parse_quote! {
        #style
        #[inline(#inlining)]
        fn part<S: ::dqdt::Real, T: ::dqdt::Together<S, N>, const N: usize>(
            #shared: [S; #h],
            #inputs: [[S; N]; #i],
        ) -> [[S; N]; #o] {}
    };
    function.block.stmts = stmts;
    let mut implementation: syn::ItemImpl = parse_quote!(impl ::dqdt::Part<#h, #i, #o> for #name {});
    implementation.items.push(syn::ImplItem::Fn(function));
    // An empty enum: no value has this type, so a local cannot be mistaken for one.
    let marker: syn::ItemEnum = parse_quote! {
        #(#about)*
        enum #name {}
    };
    vec![Item::Enum(marker), Item::Impl(implementation)]
}

/// Name of an array argument of an equal part; `_` for an array without entries.
fn array_argument_name(name: &str, entries: usize) -> Ident {
    ident(if entries == 0 { "_" } else { name })
}
