//! Functions of a program, prepared once for all motions of a mechanism, on any thread.
//!
//! Problem: a graph cannot be shared by threads, and preparing a function takes about as long as a
//!          hundred calls of it.
//! Method:  each function becomes a machine, which motions clone; clones share its code.

use std::sync::{Arc, OnceLock};

use super::discontinuous_formulas::find_discontinuous_formulas;
use super::stop_loads::{StopInput, add_stop_loads};
use dqdt_derivation::assemble::Assembled;
use dqdt_derivation::functions::{self, Definition};
use dqdt_generate::pipeline;
use dqdt_graph::ir::{Declaration, Function, FunctionOutput, Layout, Machine, Program};
use dqdt_mechanics::formalism::Formalism;

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
    /// Signals with the forces of stops as loads, derived when a motion first rests.
    at_rest: Arc<OnceLock<SignalsAtRest>>,
}

/// Functions of signals that depend on the forces of stops.
const DEPEND_ON_STOPS: [&Definition; 4] =
    [functions::OUTPUTS, functions::PROGRAM_INPUTS, functions::MULTIPLIERS, functions::REACTIONS];

/// The functions of signals of a mechanism with inputs for the forces of its stops.
#[derive(Clone, Debug)]
#[doc(hidden)]
pub struct SignalsAtRest {
    /// The functions that the program itself has; `None` if they exceed the memory.
    program: Option<RunnableProgram>,
    /// The inputs after those of the mechanism itself.
    pub(super) inputs: Vec<StopInput>,
}

impl SignalsAtRest {
    /// A copy of a function. `None` if it cannot be evaluated at rest.
    pub(super) fn machine(&self, declaration: &Declaration) -> Option<Machine> {
        self.program.as_ref()?.machine(declaration)
    }

    /// True if a function depends on the forces of stops.
    pub(super) fn concern(declaration: &Declaration) -> bool {
        DEPEND_ON_STOPS.iter().any(|f| f.declaration == *declaration)
    }
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
            at_rest: Arc::default(),
        }
    }

    /// The functions of signals with inputs for the forces of the stops.
    pub(super) fn at_rest(&self, loaded: &Assembled) -> &SignalsAtRest {
        self.at_rest.get_or_init(|| {
            let present: Vec<_> =
                DEPEND_ON_STOPS.into_iter().filter(|f| !self.outputs(f).is_empty()).collect();
            let mut loaded = loaded.clone();
            let inputs = add_stop_loads(&mut loaded.mechanism);
            let formalism = Formalism::ALL.into_iter().find(|f| f.name() == self.formalism);
            let program = formalism.and_then(|f| pipeline::program_to_run(&loaded, f, &present).ok());
            SignalsAtRest { program: program.map(|program| RunnableProgram::new(&program)), inputs }
        })
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
