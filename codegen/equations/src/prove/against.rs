//! Proof of equations from elsewhere: `prove --against FILE`.
//!
//! Problem: printed equations have misprints. Given elements of M, c, Q, … or equations of motion
//!          as formulas, each is to be proved equal to the derived one, or refuted with the
//!          difference.
//! Method:  M, c and Q by Kane's method over the graph; the formulas of the file over the same
//!          symbols, with `v̇` and the multipliers as additional symbols; the exact normal form
//!          decides each pair. Where constraints `A v + a₀ = 0` give the speeds d from the others
//!          i, `v = B v_i + b` with `B_d = −A_d⁻¹ A_i` and `v̇ = B v̇_i + β` with `β_d = A_d⁻¹ γ`.
//!          Then M, c, Q denote `Bᵀ M B`, `Bᵀ (c + M β)`, `Bᵀ Q`; in the formulas too v_d and v̇_d
//!          are expressed by the others, and multipliers do not occur (mechanics 4.1, "Reduced").
//! Signs:   an equation is `M v̇ + c − Q − Aᵀ λ = 0`, factor and sign included; `λ` acts on the
//!          mechanism.
//! Cost:    that of Kane's equations, and O(d³) for the elimination.
//! Limits:  an equation that is right only up to a factor is refuted.

use std::sync::Arc;

use super::claim::{Claim, Decision, implicit_equations, nonzero_dot_product, with_symbols};
use crate::inspect::{self, Elimination};
use crate::symbolic::{Expressions, Query, Simplified, SymbolicError, Verdict, closed_forms, plain_text};
use dqdt_algebra::Scalar;
use dqdt_derivation::derive;
use dqdt_derivation::symbols::formula_name;
use dqdt_diagnostics::base::{Sources, Span};
use dqdt_diagnostics::error::{Diagnostic, Errors};
use dqdt_generate::pipeline;
use dqdt_graph::ir::{Graph, NodeId, Tracer};
use dqdt_mechanics::formalism::{self, Formalism};
use dqdt_mechanics::kinematics::{self, ConstraintRow, constraint_rows, evaluate_formula};
use dqdt_mechanics::mechanism::output::OutputDescription;
use dqdt_mechanics::mechanism::{Environment, Formula, Mechanism, NamedFormula, Partition, SpeedId};
pub use dqdt_spec::spec::{self, Formulas, Name, Spec, did_you_mean};
use dqdt_spec::{read, resolve};

/// A file of formulas about a mechanism, read by `prove --against FILE`, with its names resolved.
#[derive(Clone, Debug)]
pub struct Against {
    /// The mechanism. Appended to its inputs are accelerations, multipliers, and rates of formulas
    /// of time.
    pub mechanism: Mechanism,
    /// Number of true inputs, which come first.
    inputs: usize,
    /// Formula and order of derivation of each rate at the end of the inputs.
    rates: Vec<(Arc<NamedFormula>, usize)>,
    /// Speeds that the file eliminates by the constraints, in the order of the file.
    eliminate: Vec<SpeedId>,
    /// Redundant constraint rows; computed only if speeds are eliminated.
    partition: Partition,
    /// Place in the file of each eliminated speed, for error messages.
    places: Vec<Option<Span>>,
    /// Texts of the spec and of the file, for error messages.
    sources: Sources,
    /// Elements of the equations for which the file has formulas.
    elements: Vec<ComparedElement>,
}

/// The claim of a file of formulas, and the difference (derived minus given) of each element.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// Claim that derived and given elements are equal.
    pub claim: Claim,
    /// Difference, computed minus stated in the file, of each element.
    differences: Vec<Expressions>,
}

impl Comparison {
    /// Decides the claim; a refuted element gets its difference in simplified form.
    ///
    /// # Errors
    /// If the two sides do not match. A claim that remains undecided is no error.
    pub fn decide(self) -> Result<Decision, SymbolicError> {
        let assumptions = self.claim.assumptions.clone();
        let mut decision = super::claim::decide_claim(self.claim)?;
        for (verdict, expressions) in decision.verdicts.iter_mut().zip(self.differences) {
            let Verdict::Refuted { difference, .. } = verdict else { continue };
            if let [Simplified::Closed { closed, .. }] = &closed_forms(&expressions, &assumptions)?[..] {
                *difference = plain_text(closed);
            }
        }
        Ok(decision)
    }
}

