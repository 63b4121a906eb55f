//! The report of `inspect`: the mechanism as `dqdt` read it, and the derived equations in closed
//! form.
//!
//! Problem: one report that a newcomer reads from the top and a researcher checks against a paper.
//! Method:  tables from the mechanism; quantities from one graph, turned into closed forms by the
//!          callback `closed` (the symbolic engine, or none); the report is plain data for the
//!          printers of the crate `view`.

mod ambiguous_names;
mod base_parameters;
mod clamps;
mod constraints;
mod drives;
mod elimination;
mod equations;
mod family;
mod forces;
mod formulas;
mod groups;
mod length;
mod letters;
mod load_lengths;
mod named;
mod omission_notes;
mod places;
mod projection;
mod quantities;
mod recursive;
mod reductions;
mod robot;
mod short_formulas;
mod sources;
mod structure;
mod system;
mod tables;
mod topology;
mod tree;
mod view;

use dqdt_derivation::assemble::Assembled;
use dqdt_derivation::derive::Request;
use dqdt_derivation::functions;
use dqdt_diagnostics::error::Errors;
use dqdt_document::report::{Block, Cell, Math, Report, Section};
use dqdt_generate::inertia;
use dqdt_generate::pipeline::{self, FormalismChoice};
use dqdt_graph::ir::{NodeId, count};
use dqdt_mechanics::formalism::Formalism;
use length::{MayOmit, Omissions};

pub use elimination::{Elimination, EliminationError};
pub use family::family_report;
pub use groups::{
    Arrangement, ClosedForms, EntryTerm, GroupRole, Quantities, QuantityGroup, Reduction, Split,
};
pub use letters::{acceleration_name, multiplier_name};
pub use load_lengths::{LENGTHS, load_lengths};
pub use named::named_formula_values;
pub use quantities::{record_quantities_in_full, record_quantities_with_names};
pub use sources::{Publication, bibtex_text, cited_publications};
pub use structure::{StructureBlock, inverse_structure_matrix, structure_matrix};

pub use formulas::{
    LIMIT, ReportDefinition, Spelling, closed_forms, engine_assumptions, entry_closed_forms,
    expanded_definitions, typeset_closed_form,
};
pub use view::{FORM_NAMES, Form, PART_NAMES, Part, View};

/// Formalism of the equations that a report shows: the named one; by default Kane's method, and for
/// the form [`Form::Recursive`] alone that of emitted code.
///
/// # Errors
/// If the named formalism does not apply to the mechanism.
pub fn shown_formalism(
    loaded: &Assembled,
    named: Option<FormalismChoice>,
    view: &View,
) -> Result<Formalism, Errors> {
    let is_emitted = view.forms == [Form::Recursive];
    let kane = !is_emitted && inertia::supports_massless_tree(&loaded.partition, Formalism::Kane);
    let choice = named.or_else(|| kane.then_some(FormalismChoice::Given(Formalism::Kane)));
    let (defined, _) = inertia::split_defined_functions(loaded, &functions::defaults());
    pipeline::choose(loaded, choice.unwrap_or_default(), &defined)
}

/// Builds the report of [`report`] with closed forms, by the formalism of [`shown_formalism`].
///
/// # Errors
/// The errors of [`shown_formalism`].
pub fn standard_report(
    loaded: &Assembled,
    named: Option<FormalismChoice>,
    sketch: Option<String>,
    view: &View,
) -> Result<Report, Errors> {
    let formalism = shown_formalism(loaded, named, view)?;
    Ok(report(loaded, formalism, &mut closed_forms(&loaded.mechanism), sketch, view))
}

