//! Checks the part of the code map in ARCHITECTURE.md that Cargo cannot enforce: which folder of a
//! crate may use which other folders of the crate.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Allowed dependencies between folders of one crate: crate, folder, and the other folders that its
/// `use crate::…` lines may name. Cargo enforces dependencies between crates. Files have the rights
/// of their folder.
const MAY_USE: &[(&str, &str, &[&str])] = &[
    ("diagnostics", "base", &[]),
    ("diagnostics", "error", &["base"]),
    ("graph", "ir", &[]),
    ("graph", "simplify", &["ir"]),
    ("graph", "plan", &["ir"]),
    ("mechanics", "mechanism", &[]),
    ("mechanics", "kinematics", &["mechanism"]),
    ("mechanics", "formalism", &["mechanism", "kinematics"]),
    ("derivation", "symbols", &[]),
    ("derivation", "assemble", &["symbols"]),
    ("derivation", "derive", &["symbols", "assemble"]),
    ("derivation", "functions", &["derive"]),
    ("spec", "spec", &[]),
    ("spec", "read", &["spec"]),
    ("spec", "resolve", &["spec"]),
    ("import", "robot", &[]),
    ("import", "urdf", &["robot"]),
    ("import", "mjcf", &["robot"]),
    ("print", "code", &[]),
    ("print", "tree", &["code"]),
    ("print", "rust", &["code", "target", "tree"]),
    ("generate", "inertia", &[]),
    ("generate", "optimise", &["inertia"]),
    ("generate", "pipeline", &["inertia", "optimise"]),
    ("generate", "explain", &["optimise", "pipeline"]),
    ("document", "report", &[]),
    ("document", "equations", &["report"]),
    ("equations", "symbolic", &[]),
    ("equations", "inspect", &["symbolic"]),
    ("motion", "simulate", &[]),
    ("motion", "linearize", &["simulate"]),
    ("motion", "sweep", &["simulate"]),
];

/// The folder `codegen`, which contains the generator's crates.
fn codegen() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Names of the generator's crates and the paths of their `src` folders. The name of
/// `dqdt-codegen` is empty.
fn crates() -> Vec<(String, PathBuf)> {
    let mut names: Vec<String> = fs::read_dir(codegen())
        .unwrap()
        .map(|e| e.unwrap().file_name().to_string_lossy().into_owned())
        .filter(|name| codegen().join(name).join("Cargo.toml").is_file())
        .collect();
    names.sort();
    let inner = names.into_iter().map(|name| (name.clone(), codegen().join(name).join("src")));
    std::iter::once((String::new(), codegen().join("src"))).chain(inner).collect()
}

/// Every source file of the generator: crate name, path relative to `src`, full path.
pub fn files() -> Vec<(String, String, PathBuf)> {
    let mut all = Vec::new();
    for (name, src) in crates() {
        let mut paths = Vec::new();
        sources(&src, &mut paths);
        all.extend(paths.into_iter().map(|file| {
            let relative = file.strip_prefix(&src).unwrap().to_string_lossy().replace('\\', "/");
            (name.clone(), relative, file)
        }));
    }
    all
}

fn sources(folder: &Path, paths: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            sources(&path, paths);
        } else if path.extension().is_some_and(|e| e == "rs") {
            paths.push(path);
        }
    }
}

/// The text of a file before its first `#[cfg(test)]`. Tests may use any folder.
fn strip_tests(text: &str) -> &str {
    text.split("#[cfg(test)]").next().unwrap_or(text)
}

#[test]
fn folders_use_only_what_the_table_allows() {
    let mut breaches = Vec::new();
    for (krate, relative, file) in files() {
        if relative.ends_with("tests.rs") || relative.contains("/tests/") {
            continue;
        }
        let folder = relative.split(['/', '.']).next().unwrap();
        let Some((_, _, allowed)) = MAY_USE.iter().find(|(c, name, _)| *c == krate && *name == folder) else {
            continue;
        };
        let text = fs::read_to_string(&file).unwrap();
        let used = strip_tests(&text).match_indices("crate::").filter_map(|(at, _)| {
            let line = text[..at].rfind('\n').map_or(0, |i| i + 1);
            let comment = text[line..at].trim_start().starts_with("//");
            let name: String =
                text[at + 7..].chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
            // A path in `pub(in …)` is a visibility, not a use.
            let visibility = text[..at].ends_with("pub(in ");
            (!comment && !visibility && !name.is_empty()).then_some(name)
        });
        for name in used {
            let ok = name == folder || allowed.contains(&name.as_str());
            if !ok {
                breaches.push(format!("{krate}: {relative} uses crate::{name}"));
            }
        }
    }
    assert!(breaches.is_empty(), "not in the table of this test:\n{}", breaches.join("\n"));
}

