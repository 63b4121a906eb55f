//! Benchmark: nanoseconds per state of `dqdt_batch` and of calls for one state, robot by robot.
//! With the argument `rollout`: nanoseconds per step of rollouts and of `rk4_step`. With `field`:
//! the robots of the field's newest table.
//!
//! All columns of a row are timed in turn, many times, and the smallest median counts: other load
//! of the machine affects all alike.

mod field;
mod rollout;

use std::hint::black_box;
use std::time::Instant;

use dqdt::{Lift, Real, System};
use dqdt_simd::{InstructionSet, dqdt_batch_with};

include!(concat!(env!("OUT_DIR"), "/robots.rs"));

/// Number of states in a batch.
const STATES: usize = 1000;

/// Number of rounds per robot, and of timed runs per round whose median counts.
const ROUNDS: usize = 40;
const CHUNKS: usize = 15;

/// A random number generator with the same numbers on every machine.
struct BenchRandom(u64);

impl BenchRandom {
    fn within(&mut self, size: f64) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 11) as f64 / (1u64 << 53) as f64 * 2.0 - 1.0) * size
    }
}

/// Median time of `run` over [`CHUNKS`] runs, in nanoseconds per state.
fn median(mut run: impl FnMut()) -> f64 {
    let mut times: Vec<f64> = (0..CHUNKS)
        .map(|_| {
            let start = Instant::now();
            run();
            start.elapsed().as_nanos() as f64 / STATES as f64
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[CHUNKS / 2]
}

/// Random states, one array per entry of the state; quaternions are normalised.
fn states<S: Real>(nq: usize, nx: usize, quaternion: Option<usize>) -> Vec<S> {
    let mut random = BenchRandom(7);
    let mut x = vec![S::ZERO; nx * STATES];
    for k in 0..STATES {
        let mut one: Vec<f64> = (0..nx).map(|i| random.within(if i < nq { 1.0 } else { 2.0 })).collect();
        if let Some(q) = quaternion.and_then(|first| one.get_mut(first..first + 4)) {
            let length = q.iter().map(|x| x * x).sum::<f64>().sqrt();
            q.iter_mut().for_each(|x| *x /= length);
        }
        for (i, value) in one.into_iter().enumerate() {
            x[i * STATES + k] = S::from_f64(value);
        }
    }
    x
}

/// Entry `i` of state `k` in a list of all entries of all states.
fn entry_of_state<S: dqdt_simd::Scalar>(from: &[S], i: usize, k: usize) -> S {
    from[i * STATES + k]
}

/// A row of the table: nanoseconds of calls for one state, then of each instruction set; and the
/// largest difference of results, relative to the largest derivative.
fn row<S, M, const NX: usize, const NU: usize>(
    model: &M,
    nq: usize,
    quaternion: Option<usize>,
    single: impl Fn(&[S; NX], &[S; NU], &mut [S; NX]) -> bool,
) -> (Vec<f64>, f64)
where
    S: dqdt_simd::Scalar + Into<f64>,
    M: Lift<S, NX, NU> + System<S, NX, NU>,
{
    let x: Vec<S> = states(nq, NX, quaternion);
    let u: Vec<S> = {
        let mut random = BenchRandom(11);
        (0..NU * STATES).map(|_| S::from_f64(random.within(5.0))).collect()
    };
    let ones: Vec<([S; NX], [S; NU])> = (0..STATES)
        .map(|k| {
            (
                std::array::from_fn(|i| entry_of_state(&x, i, k)),
                std::array::from_fn(|i| entry_of_state(&u, i, k)),
            )
        })
        .collect();
    let sets: Vec<InstructionSet> = InstructionSet::all().collect();
    let mut best = vec![f64::INFINITY; 1 + sets.len()];
    let mut expected = vec![[S::ZERO; NX]; STATES];
    let mut dx = vec![S::ZERO; NX * STATES];
    let mut singular = vec![false; STATES];
    let mut worst = 0.0f64;
    for round in 0..ROUNDS {
        let mut call = || {
            for ((x, u), dx) in black_box(&ones).iter().zip(&mut expected) {
                black_box(single(x, u, dx));
            }
            black_box(&mut expected);
        };
        best[0] = best[0].min(median(&mut call));
        for (at, set) in sets.iter().enumerate() {
            let mut call = || {
                let done = dqdt_batch_with(*set, model, S::ZERO, black_box(&x), &u, &mut dx, &mut singular);
                assert!(black_box(done).is_ok());
            };
            best[at + 1] = best[at + 1].min(median(&mut call));
            if round == 0 {
                for (k, one) in expected.iter().enumerate() {
                    let size = one.iter().fold(1e-300f64, |m, x| m.max((*x).into().abs()));
                    for (i, value) in one.iter().enumerate() {
                        worst = worst.max((entry_of_state(&dx, i, k).into() - (*value).into()).abs() / size);
                    }
                }
            }
        }
    }
    (best, worst)
}

fn print(robot: &str, precision: &str, (times, worst): (Vec<f64>, f64)) {
    let batches: Vec<String> = times[1..].iter().map(|t| format!("{t:.1} ({:.2})", times[0] / t)).collect();
    println!("| {robot} | {precision} | {:.1} | {} | {worst:.0e} |", times[0], batches.join(" | "));
}

/// Prints the rows of a robot, one for each precision, by the macro `of`.
macro_rules! rows {
    ($of:ident $robot:ident $unfused:ident) => {{
        $of!($robot $robot f64 "f64");
        $of!($robot $unfused f64 "f64, `--unfused`");
        $of!($robot $robot f32 "f32");
        $of!($robot $unfused f32 "f32, `--unfused`");
    }};
}

/// The index of the first quaternion in the states of a module.
fn quaternion_index(states: &[dqdt::Quantity]) -> Option<usize> {
    states.iter().position(|s| s.name.ends_with("_w") && s.name.starts_with('e'))
}

fn main() {
    match std::env::args().nth(1).as_deref() {
        Some("rollout") => print_rollouts(),
        Some("field") => print_field(),
        _ => print_batches(),
    }
}

fn print_field() {
    macro_rules! one {
        ($robot:ident $unfused:ident) => {
            field::print_robot(stringify!($robot), "f32", &$robot::Model::<f32>::default());
            field::print_robot(stringify!($robot), "f64", &$robot::Model::<f64>::default());
        };
    }
    each!(one);
}

fn print_batches() {
    let sets: Vec<String> = InstructionSet::all().map(|s| s.to_string()).collect();
    println!(
        "Nanoseconds a state, {STATES} states in a batch; in brackets how many times as quick as calls for one state.\n"
    );
    println!("| robot | | one state | {} | difference |", sets.join(" | "));
    println!("|---|---|---|{}---|", "---|".repeat(sets.len()));
    macro_rules! of {
        ($robot:ident $module:ident $scalar:ident $kind:literal) => {{
            use $module::{Model, NQ, NU, NX};
            let quaternion = quaternion_index(&$module::STATES);
            let model = Model::<$scalar>::default();
            let single = |x: &[$scalar; NX], u: &[$scalar; NU], dx: &mut [$scalar; NX]| {
                model.dqdt(0.0, x, u, dx).is_ok()
            };
            print(stringify!($robot), $kind, row(&model, NQ, quaternion, single));
        }};
    }
    macro_rules! one {
        ($robot:ident $unfused:ident) => {
            rows!(of $robot $unfused)
        };
    }
    each!(one);
}

fn print_rollouts() {
    rollout::print_head();
    macro_rules! of {
        ($robot:ident $module:ident $scalar:ident $kind:literal) => {{
            let model = $module::Model::<$scalar>::default();
            let times = rollout::measure(&model, $module::NQ, quaternion_index(&$module::STATES));
            rollout::print_row(stringify!($robot), $kind, &times);
        }};
    }
    macro_rules! one {
        ($robot:ident $unfused:ident) => {
            rows!(of $robot $unfused)
        };
    }
    each!(one);
}
