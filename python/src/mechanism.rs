//! The class `Mechanism`: a description with its layout, and everything that is derived from it.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use dqdt_codegen::error::Errors;
use dqdt_codegen::functions::{self, Definition};
use dqdt_codegen::pipeline::{self, Assembled, FormalismChoice};
use dqdt_derivation::derive::{size, vector_layout};
use dqdt_diagnostics::base::map_parallel_in_order;
use dqdt_equations::inspect::{self, Form, Part, View};
use dqdt_equations::prove;
use dqdt_generate::inertia;
use dqdt_graph::ir::{Layout, Slot};
use dqdt_mechanics::formalism::Formalism;
use dqdt_native::NativeError;
use dqdt_print::target::{TargetError, TargetOptions};
use dqdt_view::{figure, scene};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString};

use crate::arrays::{read_number, type_name};
use crate::errors::{diagnostics_as_list, error, spec_error, unknown_name};
use crate::function::{AnyKernel, PyFunction};
use crate::kernel::Kernel;
use crate::report::PyReport;
use crate::signature::{ArgumentSlot, OutputSlot, output_slots};
use crate::source::{MechanismSource, Setting};

/// Description of a mechanism, assembled: the core of `dqdt.Mechanism`.
#[pyclass(frozen, module = "dqdt", name = "Mechanism")]
pub struct PyMechanism {
    pub source: MechanismSource,
    pub loaded: Arc<Assembled>,
    pub layout: Layout,
}

/// Reads a dictionary of parameters or inputs: numbers in SI units, or texts as in a spec.
///
/// # Errors
/// If a name is no text, or a value neither a finite number nor a text.
pub fn read_settings(dict: &Bound<'_, PyDict>, what: &str) -> PyResult<Vec<(String, Setting)>> {
    let entry = |(key, value): (Bound<'_, PyAny>, Bound<'_, PyAny>)| {
        let Ok(name) = key.extract::<String>() else {
            return Err(error(format!("names of {what}s must be texts, not {}", type_name(&key))));
        };
        if let Ok(text) = value.cast::<PyString>() {
            return Ok((name, Setting::Text(text.to_cow()?.into_owned())));
        }
        match read_number(&value).filter(|x| x.is_finite()) {
            Some(x) => Ok((name, Setting::Number(x))),
            None => {
                let got = value.repr().map_or_else(|_| type_name(&value), |r| r.to_string());
                Err(error(format!(
                    "{what} `{name}` must be a finite number, or a text as in a spec, not {got}"
                )))
            }
        }
    };
    dict.iter().map(entry).collect()
}

/// The formalism of this name.
///
/// # Errors
/// If there is none.
pub fn read_formalism(name: Option<&str>) -> PyResult<Option<FormalismChoice>> {
    let Some(name) = name else { return Ok(None) };
    let known: Vec<&str> = FormalismChoice::named().map(|c| c.name()).collect();
    name.parse().map(Some).map_err(|_| unknown_name("formalism", name, &known))
}

/// The functions of these names; `a+b` is a joint call.
fn read_functions(names: &[String]) -> PyResult<Vec<&'static Definition>> {
    let known: Vec<&str> = functions::ALL.iter().map(|f| f.name).collect();
    let one = |name: &str| functions::by_name(name).ok_or_else(|| unknown_name("function", name, &known));
    let definition = |name: &String| match name.contains('+') {
        false => one(name.trim()),
        true => {
            let parts = name.split('+').map(|part| one(part.trim())).collect::<PyResult<Vec<_>>>()?;
            functions::joint(&parts).map_err(|e| error(e.to_string()))
        }
    };
    names.iter().map(definition).collect()
}

fn read_form(name: &str) -> PyResult<Form> {
    let all = [
        ("scalar", Form::Scalar),
        ("constrained", Form::Constrained),
        ("implicit", Form::Implicit),
        ("robot", Form::Robot),
        ("recursive", Form::Recursive),
    ];
    let form = all.iter().find(|(n, _)| *n == name).map(|(_, form)| *form);
    form.ok_or_else(|| unknown_name("form", name, &all.map(|(n, _)| n)))
}