#[test]
fn only_the_symbolic_folder_names_the_exact_polynomials() {
    for (krate, relative, file) in files() {
        if krate == "polynomials" || krate == "equations" && relative.starts_with("symbolic/") {
            continue;
        }
        let text = fs::read_to_string(&file).unwrap();
        assert!(!text.contains("dqdt_polynomials"), "{}", file.display());
    }
}

#[test]
fn no_file_iterates_over_a_standard_hash_map() {
    for (_, _, file) in files() {
        let text = fs::read_to_string(&file).unwrap();
        for word in ["std::collections::HashMap", "std::collections::HashSet"] {
            assert!(!strip_tests(&text).contains(word), "{} uses {word}", file.display());
        }
    }
}

/// True if the text of a source file declares this function, type or module.
fn declares(text: &str, name: &str) -> bool {
    ["fn", "struct", "enum", "trait", "mod"].iter().any(|keyword| {
        text.match_indices(&format!("{keyword} {name}")).any(|(at, declaration)| {
            !text[at + declaration.len()..].starts_with(|c: char| c.is_alphanumeric() || c == '_')
        })
    })
}

#[test]
fn functions_and_types_named_by_the_table_of_changes_exist() {
    let page = fs::read_to_string(codegen().join("../ARCHITECTURE.md")).unwrap();
    let (_, table) = page.split_once("| to change | start at |\n").unwrap();
    let all: Vec<(String, String)> = files()
        .into_iter()
        .map(|(_, _, file)| (file.to_string_lossy().replace('\\', "/"), fs::read_to_string(&file).unwrap()))
        .collect();
    let (mut checked, mut missing) = (0, Vec::new());
    for row in table.lines().take_while(|l| l.starts_with('|')) {
        let cell = row.split('|').nth(2).unwrap();
        let (paths, names): (Vec<&str>, Vec<&str>) =
            cell.split('`').skip(1).step_by(2).partition(|code| code.contains(['/', '.']));
        let endings: Vec<String> = paths.iter().map(|path| format!("/{path}")).collect();
        for name in names.iter().filter_map(|name| name.split("::").next()).filter(|name| *name != "f32") {
            // A name with an underscore is a function of a file in the same cell.
            let exists = all.iter().any(|(path, text)| {
                let is_near = !name.contains('_') || endings.iter().any(|end| path.ends_with(end));
                is_near && declares(text, name)
            });
            if !exists {
                missing.push(format!("`{name}` in {row}"));
            }
            checked += 1;
        }
    }
    assert!(missing.is_empty(), "no such function or type:\n{}", missing.join("\n"));
    assert!(checked > 10, "{checked}");
}

/// Largest allowed number of `cfg(feature = …)` lines in the generator. Lower it
/// when one is removed.
const FEATURES: usize = 12;

#[test]
fn few_places_ask_for_a_feature_and_none_for_a_path() {
    let mut lines_of_features = Vec::new();
    for (_, _, file) in files() {
        let text = fs::read_to_string(&file).unwrap();
        assert!(!text.contains("#[path"), "{}", file.display());
        let asks = text.lines().filter(|l| l.contains("cfg") && l.contains("feature = "));
        lines_of_features.extend(asks.map(|l| format!("{}: {}", file.display(), l.trim())));
    }
    assert!(lines_of_features.len() <= FEATURES, "{}", lines_of_features.join("\n"));
}

/// Largest allowed number of lines of a crate, without comments and blank lines.
const LONGEST: usize = 15_500;

fn is_code(line: &str) -> bool {
    !line.trim().is_empty() && !line.trim_start().starts_with("//")
}

