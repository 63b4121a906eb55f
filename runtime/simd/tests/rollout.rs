//! Compares rollouts with single steps, for every instruction set of this processor.

use dqdt::rollout::{
    AllStates, Costs, LastStates, Models, Rollout, RolloutInputs, RunningCost, StepMethod, WrongShape,
};
use dqdt::{Lift, Pack, Real, System, rk4_step, semi_implicit_euler_step};
use dqdt_generated::{cart_pole, gyroscope, panda_arm, quadrotor};
use dqdt_simd::{InstructionSet, PackKernel, Scalar, rollout_with, run_with};

const STEPS: usize = 6;

/// A pseudo-random number in −1 to 1 that depends on the indices only.
fn number(i: usize, k: usize) -> f64 {
    let bits = (i * 7919 + k * 104_729 + 12_345).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (bits >> 11) as f64 / (1_u64 << 53) as f64 * 2.0 - 1.0
}

/// A cost of all states and inputs, and of step and time.
struct Effort;

impl<const NX: usize, const NU: usize> RunningCost<NX, NU> for Effort {
    #[inline(always)]
    fn cost<T: Real>(&self, step: usize, t: T, x: &[T; NX], u: &[T; NU]) -> T {
        let start = t * T::from_f64(step as f64);
        x.iter().chain(u).fold(start, |sum, x| x.mul_add(*x, sum))
    }
    #[inline(always)]
    fn terminal_cost<T: Real>(&self, t: T, x: &[T; NX]) -> T {
        t - x[0].sin()
    }
}

/// Starts and inputs of `n` samples, by rows.
struct RolloutSamples<S, const NX: usize, const NU: usize> {
    run: Rollout<S>,
    x: Vec<S>,
    u: Vec<S>,
}

impl<S: Scalar, const NX: usize, const NU: usize> RolloutSamples<S, NX, NU> {
    /// RolloutSamples near a start. Sample 2 has an input, or else a start, that is not a number.
    fn new(start: &[f64; NX], method: StepMethod, inputs: RolloutInputs, n: usize) -> Self {
        let (t, h) = (S::from_f64(0.25), S::from_f64(1e-3));
        let run = Rollout { method, t, h, steps: STEPS, inputs, leading: n };
        let mut x: Vec<S> =
            (0..NX * n).map(|at| S::from_f64(start[at / n] + 0.2 * number(at / n, at % n))).collect();
        let rows = if inputs == RolloutInputs::Held { NU } else { NU * STEPS };
        let mut u: Vec<S> = (0..rows * n).map(|at| S::from_f64(3.0 * number(99 + at / n, at % n))).collect();
        if n > 2 {
            let is_late = NU > 0 && inputs == RolloutInputs::PerStep;
            let (array, row) = if is_late { (&mut u, 3 * NU) } else { (&mut x, NX - 1) };
            array[row * n + 2] = S::from_f64(f64::NAN);
        }
        Self { run, x, u }
    }

    fn start(&self, k: usize) -> [S; NX] {
        std::array::from_fn(|i| self.x[i * self.run.leading + k])
    }

    fn inputs(&self, step: usize, k: usize) -> [S; NU] {
        let first = if self.run.inputs == RolloutInputs::Held { 0 } else { step * NU };
        std::array::from_fn(|i| self.u[(first + i) * self.run.leading + k])
    }

    fn time(&self, step: usize) -> S {
        self.run.t + self.run.h * S::from_f64(step as f64)
    }
}

/// Advances a state by one single step. Returns `false` if it is singular.
#[inline(always)]
fn step_once<T, M, const NX: usize, const NU: usize>(
    model: &M,
    method: StepMethod,
    t: T,
    h: T,
    x: &mut [T; NX],
    u: &[T; NU],
) -> bool
where
    T: Real,
    M: System<T, NX, NU>,
{
    match method {
        StepMethod::Rk4 => rk4_step(model, t, h, x, u).is_ok(),
        StepMethod::SemiImplicitEuler => semi_implicit_euler_step(model, t, h, x, u).is_ok(),
    }
}

/// The motion of one sample.
#[derive(PartialEq, Debug)]
struct SampleMotion<S, const NX: usize> {
    states: Vec<[S; NX]>,
    cost: S,
    completed: usize,
}

