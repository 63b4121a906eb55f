//! Diagnostics about constraints, from the findings of assembly.

use super::Finding;
use super::identity::is_redundant_in_every_pose;
use super::program::ProgramFinding;
use super::start_messages;
use dqdt_diagnostics::base::Span;
use dqdt_diagnostics::error::Diagnostic;
use dqdt_mechanics::mechanism::constraint::Picture;
use dqdt_mechanics::mechanism::{ConstraintPlace, Mechanism, RowIndex, Starts};

/// Diagnostics of all findings of assembly, with the places of the spec.
pub(super) fn assembly_diagnostics(
    m: &Mechanism,
    starts: &Starts,
    places: &[ConstraintPlace],
    findings: &[Finding],
) -> Vec<Diagnostic> {
    let span = |i: usize| places.get(i).and_then(|c| c.name);
    let start_values = (&starts.coordinates[..], &starts.speeds[..]);
    findings
        .iter()
        .filter_map(|f| {
            let other = match f {
                Finding::NotDependent { constraint, .. } => places.get(*constraint).and_then(|c| c.dependent),
                _ => span(0),
            };
            start_messages::contradiction_error(m, start_values, f, other)
                .or_else(|| finding_diagnostic(f, m, &span, other))
        })
        .collect()
}

/// Error or warning about one finding; `span` is the place of a constraint, `other` that of
/// findings without one. `None` for findings that `start_messages` reports.
fn finding_diagnostic(
    f: &Finding,
    m: &Mechanism,
    span: &dyn Fn(usize) -> Option<Span>,
    other: Option<Span>,
) -> Option<Diagnostic> {
    Some(match f {
        // Reported by `start_messages`.
        Finding::ContradictingSpeeds { .. } | Finding::ContradictingCoordinates { .. } => return None,
        Finding::NotAssembled { constraint, row, residual, speeds: true, .. } => {
            Diagnostic::error("inconsistent-constraints", "the constraints contradict each other: no speeds satisfy them")
                .at(span(*constraint), format!("`{row}` has a residual of {residual:.3e}"))
                .help("linearly dependent rows require different speeds: remove one of the rows, or correct its right-hand side")
        }
        Finding::NotAssembled { constraint, row, residual, contradiction: true, .. } => Diagnostic::error(
            "inconsistent-constraints",
            "no pose satisfies all constraints, and at the nearest pose the constraints are linearly dependent",
        )
        .at(span(*constraint), format!("`{row}` has a residual of {residual:.3e}"))
        .help(if is_rolling_constraint(m, *constraint) {
            "the centre of a rolling body must be one radius above its plane, but no coordinate can move it there: place the first of its joints at that height, as in `parent = { body = \"ground\", at = [0, 0, \"r\"] }`"
        } else {
            "two constraints require different values of the same quantity, or the links of a loop are too short to close it: check the lengths"
        }),
        Finding::NotAssembled { constraint, row, residual, .. } => {
            Diagnostic::error("not-assembled", "no pose was found that satisfies the constraints")
                .at(span(*constraint), format!("`{row}` has a residual of {residual:.3e}"))
                .help("assembly tried 24 starts near the one in the spec: choose a start closer to an assembled pose, check the lengths, or hold fewer coordinates")
        }
        Finding::Reversed { constraint } => {
            let name = m.constraints.get(*constraint).map_or("", |c| c.name.as_str());
            Diagnostic::error("not-assembled", "no pose was found in which all axes point in the intended direction")
                .at(span(*constraint), format!("all rows are satisfied, but an axis of `{name}` points backwards"))
                .help("assembly tried 24 starts near the one in the spec: choose a start with the intended orientation, or rotate the frame at one end of the constraint by 180 deg")
        }
        Finding::NoDerivative { constraint, row } => {
            Diagnostic::error("no-slope", format!("row `{row}` is not differentiable where it is satisfied"))
                .at(span(*constraint), "a distance or a square root is not differentiable at zero")
                .help("to join two points, use a constraint of type `spherical`; replace a formula by an equivalent one that is differentiable there, such as x = 0 instead of abs(x) = 0")
        }
        Finding::ContradictingAcceleration { constraint, row, residual, t, from } => {
            let (said, help) = if from.is_empty() {
                ("no speed affects this row".to_owned(), "the formula of this row depends only on time or prescribed motions, so no coordinate can satisfy it: include a coordinate in the formula, or remove the constraint")
            } else {
                let names = list_first_names(from.iter().map(String::as_str));
                (format!("this row depends on {names}, which require a different acceleration"), "rows that constrain the same quantity must agree at all times: remove one of them, or correct its right-hand side")
            };
            Diagnostic::error("inconsistent-constraints", format!("no acceleration satisfies row `{row}`"))
                .at(span(*constraint), format!("{said}; at t = {t} s its acceleration residual is {residual:.3e}"))
                .help(help)
        }
        Finding::Redundant { constraint, row, from, .. } if from.is_empty() => {
            Diagnostic::warning("redundant-constraint", format!("row `{row}` constrains a quantity that cannot change"))
                .at(span(*constraint), format!("the Jacobian of this row is zero{}", redundancy_scope(m, f)))
                .help("the row is dropped from the equations, and its reaction is not determined; if this is intended, write `accept = [\"redundant-constraint\"]`")
        }
        Finding::Redundant { constraint, row, from, .. } => {
            let names = list_first_names(from.iter().map(|s| s.name.as_str()));
            Diagnostic::warning("redundant-constraint", format!("row `{row}` follows from other constraints"))
                .at(span(*constraint), format!("this row follows from {names}{}", redundancy_scope(m, f)))
                .help(redundancy_help(m, f))
        }
        Finding::Group { constraint, rows, rank } => {
            let names = list_first_names(rows.iter().map(String::as_str));
            let beyond = rows.len() - rank;
            let s = if beyond == 1 { "s" } else { "" };
            let text = format!("{beyond} of {} rows follow{s} from the others", rows.len());
            Diagnostic::warning("redundant-constraint", text)
                .at(span(*constraint), format!("{names}: which of these rows follow from the others depends on the pose"))
                .help("in each pose, only independent rows are used, so the accelerations and the total force of these rows are always correct; the motion of rigid bodies does not determine the reaction of each individual row")
        }
        Finding::Unsteady { constraint, speeds } => {
            let names: Vec<String> = speeds.iter().map(|name| format!("`{name}`")).collect();
            Diagnostic::warning("dependent-speeds-vanish", "in some poses, the constraints do not determine the dependent speeds")
                .at(span(*constraint), format!("{}: not determined in some poses, for example at another heading or with a wheel steered by 90 degrees", names.join(", ")))
                .help("in those poses the emitted functions return `Singular`: if these speeds are components along ground axes, use speeds in body axes (`velocity_frame = \"body\"` of a `planar` or `free` joint), name other `dependent` speeds, or omit `treatment` to use multipliers, which work in every pose")
        }
        Finding::NotDependent { constraint, speed } => {
            let name = m.speeds.get(speed.index()).map_or("", |s| s.name.as_str());
            Diagnostic::error("not-dependent", format!("the constraints do not determine the speed `{name}`"))
                .at(other.or_else(|| span(*constraint)), "this speed is not determined by the other speeds in the assembled pose")
                .help("name another speed, or omit `dependent` to have the dependent speeds chosen automatically")
        }
        Finding::SingularStart => {
            Diagnostic::warning("singular-start", "the mechanism starts in a singular pose")
                .at(other, "more constraint rows are linearly dependent in this pose than in nearby poses")
                .help("the accelerations are not determined in this pose: choose a start slightly away from it")
        }
        Finding::Rigid => Diagnostic::warning("no-freedom", "the constraints leave no degree of freedom")
            .at(other, "the number of independent constraint rows equals the number of speeds")
            .help("run `dqdt assemble` to see the numbers of rows and degrees of freedom"),
    })
}