/// An element of the file: a derived quantity and the formulas that should equal it.
#[derive(Clone, Debug)]
struct ComparedElement {
    name: String,
    quantity: ComparedQuantity,
    formulas: Vec<Formula>,
}

/// Quantity of the equations of motion that an element of the file denotes, by the speeds of its
/// row and column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum ComparedQuantity {
    Mass(SpeedId, SpeedId),
    C(SpeedId),
    Force(SpeedId),
    Bias(SpeedId),
    Equation(SpeedId),
    KineticEnergy,
}

/// Kinds of elements in the file format: keyword, number of speeds in brackets, explanation for
/// error messages.
const KINDS: [(&str, usize, &str); 6] = [
    ("M", 2, "M[x, phi]: an element of the mass matrix"),
    ("c", 1, "c[x]: an entry of the velocity-dependent inertia terms"),
    ("Q", 1, "Q[x]: an applied generalised force"),
    ("bias", 1, "bias[x]: the bias c − Q at u = 0"),
    ("equation", 1, "equation[x]: an equation of motion, \"left = right\""),
    ("T", 0, "T: the kinetic energy"),
];

/// Reads a file of formulas about a spec.
///
/// # Errors
/// All errors in the spec and in the file.
pub fn read_formula_file(spec: &Spec, name: &str, text: impl Into<Vec<u8>>) -> Result<Against, Errors> {
    let m = resolve::resolve(spec)?.mechanism;
    let accelerations = m.speeds.iter().map(|s| inspect::acceleration_name(&s.name));
    let rows = derive::vector_layout(&m).velocity_rows;
    let multipliers = rows.iter().map(|r| inspect::multiplier_name(&r.name));
    let rates = formula_rates(&m);
    let names = rates.iter().map(|(f, order)| formula_name(&m, f, *order));
    let file = read::parse_formulas(spec, accelerations.chain(multipliers).chain(names), name, text)?;
    let mechanism = resolve::resolve(&file.spec)?.mechanism;
    let mut problems = Vec::new();
    let eliminate = eliminated_speeds(&file, &m, &mut problems);
    let elements: Vec<Option<ComparedElement>> = (file.elements.iter())
        .map(|e| {
            let quantity = compared_quantity(e, &m, &eliminate, &mut problems)?;
            let count = if matches!(quantity, ComparedQuantity::Equation(_)) { 2 } else { 1 };
            let formulas =
                mechanism.outputs.get(e.output..e.output + count)?.iter().filter_map(|o| {
                    match o.kind.form().description() {
                        OutputDescription::Formula(f, _) => Some(f.clone()),
                        _ => None,
                    }
                });
            Some(ComparedElement { name: e.name.value.clone(), quantity, formulas: formulas.collect() })
        })
        .collect();
    if !problems.is_empty() {
        return Err(Errors { sources: file.spec.sources, diagnostics: problems });
    }
    let partition =
        if eliminate.is_empty() { Partition::default() } else { pipeline::build(spec, name)?.partition };
    Ok(Against {
        mechanism,
        inputs: m.inputs.len(),
        rates,
        partition,
        eliminate,
        places: file.eliminate.iter().map(|n| n.span).collect(),
        sources: file.spec.sources,
        elements: elements.into_iter().flatten().collect(),
    })
}

/// First and second rates of prescribed coordinates and of definitions of time, named `l_dot` and
/// `l_ddot` as in the printed equations.
fn formula_rates(m: &Mechanism) -> Vec<(Arc<NamedFormula>, usize)> {
    let of_time = m.named_formulas.iter().filter(|f| f.depends_only_on_time());
    of_time.flat_map(|f| [1, 2].map(|order| (f.clone(), order))).collect()
}

/// Speeds that the file lists under `eliminate`; wrong names are added to `problems`.
fn eliminated_speeds(file: &Formulas, m: &Mechanism, problems: &mut Vec<Diagnostic>) -> Vec<SpeedId> {
    let mut out = Vec::new();
    for name in &file.eliminate {
        match find_speed(m, &name.value) {
            Some(i) if out.contains(&i) => problems.push(
                Diagnostic::error("duplicate", format!("the speed `{name}` is eliminated twice"))
                    .at(name.span, "eliminated again here"),
            ),
            Some(i) => out.push(i),
            None => problems.push(unknown_speed(m, &name.value, name)),
        }
    }
    if !out.is_empty() && problems.is_empty() && m.constraints.is_empty() {
        let span = file.eliminate.first().and_then(|n| n.span);
        problems.push(
            Diagnostic::error(
                "nothing-to-eliminate",
                "speeds are eliminated, but the spec has no constraints",
            )
            .at(span, "no constraint determines these speeds")
            .help("remove `eliminate`, or add the constraint to the spec"),
        );
    }
    out
}

