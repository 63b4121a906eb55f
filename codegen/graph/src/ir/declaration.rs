//! Declarations of emitted functions: name, arguments, results and documentation, as read by the
//! plan, the printers and the interpreter.
//!
//! Plain data. `dqdt_derivation::derive::Definition` pairs a declaration with the code that derives
//! the outputs; each definition has a file in the folder `functions` of `derivation`. Code that
//! reads a declaration never branches on its name.

use super::node::SymbolKind;
use super::program::{FunctionOutput, Layout, ResultShape, Slot};

/// Declaration of an emitted function.
#[derive(Debug)]
pub struct Declaration {
    /// Name of the emitted function.
    pub name: &'static str,
    /// First paragraph of its documentation; `{mechanism}` is replaced by the name of the
    /// mechanism.
    pub summary: &'static str,
    /// Documentation of the effect of constraints, printed if the mechanism has any.
    pub constraints: Option<ConstraintNote>,
    /// Arguments after the model and time, in order.
    pub arguments: &'static [Argument],
    /// Form of the result: an array, a struct, or several results.
    pub returns: Returns,
    /// Naming scheme for the entries of an output.
    pub entries: EntryNames,
    /// The part of the equations that it solves; decides which divisors are checked.
    pub solves: Solves,
    /// True if it returns an error where a divisor vanishes; otherwise the result is not finite
    /// there.
    pub checked: bool,
    /// The runtime trait that it implements, if any.
    pub role: Option<Role>,
    /// True if it is emitted when no functions are requested by name.
    pub by_default: bool,
    /// True if `dqdt eval` shows its results.
    pub in_eval: bool,
}

/// Documentation of the effect of constraints on a function.
#[derive(Debug)]
pub struct ConstraintNote {
    /// The sentence that is printed in general.
    pub text: &'static str,
    /// Replacement of `text` if the mechanism has dependent speeds. If empty, the note is omitted.
    pub with_dependent_speeds: Option<&'static str>,
    /// True to add the list of dependent speeds.
    pub names_dependent_speeds: bool,
    /// Sentence added if the motion does not determine all multipliers; `{rows}` is replaced by the
    /// names of the undetermined rows.
    pub undetermined: Option<&'static str>,
    /// True to print the note only if the function has divisors, that is if it solves equations.
    pub where_solved: bool,
    /// Reference to the function of another role: the sentences if that function is emitted too,
    /// and if it is not.
    pub instead: Option<(Role, [&'static str; 2])>,
}

impl ConstraintNote {
    /// A note of one sentence that does not depend on the mechanism.
    pub const fn new(text: &'static str) -> Self {
        ConstraintNote {
            text,
            with_dependent_speeds: None,
            names_dependent_speeds: false,
            undetermined: None,
            where_solved: false,
            instead: None,
        }
    }
}

/// An argument of a function: name, vector of its entries, meaning.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Argument {
    /// Name of the argument.
    pub name: &'static str,
    /// The vector whose entries it has; gives its length.
    pub vector: Vector,
    /// Description of one line for readers.
    pub meaning: &'static str,
}

impl Argument {
    /// The state `x = [q, v, z]`.
    pub const STATE: Argument = Argument { name: "x", vector: Vector::State, meaning: "state [q, v, z]" };
    /// The coordinates `q`.
    pub const COORDINATES: Argument =
        Argument { name: "q", vector: Vector::Coordinates, meaning: "coordinates" };
    /// The inputs `u`.
    pub const INPUTS: Argument = Argument { name: "u", vector: Vector::Inputs, meaning: "inputs" };
    /// The accelerations `dv`, one per speed.
    pub const ACCELERATIONS: Argument =
        Argument { name: "dv", vector: Vector::Accelerations, meaning: "accelerations v̇" };
    /// The accelerations `dv` of the driven speeds.
    pub const DRIVEN_ACCELERATIONS: Argument = Argument {
        name: "dv",
        vector: Vector::DrivenAccelerations,
        meaning: "accelerations of the driven speeds",
    };
    /// The impulses of the inputs, `impulse`.
    pub const IMPULSES: Argument = Argument {
        name: "impulse",
        vector: Vector::Impulses,
        meaning: "impulses of the inputs: what each gives in the time of the blow",
    };
    /// The efforts along the speeds, `effort` \[N or N·m\].
    pub const EFFORTS: Argument =
        Argument { name: "effort", vector: Vector::Efforts, meaning: "efforts along the speeds (N or N·m)" };
    /// The contact flags `on`: one or zero per contact.
    pub const CONTACTS: Argument =
        Argument { name: "on", vector: Vector::Contacts, meaning: "which contacts are on: 1, or 0" };
    /// The accelerations `dv` of the independent speeds.
    pub const INDEPENDENT_ACCELERATIONS: Argument = Argument {
        name: "dv",
        vector: Vector::IndependentAccelerations,
        meaning: "accelerations of the independent speeds",
    };
}

/// The vectors of a mechanism. They give arguments and arrays their lengths and names of entries.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Vector {
    /// `x`: coordinates, speeds, user states.
    State,
    /// `q`: the coordinates.
    Coordinates,
    /// `v`: the speeds.
    Speeds,
    /// One acceleration per speed.
    Accelerations,
    /// One acceleration per independent speed; the constraints determine the others.
    IndependentAccelerations,
    /// One acceleration per driven speed: one that the spec lists as `driven`, by default every
    /// independent one.
    DrivenAccelerations,
    /// The inputs `u`.
    Inputs,
    /// One impulse per input.
    Impulses,
    /// One effort per speed.
    Efforts,
    /// One contact flag per contact point.
    Contacts,
}

