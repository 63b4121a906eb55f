//! Sweeps: motions at many points, on threads of this process or in tasks of an engine.

use std::num::NonZero;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use dqdt_codegen::pipeline::FormalismChoice;
use dqdt_graph::ir::Evaluation;
use dqdt_motion::sweep::{
    PointColumn, PointSweep, PointSweepOptions, Points, ResultFile, Shard, SweepError, WatchedRun, parse_row,
    run_points,
};
use numpy::{PyArray2, PyUntypedArrayMethods};
use pyo3::prelude::*;

use crate::arrays::{matrix, read_array};
use crate::errors::{error, spec_error};
use crate::mechanism::PyMechanism;
use crate::simulation::{SpanArgument, read_groups, read_span, with_python_arguments};
use crate::source::Setting;
use crate::words::read_formalism;

/// A mechanism and options of a sweep, derived: the core of `dqdt.Mechanism.sweep`.
#[pyclass(frozen, module = "dqdt", name = "Sweep")]
pub struct PySweep {
    sweep: PointSweep,
    /// Overrides of parameters given to `load`.
    parameters: Vec<(String, Setting)>,
}

/// Points of a sweep.
#[pyclass(frozen, module = "dqdt", name = "SweepPoints")]
pub struct PySweepPoints {
    points: Points,
}

/// A results file that is being written.
#[pyclass(frozen, module = "dqdt", name = "ResultFile")]
pub struct PyResultFile {
    /// `None` once the file is finished.
    file: Mutex<Option<ResultFile>>,
}

/// Exception for an error of a results file.
fn sweep_error(e: &SweepError) -> PyErr {
    let text = e.to_string();
    let text = text.replace(
        "continue it with `--resume`, or choose another folder",
        "pass `resume=True`, or another `out`",
    );
    error(text.replace("choose another folder", "pass another `out`"))
}

/// Lines of results by status, message and numbers.
type ResultColumns<'py> = (Vec<usize>, Vec<&'static str>, Vec<String>, Bound<'py, PyArray2<f64>>);

impl PyResultFile {
    /// Calls `change` with the file, unless it is finished.
    fn with_file<T>(&self, change: impl FnOnce(&mut ResultFile) -> Result<T, SweepError>) -> PyResult<T> {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let file = file.as_mut().ok_or_else(|| error("the results file is finished"))?;
        change(file).map_err(|e| sweep_error(&e))
    }
}

#[pymethods]
impl PyResultFile {
    /// Numbers of the points without a line.
    fn missing(&self) -> PyResult<Vec<usize>> {
        self.with_file(|file| Ok(file.missing()))
    }

    /// Appends lines of points.
    fn append(&self, py: Python<'_>, lines: Vec<(usize, String)>) -> PyResult<()> {
        py.detach(|| self.with_file(|file| lines.iter().try_for_each(|(n, line)| file.append(*n, line))))
    }

    /// Sorts the file; returns its lines.
    fn finish(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        py.detach(|| {
            let file = self.file.lock().unwrap_or_else(PoisonError::into_inner).take();
            let file = file.ok_or_else(|| error("the results file is finished"))?;
            let text = file.finish().map_err(|e| sweep_error(&e))?;
            Ok(text.lines().skip(2).map(str::to_owned).collect())
        })
    }
}

/// A run that appends to a file, or keeps the lines.
struct ThreadedRun<'f> {
    file: Option<&'f PyResultFile>,
    lines: Vec<(usize, String)>,
}

impl WatchedRun<PyErr> for ThreadedRun<'_> {
    fn receive(&mut self, number: usize, line: &str) -> PyResult<()> {
        match self.file {
            Some(file) => file.with_file(|file| file.append(number, line)),
            None => {
                self.lines.push((number, line.to_owned()));
                Ok(())
            }
        }
    }

    fn watch(&mut self) -> PyResult<()> {
        Python::attach(|py| py.check_signals())
    }
}

#[pymethods]
impl PySweep {
    /// Names of the results.
    #[getter]
    fn columns(&self) -> Vec<String> {
        self.sweep.columns().to_vec()
    }

    /// Hash of the derived equations: tasks compare it with that of the process that sent them.
    #[getter]
    fn mechanism_hash(&self) -> &str {
        self.sweep.mechanism_hash()
    }

    /// Points from a matrix: a row for each point, a column for each name.
    fn points(&self, names: Vec<String>, values: &Bound<'_, PyAny>) -> PyResult<PySweepPoints> {
        let mut columns: Vec<PointColumn> = Vec::new();
        for name in &names {
            let column = PointColumn::find(self.sweep.mechanism(), self.sweep.program(), name);
            columns.push(column.map_err(|fault| error(format!("{}; {}", fault.message, fault.help)))?);
        }
        for (name, setting) in self.parameters.iter().filter(|(name, _)| !names.contains(name)) {
            if let Setting::Text(text) = setting
                && let Some(message) = PointColumn::formula_fault(&columns, name, text)
            {
                return Err(error(message));
            }
        }
        let array = read_array::<f64>(values, "points")?;
        let flat = array.as_slice().map_err(|e| error(e.to_string()))?;
        let count = flat.len().checked_div(names.len()).unwrap_or(0);
        if array.shape() != [count, names.len()] || names.is_empty() {
            return Err(error("points must be a matrix with a column for each name"));
        }
        if let Some(i) = flat.iter().position(|x| !x.is_finite()) {
            let (row, column) = (i / names.len(), i % names.len());
            return Err(error(format!(
                "`{}` of point {row} must be a finite number, not {}",
                names[column], flat[i]
            )));
        }
        Ok(PySweepPoints { points: Points::new(columns, flat.to_vec()) })
    }

