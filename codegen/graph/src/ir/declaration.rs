//! The declaration of a function: all that the plan, the printers and the interpreter know of it.
//!
//! Plain data. How its outputs are derived stands beside it, in
//! `dqdt_derivation::derive::Definition`; the declarations themselves stand one a file in the
//! folder `functions`. Nothing that reads a declaration asks for its name.

use super::node::SymbolKind;
use super::program::{FunctionOutput, Layout, Shape, Slot};

/// A function, declared.
#[derive(Debug)]
pub struct Declaration {
    /// Name of the emitted function.
    pub name: &'static str,
    /// First paragraph of its documentation; `{mechanism}` stands for the name of the mechanism.
    pub summary: &'static str,
    /// What constraints do in it, told where the mechanism has some.
    pub constraints: Option<ConstraintNote>,
    /// Arguments besides the model and time, in order.
    pub arguments: &'static [Argument],
    /// What it gives.
    pub returns: Returns,
    /// What the entries of an output are called.
    pub entries: EntryNames,
    /// What of the equations is solved; decides which divisors are asked about.
    pub solves: Solves,
    /// It says where a divisor vanishes; else the result is not finite there.
    pub checked: bool,
    /// What it is to the traits of the runtime.
    pub role: Option<Role>,
    /// Emitted unless other functions are asked for; else on request only.
    pub by_default: bool,
    /// `dqdt eval` shows its results.
    pub in_eval: bool,
}

/// What constraints do in a function.
#[derive(Debug)]
pub struct ConstraintNote {
    /// In general.
    pub text: &'static str,
    /// Instead, where some speeds are computed from others. Empty: nothing is said.
    pub with_dependent_speeds: Option<&'static str>,
    /// Says also which speeds are computed from others.
    pub names_dependent_speeds: bool,
    /// Added where the motion leaves multipliers open; `{rows}` stands for their names.
    pub undetermined: Option<&'static str>,
    /// Said only where the equations are solved for it.
    pub where_solved: bool,
    /// What another function does instead: where it is emitted too, and where it is not.
    pub instead: Option<(Role, [&'static str; 2])>,
}

impl ConstraintNote {
    /// One sentence, whatever the mechanism is.
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

/// An argument: its name, what its entries are, and what it means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Argument {
    /// Its name.
    pub name: &'static str,
    /// Its entries, and so its length.
    pub vector: Vector,
    /// One line for people.
    pub meaning: &'static str,
}

impl Argument {
    /// `x`
    pub const STATE: Argument = Argument { name: "x", vector: Vector::State, meaning: "state [q, v, z]" };
    /// `q`
    pub const COORDINATES: Argument =
        Argument { name: "q", vector: Vector::Coordinates, meaning: "coordinates" };
    /// `u`
    pub const INPUTS: Argument = Argument { name: "u", vector: Vector::Inputs, meaning: "inputs" };
    /// `dv`
    pub const ACCELERATIONS: Argument =
        Argument { name: "dv", vector: Vector::Accelerations, meaning: "accelerations v̇" };
    /// `dv` of the driven speeds.
    pub const DRIVEN_ACCELERATIONS: Argument = Argument {
        name: "dv",
        vector: Vector::DrivenAccelerations,
        meaning: "accelerations of the driven speeds",
    };
    /// `impulse`
    pub const IMPULSES: Argument = Argument {
        name: "impulse",
        vector: Vector::Impulses,
        meaning: "impulses of the inputs: what each gives in the time of the blow",
    };
    /// `effort`
    pub const EFFORTS: Argument =
        Argument { name: "effort", vector: Vector::Efforts, meaning: "efforts along the speeds (N or N·m)" };
    /// `on`
    pub const CONTACTS: Argument =
        Argument { name: "on", vector: Vector::Contacts, meaning: "which contacts are on: 1, or 0" };
    /// `dv` of the independent speeds.
    pub const INDEPENDENT_ACCELERATIONS: Argument = Argument {
        name: "dv",
        vector: Vector::IndependentAccelerations,
        meaning: "accelerations of the independent speeds",
    };
}

/// The vectors of a mechanism, from which arguments and arrays take their lengths.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Vector {
    /// Coordinates, speeds, user states.
    State,
    /// `q`
    Coordinates,
    /// `v`
    Speeds,
    /// As long as the speeds.
    Accelerations,
    /// Of the speeds from which all others follow by the constraints.
    IndependentAccelerations,
    /// Of the speeds whose motion is given.
    DrivenAccelerations,
    /// `u`
    Inputs,
    /// As long as the inputs.
    Impulses,
    /// As long as `v`.
    Efforts,
    /// The points that are contacts.
    Contacts,
}

impl Vector {
    /// Its entries, with the symbol of each.
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

