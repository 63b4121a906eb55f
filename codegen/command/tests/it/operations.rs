//! Operation counts of every example and of well-known robots, recorded in
//! `tests/data/operations.toml`.
//!
//! A changed count fails until the file is updated: `DQDT_BLESS=1` rewrites it, and a review sees
//! the change. Every function is derived alone, as `emit --functions` does. "Accelerations" are
//! those of `dqdt` without coordinate rates and without pivots that only the check for singular
//! poses reads, for comparison with other tools. Published counts are comments in the file, from
//! `tests/data/operations_known.toml`.

use crate::files::root;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use dqdt_codegen::Formalism;
use dqdt_codegen::functions::{self, Definition};
use dqdt_codegen::pipeline::{self, Assembled, FormalismChoice, Request};
use dqdt_codegen::read::Settings;
use dqdt_graph::ir::{NodeId, Operations, Program, count};
use dqdt_samples::tier::{self, cases_by_tier};
use toml::Table;

const FILE: &str = "tests/data/operations.toml";
const KNOWN: &str = "tests/data/operations_known.toml";

/// Folders of specs; each is a table in the file of counts.
const FOLDERS: [(&str, &str); 4] = [
    ("examples", "examples/specs"),
    ("robots", "tests/data/robots"),
    ("loops", "tests/data/robots/loops"),
    ("classic", "tests/data/robots/classic"),
];

/// Numbers of links for which `classic/planar.toml` is counted.
const PLANAR: [i64; 4] = [2, 3, 5, 10];

/// Largest number of speeds for which the dense formalisms are counted: above, they take seconds
/// and are never the shortest.
const DENSE: usize = 40;

/// Largest number of speeds of mechanisms in the quick tier.
const SMALL: usize = 3;

/// Functions excluded from the common rows: they have rows of their own, no operations, or take
/// minutes to count (`hessian` prints those).
const ELSEWHERE: [&Definition; 3] = [functions::DQDT, functions::SATURATE, functions::DQDT_HESSIAN];

/// Functions that a robot controller calls in each cycle.
const CONTROLLER: [&Definition; 6] = [
    functions::DQDT,
    functions::MASS_MATRIX,
    functions::BIAS,
    functions::GRAVITY,
    functions::INVERSE_DYNAMICS,
    functions::CENTER_OF_MASS,
];

const FORMS: [Formalism; 3] = [Formalism::Kane, Formalism::CompositeBody, Formalism::ArticulatedBody];

const HEADER: &str = "\
# Operations of one call of the emitted code; what depends on parameters alone is not counted. Every function is derived
# alone. `accelerations`: dqdt without rates of coordinates and checks. A sine and cosine of one angle are one pair, and
# `controller`: all of a controller's cycle (dqdt, mass_matrix, bias, gravity, inverse_dynamics, center_of_mass) in single calls and in
# one call. `depth` is the longest chain of operations that wait for each other.
# Written by `DQDT_BLESS=1 cargo test -p dqdt-command --test it operations::`; what is known from
# elsewhere is in operations_known.toml, which is written by hand.
";

/// A row of the file: its name, and counts in the order of [`FIELDS`].
type CountedRow = (String, [u32; 6]);
const FIELDS: [&str; 6] = ["products", "sums", "divisions", "pairs", "other", "depth"];

/// A spec whose operations are counted.
struct Subject {
    folder: &'static str,
    name: String,
    path: PathBuf,
    settings: Settings,
}

fn folder_rank(s: &Subject) -> Option<usize> {
    FOLDERS.iter().position(|f| f.0 == s.folder)
}

fn subjects() -> Vec<Subject> {
    let mut subjects = Vec::new();
    for (folder, path) in FOLDERS {
        let mut paths: Vec<PathBuf> =
            std::fs::read_dir(root(path)).unwrap().map(|entry| entry.unwrap().path()).collect();
        paths.retain(|p| p.extension().is_some_and(|e| e == "toml"));
        assert!(!paths.is_empty(), "no specs in {path}");
        for path in paths {
            let name = path.file_stem().unwrap().to_string_lossy().into_owned();
            let sizes: Vec<Option<i64>> =
                if name == "planar" { PLANAR.map(Some).to_vec() } else { vec![None] };
            for size in sizes {
                let (name, settings) = match size {
                    Some(n) => (format!("{name}{n}"), Settings::new().set("n", n)),
                    None => (name.clone(), Settings::new()),
                };
                subjects.push(Subject { folder, name, path: path.clone(), settings });
            }
        }
    }
    subjects.sort_by(|a, b| {
        (folder_rank(a), length(&a.name), &a.name).cmp(&(folder_rank(b), length(&b.name), &b.name))
    });
    subjects
}

