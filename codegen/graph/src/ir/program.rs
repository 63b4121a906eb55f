//! The program: functions over one graph, and the layout of their argument vectors.
//!
//! Plain data: made by the derivation, rebuilt by passes, read by printers.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::declaration::{Declaration, EntryNames, Returns, Role, Vector};
use super::evaluation::Evaluation;
use super::graph::Graph;
use super::node::NodeId;
use dqdt_diagnostics::base::speed_stem;

/// One entry of a state, input or parameter vector: name, unit, description and default.
#[derive(Clone, PartialEq, Debug)]
pub struct Slot {
    /// Name of the entry in the spec, such as `theta_dot`.
    pub name: String,
    /// SI unit of the entry as text; `1` if dimensionless.
    pub unit: String,
    /// Description of the entry of one line, for readers; may be empty.
    pub description: String,
    /// Default or initial value of the entry, in SI units.
    pub value: f64,
    /// Lower and upper limit of an input, as text: a number, the name of a parameter, or the word
    /// `formula`.
    pub limits: Option<[String; 2]>,
}

/// Joint limits, ±∞ if unspecified. Not enforced by any emitted function.
#[derive(Clone, PartialEq, Debug)]
pub struct Limits {
    /// Lower and upper limit of each coordinate, in SI units.
    pub position: Vec<[f64; 2]>,
    /// Maximum magnitude of each speed, in SI units.
    pub speed: Vec<f64>,
    /// Maximum magnitude of the effort along each speed [N or N·m].
    pub effort: Vec<f64>,
}

/// A constraint row: name and unit of one scalar equation of a constraint.
#[derive(Clone, PartialEq, Debug)]
pub struct Row {
    /// Name of the constraint, followed by a component if the constraint has several rows.
    pub name: String,
    /// SI unit of the row's residual as text; empty if unknown.
    pub unit: String,
}

/// Entries of the argument vectors of emitted functions, and facts about the mechanism that
/// printers need.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Layout {
    /// Names and units of the rows of the function with [`Role::PositionConstraints`].
    pub position_rows: Vec<Row>,
    /// Names and units of the rows of the function with [`Role::VelocityConstraints`].
    pub velocity_rows: Vec<Row>,
    /// Names of the dependent speeds, which elimination computes from the others.
    pub dependent_speeds: Vec<String>,
    /// Indices in `v` of the independent speeds, whose accelerations are
    /// [`Vector::IndependentAccelerations`](super::declaration::Vector); empty if no function takes
    /// them.
    pub independent_speeds: Vec<usize>,
    /// Indices in `v` of the driven speeds (listed by the spec, by default the independent ones),
    /// whose accelerations are [`Vector::DrivenAccelerations`](super::declaration::Vector); empty
    /// if no function takes them.
    pub driven_speeds: Vec<usize>,
    /// Indices of the independent entries of a state difference `δx`, in which a quaternion has
    /// three entries; empty without constraints, or if no function uses them.
    pub independent_differences: Vec<usize>,
    /// Names of the constraint rows whose multipliers the motion does not determine.
    pub undetermined_rows: Vec<String>,
    /// Contact points, named by body and point; their default value is one: in contact.
    pub contacts: Vec<Slot>,
    /// The events of the mechanism, in spec order.
    pub events: Vec<EventSlot>,
    /// Entries of the coordinates `q`: names, units and initial values.
    pub q: Vec<Slot>,
    /// Entries of the speeds `v`: names, units and initial values.
    pub v: Vec<Slot>,
    /// Entries of the user states `z`: names, units and initial values.
    pub z: Vec<Slot>,
    /// Entries of the inputs `u`: names, units, defaults and limits.
    pub u: Vec<Slot>,
    /// Entries of the free parameters `p`: names, units and defaults.
    pub p: Vec<Slot>,
    /// Indices in `q` of the scalar parts of all unit quaternions.
    pub quaternions: Vec<usize>,
    /// Joint limits of positions, speeds and efforts; `None` if the spec has none.
    pub limits: Option<Limits>,
    /// Names of all bodies of the mechanism, in spec order.
    pub bodies: Vec<String>,
    /// Names of the bodies whose quantities are written in axes that do not rotate with their
    /// joint: a choice of the formulation.
    pub non_rotating_bodies: Vec<String>,
    /// Names of the bodies whose joint origin is moved along the joint axis to the level of their
    /// parent's: a choice of the formulation.
    pub level: Vec<String>,
}

