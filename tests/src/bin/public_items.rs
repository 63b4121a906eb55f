//! Counts the public items of `dqdt-codegen` in the output of `cargo doc --workspace --no-deps`.
//! Fails if there are too many, or if a public signature names a type without a page. The lint
//! `missing_docs` checks that each item is documented.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use dqdt_tests::root;

/// Limit on the number of public items. The names of emitted functions do not count: they are one
/// list, shown as a table in the reference.
const MOST: usize = 246;

fn main() -> ExitCode {
    match check(&target().join("doc/dqdt_codegen")) {
        Ok(count) => {
            println!("dqdt-codegen has {count} public items, fewer than {MOST}");
            ExitCode::SUCCESS
        }
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root("target"), PathBuf::from)
}

fn read(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path)
        .map_err(|e| format!("{}: {e}; run `cargo doc --workspace --no-deps` first", path.display()))
}

fn check(folder: &Path) -> Result<usize, String> {
    let list = read(&folder.join("all.html"))?;
    let links = list.split("<li><a href=\"").skip(1).filter_map(|rest| rest.split('"').next());
    // Other links refer to sections of the page itself.
    let pages: Vec<&str> = links.filter(|link| link.ends_with(".html")).collect();
    // Without these, the list is incomplete.
    for known in ["struct.Config.html", "fn.compile.html", "simulate/fn.simulate.html"] {
        if !pages.contains(&known) {
            return Err(format!("{known} is not listed: was the documentation made with all features?"));
        }
    }
    let count = pages.iter().filter(|page| !page.starts_with("functions/constant.")).count();
    if count >= MOST {
        return Err(format!("dqdt-codegen has {count} public items; fewer than {MOST} may be"));
    }
    let names: BTreeSet<&str> =
        pages.iter().filter_map(|page| page.rsplit('/').next()?.split('.').nth(1)).collect();
    let mut hidden = BTreeSet::new();
    for entry in std::fs::read_dir(root("codegen")).map_err(|e| e.to_string())?.filter_map(Result::ok) {
        let sources = entry.path().join("src");
        if sources.is_dir() {
            hidden.extend(type_names(&sources)?);
        }
    }
    hidden.extend(type_names(&root("codegen/src"))?);
    hidden.retain(|name| !names.contains(name.as_str()));
    let mut leaks = Vec::new();
    for page in &pages {
        let html = read(&folder.join(page))?;
        for signature in signatures(&html) {
            leaks.extend(
                unlinked(&signature)
                    .into_iter()
                    .filter(|w| hidden.contains(w))
                    .map(|w| format!("{page}: {w}")),
            );
        }
    }
    if leaks.is_empty() {
        Ok(count)
    } else {
        Err(format!("types that a public signature names and no page documents:\n{}", leaks.join("\n")))
    }
}

/// Names of the types and traits in the sources below a folder.
fn type_names(folder: &Path) -> Result<BTreeSet<String>, String> {
    let mut names = BTreeSet::new();
    let entries = std::fs::read_dir(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    for path in entries.filter_map(|e| Some(e.ok()?.path())) {
        if path.is_dir() {
            names.extend(type_names(&path)?);
        } else if path.extension().is_some_and(|e| e == "rs") {
            for line in read(&path)?.lines() {
                let Some((before, after)) =
                    ["struct ", "enum ", "trait ", "type "].iter().find_map(|k| line.split_once(k))
                else {
                    continue;
                };
                if before.trim().is_empty() || before.trim().starts_with("pub") {
                    names.insert(after.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect());
                }
            }
        }
    }
    Ok(names)
}

/// The declarations on a page: of the item, of its methods, and of implemented traits.
fn signatures(html: &str) -> Vec<String> {
    let mut declarations = Vec::new();
    for (open, close) in
        [("<pre class=\"rust item-decl\">", "</pre>"), ("<h4 class=\"code-header\">", "</h4>")]
    {
        declarations
            .extend(html.split(open).skip(1).filter_map(|rest| rest.split(close).next()).map(str::to_owned));
    }
    declarations
}

/// The words of a declaration that link to no page of `dqdt-codegen`. Links to pages of an inner
/// crate do not count: they exist only if those pages were written earlier. Variants, the first
/// words of lines, are not types.
fn unlinked(html: &str) -> Vec<String> {
    let mut text = String::new();
    for (i, part) in html.split("<a ").enumerate() {
        let (link, after) = part.split_once("</a>").unwrap_or((part, ""));
        let elsewhere = i > 0 && link.split('>').next().is_some_and(|opening| opening.contains("../dqdt_"));
        let rest = if i == 0 || elsewhere { part } else { after };
        let mut inside = elsewhere;
        for c in rest.chars() {
            match c {
                '<' => inside = true,
                '>' if inside => inside = false,
                c if !inside => text.push(c),
                _ => {}
            }
        }
        // Marks a removed link, so that the next word is not taken for a variant.
        text.push('·');
    }
    let mut words = Vec::new();
    for line in text.lines().filter(|l| !l.trim_start().starts_with("//")) {
        let all = line.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|w| !w.is_empty());
        let variant = line.starts_with("    ");
        words.extend(all.skip(usize::from(variant)).map(str::to_owned));
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_to_an_inner_crate_documents_nothing() {
        let here = "pub fn pose(&amp;self) -> <a class=\"struct\" href=\"struct.Pose.html\" title=\"struct\">Pose</a>";
        assert!(!unlinked(here).contains(&"Pose".to_owned()));
        let elsewhere = here.replace("struct.Pose", "../../dqdt_mechanics/struct.Pose");
        assert!(unlinked(&elsewhere).contains(&"Pose".to_owned()));
        let without = "pub fn pose(&amp;self) -> Pose";
        assert!(unlinked(without).contains(&"Pose".to_owned()));
    }
}
