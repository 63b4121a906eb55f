//! `dqdt compare`: one row per formalism. With `--sweep`: one column per member of a
//! family, and a figure.

use dqdt_samples::tier::cases_by_tier;
use std::path::Path;
use std::process::Command;

#[test]
fn every_formalism_has_a_row() {
    let spec = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/specs/double_pendulum.toml");
    let run = Command::new(env!("CARGO_BIN_EXE_dqdt")).arg("compare").arg(spec).output().unwrap();
    assert!(run.status.success() && run.stderr.is_empty());
    let text = String::from_utf8(run.stdout).unwrap();
    for formalism in dqdt_mechanics::formalism::Formalism::ALL {
        let name = formalism.name();
        assert!(text.lines().any(|l| l.split_whitespace().next() == Some(name)), "{name}\n{text}");
    }
    assert!(text.lines().all(|l| l.chars().count() <= 100), "{text}");
    assert!(text.contains("Fewest operations: "));
}

#[test]
fn formalisms_are_timed_in_this_process_without_cargo() {
    let spec = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/specs/cart_pole.toml");
    let run = Command::new(env!("CARGO_BIN_EXE_dqdt"))
        .arg("compare")
        .arg(spec)
        .args(["--bench", "--evaluate", "interpreter"])
        .env("CARGO", "there-is-no-cargo")
        .output()
        .unwrap();
    assert!(run.status.success(), "{}", to_text(run.stderr));
    let text = to_text(run.stdout);
    let header = text.lines().find(|l| l.trim_start().starts_with("formalism")).unwrap();
    assert!(header.trim_end().ends_with("ns/call"), "{text}");
    for formalism in dqdt_mechanics::formalism::Formalism::ALL {
        let row = text.lines().find(|l| l.split_whitespace().next() == Some(formalism.name())).unwrap();
        let nanoseconds: f64 = row.split_whitespace().last().unwrap().parse().unwrap();
        assert!(nanoseconds >= 1.0, "{row}");
    }
}

fn to_text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap()
}

/// Runs `dqdt compare` on a family. Returns success, standard output and standard error.
fn sweep(family: &str, more: &[&str]) -> (bool, String, String) {
    let spec = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/specs/families").join(family);
    let run = Command::new(env!("CARGO_BIN_EXE_dqdt")).arg("compare").arg(spec).args(more).output().unwrap();
    (run.status.success(), to_text(run.stdout), to_text(run.stderr))
}

#[test]
fn a_sweep_has_a_row_and_a_curve_for_every_formalism_and_the_same_bytes_again() {
    for (family, bodies) in
        [("chain.toml", "2 3 4"), ("binary_tree_spherical.toml", "2 3 4"), ("cart_pendulums.toml", "3 4 5")]
            .into_iter()
            .take(cases_by_tier(1, 3))
    {
        let folder = tempfile::tempdir().unwrap();
        let plots = ["a.svg", "b.svg"].map(|name| folder.path().join(name));
        let runs = plots.each_ref().map(|p| sweep(family, &["--sweep", "4", "--plot", p.to_str().unwrap()]));
        let (success, text, messages) = &runs[0];
        assert!(*success && messages.is_empty(), "{messages}");
        assert_eq!(runs[0], runs[1]);
        let svg = plots.map(|p| std::fs::read_to_string(p).unwrap());
        assert_eq!(svg[0], svg[1]);
        assert_well_formed(&svg[0]);
        let header = text.lines().find(|l| l.trim_start().starts_with("operations")).unwrap();
        assert_eq!(header.split_whitespace().skip(1).collect::<Vec<_>>().join(" "), bodies, "{text}");
        for formalism in dqdt_mechanics::formalism::Formalism::ALL {
            let name = formalism.name();
            let row = text.lines().find(|l| l.split_whitespace().next() == Some(name)).unwrap();
            let counts = row.split_whitespace().skip(1).map(|n| n.parse::<u32>().unwrap());
            assert!(counts.is_sorted(), "{row}");
            assert!(svg[0].contains(&format!(">{name}</text>")), "{name}");
        }
        assert!(text.contains("iterative solvers") && svg[0].contains("iterative solvers"));
        assert!(text.lines().all(|l| l.chars().count() <= 100), "{text}");
    }
}

/// Panics unless every element of an SVG text is closed in the right order.
fn assert_well_formed(svg: &str) {
    let mut open = Vec::new();
    for tag in svg.split('<').skip(1) {
        let (tag, _) = tag.split_once('>').expect("a tag ends");
        assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
        let name = tag.trim_start_matches('/').split([' ', '/']).next().unwrap_or_default();
        if tag.starts_with('/') {
            assert_eq!(open.pop(), Some(name), "{tag}");
        } else if !tag.ends_with('/') {
            open.push(name);
        }
    }
    assert!(open.is_empty() && svg.starts_with("<svg ") && svg.contains("<path"));
}

#[test]
fn a_form_that_passes_the_limit_ends_in_table_and_figure_with_a_note() {
    let folder = tempfile::tempdir().unwrap();
    let plot = folder.path().join("plot.svg");
    let (success, text, _) =
        sweep("chain_spherical.toml", &["--sweep", "7", "--plot", plot.to_str().unwrap()]);
    assert!(success);
    let row = text.lines().find(|l| l.trim_start().starts_with("lagrange ")).unwrap();
    assert!(row.trim_end().ends_with('–'), "{text}");
    for shown in [text.replace('\n', " "), std::fs::read_to_string(plot).unwrap()] {
        assert!(shown.contains("than 20000") && shown.contains("lagrange at 5"), "{shown}");
    }
}

#[test]
fn a_sweep_without_a_size_and_one_over_a_given_size_are_refused() {
    for (spec, arguments, message) in [
        ("../swing.toml", &["--sweep", "4"][..], "the spec has no size to sweep over"),
        ("chain.toml", &["--sweep", "m=4"], "the spec has no size `m`; its sizes are n"),
        ("chain.toml", &["--sweep", "4", "--set", "n=2"], "`--set` and `--sweep` both set the size `n`"),
        ("chain.toml", &["--sweep", "0"], "a positive whole number"),
        ("chain.toml", &["--plot", "x.svg"], "--sweep"),
    ] {
        let (success, text, messages) = sweep(spec, arguments);
        assert!(!success && text.is_empty() && messages.contains(message), "{messages}");
    }
}

#[test]
fn another_size_may_be_swept_and_the_rest_be_set() {
    let (success, text, messages) = sweep("snowboarder.toml", &["--sweep", "n=2", "--set", "reacting=1"]);
    assert!(success && text.contains("n = 2"), "{text}{messages}");
}
