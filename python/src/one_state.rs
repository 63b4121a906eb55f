//! Evaluation for one state whose arguments need no conversion: the call of a control loop.

use numpy::{PyArray1, PyArrayDyn, PyArrayMethods, PyReadonlyArrayDyn, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::types::{PyFloat, PyTuple};

use crate::arrays::is_slice;
use crate::evaluation::collect_single_vectors;
use crate::function::{ArgumentArrays, PyFunction};
use crate::kernel::{ArrayScalar, Kernel};
use crate::signature::ArgumentTarget;

impl PyFunction {
    /// The result of a call with a float and one vector of the right type and length for every
    /// argument, for a function whose only result is a vector or a matrix. `None` for any other
    /// call, and where the function has no result: [`evaluate`](Self::evaluate) says why.
    pub fn evaluate_one_state<'py, T: ArrayScalar>(
        &self,
        py: Python<'py>,
        kernel: &Kernel<T>,
        args: &Bound<'py, PyTuple>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let [output] = &self.outputs[..] else { return Ok(None) };
        if args.len() != self.arguments.len() + 1 {
            return Ok(None);
        }
        let first = args.get_borrowed_item(0)?;
        let Ok(time) = first.cast_exact::<PyFloat>() else { return Ok(None) };
        let time = [T::from_f64(time.value())];
        let mut arrays: ArgumentArrays<'py, T> = Default::default();
        for (i, (slot, array)) in self.arguments.iter().zip(&mut arrays).enumerate() {
            if matches!(slot.target, ArgumentTarget::Accelerations(_)) {
                return Ok(None);
            }
            let item = args.get_borrowed_item(i + 1)?;
            let Some(vector) = read_vector_as_is(&item, slot.length) else { return Ok(None) };
            *array = Some(vector);
        }
        let columns = self.argument_columns(kernel, &arrays, None)?.columns;
        let vectors = collect_single_vectors(&time, &kernel.defaults[1], &columns);
        let mut results = vec![T::default(); kernel.output_count()];
        if kernel.evaluate(&vectors, &kernel.model, &mut results).is_err() {
            return Ok(None);
        }
        let array = PyArray1::from_slice(py, &results[..self.sizes[0]]);
        Ok(match output.shape[..] {
            [_] => Some(array.into_any()),
            [rows, columns] => Some(array.reshape([rows, columns])?.into_any()),
            _ => None,
        })
    }
}

/// A vector of this type and length that can be read without conversion.
fn read_vector_as_is<'py, T: ArrayScalar>(
    value: &Bound<'py, PyAny>,
    length: usize,
) -> Option<PyReadonlyArrayDyn<'py, T>> {
    let array = value.cast::<PyArrayDyn<T>>().ok()?;
    if array.shape() != [length] || !is_slice(array) {
        return None;
    }
    array.try_readonly().ok()
}
