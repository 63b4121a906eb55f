//! Conversion between NumPy arrays and slices.

use numpy::{
    Element, IntoPyArray, PyArray1, PyArray2, PyArrayDyn, PyArrayMethods, PyReadonlyArrayDyn,
    PyUntypedArrayMethods,
};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBool, PyFloat, PyInt};

use crate::errors::error;

/// The module `numpy`.
fn numpy_module(py: Python<'_>) -> PyResult<&Bound<'_, PyModule>> {
    static MODULE: PyOnceLock<Py<PyModule>> = PyOnceLock::new();
    Ok(MODULE.get_or_try_init(py, || py.import("numpy").map(Bound::unbind))?.bind(py))
}

/// True if the elements are in the order of C and aligned, so that they are a slice.
pub fn is_slice<T: Element>(array: &Bound<'_, PyArrayDyn<T>>) -> bool {
    array.is_c_contiguous() && array.data().is_aligned()
}

/// A readable array of any dimension in the order of C; anything else is converted.
///
/// # Errors
/// If the value is not an array of real numbers; `name` is the argument in the message.
pub fn read_array<'py, T: Element>(
    value: &Bound<'py, PyAny>,
    name: &str,
) -> PyResult<PyReadonlyArrayDyn<'py, T>> {
    let array = match value.cast::<PyArrayDyn<T>>() {
        Ok(array) if is_slice(array) => array.clone(),
        _ => convert_array(value, name)?,
    };
    array.try_readonly().map_err(|_| error(format!("`{name}` is being written to by another call")))
}

fn convert_array<'py, T: Element>(
    value: &Bound<'py, PyAny>,
    name: &str,
) -> PyResult<Bound<'py, PyArrayDyn<T>>> {
    let py = value.py();
    let numpy = numpy_module(py)?;
    let expected = |got: String| error(format!("`{name}` must be an array of real numbers, not {got}"));
    let array = numpy.call_method1("asarray", (value,)).map_err(|e| {
        let is_wrong = e.is_instance_of::<PyValueError>(py) || e.is_instance_of::<PyTypeError>(py);
        if is_wrong { expected(type_name(value)) } else { e }
    })?;
    let dtype = array.getattr("dtype")?;
    let kind: String = dtype.getattr("kind")?.extract()?;
    if !matches!(kind.as_str(), "f" | "i" | "u" | "b") {
        let got = if kind == "O" {
            describe_objects(value, &array)?
        } else {
            format!("one of type {}", dtype.str()?)
        };
        return Err(expected(got));
    }
    let converted = numpy.call_method1("require", (array, T::get_dtype(py), "CA"))?;
    let converted = converted.cast_into::<PyArrayDyn<T>>().map_err(|_| expected(type_name(value)))?;
    if is_slice(&converted) {
        Ok(converted)
    } else {
        Err(expected("an array that cannot be copied".to_owned()))
    }
}

/// Name of the type of a value, for messages.
pub fn type_name(value: &Bound<'_, PyAny>) -> String {
    value.get_type().name().map_or_else(|_| "this value".to_owned(), |name| format!("`{name}`"))
}

/// Description of a value that NumPy reads as an array of objects, for messages.
fn describe_objects(value: &Bound<'_, PyAny>, array: &Bound<'_, PyAny>) -> PyResult<String> {
    if array.getattr("ndim")?.extract::<usize>()? == 0 {
        return Ok(type_name(value));
    }
    for item in array.getattr("flat")?.try_iter()? {
        let item = item?;
        if read_number(&item).is_none() {
            return Ok(format!("one with an element of type {}", type_name(&item)));
        }
    }
    Ok("one of type object; convert it with `.astype(float)`".to_owned())
}

/// A value for messages: a number as Python writes it, anything else by its type.
pub fn describe_value(value: &Bound<'_, PyAny>) -> String {
    let number = read_number(value).and_then(|_| value.repr().ok());
    number.map_or_else(|| type_name(value), |repr| repr.to_string())
}

/// A finite or infinite number; `None` for any other value, truth values included.
pub fn read_number(value: &Bound<'_, PyAny>) -> Option<f64> {
    if value.is_instance_of::<PyFloat>() {
        return value.extract().ok();
    }
    if value.is_instance_of::<PyBool>() {
        return None;
    }
    let is_number = value.is_instance_of::<PyInt>() || value.hasattr("__float__").unwrap_or(false);
    let is_array = value.getattr("ndim").and_then(|n| n.extract::<usize>()).is_ok_and(|n| n > 0);
    if is_number && !is_array { value.extract().ok() } else { None }
}

/// A vector of numbers of this length.
///
/// # Errors
/// If the value is not such a vector.
pub fn read_vector(value: &Bound<'_, PyAny>, name: &str, length: usize) -> PyResult<Vec<f64>> {
    let array = read_array::<f64>(value, name)?;
    if array.shape() != [length] {
        return Err(error(format!(
            "`{name}` must have the shape ({length},), not {}",
            shape_text(array.shape())
        )));
    }
    array.as_slice().map(<[f64]>::to_vec).map_err(|e| error(e.to_string()))
}

/// A shape as Python writes it.
pub fn shape_text(shape: &[usize]) -> String {
    match shape {
        [n] => format!("({n},)"),
        all => format!("({})", all.iter().map(usize::to_string).collect::<Vec<_>>().join(", ")),
    }
}

/// A matrix from its rows, which have `columns` entries each.
pub fn matrix<'py>(
    py: Python<'py>,
    rows: &[Vec<f64>],
    columns: usize,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let flat: Vec<f64> = rows.iter().flatten().copied().collect();
    PyArray1::from_vec(py, flat).reshape([rows.len(), columns])
}

/// A vector as an array.
pub fn vector<'py>(py: Python<'py>, values: Vec<f64>) -> Bound<'py, PyArray1<f64>> {
    values.into_pyarray(py)
}
