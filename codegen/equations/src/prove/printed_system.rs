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

use super::claim::{Claim, dot, ids, with_symbols};
use super::programs;
use crate::inspect::{self, Elimination, GroupRole, Quantities, Split};
use crate::symbolic::{Assumptions, Closed, Expressions, Query, record};
use dqdt_algebra::{Number, Scalar};
use dqdt_derivation::assemble::Assembled;
use dqdt_derivation::derive::Request;
use dqdt_derivation::functions;
use dqdt_derivation::symbols::{self, symbols};
use dqdt_generate::pipeline;
use dqdt_graph::ir::{Declaration, Graph, Program, SymbolKind, Tracer};
use dqdt_mechanics::formalism::Formalism;
use dqdt_mechanics::kinematics::{self, ConstraintRow};
use dqdt_mechanics::mechanism::{CoordinateId, Mechanism, Partition, RowIndex, SpeedId, Treatment};

/// A constraint row with its printed entries of A; `None` for an entry without a closed form.
struct PrintedRow<'g> {
    name: String,
    entries: Vec<Option<Tracer<'g>>>,
}

/// Name and properties of a constraint row.
struct Row {
    name: String,
    place: RowIndex,
    active: bool,
    holonomic: bool,
}

fn rows(m: &Mechanism, partition: &Partition) -> Vec<Row> {
    let graph = Graph::new();
    with_symbols(&graph, m, partition, |env| {
        let row = |r: ConstraintRow<Tracer<'_>>| Row {
            active: r.independent(partition),
            holonomic: r.position.is_some(),
            place: r.place(),
            name: r.name,
        };
        kinematics::constraint_rows(m, env).into_iter().map(row).collect()
    })
}

/// Named pairs of expressions that must be equal.
#[derive(Default)]
struct Pairs<'g> {
    left: Vec<Tracer<'g>>,
    right: Vec<Tracer<'g>>,
    entries: Vec<String>,
}

impl<'g> Pairs<'g> {
    /// Adds a pair, unless a part of it is not printed.
    fn push(&mut self, name: String, sides: Option<(Tracer<'g>, Tracer<'g>)>) {
        let Some((left, right)) = sides else { return };
        self.left.push(left);
        self.right.push(right);
        self.entries.push(name);
    }

    fn query(&self, graph: &Graph) -> Query {
        Query::ProveEqual {
            left: Expressions::new(graph, &ids(graph, &self.left)),
            right: Expressions::new(graph, &ids(graph, &self.right)),
        }
    }
}

/// One output of a function of the program, by position.
fn first<'g>(program: &'g Program, kind: &Declaration, output: usize) -> Vec<Tracer<'g>> {
    let function = program.function(kind);
    let nodes = function.and_then(|f| f.outputs.get(output)).map(|o| o.nodes.clone());
    nodes.unwrap_or_default().into_iter().map(|n| Tracer::new(&program.graph, n)).collect()
}

/// All outputs of a function of the program.
fn all<'g>(program: &'g Program, kind: &Declaration) -> Vec<Tracer<'g>> {
    let outputs = program.functions.iter().filter(|f| f.is(kind)).flat_map(|f| &f.outputs);
    outputs.flat_map(|o| &o.nodes).map(|n| Tracer::new(&program.graph, *n)).collect()
}

/// Reads printed forms into the graph of the emitted functions.
struct Reader<'a, 'g> {
    q: &'a Quantities,
    of: &'a Expressions,
    forms: &'a [Option<Closed>],
    graph: &'g Graph,
    /// Values of the report's names, as returned by [`named`].
    named: Vec<(SymbolKind, Tracer<'g>)>,
}

/// Values of derived parameters, limited inputs, lengths and named formulas, as nodes of the graph.
fn named<'g>(graph: &'g Graph, m: &Mechanism) -> Vec<(SymbolKind, Tracer<'g>)> {
    let number = |n: Number| Tracer::number(graph, n);
    let symbols = symbols(graph, m);
    let saturated = kinematics::saturate_inputs(m, &symbols.environment(&number));
    let free = symbols::free_parameters(m).len();
    let derived = symbols::derived_parameters(m).into_iter().enumerate();
    let derived = derived.map(|(k, i)| (SymbolKind::Parameter(free + k), symbols.p[i]));
    let limited = saturated.iter().copied().enumerate().filter(|(i, _)| m.inputs[*i].limits.is_some());
    let env = symbols.environment(&number);
    let lengths = inspect::lengths(m, &kinematics::kinematics(m, &env), &env);
    let formulas = inspect::named_formulas(m, &symbols.with_inputs(&number, &saturated));
    let limited = limited.map(|(i, u)| (SymbolKind::Input(m.inputs.len() + i), u));
    derived.chain(limited).chain(lengths).chain(formulas).collect()
}

