//! Extension module `dqdt._dqdt`: mechanisms, compiled functions, reports, simulations and
//! linearisations for Python.
//!
//! Problem: Python code needs NumPy arrays, names and exceptions; the generator has slices, layouts
//!          and error types of Rust.
//! Method:  one class per object (`Mechanism`, `Function`, `Report`, …), each a thin layer over the
//!          crate that does the work. Everything is immutable, so objects can be shared by threads.
//!          The package `dqdt` (`python/dqdt`) adds the parts that are simpler in Python: data
//!          frames, plots, and names of results.

mod arrays;
mod compile;
mod errors;
mod evaluation;
mod function;
mod kernel;
mod linearisation;
mod mechanism;
mod one_state;
mod report;
mod run;
mod signature;
mod simulation;
mod source;
mod sweep;
mod words;

use pyo3::prelude::*;

/// Extension module of the package `dqdt`.
#[pymodule]
fn _dqdt(m: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = m.py();
    m.add("__version__", env!("CARGO_PKG_VERSION"))?;
    m.add("Error", py.get_type::<errors::Error>())?;
    m.add("SpecError", py.get_type::<errors::SpecError>())?;
    m.add("Singular", py.get_type::<errors::Singular>())?;
    m.add_class::<mechanism::PyMechanism>()?;
    m.add_class::<function::PyFunction>()?;
    m.add_class::<report::PyReport>()?;
    m.add_class::<run::PyRun>()?;
    m.add_class::<linearisation::PyLinearization>()?;
    m.add_class::<sweep::PySweep>()?;
    m.add_class::<sweep::PySweepPoints>()?;
    m.add_class::<sweep::PyResultFile>()?;
    m.add_function(wrap_pyfunction!(sweep::shard_file_name, m)?)?;
    m.add_function(wrap_pyfunction!(sweep::shard_numbers, m)?)?;
    Ok(())
}
