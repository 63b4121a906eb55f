//! Benchmark: batches of 16 to 65,536 states of the robots of the field's newest table, and
//! rollouts of them, on one core in the widest registers.
//!
//! `field.py states` writes the states and Pinocchio's accelerations to the folder `PEERS_FIELD`.
//! Each row is `tool robot precision function batch nanoseconds`, per state or per step and sample;
//! rows of errors are described at [`print_errors`]. Time is that of the processor, so that other
//! load of the machine counts only by what it evicts from the caches.

use std::hint::black_box;
use std::time::Duration;

use cpu_time::ThreadTime;
use dqdt::rollout::{LastStates, Rollout, RolloutInputs, StepMethod};
use dqdt::{Lift, Real};
use dqdt_simd::{InstructionSet, Scalar, dqdt_batch, rollout};

/// Sizes of batches.
const BATCHES: [usize; 7] = [16, 64, 256, 1024, 4096, 16_384, 65_536];
/// Numbers of samples of rollouts, and of their steps.
const SAMPLES: [usize; 2] = [1024, 65_536];
const STEPS: usize = 32;
/// Shortest time of a timed chunk, and number of chunks, of which the shortest counts.
const CHUNK: Duration = Duration::from_millis(2);
const CHUNKS: usize = 41;
/// Chunks that take longer than this are few.
const LONG: Duration = Duration::from_millis(50);
const FEW: usize = 9;

/// States of a robot: rows of coordinates and speeds, of efforts, and of Pinocchio's accelerations.
pub struct FieldStates {
    count: usize,
    nq: usize,
    nv: usize,
    x: Vec<f64>,
    u: Vec<f64>,
    accelerations: Vec<f64>,
}

impl FieldStates {
    /// Reads the file of a robot.
    pub fn read(robot: &str) -> Self {
        let folder = std::env::var("PEERS_FIELD").expect("PEERS_FIELD names the folder of the states");
        let bytes = std::fs::read(format!("{folder}/{robot}.bin")).expect("the states of the robot");
        let numbers: Vec<f64> =
            bytes.chunks_exact(8).map(|b| f64::from_le_bytes(b.try_into().expect("eight bytes"))).collect();
        let [count, nq, nv] = [0, 1, 2].map(|i| numbers[i] as usize);
        let (x, rest) = numbers[3..].split_at((nq + nv) * count);
        let (u, accelerations) = rest.split_at(nv * count);
        assert_eq!(accelerations.len(), nv * count);
        Self { count, nq, nv, x: x.to_vec(), u: u.to_vec(), accelerations: accelerations.to_vec() }
    }

    /// The rows for `n` states: the first ones, or all again and again.
    fn rows<S: Real>(&self, rows: &[f64], n: usize) -> Vec<S> {
        rows.chunks_exact(self.count)
            .flat_map(|row| row.iter().cycle().take(n).map(|x| S::from_f64(*x)))
            .collect()
    }
}

/// Shortest time of a call, in seconds.
fn shortest(mut call: impl FnMut()) -> f64 {
    call();
    let mut calls = 1u32;
    let mut chunk = |calls: u32| {
        let start = ThreadTime::now();
        (0..calls).for_each(|_| call());
        start.elapsed()
    };
    while chunk(calls) < CHUNK {
        calls *= 2;
    }
    let chunks = if chunk(calls) > LONG { FEW } else { CHUNKS };
    let least = (0..chunks).map(|_| chunk(calls)).min().unwrap_or_default();
    least.as_secs_f64() / f64::from(calls)
}

/// Prints the rows of a robot and a precision.
pub fn print_robot<S, M, const NX: usize, const NU: usize>(robot: &str, precision: &str, model: &M)
where
    S: Scalar + Into<f64>,
    M: Lift<S, NX, NU>,
{
    let states = FieldStates::read(robot);
    assert_eq!((states.nq + states.nv, states.nv), (NX, NU));
    let set = InstructionSet::widest();
    let tool = format!("dqdt ({set})");
    for n in BATCHES {
        let (x, u) = (states.rows::<S>(&states.x, n), states.rows::<S>(&states.u, n));
        let (mut dx, mut singular) = (vec![S::ZERO; NX * n], vec![false; n]);
        let time = shortest(|| {
            let done = dqdt_batch(model, S::ZERO, black_box(&x), &u, &mut dx, &mut singular);
            assert_eq!(black_box(done), Ok(0));
        });
        println!("time\t{tool}\t{robot}\t{precision}\tdqdt\t{n}\t{:.2}", time / n as f64 * 1e9);
        if n == states.count {
            let accelerations: Vec<f64> = dx[states.nq * n..].iter().map(|x| (*x).into()).collect();
            print_errors(&tool, robot, precision, &states, &accelerations);
        }
    }
    for n in SAMPLES {
        let (x, u) = (states.rows::<S>(&states.x, n), states.rows::<S>(&states.u, n));
        let run = Rollout {
            method: StepMethod::Rk4,
            t: S::ZERO,
            h: S::from_f64(1e-3),
            steps: STEPS,
            inputs: RolloutInputs::Held,
            leading: n,
        };
        let (mut last, mut completed) = (vec![S::ZERO; NX * n], vec![0; n]);
        let mut rows: Vec<&mut [S]> = last.chunks_exact_mut(n).collect();
        let time = shortest(|| {
            let stopped = rollout(model, &run, black_box(&x), &u, LastStates(&mut rows), &mut completed);
            assert_eq!(black_box(stopped), Ok(0));
        });
        println!("time\t{tool}\t{robot}\t{precision}\trk4\t{n}\t{:.2}", time / (n * STEPS) as f64 * 1e9);
    }
}

/// Prints the errors of accelerations, beside Pinocchio's in double precision: the largest; the
/// largest, the median and the number beyond 1e-3 of those relative to the largest acceleration of
/// the same state; the number beyond 1e-3 + 2e-4 times the acceleration; the number of entries.
fn print_errors(tool: &str, robot: &str, precision: &str, states: &FieldStates, accelerations: &[f64]) {
    let expected = &states.accelerations;
    let size: Vec<f64> = (0..states.count)
        .map(|k| (0..states.nv).map(|i| expected[i * states.count + k].abs()).fold(0.0, f64::max))
        .collect();
    let errors = || accelerations.iter().zip(expected).map(|(a, b)| (a - b).abs());
    let mut relative: Vec<f64> = errors().enumerate().map(|(i, e)| e / size[i % states.count]).collect();
    relative.sort_by(f64::total_cmp);
    let largest = errors().fold(0.0, f64::max);
    let beyond = relative.iter().filter(|e| **e > 1e-3).count();
    let beyond_gate = errors().zip(expected).filter(|(e, b)| *e > 1e-3 + 2e-4 * b.abs()).count();
    println!(
        "error\t{tool}\t{robot}\t{precision}\t{largest:.2e}\t{:.2e}\t{:.2e}\t{beyond}\t{beyond_gate}\t{}",
        relative[relative.len() - 1],
        relative[relative.len() / 2],
        relative.len()
    );
}
