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

use super::equations::{
    EquationsOfMotion, TracedRow, equation_sides, numbered_letters, row_symbols, speed_names,
};
use super::forces::{Forces, split_forces};
use super::groups::{Arrangement, GroupRole, Recorder, Reduction, Split};
use super::view::{Form, Part, WRITTEN_OUT};
use super::{constraints, drives, letters, projection, reductions, robot};
use dqdt_algebra::Scalar;
use dqdt_derivation::derive;
use dqdt_document::report::{Block, Math, Prose};
use dqdt_graph::ir::{SymbolKind, Tracer};
use dqdt_mechanics::formalism::{self, Formalism, Implicit};
use dqdt_mechanics::kinematics;
use dqdt_mechanics::mechanism::{Environment, Mechanism, Partition, SpeedId};

/// Heading of the section with the equations of motion.
pub(super) const MOTION: &str = "Equations of motion";
/// Heading of the matrices of the equations of motion.
const MATRICES: &str = "Matrices of the equations of motion";
/// Heading of the constraint rows.
const CONSTRAINTS: &str = "Constraints";
/// Heading of the program constraints.
const PROGRAM: &str = "Program constraints";

/// Adds constraints, equations of motion and their projections to the report. Returns the partition
/// of the speeds, if the equations are projected.
pub(super) fn record_equation_system<'g>(
    r: &mut Recorder<'g>,
    m: &Mechanism,
    formalism: Formalism,
    env: &Environment<'_, Tracer<'g>>,
) -> Option<Split> {
    let graph = r.graph;
    let symbol = |name: String, kind| Tracer::new(graph, graph.symbol(&letters::unused_name(m, name), kind));
    let rows = kinematics::constraint_rows(m, env);
    let system = EquationsOfMotion {
        accelerations: (m.speeds.iter().enumerate())
            .map(|(i, s)| symbol(letters::acceleration_name(&s.name), SymbolKind::Acceleration(i)))
            .collect(),
        multipliers: (rows.iter().enumerate())
            .map(|(i, row)| symbol(letters::multiplier_name(&row.name), SymbolKind::Auxiliary(i)))
            .collect(),
        rows,
    };
    record_constraints(r, m, &system, env);
    let e = formalism::implicit_equations(formalism, m, env);
    let forces = split_forces(m, formalism, env);
    record_motion_equations(r, m, env.partition, formalism, &system, &e, &forces);
    if m.nv() <= WRITTEN_OUT {
        robot::record_robot_form(r, m, formalism, &system, env, &e, &forces);
        drives::record_drives(r, m, &system, env);
    }
    let split = projection::record_projection(r, m, formalism, &system, env);
    record_program_constraints(r, m, env);
    split
}

/// Adds a₀ of the active rows, or a sentence if it is zero.
fn record_drift<'g>(r: &mut Recorder<'g>, active: &[&TracedRow<'g>]) {
    let drift: Vec<Tracer<'g>> = active.iter().map(|row| row.drift).collect();
    if drift.iter().all(|x| x.is_zero()) {
        r.push_blocks(
            CONSTRAINTS,
            vec![Block::Paragraph(letters::prose_with_formulas(
                "$a₀ = 0$, because every term of the rows depends on the speeds.",
            ))],
        );
    } else {
        let names = active.iter().map(|row| letters::row_symbol("a0", &row.name)).collect();
        let note =
            letters::prose_with_formulas("$a₀$, the part of the rows that does not depend on the speeds");
        r.push_group(CONSTRAINTS, note, GroupRole::Drift, Arrangement::Equations(names), &drift);
    }
}

