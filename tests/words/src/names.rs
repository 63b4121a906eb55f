//! Names of functions, bindings, types and files.

use crate::{Finding, Rule};
use std::collections::BTreeMap;
use syn::visit::{self, Visit};

/// Participles, adverbs and pronouns that are no names.
const LIST: [&str; 14] = [
    "found", "own", "of", "derived", "prepared", "chosen", "apart", "alike", "left_out", "written", "given",
    "seen", "asked", "told",
];

/// File names that are none either, besides those of the list.
const FILES: [&str; 13] = [
    "recent",
    "worth",
    "beside",
    "instead",
    "whole",
    "turned",
    "unturned",
    "hanging",
    "handed",
    "taken",
    "held",
    "described",
    "wanted",
];

struct Names<'f> {
    file: &'f str,
    text: &'f str,
    all: Vec<Finding>,
}

impl Names<'_> {
    fn check(&mut self, ident: &syn::Ident, before: &str) {
        let name = ident.to_string();
        if LIST.contains(&name.as_str()) {
            let line = self.text.lines().position(|l| l.contains(&format!("{before}{name}")));
            let line = line.map_or(0, |i| i + 1);
            self.all.push(Finding { rule: Rule::Name, file: self.file.to_owned(), line, text: name });
        }
    }
}

impl<'ast> Visit<'ast> for Names<'_> {
    fn visit_signature(&mut self, signature: &'ast syn::Signature) {
        self.check(&signature.ident, "fn ");
        visit::visit_signature(self, signature);
    }

    fn visit_pat_ident(&mut self, pattern: &'ast syn::PatIdent) {
        self.check(&pattern.ident, "");
        visit::visit_pat_ident(self, pattern);
    }
}

/// Names of one file that are in the list; the line is the first that has the name.
pub fn findings(file: &str, text: &str, tree: &syn::File) -> Vec<Finding> {
    let mut names = Names { file, text, all: Vec::new() };
    names.visit_file(tree);
    let stem = file.rsplit('/').next().unwrap_or(file).trim_end_matches(".rs");
    if LIST.contains(&stem) || FILES.contains(&stem) {
        let text = stem.to_owned();
        names.all.push(Finding { rule: Rule::File, file: file.to_owned(), line: 0, text });
    }
    names.all
}

struct Types<'f> {
    file: &'f str,
    all: Vec<(String, &'f str)>,
}

impl<'ast> Visit<'ast> for Types<'_> {
    fn visit_item_struct(&mut self, item: &'ast syn::ItemStruct) {
        self.all.push((item.ident.to_string(), self.file));
        visit::visit_item_struct(self, item);
    }

    fn visit_item_enum(&mut self, item: &'ast syn::ItemEnum) {
        self.all.push((item.ident.to_string(), self.file));
        visit::visit_item_enum(self, item);
    }

    fn visit_item_trait(&mut self, item: &'ast syn::ItemTrait) {
        self.all.push((item.ident.to_string(), self.file));
        visit::visit_item_trait(self, item);
    }

    fn visit_item_type(&mut self, item: &'ast syn::ItemType) {
        self.all.push((item.ident.to_string(), self.file));
        visit::visit_item_type(self, item);
    }
}

/// Files of each name of a type that several types have.
///
/// # Errors
/// The path of a file that does not parse, with the parser's message.
pub fn repeated_types(files: &[(String, String)]) -> Result<BTreeMap<String, Vec<String>>, String> {
    let mut by_name: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (file, text) in files {
        let tree = syn::parse_file(text).map_err(|e| format!("{file}: {e}"))?;
        let mut types = Types { file, all: Vec::new() };
        types.visit_file(&tree);
        for (name, file) in types.all {
            by_name.entry(name).or_default().push(file.to_owned());
        }
    }
    by_name.retain(|_, files| files.len() > 1);
    Ok(by_name)
}
