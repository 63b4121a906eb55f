//! The one thread that owns the computer algebra system.
//!
//! Problem: the restricted engine aborts the process when a second thread uses it, even after the first is done.
//! Method:  a worker thread lives as long as the process; jobs are closures sent to it, and only plain data comes
//!          back. The lock of `lock` is taken before the first job and kept until the process ends.
//! Limits:  jobs run one after the other. The engine prints its licence notice on standard output at the first job;
//!          a process whose standard output is a product uses `worker::run_in_child`.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, OnceLock, PoisonError};

use super::error::SymbolicError;
use super::lock;

type Job = Box<dyn FnOnce() + Send>;

static WORKER: OnceLock<Mutex<Sender<Job>>> = OnceLock::new();
static START: Mutex<()> = Mutex::new(());

/// Enough for the recursion of the engine over any expression within our limits.
const STACK: usize = 256 << 20;

/// Runs a job on the thread that owns the engine and waits for its value. A panic of the job becomes an error.
pub(super) fn run<R: Send + 'static>(job: impl FnOnce() -> R + Send + 'static) -> Result<R, SymbolicError> {
    let (answer, value) = channel();
    let job: Job = Box::new(move || {
        // A receiver that has gone needs no answer.
        let _ = answer.send(catch_unwind(AssertUnwindSafe(job)));
    });
    let sender = worker()?.lock().unwrap_or_else(PoisonError::into_inner).clone();
    sender.send(job).map_err(|_| SymbolicError::Stopped)?;
    match value.recv() {
        Ok(Ok(value)) => Ok(value),
        Ok(Err(panic)) => Err(SymbolicError::Panicked(message(&*panic))),
        Err(_) => Err(SymbolicError::Stopped),
    }
}

/// True if this process owns the engine already (and so the lock).
pub fn is_running() -> bool {
    WORKER.get().is_some()
}

/// Runs something while no engine starts in this process; `None` if one is there already.
pub(super) fn while_idle<R>(f: impl FnOnce() -> R) -> Option<R> {
    let _nobody_starts = START.lock().unwrap_or_else(PoisonError::into_inner);
    if is_running() { None } else { Some(f()) }
}

fn worker() -> Result<&'static Mutex<Sender<Job>>, SymbolicError> {
    let _one_at_a_time = START.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(worker) = WORKER.get() {
        return Ok(worker);
    }
    let lock = if lock::licensed() { None } else { Some(lock::acquire()?) };
    let (sender, jobs): (Sender<Job>, Receiver<Job>) = channel();
    std::thread::Builder::new()
        .name("symbolica".into())
        .stack_size(STACK)
        .spawn(move || {
            let _lock = lock;
            for job in jobs {
                job();
            }
        })
        .map_err(SymbolicError::Thread)?;
    Ok(WORKER.get_or_init(|| Mutex::new(sender)))
}

fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("unknown panic").to_owned()
}