/// The name without its trailing number, and the number, to sort `chain5` before `chain10`.
fn length(name: &str) -> (&str, u32) {
    let letters = name.trim_end_matches(|c: char| c.is_ascii_digit());
    (letters, name[letters.len()..].parse().unwrap_or(0))
}

fn program(loaded: &Assembled, formalism: Formalism, function: &'static Definition) -> Program {
    pipeline::program(loaded, &Request::new(formalism, vec![function]))
}

fn numbers(operations: Operations, depth: u32) -> [u32; 6] {
    let o = operations;
    let other = o.square_roots + o.functions;
    [o.multiplications, o.additions, o.divisions, o.sin_cos, other, depth]
}

fn count_whole(program: &Program) -> [u32; 6] {
    let function = &program.functions[0];
    numbers(count::count(program, function).call, count::function_longest_chain(program, function))
}

/// Counts of `dqdt` without coordinate rates, derivatives of user states and checks.
fn accelerations(loaded: &Assembled, program: &Program) -> [u32; 6] {
    let m = &loaded.mechanism;
    let dx: Vec<NodeId> = program.functions[0].outputs.iter().flat_map(|o| o.nodes.iter().copied()).collect();
    let speeds = &dx[m.nq()..m.nq() + m.nv()];
    numbers(count::count_operations(&program.graph, speeds).call, count::longest_chain(program, speeds))
}

fn rows(subject: &Subject) -> (String, Vec<CountedRow>) {
    let loaded = pipeline::load_with(&subject.path, &subject.settings).unwrap_or_else(|e| panic!("{e}"));
    let m = &loaded.mechanism;
    let default = pipeline::choose(&loaded, FormalismChoice::BySize, &[functions::DQDT]).unwrap();
    let mut forms: Vec<Formalism> =
        FORMS.into_iter().filter(|f| m.nv() <= DENSE || *f == Formalism::ArticulatedBody).collect();
    if !m.constraints.is_empty() {
        forms.push(Formalism::MaggiCoordinates);
    }
    if !forms.contains(&default) {
        forms.push(default);
    }
    let mut rows = Vec::new();
    for form in forms {
        let program = program(&loaded, form, functions::DQDT);
        rows.push((format!("dqdt.{}", form.name()), count_whole(&program)));
        if form == default {
            rows.insert(0, ("accelerations".to_owned(), accelerations(&loaded, &program)));
        }
    }
    for function in functions::ALL.iter().copied().filter(|f| !ELSEWHERE.contains(f)) {
        let begun = std::time::Instant::now();
        // A mechanism without named points has no frames, one without constraints no multipliers.
        let program = program(&loaded, default, function);
        if begun.elapsed().as_secs() > 1 {
            println!("{} {} {:?}", subject.name, function.name, begun.elapsed());
        }
        if !program.functions.is_empty() {
            rows.push((function.name.to_owned(), count_whole(&program)));
        }
    }
    if m.nv() <= DENSE {
        rows.extend(controller(&loaded, default));
    }
    (default.name().to_owned(), rows)
}

/// Counts for the functions of a controller: the sum of single calls, and one joint call.
fn controller(loaded: &Assembled, formalism: Formalism) -> Vec<CountedRow> {
    let alone: Vec<_> = CONTROLLER.iter().map(|f| (*f, program(loaded, formalism, f))).collect();
    let parts: Vec<_> = alone.iter().filter(|(_, p)| !p.functions.is_empty()).collect();
    let mut sum = [0; 6];
    for (_, program) in &parts {
        let counts = count_whole(program);
        (0..5).for_each(|i| sum[i] += counts[i]);
        sum[5] = sum[5].max(counts[5]);
    }
    let all: Vec<&'static Definition> = parts.iter().map(|(f, _)| *f).collect();
    let together = count_whole(&program(loaded, formalism, functions::joint(&all).unwrap()));
    vec![("controller.singly".to_owned(), sum), ("controller.together".to_owned(), together)]
}

