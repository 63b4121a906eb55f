//! The equations of motion of a report: constraints, `M v̇ + c = Q + Aᵀ λ`, `A v̇ = γ`, also row by
//! row.
//!
//! Problem: M, c and Q alone describe the mechanism without its constraints.
//! Method:  rows of `kinematics::constraint_rows`; independent rows enter A, γ and λ; γ includes
//!          Baumgarte's terms if the spec has them; accelerations and multipliers are symbols in
//!          the equations that are written out.
//! Shapes:  speeds in spec order; rows in spec order.
//! Limits:  multipliers and accelerations are not printed as formulas: they are quotients of large
//!          polynomials.

use super::equations::{Row, System, WRITTEN_OUT, names_of_speeds, numbered, rows_named, sides};
use super::forces::{Forces, forces};
use super::groups::{Arrangement, GroupRole, Recorder, Split};
use super::view::{Form, Part};
use super::{constraints, drives, letters, projection, reduced, robot};
use dqdt_algebra::{Number, Scalar};
use dqdt_derivation::derive;
use dqdt_document::report::{Block, Math, Prose};
use dqdt_graph::ir::{SymbolKind, Tracer};
use dqdt_mechanics::formalism::{self, Formalism, Implicit};
use dqdt_mechanics::kinematics;
use dqdt_mechanics::mechanism::{Environment, Instant, Mechanism, Partition, SpeedId};

/// Heading of the equations of motion.
pub(super) const MOTION: &str = "Equations of motion";
/// Heading of the matrices of the equations of motion.
const MATRICES: &str = "Matrices of the equations of motion";
const CONSTRAINTS: &str = "Constraints";
const PROGRAM: &str = "Program constraints";

/// Adds constraints, equations of motion and their projections to the report. Returns the partition
/// of the speeds, if the equations are projected.
pub(super) fn groups<'g>(
    r: &mut Recorder<'g>,
    m: &Mechanism,
    partition: &Partition,
    formalism: Formalism,
    symbols: &Instant<Tracer<'g>>,
    inputs: &[Tracer<'g>],
) -> Option<Split> {
    let graph = r.graph;
    let number = |n: Number| Tracer::number(graph, n);
    let env = Environment { partition, ..symbols.with_inputs(&number, inputs) };
    let named = |name: String, kind| Tracer::new(graph, graph.symbol(&letters::unused(m, name), kind));
    let rows = kinematics::constraint_rows(m, &env);
    let system = System {
        accelerations: (m.speeds.iter().enumerate())
            .map(|(i, s)| named(letters::acceleration(&s.name), SymbolKind::Acceleration(i)))
            .collect(),
        multipliers: (rows.iter().enumerate())
            .map(|(i, row)| named(letters::multiplier(&row.name), SymbolKind::Auxiliary(i)))
            .collect(),
        rows,
    };
    held(r, m, &system, &env);
    let e = formalism::implicit(formalism, m, &env);
    let forces = forces(m, formalism, &env);
    motion(r, m, partition, formalism, &system, &e, &forces);
    if m.nv() <= WRITTEN_OUT {
        robot::groups(r, m, formalism, &system, &env, &e, &forces);
    }
    if m.nv() <= WRITTEN_OUT {
        drives::group(r, m, &system, &env);
    }
    let split = projection::groups(r, m, formalism, &system, &env);
    programs(r, m, &env);
    split
}

