//! Evaluation of a compiled function for one state, or for each state of a batch.

use std::sync::Mutex;

use dqdt_native::VECTORS;
use numpy::{PyArray1, PyArrayDyn, PyArrayMethods, PyReadwriteArrayDyn, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyBool;

use crate::arrays::{read_array, read_number, shape_text, type_name};
use crate::errors::{error, singular};
use crate::function::{ArgumentArrays, CachedModel, PyFunction, RawCall, Times};
use crate::kernel::{ArgumentColumn, ArrayScalar, Kernel, SingularState, StateBatch, Vectors};
use crate::signature::{ACCELERATIONS, ArgumentTarget};

/// Maximum number of threads of a batch.
const MOST_THREADS: usize = 256;

/// Vectors of the arguments, and the offset of each within its rows: coordinates and speeds are
/// parts of one state.
struct ArgumentColumns<'a, T> {
    columns: [ArgumentColumn<'a, T>; VECTORS],
    offsets: [usize; VECTORS],
}

/// Accelerations of all speeds, from an argument that has those of some; the others are zero.
struct ScatteredAccelerations<T> {
    values: Vec<T>,
    /// True if each state has its own accelerations.
    is_rows: bool,
}

impl PyFunction {
    /// Evaluates the function for the arguments of a call.
    pub fn evaluate<'py, T: ArrayScalar>(
        &self,
        py: Python<'py>,
        (kernel, cache): (&Kernel<T>, &Mutex<Option<CachedModel<T>>>),
        call: &RawCall<'py>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let times = self.read_times::<T>(call)?;
        let (arrays, rows) = self.read_arrays::<T>(call)?;
        let count = count_states(&times, rows)?;
        let overridden =
            call.parameters.as_ref().map(|p| self.model_of_call(kernel, cache, p)).transpose()?;
        let (parameters, model) = match &overridden {
            Some(cached) => (&cached.0[..], &cached.1[..]),
            None => (&kernel.defaults[1][..], &kernel.model[..]),
        };
        let threads = read_threads(call.threads.as_ref())?;
        let arrays_out = self.outputs::<T>(py, call.out.as_ref(), count)?;
        let mut guards = lock_outputs(&arrays_out)?;
        let outputs = guards.iter_mut().map(|g| g.as_slice_mut().map_err(not_contiguous));
        let mut outputs: Vec<&mut [T]> = outputs.collect::<PyResult<_>>()?;
        let scattered = self.scatter_accelerations(kernel, &arrays, count.unwrap_or(0))?;
        let ArgumentColumns { columns, offsets } =
            self.argument_columns(kernel, &arrays, scattered.as_ref())?;
        let Some(count) = count else {
            let Times::One(time) = &times else {
                return Err(error("internal error: a time for each of no states"));
            };
            let vectors = collect_single_vectors(time, parameters, &columns);
            let outcome = kernel.single(&vectors, model, &mut outputs, &self.sizes);
            drop(guards);
            let mut failed = [outcome.is_err()];
            if call.return_mask {
                mark_rows_not_finite(&arrays_out, &self.sizes, &mut failed)?;
            }
            if let (Err(failure), false) = (outcome, call.return_mask) {
                return Err(self.singular_error(kernel, &failure));
            }
            let result = self.results(py, arrays_out, true)?;
            return match call.return_mask {
                true => Ok((result, failed[0]).into_pyobject(py)?.into_any()),
                false => Ok(result),
            };
        };
        let time_values = match &times {
            Times::One(t) => ArgumentColumn::Common(&t[..]),
            Times::Many(array) => ArgumentColumn::Rows(array.as_slice().map_err(not_contiguous)?, 1),
        };
        let batch = StateBatch {
            count,
            times: time_values,
            parameters,
            model,
            columns: std::array::from_fn(|i| columns[i + 2]),
            offsets: std::array::from_fn(|i| offsets[i + 2]),
        };
        let mut failed = vec![false; count];
        py.detach(|| kernel.batch(&batch, threads, outputs, &mut failed, &self.sizes));
        drop(guards);
        if call.return_mask {
            mark_rows_not_finite(&arrays_out, &self.sizes, &mut failed)?;
        }
        let result = self.results(py, arrays_out, false)?;
        match call.return_mask {
            true => Ok((result, PyArray1::from_vec(py, failed)).into_pyobject(py)?.into_any()),
            false => Ok(result),
        }
    }

    /// The time of a call: a number, or an array.
    fn read_times<'py, T: ArrayScalar>(&self, call: &RawCall<'py>) -> PyResult<Times<'py, T>> {
        let Some(time) = &call.time else {
            return Err(error(format!("`t` is missing: call {}", self.signature())));
        };
        Ok(match read_number(time) {
            Some(t) => Times::One([T::from_f64(t)]),
            None => Times::Many(read_array::<T>(time, "t")?),
        })
    }

    /// The accelerations of all speeds for `count` states, if an argument has those of some.
    fn scatter_accelerations<T: ArrayScalar>(
        &self,
        kernel: &Kernel<T>,
        arrays: &ArgumentArrays<'_, T>,
        count: usize,
    ) -> PyResult<Option<ScatteredAccelerations<T>>> {
        let mut scattered = None;
        for (slot, array) in self.arguments.iter().zip(arrays) {
            let (Some(array), ArgumentTarget::Accelerations(places)) = (array, &slot.target) else {
                continue;
            };
            let accelerations = array.as_slice().map_err(not_contiguous)?;
            let is_rows = array.ndim() == 2;
            let width = kernel.defaults[ACCELERATIONS].len();
            let rows = if is_rows { count } else { 1 };
            let mut values = vec![T::default(); rows * width];
            for row in 0..rows {
                for (k, place) in places.iter().enumerate() {
                    values[row * width + place] = accelerations[row * slot.length + k];
                }
            }
            scattered = Some(ScatteredAccelerations { values, is_rows });
        }
        Ok(scattered)
    }

    /// The vectors of the arguments: from the arrays of a call, or else the defaults.
    fn argument_columns<'a, T: ArrayScalar>(
        &self,
        kernel: &'a Kernel<T>,
        arrays: &'a ArgumentArrays<'_, T>,
        scattered: Option<&'a ScatteredAccelerations<T>>,
    ) -> PyResult<ArgumentColumns<'a, T>> {
        let mut columns: [ArgumentColumn<'_, T>; VECTORS] =
            std::array::from_fn(|i| ArgumentColumn::Common(&kernel.defaults[i][..]));
        let mut offsets = [0; VECTORS];
        for (slot, array) in self.arguments.iter().zip(arrays) {
            let Some(array) = array else { continue };
            let values = array.as_slice().map_err(not_contiguous)?;
            let is_rows = array.ndim() == 2;
            let column = |offset: usize, length: usize| match is_rows {
                true => ArgumentColumn::Rows(values, slot.length),
                false => ArgumentColumn::Common(&values[offset..offset + length]),
            };
            match &slot.target {
                ArgumentTarget::State => {
                    let mut offset = 0;
                    for i in 2..5 {
                        let length = kernel.defaults[i].len();
                        (columns[i], offsets[i]) = (column(offset, length), offset);
                        offset += length;
                    }
                }
                ArgumentTarget::Whole(i) => columns[*i] = column(0, slot.length),
                ArgumentTarget::Accelerations(_) => {}
            }
        }
        if let Some(ScatteredAccelerations { values, is_rows }) = scattered {
            columns[ACCELERATIONS] = match is_rows {
                true => ArgumentColumn::Rows(values, kernel.defaults[ACCELERATIONS].len()),
                false => ArgumentColumn::Common(values),
            };
        }
        Ok(ArgumentColumns { columns, offsets })
    }

    /// The exception for a state at which the function has no result.
    fn singular_error<T: ArrayScalar>(&self, kernel: &Kernel<T>, failure: &SingularState) -> PyErr {
        let divisor = failure.check.and_then(|i| kernel.divisors.get(i));
        let name = divisor.map_or("a derivative", |d| d.name.as_str());
        let hint = divisor.filter(|_| failure.vanishes).map_or("", |d| d.hint.as_str());
        singular(self.name, name, failure.value, hint)
    }
}

