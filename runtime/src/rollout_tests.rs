use crate::rollout::{
    AllStates, Costs, LastStates, Rollout, RolloutInputs, RunningCost, StepMethod, WrongShape, rollout,
    rollout_by,
};
use crate::{Lanes, Lift, Real, Singular, System, check_pivots, rk4_step, semi_implicit_euler_step};
use std::vec;
use std::vec::Vec;

/// Number of numbers in the model of the tests: more than the table of a pack's models has rows.
const NUMBERS: usize = 700;

/// Test system, a mass on a spring that is singular beyond x = 1: x = [position, speed, time], u =
/// [force]. The stiffness is the sum of many numbers.
#[derive(Clone)]
struct StiffWall<T>([T; NUMBERS]);

impl<T: Real> System<T, 3, 1> for StiffWall<T> {
    const NQ: usize = 1;
    const NV: usize = 1;

    fn dqdt(&self, t: T, x: &[T; 3], u: &[T; 1], dx: &mut [T; 3]) -> Result<(), Singular<T::Mask>> {
        let stiffness = self.0.iter().fold(T::ZERO, |sum, number| sum + *number);
        *dx = [x[1], u[0] - stiffness * x[0], T::ONE + t];
        let pivot = T::select(x[0].is_lt(T::ONE), T::ONE, T::ZERO);
        check_pivots([pivot], [T::ONE], T::from_f64(1e-12)).finish(&[], dx)
    }

    fn coordinate_rates(&self, _: T, x: &[T; 3], dx: &mut [T; 3]) -> Result<(), Singular<T::Mask>> {
        dx[0] = x[1];
        Ok(())
    }
}

impl<T: Real> Lift<T, 3, 1> for StiffWall<T> {
    type Over<U: Real> = StiffWall<U>;

    fn lift<U: Real>(&self, splat: impl Fn(T) -> U) -> StiffWall<U> {
        StiffWall(self.0.map(splat))
    }
}

/// The model of a sample. Models differ in their first and last numbers, and in order.
fn wall_model(k: usize) -> StiffWall<f64> {
    let mut numbers = core::array::from_fn(|i| 1e-3 * ((i * 37 + k) % 11) as f64);
    numbers[0] = 0.1 * k as f64;
    numbers[NUMBERS - 1] = 0.01 * k as f64;
    StiffWall(numbers)
}

/// A cost that knows its step.
struct WallCost;

impl RunningCost<3, 1> for WallCost {
    fn cost<T: Real>(&self, step: usize, t: T, x: &[T; 3], u: &[T; 1]) -> T {
        x[0] * x[0] + t * u[0] + T::from_f64(step as f64)
    }
    fn terminal_cost<T: Real>(&self, t: T, x: &[T; 3]) -> T {
        t * x[1]
    }
}

const STEPS: usize = 12;

/// Starts of `n` samples, some of which reach the wall, one in its first step, one never regular.
fn test_starts(n: usize) -> Vec<f64> {
    let positions = (0..n).map(|k| if k == 4 { 2.0 } else { 0.1 * (k % 9) as f64 });
    let speeds = (0..n).map(|k| if k % 3 == 1 { 1.0 + k as f64 } else { -0.5 });
    positions.chain(speeds).chain((0..n).map(|k| k as f64)).collect()
}

/// A description of the rollouts of the tests.
fn test_rollout(method: StepMethod, inputs: RolloutInputs, leading: usize) -> Rollout<f64> {
    Rollout { method, t: 0.5, h: 0.04, steps: STEPS, inputs, leading }
}

/// All states, last state, cost and completed steps of a sample by single steps.
fn integrate_singly(
    model: &StiffWall<f64>,
    run: &Rollout<f64>,
    mut x: [f64; 3],
    u: impl Fn(usize) -> f64,
) -> (Vec<[f64; 3]>, f64, usize) {
    let (mut states, mut cost, mut completed) = (Vec::new(), 0.0, run.steps);
    for step in 0..run.steps {
        let (t, u) = (run.t + run.h * step as f64, [u(step)]);
        let before = WallCost.cost(step, t, &x, &u);
        let outcome = match run.method {
            StepMethod::Rk4 => rk4_step(model, t, run.h, &mut x, &u),
            StepMethod::SemiImplicitEuler => semi_implicit_euler_step(model, t, run.h, &mut x, &u),
        };
        if outcome.is_err() {
            completed = completed.min(step);
        } else if completed == run.steps {
            cost += before;
        }
        states.push(x);
    }
    let end = run.t + run.h * run.steps as f64;
    (states, cost + WallCost.terminal_cost(end, &x), completed)
}