/// True if an entry of the vector has this name.
fn has_slot(slots: &[Slot], name: &str) -> bool {
    slots.iter().any(|s| s.name == name)
}

/// The set of the names of all entries, for lookups.
fn slot_names(slots: &[Slot]) -> FxHashSet<String> {
    slots.iter().map(|s| s.name.clone()).collect()
}

impl Layout {
    /// The stem of a speed for composed names: the name of the coordinate if the speed is named
    /// after one with the suffix `_dot`, else the name of the speed.
    pub fn stem(&self, speed: &str) -> String {
        speed_stem(speed, |s| has_slot(&self.q, s), |s| has_slot(&self.v, s)).to_owned()
    }

    /// The [stems](Self::stem) of many speeds, faster than one at a time.
    pub fn stems<'a>(&self, names: impl Iterator<Item = &'a str>) -> Vec<String> {
        let (coordinates, speeds) = (slot_names(&self.q), slot_names(&self.v));
        names
            .map(|name| speed_stem(name, |s| coordinates.contains(s), |s| speeds.contains(s)).to_owned())
            .collect()
    }
}

/// The direction in which an event function must cross zero.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EventCrossing {
    /// The event function must cross zero from positive to negative.
    Falling,
    /// The event function must cross zero from negative to positive.
    Rising,
    /// The event function may cross zero in either direction.
    Both,
}

/// The effect of an event on the motion of a simulation: it ends, bounces or goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    /// The motion of a simulation ends at the event.
    Ends,
    /// Speeds jump as in an impact, and the event function turns back to its earlier sign.
    Bounces,
    /// The event function continues to the other sign, and the motion goes on.
    Passes,
}

/// An event of the mechanism: a zero of a function at which the motion changes.
#[derive(Clone, PartialEq, Debug)]
pub struct EventSlot {
    /// Name of the event in the spec.
    pub name: String,
    /// SI unit of the event function as text; empty if unknown.
    pub unit: String,
    /// Description of the event of one line for readers; may be empty.
    pub description: String,
    /// The direction in which the event function must cross zero for the event.
    pub crossing: EventCrossing,
    /// The effect of the event on the motion of a simulation.
    pub effect: Effect,
}

/// Shape of an output of a function; its entries are stored by rows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ResultShape {
    /// The output is a scalar, one value.
    Scalar,
    /// The output is a vector, `[T; n]`.
    Vector(usize),
    /// The output is a matrix, `[[T; columns]; rows]`.
    Matrix(usize, usize),
}

impl ResultShape {
    /// Number of entries of an output of this shape.
    pub fn entries(self) -> usize {
        match self {
            ResultShape::Scalar => 1,
            ResultShape::Vector(n) => n,
            ResultShape::Matrix(rows, columns) => rows * columns,
        }
    }
}

/// A named result of a function: one value, a vector or a matrix of nodes.
#[derive(Clone, PartialEq, Debug)]
pub struct FunctionOutput {
    /// Identifier of the output, such as `mass_matrix` or `kinetic`.
    pub name: String,
    /// SI unit as text if all entries share one, else a description of the entries.
    pub unit: String,
    /// Description of the output of one line for readers.
    pub description: String,
    /// Shape of the output: scalar, vector or matrix.
    pub shape: ResultShape,
    /// The nodes of the graph that compute the entries of the output, by rows.
    pub nodes: Vec<NodeId>,
    /// Naming scheme of the output's entries, if it differs from that of the function.
    pub entries: Option<EntryNames>,
    /// Suffixes of the entry names of a vector that the spec defines, such as `x` or `kinetic`.
    /// Then `unit` may list one unit per entry, separated by commas.
    pub labels: Vec<String>,
    /// Row and column of each entry, if the output is the list of the structural non-zeros of a
    /// sparse matrix; empty for other outputs.
    pub places: Vec<[usize; 2]>,
}

