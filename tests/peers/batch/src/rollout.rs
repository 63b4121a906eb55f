//! Benchmark: nanoseconds per step and sample of rollouts, and of `rk4_step` sample by sample.
//!
//! All columns of a row are timed in turn, many times, and the smallest median counts: other load
//! of the machine affects all alike.

use std::hint::black_box;

use dqdt::rollout::{LastStates, Rollout, RolloutInputs, StepMethod};
use dqdt::{Lift, System, rk4_step};
use dqdt_simd::{InstructionSet, Scalar, rollout_with};

use crate::{BenchRandom, STATES, entry_of_state, median, states};

/// Number of steps of a rollout.
const STEPS: usize = 20;

/// Number of rollouts that a thread of two makes before it ends: to start it takes as long as a
/// tenth of a short rollout.
const ROLLOUTS_OF_THREAD: usize = 20;

/// Number of rounds per robot.
const ROUNDS: usize = 5;

/// Nanoseconds per step and sample, and the difference of results.
pub struct RolloutTimes {
    /// Steps of one sample after another by `rk4_step`.
    single: f64,
    /// Rollouts by instruction set, the widest last.
    sets: Vec<f64>,
    /// Rollouts in the widest registers on two threads.
    two_threads: f64,
    /// Largest difference of a last state, relative to the largest entry of that state.
    difference: f64,
}

/// The samples of a rollout: description, starts and inputs by rows, and the same sample by sample.
struct BenchSamples<S, const NX: usize, const NU: usize> {
    run: Rollout<S>,
    x: Vec<S>,
    u: Vec<S>,
    singly: Vec<([S; NX], [S; NU])>,
}

impl<S: Scalar, const NX: usize, const NU: usize> BenchSamples<S, NX, NU> {
    /// Random samples that hold their inputs.
    fn new(nq: usize, quaternion: Option<usize>) -> Self {
        let h = S::from_f64(1e-3);
        let (method, inputs) = (StepMethod::Rk4, RolloutInputs::Held);
        let run = Rollout { method, t: S::ZERO, h, steps: STEPS, inputs, leading: STATES };
        let x = states(nq, NX, quaternion);
        let mut random = BenchRandom(11);
        let u: Vec<S> = (0..NU * STATES).map(|_| S::from_f64(random.within(5.0))).collect();
        let singly = (0..STATES)
            .map(|k| {
                let x = std::array::from_fn(|i| entry_of_state(&x, i, k));
                (x, std::array::from_fn(|i| entry_of_state(&u, i, k)))
            })
            .collect();
        Self { run, x, u, singly }
    }

    /// Integrates one sample after another.
    fn step_singly<M: System<S, NX, NU>>(&self, model: &M, last: &mut [[S; NX]]) {
        for ((x, u), last) in black_box(&self.singly).iter().zip(&mut *last) {
            *last = *x;
            for step in 0..STEPS {
                let t = self.run.h * S::from_f64(step as f64);
                assert!(rk4_step(model, t, self.run.h, last, u).is_ok());
            }
        }
        black_box(last);
    }

    /// Integrates the samples from `first` on, as many as `completed` has.
    fn roll<M>(
        &self,
        set: InstructionSet,
        model: &M,
        first: usize,
        last: &mut [&mut [S]],
        completed: &mut [usize],
    ) where
        M: Lift<S, NX, NU>,
    {
        let (x, u) = (black_box(&self.x[first..]), self.u.get(first..).unwrap_or(&[]));
        let stopped = rollout_with(set, model, &self.run, x, u, LastStates(last), completed);
        assert_eq!(black_box(stopped), Ok(0));
    }

