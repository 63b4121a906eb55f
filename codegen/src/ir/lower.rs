//! Lowering: a mechanism and a formalism become a program.
//!
//! Problem: the mechanics is generic over a scalar; run over the tracer it leaves a graph. This file chooses what to
//!          record, names it for the reader of the emitted code, and solves `M v̇ = Q − c` in the graph.
//! Method:  one evaluation of the formalism over the tracer; tree-sparse LᵀDL (`linear_solve`); functions share nodes.
//! It is the only file of `ir` that sees equations.

mod constrained;
mod events;
mod labels;
mod program_inputs;

use std::sync::Arc;

use super::graph::{Graph, NodeId, Op, SymbolKind};
use super::program::{Function, FunctionKind, Layout, Output, Program, Shape, Slot};
use super::replay::needed;
use super::tracer::Tracer;
use crate::algebra::{Dimension, Number, Scalar};
use crate::formalism::{self, Factorised, Formalism, Implicit};
use crate::kinematics::{self, ConstraintRow, Kinematics, Start};
use crate::mechanism::{
    Attitude, Environment, Joint, JointKind, Mechanism, ParameterKind, Slot as Coordinate,
};

/// What to lower.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Request {
    /// Which formalism derives the equations.
    pub formalism: Formalism,
    /// Functions wanted.
    pub functions: Vec<FunctionKind>,
}

impl Request {
    /// Every function, by the given formalism.
    pub fn all(formalism: Formalism) -> Self {
        Request { formalism, functions: FunctionKind::ALL.to_vec() }
    }
}

/// Where a spec came from: file name without folders, and SHA-256 of its text.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[allow(missing_docs)]
pub struct Origin {
    pub file: String,
    pub hash: String,
}

/// The symbols of a mechanism in a graph, and everything that formulas refer to.
pub struct Symbols<'g> {
    /// `t`
    pub t: Tracer<'g>,
    /// `q`
    pub q: Vec<Tracer<'g>>,
    /// `v`
    pub v: Vec<Tracer<'g>>,
    /// `z`
    pub z: Vec<Tracer<'g>>,
    /// `u` as given.
    pub u: Vec<Tracer<'g>>,
    /// All parameters: free ones are symbols, constant and derived ones are computed.
    pub p: Vec<Tracer<'g>>,
}

impl<'g> Symbols<'g> {
    /// Records the symbols of `m`.
    pub fn new(graph: &'g Graph, m: &Mechanism) -> Self {
        let symbol = |name: &str, kind| Tracer::new(graph, graph.symbol(name, kind));
        let named = |names: Vec<&str>, kind: fn(usize) -> SymbolKind| -> Vec<Tracer<'g>> {
            names.into_iter().enumerate().map(|(i, n)| symbol(n, kind(i))).collect()
        };
        let free: Vec<Tracer<'g>> = named(free_parameters(m), SymbolKind::Parameter);
        Symbols {
            t: symbol("t", SymbolKind::Time),
            q: named(m.coordinates.iter().map(|c| c.name.as_str()).collect(), SymbolKind::Coordinate),
            v: named(m.speeds.iter().map(|c| c.name.as_str()).collect(), SymbolKind::Speed),
            z: named(m.states.iter().map(|c| c.name.as_str()).collect(), SymbolKind::State),
            u: named(m.inputs.iter().map(|c| c.name.as_str()).collect(), SymbolKind::Input),
            p: kinematics::parameters(m, &|n| Tracer::number(graph, n), &free),
        }
    }

    /// The environment with the given inputs (after saturation).
    pub fn environment<'a>(
        &'a self,
        number: &'a dyn Fn(Number) -> Tracer<'g>,
        u: &'a [Tracer<'g>],
    ) -> Environment<'a, Tracer<'g>> {
        Environment { number, t: self.t, q: &self.q, v: &self.v, z: &self.z, u, p: &self.p }
    }
}

/// Names of the free parameters in spec order: the vector `p` of emitted functions.
pub fn free_parameters(m: &Mechanism) -> Vec<&str> {
    m.parameters
        .iter()
        .filter(|p| matches!(p.kind, ParameterKind::Free(_)))
        .map(|p| p.name.as_str())
        .collect()
}