/// A speed by its name, the name of its coordinate, or its number, counted from 1.
fn find_speed(m: &Mechanism, name: &str) -> Option<SpeedId> {
    let rate = format!("{name}_dot");
    let number = name.parse::<usize>().ok().and_then(|n| n.checked_sub(1)).filter(|n| *n < m.nv());
    m.speeds.iter().position(|s| s.name == name || s.name == rate).or(number).map(SpeedId)
}

/// The error about a name that is no speed.
fn unknown_speed(m: &Mechanism, name: &str, at: &Name) -> Diagnostic {
    let names: Vec<&str> = m.speeds.iter().map(|s| s.name.as_str()).collect();
    let d = Diagnostic::error("unknown-speed", format!("there is no speed `{name}`"))
        .at(at.span, "not the name of a speed");
    match did_you_mean(name, names.iter().copied()) {
        Some(near) => d.help(format!("did you mean `{near}`?")),
        None => d.help(format!("the speeds of the mechanism are {}", names.join(", "))),
    }
}

/// Quantity that an element of the file denotes; `None` if it is wrong, which is added to
/// `problems`.
fn compared_quantity(
    e: &spec::Element,
    m: &Mechanism,
    eliminate: &[SpeedId],
    problems: &mut Vec<Diagnostic>,
) -> Option<ComparedQuantity> {
    let known = KINDS.iter().find(|(kind, _, _)| *kind == e.kind);
    if known.is_none_or(|(_, count, _)| *count != e.arguments.len()) {
        let help: Vec<&str> = KINDS.iter().map(|(_, _, help)| *help).collect();
        problems.push(
            Diagnostic::error("unknown-element", format!("`{}` is not an element of the equations", e.name))
                .at(e.name.span, "not an element of the equations")
                .help(format!("the available elements are {}", help.join("; "))),
        );
        return None;
    }
    let mut speeds = Vec::new();
    for name in &e.arguments {
        match find_speed(m, name) {
            Some(i) if eliminate.contains(&i) => {
                problems.push(
                    Diagnostic::error(
                        "eliminated-speed",
                        format!("`{name}` is an eliminated speed, so it has no row and no column"),
                    )
                    .at(e.name.span, "this element does not occur in the reduced equations")
                    .help("use the rows of the speeds that determine it, since these include its row"),
                );
                return None;
            }
            Some(i) => speeds.push(i),
            None => {
                problems.push(unknown_speed(m, name, &e.name));
                return None;
            }
        }
    }
    Some(match (e.kind.as_str(), &speeds[..]) {
        ("M", [i, j]) => ComparedQuantity::Mass(*i, *j),
        ("c", [i]) => ComparedQuantity::C(*i),
        ("Q", [i]) => ComparedQuantity::Force(*i),
        ("bias", [i]) => ComparedQuantity::Bias(*i),
        ("equation", [i]) => ComparedQuantity::Equation(*i),
        _ => ComparedQuantity::KineticEnergy,
    })
}

impl Against {
    /// The claim that every derived element equals the formulas of the file.
    ///
    /// # Errors
    /// If the constraints do not determine the eliminated speeds.
    pub fn equality_claim(&self, title: &str) -> Result<Comparison, Errors> {
        let graph = Graph::new();
        with_symbols(&graph, &self.mechanism, &self.partition, |env| {
            self.compare_elements(&graph, env, title)
        })
    }

