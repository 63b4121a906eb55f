//! The book: generated pages are fresh, links resolve, commands and specs run.
//!
//! Bash runs each `sh` block in a folder of its chapter, with the program under test as `dqdt` and
//! `cargo dqdt`. A `toml` block whose first line is a file name, `# arm.toml`, is written to that
//! folder first; so are the blocks of the chapter named by `<!-- continues structure.md -->`. A
//! block `text,printed` contains lines of the output of the block above it; others may be omitted.
//! Blocks marked `sh,not-run` install software or measure for hours; their number is limited.

use crate::files::root;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use dqdt_codegen::{pipeline, read};
use dqdt_command::cli::reference;

fn text(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// Paths of the chapters listed in `docs/SUMMARY.md`, relative to `docs`.
pub(crate) fn chapters() -> Vec<String> {
    let summary = text(&root("docs/SUMMARY.md"));
    let links = links(&summary).into_iter().filter(|l| !l.is_empty());
    links.collect()
}

/// Targets of the links and pictures of a Markdown text, without those in code.
fn links(text: &str) -> Vec<String> {
    let mut out = Vec::new();
    for line in prose(text) {
        let mut rest = line.as_str();
        while let Some(at) = rest.find("](") {
            rest = &rest[at + 2..];
            let end = rest.find(')').unwrap_or(rest.len());
            out.push(rest[..end].to_owned());
            rest = &rest[end..];
        }
    }
    out
}

/// The lines of a Markdown text outside code blocks, without inline code.
fn prose(text: &str) -> Vec<String> {
    let mut inside = false;
    let mut out = Vec::new();
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            inside = !inside;
        } else if !inside && !line.starts_with("    ") {
            let mut code = false;
            let keep = line.split('`').filter(|_| {
                code = !code;
                code
            });
            // Code in a link text belongs to the link.
            out.push(keep.collect::<Vec<_>>().join("`"));
        }
    }
    out
}

/// Anchors that mdBook generates for the headings of a page.
fn anchors(text: &str) -> BTreeSet<String> {
    let mut out = BTreeSet::new();
    let mut inside = false;
    for line in text.lines() {
        if line.starts_with("```") {
            inside = !inside;
        }
        if inside || !line.starts_with('#') {
            continue;
        }
        let heading = line.trim_start_matches('#').trim();
        let id: String = heading
            .chars()
            .filter_map(|c| match c {
                c if c.is_alphanumeric() || c == '_' || c == '-' => Some(c.to_ascii_lowercase()),
                c if c.is_whitespace() => Some('-'),
                _ => None,
            })
            .collect();
        let numbered = (1..).map(|i| format!("{id}-{i}")).find(|n| !out.contains(n));
        let new = if out.contains(&id) { numbered.unwrap() } else { id };
        out.insert(new);
    }
    out
}

/// A fenced block of a chapter: its info string and its text.
pub(crate) struct CodeBlock {
    pub(crate) fence: String,
    pub(crate) text: String,
}

/// The fenced blocks of a chapter.
pub(crate) fn blocks_of(chapter: &str) -> Vec<CodeBlock> {
    blocks(&text(&root("docs").join(chapter)))
}

/// Writes the example files of a chapter, named by the first lines of their blocks or by their
/// fences, to a folder.
pub(crate) fn write_files(chapter: &str, folder: &Path) {
    blocks_of(chapter).iter().for_each(|b| write_file(b, folder));
}

/// Writes a block to the file named in its first line or its fence, if there is one.
fn write_file(block: &CodeBlock, folder: &Path) {
    let first = block.text.lines().next().unwrap_or_default();
    let data = first.strip_prefix("# ").filter(|n| n.ends_with(".toml") || n.ends_with(".csv"));
    let name = match block.fence.as_str() {
        "toml" | "csv" => data,
        "rust,ignore" => first.strip_prefix("// ").filter(|n| n.ends_with(".rs")),
        // JSON has no comments, so the fence names the file.
        fence => fence.strip_prefix("json,").filter(|n| n.ends_with(".json")),
    };
    if let Some(name) = name {
        let path = folder.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, &block.text).unwrap();
    }
}

fn has_words_in_order(line: &str, wanted: &str) -> bool {
    let mut rest = line;
    wanted.split_whitespace().all(|word| match rest.find(word) {
        Some(at) => {
            rest = &rest[at + word.len()..];
            true
        }
        None => false,
    })
}