impl Vector {
    /// The entries of the vector, each with the kind of its symbol.
    pub fn slots(self, layout: &Layout) -> Vec<(SymbolKind, &Slot)> {
        fn each(slots: &[Slot], kind: fn(usize) -> SymbolKind) -> impl Iterator<Item = (SymbolKind, &Slot)> {
            slots.iter().enumerate().map(move |(i, slot)| (kind(i), slot))
        }
        fn some<'a>(l: &'a Layout, places: &[usize]) -> Vec<(SymbolKind, &'a Slot)> {
            places.iter().filter_map(|i| Some((SymbolKind::Acceleration(*i), l.v.get(*i)?))).collect()
        }
        let l = layout;
        match self {
            Vector::State => each(&l.q, SymbolKind::Coordinate)
                .chain(each(&l.v, SymbolKind::Speed))
                .chain(each(&l.z, SymbolKind::State))
                .collect(),
            Vector::Coordinates => each(&l.q, SymbolKind::Coordinate).collect(),
            Vector::Speeds => each(&l.v, SymbolKind::Speed).collect(),
            Vector::Accelerations => each(&l.v, SymbolKind::Acceleration).collect(),
            Vector::IndependentAccelerations => some(l, &l.independent_speeds),
            Vector::DrivenAccelerations => some(l, &l.driven_speeds),
            Vector::Inputs => each(&l.u, SymbolKind::Input).collect(),
            Vector::Impulses => each(&l.u, SymbolKind::Impulse).collect(),
            Vector::Efforts => each(&l.v, SymbolKind::Effort).collect(),
            Vector::Contacts => each(&l.contacts, SymbolKind::Contact).collect(),
        }
    }

    /// True if the entries are neither states nor inputs.
    pub fn is_acceleration(self) -> bool {
        use Vector::{
            Accelerations, Contacts, DrivenAccelerations, Efforts, Impulses, IndependentAccelerations,
        };
        matches!(
            self,
            Accelerations | IndependentAccelerations | DrivenAccelerations | Impulses | Efforts | Contacts
        )
    }

    /// Letter that names an entry without a slot.
    fn letter(self) -> &'static str {
        match self {
            Vector::State => "x",
            Vector::Coordinates => "q",
            Vector::Speeds => "v",
            Vector::Accelerations | Vector::IndependentAccelerations | Vector::DrivenAccelerations => "a",
            Vector::Inputs => "u",
            Vector::Impulses => "i",
            Vector::Efforts => "f",
            Vector::Contacts => "c",
        }
    }
}

/// Form of the result of an emitted function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Returns {
    /// One array, by rows, with the lengths of these vectors.
    Array {
        /// Name of the array argument that receives the result.
        name: &'static str,
        /// One vector for the length, or two for rows and columns.
        dims: &'static [Vector],
    },
    /// The entries of an argument within their limits, with flags for the entries at a limit.
    Limited {
        /// The argument whose entries have limits.
        of: Argument,
    },
    /// A struct with one field per output.
    Struct {
        /// Name of the emitted struct.
        name: &'static str,
        /// Documentation of the struct.
        about: &'static str,
    },
    /// The results of several functions computed in one call, each written to its own argument.
    Joint(&'static [&'static Declaration]),
}

