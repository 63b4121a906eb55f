//! A progress message on the terminal for commands that run for more than some seconds.

use std::io::IsTerminal;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::JoinHandle;
use std::time::Duration;

/// Time before a command prints its progress message. Wall-clock time never affects results.
const QUIET: Duration = Duration::from_secs(2);

/// Timer of a running command; dropping it cancels the message.
pub(super) struct Watch {
    end: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Watch {
    /// Starts the timer. Prints `activity` after [`QUIET`], if standard error is a terminal.
    pub(super) fn begin(activity: &'static str) -> Self {
        let is_seen = std::io::stderr().is_terminal();
        Watch::after(QUIET, is_seen, move || dqdt_diagnostics::tell!("{activity} … (Ctrl-C ends it)"))
    }

    fn after(quiet: Duration, is_seen: bool, speak: impl FnOnce() + Send + 'static) -> Self {
        if !is_seen {
            return Watch { end: None, thread: None };
        }
        let (end, ended) = mpsc::channel::<()>();
        let wait = move || {
            if ended.recv_timeout(quiet) == Err(RecvTimeoutError::Timeout) {
                speak();
            }
        };
        let thread = std::thread::Builder::new().spawn(wait).ok();
        Watch { end: Some(end), thread }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        drop(self.end.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn a_command_speaks_once_after_a_while_and_only_on_a_terminal() {
        let count = Arc::new(AtomicUsize::new(0));
        let watch = |quiet: u64, is_seen: bool| {
            let count = Arc::clone(&count);
            Watch::after(Duration::from_millis(quiet), is_seen, move || {
                count.fetch_add(1, Ordering::Relaxed);
            })
        };
        drop(watch(600_000, true));
        drop(watch(0, false));
        assert_eq!(count.load(Ordering::Relaxed), 0);
        let long = watch(0, true);
        while count.load(Ordering::Relaxed) == 0 {
            std::thread::yield_now();
        }
        drop(long);
        assert_eq!(count.load(Ordering::Relaxed), 1);
    }
}