/// Adds the constraint rows: Φ, Ψ, A, a₀ and γ.
fn record_constraints<'g>(
    r: &mut Recorder<'g>,
    m: &Mechanism,
    system: &EquationsOfMotion<'g>,
    env: &Environment<'_, Tracer<'g>>,
) {
    if system.rows.is_empty() {
        return;
    }
    r.set_part(Part::Constraints, &[]);
    r.push_blocks(
        CONSTRAINTS,
        vec![constraints::constraint_rows_table(m, env.partition, "Constraint rows", &system.rows)],
    );
    record_residuals(r, CONSTRAINTS, &system.rows, [GroupRole::Position, GroupRole::Velocity]);
    r.push_blocks(CONSTRAINTS, constraints::constraint_row_notes(env.partition, &system.rows));
    let active: Vec<&TracedRow<'g>> =
        system.rows.iter().filter(|row| row.is_independent(env.partition)).collect();
    if active.is_empty() {
        return;
    }
    let (a, v, zero) = (letters::bold_letter("A"), letters::bold_letter("v"), Math::integer(0));
    let speed_level = letters::typeset_sum([
        letters::typeset_product([a.clone(), v.clone()]),
        letters::bold_letter("a").with_letter_index("0"),
    ]);
    let acceleration_level = letters::typeset_product([a.clone(), v.with_dot()]);
    r.push_relations(
        CONSTRAINTS,
        "Constraints on speeds and accelerations:",
        vec![(speed_level, zero), (acceleration_level, letters::bold_gamma())],
    );
    let names = active.iter().map(|row| row.name.as_str()).collect::<Vec<_>>().join(", ");
    let all: Vec<SpeedId> = m.speed_ids().collect();
    let note = Prose::from(format!("rows: {names}; columns: ")) + speed_names(m, &all);
    let entries: Vec<Tracer<'g>> = active.iter().flat_map(|row| row.jacobian.iter().copied()).collect();
    r.push_group(CONSTRAINTS, note, GroupRole::Jacobian, Arrangement::Matrix(a, m.nv().max(1)), &entries);
    record_drift(r, &active);
    let gamma: Vec<Tracer<'g>> = active.iter().map(|row| row.stabilised_gamma(m, env)).collect();
    record_stabilisation(r, m, &active, env);
    let note = match rows_with_stabilisation(m, &active).is_empty() {
        true => "$γ = −(Ȧ v + ȧ₀)$",
        false => "$γ$ as used in the equations: $−(Ȧ v + ȧ₀)$ plus the stabilisation terms",
    };
    let note = letters::prose_with_formulas(note);
    r.push_group(
        CONSTRAINTS,
        note,
        GroupRole::Gamma,
        Arrangement::Equations(row_symbols("gamma", &active)),
        &gamma,
    );
}

/// Adds Φ of the rows that have it, and Ψ of the others.
fn record_residuals<'g>(r: &mut Recorder<'g>, heading: &str, rows: &[TracedRow<'g>], roles: [GroupRole; 2]) {
    let (holonomic, nonholonomic): (Vec<&TracedRow<'g>>, Vec<&TracedRow<'g>>) =
        rows.iter().partition(|x| x.position.is_some());
    if !holonomic.is_empty() {
        let values: Vec<Tracer<'g>> = holonomic.iter().filter_map(|x| x.position).collect();
        let names = Arrangement::Equations(row_symbols("Phi", &holonomic));
        r.push_group(
            heading,
            letters::prose_with_formulas("holonomic rows, $Φ(q, t) = 0$"),
            roles[0],
            names,
            &values,
        );
    }
    if !nonholonomic.is_empty() {
        let values: Vec<Tracer<'g>> = nonholonomic.iter().map(|x| x.velocity).collect();
        let names = Arrangement::Equations(row_symbols("Psi", &nonholonomic));
        r.push_group(
            heading,
            letters::prose_with_formulas("velocity rows, $Ψ(q, v, t) = 0$, linear in $v$"),
            roles[1],
            names,
            &values,
        );
    }
}

/// Rows of constraints that have Baumgarte's stabilisation.
fn rows_with_stabilisation<'r, 'g>(m: &Mechanism, rows: &[&'r TracedRow<'g>]) -> Vec<&'r TracedRow<'g>> {
    rows.iter().filter(|row| m.constraints[row.constraint].stabilisation.is_some()).copied().collect()
}

/// Adds α and β of Baumgarte's stabilisation, and γ without its terms, for stabilised rows.
fn record_stabilisation<'g>(
    r: &mut Recorder<'g>,
    m: &Mechanism,
    active: &[&TracedRow<'g>],
    env: &Environment<'_, Tracer<'g>>,
) {
    let rows = rows_with_stabilisation(m, active);
    if rows.is_empty() {
        return;
    }
    let heading = if m.constraints[rows[0].constraint].is_program() { PROGRAM } else { CONSTRAINTS };
    let text = "Baumgarte stabilisation: $Φ̈ + 2 α Φ̇ + β² Φ = 0$ replaces $Φ̈ = 0$, and $Ψ̇ + α Ψ = 0$ \
                replaces $Ψ̇ = 0$. This adds $−2 α Φ̇ − β² Φ$ or $−α Ψ$ to $γ$ of these rows.";
    r.push_blocks(heading, vec![Block::Paragraph(letters::prose_with_formulas(text))]);
    let (mut names, mut values) = (Vec::new(), Vec::new());
    let mut last = None;
    for row in &rows {
        let c = &m.constraints[row.constraint];
        let Some(s) = c.stabilisation.as_ref().filter(|_| last != Some(row.constraint)) else { continue };
        last = Some(row.constraint);
        names.push(letters::row_symbol("alpha", &c.name));
        values.push(s.alpha.eval(env));
        if row.position.is_some() {
            names.push(letters::row_symbol("beta", &c.name));
            values.push(s.beta.eval(env));
        }
    }
    r.push_group(
        heading,
        letters::prose_with_formulas("stabilisation parameters $α$ and $β$ of the constraints [1/s]"),
        GroupRole::Other,
        Arrangement::Equations(names),
        &values,
    );
    let gamma: Vec<Tracer<'g>> = rows.iter().map(|row| row.gamma).collect();
    let names = Arrangement::Equations(row_symbols("gamma", &rows));
    let note = letters::prose_with_formulas("$γ$ of these rows, without stabilisation");
    r.push_group(heading, note, GroupRole::Other, names, &gamma);
}

