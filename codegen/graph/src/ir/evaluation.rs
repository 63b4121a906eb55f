//! Ways to evaluate functions in this process: by the interpreter, or by machine code that another
//! crate compiles. All give the same bits.

use std::fmt::Debug;
use std::sync::Arc;

use super::eval::Tape;
use super::node::SymbolKind;

/// Number of vectors of arguments: time, parameters, coordinates, speeds, user states, inputs,
/// accelerations, impulses, efforts, contact flags, costates, in this order.
pub const ARGUMENT_VECTORS: usize = 11;

/// Index of the vector of an argument, and of the entry in it; `None` for symbols that are not
/// arguments.
pub fn argument_place(kind: SymbolKind) -> Option<(usize, usize)> {
    Some(match kind {
        SymbolKind::Time => (0, 0),
        SymbolKind::Parameter(i) => (1, i),
        SymbolKind::Coordinate(i) => (2, i),
        SymbolKind::Speed(i) => (3, i),
        SymbolKind::State(i) => (4, i),
        SymbolKind::Input(i) => (5, i),
        SymbolKind::Acceleration(i) => (6, i),
        SymbolKind::Impulse(i) => (7, i),
        SymbolKind::Effort(i) => (8, i),
        SymbolKind::Contact(i) => (9, i),
        SymbolKind::Costate(i) => (10, i),
        SymbolKind::Rate(_) | SymbolKind::Auxiliary(_) | SymbolKind::Length(_) | SymbolKind::Named(_) => {
            return None;
        }
    })
}

/// Code that computes the outputs of a tape, with the same bits as the interpreter.
pub trait TapeCode: Debug + Send + Sync {
    /// Evaluates the outputs. `work` is scratch memory, kept between calls; `result` receives one
    /// value per output.
    fn run(&self, arguments: &[&[f64]; ARGUMENT_VECTORS], work: &mut Vec<f64>, result: &mut [f64]);
}

impl TapeCode for Tape {
    fn run(&self, arguments: &[&[f64]; ARGUMENT_VECTORS], work: &mut Vec<f64>, result: &mut [f64]) {
        self.evaluate(
            |kind| argument_place(kind).map_or(f64::NAN, |(vector, i)| arguments[vector][i]),
            work,
            result,
        );
    }
}

/// Compiles a tape to machine code; `None` where that is impossible.
pub type Compiler = fn(&Tape) -> Option<Arc<dyn TapeCode>>;

/// Evaluation of the functions of a program in this process. All variants give the same bits.
#[derive(Clone, Copy, Debug, Default)]
pub enum Evaluation {
    /// By the interpreter.
    #[default]
    Interpreted,
    /// By machine code from the first call on.
    Compiled(Compiler),
    /// By the interpreter first, and by machine code once the number of calls makes compiling pay.
    Adaptive(Compiler),
}

impl PartialEq for Evaluation {
    fn eq(&self, other: &Self) -> bool {
        std::mem::discriminant(self) == std::mem::discriminant(other)
    }
}