impl FunctionOutput {
    /// An output of one value, with its unit.
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
            shape: ResultShape::Scalar,
            nodes: vec![node],
            entries: None,
            labels: Vec::new(),
            places: Vec::new(),
        }
    }

    /// An output of several values (a vector), with one common unit.
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
            shape: ResultShape::Vector(nodes.len()),
            nodes,
            entries: None,
            labels: Vec::new(),
            places: Vec::new(),
        }
    }

    /// A matrix output of the given rows and columns, with entries by rows. It has no common unit.
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
            shape: ResultShape::Matrix(rows, columns),
            nodes,
            entries: None,
            labels: Vec::new(),
            places: Vec::new(),
        }
    }

    /// A vector output with the structural non-zeros of a sparse matrix, at these rows and columns,
    /// each with the suffix of its name.
    pub fn sparse(
        name: impl Into<String>,
        description: impl Into<String>,
        places: Vec<[usize; 2]>,
        labels: Vec<String>,
        nodes: Vec<NodeId>,
    ) -> Self {
        let output = FunctionOutput::vector(name, "", description, nodes);
        FunctionOutput { labels, places, ..output }
    }

    /// The same output with its own naming scheme of entries instead of the function's.
    pub fn with_entries(self, entries: EntryNames) -> Self {
        FunctionOutput { entries: Some(entries), ..self }
    }
}

/// A function of a program, ready to emit: declaration, outputs and divisors to check.
#[derive(Clone, PartialEq, Debug)]
pub struct Function {
    /// The declaration of the function: name, arguments, result.
    pub declaration: &'static Declaration,
    /// The outputs of the function; empty if the mechanism lacks the quantity.
    pub outputs: Vec<FunctionOutput>,
    /// For a joint call, the number of outputs of each joined function; else empty.
    pub parts: Vec<usize>,
    /// Divisors that must not vanish for the outputs to be valid.
    pub checks: Vec<Check>,
}

/// A divisor to check in a function. The function is singular where |value| ≤ ε |scale|, with ε =
/// [`EPSILON`](super::EPSILON) for doubles. A result that is not finite is a separate error. The
/// interpreter (`ir/machine.rs`) and emitted code compare in the same way.
#[derive(Clone, PartialEq, Debug)]
pub struct Check {
    /// Name of the divisor in terms of the spec, shown in errors.
    pub name: String,
    /// The physical meaning of a vanishing divisor, and a remedy, shown in errors.
    pub hint: String,
    /// The divisor to check, a node of the graph.
    pub value: NodeId,
    /// The scale with which the divisor is compared: the largest term of the sum that forms the
    /// divisor; one for sines and cosines; a constant where only other poses give the size.
    pub scale: NodeId,
    /// True if `value` is the square of the quantity that vanishes: it is compared with ε² |scale|.
    pub squared: bool,
}

/// A derived mechanism: all data that a printer or the interpreter needs.
#[derive(Debug)]
pub struct Program {
    /// Name of the mechanism, a valid identifier.
    pub name: String,
    /// Description of the mechanism of one line, for readers.
    pub description: String,
    /// File name of the spec without folders; empty if the mechanism came from the builder.
    pub spec: String,
    /// SHA-256 of the spec text, hexadecimal; empty if the mechanism came from the builder.
    pub spec_hash: String,
    /// Name of the formalism, such as `kane` or `lagrange`.
    pub formalism: String,
    /// Layout of the argument vectors: names, units and initial values of their entries.
    pub layout: Layout,
    /// The graph of the operations of all functions.
    pub graph: Graph,
    /// The requested functions, in the order of emission.
    pub functions: Vec<Function>,
    /// Validity conditions on the parameters; `None` if there are none.
    pub parameter_checks: Option<Arc<ParameterChecks>>,
    /// Evaluation of its functions in this process; of no effect on emitted code.
    #[doc(hidden)]
    pub evaluation: Evaluation,
}

