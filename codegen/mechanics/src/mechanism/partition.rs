//! The choices of assembly: which rows of constraints take part, and which speeds and inputs they give.
//!
//! Every choice that the equations depend on stands here, made once (`assemble`). One is not: the order in which a sparse
//! form eliminates its own unknowns (`formalism/dynamics/elimination_order.rs`), since no other form has these unknowns; it is
//! tried at the poses that stand here. A mechanism that was not assembled has the default,
//! [`Partition::ALL_ROWS`].

use super::index::SpeedId;

/// A row of a constraint.
#[doc(hidden)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RowIndex {
    /// Index of the constraint in the mechanism.
    pub constraint: usize,
    /// Index of the row within the constraint.
    pub row: usize,
}

/// Position of a row in a list of rows, by default the list of rows that take part.
#[doc(hidden)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RowId(pub usize);

/// The place of a pivot in a matrix of rows.
#[doc(hidden)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PivotPlace {
    /// The row.
    pub row: RowId,
    /// What the row determines; a speed if its list does not say otherwise.
    pub column: usize,
}

impl PivotPlace {
    /// The speed of its column, where columns are speeds.
    pub fn speed(self) -> SpeedId {
        SpeedId(self.column)
    }
}

impl From<(usize, usize)> for PivotPlace {
    /// From a row and a column.
    fn from((row, column): (usize, usize)) -> Self {
        PivotPlace { row: RowId(row), column }
    }
}

/// A speed that an eliminated constraint determines.
#[doc(hidden)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DependentSpeed {
    /// Index of the constraint in the mechanism.
    pub constraint: usize,
    /// The speed.
    pub speed: SpeedId,
}

/// Which rows take part in the equations, and which speeds and inputs follow from them.
#[doc(hidden)]
#[derive(Clone, PartialEq, Debug)]
pub struct Partition {
    /// Rows that follow from other rows in every pose. They are left out of the equations.
    pub redundant: Vec<RowIndex>,
    /// Rows whose reaction the motion does not determine: rows that take part in a dependence.
    pub undetermined: Vec<RowIndex>,
    /// Rows of which the pose decides which are redundant.
    pub groups: Vec<RowGroup>,
    /// Poses far from the start that need no assembly: there choices were tried, besides the start.
    pub poses: Vec<Vec<f64>>,
    /// Of constraints that are eliminated: rows, counted among those that take part, with the speeds that they make
    /// dependent, in the order of elimination.
    #[doc(hidden)]
    pub eliminated: Vec<PivotPlace>,
    /// True if no order of their pivots keeps away from zero, but the block of these rows and speeds does: those of two wheels on an
    /// axle, whatever their heading. The rows are then combined (`formalism/dynamics/null_space.rs`).
    #[doc(hidden)]
    pub eliminated_as_block: bool,
    /// Speeds that eliminated constraints determine, ordered by constraint.
    pub dependent: Vec<DependentSpeed>,
    /// A dependent speed for each row that takes part.
    #[doc(hidden)]
    pub basis: Basis,
    /// As `basis.steady`, but speeds that inputs drive stay independent where there is a choice; `None` where the pose decides
    /// which speed a row gives.
    #[doc(hidden)]
    pub driven: Option<Vec<PivotPlace>>,
    /// As `eliminated_as_block`, of `driven`.
    #[doc(hidden)]
    pub driven_as_block: bool,
    /// Of all rows of coordinates, counted among these, dependent differences of coordinates, of a quaternion three, in the
    /// order of elimination; rows that follow from others have none. As far as there is a choice their rates are dependent speeds. `None`
    /// where the pose decides.
    #[doc(hidden)]
    pub coordinates: Option<Vec<PivotPlace>>,
    /// The closed loops as generalised joints, where all constraints can be taken so.
    #[doc(hidden)]
    pub embedded: Option<Vec<EmbeddedLoop>>,
    /// Of constraints that inputs realise: rows, counted among these, with the position of an input among those that are
    /// named, in the order of elimination.
    #[doc(hidden)]
    pub program: Vec<PivotPlace>,
    /// True if M of the tree is singular in every pose and the constraints hold the motions without inertia: M is positive definite on
    /// what they leave free, and has no inverse.
    pub tree_is_singular: bool,
}

/// Dependent speeds of all rows that take part, whatever the treatment of their constraints: rows, counted among these,
/// with speeds, in the order of elimination. Speeds of eliminated constraints come first.
#[doc(hidden)]
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Basis {
    /// With pivots that keep away from zero at all poses that were tried, as far as there are any.
    pub steady: Vec<PivotPlace>,
    /// True if every row has a pivot in `steady`.
    pub complete: bool,
    /// With the largest pivots at the start.
    pub at_start: Vec<PivotPlace>,
}

/// Rows that depend on each other in every pose, where the pose decides which of them follow from the others.
#[doc(hidden)]
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RowGroup {
    /// The rows.
    pub rows: Vec<RowIndex>,
    /// How many of them are independent, but where branches cross.
    pub rank: usize,
}

impl Default for Partition {
    fn default() -> Self {
        Partition::ALL_ROWS.clone()
    }
}

impl Partition {
    /// The partition before assembly: all rows take part, no speed is dependent.
    #[doc(hidden)]
    pub const ALL_ROWS: &'static Partition = &Partition {
        redundant: Vec::new(),
        undetermined: Vec::new(),
        groups: Vec::new(),
        poses: Vec::new(),
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

    /// True if the row follows from other rows in every pose.
    pub fn is_redundant(&self, row: RowIndex) -> bool {
        self.redundant.contains(&row)
    }

    /// True if the motion does not determine the reaction of the row.
    pub fn is_undetermined(&self, row: RowIndex) -> bool {
        self.undetermined.contains(&row)
    }

    /// The group of a row of which the pose decides whether it takes part.
    pub fn group_of(&self, row: RowIndex) -> Option<&RowGroup> {
        self.groups.iter().find(|g| g.rows.contains(&row))
    }

    /// Number of rows beyond the rank.
    pub fn beyond(&self) -> usize {
        self.redundant.len() + self.groups.iter().map(|g| g.rows.len() - g.rank).sum::<usize>()
    }
}

/// A loop that leaves one motion.
#[doc(hidden)]
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EmbeddedLoop {
    /// Its rows, counted among those that take part: one or two.
    pub rows: Vec<RowId>,
    /// The motions that it meets, one more: speeds, then, from nv on, what the loops before it left.
    pub motions: Vec<usize>,
    /// The speed that the motion it leaves is named after.
    pub name: SpeedId,
}