/// The first line of `expected` that is not found in `printed`, in order. A line matches if its
/// words occur in order; words in between and trailing digits may be omitted.
fn find_missing_line<'a>(expected: &'a str, printed: &str) -> Option<&'a str> {
    let mut rest = printed.lines();
    expected.lines().filter(|l| !l.trim().is_empty()).find(|line| !rest.any(|l| has_words_in_order(l, line)))
}

fn blocks(text: &str) -> Vec<CodeBlock> {
    let mut out: Vec<CodeBlock> = Vec::new();
    let mut inside = false;
    for line in text.lines() {
        match line.strip_prefix("```") {
            Some(fence) if !inside => {
                out.push(CodeBlock { fence: fence.to_owned(), text: String::new() });
                inside = true;
            }
            Some(_) => inside = false,
            None if inside => {
                let block = out.last_mut().unwrap();
                block.text.push_str(line);
                block.text.push('\n');
            }
            None => {}
        }
    }
    out
}

#[test]
fn generated_pages_and_pictures_are_fresh() {
    let mut specs: Vec<PathBuf> = std::fs::read_dir(root("examples/specs"))
        .unwrap()
        .map(|e| e.unwrap().path())
        .filter(|p| p.extension().is_some_and(|e| e == "toml"))
        .collect();
    specs.sort();
    let chapter = text(&root("docs/ten-minutes.md"));
    let mut files: Vec<(PathBuf, String)> = Vec::new();
    files.extend(
        reference::reference_pages().into_iter().map(|p| (root("docs/reference").join(p.file), p.text)),
    );
    let gallery = reference::gallery_pages(&specs, &|m| dqdt_equations::inspect::closed_forms(m)).unwrap();
    files.extend(gallery.into_iter().map(|p| (root("docs/gallery").join(p.file), p.text)));
    let drawn = reference::chapter_pictures(&chapter).unwrap();
    files.extend(drawn.into_iter().map(|p| (root("docs").join(p.file), p.text)));
    if std::env::var("DQDT_BLESS").is_ok_and(|b| b == "1") {
        for (path, text) in &files {
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            pipeline::write_if_changed(path, text).unwrap();
        }
    }
    let stale: Vec<String> = files
        .iter()
        .filter(|(path, text)| std::fs::read_to_string(path).ok().as_ref() != Some(text))
        .map(|(path, _)| path.display().to_string())
        .collect();
    assert!(
        stale.is_empty(),
        "stale:\n{}\n`cargo run -p dqdt-tests --features cli --bin book` writes them anew",
        stale.join("\n")
    );
    // No file remains that is not generated. `python/reference.py` writes `python.md`.
    for folder in ["docs/reference", "docs/gallery"] {
        for entry in std::fs::read_dir(root(folder)).unwrap() {
            let name = entry.unwrap().file_name();
            let known = name == "python.md"
                || files.iter().any(|(p, _)| p.starts_with(root(folder)) && p.file_name() == Some(&name));
            assert!(known, "{folder}/{} is written by nothing", name.to_string_lossy());
        }
    }
}

#[test]
fn no_link_is_dead_and_every_page_is_in_the_summary() {
    let docs = root("docs");
    let chapters = chapters();
    let mut dead = Vec::new();
    for chapter in &chapters {
        let page = text(&docs.join(chapter));
        let folder = Path::new(chapter).parent().unwrap();
        for link in links(&page) {
            if link.starts_with("https://") || link.starts_with("http://") {
                continue;
            }
            let (file, anchor) = link.split_once('#').map_or((link.as_str(), None), |(f, a)| (f, Some(a)));
            let target = if file.is_empty() { PathBuf::from(chapter) } else { folder.join(file) };
            // Links that leave `docs` are dead: the book has no pages there.
            let mut depth = 0_i32;
            for part in target.components() {
                depth += if part.as_os_str() == ".." { -1 } else { 1 };
                if depth < 0 {
                    dead.push(format!("{chapter}: {link} leads out of the book"));
                }
            }
            let target = docs.join(target);
            if !target.is_file() {
                dead.push(format!("{chapter}: {link}"));
            } else if let Some(anchor) = anchor
                && !anchors(&text(&target)).contains(anchor)
            {
                dead.push(format!("{chapter}: {link}: no such heading"));
            }
        }
    }
    assert!(dead.is_empty(), "dead links:\n{}", dead.join("\n"));
    // Every page is a chapter, except decisions, which have their own index.
    let mut open = vec![docs.clone()];
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.strip_prefix(&docs).unwrap().to_string_lossy().replace('\\', "/");
            if path.is_dir() && name != "decisions" {
                open.push(path);
            } else if name.ends_with(".md") && name != "SUMMARY.md" {
                assert!(chapters.contains(&name), "{name} is not in SUMMARY.md");
            }
        }
    }
}

