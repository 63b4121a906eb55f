//! The equations of motion projected on the null space of the constraints.
//!
//! Problem: with eliminated speeds `v = B v_i + b`, `v̇ = B v̇_i + β` the equations of motion are
//!          `Bᵀ M B v̇_i + Bᵀ (c + M β) = Bᵀ Q + (A B)ᵀ λ`; if all rows are eliminated, λ vanishes
//!          from them.
//! Method:  B, b and β by Gauss–Jordan elimination over the graph (`elimination`), for the rows and
//!          speeds that the emitted functions eliminate, or, for Maggi's equations in the speeds,
//!          for those of the formalism's own basis.
//! Shapes:  B: one row for each speed, one column for each independent speed, both in spec order.
//! Limits:  the pivots of the rows must not vanish at the start.

use super::elimination::Elimination;
use super::equations::{
    EquationsOfMotion, TracedRow, equation_sides, nonzero_dot_product, numbered_letters, speed_names,
};
use super::forces::split_forces;
use super::groups::{Arrangement, GroupRole, Recorder, Split};
use super::view::{Form, Part, WRITTEN_OUT};
use super::{constraints, letters};
use dqdt_document::report::{Block, Math, Prose};
use dqdt_graph::ir::Tracer;
use dqdt_mechanics::formalism::{self, Formalism};
use dqdt_mechanics::kinematics::{self, ConstraintRow};
use dqdt_mechanics::mechanism::{Environment, Mechanism, Partition, PivotPlace, RowId, SpeedId};

/// Largest number of dependent speeds for which the null-space matrix B is written out: its entries
/// are quotients of large determinants.
const DEPENDENT: usize = 6;

/// Way in which a report reduces the equations of motion to fewer speeds.
enum SpeedReduction {
    /// The equations are not reduced.
    Not,
    /// These rows (by index among all rows) determine these speeds; true if emitted functions
    /// substitute them.
    Speeds(Vec<PivotPlace>, bool),
    /// The rows that determine dependent speeds change with the pose, so B is not written out.
    ByPose,
    /// By a null-space projector, for the rows that determine no speed in every pose.
    Projector,
}

/// Reduction of the equations to fewer speeds: by the eliminated rows, or by the formalism's basis.
fn choose_reduction(
    partition: &Partition,
    formalism: Formalism,
    system: &EquationsOfMotion<'_>,
) -> SpeedReduction {
    // A pivot's row counts the rows that are independent in every pose; it is mapped to the index
    // among all rows.
    let fixed = system.pose_independent_rows(partition);
    let among_all = |pairs: &[PivotPlace], substituted| {
        let pairs = pairs.iter().map(|p| Some(PivotPlace { row: RowId(*fixed.get(p.row.0)?), ..*p }));
        match pairs.collect() {
            Some(pairs) => SpeedReduction::Speeds(pairs, substituted),
            None => SpeedReduction::ByPose,
        }
    };
    let Partition { eliminated, basis, .. } = partition;
    if !eliminated.is_empty() {
        return among_all(eliminated, true);
    }
    if !formalism.projects_speeds() || system.active_rows(partition).is_empty() {
        return SpeedReduction::Not;
    }
    if basis.complete { among_all(&basis.steady, false) } else { SpeedReduction::Projector }
}

/// Sentences on the rows with these names, which determine the dependent speeds.
fn describe_dependent_speeds(
    m: &Mechanism,
    rows: &[&str],
    dependent: &[SpeedId],
    substituted: bool,
) -> Prose {
    let (row, gives) = if rows.len() == 1 { ("row", "determines") } else { ("rows", "determine") };
    Prose::from(format!("The {row} {} {gives} ", constraints::list_in_words(rows)))
        + speed_names(m, dependent)
        + letters::prose_with_formulas(" from the other speeds $vᵢ$.")
        + letters::prose_with_formulas(if substituted {
            " All speeds remain in the state; the emitted functions and the equations here compute the \
             dependent speeds from the others."
        } else {
            " The resulting basis of the null space of $A$ is Maggi's basis."
        })
}

