//! `dqdt compare SPEC --sweep N`: all formalisms over the members of a family, as tables and a
//! figure.

use std::ops::Range;
use std::path::Path;

use indicatif::ProgressBar;

use super::compare_bench::Bench;
use super::source::{Failure, SpecSource};
use super::{family, output};
use crate::compare::sweep::{self, MemberResults, NO_ITERATIVE};
use dqdt_document::report::{Block, Cell, Report, Section};
use dqdt_import::read;
use dqdt_mechanics::formalism::Formalism;
use dqdt_view::figure;

const FORMS: [Formalism; Formalism::ALL.len()] = Formalism::ALL;

/// The last size of a sweep: `20`, or `n=20` for a size that is not the first of the spec's
/// `[repeat]`.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct LastSize {
    size: Option<String>,
    value: i64,
}

/// Parses the argument of `--sweep`: `20`, or `n=20`.
pub(super) fn parse_last_size(text: &str) -> Result<LastSize, String> {
    let (size, value) = match text.split_once('=') {
        Some((name, value)) => (Some(name.trim().to_owned()), value),
        None => (None, text),
    };
    match (value.trim().parse(), size) {
        (Ok(value), size) if value >= 1 && size.as_deref() != Some("") => Ok(LastSize { size, value }),
        _ => Err("expected a positive whole number, such as 20, or the name of a size with such a number, \
                  such as n=20"
            .to_owned()),
    }
}

/// Compares all formalisms on the members of a family up to size `last` and prints tables; writes
/// the figure to `plot`. Used by `dqdt compare --sweep`.
pub(super) fn compare_members(
    source: &SpecSource,
    last: &LastSize,
    bench: Option<Bench>,
    plot: Option<&Path>,
) -> Result<(), Failure> {
    output::check_distinct_files(source, &[], &[("--plot", plot)])?;
    let size = swept_size_name(source, last)?;
    let sizes = sweep::sweep_sizes(last.value);
    let progress = ProgressBar::new(sizes.len() as u64);
    let mut times = Vec::new();
    let mut name = String::new();
    let members = sweep::compare_family(
        &sizes,
        &FORMS,
        |n| family::load_with_size(source, &size, n),
        |loaded, member| {
            name.clone_from(&loaded.mechanism.name);
            if let Some(bench) = &bench {
                times.push(bench.run(&loaded.mechanism, &member.forms)?);
            }
            progress.inc(1);
            Ok(())
        },
    )?;
    progress.finish_and_clear();
    let times = bench.is_some().then_some(times.as_slice());
    if let Some(path) = plot {
        let title = format!("{}: formalisms compared by number of bodies", name.replace('_', " "));
        output::write_picture(
            path,
            &figure::growth_svg(&sweep::growth_figure(&title, &members, &FORMS, times)),
        )?;
    }
    output::print_to_stdout(&dqdt_view::report::print_text(
        &member_tables(&name, &size, &members, times),
        100,
    ))
}

/// Name of the size of `[repeat]` that the sweep varies: the one in `last`, by default the first of
/// the spec.
fn swept_size_name(source: &SpecSource, last: &LastSize) -> Result<String, Failure> {
    let spec = read::read_with(&source.spec, &super::source::read_settings(source)).map_err(Failure::Spec)?;
    let names: Vec<&str> = spec.sizes.iter().map(|s| s.0.as_str()).collect();
    let Some(first) = names.first() else {
        return Err(sweep_failure(
            "the spec has no size to sweep over\n\nhelp: declare a size in [repeat], such as n = 3; \
             `examples/specs/families` has specs with sizes"
                .to_owned(),
        ));
    };
    let size = last.size.as_deref().unwrap_or(first);
    if !names.contains(&size) {
        return Err(sweep_failure(format!(
            "the spec has no size `{size}`; its sizes are {}",
            names.join(", ")
        )));
    }
    if source.set.iter().any(|(name, _)| name == size) {
        return Err(sweep_failure(format!(
            "`--set` and `--sweep` both set the size `{size}`; remove one of the two options"
        )));
    }
    Ok(size.to_owned())
}

fn sweep_failure(message: String) -> Failure {
    Failure::Option { option: "--sweep", message }
}

