//! Functions of frames by their names, and what formulas ask of them.

use crate::spec::Name;
use dqdt_diagnostics::base::Span;
use dqdt_mechanics::mechanism::MeasureKind;

/// A frame as a formula names it: the body (`None`: the ground) and its point.
#[derive(Clone, PartialEq)]
pub(super) struct Frame {
    pub body: Option<usize>,
    pub point: Option<Name>,
}

/// A measure that some formula asks for.
#[derive(Clone)]
pub(super) struct Asked {
    /// As the first formula wrote it, and where.
    pub written: String,
    pub span: Option<Span>,
    pub kind: MeasureKind,
    /// What is seen, and what it is seen from, as texts that are equal for equal frames.
    pub frames: [String; 2],
    pub seen: Frame,
    pub from: Frame,
}

fn axis(text: &str) -> Option<usize> {
    ["x", "y", "z"].iter().position(|a| *a == text)
}

/// The kind of a function of frames.
pub(super) fn kind(function: &str) -> Option<MeasureKind> {
    match function {
        "distance" => return Some(MeasureKind::Distance),
        "distance_rate" => return Some(MeasureKind::DistanceRate),
        _ => {}
    }
    let (stem, letters) = function.rsplit_once('_')?;
    Some(match stem {
        "position" => MeasureKind::Position(axis(letters)?),
        "velocity" => MeasureKind::Velocity(axis(letters)?),
        "angular_velocity" => MeasureKind::AngularVelocity(axis(letters)?),
        "rotation" => {
            let (row, column) = letters.split_at_checked(1)?;
            MeasureKind::Rotation { row: axis(row)?, column: axis(column)? }
        }
        _ => return None,
    })
}

/// All functions of frames, for "did you mean".
pub(super) fn names() -> impl Iterator<Item = String> {
    const AXES: [&str; 3] = ["x", "y", "z"];
    let by_axis = ["position", "velocity", "angular_velocity"]
        .into_iter()
        .flat_map(|s| AXES.map(|a| format!("{s}_{a}")));
    let turns = AXES.into_iter().flat_map(|a| AXES.map(|b| format!("rotation_{a}{b}")));
    by_axis.chain(turns).chain(["distance".to_owned(), "distance_rate".to_owned()])
}
