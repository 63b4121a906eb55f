//! Derivation: a mechanism and a formalism become a program.
//!
//! Problem: the mechanics is generic over a scalar; run over the tracer it leaves a graph. This file chooses what to
//!          record, names it for the reader of the emitted code, and solves `M v̇ = Q − c` in the graph.
//! Method:  one evaluation of the formalism over the tracer; functions share its nodes. Of the files below, `layout` says
//!          what the vectors hold, `solution` finds the accelerations, `checks` says what was divided by, `constrained` and `program_inputs` add what
//!          constraints ask for, `functions` is what derivations of functions ask for and adds their checks, `definition` is what they are, `events` and
//!          `labels` do as they are called.
//! Nothing of `ir` sees equations; this folder does.

mod checks;
mod constrained;
mod definition;
mod events;
mod functions;
mod joint;
mod labels;
mod layout;
mod program_inputs;
mod requirements;
pub mod size;
mod solution;
mod vocabulary;

use solution::Solution;

pub use definition::{Definition, Derive};
pub use events::event_unit;
pub use joint::{JointError, joint};
pub use layout::{layout, start};
pub use program_inputs::force_column;

use std::sync::Arc;

use crate::algebra::{Number, Scalar};
use crate::formalism::{self, Formalism, Implicit, Pivot};
use crate::ir::declaration::Vector;
use crate::ir::{Graph, Layout, Program, Tracer, learn_names};
use crate::kinematics::{self, ConstraintRow, Kinematics, Selection};
use crate::mechanism::Mechanism;
use crate::symbols::Symbols;

/// What to derive.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Request {
    /// Which formalism derives the equations.
    pub formalism: Formalism,
    /// Functions wanted, in the order in which they are derived and emitted.
    pub functions: Vec<&'static Definition>,
}

/// Where a spec came from: file name without folders, and SHA-256 of its text.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Origin {
    /// File name without folders; empty if there is no file.
    pub file: String,
    /// SHA-256 of the text, hexadecimal.
    pub hash: String,
}

/// Derives the equations over a graph and wraps the functions asked for. Passes come after.
pub fn derive(m: &Mechanism, request: &Request, origin: &Origin) -> Program {
    let graph = Graph::with_normal_forms();
    let asked = request.functions.iter().any(|f| f.takes(Vector::IndependentAccelerations));
    let independent_speeds =
        if asked { formalism::independent_speeds(m).unwrap_or_default() } else { Vec::new() };
    let functions = {
        let mut derivation = Derivation::new(&graph, m, request.formalism);
        let functions = request.functions.iter().filter_map(|f| derivation.function(f)).collect();
        labels::notes(m, &derivation.kinematics);
        derivation.record_vocabulary();
        learn_names(&graph);
        functions
    };
    Program {
        name: m.name.clone(),
        description: m.description.clone(),
        spec: origin.file.clone(),
        spec_hash: origin.hash.clone(),
        formalism: request.formalism.name().to_owned(),
        layout: Layout { independent_speeds, ..layout(m) },
        graph,
        functions,
        parameter_checks: requirements::parameter_checks(m).map(Arc::new),
    }
}

/// A mechanism on its way into a graph, as derivations of functions see it: what several of them need is recorded once.
pub struct Derivation<'g, 'm> {
    graph: &'g Graph,
    m: &'m Mechanism,
    /// Dependent speeds are computed from the others.
    symbols: Symbols<'g>,
    /// The speeds of the state.
    given_speeds: Vec<Tracer<'g>>,
    elimination: Option<constrained::Elimination<'g>>,
    /// All rows of constraints.
    rows: Vec<ConstraintRow<Tracer<'g>>>,
    /// Those that take part at the pose.
    selection: Selection<Tracer<'g>>,
    inputs: Vec<Tracer<'g>>,
    /// The inputs with those that the program computes.
    realised: Option<Vec<Tracer<'g>>>,
    kinematics: Kinematics<Tracer<'g>>,
    /// Where the formalism forms a mass matrix; else when one is asked for.
    equations: Option<Implicit<Tracer<'g>>>,
    lengths: Vec<(String, Tracer<'g>)>,
    formalism: Formalism,
    solution: Option<Solution<'g>>,
    /// What the function at hand divides by besides.
    divisors: Vec<Pivot<Tracer<'g>>>,
    number: Box<dyn Fn(Number) -> Tracer<'g> + 'g>,
}

impl<'g, 'm> Derivation<'g, 'm> {
    fn new(graph: &'g Graph, m: &'m Mechanism, formalism: Formalism) -> Self {
        let number = |n: Number| Tracer::number(graph, n);
        let mut symbols = Symbols::new(graph, m);
        let inputs = kinematics::saturate_inputs(m, &symbols.environment(&number, &symbols.u));
        let given_speeds = symbols.v.clone();
        let found = constrained::dependent_speeds(graph, m, &symbols.environment(&number, &inputs));
        let elimination = found.map(|(all, e)| {
            symbols.v = all;
            e
        });
        let known = program_inputs::known(m, &inputs);
        labels::parameters(m, &symbols.p);
        let (kinematics, equations, lengths, rows) = {
            let env = symbols.environment(&number, &known);
            let kinematics = if formalism.has_mass_matrix() {
                kinematics::kinematics(m, &env)
            } else {
                kinematics::motions(m, &env)
            };
            // Names first: a node keeps the first name that it gets, and kinematics is what people know.
            labels::kinematics(graph, m, &kinematics);
            labels::bodies(m, &kinematics);
            let equations = formalism.has_mass_matrix().then(|| formalism::implicit(formalism, m, &env));
            let lengths = formalism::line_denominators(m, &kinematics, &env);
            (kinematics, equations, lengths, kinematics::constraint_rows(m, &env))
        };
        let derivation = Derivation {
            graph,
            m,
            symbols,
            given_speeds,
            elimination,
            selection: Selection::new(m, &rows),
            rows,
            inputs,
            realised: None,
            kinematics,
            equations,
            lengths,
            formalism,
            solution: None,
            divisors: Vec::new(),
            number: Box::new(number),
        };
        derivation.label_equations();
        derivation
    }

    /// Names what passes are likely to form: once everything is recorded.
    fn record_vocabulary(&self) {
        let silent = vec![Tracer::ZERO; self.m.inputs.len()];
        vocabulary::record(&vocabulary::Recorded {
            m: self.m,
            formalism: self.formalism,
            kinematics: &self.kinematics,
            rows: &self.rows,
            env: &self.environment(&silent),
            given: &self.given_accelerations(),
            found: self.solution.as_ref().map(|s| &s.x[..]),
        });
    }

    fn label_equations(&self) {
        let section = Arc::from("mass matrix, by speeds");
        let Some(equations) = &self.equations else { return };
        for (i, row) in equations.mass.iter().enumerate() {
            for (j, x) in row.iter().enumerate().skip(i) {
                self.label(
                    *x,
                    &format!("M_{}_{}", self.m.stem_of_speed(i), self.m.stem_of_speed(j)),
                    &section,
                );
            }
        }
        let section = Arc::from("velocity-dependent inertia terms c");
        for (i, c) in equations.c.iter().enumerate() {
            self.label(*c, &format!("coriolis_{}", self.m.stem_of_speed(i)), &section);
        }
        let section = Arc::from("generalised forces Q");
        for (i, q) in equations.force.iter().enumerate() {
            self.label(*q, &format!("Q_{}", self.m.stem_of_speed(i)), &section);
        }
    }
}