/// Adds the constraint rows: Φ, Ψ, A, a₀ and γ.
fn held<'g>(r: &mut Recorder<'g>, m: &Mechanism, system: &System<'g>, env: &Environment<'_, Tracer<'g>>) {
    if system.rows.is_empty() {
        return;
    }
    r.at(Part::Constraints, &[]);
    r.say(CONSTRAINTS, vec![constraints::table(m, env.partition, "Rows of the constraints", &system.rows)]);
    levels(r, CONSTRAINTS, &system.rows, [GroupRole::Position, GroupRole::Velocity]);
    r.say(CONSTRAINTS, constraints::notes(env.partition, &system.rows));
    let active: Vec<&Row<'g>> = system.rows.iter().filter(|row| row.independent(env.partition)).collect();
    if active.is_empty() {
        return;
    }
    let (a, v, zero) = (letters::bold("A"), letters::bold("v"), Math::integer(0));
    let held = letters::sum([letters::product([a.clone(), v.clone()]), letters::bold("a").part("0")]);
    let level = letters::product([a.clone(), v.dot()]);
    r.relations(
        CONSTRAINTS,
        "Of speeds and accelerations the rows ask:",
        vec![(held, zero), (level, letters::gamma())],
    );
    let list = |rows: &[&Row<'_>]| rows.iter().map(|row| row.name.as_str()).collect::<Vec<_>>().join(", ");
    let all: Vec<SpeedId> = m.speed_ids().collect();
    let note = Prose::from(format!("rows: {}; columns: ", list(&active))) + names_of_speeds(m, &all);
    let entries: Vec<Tracer<'g>> = active.iter().flat_map(|row| row.jacobian.iter().copied()).collect();
    r.push(CONSTRAINTS, note, GroupRole::Jacobian, Arrangement::Matrix(a, m.nv().max(1)), &entries);
    let drift: Vec<Tracer<'g>> = active.iter().map(|row| row.drift).collect();
    if drift.iter().all(|x| x.is_zero()) {
        r.say(CONSTRAINTS, vec![Block::Paragraph(letters::prose("$a₀ = 0$: without speeds no row moves."))]);
    } else {
        let names = active.iter().map(|row| letters::of_row("a0", &row.name)).collect();
        let note = letters::prose("$a₀$, what is there without speeds");
        r.push(CONSTRAINTS, note, GroupRole::Drift, Arrangement::Equations(names), &drift);
    }
    let gamma: Vec<Tracer<'g>> = active.iter().map(|row| row.stabilised(m, env)).collect();
    stabilisation(r, m, &active, env);
    let note = match stabilised(m, &active).is_empty() {
        true => "$γ = −(Ȧ v + ȧ₀)$",
        false => "$γ$ as it is used: $−(Ȧ v + ȧ₀)$ and the terms of stabilisation",
    };
    let note = letters::prose(note);
    r.push(CONSTRAINTS, note, GroupRole::Gamma, Arrangement::Equations(rows_named("gamma", &active)), &gamma);
}

/// Adds Φ of the rows that have it, and Ψ of the others.
fn levels<'g>(r: &mut Recorder<'g>, heading: &str, rows: &[Row<'g>], roles: [GroupRole; 2]) {
    let (held, moving): (Vec<&Row<'g>>, Vec<&Row<'g>>) = rows.iter().partition(|x| x.position.is_some());
    if !held.is_empty() {
        let values: Vec<Tracer<'g>> = held.iter().filter_map(|x| x.position).collect();
        let names = Arrangement::Equations(rows_named("Phi", &held));
        r.push(heading, letters::prose("holonomic rows, $Φ(q, t) = 0$"), roles[0], names, &values);
    }
    if !moving.is_empty() {
        let values: Vec<Tracer<'g>> = moving.iter().map(|x| x.velocity).collect();
        let names = Arrangement::Equations(rows_named("Psi", &moving));
        r.push(
            heading,
            letters::prose("rows of speeds, $Ψ(q, v, t) = 0$, linear in $v$"),
            roles[1],
            names,
            &values,
        );
    }
}

fn stabilised<'r, 'g>(m: &Mechanism, rows: &[&'r Row<'g>]) -> Vec<&'r Row<'g>> {
    rows.iter().filter(|row| m.constraints[row.constraint].stabilisation.is_some()).copied().collect()
}

