//! The choices of assembly: active constraint rows, dependent speeds, and inputs that realise
//! constraints.
//!
//! Every choice that the equations depend on is kept here, made once (`assemble`). The only
//! exception is the order in which a sparse form eliminates its own unknowns
//! (`formalism/dynamics/elimination_order.rs`), since no other form has these unknowns; it is
//! tested at the poses listed here. A mechanism that was not assembled has the default,
//! [`Partition::ALL_ROWS`].

use super::index::SpeedId;

/// A scalar row of a constraint, identified within the mechanism.
#[doc(hidden)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RowIndex {
    /// Index of the row's constraint in the mechanism.
    pub constraint: usize,
    /// Index of the row within its constraint.
    pub row: usize,
}

/// Index of a constraint row in a list of rows, by default the list of active rows.
#[doc(hidden)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RowId(pub usize);

/// Place of a pivot of an elimination: a constraint row, and the unknown that it determines.
#[doc(hidden)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PivotPlace {
    /// Row of the constraint that is solved for the unknown.
    pub row: RowId,
    /// Index of the unknown; a speed unless the list of pivots says otherwise.
    pub column: usize,
}

impl PivotPlace {
    /// The speed in the column of the pivot, if columns are speeds.
    pub fn speed(self) -> SpeedId {
        SpeedId(self.column)
    }
}

impl From<(usize, usize)> for PivotPlace {
    /// Converts a pair of row and column.
    fn from((row, column): (usize, usize)) -> Self {
        PivotPlace { row: RowId(row), column }
    }
}

/// A dependent speed, with the eliminated constraint that determines it.
#[doc(hidden)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DependentSpeed {
    /// Index of the eliminated constraint in the mechanism.
    /// Index of the constraint in the mechanism.
    pub constraint: usize,
    /// The dependent speed.
    pub speed: SpeedId,
}

/// Choices of assembly on which the equations depend: active constraint rows, dependent speeds, and
/// inputs that realise program constraints.
#[doc(hidden)]
#[derive(Clone, PartialEq, Debug)]
pub struct Partition {
    /// Redundant rows: those that follow from others in every pose. The equations leave them out.
    pub redundant: Vec<RowIndex>,
    /// Rows whose multipliers the motion does not determine, because they take part in a linear
    /// dependence.
    pub undetermined: Vec<RowIndex>,
    /// Groups of dependent rows in which the pose decides which rows are redundant.
    pub groups: Vec<RowGroup>,
    /// Poses far from the start that need no assembly, as values of `q`. Choices of rows and pivots
    /// are tested there as well as at the start.
    pub sample_poses: Vec<Vec<f64>>,
    /// Pivots of eliminated constraints in the order of elimination: an active row and the speed
    /// that it makes dependent.
    #[doc(hidden)]
    pub eliminated: Vec<PivotPlace>,
    /// True if no sequence of pivots in `eliminated` is safe from zero in all poses but the
    /// determinant of the block of these rows and speeds is, as for two wheels on an axle at any
    /// heading. The rows are then combined (`formalism/dynamics/null_space.rs`).
    #[doc(hidden)]
    pub eliminated_as_block: bool,
    /// Speeds that eliminated constraints determine, ordered by constraint.
    pub dependent: Vec<DependentSpeed>,
    /// One dependent speed for each active row, eliminated or not.
    #[doc(hidden)]
    pub basis: Basis,
    /// Pivots as in [`Basis::steady`], but chosen so that driven speeds (named by the spec, else
    /// those on which inputs act) stay independent where possible. Used for inverse dynamics.
    /// `None` if no choice is valid in all sampled poses.
    #[doc(hidden)]
    pub driven: Option<Vec<PivotPlace>>,
    /// True if the rows of `driven` must be combined, as with `eliminated_as_block`.
    #[doc(hidden)]
    pub driven_as_block: bool,
    /// Pivots of the position-level rows in the order of elimination: a row, and the dependent
    /// coordinate difference that it determines (three for a quaternion). Redundant rows have none.
    /// Their rates are dependent speeds where possible. `None` if no choice is valid in all sampled
    /// poses.
    #[doc(hidden)]
    pub coordinates: Option<Vec<PivotPlace>>,
    /// The closed loops as generalised joints, if every constraint can be embedded so
    /// (`embedded_loops`); `None` otherwise.
    #[doc(hidden)]
    pub embedded: Option<Vec<EmbeddedLoop>>,
    /// Pivots of program constraints in the order of elimination: a row among these constraints,
    /// and an index into the inputs that the spec names to realise them.
    #[doc(hidden)]
    pub program: Vec<PivotPlace>,
    /// True if the mass matrix of the tree is singular in every pose and the constraints prevent
    /// the motions without inertia. M is then positive definite on the admissible motions, but has
    /// no inverse.
    pub tree_is_singular: bool,
}

