//! Constructors for Rust syntax trees. Operators are nested as trees, so brackets appear exactly
//! where precedence needs them.

use super::prose::single_line_text;
use proc_macro2::Span;
use quote::ToTokens;
use syn::punctuated::Punctuated;
use syn::{BinOp, Expr, Ident, Pat, Stmt, Token, UnOp, parse_quote};

/// Rust identifier of this text, which must be valid; [`dqdt_graph::ir::to_identifier`] makes it
/// so.
pub fn ident(text: &str) -> Ident {
    Ident::new(text, Span::call_site())
}

/// Integer literal of emitted Rust without a type suffix.
pub fn int_literal(n: usize) -> syn::LitInt {
    syn::LitInt::new(&n.to_string(), Span::call_site())
}

/// Rust expression that is a name.
pub fn name_expression(text: &str) -> Expr {
    Expr::Path(syn::ExprPath { attrs: Vec::new(), qself: None, path: ident(text).into() })
}

/// Returns `true` if two Rust expressions have the same tokens.
pub fn has_same_tokens(a: &Expr, b: &Expr) -> bool {
    a.to_token_stream().to_string() == b.to_token_stream().to_string()
}

/// Precedence of the outermost operation of a Rust expression, lowest first; decides where brackets
/// are needed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Precedence {
    Sum,
    Product,
    Sign,
    Atom,
}

fn precedence(e: &Expr) -> Precedence {
    match e {
        Expr::Binary(b) => match b.op {
            BinOp::Add(_) | BinOp::Sub(_) => Precedence::Sum,
            _ => Precedence::Product,
        },
        Expr::Unary(_) => Precedence::Sign,
        _ => Precedence::Atom,
    }
}

fn with_precedence(e: Expr, needed: Precedence) -> Box<Expr> {
    if precedence(&e) >= needed {
        return Box::new(e);
    }
    Box::new(Expr::Paren(syn::ExprParen {
        attrs: Vec::new(),
        paren_token: Default::default(),
        expr: Box::new(e),
    }))
}

fn binary_expression(left: Box<Expr>, op: BinOp, right: Box<Expr>) -> Expr {
    Expr::Binary(syn::ExprBinary { attrs: Vec::new(), left, op, right })
}

/// The expression `a + b`.
pub fn add(a: Expr, b: Expr) -> Expr {
    binary_expression(
        with_precedence(a, Precedence::Sum),
        BinOp::Add(Default::default()),
        with_precedence(b, Precedence::Product),
    )
}

/// The expression `a - b`.
pub fn sub(a: Expr, b: Expr) -> Expr {
    binary_expression(
        with_precedence(a, Precedence::Sum),
        BinOp::Sub(Default::default()),
        with_precedence(b, Precedence::Product),
    )
}

/// The expression `a * b`.
pub fn mul(a: Expr, b: Expr) -> Expr {
    binary_expression(
        with_precedence(a, Precedence::Product),
        BinOp::Mul(Default::default()),
        with_precedence(b, Precedence::Sign),
    )
}

/// The expression `a / b`.
pub fn div(a: Expr, b: Expr) -> Expr {
    binary_expression(
        with_precedence(a, Precedence::Product),
        BinOp::Div(Default::default()),
        with_precedence(b, Precedence::Sign),
    )
}

/// The expression `-a`.
pub fn neg(a: Expr) -> Expr {
    let expr = with_precedence(a, Precedence::Atom);
    Expr::Unary(syn::ExprUnary { attrs: Vec::new(), op: UnOp::Neg(Default::default()), expr })
}

/// The expression `a.method(args)`.
pub fn method_call(a: Expr, name: &str, args: Vec<Expr>) -> Expr {
    Expr::MethodCall(syn::ExprMethodCall {
        attrs: Vec::new(),
        receiver: with_precedence(a, Precedence::Atom),
        dot_token: Default::default(),
        method: ident(name),
        turbofish: None,
        paren_token: Default::default(),
        args: args.into_iter().collect(),
    })
}

