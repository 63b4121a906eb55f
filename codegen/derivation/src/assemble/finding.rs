//! Findings of assembly about constraints and starts, as data; `messages` puts them into words.

use super::dependence::independent;
use super::slopes::without_slope;
use super::{Manifold, NotAssembled, Relation, rank};
use dqdt_mechanics::kinematics::ConstraintRow;
use dqdt_mechanics::mechanism::{CoordinateId, SpeedId};

/// What was found out about a constraint.
#[derive(Clone, PartialEq, Debug)]
pub enum Finding {
    /// No start leads to the constraints.
    NotAssembled {
        /// Index of the constraint whose row is violated most.
        constraint: usize,
        /// Name of that row.
        row: String,
        /// By how much it is violated.
        residual: f64,
        /// True if the speeds contradict each other in a pose that assembles.
        speeds: bool,
        /// True if rows at the nearest pose depend on each other: constraints that contradict.
        contradiction: bool,
    },
    /// The poses that fulfil the rows all have an axis that points backwards.
    Reversed {
        /// Index of the constraint.
        constraint: usize,
    },
    /// A row has no slope where the constraints are fulfilled.
    NoSlope {
        /// Index of the constraint.
        constraint: usize,
        /// Name of the row.
        row: String,
    },
    /// No pose has the coordinates that are held, but there is one near by.
    HeldApart {
        /// Index of the constraint whose row is violated most.
        constraint: usize,
        /// Name of that row.
        row: String,
        /// By how much it is violated.
        residual: f64,
        /// What is held and differs in that pose, with its value there.
        moved: Vec<(CoordinateId, f64)>,
    },
    /// Speeds that are kept contradict each other.
    SpeedsApart {
        /// One of the relations between them that fail.
        relation: Relation,
        /// True if the pose is singular.
        singular: bool,
    },
    /// A row follows from others.
    Redundant {
        /// Index of the constraint.
        constraint: usize,
        /// Name of the row.
        row: String,
        /// Its index within the constraint.
        index: usize,
        /// The rows that it is a sum of; none if nothing can move against it.
        from: Vec<Source>,
    },
    /// A row that follows from others, or that no speed changes, asks for another acceleration than they.
    AccelerationsApart {
        /// Index of the constraint.
        constraint: usize,
        /// Name of the row.
        row: String,
        /// By how much its acceleration is off.
        residual: f64,
        /// When \[s\].
        t: f64,
        /// Names of the rows that it is a sum of; none if no speed changes it.
        from: Vec<String>,
    },
    /// Rows that depend on each other, where the pose decides which follow from the others.
    Group {
        /// Index of the constraint of the first.
        constraint: usize,
        /// Their names.
        rows: Vec<String>,
        /// How many of them are independent.
        rank: usize,
    },
    /// Speeds that elimination computes from the others do not follow from them in every pose.
    Unsteady {
        /// Index of the first constraint that is eliminated.
        constraint: usize,
        /// Names of the speeds.
        speeds: Vec<String>,
    },
    /// The named dependent speeds do not follow from the rows.
    NotDependent {
        /// Index of the constraint that names it.
        constraint: usize,
        /// The speed.
        speed: SpeedId,
    },
    /// The start is a pose of lower rank than its neighbours.
    SingularStart,
    /// Nothing can move.
    Rigid,
}

/// A row that another one is a sum of.
#[derive(Clone, PartialEq, Debug)]
pub struct Source {
    /// Its name.
    pub name: String,
    /// Index of its constraint.
    pub constraint: usize,
    /// Its index within the constraint.
    pub index: usize,
    /// Its factor in the sum, at the pose where the rank was taken.
    pub factor: f64,
}

pub(super) fn source(row: &ConstraintRow<f64>, factor: f64) -> Source {
    Source { name: row.name.clone(), constraint: row.constraint, index: row.index, factor }
}

/// Why there is no state on the constraints with what is kept of `q`, `v`.
pub fn why_not(
    manifold: &Manifold<'_>,
    t: f64,
    e: &NotAssembled,
    (q, v): (&[f64], &[f64]),
    held: &[bool],
) -> Vec<Finding> {
    if e.speeds && !e.relations.is_empty() {
        let singular = rank(manifold, t, &e.q).singular_start;
        return e.relations.iter().map(|r| Finding::SpeedsApart { relation: r.clone(), singular }).collect();
    }
    if let Some(constraint) = e.reversed {
        return vec![Finding::Reversed { constraint }];
    }
    if let Some((constraint, row)) = without_slope(manifold, t, &e.q) {
        return vec![Finding::NoSlope { constraint, row }];
    }
    let rows = manifold.rows(t, &e.q, v);
    let of_level: Vec<_> = rows.iter().filter(|r| e.speeds || r.position.is_some()).collect();
    let (constraint, row) = of_level
        .get(e.row)
        .map_or((0, "the norm of a quaternion".to_owned()), |r| (r.constraint, r.name.clone()));
    let residual = e.residual;
    if let Some(near) = &e.unheld {
        let changes = CoordinateId::enumerate(q.iter().zip(near));
        let held = changes.filter(|(i, (old, new))| held[*i] && moved(**old, **new));
        let moved: Vec<_> = held.map(|(i, (_, x))| (i, *x)).collect();
        if !moved.is_empty() {
            return vec![Finding::HeldApart { constraint, row, residual, moved }];
        }
    }
    let matrix: Vec<Vec<f64>> = of_level.iter().map(|r| r.jacobian.clone()).collect();
    let contradiction = independent(&matrix).0.len() < matrix.len();
    vec![Finding::NotAssembled { constraint, row, residual, speeds: e.speeds, contradiction }]
}

/// True if assembly changed a value, not only its rounding.
pub(super) fn moved(old: f64, new: f64) -> bool {
    (old - new).abs() > 1e-12 * (1.0 + old.abs())
}