impl<'g> Reader<'_, 'g> {
    /// Printed entries of the groups with a role. `known` gives values of symbols; the others
    /// remain symbols.
    fn read(
        &self,
        role: GroupRole,
        known: &dyn Fn(SymbolKind) -> Option<Tracer<'g>>,
    ) -> Vec<Option<Tracer<'g>>> {
        let symbol = |kind: SymbolKind, name: &str| {
            let meant = known(kind).or_else(|| self.named.iter().find(|n| n.0 == kind).map(|n| n.1));
            meant.unwrap_or_else(|| Tracer::new(self.graph, self.graph.symbol(name, kind)))
        };
        let mut at = 0;
        let mut out = Vec::new();
        for group in &self.q.groups {
            let own = at..at + group.nodes.len();
            at = own.end;
            if group.role == role {
                let forms = self.forms.get(own).unwrap_or_default().iter();
                out.extend(forms.map(|f| record(f.as_ref()?, self.graph, self.of, &symbol)));
            }
        }
        out
    }
}

/// The sum `Σ aᵢ bᵢ` of printed entries; `None` if one is missing.
fn product<'g>(a: &[Option<Tracer<'g>>], b: &[Tracer<'g>]) -> Option<Tracer<'g>> {
    let a: Vec<Tracer<'g>> = a.iter().copied().collect::<Option<_>>()?;
    Some(dot(&a, b))
}

fn entry<'g>(of: &[Option<Tracer<'g>>], i: usize) -> Option<Tracer<'g>> {
    of.get(i).copied().flatten()
}

/// A matrix column: entries `from`, `from + step`, ….
fn column<'g>(of: &[Option<Tracer<'g>>], from: usize, step: usize) -> Vec<Option<Tracer<'g>>> {
    of.iter().skip(from).step_by(step.max(1)).copied().collect()
}

/// Claims that the printed system is the emitted one; `forms` has one form for each entry of `q`.
pub fn printed_system(
    loaded: &Assembled,
    q: &Quantities,
    of: &Expressions,
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
    let system = System {
        m,
        partition: &whole.partition,
        rows: rows(m, &whole.partition),
        program: &program,
        reader: Reader { q, of, forms, graph: &program.graph, named: named(&program.graph, m) },
    };
    let (formulas, motion) = (system.formulas(), system.motion());
    // Rows that the pose selects determine the eliminated speeds consistently on the constraints
    // only; elsewhere two selections give different results.
    let eliminates = m.constraints.iter().any(|c| matches!(c.treatment, Treatment::Elimination(_)));
    let on_constraints = eliminates && !whole.partition.groups.is_empty();
    let assumptions = Assumptions { on_constraints, ..programs::limits(m) };
    let mut claims = Vec::new();
    if !formulas.entries.is_empty() {
        claims.push(Claim {
            title: match system.rows.is_empty() {
                true => "printed: q̇ is that of the emitted functions",
                false => "printed: Φ, Ψ, A, B and q̇ are those of the emitted functions",
            }
            .to_owned(),
            query: formulas.query(&program.graph),
            entries: formulas.entries,
            assumptions: Assumptions { on_constraints, ..super::claim::assumptions(m) },
            about: None,
        });
    }
    if !motion.entries.is_empty() {
        claims.push(Claim {
            title: match system.rows.is_empty() {
                true => "printed: the emitted accelerations solve M v̇ + c = Q as it is printed",
                false => {
                    "printed: the emitted accelerations and multipliers solve M v̇ + c = Q + Aᵀ λ, A v̇ = γ as \
                          they are printed"
                }
            }
            .to_owned(),
            query: motion.query(&program.graph),
            entries: motion.entries,
            assumptions,
            about: None,
        });
    }
    claims
}