/// Pivots that make one speed dependent for each active row, both of eliminated constraints and of
/// those with multipliers, in the order of elimination. Speeds of eliminated constraints come
/// first.
#[doc(hidden)]
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Basis {
    /// Pivots that stay away from zero in all sampled poses, as many as there are.
    pub steady: Vec<PivotPlace>,
    /// True if every active row has a pivot in `steady`.
    pub complete: bool,
    /// Pivots chosen to be as large as possible at the start pose.
    pub at_start: Vec<PivotPlace>,
}

/// Group of rows that depend on each other in every pose, where the pose decides which of them are
/// redundant.
#[doc(hidden)]
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RowGroup {
    /// All rows of the group, active or not.
    pub rows: Vec<RowIndex>,
    /// Number of independent rows of the group, except where branches of the motion cross.
    pub rank: usize,
}

impl Default for Partition {
    fn default() -> Self {
        Partition::ALL_ROWS.clone()
    }
}

impl Partition {
    /// The partition before assembly: all rows are active, no speed is dependent.
    #[doc(hidden)]
    pub const ALL_ROWS: &'static Partition = &Partition {
        redundant: Vec::new(),
        undetermined: Vec::new(),
        groups: Vec::new(),
        sample_poses: Vec::new(),
        eliminated: Vec::new(),
        eliminated_as_block: false,
        dependent: Vec::new(),
        basis: Basis { steady: Vec::new(), complete: false, at_start: Vec::new() },
        driven: None,
        driven_as_block: false,
        coordinates: None,
        embedded: None,
        program: Vec::new(),
        tree_is_singular: false,
    };

    /// True if the constraint row is redundant in every pose.
    pub fn is_redundant(&self, row: RowIndex) -> bool {
        self.redundant.contains(&row)
    }

    /// True if the motion does not determine the row's multiplier.
    pub fn is_undetermined(&self, row: RowIndex) -> bool {
        self.undetermined.contains(&row)
    }

    /// The group of a row whose redundancy depends on the pose; `None` for other rows.
    pub fn group_containing(&self, row: RowIndex) -> Option<&RowGroup> {
        self.groups.iter().find(|g| g.rows.contains(&row))
    }

    /// Number of redundant rows: rows in excess of the rank.
    pub fn redundant_count(&self) -> usize {
        self.redundant.len() + self.groups.iter().map(|g| g.rows.len() - g.rank).sum::<usize>()
    }
}

/// A closed loop that leaves one degree of freedom, treated as a generalised joint.
#[doc(hidden)]
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EmbeddedLoop {
    /// Constraint rows of the loop, one or two, as indices among the active rows.
    pub rows: Vec<RowId>,
    /// The degrees of freedom that enter the loop, one more than rows. Indices below nv are speeds;
    /// index nv + k is the degree of freedom left by loop k.
    pub motions: Vec<usize>,
    /// The speed that parametrises the loop's remaining degree of freedom.
    pub parametrising_speed: SpeedId,
}