/// Number of states of a call whose arguments have `rows` rows; `None` for a single state.
fn count_states<T: ArrayScalar>(times: &Times<'_, T>, rows: Option<usize>) -> PyResult<Option<usize>> {
    let Times::Many(array) = times else { return Ok(rows) };
    match (array.shape(), rows) {
        ([n], None) => Ok(Some(*n)),
        ([n], Some(rows)) if *n == rows => Ok(Some(rows)),
        (shape, _) => {
            let rows = rows.map_or("N".to_owned(), |n| n.to_string());
            let got = shape_text(shape);
            Err(error(format!("`t` must be a number or have the shape ({rows},), not {got}")))
        }
    }
}

/// Locks the arrays of the results for writing.
fn lock_outputs<'py, T: ArrayScalar>(
    arrays: &[Bound<'py, PyArrayDyn<T>>],
) -> PyResult<Vec<PyReadwriteArrayDyn<'py, T>>> {
    arrays
        .iter()
        .map(|array| {
            array
                .try_readwrite()
                .map_err(|_| error("`out` cannot be written: it is read-only, or is also an argument"))
        })
        .collect()
}

/// The vectors of a single state.
fn collect_single_vectors<'a, T>(
    time: &'a [T],
    parameters: &'a [T],
    columns: &[ArgumentColumn<'a, T>; VECTORS],
) -> Vectors<'a, T> {
    std::array::from_fn(|i| match (i, &columns[i]) {
        (0, _) => time,
        (1, _) => parameters,
        (_, ArgumentColumn::Common(values) | ArgumentColumn::Rows(values, _)) => values,
    })
}

/// Marks the rows of a batch in which a result is not finite.
fn mark_rows_not_finite<T: ArrayScalar>(
    outputs: &[Bound<'_, PyArrayDyn<T>>],
    sizes: &[usize],
    failed: &mut [bool],
) -> PyResult<()> {
    for (output, size) in outputs.iter().zip(sizes).filter(|(_, size)| **size > 0) {
        let output = output.try_readonly().map_err(|_| error("`out` is being written to by another call"))?;
        let rows = output.as_slice().map_err(not_contiguous)?.chunks_exact(*size);
        for (row, flag) in rows.zip(failed.iter_mut()) {
            *flag |= row.iter().any(|x| !(*x).into().is_finite());
        }
    }
    Ok(())
}

/// Internal error of an array that was checked before.
fn not_contiguous(_: numpy::AsSliceError) -> PyErr {
    error("internal error: an array is not contiguous")
}

fn read_threads(value: Option<&Bound<'_, PyAny>>) -> PyResult<usize> {
    let Some(value) = value else { return Ok(1) };
    let number = if value.is_instance_of::<PyBool>() { None } else { value.extract::<usize>().ok() };
    number.filter(|n| (1..=MOST_THREADS).contains(n)).ok_or_else(|| {
        let got = value.repr().map_or_else(|_| type_name(value), |r| r.to_string());
        error(format!("`threads` must be a whole number from 1 to {MOST_THREADS}, not {got}"))
    })
}
