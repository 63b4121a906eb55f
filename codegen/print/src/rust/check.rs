//! Emits `Params::check`, which validates parameters.

use std::collections::BTreeSet;

use syn::{Expr, Item, Stmt, parse_quote};

use super::items::allow_upper_case;
use super::names::ModuleNames;
use super::scope::RustScope;
use super::syntax::method_call;
use crate::code::constants::Constants;
use crate::code::leaves::is_parameter;
use dqdt_graph::ir::{Condition, NodeId, Program};
use dqdt_graph::plan::Plan;

/// Rust item of the method `Params::check`; `None` if the module has no parameters to check.
pub fn params_check_item(program: &Program, names: &ModuleNames) -> Option<Item> {
    let checks = program.parameter_checks.as_ref()?;
    let values = &checks.values;
    let mut plan = Plan::new(values);
    names.name_check_values(values, &mut plan);
    let numbers = Constants::default();
    let mut scope = RustScope::of_setup(&values.graph, &plan, names, &numbers);
    let mut statements = scope.statements();
    // The statements have no section comments.
    for (_, statement) in &mut statements {
        if let Stmt::Local(local) = statement {
            local.attrs.clear();
        }
    }
    let nodes: Vec<NodeId> =
        values.functions.iter().flat_map(|f| &f.outputs).filter_map(|o| o.nodes.first()).copied().collect();
    // One condition covers the finiteness of all parameters; skip those, and conditions that occur
    // twice.
    let mut emitted: BTreeSet<(NodeId, &str)> = BTreeSet::new();
    let mut chain: Expr = parse_quote!(::dqdt::Conditions::finite(&PARAMETERS, &self.values()));
    for (node, (fault, condition)) in nodes.iter().zip(&checks.conditions) {
        let method_name = match condition {
            Condition::Finite if is_parameter(&values.graph, *node) => continue,
            Condition::Finite => "and_finite",
            Condition::NotNegative => "not_negative",
            Condition::Positive => "positive",
        };
        if emitted.insert((*node, method_name)) {
            let value = scope.node_expression(*node);
            chain = method_call(chain, method_name, vec![value, parse_quote!(#fault)]);
        }
    }
    let mut stmts: Vec<Stmt> = Vec::new();
    if !scope.prologue_statements(&[]).is_empty() {
        stmts.push(parse_quote!(let p = self;));
    }
    stmts.extend(statements.into_iter().map(|(_, stmt)| stmt));
    stmts.push(Stmt::Expr(method_call(chain, "result", Vec::new()), None));
    let style = allow_upper_case(plan.setup_names());
    let mut check: syn::ImplItemFn = parse_quote! {
        /// Checks that these parameters are meaningful: all finite, no negative mass, no crossed
        /// limits. The other functions of this module do not check them; call this method for
        /// parameters from other sources.
        ///
        /// # Errors
        /// The first fault, with the name of the parameter or the part.
        #style
        pub fn check(&self) -> ::core::result::Result<(), ::dqdt::Senseless> {}
    };
    check.block.stmts = stmts;
    let mut methods: syn::ItemImpl = parse_quote! {
        #[allow(dead_code)]
        impl<T: ::dqdt::Real> Params<T> {}
    };
    methods.items.push(syn::ImplItem::Fn(check));
    Some(Item::Impl(methods))
}