/// Adds one equation for each speed.
fn record_scalar_equations<'g>(
    r: &mut Recorder<'g>,
    m: &Mechanism,
    partition: &Partition,
    system: &EquationsOfMotion<'g>,
    e: &Implicit<Tracer<'g>>,
    forces: &Forces<Tracer<'g>>,
) {
    let active = system.active_rows(partition);
    let n = m.nv();
    let eliminates = !partition.eliminated.is_empty();
    r.set_part(
        Part::Equations,
        if eliminates { &[Form::Scalar] } else { &[Form::Scalar, Form::Constrained] },
    );
    r.reductions = reductions::find_reductions(r.graph, m, system, &active);
    let both: Vec<_> = (0..n)
        .flat_map(|i| {
            let reactions = active
                .iter()
                .map(|k| (shortened_jacobian_entry(&r.reductions, system, *k, i), system.multipliers[*k]));
            let inertia = e.mass[i].iter().copied().zip(system.accelerations.iter().copied());
            equation_sides(inertia, e.c[i], forces.conservative[i], forces.other[i], reactions)
        })
        .collect();
    let mut note = Prose::from("one equation for each speed");
    if !active.is_empty() {
        note = note + ", including the multipliers " + letters::bold_lambda() + " of the constraints below";
    }
    if !r.reductions.is_empty() {
        note = note
            + letters::prose_with_formulas(
                "; the coefficients of the multipliers are simplified with $Φ = 0$",
            );
    }
    r.push_sums(MOTION, note, GroupRole::Motion, &both);
}

/// Adds the equations of motion and the active rows in matrix form.
fn record_matrix_relations<'g>(
    r: &mut Recorder<'g>,
    system: &EquationsOfMotion<'g>,
    active: &[usize],
    speeds: Prose,
) {
    let (v, a) = (letters::bold_letter("v"), letters::bold_letter("A"));
    let left = letters::typeset_sum([
        letters::typeset_product([letters::bold_letter("M"), v.with_dot()]),
        letters::bold_letter("c"),
    ]);
    let mut relations = Vec::new();
    let mut text = letters::prose_with_formulas("In terms of the speeds $v$ = (") + speeds + ")";
    if active.is_empty() {
        relations.push((left, letters::bold_letter("Q")));
    } else {
        let names =
            Prose::join_texts(active.iter().map(|i| letters::multiplier_symbol(&system.rows[*i].name)), ", ");
        text = text + " and the multipliers " + letters::bold_lambda() + " = (" + names + ")";
        let reactions = letters::typeset_product([a.transposed(), letters::bold_lambda()]);
        relations.push((left, letters::typeset_sum([letters::bold_letter("Q"), reactions])));
        relations.push((letters::typeset_product([a.clone(), v.with_dot()]), letters::bold_gamma()));
    }
    r.push_relations(MATRICES, text + ":", relations);
}

/// Adds one equation for each speed, the matrices M, c and Q, and the meaning of λ.
fn record_motion_equations<'g>(
    r: &mut Recorder<'g>,
    m: &Mechanism,
    partition: &Partition,
    formalism: Formalism,
    system: &EquationsOfMotion<'g>,
    e: &Implicit<Tracer<'g>>,
    forces: &Forces<Tracer<'g>>,
) {
    let active = system.active_rows(partition);
    let n = m.nv();
    if n <= WRITTEN_OUT {
        record_scalar_equations(r, m, partition, system, e, forces);
    }
    r.set_part(Part::Equations, &[Form::Implicit]);
    let all: Vec<SpeedId> = m.speed_ids().collect();
    let speeds = speed_names(m, &all);
    record_matrix_relations(r, system, &active, speeds.clone());
    if !active.is_empty() {
        r.push_blocks(MATRICES, vec![Block::Paragraph(constraints::describe_solution_method(m, formalism))]);
    }
    let note = Prose::from("mass matrix; rows and columns: ") + speeds;
    let mass = e.mass.concat();
    r.push_group(
        MATRICES,
        note,
        GroupRole::Mass,
        Arrangement::Matrix(letters::bold_letter("M"), n.max(1)),
        &mass,
    );
    let names = |letter: &str| Arrangement::Equations(numbered_letters(&letters::entry_letter(m, letter), n));
    let note = letters::prose_with_formulas("velocity-dependent inertia terms $c(q, v)$");
    r.push_group(MATRICES, note, GroupRole::Inertial, names("c"), &e.c);
    let note = letters::prose_with_formulas("applied generalised forces $Q$, including gravity");
    r.push_group(MATRICES, note, GroupRole::Applied, names("Q"), &e.force);
    if !system.rows.is_empty() {
        r.set_part(Part::Constraints, &[]);
        r.push_blocks("Multipliers", constraints::multipliers_table(m, partition, &system.rows));
    }
}

