//! Quantities in groups as a reader wants them: nodes of one graph with what they are called.

use super::view::{Form, Part};
use dqdt_algebra::Scalar;
use dqdt_document::report::{Block, Math, Prose};
use dqdt_graph::ir::{Graph, NodeId, SymbolKind, Tracer};
use dqdt_mechanics::mechanism::SpeedId;

/// Gives the closed form of each entry of all groups, or says in one line why there is none.
pub type ClosedForms<'a> = dyn FnMut(&Quantities) -> Vec<Result<Math, String>> + 'a;

/// A term of an entry that is printed as a sum: what stands before an acceleration or a multiplier, or alone.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Term {
    /// The coefficient, or the whole term.
    pub coefficient: NodeId,
    /// The symbol behind it.
    pub of: Option<NodeId>,
}

/// How the entries of a group stand.
#[derive(Clone, PartialEq, Debug)]
pub enum Arrangement {
    /// One equation an entry, with these left sides.
    Equations(Vec<Math>),
    /// A matrix with this name and number of columns.
    Matrix(Math, usize),
    /// Two entries an equation: its left and its right side.
    Relations,
}

/// Which part of the equations a group is, for who puts them together again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GroupRole {
    /// None of the following.
    Other,
    /// `M`, by rows.
    Mass,
    /// `c`
    Inertial,
    /// `Q`
    Applied,
    /// `q̇`
    Rates,
    /// Where a body is, seen from the body that carries it.
    Relative,
    /// `Φ` of the rows that have it, redundant ones included.
    Position,
    /// `Ψ` of the rows that have no Φ.
    Velocity,
    /// `A` of the rows that take part, by rows.
    Jacobian,
    /// `a₀` of these rows.
    Drift,
    /// `γ` of these rows, as it is used.
    Gamma,
    /// `M v̇ + c = Q + Aᵀ λ`, a relation a speed.
    Motion,
    /// Dependent speeds of the others.
    DependentSpeeds,
    /// `B`, by rows: one a speed, one column a speed that stays.
    Complement,
    /// `β` of the dependent speeds.
    Beta,
    /// `Bᵀ M B`, by rows.
    ReducedMass,
    /// `Bᵀ (c + M β)`
    ReducedInertial,
    /// `Bᵀ Q`
    ReducedApplied,
    /// The projected equations, a relation a speed that stays.
    ReducedMotion,
    /// `Φ` of the rows that inputs realise.
    ProgramPosition,
    /// `Ψ` of the rows that inputs realise.
    ProgramVelocity,
    /// `G`, by rows.
    ProgramJacobian,
    /// `γ_G`
    ProgramGamma,
    /// `∂Q/∂u` of the inputs that realise rows, by rows.
    InputMatrix,
    /// `C` of `C(q, v) v`, by rows.
    Coriolis,
    /// `g(q)`, of gravity and springs.
    Potential,
    /// `B` of all inputs, by rows.
    Inputs,
    /// What else acts beside `B u`.
    Rest,
    /// The lengths along which loads act, by their letters.
    Length,
    /// Definitions and prescribed coordinates, with derivatives by time.
    Named,
}

/// Entries that belong together.
#[derive(Clone, PartialEq, Debug)]
pub struct QuantityGroup {
    /// Section heading; neighbours with one heading share a section.
    pub heading: String,
    /// The part of the report.
    pub part: Part,
    /// The forms of the equations that it is shown with; empty: all.
    pub forms: &'static [Form],
    /// What they are, frame and unit.
    pub note: Prose,
    /// How they stand.
    pub arrangement: Arrangement,
    /// Which part of the equations they are.
    pub role: GroupRole,
    /// What stands before them.
    pub intro: Vec<Block>,
    /// One node an entry, matrices by rows.
    pub nodes: Vec<NodeId>,
    /// The terms of each entry, where entries are sums whose terms keep their places; else empty.
    pub sums: Vec<Vec<Term>>,
}