/// Naming scheme for the entries of an output.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EntryNames {
    /// Name of the output with one-based indices: `x_1`, `m_1_2`.
    Numbered,
    /// One name per entry of a vector: the pattern, in which the name of the entry replaces `{}`.
    Each(Vector, &'static str),
    /// Name of the output followed by the entry names of these groups.
    Groups(&'static [EntryGroup]),
    /// For a square matrix: the given name followed by the stems of row and column. Symmetric
    /// entries share one name.
    Symmetric(&'static str, Vector),
    /// Same scheme as [`EntryNames::Symmetric`], for a matrix that is not symmetric.
    Square(&'static str, Vector),
}

/// Consecutive entries of an output that share a unit.
#[derive(PartialEq, Eq, Debug)]
pub struct EntryGroup {
    /// Name of the group; empty if it is the only one.
    pub name: &'static str,
    /// SI unit of the entries.
    pub unit: &'static str,
    /// Name of each entry.
    pub entries: &'static [&'static str],
}

/// The part of the equations of motion that a function solves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Solves {
    /// Nothing is solved: the only divisors are those of the kinematics.
    Nothing,
    /// The equations are solved for accelerations, multipliers, or the inputs that realise program
    /// constraints, if an output depends on these.
    Accelerations,
    /// Same as [`Solves::Accelerations`]; in formalisms without a mass matrix the outputs are
    /// unknowns of the system.
    Reactions,
    /// A linear system with the mass matrix of the tree; the derivation supplies its divisors.
    MassMatrix,
    /// The impact equations, for jumps of the speeds; the derivation supplies their divisors.
    Impacts,
}

/// The runtime trait, or the part of it, that an emitted function implements.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// `ẋ`. Every entry must be finite, and every quaternion must be a valid attitude even if the
    /// result does not depend on it.
    StateDerivative,
    /// Coordinate rates `q̇`.
    Rates,
    /// Residuals of the position constraints, with their derivatives.
    PositionConstraints,
    /// Residuals of the velocity constraints, with their derivatives.
    VelocityConstraints,
    /// Values of the event functions, whose zeros are the events.
    Events,
    /// States immediately after the events.
    AfterEvents,
    /// Mass matrix `M` of the tree.
    MassMatrix,
    /// Bias `c − Q`: Coriolis, centrifugal and gravity terms, and loads at `u = 0`.
    Bias,
    /// Efforts that produce given accelerations (RNEA).
    InverseDynamics,
    /// Kinetic and potential energy \[J\].
    Energy,
    /// Efforts that hold the tree at rest against gravity.
    Gravity,
    /// Inputs clamped to their limits.
    Saturate,
    /// Matrix by which the inputs enter the equations.
    InputMatrix,
    /// Efforts along the independent speeds that produce their accelerations, with the constraints
    /// obeyed.
    InverseDynamicsConstrained,
    /// `∂ẋ/∂x`, `∂ẋ/∂u` and the derivatives of the outputs by `x` and `u`, as `a`, `b`, `c`, `d`.
    Linearization,
    /// `ẋ`, `∂ẋ/∂x` and `∂ẋ/∂u` with respect to the stored state (quaternions by their four
    /// components), as `rate`, `by_state` and `by_input`.
    Derivatives,
    /// Parameter sensitivities `∂ẋ/∂p`, as `e`.
    Sensitivities,
    /// A function of independent coordinates and speeds.
    Independent,
}

impl PartialEq for Declaration {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Declaration {}

impl Declaration {
    /// The first paragraph of the documentation for a language whose functions return their
    /// results: without the words ": writes …" about the last argument in Rust and C.
    pub fn summary_of_result(&self, mechanism: &str) -> String {
        let summary = self.summary.replace("{mechanism}", mechanism);
        summary.split_once(": writes ").map_or(summary.clone(), |(before, _)| format!("{before}."))
    }

    /// Base for declarations, with the most common values: emitted on request, takes the state, no
    /// checks, no runtime trait. Each declaration overrides at least name, summary and result.
    pub const ON_REQUEST: Declaration = Declaration {
        name: "",
        summary: "",
        constraints: None,
        arguments: &[Argument::STATE],
        returns: Returns::Struct { name: "", about: "" },
        entries: EntryNames::Numbered,
        solves: Solves::Nothing,
        checked: false,
        role: None,
        by_default: false,
        in_eval: false,
    };