/// Adds α and β of Baumgarte's stabilisation, and γ without its terms, for stabilised rows.
fn stabilisation<'g>(
    r: &mut Recorder<'g>,
    m: &Mechanism,
    active: &[&Row<'g>],
    env: &Environment<'_, Tracer<'g>>,
) {
    let rows = stabilised(m, active);
    if rows.is_empty() {
        return;
    }
    let heading = if m.constraints[rows[0].constraint].is_program() { PROGRAM } else { CONSTRAINTS };
    let text = "Stabilised after Baumgarte: $Φ̈ + 2 α Φ̇ + β² Φ = 0$ instead of $Φ̈ = 0$, and $Ψ̇ + α Ψ = 0$ instead of $Ψ̇ = 0$. So \
                $−2 α Φ̇ − β² Φ$ or $−α Ψ$ is added to $γ$ of these rows.";
    r.say(heading, vec![Block::Paragraph(letters::prose(text))]);
    let (mut names, mut values) = (Vec::new(), Vec::new());
    let mut last = None;
    for row in &rows {
        let c = &m.constraints[row.constraint];
        let Some(s) = c.stabilisation.as_ref().filter(|_| last != Some(row.constraint)) else { continue };
        last = Some(row.constraint);
        names.push(letters::of_row("alpha", &c.name));
        values.push(s.alpha.eval(env));
        if row.position.is_some() {
            names.push(letters::of_row("beta", &c.name));
            values.push(s.beta.eval(env));
        }
    }
    r.push(
        heading,
        letters::prose("$α$ and $β$ of the constraints [1/s]"),
        GroupRole::Other,
        Arrangement::Equations(names),
        &values,
    );
    let gamma: Vec<Tracer<'g>> = rows.iter().map(|row| row.gamma).collect();
    let names = Arrangement::Equations(rows_named("gamma", &rows));
    let note = letters::prose("of these rows, $γ$ without stabilisation");
    r.push(heading, note, GroupRole::Other, names, &gamma);
}

/// Adds one equation for each speed, the matrices M, c and Q, and the meaning of λ.
fn motion<'g>(
    r: &mut Recorder<'g>,
    m: &Mechanism,
    partition: &Partition,
    formalism: Formalism,
    system: &System<'g>,
    e: &Implicit<Tracer<'g>>,
    forces: &Forces<Tracer<'g>>,
) {
    let active = system.active(partition);
    let n = m.nv();
    if n <= WRITTEN_OUT {
        let substituted = !partition.eliminated.is_empty();
        r.at(Part::Equations, if substituted { &[Form::Scalar] } else { &[Form::Scalar, Form::Constrained] });
        r.reductions = reduced::reductions(r.graph, m, system, &active);
        let entry = |i: usize, k: usize| {
            let own = r.reductions.iter().filter(|x| x.speed.index() == i && x.row == k);
            let added = own.filter_map(|x| Some(x.signed(system.rows[x.residual].position?)));
            added.fold(system.rows[k].jacobian[i], |sum, x| sum + x)
        };
        let both: Vec<_> = (0..n)
            .flat_map(|i| {
                let held = active.iter().map(|k| (entry(i, *k), system.multipliers[*k]));
                let inertia = e.mass[i].iter().copied().zip(system.accelerations.iter().copied());
                sides(inertia, e.c[i], forces.conservative[i], forces.other[i], held)
            })
            .collect();
        let mut note = Prose::from("one equation a speed");
        if !active.is_empty() {
            note = note + ", with the multipliers " + letters::lambda() + " of the constraints below";
        }
        if !r.reductions.is_empty() {
            note = note + letters::prose("; what multiplies them is shortened by $Φ = 0$");
        }
        r.sums(MOTION, note, GroupRole::Motion, &both);
    }
    r.at(Part::Equations, &[Form::Implicit]);
    let (v, a) = (letters::bold("v"), letters::bold("A"));
    let left = letters::sum([letters::product([letters::bold("M"), v.dot()]), letters::bold("c")]);
    let pushed = || letters::product([a.transposed(), letters::lambda()]);
    let all: Vec<SpeedId> = m.speed_ids().collect();
    let speeds = names_of_speeds(m, &all);
    let mut relations = Vec::new();
    let mut text = letters::prose("With the speeds $v$ = (") + speeds.clone() + ")";
    if active.is_empty() {
        relations.push((left, letters::bold("Q")));
    } else {
        let names = Prose::list(active.iter().map(|i| letters::of_multiplier(&system.rows[*i].name)), ", ");
        text = text + " and the multipliers " + letters::lambda() + " = (" + names + ")";
        relations.push((left, letters::sum([letters::bold("Q"), pushed()])));
        relations.push((letters::product([a.clone(), v.dot()]), letters::gamma()));
    }
    r.relations(MATRICES, text + ":", relations);
    if !active.is_empty() {
        r.say(MATRICES, vec![Block::Paragraph(constraints::how(m, formalism))]);
    }
    let note = Prose::from("mass matrix; rows and columns: ") + speeds;
    let mass = e.mass.concat();
    r.push(MATRICES, note, GroupRole::Mass, Arrangement::Matrix(letters::bold("M"), n.max(1)), &mass);
    let names = |letter: &str| Arrangement::Equations(numbered(&letters::of_entries(m, letter), n));
    let note = letters::prose("velocity-dependent inertia terms $c(q, v)$");
    r.push(MATRICES, note, GroupRole::Inertial, names("c"), &e.c);
    let note = letters::prose("applied generalised forces $Q$, gravity included");
    r.push(MATRICES, note, GroupRole::Applied, names("Q"), &e.force);
    if !system.rows.is_empty() {
        r.at(Part::Constraints, &[]);
        r.say("Multipliers", constraints::multipliers(m, partition, &system.rows));
    }
}

