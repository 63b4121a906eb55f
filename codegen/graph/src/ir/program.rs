//! The program: functions over one graph, and the layout of their arguments.
//!
//! Plain data. Derivation makes it, passes rebuild it, printers read it.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::declaration::{Declaration, EntryNames, Returns, Role, Vector};
use super::graph::Graph;
use super::node::NodeId;
use dqdt_diagnostics::base::speed_stem;

/// One entry of a state, input or parameter vector.
#[derive(Clone, PartialEq, Debug)]
pub struct Slot {
    /// As the spec has it.
    pub name: String,
    /// Unit text, SI; `1` for none.
    pub unit: String,
    /// One line for people; may be empty.
    pub description: String,
    /// Default or initial value.
    pub value: f64,
    /// Of an input, its lower and upper limit as text: numbers, names of parameters, or the word
    /// `formula`.
    pub limits: Option<[String; 2]>,
}

/// What joints stand, infinite where it is not said. No function keeps to it.
#[derive(Clone, PartialEq, Debug)]
pub struct Limits {
    /// Lowest and highest value of each coordinate.
    pub position: Vec<[f64; 2]>,
    /// Greatest size of each speed.
    pub speed: Vec<f64>,
    /// Greatest effort along each speed.
    pub effort: Vec<f64>,
}

/// A row of the constraints.
#[derive(Clone, PartialEq, Debug)]
pub struct Row {
    /// Name of the constraint, with a component where it has several.
    pub name: String,
    /// Unit text of its residual, SI; empty where it is not known.
    pub unit: String,
}

/// The vectors that emitted functions take.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Layout {
    /// The rows of the function of [`Role::PositionConstraints`].
    pub position_rows: Vec<Row>,
    /// The rows of the function of [`Role::VelocityConstraints`].
    pub velocity_rows: Vec<Row>,
    /// Speeds that elimination computes from the others.
    pub dependent_speeds: Vec<String>,
    /// Index in `v` of the speeds whose accelerations are
    /// [`Vector::IndependentAccelerations`](super::declaration::Vector); empty where no function
    /// takes them.
    pub independent_speeds: Vec<usize>,
    /// The same of [`Vector::DrivenAccelerations`](super::declaration::Vector).
    pub driven_speeds: Vec<usize>,
    /// Index in `δx`, of a quaternion three entries, of the differences that the constraints leave
    /// free; empty where no function counts by them, and without constraints.
    pub independent_differences: Vec<usize>,
    /// Of the rows, those whose multiplier the motion does not determine.
    pub undetermined_rows: Vec<String>,
    /// Points that are contacts, by body and point; their value is one: on.
    pub contacts: Vec<Slot>,
    /// Events, in spec order.
    pub events: Vec<EventSlot>,
    /// Coordinates.
    pub q: Vec<Slot>,
    /// Speeds.
    pub v: Vec<Slot>,
    /// User states.
    pub z: Vec<Slot>,
    /// Inputs.
    pub u: Vec<Slot>,
    /// Free parameters.
    pub p: Vec<Slot>,
    /// Index in `q` of the scalar part of every unit quaternion.
    pub quaternions: Vec<usize>,
    /// What joints stand, as data; `None` where the spec says nothing of any.
    pub limits: Option<Limits>,
    /// Names of the bodies, in spec order.
    pub bodies: Vec<String>,
    /// Of these, the ones whose quantities stand in axes that do not turn with their joint.
    pub unturned: Vec<String>,
    /// Of these, the ones whose joint has its origin level with that of their parent.
    pub level: Vec<String>,
}

impl Layout {
    /// A speed in names that are put together: as the coordinate where it is called `…_dot` after
    /// one.
    pub fn stem(&self, speed: &str) -> String {
        let any = |slots: &[Slot], name: &str| slots.iter().any(|s| s.name == name);
        speed_stem(speed, |s| any(&self.q, s), |s| any(&self.v, s)).to_owned()
    }

    /// The [stems](Self::stem) of many names, with one look at the layout.
    pub fn stems<'a>(&self, names: impl Iterator<Item = &'a str>) -> Vec<String> {
        let set = |slots: &'_ [Slot]| slots.iter().map(|s| s.name.clone()).collect::<FxHashSet<String>>();
        let (coordinates, speeds) = (set(&self.q), set(&self.v));
        let stem = |name| speed_stem(name, |s| coordinates.contains(s), |s| speeds.contains(s)).to_owned();
        names.map(stem).collect()
    }
}