/// Records B and the projected equations, if speeds are eliminated or the formalism projects.
/// Returns the partition of the speeds, if rows determine dependent ones.
pub(super) fn record_projection<'g>(
    r: &mut Recorder<'g>,
    m: &Mechanism,
    formalism: Formalism,
    system: &EquationsOfMotion<'g>,
    env: &Environment<'_, Tracer<'g>>,
) -> Option<Split> {
    const PROJECTION: &str = "Projection onto the null space of the constraints";
    r.set_part(Part::Constraints, &[]);
    let (pairs, substituted) = match choose_reduction(env.partition, formalism, system) {
        SpeedReduction::Not => return None,
        SpeedReduction::Speeds(pairs, substituted) => (pairs, substituted),
        SpeedReduction::ByPose => {
            let text = "The projected equations are $Bᵀ M B v̇ᵢ + Bᵀ (c + M 𝛃) = Bᵀ Q$ with $A B = 0$. The pose determines which rows are \
                        used, so $B$ is not written out.";
            r.push_blocks(PROJECTION, vec![Block::Paragraph(letters::prose_with_formulas(text))]);
            return None;
        }
        SpeedReduction::Projector => {
            let text = "For some rows, every possible dependent speed fails in some pose. The other rows \
                        determine their dependent speeds; the remaining rows, $Aₖ$ in the remaining speeds, \
                        are projected with $P = 1 − W Aₖᵀ (Aₖ W Aₖᵀ)⁻¹ Aₖ$, where $W$ contains the reciprocals \
                        of the diagonal of $M$: $Bᵀ M v̇ = Bᵀ (Q − c)$ and $A v̇ = γ$, where the columns of \
                        $B$ are those of $P$, completed by the dependent speeds.";
            r.push_blocks(PROJECTION, vec![Block::Paragraph(letters::prose_with_formulas(text))]);
            return None;
        }
    };
    let heading = if substituted { "Elimination" } else { PROJECTION };
    let rows: Vec<TracedRow<'g>> = pairs.iter().map(|p| system.rows[p.row.0].clone()).collect();
    let names: Vec<&str> = rows.iter().map(|row| row.name.as_str()).collect();
    let dependent: Vec<SpeedId> = pairs.iter().map(|p| p.speed()).collect();
    let text = describe_dependent_speeds(m, &names, &dependent, substituted);
    r.push_blocks(heading, vec![Block::Paragraph(text)]);
    let independent: Vec<SpeedId> = m.speed_ids().filter(|s| !dependent.contains(s)).collect();
    let mut split = Split {
        rows: pairs.iter().map(|p| p.row.0).collect(),
        dependent,
        independent,
        substituted,
        written: false,
    };
    if split.dependent.len() > DEPENDENT {
        let note =
            format!(" and the projected equations are shown only for up to {DEPENDENT} dependent speeds.");
        r.push_blocks(heading, vec![Block::Note(Prose::from(letters::bold_letter("B")) + note)]);
        return Some(split);
    }
    let e = Elimination::from_rows(m, &rows, &split.dependent).ok()?;
    split.written = true;
    let v = if substituted { e.complete_speeds(env.v) } else { env.v.to_vec() };
    let env = Environment { v: &v, ..*env };
    let all = kinematics::constraint_rows(m, &env);
    let rows: Vec<TracedRow<'g>> = (pairs.iter())
        .map(|p| &all[p.row.0])
        .map(|row| ConstraintRow { gamma: row.stabilised_gamma(m, &env), ..row.clone() })
        .collect();
    let active = system.active_rows(env.partition).into_iter();
    let remaining: Vec<usize> = active.filter(|i| !split.rows.contains(i)).collect();
    push_matrix_notation(r, heading, !remaining.is_empty());
    let null_space = record_null_space(r, m, heading, &split, &e, &rows, &env);
    let projection =
        ProjectedSystem { heading, split: &split, null_space, rows: &all, remaining: &remaining };
    record_projected_equations(r, m, formalism, system, &env, &projection);
    Some(split)
}

/// The map `v̇ = B v̇ᵢ + β` from independent to all accelerations.
struct NullSpace<'g> {
    /// Columns of B, one for each independent speed.
    columns: Vec<Vec<Tracer<'g>>>,
    /// The offset `β` of the accelerations, one entry for each speed.
    beta: Vec<Tracer<'g>>,
}