/// Integrates in packs of `N` lanes and compares all results with single steps.
fn compare_with_single_steps<const N: usize>(samples: usize, run: Rollout<f64>, per_sample: bool) {
    let x = test_starts(samples);
    let rows = if run.inputs == RolloutInputs::Held { 1 } else { STEPS };
    let u: Vec<f64> = (0..rows * samples).map(|at| 0.3 * ((at * 7) % 5) as f64).collect();
    let models: Vec<StiffWall<f64>> = (0..samples).map(wall_model).collect();
    let (mut all, mut last) = (vec![vec![7.0; samples]; 3 * STEPS], vec![vec![7.0; samples]; 3]);
    let (mut totals, mut completed) = (vec![7.0; samples], vec![77; samples]);
    let costs = Costs { cost: &WallCost, totals: &mut totals };
    let record = ((AllStates(&mut all), LastStates(&mut last)), costs);
    let stopped = if per_sample {
        rollout_by::<Lanes<f64, N>, _, _, 3, 1>(&models[..], &run, &x, &u, record, &mut completed)
    } else {
        rollout_by::<Lanes<f64, N>, _, _, 3, 1>(&wall_model(1), &run, &x, &u, record, &mut completed)
    };
    assert_eq!(stopped, Ok(completed.iter().filter(|steps| **steps < STEPS).count()));
    for k in 0..samples {
        let model = if per_sample { &models[k] } else { &wall_model(1) };
        let start = core::array::from_fn(|i| x[i * samples + k]);
        let (states, cost, steps) =
            integrate_singly(model, &run, start, |step| u[if rows == 1 { k } else { step * samples + k }]);
        for (step, state) in states.iter().enumerate() {
            let recorded: [f64; 3] = core::array::from_fn(|i| all[3 * step + i][k]);
            assert_eq!(recorded, *state, "sample {k} of {samples}, step {step}");
        }
        let end: [f64; 3] = core::array::from_fn(|i| last[i][k]);
        assert_eq!((end, totals[k], completed[k]), (states[STEPS - 1], cost, steps), "sample {k}");
    }
    if samples > 9 {
        assert!(completed.contains(&0) && completed.contains(&STEPS));
        assert!(completed.iter().any(|steps| (1..STEPS).contains(steps)));
    }
}

#[test]
fn packs_of_any_width_give_the_bits_of_single_steps() {
    for method in [StepMethod::Rk4, StepMethod::SemiImplicitEuler] {
        for inputs in [RolloutInputs::Held, RolloutInputs::PerStep] {
            for per_sample in [false, true] {
                for samples in [0, 1, 3, 4, 5, 21] {
                    let run = test_rollout(method, inputs, samples);
                    compare_with_single_steps::<1>(samples, run, per_sample);
                    compare_with_single_steps::<3>(samples, run, per_sample);
                    compare_with_single_steps::<4>(samples, run, per_sample);
                    compare_with_single_steps::<16>(samples, run, per_sample);
                }
            }
        }
    }
}

#[test]
fn a_rollout_without_steps_returns_its_starts() {
    let x = test_starts(5);
    let (mut last, mut totals, mut completed) = ([[7.0; 5]; 3], [7.0; 5], [9; 5]);
    let run = Rollout { steps: 0, ..test_rollout(StepMethod::Rk4, RolloutInputs::PerStep, 5) };
    let record = (LastStates(&mut last), Costs { cost: &WallCost, totals: &mut totals });
    assert_eq!(rollout(&wall_model(1), &run, &x, &[], record, &mut completed), Ok(0));
    assert_eq!((last.as_flattened(), completed), (&x[..], [0; 5]));
    assert_eq!(totals, core::array::from_fn(|k| 0.5 * x[5 + k]));
}

#[test]
fn lengths_beyond_the_address_space_are_errors() {
    let run = Rollout {
        steps: usize::MAX,
        leading: usize::MAX,
        ..test_rollout(StepMethod::Rk4, RolloutInputs::PerStep, 1)
    };
    let (mut last, mut completed) = ([[7.0; 1]; 3], [9; 1]);
    let error = rollout(&wall_model(1), &run, &[0.0; 3], &[0.0], LastStates(&mut last), &mut completed);
    assert!(matches!(error, Err(WrongShape::Length { slice: "x", found: 3, .. })), "{error:?}");
    assert_eq!((last, completed), ([[7.0; 1]; 3], [9; 1]));
}
