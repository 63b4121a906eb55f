//! Findings of assembly about constraints and starts, as data. `messages` turns them into text.

use super::dependence::find_independent_rows;
use super::slopes::find_row_without_derivative;
use super::{Manifold, NotAssembled, Relation, rank_constraint_rows};
use dqdt_mechanics::kinematics::ConstraintRow;
use dqdt_mechanics::mechanism::{CoordinateId, SpeedId};

/// A problem with a constraint or a start, found in assembly. `messages` turns it into an error or
/// a warning.
#[derive(Clone, PartialEq, Debug)]
pub enum Finding {
    /// No start converges to a pose or speeds that fulfil the constraints.
    NotAssembled {
        /// Index of the constraint whose row is violated most.
        constraint: usize,
        /// Name of the row that is violated most.
        row: String,
        /// Residual of the most violated row in the best pose, in its unit.
        residual: f64,
        /// True if an assembled pose exists but no speeds fulfil the velocity rows there.
        speeds: bool,
        /// True if rows at the nearest pose are linearly dependent, so that the constraints
        /// contradict each other.
        contradiction: bool,
    },
    /// All poses that fulfil the rows have an axis that points backwards.
    Reversed {
        /// Index of the constraint with the reversed axis.
        constraint: usize,
    },
    /// A row has no derivative where the constraints are fulfilled, such as a distance of zero.
    NoDerivative {
        /// Index of the constraint that contains the row.
        constraint: usize,
        /// Name of the row without a derivative.
        row: String,
    },
    /// No assembled pose has the held coordinate values, but a nearby pose with other values does.
    ContradictingCoordinates {
        /// Index of the constraint whose row is violated most.
        constraint: usize,
        /// Name of the row that the held values violate most.
        row: String,
        /// Residual of the most violated row with the held values, in its unit.
        residual: f64,
        /// Held coordinates that differ in the nearby pose, with their values there.
        moved: Vec<(CoordinateId, f64)>,
    },
    /// Start speeds that assembly must keep contradict each other.
    ContradictingSpeeds {
        /// One of the violated relations between the kept speeds.
        relation: Relation,
        /// True if the pose is singular: speeds have less freedom there than elsewhere.
        singular: bool,
    },
    /// A row is redundant: a linear combination of others.
    Redundant {
        /// Index of the constraint that contains the row.
        constraint: usize,
        /// Name of the redundant row.
        row: String,
        /// Index of the row within its constraint.
        index: usize,
        /// Rows of the combination; empty if the row is zero, since nothing can move against it.
        from: Vec<Source>,
    },
    /// A redundant row, or one that no speed changes, prescribes an acceleration that contradicts
    /// the other rows.
    ContradictingAcceleration {
        /// Index of the constraint that contains the row.
        constraint: usize,
        /// Name of the contradicting row.
        row: String,
        /// Difference between the acceleration of the row and the one that the other rows require.
        residual: f64,
        /// Time of the contradiction \[s\].
        t: f64,
        /// Names of the rows of the combination; empty if no speed changes the row.
        from: Vec<String>,
    },
    /// A group of rows of which the pose decides which are redundant.
    Group {
        /// Index of the constraint that contains the first row of the group.
        constraint: usize,
        /// Names of the rows of the group.
        rows: Vec<String>,
        /// Number of independent rows in the group.
        rank: usize,
    },
    /// Dependent speeds of an elimination that do not follow from the independent ones in every
    /// pose.
    Unsteady {
        /// Index of the first constraint that is eliminated.
        constraint: usize,
        /// Names of the dependent speeds that some pose leaves undetermined.
        speeds: Vec<String>,
    },
    /// A speed that the spec declares dependent does not follow from the rows.
    NotDependent {
        /// Index of the constraint for which the spec declares the speed dependent.
        constraint: usize,
        /// The speed that the spec declares dependent.
        speed: SpeedId,
    },
    /// The constraint rank at the start is lower than at neighbouring poses.
    SingularStart,
    /// The constraints leave no degree of freedom, so nothing can move.
    Rigid,
}

/// One row, with its factor, of the linear combination of rows that a redundant row equals.
#[derive(Clone, PartialEq, Debug)]
pub struct Source {
    /// Name of the row in the combination.
    pub name: String,
    /// Index of the constraint that contains the row.
    pub constraint: usize,
    /// Index of the row within its constraint.
    pub index: usize,
    /// Factor in the combination, at the pose where the rank was determined.
    pub factor: f64,
}

/// The constraint row as a [`Source`] of a redundant row, with its factor.
pub(super) fn redundancy_source(row: &ConstraintRow<f64>, factor: f64) -> Source {
    Source { name: row.name.clone(), constraint: row.constraint, index: row.index, factor }
}

/// Reasons why no state fulfils the constraints with the kept values of `q` and `v`.
pub fn explain_failure(
    manifold: &Manifold<'_>,
    t: f64,
    e: &NotAssembled,
    (q, v): (&[f64], &[f64]),
    held: &[bool],
) -> Vec<Finding> {
    if e.speeds && !e.relations.is_empty() {
        let singular = rank_constraint_rows(manifold, t, &e.q).singular_start;
        return e
            .relations
            .iter()
            .map(|r| Finding::ContradictingSpeeds { relation: r.clone(), singular })
            .collect();
    }
    if let Some(constraint) = e.reversed {
        return vec![Finding::Reversed { constraint }];
    }
    if let Some((constraint, row)) = find_row_without_derivative(manifold, t, &e.q) {
        return vec![Finding::NoDerivative { constraint, row }];
    }
    let rows = manifold.constraint_rows(t, &e.q, v);
    let of_level: Vec<_> = rows.iter().filter(|r| e.speeds || r.position.is_some()).collect();
    let (constraint, row) = of_level
        .get(e.row)
        .map_or((0, "the norm of a quaternion".to_owned()), |r| (r.constraint, r.name.clone()));
    let residual = e.residual;
    if let Some(near) = &e.unheld {
        let changes = CoordinateId::enumerate(q.iter().zip(near));
        let held = changes.filter(|(i, (old, new))| held[*i] && value_has_moved(**old, **new));
        let moved: Vec<_> = held.map(|(i, (_, x))| (i, *x)).collect();
        if !moved.is_empty() {
            return vec![Finding::ContradictingCoordinates { constraint, row, residual, moved }];
        }
    }
    let matrix: Vec<Vec<f64>> = of_level.iter().map(|r| r.jacobian.clone()).collect();
    let contradiction = find_independent_rows(&matrix).0.len() < matrix.len();
    vec![Finding::NotAssembled { constraint, row, residual, speeds: e.speeds, contradiction }]
}

/// True if assembly changed a value by more than rounding.
pub(super) fn value_has_moved(old: f64, new: f64) -> bool {
    (old - new).abs() > 1e-12 * (1.0 + old.abs())
}
