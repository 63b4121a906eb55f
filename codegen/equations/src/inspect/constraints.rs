//! Constraints in words: the rows, their meaning, and the meaning and unit of their multipliers.

use super::letters;
use dqdt_algebra::Scalar;
use dqdt_document::report::{Block, Cell, Prose};
use dqdt_mechanics::formalism::{ConstraintsBy, Formalism, SolvedSystem};
use dqdt_mechanics::kinematics::ConstraintRow;
use dqdt_mechanics::mechanism::{BodyId, Mechanism, Partition, Treatment};

/// A list in English: `a`, `a and b`, `a, b and c`.
pub(super) fn list_in_words(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// Treatment of a constraint row in the equations, as text: multiplier, elimination, input, or
/// dropped.
fn treatment_text<S>(m: &Mechanism, partition: &Partition, row: &ConstraintRow<S>) -> String {
    let c = &m.constraints[row.constraint];
    if partition.is_redundant(row.row_index()) {
        return "dropped: it follows from other rows".to_owned();
    }
    match &c.treatment {
        Treatment::Multipliers => "multiplier".to_owned(),
        Treatment::Elimination(_) => "elimination".to_owned(),
        Treatment::Inputs(inputs) => match inputs.get(row.index) {
            Some(i) => format!("input {}", m.inputs[*i].name),
            None => "inputs".to_owned(),
        },
    }
}

/// Meaning of a row: its description in the spec, or else the bodies that it connects.
fn row_meaning<S>(m: &Mechanism, row: &ConstraintRow<S>) -> String {
    let c = &m.constraints[row.constraint];
    let body = |b: Option<BodyId>| b.map_or("the ground", |b| m.bodies[b].name.as_str());
    match c.kind.form().ends() {
        Some(ends) if c.description.is_empty() => {
            format!("between {} and {}", body(ends.from.0), body(ends.to.0))
        }
        _ => c.description.clone(),
    }
}

/// Table of constraint rows: kind, level (positions or speeds), how each enters the equations,
/// meaning.
pub(super) fn constraint_rows_table<S: Scalar>(
    m: &Mechanism,
    partition: &Partition,
    caption: &str,
    rows: &[ConstraintRow<S>],
) -> Block {
    Block::Table {
        caption: caption.into(),
        header: ["row", "constraint", "level", "treatment", "meaning"].map(str::to_owned).to_vec(),
        rows: rows.iter().map(|row| row_cells(m, partition, row)).collect(),
        numeric: Vec::new(),
    }
}

/// One row of the table of constraint rows.
fn row_cells<S: Scalar>(m: &Mechanism, partition: &Partition, row: &ConstraintRow<S>) -> Vec<Cell> {
    let c = &m.constraints[row.constraint];
    let level = if row.position.is_some() { "positions" } else { "speeds" };
    vec![
        row.name.clone().into(),
        c.kind.form().kind_name().into(),
        level.into(),
        treatment_text(m, partition, row).into(),
        row_meaning(m, row).into(),
    ]
}

/// Notes on rows without Φ, on redundant rows, and on groups whose independent rows depend on the
/// pose.
pub(super) fn constraint_row_notes<S: Scalar>(
    partition: &Partition,
    rows: &[ConstraintRow<S>],
) -> Vec<Block> {
    let names_where = |condition: &dyn Fn(&ConstraintRow<S>) -> bool| -> Vec<&str> {
        rows.iter().filter(|r| condition(r)).map(|r| r.name.as_str()).collect()
    };
    let mut notes = Vec::new();
    let speeds = names_where(&|r| r.position.is_none());
    if !speeds.is_empty() {
        let (has, holds) =
            if speeds.len() == 1 { ("has", "it constrains") } else { ("have", "they constrain") };
        let names = format!("{} {has} no ", list_in_words(&speeds));
        let rest = format!(", because {holds} only speeds.");
        notes.push(Block::Note(Prose::from(names) + letters::typeset_matrix_formula("Φ(q, t)") + rest));
    }
    let redundant = names_where(&|r| !r.is_independent(partition));
    if !redundant.is_empty() {
        let (follows, is) = if redundant.len() == 1 { ("follows", "It is") } else { ("follow", "They are") };
        let text = format!("{} {follows} from the other rows. {is} dropped from ", list_in_words(&redundant));
        let rest = "$A$, $γ$ and $λ$; $Φ = 0$ then follows from the other rows.";
        notes.push(Block::Note(Prose::from(text) + letters::prose_with_formulas(rest)));
    }
    for group in &partition.groups {
        let names: Vec<&str> = (rows.iter())
            .filter(|row| group.rows.contains(&row.row_index()))
            .map(|row| row.name.as_str())
            .collect();
        let text = format!(
            "Of the rows {}, at most {} are independent in any pose, and the pose determines which of them \
             are used. All of these rows are satisfied; the multiplier of an unused row is zero, and only ",
            list_in_words(&names),
            group.rank
        );
        notes.push(Block::Note(
            Prose::from(text) + letters::typeset_matrix_formula("Aᵀ λ") + " is determined.",
        ));
    }
    notes
}

/// Table of multipliers: force or moment, body and axis, unit, and whether each is determined.
pub(super) fn multipliers_table<S: Scalar>(
    m: &Mechanism,
    partition: &Partition,
    rows: &[ConstraintRow<S>],
) -> Vec<Block> {
    let text = "The multipliers act on the mechanism as $+Aᵀ λ$ on the right-hand side: the power of a \
                multiplier would be $λ$ times the speed that its row keeps at zero. For a constraint between \
                two bodies, the opposite force or moment acts on the first body, whose plane, axes or frame is the reference of the row.";
    vec![
        Block::Paragraph(letters::prose_with_formulas(text)),
        Block::Table {
            caption: Prose::default(),
            header: ["multiplier", "unit", "meaning", "determined"].map(str::to_owned).to_vec(),
            rows: rows.iter().map(|row| multiplier_cells(m, partition, row)).collect(),
            numeric: Vec::new(),
        },
    ]
}

/// One row of the table of multipliers.
fn multiplier_cells<S: Scalar>(m: &Mechanism, partition: &Partition, row: &ConstraintRow<S>) -> Vec<Cell> {
    let c = &m.constraints[row.constraint];
    let determined = if partition.is_redundant(row.row_index()) {
        "no: the row is redundant and dropped"
    } else if partition.is_undetermined(row.row_index())
        || partition.group_containing(row.row_index()).is_some()
    {
        "no: only in combination with other multipliers"
    } else {
        "yes"
    };
    let all = c.describe_multipliers(&m.bodies);
    let (meaning, unit) =
        all.get(row.index).map_or_else(Default::default, |x| (x.description(), x.unit.clone()));
    let symbol = letters::multiplier_symbol(&row.name);
    vec![symbol.into(), letters::format_unit(&unit).into(), meaning.into(), determined.into()]
}

/// Explains how the formalism computes accelerations and multipliers.
pub(super) fn describe_solution_method(m: &Mechanism, f: Formalism) -> Prose {
    let eliminated = m.constraints.iter().any(|c| matches!(c.treatment, Treatment::Elimination(_)));
    letters::prose_with_formulas(match f.facts().constraints {
        // Formalisms that solve M, c and Q follow the treatment set in the spec; all others have
        // their own.
        ConstraintsBy::Multipliers if eliminated && f.facts().solves == SolvedSystem::Implicit => {
            "The accelerations follow from the projected equations in the section Elimination (`--sections \
             constraints`), and the multipliers follow from the rows of the dependent speeds."
        }
        ConstraintsBy::Multipliers => {
            "The multipliers follow from $A M⁻¹ Aᵀ λ = γ − A M⁻¹ (Q − c)$, and the accelerations are then \
             computed by solving with $M$."
        }
        ConstraintsBy::Unknowns => {
            "The multipliers are among the unknowns of the sparse system of this formalism."
        }
        ConstraintsBy::Projection => {
            "This formalism projects onto a basis $B$ of the null space of the constraints, $A B = 0$; the \
             multipliers are computed afterwards."
        }
    })
}
