//! Tests of the controller on the host: single against double precision, and both against the
//! interpreter of the generator.

use std::path::Path;

use dqdt::{Real, rk4_step};
use dqdt_codegen::Formalism;
use dqdt_codegen::functions;
use dqdt_codegen::pipeline::program::{Arguments, Machine, Program};
use dqdt_codegen::pipeline::{self, Request};
use dqdt_generated::cart_pole::{self, Model, NX, START};
use embedded::{Controller, run, step_f32, step_f64};

const PERIOD: f64 = 0.01;

/// Equations derived from the current spec, to compare the generated module with.
fn program() -> Program {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../specs/cart_pole.toml");
    pipeline::program(&pipeline::load(&path).unwrap(), &Request::all(Formalism::Kane))
}

/// Relative error as defined in `docs/conventions.md`, "Agreement and proof".
fn relative(a: &[f64], b: &[f64]) -> f64 {
    let scale = b.iter().fold(1.0f64, |m, x| m.max(x.abs()));
    a.iter().zip(b).fold(0.0f64, |m, (x, y)| m.max((x - y).abs())) / scale
}

fn states() -> impl Iterator<Item = [f64; NX]> {
    (0..200).map(|i| {
        let s = f64::from(i);
        [(0.7 * s).sin(), 3.1 * (1.3 * s).sin(), 2.0 * (2.1 * s).cos(), 8.0 * (0.9 * s).cos()]
    })
}

#[test]
fn double_precision_agrees_with_the_interpreter() {
    let program = program();
    let model = Model::<f64>::default();
    let mut arguments = Arguments::defaults(&program);
    let mut machine = |kind, x: &[f64; NX], u: f64| {
        arguments.set_state(x);
        arguments.u = vec![u];
        Machine::new(&program, kind).unwrap().call(&arguments).unwrap().to_vec()
    };
    for x in states() {
        let u = 20.0 * x[0];
        let mut dx = [0.0; NX];
        model.dqdt(0.0, &x, &[u], &mut dx).unwrap();
        let error = relative(&dx, &machine(functions::DQDT, &x, u));
        assert!(error < 1e-13, "dqdt: {error:e} at {x:?}");
        let mut limited = [0.0; 1];
        let _ = model.saturate(0.0, &x, &[u], &mut limited);
        assert_eq!(limited.to_vec(), machine(functions::SATURATE, &x, u));
    }
}

/// Single precision has 24 bits, 6e-8. The angular acceleration of the pole is a difference of
/// terms some ten times larger than itself, and the square of its speed enters: 1e-5 leaves room
/// for a factor of about a hundred.
#[test]
fn single_precision_follows_double_precision_within_1e_5() {
    let (single, double) = (Model::<f32>::default(), Model::<f64>::default());
    let mut worst = 0.0f64;
    for x in states() {
        // The same state for both, representable in single precision.
        let x32 = x.map(|x| x as f32);
        let x64 = x32.map(f64::from);
        let (mut dx32, mut dx64) = ([0.0f32; NX], [0.0; NX]);
        cart_pole::dqdt(&single, 0.0, &x32, &[2.0], &mut dx32).unwrap();
        cart_pole::dqdt(&double, 0.0, &x64, &[2.0], &mut dx64).unwrap();
        worst = worst.max(relative(&dx32.map(f64::from), &dx64));
    }
    println!("{worst:e}");
    assert!(worst < 1e-5, "{worst:e}");
}

/// Simulates the closed loop, with the force constant over each period and smaller steps than the
/// prediction of the controller. Returns the states at the ends of the periods, and the number of
/// periods in which a limit acted.
fn closed_loop<T: Real>(
    mut step: impl FnMut(&[T; NX]) -> (T, bool),
    number: impl Fn(T) -> f64,
    periods: usize,
) -> (Vec<[f64; NX]>, usize) {
    let model = Model::<f64>::default();
    let mut x = START;
    x[cart_pole::Q_THETA] = 0.4;
    let (mut force, mut limited) = (0.0, 0);
    let mut states = Vec::new();
    for _ in 0..periods {
        let (next, acted) = step(&x.map(T::from_f64));
        limited += usize::from(acted);
        for _ in 0..10 {
            rk4_step(&model, 0.0, PERIOD / 10.0, &mut x, &[force]).unwrap();
        }
        // The command is latched: it acts from the next period on.
        force = number(next);
        states.push(x);
    }
    (states, limited)
}