    /// The claim, with the symbols of the mechanism and saturated inputs.
    fn compare_elements<'g>(
        &self,
        graph: &'g Graph,
        env: &Environment<'_, Tracer<'g>>,
        title: &str,
    ) -> Result<Comparison, Errors> {
        let m = &self.mechanism;
        let inputs = env.u;
        let mut accelerations = inputs[self.inputs..self.inputs + m.nv()].to_vec();
        let elimination = Elimination::new(m, &self.eliminate, env).map_err(|e| {
            let d = Diagnostic::error("bad-elimination", e.message)
                .at(self.places.get(e.which).copied().flatten(), "eliminated here")
                .help(
                    "name one speed for each independent constraint row, such that the rows determine these \
                     speeds",
                );
            Errors { sources: self.sources.clone(), diagnostics: vec![d] }
        })?;
        let v = elimination.complete_speeds(env.v);
        let env = Environment { v: &v, ..*env };
        let rows = constraint_rows(m, &env);
        let independent: Vec<_> =
            rows.iter().filter(|row| row.is_independent(env.partition)).cloned().collect();
        let beta = elimination.acceleration_offset(&independent, m.nv());
        elimination.complete_accelerations(&mut accelerations, &beta);
        // In the formulas of the file, eliminated speeds and accelerations are replaced by their
        // expressions.
        let mut known = inputs.to_vec();
        known[self.inputs..self.inputs + m.nv()].copy_from_slice(&accelerations);
        for (rate, (f, order)) in known.iter_mut().rev().zip(self.rates.iter().rev()) {
            *rate = kinematics::evaluate_prescribed_motion(&f.formula, &env)[*order];
        }
        let formulas = Environment { u: &known, ..env };

        let e = implicit_equations(m, Formalism::Kane, &env);
        let zeros = vec![Tracer::ZERO; m.inputs.len()];
        let undriven = implicit_equations(m, Formalism::Kane, &Environment { u: &zeros, ..env });
        let n = m.nv();
        let column = |j: SpeedId| -> Vec<Tracer<'g>> {
            m.speed_ids().map(|k| elimination.null_space_entry(k, j)).collect()
        };
        let c = |k: SpeedId| e.c[k] + nonzero_dot_product(&e.mass[k], &beta);
        let lambda = &inputs[self.inputs + n..];
        let (mut left, mut right, mut entries) = (Vec::new(), Vec::new(), Vec::new());
        let mut differences = Vec::new();
        for element in &self.elements {
            let derived_value = match element.quantity {
                ComparedQuantity::Mass(i, j) => {
                    let column = column(j);
                    elimination.project_vector(n, i, |k| nonzero_dot_product(&e.mass[k], &column))
                }
                ComparedQuantity::C(i) => elimination.project_vector(n, i, c),
                ComparedQuantity::Force(i) => elimination.project_vector(n, i, |k| e.force[k]),
                ComparedQuantity::Bias(i) => elimination.project_vector(n, i, |k| c(k) - undriven.force[k]),
                ComparedQuantity::Equation(i) => elimination.project_vector(n, i, |k| {
                    let inertia = nonzero_dot_product(&e.mass[k], &accelerations);
                    inertia + e.c[k] - e.force[k] - self.multiplier_force(&rows, lambda, k)
                }),
                ComparedQuantity::KineticEnergy => formalism::energy(m, &env).kinetic,
            };
            let sides: Vec<Tracer<'g>> =
                element.formulas.iter().map(|f| evaluate_formula(m, &formulas, f)).collect();
            let file_value = sides.into_iter().reduce(|a, b| a - b).unwrap_or(Tracer::ZERO);
            left.push(derived_value.id(graph));
            right.push(file_value.id(graph));
            differences.push(Expressions::new(graph, &[(derived_value - file_value).id(graph)]));
            entries.push(element.name.clone());
        }
        let expressions = |nodes: &[NodeId]| Expressions::new(graph, nodes);
        let claim = Claim {
            title: title.to_owned(),
            entries,
            query: Query::ProveEqual { left: expressions(&left), right: expressions(&right) },
            assumptions: inspect::engine_assumptions(m),
            about: None,
        };
        Ok(Comparison { claim, differences })
    }

    /// Generalised force of the multipliers at a speed. With eliminated speeds there are no
    /// multipliers, and program constraints never have any.
    fn multiplier_force<'g>(
        &self,
        rows: &[ConstraintRow<Tracer<'g>>],
        lambda: &[Tracer<'g>],
        speed: SpeedId,
    ) -> Tracer<'g> {
        let acting = rows.iter().zip(lambda).filter(|(row, _)| {
            self.eliminate.is_empty() && !self.mechanism.constraints[row.constraint].is_program()
        });
        acting.fold(Tracer::ZERO, |sum, (row, lambda)| sum + row.jacobian[speed] * *lambda)
    }
}
