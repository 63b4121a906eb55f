//! Notes on the parts that a report omits for their length, with the options that print them.

use super::length::Omissions;
use super::letters;
use super::system::MOTION;
use super::view::{Form, Part, View, WRITTEN_OUT};
use dqdt_document::report::{Block, Math, Section};
use dqdt_mechanics::mechanism::Mechanism;

/// One note for each part of the report with an omission, with its place among the sections.
pub(super) fn omission_sections(m: &Mechanism, omissions: &Omissions) -> Vec<(Part, usize, Section)> {
    let mut out = Vec::new();
    let mut add_note = |part: Part, heading: &str, text: &str| {
        out.push((
            part,
            usize::MAX,
            Section::new(heading).with_block(Block::Note(letters::prose_with_formulas(text))),
        ));
    };
    if omissions.forms.is_some() && !omissions.equations {
        // Only default forms are omitted, so this note follows one equation for each speed.
        let text = "The matrices of the equations are too long to show here; `--form implicit` prints them.";
        add_note(Part::Equations, MOTION, text);
    }
    if omissions.constraints {
        add_note(
            Part::Constraints,
            "Constraints",
            "The closed forms of the constraint rows are too long to read: $A$ and $γ$ are among the steps of the \
             equations, and the emitted function `position_constraints` computes $Φ$. `--sections \
             constraints` prints the available closed forms.",
        );
    }
    if omissions.kinematics {
        add_note(
            Part::Kinematics,
            "Kinematics relative to the parent body",
            "`--sections kinematics` prints rotations and velocities in ground axes and partial velocities, and \
             `--sections topology,structure` prints the matrices of the tree.",
        );
    } else if omissions.partial {
        add_note(
            Part::Kinematics,
            "Kinematics",
            "The partial velocities are too long to show here; `--sections kinematics` prints them.",
        );
    }
    if omissions.topology && !omissions.kinematics {
        add_note(
            Part::Topology,
            "Topology",
            "The vectors in ground axes are too long to show here; `--sections topology` prints them.",
        );
    }
    if omissions.energy {
        out.push((Part::Energy, 0, long_energy_section(m)));
    }
    out
}

/// Note on requested forms that are not available for a mechanism with this number of
/// independent speeds.
pub(super) fn unavailable_forms_note(
    view: &View,
    independent_speeds: usize,
) -> Option<(Part, usize, Section)> {
    let absent: Vec<&str> = view.forms.iter().filter_map(form_limited_to_few_speeds).collect();
    if independent_speeds <= WRITTEN_OUT || absent.is_empty() || !view.shows_part(Part::Equations) {
        return None;
    }
    let text = format!(
        "`--form {}` is limited to {WRITTEN_OUT} independent speeds, but this mechanism has \
         {independent_speeds}. Use `--form implicit` for the matrices, or `--form recursive` for the \
         equations step by step.",
        absent.join(",")
    );
    Some((
        Part::Equations,
        usize::MAX,
        Section::new(MOTION).with_block(Block::Note(letters::prose_with_formulas(&text))),
    ))
}

/// Name of a form that is printed only for few speeds; `None` for all other forms.
fn form_limited_to_few_speeds(form: &Form) -> Option<&'static str> {
    match form {
        Form::Scalar => Some("scalar"),
        Form::Constrained => Some("constrained"),
        Form::Robot => Some("robot"),
        Form::Implicit | Form::Recursive => None,
    }
}

/// Note on the options for other forms of the equations, if by default only matrices are shown.
pub(super) fn other_forms_note(view: &View, independent_speeds: usize) -> Option<(Part, usize, Section)> {
    if view.forms != [Form::Implicit] || !view.shows_part(Part::Equations) {
        return None;
    }
    let text = if independent_speeds <= WRITTEN_OUT {
        "`--form scalar` prints one equation for each speed."
    } else {
        "`--form recursive` prints the equations step by step, as the emitted functions compute them."
    };
    Some((
        Part::Equations,
        usize::MAX,
        Section::new(MOTION).with_block(Block::Note(letters::prose_with_formulas(text))),
    ))
}

/// Note in place of the equations of motion, if the requested form has none for this mechanism.
pub(super) fn no_equations_note() -> (Part, usize, Section) {
    let text = "The requested form is not available for this mechanism, for example because the pose determines which \
                constraint rows are used. Use `--form implicit` for the matrices, or `--form recursive` for \
                the equations step by step.";
    (
        Part::Equations,
        usize::MAX,
        Section::new(MOTION).with_block(Block::Note(letters::prose_with_formulas(text))),
    )
}

/// The kinetic energy by the mass matrix, valid if no motion is prescribed; otherwise a note.
fn long_energy_section(m: &Mechanism) -> Section {
    let section = Section::new("Energy");
    if m.joints.iter().any(|j| j.speeds.iter().any(|v| v.prescribed_formula().is_some())) {
        let text = "The closed forms of the energies are too long to read; the emitted function `energy` \
                    computes them, and `--sections energy` prints the available closed forms.";
        return section.with_block(Block::Note(letters::prose_with_formulas(text)));
    }
    let half = Math::integer(1).quotient(Math::integer(2));
    let (v, m) = (letters::bold_letter("v"), letters::bold_letter("M"));
    let right = letters::typeset_product([half, v.transposed(), m, v]);
    let text = "$M$ is the mass matrix above; `--sections energy` prints the closed forms, and the emitted \
                function `energy` computes both energies.";
    section
        .with_block(Block::Paragraph(letters::prose_with_formulas("Kinetic energy [J]:")))
        .with_block(Block::Equations(vec![(Math::identifier("T"), right)]))
        .with_block(Block::Note(letters::prose_with_formulas(text)))
}
