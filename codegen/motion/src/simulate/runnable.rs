//! Functions of a program, prepared once for all motions of a mechanism, on any thread.
//!
//! Problem: a graph cannot be shared by threads, and preparing a function takes about as long as a
//!          hundred calls of it.
//! Method:  each function becomes a machine, which motions clone; clones share its code.

use std::sync::{Arc, OnceLock};

use super::discontinuous_formulas::find_discontinuous_formulas;
use super::signals::SignalGroup;
use super::stop_loads::StopLoads;
use dqdt_derivation::assemble::Assembled;
use dqdt_derivation::functions;
use dqdt_graph::ir::{Declaration, Function, FunctionOutput, Layout, Machine, Program};

/// The functions of a program that a simulation calls, with all that it needs of the program
/// besides.
#[derive(Clone, Debug)]
#[doc(hidden)]
pub struct RunnableProgram {
    /// Name of the formalism of the program.
    pub formalism: String,
    /// Names and units of all arguments.
    pub layout: Layout,
    /// Rates of the state and powers of the loads, as one function.
    pub(super) rates_and_powers: Option<Machine>,
    /// Discontinuous formulas in the equations, which a message about slow integration names.
    pub(super) discontinuous_formulas: Vec<String>,
    functions: Vec<(Function, Machine)>,
    /// The program with the forces of stops as loads, derived when a motion first rests.
    stop_loads: Arc<OnceLock<Option<StopLoads>>>,
}

impl RunnableProgram {
    /// Prepares all functions of a program.
    pub fn new(program: &Program) -> Self {
        let functions = program.functions.iter().map(|f| (f.clone(), Machine::from_function(program, f)));
        RunnableProgram {
            formalism: program.formalism.clone(),
            layout: program.layout.clone(),
            rates_and_powers: Machine::with(program, functions::DQDT, functions::POWER),
            discontinuous_formulas: find_discontinuous_formulas(program),
            functions: functions.collect(),
            stop_loads: Arc::default(),
        }
    }

    /// The program with the forces of the stops as loads, for these groups of signals; `None` if no
    /// signal depends on them.
    pub(super) fn stop_loads(&self, loaded: &Assembled, groups: &[SignalGroup]) -> Option<&StopLoads> {
        self.stop_loads.get_or_init(|| StopLoads::derive(loaded, self, groups)).as_ref()
    }

    fn find(&self, declaration: &Declaration) -> Option<&(Function, Machine)> {
        self.functions.iter().find(|(f, _)| f.is(declaration))
    }

    /// A copy of a function; `None` if the program does not have it.
    pub fn machine(&self, declaration: &Declaration) -> Option<Machine> {
        self.find(declaration).map(|(_, machine)| machine.clone())
    }

    /// Outputs of a function; none if the program does not have it.
    pub fn outputs(&self, declaration: &Declaration) -> &[FunctionOutput] {
        self.find(declaration).map_or(&[], |(f, _)| &f.outputs)
    }
}
