//! Prints the statements of a function while they are built, to save memory.
//!
//! Problem: the syntax tree of a body needs fifty times the memory of its text: 50 MB for a mass
//!          matrix of 100 links.
//! Method:  a few hundred statements at a time are printed in a function of their own with the same
//!          indentation. Their lines then replace a placeholder in the text of the complete
//!          function.

use std::mem::take;

use syn::{Expr, Item, ItemFn, Stmt, parse_quote};

use super::data::unparse;
use super::lines::trim_indentation;
use super::syntax::{associated_call, ident, results_placeholder};

/// Number of statements of a body that are printed to text together.
const BATCH: usize = 256;

/// Statements of an emitted Rust body, most of them already printed to save memory.
pub struct Statements {
    mark: String,
    closure: bool,
    waiting: Vec<Stmt>,
    text: String,
    mark_results: bool,
}

impl Statements {
    /// An empty list of statements. `mark` names their placeholder in the function. In a `closure`
    /// they are indented more.
    pub fn new(mark: &str, closure: bool) -> Self {
        let mark = format!("dqdt_{mark}");
        Statements { mark, closure, waiting: Vec::new(), text: String::new(), mark_results: false }
    }

    /// Appends a statement, and prints the waiting ones if there are many.
    pub fn push_statement(&mut self, stmt: Stmt) {
        if take(&mut self.mark_results) {
            self.waiting.push(results_placeholder());
        }
        self.waiting.push(stmt);
        if self.waiting.len() >= BATCH {
            self.print_waiting();
        }
    }

    /// Inserts the heading comment of the results before the next statement, if one follows.
    pub fn results_follow(&mut self) {
        self.mark_results = true;
    }

    /// Placeholder statement for the statements until [`Statements::replace_placeholder`]; `None`
    /// if there are no statements.
    pub fn placeholder(&self) -> Option<Stmt> {
        let mark = ident(&self.mark);
        (!self.text.is_empty() || !self.waiting.is_empty()).then(|| parse_quote!(#mark!();))
    }

    /// Replaces the placeholder in the printed function by the text of the statements.
    pub fn replace_placeholder(mut self, function: &str) -> String {
        self.print_waiting();
        let mark = format!("{}!();", self.mark);
        let mut out = String::with_capacity(function.len() + self.text.len());
        for line in function.split_inclusive('\n') {
            out.push_str(if trim_indentation(line).trim_end() == mark { &self.text } else { line });
        }
        out
    }

    /// Prints the waiting statements between two placeholders, whose lines delimit their text.
    fn print_waiting(&mut self) {
        if self.waiting.is_empty() {
            return;
        }
        let mark = ident(&self.mark);
        let end: Stmt = parse_quote!(#mark!(););
        let all = std::iter::once(end.clone()).chain(take(&mut self.waiting)).chain([end]);
        let mut item: ItemFn = parse_quote!(
            fn of() {}
        );
        item.block.stmts = body_in_closure(all.collect(), self.closure);
        let printed = unparse(vec![Item::Fn(item)]);
        let mark = format!("{}!();", self.mark);
        let inside = |line: &&str| trim_indentation(line).trim_end() != mark;
        let lines = printed.split_inclusive('\n').skip_while(inside).skip(1).take_while(inside);
        self.text.extend(lines);
    }
}

/// Statements of an emitted body. `closure` wraps them in a closure, so that a batch can compile
/// them for another instruction set.
pub fn body_in_closure(stmts: Vec<Stmt>, closure: bool) -> Vec<Stmt> {
    if !closure {
        return stmts;
    }
    let mut closure: syn::ExprClosure = parse_quote!(|| {});
    closure.attrs.push(parse_quote!(#[inline(always)]));
    let block = syn::Block { brace_token: Default::default(), stmts };
    *closure.body = Expr::Block(syn::ExprBlock { attrs: Vec::new(), label: None, block });
    vec![Stmt::Expr(associated_call("compute", vec![Expr::Closure(closure)]), None)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_statements_are_printed_as_they_are_all_at_once() {
        for closure in [false, true] {
            for n in [0, 1, BATCH, 2 * BATCH + 3] {
                let mut statements = Statements::new("all", closure);
                let all: Vec<Stmt> = (0..n)
                    .map(|i| {
                        let name = ident(&format!("value_{i}"));
                        parse_quote!(let #name = first_of_many_names + second_of_many_names * third_of_many_names;)
                    })
                    .collect();
                all.iter().for_each(|stmt| statements.push_statement(stmt.clone()));
                let function = |stmts: Vec<Stmt>| {
                    let mut item: ItemFn = parse_quote!(
                        fn f() {}
                    );
                    let end: Stmt = parse_quote!(end(););
                    item.block.stmts = body_in_closure(stmts.into_iter().chain([end]).collect(), closure);
                    unparse(vec![Item::Fn(item)])
                };
                let expected = function(all);
                let place = statements.placeholder().into_iter().collect();
                assert_eq!(statements.replace_placeholder(&function(place)), expected, "{n}");
            }
        }
    }
}
