//! Emits `Model` and `Model::new`.

use syn::{ImplItem, ImplItemFn, Item, ItemImpl, Stmt, parse_quote};

use super::data::{MacroCall, ModulePart, identifier_text};
use super::items::allow_upper_case;
use super::names::ModuleNames;
use super::prose::escape_prose;
use super::scope::RustScope;
use super::syntax::ident;
use dqdt_graph::ir::Program;
use dqdt_graph::plan::Plan;

/// Returns `true` if some emitted function checks its divisors: then the model has a tolerance ε.
fn has_tolerance(program: &Program) -> bool {
    (program.functions.iter()).any(|f| f.declaration.checked && !f.outputs.is_empty() && !f.checks.is_empty())
}

/// Module parts of the emitted struct `Model` and its constructor.
pub fn model_parts(program: &Program, plan: &Plan, names: &ModuleNames) -> [ModulePart; 2] {
    let mut about = vec![format!("Model of {}.", escape_prose(&program.name))];
    if !program.description.is_empty() {
        about.extend([String::new(), escape_prose(&program.description)]);
    }
    let has_tolerance = has_tolerance(program);
    let fields: Vec<String> = plan.hoisted.iter().map(|h| identifier_text(&h.name)).collect();
    let head = if has_tolerance { "Model with epsilon" } else { "Model" };
    let call = MacroCall::new("model").push_doc_lines(1, &about);
    let model = if fields.is_empty() {
        call.push_line(1, &format!("{head} {{}}"))
    } else {
        call.push_line(1, &format!("{head} {{")).push_filled_words(2, &fields).push_line(1, "}")
    };
    [model.finish_call(), model_constructor(plan, program, names, has_tolerance).into()]
}

fn model_constructor(plan: &Plan, program: &Program, names: &ModuleNames, has_tolerance: bool) -> Item {
    let kept = plan.hoisted.iter().map(|h| h.name.as_str());
    let style = allow_upper_case(kept.chain(plan.setup_names()));
    let mut scope = RustScope::of_setup(&program.graph, plan, names, &names.constants);
    let statements = scope.statements();
    let values: Vec<syn::FieldValue> = plan
        .hoisted
        .iter()
        .map(|h| {
            let field = ident(&h.name);
            match scope.node_expression(h.node) {
                // Field shorthand: a statement with the name of the field has computed the value.
                syn::Expr::Path(p) if p.path.is_ident(&field) => parse_quote!(#field),
                value => parse_quote!(#field: #value),
            }
        })
        .collect();
    let limit: Option<syn::FieldValue> = has_tolerance.then(|| parse_quote!(epsilon: T::default_epsilon()));
    let limit = limit.into_iter();
    let mut stmts: Vec<Stmt> = scope.prologue_statements(&[]);
    stmts.extend(statements.into_iter().map(|(_, stmt)| stmt));
    stmts.push(Stmt::Expr(parse_quote!(Self { params, #(#limit,)* #(#values),* }), None));
    let mut new: ImplItemFn = parse_quote! {
        /// Precomputes the values that depend only on parameters.
        #style
        pub fn new(params: Params<T>) -> Self {}
    };
    new.block.stmts = stmts;
    let mut constructor: ItemImpl = parse_quote!(
        impl<T: ::dqdt::Real> Model<T> {}
    );
    constructor.items.push(ImplItem::Fn(new));
    Item::Impl(constructor)
}