/// Which way an event function must cross zero.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Crossing {
    /// From above to below.
    Falling,
    /// From below to above.
    Rising,
    /// Either way.
    Both,
}

/// What an event does to the motion.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    /// It ends.
    Ends,
    /// Speeds jump; the event function turns back.
    Bounces,
    /// It goes on to the other side.
    Passes,
}

/// An event.
#[derive(Clone, PartialEq, Debug)]
pub struct EventSlot {
    /// As the spec has it.
    pub name: String,
    /// Unit text of its function, SI; empty where it is not known.
    pub unit: String,
    /// One line for people; may be empty.
    pub description: String,
    /// Which way its function crosses zero.
    pub crossing: Crossing,
    /// What it does to the motion.
    pub effect: Effect,
}

/// Shape of an output; values are stored by rows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// One value.
    Scalar,
    /// `[T; n]`
    Vector(usize),
    /// `[[T; columns]; rows]`
    Matrix(usize, usize),
}

impl Shape {
    /// Number of entries.
    pub fn entries(self) -> usize {
        match self {
            Shape::Scalar => 1,
            Shape::Vector(n) => n,
            Shape::Matrix(rows, columns) => rows * columns,
        }
    }
}

/// A named result of a function.
#[derive(Clone, PartialEq, Debug)]
pub struct FunctionOutput {
    /// Identifier, such as `mass_matrix` or `kinetic`.
    pub name: String,
    /// Unit text where it is one unit for all entries, else what the entries are.
    pub unit: String,
    /// One line for people.
    pub description: String,
    /// Shape.
    pub shape: Shape,
    /// One node an entry, by rows.
    pub nodes: Vec<NodeId>,
    /// What its entries are called, where that is not what those of all outputs of the function
    /// are.
    pub entries: Option<EntryNames>,
    /// Of a vector of the spec's own, what each entry is called after its name: `x`, `kinetic`.
    /// Then its unit may be one for each, with commas.
    pub labels: Vec<String>,
}

impl FunctionOutput {
    /// One value.
    pub fn scalar(
        name: impl Into<String>,
        unit: impl Into<String>,
        description: impl Into<String>,
        node: NodeId,
    ) -> Self {
        FunctionOutput {
            name: name.into(),
            unit: unit.into(),
            description: description.into(),
            shape: Shape::Scalar,
            nodes: vec![node],
            entries: None,
            labels: Vec::new(),
        }
    }

    /// An array.
    pub fn vector(
        name: impl Into<String>,
        unit: impl Into<String>,
        description: impl Into<String>,
        nodes: Vec<NodeId>,
    ) -> Self {
        FunctionOutput {
            name: name.into(),
            unit: unit.into(),
            description: description.into(),
            shape: Shape::Vector(nodes.len()),
            nodes,
            entries: None,
            labels: Vec::new(),
        }
    }

    /// A matrix of so many rows and columns, by rows; its entries have units of their own.
    pub fn matrix(
        name: impl Into<String>,
        description: impl Into<String>,
        (rows, columns): (usize, usize),
        nodes: Vec<NodeId>,
    ) -> Self {
        FunctionOutput {
            name: name.into(),
            unit: String::new(),
            description: description.into(),
            shape: Shape::Matrix(rows, columns),
            nodes,
            entries: None,
            labels: Vec::new(),
        }
    }

    /// The same, with names of its entries.
    pub fn with_entries(self, entries: EntryNames) -> Self {
        FunctionOutput { entries: Some(entries), ..self }
    }
}

/// A function to emit.
#[derive(Clone, PartialEq, Debug)]
pub struct Function {
    /// What it is.
    pub declaration: &'static Declaration,
    /// What it computes.
    pub outputs: Vec<FunctionOutput>,
    /// Of a joint call, how many outputs are those of each function; else nothing.
    pub parts: Vec<usize>,
    /// What must not vanish, for the results to be what they say.
    pub checks: Vec<Check>,
}

