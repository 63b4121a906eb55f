//! Inner functions of an emitted module: computations that several functions share, each with the
//! struct of its results.

use syn::{Expr, Field, FnArg, Ident, Item, ItemFn, Stmt, Type, parse_quote};

use super::block_signature::{ANGLES, ANGLES_STRUCT, BlockSignature};
use super::items::allow_upper_case;
use super::names::ModuleNames;
use super::prose::{doc_attributes, single_line_text};
use super::scope::{Array, RustScope};
use super::signature::function_arguments;
use super::syntax::ident;
use crate::tree::block_sections_text;
use dqdt_graph::ir::{Graph, Program, SymbolKind, Taken};
use dqdt_graph::plan::{Block, Plan};

/// Rust item of the struct of angles with their sines and cosines, which functions pass to blocks;
/// `None` if blocks need none.
fn angles_struct(graph: &Graph, plan: &Plan) -> Option<Item> {
    if plan.angles.is_empty() {
        return None;
    }
    let names: Vec<&str> = (plan.angles.iter())
        .map(|id| {
            graph.invariants().require(
                plan.names.node_name(*id),
                "value",
                "an angle that is passed to blocks has no name in the emitted code",
            )
        })
        .collect();
    let fields = names.iter().copied().map(ident);
    let about = doc_attributes(&[
        "Angles with their sines and cosines, as passed to inner functions; zero where the caller does not need them.".to_owned(),
    ]);
    let style = allow_upper_case(names.iter().copied());
    let name = ident(ANGLES_STRUCT);
    Some(parse_quote!(#(#about)* #style struct #name<T> { #(#fields: T),* }))
}

/// Rust items of all blocks (inner functions and their structs), and their signatures.
pub fn emit_blocks(program: &Program, plan: &Plan, names: &ModuleNames) -> (Vec<Item>, Vec<BlockSignature>) {
    let results = program.functions.iter().filter_map(|f| match f.declaration.returns {
        dqdt_graph::ir::declaration::Returns::Struct { name, .. } => Some(name),
        _ => None,
    });
    let mut structures = Taken::new(results.chain(["Params", "Model", ANGLES_STRUCT]));
    let mut items: Vec<Item> = angles_struct(&program.graph, plan).into_iter().collect();
    let mut inner = Vec::new();
    for block in &plan.blocks {
        let structure = structures.make_unique(&type_case_name(&block.name));
        let (item, signature) = emit_block(program, plan, names, block, structure, &inner);
        items.extend(item);
        inner.push(signature);
    }
    (items, inner)
}

/// Inputs of the function of a block.
struct BlockInputs {
    inputs: Vec<FnArg>,
    /// Names of the time and of the vectors among the inputs.
    arguments: Vec<&'static str>,
    /// Indices of the blocks whose results are inputs.
    takes: Vec<usize>,
}

/// The inputs that a block uses: model, time, vectors, angles, and results of earlier blocks.
fn collect_block_inputs(
    scope: &RustScope<'_>,
    block: &Block,
    arrays: &[Array],
    types: &[Type],
    before: &[BlockSignature],
) -> BlockInputs {
    let body = &block.body;
    let mut inputs: Vec<FnArg> = Vec::new();
    if scope.has_used_model() {
        inputs.push(parse_quote!(model: &Model<T>));
    }
    let mut arguments: Vec<&'static str> = Vec::new();
    if scope.has_used_entry(SymbolKind::Time) {
        inputs.push(parse_quote!(t: T));
        arguments.push("t");
    }
    for (array, ty) in arrays.iter().zip(types) {
        if array.entries.iter().any(|(kind, _)| scope.has_used_entry(*kind)) {
            let name = ident(array.name);
            inputs.push(parse_quote!(#name: #ty));
            arguments.push(array.name);
        }
    }
    if !body.angles.is_empty() {
        let (name, ty) = (ident(ANGLES), ident(ANGLES_STRUCT));
        inputs.push(parse_quote!(#name: &#ty<T>));
    }
    let takes: Vec<usize> = body.imports.iter().map(|i| i.block).collect();
    for i in &takes {
        let (name, ty) = (ident(&before[*i].name), ident(&before[*i].structure));
        inputs.push(parse_quote!(#name: &#ty<T>));
    }
    BlockInputs { inputs, arguments, takes }
}

fn emit_block(
    program: &Program,
    plan: &Plan,
    names: &ModuleNames,
    block: &Block,
    structure: String,
    before: &[BlockSignature],
) -> (Vec<Item>, BlockSignature) {
    let body = &block.body;
    // Every caller has the values that the block reads, under the same names.
    let caller = block.functions.iter().find_map(|f| program.functions.get(*f));
    let caller_arguments = caller.map(|f| function_arguments(f.declaration, names, &parse_quote!(T)));
    let caller_arguments = caller_arguments.map(|a| (a.arrays, a.types));
    let nothing = (Vec::new(), Vec::new());
    let (arrays, types) =
        program.graph.invariants().require(caller_arguments, nothing, "a block is called by no function");
    let mut scope = RustScope::of_block(&program.graph, plan, body, names, &arrays);
    let statements = scope.statements();
    let values: Vec<(Ident, Expr)> = body
        .roots
        .iter()
        .map(|root| (ident(scope.value_name(root.node)), scope.node_expression(root.node)))
        .collect();
    let fields = values.iter().map(|(name, value)| -> syn::FieldValue {
        match value {
            Expr::Path(p) if p.path.is_ident(name) => parse_quote!(#name),
            value => parse_quote!(#name: #value),
        }
    });
    let structure_ident = ident(&structure);
    let result: Expr = parse_quote!(#structure_ident { #(#fields),* });
    let mut stmts: Vec<Stmt> = scope.prologue_statements(&arrays);
    stmts.extend(scope.bind_block_values(&[], before));
    stmts.extend(statements.into_iter().map(|(_, stmt)| stmt));
    stmts.push(Stmt::Expr(result, None));

    let BlockInputs { inputs, arguments, takes } =
        collect_block_inputs(&scope, block, &arrays, &types, before);
    let about = doc_attributes(&[block_documentation(program, block)]);
    let values: Vec<Field> = values.iter().map(|(name, _)| parse_quote!(#name: T)).collect();
    let field_names: Vec<String> =
        values.iter().filter_map(|f| f.ident.as_ref()).map(ToString::to_string).collect();
    let field_style = allow_upper_case(field_names.iter().map(String::as_str));
    let locals = scope.locals(&arrays);
    let local_style = allow_upper_case(locals.iter().chain(&field_names).map(String::as_str));
    let name = ident(&block.name);
    let allow_many_arguments: Option<syn::Attribute> =
        (inputs.len() > 7).then(|| parse_quote!(#[allow(clippy::too_many_arguments)]));
    let mut item: ItemFn = parse_quote! {
        #(#about)*
        #local_style
        #allow_many_arguments
        #[inline(always)]
        fn #name<T: ::dqdt::Real>(#(#inputs),*) -> #structure_ident<T> {}
    };
    item.block.stmts = stmts;
    let fields = values.len();
    let structure_item = parse_quote! {
        #field_style
        struct #structure_ident<T> {
            #(#values),*
        }
    };
    let signature = BlockSignature {
        name: block.name.clone(),
        structure,
        fields,
        uses_model: scope.has_used_model(),
        arguments,
        takes_angles: !body.angles.is_empty(),
        names: takes.iter().map(|i| before[*i].name.clone()).collect(),
        takes,
    };
    (vec![Item::Fn(item), Item::Struct(structure_item)], signature)
}

/// Documentation of a block in emitted Rust: the functions that call it, and the sections that it
/// computes.
fn block_documentation(program: &Program, block: &Block) -> String {
    let functions: Vec<String> =
        block.functions.iter().map(|f| format!("`{}`", program.functions[*f].declaration.name)).collect();
    format!("For {}: {}.", functions.join(", "), single_line_text(&block_sections_text(block)))
}

/// Converts a name to the case of types: `angular_velocity` becomes `AngularVelocity`.
fn type_case_name(name: &str) -> String {
    name.split('_').map(capitalise).collect()
}

fn capitalise(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map(|c| c.to_ascii_uppercase()).into_iter().chain(letters).collect()
}