/// The expression `T::name(args)`.
pub fn associated_call(name: &str, args: Vec<Expr>) -> Expr {
    let name = ident(name);
    let func: Expr = parse_quote!(T::#name);
    function_call(func, args)
}

/// The expression `func(args)`.
pub fn function_call(func: Expr, args: Vec<Expr>) -> Expr {
    Expr::Call(syn::ExprCall {
        attrs: Vec::new(),
        func: Box::new(func),
        paren_token: Default::default(),
        args: args.into_iter().collect(),
    })
}

/// The expression `base.name`.
pub fn field_access(base: &str, name: &str) -> Expr {
    Expr::Field(syn::ExprField {
        attrs: Vec::new(),
        base: Box::new(name_expression(base)),
        dot_token: Default::default(),
        member: syn::Member::Named(ident(name)),
    })
}

/// The expression `base[index]`.
pub fn index_expression(base: Expr, index: usize) -> Expr {
    let index = int_literal(index);
    Expr::Index(syn::ExprIndex {
        attrs: Vec::new(),
        expr: Box::new(base),
        bracket_token: Default::default(),
        index: Box::new(Expr::Lit(syn::ExprLit { attrs: Vec::new(), lit: syn::Lit::Int(index) })),
    })
}

/// The expression `[a, b, …]`.
pub fn array_expression(elements: Vec<Expr>) -> Expr {
    Expr::Array(syn::ExprArray {
        attrs: Vec::new(),
        bracket_token: Default::default(),
        elems: elements.into_iter().collect(),
    })
}

/// The pattern `name`, or `_` for `None`, in emitted Rust.
pub fn name_pattern(name: Option<&str>) -> Pat {
    match name {
        Some(name) => Pat::Ident(syn::PatIdent {
            attrs: Vec::new(),
            by_ref: None,
            mutability: None,
            ident: ident(name),
            subpat: None,
        }),
        None => Pat::Wild(syn::PatWild { attrs: Vec::new(), underscore_token: Default::default() }),
    }
}

/// The pattern `[a, _, …]`.
pub fn slice_pattern(names: &[Option<&str>]) -> Pat {
    let elems: Punctuated<Pat, Token![,]> = names.iter().map(|n| name_pattern(*n)).collect();
    Pat::Slice(syn::PatSlice { attrs: Vec::new(), bracket_token: Default::default(), elems })
}

/// The pattern `[a, _, …]` with `..` in place of the longest gap, and its approximate width in
/// columns; binds the entries of an argument that a body uses.
pub fn gap_pattern(names: &[Option<&str>]) -> (Pat, usize) {
    let (mut longest, mut start) = (0..0, 0);
    for (i, name) in names.iter().enumerate() {
        if name.is_some() {
            start = i + 1;
        } else if i + 1 - start > longest.len() {
            longest = start..i + 1;
        }
    }
    // A `..` for a single entry would be no shorter than `_`.
    if longest.len() < 2 {
        longest = 0..0;
    }
    let mut elems: Punctuated<Pat, Token![,]> = Punctuated::new();
    let mut width = 2;
    for (i, name) in names.iter().enumerate() {
        if i == longest.start && !longest.is_empty() {
            elems.push(Pat::Rest(syn::PatRest { attrs: Vec::new(), dot2_token: Default::default() }));
            width += 4;
        }
        if !longest.contains(&i) {
            elems.push(name_pattern(*name));
            width += name.map_or(3, |n| n.len() + 2);
        }
    }
    (Pat::Slice(syn::PatSlice { attrs: Vec::new(), bracket_token: Default::default(), elems }), width)
}

/// The pattern `(a, b)`.
pub fn pair_pattern(a: Pat, b: Pat) -> Pat {
    let elems: Punctuated<Pat, Token![,]> = [a, b].into_iter().collect();
    Pat::Tuple(syn::PatTuple { attrs: Vec::new(), paren_token: Default::default(), elems })
}

/// The pattern `Name { a, b }`, with `..` if there are other fields.
pub fn struct_pattern(name: &str, fields: &[&str], others: bool) -> Pat {
    let (name, fields) = (ident(name), fields.iter().map(|f| ident(f)));
    if others { parse_quote!(#name { #(#fields,)* .. }) } else { parse_quote!(#name { #(#fields),* }) }
}

/// The statement `let pattern = value;`.
pub fn let_statement(pattern: Pat, value: Expr) -> Stmt {
    Stmt::Local(syn::Local {
        attrs: Vec::new(),
        let_token: Default::default(),
        modifiers: Default::default(),
        pat: pattern,
        init: Some(syn::LocalInit { eq_token: Default::default(), expr: Box::new(value), diverge: None }),
        semi_token: Default::default(),
    })
}

/// The statement `place = value;`.
pub fn assignment_statement(place: Expr, value: Expr) -> Stmt {
    let assign = syn::ExprAssign {
        attrs: Vec::new(),
        left: Box::new(place),
        eq_token: Default::default(),
        right: Box::new(value),
    };
    Stmt::Expr(Expr::Assign(assign), Some(Default::default()))
}

/// Attribute that prettyplease prints as a line comment `// text`.
pub fn comment_attribute(text: &str) -> syn::Attribute {
    let text = format!(" {}", single_line_text(text));
    parse_quote!(#[comment = #text])
}

/// Adds a line comment before a `let` statement of emitted Rust.
pub fn add_comment(stmt: &mut Stmt, text: &str) {
    if let Stmt::Local(local) = stmt {
        local.attrs.push(comment_attribute(text));
    }
}

/// Placeholder for the line comment `// results` in printed Rust. prettyplease would put
/// parentheses around an assignment with a comment.
pub const RESULTS: &str = "dqdt_results!();";

/// The statement [`RESULTS`] as a syntax tree.
pub fn results_placeholder() -> Stmt {
    parse_quote!(dqdt_results!();)
}
