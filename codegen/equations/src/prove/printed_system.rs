//! Claims that the equations printed in a report are those of the emitted functions.
//!
//! Problem: every closed form can be right and the equations that they make up wrong: a sign of
//!          `Aᵀ λ`, a term of γ, a column of B.
//! Method:  printed forms, read back from their texts, are recorded in the final graph of the
//!          emitted functions and assembled as in the report. Φ, Ψ, A and q̇ are compared with the
//!          functions; accelerations, multipliers and inputs of the functions must satisfy
//!          `M v̇ + c = Q + Aᵀ λ`, `A v̇ = γ`, the written-out and projected equations, and program
//!          constraints.
//! Limits:  as for accelerations (`programs`). Rows with an unprinted entry are skipped.

use super::claim::{Claim, with_symbols};
use super::printed_entries::{
    FormReader, Pairs, all_output_values, output_values, printed_column, printed_dot_product, printed_entry,
    report_name_values,
};
use super::programs;
use crate::inspect::{Elimination, GroupRole, Quantities, Split};
use crate::symbolic::{Assumptions, Closed, Expressions};
use dqdt_algebra::Scalar;
use dqdt_derivation::assemble::Assembled;
use dqdt_derivation::derive::Request;
use dqdt_derivation::functions;
use dqdt_generate::pipeline;
use dqdt_graph::ir::{Graph, Program, SymbolKind, Tracer};
use dqdt_mechanics::formalism::Formalism;
use dqdt_mechanics::kinematics::{self, ConstraintRow};
use dqdt_mechanics::mechanism::{CoordinateId, Mechanism, Partition, RowIndex, SpeedId, Treatment};

/// A constraint row with its printed entries of A; `None` for an entry without a closed form.
struct PrintedRow<'g> {
    name: String,
    entries: Vec<Option<Tracer<'g>>>,
}

/// Name, place and properties of a constraint row, without its values.
struct RowProperties {
    name: String,
    place: RowIndex,
    active: bool,
    holonomic: bool,
}

impl RowProperties {
    /// A row with name and place, all values zero and without entries.
    fn without_values<'g>(&self) -> ConstraintRow<Tracer<'g>> {
        ConstraintRow {
            constraint: self.place.constraint,
            index: self.place.row,
            name: self.name.clone(),
            position: None,
            velocity: Tracer::ZERO,
            jacobian: Vec::new(),
            gamma: Tracer::ZERO,
            drift: Tracer::ZERO,
        }
    }
}

/// Properties of all constraint rows of a mechanism.
fn constraint_row_properties(m: &Mechanism, partition: &Partition) -> Vec<RowProperties> {
    let graph = Graph::new();
    with_symbols(&graph, m, partition, |env| {
        let rows = kinematics::constraint_rows(m, env).into_iter().map(|row| RowProperties {
            active: row.is_independent(partition),
            holonomic: row.position.is_some(),
            place: row.row_index(),
            name: row.name,
        });
        rows.collect()
    })
}

/// Claims that the printed system is the emitted one; `forms` has one form for each entry of `q`.
pub fn printed_system_claims(
    loaded: &Assembled,
    q: &Quantities,
    expressions: &Expressions,
    forms: &[Option<Closed>],
) -> Vec<Claim> {
    // The function returns all multipliers, including those that the motion does not determine.
    let mut whole = loaded.clone();
    whole.partition.undetermined.clear();
    let m = &whole.mechanism;
    let functions = vec![
        functions::DQDT,
        functions::RATES,
        functions::MULTIPLIERS,
        functions::PROGRAM_INPUTS,
        functions::POSITION_CONSTRAINTS,
        functions::VELOCITY_CONSTRAINTS,
    ];
    let program = pipeline::program(&whole, &Request::new(Formalism::Kane, functions));
    let system = PrintedSystem {
        m,
        partition: &whole.partition,
        rows: constraint_row_properties(m, &whole.partition),
        program: &program,
        reader: FormReader {
            q,
            expressions,
            forms,
            graph: &program.graph,
            named: report_name_values(&program.graph, m),
        },
    };
    let (formulas, motion) = (system.formula_pairs(), system.motion_pairs());
    // Rows that the pose selects determine the eliminated speeds consistently on the constraints
    // only; elsewhere two selections give different results.
    let eliminates = m.constraints.iter().any(|c| matches!(c.treatment, Treatment::Elimination(_)));
    let on_constraints = eliminates && !whole.partition.groups.is_empty();
    let assumptions = Assumptions { on_constraints, ..programs::acceleration_proof_limits(m) };
    let mut claims = Vec::new();
    if !formulas.entries.is_empty() {
        claims.push(Claim {
            title: match system.rows.is_empty() {
                true => "printed equations: q̇ equals that of the emitted functions",
                false => "printed equations: Φ, Ψ, A, B and q̇ equal those of the emitted functions",
            }
            .to_owned(),
            query: formulas.equality_query(&program.graph),
            entries: formulas.entries,
            assumptions: Assumptions { on_constraints, ..super::claim::equation_assumptions(m) },
            about: None,
        });
    }
    if !motion.entries.is_empty() {
        claims.push(Claim {
            title: match system.rows.is_empty() {
                true => "printed equations: the emitted accelerations solve the printed M v̇ + c = Q",
                false => {
                    "printed equations: the emitted accelerations and multipliers solve the printed M v̇ + c = Q + Aᵀ \
                     λ, A v̇ = γ"
                }
            }
            .to_owned(),
            query: motion.equality_query(&program.graph),
            entries: motion.entries,
            assumptions,
            about: None,
        });
    }
    claims
}

