//! Machine code that replaces the interpreter of a function once the number of calls makes that
//! pay. Clones of a machine share it, so that a function is compiled once for all threads.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, OnceLock};

use super::eval::Tape;
use super::evaluation::{Compiler, Evaluation, TapeCode};

/// Calls after which compiling pays: it takes about as long as this number of interpreted calls,
/// whatever the length of the function.
const CALLS_BEFORE_COMPILING: u32 = 1_000;

/// Code of a tape, compiled after a number of calls by any machine that shares it.
#[derive(Debug)]
pub(super) struct DelayedCode {
    tape: Arc<Tape>,
    compiler: Compiler,
    calls_left: AtomicU32,
    /// The code, once it is due; `None` where the tape cannot be compiled.
    compiled: OnceLock<Option<Arc<dyn TapeCode>>>,
}

impl DelayedCode {
    /// Code that replaces the interpreter of the tape; `None` if nothing does.
    pub(super) fn new(tape: &Arc<Tape>, evaluation: Evaluation) -> Option<Self> {
        let (compiler, calls) = match evaluation {
            Evaluation::Interpreted => return None,
            Evaluation::Compiled(compiler) => (compiler, 0),
            Evaluation::Adaptive(compiler) => (compiler, CALLS_BEFORE_COMPILING),
        };
        let (tape, calls_left) = (Arc::clone(tape), AtomicU32::new(calls));
        Some(DelayedCode { tape, compiler, calls_left, compiled: OnceLock::new() })
    }

    /// Counts a call. Once enough were made: the code, or `None` in it if there is none.
    pub(super) fn code_if_due(&self) -> Option<Option<Arc<dyn TapeCode>>> {
        if let Some(compiled) = self.compiled.get() {
            return Some(compiled.clone());
        }
        let count = self.calls_left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |n| n.checked_sub(1));
        match count {
            Ok(_) => None,
            Err(_) => Some(self.compiled.get_or_init(|| (self.compiler)(&self.tape)).clone()),
        }
    }
}
