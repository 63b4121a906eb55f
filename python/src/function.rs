//! The class `Function`: a compiled function that is called with arrays.

use std::sync::{Arc, Mutex, PoisonError};

use dqdt_graph::ir::ParameterConditions;
use numpy::{PyArrayDyn, PyArrayMethods, PyReadonlyArrayDyn, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyString, PyTuple};

use crate::arrays::{read_array, read_number, shape_text, type_name};
use crate::errors::{error, unknown_name};
use crate::kernel::{ArrayScalar, Kernel};
use crate::signature::{ArgumentSlot, OutputSlot};
use crate::simulation::check_parameters;

/// A compiled function, in the precision of its arrays.
pub enum AnyKernel {
    Double(Kernel<f64>, Mutex<Option<CachedModel<f64>>>),
    Single(Kernel<f32>, Mutex<Option<CachedModel<f32>>>),
}

/// Parameters of the last call that overrode them, with the model for them.
pub type CachedModel<T> = Arc<(Vec<T>, Vec<T>)>;

/// A function of a mechanism, compiled to machine code. Call it with the time, then its arguments.
#[pyclass(frozen, module = "dqdt", name = "Function")]
pub struct PyFunction {
    pub name: &'static str,
    pub doc: String,
    pub arguments: Vec<ArgumentSlot>,
    pub outputs: Vec<OutputSlot>,
    /// Number of entries of each output for one state.
    pub sizes: Vec<usize>,
    /// Names of the parameters.
    pub parameters: Vec<String>,
    /// Validity conditions on the parameters; `None` without any.
    pub conditions: Option<ParameterConditions>,
    pub kernel: AnyKernel,
    /// Named tuple of the results; `None` for a single one.
    pub result_type: Option<Py<PyAny>>,
}

/// Maximum number of arguments of a function after the time.
pub const MOST_ARGUMENTS: usize = 7;

/// The values of a call as Python objects.
#[derive(Default)]
pub struct RawCall<'py> {
    pub time: Option<Bound<'py, PyAny>>,
    pub arguments: [Option<Bound<'py, PyAny>>; MOST_ARGUMENTS],
    pub parameters: Option<Bound<'py, PyAny>>,
    pub out: Option<Bound<'py, PyAny>>,
    pub threads: Option<Bound<'py, PyAny>>,
    pub return_mask: bool,
}

/// Arrays of the arguments of a call; `None` for those that have their defaults.
pub type ArgumentArrays<'py, T> = [Option<PyReadonlyArrayDyn<'py, T>>; MOST_ARGUMENTS];

/// Time of a call: one for all states, or one for each.
pub enum Times<'py, T: ArrayScalar> {
    One([T; 1]),
    Many(PyReadonlyArrayDyn<'py, T>),
}

