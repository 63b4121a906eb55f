//! Quantities for the derivations of functions, and the checks that follow from what was derived.

use std::sync::Arc;

use super::solution::{solves_implicit, tree_factors};
use super::{Definition, Derivation, Derive};
use crate::algebra::Scalar;
use crate::formalism::{self, Factorised, Formalism, Implicit, Pivot};
use crate::ir::declaration::{Declaration, Role, Solves};
use crate::ir::{Check, Function, NodeId, SymbolKind, Tracer};
use crate::kinematics::ConstraintRow;
use crate::mechanism::{Environment, Mechanism};

impl<'g, 'm> Derivation<'g, 'm> {
    /// The mechanism.
    pub(crate) fn mechanism(&self) -> &'m Mechanism {
        self.m
    }

    /// The form that derives the equations.
    pub(crate) fn formalism(&self) -> Formalism {
        self.formalism
    }

    /// Everything that formulas refer to, with these inputs. Dependent speeds are computed from the others.
    pub(crate) fn environment<'a>(&'a self, inputs: &'a [Tracer<'g>]) -> Environment<'a, Tracer<'g>> {
        self.symbols.environment(&*self.number, inputs)
    }

    /// Inputs within their limits.
    pub(crate) fn limited_inputs(&self) -> &[Tracer<'g>] {
        &self.inputs
    }

    /// Inputs as they act: within their limits, and those that realise constraints.
    pub(crate) fn acting_inputs(&mut self) -> Vec<Tracer<'g>> {
        self.solution();
        self.realised.clone().unwrap_or_else(|| self.inputs.clone())
    }

    /// `q̇`
    pub(crate) fn rates(&self) -> &[Tracer<'g>] {
        &self.kinematics.rates
    }

    /// `v̇` as the equations of motion have it.
    pub(crate) fn accelerations(&mut self) -> Vec<Tracer<'g>> {
        self.solution().x
    }

    /// `v̇` as an argument gives it.
    pub(crate) fn given_accelerations(&self) -> Vec<Tracer<'g>> {
        let symbol = |(i, s): (usize, &crate::mechanism::Speed)| {
            let symbol = self.graph.symbol(&format!("{}_dot", s.name), SymbolKind::Acceleration(i));
            Tracer::new(self.graph, symbol)
        };
        self.m.speeds.iter().enumerate().map(symbol).collect()
    }

    /// `λ`, one a row of [`Derivation::rows`].
    pub(crate) fn multipliers(&mut self) -> Vec<Tracer<'g>> {
        self.solution().multipliers
    }

    /// All rows of constraints.
    pub(crate) fn rows(&self) -> &[ConstraintRow<Tracer<'g>>] {
        &self.rows
    }

    /// The rows that take part at the pose.
    pub(crate) fn active_rows(&self) -> &[ConstraintRow<Tracer<'g>>] {
        &self.selection.rows
    }

    /// M, c and Q of the tree.
    pub(crate) fn equations(&mut self) -> &Implicit<Tracer<'g>> {
        self.implicit()
    }

    /// M of the tree, factored.
    pub(crate) fn factored_mass(&mut self) -> Factorised<Tracer<'g>> {
        let mass = self.implicit().mass.clone();
        tree_factors(self.graph, self.m, &mass)
    }

    /// True if `M v̇ = Q − c` is what the form solves.
    pub(crate) fn solves_with_mass_matrix(&self) -> bool {
        solves_implicit(self.formalism)
    }

    /// What the form itself finds; `None` where constraints come on top.
    pub(crate) fn solved_by_form(
        &self,
        env: &Environment<'_, Tracer<'g>>,
    ) -> Option<formalism::Solution<Tracer<'g>>> {
        (self.rows.is_empty() && self.realised.is_none()).then(|| self.solved(env))
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

    /// The function at hand divides by these.
    pub(crate) fn divides_by(&mut self, pivots: Vec<Pivot<Tracer<'g>>>) {
        self.divisors.extend(pivots);
    }

    /// The node of a value.
    pub(crate) fn id(&self, x: Tracer<'g>) -> NodeId {
        x.id(self.graph)
    }

    /// The nodes of values.
    pub(crate) fn ids(&self, xs: &[Tracer<'g>]) -> Vec<NodeId> {
        xs.iter().map(|x| self.id(*x)).collect()
    }

    /// Names a value for the reader of emitted code.
    pub(crate) fn label(&self, x: Tracer<'g>, name: &str, section: &Arc<str>) {
        self.graph.label(self.id(x), name, section);
    }

    /// Derives a function and what it must check; `None` where the mechanism has nothing of the kind.
    pub(super) fn function(&mut self, definition: &'static Definition) -> Option<Function> {
        let declaration = &definition.declaration;
        let outputs = match definition.derive {
            Derive::Outputs(derive) => derive(self),
            Derive::Joint(functions) => return self.joint(declaration, functions),
        };
        let divisors = std::mem::take(&mut self.divisors);
        if outputs.is_empty() {
            return None;
        }
        let own_pivots = self.checks_of(&divisors);
        let nodes: Vec<NodeId> = outputs.iter().flat_map(|o| o.nodes.iter().copied()).collect();
        let solved = match declaration.solves {
            Solves::Accelerations => self.reaches_solution(&nodes, false),
            Solves::Reactions => self.reaches_solution(&nodes, true),
            Solves::Nothing | Solves::Impacts => false,
        };
        let whole = declaration.role == Some(Role::StateDerivative);
        // What says most comes first: of several that vanish the first is reported.
        let mut checks = self.denominators(&nodes, whole, solved || declaration.solves == Solves::Impacts);
        if whole || solved {
            // By name of the load, whichever way the formalism at hand came to the length.
            checks.extend(self.line_lengths());
        }
        if solved {
            let pivots = self.solution().pivots;
            checks.extend(self.checks_of(&pivots));
            checks.extend(self.independence());
        }
        checks.extend(own_pivots);
        each_once(&mut checks);
        Some(Function { declaration, outputs, parts: Vec::new(), checks })
    }

    /// Several functions as one; `None` where the mechanism lacks what one of them gives.
    fn joint(
        &mut self,
        declaration: &'static Declaration,
        functions: &[&'static Definition],
    ) -> Option<Function> {
        let mut all = Function { declaration, outputs: Vec::new(), parts: Vec::new(), checks: Vec::new() };
        for definition in functions {
            // Recorded again, it is there once.
            let part = self.function(definition)?;
            all.parts.push(part.outputs.len());
            all.outputs.extend(part.outputs);
            // What asks about nothing alone asks about nothing here.
            all.checks.extend(part.checks.into_iter().filter(|_| definition.checked));
        }
        each_once(&mut all.checks);
        Some(all)
    }
}

fn each_once(checks: &mut Vec<Check>) {
    let mut seen: Vec<(NodeId, NodeId)> = Vec::new();
    checks.retain(|c| {
        let new = !seen.contains(&(c.value, c.scale));
        seen.push((c.value, c.scale));
        new
    });
}
