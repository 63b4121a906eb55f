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
use super::solution::factor_tree_mass_matrix;
use crate::symbols::mechanism_symbols;
use dqdt_algebra::{Number, Scalar};
use dqdt_graph::ir::{Graph, NodeId, SymbolKind, Tracer, count_in_groups, dependency_groups};
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
    pub(super) constraint_rows: Vec<ConstraintRow<Tracer<'g>>>,
    /// Constraint rows that are active at the pose.
    pub(super) selection: Selection<Tracer<'g>>,
    /// Inputs after saturation at their limits.
    pub(super) inputs: Vec<Tracer<'g>>,
    pub(super) kinematics: Kinematics<Tracer<'g>>,
    /// M, c and Q, if the formalism forms a mass matrix.
    implicit_equations: Option<Implicit<Tracer<'g>>>,
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
        let mut symbols = mechanism_symbols(graph, m);
        let inputs = kinematics::saturate_inputs(m, &symbols.as_environment(&number));
        let given_speeds = symbols.v.clone();
        let dependent = elimination::express_dependent_speeds(
            graph,
            m,
            &Environment {
                formulation: formulated,
                partition,
                ..symbols.environment_with_inputs(&number, &inputs)
            },
        );
        let elimination = dependent.map(|(all, e)| {
            symbols.v = all;
            e
        });
        let known = replace_realising_inputs_by_zero(m, &inputs);
        labels::name_parameters(m, &symbols.p);
        let (kinematics, regrouped_kinematics, equations, lengths, rows, regrouped) = {
            let env = Environment {
                formulation: formulated,
                partition,
                ..symbols.environment_with_inputs(&number, &known)
            };
            let kinematics = if formalism.has_mass_matrix() {
                kinematics::kinematics(m, &env)
            } else {
                kinematics::kinematics_without_jacobians(m, &env)
            };
            // Kinematics is labelled first, since a node keeps its first name and kinematic names
            // are the best known.
            labels::label_kinematics(graph, m, &kinematics);
            labels::name_body_quantities(m, &kinematics);
            let regrouped = match inertia {
                InertialParameters::Base => formalism::select_regrouped_joints(m, &kinematics),
                InertialParameters::OfBodies => Vec::new(),
            };
            let env = Environment { regrouped: &regrouped, ..env };
            let base = formalism::regroup_inertias(m, kinematics.clone(), &env);
            let equations =
                formalism.has_mass_matrix().then(|| formalism::implicit_equations(formalism, m, &env));
            let lengths = formalism::squared_line_lengths(m, &kinematics, &env);
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
            constraint_rows: rows,
            inputs,
            kinematics,
            regrouped_kinematics,
            implicit_equations: equations,
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
        let Some(equations) = &self.implicit_equations else { return };
        let stems = self.m.speed_name_stems();
        for (i, row) in equations.mass.iter().enumerate() {
            for (j, x) in row.iter().enumerate().skip(i).filter(|(_, x)| !x.is_zero()) {
                self.label_value(*x, &format!("M_{}_{}", stems[i], stems[j]), &section);
            }
        }
        let section = Arc::from("velocity-dependent inertia terms c");
        for (i, c) in equations.c.iter().enumerate() {
            self.label_value(*c, &format!("coriolis_{}", stems[i]), &section);
        }
        let section = Arc::from("generalised forces Q");
        for (i, q) in equations.force.iter().enumerate() {
            self.label_value(*q, &format!("Q_{}", stems[i]), &section);
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
    pub fn state_symbols(&self) -> Vec<Tracer<'g>> {
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
            ..self.symbols.environment_with_inputs(&*self.number, inputs)
        }
    }

    /// Like [`Derivation::environment`], with all speeds of the state. Derivatives by speeds treat
    /// dependent ones as independent.
    pub(crate) fn tree_environment<'a>(&'a self, inputs: &'a [Tracer<'g>]) -> Environment<'a, Tracer<'g>> {
        Environment { v: &self.given_speeds, ..self.environment(inputs) }
    }

    /// Inputs after saturation.
    pub fn saturated_inputs(&self) -> &[Tracer<'g>] {
        &self.inputs
    }

    /// Rates `q̇` of the coordinates, in terms of the speeds.
    pub fn coordinate_rates(&self) -> &[Tracer<'g>] {
        &self.kinematics.rates
    }

    /// Symbols of the accelerations `v̇`, for functions with that argument.
    pub(crate) fn acceleration_symbols(&self) -> Vec<Tracer<'g>> {
        let entries = self.m.speeds.iter().enumerate();
        entries
            .map(|(i, s)| {
                let symbol = self.graph.symbol(&format!("{}_dot", s.name), SymbolKind::Acceleration(i));
                Tracer::new(self.graph, symbol)
            })
            .collect()
    }

    /// Symbols of the impulses of the inputs, for functions with that argument.
    pub(crate) fn impulse_symbols(&self) -> Vec<Tracer<'g>> {
        let entries = self.m.inputs.iter().enumerate();
        entries
            .map(|(i, u)| {
                let symbol = self.graph.symbol(&format!("{}_impulse", u.name), SymbolKind::Impulse(i));
                Tracer::new(self.graph, symbol)
            })
            .collect()
    }

    /// Symbols of the efforts along the speeds, for functions with that argument.
    pub(crate) fn effort_symbols(&self) -> Vec<Tracer<'g>> {
        let entries = self.m.speeds.iter().enumerate();
        entries
            .map(|(i, v)| {
                let symbol = self.graph.symbol(&format!("{}_effort", v.name), SymbolKind::Effort(i));
                Tracer::new(self.graph, symbol)
            })
            .collect()
    }

    /// Symbols of the costates, one per entry of the state, for functions with that argument.
    pub(crate) fn costate_symbols(&self) -> Vec<Tracer<'g>> {
        let m = self.m;
        let names = m.coordinates.iter().map(|c| &c.name).chain(m.speeds.iter().map(|s| &s.name));
        let entries = names.chain(m.states.iter().map(|s| &s.name)).enumerate();
        entries
            .map(|(i, name)| {
                let symbol = self.graph.symbol(&format!("{name}_costate"), SymbolKind::Costate(i));
                Tracer::new(self.graph, symbol)
            })
            .collect()
    }

    /// Symbols of the contact flags, for functions with that argument.
    pub(crate) fn contact_symbols(&self) -> Vec<Tracer<'g>> {
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
        &self.constraint_rows
    }

    /// Constraint rows that are active at the pose.
    pub(crate) fn active_constraint_rows(&self) -> &[ConstraintRow<Tracer<'g>>] {
        &self.selection.rows
    }

    /// M, c and Q of the tree, formed on demand if the formalism does not form them. The graph
    /// shares repeated recordings.
    pub(crate) fn equations(&self) -> Implicit<Tracer<'g>> {
        self.implicit_equations.clone().unwrap_or_else(|| {
            let known = replace_realising_inputs_by_zero(self.m, &self.inputs);
            formalism::implicit_equations(self.formalism, self.m, &self.environment(&known))
        })
    }

    /// Factors `M = LᵀDL` of a mass matrix of the tree, with entries named for the reader of
    /// emitted code.
    pub(crate) fn factor_mass_matrix(&self, mass: &[Vec<Tracer<'g>>]) -> Factorised<Tracer<'g>> {
        factor_tree_mass_matrix(self.graph, self.m, mass)
    }

    /// True if the formalism solves `M v̇ = Q − c`, with the M, c and Q of [`formalism::implicit`].
    pub(crate) fn solves_with_mass_matrix(&self) -> bool {
        self.formalism.facts().solves == SolvedSystem::Implicit
    }

    /// Accelerations and multipliers by the formalism's own solution. The graph shares repeated
    /// recordings.
    pub(super) fn solve_by_formalism(
        &self,
        env: &Environment<'_, Tracer<'g>>,
    ) -> formalism::Solution<Tracer<'g>> {
        formalism::solve_forward_dynamics(self.formalism, self.m, env)
    }

    /// The formalism's own solution for a tree; `None` with constraints or inputs that realise
    /// constraints.
    pub(crate) fn solve_tree_by_formalism(
        &self,
        env: &Environment<'_, Tracer<'g>>,
    ) -> Option<formalism::Solution<Tracer<'g>>> {
        (self.constraint_rows.is_empty() && self.m.inputs_realising_constraints().is_empty())
            .then(|| self.solve_by_formalism(env))
    }

    /// Result of `find` at the speeds of the state and zero inputs; empty for a mechanism without
    /// constraints.
    pub(crate) fn evaluate_at_state_speeds<T>(
        &self,
        find: impl FnOnce(&Self, &Mechanism, &Environment<'_, Tracer<'g>>) -> Vec<T>,
    ) -> Vec<T> {
        if self.constraint_rows.is_empty() {
            return Vec::new();
        }
        let silent = vec![Tracer::ZERO; self.m.inputs.len()];
        find(self, self.m, &Environment { v: &self.given_speeds, ..self.environment(&silent) })
    }

    /// Graph node of a traced value.
    pub fn node_id(&self, x: Tracer<'g>) -> NodeId {
        x.id(self.graph)
    }

    /// Number of operations per call that the values need together, to compare methods; operations
    /// on parameters alone are excluded.
    pub(crate) fn count_operations(&self, values: impl IntoIterator<Item = Tracer<'g>>) -> u32 {
        let ids: Vec<NodeId> = values.into_iter().map(|x| self.node_id(x)).collect();
        count_in_groups(self.graph, &dependency_groups(self.graph), &ids).call.total()
    }

    /// Graph nodes of several traced values.
    pub fn node_ids(&self, xs: &[Tracer<'g>]) -> Vec<NodeId> {
        xs.iter().map(|x| self.node_id(*x)).collect()
    }

    /// Names a value for the reader of emitted code, under the heading `section`.
    pub(crate) fn label_value(&self, x: Tracer<'g>, name: &str, section: &Arc<str>) {
        self.graph.label(self.node_id(x), name, section);
    }
}

/// Inputs with zeros for those that realise constraints, which are computed later.
fn replace_realising_inputs_by_zero<'g>(m: &Mechanism, inputs: &[Tracer<'g>]) -> Vec<Tracer<'g>> {
    let realising = m.inputs_realising_constraints();
    inputs.iter().enumerate().map(|(i, u)| if realising.contains(&i) { Tracer::ZERO } else { *u }).collect()
}