/// Builds the report, restricted to the parts and forms of `view`. `sketch` is an SVG drawing of
/// the initial pose, for formats that can show it.
pub fn report(
    loaded: &Assembled,
    formalism: Formalism,
    closed: &mut ClosedForms<'_>,
    sketch: Option<String>,
    view: &View,
) -> Report {
    let m = &loaded.mechanism;
    let mut report = Report::new(m.name.replace('_', " "), m.description.clone());
    // Forms and parts that the user requested are never omitted.
    let may_omit = MayOmit { equations: view.forms.is_empty(), others: view.parts.is_empty() };
    // One equation is printed for each independent speed.
    let independent_speeds = m.nv() - loaded.partition.eliminated.len().min(m.nv());
    let view = view.with_default_forms(m);
    if view.is_recursive() {
        report.sections = recursive::recursive_sections(loaded, formalism);
        return ambiguous_names::disambiguate_report(report, m);
    }
    let mut q = record_quantities_with_names(loaded, formalism);
    // Letters of lengths are defined in the report if a shown quantity contains them, and only
    // then.
    if view.parts.contains(&Part::Definitions) {
        named::drop_unused_definitions(&mut q);
    }
    q.groups.retain(|g| {
        let is_shown = view.shows_part(g.part) && view.form_position(g.forms).is_some();
        is_shown || matches!(g.role, GroupRole::Length | GroupRole::Named)
    });
    let uses_letters = uses_length_letters(&q);
    q.groups.retain(|g| g.role != GroupRole::Length || uses_letters);
    if !view.parts.contains(&Part::Definitions) {
        named::drop_unused_definitions(&mut q);
    }
    let mut omissions = Omissions::default();
    let forms = closed_forms_short_enough(&mut q, loaded, closed, &view, may_omit, &mut omissions);
    let mut parts: Vec<(Part, usize, Section)> = quantities::quantity_sections(&q, &forms, &view);

    let steps = view
        .form_position(&[Form::Recursive])
        .or((omissions.equations || omissions.constraints).then_some(view.forms.len()));
    if let Some(place) = steps.filter(|_| view.shows_part(Part::Equations)) {
        let sections = recursive::recursive_sections(loaded, formalism);
        parts.extend(sections.into_iter().map(|s| (Part::Equations, place, s)));
    }
    parts.extend(omission_notes::omission_sections(m, &omissions));
    parts.extend(omission_notes::unavailable_forms_note(&view, independent_speeds));
    if may_omit.equations {
        parts.extend(omission_notes::other_forms_note(&view, independent_speeds));
    }
    if view.shows_part(Part::Equations) && parts.iter().all(|(part, ..)| *part != Part::Equations) {
        parts.push(omission_notes::no_equations_note());
    }
    let mut add = |part: Part, sections: &mut dyn FnMut() -> Vec<Section>| {
        if view.shows_part(part) {
            parts.extend(sections().into_iter().map(|s| (part, 0, s)));
        }
    };
    let is_large = view.parts.is_empty() && omissions.kinematics;
    add(Part::Summary, &mut || vec![tables::summary_section(loaded, sketch.clone())]);
    add(Part::Definitions, &mut || tables::definitions_sections(m));
    add(Part::State, &mut || vec![tables::state_section(m)]);
    add(Part::Bodies, &mut || vec![tables::bodies_section(m, !is_large)]);
    add(Part::Loads, &mut || tables::loads_sections(m));
    add(Part::Parameters, &mut || tables::parameters_sections(m));
    if !is_large {
        add(Part::Topology, &mut || vec![topology::topology_section(m)]);
        add(Part::Structure, &mut || vec![structure::structure_section(m)]);
    }
    add(Part::Costs, &mut || vec![cost_section(loaded, formalism)]);
    add(Part::Sources, &mut || vec![sources::sources_section(m, formalism)]);
    // Within a part, sections without formulas come before sections with formulas.
    parts.sort_by_key(|(part, place, _)| (*part, *place));
    report.sections = merge_sections(parts.into_iter().map(|(_, _, section)| section));
    ambiguous_names::disambiguate_report(report, m)
}

