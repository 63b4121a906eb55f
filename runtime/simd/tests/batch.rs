//! Compares batches with calls for one state, for every instruction set of this processor.

use dqdt::{Lift, Part, Real, Singular, System, Together, Verdict, WrongLength};
use dqdt_generated::{bricard, cart_pole, chain10, gyroscope, panda_arm, quadrotor, stewart_platform};
use dqdt_simd::{InstructionSet, Scalar, dqdt_batch, dqdt_batch_with};

/// More than two of the widest packs.
const MAX_STATES: usize = 33;

/// A pseudo-random number in −1 to 1 that depends on the indices only.
fn number(i: usize, k: usize) -> f64 {
    let bits = (i * 7919 + k * 104_729 + 12_345).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (bits >> 11) as f64 / (1_u64 << 53) as f64 * 2.0 - 1.0
}

/// States near the start. Some contain NaN, an infinity, or an angle beyond the range of the
/// kernels.
fn states<S: Scalar, const NX: usize>(start: &[f64; NX], n: usize) -> Vec<S> {
    (0..NX * n)
        .map(|at| {
            let (i, k) = (at / n, at % n);
            S::from_f64(match k {
                5 if i == 0 => f64::NAN,
                11 if i == NX - 1 => f64::INFINITY,
                14 => start[i] + number(i, k) + if i == 0 { 5e5 } else { 0.0 },
                _ => start[i] + 0.5 * number(i, k),
            })
        })
        .collect()
}

/// Change of the largest derivative with the last bits of the state. It is large close to a
/// singular pose, where rounding within the function has the same effect.
fn rounding_effect<S, M, const NX: usize, const NU: usize>(
    model: &M,
    (state, u): (&[S; NX], &[S; NU]),
    at: &[S; NX],
    value: fn(S) -> f64,
) -> f64
where
    S: Scalar,
    M: System<S, NX, NU>,
{
    let last_bit = if size_of::<S>() == 4 { f64::from(f32::EPSILON) } else { f64::EPSILON };
    let mut most = 0.0_f64;
    for pattern in 1..=4_usize {
        let moved = core::array::from_fn(|i| {
            let sign = if (i / pattern).is_multiple_of(2) { 1.0 } else { -1.0 };
            state[i] * S::from_f64(1.0 + sign * last_bit)
        });
        let mut there = [S::ZERO; NX];
        if model.dqdt(S::from_f64(0.25), &moved, u, &mut there).is_ok() {
            most = there.iter().zip(at).fold(most, |most, (a, b)| most.max((value(*a) - value(*b)).abs()));
        }
    }
    most
}

/// Compares batches of all lengths with single calls. Results are bitwise equal if both round
/// `mul_add` alike. Otherwise the difference is at most `fused` times the largest derivative of the
/// state (at least one), plus a hundred times the effect of its last bits.
fn compare<S, M, const NX: usize, const NU: usize>(
    model: &M,
    start: &[f64; NX],
    value: fn(S) -> f64,
    fused: f64,
    lengths: impl Iterator<Item = usize> + Clone,
) where
    S: Scalar,
    M: Lift<S, NX, NU> + System<S, NX, NU>,
{
    let t = S::from_f64(0.25);
    for set in InstructionSet::all() {
        // A scalar of this build rounds a `mul_add` twice if the target has no instruction for it.
        let same = set.fuses() == cfg!(any(target_feature = "fma", target_arch = "aarch64"));
        let (mut regular, mut all) = (0, 0);
        for n in lengths.clone() {
            all += n;
            let x = states::<S, NX>(start, n);
            let u: Vec<S> = (0..NU * n).map(|at| S::from_f64(3.0 * number(99 + at / n, at % n))).collect();
            let (mut dx, mut singular) = (vec![S::ONE; NX * n], vec![n % 2 == 0; n]);
            let count = dqdt_batch_with(set, model, t, &x, &u, &mut dx, &mut singular);
            assert_eq!(count, Ok(singular.iter().filter(|flag| **flag).count()));
            for k in 0..n {
                let mut one = [S::ZERO; NX];
                let state = core::array::from_fn(|i| x[i * n + k]);
                let input = core::array::from_fn(|i| u[i * n + k]);
                let outcome = model.dqdt(t, &state, &input, &mut one);
                assert_eq!(singular[k], outcome.is_err(), "{set}, state {k} of {n}");
                regular += usize::from(outcome.is_ok());
                let scale = one.iter().fold(1.0_f64, |most, x| most.max(value(*x).abs()));
                for (i, expected) in one.iter().enumerate() {
                    let (a, b) = (value(dx[i * n + k]), value(*expected));
                    let error = (a - b).abs();
                    let is_near = if same {
                        a.to_bits() == b.to_bits()
                    } else {
                        error <= fused * scale
                            || error
                                <= fused * scale
                                    + 100.0 * rounding_effect(model, (&state, &input), &one, value)
                    };
                    assert!(is_near, "{set}, entry {i} of state {k} of {n}: {a} instead of {b}");
                }
            }
        }
        assert!(2 * regular > all, "{set}: {regular} states only of {all} have a derivative");
    }
}