    /// True if, with constraints, its derivatives are taken by the independent differences of the
    /// state.
    pub fn in_independent_differences(&self) -> bool {
        let joint = match self.returns {
            Returns::Joint(parts) => parts.iter().any(|f| f.in_independent_differences()),
            _ => false,
        };
        joint || matches!(self.role, Some(Role::Linearization | Role::Sensitivities | Role::Independent))
    }

    /// True if it has an argument of this vector.
    pub fn takes(&self, vector: Vector) -> bool {
        self.arguments.iter().any(|a| a.vector == vector)
    }

    /// Naming scheme for an output: its own if it has one, else that of the function.
    pub fn entries_of(&self, output: &FunctionOutput) -> EntryNames {
        output.entries.unwrap_or(self.entries)
    }

    /// Names of the entries of an output, by rows.
    pub fn entry_names(&self, output: &FunctionOutput, layout: &Layout) -> Vec<String> {
        self.entry_names_of(output, layout, |_| true)
    }

    /// Same as [`Declaration::entry_names`], with empty names where `wanted` is false.
    pub fn entry_names_of(
        &self,
        output: &FunctionOutput,
        layout: &Layout,
        wanted: impl Fn(usize) -> bool,
    ) -> Vec<String> {
        let n = output.nodes.len();
        let name = &output.name;
        if output.labels.len() == n {
            return output.labels.iter().map(|label| format!("{name}_{label}")).collect();
        }
        match (self.entries_of(output), output.shape) {
            (EntryNames::Each(vector, pattern), _) => {
                let slots = vector.slots(layout);
                (0..n)
                    .map(|i| match slots.get(i) {
                        Some((_, slot)) => pattern.replace("{}", &slot.name),
                        None => pattern.replace("{}", &format!("{}_{i}", vector.letter())),
                    })
                    .collect()
            }
            (EntryNames::Groups(parts), ResultShape::Vector(_)) => {
                let entries: Vec<&str> = parts.iter().flat_map(|p| p.entries).copied().collect();
                (0..n)
                    .map(|i| match entries.get(i) {
                        Some(entry) => format!("{name}_{entry}"),
                        None => format!("{name}_{}", i + 1),
                    })
                    .collect()
            }
            (
                entries @ (EntryNames::Symmetric(letter, vector) | EntryNames::Square(letter, vector)),
                ResultShape::Matrix(_, columns),
            ) => {
                let columns = columns.max(1);
                let symmetric = matches!(entries, EntryNames::Symmetric(..));
                let slots = vector.slots(layout);
                let stems = layout.stems(slots.iter().map(|s| s.1.name.as_str()));
                let stem = |i: usize| stems.get(i).cloned().unwrap_or_else(|| (i + 1).to_string());
                (0..n)
                    .map(|i| {
                        if !wanted(i) {
                            return String::new();
                        }
                        let (row, column) = (i / columns, i % columns);
                        let transposed = symmetric && row > column;
                        let (first, second) = if transposed { (column, row) } else { (row, column) };
                        format!("{letter}_{}_{}", stem(first), stem(second))
                    })
                    .collect()
            }
            (_, ResultShape::Scalar) => vec![name.clone(); n],
            (_, ResultShape::Vector(_)) => (0..n).map(|i| format!("{name}_{}", i + 1)).collect(),
            (_, ResultShape::Matrix(_, columns)) => {
                let columns = columns.max(1);
                (0..n).map(|i| format!("{name}_{}_{}", i / columns + 1, i % columns + 1)).collect()
            }
        }
    }

    /// SI units of the entries of an output, by rows.
    pub fn entry_units(&self, output: &FunctionOutput) -> Vec<String> {
        let n = output.nodes.len();
        match self.entries_of(output) {
            EntryNames::Groups(parts) if output.shape != ResultShape::Scalar => {
                let units = parts.iter().flat_map(|p| p.entries.iter().map(|_| p.unit.to_owned()));
                units.chain(std::iter::repeat(output.unit.clone())).take(n).collect()
            }
            _ => {
                let units: Vec<String> = output.unit.split(',').map(|unit| unit.trim().to_owned()).collect();
                if output.labels.len() == n && units.len() == n {
                    units
                } else {
                    vec![output.unit.clone(); n]
                }
            }
        }
    }
}
