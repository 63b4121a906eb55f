use crate::{
    Lanes, Lift, Real, Singular, System, WrongLength, check_denominators, dqdt_batch, dqdt_batch_by,
};
use std::string::ToString;
use std::vec::Vec;
use std::{format, vec};

/// Test system, a pendulum: x = [angle, rate], u = [torque]. Singular where the cosine of the angle
/// vanishes.
struct SingularPendulum<T> {
    inertia: T,
}

impl<T: Real> System<T, 2, 1> for SingularPendulum<T> {
    const NQ: usize = 1;
    const NV: usize = 1;

    fn dqdt(&self, t: T, x: &[T; 2], u: &[T; 1], dx: &mut [T; 2]) -> Result<(), Singular<T::Mask>> {
        let ([sine], [cosine]) = T::sin_cos_n([x[0]]);
        *dx = [x[1] / cosine, (u[0] - sine * t).mul_add(self.inertia, x[1].tanh())];
        check_denominators([cosine], T::default_epsilon()).finish(&[], dx)
    }

    fn coordinate_rates(&self, _: T, x: &[T; 2], dx: &mut [T; 2]) -> Result<(), Singular<T::Mask>> {
        dx[0] = x[1];
        Ok(())
    }
}

impl<T: Real> Lift<T, 2, 1> for SingularPendulum<T> {
    type Over<U: Real> = SingularPendulum<U>;

    fn lift<U: Real>(&self, splat: impl Fn(T) -> U) -> SingularPendulum<U> {
        SingularPendulum { inertia: splat(self.inertia) }
    }
}

type Batch<'a> = &'a dyn Fn(&mut [f64], &mut [bool]) -> Result<usize, WrongLength>;

const MODEL: SingularPendulum<f64> = SingularPendulum { inertia: 0.3 };

/// Batch of `n` test states (angles, then rates) and torques. Every fifth state is singular, every
/// seventh is NaN.
fn test_batch_states(n: usize) -> (Vec<f64>, Vec<f64>) {
    let x = (0..n).map(test_angle).chain((0..n).map(|k| 1.0 + k as f64)).collect();
    (x, (0..n).map(|k| k as f64 - 0.5).collect())
}

/// Angle of state `k` of the test batch: regular, singular, NaN, or beyond the range of the
/// kernels.
fn test_angle(k: usize) -> f64 {
    match k {
        k if k % 5 == 4 => core::f64::consts::FRAC_PI_2,
        k if k % 7 == 6 => f64::NAN,
        // Beyond the range of the kernel of sine and cosine.
        k if k % 11 == 10 => 3e5 + k as f64,
        k => 0.37 * k as f64 - 2.0,
    }
}

fn bit_patterns(x: &[f64]) -> Vec<u64> {
    x.iter().map(|x| x.to_bits()).collect()
}

/// Evaluates each state of a batch by a call of its own, as the reference.
fn evaluate_states_singly(n: usize, x: &[f64], u: &[f64]) -> (Vec<f64>, Vec<bool>) {
    let mut dx = vec![0.0; 2 * n];
    let singular = (0..n)
        .map(|k| {
            let mut one = [0.0; 2];
            let error = MODEL.dqdt(0.7, &[x[k], x[n + k]], &[u[k]], &mut one).is_err();
            (dx[k], dx[n + k]) = (one[0], one[1]);
            error
        })
        .collect();
    (dx, singular)
}

#[test]
fn a_batch_of_any_length_gives_the_bits_of_single_calls() {
    for n in 0..40 {
        let (x, u) = test_batch_states(n);
        let (expected, flags) = evaluate_states_singly(n, &x, &u);
        let mut all = Vec::new();
        let mut run = |f: Batch| {
            let (mut dx, mut singular) = (vec![f64::NAN; 2 * n], vec![true; n]);
            let count = f(&mut dx, &mut singular);
            assert_eq!(count, Ok(flags.iter().filter(|flag| **flag).count()), "{n}");
            assert_eq!(singular, flags, "{n}");
            all.push(dx);
        };
        run(&|dx, singular| dqdt_batch(&MODEL, 0.7, &x, &u, dx, singular));
        run(&|dx, singular| dqdt_batch_by::<Lanes<f64, 1>, _, 2, 1>(&MODEL, 0.7, &x, &u, dx, singular));
        run(&|dx, singular| dqdt_batch_by::<Lanes<f64, 3>, _, 2, 1>(&MODEL, 0.7, &x, &u, dx, singular));
        run(&|dx, singular| dqdt_batch_by::<Lanes<f64, 16>, _, 2, 1>(&MODEL, 0.7, &x, &u, dx, singular));
        for dx in all {
            assert_eq!(bit_patterns(&dx), bit_patterns(&expected), "{n}");
        }
    }
}

#[test]
fn a_slice_of_another_length_is_an_error_and_nothing_is_written() {
    let (x, u) = test_batch_states(6);
    let wrong = |nx: usize, nu: usize, ndx: usize, n: usize| {
        let (mut dx, mut singular) = (vec![7.0; ndx], vec![true; n]);
        let error = dqdt_batch(&MODEL, 0.0, &x[..nx], &u[..nu], &mut dx, &mut singular);
        assert!(dx.iter().all(|x| *x == 7.0) && singular.iter().all(|flag| *flag));
        error.map_err(|e| (e.slice, e.rows, e.states, e.found))
    };
    assert_eq!(wrong(11, 6, 12, 6), Err(("x", 2, 6, 11)));
    assert_eq!(wrong(12, 5, 12, 6), Err(("u", 1, 6, 5)));
    assert_eq!(wrong(12, 6, 13, 6), Err(("dx", 2, 6, 13)));
    assert_eq!(wrong(12, 6, 12, 0), Err(("x", 2, 0, 12)));
    let error = WrongLength { slice: "x", rows: 2, states: 6, found: 11 };
    assert_eq!(error.to_string(), "`x` has 11 entries instead of 2 for each of 6 states");
    assert!(!format!("{error:?}").is_empty());
}