/// A graph and the groups over it.
#[derive(Debug)]
pub struct Quantities {
    /// The operations.
    pub graph: Graph,
    /// In order of reading.
    pub groups: Vec<QuantityGroup>,
    /// Positions of the loads whose lengths have a letter, in the order of the group that says what they are.
    pub lengths: Vec<usize>,
    /// The symbols of formulas with names, in the order of the group that says what they are.
    pub named: Vec<SymbolKind>,
    /// The dependent speeds, where the equations are reduced to the others.
    pub projection: Option<Split>,
    /// How entries of `Aᵀ` are reduced in the equations that are written out.
    pub reductions: Vec<Reduction>,
}

/// A residual that was added to an entry of `Aᵀ` in the equations that are written out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reduction {
    /// The equation.
    pub speed: SpeedId,
    /// Position of the row of the entry, among all rows.
    pub row: usize,
    /// Position of the row whose Φ was added, among all rows.
    pub residual: usize,
    /// True if it was subtracted.
    pub negative: bool,
}

impl Reduction {
    /// The residual with its sign.
    pub fn signed<'g>(&self, residual: Tracer<'g>) -> Tracer<'g> {
        if self.negative { -residual } else { residual }
    }
}

/// Speeds that follow from others.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Split {
    /// The rows that give them, counted among all of the constraints.
    pub rows: Vec<usize>,
    /// Those that follow, in the order of their equations.
    pub dependent: Vec<SpeedId>,
    /// Those that stay, in spec order.
    pub independent: Vec<SpeedId>,
    /// True if emitted functions compute the dependent speeds from the others.
    pub substituted: bool,
    /// True if B, b and β and the projected equations are written out.
    pub written: bool,
}

/// Collects the groups of one heading after another.
pub(super) struct Recorder<'g> {
    pub graph: &'g Graph,
    pub groups: Vec<QuantityGroup>,
    /// Where the next groups belong.
    pub part: Part,
    /// The forms that they are shown with.
    pub forms: &'static [Form],
    /// How entries of `Aᵀ` are reduced.
    pub reductions: Vec<Reduction>,
}

impl<'g> Recorder<'g> {
    /// What comes next belongs to this part and to these forms.
    pub fn at(&mut self, part: Part, forms: &'static [Form]) {
        (self.part, self.forms) = (part, forms);
    }

    /// Blocks that stand where the next group will.
    pub fn say(&mut self, heading: &str, blocks: Vec<Block>) {
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

    pub fn push(
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

    /// Relations whose sides are sums: of each term its coefficient and the symbol behind it.
    pub fn sums(
        &mut self,
        heading: &str,
        note: impl Into<Prose>,
        role: GroupRole,
        sides: &[Vec<(Tracer<'g>, Option<Tracer<'g>>)>],
    ) {
        let whole = |side: &Vec<(Tracer<'g>, Option<Tracer<'g>>)>| {
            let product = |(x, of): &(Tracer<'g>, Option<Tracer<'g>>)| of.map_or(*x, |of| *x * of);
            side.iter().map(product).fold(Tracer::ZERO, |sum, x| sum + x)
        };
        let values: Vec<Tracer<'g>> = sides.iter().map(whole).collect();
        self.push(heading, note, role, Arrangement::Relations, &values);
        let graph = self.graph;
        let term = |(x, of): &(Tracer<'g>, Option<Tracer<'g>>)| Term {
            coefficient: x.id(graph),
            of: of.map(|of| of.id(graph)),
        };
        if let Some(group) = self.groups.last_mut() {
            group.sums = sides.iter().map(|side| side.iter().map(term).collect()).collect();
        }
    }

    /// `left = right` in symbols.
    pub fn relations(&mut self, heading: &str, text: impl Into<Prose>, relations: Vec<(Math, Math)>) {
        let mut blocks = Vec::new();
        let text = text.into();
        if !text.is_empty() {
            blocks.push(Block::Paragraph(text));
        }
        blocks.push(Block::Relations(relations));
        self.say(heading, blocks);
    }
}
