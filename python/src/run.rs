//! The class `Run`: a simulated motion with its signals.

use std::sync::Arc;

use dqdt::integrate::Rest;
use dqdt_codegen::pipeline::Assembled;
use dqdt_codegen::simulate::Signals;
use dqdt_document::report::Math;
use dqdt_graph::ir::Layout;
use dqdt_motion::simulate::{Curve, motion_curves};
use dqdt_view::animation::{Signal, animation};
use dqdt_view::figure::{Panel, Plot, Series, plot};
use dqdt_view::scene;
use numpy::{PyArray1, PyArray2};
use pyo3::prelude::*;

use crate::arrays::{matrix, vector};
use crate::errors::{error, unknown_name};

/// A simulated motion: the core of `dqdt.Run`.
#[pyclass(frozen, module = "dqdt", name = "Run")]
pub struct PyRun {
    pub loaded: Arc<Assembled>,
    pub layout: Layout,
    pub parameters: Vec<f64>,
    pub times: Vec<f64>,
    pub states: Vec<Vec<f64>>,
    pub work: Vec<f64>,
    pub events: Vec<(String, f64)>,
    pub rests: Vec<(String, Rest)>,
    /// Text of a note on values of the start that the constraints moved.
    pub start_note: Option<String>,
    pub ended: bool,
    pub stopped: Option<String>,
    pub evaluations: usize,
    pub steps: usize,
    pub signals: Signals,
}

/// Maximum number of curves below an animation.
const MAX_ANIMATION_CURVES: usize = 12;

impl PyRun {
    /// All quantities along the motion: state, signals, energies.
    fn curves(&self) -> Vec<Curve> {
        motion_curves(&self.layout, (&self.states, &self.work), &self.signals)
    }

    /// The curves of these names, in their order.
    fn named_curves(&self, names: &[String]) -> PyResult<Vec<Curve>> {
        let mut all: Vec<Option<Curve>> = self.curves().into_iter().map(Some).collect();
        let known: Vec<String> = all.iter().flatten().map(|c| c.name.clone()).collect();
        let mut curves = Vec::new();
        for name in names {
            let i = known.iter().position(|n| n == name);
            let i = i.ok_or_else(|| {
                let parts: Vec<&str> =
                    known.iter().filter(|n| n.starts_with(&format!("{name}_"))).map(String::as_str).collect();
                match parts.is_empty() {
                    true => {
                        unknown_name("signal", name, &known.iter().map(String::as_str).collect::<Vec<_>>())
                    }
                    false => error(format!("`{name}` has several components: {}", parts.join(", "))),
                }
            })?;
            let curve = all[i].take();
            curves.push(curve.ok_or_else(|| error(format!("signal `{name}` is named twice")))?);
        }
        Ok(curves)
    }
}

#[pymethods]
impl PyRun {
    /// Times of the rows \[s\].
    #[getter]
    fn t<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        vector(py, self.times.clone())
    }

    /// States `[q, v, z]`, one row for each time.
    #[getter]
    fn x<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let l = &self.layout;
        matrix(py, &self.states, l.q.len() + l.v.len() + l.z.len())
    }

    /// Name and time of each event.
    #[getter]
    fn events(&self) -> Vec<(String, f64)> {
        self.events.clone()
    }

    /// Name of each stop on which the motion rests, and the times from and until which.
    #[getter]
    fn rests(&self) -> Vec<(String, f64, Option<f64>)> {
        self.rests.iter().map(|(name, r)| (name.clone(), r.from, r.until)).collect()
    }

    /// True if an event of type `end` ended the motion.
    #[getter]
    fn ended(&self) -> bool {
        self.ended
    }

    /// Text of a note on values of the start that the constraints moved; `None` without any.
    #[getter]
    fn start_note(&self) -> Option<&str> {
        self.start_note.as_deref()
    }

    /// Reason why the motion stopped before its end time; `None` if it did not.
    #[getter]
    fn stopped(&self) -> Option<&str> {
        self.stopped.as_deref()
    }

    /// Number of evaluations of the equations.
    #[getter]
    fn evaluations(&self) -> usize {
        self.evaluations
    }

    /// Number of coordinates.
    #[getter]
    fn coordinates(&self) -> usize {
        self.layout.q.len()
    }

    /// Number of steps, including rejected ones.
    #[getter]
    fn steps(&self) -> usize {
        self.steps
    }

    /// Values of the parameters, in the order of the spec.
    #[getter]
    fn parameters<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        vector(py, self.parameters.clone())
    }

    /// Name and unit of each signal.
    #[getter]
    fn signals(&self) -> Vec<(String, String)> {
        self.curves().into_iter().map(|c| (c.name, c.unit)).collect()
    }

    /// Values of a signal at the times of the rows.
    fn signal<'py>(&self, py: Python<'py>, name: String) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let curve = self.named_curves(&[name])?.into_iter().next();
        Ok(vector(py, curve.map(|c| c.values).unwrap_or_default()))
    }

    /// Plot of these signals as SVG; of coordinates, speeds and energies by default.
    #[pyo3(signature = (names = None, title = None))]
    fn svg(&self, names: Option<Vec<String>>, title: Option<String>) -> PyResult<String> {
        let name = &self.loaded.mechanism.name;
        let title = title.unwrap_or_else(|| name.clone());
        let Some(names) = names else {
            let figure =
                scene::motion_plot(&title, &self.layout, &self.times, &self.states, &self.signals.energy);
            return Ok(plot(&figure));
        };
        let mut panels: Vec<Panel> = Vec::new();
        for curve in self.named_curves(&names)? {
            let unit = if curve.unit == "1" { String::new() } else { curve.unit };
            let series = Series { name: Math::identifier(&curve.name).text(), values: curve.values };
            match panels.iter_mut().find(|p| p.unit == unit && p.label == curve.kind) {
                Some(panel) => panel.series.push(series),
                None => panels.push(Panel { label: curve.kind.to_owned(), unit, series: vec![series] }),
            }
        }
        let x = self.times.clone();
        Ok(plot(&Plot { title, x_label: "t".to_owned(), x_unit: "s".to_owned(), x, panels }))
    }

    /// Animation as one HTML page, with these signals below the picture; coordinates by default.
    #[pyo3(signature = (names = None))]
    fn animation(&self, names: Option<Vec<String>>) -> PyResult<String> {
        let names = names.unwrap_or_else(|| self.layout.q.iter().map(|s| s.name.clone()).collect());
        let (m, p) = (&self.loaded.mechanism, &self.parameters);
        let mut page = scene::motion_animation(m, &self.layout, p, &self.times, &self.states);
        let end = self.times.last().copied().unwrap_or(0.0);
        page.rests =
            self.rests.iter().map(|(name, r)| (name.clone(), [r.from, r.until.unwrap_or(end)])).collect();
        let rows = scene::frame_rows(self.times.len());
        let curves = self.named_curves(&names)?.into_iter().take(MAX_ANIMATION_CURVES);
        page.signals = curves
            .map(|c| Signal {
                name: Math::identifier(&c.name).text(),
                unit: c.unit,
                values: rows.iter().map(|k| c.values[*k]).collect(),
            })
            .collect();
        Ok(animation(&page))
    }
}
