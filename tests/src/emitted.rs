//! Reader of emitted modules: size in tokens, `let`s, and names used for two values.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::visit::{self, Visit};

/// An emitted module of `generated/src`.
pub struct Module {
    /// File name without extension.
    pub name: String,
    /// The parsed module.
    pub file: syn::File,
    /// Number of tokens; a pair of brackets counts as two, a line of documentation as an attribute.
    pub tokens: usize,
    /// Number of lines.
    pub lines: usize,
    /// Names of coordinates, speeds, inputs and parameters in the spec.
    pub of_spec: Vec<String>,
    /// Heading comment of every `let`, in order.
    headings: Vec<String>,
}

fn is_module_file(p: &Path) -> bool {
    p.extension().is_some_and(|e| e == "rs") && !p.ends_with("lib.rs")
}

/// All modules of `generated/src`, by name.
///
/// # Errors
/// If a file cannot be read or parsed.
pub fn modules() -> Result<Vec<Module>, String> {
    let folder = crate::root("generated/src");
    let entries = std::fs::read_dir(&folder).map_err(|e| e.to_string())?;
    let mut paths: Vec<PathBuf> = entries.filter_map(|e| Some(e.ok()?.path())).collect();
    paths.sort();
    paths.into_iter().filter(|p| is_module_file(p)).map(|path| module(&path)).collect()
}

fn module(path: &std::path::Path) -> Result<Module, String> {
    let text = std::fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))?;
    let file = syn::parse_file(&text).map_err(|e| format!("{}: {e}", path.display()))?;
    let name = path.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
    let tokens = count_tokens(file.to_token_stream());
    Ok(Module {
        name,
        tokens,
        lines: text.lines().count(),
        headings: headings(&text),
        of_spec: of_spec(&text),
        file,
    })
}

fn of_spec(text: &str) -> Vec<String> {
    let names = text.split("quantity(\"").skip(1).filter_map(|rest| rest.split('"').next());
    names.map(str::to_owned).collect()
}

/// The heading of every `let`: the last line of comment before it in its function.
fn headings(text: &str) -> Vec<String> {
    let (mut all, mut heading) = (Vec::new(), "");
    for line in text.lines().map(str::trim) {
        if line.contains("fn ") {
            heading = "";
        } else if let Some(comment) = line.strip_prefix("// ") {
            heading = comment;
        } else if line.starts_with("let ") {
            all.push(heading.to_owned());
        }
    }
    all
}

fn count_of_tree(t: TokenTree) -> usize {
    match t {
        TokenTree::Group(g) => 2 + count_tokens(g.stream()),
        _ => 1,
    }
}

fn count_tokens(tokens: TokenStream) -> usize {
    tokens.into_iter().map(count_of_tree).sum()
}

/// Number of tokens of a module by use: documentation and attributes by their
/// names, the rest by item.
pub fn parts(module: &Module) -> Vec<(String, usize)> {
    let mut out = Vec::new();
    for item in &module.file.items {
        let mut rest = count_tokens(item.to_token_stream());
        let mut attributes = Attributes::default();
        attributes.visit_item(item);
        for (name, tokens) in attributes.0 {
            rest -= tokens;
            out.push((format!("#[{name}]"), tokens));
        }
        let what = match item {
            syn::Item::Fn(f) => format!("fn {}", f.sig.ident),
            syn::Item::Const(c) => format!("const {}", c.ident),
            syn::Item::Static(_) => "static".to_owned(),
            syn::Item::Struct(s) => format!("struct {}", s.ident),
            syn::Item::Macro(m) => format!("{}!", m.mac.path.to_token_stream()),
            syn::Item::Impl(i) => {
                let self_type = i.self_ty.to_token_stream();
                let by = i.trait_.as_ref().map(|t| t.1.to_token_stream().to_string());
                format!("impl {} for {self_type}", by.unwrap_or_default())
            }
            _ => "others".to_owned(),
        };
        out.push((what, rest));
    }
    out
}

#[derive(Default)]
struct Attributes(Vec<(String, usize)>);

impl<'a> Visit<'a> for Attributes {
    fn visit_attribute(&mut self, a: &'a syn::Attribute) {
        self.0.push((a.path().to_token_stream().to_string(), count_tokens(a.to_token_stream())));
    }
}

/// A function of an emitted module, with its names and `let`s.
pub struct EmittedFunction {
    /// Name of the function.
    pub name: String,
    /// Its `let`s as text, each after its heading.
    pub lets: Vec<String>,
    /// The names that it binds, including its arguments.
    pub bound: Vec<String>,
    /// Descriptions of names used for two values, which mislead a reader.
    pub ambiguous: Vec<String>,
}

