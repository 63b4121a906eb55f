//! What each emitted function gives: one arm a kind.

use super::super::graph::{NodeId, SymbolKind};
use super::super::program::{Function, FunctionKind, Output, Shape};
use super::super::tracer::Tracer;
use super::solution::{Solution, solves_implicit};
use super::{Lowering, constrained, events, program_inputs};
use crate::algebra::{Number, Scalar};
use crate::formalism;
use crate::kinematics::{self, ConstraintRow};
use crate::mechanism::Environment;

impl<'g> Lowering<'g, '_> {
    fn vector(&self, name: &str, description: &str, values: &[Tracer<'g>]) -> Output {
        Output {
            name: name.to_owned(),
            unit: String::new(),
            description: description.to_owned(),
            shape: Shape::Vector(values.len()),
            nodes: self.ids(values),
        }
    }

    /// What does work and has no potential.
    fn power(&mut self) -> Vec<Output> {
        let m = self.m;
        let number = |n: Number| Tracer::number(self.graph, n);
        let Solution { x, multipliers, .. } = self.solution();
        let inputs = self.acting_inputs();
        let env = self.symbols.environment(&number, &inputs);
        let powers = formalism::powers(m, &env, &x).into_iter().filter(|p| !p.potential);
        let mut found: Vec<(String, String, Tracer<'g>)> =
            powers.map(|p| (p.name.clone(), format!("power of {}", p.name), p.value)).collect();
        if let Some(rate) = formalism::potential_drift(m, &env) {
            let about = "rate of the potential energy in a pose that stands still".to_owned();
            found.push(("changing_gravity".to_owned(), about, rate));
        }
        if !self.rows.is_empty() {
            // With the drives of prescribed joints, whose power is that without constraints, this is all that constraints
            // do: `λᵀ A v`, which is zero where nothing of a constraint depends on time.
            let along = |row: &ConstraintRow<Tracer<'g>>| {
                let terms = row.jacobian.iter().zip(&self.symbols.v).filter(|(a, _)| !a.is_zero());
                terms.fold(Tracer::ZERO, |sum, (a, v)| sum + *a * *v)
            };
            let sum = (self.rows.iter().zip(&multipliers).filter(|(_, lambda)| !lambda.is_zero()))
                .fold(Tracer::ZERO, |sum, (row, lambda)| sum + *lambda * along(row));
            found.push(("constraints".to_owned(), "power of all constraints".to_owned(), sum));
        }
        let output = |(name, description, x): (String, String, Tracer<'g>)| Output {
            name,
            unit: "W".to_owned(),
            description,
            shape: Shape::Scalar,
            nodes: vec![self.id(x)],
        };
        found.into_iter().map(output).collect()
    }

    pub(super) fn function(&mut self, kind: FunctionKind) -> Option<Function> {
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
            FunctionKind::InverseDynamicsConstrained => {
                let env = self.symbols.environment(&number, &zeros);
                let rows: Vec<_> = (self.selection.rows.iter())
                    .map(|row| ConstraintRow { gamma: row.stabilised(m, &env), ..row.clone() })
                    .collect();
                let acceleration = |s: usize| {
                    let name = format!("{}_dot", m.speeds[s].name);
                    Tracer::new(graph, graph.symbol(&name, SymbolKind::Acceleration(s)))
                };
                let found = formalism::inverse_dynamics_constrained(m, &env, &rows, &acceleration)?;
                own_pivots = self.checks_of(&found.pivots);
                let about = "Bᵀ (M v̇ + c − Q) at u = 0, by independent speeds";
                (vec![self.vector("effort", about, &found.efforts)], false)
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
                let (outputs, found) = events::after(graph, m, &env, &mass, &self.selection.rows);
                own_pivots = self.checks_of(&found);
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
                let inputs = self.acting_inputs();
                let env = self.symbols.environment(&number, &inputs);
                let reactions = if self.rows.is_empty() && self.realised.is_none() {
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
            FunctionKind::Power => {
                let outputs = self.power();
                if outputs.is_empty() {
                    return None;
                }
                (outputs, true)
            }
            FunctionKind::Saturation => {
                if m.inputs.iter().all(|i| i.limits.is_none()) {
                    return None;
                }
                (vec![self.vector("saturated", "inputs within their limits", &self.inputs)], false)
            }
        };
        let nodes: Vec<NodeId> = outputs.iter().flat_map(|o| o.nodes.iter().copied()).collect();
        let solved = solves && self.reaches_solution(kind, &nodes);
        // What says most comes first: of several that vanish the first is reported.
        let mut checks = self.denominators(kind, &nodes, solved || kind == FunctionKind::AfterEvents);
        if kind == FunctionKind::Dqdt || solved {
            // By name of the load, whichever way the formalism at hand came to the length.
            checks.extend(self.line_lengths());
        }
        if solved {
            let pivots = self.solution().pivots;
            checks.extend(self.checks_of(&pivots));
            checks.extend(self.independence());
        }
        checks.extend(own_pivots);
        let mut seen: Vec<(NodeId, NodeId)> = Vec::new();
        checks.retain(|c| {
            let new = !seen.contains(&(c.value, c.scale));
            seen.push((c.value, c.scale));
            new
        });
        Some(Function { kind, outputs, checks })
    }
}