/// Derives the equations over a graph and wraps the functions asked for. Passes come after.
pub fn lower(m: &Mechanism, request: &Request, origin: &Origin) -> Program {
    let graph = Graph::new();
    let functions = {
        let mut lowering = Lowering::new(&graph, m, request.formalism);
        let mut kinds = request.functions.clone();
        kinds.sort();
        kinds.dedup();
        kinds.into_iter().filter_map(|kind| lowering.function(kind)).collect()
    };
    Program {
        name: m.name.clone(),
        description: m.description.clone(),
        spec: origin.file.clone(),
        spec_hash: origin.hash.clone(),
        formalism: request.formalism.name().to_owned(),
        layout: layout(m),
        graph,
        functions,
    }
}

/// Initial state and default inputs at the default parameters.
pub fn start(m: &Mechanism) -> Start<f64> {
    let p = kinematics::parameters(m, &Number::to_f64, &[]);
    kinematics::start(m, &Number::to_f64, &p)
}

/// Index in `q` of the scalar part of every unit quaternion.
pub fn quaternions(m: &Mechanism) -> Vec<usize> {
    let scalar_part = |joint: &Joint| match (&joint.kind, joint.coordinates.as_slice()) {
        (JointKind::Spherical(Attitude::Quaternion, _), [Coordinate::Free(i), ..])
        | (JointKind::Free(Attitude::Quaternion, ..), [_, _, _, Coordinate::Free(i), ..]) => Some(*i),
        _ => None,
    };
    m.joints.iter().filter_map(scalar_part).collect()
}

/// Names of the rows of all constraints, and whether they hold positions.
fn row_names(m: &Mechanism, start: &Start<f64>) -> Vec<(String, bool)> {
    let p = kinematics::parameters(m, &Number::to_f64, &[]);
    let env = Environment {
        number: &Number::to_f64,
        t: 0.0,
        q: &start.q,
        v: &start.v,
        z: &start.z,
        u: &start.u,
        p: &p,
    };
    let rows = kinematics::constraint_rows(m, &env);
    rows.into_iter().map(|row| (row.name, row.position.is_some())).collect()
}

/// The vectors of emitted functions, with defaults and initial values in doubles.
pub fn layout(m: &Mechanism) -> Layout {
    let start = start(m);
    let slot = |name: &str, unit: String, description: &str, value: f64| Slot {
        name: name.to_owned(),
        unit: if unit.is_empty() { "1".to_owned() } else { unit },
        description: description.to_owned(),
        value,
    };
    // Angles have no dimension; readers want to see them all the same.
    let unit = |dimension: Dimension| match dimension.to_string().as_str() {
        "1" => "rad".to_owned(),
        "1/s" => "rad/s".to_owned(),
        text => text.to_owned(),
    };
    let quaternions = quaternions(m);
    let in_quaternion = |i: usize| quaternions.iter().any(|s| (*s..*s + 4).contains(&i));
    let rows = row_names(m, &start);
    Layout {
        position_rows: rows.iter().filter(|r| r.1).map(|r| r.0.clone()).collect(),
        velocity_rows: rows.into_iter().map(|r| r.0).collect(),
        events: events::slots(m),
        q: (m.coordinates.iter().zip(&start.q).enumerate())
            .map(|(i, (c, x))| {
                let unit = if in_quaternion(i) { "1".to_owned() } else { unit(c.dimension) };
                slot(&c.name, unit, &c.description, *x)
            })
            .collect(),
        v: (m.speeds.iter().zip(&start.v))
            .map(|(c, x)| slot(&c.name, unit(c.dimension), &c.description, *x))
            .collect(),
        z: m.states
            .iter()
            .zip(&start.z)
            .map(|(c, x)| slot(&c.name, c.unit.clone(), &c.description, *x))
            .collect(),
        u: m.inputs
            .iter()
            .zip(&start.u)
            .map(|(c, x)| slot(&c.name, c.unit.clone(), &c.description, *x))
            .collect(),
        p: (m.parameters.iter())
            .filter_map(|p| match &p.kind {
                ParameterKind::Free(n) => Some(slot(&p.name, p.unit.clone(), &p.description, n.to_f64())),
                ParameterKind::Constant(_) | ParameterKind::Derived(_) => None,
            })
            .collect(),
        quaternions,
    }
}