#[test]
fn no_crate_is_too_long() {
    for (name, src) in crates() {
        let mut paths = Vec::new();
        sources(&src, &mut paths);
        let lines: usize =
            paths.iter().map(|f| fs::read_to_string(f).unwrap().lines().filter(|l| is_code(l)).count()).sum();
        assert!(lines < LONGEST, "{name} has {lines} lines");
    }
}

/// A source file of the generator, parsed to find its imports.
struct SourceFile {
    /// Path of the module, starting with its crate: `["dqdt_graph", "ir", "lower"]`.
    module: Vec<String>,
    /// Crate and path relative to `src`, as in `dqdt_graph: ir/lower.rs`.
    file: String,
    /// Code without comments, string contents, tests and `use` items.
    code: String,
    /// Items imported by `use`: whether re-exported, path, local name.
    uses: Vec<(bool, Vec<String>, String)>,
}

/// Files of each target that print statements and expressions. Decisions common to all targets are
/// in `print/src/tree`.
const STATEMENTS: [(&str, &str, &[&str]); 2] = [
    (
        "print",
        "rust",
        &[
            "equal_parts",
            "lines",
            "literal",
            "pivots",
            "results",
            "scope",
            "scope/lanes",
            "statements",
            "syntax",
        ],
    ),
    ("targets", "c", &["equal_parts", "functions", "scope", "text"]),
];

#[test]
fn statements_and_expressions_take_a_target_at_most_1500_lines() {
    for (krate, target, names) in STATEMENTS {
        let all: usize = names
            .iter()
            .map(|name: &&str| {
                let path = codegen().join(krate).join("src").join(target).join(format!("{name}.rs"));
                fs::read_to_string(path).unwrap().lines().count()
            })
            .sum();
        assert!(all <= 1500, "{target}: {all} lines");
    }
}

/// The text of a source file without line comments and string contents.
fn strip_comments_and_strings(text: &str) -> String {
    let mut out = String::new();
    for line in text.lines() {
        let (mut inside, mut escaped, mut last) = (false, false, ' ');
        for c in line.chars() {
            if inside {
                if c == '"' && !escaped {
                    inside = false;
                    out.push('"');
                }
                escaped = c == '\\' && !escaped;
            } else if c == '/' && last == '/' {
                out.pop();
                break;
            } else {
                // A quote in a character literal does not open a string.
                inside = c == '"' && last != '\'' && last != '\\';
                out.push(c);
            }
            last = c;
        }
        out.push('\n');
    }
    out
}

/// Splits a `use` tree such as `a::{b, c::d as e}` into single paths with their local names.
fn expand(before: &[String], tree: &str, out: &mut Vec<(Vec<String>, String)>) {
    let tree = tree.trim();
    if let Some(open) = tree.find('{') {
        let mut path = before.to_vec();
        path.extend(tree[..open].split("::").map(str::trim).filter(|s| !s.is_empty()).map(str::to_owned));
        let (mut depth, mut start) = (0, open + 1);
        let end = tree.rfind('}').unwrap_or(tree.len());
        for (i, c) in tree[open + 1..end].char_indices().map(|(i, c)| (i + open + 1, c)) {
            match c {
                '{' => depth += 1,
                '}' => depth -= 1,
                ',' if depth == 0 => {
                    expand(&path, &tree[start..i], out);
                    start = i + 1;
                }
                _ => {}
            }
        }
        expand(&path, &tree[start..end], out);
    } else if !tree.is_empty() {
        let (path, alias) = tree.split_once(" as ").map_or((tree, None), |(p, a)| (p, Some(a.trim())));
        let mut all = before.to_vec();
        all.extend(path.split("::").map(|s| s.trim().to_owned()));
        if all.last().is_some_and(|s| s == "self") {
            all.pop();
        }
        let name = alias.map_or_else(|| all.last().cloned().unwrap_or_default(), str::to_owned);
        out.push((all, name));
    }
}

