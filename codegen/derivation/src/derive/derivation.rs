//! Quantities that the functions of a mechanism share, recorded in a graph before the functions.
//!
//! Problem: symbols, kinematics, constraint rows, and M, c and Q if the formalism forms them, each
//!          recorded once and with readable names.
//! Method:  one evaluation with the tracer. Quantities that only some functions need are methods.

use dqdt_mechanics::mechanism::Formulation;
use std::sync::Arc;

use super::elimination::{self, Elimination};
use super::inertial::InertialParameters;
use super::labels;
use super::solution::tree_factors;
use crate::symbols::symbols;
use dqdt_algebra::{Number, Scalar};
use dqdt_graph::ir::{Graph, NodeId, SymbolKind, Tracer, count_split, groups};
use dqdt_mechanics::formalism::{self, Factorised, Formalism, Implicit, SolvedSystem};
use dqdt_mechanics::kinematics::{self, ConstraintRow, Kinematics, Selection};
use dqdt_mechanics::mechanism::{Environment, Instant, Mechanism, Partition};

/// A mechanism recorded in a graph, from which the functions are derived. Holds the quantities that
/// several functions need.
#[doc(hidden)]
pub struct Derivation<'g, 'm> {
    pub(super) graph: &'g Graph,
    pub(super) m: &'m Mechanism,
    pub(super) partition: &'m Partition,
    /// Symbols of the mechanism. Dependent speeds are expressed by the independent ones.
    pub(super) symbols: Instant<Tracer<'g>>,
    /// Symbols of the speeds in the state argument `x`, including dependent ones.
    pub(super) given_speeds: Vec<Tracer<'g>>,
    /// Elimination of dependent speeds; `None` if no constraint is eliminated.
    pub(super) elimination: Option<Elimination<'g>>,
    /// All constraint rows, active or not.
    pub(super) rows: Vec<ConstraintRow<Tracer<'g>>>,
    /// Constraint rows that are active at the pose.
    pub(super) selection: Selection<Tracer<'g>>,
    /// Inputs after saturation at their limits.
    pub(super) inputs: Vec<Tracer<'g>>,
    pub(super) kinematics: Kinematics<Tracer<'g>>,
    /// M, c and Q, if the formalism forms a mass matrix.
    equations: Option<Implicit<Tracer<'g>>>,
    /// Squared lengths of loads along a line, with the names of the loads; divisors of their
    /// forces.
    pub(super) lengths: Vec<(String, Tracer<'g>)>,
    pub(super) formalism: Formalism,
    /// Kinematics with the regrouped inertias with which M and c are written.
    pub(super) regrouped_kinematics: Kinematics<Tracer<'g>>,
    /// For each joint, true if its body's inertia is regrouped inboard (base parameters).
    regrouped: Vec<bool>,
    pub(super) formulation: &'m Formulation,
    number: Box<dyn Fn(Number) -> Tracer<'g> + 'g>,
}

impl<'g, 'm> Derivation<'g, 'm> {
    /// Records the shared quantities of a mechanism in `graph`.
    pub(super) fn new(
        graph: &'g Graph,
        m: &'m Mechanism,
        partition: &'m Partition,
        formulation: &'m Formulation,
        formalism: Formalism,
        inertia: InertialParameters,
    ) -> Self {
        let formulated = Some(formulation);
        let number = |n: Number| Tracer::number(graph, n);
        let mut symbols = symbols(graph, m);
        let inputs = kinematics::saturate_inputs(m, &symbols.environment(&number));
        let given_speeds = symbols.v.clone();
        let dependent = elimination::dependent_speeds(
            graph,
            m,
            &Environment { formulation: formulated, partition, ..symbols.with_inputs(&number, &inputs) },
        );
        let elimination = dependent.map(|(all, e)| {
            symbols.v = all;
            e
        });
        let known = known_inputs(m, &inputs);
        labels::parameters(m, &symbols.p);
        let (kinematics, regrouped_kinematics, equations, lengths, rows, regrouped) = {
            let env =
                Environment { formulation: formulated, partition, ..symbols.with_inputs(&number, &known) };
            let kinematics = if formalism.has_mass_matrix() {
                kinematics::kinematics(m, &env)
            } else {
                kinematics::motions(m, &env)
            };
            // Kinematics is labelled first, since a node keeps its first name and kinematic names
            // are the best known.
            labels::kinematics(graph, m, &kinematics);
            labels::bodies(m, &kinematics);
            let regrouped = match inertia {
                InertialParameters::Base => formalism::select_regrouped_joints(m, &kinematics),
                InertialParameters::OfBodies => Vec::new(),
            };
            let env = Environment { regrouped: &regrouped, ..env };
            let base = formalism::regroup_inertias(m, kinematics.clone(), &env);
            let equations = formalism.has_mass_matrix().then(|| formalism::implicit(formalism, m, &env));
            let lengths = formalism::line_denominators(m, &kinematics, &env);
            let rows = kinematics::constraint_rows(m, &env);
            (kinematics, base, equations, lengths, rows, regrouped)
        };
        let derivation = Derivation {
            graph,
            m,
            partition,
            symbols,
            given_speeds,
            elimination,
            selection: Selection::new(m, partition, &rows),
            rows,
            inputs,
            kinematics,
            regrouped_kinematics,
            equations,
            lengths,
            formalism,
            regrouped,
            formulation,
            number: Box::new(number),
        };
        derivation.label_equations();
        derivation
    }