/// Integrates one sample by single steps of a scalar type; `splat` converts to it, `first` back.
#[inline(always)]
fn integrate_singly<S, T, M, const NX: usize, const NU: usize>(
    model: &M,
    samples: &RolloutSamples<S, NX, NU>,
    k: usize,
    splat: impl Fn(S) -> T + Copy,
    first: impl Fn(T) -> S + Copy,
) -> SampleMotion<S, NX>
where
    S: Scalar,
    T: Real,
    M: System<T, NX, NU>,
{
    let mut x = samples.start(k).map(splat);
    let mut cost = T::ZERO;
    let (mut states, mut completed) = (Vec::new(), STEPS);
    for step in 0..STEPS {
        let (t, u) = (splat(samples.time(step)), samples.inputs(step, k).map(splat));
        if completed == STEPS {
            let before = Effort.cost(step, t, &x, &u);
            if step_once(model, samples.run.method, t, splat(samples.run.h), &mut x, &u) {
                cost += before;
            } else {
                completed = step;
            }
        }
        states.push(x.map(first));
    }
    let end: T = RunningCost::<NX, NU>::terminal_cost(&Effort, splat(samples.time(STEPS)), &x);
    SampleMotion { states, cost: first(cost + end), completed }
}

/// The number in the first lane of a pack.
#[inline(always)]
fn first_lane<P: Pack>(x: P) -> P::Scalar {
    let mut lane = [P::Scalar::ZERO];
    x.store(&mut lane);
    lane[0]
}

/// Single steps of one sample in the first lane of the packs of an instruction set.
struct SingleSteps<'a, S, M, const NX: usize, const NU: usize> {
    model: &'a M,
    samples: &'a RolloutSamples<S, NX, NU>,
    k: usize,
}

impl<S, M, const NX: usize, const NU: usize> PackKernel<S> for SingleSteps<'_, S, M, NX, NU>
where
    S: Scalar,
    M: Lift<S, NX, NU>,
{
    type Output = SampleMotion<S, NX>;

    #[inline(always)]
    fn run<P: Pack<Scalar = S>>(self) -> Self::Output {
        integrate_singly(&self.model.lift(P::splat), self.samples, self.k, P::splat, first_lane)
    }
}

/// The states of sample `k` of `n` after each step, from an array of all states.
fn recorded_states<S: Scalar, const NX: usize>(all: &[S], n: usize, k: usize) -> Vec<[S; NX]> {
    (0..STEPS).map(|step| std::array::from_fn(|i| all[(step * NX + i) * n + k])).collect()
}

/// Integrates samples by a rollout with all kinds of results.
fn roll<S, M, const NX: usize, const NU: usize>(
    set: InstructionSet,
    models: &M,
    samples: &RolloutSamples<S, NX, NU>,
) -> Vec<SampleMotion<S, NX>>
where
    S: Scalar,
    M: Models<S, NX, NU> + ?Sized,
{
    let n = samples.run.leading;
    let (mut all, mut last) = (vec![S::ONE; STEPS * NX * n], vec![S::ONE; NX * n]);
    let (mut totals, mut completed) = (vec![S::ONE; n], vec![77; n]);
    let mut rows: Vec<&mut [S]> = all.chunks_exact_mut(n).collect();
    let mut last_rows: Vec<&mut [S]> = last.chunks_exact_mut(n).collect();
    let costs = Costs { cost: &Effort, totals: &mut totals };
    let record = (AllStates(&mut rows), (LastStates(&mut last_rows), costs));
    let stopped = rollout_with(set, models, &samples.run, &samples.x, &samples.u, record, &mut completed);
    assert_eq!(stopped, Ok(completed.iter().filter(|steps| **steps < STEPS).count()), "{set}");
    let motions: Vec<SampleMotion<S, NX>> = (0..n)
        .map(|k| SampleMotion {
            states: recorded_states(&all, n, k),
            cost: totals[k],
            completed: completed[k],
        })
        .collect();
    for (k, motion) in motions.iter().enumerate() {
        let end: [S; NX] = std::array::from_fn(|i| last[i * n + k]);
        assert_eq!(format!("{end:?}"), format!("{:?}", motion.states[STEPS - 1]), "{set}, sample {k}");
    }
    motions
}

/// Asserts that two motions are equal, also in what is not a number. The shortest text of a number
/// is that of no other.
fn assert_same<S: Scalar, const NX: usize>(a: &SampleMotion<S, NX>, b: &SampleMotion<S, NX>, place: &str) {
    assert_eq!(format!("{a:?}"), format!("{b:?}"), "{place}");
}