/// The first six names in code style, with an ellipsis if there are more.
fn list_first_names<'a>(names: impl ExactSizeIterator<Item = &'a str>) -> String {
    let more = if names.len() > 6 { ", …" } else { "" };
    let first: Vec<String> = names.take(6).map(|name| format!("`{name}`")).collect();
    format!("{}{more}", first.join(", "))
}

/// True if this constraint holds a wheel or a ball on its plane.
fn is_rolling_constraint(m: &Mechanism, constraint: usize) -> bool {
    m.constraints
        .get(constraint)
        .is_some_and(|c| matches!(c.kind.form().drawing_symbol(), Picture::Rims { .. }))
}

/// Help text on the consequences of dropping a redundant row.
fn redundancy_help(m: &Mechanism, finding: &Finding) -> &'static str {
    if redundancy_scope(m, finding) == EVERYWHERE {
        "the row is dropped, and the accelerations are still correct in every pose; the motion of rigid bodies does not determine the reactions of these rows"
    } else {
        "the row is dropped because it was the same linear combination of the others in every sampled pose; the accelerations are correct as long as this holds; the motion of rigid bodies does not determine the reactions of these rows"
    }
}

/// Text for a redundant row that is proven exactly to depend on others at all poses.
const EVERYWHERE: &str = " in every pose";

