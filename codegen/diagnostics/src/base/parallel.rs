//! Parallel work on all cores, with results in the order of the input.

use std::collections::BTreeMap;
use std::num::NonZero;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// Stack size of a worker thread in bytes. The system commits only the pages in use.
const STACK: usize = 256 << 20;

/// Applies `work` to all items in parallel and passes each result to `done` in the order of the
/// items. With one core everything runs on the calling thread.
///
/// # Errors
/// The first error of `done`; no further item is started after it.
pub fn map_parallel_in_order<T: Send, R: Send, E>(
    items: Vec<T>,
    work: impl Fn(T) -> R + Sync,
    mut done: impl FnMut(R) -> Result<(), E>,
) -> Result<(), E> {
    let threads = thread::available_parallelism().map_or(1, NonZero::get).min(items.len());
    if threads <= 1 {
        return items.into_iter().try_for_each(|item| done(work(item)));
    }
    let slots: Vec<Mutex<Option<T>>> = items.into_iter().map(|item| Mutex::new(Some(item))).collect();
    let (next, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
    let (slots, next, stop, work) = (&slots, &next, &stop, &work);
    let (sender, receiver) = channel();
    thread::scope(|scope| {
        let worker = |sender: Sender<(usize, R)>| move || run_worker(slots, next, stop, work, &sender);
        let spawned = (0..threads)
            .filter(|_| {
                let builder = thread::Builder::new().stack_size(STACK);
                builder.spawn_scoped(scope, worker(sender.clone())).is_ok()
            })
            .count();
        if spawned == 0 {
            worker(sender.clone())();
        }
        drop(sender);
        let mut early = BTreeMap::new();
        let mut index = 0;
        for (i, result) in receiver {
            early.insert(i, result);
            while let Some(result) = early.remove(&index) {
                index += 1;
                done(result).inspect_err(|_| stop.store(true, Ordering::Relaxed))?;
            }
        }
        Ok(())
    })
}

/// Loop of a worker thread: takes items and sends their results until no item is left.
fn run_worker<T, R>(
    slots: &[Mutex<Option<T>>],
    next: &AtomicUsize,
    stop: &AtomicBool,
    work: &impl Fn(T) -> R,
    results: &Sender<(usize, R)>,
) {
    while !stop.load(Ordering::Relaxed) {
        let index = next.fetch_add(1, Ordering::Relaxed);
        let Some(slot) = slots.get(index) else { break };
        let item = slot.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some(item) = item else { break };
        // A dropped receiver needs no further results.
        if results.send((index, work(item))).is_err() {
            break;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square_slowly(x: u64) -> u64 {
        thread::sleep(std::time::Duration::from_micros(7 * (x % 5)));
        x * x
    }

    #[test]
    fn results_come_in_the_order_of_the_items_and_an_error_ends_the_work() {
        let mut results = Vec::new();
        let status = map_parallel_in_order((0..100).collect(), square_slowly, |y| {
            results.push(y);
            Ok::<_, ()>(())
        });
        assert_eq!((status, results), (Ok(()), (0..100).map(|x| x * x).collect()));
        let mut count = 0;
        let ended = map_parallel_in_order((0..100).collect(), square_slowly, |y| {
            count += 1;
            if y == 9 { Err(y) } else { Ok(()) }
        });
        assert_eq!((ended, count), (Err(9), 4));
    }
}
