//! What the functions of a mechanism share, recorded in a graph before any of them.
//!
//! Problem: symbols, kinematics, rows of constraints, and M, c and Q where a formalism forms them: once, and with the names
//!          that people know.
//! Method:  one evaluation over the tracer. What only some functions ask for is a function of this value.

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

/// A mechanism in a graph, as derivations of functions see it: what several of them need is recorded once, before them.
#[doc(hidden)]
pub struct Derivation<'g, 'm> {
    pub(super) graph: &'g Graph,
    pub(super) m: &'m Mechanism,
    pub(super) partition: &'m Partition,
    /// Dependent speeds are computed from the others.
    pub(super) symbols: Instant<Tracer<'g>>,
    /// The speeds of the state.
    pub(super) given_speeds: Vec<Tracer<'g>>,
    pub(super) elimination: Option<Elimination<'g>>,
    /// All rows of constraints.
    pub(super) rows: Vec<ConstraintRow<Tracer<'g>>>,
    /// Those that take part at the pose.
    pub(super) selection: Selection<Tracer<'g>>,
    pub(super) inputs: Vec<Tracer<'g>>,
    pub(super) kinematics: Kinematics<Tracer<'g>>,
    /// Where the formalism forms a mass matrix.
    equations: Option<Implicit<Tracer<'g>>>,
    pub(super) lengths: Vec<(String, Tracer<'g>)>,
    pub(super) formalism: Formalism,
    /// The same motion with the inertias that M and c are written with.
    pub(super) regrouped_kinematics: Kinematics<Tracer<'g>>,
    /// Joints that hand on inertia.
    regrouped: Vec<bool>,
    pub(super) formulation: &'m Formulation,
    number: Box<dyn Fn(Number) -> Tracer<'g> + 'g>,
}

impl<'g, 'm> Derivation<'g, 'm> {
    /// Records what the functions of a mechanism share.
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
        let found = elimination::dependent_speeds(
            graph,
            m,
            &Environment { formulation: formulated, partition, ..symbols.with_inputs(&number, &inputs) },
        );
        let elimination = found.map(|(all, e)| {
            symbols.v = all;
            e
        });
        let known = known(m, &inputs);
        labels::parameters(m, &symbols.p);
        let (kinematics, regrouped_kinematics, equations, lengths, rows, regrouped) = {
            let env =
                Environment { formulation: formulated, partition, ..symbols.with_inputs(&number, &known) };
            let kinematics = if formalism.has_mass_matrix() {
                kinematics::kinematics(m, &env)
            } else {
                kinematics::motions(m, &env)
            };
            // Names first: a node keeps the first name that it gets, and kinematics is what people know.
            labels::kinematics(graph, m, &kinematics);
            labels::bodies(m, &kinematics);
            let regrouped = match inertia {
                InertialParameters::Base => formalism::worth_regrouping(m, &kinematics),
                InertialParameters::OfBodies => Vec::new(),
            };
            let env = Environment { regrouped: &regrouped, ..env };
            let base = formalism::regrouped(m, kinematics.clone(), &env);
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

    fn label_equations(&self) {
        let section = Arc::from("mass matrix, by speeds");
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

    /// The mechanism.
    pub fn mechanism(&self) -> &'m Mechanism {
        self.m
    }

    /// The choices of assembly.
    pub(crate) fn partition(&self) -> &'m Partition {
        self.partition
    }

    /// The form that derives the equations.
    pub(crate) fn formalism(&self) -> Formalism {
        self.formalism
    }

    /// The graph that operations are recorded in.
    pub fn graph(&self) -> &'g Graph {
        self.graph
    }