/// Adds the dependent speeds, B and β to the report, and returns B and β.
fn record_null_space<'g>(
    r: &mut Recorder<'g>,
    m: &Mechanism,
    heading: &str,
    split: &Split,
    e: &Elimination<'g>,
    rows: &[TracedRow<'g>],
    env: &Environment<'_, Tracer<'g>>,
) -> NullSpace<'g> {
    let (n, dependent, free) = (m.nv(), &split.dependent, &split.independent);
    let names = dependent.iter().map(|s| Math::identifier(&m.speeds[*s].name)).collect();
    let speeds = e.complete_speeds(env.v);
    let values: Vec<Tracer<'g>> = dependent.iter().map(|s| speeds[*s]).collect();
    let note = letters::prose_with_formulas("dependent speeds, from $v = B vᵢ + b$");
    r.push_group(heading, note, GroupRole::DependentSpeeds, Arrangement::Equations(names), &values);
    let columns: Vec<Vec<Tracer<'g>>> = free.iter().map(|s| e.null_space_column(n, *s)).collect();
    let entries: Vec<Tracer<'g>> = (0..n).flat_map(|k| columns.iter().map(move |c| c[k])).collect();
    let all_speeds: Vec<SpeedId> = m.speed_ids().collect();
    let note = Prose::from("rows: ") + speed_names(m, &all_speeds) + "; columns: " + speed_names(m, free);
    let layout = Arrangement::Matrix(letters::bold_letter("B"), free.len().max(1));
    r.push_group(heading, note, GroupRole::Complement, layout, &entries);
    let beta = e.acceleration_offset(rows, n);
    let names = (dependent.iter())
        .map(|s| letters::bold_beta().with_index(Math::identifier(&m.speeds[*s].name)))
        .collect();
    let values: Vec<Tracer<'g>> = dependent.iter().map(|s| beta[*s]).collect();
    let note = letters::prose_with_formulas(
        "$𝛃$ in $v̇ = B v̇ᵢ + 𝛃$; its entries for the independent speeds are zero",
    );
    r.push_group(heading, note, GroupRole::Beta, Arrangement::Equations(names), &values);
    NullSpace { columns, beta }
}

/// Parts of the equations projected on the null space of the constraints, for the report.
struct ProjectedSystem<'p, 'g> {
    /// Heading of the section with B and β.
    heading: &'p str,
    split: &'p Split,
    null_space: NullSpace<'g>,
    /// All constraint rows, with the dependent speeds computed from the others.
    rows: &'p [TracedRow<'g>],
    /// Positions of the active rows that determine no dependent speed.
    remaining: &'p [usize],
}