fn read_part(name: &str) -> PyResult<Part> {
    let all = [
        ("summary", Part::Summary),
        ("equations", Part::Equations),
        ("constraints", Part::Constraints),
        ("definitions", Part::Definitions),
        ("state", Part::State),
        ("bodies", Part::Bodies),
        ("loads", Part::Loads),
        ("parameters", Part::Parameters),
        ("energy", Part::Energy),
        ("kinematics", Part::Kinematics),
        ("topology", Part::Topology),
        ("structure", Part::Structure),
        ("costs", Part::Costs),
        ("sources", Part::Sources),
    ];
    let part = all.iter().find(|(n, _)| *n == name).map(|(_, part)| *part);
    part.ok_or_else(|| unknown_name("section", name, &all.map(|(n, _)| n)))
}

/// A compiled function without its Python class of results.
struct CompiledParts {
    definition: &'static Definition,
    arguments: Vec<ArgumentSlot>,
    outputs: Vec<OutputSlot>,
    parameters: Vec<String>,
    /// `None` if the mechanism has nothing for the function to compute.
    kernel: Option<AnyKernel>,
}

impl PyMechanism {
    /// Derives and compiles functions.
    fn compile_functions(
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
        let compile = |definition: &&'static Definition| {
            let f = program.function(definition).filter(|f| !f.outputs.is_empty());
            let kernel = match f {
                None => None,
                Some(f) if is_single => {
                    Some(AnyKernel::Single(Kernel::compile(&program, f)?, Mutex::default()))
                }
                Some(f) => Some(AnyKernel::Double(Kernel::compile(&program, f)?, Mutex::default())),
            };
            let arguments = definition.arguments.iter().map(|a| ArgumentSlot::new(a, &program.layout));
            Ok(CompiledParts {
                definition,
                arguments: arguments.collect(),
                outputs: f.map(output_slots).unwrap_or_default(),
                parameters: parameters.clone(),
                kernel,
            })
        };
        definitions.iter().map(compile).collect()
    }
}