    /// Coordinates, given speeds and states of the user.
    pub fn state(&self) -> Vec<Tracer<'g>> {
        [&self.symbols.q[..], &self.given_speeds, &self.symbols.z].concat()
    }

    /// Everything that formulas refer to, with these inputs. Dependent speeds are computed from the others.
    pub fn environment<'a>(&'a self, inputs: &'a [Tracer<'g>]) -> Environment<'a, Tracer<'g>> {
        let (regrouped, formulation) = (&self.regrouped[..], Some(self.formulation));
        Environment {
            regrouped,
            formulation,
            partition: self.partition,
            ..self.symbols.with_inputs(&*self.number, inputs)
        }
    }

    /// The same with the speeds of the state, dependent ones too: what is differentiated by speeds treats them as independent.
    pub(crate) fn environment_of_tree<'a>(&'a self, inputs: &'a [Tracer<'g>]) -> Environment<'a, Tracer<'g>> {
        Environment { v: &self.given_speeds, ..self.environment(inputs) }
    }

    /// Inputs within their limits.
    pub fn limited_inputs(&self) -> &[Tracer<'g>] {
        &self.inputs
    }

    /// `q̇`
    pub fn rates(&self) -> &[Tracer<'g>] {
        &self.kinematics.rates
    }

    /// `v̇` as an argument gives it.
    pub(crate) fn given_accelerations(&self) -> Vec<Tracer<'g>> {
        let symbol = |(i, s): (usize, &dqdt_mechanics::mechanism::Speed)| {
            let symbol = self.graph.symbol(&format!("{}_dot", s.name), SymbolKind::Acceleration(i));
            Tracer::new(self.graph, symbol)
        };
        self.m.speeds.iter().enumerate().map(symbol).collect()
    }

    /// Impulses of the inputs, as an argument gives them.
    pub(crate) fn given_impulses(&self) -> Vec<Tracer<'g>> {
        let symbol = |(i, u): (usize, &dqdt_mechanics::mechanism::Input)| {
            let symbol = self.graph.symbol(&format!("{}_impulse", u.name), SymbolKind::Impulse(i));
            Tracer::new(self.graph, symbol)
        };
        self.m.inputs.iter().enumerate().map(symbol).collect()
    }

    /// Efforts along the speeds, as an argument gives them.
    pub(crate) fn given_efforts(&self) -> Vec<Tracer<'g>> {
        let symbol = |(i, v): (usize, &dqdt_mechanics::mechanism::Speed)| {
            let symbol = self.graph.symbol(&format!("{}_effort", v.name), SymbolKind::Effort(i));
            Tracer::new(self.graph, symbol)
        };
        self.m.speeds.iter().enumerate().map(symbol).collect()
    }

    /// Which contacts are on, as an argument says.
    pub(crate) fn given_contacts(&self) -> Vec<Tracer<'g>> {
        let points = self.m.bodies.iter().flat_map(|b| b.points.iter().map(move |p| (b, p)));
        let contacts = points.filter(|(_, p)| p.contact).enumerate();
        let symbol = |(i, (body, point)): (
            usize,
            (&dqdt_mechanics::mechanism::Body, &dqdt_mechanics::mechanism::Point),
        )| {
            let name = format!("{}_{}_on", body.name, point.name);
            Tracer::new(self.graph, self.graph.symbol(&name, SymbolKind::Contact(i)))
        };
        contacts.map(symbol).collect()
    }

    /// All rows of constraints.
    pub(crate) fn rows(&self) -> &[ConstraintRow<Tracer<'g>>] {
        &self.rows
    }

    /// The rows that take part at the pose.
    pub(crate) fn active_rows(&self) -> &[ConstraintRow<Tracer<'g>>] {
        &self.selection.rows
    }

    /// M, c and Q of the tree, also where the formalism does not need them: recorded again, they are there once.
    pub(crate) fn equations(&self) -> Implicit<Tracer<'g>> {
        let formed =
            || formalism::implicit(self.formalism, self.m, &self.environment(&known(self.m, &self.inputs)));
        self.equations.clone().unwrap_or_else(formed)
    }

    /// A mass matrix of the tree, factored.
    pub(crate) fn factored(&self, mass: &[Vec<Tracer<'g>>]) -> Factorised<Tracer<'g>> {
        tree_factors(self.graph, self.m, mass)
    }

    /// True if `M v̇ = Q − c` is what the form solves, with the M, c and Q of [`formalism::implicit`].
    pub(crate) fn solves_with_mass_matrix(&self) -> bool {
        self.formalism.facts().solves == SolvedSystem::Implicit
    }

    /// What the method itself finds: recorded twice, it is there once.
    pub(super) fn solved_by_method(
        &self,
        env: &Environment<'_, Tracer<'g>>,
    ) -> formalism::Solution<Tracer<'g>> {
        formalism::solve(self.formalism, self.m, env)
    }

    /// What the form itself finds; `None` where constraints come on top.
    pub(crate) fn solved_by_form(
        &self,
        env: &Environment<'_, Tracer<'g>>,
    ) -> Option<formalism::Solution<Tracer<'g>>> {
        (self.rows.is_empty() && self.m.realising_inputs().is_empty()).then(|| self.solved_by_method(env))
    }

    /// What is found of a mechanism with constraints at the speeds of the state, no input acting; nothing of one without.
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

    /// The node of a value.
    pub fn id(&self, x: Tracer<'g>) -> NodeId {
        x.id(self.graph)
    }

    /// Operations of a call that values take, all together.
    pub(crate) fn operations(&self, values: impl IntoIterator<Item = Tracer<'g>>) -> u32 {
        let ids: Vec<NodeId> = values.into_iter().map(|x| self.id(x)).collect();
        count_split(self.graph, &groups(self.graph), &ids).call.total()
    }

    /// The nodes of values.
    pub fn ids(&self, xs: &[Tracer<'g>]) -> Vec<NodeId> {
        xs.iter().map(|x| self.id(*x)).collect()
    }

    /// Names a value for the reader of emitted code.
    pub(crate) fn label(&self, x: Tracer<'g>, name: &str, section: &Arc<str>) {
        self.graph.label(self.id(x), name, section);
    }
}

/// The inputs as far as they are given: those that realise constraints are zero until they are computed.
fn known<'g>(m: &Mechanism, inputs: &[Tracer<'g>]) -> Vec<Tracer<'g>> {
    let chosen = m.realising_inputs();
    inputs.iter().enumerate().map(|(i, u)| if chosen.contains(&i) { Tracer::ZERO } else { *u }).collect()
}