/// Compares rollouts of all lengths, methods and kinds of inputs with single steps.
fn compare<S, M, const NX: usize, const NU: usize>(models: &[M], start: &[f64; NX])
where
    S: Scalar,
    M: Lift<S, NX, NU> + System<S, NX, NU>,
{
    for set in InstructionSet::all() {
        // A scalar of this build rounds a `mul_add` twice if the target has no instruction for it.
        let is_scalar_alike = set.fuses() == cfg!(any(target_feature = "fma", target_arch = "aarch64"));
        let lanes = run_with::<S, _>(set, CountLanes);
        for n in [1, 3, lanes, lanes + 1, 100] {
            for method in [StepMethod::Rk4, StepMethod::SemiImplicitEuler] {
                for inputs in [RolloutInputs::Held, RolloutInputs::PerStep] {
                    let samples = RolloutSamples::<S, NX, NU>::new(start, method, inputs, n);
                    let motions = match models {
                        [one] => roll(set, one, &samples),
                        all => roll(set, &all[..n], &samples),
                    };
                    for (k, motion) in motions.iter().enumerate() {
                        let place = format!("{set}, sample {k} of {n}, {method:?}, {inputs:?}");
                        let model = if models.len() == 1 { &models[0] } else { &models[k] };
                        let packed = run_with(set, SingleSteps { model, samples: &samples, k });
                        assert_same(motion, &packed, &place);
                        assert_eq!(motion.completed < STEPS, k == 2, "{place}");
                        if is_scalar_alike {
                            let scalar = integrate_singly(model, &samples, k, |x| x, |x| x);
                            assert_same(motion, &scalar, &place);
                        }
                    }
                }
            }
        }
    }
}

/// The number of lanes of an instruction set.
struct CountLanes;

impl<S> PackKernel<S> for CountLanes {
    type Output = usize;

    fn run<P: Pack<Scalar = S>>(self) -> usize {
        P::LANES
    }
}

#[test]
fn every_set_and_length_gives_the_bits_of_single_steps() {
    compare::<f64, _, _, _>(&[panda_arm::Model::default()], &panda_arm::START);
    compare::<f32, _, _, _>(&[panda_arm::Model::default()], &panda_arm::START);
}

#[test]
fn quaternions_are_normalised_and_angles_without_inputs_are_integrated() {
    compare::<f64, _, _, _>(&[quadrotor::Model::default()], &quadrotor::START);
    compare::<f32, _, _, _>(&[quadrotor::Model::default()], &quadrotor::START);
    compare::<f64, _, _, _>(&[gyroscope::Model::default()], &gyroscope::START);
    let samples = RolloutSamples::new(&quadrotor::START, StepMethod::Rk4, RolloutInputs::Held, 2);
    let [first] = quadrotor::QUATERNIONS;
    for motion in roll(InstructionSet::widest(), &quadrotor::Model::<f64>::default(), &samples) {
        for state in motion.states {
            let norm: f64 = state[first..first + 4].iter().map(|e| e * e).sum();
            assert!((norm - 1.0).abs() < 1e-14, "{norm}");
        }
    }
}

#[test]
fn each_sample_has_the_parameters_of_its_model() {
    let masses = (0..100).map(|k| 0.1 + 0.01 * f64::from(k));
    let models: Vec<_> = masses
        .map(|m_pole| cart_pole::Model::new(cart_pole::Params { m_pole, ..Default::default() }))
        .collect();
    compare::<f64, _, _, _>(&models, &cart_pole::START);
    let singles: Vec<cart_pole::Model<f32>> =
        models.iter().map(|model| model.over(|value| value as f32)).collect();
    compare::<f32, _, _, _>(&singles, &cart_pole::START);
    let quadrotors: Vec<_> = (0..100)
        .map(|k| {
            quadrotor::Model::new(quadrotor::Params { m: 0.5 + 0.001 * f64::from(k), ..Default::default() })
        })
        .collect();
    compare::<f64, _, _, _>(&quadrotors, &quadrotor::START);
}

#[test]
fn a_pole_stops_its_sample_and_its_neighbours_keep_their_bits() {
    let model = gyroscope::Model::<f64>::default();
    let start = [0.7; gyroscope::NX];
    for set in InstructionSet::all() {
        for pole in [0, 5, 16] {
            let mut samples = RolloutSamples::new(&start, StepMethod::Rk4, RolloutInputs::Held, 17);
            let expected = roll(set, &model, &samples);
            for angle in 0..gyroscope::NQ {
                samples.x[angle * 17 + pole] = 0.0;
            }
            for (k, (motion, expected)) in roll(set, &model, &samples).iter().zip(&expected).enumerate() {
                if k == pole {
                    assert_eq!((motion.completed, motion.states[STEPS - 1]), (0, samples.start(k)));
                } else {
                    assert_same(motion, expected, &format!("{set}, sample {k}, pole at {pole}"));
                }
            }
        }
    }
}