/// Reason why functions cannot be compiled.
enum CompileError {
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

#[pymethods]
impl PyMechanism {
    /// Reads a mechanism: from `path`, or from `text`; with both, `path` only names the text.
    #[new]
    #[pyo3(signature = (*, path = None, text = None, folder = None, base = None, loops = None, sizes = None,
                        accept = None, parameters = None, inputs = None))]
    #[allow(clippy::too_many_arguments)]
    fn new(
        py: Python<'_>,
        path: Option<String>,
        text: Option<String>,
        folder: Option<PathBuf>,
        base: Option<&str>,
        loops: Option<(String, String)>,
        sizes: Option<Vec<(String, i64)>>,
        accept: Option<Vec<String>>,
        parameters: Option<&Bound<'_, PyDict>>,
        inputs: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let free_base = match base {
            None => None,
            Some("free") => Some(true),
            Some("fixed") => Some(false),
            Some(other) => return Err(error(format!("`base` must be \"fixed\" or \"free\", not {other:?}"))),
        };
        let reads_file = text.is_none();
        let mut source = MechanismSource {
            text: text.unwrap_or_default(),
            path,
            folder: folder.unwrap_or_default(),
            loops,
            free_base,
            sizes: sizes.unwrap_or_default(),
            accept: accept.unwrap_or_default(),
            parameters: parameters.map(|p| read_settings(p, "parameter")).transpose()?.unwrap_or_default(),
            inputs: inputs.map(|u| read_settings(u, "input")).transpose()?.unwrap_or_default(),
        };
        if reads_file {
            source.read_file().map_err(|e| spec_error(&e))?;
        }
        if (source.free_base.is_some() || source.loops.is_some()) && !source.is_urdf() {
            return Err(error("`base` and `loops` apply to a URDF only"));
        }
        let loaded = py.detach(|| source.assemble(&[], &[])).map_err(|e| spec_error(&e))?;
        let layout = vector_layout(&loaded.mechanism);
        Ok(PyMechanism { source, loaded: Arc::new(loaded), layout })
    }

    /// Text of the source.
    #[getter]
    fn text(&self) -> &str {
        &self.source.text
    }

    #[getter]
    fn name(&self) -> &str {
        &self.loaded.mechanism.name
    }

    #[getter]
    fn description(&self) -> &str {
        &self.loaded.mechanism.description
    }

    /// Entries of the coordinates `q`, speeds `v`, user states `z`, inputs `u` or parameters `p`:
    /// name, unit, description and value of each.
    fn slots(&self, group: &str) -> PyResult<Vec<(String, String, String, f64)>> {
        let l = &self.layout;
        let slots: &[Slot] = match group {
            "q" => &l.q,
            "v" => &l.v,
            "z" => &l.z,
            "u" => &l.u,
            "p" => &l.p,
            other => return Err(unknown_name("group", other, &["q", "v", "z", "u", "p"])),
        };
        Ok(slots.iter().map(|s| (s.name.clone(), s.unit.clone(), s.description.clone(), s.value)).collect())
    }

    /// Names of the outputs.
    #[getter]
    fn outputs(&self) -> Vec<String> {
        self.loaded.mechanism.outputs.iter().map(|o| o.name.clone()).collect()
    }

    /// Names of the events.
    #[getter]
    fn events(&self) -> Vec<String> {
        self.loaded.mechanism.events.iter().map(|e| e.name.clone()).collect()
    }

    /// Indices in `q` of the first components of the quaternions.
    #[getter]
    fn quaternions(&self) -> Vec<usize> {
        self.layout.quaternions.clone()
    }

    /// Warnings and notes of the spec, as dictionaries.
    #[getter]
    fn warnings<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        diagnostics_as_list(py, &self.loaded.warnings)
    }

    /// Text of the warnings and notes, as in a terminal.
    #[getter]
    fn rendered_warnings(&self) -> String {
        match self.loaded.warnings.diagnostics.is_empty() {
            true => String::new(),
            false => self.loaded.warnings.render(false),
        }
    }

    /// Report with these forms and sections; empty lists select the defaults.
    #[pyo3(signature = (forms, sections, formalism = None))]
    fn inspect(
        &self,
        py: Python<'_>,
        forms: Vec<String>,
        sections: Vec<String>,
        formalism: Option<&str>,
    ) -> PyResult<PyReport> {
        let view = View {
            forms: forms.iter().map(|f| read_form(f)).collect::<PyResult<_>>()?,
            parts: sections.iter().map(|s| read_part(s)).collect::<PyResult<_>>()?,
        };
        let named = read_formalism(formalism)?;
        let loaded = &*self.loaded;
        let content = py.detach(|| {
            let emitted = view.forms == [Form::Recursive];
            let kane = !emitted && inertia::supports_massless_tree(&loaded.partition, Formalism::Kane);
            let choice = named.or_else(|| kane.then_some(FormalismChoice::Given(Formalism::Kane)));
            let (defined, _) = inertia::split_defined_functions(loaded, &functions::defaults());
            let formalism = pipeline::choose(loaded, choice.unwrap_or_default(), &defined)?;
            let sketch = figure::sketch(&scene::start_scene(&loaded.mechanism));
            let mut closed = inspect::closed_forms(&loaded.mechanism);
            Ok(inspect::report(loaded, formalism, &mut closed, Some(sketch), &view))
        });
        Ok(PyReport { content: content.map_err(|e| spec_error(&e))? })
    }

    /// Report of the base inertial parameters.
    fn base_parameters(&self, py: Python<'_>) -> PyResult<PyReport> {
        let loaded = &*self.loaded;
        let content = py.detach(|| {
            size::check_base_parameters(&loaded.mechanism)?;
            Ok(inspect::base_parameters_report(loaded))
        });
        Ok(PyReport { content: content.map_err(|e| spec_error(&e))? })
    }

    /// Drawing of the start pose, as SVG.
    fn sketch(&self) -> String {
        figure::sketch(&scene::start_scene(&self.loaded.mechanism))
    }

    /// Decided claims about the equations: title, status, and the entries that are not proved.
    fn prove(&self, py: Python<'_>) -> PyResult<Vec<(String, String, Vec<String>)>> {
        let loaded = &*self.loaded;
        let decide = || -> Result<Vec<prove::Decision>, String> {
            pipeline::check_functions(loaded, &[functions::DQDT]).map_err(|e| e.to_string())?;
            size::check_formalism_sizes(&loaded.mechanism, &Formalism::ALL).map_err(|e| e.to_string())?;
            let mut claims = prove::mechanism_claims(loaded).map_err(|e| e.to_string())?;
            claims.extend(prove::printed_forms_claims(loaded).map_err(|e| e.to_string())?.claims);
            let mut all = Vec::new();
            map_parallel_in_order(claims, prove::decide_claim, |decision| {
                all.push(decision.map_err(|e| e.to_string())?);
                Ok::<_, String>(())
            })?;
            Ok(all)
        };
        let decisions = py.detach(decide).map_err(error)?;
        let claim = |d: &prove::Decision| {
            let open = d.entries.iter().zip(&d.verdicts);
            let open = open.filter(|(_, v)| v.status().status_word() != "proved");
            let names = open.map(|(entry, v)| format!("{entry}: {}", v.status().status_word())).collect();
            (d.title.clone(), d.status().status_word().to_lowercase(), names)
        };
        Ok(decisions.iter().map(claim).collect())
    }

    /// Emitted code: file names (empty for a single text) and texts.
    #[pyo3(signature = (language, functions = None, formalism = None, options = None))]
    fn emit(
        &self,
        py: Python<'_>,
        language: &str,
        functions: Option<Vec<String>>,
        formalism: Option<&str>,
        options: Option<Vec<(String, String)>>,
    ) -> PyResult<Vec<(String, String)>> {
        let known: Vec<&str> = dqdt_targets::TARGETS.iter().map(|t| t.name).collect();
        let target = dqdt_targets::target_by_name(language);
        let target = target.ok_or_else(|| unknown_name("language", language, &known))?;
        let failed = |e: TargetError| match e {
            TargetError::Option { name, message } => error(format!("option `{name}`: {message}")),
            TargetError::Internal(errors) => spec_error(&errors),
        };
        let options = options.unwrap_or_default();
        let words = options.iter().map(|(name, word)| (name.as_str(), word.as_str()));
        let target_options = TargetOptions::new(target, words).map_err(failed)?;
        let named = functions.map(|names| read_functions(&names)).transpose()?;
        let is_single = options.iter().any(|(n, w)| target.singles == Some((n.as_str(), w.as_str())));
        let default = if is_single { FormalismChoice::ForSingles } else { FormalismChoice::default() };
        let choice = read_formalism(formalism)?.unwrap_or(default);
        let loaded = &*self.loaded;
        let printed = py.detach(|| {
            let definitions = named.map_or_else(|| pipeline::functions_of(loaded), Ok)?;
            pipeline::check_functions(loaded, &definitions)?;
            let program = pipeline::derive(loaded, choice, &definitions)?.program;
            Ok((target.print)(&program, &target_options))
        });
        let printed = printed.map_err(|e| spec_error(&e))?.map_err(failed)?;
        let name = printed.name.unwrap_or_default();
        let file = |ending: &&str| if name.is_empty() { String::new() } else { format!("{name}.{ending}") };
        Ok(target.endings.iter().map(file).zip(printed.texts).collect())
    }

    /// Functions compiled to machine code. `result_type` makes the class of several results from
    /// the name of the function and those of the results.
    #[pyo3(signature = (names, result_type, is_single = false, search = false, formalism = None))]
    fn compile(
        &self,
        py: Python<'_>,
        names: Vec<String>,
        result_type: &Bound<'_, PyAny>,
        is_single: bool,
        search: bool,
        formalism: Option<&str>,
    ) -> PyResult<Vec<PyFunction>> {
        let definitions = read_functions(&names)?;
        let choice = read_formalism(formalism)?;
        let compiled = py.detach(|| self.compile_functions(&definitions, choice, (search, is_single)))?;
        let function = |compiled: CompiledParts| {
            let CompiledParts { definition, arguments, outputs, parameters, kernel } = compiled;
            let mechanism = &self.loaded.mechanism.name;
            let nothing = || error(format!("`{mechanism}` has nothing for `{}` to compute", definition.name));
            let fields: Vec<&str> = outputs.iter().map(|o| o.name.as_str()).collect();
            let named = (fields.len() > 1).then(|| result_type.call1((definition.name, fields)));
            Ok(PyFunction {
                name: definition.name,
                doc: definition.summary_of_result(mechanism),
                arguments,
                sizes: outputs.iter().map(|o| o.shape.iter().product()).collect(),
                kernel: kernel.ok_or_else(nothing)?,
                result_type: named.transpose()?.map(Bound::unbind),
                outputs,
                parameters,
            })
        };
        compiled.into_iter().map(function).collect()
    }
}
