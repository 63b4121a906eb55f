//! Reports as LaTeX articles: each compiles, no line exceeds the margin, and large mechanisms need
//! few pages. Without pdflatex only the text is checked.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use dqdt_codegen::Formalism;
use dqdt_codegen::pipeline::{self, Assembled};
use dqdt_equations::inspect::{self, Form, View};
use dqdt_samples::tier::cases_by_tier;
use dqdt_view::{figure, report, scene};

fn spec_name(p: &Path) -> String {
    p.file_stem().unwrap().to_string_lossy().into_owned()
}

fn examples() -> Vec<(String, Assembled)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/specs");
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    files.retain(|p| p.extension().is_some_and(|e| e == "toml"));
    files.sort();
    files.iter().map(|p| (spec_name(p), pipeline::load(p).unwrap())).collect()
}

fn article(loaded: &Assembled, view: &View) -> String {
    let mut closed = inspect::closed_forms(&loaded.mechanism);
    let sketch = figure::sketch(&scene::start_scene(&loaded.mechanism));
    report::print_latex(&inspect::report(loaded, Formalism::Kane, &mut closed, Some(sketch), view))
}

/// The log of pdflatex and the number of pages; `None` if pdflatex is not installed.
fn run_pdflatex(folder: &Path, name: &str, article: &str) -> Option<(String, usize)> {
    let file = folder.join(format!("{name}.tex"));
    std::fs::write(&file, article).unwrap();
    let run = Command::new("pdflatex")
        .args(["-interaction=nonstopmode", "-halt-on-error", "-output-directory"])
        .arg(folder)
        .arg(&file)
        .output()
        .ok()?;
    let log = std::fs::read(folder.join(format!("{name}.log"))).unwrap();
    let log = String::from_utf8_lossy(&log).into_owned();
    assert!(
        run.status.success(),
        "{name}: {}",
        log.lines().filter(|l| l.starts_with('!')).collect::<Vec<_>>().join("\n")
    );
    // The log is broken into lines of 79 characters.
    let text = log.replace('\n', "");
    let (_, pages) = text.rsplit_once(".pdf (").unwrap();
    Some((log, pages.split(' ').next().unwrap().parse().unwrap()))
}

/// Arguments in braces of every occurrence of a LaTeX command.
fn arguments<'a>(article: &'a str, command: &str) -> Vec<&'a str> {
    article.split(command).skip(1).filter_map(|rest| rest.split('}').next()).collect()
}

#[test]
fn every_example_compiles_and_nothing_runs_into_the_margin() {
    let folder = tempfile::tempdir().unwrap();
    let mut wide = Vec::new();
    for (name, loaded) in examples().into_iter().step_by(cases_by_tier(5, 1)) {
        let page = article(&loaded, &View::default());
        let declared: BTreeSet<&str> = arguments(&page, "\\setsymbol{").into_iter().collect();
        let used: BTreeSet<&str> = arguments(&page, "\\sym{").into_iter().collect();
        assert!(used.is_subset(&declared), "{name}: {:?}", used.difference(&declared));
        let labels = arguments(&page, "\\label{");
        let distinct: BTreeSet<&str> = labels.iter().copied().collect();
        assert_eq!(distinct.len(), labels.len(), "{name}: a label stands twice");
        assert!(page.contains("\\bibitem{") && !page.contains("not shown"), "{name}");
        let Some((log, _)) = run_pdflatex(folder.path(), &name, &page) else { continue };
        let over = log.lines().filter(|l| l.starts_with("Overfull"));
        wide.extend(over.map(|l| format!("{name}: {l}")));
    }
    assert!(wide.is_empty(), "{}", wide.join("\n"));
}

#[test]
fn large_mechanisms_keep_to_few_pages() {
    let folder = tempfile::tempdir().unwrap();
    let steps = View { forms: vec![Form::Recursive], parts: Vec::new() };
    for (name, equations, whole) in
        [("kane_two_body", 2, 6), ("panda_arm", 3, 6)].into_iter().take(cases_by_tier(1, 2))
    {
        let (_, loaded) = examples().into_iter().find(|(n, _)| n == name).unwrap();
        for (kind, view, most) in [("steps", &steps, equations), ("whole", &View::default(), whole)] {
            let page = article(&loaded, view);
            let Some((_, pages)) = run_pdflatex(folder.path(), &format!("{name}-{kind}"), &page) else {
                continue;
            };
            assert!(pages <= most, "{name}, {kind}: {pages} pages");
        }
    }
}