#[test]
fn threads_take_parts_of_one_array() {
    const N: usize = 100;
    let model = panda_arm::Model::<f64>::default();
    let samples = RolloutSamples::new(&panda_arm::START, StepMethod::Rk4, RolloutInputs::PerStep, N);
    let RolloutSamples { run, x, u } = &samples;
    let whole = roll(InstructionSet::widest(), &model, &samples);
    for part in [48, 50, 99] {
        let (mut all, mut totals, mut completed) =
            (vec![0.0; STEPS * panda_arm::NX * N], vec![0.0; N], vec![0; N]);
        let (mut left, mut right): (Vec<_>, Vec<_>) =
            all.chunks_exact_mut(N).map(|row| row.split_at_mut(part)).unzip();
        let (totals_left, totals_right) = totals.split_at_mut(part);
        let (completed_left, completed_right) = completed.split_at_mut(part);
        let work = |first: usize, states: &mut [&mut [f64]], totals: &mut [f64], completed: &mut [usize]| {
            let record = (AllStates(states), Costs { cost: &Effort, totals });
            dqdt_simd::rollout(&model, run, &x[first..], &u[first..], record, completed)
        };
        let stopped = std::thread::scope(|scope| {
            let first = scope.spawn(|| work(0, &mut left, totals_left, completed_left));
            let second = work(part, &mut right, totals_right, completed_right);
            (first.join().expect("the thread ends"), second)
        });
        assert_eq!(stopped, (Ok(1), Ok(0)));
        for (k, whole) in whole.iter().enumerate() {
            let states = recorded_states(&all, N, k);
            let motion = SampleMotion { states, cost: totals[k], completed: completed[k] };
            assert_same(&motion, whole, &format!("sample {k}, parts at {part}"));
        }
    }
}

/// The error of a slice that must have exactly one length.
fn wrong_length(slice: &'static str, expected: usize, length: usize) -> WrongShape {
    WrongShape::Length { slice, least: expected, most: expected, found: length }
}

#[test]
fn a_slice_of_another_length_is_an_error_and_nothing_is_written() {
    let model = cart_pole::Model::<f64>::default();
    let (method, inputs) = (StepMethod::Rk4, RolloutInputs::PerStep);
    let run = Rollout { method, t: 0.0, h: 0.01, steps: 2, inputs, leading: 5 };
    let (mut last, mut completed) = ([[7.0; 3]; 4], [9; 3]);
    let mut fails = |run: &Rollout<f64>, x: usize, u: usize, models: Option<usize>, text: &str| {
        let (x, u) = (vec![0.0; x], vec![0.0; u]);
        let record = LastStates(&mut last);
        let result = match models {
            None => dqdt_simd::rollout(&model, run, &x, &u, record, &mut completed),
            Some(count) => dqdt_simd::rollout(&vec![model; count][..], run, &x, &u, record, &mut completed),
        };
        assert_eq!(result.map_err(|error| error.to_string()), Err(text.to_owned()));
        assert!(last == [[7.0; 3]; 4] && completed == [9; 3]);
    };
    fails(&run, 17, 10, None, "`x` has 17 entries instead of 18 to 20");
    fails(&run, 21, 10, None, "`x` has 21 entries instead of 18 to 20");
    fails(&run, 18, 7, None, "`u` has 7 entries instead of 8 to 10");
    fails(
        &Rollout { inputs: RolloutInputs::Held, ..run },
        18,
        6,
        None,
        "`u` has 6 entries instead of 3 to 5",
    );
    fails(&Rollout { leading: 3, ..run }, 11, 6, None, "`x` has 11 entries instead of 12");
    fails(&run, 18, 8, Some(4), "`models` has 4 entries instead of 3");
    let short = Rollout { leading: 2, ..run };
    fails(&short, 8, 4, None, "`leading` is 2, less than the 3 samples in `completed`");

    let mut fails_to_record = |rows: &mut [Vec<f64>], expected: WrongShape| {
        let error = dqdt_simd::rollout(&model, &run, &[0.0; 18], &[0.0; 8], AllStates(rows), &mut completed);
        assert_eq!(error, Err(expected));
        assert_eq!(completed, [9; 3]);
    };
    fails_to_record(&mut vec![vec![7.0; 3]; 7], wrong_length("states", 8, 7));
    fails_to_record(&mut vec![vec![7.0; 4]; 8], wrong_length("row of states", 3, 4));
    let costs = Costs { cost: &Effort, totals: &mut [7.0; 2] };
    let error = dqdt_simd::rollout(&model, &run, &[0.0; 18], &[0.0; 8], costs, &mut completed);
    assert_eq!(error, Err(wrong_length("totals", 3, 2)));
}
