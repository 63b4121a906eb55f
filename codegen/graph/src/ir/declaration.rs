//! Declarations of emitted functions: name, arguments, results and documentation, as read by the
//! plan, the printers and the interpreter.
//!
//! Plain data. `dqdt_derivation::derive::Definition` pairs a declaration with the code that derives
//! the outputs; each definition has a file in the folder `functions` of `derivation`. Code that
//! reads a declaration never branches on its name.

use super::node::SymbolKind;
use super::program::{FunctionOutput, Layout, ResultShape, Slot};

/// Declaration of an emitted function: name, arguments, result and documentation. A constant in the
/// file of each function.
#[derive(Debug)]
pub struct Declaration {
    /// Name of the emitted function in Rust and C, such as `mass_matrix`.
    pub name: &'static str,
    /// First paragraph of the function's documentation; `{mechanism}` is replaced by the name of
    /// the mechanism.
    pub summary: &'static str,
    /// Documentation of the effect of constraints, printed if the mechanism has any.
    pub constraints: Option<ConstraintNote>,
    /// Arguments after the model and time, in order.
    pub arguments: &'static [Argument],
    /// Form of the result: an array, limited inputs, a struct, or several results.
    pub returns: Returns,
    /// Naming scheme for the entries of an output, unless the output has its own.
    pub entries: EntryNames,
    /// The part of the equations that the function solves; decides which divisors are checked.
    pub solves: Solves,
    /// True if the function returns an error where a divisor vanishes; otherwise the result is not
    /// finite there.
    pub checked: bool,
    /// The runtime trait that the function implements in emitted Rust, if any.
    pub role: Option<Role>,
    /// True if the function is emitted when no functions are requested by name.
    pub by_default: bool,
    /// True if the command `dqdt eval` shows the results of the function.
    pub in_eval: bool,
}