fn read_sources() -> Vec<SourceFile> {
    let mut out = Vec::new();
    for (krate, file, path) in files() {
        let root = if krate.is_empty() { "dqdt_codegen".to_owned() } else { format!("dqdt_{krate}") };
        if file == "main.rs" || file.ends_with("tests.rs") || file.contains("/tests/") {
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        // Inline test modules are at the end of a file. `mod tests;` declares a file of its own.
        let end = text
            .match_indices("#[cfg(test)]\nmod ")
            .find(|(i, _)| text[*i..].lines().nth(1).is_some_and(|l| l.ends_with('{')))
            .map_or(text.len(), |(i, _)| i);
        let text = strip_comments_and_strings(&text[..end]);
        let mut module: Vec<String> = file.trim_end_matches(".rs").split('/').map(str::to_owned).collect();
        module.insert(0, root.clone());
        if module.last().is_some_and(|m| m == "mod" || m == "lib") {
            module.pop();
        }
        let (mut code, mut uses, mut rest) = (String::new(), Vec::new(), text.as_str());
        while let Some(at) = rest.find("use ") {
            let line = rest[..at].rfind('\n').map_or(0, |i| i + 1);
            let before = rest[line..at].trim();
            let item = before.is_empty() || (before.starts_with("pub") && !before.contains(' '));
            let Some(end) = rest[at..].find(';').filter(|_| item) else {
                code.push_str(&rest[..at + 4]);
                rest = &rest[at + 4..];
                continue;
            };
            code.push_str(&rest[..line]);
            let mut paths = Vec::new();
            expand(&[], &rest[at + 4..at + end], &mut paths);
            uses.extend(paths.into_iter().map(|(p, n)| (before.starts_with("pub"), p, n)));
            rest = &rest[at + end + 1..];
        }
        code.push_str(rest);
        out.push(SourceFile { module, file: format!("{root}: {file}"), code, uses });
    }
    out
}

fn words(code: &str) -> impl Iterator<Item = &str> {
    code.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|w| !w.is_empty())
}

/// Index of the file that defines the item of a path, following re-exports; `None` for an item of
/// another crate.
fn leads_to(all: &[SourceFile], from: &[String], path: &[String], depth: usize) -> Option<usize> {
    let is_module = |m: &[String]| all.iter().position(|s| s.module == m);
    let first = path.first()?;
    let (mut here, mut rest): (Vec<String>, &[String]) = match first.as_str() {
        "crate" => (from.get(..1)?.to_vec(), &path[1..]),
        krate if krate.starts_with("dqdt_") && is_module(&path[..1]).is_some() => {
            (path[..1].to_vec(), &path[1..])
        }
        "self" => (from.to_vec(), &path[1..]),
        "super" => {
            let up = path.iter().take_while(|s| *s == "super").count();
            (from[..from.len().checked_sub(up)?].to_vec(), &path[up..])
        }
        name => {
            is_module(&[from, &[name.to_owned()]].concat())?;
            (from.to_vec(), path)
        }
    };
    while let Some(next) = rest.first() {
        let inner = [&here[..], std::slice::from_ref(next)].concat();
        if is_module(&inner).is_some() {
            here = inner;
            rest = &rest[1..];
            continue;
        }
        let scope = &all[is_module(&here)?];
        let reexport = scope.uses.iter().find(|(_, p, n)| n == next && p[..] != *rest);
        if let Some((_, p, _)) = reexport.filter(|_| depth < 20) {
            return leads_to(all, &here, &[&p[..], &rest[1..]].concat(), depth + 1);
        }
        break;
    }
    is_module(&here)
}

fn is_declaration(line: &str) -> bool {
    let line = line.trim_start_matches("pub(crate) ").trim_start_matches("pub ");
    line.starts_with("mod ") && line.ends_with(';')
}

fn segments(path: &str) -> Vec<String> {
    path.split("::").map(str::to_owned).collect()
}

fn is_path_char(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == ':'
}