fn double<M, const NX: usize, const NU: usize>(model: &M, start: &[f64; NX], fused: f64)
where
    M: Lift<f64, NX, NU> + System<f64, NX, NU>,
{
    compare::<f64, M, NX, NU>(model, start, |x| x, fused, 0..=MAX_STATES);
}

#[test]
fn every_length_and_set_gives_what_single_calls_give() {
    double(&cart_pole::Model::default(), &cart_pole::START, 1e-13);
    double(&chain10::Model::default(), &chain10::START, 1e-11);
    double(&panda_arm::Model::default(), &panda_arm::START, 1e-11);
    double(&quadrotor::Model::default(), &quadrotor::START, 1e-12);
}

#[test]
fn closed_loops_and_choices_of_friction_keep_their_lanes_apart() {
    double(&bricard::Model::default(), &bricard::START, 1e-6);
    double(&stewart_platform::Model::default(), &stewart_platform::START, 1e-8);
}

#[test]
fn single_precision_gives_what_single_calls_give() {
    let (cart_pole, panda_arm) = (cart_pole::Model::default(), panda_arm::Model::default());
    compare::<f32, _, _, _>(&cart_pole, &cart_pole::START, f64::from, 1e-5, 0..=MAX_STATES);
    compare::<f32, _, _, _>(&panda_arm, &panda_arm::START, f64::from, 2e-3, 0..=MAX_STATES);
}

/// Such batches are computed in blocks if the mechanism has many rows.
#[test]
fn rows_a_power_of_two_apart_give_what_single_calls_give() {
    const { assert!(2 * stewart_platform::NX + stewart_platform::NU > 48) };
    let (model, start) = (stewart_platform::Model::default(), &stewart_platform::START);
    compare::<f64, _, _, _>(&model, start, |x| x, 1e-8, [512, 1024].into_iter());
    let (n, nx, nu) = (512, stewart_platform::NX, stewart_platform::NU);
    let (x, u, mut dx, mut singular) =
        (vec![0.0; nx * n - 1], vec![0.0; nu * n], vec![7.0; nx * n], vec![true; n]);
    assert_eq!(
        dqdt_batch(&model, 0.0, &x, &u, &mut dx, &mut singular),
        Err(WrongLength { slice: "x", rows: nx, states: n, found: nx * n - 1 })
    );
    assert!(dx.iter().all(|x| *x == 7.0) && singular.iter().all(|x| *x));
}

/// A part with one shared input, two inputs per lane, and three outputs.
struct Leg;

impl Part<1, 2, 3> for Leg {
    fn part<S: Real, T: Together<S, N>, const N: usize>(shared: [S; 1], inputs: [[S; N]; 2]) -> [[S; N]; 3] {
        let [d, a, b] = [T::load([shared[0]; N]), T::load(inputs[0]), T::load(inputs[1])];
        let bent = a.mul_add(b, (b * b + T::from_f64(0.5)).sqrt());
        [T::store(a * b + d), T::store(-(a - b) / (d * d + T::ONE)), T::store(bent)]
    }
}

/// Eight angles and their speeds, driven by two, four and eight equal parts.
struct Legs<T>(T);

impl<T: Real> System<T, 16, 1> for Legs<T> {
    const NQ: usize = 8;
    const NV: usize = 8;

