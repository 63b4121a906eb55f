//! The class `Linearization`: matrices around a state, with names and eigenvalues.

use dqdt_codegen::linearize::{LinearizeError, LinearizeRequest, Linearized, linearize};
use dqdt_codegen::simulate::Values;
use dqdt_derivation::derive::record_parameter_checks;
use dqdt_graph::ir::ParameterConditions;
use numpy::{PyArray1, PyArray2};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::arrays::{describe_value, matrix, read_number, read_vector, vector};
use crate::errors::{error, spec_error, unknown_name};
use crate::mechanism::PyMechanism;
use crate::simulation::{check_parameters, read_parameters, read_start, start_error, with_python_arguments};

/// Linearised equations `δẋ = A δx + B δu + f₀`, `δy = C δx + D δu + y₀`: the core of
/// `dqdt.Linearization`.
#[pyclass(frozen, module = "dqdt", name = "Linearization")]
pub struct PyLinearization {
    content: Linearized,
}

/// Exception for a linearisation that failed.
fn linearisation_error(e: LinearizeError) -> PyErr {
    match e {
        LinearizeError::Spec(errors) => spec_error(&errors),
        LinearizeError::Start(e) => start_error(&e),
        LinearizeError::Unknown { name, known, .. } => {
            unknown_name("state or input", &name, &known.split(", ").collect::<Vec<_>>())
        }
        e => error(with_python_arguments(&e.to_string())),
    }
}

#[pymethods]
impl PyLinearization {
    /// Names of the independent entries of `δx`.
    #[getter]
    fn states(&self) -> Vec<String> {
        self.content.states.clone()
    }

    /// Names of the inputs.
    #[getter]
    fn inputs(&self) -> Vec<String> {
        self.content.inputs.clone()
    }

    /// Names of the entries of the outputs.
    #[getter]
    fn outputs(&self) -> Vec<String> {
        self.content.outputs.clone()
    }

    /// Names of the states that depend on the others through the constraints.
    #[getter]
    fn dependent(&self) -> Vec<String> {
        self.content.dependent.clone()
    }

    /// Matrix A: states × states.
    #[getter(A)]
    fn a<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        matrix(py, &self.content.a, self.content.states.len())
    }

    /// Matrix B: states × inputs.
    #[getter(B)]
    fn b<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        matrix(py, &self.content.b, self.content.inputs.len())
    }

    /// Matrix C: outputs × states.
    #[getter(C)]
    fn c<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        matrix(py, &self.content.c, self.content.states.len())
    }

    /// Matrix D: outputs × inputs.
    #[getter(D)]
    fn d<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        matrix(py, &self.content.d, self.content.inputs.len())
    }

    /// Rates of the independent states at the point.
    #[getter]
    fn f0<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        vector(py, self.content.drift.clone())
    }

    /// Outputs at the point.
    #[getter]
    fn y0<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        vector(py, self.content.output.clone())
    }

    /// State at the point: `[q, v, z]`.
    #[getter]
    fn x0<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        vector(py, self.content.at.state())
    }

    /// Inputs at the point.
    #[getter]
    fn u0<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        vector(py, self.content.at.u.clone())
    }

    /// Eigenvalues of A: real and imaginary parts, largest real part first.
    #[getter]
    fn eigenvalue_parts(&self) -> Vec<[f64; 2]> {
        self.content.modes.iter().map(|m| m.value).collect()
    }

    /// Kind of the point: `equilibrium`, `steady motion`, …
    #[getter]
    fn kind(&self) -> &'static str {
        self.content.kind.description()
    }

    /// True if the equations depend on time, which is fixed.
    #[getter]
    fn depends_on_time(&self) -> bool {
        self.content.depends_on_time
    }

    /// Text on start values that the constraints moved; `None` if there are none.
    #[getter]
    fn start_note(&self) -> Option<&str> {
        self.content.start_note.as_deref()
    }

    /// Values of the states and inputs that the trim found, by name; empty without a trim.
    #[getter]
    fn trim(&self) -> Vec<(String, f64)> {
        self.content.trim.as_ref().map(|t| t.free.clone()).unwrap_or_default()
    }
}

impl PyMechanism {
    /// Raises an exception if these values of parameters violate a condition, such as a negative
    /// mass.
    fn check_parameter_values(&self, values: &[(String, f64)]) -> PyResult<()> {
        if values.is_empty() {
            return Ok(());
        }
        let checks = record_parameter_checks(&self.loaded.mechanism);
        let Some(conditions) = checks.as_ref().and_then(ParameterConditions::new) else { return Ok(()) };
        let mut parameters: Vec<f64> = self.layout.p.iter().map(|slot| slot.value).collect();
        for (name, x) in values {
            let slots = parameters.iter_mut().zip(&self.layout.p);
            slots.filter(|(_, slot)| slot.name == *name).for_each(|(value, _)| *value = *x);
        }
        check_parameters(&conditions.violated_conditions(&parameters))
    }
}

#[pymethods]
impl PyMechanism {
    /// Linearises around a state: the core of `dqdt.Mechanism.linearize`.
    #[pyo3(signature = (trim, independent, *, at = None, inputs = None, parameters = None))]
    fn linearize(
        &self,
        py: Python<'_>,
        trim: Vec<String>,
        independent: Vec<String>,
        at: Option<&Bound<'_, PyAny>>,
        inputs: Option<&Bound<'_, PyAny>>,
        parameters: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PyLinearization> {
        let mut values = Values::default();
        read_start(&self.layout, ("at", at), &mut values)?;
        let texts = read_parameters(&self.layout, parameters, &mut values)?;
        read_constant_inputs(self, inputs, &mut values)?;
        self.check_parameter_values(&values.p)?;
        let request = LinearizeRequest { at: values, trim, independent };
        let content = py.detach(|| match texts.is_empty() {
            true => linearize(&self.loaded, &request),
            false => linearize(&self.source.assemble(&texts, &[])?, &request),
        });
        Ok(PyLinearization { content: content.map_err(linearisation_error)? })
    }
}

/// Inputs at the point of a linearisation: numbers by name, or a vector.
fn read_constant_inputs(
    mechanism: &PyMechanism,
    inputs: Option<&Bound<'_, PyAny>>,
    values: &mut Values,
) -> PyResult<()> {
    let Some(inputs) = inputs else { return Ok(()) };
    let slots = &mechanism.layout.u;
    let Ok(dict) = inputs.cast::<PyDict>() else {
        let u = read_vector(inputs, "inputs", slots.len())?;
        values.u = slots.iter().map(|s| s.name.clone()).zip(u).collect();
        return Ok(());
    };
    for (key, value) in dict.iter() {
        let name: String = key.extract().map_err(|_| error("names of inputs must be texts"))?;
        if slots.iter().all(|s| s.name != name) {
            let known: Vec<&str> = slots.iter().map(|s| &*s.name).collect();
            return Err(unknown_name("input", &name, &known));
        }
        let number = read_number(&value).filter(|x| x.is_finite());
        values.u.push((
            name.clone(),
            number.ok_or_else(|| {
                error(format!("input `{name}` must be a finite number, not {}", describe_value(&value)))
            })?,
        ));
    }
    Ok(())
}