/// Rows of every subject, in the given order, computed in parallel on all cores.
fn count_all(subjects: &[Subject]) -> Vec<(String, Vec<CountedRow>)> {
    let next = AtomicUsize::new(0);
    let rows_by_subject = Mutex::new(BTreeMap::new());
    let threads = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    // Start with the largest, at the end of the list.
                    let i = next.fetch_add(1, Ordering::Relaxed);
                    let Some(subject) = subjects.iter().rev().nth(i) else { break };
                    let rows = rows(subject);
                    rows_by_subject.lock().unwrap().insert(subjects.len() - 1 - i, rows);
                }
            });
        }
    });
    rows_by_subject.into_inner().unwrap().into_values().collect()
}

fn text(subjects: &[Subject], counted: &[(String, Vec<CountedRow>)], known: &Table) -> String {
    let mut text = HEADER.to_owned();
    let mut sums: BTreeMap<String, u32> = BTreeMap::new();
    for (_, rows) in counted {
        for (name, counts) in rows {
            *sums.entry(name.clone()).or_default() += counts[..3].iter().sum::<u32>();
        }
    }
    let sums: Vec<String> = sums.iter().map(|(name, n)| format!("{name} {n}")).collect();
    let _ = writeln!(text, "# Products, sums and divisions of all, by row: {}.", sums.join(", "));
    for (subject, (default, rows)) in subjects.iter().zip(counted) {
        let _ = writeln!(text, "\n[{}.{}]", subject.folder, subject.name);
        let beside = known.get(subject.folder).and_then(|f| f.get(&subject.name));
        for (what, value) in beside.and_then(|k| k.as_table()).into_iter().flatten() {
            let value = value.as_str().unwrap_or_else(|| panic!("{what} is no text"));
            let row =
                rows.iter().find(|r| r.0 == *what).unwrap_or_else(|| panic!("there is no row `{what}`"));
            let [products, sums, divisions, ..] = row.1;
            let all = products + sums + divisions;
            let _ = writeln!(text, "# {what}: {value}; here {all}, {products}/{sums}/{divisions}");
        }
        let _ = writeln!(text, "default = \"{default}\"");
        for (name, counts) in rows {
            let fields: Vec<String> =
                FIELDS.iter().zip(counts).map(|(field, n)| format!("{field} = {n}")).collect();
            let _ = writeln!(text, "{name} = {{ {} }}", fields.join(", "));
        }
    }
    text
}

/// Collects every number of a table by its path, such as `robots.panda.dqdt.kane.products`.
fn leaves(path: &str, table: &Table, out: &mut BTreeMap<String, String>) {
    for (key, value) in table {
        let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
        match value {
            toml::Value::Table(inner) => leaves(&path, inner, out),
            value => {
                out.insert(path, value.to_string());
            }
        }
    }
}

/// One line for each count that rose, fell, is new or disappeared.
fn differences(old: &Table, new: &Table) -> Vec<String> {
    let (mut before, mut after) = (BTreeMap::new(), BTreeMap::new());
    leaves("", old, &mut before);
    leaves("", new, &mut after);
    let mut lines = Vec::new();
    for (path, value) in &after {
        match before.get(path) {
            Some(same) if same == value => {}
            None => lines.push(format!("new: {path} = {value}")),
            Some(old) => match (old.parse::<u32>(), value.parse::<u32>()) {
                (Ok(a), Ok(b)) => {
                    let word = if b > a { "rose" } else { "fell" };
                    lines.push(format!("{word}: {path} from {a} to {b}"));
                }
                _ => lines.push(format!("changed: {path} from {old} to {value}")),
            },
        }
    }
    lines.extend(before.keys().filter(|path| !after.contains_key(*path)).map(|path| format!("gone: {path}")));
    lines
}

