//! Doc comments and function names, to be drawn by lot.

use syn::visit::{self, Visit};

/// A named item of a source file.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Item {
    /// Path of the file from the root of the repository.
    pub file: String,
    /// Kind and name, with its type or trait: `fn mass_matrix`, `struct Pose`, `field
    /// Pose::origin`.
    pub name: String,
    /// Its doc comment, one paragraph a line; empty if there is none.
    pub doc: String,
}

struct Items<'f> {
    file: &'f str,
    /// Type or trait of the items that are visited; empty outside of one.
    owner: String,
    all: Vec<Item>,
}

impl Items<'_> {
    /// Visits the items of a type or trait with its name before theirs.
    fn visit_within(&mut self, owner: String, visit: impl FnOnce(&mut Self)) {
        let outer = std::mem::replace(&mut self.owner, owner);
        visit(self);
        self.owner = outer;
    }

    fn push(&mut self, kind: &str, ident: &syn::Ident, attributes: &[syn::Attribute]) {
        let name = match self.owner.as_str() {
            "" => format!("{kind} {ident}"),
            owner => format!("{kind} {owner}::{ident}"),
        };
        self.all.push(Item { file: self.file.to_owned(), name, doc: doc_comment(attributes) });
    }
}

/// One line of a doc comment, if the attribute is one.
fn doc_line(attribute: &syn::Attribute) -> Option<String> {
    let syn::Meta::NameValue(pair) = &attribute.meta else { return None };
    match &pair.value {
        syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(text), .. }) if pair.path.is_ident("doc") => {
            Some(text.value().trim().to_owned())
        }
        _ => None,
    }
}

/// Text of the doc comment among these attributes.
fn doc_comment(attributes: &[syn::Attribute]) -> String {
    attributes.iter().filter_map(doc_line).collect::<Vec<_>>().join(" ").trim().to_owned()
}

fn is_test(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|a| a.path().is_ident("test"))
}

/// True for `#[cfg(test)]`.
fn is_for_tests(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|a| {
        let word = a.parse_args::<syn::Ident>();
        a.path().is_ident("cfg") && word.is_ok_and(|word| word == "test")
    })
}

/// Last name of the path of a type: `Pose` of `kinematics::Pose<S>`.
fn type_name(ty: &syn::Type) -> String {
    match ty {
        syn::Type::Path(path) => path.path.segments.last().map_or_else(String::new, |s| s.ident.to_string()),
        syn::Type::Reference(reference) => type_name(&reference.elem),
        _ => String::new(),
    }
}

impl<'ast> Visit<'ast> for Items<'_> {
    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        if !is_test(&item.attrs) {
            self.push("fn", &item.sig.ident, &item.attrs);
        }
        visit::visit_item_fn(self, item);
    }

    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        if !is_for_tests(&item.attrs) {
            visit::visit_item_mod(self, item);
        }
    }

    fn visit_item_impl(&mut self, item: &'ast syn::ItemImpl) {
        self.visit_within(type_name(&item.self_ty), |s| visit::visit_item_impl(s, item));
    }

    fn visit_item_trait(&mut self, item: &'ast syn::ItemTrait) {
        self.visit_within(item.ident.to_string(), |s| visit::visit_item_trait(s, item));
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        self.push("fn", &item.sig.ident, &item.attrs);
        visit::visit_impl_item_fn(self, item);
    }

    fn visit_trait_item_fn(&mut self, item: &'ast syn::TraitItemFn) {
        self.push("fn", &item.sig.ident, &item.attrs);
        visit::visit_trait_item_fn(self, item);
    }

    fn visit_item_struct(&mut self, item: &'ast syn::ItemStruct) {
        self.push("struct", &item.ident, &item.attrs);
        self.visit_within(item.ident.to_string(), |s| visit::visit_item_struct(s, item));
    }

    fn visit_item_enum(&mut self, item: &'ast syn::ItemEnum) {
        self.push("enum", &item.ident, &item.attrs);
        self.visit_within(item.ident.to_string(), |s| visit::visit_item_enum(s, item));
    }

    fn visit_item_const(&mut self, item: &'ast syn::ItemConst) {
        self.push("const", &item.ident, &item.attrs);
    }

    fn visit_field(&mut self, field: &'ast syn::Field) {
        if let Some(ident) = &field.ident {
            self.push("field", ident, &field.attrs);
        }
    }

    fn visit_variant(&mut self, variant: &'ast syn::Variant) {
        self.push("variant", &variant.ident, &variant.attrs);
    }
}

fn is_product_source(file: &str) -> bool {
    let is_product = file.starts_with("codegen/") || file.starts_with("runtime/");
    let is_test = file.contains("/tests/") || file.ends_with("tests.rs");
    is_product && !is_test && !file.contains("/samples/") && !file.contains("/examples/")
}

/// Items of the generator and the runtime: no tests, no examples.
///
/// # Errors
/// The path of a file that does not parse, with the parser's message.
pub fn items(files: &[(String, String)]) -> Result<Vec<Item>, String> {
    let mut all = Vec::new();
    for (file, text) in files.iter().filter(|(file, _)| is_product_source(file)) {
        let tree = syn::parse_file(text).map_err(|e| format!("{file}: {e}"))?;
        let mut items = Items { file, owner: String::new(), all: Vec::new() };
        items.visit_file(&tree);
        all.extend(items.all);
    }
    Ok(all)
}

/// Draws up to `count` elements by lot; the same seed draws the same.
pub fn draw<T>(mut all: Vec<T>, count: usize, seed: u64) -> Vec<T> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5851_f42d_4c95_7f2d;
    let mut drawn = Vec::new();
    while drawn.len() < count && !all.is_empty() {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let index = usize::try_from((state >> 33) % all.len() as u64).unwrap_or_default();
        drawn.push(all.swap_remove(index));
    }
    drawn
}

#[cfg(test)]
mod tests {
    use super::{draw, items};

    #[test]
    fn the_same_seed_draws_the_same_and_another_one_other_elements() {
        let all: Vec<usize> = (0..1000).collect();
        assert_eq!(draw(all.clone(), 20, 3), draw(all.clone(), 20, 3));
        assert_ne!(draw(all.clone(), 20, 3), draw(all.clone(), 20, 4));
        let mut drawn = draw(all, 20, 3);
        drawn.sort_unstable();
        drawn.dedup();
        assert_eq!(drawn.len(), 20);
    }

    #[test]
    fn items_have_their_doc_comments() {
        let code = "/// A pose.\n///\n/// In ground axes.\nstruct Pose { /// Origin.\n origin: f64 }\n#[test]\nfn no() {}";
        let all = items(&[("codegen/a.rs".to_owned(), code.to_owned())]).unwrap_or_default();
        let texts: Vec<(&str, &str)> = all.iter().map(|i| (i.name.as_str(), i.doc.as_str())).collect();
        assert_eq!(texts, [("struct Pose", "A pose.  In ground axes."), ("field Pose::origin", "Origin.")]);
    }
}