/// Adds the program constraints: rows that inputs realise.
fn programs<'g>(r: &mut Recorder<'g>, m: &Mechanism, env: &Environment<'_, Tracer<'g>>) {
    let rows = kinematics::program_rows(m, env);
    if rows.is_empty() {
        return;
    }
    r.at(Part::Constraints, &[]);
    let all: Vec<&Row<'g>> = rows.iter().collect();
    let chosen = m.realising_inputs();
    let inputs = letters::names(chosen.iter().map(|i| m.inputs[*i].name.as_str()));
    let text = letters::prose("These rows are no law of mechanics and have no reactions: the inputs $u$ = (")
        + inputs.clone()
        + letters::prose(
            ") hold them at zero. $Q$ is linear in these inputs, $Q = Q₀ + Bᵤ u$; they are what makes $G v̇$ = ",
        )
        + Math::identifier("gamma_G")
        + " of the accelerations above.";
    let table = constraints::table(m, env.partition, "Rows, and the input that realises each", &rows);
    r.say(PROGRAM, vec![Block::Paragraph(text), table]);
    levels(r, PROGRAM, &rows, [GroupRole::ProgramPosition, GroupRole::ProgramVelocity]);
    let names = rows.iter().map(|row| row.name.as_str()).collect::<Vec<_>>().join(", ");
    let speeds: Vec<SpeedId> = m.speed_ids().collect();
    let note = Prose::from(format!("rows: {names}; columns: ")) + names_of_speeds(m, &speeds);
    let entries: Vec<Tracer<'g>> = rows.iter().flat_map(|row| row.jacobian.iter().copied()).collect();
    let layout = Arrangement::Matrix(letters::bold("G"), m.nv().max(1));
    r.push(PROGRAM, note, GroupRole::ProgramJacobian, layout, &entries);
    stabilisation(r, m, &all, env);
    let gamma: Vec<Tracer<'g>> = rows.iter().map(|row| row.stabilised(m, env)).collect();
    let names = Arrangement::Equations(rows_named("gamma", &all));
    let feedback = if stabilised(m, &all).is_empty() { "" } else { ", feedback included" };
    let note = letters::name("gamma_G") + feedback;
    r.push(PROGRAM, note, GroupRole::ProgramGamma, names, &gamma);
    let columns: Vec<Vec<Tracer<'g>>> = chosen.iter().map(|k| derive::force_column(m, env, *k)).collect();
    let entries: Vec<Tracer<'g>> =
        (0..m.nv()).flat_map(|i| columns.iter().map(move |column| column[i])).collect();
    let note = letters::prose("$Bᵤ = ∂Q/∂u$; rows: speeds; columns: ") + inputs;
    let layout = Arrangement::Matrix(letters::bold("B").part("u"), chosen.len().max(1));
    r.push(PROGRAM, note, GroupRole::InputMatrix, layout, &entries);
}
