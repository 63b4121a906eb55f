//! `dqdt compare`: all formalisms on one mechanism, in one table.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;

use super::compare_bench::Bench;
use super::evaluation::EvaluatedBy;
use super::source::{Failure, SpecSource, load_source};
use super::{compare_sweep, output};
use crate::compare::{FormalismResult, STATES, compare_formalisms};
use dqdt_document::report::{self, Block, Cell, Report, Section};
use dqdt_mechanics::formalism::{self, Formalism};

#[derive(Args)]
pub(super) struct Compare {
    #[command(flatten)]
    source: SpecSource,
    /// Compile each formalism in release mode and measure the nanoseconds per call; requires cargo,
    /// except with --evaluate
    #[arg(long)]
    bench: bool,
    /// Measure how this process evaluates the formalisms, instead of the emitted Rust
    #[arg(long, value_enum, requires = "bench")]
    evaluate: Option<EvaluatedBy>,
    /// Compare over the members of a family, up to this value of the first size of the spec's
    /// [repeat], or of a named size: 20, n=20
    #[arg(long, value_name = "N", value_parser = compare_sweep::parse_last_size)]
    sweep: Option<compare_sweep::LastSize>,
    /// Plot of operations, and of nanoseconds with --bench, against the number of bodies (SVG, or
    /// PNG with the feature `png`)
    #[arg(long, requires = "sweep", value_parser = super::output::parse_plot_path)]
    plot: Option<PathBuf>,
}

impl Compare {
    pub(super) fn run(self) -> Result<ExitCode, Failure> {
        if let Some(last) = &self.sweep {
            let bench = self.bench.then(|| Bench::new(self.evaluate)).transpose()?;
            compare_sweep::compare_members(&self.source, last, bench, self.plot.as_deref())?;
            return Ok(ExitCode::SUCCESS);
        }
        let loaded = load_source(&self.source)?;
        dqdt_generate::pipeline::check_functions(&loaded, &[dqdt_derivation::functions::DQDT])
            .map_err(Failure::Spec)?;
        let (all, omitted): (Vec<_>, Vec<_>) = Formalism::ALL
            .into_iter()
            .partition(|f| dqdt_generate::inertia::supports_massless_tree(&loaded.partition, *f));
        super::source::check_memory_size(&loaded, &all)?;
        if !omitted.is_empty() {
            let names: Vec<&str> = omitted.iter().map(|f| f.name()).collect();
            dqdt_diagnostics::tell!(
                "note: the mass matrix of the tree is singular, so these formalisms are omitted: {}",
                names.join(", ")
            );
        }
        let forms = compare_formalisms(&loaded, &all).map_err(Failure::Spec)?;
        let bench =
            self.bench.then(|| Bench::new(self.evaluate)?.run(&loaded.mechanism, &forms)).transpose()?;
        let name = &loaded.mechanism.name;
        output::print_to_stdout(&dqdt_view::report::print_text(
            &comparison_table(name, &forms, bench.as_deref()),
            100,
        ))?;
        Ok(ExitCode::SUCCESS)
    }
}

fn comparison_table(name: &str, forms: &[FormalismResult], bench: Option<&[f64]>) -> Report {
    let columns = ["formalism", "·", "+", "÷", "sin/cos", "other", "depth", "KB", "ms", "differs"];
    let header: Vec<String> =
        columns.into_iter().chain(bench.map(|_| "ns/call")).map(str::to_owned).collect();
    let rows = forms.iter().enumerate().map(|(i, form)| {
        let c = form.cost.call;
        let mut row = vec![
            form.formalism.name().to_owned(),
            c.multiplications.to_string(),
            c.additions.to_string(),
            c.divisions.to_string(),
            c.sin_cos.to_string(),
            (c.functions + c.square_roots).to_string(),
            form.depth.to_string(),
            format!("{:.1}", form.source_bytes as f64 / 1e3),
            format!("{:.1}", form.derivation.as_secs_f64() * 1e3),
            form.disagreement.map_or_else(|| "–".to_owned(), |d| format!("{d:.0e}")),
        ];
        row.extend(bench.and_then(|b| b.get(i)).map(|ns| format!("{ns:.0}")));
        row.into_iter().map(Cell::from).collect()
    });
    let least = forms.iter().min_by_key(|f| f.cost.call.cost());
    let mut notes = vec![Block::paragraph(format!(
        "Operations are counted after all passes. depth: longest chain of dependent operations. KB: size of \
         the emitted Rust code. ms: time to derive the equations and print the code. differs: largest \
         relative difference between the accelerations and those in the first row, at {STATES} random \
         states."
    ))];
    notes.extend(least.map(|f| Block::paragraph(format!("Fewest operations: {}.", f.formalism.name()))));
    notes.push(Block::paragraph(formalism::independence_text()));
    let singular: Vec<String> = forms
        .iter()
        .filter(|f| f.singular > 0)
        .map(|f| format!("{} at {}", f.formalism.name(), f.singular))
        .collect();
    if !singular.is_empty() {
        notes.push(Block::note(format!(
            "number of random states at which a formalism is singular, so that its accelerations are not \
             compared: {}",
            singular.join(", ")
        )));
    }
    let numeric = (1..header.len()).collect();
    let table = Block::Table { caption: report::Prose::default(), header, rows: rows.collect(), numeric };
    let section = notes
        .into_iter()
        .fold(Section::new("Cost of one call of dqdt").with_block(table), Section::with_block);
    let mut report = Report::new(format!("{name}: comparison of formalisms"), "");
    report.sections.push(section);
    report
}