/// Documentation of the effect of constraints on an emitted function, printed if the mechanism has
/// any.
#[derive(Debug)]
pub struct ConstraintNote {
    /// The sentence that is printed unless another field replaces it.
    pub text: &'static str,
    /// Replacement of `text` if the mechanism has dependent speeds. If empty, the note is omitted.
    pub with_dependent_speeds: Option<&'static str>,
    /// True to append the list of the names of dependent speeds to the note.
    pub names_dependent_speeds: bool,
    /// Sentence added if the motion does not determine all multipliers; `{rows}` is replaced by the
    /// names of the undetermined rows.
    pub undetermined: Option<&'static str>,
    /// True to print the note only if the function has divisors, that is if it solves equations.
    pub where_solved: bool,
    /// Reference to the function of another role that serves instead: the sentences if that
    /// function is emitted too, and if it is not.
    pub instead: Option<(Role, [&'static str; 2])>,
}

impl ConstraintNote {
    /// A note of one sentence, the same for every mechanism with constraints.
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

/// An argument of an emitted function: name, vector of its entries, meaning.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Argument {
    /// Name of the argument in emitted code, such as `x`.
    pub name: &'static str,
    /// The vector whose entries the argument has; gives its length.
    pub vector: Vector,
    /// Description of the argument of one line, for readers.
    pub meaning: &'static str,
}

impl Argument {
    /// The argument `x` of a function: the state `[q, v, z]`.
    pub const STATE: Argument = Argument { name: "x", vector: Vector::State, meaning: "state [q, v, z]" };
    /// The argument `q` of a function: the coordinates.
    pub const COORDINATES: Argument =
        Argument { name: "q", vector: Vector::Coordinates, meaning: "coordinates" };
    /// The argument `u` of a function: the inputs.
    pub const INPUTS: Argument = Argument { name: "u", vector: Vector::Inputs, meaning: "inputs" };
    /// The argument `dv`: accelerations, one per speed.
    pub const ACCELERATIONS: Argument =
        Argument { name: "dv", vector: Vector::Accelerations, meaning: "accelerations v̇" };
    /// The argument `dv` of inverse dynamics with driven speeds: accelerations of these.
    pub const DRIVEN_ACCELERATIONS: Argument = Argument {
        name: "dv",
        vector: Vector::DrivenAccelerations,
        meaning: "accelerations of the driven speeds",
    };
    /// The argument `impulse` of impacts: impulses of the inputs.
    pub const IMPULSES: Argument = Argument {
        name: "impulse",
        vector: Vector::Impulses,
        meaning: "impulses of the inputs: the time integral of each input over the impact",
    };
    /// The argument `effort`: efforts along the speeds \[N or N·m\].
    pub const EFFORTS: Argument =
        Argument { name: "effort", vector: Vector::Efforts, meaning: "efforts along the speeds (N or N·m)" };
    /// The argument `on` of impacts: contact flags, one or zero per contact.
    pub const CONTACTS: Argument = Argument {
        name: "on",
        vector: Vector::Contacts,
        meaning: "contact flags: 1 for an active contact, 0 for an inactive one",
    };
    /// The argument `costate` of second derivatives: one weight per entry of the state derivative.
    pub const COSTATES: Argument = Argument {
        name: "costate",
        vector: Vector::Costates,
        meaning: "costates λ: the weights of the entries of ẋ",
    };
    /// The argument `dv` of constrained inverse dynamics: accelerations of the independent speeds.
    pub const INDEPENDENT_ACCELERATIONS: Argument = Argument {
        name: "dv",
        vector: Vector::IndependentAccelerations,
        meaning: "accelerations of the independent speeds",
    };
}

/// The vectors of a mechanism: they give the arguments and result arrays of emitted functions their
/// lengths and names of entries.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Vector {
    /// The state `x`: coordinates, speeds, user states; an argument of most functions.
    State,
    /// The coordinates `q`, one entry each.
    Coordinates,
    /// The speeds `v`, one entry each.
    Speeds,
    /// The accelerations `v̇`, one per speed: an argument of inverse dynamics.
    Accelerations,
    /// One acceleration per independent speed; the constraints determine the others.
    IndependentAccelerations,
    /// One acceleration per driven speed: one that the spec lists as `driven`, by default every
    /// independent one.
    DrivenAccelerations,
    /// The inputs `u`, one entry each.
    Inputs,
    /// One impulse per input, its integral over the time of an impact.
    Impulses,
    /// One effort (force or torque) per speed, along its axis.
    Efforts,
    /// One contact flag per contact point: 1, or 0.
    Contacts,
    /// One costate per entry of the state: its weight in `λᵀẋ`.
    Costates,
}

impl Vector {
    /// The entries of the vector in the layout, each with the kind of its symbol.
    pub fn slots(self, layout: &Layout) -> Vec<(SymbolKind, &Slot)> {
        fn all_slots(
            slots: &[Slot],
            kind: fn(usize) -> SymbolKind,
        ) -> impl Iterator<Item = (SymbolKind, &Slot)> {
            slots.iter().enumerate().map(move |(i, slot)| (kind(i), slot))
        }
        fn acceleration_slots<'a>(l: &'a Layout, places: &[usize]) -> Vec<(SymbolKind, &'a Slot)> {
            places.iter().filter_map(|i| Some((SymbolKind::Acceleration(*i), l.v.get(*i)?))).collect()
        }
        let l = layout;
        match self {
            Vector::State => all_slots(&l.q, SymbolKind::Coordinate)
                .chain(all_slots(&l.v, SymbolKind::Speed))
                .chain(all_slots(&l.z, SymbolKind::State))
                .collect(),
            Vector::Coordinates => all_slots(&l.q, SymbolKind::Coordinate).collect(),
            Vector::Speeds => all_slots(&l.v, SymbolKind::Speed).collect(),
            Vector::Accelerations => all_slots(&l.v, SymbolKind::Acceleration).collect(),
            Vector::IndependentAccelerations => acceleration_slots(l, &l.independent_speeds),
            Vector::DrivenAccelerations => acceleration_slots(l, &l.driven_speeds),
            Vector::Inputs => all_slots(&l.u, SymbolKind::Input).collect(),
            Vector::Impulses => all_slots(&l.u, SymbolKind::Impulse).collect(),
            Vector::Efforts => all_slots(&l.v, SymbolKind::Effort).collect(),
            Vector::Contacts => all_slots(&l.contacts, SymbolKind::Contact).collect(),
            Vector::Costates => {
                let slots = l.q.iter().chain(&l.v).chain(&l.z).enumerate();
                slots.map(|(i, slot)| (SymbolKind::Costate(i), slot)).collect()
            }
        }
    }

    /// True if the entries are neither states nor inputs: accelerations, impulses, efforts or
    /// contact flags or costates.
    pub fn is_acceleration(self) -> bool {
        use Vector::{
            Accelerations, Contacts, Costates, DrivenAccelerations, Efforts, Impulses,
            IndependentAccelerations,
        };
        matches!(
            self,
            Accelerations
                | IndependentAccelerations
                | DrivenAccelerations
                | Impulses
                | Efforts
                | Contacts
                | Costates
        )
    }

    /// Letter that names an entry without a slot in composed names.
    fn entry_letter(self) -> &'static str {
        match self {
            Vector::State => "x",
            Vector::Coordinates => "q",
            Vector::Speeds => "v",
            Vector::Accelerations | Vector::IndependentAccelerations | Vector::DrivenAccelerations => "a",
            Vector::Inputs => "u",
            Vector::Impulses => "i",
            Vector::Efforts => "f",
            Vector::Contacts => "c",
            Vector::Costates => "l",
        }
    }
}

/// Form of the result of an emitted function, from which printers make its last arguments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Returns {
    /// One array as the result, by rows, with the lengths of these vectors.
    Array {
        /// Name of the array argument that receives the result.
        name: &'static str,
        /// One vector for the length, or two for rows and columns.
        dims: &'static [Vector],
    },
    /// The entries of an argument clamped to their limits, with flags for the entries at a limit;
    /// the function `saturate`.
    Limited {
        /// The argument whose entries are clamped to their limits.
        of: Argument,
    },
    /// A struct as the result, with one field per output.
    Struct {
        /// Name of the emitted struct of results.
        name: &'static str,
        /// Documentation of the emitted struct of results.
        about: &'static str,
    },
    /// The results of several functions computed in one call, each written to its own argument;
    /// such a function shares their operations.
    Joint(&'static [&'static Declaration]),
}