/// Printed equations of a report, with the program whose results must satisfy them.
struct PrintedSystem<'a, 'g> {
    m: &'a Mechanism,
    partition: &'a Partition,
    rows: Vec<RowProperties>,
    program: &'g Program,
    reader: FormReader<'a, 'g>,
}

impl<'g> PrintedSystem<'_, 'g> {
    /// Dependent speeds as printed, if emitted functions compute them: by their equations or, if
    /// these are too long to print, from the constraint rows.
    fn printed_dependent_speeds(&self) -> Vec<(SpeedId, Option<Tracer<'g>>)> {
        let Some(split) = self.reader.q.projection.as_ref().filter(|s| s.substituted) else {
            return Vec::new();
        };
        let values = match split.written {
            true => self.reader.read_entries(GroupRole::DependentSpeeds, &|_| None),
            false => self.solve_dependent_speeds(split).unwrap_or_else(|| vec![None; split.dependent.len()]),
        };
        split.dependent.iter().copied().zip(values).collect()
    }

    /// Solves the printed rows `A v + a₀ = 0` for the dependent speeds.
    fn solve_dependent_speeds(&self, split: &Split) -> Option<Vec<Option<Tracer<'g>>>> {
        let n = self.m.nv();
        let plain = |role| self.reader.read_entries(role, &|_| None);
        let (a, drift) = (plain(GroupRole::Jacobian), plain(GroupRole::Drift));
        let active = self.independent_row_indices();
        let rows = split.rows.iter().map(|k| {
            let i = active.iter().position(|x| x == k)?;
            Some(ConstraintRow {
                jacobian: a.get(i * n..(i + 1) * n)?.iter().copied().collect::<Option<_>>()?,
                // a₀ is not printed if all of it is zero.
                drift: if drift.is_empty() { Tracer::ZERO } else { printed_entry(&drift, i)? },
                ..self.rows[*k].without_values()
            })
        });
        let rows: Vec<_> = rows.collect::<Option<_>>()?;
        let v = Elimination::from_rows(self.m, &rows, &split.dependent)
            .ok()?
            .complete_speeds(&self.speed_symbols());
        Some(split.dependent.iter().map(|s| v.get(s.index()).copied()).collect())
    }

    /// The speeds as symbols.
    fn speed_symbols(&self) -> Vec<Tracer<'g>> {
        let graph = &self.program.graph;
        let speeds = self.m.speeds.iter().enumerate();
        speeds.map(|(i, s)| Tracer::new(graph, graph.symbol(&s.name, SymbolKind::Speed(i)))).collect()
    }

    /// Positions of the independent rows.
    fn independent_row_indices(&self) -> Vec<usize> {
        (0..self.rows.len()).filter(|i| self.rows[*i].active).collect()
    }

    /// Pairs for Φ, Ψ, A, B and q̇.
    fn formula_pairs(&self) -> Pairs<'g> {
        let (m, n) = (self.m, self.m.nv());
        let mut pairs = Pairs::default();
        let plain = |role| self.reader.read_entries(role, &|_| None);
        let speeds = self.printed_dependent_speeds();
        if speeds.iter().all(|s| s.1.is_some()) {
            let printed = self.reader.read_entries(GroupRole::Rates, &|kind| match kind {
                SymbolKind::Speed(i) => speeds.iter().find(|s| s.0.index() == i).and_then(|s| s.1),
                _ => None,
            });
            for (i, rate) in CoordinateId::enumerate(all_output_values(self.program, functions::RATES)) {
                let sides = printed_entry(&printed, i.index()).map(|x| (x, rate));
                pairs.add_pair(format!("rate of {}", m.coordinates[i].name), sides);
            }
        }
        let positions = plain(GroupRole::Position);
        let emitted = output_values(self.program, functions::POSITION_CONSTRAINTS, 0);
        let holonomic = self.rows.iter().filter(|r| r.holonomic);
        for (i, (row, position)) in holonomic.zip(emitted).enumerate() {
            pairs.add_pair(format!("Φ of {}", row.name), printed_entry(&positions, i).map(|x| (x, position)));
        }
        let residual = output_values(self.program, functions::VELOCITY_CONSTRAINTS, 0);
        let jacobian = output_values(self.program, functions::VELOCITY_CONSTRAINTS, 1);
        let printed = plain(GroupRole::Velocity);
        for (i, k) in (0..self.rows.len()).filter(|k| !self.rows[*k].holonomic).enumerate() {
            let sides = printed_entry(&printed, i).zip(residual.get(k).copied());
            pairs.add_pair(format!("Ψ of {}", self.rows[k].name), sides);
        }
        let (a, drift) = (plain(GroupRole::Jacobian), plain(GroupRole::Drift));
        let v = self.speed_symbols();
        // a₀ is not printed if all of it is zero.
        let drift = |i: usize| if drift.is_empty() { Some(Tracer::ZERO) } else { printed_entry(&drift, i) };
        for (i, k) in self.independent_row_indices().into_iter().enumerate() {
            let row = &self.rows[k].name;
            for (j, speed) in m.speeds.iter().enumerate() {
                let sides = printed_entry(&a, i * n + j).zip(jacobian.get(k * n + j).copied());
                pairs.add_pair(format!("A: row `{row}`, column `{}`", speed.name), sides);
            }
            let velocity = a.get(i * n..(i + 1) * n).and_then(|a| printed_dot_product(a, &v));
            let level = velocity.zip(drift(i)).map(|(x, d)| x + d);
            pairs.add_pair(format!("A v + a₀: row `{row}`"), level.zip(residual.get(k).copied()));
        }
        self.push_null_space_pairs(&a, &drift, &v, &speeds, &mut pairs);
        self.push_input_matrix(&mut pairs);
        pairs
    }

    /// Adds the pairs `A B = 0` and `A v + a₀ = 0`, for the eliminated rows.
    fn push_null_space_pairs(
        &self,
        a: &[Option<Tracer<'g>>],
        drift: &dyn Fn(usize) -> Option<Tracer<'g>>,
        v: &[Tracer<'g>],
        speeds: &[(SpeedId, Option<Tracer<'g>>)],
        pairs: &mut Pairs<'g>,
    ) {
        let Some(split) = self.reader.q.projection.as_ref().filter(|s| s.written) else { return };
        let n = self.m.nv();
        let b = self.reader.read_entries(GroupRole::Complement, &|_| None);
        let full: Option<Vec<Tracer<'g>>> = SpeedId::enumerate(v)
            .map(|(i, v)| speeds.iter().find(|s| s.0 == i).map_or(Some(*v), |s| s.1))
            .collect();
        for (i, k) in
            self.independent_row_indices().into_iter().enumerate().filter(|(_, k)| split.rows.contains(k))
        {
            let Some(row) = a.get(i * n..(i + 1) * n) else { continue };
            let name = &self.rows[k].name;
            for (j, free) in split.independent.iter().enumerate() {
                let column: Option<Vec<Tracer<'g>>> =
                    printed_column(&b, j, split.independent.len()).into_iter().collect();
                let sides = column.and_then(|c| printed_dot_product(row, &c)).map(|x| (x, Tracer::ZERO));
                pairs.add_pair(format!("A B: row `{name}`, column `{}`", self.m.speeds[*free].name), sides);
            }
            if split.substituted {
                let level = full.as_ref().and_then(|v| printed_dot_product(row, v)).zip(drift(i));
                pairs.add_pair(
                    format!("A (B v_i + b) + a₀: row `{name}`"),
                    level.map(|(x, d)| (x + d, Tracer::ZERO)),
                );
            }
        }
    }

    /// Adds `Q(u) − Q(0) = B_u u` for the inputs that realise program constraints.
    fn push_input_matrix(&self, pairs: &mut Pairs<'g>) {
        let realising = self.m.inputs_realising_constraints();
        if realising.is_empty() {
            return;
        }
        let with = self.reader.read_entries(GroupRole::Applied, &|_| None);
        let without = self.reader.read_entries(GroupRole::Applied, &|kind| match kind {
            SymbolKind::Input(i) if realising.contains(&i) => Some(Tracer::ZERO),
            _ => None,
        });
        let b = self.reader.read_entries(GroupRole::InputMatrix, &|_| None);
        let graph = &self.program.graph;
        let u: Vec<Tracer<'g>> = (realising.iter())
            .map(|i| Tracer::new(graph, graph.symbol(&self.m.inputs[*i].name, SymbolKind::Input(*i))))
            .collect();
        for (i, speed) in self.m.speeds.iter().enumerate() {
            let pushed = b.get(i * u.len()..(i + 1) * u.len()).and_then(|b| printed_dot_product(b, &u));
            let moved = printed_entry(&with, i).zip(printed_entry(&without, i)).map(|(x, y)| x - y);
            pairs.add_pair(format!("B_u u: row `{}`", speed.name), moved.zip(pushed));
        }
    }

    /// Equations that the emitted accelerations, multipliers and inputs must satisfy.
    fn motion_pairs(&self) -> Pairs<'g> {
        let (m, n) = (self.m, self.m.nv());
        let mut pairs = Pairs::default();
        let v_dot: Vec<Tracer<'g>> =
            all_output_values(self.program, functions::DQDT).into_iter().skip(m.nq()).take(n).collect();
        let lambda = all_output_values(self.program, functions::MULTIPLIERS);
        let inputs = all_output_values(self.program, functions::PROGRAM_INPUTS);
        let realising = m.inputs_realising_constraints();
        let speeds = self.printed_dependent_speeds();
        if speeds.iter().any(|s| s.1.is_none()) {
            return pairs;
        }
        let read = |role| {
            self.reader.read_entries(role, &|kind| match kind {
                SymbolKind::Speed(i) => speeds.iter().find(|s| s.0.index() == i).and_then(|s| s.1),
                SymbolKind::Acceleration(i) => v_dot.get(i).copied(),
                SymbolKind::Auxiliary(i) => lambda.get(i).copied(),
                SymbolKind::Input(i) => {
                    let place = realising.iter().position(|input| *input == i);
                    place.and_then(|k| inputs.get(k).copied())
                }
                _ => None,
            })
        };
        let active = self.independent_row_indices();
        let (mass, c, force) = (read(GroupRole::Mass), read(GroupRole::Inertial), read(GroupRole::Applied));
        let (a, gamma) = (read(GroupRole::Jacobian), read(GroupRole::Gamma));
        let active_lambda: Vec<Tracer<'g>> = active.iter().filter_map(|k| lambda.get(*k).copied()).collect();
        for (i, speed) in m.speeds.iter().enumerate() {
            let inertial = mass.get(i * n..(i + 1) * n).and_then(|row| printed_dot_product(row, &v_dot));
            let left = inertial.zip(printed_entry(&c, i)).map(|(x, c)| x + c);
            let reaction = printed_dot_product(&printed_column(&a, i, n), &active_lambda);
            let right = printed_entry(&force, i).zip(reaction).map(|(q, x)| q + x);
            pairs.add_pair(format!("equation of `{}`", speed.name), left.zip(right));
        }
        for (row, gamma) in self.selected_rows(&active, &a, &gamma) {
            pairs.add_pair(
                format!("A v̇ = γ: row `{}`", row.name),
                printed_dot_product(&row.entries, &v_dot).zip(gamma),
            );
        }
        let residuals = read(GroupRole::Position);
        for (sides, (i, speed)) in read(GroupRole::Motion).chunks_exact(2).zip(SpeedId::enumerate(&m.speeds))
        {
            // Subtracts the multiples of Φ that were added to shorten the factors of λ.
            let reductions = self.reader.q.reductions.iter().filter(|x| x.speed == i);
            let right = reductions.fold(sides[1], |right, x| {
                let place = self.rows[..x.residual].iter().filter(|row| row.holonomic).count();
                Some(right? - x.signed_residual(printed_entry(&residuals, place)?) * *lambda.get(x.row)?)
            });
            pairs.add_pair(format!("equation of `{}`, as written out", speed.name), sides[0].zip(right));
        }
        self.push_projected_equations(&read, &v_dot, &lambda, &mut pairs);
        let (g, gamma) = (read(GroupRole::ProgramJacobian), read(GroupRole::ProgramGamma));
        for (i, row) in g.chunks_exact(n.max(1)).enumerate() {
            pairs.add_pair(
                format!("G v̇ = γ_G: row {}", i + 1),
                printed_dot_product(row, &v_dot).zip(printed_entry(&gamma, i)),
            );
        }
        pairs
    }

    /// Printed rows of A with γ. Of rows in groups, only those selected in the pose are returned:
    /// the others hold only on the constraints.
    fn selected_rows(
        &self,
        active: &[usize],
        a: &[Option<Tracer<'g>>],
        gamma: &[Option<Tracer<'g>>],
    ) -> Vec<(PrintedRow<'g>, Option<Tracer<'g>>)> {
        let n = self.m.nv();
        let entries = |i: usize| a.get(i * n..(i + 1) * n).unwrap_or_default().to_vec();
        if self.partition.groups.is_empty() {
            let rows = active.iter().enumerate().map(|(i, k)| {
                (
                    PrintedRow { name: self.rows[*k].name.clone(), entries: entries(i) },
                    printed_entry(gamma, i),
                )
            });
            return rows.collect();
        }
        let all = self.rows.iter().enumerate().map(|(k, row)| {
            let (jacobian, gamma) = match active.iter().position(|x| *x == k) {
                Some(i) => (entries(i).into_iter().collect::<Option<Vec<_>>>()?, printed_entry(gamma, i)?),
                None => (vec![Tracer::ZERO; n], Tracer::ZERO),
            };
            Some(ConstraintRow { jacobian, gamma, ..row.without_values() })
        });
        let Some(all) = all.collect::<Option<Vec<_>>>() else { return Vec::new() };
        let selected = kinematics::Selection::new(self.m, self.partition, &all).rows.into_iter();
        let rows = selected.map(|row| {
            let entries = row.jacobian.into_iter().map(Some).collect();
            (PrintedRow { name: row.name, entries }, Some(row.gamma))
        });
        rows.collect()
    }

    /// Adds the projected equations and the dependent accelerations.
    fn push_projected_equations(
        &self,
        read: &dyn Fn(GroupRole) -> Vec<Option<Tracer<'g>>>,
        v_dot: &[Tracer<'g>],
        lambda: &[Tracer<'g>],
        pairs: &mut Pairs<'g>,
    ) {
        let Some(split) = self.reader.q.projection.as_ref().filter(|s| s.written) else { return };
        let (n, count) = (self.m.nv(), split.independent.len());
        let independent: Vec<Tracer<'g>> = split.independent.iter().map(|s| v_dot[*s]).collect();
        let (b, beta, a) = (read(GroupRole::Complement), read(GroupRole::Beta), read(GroupRole::Jacobian));
        for (i, s) in split.dependent.iter().enumerate() {
            let row = s.index() * count..(s.index() + 1) * count;
            let moved = b.get(row).and_then(|row| printed_dot_product(row, &independent));
            let sides = moved.zip(printed_entry(&beta, i)).map(|(x, beta)| (x + beta, v_dot[*s]));
            pairs.add_pair(format!("B v̇_i + β: row `{}`", self.m.speeds[*s].name), sides);
        }
        let (mass, c, force) =
            (read(GroupRole::ReducedMass), read(GroupRole::ReducedInertial), read(GroupRole::ReducedApplied));
        let active = self.independent_row_indices();
        for (i, s) in split.independent.iter().enumerate() {
            let inertial =
                mass.get(i * count..(i + 1) * count).and_then(|row| printed_dot_product(row, &independent));
            let left = inertial.zip(printed_entry(&c, i)).map(|(x, c)| x + c);
            let direction: Option<Vec<Tracer<'g>>> = printed_column(&b, i, count).into_iter().collect();
            let remaining = active.iter().enumerate().filter(|(_, k)| !split.rows.contains(k));
            let right = remaining.fold(printed_entry(&force, i), |sum, (row, k)| {
                let along = printed_dot_product(a.get(row * n..(row + 1) * n)?, direction.as_ref()?)?;
                Some(sum? + along * *lambda.get(*k)?)
            });
            pairs.add_pair(format!("projected equation of `{}`", self.m.speeds[*s].name), left.zip(right));
        }
        for (sides, s) in read(GroupRole::ReducedMotion).chunks_exact(2).zip(&split.independent) {
            let name = format!("projected equation of `{}`, as written out", self.m.speeds[*s].name);
            pairs.add_pair(name, sides[0].zip(sides[1]));
        }
    }
}
