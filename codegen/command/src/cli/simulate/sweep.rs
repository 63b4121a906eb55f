//! `dqdt simulate --points`: a sweep, or a shard of one.

use std::num::NonZero;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use indicatif::ProgressBar;

use super::options::Simulate;
use super::points_file::read_points;
use super::signal_selection::{SignalKind, SignalSelection};
use crate::cli::output;
use crate::cli::overrides;
use crate::cli::source::Failure;
use dqdt_generate::pipeline::FormalismChoice;
use dqdt_motion::simulate::{SignalGroup, Span};
use dqdt_motion::sweep::{
    CurveKind, ParsedRow, PointColumn, PointStatus, PointSweep, PointSweepOptions, ResultFile, Shard,
    SweepError, WatchedRun, parse_row, run_points,
};

impl SignalKind {
    /// Kind of a quantity of a sweep.
    fn from_quantity(quantity: CurveKind) -> Self {
        match quantity {
            CurveKind::Coordinate => SignalKind::Coordinates,
            CurveKind::Speed => SignalKind::Speeds,
            CurveKind::State => SignalKind::States,
            CurveKind::Energy => SignalKind::Energies,
            CurveKind::Signal(group) => SignalKind::Group(group),
        }
    }
}

impl Simulate {
    /// Runs the points of a shard, and writes their results to its file in `folder`.
    pub(super) fn run_sweep(&self, points: &Path, folder: &Path, span: Span) -> Result<ExitCode, Failure> {
        let shard = match self.shard {
            Some(shard) => shard,
            None => Shard::from_slurm(|name| std::env::var(name).ok())
                .map_err(|e| Failure::Option { option: "--shard", message: e.to_string() })?
                .unwrap_or(Shard::WHOLE),
        };
        let mut times = self.times.clone();
        times.sort_by(f64::total_cmp);
        times.dedup();
        if let Some(bad) = times.iter().find(|t| !(0.0..=span.t_end).contains(*t)) {
            let message = format!("the times must be from 0 to the end time {}, not {bad}", span.t_end);
            return Err(Failure::Option { option: "--times", message });
        }
        let path = folder.join(shard.file_name());
        let output = [("--output", Some(path.as_path()))];
        output::check_distinct_files(&self.source, &[Some(points)], &output)?;
        let spec = overrides::read_spec(&self.source, &self.parameters, &self.inputs)?;
        let loaded = Arc::new(overrides::assemble_spec(&self.source, &spec)?);
        let selection = SignalSelection::new(&self.signals, Some(&loaded.mechanism), "--signals")?;
        let with: Vec<SignalGroup> = self.with.iter().map(|word| SignalGroup::from(*word)).collect();
        let options = PointSweepOptions {
            span,
            times,
            groups: selection.groups(&with),
            formalism: self.formalism.unwrap_or(FormalismChoice::Quick),
            evaluation: self.evaluate.evaluation()?,
        };
        let sweep = PointSweep::new(loaded, options, &|quantity, name| match selection.is_default() {
            true => quantity.is_shown_by_default(),
            false => {
                let is_added = matches!(quantity, CurveKind::Signal(group) if with.contains(&group));
                is_added || selection.includes_signal(SignalKind::from_quantity(quantity), name)
            }
        })
        .map_err(Failure::Spec)?;
        let points = read_points(points, &sweep)?;
        for (name, text) in self.parameters.parameters.iter().filter_map(|p| p.split_once('=')) {
            if let Some(message) = PointColumn::override_fault(points.columns(), name.trim(), text) {
                return Err(Failure::Option { option: "-p", message });
            }
        }
        let fingerprint = sweep.fingerprint(&points);
        std::fs::create_dir_all(folder).map_err(|e| Failure::from_file_error("write", folder, e))?;
        let file = ResultFile::open(&path, (&fingerprint, &sweep.head(&fingerprint)), shard, self.resume)?;
        let missing = file.missing();
        let numbers: Vec<(usize, usize)> = missing.iter().map(|n| (*n, *n)).collect();
        let cores = std::thread::available_parallelism().map_or(1, NonZero::get);
        let threads = self.threads.map_or(cores, NonZero::get);
        let bar = ProgressBar::new(numbers.len() as u64);
        let columns = sweep.columns().len();
        let mut run = WrittenRun { file, bar, columns, counts: [0; 3], failure: None };
        run_points(&sweep, &points, &numbers, threads, &mut run)?;
        run.bar.finish_and_clear();
        run.file.finish()?;
        let counts = PointStatus::ALL.iter().zip(run.counts).filter(|(_, n)| *n > 0);
        let counts: Vec<String> = counts.map(|(status, n)| format!("{n} {status}")).collect();
        let shown = if counts.is_empty() { "no point was missing".to_owned() } else { counts.join(", ") };
        dqdt_diagnostics::tell!("{}: {shown}", path.display());
        if let Some((number, reason)) = run.failure {
            dqdt_diagnostics::tell!("point {number}: {reason}");
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// A run whose lines are appended to a file.
struct WrittenRun {
    file: ResultFile,
    bar: ProgressBar,
    /// Number of results in a line.
    columns: usize,
    /// Number of points by status, in the order of [`PointStatus::ALL`].
    counts: [usize; 3],
    /// The first point without a whole motion, with the reason.
    failure: Option<(usize, String)>,
}

impl WatchedRun<SweepError> for WrittenRun {
    fn receive(&mut self, number: usize, line: &str) -> Result<(), SweepError> {
        self.file.append(number, line)?;
        self.bar.inc(1);
        let Some(ParsedRow { result, .. }) = parse_row(line.trim_end(), self.columns) else { return Ok(()) };
        let status = PointStatus::ALL.iter().position(|s| *s == result.status);
        if let Some(count) = status.and_then(|i| self.counts.get_mut(i)) {
            *count += 1;
        }
        let is_first = self.failure.as_ref().is_none_or(|(first, _)| number < *first);
        if result.status != PointStatus::Ok && is_first {
            self.failure = Some((number, result.message));
        }
        Ok(())
    }

    fn watch(&mut self) -> Result<(), SweepError> {
        Ok(())
    }
}