#[test]
fn the_pole_is_balanced_in_both_precisions_alike() {
    let mut single = Controller::<f32>::new(Default::default(), PERIOD as f32);
    let mut double = Controller::<f64>::new(Default::default(), PERIOD);
    let mut surprise = 0.0f64;
    let mut last: Option<[f64; NX]> = None;
    let (reference, limited) = closed_loop(
        |x: &[f64; NX]| {
            if let Some(predicted) = last {
                surprise = surprise.max(relative(x, &predicted));
            }
            let command = step_f64(&mut double, x);
            assert!(!command.singular);
            last = Some(command.predicted);
            (command.force, command.limited)
        },
        |f: f64| f,
        1000,
    );
    let (states, _) = closed_loop(
        |x: &[f32; NX]| {
            let command = step_f32(&mut single, x);
            (command.force, command.limited)
        },
        f64::from,
        1000,
    );
    let difference = states.iter().zip(&reference).fold(0.0f64, |m, (a, b)| m.max(relative(a, b)));
    println!(
        "single against double in the loop: {difference:e}; prediction: {surprise:e}; limited {limited} times"
    );
    // The loop is stable, so rounding of the force, 1e-6 N, does not accumulate.
    assert!(difference < 1e-5, "{difference:e}");
    // One step of order 4 against ten: the prediction is accurate.
    assert!(surprise < 1e-5, "{surprise:e}");
    // The start is far enough from upright that the limit of the motor acts, and the pole is still
    // balanced.
    assert!(limited > 0);
    assert!(reference[999].iter().all(|x| x.abs() < 1e-2), "{:?}", reference[999]);
}

/// A failed sensor gives NaN, a diverged filter infinity: neither may become the maximum force of
/// the motor.
#[test]
fn an_estimate_that_is_no_number_gives_no_force() {
    fn check<T: Real<Mask = bool>>() {
        for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            for i in 0..NX {
                let mut controller = Controller::<T>::new(Default::default(), T::from_f64(PERIOD));
                // A force acts already, so that zero is a change.
                assert!(controller.step(&[0.0, 0.05, 0.0, 0.0].map(T::from_f64)).force.is_gt(T::ZERO));
                let mut x = [0.0, 0.05, 0.0, 0.0].map(T::from_f64);
                x[i] = T::from_f64(bad);
                let command = controller.step(&x);
                assert!(command.force.is_eq(T::ZERO) && command.limited, "{bad} at {i}: {command:?}");
                // The next good estimate is used again.
                let next = controller.step(&[0.0, 0.05, 0.0, 0.0].map(T::from_f64));
                assert!(next.force.is_gt(T::ZERO) && !next.limited && !next.singular, "{next:?}");
            }
        }
    }
    check::<f32>();
    check::<f64>();
}

#[test]
fn a_command_is_within_the_limits_whatever_the_estimate() {
    for large in [f32::MAX, 1e30, 1e9, f32::MIN_POSITIVE] {
        for i in 0..NX {
            let mut controller = Controller::<f32>::new(Default::default(), PERIOD as f32);
            let mut x = [0.0f32; NX];
            x[i] = large;
            let command = step_f32(&mut controller, &x);
            assert!(command.force.abs() <= 10.0, "{large} at {i}: {command:?}");
        }
    }
}

#[test]
fn both_saturations_agree_and_pass_nan() {
    for f_max in [10.0, 0.0, -3.0, f64::NAN, f64::INFINITY] {
        let model = Model::new(cart_pole::Params { f_max, ..cart_pole::Params::default() });
        for u in [0.0, 3.0, -3.0, 10.0, 1e9, f64::INFINITY, f64::NEG_INFINITY, f64::NAN] {
            let mut within = [0.0; 1];
            let [acted] = model.saturate(0.0, &[0.0; NX], &[u], &mut within);
            let [force] = within;
            let (expected, flag) = dqdt::saturate(u, -f_max, f_max);
            assert!(force == expected || force.is_nan() && expected.is_nan(), "{u} within {f_max}: {force}");
            assert_eq!(acted, flag, "{u} within {f_max}");
            assert_eq!(force.is_nan(), u.is_nan() || f_max.is_nan(), "{u} within {f_max}");
        }
    }
}

#[test]
fn the_loop_ends_without_a_force() {
    let mut controller = Controller::<f32>::new(Default::default(), PERIOD as f32);
    let mut remaining = 3;
    let mut forces = Vec::new();
    let periods = run(
        &mut controller,
        || {
            remaining -= 1;
            (remaining >= 0).then_some([0.0, 0.1, 0.0, 0.0])
        },
        |force| forces.push(force),
    );
    assert_eq!(periods, 3);
    assert_eq!(forces.len(), 4);
    assert!(forces[..3].iter().all(|f| *f > 0.0) && forces[3] == 0.0);
}
