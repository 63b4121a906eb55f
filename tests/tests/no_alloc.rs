//! Generated functions and fixed steps never allocate.

use allocation_counter::{AllocationInfo, measure};
use dqdt::{rk4_step, semi_implicit_euler_step};
use std::hint::black_box;

/// Prevents the compiler from removing a call whose result is unused.
fn used<T>(value: T) {
    let _ = black_box(value);
}

fn assert_none(what: &str, info: AllocationInfo) {
    assert_eq!(info.count_total, 0, "{what}: {info:?}");
}

#[test]
fn the_counter_sees_an_allocation() {
    let info = measure(|| used(vec![1.0f64; black_box(7)]));
    assert_eq!((info.count_total, info.bytes_total), (1, 56));
    // The counter also sees an allocation deep inside a library function.
    let info = measure(|| {
        black_box(format!("{:?}", black_box(1.5f64)));
    });
    assert!(info.count_total > 0);
}

/// Runs `body` on a thread with a large stack: without optimisation every intermediate value of a
/// large mechanism is on the stack, four times over for lanes.
fn run_on_large_stack(body: fn()) {
    let thread = std::thread::Builder::new().stack_size(64 << 20).spawn(body).unwrap();
    if let Err(panic) = thread.join() {
        std::panic::resume_unwind(panic);
    }
}

/// Calls all functions of a module at its initial state, at zero, and at NaN or infinity.
macro_rules! module {
    ($name:ident, $scalar:ty) => {{
        use dqdt_generated::$name as m;
        let name = concat!(stringify!($name), " over ", stringify!($scalar));
        let lift = <$scalar as dqdt::Real>::from_f64;
        let zero = lift(0.0);
        let what = |function: &str| format!("{name}: {function}");
        let params = m::Params::<$scalar>::default();
        assert_none(&what("new"), measure(|| used(m::Model::new(black_box(params)))));
        let model = m::Model::<$scalar>::default();
        for x in [m::START.map(lift), [zero; m::NX], [lift(f64::NAN); m::NX], [lift(1e300); m::NX]] {
            let (u, a) = ([lift(0.5); m::NU], [lift(0.25); m::NV]);
            let (t, h) = (lift(0.125), lift(1e-3));
            let mut dx = [zero; m::NX];
            let mut dq = [zero; m::NQ];
            let mut efforts = [zero; m::NV];
            let mut mass = [[zero; m::NV]; m::NV];
            let mut y = m::Outputs::<$scalar>::default();
            let mut energy = m::Energy::<$scalar>::default();
            let mut state = x;
            let functions: &mut [(&str, &mut dyn FnMut())] = &mut [
                ("dqdt", &mut || used(m::dqdt(&model, t, &x, &u, &mut dx))),
                ("rates", &mut || used(m::rates(&model, t, &x, &mut dq))),
                ("mass_matrix", &mut || m::mass_matrix(&model, t, &x, &mut mass)),
                ("bias", &mut || m::bias(&model, t, &x, &mut efforts)),
                ("outputs", &mut || used(m::outputs(&model, t, &x, &u, &mut y))),
                ("energy", &mut || m::energy(&model, t, &x, &mut energy)),
                ("rk4_step", &mut || used(rk4_step(&model, t, h, &mut state, &u))),
            ];
            for (function, call) in functions {
                assert_none(&what(function), measure(call));
            }
            let inverse = || m::inverse_dynamics(&model, t, &x, &a, &mut efforts);
            assert_none(&what("inverse_dynamics"), measure(inverse));
            let euler = || used(semi_implicit_euler_step(&model, t, h, &mut state, &u));
            assert_none(&what("semi_implicit_euler_step"), measure(euler));
        }
    }};
}

macro_rules! modules {
    ($($name:ident)*) => {
        /// Names of the modules that these tests cover.
        const COVERED: &[&str] = &[$(stringify!($name)),*];

        #[test]
        fn generated_functions_allocate_nothing() {
            $(module!($name, f64);)*
        }

        #[test]
        fn nor_do_they_over_single_precision_lanes_and_duals() {
            run_on_large_stack(|| {
                $(module!($name, f32);)*
                $(module!($name, dqdt::Lanes<f64, 4>);)*
                $(module!($name, dqdt::Dual<f64, 2>);)*
            });
        }
    };
}

modules!(
    ball_on_turntable bouncing_pendulum bricard car_with_trailers cart_pole chain10 chaplygin_sleigh double_pendulum
    four_bar furuta_pendulum gyroscope kane_two_body panda_arm quadrotor rolling_disc seven_body slider_crank
    snakeboard snowboarder1 snowboarder2 snowboarder3 snowboarder4 snowboarder5 spherical_pendulum
    spinning_satellite_with_wheel stewart_platform stopped_pendulum swing
);

#[test]
fn positions_allocate_nothing() {
    use dqdt_generated::{chain10, kane_two_body};
    let (chain, bodies) = (chain10::Model::default(), kane_two_body::Model::<f32>::default());
    let mut result = chain10::Positions::default();
    let positions = || chain10::positions(&chain, 0.0, &[0.1; chain10::NX], &mut result);
    assert_none("chain10", measure(positions));
    let mut result = kane_two_body::Positions::default();
    let positions = || kane_two_body::positions(&bodies, 0.0, &[0.1; kane_two_body::NX], &mut result);
    assert_none("kane_two_body", measure(positions));
}

#[test]
fn every_generated_module_is_covered() {
    let modules = dqdt_tests::plain_functions().unwrap();
    let modules: Vec<&str> = modules.iter().map(|(m, _)| m.as_str()).collect();
    assert_eq!(modules, COVERED);
}