    /// Integrates the samples on two threads, [`ROLLOUTS_OF_THREAD`] times.
    fn roll_on_two_threads<M>(&self, model: &M, last: &mut [S], completed: &mut [usize])
    where
        S: Send + Sync,
        M: Lift<S, NX, NU> + Sync,
    {
        let (set, part) = (InstructionSet::widest(), STATES / 2);
        let (mut left, mut right): (Vec<_>, Vec<_>) =
            last.chunks_exact_mut(STATES).map(|row| row.split_at_mut(part)).unzip();
        let (completed_left, completed_right) = completed.split_at_mut(part);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                for _ in 0..ROLLOUTS_OF_THREAD {
                    self.roll(set, model, 0, &mut left, completed_left);
                }
            });
            for _ in 0..ROLLOUTS_OF_THREAD {
                self.roll(set, model, part, &mut right, completed_right);
            }
        });
    }
}

/// Measures a row of the table.
pub fn measure<S, M, const NX: usize, const NU: usize>(
    model: &M,
    nq: usize,
    quaternion: Option<usize>,
) -> RolloutTimes
where
    S: Scalar + Into<f64> + Send + Sync,
    M: Lift<S, NX, NU> + System<S, NX, NU> + Sync,
{
    let samples = BenchSamples::<S, NX, NU>::new(nq, quaternion);
    let sets: Vec<InstructionSet> = InstructionSet::all().collect();
    let mut times = RolloutTimes {
        single: f64::INFINITY,
        sets: vec![f64::INFINITY; sets.len()],
        two_threads: f64::INFINITY,
        difference: 0.0,
    };
    let (mut expected, mut completed) = (vec![[S::ZERO; NX]; STATES], vec![0; STATES]);
    let mut last = vec![S::ZERO; NX * STATES];
    for _ in 0..ROUNDS {
        times.single = times.single.min(median_step(|| samples.step_singly(model, &mut expected)));
        for (time, set) in times.sets.iter_mut().zip(&sets) {
            let mut rows: Vec<&mut [S]> = last.chunks_exact_mut(STATES).collect();
            *time = time.min(median_step(|| samples.roll(*set, model, 0, &mut rows, &mut completed)));
            times.difference = times.difference.max(largest_difference(&last, &expected));
        }
        let two = median_step(|| samples.roll_on_two_threads(model, &mut last, &mut completed));
        times.two_threads = times.two_threads.min(two / ROLLOUTS_OF_THREAD as f64);
    }
    times
}

/// Largest difference of states in rows from states in a list, relative to the largest entry.
fn largest_difference<S: Scalar + Into<f64>, const NX: usize>(last: &[S], expected: &[[S; NX]]) -> f64 {
    let mut worst = 0.0f64;
    for (k, one) in expected.iter().enumerate() {
        let size = one.iter().fold(1e-300f64, |most, x| most.max((*x).into().abs()));
        for (i, value) in one.iter().enumerate() {
            worst = worst.max((entry_of_state(last, i, k).into() - (*value).into()).abs() / size);
        }
    }
    worst
}

/// Median time of a run, in nanoseconds per step and sample.
fn median_step(run: impl FnMut()) -> f64 {
    median(run) / STEPS as f64
}

/// Prints the head of the table.
pub fn print_head() {
    let sets: Vec<String> = InstructionSet::all().map(|s| s.to_string()).collect();
    println!(
        "Nanoseconds a step and sample of rollouts by RK4, {STATES} samples, {STEPS} steps, last states; in brackets how many times as quick as `rk4_step`.\n"
    );
    println!("| robot | | `rk4_step` | {} | two threads, to one | difference |", sets.join(" | "));
    println!("|---|---|---|{}---|---|", "---|".repeat(sets.len()));
}

/// Prints a row of the table.
pub fn print_row(robot: &str, precision: &str, times: &RolloutTimes) {
    let sets: Vec<String> = times.sets.iter().map(|t| format!("{t:.1} ({:.2})", times.single / t)).collect();
    let threads = times.sets.last().map_or(0.0, |one| one / times.two_threads);
    println!(
        "| {robot} | {precision} | {:.1} | {} | {:.1} ({threads:.2}) | {:.0e} |",
        times.single,
        sets.join(" | "),
        times.two_threads,
        times.difference
    );
}
