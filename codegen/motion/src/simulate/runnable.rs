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
    /// The program with the forces of stops as loads, derived when a motion first rests.
    pressed: Arc<OnceLock<Option<PressedProgram>>>,
}

/// The functions of a mechanism with inputs for the forces of its stops.
#[derive(Clone, Debug)]
#[doc(hidden)]
pub struct PressedProgram {
    /// Functions of the mechanism with these inputs.
    pub(super) program: RunnableProgram,
    /// The inputs after those of the mechanism itself.
    pub(super) inputs: Vec<StopInput>,
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
            pressed: Arc::default(),
        }
    }

    /// These functions of the mechanism with inputs for the forces of its stops; `None` if it has
    /// none of them, or its equations would exceed the memory.
    pub(super) fn pressed(
        &self,
        loaded: &Assembled,
        wanted: &[&'static Definition],
    ) -> Option<&PressedProgram> {
        self.pressed.get_or_init(|| self.derive_pressed(loaded, wanted)).as_ref()
    }

    fn derive_pressed(&self, loaded: &Assembled, wanted: &[&'static Definition]) -> Option<PressedProgram> {
        let wanted: Vec<_> = wanted.iter().copied().filter(|f| !self.outputs(f).is_empty()).collect();
        let formalism = Formalism::ALL.into_iter().find(|f| f.name() == self.formalism)?;
        if wanted.is_empty() {
            return None;
        }
        let mut loaded = loaded.clone();
        let inputs = add_stop_loads(&mut loaded.mechanism);
        let program = pipeline::program_to_run(&loaded, formalism, &wanted).ok()?;
        Some(PressedProgram { program: RunnableProgram::new(&program), inputs })
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