/// Entry of A in the equation of a speed, with the residuals added that shorten it.
fn shortened_jacobian_entry<'g>(
    reductions: &[Reduction],
    system: &EquationsOfMotion<'g>,
    row: usize,
    speed: usize,
) -> Tracer<'g> {
    let reductions = reductions.iter().filter(|x| x.speed.index() == speed && x.row == row);
    let residuals = reductions.filter_map(|x| Some(x.signed_residual(system.rows[x.residual].position?)));
    residuals.fold(system.rows[row].jacobian[speed], |sum, x| sum + x)
}

/// Adds the program constraints: rows that inputs realise.
fn record_program_constraints<'g>(r: &mut Recorder<'g>, m: &Mechanism, env: &Environment<'_, Tracer<'g>>) {
    let rows = kinematics::program_constraint_rows(m, env);
    if rows.is_empty() {
        return;
    }
    r.set_part(Part::Constraints, &[]);
    let all: Vec<&TracedRow<'g>> = rows.iter().collect();
    let realising = m.inputs_realising_constraints();
    let inputs = letters::typeset_names(realising.iter().map(|i| m.inputs[*i].name.as_str()));
    let text = letters::prose_with_formulas(
        "Program constraints are not laws of mechanics and have no reactions: the inputs $u$ = (",
    ) + inputs.clone()
        + letters::prose_with_formulas(
            ") keep them at zero. $Q$ is linear in these inputs, $Q = Q₀ + Bᵤ u$, and their values are such \
             that $G v̇$ = ",
        )
        + Math::identifier("gamma_G")
        + " for the accelerations above.";
    let table =
        constraints::constraint_rows_table(m, env.partition, "Rows and the inputs that enforce them", &rows);
    r.push_blocks(PROGRAM, vec![Block::Paragraph(text), table]);
    record_residuals(r, PROGRAM, &rows, [GroupRole::ProgramPosition, GroupRole::ProgramVelocity]);
    let names = rows.iter().map(|row| row.name.as_str()).collect::<Vec<_>>().join(", ");
    let speeds: Vec<SpeedId> = m.speed_ids().collect();
    let note = Prose::from(format!("rows: {names}; columns: ")) + speed_names(m, &speeds);
    let entries: Vec<Tracer<'g>> = rows.iter().flat_map(|row| row.jacobian.iter().copied()).collect();
    let layout = Arrangement::Matrix(letters::bold_letter("G"), m.nv().max(1));
    r.push_group(PROGRAM, note, GroupRole::ProgramJacobian, layout, &entries);
    record_stabilisation(r, m, &all, env);
    let gamma: Vec<Tracer<'g>> = rows.iter().map(|row| row.stabilised_gamma(m, env)).collect();
    let names = Arrangement::Equations(row_symbols("gamma", &all));
    let feedback = if rows_with_stabilisation(m, &all).is_empty() { "" } else { ", feedback included" };
    let note = letters::typeset_name("gamma_G") + feedback;
    r.push_group(PROGRAM, note, GroupRole::ProgramGamma, names, &gamma);
    let columns: Vec<Vec<Tracer<'g>>> =
        realising.iter().map(|k| derive::input_force_column(m, env, *k)).collect();
    let entries: Vec<Tracer<'g>> =
        (0..m.nv()).flat_map(|i| columns.iter().map(move |column| column[i])).collect();
    let note = letters::prose_with_formulas("$Bᵤ = ∂Q/∂u$; rows: speeds; columns: ") + inputs;
    let layout =
        Arrangement::Matrix(letters::bold_letter("B").with_letter_index("u"), realising.len().max(1));
    r.push_group(PROGRAM, note, GroupRole::InputMatrix, layout, &entries);
}
