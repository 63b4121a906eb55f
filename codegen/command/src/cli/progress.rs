//! A progress message on the terminal for commands that run for more than some seconds.

use std::io::IsTerminal;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::JoinHandle;
use std::time::Duration;

/// Time before a command prints its progress message. Wall-clock time never affects results.
const QUIET: Duration = Duration::from_secs(2);

/// Timer of a running command; dropping it cancels the message.
pub(super) struct ProgressTimer {
    end: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl ProgressTimer {
    /// Starts the timer of a command. Prints `activity` after [`QUIET`], if standard error is a
    /// terminal.
    pub(super) fn begin_timer(activity: &'static str) -> Self {
        let is_terminal = std::io::stderr().is_terminal();
        ProgressTimer::start_with_delay(QUIET, is_terminal, move || {
            dqdt_diagnostics::tell!("{activity} … (press Ctrl-C to stop)")
        })
    }

    fn start_with_delay(quiet: Duration, is_terminal: bool, speak: impl FnOnce() + Send + 'static) -> Self {
        if !is_terminal {
            return ProgressTimer { end: None, thread: None };
        }
        let (end, ended) = mpsc::channel::<()>();
        let thread = std::thread::Builder::new().spawn(move || {
            if ended.recv_timeout(quiet) == Err(RecvTimeoutError::Timeout) {
                speak();
            }
        });
        let thread = thread.ok();
        ProgressTimer { end: Some(end), thread }
    }
}

impl Drop for ProgressTimer {
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

    /// Timer that counts its messages, with its delay in milliseconds.
    fn counting_timer(count: &Arc<AtomicUsize>, delay: u64, is_terminal: bool) -> ProgressTimer {
        let count = Arc::clone(count);
        ProgressTimer::start_with_delay(Duration::from_millis(delay), is_terminal, move || {
            count.fetch_add(1, Ordering::Relaxed);
        })
    }

    #[test]
    fn a_command_speaks_once_after_a_while_and_only_on_a_terminal() {
        let count = Arc::new(AtomicUsize::new(0));
        drop(counting_timer(&count, 600_000, true));
        drop(counting_timer(&count, 0, false));
        assert_eq!(count.load(Ordering::Relaxed), 0);
        let long = counting_timer(&count, 0, true);
        while count.load(Ordering::Relaxed) == 0 {
            std::thread::yield_now();
        }
        drop(long);
        assert_eq!(count.load(Ordering::Relaxed), 1);
    }
}
