//! Machine code that replaces the interpreter of a function once the number of calls makes that
//! pay, and quicker code that replaces this. Clones of a machine share it, so that a function is
//! compiled once for all threads.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, OnceLock};

use super::eval::Tape;
use super::evaluation::{CompileEffort, Compiler, Evaluation, TapeCode};

/// Calls after which compiling quickly pays: it takes about as long as this number of interpreted
/// calls, whatever the length of the function.
const CALLS_BEFORE_COMPILING: u32 = 1_000;

/// Calls after which compiling anew pays: for a Talos it takes as long as the quicker code saves in
/// this number of calls.
const CALLS_BEFORE_FULL_EFFORT: u32 = 60_000;

/// Code that is compiled after a number of calls; `None` in it if there is none.
type LateCode = OnceLock<Option<Arc<dyn TapeCode>>>;

/// Code of a tape, compiled after a number of calls by any machine that shares it.
#[derive(Debug)]
pub(super) struct DelayedCode {
    tape: Arc<Tape>,
    compiler: Compiler,
    calls_before_compiling: u32,
    calls: AtomicU32,
    quick: LateCode,
    full: LateCode,
}

impl DelayedCode {
    /// Code that replaces the interpreter of the tape; `None` if nothing does.
    pub(super) fn new(tape: &Arc<Tape>, evaluation: Evaluation) -> Option<Self> {
        let (compiler, calls_before_compiling) = match evaluation {
            Evaluation::Interpreted => return None,
            Evaluation::Compiled(compiler) => (compiler, 0),
            Evaluation::Adaptive(compiler) => (compiler, CALLS_BEFORE_COMPILING),
        };
        Some(DelayedCode {
            tape: Arc::clone(tape),
            compiler,
            calls_before_compiling,
            calls: AtomicU32::new(0),
            quick: OnceLock::new(),
            full: OnceLock::new(),
        })
    }

    /// Counts a call of a machine that has code of this effort, or none. Once enough were made: the
    /// code that replaces it, with its effort; `None` in it if there is none.
    pub(super) fn code_if_due(
        &self,
        present: Option<CompileEffort>,
    ) -> Option<(CompileEffort, Option<Arc<dyn TapeCode>>)> {
        let (effort, code, calls_before) = match present {
            None => (CompileEffort::Quick, &self.quick, self.calls_before_compiling),
            Some(_) => (CompileEffort::Full, &self.full, CALLS_BEFORE_FULL_EFFORT),
        };
        let is_due = code.get().is_some() || self.calls.fetch_add(1, Ordering::Relaxed) >= calls_before;
        is_due.then(|| (effort, code.get_or_init(|| (self.compiler)(&self.tape, effort)).clone()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::{ARGUMENT_VECTORS, Graph, SymbolKind};

    /// Code whose only output is the number of the effort.
    #[derive(Debug)]
    struct NumberedCode(f64);

    impl TapeCode for NumberedCode {
        fn run(&self, _: &[&[f64]; ARGUMENT_VECTORS], _: &mut Vec<f64>, result: &mut [f64]) {
            result.fill(self.0);
        }

        fn can_improve(&self) -> bool {
            self.0 == 1.0
        }
    }

    fn compile(_: &Tape, effort: CompileEffort) -> Option<Arc<dyn TapeCode>> {
        Some(Arc::new(NumberedCode(if effort == CompileEffort::Quick { 1.0 } else { 2.0 })))
    }

    fn tape() -> Arc<Tape> {
        let graph = Graph::new();
        let time = graph.symbol("t", SymbolKind::Time);
        Arc::new(Tape::new(&graph, &[time]))
    }

    /// Calls until there is other code than that of this effort.
    fn count_calls(delayed: &DelayedCode, present: Option<CompileEffort>) -> (u32, CompileEffort) {
        let mut calls = 0;
        loop {
            calls += 1;
            if let Some((effort, _)) = delayed.code_if_due(present) {
                return (calls, effort);
            }
        }
    }

    #[test]
    fn code_is_compiled_quickly_first_and_fully_after_many_calls() {
        let delayed = DelayedCode::new(&tape(), Evaluation::Adaptive(compile)).unwrap();
        assert_eq!(count_calls(&delayed, None), (1_001, CompileEffort::Quick));
        let (calls, effort) = count_calls(&delayed, Some(CompileEffort::Quick));
        assert_eq!((1_001 + calls, effort), (60_001, CompileEffort::Full));
        // A clone gets both at once.
        assert_eq!(count_calls(&delayed, None).0, 1);
        assert_eq!(count_calls(&delayed, Some(CompileEffort::Quick)).0, 1);
    }

    #[test]
    fn native_evaluation_compiles_at_the_first_call_and_the_interpreter_never() {
        let delayed = DelayedCode::new(&tape(), Evaluation::Compiled(compile)).unwrap();
        assert_eq!(count_calls(&delayed, None), (1, CompileEffort::Quick));
        assert!(DelayedCode::new(&tape(), Evaluation::Interpreted).is_none());
    }
}
