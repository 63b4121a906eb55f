//! Evaluation for one state whose arguments need no conversion: the call of a control loop.

use numpy::{PyArray1, PyArrayDyn, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::types::{PyFloat, PyTuple};

use crate::arrays::is_slice;
use crate::function::{MOST_ARGUMENTS, PyFunction};
use crate::kernel::{ArrayScalar, Kernel, Vectors};
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
        // Copies, which take less time than to register that an array is read.
        let mut values: [Vec<T>; MOST_ARGUMENTS] = Default::default();
        for (i, (slot, copy)) in self.arguments.iter().zip(&mut values).enumerate() {
            let item = args.get_borrowed_item(i + 1)?;
            let Some(vector) = copy_vector(&item, slot.length) else { return Ok(None) };
            *copy = vector;
        }
        let mut vectors: Vectors<'_, T> = std::array::from_fn(|i| &kernel.defaults[i][..]);
        vectors[0] = &time;
        for (slot, values) in self.arguments.iter().zip(&values) {
            match &slot.target {
                ArgumentTarget::State => {
                    let mut rest = &values[..];
                    for vector in &mut vectors[2..5] {
                        (*vector, rest) = rest.split_at(vector.len());
                    }
                }
                ArgumentTarget::Whole(i) => vectors[*i] = values,
                ArgumentTarget::Accelerations(_) => return Ok(None),
            }
        }
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

/// Copy of a vector of this type and length that needs no conversion.
fn copy_vector<T: ArrayScalar>(value: &Bound<'_, PyAny>, length: usize) -> Option<Vec<T>> {
    let array = value.cast::<PyArrayDyn<T>>().ok()?;
    if array.shape() == [length] && is_slice(array) { array.to_vec().ok() } else { None }
}
