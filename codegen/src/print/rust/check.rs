//! `Params::check`: whether parameters make sense.

use syn::{Expr, Item, Stmt, parse_quote};

use super::constants::Constants;
use super::items::style;
use super::names::ModuleNames;
use super::scope::Scope;
use crate::ir::{Condition, Program};
use crate::plan::Plan;

/// The method, where there are parameters.
pub fn items(program: &Program, names: &ModuleNames) -> Vec<Item> {
    let Some(checks) = &program.parameter_checks else { return Vec::new() };
    let values = &checks.values;
    let mut plan = Plan::new(values);
    names.of_check(values, &mut plan);
    let numbers = Constants::default();
    let mut scope = Scope::of_setup(&values.graph, &plan, names, &numbers);
    let statements = scope.statements();
    let nodes: Vec<_> = values.functions.iter().flat_map(|f| &f.outputs).map(|o| o.nodes[0]).collect();
    let conditions: Vec<Expr> = nodes
        .iter()
        .zip(&checks.conditions)
        .map(|(node, (fault, condition))| {
            let value = scope.expression(*node);
            let value: Expr = match value {
                Expr::Binary(_) | Expr::Unary(_) => parse_quote!((#value)),
                other => other,
            };
            let holds: Expr = match condition {
                Condition::Finite => parse_quote!(#value.is_finite()),
                Condition::NotNegative => parse_quote!(#value.is_ge(T::ZERO)),
                Condition::Positive => parse_quote!(#value.is_gt(T::ZERO)),
            };
            parse_quote!((#holds, #fault))
        })
        .collect();
    let mut stmts: Vec<Stmt> = vec![parse_quote!(let params = *self;)];
    stmts.extend(scope.prologue(&[]));
    stmts.extend(statements.into_iter().map(|(_, stmt)| stmt));
    stmts.push(Stmt::Expr(parse_quote!(::dqdt::check_parameters(&[#(#conditions),*])), None));
    let style = style(plan.setup_names());
    let mut methods: syn::ItemImpl = parse_quote! {
        #(#style)*
        impl<T: ::dqdt::Real> Params<T> {
            /// Says whether these parameters make sense: all finite, no negative mass, no crossed limits. The functions
            /// of this module do not ask; call this where parameters come from elsewhere.
            ///
            /// # Errors
            /// What is wrong, by name; the first fault where there are several.
            #[allow(dead_code)]
            pub fn check(&self) -> ::core::result::Result<(), ::dqdt::Senseless> {}
        }
    };
    if let Some(syn::ImplItem::Fn(check)) = methods.items.first_mut() {
        check.block.stmts = stmts;
    }
    vec![Item::Impl(methods)]
}