/// A divisor. The function is singular where |value| ≤ ε |scale|, with ε =
/// [`EPSILON`](super::EPSILON) for doubles; results that are not finite are an error of their own.
/// The interpreter (`ir/machine.rs`) compares in this way, and so do printers.
#[derive(Clone, PartialEq, Debug)]
pub struct Check {
    /// By the names of the spec.
    pub name: String,
    /// What it means that it vanishes, and what to do.
    pub hint: String,
    /// The divisor.
    pub value: NodeId,
    /// The largest term of the sum that forms it; one for sines and cosines; a constant where other
    /// poses tell its size.
    pub scale: NodeId,
    /// It is the square of what vanishes: compared with ε² |scale|.
    pub squared: bool,
}

/// Everything that a printer needs.
#[derive(Debug)]
pub struct Program {
    /// Name of the mechanism, a valid identifier.
    pub name: String,
    /// One line for people.
    pub description: String,
    /// File name of the spec, without folders; empty if it came from the builder.
    pub spec: String,
    /// SHA-256 of the spec text, hexadecimal; empty if it came from the builder.
    pub spec_hash: String,
    /// `kane` or `lagrange`.
    pub formalism: String,
    /// Argument vectors.
    pub layout: Layout,
    /// The operations.
    pub graph: Graph,
    /// The functions asked for, in the order in which they are emitted.
    pub functions: Vec<Function>,
    /// What parameters must fulfil; `None` where nothing is asked.
    pub parameter_checks: Option<Arc<ParameterChecks>>,
}

/// What parameters must fulfil, apart from all that is computed with them.
#[derive(Debug)]
pub struct ParameterChecks {
    /// Faults and what is asked of the values, in order.
    pub conditions: Vec<(String, Condition)>,
    /// A program with one function: the values, one scalar output each.
    pub values: Program,
}

/// What is asked of a value of parameters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Condition {
    /// Neither infinite nor NaN.
    Finite,
    /// Zero or more.
    NotNegative,
    /// More than zero.
    Positive,
}

impl Function {
    /// What it gives: its own outputs, or those of each function that it joins.
    pub fn results(&self) -> Vec<(&'static Declaration, &[FunctionOutput])> {
        let Returns::Joint(all) = self.declaration.returns else {
            return vec![(self.declaration, &self.outputs)];
        };
        let mut rest = &self.outputs[..];
        let part = |(declaration, n): (&&'static Declaration, &usize)| {
            let (own, after) = rest.split_at_checked(*n).unwrap_or((rest, &[]));
            rest = after;
            (*declaration, own)
        };
        all.iter().zip(&self.parts).map(part).collect()
    }

    /// True if it may have no result: something that it divides by can vanish, or it is a
    /// derivative, which may overflow.
    pub fn is_fallible(&self) -> bool {
        let whole = self.results().into_iter().any(|(declaration, outputs)| {
            declaration.role == Some(Role::StateDerivative) && outputs.iter().any(|o| !o.nodes.is_empty())
        });
        self.declaration.checked && (whole || !self.checks.is_empty())
    }

    /// True if its verdict also says whether its results are finite.
    pub fn asks_whether_finite(&self) -> bool {
        let array = |d: &Declaration| d.checked && matches!(d.returns, Returns::Array { .. });
        self.is_fallible() && self.results().into_iter().any(|(declaration, _)| array(declaration))
    }

    /// True if this is what was declared so.
    pub fn is(&self, declaration: &Declaration) -> bool {
        self.declaration == declaration
    }
}

impl Program {
    /// The function that was declared so, if the program holds it.
    pub fn function(&self, declaration: &Declaration) -> Option<&Function> {
        self.functions.iter().find(|f| f.is(declaration))
    }

    /// Those functions that have results, with their places among all.
    pub fn emitted(&self) -> impl Iterator<Item = (usize, &Function)> {
        self.functions.iter().enumerate().filter(|(_, f)| !f.outputs.is_empty())
    }

    /// Whether some function takes this vector.
    pub fn takes(&self, vector: Vector) -> bool {
        self.functions.iter().any(|f| f.declaration.takes(vector))
    }

    /// The function of a role, if the program holds it.
    pub fn with_role(&self, role: Role) -> Option<&Function> {
        self.functions.iter().find(|f| f.declaration.role == Some(role) && !f.outputs.is_empty())
    }
}