struct System<'a, 'g> {
    m: &'a Mechanism,
    partition: &'a Partition,
    rows: Vec<Row>,
    program: &'g Program,
    reader: Reader<'a, 'g>,
}

impl<'g> System<'_, 'g> {
    /// Dependent speeds as printed, if emitted functions compute them: by their equations or, if
    /// these are too long to print, from the constraint rows.
    fn speeds(&self) -> Vec<(SpeedId, Option<Tracer<'g>>)> {
        let Some(split) = self.reader.q.projection.as_ref().filter(|s| s.substituted) else {
            return Vec::new();
        };
        let values = match split.written {
            true => self.reader.read(GroupRole::DependentSpeeds, &|_| None),
            false => self.solved(split).unwrap_or_else(|| vec![None; split.dependent.len()]),
        };
        split.dependent.iter().copied().zip(values).collect()
    }

    /// Solves the printed rows `A v + a₀ = 0` for the dependent speeds.
    fn solved(&self, split: &Split) -> Option<Vec<Option<Tracer<'g>>>> {
        let n = self.m.nv();
        let plain = |role| self.reader.read(role, &|_| None);
        let (a, drift) = (plain(GroupRole::Jacobian), plain(GroupRole::Drift));
        let active = self.active();
        let row = |k: &usize| {
            let i = active.iter().position(|x| x == k)?;
            Some(ConstraintRow {
                constraint: self.rows[*k].place.constraint,
                index: self.rows[*k].place.row,
                name: self.rows[*k].name.clone(),
                position: None,
                velocity: Tracer::ZERO,
                jacobian: a.get(i * n..(i + 1) * n)?.iter().copied().collect::<Option<_>>()?,
                gamma: Tracer::ZERO,
                // a₀ is not printed if all of it is zero.
                drift: if drift.is_empty() { Tracer::ZERO } else { entry(&drift, i)? },
            })
        };
        let rows: Vec<_> = split.rows.iter().map(row).collect::<Option<_>>()?;
        let v = Elimination::of_rows(self.m, &rows, &split.dependent).ok()?.speeds(&self.symbols());
        Some(split.dependent.iter().map(|s| v.get(s.index()).copied()).collect())
    }

    /// The speeds as symbols.
    fn symbols(&self) -> Vec<Tracer<'g>> {
        let graph = &self.program.graph;
        let speeds = self.m.speeds.iter().enumerate();
        speeds.map(|(i, s)| Tracer::new(graph, graph.symbol(&s.name, SymbolKind::Speed(i)))).collect()
    }

    /// Positions of the independent rows.
    fn active(&self) -> Vec<usize> {
        (0..self.rows.len()).filter(|i| self.rows[*i].active).collect()
    }

    /// Pairs for Φ, Ψ, A, B and q̇.
    fn formulas(&self) -> Pairs<'g> {
        let (m, n) = (self.m, self.m.nv());
        let mut pairs = Pairs::default();
        let plain = |role| self.reader.read(role, &|_| None);
        let speeds = self.speeds();
        let dependent = |kind: SymbolKind| match kind {
            SymbolKind::Speed(i) => speeds.iter().find(|s| s.0.index() == i).and_then(|s| s.1),
            _ => None,
        };
        if speeds.iter().all(|s| s.1.is_some()) {
            let printed = self.reader.read(GroupRole::Rates, &dependent);
            for (i, own) in CoordinateId::enumerate(all(self.program, functions::RATES)) {
                let sides = entry(&printed, i.index()).map(|x| (x, own));
                pairs.push(format!("rate of {}", m.coordinates[i].name), sides);
            }
        }
        let positions = plain(GroupRole::Position);
        let emitted = first(self.program, functions::POSITION_CONSTRAINTS, 0);
        let holonomic = self.rows.iter().filter(|r| r.holonomic);
        for (i, (row, own)) in holonomic.zip(emitted).enumerate() {
            pairs.push(format!("Φ of {}", row.name), entry(&positions, i).map(|x| (x, own)));
        }
        let residual = first(self.program, functions::VELOCITY_CONSTRAINTS, 0);
        let jacobian = first(self.program, functions::VELOCITY_CONSTRAINTS, 1);
        let printed = plain(GroupRole::Velocity);
        for (i, k) in (0..self.rows.len()).filter(|k| !self.rows[*k].holonomic).enumerate() {
            let sides = entry(&printed, i).zip(residual.get(k).copied());
            pairs.push(format!("Ψ of {}", self.rows[k].name), sides);
        }
        let (a, drift) = (plain(GroupRole::Jacobian), plain(GroupRole::Drift));
        let v = self.symbols();
        // a₀ is not printed if all of it is zero.
        let drift = |i: usize| if drift.is_empty() { Some(Tracer::ZERO) } else { entry(&drift, i) };
        for (i, k) in self.active().into_iter().enumerate() {
            let row = &self.rows[k].name;
            for (j, speed) in m.speeds.iter().enumerate() {
                let sides = entry(&a, i * n + j).zip(jacobian.get(k * n + j).copied());
                pairs.push(format!("A of {row} and {}", speed.name), sides);
            }
            let own = a.get(i * n..(i + 1) * n).and_then(|a| product(a, &v));
            let level = own.zip(drift(i)).map(|(x, d)| x + d);
            pairs.push(format!("A v + a₀ of {row}"), level.zip(residual.get(k).copied()));
        }
        self.complement(&a, &drift, &v, &speeds, &mut pairs);
        self.input_matrix(&mut pairs);
        pairs
    }

    /// Adds `A B = 0` and `A v + a₀ = 0` for the eliminated rows.
    fn complement(
        &self,
        a: &[Option<Tracer<'g>>],
        drift: &dyn Fn(usize) -> Option<Tracer<'g>>,
        v: &[Tracer<'g>],
        speeds: &[(SpeedId, Option<Tracer<'g>>)],
        pairs: &mut Pairs<'g>,
    ) {
        let Some(split) = self.reader.q.projection.as_ref().filter(|s| s.written) else { return };
        let n = self.m.nv();
        let b = self.reader.read(GroupRole::Complement, &|_| None);
        let full: Option<Vec<Tracer<'g>>> = SpeedId::enumerate(v)
            .map(|(i, v)| speeds.iter().find(|s| s.0 == i).map_or(Some(*v), |s| s.1))
            .collect();
        for (i, k) in self.active().into_iter().enumerate().filter(|(_, k)| split.rows.contains(k)) {
            let Some(row) = a.get(i * n..(i + 1) * n) else { continue };
            let name = &self.rows[k].name;
            for (j, free) in split.independent.iter().enumerate() {
                let column: Option<Vec<Tracer<'g>>> =
                    column(&b, j, split.independent.len()).into_iter().collect();
                let sides = column.and_then(|c| product(row, &c)).map(|x| (x, Tracer::ZERO));
                pairs.push(format!("A B of {name} and {}", self.m.speeds[*free].name), sides);
            }
            if split.substituted {
                let level = full.as_ref().and_then(|v| product(row, v)).zip(drift(i));
                pairs
                    .push(format!("A (B v_i + b) + a₀ of {name}"), level.map(|(x, d)| (x + d, Tracer::ZERO)));
            }
        }
    }

    /// Adds `Q(u) − Q(0) = B_u u` for the inputs that realise program constraints.
    fn input_matrix(&self, pairs: &mut Pairs<'g>) {
        let chosen = self.m.realising_inputs();
        if chosen.is_empty() {
            return;
        }
        let silent = |kind: SymbolKind| match kind {
            SymbolKind::Input(i) if chosen.contains(&i) => Some(Tracer::ZERO),
            _ => None,
        };
        let (with, without) =
            (self.reader.read(GroupRole::Applied, &|_| None), self.reader.read(GroupRole::Applied, &silent));
        let b = self.reader.read(GroupRole::InputMatrix, &|_| None);
        let graph = &self.program.graph;
        let symbol =
            |i: &usize| Tracer::new(graph, graph.symbol(&self.m.inputs[*i].name, SymbolKind::Input(*i)));
        let u: Vec<Tracer<'g>> = chosen.iter().map(symbol).collect();
        for (i, speed) in self.m.speeds.iter().enumerate() {
            let pushed = b.get(i * u.len()..(i + 1) * u.len()).and_then(|b| product(b, &u));
            let moved = entry(&with, i).zip(entry(&without, i)).map(|(x, y)| x - y);
            pairs.push(format!("B_u u of {}", speed.name), moved.zip(pushed));
        }
    }

    /// Equations that the emitted accelerations, multipliers and inputs must satisfy.
    fn motion(&self) -> Pairs<'g> {
        let (m, n) = (self.m, self.m.nv());
        let mut pairs = Pairs::default();
        let v_dot: Vec<Tracer<'g>> =
            all(self.program, functions::DQDT).into_iter().skip(m.nq()).take(n).collect();
        let lambda = all(self.program, functions::MULTIPLIERS);
        let inputs = all(self.program, functions::PROGRAM_INPUTS);
        let chosen = m.realising_inputs();
        let speeds = self.speeds();
        if speeds.iter().any(|s| s.1.is_none()) {
            return pairs;
        }
        let known = |kind: SymbolKind| match kind {
            SymbolKind::Speed(i) => speeds.iter().find(|s| s.0.index() == i).and_then(|s| s.1),
            SymbolKind::Acceleration(i) => v_dot.get(i).copied(),
            SymbolKind::Auxiliary(i) => lambda.get(i).copied(),
            SymbolKind::Input(i) => chosen.iter().position(|c| *c == i).and_then(|k| inputs.get(k).copied()),
            _ => None,
        };
        let read = |role| self.reader.read(role, &known);
        let active = self.active();
        let (mass, c, force) = (read(GroupRole::Mass), read(GroupRole::Inertial), read(GroupRole::Applied));
        let (a, gamma) = (read(GroupRole::Jacobian), read(GroupRole::Gamma));
        let held: Vec<Tracer<'g>> = active.iter().filter_map(|k| lambda.get(*k).copied()).collect();
        for (i, speed) in m.speeds.iter().enumerate() {
            let inertial = mass.get(i * n..(i + 1) * n).and_then(|row| product(row, &v_dot));
            let left = inertial.zip(entry(&c, i)).map(|(x, c)| x + c);
            let pushed = product(&column(&a, i, n), &held);
            let right = entry(&force, i).zip(pushed).map(|(q, x)| q + x);
            pairs.push(format!("row of {}", speed.name), left.zip(right));
        }
        for (row, gamma) in self.taking_part(&active, &a, &gamma) {
            pairs.push(format!("A v̇ = γ of {}", row.name), product(&row.entries, &v_dot).zip(gamma));
        }
        let residuals = read(GroupRole::Position);
        for (sides, (i, speed)) in read(GroupRole::Motion).chunks_exact(2).zip(SpeedId::enumerate(&m.speeds))
        {
            // Subtracts the multiples of Φ that were added to shorten the factors of λ.
            let own = self.reader.q.reductions.iter().filter(|x| x.speed == i);
            let right = own.fold(sides[1], |right, x| {
                let place = self.rows[..x.residual].iter().filter(|row| row.holonomic).count();
                Some(right? - x.signed(entry(&residuals, place)?) * *lambda.get(x.row)?)
            });
            pairs.push(format!("written out: row of {}", speed.name), sides[0].zip(right));
        }
        self.projected(&read, &v_dot, &lambda, &mut pairs);
        let (g, gamma) = (read(GroupRole::ProgramJacobian), read(GroupRole::ProgramGamma));
        for (i, own) in g.chunks_exact(n.max(1)).enumerate() {
            pairs.push(format!("G v̇ = γ_G, row {}", i + 1), product(own, &v_dot).zip(entry(&gamma, i)));
        }
        pairs
    }

    /// Printed rows of A with γ. Of rows in groups, only those selected in the pose are returned:
    /// the others hold only on the constraints.
    fn taking_part(
        &self,
        active: &[usize],
        a: &[Option<Tracer<'g>>],
        gamma: &[Option<Tracer<'g>>],
    ) -> Vec<(PrintedRow<'g>, Option<Tracer<'g>>)> {
        let n = self.m.nv();
        let entries = |i: usize| a.get(i * n..(i + 1) * n).unwrap_or_default().to_vec();
        if self.partition.groups.is_empty() {
            let row = |(i, k): (usize, &usize)| {
                (PrintedRow { name: self.rows[*k].name.clone(), entries: entries(i) }, entry(gamma, i))
            };
            return active.iter().enumerate().map(row).collect();
        }
        let printed = |(k, row): (usize, &Row)| {
            let (jacobian, gamma) = match active.iter().position(|x| *x == k) {
                Some(i) => (entries(i).into_iter().collect::<Option<Vec<_>>>()?, entry(gamma, i)?),
                None => (vec![Tracer::ZERO; n], Tracer::ZERO),
            };
            Some(ConstraintRow {
                constraint: row.place.constraint,
                index: row.place.row,
                name: row.name.clone(),
                position: None,
                velocity: Tracer::ZERO,
                jacobian,
                gamma,
                drift: Tracer::ZERO,
            })
        };
        let all: Option<Vec<_>> = self.rows.iter().enumerate().map(printed).collect();
        let Some(all) = all else { return Vec::new() };
        let selected = kinematics::Selection::new(self.m, self.partition, &all).rows.into_iter();
        let row = |r: ConstraintRow<Tracer<'g>>| {
            let entries = r.jacobian.into_iter().map(Some).collect();
            (PrintedRow { name: r.name, entries }, Some(r.gamma))
        };
        selected.map(row).collect()
    }

    /// Adds the projected equations and the dependent accelerations.
    fn projected(
        &self,
        read: &dyn Fn(GroupRole) -> Vec<Option<Tracer<'g>>>,
        v_dot: &[Tracer<'g>],
        lambda: &[Tracer<'g>],
        pairs: &mut Pairs<'g>,
    ) {
        let Some(split) = self.reader.q.projection.as_ref().filter(|s| s.written) else { return };
        let (n, count) = (self.m.nv(), split.independent.len());
        let own: Vec<Tracer<'g>> = split.independent.iter().map(|s| v_dot[*s]).collect();
        let (b, beta, a) = (read(GroupRole::Complement), read(GroupRole::Beta), read(GroupRole::Jacobian));
        for (i, s) in split.dependent.iter().enumerate() {
            let row = s.index() * count..(s.index() + 1) * count;
            let moved = b.get(row).and_then(|row| product(row, &own));
            let sides = moved.zip(entry(&beta, i)).map(|(x, beta)| (x + beta, v_dot[*s]));
            pairs.push(format!("B v̇_i + β of {}", self.m.speeds[*s].name), sides);
        }
        let (mass, c, force) =
            (read(GroupRole::ReducedMass), read(GroupRole::ReducedInertial), read(GroupRole::ReducedApplied));
        let active = self.active();
        for (i, s) in split.independent.iter().enumerate() {
            let inertial = mass.get(i * count..(i + 1) * count).and_then(|row| product(row, &own));
            let left = inertial.zip(entry(&c, i)).map(|(x, c)| x + c);
            let direction: Option<Vec<Tracer<'g>>> = column(&b, i, count).into_iter().collect();
            let kept = active.iter().enumerate().filter(|(_, k)| !split.rows.contains(k));
            let pushed = kept.fold(entry(&force, i), |sum, (row, k)| {
                let along = product(a.get(row * n..(row + 1) * n)?, direction.as_ref()?)?;
                Some(sum? + along * *lambda.get(*k)?)
            });
            pairs.push(format!("projected row of {}", self.m.speeds[*s].name), left.zip(pushed));
        }
        for (sides, s) in read(GroupRole::ReducedMotion).chunks_exact(2).zip(&split.independent) {
            let name = format!("written out: projected row of {}", self.m.speeds[*s].name);
            pairs.push(name, sides[0].zip(sides[1]));
        }
    }
}