/// Poses in which a row is known to be redundant, as text: every pose if that is proven exactly.
fn redundancy_scope(m: &Mechanism, finding: &Finding) -> &'static str {
    if let Finding::Redundant { constraint, index, from, .. } = finding {
        let from: Vec<_> =
            (from.iter()).map(|s| (RowIndex { constraint: s.constraint, row: s.index }, s.factor)).collect();
        if is_redundant_in_every_pose(m, RowIndex { constraint: *constraint, row: *index }, &from) {
            return EVERYWHERE;
        }
    }
    " in every assembled pose that was sampled"
}

/// Diagnostics of all findings about program constraints.
pub(super) fn program_diagnostics(
    m: &Mechanism,
    places: &[ConstraintPlace],
    findings: &[ProgramFinding],
) -> Vec<Diagnostic> {
    findings.iter().map(|f| program_finding_diagnostic(f, m, places)).collect()
}

/// Error about one finding on a program constraint, at the list of its inputs in the spec.
fn program_finding_diagnostic(f: &ProgramFinding, m: &Mechanism, places: &[ConstraintPlace]) -> Diagnostic {
    let list = |constraint: &usize| places.get(*constraint).and_then(|c| c.realised_by);
    let name = |input: &usize| m.inputs.get(*input).map_or("", |u| u.name.as_str());
    match f {
        ProgramFinding::Twice { constraint, input } => {
            Diagnostic::error("duplicate", format!("the input `{}` is assigned to two rows", name(input)))
                .at(list(constraint), "assigned again here")
                .help("name another input, or remove a constraint: an input can enforce only one constraint row")
        }
        ProgramFinding::Limited { constraint, input } => Diagnostic::error(
            "limited-input",
            format!("the input `{}` enforces a constraint, but has limits", name(input)),
        )
        .at(list(constraint), "the constraint is not enforced beyond these limits")
        .help(
            "remove `limits`, and compare the values that `program_inputs` returns with what the drive can deliver",
        ),
        ProgramFinding::NotLinear { constraint, input } => Diagnostic::error(
            "not-linear",
            format!("the forces are not linear in the input `{}`", name(input)),
        )
        .at(list(constraint), "the equations cannot be solved for this input")
        .help("use the force or the moment itself as the input"),
        ProgramFinding::NotDecoupled { constraint, row, q } => {
            let pose: Vec<String> =
                m.coordinates.iter().zip(q).take(8).map(|(c, x)| format!("{} = {x:.4}", c.name)).collect();
            let more = if m.coordinates.len() > 8 { ", …" } else { "" };
            Diagnostic::error("not-decoupled", format!("the inputs cannot control row `{row}` at the start"))
                .at(list(constraint), "the decoupling matrix is singular")
                .help(format!("this happens at the pose {}{more}: choose other inputs or another start", pose.join(", ")))
        }
    }
}