/// For each file, the indices of the files it imports. A re-export counts only if the file itself
/// uses the name.
fn imports(all: &[SourceFile]) -> Vec<BTreeSet<usize>> {
    all.iter()
        .enumerate()
        .map(|(i, s)| {
            // A module declaration does not count as a use of its name.
            let code: String = s.code.lines().filter(|l| !is_declaration(l)).collect::<Vec<_>>().join("\n");
            let known: BTreeSet<&str> = words(&code).collect();
            let mut paths: Vec<Vec<String>> = Vec::new();
            for (public, path, name) in &s.uses {
                if !public || known.contains(name.as_str()) {
                    paths.push(path.iter().filter(|p| *p != "*").cloned().collect());
                }
            }
            // Paths in `pub(in …)` are visibilities, not uses. Paths that start with a macro
            // argument count where the macro is called.
            let code = code.replace("super::$", "$");
            let code = code.replace("pub(in crate", "pub(in ");
            // A path that a macro completes counts where the macro is called.
            let code = code.replace("::$", " $");
            // Paths in the code may start at the crate, at an imported module or at a child module.
            for text in code.split(|c: char| !is_path_char(c)).filter(|t| t.contains("::")) {
                let text = text.trim_matches(':');
                let mut path = segments(text);
                if let Some((_, module, _)) = s.uses.iter().find(|(_, _, n)| *n == path[0]) {
                    path.splice(..1, module.iter().cloned());
                }
                paths.push(path);
            }
            paths
                .iter()
                .filter_map(|p| leads_to(all, &s.module, p, 0))
                .filter(|target| *target != i)
                .collect()
        })
        .collect()
}

fn reachable_from(edges: &[BTreeSet<usize>], from: usize) -> BTreeSet<usize> {
    let (mut reached, mut open) = (BTreeSet::new(), vec![from]);
    while let Some(i) = open.pop() {
        edges[i].iter().filter(|j| reached.insert(**j)).for_each(|j| open.push(*j));
    }
    reached
}

/// Import cycles: sets of files in which each file reaches every other.
fn circles(edges: &[BTreeSet<usize>]) -> Vec<Vec<usize>> {
    let reached: Vec<BTreeSet<usize>> = (0..edges.len()).map(|i| reachable_from(edges, i)).collect();
    let (mut out, mut done) = (Vec::new(), BTreeSet::new());
    for i in 0..edges.len() {
        let circle: Vec<usize> =
            reached[i].iter().copied().filter(|j| reached[*j].contains(&i) && done.insert(*j)).collect();
        if circle.len() > 1 {
            out.push(circle);
        }
    }
    out
}

/// Largest allowed number of pairs of files that import each other. Lower it when one is removed.
const PAIRS: usize = 16;

/// True if the two files of the pair are in one folder, or if one is the `mod.rs` of the other's
/// folder.
fn may_import_each_other(all: &[SourceFile], c: &[usize]) -> bool {
    let place = |i: usize| all[c[i]].module.iter().collect::<PathBuf>();
    let (a, b) = (place(0), place(1));
    a.parent() == b.parent() || a.parent() == Some(&b) || b.parent() == Some(&a)
}

#[test]
fn no_circle_of_imports_has_more_than_two_files() {
    let all = read_sources();
    let edges = imports(&all);
    // Self-check of the parser: it must follow a re-export to the file that defines the item.
    let index = |file: &str| all.iter().position(|s| s.file == file).unwrap();
    assert!(
        edges[index("dqdt_generate: pipeline/choose.rs")]
            .contains(&index("dqdt_mechanics: formalism/registry.rs"))
    );
    assert!(
        edges[index("dqdt_mechanics: kinematics/motion.rs")]
            .contains(&index("dqdt_mechanics: mechanism/joint/mod.rs"))
    );
    let named =
        |circle: &Vec<usize>| circle.iter().map(|i| all[*i].file.as_str()).collect::<Vec<_>>().join(", ");
    let (pairs, long): (Vec<_>, Vec<_>) = circles(&edges).into_iter().partition(|c| c.len() == 2);
    let long: Vec<String> = long.iter().map(named).collect();
    assert!(long.is_empty(), "files that import each other in a circle:\n{}", long.join("\n"));
    let far: Vec<String> = pairs.iter().filter(|c| !may_import_each_other(&all, c)).map(named).collect();
    assert!(far.is_empty(), "files of different folders that import each other:\n{}", far.join("\n"));
    let all_pairs: Vec<String> = pairs.iter().map(named).collect();
    assert!(pairs.len() <= PAIRS, "more pairs of files that import each other:\n{}", all_pairs.join("\n"));
}
