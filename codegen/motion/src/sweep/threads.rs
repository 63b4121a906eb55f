//! Points on several threads of this process.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use super::points::Points;
use super::simulation::PointSweep;

/// Interval between two calls of [`WatchedRun::watch`].
const WATCH_EVERY: Duration = Duration::from_millis(50);

/// Receiver of the lines of a run, on the thread that started it.
pub trait WatchedRun<E> {
    /// Receives the line of a point; in the order in which points end.
    ///
    /// # Errors
    /// Any error ends the run.
    fn receive(&mut self, number: usize, line: &str) -> Result<(), E>;

    /// Called about twenty times a second, to interrupt the run.
    ///
    /// # Errors
    /// Any error ends the run.
    fn watch(&mut self) -> Result<(), E>;
}

/// Stack size in bytes of a worker; the system commits only the pages in use.
const STACK: usize = 256 << 20;

/// Simulates points on several threads. `numbers` has the index of each point and its number in the
/// results.
///
/// # Errors
/// The first error of `run`; motions that are not at their end are dropped then.
pub fn run_points<E>(
    sweep: &PointSweep,
    points: &Points,
    numbers: &[(usize, usize)],
    threads: usize,
    run: &mut impl WatchedRun<E>,
) -> Result<(), E> {
    let (next, stop) = (&AtomicUsize::new(0), &AtomicBool::new(false));
    let (sender, receiver) = channel();
    thread::scope(|scope| {
        let worker = |sender: Sender<(usize, String)>| {
            move || {
                while !stop.load(Ordering::Relaxed) {
                    let point = numbers.get(next.fetch_add(1, Ordering::Relaxed));
                    let Some((index, number)) = point else { break };
                    let Some(result) = sweep.run_point(points, *index, stop) else { break };
                    // A dropped receiver needs no further lines.
                    if sender.send((*number, result.line(*number))).is_err() {
                        break;
                    }
                }
            }
        };
        let spawned = (0..threads.clamp(1, numbers.len().max(1)))
            .filter(|_| {
                let builder = thread::Builder::new().stack_size(STACK);
                builder.spawn_scoped(scope, worker(sender.clone())).is_ok()
            })
            .count();
        if spawned == 0 {
            worker(sender.clone())();
        }
        drop(sender);
        let outcome = receive_lines(&receiver, run);
        stop.store(true, Ordering::Relaxed);
        outcome
    })
}

/// Passes lines to `run` until all workers have ended.
fn receive_lines<E>(receiver: &Receiver<(usize, String)>, run: &mut impl WatchedRun<E>) -> Result<(), E> {
    let mut watched = Instant::now();
    loop {
        match receiver.recv_timeout(WATCH_EVERY) {
            Ok((number, line)) => run.receive(number, &line)?,
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return Ok(()),
        }
        if watched.elapsed() >= WATCH_EVERY {
            watched = Instant::now();
            run.watch()?;
        }
    }
}