/// Closed forms of the quantities that are short enough to read. Removes all other groups from `q`
/// and notes their omission.
fn closed_forms_short_enough(
    q: &mut Quantities,
    loaded: &Assembled,
    closed: &mut ClosedForms<'_>,
    view: &View,
    may_omit: MayOmit,
    omissions: &mut Omissions,
) -> Vec<Result<Math, String>> {
    let place = |g: &QuantityGroup| view.form_position(g.forms);
    let is_kept = length::select_groups(q, omissions, &place, &length::estimate_lengths(q, loaded), may_omit);
    retain_flagged(&mut q.groups, &is_kept);
    let mut forms = if q.groups.is_empty() { Vec::new() } else { closed(q) };
    let is_kept = length::select_groups(q, omissions, &place, &length::printed_lengths(q, &forms), may_omit);
    retain_groups(q, &mut forms, &is_kept);
    // Relative poses replace poses in ground axes.
    let uses_letters = uses_length_letters(q);
    let is_kept: Vec<bool> = (q.groups.iter())
        .map(|g| match g.role {
            GroupRole::Relative => omissions.kinematics,
            GroupRole::Length => uses_letters,
            _ => true,
        })
        .collect();
    retain_groups(q, &mut forms, &is_kept);
    forms
}

/// Retains the groups whose flag is true, and the closed forms of their entries.
fn retain_groups(q: &mut Quantities, forms: &mut Vec<Result<Math, String>>, is_kept: &[bool]) {
    let entries: Vec<bool> =
        q.groups.iter().zip(is_kept).flat_map(|(g, is_kept)| g.nodes.iter().map(|_| *is_kept)).collect();
    retain_flagged(forms, &entries);
    retain_flagged(&mut q.groups, is_kept);
}

/// True if a shown quantity, other than the definitions of lengths, contains a length's letter.
fn uses_length_letters(q: &Quantities) -> bool {
    let others = q.groups.iter().filter(|g| g.role != GroupRole::Length);
    let nodes: Vec<NodeId> = others.flat_map(|g| g.nodes.iter().copied()).collect();
    load_lengths::depend_on_lengths(&q.graph, &nodes)
}

/// Retains the items whose flag is true; items beyond the flags remain.
fn retain_flagged<T>(list: &mut Vec<T>, flags: &[bool]) {
    let mut flags = flags.iter();
    list.retain(|_| flags.next().copied().unwrap_or(true));
}

/// Merges adjacent sections with equal headings.
fn merge_sections(sections: impl Iterator<Item = Section>) -> Vec<Section> {
    let mut out: Vec<Section> = Vec::new();
    for section in sections {
        match out.last_mut().filter(|last| last.heading == section.heading) {
            Some(last) => last.blocks.extend(section.blocks),
            None => out.push(section),
        }
    }
    out
}

/// Report of the base inertial parameters only.
pub fn base_parameters_report(loaded: &Assembled) -> Report {
    let m = &loaded.mechanism;
    let mut report = Report::new(m.name.replace('_', " "), m.description.clone());
    report.sections.push(base_parameters::base_parameters_section(m));
    report
}

/// Operation counts of the functions that `emit` writes with this formalism, and of `dqdt` alone
/// with each formalism.
fn cost_section(loaded: &Assembled, shown: Formalism) -> Section {
    let program = pipeline::program(loaded, &Request::all(shown));
    let (header, rows) = count::table(&program);
    let section = Section::new("Cost of the emitted functions").with_block(Block::Table {
        caption: format!("{}: operations per call, with all functions in one module", shown.name()).into(),
        numeric: (1..header.len()).collect(),
        header,
        rows: rows.into_iter().map(|r| r.into_iter().map(Into::into).collect()).collect(),
    });
    if loaded.mechanism.nv() > pipeline::AUTO_ALL {
        let note = format!(
            "`dqdt compare` counts the operations of `dqdt` for all formalisms; for more than {} speeds, \
             this report omits the table of these counts.",
            pipeline::AUTO_ALL
        );
        return section.with_block(Block::Paragraph(note.into()));
    }
    let header = ["formalism", "·", "+", "÷", "sin/cos", "other", "total"];
    section
        .with_block(Block::Table {
            caption: "Operations per call of `dqdt`, emitted without other functions, for each formalism"
                .into(),
            numeric: (1..header.len()).collect(),
            header: header.into_iter().map(str::to_owned).collect(),
            rows: Formalism::ALL.into_iter().filter_map(|f| formalism_cost_row(loaded, f)).collect(),
        })
        .with_block(Block::Paragraph(
            "`dqdt compare` also prints the depth, the code size and the differences between the \
             accelerations."
                .into(),
        ))
}

