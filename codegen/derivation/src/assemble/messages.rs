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
                .help("rows that depend on each other require different speeds; remove one, or correct its right-hand side")
        }
        Finding::NotAssembled { constraint, row, residual, contradiction: true, .. } => Diagnostic::error(
            "inconsistent-constraints",
            "no pose satisfies all constraints, and those at the nearest pose depend on each other",
        )
        .at(span(*constraint), format!("`{row}` has a residual of {residual:.3e}"))
        .help(if is_rolling_constraint(m, *constraint) {
            "the centre of a rolling body must be one radius above its plane, and no coordinate moves it there: start the chain of its joints at that height, as in `parent = { body = \"ground\", at = [0, 0, \"r\"] }`"
        } else {
            "two constraints require different values of the same quantity, or a loop is too short to close; compare their lengths"
        }),
        Finding::NotAssembled { constraint, row, residual, .. } => {
            Diagnostic::error("not-assembled", "no pose was found that satisfies the constraints")
                .at(span(*constraint), format!("`{row}` has a residual of {residual:.3e}"))
                .help("24 starts near that of the spec were tried: set a start closer to an assembled pose, check the lengths, or hold fewer coordinates")
        }
        Finding::Reversed { constraint } => {
            let name = m.constraints.get(*constraint).map_or("", |c| c.name.as_str());
            Diagnostic::error("not-assembled", "no pose was found in which all axes point the intended way")
                .at(span(*constraint), format!("all rows are satisfied, but an axis of `{name}` points backwards"))
                .help("24 starts near that of the spec were tried: set a start with the right attitude, or rotate the frame of one end by 180 deg")
        }
        Finding::NoDerivative { constraint, row } => {
            Diagnostic::error("no-slope", format!("row `{row}` has no derivative where it is satisfied"))
                .at(span(*constraint), "a distance or a square root has no derivative at zero")
                .help("to join two points, use a constraint of the type `spherical`; rewrite a formula so that it has a derivative there, such as x = 0 instead of abs(x) = 0")
        }
        Finding::ContradictingAcceleration { constraint, row, residual, t, from } => {
            let (said, help) = if from.is_empty() {
                ("no speed changes it".to_owned(), "its formula depends only on time or prescribed motions, so no coordinate can satisfy it: include a coordinate in the formula, or remove the constraint")
            } else {
                let names: Vec<String> = from.iter().take(6).map(|name| format!("`{name}`")).collect();
                let more = if from.len() > 6 { ", …" } else { "" };
                (format!("it follows from {}{more}, which require a different acceleration", names.join(", ")), "rows that constrain the same quantity must agree at all times: remove one, or correct its right-hand side")
            };
            Diagnostic::error("inconsistent-constraints", format!("no acceleration satisfies row `{row}`"))
                .at(span(*constraint), format!("{said}; at t = {t} s its acceleration has a residual of {residual:.3e}"))
                .help(help)
        }
        Finding::Redundant { constraint, row, from, .. } if from.is_empty() => {
            Diagnostic::warning("redundant-constraint", format!("row `{row}` constrains a quantity that cannot change"))
                .at(span(*constraint), format!("no speed changes it{}", redundancy_scope(m, f)))
                .help("the row is dropped from the equations, and its reaction is not determined; if that is intended, write `accept = [\"redundant-constraint\"]`")
        }
        Finding::Redundant { constraint, row, from, .. } => {
            let names: Vec<String> = from.iter().take(6).map(|s| format!("`{}`", s.name)).collect();
            let more = if from.len() > 6 { ", …" } else { "" };
            Diagnostic::warning("redundant-constraint", format!("row `{row}` follows from other constraints"))
                .at(span(*constraint), format!("follows from {}{more}{}", names.join(", "), redundancy_scope(m, f)))
                .help(redundancy_help(m, f))
        }
        Finding::Group { constraint, rows, rank } => {
            let names: Vec<String> = rows.iter().take(6).map(|name| format!("`{name}`")).collect();
            let more = if rows.len() > 6 { ", …" } else { "" };
            let beyond = rows.len() - rank;
            let s = if beyond == 1 { "s" } else { "" };
            let text = format!("{beyond} of {} rows follow{s} from the others", rows.len());
            Diagnostic::warning("redundant-constraint", text)
                .at(span(*constraint), format!("{}{more}: the pose determines which of them", names.join(", ")))
                .help("the independent rows of each pose are used, so accelerations and the total force of these rows are correct in every pose; the motion of rigid bodies does not determine the reactions of individual rows")
        }
        Finding::Unsteady { constraint, speeds } => {
            let names: Vec<String> = speeds.iter().map(|name| format!("`{name}`")).collect();
            Diagnostic::warning("dependent-speeds-vanish", "the dependent speeds do not follow from the others in every pose")
                .at(span(*constraint), format!("{}: not determined by the constraints in some poses, for example at another heading or with a wheel steered by 90 degrees", names.join(", ")))
                .help("in those poses the equations are `Singular`: if these speeds are along ground axes, use speeds in body axes (`velocity_frame = \"body\"` of a `planar` or `free` joint), name other `dependent` speeds, or omit `treatment`, since multipliers work in every pose")
        }
        Finding::NotDependent { constraint, speed } => {
            let name = m.speeds.get(speed.index()).map_or("", |s| s.name.as_str());
            Diagnostic::error("not-dependent", format!("the speed `{name}` does not follow from the constraints"))
                .at(other.or_else(|| span(*constraint)), "not determined by the other speeds in the assembled pose")
                .help("name another speed, or omit `dependent`: it is then chosen automatically")
        }
        Finding::SingularStart => {
            Diagnostic::warning("singular-start", "the mechanism starts in a singular pose")
                .at(other, "more rows are dependent in this pose than elsewhere")
                .help("start slightly away from this pose, in which the accelerations are not determined")
        }
        Finding::Rigid => Diagnostic::warning("no-freedom", "the constraints leave no degree of freedom")
            .at(other, "the number of independent rows equals the number of speeds")
            .help("run `dqdt assemble` to count rows and degrees of freedom"),
    })
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
        "the row is dropped: accelerations are correct without it in every pose; the motion of rigid bodies does not determine the reactions of these rows"
    } else {
        "the row is dropped: it was the same linear combination of the others in every sampled pose, and accelerations are correct while that holds; the motion of rigid bodies does not determine the reactions of these rows"
    }
}