/// Accelerations by speed in spec order, and what was divided by.
#[derive(Clone)]
struct Solution<'g> {
    x: Vec<Tracer<'g>>,
    pivots: Vec<(String, Tracer<'g>)>,
    /// One a row of the constraints.
    multipliers: Vec<Tracer<'g>>,
    /// Denominators of order one that come from constraints.
    independence: Vec<(String, Tracer<'g>)>,
}

/// M factored with the sparsity of the tree, for the reader of the code with names for the entries of L.
fn tree_factors<'g>(graph: &'g Graph, m: &Mechanism, mass: &[Vec<Tracer<'g>>]) -> Factorised<Tracer<'g>> {
    let factored = Factorised::new(m, mass);
    let Factorised { order, factors, .. } = &factored;
    let section = Arc::from("pivots of the factorisation M = LᵀDL");
    for (i, (row, ancestors)) in factors.lower.iter().zip(&factors.ancestors).enumerate() {
        for (l, j) in row.iter().zip(ancestors) {
            graph.label(l.id(graph), &format!("l_{}_{}", order[i] + 1, order[*j] + 1), &section);
        }
    }
    for (k, speed) in order.iter().enumerate() {
        graph.label(factors.pivots[k].id(graph), &format!("d_{}", m.speeds[*speed].name), &section);
    }
    factored
}

/// Solves `M x = right` with the sparsity of the tree, for the reader of the code with names for the entries of L.
fn factored<'g>(
    graph: &'g Graph,
    m: &Mechanism,
    mass: &[Vec<Tracer<'g>>],
    right: &[Tracer<'g>],
) -> Solution<'g> {
    let factored = tree_factors(graph, m, mass);
    let x = factored.solve(right);
    let names = m.speeds.iter().map(|v| format!("pivot of {}", v.name));
    let pivots = names.zip(factored.pivots()).collect();
    Solution { x, pivots, multipliers: Vec::new(), independence: Vec::new() }
}

/// True if the formalism solves with a mass matrix that is worth names.
fn has_mass_matrix(f: Formalism) -> bool {
    match f {
        Formalism::Kane
        | Formalism::Lagrange
        | Formalism::Direct
        | Formalism::CompositeBody
        | Formalism::MaggiCoordinates
        | Formalism::Momentum => true,
        Formalism::ArticulatedBody | Formalism::Extended | Formalism::LagrangeFirst | Formalism::Maggi => {
            false
        }
    }
}

/// True if `M v̇ = Q − c` is what the formalism solves, with the M, c and Q of [`formalism::implicit`].
fn solves_implicit(f: Formalism) -> bool {
    matches!(f, Formalism::Kane | Formalism::Lagrange | Formalism::Direct)
}

struct Lowering<'g, 'm> {
    graph: &'g Graph,
    m: &'m Mechanism,
    /// Dependent speeds are computed from the others.
    symbols: Symbols<'g>,
    /// The speeds of the state.
    given_speeds: Vec<Tracer<'g>>,
    elimination: Option<constrained::Elimination<'g>>,
    rows: Vec<ConstraintRow<Tracer<'g>>>,
    inputs: Vec<Tracer<'g>>,
    /// The inputs with those that the program computes.
    realised: Option<Vec<Tracer<'g>>>,
    kinematics: Kinematics<Tracer<'g>>,
    /// Where the formalism forms a mass matrix; else when one is asked for.
    equations: Option<Implicit<Tracer<'g>>>,
    lengths: Vec<(String, Tracer<'g>)>,
    formalism: Formalism,
    solution: Option<Solution<'g>>,
}

impl<'g, 'm> Lowering<'g, 'm> {
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
        let (kinematics, equations, lengths, rows) = {
            let env = symbols.environment(&number, &known);
            let kinematics = if has_mass_matrix(formalism) {
                kinematics::kinematics(m, &env)
            } else {
                kinematics::motions(m, &env)
            };
            // Names first: a node keeps the first name that it gets, and kinematics is what people know.
            labels::kinematics(graph, m, &kinematics);
            let equations = has_mass_matrix(formalism).then(|| formalism::implicit(formalism, m, &env));
            let lengths = formalism::line_denominators(m, &kinematics, &env);
            (kinematics, equations, lengths, kinematics::constraint_rows(m, &env))
        };
        let lowering = Lowering {
            graph,
            m,
            symbols,
            given_speeds,
            elimination,
            rows,
            inputs,
            realised: None,
            kinematics,
            equations,
            lengths,
            formalism,
            solution: None,
        };
        lowering.label_equations();
        lowering
    }

    fn id(&self, x: Tracer<'g>) -> NodeId {
        x.id(self.graph)
    }

    fn ids(&self, xs: &[Tracer<'g>]) -> Vec<NodeId> {
        xs.iter().map(|x| self.id(*x)).collect()
    }

    fn label(&self, x: Tracer<'g>, name: &str, section: &Arc<str>) {
        self.graph.label(self.id(x), name, section);
    }

    fn label_equations(&self) {
        let section = Arc::from("mass matrix, by speeds");
        let Some(equations) = &self.equations else { return };
        for (i, row) in equations.mass.iter().enumerate() {
            for (j, x) in row.iter().enumerate().skip(i) {
                self.label(*x, &format!("m_{}_{}", i + 1, j + 1), &section);
            }
        }
        let section = Arc::from("velocity-dependent inertia terms c");
        for (c, speed) in equations.c.iter().zip(&self.m.speeds) {
            self.label(*c, &format!("c_{}", speed.name), &section);
        }
        let section = Arc::from("generalised forces Q");
        for (q, speed) in equations.force.iter().zip(&self.m.speeds) {
            self.label(*q, &format!("f_{}", speed.name), &section);
        }
    }

    /// M, c and Q, also where the formalism does not need them.
    fn implicit(&mut self) -> &Implicit<Tracer<'g>> {
        let number = |n: Number| Tracer::number(self.graph, n);
        let known = program_inputs::known(self.m, &self.inputs);
        let env = self.symbols.environment(&number, &known);
        self.equations.get_or_insert_with(|| formalism::implicit(self.formalism, self.m, &env))
    }

    /// Solves for the accelerations once; all functions that need them share it.
    fn solution(&mut self) -> Solution<'g> {
        if let Some(s) = &self.solution {
            return s.clone();
        }
        let number = |n: Number| Tracer::number(self.graph, n);
        let env = self.symbols.environment(&number, &self.inputs);
        let s = if solves_implicit(self.formalism) || !program_inputs::chosen(self.m).is_empty() {
            let e = self.implicit().clone();
            let right: Vec<_> = e.force.iter().zip(&e.c).map(|(q, c)| *q - *c).collect();
            let section = Arc::from("right side Q − c");
            for (r, speed) in right.iter().zip(&self.m.speeds) {
                self.label(*r, &format!("r_{}", speed.name), &section);
            }
            let env = self.symbols.environment(&number, &self.inputs);
            let gamma: Vec<_> = self.rows.iter().map(|row| row.stabilised(self.m, &env)).collect();
            let s = self.solve_for(&e.mass, &right, &gamma);
            match program_inputs::realise(self, &env, &e, &s) {
                Some(found) => {
                    self.realised = Some(found.inputs);
                    found.solution
                }
                None => s,
            }
        } else {
            let solution = self.solved(&env);
            let mut multipliers = vec![Tracer::ZERO; self.rows.len()];
            let active: Vec<usize> =
                (0..self.rows.len()).filter(|i| self.rows[*i].independent(self.m)).collect();
            active.iter().zip(&solution.multipliers).for_each(|(i, x)| multipliers[*i] = *x);
            let independence = constrained::independence(&self.rows, &active, &solution.independence);
            let (x, pivots) = (solution.accelerations, solution.pivots);
            Solution { x, pivots, multipliers, independence }
        };
        let section = Arc::from("pivots of the factorisation M = LᵀDL");
        for (name, d) in &s.pivots {
            let of = name.strip_prefix("pivot of ").unwrap_or(name);
            self.label(*d, &format!("d_{}", of.replace(' ', "_")), &section);
        }
        let section = Arc::from("accelerations");
        for (a, speed) in s.x.iter().zip(&self.m.speeds) {
            self.label(*a, &format!("a_{}", speed.name), &section);
        }
        self.solution = Some(s.clone());
        s
    }

    /// What the formalism itself finds: recorded twice, it is there once.
    fn solved(&self, env: &Environment<'_, Tracer<'g>>) -> formalism::Solution<Tracer<'g>> {
        formalism::solve(self.formalism, self.m, env)
    }

    /// Accelerations and multipliers for a mass matrix, a right side and a γ.
    fn solve_for(
        &self,
        mass: &[Vec<Tracer<'g>>],
        right: &[Tracer<'g>],
        gamma: &[Tracer<'g>],
    ) -> Solution<'g> {
        if self.rows.is_empty() {
            return factored(self.graph, self.m, mass, right);
        }
        let elimination = self.elimination.as_ref();
        constrained::solve(self.graph, self.m, mass, right, &self.rows, gamma, elimination)
    }

    /// The inputs as they act.
    fn acting_inputs(&mut self) -> Vec<Tracer<'g>> {
        self.solution();
        self.realised.clone().unwrap_or_else(|| self.inputs.clone())
    }

    /// What `nodes` divide by, among the denominators of the kinematic map. An angle is no trouble to a function that
    /// only takes its cosine.
    fn denominators(&self, nodes: &[NodeId]) -> Vec<(String, NodeId)> {
        let reach = needed(self.graph, nodes);
        let divisor = |(index, needed): (usize, &bool)| {
            let node = self.graph.node(NodeId(index as u32));
            if *needed && node.op == Op::Div { node.args().get(1).copied() } else { None }
        };
        let divisors: Vec<NodeId> = reach.iter().enumerate().filter_map(divisor).collect();
        let divided = needed(self.graph, &divisors);
        let all =
            self.kinematics.denominators.iter().map(|(joint, x)| (format!("angles of {joint}"), self.id(*x)));
        all.filter(|(_, id)| self.graph.constant(*id).is_none() && divided.get(id.0 as usize) == Some(&true))
            .collect()
    }

    /// Denominators of the constraints. One that is a constant was found to be good when it was chosen.
    fn independence(&mut self) -> Vec<(String, NodeId)> {
        let found = self.solution().independence;
        let moving = found.into_iter().filter(|(_, x)| x.constant().is_none());
        moving.map(|(name, x)| (name, self.id(x))).collect()
    }

    /// Pivots that stand behind `nodes`. A constant pivot that is not zero cannot become singular.
    fn pivots(&mut self, kind: FunctionKind, nodes: &[NodeId]) -> Vec<(String, NodeId)> {
        let s = self.solution();
        let reach = needed(self.graph, nodes);
        let used = |x: &Tracer<'g>| reach.get(self.id(*x).0 as usize) == Some(&true);
        let moving = |x: &Tracer<'g>| used(x) && x.constant().is_none();
        // Reactions of the sparse forms are unknowns beside the accelerations.
        let reached = kind == FunctionKind::Reactions && s.pivots.iter().any(|(_, d)| moving(d));
        let computed = self.realised.iter().flatten();
        if !reached && !s.x.iter().chain(&s.multipliers).chain(computed).any(moving) {
            return Vec::new();
        }
        // The largest pivot is the yardstick for all, so either all are given or none.
        s.pivots.into_iter().map(|(name, d)| (name, self.id(d))).collect()
    }

    fn vector(&self, name: &str, description: &str, values: &[Tracer<'g>]) -> Output {
        Output {
            name: name.to_owned(),
            unit: String::new(),
            description: description.to_owned(),
            shape: Shape::Vector(values.len()),
            nodes: self.ids(values),
        }
    }

    fn function(&mut self, kind: FunctionKind) -> Option<Function> {
        let m = self.m;
        let graph = self.graph;
        let number = |n: Number| Tracer::number(graph, n);
        let zeros = vec![Tracer::ZERO; m.inputs.len()];
        let mut own_pivots = Vec::new();
        let (outputs, solves) = match kind {
            FunctionKind::Dqdt => {
                let accelerations = self.solution().x;
                let inputs = self.acting_inputs();
                let env = self.symbols.environment(&number, &inputs);
                let states: Vec<_> = m.states.iter().map(|s| s.rate.eval(&env)).collect();
                let dx = [&self.kinematics.rates[..], &accelerations, &states].concat();
                (vec![self.vector("dx", "state derivative [q̇, v̇, ż]", &dx)], true)
            }
            FunctionKind::Rates => (vec![self.vector("rates", "q̇ = N(q) v", &self.kinematics.rates)], false),
            FunctionKind::MassMatrix => {
                let n = m.nv();
                let mass = self.implicit().mass.clone();
                let nodes = mass.iter().flat_map(|r| self.ids(r)).collect();
                let output = Output {
                    name: "mass_matrix".to_owned(),
                    unit: String::new(),
                    description: "mass matrix, symmetric".to_owned(),
                    shape: Shape::Matrix(n, n),
                    nodes,
                };
                (vec![output], false)
            }
            FunctionKind::Bias => {
                let env = self.symbols.environment(&number, &zeros);
                let bias: Vec<_> = if solves_implicit(self.formalism) {
                    let e = formalism::implicit(self.formalism, m, &env);
                    e.c.iter().zip(&e.force).map(|(c, q)| *c - *q).collect()
                } else {
                    formalism::inverse_dynamics(m, &env, &vec![Tracer::ZERO; m.nv()])
                };
                (vec![self.vector("bias", "c − Q at u = 0", &bias)], false)
            }
            FunctionKind::InverseDynamics => {
                let env = self.symbols.environment(&number, &zeros);
                let a: Vec<_> = (m.speeds.iter().enumerate())
                    .map(|(i, s)| {
                        let symbol = graph.symbol(&format!("{}_dot", s.name), SymbolKind::Acceleration(i));
                        Tracer::new(graph, symbol)
                    })
                    .collect();
                let effort = formalism::inverse_dynamics(m, &env, &a);
                (vec![self.vector("effort", "M v̇ + c − Q at u = 0", &effort)], false)
            }
            FunctionKind::Energy => {
                let env = self.symbols.environment(&number, &self.inputs);
                let e = formalism::energy(m, &env);
                let scalar = |name: &str, description: &str, x| Output {
                    name: name.to_owned(),
                    unit: "J".to_owned(),
                    description: description.to_owned(),
                    shape: Shape::Scalar,
                    nodes: vec![self.id(x)],
                };
                (
                    vec![
                        scalar("kinetic", "kinetic energy", e.kinetic),
                        scalar("potential", "potential energy of gravity and springs", e.potential),
                    ],
                    false,
                )
            }
            FunctionKind::Outputs => {
                if m.outputs.is_empty() {
                    return None;
                }
                let accelerations = self.solution().x;
                let inputs = self.acting_inputs();
                let env = self.symbols.environment(&number, &inputs);
                let values = formalism::outputs(m, &env, &accelerations);
                let outputs = values.into_iter().map(|o| Output {
                    name: o.name,
                    unit: o.unit,
                    description: o.description,
                    shape: if o.values.len() == 1 { Shape::Scalar } else { Shape::Vector(o.values.len()) },
                    nodes: self.ids(&o.values),
                });
                (outputs.collect(), true)
            }
            FunctionKind::Events => {
                if m.events.is_empty() {
                    return None;
                }
                let env = self.symbols.environment(&number, &self.inputs);
                (events::values(graph, m, &env), false)
            }
            FunctionKind::AfterEvents => {
                if m.events.is_empty() {
                    return None;
                }
                let mass = self.implicit().mass.clone();
                let env = self.symbols.environment(&number, &self.inputs);
                let (outputs, found) = events::after(graph, m, &env, &mass, &self.rows);
                own_pivots = found.into_iter().map(|(name, d)| (name, self.id(d))).collect();
                (outputs, false)
            }
            FunctionKind::Positions => {
                let env = self.symbols.environment(&number, &self.inputs);
                let outputs: Vec<_> = (kinematics::positions(m, &env).into_iter())
                    .filter_map(|p| {
                        let body = &m.bodies[p.body?].name;
                        Some(Output {
                            name: format!("{body}_{}", p.name),
                            unit: "m".to_owned(),
                            description: format!("{} of {body}, in ground axes", p.name),
                            shape: Shape::Vector(3),
                            nodes: self.ids(&p.position.0),
                        })
                    })
                    .collect();
                if outputs.is_empty() {
                    return None;
                }
                (outputs, false)
            }
            FunctionKind::Multipliers => {
                let multipliers = self.solution().multipliers;
                let determined = |row: &ConstraintRow<Tracer<'g>>| {
                    !m.constraints[row.constraint].undetermined.contains(&row.index)
                };
                let outputs: Vec<_> = (self.rows.iter().zip(&multipliers))
                    .filter(|(row, _)| determined(row))
                    .map(|(row, x)| constrained::multiplier(m, row, self.id(*x)))
                    .collect();
                if outputs.is_empty() {
                    return None;
                }
                (outputs, true)
            }
            FunctionKind::ProgramInputs => {
                let chosen = program_inputs::chosen(m);
                if chosen.is_empty() {
                    return None;
                }
                let inputs = self.acting_inputs();
                let output = |i: &usize| Output {
                    name: m.inputs[*i].name.clone(),
                    unit: m.inputs[*i].unit.clone(),
                    description: m.inputs[*i].description.clone(),
                    shape: Shape::Scalar,
                    nodes: vec![self.id(inputs[*i])],
                };
                (chosen.iter().map(output).collect(), true)
            }
            FunctionKind::PositionConstraints | FunctionKind::VelocityConstraints => {
                if self.rows.is_empty() {
                    return None;
                }
                let env = Environment { v: &self.given_speeds, ..self.symbols.environment(&number, &zeros) };
                let outputs = constrained::residuals(graph, m, &env, kind)?;
                (outputs, false)
            }
            FunctionKind::Reactions => {
                let Solution { x, multipliers, .. } = self.solution();
                let env = self.symbols.environment(&number, &self.inputs);
                let reactions = if self.rows.is_empty() {
                    self.solved(&env).reactions(m, &env)
                } else {
                    formalism::reactions(m, &env, &x, &self.rows, &multipliers)
                };
                let outputs =
                    m.joints.iter().zip(&m.bodies).zip(reactions).map(|((joint, body), w)| Output {
                        name: joint.name.clone(),
                        unit: "N, N*m".to_owned(),
                        description: format!(
                            "force and moment on {} through {}, about the joint, axes of {}",
                            body.name, joint.name, body.name
                        ),
                        shape: Shape::Vector(6),
                        nodes: self.ids(&[w.f.0, w.m.0].concat()),
                    });
                (outputs.collect(), true)
            }
            FunctionKind::Saturation => {
                if m.inputs.iter().all(|i| i.limits.is_none()) {
                    return None;
                }
                (vec![self.vector("saturated", "inputs within their limits", &self.inputs)], false)
            }
        };
        let nodes: Vec<NodeId> = outputs.iter().flat_map(|o| o.nodes.iter().copied()).collect();
        let pivots = if solves { self.pivots(kind, &nodes) } else { Vec::new() };
        let mut denominators = self.denominators(&nodes);
        if kind == FunctionKind::Dqdt || !pivots.is_empty() {
            // By name of the load, whichever way the formalism at hand came to the length.
            let moving = |x: &Tracer<'g>| x.constant().is_none();
            let lengths = self.lengths.iter().filter(|(_, x)| moving(x));
            denominators.extend(lengths.map(|(load, x)| (format!("squared length of {load}"), self.id(*x))));
        }
        if !pivots.is_empty() {
            denominators.extend(self.independence());
        }
        let pivots = if own_pivots.is_empty() { pivots } else { own_pivots };
        Some(Function { kind, denominators, outputs, pivots })
    }
}