    fn dqdt(&self, _: T, x: &[T; 16], u: &[T; 1], dx: &mut [T; 16]) -> Result<(), Singular<T::Mask>> {
        let (q, v) = (|k: usize| x[k], |k: usize| x[8 + k]);
        let two = T::in_pairs::<Leg, 1, 2, 3>([self.0], [[q(0), q(1)], [v(0), v(1)]]);
        let four = T::in_fours::<Leg, 1, 2, 3>([u[0]], [[q(2), q(3), q(4), q(5)], [v(2), v(3), v(4), v(5)]]);
        let eight = T::in_eights::<Leg, 1, 2, 3>([q(7)], [core::array::from_fn(q), core::array::from_fn(v)]);
        *dx = core::array::from_fn(|i| if i < 8 { v(i) } else { eight[i % 3][i - 8] });
        for o in 0..3 {
            dx[8 + o] += two[o][0];
            dx[9 + o] -= two[o][1];
            for k in 0..4 {
                dx[12 + k] += four[o][k];
            }
        }
        Verdict::regular().finish(&[], dx)
    }

    fn coordinate_rates(&self, _: T, x: &[T; 16], dx: &mut [T; 16]) -> Result<(), Singular<T::Mask>> {
        dx[..8].copy_from_slice(&x[8..]);
        Ok(())
    }
}

impl<T: Real> Lift<T, 16, 1> for Legs<T> {
    type Over<U: Real> = Legs<U>;

    fn lift<U: Real>(&self, splat: impl Fn(T) -> U) -> Legs<U> {
        Legs(splat(self.0))
    }
}

#[test]
fn equal_parts_side_by_side_in_one_call_are_the_same_one_after_another_in_packs() {
    let start: [f64; 16] = core::array::from_fn(|i| 0.1 * i as f64 - 0.3);
    double(&Legs(0.7), &start, 1e-14);
    compare::<f32, _, _, _>(&Legs(0.7_f32), &start, f64::from, 1e-5, 0..=MAX_STATES);
}

/// The Euler angles of the gyroscope are singular where the nutation angle vanishes.
#[test]
fn a_pole_is_flagged_and_its_neighbours_keep_their_bits() {
    let model = gyroscope::Model::<f64>::default();
    for set in InstructionSet::all() {
        for pole in 0..17 {
            let n = 17;
            let regular: Vec<f64> =
                (0..gyroscope::NX * n).map(|at| 0.7 + 0.2 * number(at / n, at % n)).collect();
            let mut with_pole = regular.clone();
            for angle in 0..gyroscope::NQ {
                with_pole[angle * n + pole] = 0.0;
            }
            let run = |x: &[f64]| {
                let (mut dx, mut singular) = (vec![1.0; x.len()], vec![false; n]);
                let count = dqdt_batch_with(set, &model, 0.0, x, &[], &mut dx, &mut singular);
                (dx, singular, count)
            };
            let (expected, _, none) = run(&regular);
            assert_eq!(none, Ok(0), "{set}");
            let (dx, singular, count) = run(&with_pole);
            assert_eq!(count, Ok(1), "{set}");
            for (at, (rate, expected)) in dx.iter().zip(&expected).enumerate() {
                let k = at % n;
                assert_eq!(singular[k], k == pole);
                assert_eq!(
                    *rate,
                    if k == pole { 0.0 } else { *expected },
                    "{set}, state {k}, pole at {pole}"
                );
            }
        }
    }
}

#[test]
fn a_slice_of_another_length_is_an_error_and_nothing_is_written() {
    let model = cart_pole::Model::default();
    let (mut dx, mut singular) = (vec![7.0; 12], vec![true; 3]);
    let error = dqdt_batch(&model, 0.0, &[0.0; 12], &[0.0; 2], &mut dx, &mut singular);
    assert_eq!(error, Err(WrongLength { slice: "u", rows: 1, states: 3, found: 2 }));
    let error = dqdt_batch(&model, 0.0, &[0.0; 13], &[0.0; 3], &mut dx, &mut singular);
    assert_eq!(error, Err(WrongLength { slice: "x", rows: 4, states: 3, found: 13 }));
    assert!(dx.iter().all(|x| *x == 7.0) && singular.iter().all(|flag| *flag));
}

#[test]
fn sets_are_sent_between_threads_and_have_names() {
    fn sent<T: Send + Sync + 'static>(_: T) {}
    sent(InstructionSet::widest());
    let names: Vec<String> = InstructionSet::all().map(|set| set.to_string()).collect();
    assert_eq!(InstructionSet::all().last(), Some(InstructionSet::widest()));
    assert!(names.iter().all(|name| !name.is_empty()));
}