    /// Opens the results file of these points; `shard` is a part (index, count) of them.
    #[pyo3(signature = (path, points, resume, shard = None))]
    fn open(
        &self,
        path: PathBuf,
        points: &PySweepPoints,
        resume: bool,
        shard: Option<(usize, usize)>,
    ) -> PyResult<PyResultFile> {
        let shard = read_shard(shard)?;
        let fingerprint = self.sweep.fingerprint(&points.points);
        let head = self.sweep.head(&fingerprint);
        let file =
            ResultFile::open(&path, (&fingerprint, &head), shard, resume).map_err(|e| sweep_error(&e))?;
        Ok(PyResultFile { file: Mutex::new(Some(file)) })
    }

    /// Simulates points: `numbers` has the index of each, and its number in the results. Lines are
    /// appended to `file`, or returned.
    #[pyo3(signature = (points, numbers, threads = None, file = None))]
    fn run(
        &self,
        py: Python<'_>,
        points: &PySweepPoints,
        numbers: Vec<(usize, usize)>,
        threads: Option<usize>,
        file: Option<&PyResultFile>,
    ) -> PyResult<Vec<(usize, String)>> {
        let threads = threads.unwrap_or_else(count_cores);
        py.detach(|| {
            let mut run = ThreadedRun { file, lines: Vec::new() };
            run_points(&self.sweep, &points.points, &numbers, threads, &mut run)?;
            Ok(run.lines)
        })
    }

    /// Numbers of the points, statuses, messages and results of lines.
    fn read_lines<'py>(&self, py: Python<'py>, lines: Vec<String>) -> PyResult<ResultColumns<'py>> {
        let columns = self.sweep.columns().len();
        let (mut numbers, mut statuses, mut messages, mut rows) =
            (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for line in &lines {
            let row = parse_row(line.trim_end(), columns);
            let row = row.ok_or_else(|| error(format!("this line of results is damaged: {line}")))?;
            numbers.push(row.number);
            statuses.push(row.result.status.word());
            messages.push(with_python_arguments(&row.result.message));
            rows.push(row.result.values);
        }
        Ok((numbers, statuses, messages, matrix(py, &rows, columns)?))
    }
}

/// Number of cores of this process.
fn count_cores() -> usize {
    std::thread::available_parallelism().map_or(1, NonZero::get)
}

/// A shard by its index and the number of shards; all points by default.
fn read_shard(shard: Option<(usize, usize)>) -> PyResult<Shard> {
    shard.map_or(Ok(Shard::WHOLE), |(i, n)| Shard::new(i, n)).map_err(|e| error(e.to_string()))
}

/// Name of the results file of a shard.
#[pyfunction]
pub fn shard_file_name(index: usize, count: usize) -> PyResult<String> {
    Ok(read_shard(Some((index, count)))?.file_name())
}

/// Numbers of the points of a shard.
#[pyfunction]
pub fn shard_numbers(index: usize, count: usize, points: usize) -> PyResult<Vec<usize>> {
    Ok(read_shard(Some((index, count)))?.numbers(points).collect())
}

#[pymethods]
impl PyMechanism {
    /// Derives the equations of a sweep: the core of `dqdt.Mechanism.sweep`.
    #[pyo3(signature = (span, groups, times, formalism = None))]
    fn sweep(
        &self,
        py: Python<'_>,
        span: SpanArgument,
        groups: Vec<String>,
        mut times: Vec<f64>,
        formalism: Option<&str>,
    ) -> PyResult<PySweep> {
        let span = read_span(span)?;
        if let Some(bad) = times.iter().find(|t| !(0.0..=span.t_end).contains(*t)) {
            return Err(error(format!("`times` must be from 0 to `t_end`, {}, not {bad}", span.t_end)));
        }
        times.sort_by(f64::total_cmp);
        times.dedup();
        let options = PointSweepOptions {
            span,
            times,
            groups: read_groups(&groups)?,
            formalism: read_formalism(formalism)?.unwrap_or(FormalismChoice::Quick),
            evaluation: Evaluation::Adaptive(dqdt_native::compile_tape),
        };
        let loaded = Arc::clone(&self.loaded);
        let sweep =
            py.detach(|| PointSweep::new(loaded, options, &|quantity, _| quantity.is_shown_by_default()));
        Ok(PySweep { sweep: sweep.map_err(|e| spec_error(&e))?, parameters: self.source.parameters.clone() })
    }
}