impl PyFunction {
    fn read_call<'py>(
        &self,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<RawCall<'py>> {
        let mut call = RawCall::default();
        if args.len() > self.arguments.len() + 1 {
            return Err(error(format!("{} arguments are too many: call {}", args.len(), self.signature())));
        }
        for (i, value) in args.iter().enumerate() {
            match i {
                0 => call.time = Some(value),
                _ => call.arguments[i - 1] = Some(value).filter(|v| !v.is_none()),
            }
        }
        for (key, value) in kwargs.into_iter().flat_map(|k| k.iter()) {
            let key: String = key.cast::<PyString>()?.to_cow()?.into_owned();
            let slot = match key.as_str() {
                "t" => &mut call.time,
                "parameters" => &mut call.parameters,
                "out" => &mut call.out,
                "threads" => &mut call.threads,
                "return_mask" => {
                    let Ok(flag) = value.cast::<PyBool>() else {
                        let got = type_name(&value);
                        return Err(error(format!("`return_mask` must be True or False, not {got}")));
                    };
                    call.return_mask = flag.is_true();
                    continue;
                }
                name => match self.arguments.iter().position(|a| a.name == name) {
                    Some(i) => &mut call.arguments[i],
                    None => {
                        let options = ["t", "parameters", "out", "threads", "return_mask"];
                        let known: Vec<&str> = self.arguments.iter().map(|a| a.name).chain(options).collect();
                        return Err(unknown_name("argument", name, &known));
                    }
                },
            };
            if slot.is_some() {
                return Err(error(format!("`{key}` is given twice: call {}", self.signature())));
            }
            *slot = Some(value).filter(|v| !v.is_none());
        }
        Ok(call)
    }

    /// The call as a user writes it.
    pub fn signature(&self) -> String {
        let arguments = self
            .arguments
            .iter()
            .map(|a| if a.has_default { format!("{}=None", a.name) } else { a.name.to_owned() });
        let all: Vec<String> = std::iter::once("t".to_owned()).chain(arguments).collect();
        format!("{}({})", self.name, all.join(", "))
    }

    /// The arrays of the arguments, and the number of states; `None` for a single state.
    pub fn read_arrays<'py, T: ArrayScalar>(
        &self,
        call: &RawCall<'py>,
    ) -> PyResult<(ArgumentArrays<'py, T>, Option<usize>)> {
        let mut count: Option<(usize, &str)> = None;
        let mut arrays: ArgumentArrays<'py, T> = Default::default();
        for ((slot, value), array) in self.arguments.iter().zip(&call.arguments).zip(&mut arrays) {
            let n = slot.length;
            let Some(value) = value else {
                if slot.has_default {
                    continue;
                }
                let text =
                    format!("`{}` is missing ({}): call {}", slot.name, slot.meaning, self.signature());
                return Err(error(text));
            };
            let read = read_array::<T>(value, slot.name)?;
            match *read.shape() {
                [length] if length == n => {}
                [rows, length] if length == n => match count {
                    Some((other, name)) if other != rows => {
                        return Err(error(format!(
                            "`{}` has {rows} rows, but `{name}` has {other}",
                            slot.name
                        )));
                    }
                    _ => count = Some((rows, slot.name)),
                },
                ref shape => {
                    return Err(error(format!(
                        "`{}` must have the shape ({n},) or (N, {n}), not {}",
                        slot.name,
                        shape_text(shape)
                    )));
                }
            }
            *array = Some(read);
        }
        Ok((arrays, count.map(|(n, _)| n)))
    }

    fn read_parameters<T: ArrayScalar>(&self, value: &Bound<'_, PyAny>, defaults: &[T]) -> PyResult<Vec<T>> {
        if let Ok(dict) = value.cast::<PyDict>() {
            let mut all = defaults.to_vec();
            // A copy, since a value may run code that changes the dictionary.
            for (key, value) in dict.copy()?.iter() {
                let Ok(name) = key.extract::<String>() else {
                    return Err(error(format!("names of parameters must be texts, not {}", type_name(&key))));
                };
                let i = self.parameters.iter().position(|p| *p == name);
                let i = i.ok_or_else(|| {
                    let known: Vec<&str> = self.parameters.iter().map(String::as_str).collect();
                    unknown_name("parameter", &name, &known)
                })?;
                let number = read_number(&value);
                let got = || error(format!("parameter `{name}` must be a number, not {}", type_name(&value)));
                all[i] = T::from_f64(number.ok_or_else(got)?);
            }
            return Ok(all);
        }
        let array = read_array::<T>(value, "parameters")?;
        let n = self.parameters.len();
        if array.shape() != [n] {
            let got = shape_text(array.shape());
            return Err(error(format!("`parameters` must be a dict, or have the shape ({n},), not {got}")));
        }
        array.as_slice().map(<[T]>::to_vec).map_err(|e| error(e.to_string()))
    }

    /// Parameters and model of a call that overrides parameters; the last ones are kept.
    pub fn model_of_call<T: ArrayScalar>(
        &self,
        kernel: &Kernel<T>,
        cache: &Mutex<Option<CachedModel<T>>>,
        value: &Bound<'_, PyAny>,
    ) -> PyResult<CachedModel<T>> {
        let parameters = self.read_parameters(value, &kernel.defaults[1])?;
        let mut last = cache.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(cached) = last.as_ref().filter(|c| have_same_bits(&c.0, &parameters)) {
            return Ok(Arc::clone(cached));
        }
        if let Some(conditions) = &self.conditions {
            let values: Vec<f64> = parameters.iter().map(|x| (*x).into()).collect();
            check_parameters(&conditions.violated_conditions(&values))?;
        }
        let model = kernel.model(&parameters);
        let new = Arc::new((parameters, model));
        *last = Some(Arc::clone(&new));
        Ok(new)
    }

    /// The arrays that receive the results: those of `out`, or new ones.
    pub fn outputs<'py, T: ArrayScalar>(
        &self,
        py: Python<'py>,
        out: Option<&Bound<'py, PyAny>>,
        count: Option<usize>,
    ) -> PyResult<Vec<Bound<'py, PyArrayDyn<T>>>> {
        let shapes =
            self.outputs.iter().map(|o| count.iter().chain(&o.shape).copied().collect::<Vec<usize>>());
        let Some(out) = out else {
            return Ok(shapes.map(|shape| PyArrayDyn::<T>::zeros(py, &shape[..], false)).collect());
        };
        let items: Vec<Bound<'py, PyAny>> = match (out.cast::<PyTuple>(), &self.outputs[..]) {
            (Ok(tuple), _) => tuple.iter().collect(),
            (Err(_), [_]) => vec![out.clone()],
            _ => Vec::new(),
        };
        if items.len() != self.outputs.len() {
            let n = self.outputs.len();
            return Err(error(format!("`out` must be a tuple of {n} arrays, one for each result")));
        }
        let mut arrays = Vec::new();
        for (item, shape) in items.into_iter().zip(shapes) {
            let dtype = T::get_dtype(py);
            let wrong = |got: String| {
                let shape = shape_text(&shape);
                error(format!(
                    "`out` must be a C-contiguous array of {dtype} with the shape {shape}, not {got}"
                ))
            };
            let array =
                item.cast_into::<PyArrayDyn<T>>().map_err(|e| wrong(type_name(e.into_inner().as_any())))?;
            if array.shape() != shape {
                return Err(wrong(format!("of the shape {}", shape_text(array.shape()))));
            }
            if !array.is_c_contiguous() || !array.data().is_aligned() {
                return Err(wrong("one with strides".to_owned()));
            }
            arrays.push(array);
        }
        Ok(arrays)
    }

    /// The results as Python objects: one, or a named tuple.
    pub fn results<'py, T: ArrayScalar>(
        &self,
        py: Python<'py>,
        arrays: Vec<Bound<'py, PyArrayDyn<T>>>,
        is_single: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let objects = arrays.into_iter().zip(&self.outputs).map(|(array, o)| {
            let object = if is_single && o.shape.is_empty() { array.get_item(())? } else { array.into_any() };
            Ok(object)
        });
        let mut objects: Vec<Bound<'py, PyAny>> = objects.collect::<PyResult<_>>()?;
        match (&self.result_type, objects.len()) {
            (Some(result_type), _) => result_type.bind(py).call1(PyTuple::new(py, objects)?),
            (None, 1) => Ok(objects.remove(0)),
            (None, _) => Ok(PyTuple::new(py, objects)?.into_any()),
        }
    }
}

