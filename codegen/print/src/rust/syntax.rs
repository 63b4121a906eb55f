//! Small constructors of syntax trees. Trees keep their structure: nothing is pasted from tokens.

use proc_macro2::Span;
use quote::ToTokens;
use syn::punctuated::Punctuated;
use syn::{BinOp, Expr, Ident, Pat, Stmt, Token, UnOp, parse_quote};

/// An identifier; `text` must be one ([`dqdt_graph::ir::identifier`] makes it so).
pub fn ident(text: &str) -> Ident {
    Ident::new(text, Span::call_site())
}

/// A name as an expression.
pub fn path(text: &str) -> Expr {
    Expr::Path(syn::ExprPath { attrs: Vec::new(), qself: None, path: ident(text).into() })
}

/// Whether two expressions are written alike.
pub fn same(a: &Expr, b: &Expr) -> bool {
    a.to_token_stream().to_string() == b.to_token_stream().to_string()
}

/// How tightly the outermost operation of an expression binds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Sum,
    Product,
    Sign,
    Atom,
}

fn level(e: &Expr) -> Level {
    match e {
        Expr::Binary(b) => match b.op {
            BinOp::Add(_) | BinOp::Sub(_) => Level::Sum,
            _ => Level::Product,
        },
        Expr::Unary(_) => Level::Sign,
        _ => Level::Atom,
    }
}

fn at_least(e: Expr, needed: Level) -> Box<Expr> {
    if level(&e) >= needed {
        return Box::new(e);
    }
    Box::new(Expr::Paren(syn::ExprParen {
        attrs: Vec::new(),
        paren_token: Default::default(),
        expr: Box::new(e),
    }))
}

fn binary(left: Box<Expr>, op: BinOp, right: Box<Expr>) -> Expr {
    Expr::Binary(syn::ExprBinary { attrs: Vec::new(), left, op, right })
}

/// `a + b`
pub fn add(a: Expr, b: Expr) -> Expr {
    binary(at_least(a, Level::Sum), BinOp::Add(Default::default()), at_least(b, Level::Product))
}

/// `a - b`
pub fn sub(a: Expr, b: Expr) -> Expr {
    binary(at_least(a, Level::Sum), BinOp::Sub(Default::default()), at_least(b, Level::Product))
}

/// `a * b`
pub fn mul(a: Expr, b: Expr) -> Expr {
    binary(at_least(a, Level::Product), BinOp::Mul(Default::default()), at_least(b, Level::Sign))
}

/// `a / b`
pub fn div(a: Expr, b: Expr) -> Expr {
    binary(at_least(a, Level::Product), BinOp::Div(Default::default()), at_least(b, Level::Sign))
}

/// `-a`
pub fn neg(a: Expr) -> Expr {
    let expr = at_least(a, Level::Atom);
    Expr::Unary(syn::ExprUnary { attrs: Vec::new(), op: UnOp::Neg(Default::default()), expr })
}

/// `a.method(args)`
pub fn method(a: Expr, name: &str, args: Vec<Expr>) -> Expr {
    Expr::MethodCall(syn::ExprMethodCall {
        attrs: Vec::new(),
        receiver: at_least(a, Level::Atom),
        dot_token: Default::default(),
        method: ident(name),
        turbofish: None,
        paren_token: Default::default(),
        args: args.into_iter().collect(),
    })
}

/// `T::name(args)`
pub fn associated(name: &str, args: Vec<Expr>) -> Expr {
    let name = ident(name);
    let func: Expr = parse_quote!(T::#name);
    call(func, args)
}

/// `func(args)`
pub fn call(func: Expr, args: Vec<Expr>) -> Expr {
    Expr::Call(syn::ExprCall {
        attrs: Vec::new(),
        func: Box::new(func),
        paren_token: Default::default(),
        args: args.into_iter().collect(),
    })
}

/// `base.name`
pub fn field(base: &str, name: &str) -> Expr {
    Expr::Field(syn::ExprField {
        attrs: Vec::new(),
        base: Box::new(path(base)),
        dot_token: Default::default(),
        member: syn::Member::Named(ident(name)),
    })
}

/// `base[index]`
pub fn index(base: Expr, index: usize) -> Expr {
    let index = syn::LitInt::new(&index.to_string(), Span::call_site());
    Expr::Index(syn::ExprIndex {
        attrs: Vec::new(),
        expr: Box::new(base),
        bracket_token: Default::default(),
        index: Box::new(Expr::Lit(syn::ExprLit { attrs: Vec::new(), lit: syn::Lit::Int(index) })),
    })
}

/// `[a, b, …]`
pub fn array(elements: Vec<Expr>) -> Expr {
    Expr::Array(syn::ExprArray {
        attrs: Vec::new(),
        bracket_token: Default::default(),
        elems: elements.into_iter().collect(),
    })
}

/// `name` or `_`.
pub fn pattern(name: Option<&str>) -> Pat {
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

/// `[a, _, …]`
pub fn slice_pattern(names: &[Option<&str>]) -> Pat {
    let elems: Punctuated<Pat, Token![,]> = names.iter().map(|n| pattern(*n)).collect();
    Pat::Slice(syn::PatSlice { attrs: Vec::new(), bracket_token: Default::default(), elems })
}

/// `[a, _, …]`, with `..` in the place of the longest gap; and its length in columns, about.
pub fn gap_pattern(names: &[Option<&str>]) -> (Pat, usize) {
    let (mut longest, mut start) = (0..0, 0);
    for (i, name) in names.iter().enumerate() {
        if name.is_some() {
            start = i + 1;
        } else if i + 1 - start > longest.len() {
            longest = start..i + 1;
        }
    }
    // A `..` for one entry says less than a `_`.
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
            elems.push(pattern(*name));
            width += name.map_or(3, |n| n.len() + 2);
        }
    }
    (Pat::Slice(syn::PatSlice { attrs: Vec::new(), bracket_token: Default::default(), elems }), width)
}

