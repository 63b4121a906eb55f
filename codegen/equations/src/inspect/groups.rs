//! Groups of printed quantities: nodes of one graph with heading, names and role.

use super::view::{Form, Part};
use dqdt_algebra::Scalar;
use dqdt_document::report::{Block, Math, Prose};
use dqdt_graph::ir::{Graph, NodeId, SymbolKind, Tracer};
use dqdt_mechanics::mechanism::SpeedId;

/// Callback of a report that gives the closed form of each entry of all groups, or a one-line
/// reason why there is none.
pub type ClosedForms<'a> = dyn FnMut(&Quantities) -> Vec<Result<Math, String>> + 'a;

/// A term of an entry that is printed as a sum: a coefficient times an acceleration or multiplier,
/// or a coefficient alone.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct EntryTerm {
    /// Node of the coefficient, or of the whole term if there is no factor.
    pub coefficient: NodeId,
    /// Node of the acceleration or multiplier that the coefficient multiplies; `None` if there is
    /// none.
    pub factor: Option<NodeId>,
}

/// A term of an equation while it is recorded: its coefficient, and the acceleration or multiplier
/// that this multiplies, if any.
pub(super) type SumTerm<'g> = (Tracer<'g>, Option<Tracer<'g>>);

impl EntryTerm {
    fn new(graph: &Graph, (coefficient, factor): &SumTerm<'_>) -> Self {
        EntryTerm { coefficient: coefficient.id(graph), factor: factor.map(|factor| factor.id(graph)) }
    }
}

/// The sum of all terms of an equation's side, as one node.
fn sum_terms<'g>(terms: &[SumTerm<'g>]) -> Tracer<'g> {
    let products = terms.iter().map(|(x, factor)| factor.map_or(*x, |factor| *x * factor));
    products.fold(Tracer::ZERO, |sum, x| sum + x)
}

/// Layout of the entries of a group in a report.
#[derive(Clone, PartialEq, Debug)]
pub enum Arrangement {
    /// One equation for each entry; these are the left sides, the entries the right sides.
    Equations(Vec<Math>),
    /// A matrix with this name and number of columns, entries by rows.
    Matrix(Math, usize),
    /// Two entries for each equation: its left and its right side.
    Relations,
}

/// The quantity in the equations of motion that a group contains, for code that reassembles the
/// equations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GroupRole {
    /// Any quantity that the equations of motion do not contain, such as a pose or an energy.
    Other,
    /// The mass matrix `M`, by rows.
    Mass,
    /// The inertial terms `c`: Coriolis and centrifugal, one for each speed.
    Inertial,
    /// The applied generalised forces `Q`, one for each speed.
    Applied,
    /// Rates `q̇` of the coordinates in terms of the speeds.
    Rates,
    /// Pose and motion of a body relative to its parent body.
    Relative,
    /// Residuals `Φ` of the rows that have them, redundant ones included.
    Position,
    /// Velocity residuals `Ψ` of the rows without Φ.
    Velocity,
    /// The constraint Jacobian `A` of the independent rows, by rows.
    Jacobian,
    /// The drift `a₀` of the independent constraint rows, the part without speeds.
    Drift,
    /// `γ` (right side of `A v̇ = γ`) of the independent rows, with stabilisation.
    Gamma,
    /// The equations of motion `M v̇ + c = Q + Aᵀ λ`, one relation for each speed.
    Motion,
    /// Dependent speeds in terms of the independent ones.
    DependentSpeeds,
    /// The null-space matrix `B`, by rows: one row for each speed, one column for each independent
    /// speed.
    Complement,
    /// `β` of `v̇ = B v̇ᵢ + β`, for the dependent speeds.
    Beta,
    /// Projected mass matrix `Bᵀ M B`, by rows.
    ReducedMass,
    /// Projected inertial terms `Bᵀ (c + M β)`.
    ReducedInertial,
    /// Projected applied forces `Bᵀ Q`.
    ReducedApplied,
    /// The projected equations, one relation for each independent speed.
    ReducedMotion,
    /// Residuals `Φ` of the program constraints (rows that inputs realise).
    ProgramPosition,
    /// Velocity residuals `Ψ` of the program constraints.
    ProgramVelocity,
    /// Jacobian `G` of the program constraints, by rows.
    ProgramJacobian,
    /// `γ_G`: right side of `G v̇ = γ_G` of the program constraints.
    ProgramGamma,
    /// `∂Q/∂u` for the inputs that realise program constraints, by rows.
    InputMatrix,
    /// The Coriolis matrix `C` of `C(q, v) v` in the robotics form, by rows.
    Coriolis,
    /// The vector `g(q)` of gravity and springs.
    Potential,
    /// The input matrix `B` of `B u` for all inputs, by rows.
    Inputs,
    /// Generalised forces that belong neither to `g(q)` nor to `B u`.
    Rest,
    /// Definitions of the lengths along which loads act, each denoted by a letter.
    Length,
    /// Definitions and prescribed coordinates, with their time derivatives.
    Named,
}

/// Entries that are printed together: one matrix, vector or list of equations.
#[derive(Clone, PartialEq, Debug)]
pub struct QuantityGroup {
    /// Section heading; adjacent groups with equal headings share a section.
    pub heading: String,
    /// Part of the report that contains the group.
    pub part: Part,
    /// Forms of the equations in which the group is shown; empty means all forms.
    pub forms: &'static [Form],
    /// Explanation that is printed with the entries, with frame and unit.
    pub note: Prose,
    /// Layout of the entries: equations, a matrix or relations.
    pub arrangement: Arrangement,
    /// Quantity of the equations of motion that the group contains.
    pub role: GroupRole,
    /// Blocks of text printed before the entries of the group.
    pub intro: Vec<Block>,
    /// One node for each entry, matrices by rows.
    pub nodes: Vec<NodeId>,
    /// Terms of each entry, for entries that are printed as sums in this order; otherwise empty.
    pub sums: Vec<Vec<EntryTerm>>,
}