    /// True if its entries are no part of a state and no inputs.
    pub fn is_acceleration(self) -> bool {
        use Vector::{
            Accelerations, Contacts, DrivenAccelerations, Efforts, Impulses, IndependentAccelerations,
        };
        matches!(
            self,
            Accelerations | IndependentAccelerations | DrivenAccelerations | Impulses | Efforts | Contacts
        )
    }

    /// A letter for an entry that has no name.
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

/// What a function gives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Returns {
    /// One array of this name, as long as these vectors, by rows.
    Array {
        /// Its name.
        name: &'static str,
        /// One vector, or two: rows and columns.
        dims: &'static [Vector],
    },
    /// The entries of an argument with limits, and which of them a limit acted on.
    Limited {
        /// The argument.
        of: Argument,
    },
    /// A struct with one field an output.
    Struct {
        /// Its name.
        name: &'static str,
        /// Its documentation.
        about: &'static str,
    },
    /// What these functions give, each to an argument of its own.
    Joint(&'static [&'static Declaration]),
}

/// What the entries of an output are called.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EntryNames {
    /// As the output, with its indices from one.
    Numbered,
    /// By the entries of a vector, whose names take the place of `{}`.
    Each(Vector, &'static str),
    /// As the output, with the entries of these groups.
    Groups(&'static [EntryGroup]),
    /// By this name and the entries of a vector, for rows and columns; those that are equal by symmetry have one name.
    Symmetric(&'static str, Vector),
    /// By this name and the entries of a vector, for rows and columns.
    Square(&'static str, Vector),
}

/// Consecutive entries of an output that belong together.
#[derive(PartialEq, Eq, Debug)]
pub struct EntryGroup {
    /// What they are together; empty if there is one group.
    pub name: &'static str,
    /// Their unit, SI.
    pub unit: &'static str,
    /// What each is called.
    pub entries: &'static [&'static str],
}

/// What of the equations a function solves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Solves {
    /// Nothing: it divides at most by what the kinematics divides by.
    Nothing,
    /// Accelerations, multipliers, or the inputs that realise constraints, where its outputs come from them.
    Accelerations,
    /// As [`Solves::Accelerations`]; its outputs are unknowns of their own in forms that have no mass matrix.
    Reactions,
    /// A system with the mass matrix of the tree; the derivation hands over what it divides by.
    MassMatrix,
    /// Jumps of the speeds; the derivation hands over what they divide by.
    Impacts,
}

/// What a function is to the traits of the runtime.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// `ẋ`: all of it must be finite, and an attitude must be one, also where it does not matter.
    StateDerivative,
    /// `q̇`.
    Rates,
    /// Residuals of the constraints of the coordinates, and their derivatives.
    PositionConstraints,
    /// Residuals of the constraints of the speeds, and their derivatives.
    VelocityConstraints,
    /// Values that cross zero.
    Events,
    /// States right after the events.
    AfterEvents,
    /// `M` of the tree.
    MassMatrix,
    /// What stands beside `M v̇`.
    Bias,
    /// Efforts for given accelerations.
    InverseDynamics,
    /// Kinetic and potential energy.
    Energy,
    /// Efforts that hold the tree against gravity.
    Gravity,
    /// Inputs within their limits.
    Saturate,
    /// How inputs enter.
    InputMatrix,
    /// Efforts along independent speeds for their accelerations.
    InverseDynamicsConstrained,
    /// `∂ẋ/∂x`, `∂ẋ/∂u` and those of the outputs, as `a`, `b`, `c`, `d`.
    Linearization,
    /// `ẋ`, `∂ẋ/∂x` and `∂ẋ/∂u` by the state as it stands, as `rate`, `by_state` and `by_input`.
    Derivatives,
    /// `∂ẋ/∂p`, as `e`.
    Sensitivities,
    /// In independent coordinates and speeds.
    Independent,
}

