//! Arguments and results of a compiled function: names, lengths, and their places in the vectors of
//! the machine code.

use dqdt_codegen::pipeline::program::{Argument, Function, Layout, SymbolKind, Vector};

use crate::kernel::dimensions;

/// Place of an argument in the vectors of the machine code.
#[derive(Clone, Debug)]
pub enum ArgumentTarget {
    /// The state: coordinates, speeds and user states in one row.
    State,
    /// A whole vector, by its index.
    Whole(usize),
    /// Entries of the accelerations, at these indices; the others are zero.
    Accelerations(Vec<usize>),
}

/// An argument after the time.
#[derive(Clone, Debug)]
pub struct ArgumentSlot {
    pub name: &'static str,
    pub meaning: &'static str,
    pub length: usize,
    pub target: ArgumentTarget,
    /// True if the argument may be omitted, for the defaults of the spec.
    pub has_default: bool,
}

/// A result: name, unit, description, dimensions for one state.
#[derive(Clone, Debug)]
pub struct OutputSlot {
    pub name: String,
    pub unit: String,
    pub description: String,
    pub shape: Vec<usize>,
}

/// Index of a whole vector in the order of the machine code.
const COORDINATES: usize = 2;
const SPEEDS: usize = 3;
const INPUTS: usize = 5;
/// Index of the accelerations in the order of the machine code.
pub const ACCELERATIONS: usize = 6;
const IMPULSES: usize = 7;
const EFFORTS: usize = 8;
const CONTACTS: usize = 9;
const COSTATES: usize = 10;

impl ArgumentSlot {
    /// The argument of a declaration, for this layout.
    pub fn new(argument: &Argument, layout: &Layout) -> Self {
        let slots = argument.vector.slots(layout);
        let target = match argument.vector {
            Vector::State => ArgumentTarget::State,
            Vector::Coordinates => ArgumentTarget::Whole(COORDINATES),
            Vector::Speeds => ArgumentTarget::Whole(SPEEDS),
            Vector::Accelerations => ArgumentTarget::Whole(ACCELERATIONS),
            Vector::Inputs => ArgumentTarget::Whole(INPUTS),
            Vector::Impulses => ArgumentTarget::Whole(IMPULSES),
            Vector::Efforts => ArgumentTarget::Whole(EFFORTS),
            Vector::Contacts => ArgumentTarget::Whole(CONTACTS),
            Vector::Costates => ArgumentTarget::Whole(COSTATES),
            Vector::IndependentAccelerations | Vector::DrivenAccelerations => {
                let places = slots.iter().filter_map(|(kind, _)| acceleration_index(kind));
                match places.clone().eq(0..Vector::Accelerations.slots(layout).len()) {
                    true => ArgumentTarget::Whole(ACCELERATIONS),
                    false => ArgumentTarget::Accelerations(places.collect()),
                }
            }
        };
        ArgumentSlot {
            name: argument.name,
            meaning: argument.meaning,
            length: slots.len(),
            target,
            has_default: matches!(argument.vector, Vector::Inputs | Vector::Contacts),
        }
    }
}

/// Index of an acceleration; `None` for other symbols.
fn acceleration_index(kind: &SymbolKind) -> Option<usize> {
    match kind {
        SymbolKind::Acceleration(i) => Some(*i),
        _ => None,
    }
}

/// Results of a function, with distinct names.
pub fn output_slots(f: &Function) -> Vec<OutputSlot> {
    let is_joint = f.results().len() > 1;
    let mut out: Vec<OutputSlot> = Vec::new();
    for (declaration, outputs) in f.results() {
        for output in outputs {
            let name = if output.name.is_empty() || is_joint && outputs.len() == 1 {
                declaration.name.to_owned()
            } else {
                output.name.clone()
            };
            out.push(OutputSlot {
                name,
                unit: output.unit.clone(),
                description: output.description.clone(),
                shape: dimensions(output.shape),
            });
        }
    }
    out
}
