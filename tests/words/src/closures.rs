//! Named closures that would better be functions, or stand where they are used.
//!
//! Method:  in each function, `let name = |…| …` is a named closure. It captures if its body names
//!          a binding of the function that the closure does not bind; it is used as often as the
//!          function names it elsewhere. Format strings and macros are searched by their text.
//! Limits:  bindings are told apart by name, not by scope.

use crate::{Finding, Rule};
use proc_macro2::{TokenStream, TokenTree};
use std::collections::BTreeMap;
use syn::visit::{self, Visit};

/// Every name that a piece of syntax mentions, with its count; the names that patterns bind.
#[derive(Default)]
struct Mentions {
    uses: BTreeMap<String, usize>,
    bound: BTreeMap<String, usize>,
}

impl Mentions {
    fn tokens(&mut self, tokens: TokenStream) {
        for token in tokens {
            match token {
                TokenTree::Ident(ident) => *self.uses.entry(ident.to_string()).or_default() += 1,
                TokenTree::Group(group) => self.tokens(group.stream()),
                TokenTree::Literal(literal) => self.format_string(&literal.to_string()),
                TokenTree::Punct(_) => {}
            }
        }
    }

    /// Names in braces, as in `"{name}: {other:?}"`.
    fn format_string(&mut self, text: &str) {
        for piece in text.split('{').skip(1) {
            let name: String = piece.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
            *self.uses.entry(name).or_default() += 1;
        }
    }
}

impl<'ast> Visit<'ast> for Mentions {
    fn visit_expr_path(&mut self, path: &'ast syn::ExprPath) {
        if let Some(ident) = path.path.get_ident() {
            *self.uses.entry(ident.to_string()).or_default() += 1;
        }
        visit::visit_expr_path(self, path);
    }

    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        self.tokens(call.tokens.clone());
    }

    fn visit_field_value(&mut self, field: &'ast syn::FieldValue) {
        // The visitor sees the expression of the shorthand `Point { x }` as well.
        visit::visit_field_value(self, field);
    }

    fn visit_pat_ident(&mut self, pattern: &'ast syn::PatIdent) {
        *self.bound.entry(pattern.ident.to_string()).or_default() += 1;
        visit::visit_pat_ident(self, pattern);
    }

    fn visit_receiver(&mut self, _: &'ast syn::Receiver) {
        *self.bound.entry("self".to_owned()).or_default() += 1;
    }
}

/// A closure that a `let` gives a name, without references and parentheses around it.
fn closure(expr: &syn::Expr) -> Option<&syn::ExprClosure> {
    match expr {
        syn::Expr::Closure(closure) => Some(closure),
        syn::Expr::Reference(reference) => closure(&reference.expr),
        syn::Expr::Paren(paren) => closure(&paren.expr),
        _ => None,
    }
}

/// Name that a pattern binds, alone.
fn name_of(pattern: &syn::Pat) -> Option<String> {
    match pattern {
        syn::Pat::Ident(ident) => Some(ident.ident.to_string()),
        syn::Pat::Type(typed) => name_of(&typed.pat),
        _ => None,
    }
}

#[derive(Default)]
struct NamedClosures<'ast> {
    all: Vec<(String, &'ast syn::ExprClosure)>,
}

impl<'ast> Visit<'ast> for NamedClosures<'ast> {
    fn visit_local(&mut self, local: &'ast syn::Local) {
        let value = local.init.as_ref().and_then(|init| closure(&init.expr));
        if let Some((name, closure)) = name_of(&local.pat).zip(value) {
            self.all.push((name, closure));
        }
        visit::visit_local(self, local);
    }

    fn visit_item_fn(&mut self, _: &'ast syn::ItemFn) {
        // An inner function is a function of its own.
    }
}

/// A named closure of a function.
pub struct NamedClosure {
    /// Its name.
    pub name: String,
    /// True if it captures a binding of the function.
    pub captures: bool,
    /// Number of times that the function names it, apart from its binding.
    pub uses: usize,
}

/// Named closures of a function with this signature and body.
fn named_closures(signature: &syn::Signature, body: &syn::Block) -> Vec<NamedClosure> {
    let mut whole = Mentions::default();
    whole.visit_signature(signature);
    whole.visit_block(body);
    let mut closures = NamedClosures::default();
    closures.visit_block(body);
    let mut all = Vec::new();
    for (name, closure) in closures.all {
        let mut inner = Mentions::default();
        closure.inputs.iter().for_each(|input| inner.visit_pat(input));
        inner.visit_expr(&closure.body);
        let captures =
            inner.uses.keys().any(|used| whole.bound.contains_key(used) && !inner.bound.contains_key(used));
        let uses = whole.uses.get(&name).copied().unwrap_or(0);
        all.push(NamedClosure { name, captures, uses });
    }
    all
}

struct Functions<'f> {
    file: &'f str,
    all: Vec<Finding>,
}

impl Functions<'_> {
    fn check(&mut self, signature: &syn::Signature, body: &syn::Block) {
        for closure in named_closures(signature, body) {
            if !closure.captures || closure.uses < 2 {
                let why = if closure.captures { "is used once" } else { "captures nothing" };
                let text = format!("`{}` in `{}` {why}", closure.name, signature.ident);
                self.all.push(Finding { rule: Rule::Closure, file: self.file.to_owned(), line: 0, text });
            }
        }
    }
}

impl<'ast> Visit<'ast> for Functions<'_> {
    fn visit_item_fn(&mut self, function: &'ast syn::ItemFn) {
        self.check(&function.sig, &function.block);
        visit::visit_item_fn(self, function);
    }

    fn visit_impl_item_fn(&mut self, function: &'ast syn::ImplItemFn) {
        self.check(&function.sig, &function.block);
        visit::visit_impl_item_fn(self, function);
    }

    fn visit_trait_item_fn(&mut self, function: &'ast syn::TraitItemFn) {
        if let Some(body) = &function.default {
            self.check(&function.sig, body);
        }
        visit::visit_trait_item_fn(self, function);
    }
}

/// Named closures of one file that capture nothing or are used once.
pub fn findings(file: &str, tree: &syn::File) -> Vec<Finding> {
    let mut functions = Functions { file, all: Vec::new() };
    functions.visit_file(tree);
    functions.all
}

#[cfg(test)]
mod tests {
    use super::findings;

    fn texts(code: &str) -> Vec<String> {
        let tree = syn::parse_str(code).unwrap_or_else(|e| panic!("{e}"));
        findings("a.rs", &tree).into_iter().map(|f| f.text).collect()
    }

    #[test]
    fn a_closure_that_captures_nothing_is_reported() {
        assert_eq!(
            texts("fn f() { let g = |x: f64| x * x; h(g(1.0), g(2.0)); }"),
            ["`g` in `f` captures nothing"]
        );
    }

    #[test]
    fn a_closure_that_is_used_once_is_reported() {
        assert_eq!(texts("fn f(a: f64) { let g = |x| a * x; h(g(1.0)); }"), ["`g` in `f` is used once"]);
    }

    #[test]
    fn a_closure_that_captures_and_is_used_twice_may_stay() {
        assert!(texts("fn f(a: f64) { let g = |x| a * x; h(g(1.0), g(2.0)); }").is_empty());
        assert!(texts("fn f(a: f64) { let g = || format!(\"{a}\"); h(g(), g()); }").is_empty());
        assert!(texts("impl S { fn f(&self) { let g = |x| self.a * x; h(g(1.0), g(2.0)); } }").is_empty());
    }
}