#[test]
fn specs_in_the_book_build() {
    let mut built = 0;
    for chapter in chapters() {
        // The examples of the reference are tested where they are generated.
        if chapter.starts_with("reference/") {
            continue;
        }
        for block in blocks(&text(&root("docs").join(&chapter))).iter().filter(|b| b.fence == "toml") {
            let table: toml::Table =
                block.text.parse().unwrap_or_else(|e| panic!("{chapter}: {e}\n{}", block.text));
            // Blocks without name and bodies are parts of a spec or other files.
            if !(table.contains_key("name") && table.contains_key("bodies")) || table.contains_key("template")
            {
                continue;
            }
            let built_here = read::parse(&chapter, block.text.as_str())
                .and_then(|spec| pipeline::build(&spec, "block.toml"));
            assert!(built_here.is_ok(), "{chapter}:\n{}", built_here.err().unwrap());
            built += 1;
        }
    }
    assert!(built >= 4, "{built} specs");
}

/// Runs the `sh` blocks of a chapter in order and returns their number.
fn run(chapter: &str) -> usize {
    let page = text(&root("docs").join(chapter));
    let blocks = blocks(&page);
    let scripts = blocks.iter().filter(|b| b.fence == "sh").count();
    if scripts == 0 {
        return 0;
    }
    let home = tempfile::tempdir().unwrap();
    let there = root("").canonicalize().unwrap();
    std::fs::create_dir(home.path().join("target")).unwrap();
    for link in ["examples", "tests", "docs"] {
        #[cfg(unix)]
        std::os::unix::fs::symlink(there.join(link), home.path().join(link)).unwrap();
    }
    for line in page.lines().filter_map(|l| l.strip_prefix("<!-- continues ")) {
        let other = line.trim_end_matches("-->").trim();
        let folder = Path::new(chapter).parent().unwrap();
        write_files(&folder.join(other).to_string_lossy(), home.path());
    }
    let mut printed = String::new();
    for block in &blocks {
        write_file(block, home.path());
        if block.fence == "text,printed" {
            let lost = find_missing_line(&block.text, &printed);
            assert!(lost.is_none(), "{chapter}: not printed: {}\n{printed}", lost.unwrap_or_default());
        }
        if block.fence == "sh" {
            let program = env!("CARGO_BIN_EXE_dqdt");
            let script = format!(
                "set -euo pipefail\ndqdt() {{ {program:?} \"$@\"; }}\n\
                 cargo() {{ [ \"$1\" = dqdt ] || exit 99; shift; dqdt \"$@\"; }}\n{}",
                block.text
            );
            let output =
                Command::new("bash").args(["-c", &script]).current_dir(home.path()).output().unwrap();
            printed =
                [output.stdout, output.stderr].map(|o| String::from_utf8_lossy(&o).into_owned()).join("\n");
            assert!(output.status.success(), "{chapter}:\n{}\n{printed}", block.text);
        }
    }
    scripts
}

/// [`run`] must not compile anything: it would take too long.
#[test]
fn blocks_that_run_build_nothing() {
    for chapter in chapters() {
        let page = text(&root("docs").join(&chapter));
        for block in blocks(&page).iter().filter(|b| b.fence == "sh") {
            let builds =
                block.text.lines().find(|l| l.starts_with("cargo ") && !l.starts_with("cargo dqdt "));
            assert!(
                builds.is_none(),
                "{chapter}: mark the block with `sh,not-run`: {}",
                builds.unwrap_or_default()
            );
        }
    }
}

#[cfg(unix)]
#[test]
fn commands_in_the_book_run_as_they_stand() {
    let chapters = chapters();
    let not_run: usize = chapters
        .iter()
        .map(|c| blocks(&text(&root("docs").join(c))).iter().filter(|b| b.fence == "sh,not-run").count())
        .sum();
    assert!(not_run <= 8, "{not_run} blocks of the book are not run");
    // Two threads, each with half of the chapters.
    let half = chapters.len() / 2;
    let (first, second) = chapters.split_at(half);
    let ran: usize = std::thread::scope(|s| {
        let all = [first, second].map(|part| s.spawn(move || part.iter().map(|c| run(c)).sum::<usize>()));
        all.into_iter().map(|t| t.join().unwrap_or_else(|e| std::panic::resume_unwind(e))).sum()
    });
    assert!(ran >= 15, "{ran} blocks");
}