/// Table row with the operation counts of `dqdt` by one formalism.
fn formalism_cost_row(loaded: &Assembled, formalism: Formalism) -> Option<Vec<Cell>> {
    let request = Request::new(formalism, vec![functions::DQDT]);
    let program = pipeline::program(loaded, &request);
    let function = program.function(functions::DQDT)?;
    let c = count(&program, function).call;
    let numbers =
        [c.multiplications, c.additions, c.divisions, c.sin_cos, c.functions + c.square_roots, c.total()];
    let name = Cell::from(formalism.name().to_owned());
    Some(std::iter::once(name).chain(numbers.map(|n| Cell::from(n.to_string()))).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use dqdt_mechanics::mechanism::RowIndex;
    use dqdt_view::report;
    use std::path::Path;

    fn example(name: &str) -> Assembled {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../examples/specs/{name}.toml"));
        pipeline::load(&path).unwrap()
    }

    /// Text of the report of the equations, with a letter for each closed form, wide enough that no
    /// line breaks.
    fn equations(loaded: &Assembled, formalism: Formalism) -> String {
        let q = record_quantities_with_names(loaded, formalism);
        let entries = q.groups.iter().flat_map(|g| &g.nodes);
        let forms: Vec<_> = entries.map(|_| Ok(Math::identifier("f"))).collect();
        let mut report = Report::new("", "");
        let view = View { forms: vec![Form::Scalar, Form::Constrained, Form::Implicit], parts: Vec::new() };
        let sections = quantities::quantity_sections(&q, &forms, &view);
        report.sections = sections.into_iter().map(|(_, _, s)| s).collect();
        report::print_text(&report, 400)
    }

    #[test]
    fn every_formalism_shows_the_constraints_with_names_multipliers_and_units() {
        for name in ["rolling_disc", "chaplygin_sleigh", "four_bar", "ball_on_turntable", "snowboarder1"] {
            let loaded = example(name);
            let rows = dqdt_derivation::derive::vector_layout(&loaded.mechanism).velocity_rows;
            let rows: Vec<String> = rows.into_iter().map(|r| r.name).collect();
            assert!(!rows.is_empty());
            for f in Formalism::ALL {
                let text = equations(&loaded, f);
                assert!(text.contains("M v̇ + c = Q + Aᵀ λ\n"), "{name}, {}: {text}", f.name());
                assert!(text.contains("A v̇ = γ\n") && text.contains("  A = "), "{name}, {}", f.name());
                assert!(!text.contains("M v̇ + c = Q\n"), "{name}, {}", f.name());
                for row in &rows {
                    let level = [format!("Φ_{row} = f"), format!("Ψ_{row} = f")];
                    assert!(level.iter().filter(|x| text.contains(*x)).count() == 1, "{name}: {row}");
                    assert!(text.contains(&format!("γ_{row} = f")), "{name}: {row}");
                    let multiplier = text.lines().find(|l| l.trim_start().starts_with(&format!("λ_{row} ")));
                    let multiplier = multiplier.unwrap_or_else(|| panic!("{name}: no multiplier of {row}"));
                    assert!(multiplier.contains(" N") && multiplier.contains("force"), "{multiplier}");
                }
            }
        }
    }

    #[test]
    fn a_tree_shows_no_multipliers() {
        let text = equations(&example("double_pendulum"), Formalism::Kane);
        assert!(text.contains("M v̇ + c = Q\n") && !text.contains('λ'), "{text}");
    }

    fn row_index(constraint: usize, row: usize) -> RowIndex {
        RowIndex { constraint, row }
    }

    #[test]
    fn rows_without_a_position_redundant_rows_and_stabilisation_are_named() {
        let text = equations(&example("chaplygin_sleigh"), Formalism::Kane);
        assert!(text.contains("blade has no Φ(q, t)"), "{text}");
        let mut loaded = example("four_bar");
        let again = dqdt_mechanics::mechanism::Constraint {
            name: "again".to_owned(),
            ..loaded.mechanism.constraints[0].clone()
        };
        loaded.mechanism.constraints.push(again);
        loaded.partition.redundant = vec![row_index(1, 0), row_index(1, 1)];
        loaded.partition.undetermined =
            vec![row_index(0, 0), row_index(0, 1), row_index(1, 0), row_index(1, 1)];
        let text = equations(&loaded, Formalism::Kane);
        assert!(text.contains("again_fx and again_fy follow from the other rows"), "{text}");
        assert_eq!(text.matches("no: the row is redundant and dropped").count(), 2);
        assert_eq!(text.matches("no: only in combination with other multipliers").count(), 2);
        assert!(text.contains("Φ_again_fx = f") && !text.contains("γ_again_fx"), "{text}");
        assert!(text.contains("rows: C_fx, C_fy; columns"), "{text}");
        let text = equations(&example("bricard"), Formalism::Kane);
        assert!(text.contains("the pose determines which of them are used"), "{text}");
        let mut loaded = example("four_bar");
        let ten = dqdt_mechanics::mechanism::Formula::Number(dqdt_algebra::Number::integer(10));
        let terms = dqdt_mechanics::mechanism::Stabilisation { alpha: ten.clone(), beta: ten };
        loaded.mechanism.constraints[0].stabilisation = Some(terms);
        let text = equations(&loaded, Formalism::Kane);
        assert!(
            text.contains("−2 α Φ̇ − β² Φ") && text.contains("α_C = f") && text.contains("β_C = f"),
            "{text}"
        );
    }

    #[test]
    fn elimination_and_inputs_that_realise_rows_have_their_equations() {
        let mut loaded = example("chaplygin_sleigh");
        let m = &mut loaded.mechanism;
        m.constraints[0].treatment =
            dqdt_mechanics::mechanism::Treatment::Elimination(vec![dqdt_mechanics::mechanism::SpeedId(1)]);
        loaded.partition = dqdt_derivation::assemble::repartition(&loaded.mechanism, &loaded.partition);
        let text = equations(&loaded, Formalism::Kane);
        for part in
            ["Bᵀ M B v̇ᵢ + Bᵀ (c + M β) = Bᵀ Q\n", "  v = B vᵢ + b\n", "  y\u{307} = f\n", "β[y\u{307}] = f"]
        {
            assert!(text.contains(part), "{part}: {text}");
        }
        // Maggi's equations in the speeds are projected whatever treatment a constraint has.
        assert!(equations(&example("four_bar"), Formalism::MaggiCoordinates).contains("Bᵀ M B v̇ᵢ"));
        assert!(equations(&example("rolling_disc"), Formalism::MaggiCoordinates).contains("Projection on"));
        let mut loaded = example("slider_crank");
        loaded.mechanism.constraints.push(dqdt_mechanics::mechanism::Constraint {
            treatment: dqdt_mechanics::mechanism::Treatment::Inputs(vec![0]),
            ..dqdt_mechanics::mechanism::Constraint::new(
                "speed".to_owned(),
                dqdt_mechanics::mechanism::constraint::Velocity(
                    dqdt_mechanics::mechanism::Formula::Variable(dqdt_mechanics::mechanism::Variable::Speed(
                        dqdt_mechanics::mechanism::SpeedId(0),
                    )),
                )
                .into(),
            )
        });
        let text = equations(&loaded, Formalism::Kane);
        assert!(text.contains("input F") && text.contains("  G = [") && text.contains("Bᵤ = "), "{text}");
        assert!(text.contains("γ_speed = f") && !text.contains("λ_speed"), "{text}");
    }
}