/// Records the projected M, c and Q, and one equation for each independent speed if there are few.
fn record_projected_equations<'g>(
    r: &mut Recorder<'g>,
    m: &Mechanism,
    formalism: Formalism,
    system: &EquationsOfMotion<'g>,
    env: &Environment<'_, Tracer<'g>>,
    projection: &ProjectedSystem<'_, 'g>,
) {
    let (NullSpace { columns, beta }, free) = (&projection.null_space, &projection.split.independent);
    let count = free.len();
    let implicit = formalism::implicit_equations(formalism, m, env);
    let mass_columns: Vec<Vec<Tracer<'g>>> = columns
        .iter()
        .map(|c| implicit.mass.iter().map(|row| nonzero_dot_product(row, c)).collect())
        .collect();
    let mass: Vec<Vec<Tracer<'g>>> =
        columns.iter().map(|c| mass_columns.iter().map(|x| nonzero_dot_product(c, x)).collect()).collect();
    let rest: Vec<Tracer<'g>> =
        (0..m.nv()).map(|i| implicit.c[i] + nonzero_dot_product(&implicit.mass[i], beta)).collect();
    let inertial: Vec<Tracer<'g>> = columns.iter().map(|c| nonzero_dot_product(c, &rest)).collect();
    let force: Vec<Tracer<'g>> = columns.iter().map(|c| nonzero_dot_product(c, &implicit.force)).collect();
    r.set_part(Part::Constraints, &[Form::Implicit]);
    let heading = "Matrices of the projected equations";
    let text = format!(" and $𝛃$ are in the section “{}”.", projection.heading);
    r.push_blocks(
        heading,
        vec![Block::Paragraph(Prose::from(letters::bold_letter("B")) + letters::prose_with_formulas(&text))],
    );
    let note = letters::prose_with_formulas("$Bᵀ M B$; rows and columns: ") + speed_names(m, free);
    let layout = Arrangement::Matrix(letters::bold_letter("M").with_hat(), count.max(1));
    r.push_group(heading, note, GroupRole::ReducedMass, layout, &mass.concat());
    let names = |letter: &str| {
        Arrangement::Equations(numbered_letters(&letters::entry_letter(m, letter).with_hat(), count))
    };
    let note = letters::prose_with_formulas("$Bᵀ (c + M 𝛃)$");
    r.push_group(heading, note, GroupRole::ReducedInertial, names("c"), &inertial);
    r.push_group(
        heading,
        letters::prose_with_formulas("$Bᵀ Q$"),
        GroupRole::ReducedApplied,
        names("Q"),
        &force,
    );
    if count > WRITTEN_OUT {
        return;
    }
    let parts = split_forces(m, formalism, env);
    let both: Vec<_> = (columns.iter().enumerate())
        .flat_map(|(i, column)| {
            let inertia = mass[i].iter().copied().zip(free.iter().map(|s| system.accelerations[*s]));
            let reactions = (projection.remaining.iter()).map(|k| {
                (nonzero_dot_product(&projection.rows[*k].jacobian, column), system.multipliers[*k])
            });
            let [conservative, other] =
                [&parts.conservative, &parts.other].map(|q| nonzero_dot_product(column, q));
            equation_sides(inertia, inertial[i], conservative, other, reactions)
        })
        .collect();
    r.set_part(Part::Equations, &[Form::Constrained]);
    let note = Prose::from("equations projected onto the null space of the constraints, one for each of ")
        + speed_names(m, free);
    let heading =
        if projection.split.substituted { "Equations of motion" } else { "Projected equations of motion" };
    r.push_sums(heading, note, GroupRole::ReducedMotion, &both);
}

/// Adds the projected equations in matrix notation.
fn push_matrix_notation(r: &mut Recorder<'_>, heading: &str, with_multipliers: bool) {
    let (b, v, m) = (letters::bold_letter("B"), letters::bold_letter("v"), letters::bold_letter("M"));
    let rate = || v.with_dot().with_letter_index("i");
    let beta = letters::bold_beta;
    let inertia = letters::typeset_product([b.transposed(), m.clone(), b.clone(), rate()]);
    let bias =
        in_brackets(letters::typeset_sum([letters::bold_letter("c"), letters::typeset_product([m, beta()])]));
    let left = letters::typeset_sum([inertia, letters::typeset_product([b.transposed(), bias])]);
    let force = letters::typeset_product([b.transposed(), letters::bold_letter("Q")]);
    let right = if with_multipliers {
        let projected =
            in_brackets(letters::typeset_product([letters::bold_letter("A"), b.clone()])).transposed();
        letters::typeset_sum([force, letters::typeset_product([projected, letters::bold_lambda()])])
    } else {
        force
    };
    let speeds = letters::typeset_sum([
        letters::typeset_product([b.clone(), v.with_letter_index("i")]),
        letters::bold_letter("b"),
    ]);
    let rates = letters::typeset_sum([letters::typeset_product([b.clone(), rate()]), beta()]);
    let zero = (letters::typeset_product([letters::bold_letter("A"), b]), Math::integer(0));
    let relations = vec![(v.clone(), speeds), (v.with_dot(), rates), zero, (left, right)];
    let text = match with_multipliers {
        false => "The projected equations do not contain multipliers:",
        true => {
            "Only the multipliers of the rows that are not eliminated remain in the equations; $A B = 0$ \
             for the other rows:"
        }
    };
    let text = letters::prose_with_formulas(text);
    r.push_relations(heading, text, relations);
}

fn in_brackets(inside: Math) -> Math {
    Math::row([Math::operator("(", "("), inside, Math::operator(")", ")")])
}