/// True if two vectors of numbers are the same to the last bit.
fn have_same_bits<T: ArrayScalar>(a: &[T], b: &[T]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(x, y)| bits(*x) == bits(*y))
}

/// Bits of a number as a double.
fn bits<T: ArrayScalar>(x: T) -> u64 {
    let x: f64 = x.into();
    x.to_bits()
}

#[pymethods]
impl PyFunction {
    #[pyo3(signature = (*args, **kwargs))]
    fn __call__<'py>(
        &self,
        py: Python<'py>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if kwargs.is_none() {
            let result = match &self.kernel {
                AnyKernel::Double(kernel, _) => self.evaluate_one_state(py, kernel, args)?,
                AnyKernel::Single(kernel, _) => self.evaluate_one_state(py, kernel, args)?,
            };
            if let Some(result) = result {
                return Ok(result);
            }
        }
        let call = self.read_call(args, kwargs)?;
        match &self.kernel {
            AnyKernel::Double(kernel, cache) => self.evaluate(py, (kernel, cache), &call),
            AnyKernel::Single(kernel, cache) => self.evaluate(py, (kernel, cache), &call),
        }
    }

    /// Name of the function.
    #[getter]
    fn __name__(&self) -> &'static str {
        self.name
    }

    /// Description of the function.
    #[getter]
    fn __doc__(&self) -> &str {
        &self.doc
    }

    /// Names of the arguments, the time first.
    #[getter]
    fn arguments(&self) -> Vec<&'static str> {
        std::iter::once("t").chain(self.arguments.iter().map(|a| a.name)).collect()
    }

    /// Results: name, unit, description and shape of each.
    #[getter]
    fn results_info<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let dict = |o: &OutputSlot| {
            let dict = PyDict::new(py);
            dict.set_item("name", &o.name)?;
            dict.set_item("unit", &o.unit)?;
            dict.set_item("description", &o.description)?;
            dict.set_item("shape", PyTuple::new(py, &o.shape)?)?;
            Ok(dict)
        };
        self.outputs.iter().map(dict).collect()
    }

    /// `"double"` or `"single"`.
    #[getter]
    fn precision(&self) -> &'static str {
        match self.kernel {
            AnyKernel::Double(..) => "double",
            AnyKernel::Single(..) => "single",
        }
    }

    fn __repr__(&self) -> String {
        format!("<dqdt function {}>", self.signature())
    }
}