/// Naming scheme for the entries of an output of a function, used for names of values and in
/// tables.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EntryNames {
    /// Name of the output with one-based indices: `x_1`, `m_1_2`.
    Numbered,
    /// One name per entry of a vector: the pattern, in which the name of the entry replaces `{}`.
    Each(Vector, &'static str),
    /// Name of the output followed by the entry names of these groups, such as `x`, `y`, `z`.
    Groups(&'static [EntryGroup]),
    /// For a square matrix: the given name followed by the stems of row and column. Symmetric
    /// entries share one name.
    Symmetric(&'static str, Vector),
    /// Same scheme as [`EntryNames::Symmetric`], for a matrix that is not symmetric.
    Square(&'static str, Vector),
}

/// Consecutive entries of an output that share a unit, such as the three components of a force.
#[derive(PartialEq, Eq, Debug)]
pub struct EntryGroup {
    /// Name of the group; empty if it is the only one of the output.
    pub name: &'static str,
    /// SI unit of the entries of the group.
    pub unit: &'static str,
    /// Name of each entry, such as `x`.
    pub entries: &'static [&'static str],
}

/// The part of the equations of motion that an emitted function solves; decides which divisors are
/// checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Solves {
    /// The function solves no equations: its only divisors are those of the kinematics.
    Nothing,
    /// The function solves the equations for accelerations, multipliers, or the inputs that realise
    /// program constraints, if an output depends on these.
    Accelerations,
    /// Same as [`Solves::Accelerations`]; in formalisms without a mass matrix the outputs are
    /// unknowns of the system.
    Reactions,
    /// The function solves a linear system with the mass matrix of the tree; the derivation
    /// supplies its divisors.
    MassMatrix,
    /// The function solves the impact equations, for jumps of the speeds; the derivation supplies
    /// their divisors.
    Impacts,
}

/// The runtime trait, or the part of it, that an emitted function implements.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// Role of the function `dqdt`: the state derivative `ẋ`. Every entry must be finite, and every
    /// quaternion must be a valid attitude even if the result does not depend on it.
    StateDerivative,
    /// Role of the function `rates`: coordinate rates `q̇`, for given speeds.
    Rates,
    /// Role of the function with residuals of the position constraints, and their derivatives.
    PositionConstraints,
    /// Role of the function with residuals of the velocity constraints, and their derivatives.
    VelocityConstraints,
    /// Role of the function with the values of the event functions, whose zeros are the events.
    Events,
    /// Role of the function that gives the states immediately after the events.
    AfterEvents,
    /// Role of the function with the terms of the stops, by which a motion hits them and rests.
    Stops,
    /// Role of the function `mass_matrix`: the mass matrix `M` of the tree.
    MassMatrix,
    /// Role of the function `bias`, `c − Q`: Coriolis, centrifugal and gravity terms, and loads at
    /// `u = 0`.
    Bias,
    /// Role of the function `inverse_dynamics`: efforts that produce given accelerations (RNEA).
    InverseDynamics,
    /// Role of the function `energy`: kinetic and potential energy \[J\].
    Energy,
    /// Role of the function `gravity`: efforts that hold the tree at rest against gravity.
    Gravity,
    /// Role of the function `saturate`: inputs clamped to their limits.
    Saturate,
    /// Role of the function with the matrix `B` by which the inputs enter the equations.
    InputMatrix,
    /// Role of the function with efforts along the independent speeds that produce their
    /// accelerations, with the constraints obeyed.
    InverseDynamicsConstrained,
    /// Role of the function with `∂ẋ/∂x`, `∂ẋ/∂u` and the derivatives of the outputs by `x` and
    /// `u`, as `a`, `b`, `c`, `d`.
    Linearization,
    /// Role of the function with `ẋ`, `∂ẋ/∂x` and `∂ẋ/∂u` with respect to the stored state
    /// (quaternions by their four components), as `rate`, `by_state` and `by_input`.
    Derivatives,
    /// Role of the function with parameter sensitivities `∂ẋ/∂p`, its output `e`.
    Sensitivities,
    /// Role of a function of independent coordinates and speeds.
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

    /// True if the function has an argument with the entries of this vector.
    pub fn takes(&self, vector: Vector) -> bool {
        self.arguments.iter().any(|a| a.vector == vector)
    }

    /// Naming scheme for the entries of an output: that of the output if it has one, else that of
    /// the function.
    pub fn entries_of(&self, output: &FunctionOutput) -> EntryNames {
        output.entries.unwrap_or(self.entries)
    }

    /// Names of the entries of an output, by rows, such as `m_phi_phi`; used for values in emitted
    /// code and in tables.
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
                        None => pattern.replace("{}", &format!("{}_{i}", vector.entry_letter())),
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

    /// SI units of the entries of an output of the function, by rows; for tables of results.
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
