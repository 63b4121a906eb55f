//! From names of functions to compiled functions.

use std::sync::Mutex;

use dqdt_codegen::error::Errors;
use dqdt_codegen::functions::Definition;
use dqdt_codegen::pipeline::{self, FormalismChoice};
use dqdt_graph::ir::ParameterConditions;
use dqdt_native::NativeError;
use pyo3::prelude::*;

use crate::errors::{error, spec_error};
use crate::function::{AnyKernel, PyFunction};
use crate::kernel::Kernel;
use crate::mechanism::PyMechanism;
use crate::signature::{ArgumentSlot, OutputSlot, output_slots};

/// A compiled function without its Python class of results.
pub struct CompiledParts {
    definition: &'static Definition,
    arguments: Vec<ArgumentSlot>,
    outputs: Vec<OutputSlot>,
    parameters: Vec<String>,
    conditions: Option<ParameterConditions>,
    /// `None` if the mechanism has nothing for the function to compute.
    kernel: Option<AnyKernel>,
}

impl PyMechanism {
    /// Derives and compiles functions.
    ///
    /// # Errors
    /// If a function is not defined for the mechanism, or cannot be compiled.
    pub fn compile_functions(
        &self,
        definitions: &[&'static Definition],
        choice: Option<FormalismChoice>,
        (search, is_single): (bool, bool),
    ) -> Result<Vec<CompiledParts>, CompileError> {
        pipeline::check_functions(&self.loaded, definitions)?;
        let program = if search {
            let default = if is_single { FormalismChoice::ForSingles } else { FormalismChoice::default() };
            pipeline::derive(&self.loaded, choice.unwrap_or(default), definitions)?.program
        } else {
            let choice = choice.unwrap_or(FormalismChoice::Quick);
            let formalism = pipeline::choose(&self.loaded, choice, definitions)?;
            pipeline::program_to_run(&self.loaded, formalism, definitions)?
        };
        let parameters: Vec<String> = program.layout.p.iter().map(|s| s.name.clone()).collect();
        let conditions =
            program.parameter_checks.as_ref().and_then(|checks| ParameterConditions::new(checks));
        let mut all = Vec::new();
        for definition in definitions.iter().copied() {
            let f = program.function(definition).filter(|f| !f.outputs.is_empty());
            let kernel = match f {
                None => None,
                Some(f) if is_single => {
                    Some(AnyKernel::Single(Kernel::compile(&program, f)?, Mutex::default()))
                }
                Some(f) => Some(AnyKernel::Double(Kernel::compile(&program, f)?, Mutex::default())),
            };
            let arguments = definition.arguments.iter().map(|a| ArgumentSlot::new(a, &program.layout));
            all.push(CompiledParts {
                definition,
                arguments: arguments.collect(),
                outputs: f.map(output_slots).unwrap_or_default(),
                parameters: parameters.clone(),
                conditions: conditions.clone(),
                kernel,
            });
        }
        Ok(all)
    }
}

impl CompiledParts {
    /// The function as a Python object.
    ///
    /// # Errors
    /// If the mechanism has nothing for it to compute.
    pub fn into_function(self, mechanism: &str, result_type: &Bound<'_, PyAny>) -> PyResult<PyFunction> {
        let CompiledParts { definition, arguments, outputs, parameters, conditions, kernel } = self;
        let Some(kernel) = kernel else {
            return Err(error(format!("`{mechanism}` has nothing for `{}` to compute", definition.name)));
        };
        let fields: Vec<&str> = outputs.iter().map(|o| o.name.as_str()).collect();
        let class = (fields.len() > 1).then(|| result_type.call1((definition.name, fields)));
        Ok(PyFunction {
            name: definition.name,
            doc: definition.summary_of_result(mechanism),
            arguments,
            sizes: outputs.iter().map(|o| o.shape.iter().product()).collect(),
            kernel,
            result_type: class.transpose()?.map(Bound::unbind),
            outputs,
            parameters,
            conditions,
        })
    }
}

/// Reason why functions cannot be compiled.
pub enum CompileError {
    Spec(Errors),
    Native(NativeError),
}

impl From<Errors> for CompileError {
    fn from(e: Errors) -> Self {
        CompileError::Spec(e)
    }
}

impl From<NativeError> for CompileError {
    fn from(e: NativeError) -> Self {
        CompileError::Native(e)
    }
}

impl From<CompileError> for PyErr {
    fn from(e: CompileError) -> PyErr {
        match e {
            CompileError::Spec(errors) => spec_error(&errors),
            CompileError::Native(e) => error(e.to_string()),
        }
    }
}
