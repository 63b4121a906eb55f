//! The option `--evaluate`: how functions are evaluated in this process.

use clap::ValueEnum;

use crate::cli::source::Failure;
use dqdt_graph::ir::{Compiler, Evaluation};

/// Compiler to machine code; `None` in a command built without it.
#[cfg(feature = "native")]
const COMPILER: Option<Compiler> = Some(dqdt_native::compile_tape);
#[cfg(not(feature = "native"))]
const COMPILER: Option<Compiler> = None;

/// Evaluation of the functions in this process.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum EvaluatedBy {
    /// Interpreted at first; machine code where enough evaluations follow, if the command was
    /// built with the feature `native`
    Auto,
    /// Interpreted
    Interpreter,
    /// Machine code from the first evaluation on (requires a command built with the feature
    /// `native`)
    Native,
}

impl EvaluatedBy {
    /// The evaluation for a program.
    ///
    /// # Errors
    /// `--evaluate native` in a command without the compiler.
    pub(in crate::cli) fn evaluation(self) -> Result<Evaluation, Failure> {
        match (self, COMPILER) {
            (EvaluatedBy::Interpreter, _) | (EvaluatedBy::Auto, None) => Ok(Evaluation::Interpreted),
            (EvaluatedBy::Auto, Some(compiler)) => Ok(Evaluation::Adaptive(compiler)),
            (EvaluatedBy::Native, Some(compiler)) => Ok(Evaluation::Compiled(compiler)),
            (EvaluatedBy::Native, None) => Err(Failure::Option {
                option: "--evaluate",
                message: "this `dqdt` was built without a compiler to machine code; rebuild it with \
                          `--features native`, or use `--evaluate interpreter`"
                    .to_owned(),
            }),
        }
    }
}