/// The functions of a module, methods included.
pub fn functions(module: &Module) -> Vec<EmittedFunction> {
    let mut visitor = FunctionVisitor { functions: Vec::new(), headings: module.headings.iter() };
    visitor.visit_file(&module.file);
    visitor.functions
}

struct FunctionVisitor<'h> {
    functions: Vec<EmittedFunction>,
    headings: std::slice::Iter<'h, String>,
}

impl FunctionVisitor<'_> {
    fn add(&mut self, signature: &syn::Signature, block: &syn::Block) {
        let mut emitted = function(signature, block);
        for text in &mut emitted.lets {
            let heading = self.headings.next().map_or("", String::as_str);
            *text = format!("[{heading}] {text}");
        }
        self.functions.push(emitted);
    }
}

impl<'a> Visit<'a> for FunctionVisitor<'_> {
    fn visit_item_fn(&mut self, f: &'a syn::ItemFn) {
        self.add(&f.sig, &f.block);
    }

    fn visit_impl_item_fn(&mut self, f: &'a syn::ImplItemFn) {
        self.add(&f.sig, &f.block);
    }
}

fn function(signature: &syn::Signature, block: &syn::Block) -> EmittedFunction {
    let mut names = Uses { scopes: vec![BTreeSet::new()], ..Uses::default() };
    for argument in &signature.inputs {
        names.visit_fn_arg(argument);
    }
    names.visit_block(block);
    let mut ambiguous: BTreeSet<String> = BTreeSet::new();
    for name in &names.twice {
        ambiguous.insert(format!("{name} is bound over itself"));
    }
    for name in &names.bound {
        for (base, fields) in &names.fields {
            if fields.contains(name) {
                ambiguous.insert(format!("{name} and {base}.{name}"));
            }
        }
    }
    let all: Vec<(&String, &BTreeSet<String>)> = names.fields.iter().collect();
    for (i, (base, fields)) in all.iter().enumerate() {
        for (other, others) in &all[..i] {
            ambiguous.extend(fields.intersection(others).map(|f| format!("{other}.{f} and {base}.{f}")));
        }
    }
    EmittedFunction {
        name: signature.ident.to_string(),
        lets: names.lets,
        bound: names.bound.into_iter().collect(),
        ambiguous: ambiguous.into_iter().collect(),
    }
}

/// Names bound by a function, and the fields of the model and of the parameters that it reads.
#[derive(Default)]
struct Uses {
    /// Bound names of the open blocks, the outermost first.
    scopes: Vec<BTreeSet<String>>,
    bound: BTreeSet<String>,
    twice: BTreeSet<String>,
    fields: BTreeMap<String, BTreeSet<String>>,
    lets: Vec<String>,
}

impl<'a> Visit<'a> for Uses {
    fn visit_pat_ident(&mut self, p: &'a syn::PatIdent) {
        let name = p.ident.to_string();
        if self.scopes.iter().any(|s| s.contains(&name)) {
            self.twice.insert(name.clone());
        }
        self.bound.insert(name.clone());
        if let Some(scope) = self.scopes.last_mut() {
            scope.insert(name);
        }
        visit::visit_pat_ident(self, p);
    }

    fn visit_block(&mut self, block: &'a syn::Block) {
        self.scopes.push(BTreeSet::new());
        visit::visit_block(self, block);
        self.scopes.pop();
    }

    fn visit_expr_for_loop(&mut self, e: &'a syn::ExprForLoop) {
        self.scopes.push(BTreeSet::new());
        visit::visit_expr_for_loop(self, e);
        self.scopes.pop();
    }

    // The arguments of a closure are in its own scope.
    fn visit_expr_closure(&mut self, closure: &'a syn::ExprClosure) {
        self.visit_expr(&closure.body);
    }

    fn visit_expr_field(&mut self, e: &'a syn::ExprField) {
        if let (syn::Expr::Path(base), syn::Member::Named(field)) = (&*e.base, &e.member)
            && let Some(base) = base.path.get_ident().map(ToString::to_string)
            && ["model", "self", "p"].contains(&base.as_str())
        {
            self.fields.entry(base).or_default().insert(field.to_string());
        }
        visit::visit_expr_field(self, e);
    }

    fn visit_local(&mut self, l: &'a syn::Local) {
        let text = syn::Local { attrs: Vec::new(), ..l.clone() }.to_token_stream().to_string();
        self.lets.push(text);
        visit::visit_local(self, l);
    }
}
