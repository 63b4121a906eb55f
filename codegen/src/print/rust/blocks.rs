//! Inner functions: what several functions of the module compute, each with the struct of what it hands out.

use syn::{Expr, Field, FnArg, Ident, Item, ItemFn, Stmt, parse_quote};

use super::function::locals;
use super::items::style;
use super::names::ModuleNames;
use super::scope::Scope;
use super::signature::arguments;
use super::syntax::{doc, ident, path, single_line};
use crate::ir::{Program, SymbolKind, Taken};
use crate::plan::{Block, Plan};

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
    /// The blocks whose results it takes.
    pub takes: Vec<usize>,
    names: Vec<String>,
}

impl Inner {
    /// A call, where what it takes has the names that it has inside.
    pub fn call(&self) -> Expr {
        let name = ident(&self.name);
        let model = self.uses_model.then(|| path("model"));
        let arguments = self.arguments.iter().map(|a| path(a));
        let blocks = self.names.iter().map(|name| -> Expr {
            let name = ident(name);
            parse_quote!(&#name)
        });
        let all = model.into_iter().chain(arguments).chain(blocks);
        parse_quote!(#name(#(#all),*))
    }
}

/// The items of all blocks, and the signatures.
pub fn blocks(program: &Program, plan: &Plan, names: &ModuleNames) -> (Vec<Item>, Vec<Inner>) {
    let results = program.functions.iter().filter_map(|f| match f.declaration.returns {
        crate::ir::declaration::Returns::Struct { name, .. } => Some(name),
        _ => None,
    });
    let mut structures = Taken::new(results.chain(["Params", "Model"]));
    let (mut items, mut inner) = (Vec::new(), Vec::new());
    for block in &plan.blocks {
        let structure = structures.unique(&camel(&block.name));
        let (item, signature) = one(program, plan, names, block, structure, &inner);
        items.extend(item);
        inner.push(signature);
    }
    (items, inner)
}

fn one(
    program: &Program,
    plan: &Plan,
    names: &ModuleNames,
    block: &Block,
    structure: String,
    before: &[Inner],
) -> (Vec<Item>, Inner) {
    let body = &block.body;
    // Whoever calls it holds what it reads under the same names.
    let caller = block.functions.iter().find_map(|f| program.functions.get(*f));
    let of_caller = caller.map(|f| arguments(f.declaration, names, &parse_quote!(T)));
    let (arrays, types) = of_caller.map_or_else(Default::default, |a| (a.arrays, a.types));
    let mut scope = Scope::of_function(&program.graph, plan, body, names, &arrays);
    let statements = scope.statements();
    let values: Vec<(Ident, Expr)> = body
        .roots
        .iter()
        .map(|root| (ident(scope.name_of(root.node).unwrap_or("value")), scope.expression(root.node)))
        .collect();
    let fields = values.iter().map(|(name, value)| -> syn::FieldValue {
        match value {
            Expr::Path(p) if p.path.is_ident(name) => parse_quote!(#name),
            value => parse_quote!(#name: #value),
        }
    });
    let structure_ident = ident(&structure);
    let result: Expr = parse_quote!(#structure_ident { #(#fields),* });
    let mut stmts: Vec<Stmt> = scope.prologue(&arrays);
    stmts.extend(scope.takes(&[], before));
    stmts.extend(statements);
    stmts.push(Stmt::Expr(result, None));

    let mut inputs: Vec<FnArg> = Vec::new();
    if scope.has_used_model() {
        inputs.push(parse_quote!(model: &Model<T>));
    }
    let mut arguments: Vec<&'static str> = Vec::new();
    if scope.has_used(SymbolKind::Time) {
        inputs.push(parse_quote!(t: T));
        arguments.push("t");
    }
    for (array, ty) in arrays.iter().zip(&types) {
        if array.entries.iter().any(|(kind, _)| scope.has_used(*kind)) {
            let name = ident(array.name);
            inputs.push(parse_quote!(#name: #ty));
            arguments.push(array.name);
        }
    }
    let takes: Vec<usize> = body.imports.iter().map(|i| i.block).collect();
    for i in &takes {
        let (name, ty) = (ident(&before[*i].name), ident(&before[*i].structure));
        inputs.push(parse_quote!(#name: &#ty<T>));
    }

    let about = doc(&[about(program, block)]);
    let values: Vec<Field> = values.iter().map(|(name, _)| parse_quote!(#name: T)).collect();
    let names_of_fields: Vec<String> =
        values.iter().filter_map(|f| f.ident.as_ref()).map(ToString::to_string).collect();
    let of_fields = style(names_of_fields.iter().map(String::as_str));
    let of_locals = locals(&scope, body, &arrays);
    let of_locals = style(of_locals.iter().chain(&names_of_fields).map(String::as_str));
    let name = ident(&block.name);
    let mut item: ItemFn = parse_quote! {
        #(#about)*
        #of_locals
        #[inline]
        fn #name<T: ::dqdt::Real>(#(#inputs),*) -> #structure_ident<T> {}
    };
    item.block.stmts = stmts;
    let fields = values.len();
    let structure_item = parse_quote! {
        #of_fields
        struct #structure_ident<T> {
            #(#values),*
        }
    };
    let signature = Inner {
        name: block.name.clone(),
        structure,
        fields,
        uses_model: scope.has_used_model(),
        arguments,
        names: takes.iter().map(|i| before[*i].name.clone()).collect(),
        takes,
    };
    (vec![Item::Fn(item), Item::Struct(structure_item)], signature)
}

/// What it computes, and for whom.
fn about(program: &Program, block: &Block) -> String {
    const FEW: usize = 4;
    let functions: Vec<String> =
        block.functions.iter().map(|f| format!("`{}`", program.functions[*f].declaration.name)).collect();
    let mut what = block.sections.clone();
    if what.len() > FEW {
        what.truncate(FEW);
        what.push("others".to_owned());
    }
    format!("For {}: {}.", functions.join(", "), single_line(&what.join("; ")))
}

/// `angular_velocity` as a type.
fn camel(name: &str) -> String {
    let capital = |word: &str| {
        let mut letters = word.chars();
        letters.next().map(|c| c.to_ascii_uppercase()).into_iter().chain(letters).collect::<String>()
    };
    name.split('_').map(capital).collect()
}