fn member_tables(name: &str, size: &str, members: &[MemberResults], times: Option<&[Vec<f64>]>) -> Report {
    let mut section = Section::new("Cost of one call of dqdt");
    for columns in split_columns(members.len()) {
        section = section.with_block(formalism_table(size, members, columns, "operations", &|k, i| {
            Some(members[k].forms[i].cost.call.total().to_string())
        }));
    }
    if let Some(times) = times {
        for columns in split_columns(members.len()) {
            section = section.with_block(formalism_table(size, members, columns, "nanoseconds", &|k, i| {
                times.get(k)?.get(i).map(|ns| format!("{ns:.0}"))
            }));
        }
    }
    section = section.with_block(Block::paragraph(format!(
        "Operations are counted after all passes; the sine and cosine of the same angle count as one \
         operation. {}",
        describe_agreement(members)
    )));
    if let Some(last) = members.last() {
        let least = last.forms.iter().min_by_key(|f| f.cost.call.total());
        section = section.with_block(Block::paragraph(format!(
            "Fewest operations at {} bodies: {}.",
            last.bodies,
            least.map_or("none", |f| f.formalism.name())
        )));
    }
    let stopped = sweep::cut_off_note(members, &FORMS);
    section = stopped.into_iter().fold(section, |s, note| s.with_block(Block::note(note)));
    section = section.with_block(Block::note(NO_ITERATIVE.to_owned()));
    let mut report = Report::new(format!("{name}: formalisms compared by number of bodies"), "");
    report.sections.push(section);
    report
}

fn describe_agreement(members: &[MemberResults]) -> String {
    let all = members.iter().flat_map(|m| m.forms.iter().map(move |f| (m.bodies, f)));
    let differences = all.filter_map(|(bodies, f)| Some((f.disagreement?, bodies, f.formalism.name())));
    match differences.max_by(|a, b| a.0.total_cmp(&b.0)) {
        Some((worst, bodies, name)) => format!(
            "The relative difference of accelerations at random states is at most {worst:.0e} ({name}, \
             {bodies} bodies)."
        ),
        None => "No accelerations could be compared.".to_owned(),
    }
}

/// Maximum number of member columns of one table of a sweep, so that it fits into 100 characters.
const COLUMNS: usize = 9;

/// Splits the members of a sweep into ranges of at most [`COLUMNS`], one range per table.
fn split_columns(members: usize) -> impl Iterator<Item = Range<usize>> {
    (0..members).step_by(COLUMNS).map(move |from| from..members.min(from + COLUMNS))
}

/// Report table of a sweep with one row per formalism and one column per family member; `value`
/// gives a cell.
fn formalism_table(
    size: &str,
    members: &[MemberResults],
    columns: Range<usize>,
    what: &str,
    value: &dyn Fn(usize, usize) -> Option<String>,
) -> Block {
    let shown = &members[columns.clone()];
    let header = std::iter::once(what.to_owned()).chain(shown.iter().map(|m| m.bodies.to_string()));
    let rows = FORMS.iter().map(|f| {
        let cells = columns.clone().map(|k| {
            let at = members[k].forms.iter().position(|g| g.formalism == *f);
            at.and_then(|i| value(k, i)).unwrap_or_else(|| "–".to_owned())
        });
        std::iter::once(f.name().to_owned()).chain(cells).map(Cell::from).collect()
    });
    let steps: Vec<String> = shown.iter().map(|m| m.size.to_string()).collect();
    let caption = match shown.iter().all(|m| usize::try_from(m.size) == Ok(m.bodies)) {
        true => format!("The column headings are numbers of bodies ({size})."),
        false => format!("The column headings are numbers of bodies, for {size} = {}.", steps.join(", ")),
    };
    let numeric = (1..=shown.len()).collect();
    Block::Table { caption: caption.into(), header: header.collect(), rows: rows.collect(), numeric }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_a_sweep_is_a_number_or_a_size() {
        assert_eq!(parse_last_size("20"), Ok(LastSize { size: None, value: 20 }));
        assert_eq!(parse_last_size(" n = 5"), Ok(LastSize { size: Some("n".to_owned()), value: 5 }));
        for wrong in ["0", "-1", "n=", "=3", "x", "2.5", "99999999999999999999"] {
            assert!(parse_last_size(wrong).is_err(), "{wrong}");
        }
    }
}