impl PartialEq for Declaration {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Declaration {}

impl Declaration {
    /// The summary for a language whose functions return their results: without the words ": writes
    /// …" on the last argument of Rust and C.
    pub fn summary_of_result(&self, mechanism: &str) -> String {
        let summary = self.summary.replace("{mechanism}", mechanism);
        summary.split_once(": writes ").map_or(summary.clone(), |(before, _)| format!("{before}."))
    }

    /// One that is emitted on request, takes the state, checks nothing, and has no part in the traits: what most of them are. Each
    /// says its name, its summary and what it gives.
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

    /// True if it counts, with constraints, by the differences that these leave free.
    pub fn in_independent_differences(&self) -> bool {
        let joint = match self.returns {
            Returns::Joint(parts) => parts.iter().any(|f| f.in_independent_differences()),
            _ => false,
        };
        joint || matches!(self.role, Some(Role::Linearization | Role::Sensitivities | Role::Independent))
    }

    /// True if it has an argument of these entries.
    pub fn takes(&self, vector: Vector) -> bool {
        self.arguments.iter().any(|a| a.vector == vector)
    }

    /// What the entries of an output are called: as it says itself, or as all outputs are.
    pub fn entries_of(&self, output: &FunctionOutput) -> EntryNames {
        output.entries.unwrap_or(self.entries)
    }

    /// Names of the entries of an output, by rows.
    pub fn entry_names(&self, output: &FunctionOutput, layout: &Layout) -> Vec<String> {
        self.entry_names_of(output, layout, |_| true)
    }

    /// The same, with empty names for entries whose place is not wanted.
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
                let of = |i: usize| {
                    slots.get(i).map_or_else(|| format!("{}_{i}", vector.letter()), |s| s.1.name.clone())
                };
                (0..n).map(|i| pattern.replace("{}", &of(i))).collect()
            }
            (EntryNames::Groups(parts), Shape::Vector(_)) => {
                let entries: Vec<&str> = parts.iter().flat_map(|p| p.entries).copied().collect();
                let one = |i: usize| entries.get(i).map_or_else(|| (i + 1).to_string(), |e| (*e).to_owned());
                (0..n).map(|i| format!("{name}_{}", one(i))).collect()
            }
            (
                entries @ (EntryNames::Symmetric(letter, vector) | EntryNames::Square(letter, vector)),
                Shape::Matrix(_, columns),
            ) => {
                let columns = columns.max(1);
                let ordered = |(a, b): (usize, usize)| match entries {
                    EntryNames::Symmetric(..) => (a.min(b), a.max(b)),
                    _ => (a, b),
                };
                let slots = vector.slots(layout);
                let stems = layout.stems(slots.iter().map(|s| s.1.name.as_str()));
                let of = |i: usize| stems.get(i).cloned().unwrap_or_else(|| (i + 1).to_string());
                let place = |i: usize| (i / columns, i % columns);
                let entry = |i: usize| {
                    let (a, b) = ordered(place(i));
                    format!("{letter}_{}_{}", of(a), of(b))
                };
                (0..n).map(|i| if wanted(i) { entry(i) } else { String::new() }).collect()
            }
            (_, Shape::Scalar) => vec![name.clone(); n],
            (_, Shape::Vector(_)) => (0..n).map(|i| format!("{name}_{}", i + 1)).collect(),
            (_, Shape::Matrix(_, columns)) => {
                let columns = columns.max(1);
                (0..n).map(|i| format!("{name}_{}_{}", i / columns + 1, i % columns + 1)).collect()
            }
        }
    }

    /// Units of the entries of an output, by rows.
    pub fn entry_units(&self, output: &FunctionOutput) -> Vec<String> {
        let n = output.nodes.len();
        match self.entries_of(output) {
            EntryNames::Groups(parts) if output.shape != Shape::Scalar => {
                let units = parts.iter().flat_map(|p| p.entries.iter().map(|_| p.unit.to_owned()));
                units.chain(std::iter::repeat(output.unit.clone())).take(n).collect()
            }
            _ => {
                let own: Vec<String> = output.unit.split(',').map(|unit| unit.trim().to_owned()).collect();
                if output.labels.len() == n && own.len() == n { own } else { vec![output.unit.clone(); n] }
            }
        }
    }
}