    /// Names the entries of M, c and Q for the reader of emitted code.
    fn label_equations(&self) {
        let section = Arc::from("mass matrix; rows and columns: speeds");
        let Some(equations) = &self.equations else { return };
        let stems = self.m.stems_of_speeds();
        for (i, row) in equations.mass.iter().enumerate() {
            for (j, x) in row.iter().enumerate().skip(i).filter(|(_, x)| !x.is_zero()) {
                self.label(*x, &format!("M_{}_{}", stems[i], stems[j]), &section);
            }
        }
        let section = Arc::from("velocity-dependent inertia terms c");
        for (i, c) in equations.c.iter().enumerate() {
            self.label(*c, &format!("coriolis_{}", stems[i]), &section);
        }
        let section = Arc::from("generalised forces Q");
        for (i, q) in equations.force.iter().enumerate() {
            self.label(*q, &format!("Q_{}", stems[i]), &section);
        }
    }

    /// The mechanism whose functions are derived.
    pub fn mechanism(&self) -> &'m Mechanism {
        self.m
    }

    /// Pivots, redundant rows and dependent speeds that assembly chose.
    pub(crate) fn partition(&self) -> &'m Partition {
        self.partition
    }

    /// The formalism that derives the equations.
    pub(crate) fn formalism(&self) -> Formalism {
        self.formalism
    }

    /// The graph in which operations are recorded.
    pub fn graph(&self) -> &'g Graph {
        self.graph
    }

    /// State argument `x`: coordinates, speeds (including dependent ones) and user states.
    pub fn state(&self) -> Vec<Tracer<'g>> {
        [&self.symbols.q[..], &self.given_speeds, &self.symbols.z].concat()
    }

    /// Environment of formulas with the given inputs. Dependent speeds are expressed by the
    /// independent ones.
    pub fn environment<'a>(&'a self, inputs: &'a [Tracer<'g>]) -> Environment<'a, Tracer<'g>> {
        let (regrouped, formulation) = (&self.regrouped[..], Some(self.formulation));
        Environment {
            regrouped,
            formulation,
            partition: self.partition,
            ..self.symbols.with_inputs(&*self.number, inputs)
        }
    }

    /// Like [`Derivation::environment`], with all speeds of the state. Derivatives by speeds treat
    /// dependent ones as independent.
    pub(crate) fn environment_of_tree<'a>(&'a self, inputs: &'a [Tracer<'g>]) -> Environment<'a, Tracer<'g>> {
        Environment { v: &self.given_speeds, ..self.environment(inputs) }
    }

    /// Inputs after saturation.
    pub fn limited_inputs(&self) -> &[Tracer<'g>] {
        &self.inputs
    }

    /// Rates `q̇` of the coordinates, in terms of the speeds.
    pub fn rates(&self) -> &[Tracer<'g>] {
        &self.kinematics.rates
    }

    /// Symbols of the accelerations `v̇`, for functions with that argument.
    pub(crate) fn given_accelerations(&self) -> Vec<Tracer<'g>> {
        let entries = self.m.speeds.iter().enumerate();
        entries
            .map(|(i, s)| {
                let symbol = self.graph.symbol(&format!("{}_dot", s.name), SymbolKind::Acceleration(i));
                Tracer::new(self.graph, symbol)
            })
            .collect()
    }

    /// Symbols of the impulses of the inputs, for functions with that argument.
    pub(crate) fn given_impulses(&self) -> Vec<Tracer<'g>> {
        let entries = self.m.inputs.iter().enumerate();
        entries
            .map(|(i, u)| {
                let symbol = self.graph.symbol(&format!("{}_impulse", u.name), SymbolKind::Impulse(i));
                Tracer::new(self.graph, symbol)
            })
            .collect()
    }

    /// Symbols of the efforts along the speeds, for functions with that argument.
    pub(crate) fn given_efforts(&self) -> Vec<Tracer<'g>> {
        let entries = self.m.speeds.iter().enumerate();
        entries
            .map(|(i, v)| {
                let symbol = self.graph.symbol(&format!("{}_effort", v.name), SymbolKind::Effort(i));
                Tracer::new(self.graph, symbol)
            })
            .collect()
    }

    /// Symbols of the contact flags, for functions with that argument.
    pub(crate) fn given_contacts(&self) -> Vec<Tracer<'g>> {
        let points = self.m.bodies.iter().flat_map(|b| b.points.iter().map(move |p| (b, p)));
        let contacts = points.filter(|(_, p)| p.contact).enumerate();
        contacts
            .map(|(i, (body, point))| {
                let name = format!("{}_{}_on", body.name, point.name);
                Tracer::new(self.graph, self.graph.symbol(&name, SymbolKind::Contact(i)))
            })
            .collect()
    }

    /// All constraint rows, active or not.
    pub(crate) fn rows(&self) -> &[ConstraintRow<Tracer<'g>>] {
        &self.rows
    }

    /// Constraint rows that are active at the pose.
    pub(crate) fn active_rows(&self) -> &[ConstraintRow<Tracer<'g>>] {
        &self.selection.rows
    }

    /// M, c and Q of the tree, formed on demand if the formalism does not form them. The graph
    /// shares repeated recordings.
    pub(crate) fn equations(&self) -> Implicit<Tracer<'g>> {
        self.equations.clone().unwrap_or_else(|| {
            let known = known_inputs(self.m, &self.inputs);
            formalism::implicit(self.formalism, self.m, &self.environment(&known))
        })
    }

    /// Factors `M = LᵀDL` of a mass matrix of the tree, with entries named for the reader of
    /// emitted code.
    pub(crate) fn factored(&self, mass: &[Vec<Tracer<'g>>]) -> Factorised<Tracer<'g>> {
        tree_factors(self.graph, self.m, mass)
    }

    /// True if the formalism solves `M v̇ = Q − c`, with the M, c and Q of [`formalism::implicit`].
    pub(crate) fn solves_with_mass_matrix(&self) -> bool {
        self.formalism.facts().solves == SolvedSystem::Implicit
    }

    /// Accelerations and multipliers by the formalism's own solution. The graph shares repeated
    /// recordings.
    pub(super) fn solved_by_method(
        &self,
        env: &Environment<'_, Tracer<'g>>,
    ) -> formalism::Solution<Tracer<'g>> {
        formalism::solve(self.formalism, self.m, env)
    }

    /// The formalism's own solution for a tree; `None` with constraints or inputs that realise
    /// constraints.
    pub(crate) fn solved_by_form(
        &self,
        env: &Environment<'_, Tracer<'g>>,
    ) -> Option<formalism::Solution<Tracer<'g>>> {
        (self.rows.is_empty() && self.m.realising_inputs().is_empty()).then(|| self.solved_by_method(env))
    }

    /// Result of `find` at the speeds of the state and zero inputs; empty for a mechanism without
    /// constraints.
    pub(crate) fn at_given_speeds<T>(
        &self,
        find: impl FnOnce(&Self, &Mechanism, &Environment<'_, Tracer<'g>>) -> Vec<T>,
    ) -> Vec<T> {
        if self.rows.is_empty() {
            return Vec::new();
        }
        let silent = vec![Tracer::ZERO; self.m.inputs.len()];
        find(self, self.m, &Environment { v: &self.given_speeds, ..self.environment(&silent) })
    }

    /// Graph node of a traced value.
    pub fn id(&self, x: Tracer<'g>) -> NodeId {
        x.id(self.graph)
    }

    /// Number of operations per call that the values need together, to compare methods; operations
    /// on parameters alone are excluded.
    pub(crate) fn operations(&self, values: impl IntoIterator<Item = Tracer<'g>>) -> u32 {
        let ids: Vec<NodeId> = values.into_iter().map(|x| self.id(x)).collect();
        count_split(self.graph, &groups(self.graph), &ids).call.total()
    }

    /// Graph nodes of several traced values.
    pub fn ids(&self, xs: &[Tracer<'g>]) -> Vec<NodeId> {
        xs.iter().map(|x| self.id(*x)).collect()
    }

    /// Names a value for the reader of emitted code, under the heading `section`.
    pub(crate) fn label(&self, x: Tracer<'g>, name: &str, section: &Arc<str>) {
        self.graph.label(self.id(x), name, section);
    }
}

/// Inputs with zeros for those that realise constraints, which are computed later.
fn known_inputs<'g>(m: &Mechanism, inputs: &[Tracer<'g>]) -> Vec<Tracer<'g>> {
    let realising = m.realising_inputs();
    inputs.iter().enumerate().map(|(i, u)| if realising.contains(&i) { Tracer::ZERO } else { *u }).collect()
}