/// All printed quantities: a graph and the groups of its nodes.
#[derive(Debug)]
pub struct Quantities {
    /// The graph that contains the nodes of all groups.
    pub graph: Graph,
    /// Groups of all quantities in reading order.
    pub groups: Vec<QuantityGroup>,
    /// Positions of the loads whose lengths are denoted by letters, in the order of the group
    /// `GroupRole::Length`.
    pub lengths: Vec<usize>,
    /// Symbols of the named formulas, in the order of the group `GroupRole::Named`.
    pub named: Vec<SymbolKind>,
    /// Dependent and independent speeds, if the equations are reduced to the independent ones.
    pub projection: Option<Split>,
    /// Residuals added to entries of `Aᵀ` to shorten the equations that are written out.
    pub reductions: Vec<Reduction>,
}

/// A residual that was added to an entry of `Aᵀ` to shorten an equation; residuals are zero in
/// every admissible pose.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reduction {
    /// Speed in whose equation of motion the entry of `Aᵀ` occurs.
    pub speed: SpeedId,
    /// Position of the row of the entry, among all constraint rows.
    pub row: usize,
    /// Position of the row whose Φ was added, among all constraint rows.
    pub residual: usize,
    /// True if Φ was subtracted instead of added.
    pub negative: bool,
}

impl Reduction {
    /// The residual with the sign of this reduction.
    pub fn signed_residual<'g>(&self, residual: Tracer<'g>) -> Tracer<'g> {
        if self.negative { -residual } else { residual }
    }
}

/// Partition of the speeds into dependent and independent ones, and the rows that determine the
/// dependent ones.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Split {
    /// Positions of the rows that determine the dependent speeds, among all constraint rows.
    pub rows: Vec<usize>,
    /// Dependent speeds, in the order of their equations.
    pub dependent: Vec<SpeedId>,
    /// Independent speeds, in spec order.
    pub independent: Vec<SpeedId>,
    /// True if emitted functions compute the dependent speeds from the independent ones.
    pub substituted: bool,
    /// True if B, b, β and the projected equations are written out.
    pub written: bool,
}

/// Collects groups in reading order; `part` and `forms` apply to all groups added next.
pub(super) struct Recorder<'g> {
    /// Graph in which the entries are recorded.
    pub graph: &'g Graph,
    /// Groups added so far, in reading order.
    pub groups: Vec<QuantityGroup>,
    /// Part of the report for the groups added next.
    pub part: Part,
    /// Forms of the equations for the groups added next.
    pub forms: &'static [Form],
    /// Residuals added to entries of `Aᵀ` so far.
    pub reductions: Vec<Reduction>,
}

impl<'g> Recorder<'g> {
    /// Sets the part and the forms for the groups added next.
    pub fn set_part(&mut self, part: Part, forms: &'static [Form]) {
        (self.part, self.forms) = (part, forms);
    }

    /// Adds blocks without entries at the place of the next group.
    pub fn push_blocks(&mut self, heading: &str, blocks: Vec<Block>) {
        self.groups.push(QuantityGroup {
            heading: heading.to_owned(),
            part: self.part,
            forms: self.forms,
            note: Prose::default(),
            arrangement: Arrangement::Equations(Vec::new()),
            role: GroupRole::Other,
            intro: blocks,
            nodes: Vec::new(),
            sums: Vec::new(),
        });
    }

    /// Adds a group of entries with heading, note, role and layout, for the current part and forms.
    pub fn push_group(
        &mut self,
        heading: &str,
        note: impl Into<Prose>,
        role: GroupRole,
        arrangement: Arrangement,
        values: &[Tracer<'g>],
    ) {
        self.groups.push(QuantityGroup {
            heading: heading.to_owned(),
            part: self.part,
            forms: self.forms,
            note: note.into(),
            arrangement,
            role,
            intro: Vec::new(),
            nodes: values.iter().map(|x| x.id(self.graph)).collect(),
            sums: Vec::new(),
        });
    }

    /// Adds relations whose sides are sums, each term a coefficient and the symbol it multiplies,
    /// if any.
    pub fn push_sums(
        &mut self,
        heading: &str,
        note: impl Into<Prose>,
        role: GroupRole,
        sides: &[Vec<SumTerm<'g>>],
    ) {
        let values: Vec<Tracer<'g>> = sides.iter().map(|side| sum_terms(side)).collect();
        self.push_group(heading, note, role, Arrangement::Relations, &values);
        let graph = self.graph;
        if let Some(group) = self.groups.last_mut() {
            group.sums = (sides.iter())
                .map(|side| side.iter().map(|term| EntryTerm::new(graph, term)).collect())
                .collect();
        }
    }

    /// Adds relations `left = right` in symbols, after a paragraph of text if that is not empty.
    pub fn push_relations(&mut self, heading: &str, text: impl Into<Prose>, relations: Vec<(Math, Math)>) {
        let mut blocks = Vec::new();
        let text = text.into();
        if !text.is_empty() {
            blocks.push(Block::Paragraph(text));
        }
        blocks.push(Block::Relations(relations));
        self.push_blocks(heading, blocks);
    }
}
