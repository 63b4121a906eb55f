//! The class `Mechanism`: a description with its layout, and everything that is derived from it.

use std::path::PathBuf;
use std::sync::Arc;

use dqdt_codegen::error::Errors;
use dqdt_codegen::functions;
use dqdt_codegen::identify;
use dqdt_codegen::pipeline::{self, Assembled, FormalismChoice};
use dqdt_derivation::derive::{size, vector_layout};
use dqdt_diagnostics::base::map_parallel_in_order;
use dqdt_equations::inspect::{self, View};
use dqdt_equations::prove;
use dqdt_equations::symbolic::{Status, SymbolicError, Verdict};
use dqdt_graph::ir::{Layout, Slot};
use dqdt_mechanics::formalism::Formalism;
use dqdt_print::target::{TargetError, TargetOptions};
use dqdt_view::{figure, scene};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::errors::{diagnostics_as_list, error, spec_error, unknown_name};
use crate::function::PyFunction;
use crate::report::PyReport;
use crate::source::MechanismSource;
use crate::words::{read_form, read_formalism, read_functions, read_part, read_settings};

/// Description of a mechanism, assembled: the core of `dqdt.Mechanism`.
#[pyclass(frozen, module = "dqdt", name = "Mechanism")]
pub struct PyMechanism {
    pub source: MechanismSource,
    pub loaded: Arc<Assembled>,
    pub layout: Layout,
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
            let sketch = figure::sketch(&scene::start_scene(&loaded.mechanism));
            inspect::standard_report(loaded, named, Some(sketch), &view)
        });
        Ok(PyReport { content: content.map_err(|e| spec_error(&e))? })
    }

    /// Base inertial parameters of the efforts.
    fn base_parameters(&self, py: Python<'_>) -> PyResult<DescribedBaseParameters> {
        let loaded = &*self.loaded;
        let result = py.detach(|| {
            size::check_base_parameters(&loaded.mechanism)?;
            Ok((inspect::base_parameters_report(loaded), identify::base_parameters(loaded)))
        });
        let (content, base) = result.map_err(|e| spec_error(&e))?;
        let combinations = base.parameters.into_iter().map(|p| (p.place, p.combination)).collect();
        Ok((PyReport { content }, base.names, combinations))
    }

    /// Drawing of the start pose, as SVG.
    fn sketch(&self) -> String {
        figure::sketch(&scene::start_scene(&self.loaded.mechanism))
    }

    /// Decided claims about the equations: title, status, and the entries that are not proved.
    fn prove(&self, py: Python<'_>) -> PyResult<Vec<DescribedClaim>> {
        let loaded = &*self.loaded;
        let decisions = py.detach(|| decide_claims(loaded)).map_err(|e| match e {
            DecideError::Text(text) => error(text),
            DecideError::Python(e) => e,
        })?;
        Ok(decisions.iter().map(describe_decision).collect())
    }

    /// Comparison of formulas with the derived ones: each element of the text `formulas`, its
    /// status, and if it is refuted the difference and a point where it is not zero. `name` is that
    /// of the text in messages.
    fn prove_against(&self, py: Python<'_>, name: &str, formulas: String) -> PyResult<Vec<DescribedElement>> {
        let decision = py.detach(|| -> Result<prove::Decision, ProofError> {
            let against = prove::read_formula_file(&self.source.spec()?, name, formulas)?;
            Ok(against.equality_claim(name)?.decide()?)
        });
        let decision = decision.map_err(|e| match e {
            ProofError::Spec(errors) => spec_error(&errors),
            ProofError::Symbolic(e) => error(format!("the symbolic engine: {e}")),
        })?;
        let elements = decision.entries.into_iter().zip(decision.verdicts);
        let elements = elements.map(|(entry, verdict)| {
            let status = verdict.status().status_word().to_lowercase();
            let (difference, point) = match verdict {
                Verdict::Refuted { difference, witness, .. } => (difference, witness),
                _ => Default::default(),
            };
            (entry, status, difference, point.into_iter().map(|a| (a.name, a.value)).collect())
        });
        Ok(elements.collect())
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
        let options = options.unwrap_or_default();
        let words = options.iter().map(|(name, word)| (name.as_str(), word.as_str()));
        let target_options = TargetOptions::new(target, words).map_err(target_error)?;
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
        let printed = printed.map_err(|e| spec_error(&e))?.map_err(target_error)?;
        let name = printed.name.unwrap_or_default();
        let endings = target.endings.iter();
        let files =
            endings.map(|ending| if name.is_empty() { String::new() } else { format!("{name}.{ending}") });
        Ok(files.zip(printed.texts).collect())
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
        compiled
            .into_iter()
            .map(|parts| parts.into_function(&self.loaded.mechanism.name, result_type))
            .collect()
    }
}

/// A decided claim: title, status, and the entries that are not proved.
type DescribedClaim = (String, String, Vec<String>);

/// An element that was compared with a formula: its name, status, the difference, and the point at
/// which it is not zero, as names and exact values.
type DescribedElement = (String, String, String, Vec<(String, String)>);

/// Base inertial parameters: their report, the names of all inertial parameters, and for each base
/// parameter its column of the regressor and the factors of its combination, by column.
type DescribedBaseParameters = (PyReport, Vec<String>, Vec<(usize, Vec<(usize, f64)>)>);

/// Reason why formulas cannot be compared.
enum ProofError {
    Spec(Errors),
    Symbolic(SymbolicError),
}

impl From<Errors> for ProofError {
    fn from(e: Errors) -> Self {
        ProofError::Spec(e)
    }
}

impl From<SymbolicError> for ProofError {
    fn from(e: SymbolicError) -> Self {
        ProofError::Symbolic(e)
    }
}

/// Reason why claims are not decided.
enum DecideError {
    Text(String),
    /// An exception, such as that of Ctrl-C.
    Python(PyErr),
}

impl<E: std::fmt::Display> From<E> for DecideError {
    fn from(e: E) -> Self {
        DecideError::Text(e.to_string())
    }
}

/// Decides all claims about the equations of a mechanism. Ctrl-C ends the work after a claim.
fn decide_claims(loaded: &Assembled) -> Result<Vec<prove::Decision>, DecideError> {
    pipeline::check_functions(loaded, &[functions::DQDT])?;
    size::check_formalism_sizes(&loaded.mechanism, &Formalism::ALL)?;
    let mut claims = prove::mechanism_claims(loaded)?;
    claims.extend(prove::printed_forms_claims(loaded)?.claims);
    let mut all = Vec::new();
    map_parallel_in_order(claims, prove::decide_claim, |decision| {
        all.push(decision?);
        Python::attach(|py| py.check_signals()).map_err(DecideError::Python)
    })?;
    Ok(all)
}

fn describe_decision(d: &prove::Decision) -> DescribedClaim {
    let open = d.entries.iter().zip(&d.verdicts).filter(|(_, v)| v.status() != Status::Proved);
    let names = open.map(|(entry, v)| format!("{entry}: {}", v.status().status_word())).collect();
    (d.title.clone(), d.status().status_word().to_lowercase(), names)
}

/// Exception for a language that prints nothing.
fn target_error(e: TargetError) -> PyErr {
    match e {
        TargetError::Option { name, message } => error(format!("option `{name}`: {message}")),
        TargetError::Internal(errors) => spec_error(&errors),
    }
}