/// Validity conditions on the parameters, such as positive masses, with their own program. Emitted
/// as the check of `Model::new`.
#[derive(Debug)]
pub struct ParameterChecks {
    /// Error message and condition of each checked value, in the order of the outputs of `values`.
    pub conditions: Vec<(String, Condition)>,
    /// A program with one function: the values to check, one scalar output each.
    pub values: Program,
}

/// A validity condition on a value that depends on parameters, such as a mass; checked by
/// `Model::new`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Condition {
    /// The checked value must be neither infinite nor NaN.
    Finite,
    /// The checked value must be zero or positive.
    NotNegative,
    /// The checked value must be positive.
    Positive,
}

impl Function {
    /// The declaration with the outputs; for a joint call, one entry per joined function.
    pub fn results(&self) -> Vec<(&'static Declaration, &[FunctionOutput])> {
        let Returns::Joint(all) = self.declaration.returns else {
            return vec![(self.declaration, &self.outputs)];
        };
        let mut rest = &self.outputs[..];
        all.iter()
            .zip(&self.parts)
            .map(|(declaration, n)| {
                let (outputs, after) = rest.split_at_checked(*n).unwrap_or((rest, &[]));
                rest = after;
                (*declaration, outputs)
            })
            .collect()
    }

    /// True if a call can fail: a divisor can vanish, or a state derivative can overflow.
    pub fn is_fallible(&self) -> bool {
        let whole = self.results().into_iter().any(|(declaration, outputs)| {
            declaration.role == Some(Role::StateDerivative) && outputs.iter().any(|o| !o.nodes.is_empty())
        });
        self.declaration.checked && (whole || !self.checks.is_empty())
    }

    /// True if a call of the emitted function also reports whether its results are finite.
    pub fn reports_finiteness(&self) -> bool {
        self.is_fallible()
            && self.results().into_iter().any(|(declaration, _)| {
                declaration.checked && matches!(declaration.returns, Returns::Array { .. })
            })
    }

    /// True if the function was made from that declaration.
    pub fn is(&self, declaration: &Declaration) -> bool {
        self.declaration == declaration
    }
}

impl Program {
    /// The function of the program with this declaration; `None` if it was not requested.
    pub fn function(&self, declaration: &Declaration) -> Option<&Function> {
        self.functions.iter().find(|f| f.is(declaration))
    }

    /// The functions with results, each with its index among all functions.
    pub fn emitted(&self) -> impl Iterator<Item = (usize, &Function)> {
        self.functions.iter().enumerate().filter(|(_, f)| !f.outputs.is_empty())
    }

    /// True if some function takes this vector as an argument.
    pub fn takes(&self, vector: Vector) -> bool {
        self.functions.iter().any(|f| f.declaration.takes(vector))
    }

    /// Rows and columns of each result that lists the non-zeros of a sparse matrix, once each, with
    /// the stem of the names of their constants: the name of the function, such as `dqdt_hessian`.
    pub fn sparse_places(&self) -> Vec<(&'static str, &[[usize; 2]])> {
        let mut out: Vec<(&'static str, &[[usize; 2]])> = Vec::new();
        for (declaration, outputs) in self.functions.iter().flat_map(Function::results) {
            let sparse = outputs.iter().find(|o| !o.places.is_empty());
            if let Some(output) = sparse.filter(|_| !out.iter().any(|(name, _)| *name == declaration.name)) {
                out.push((declaration.name, &output.places));
            }
        }
        out
    }

    /// The function with this role, if the program contains it with results.
    pub fn with_role(&self, role: Role) -> Option<&Function> {
        self.functions.iter().find(|f| f.declaration.role == Some(role) && !f.outputs.is_empty())
    }
}