/// Number of speeds of the mechanism of a spec to be counted.
fn speeds(subject: &Subject) -> usize {
    let loaded = pipeline::load_with(&subject.path, &subject.settings).unwrap_or_else(|e| panic!("{e}"));
    loaded.mechanism.nv()
}

/// The part of the file with the tables of the given subjects.
fn of_these(subjects: &[Subject], all: &Table) -> Table {
    let mut tables = Table::new();
    for subject in subjects {
        let Some(table) = all.get(subject.folder).and_then(|folder| folder.get(&subject.name)) else {
            continue;
        };
        let folder = tables.entry(subject.folder).or_insert_with(|| Table::new().into());
        folder.as_table_mut().unwrap().insert(subject.name.clone(), table.clone());
    }
    tables
}

#[test]
fn operations_are_those_of_the_file() {
    let known: Table = std::fs::read_to_string(root(KNOWN)).unwrap().parse().unwrap();
    let mut subjects = subjects();
    let path = root(FILE);
    let old = std::fs::read_to_string(&path).unwrap_or_default();
    if !tier::is_full_tier() && std::env::var_os("DQDT_BLESS").is_none() {
        subjects.retain(|s| speeds(s) <= SMALL);
        assert!(subjects.len() > 10, "{}", subjects.len());
        let new: Table = text(&subjects, &count_all(&subjects), &known).parse().unwrap();
        let lines = differences(&of_these(&subjects, &old.parse().unwrap()), &new);
        assert!(lines.is_empty(), "{FILE} is not what the generator does now:\n{}", lines.join("\n"));
        return;
    }
    let counted = count_all(&subjects);
    let new = text(&subjects, &counted, &known);
    if old == new {
        return;
    }
    match std::env::var("DQDT_BLESS").as_deref() {
        Ok("1") => return std::fs::write(path, new).unwrap(),
        Ok("0") | Err(_) => {}
        other => panic!("DQDT_BLESS is 0 or 1, not {other:?}"),
    }
    let lines = differences(&old.parse().unwrap(), &new.parse().unwrap());
    let lines = if lines.is_empty() { vec!["its comments are stale".to_owned()] } else { lines };
    panic!("{FILE} is not what the generator does now:\n{}\nDQDT_BLESS=1 accepts these", lines.join("\n"));
}

#[test]
fn what_rises_falls_comes_and_goes_is_told_apart() {
    let old: Table = "[a]\nx = { sums = 3, depth = 2 }\ny = 1".parse().unwrap();
    let new: Table = "[a]\nx = { sums = 4, depth = 1 }\nz = 1".parse().unwrap();
    let expected = ["fell: a.x.depth from 2 to 1", "rose: a.x.sums from 3 to 4", "new: a.z = 1", "gone: a.y"];
    assert_eq!(differences(&old, &new), expected);
}

#[test]
fn the_fewest_operations_are_at_most_those_of_known_methods() {
    let known: Table = std::fs::read_to_string(root(KNOWN)).unwrap().parse().unwrap();
    let (mut compared, mut over) = (0, Vec::new());
    for (name, entry) in known["robots"].as_table().unwrap() {
        let loaded = pipeline::load(&root(&format!("tests/data/robots/{name}.toml"))).unwrap();
        if loaded.mechanism.nv() > cases_by_tier(6, usize::MAX) {
            continue;
        }
        for function in [functions::DQDT, functions::INVERSE_DYNAMICS, functions::MASS_MATRIX] {
            let row = if function == functions::DQDT { "accelerations" } else { function.name };
            let text = entry[row].as_str().unwrap();
            let limit: u32 = text.rsplit(' ').next().unwrap().parse().unwrap();
            let derivation =
                pipeline::derive(&loaded, FormalismChoice::FewestOperations, &[function]).unwrap();
            let counts = match row {
                "accelerations" => accelerations(&loaded, &derivation.program),
                _ => count_whole(&derivation.program),
            };
            let total: u32 = counts[..3].iter().sum();
            let by = derivation.formalism.name();
            println!("{name}, {row}: {total} by {by}, known {limit}");
            over.extend((total > limit).then(|| format!("{name}, {row}: {total} by {by}, known {limit}")));
            compared += 1;
        }
    }
    assert_eq!(over, [""; 0]);
    assert!(compared >= cases_by_tier(6, 42));
}