/// `(a, b)`
pub fn pair_pattern(a: Pat, b: Pat) -> Pat {
    let elems: Punctuated<Pat, Token![,]> = [a, b].into_iter().collect();
    Pat::Tuple(syn::PatTuple { attrs: Vec::new(), paren_token: Default::default(), elems })
}

/// `Name { a, b }`, with `..` where there are others.
pub fn struct_pattern(name: &str, fields: &[&str], others: bool) -> Pat {
    let (name, fields) = (ident(name), fields.iter().map(|f| ident(f)));
    if others { parse_quote!(#name { #(#fields,)* .. }) } else { parse_quote!(#name { #(#fields),* }) }
}

/// `let pattern = value;`
pub fn bind(pattern: Pat, value: Expr) -> Stmt {
    Stmt::Local(syn::Local {
        attrs: Vec::new(),
        let_token: Default::default(),
        modifiers: Default::default(),
        pat: pattern,
        init: Some(syn::LocalInit { eq_token: Default::default(), expr: Box::new(value), diverge: None }),
        semi_token: Default::default(),
    })
}

/// `place = value;`
pub fn assign(place: Expr, value: Expr) -> Stmt {
    let assign = syn::ExprAssign {
        attrs: Vec::new(),
        left: Box::new(place),
        eq_token: Default::default(),
        right: Box::new(value),
    };
    Stmt::Expr(Expr::Assign(assign), Some(Default::default()))
}

/// A `// comment`.
pub fn comment_of(text: &str) -> syn::Attribute {
    let text = format!(" {}", single_line(text));
    parse_quote!(#[comment = #text])
}

/// Puts a `// comment` before a `let`.
pub fn comment(stmt: &mut Stmt, text: &str) {
    if let Stmt::Local(local) = stmt {
        local.attrs.push(comment_of(text));
    }
}

/// Stands for a `// results` comment; the printer would put parentheses around an assignment that has one.
pub const RESULTS: &str = "dqdt_results!();";

/// The statement [`RESULTS`].
pub fn results_mark() -> Stmt {
    parse_quote!(dqdt_results!();)
}

/// Text of one line that may stand in a comment: no control or direction characters.
pub fn single_line(text: &str) -> String {
    text.chars().map(|c| if dqdt_diagnostics::base::steers(c) { ' ' } else { c }).collect()
}

/// Text for documentation: also without markup, but for pairs of backticks, which stay code.
pub fn prose(text: &str) -> String {
    let text = single_line(text);
    let parts: Vec<&str> = text.split('`').collect();
    let mut out = String::with_capacity(text.len());
    for (i, part) in parts.iter().enumerate() {
        let (code_span, closed) = (i % 2 == 1, i + 1 < parts.len());
        if code_span && closed && !part.trim().is_empty() {
            out.push_str(&code(part));
            continue;
        }
        if code_span {
            out.push_str("\\`");
        }
        escape(part, &mut out);
        if code_span && closed {
            out.push_str("\\`");
        }
    }
    out.trim().to_owned()
}

/// An underscore inside a word is no markup.
fn escape(text: &str, out: &mut String) {
    let mut before = ' ';
    let mut letters = text.chars().peekable();
    while let Some(c) = letters.next() {
        let inside = before.is_alphanumeric() && letters.peek().is_some_and(|c| c.is_alphanumeric());
        if matches!(c, '[' | ']' | '<' | '>' | '|' | '*' | '\\') || c == '_' && !inside {
            out.push('\\');
        }
        out.push(c);
        before = c;
    }
}

/// Text as code: no markup inside. Empty text is `1`, the unit of pure numbers.
pub fn code(text: &str) -> String {
    let text = single_line(text).replace(['`', '|'], " ");
    format!("`{}`", if text.trim().is_empty() { "1" } else { text.trim() })
}

/// `///` lines.
pub fn doc(lines: &[String]) -> Vec<syn::Attribute> {
    lines
        .iter()
        .map(|line| {
            let line = if line.is_empty() { String::new() } else { format!(" {line}") };
            parse_quote!(#[doc = #line])
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prose_keeps_code_and_escapes_other_markup() {
        assert_eq!(prose("angle of joint `rail_2`"), "angle of joint `rail_2`");
        assert_eq!(prose("cart_pole of _the_ [lab]"), "cart_pole of \\_the\\_ \\[lab\\]");

        assert_eq!(prose("a ` alone"), "a \\` alone");
        assert_eq!(prose("`a|b`"), "`a b`");
    }
}