/// Text for a redundant row that is proven exactly to depend on others at all poses.
const EVERYWHERE: &str = ", in every pose";

/// Poses in which a row is known to be redundant, as text: every pose if that is proven exactly.
fn redundancy_scope(m: &Mechanism, finding: &Finding) -> &'static str {
    if let Finding::Redundant { constraint, index, from, .. } = finding {
        let from: Vec<_> =
            (from.iter()).map(|s| (RowIndex { constraint: s.constraint, row: s.index }, s.factor)).collect();
        if is_redundant_in_every_pose(m, RowIndex { constraint: *constraint, row: *index }, &from) {
            return EVERYWHERE;
        }
    }
    ", in every assembled pose that was sampled"
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
                .at(list(constraint), "named again here")
                .help("name another input, or remove a constraint: an input can enforce only one row")
        }
        ProgramFinding::Limited { constraint, input } => Diagnostic::error(
            "limited-input",
            format!("the input `{}` enforces a constraint, but has limits", name(input)),
        )
        .at(list(constraint), "not enforced beyond the limits")
        .help(
            "remove `limits`, and compare the values that `program_inputs` returns with the capability of the drive",
        ),
        ProgramFinding::NotLinear { constraint, input } => Diagnostic::error(
            "not-linear",
            format!("the forces are not linear in the input `{}`", name(input)),
        )
        .at(list(constraint), "cannot be solved for this input")
        .help("use the force or the moment itself as the input"),
        ProgramFinding::NotDecoupled { constraint, row, q } => {
            let pose: Vec<String> =
                m.coordinates.iter().zip(q).take(8).map(|(c, x)| format!("{} = {x:.4}", c.name)).collect();
            let more = if m.coordinates.len() > 8 { ", …" } else { "" };
            Diagnostic::error("not-decoupled", format!("the inputs cannot change `{row}` at the start"))
                .at(list(constraint), "singular decoupling matrix")
                .help(format!("at the pose {}{more}: choose other inputs or another start", pose.join(", ")))
        }
    }
}
