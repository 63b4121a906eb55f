//! Sentences of the generator that a user can meet: messages, helps, reports, comments of emitted
//! code.
//!
//! Method:  every string literal of the generator with three words or more. Format strings keep
//!          their braces.
//! Limits:  texts that are put together from shorter pieces show as these pieces.

use proc_macro2::{Literal, TokenStream, TokenTree};
use syn::visit::{self, Visit};

struct Strings {
    all: Vec<String>,
}

impl Strings {
    fn push(&mut self, text: &str) {
        let words = text.split_whitespace().filter(|w| w.chars().any(char::is_alphabetic));
        if words.count() >= 3 {
            self.all.push(text.split_whitespace().collect::<Vec<_>>().join(" "));
        }
    }

    fn literal(&mut self, literal: &Literal) {
        if let Ok(syn::Lit::Str(text)) = syn::parse_str(&literal.to_string()) {
            self.push(&text.value());
        }
    }

    fn tokens(&mut self, tokens: TokenStream) {
        for token in tokens {
            match token {
                TokenTree::Group(group) => self.tokens(group.stream()),
                TokenTree::Literal(literal) => self.literal(&literal),
                TokenTree::Ident(_) | TokenTree::Punct(_) => {}
            }
        }
    }
}

impl<'ast> Visit<'ast> for Strings {
    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        if item.ident != "tests" {
            visit::visit_item_mod(self, item);
        }
    }

    fn visit_attribute(&mut self, attribute: &'ast syn::Attribute) {
        // Doc comments of options are their `--help`.
        if !attribute.path().is_ident("doc") {
            visit::visit_attribute(self, attribute);
        }
    }

    fn visit_lit_str(&mut self, text: &'ast syn::LitStr) {
        self.push(&text.value());
    }

    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        self.tokens(call.tokens.clone());
    }
}

fn is_generator_source(file: &str) -> bool {
    let is_test = ["/tests/", "/samples/", "_tests.rs", "/tests.rs"].iter().any(|part| file.contains(part));
    file.starts_with("codegen/") && !is_test
}

/// File and text of each sentence, in the order of the files.
///
/// # Errors
/// The path of a file that does not parse, with the parser's message.
pub fn sentences(files: &[(String, String)]) -> Result<Vec<(String, String)>, String> {
    let mut all = Vec::new();
    for (file, text) in files.iter().filter(|(file, _)| is_generator_source(file)) {
        let tree = syn::parse_file(text).map_err(|e| format!("{file}: {e}"))?;
        let mut strings = Strings { all: Vec::new() };
        strings.visit_file(&tree);
        all.extend(strings.all.into_iter().map(|s| (file.clone(), s)));
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::sentences;

    #[test]
    fn messages_of_macros_and_calls_are_found_and_tests_are_not() {
        let code = r#"fn f() { g("a key is missing"); h!("no {x} is there"); k("short one"); }
            mod tests { fn t() { g("words of a test"); } }"#;
        let all = sentences(&[("codegen/a.rs".to_owned(), code.to_owned())]).unwrap_or_default();
        let texts: Vec<&str> = all.iter().map(|s| s.1.as_str()).collect();
        assert_eq!(texts, ["a key is missing", "no {x} is there"]);
    }
}
