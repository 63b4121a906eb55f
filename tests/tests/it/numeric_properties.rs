//! Numeric properties that every generated module must have.
//!
//! Above 500 lines: one list of the modules serves all properties.

use std::f64::consts::FRAC_PI_2;

use dqdt::integrate::{Options, integrate};
use dqdt::{Cause, Dual, Dynamics, Lanes, Real, Singular, System};

/// A state of a module, or its derivative.
type StateVector = Vec<f64>;
/// Scalar with four lanes, one per state.
type Four = Lanes<f64, 4>;
type One = Dual<f64, 1>;

/// A function of one vector, as [`OfTwo`] of two and [`OfThree`] of three.
type OfOne<R> = Box<dyn Fn(&[f64]) -> R>;
type OfTwo<R> = Box<dyn Fn(&[f64], &[f64]) -> R>;
type OfThree<R> = Box<dyn Fn(&[f64], &[f64], &[f64]) -> R>;
/// A function of four states (lanes) and the inputs. Returns singular flags and derivatives.
type OfFour = Box<dyn Fn(&[StateVector; 4], &[f64]) -> ([bool; 4], [StateVector; 4])>;

/// The functions of a module with arrays as vectors, all at `t = 0`.
struct PropertyCase {
    name: &'static str,
    nq: usize,
    nv: usize,
    nu: usize,
    start: StateVector,
    /// Largest energy drift of a run, relative to the peak kinetic energy; `None` if loads do work.
    drift: Option<Box<dyn Fn() -> f64>>,
    dqdt: OfTwo<Derivative>,
    single: OfTwo<Derivative>,
    /// The derivatives of four states at once, and which of them are singular.
    lanes: OfFour,
    /// The derivative, and its change along a direction of the state.
    dual: OfThree<(StateVector, StateVector)>,
    project: Box<dyn Fn(&mut StateVector)>,
    mass: OfOne<Vec<Vec<f64>>>,
    bias: OfOne<Vec<f64>>,
    inverse: OfTwo<Vec<f64>>,
    energy: OfOne<[f64; 2]>,
    /// True if reactions enter M v̇ + c = Q; `constrained_motion` tests such motions.
    constrained: bool,
}

/// State derivative of a module, and whether the pose is regular.
struct Derivative {
    is_regular: bool,
    dx: Vec<f64>,
}

fn array<T: Copy, const N: usize>(x: &[T]) -> [T; N] {
    x.try_into().unwrap()
}

/// Largest deviation of the energy from that of the start, DOP853 at 1e-12 over 2 s.
fn drift<S, const NX: usize, const NU: usize, const NV: usize>(system: &S, start: &[f64; NX]) -> f64
where
    S: Dynamics<f64, NX, NU, NV>,
{
    let times: Vec<f64> = (0..=40).map(|i| f64::from(i) * 0.05).collect();
    let options = Options { rtol: 1e-12, atol: 1e-12, ..Options::default() };
    let run = integrate(system, 0.0, start, &times, |_, _| [0.0; NU], &options).unwrap();
    let energies: Vec<[f64; 2]> = run.x.iter().map(|x| system.kinetic_and_potential(0.0, x)).collect();
    let peak = energies.iter().fold(0.0f64, |m, [kinetic, _]| m.max(*kinetic));
    assert!(peak > 0.0, "nothing moves");
    let first = energies[0][0] + energies[0][1];
    energies.iter().fold(0.0f64, |m, [kinetic, potential]| m.max((kinetic + potential - first).abs())) / peak
}

fn derivative<T, S, const NX: usize, const NU: usize>(system: &S, x: &[f64], u: &[f64]) -> ([T; NX], bool)
where
    T: Real<Mask = bool>,
    S: System<T, NX, NU>,
{
    let (x, u) = (array::<f64, NX>(x).map(T::from_f64), array::<f64, NU>(u).map(T::from_f64));
    let mut dx = [T::from_f64(f64::NAN); NX];
    let is_regular = system.dqdt(T::ZERO, &x, &u, &mut dx).is_ok();
    (dx, is_regular)
}

/// The case of a module from its name, start, and models over each scalar.
fn case<D, S, L, J, const NX: usize, const NU: usize, const NV: usize>(
    name: &'static str,
    start: [f64; NX],
    (model, single, lanes, dual): (fn() -> D, S, L, J),
) -> PropertyCase
where
    D: Dynamics<f64, NX, NU, NV> + 'static,
    S: System<f32, NX, NU> + 'static,
    L: System<Four, NX, NU> + 'static,
    J: System<One, NX, NU> + 'static,
{
    PropertyCase {
        name,
        nq: D::NQ,
        nv: NV,
        nu: NU,
        start: start.to_vec(),
        drift: None,
        dqdt: Box::new(move |x, u| {
            let (dx, is_regular) = derivative::<f64, D, NX, NU>(&model(), x, u);
            Derivative { is_regular, dx: dx.to_vec() }
        }),
        single: Box::new(move |x, u| {
            let (dx, is_regular) = derivative::<f32, S, NX, NU>(&single, x, u);
            Derivative { is_regular, dx: dx.iter().map(|x| f64::from(*x)).collect() }
        }),
        lanes: Box::new(move |states, u| {
            let states: [[f64; NX]; 4] = std::array::from_fn(|i| array(&states[i]));
            let mut dx = [Lanes::splat(f64::NAN); NX];
            let u = array::<f64, NU>(u).map(Lanes::splat);
            let result = lanes.dqdt(Lanes::splat(0.0), &dqdt::transpose_in(&states), &u, &mut dx);
            let singular = result.err().map_or([false; 4], |Singular { lanes, .. }| lanes.0);
            (singular, dqdt::transpose_out(&dx).map(|dx| dx.to_vec()))
        }),
        dual: Box::new(move |x, direction, u| {
            let x: [One; NX] = std::array::from_fn(|i| Dual { value: x[i], derivatives: [direction[i]] });
            let mut dx = [Dual::constant(f64::NAN); NX];
            let u = array::<f64, NU>(u).map(Dual::constant);
            let _ = dual.dqdt(Dual::constant(0.0), &x, &u, &mut dx);
            (dx.iter().map(|d| d.value).collect(), dx.iter().map(|d| d.derivatives[0]).collect())
        }),
        project: Box::new(move |x| {
            let mut state: [f64; NX] = array(x);
            model().project(&mut state);
            x.copy_from_slice(&state);
        }),
        mass: Box::new(move |x| {
            let mut mass = [[f64::NAN; NV]; NV];
            model().mass_matrix(0.0, &array(x), &mut mass);
            mass.iter().map(|row| row.to_vec()).collect()
        }),
        bias: Box::new(move |x| {
            let mut bias = [f64::NAN; NV];
            model().bias(0.0, &array(x), &mut bias);
            bias.to_vec()
        }),
        inverse: Box::new(move |x, a| {
            let mut effort = [f64::NAN; NV];
            model().inverse_dynamics(0.0, &array(x), &array(a), &mut effort);
            effort.to_vec()
        }),
        energy: Box::new(move |x| model().kinetic_and_potential(0.0, &array(x))),
        constrained: false,
    }
}

/// The case of a module with default parameters.
macro_rules! case {
    ($name:ident) => {{
        use dqdt_generated::$name::{Model, START};
        let models =
            (Model::default as fn() -> Model<f64>, Model::default(), Model::default(), Model::default());
        case(stringify!($name), START, models)
    }};
}

/// The case of a module with constraints.
macro_rules! constrained {
    ($name:ident) => {
        PropertyCase { constrained: true, ..case!($name) }
    };
}

/// The case of a module whose energy is constant with the given parameters and zero inputs.
macro_rules! conservative {
    ($name:ident { $($parameter:ident: $value:expr),* }) => {{
        use dqdt_generated::$name::{Model, Params, START};
        #[allow(clippy::needless_update)]
        let params = Params { $($parameter: $value,)* ..Params::default() };
        let model = Model::new(params);
        PropertyCase { drift: Some(Box::new(move || drift(&model, &START))), ..case!($name) }
    }};
}

fn cases() -> Vec<PropertyCase> {
    vec![
        conservative!(cart_pole { d_rail: 0.0, d_hinge: 0.0 }),
        conservative!(chain10 {}),
        conservative!(double_pendulum {}),
        conservative!(furuta_pendulum { d1: 0.0, d2: 0.0 }),
        conservative!(gyroscope {}),
        conservative!(kane_two_body {}),
        case!(panda_arm),
        case!(quadrotor),
        conservative!(spherical_pendulum {}),
        conservative!(spinning_satellite_with_wheel { d: 0.0 }),
        conservative!(swing {}),
        conservative!(bouncing_pendulum {}),
        conservative!(stopped_pendulum {}),
        constrained!(ball_on_turntable),
        constrained!(bricard),
        constrained!(car_with_trailers),
        constrained!(chaplygin_sleigh),
        constrained!(four_bar),
        constrained!(rolling_disc),
        constrained!(seven_body),
        constrained!(slider_crank),
        constrained!(snakeboard),
        constrained!(snowboarder1),
        constrained!(snowboarder2),
        constrained!(snowboarder3),
        constrained!(snowboarder4),
        constrained!(snowboarder5),
        constrained!(stewart_platform),
    ]
}

/// The next random number in ±1, by a linear congruential generator.
fn draw_signed(seed: &mut u64) -> f64 {
    *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*seed >> 11) as f64 / (1u64 << 52) as f64 - 1.0
}

/// Pseudo-random states around the start, the same on every machine; quaternions have unit length.
fn states(case: &PropertyCase, count: usize) -> Vec<Vec<f64>> {
    let mut seed = case.name.bytes().fold(1u64, |s, b| s.wrapping_mul(31).wrapping_add(u64::from(b)));
    let states = (0..count).map(|_| {
        // Stay near the constraints.
        let reach = if case.constrained { 0.02 } else { 1.0 };
        let mut x: Vec<f64> = case.start.iter().map(|x| x + reach * draw_signed(&mut seed)).collect();
        (case.project)(&mut x);
        // Round to single precision, so that both precisions use the same state.
        x.iter().map(|x| f64::from(*x as f32)).collect()
    });
    states.collect()
}

fn inputs(case: &PropertyCase) -> Vec<f64> {
    (0..case.nu).map(|i| 0.5 - 0.25 * i as f64).collect()
}

/// Relative error as in the conventions, "Agreement and proof".
fn relative(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    let scale = b.iter().fold(1.0f64, |m, x| m.max(x.abs()));
    // `f64::max` would ignore NaN.
    a.iter().zip(b).map(|(x, y)| (x - y).abs()).fold(0.0, |m, d| if d <= m { m } else { d }) / scale
}

fn norm(a: &[Vec<f64>]) -> f64 {
    a.iter().map(|row| row.iter().map(|x| x.abs()).sum::<f64>()).fold(0.0, f64::max)
}

/// Amplification of rounding errors: the condition number of M, at least one.
fn rounding_amplification(case: &PropertyCase, x: &[f64]) -> f64 {
    condition(&(case.mass)(x)).max(1.0)
}

/// Condition number of a positive definite matrix in the maximum row-sum norm.
fn condition(mass: &[Vec<f64>]) -> f64 {
    let n = mass.len();
    let mut a = mass.to_vec();
    let mut inverse: Vec<Vec<f64>> =
        (0..n).map(|i| (0..n).map(|j| f64::from(u8::from(i == j))).collect()).collect();
    for k in 0..n {
        let pivot = a[k][k];
        a[k].iter_mut().for_each(|x| *x /= pivot);
        inverse[k].iter_mut().for_each(|x| *x /= pivot);
        let (row, right) = (a[k].clone(), inverse[k].clone());
        for i in (0..n).filter(|i| *i != k) {
            let factor = a[i][k];
            a[i].iter_mut().zip(&row).for_each(|(x, y)| *x -= factor * y);
            inverse[i].iter_mut().zip(&right).for_each(|(x, y)| *x -= factor * y);
        }
    }
    norm(mass) * norm(&inverse)
}

#[test]
fn every_generated_module_is_here() {
    let modules: Vec<String> = dqdt_tests::plain_functions().unwrap().into_iter().map(|(m, _)| m).collect();
    let mut here: Vec<String> = cases().iter().map(|c| c.name.to_owned()).collect();
    here.sort();
    assert_eq!(here, modules);
}

#[test]
fn the_energy_is_constant_where_nothing_drives_or_dissipates() {
    for case in cases() {
        let Some(drift) = &case.drift else { continue };
        let drift = drift();
        println!("{}: {drift:e}", case.name);
        assert!(drift < 1e-10, "{}: {drift:e}", case.name);
    }
}

#[test]
fn symmetric_poses_are_finite_or_singular_and_never_nan() {
    for case in cases() {
        let start = case.start.clone();
        let nothing = vec![0.0; start.len()];
        let mut at_rest = start.clone();
        at_rest[case.nq..case.nq + case.nv].fill(0.0);
        let mut moving = nothing.clone();
        moving[case.nq..case.nq + case.nv].fill(1.0);
        let mut aligned = at_rest.clone();
        aligned[..case.nq].fill(FRAC_PI_2);
        let mut fast = start.clone();
        fast[case.nq..case.nq + case.nv].fill(-1e6);
        for x in [start, nothing, at_rest, moving, aligned, fast] {
            let Derivative { is_regular, dx } = (case.dqdt)(&x, &inputs(&case));
            if is_regular {
                assert!(dx.iter().all(|d| d.is_finite()), "{} at {x:?}: {dx:?}", case.name);
            } else {
                assert!(dx.iter().all(|d| *d == 0.0), "{} at {x:?}: {dx:?}", case.name);
            }
        }
    }
}

#[test]
fn gimbal_lock_is_singular_and_gives_zeros() {
    use dqdt_generated::kane_two_body::{Model, Outputs, Q_ALPHA2, START, V_OMEGA_X};
    let model = Model::default();
    for (angle, speed) in [(FRAC_PI_2, 0.0), (-FRAC_PI_2, 0.0), (FRAC_PI_2, 1.0), (3.0 * FRAC_PI_2, 1.0)] {
        let mut x = START;
        x[Q_ALPHA2] = angle;
        x[V_OMEGA_X] = speed;
        let mut dx = [f64::NAN; 8];
        let error = model.dqdt(0.0, &x, &[], &mut dx).unwrap_err();
        assert_eq!(dx, [0.0; 8]);
        // The error names the joint with the angles, not the mass matrix, and a remedy.
        let Cause::Pivot(pivot) = error.cause else { panic!("{error}") };
        assert_eq!(pivot.name, "angles of O");
        let text = error.to_string();
        for part in ["angles xyz are singular at alpha2 = ±90 deg", "another sequence", "a quaternion"] {
            assert!(text.contains(part), "{part}: {text}");
        }
        // Functions that do not divide by the cosine still work.
        let mut outputs = Outputs::default();
        model.outputs(0.0, &x, &[], &mut outputs);
        assert!(outputs.energy.iter().all(|e| e.is_finite()), "{outputs:?}");
        // A small displacement makes the equations solvable.
        x[Q_ALPHA2] += 1e-6;
        assert_eq!(model.dqdt(0.0, &x, &[], &mut dx), Ok(()));
        assert!(dx.iter().all(|d| d.is_finite()));
    }
}

#[test]
fn the_gyroscope_is_singular_where_its_axis_is_that_of_precession() {
    use dqdt_generated::gyroscope::{Model, Q_THETA, START};
    let model = Model::default();
    for angle in [0.0, std::f64::consts::PI, -std::f64::consts::PI] {
        let mut x = START;
        x[Q_THETA] = angle;
        let mut dx = [f64::NAN; 6];
        let error = model.dqdt(0.0, &x, &[], &mut dx).unwrap_err();
        assert_eq!(dx, [0.0; 6]);
        // The speeds are angle rates here, so the mass matrix loses rank because of the angles.
        let Cause::Pivot(pivot) = error.cause else { panic!("{error}") };
        assert!(pivot.name.starts_with("pivot of"), "{pivot}");
        assert!(pivot.hint.contains("angles zxz are singular at theta = 0 and 180 deg"), "{pivot}");
        x[Q_THETA] += 1e-3;
        assert_eq!(model.dqdt(0.0, &x, &[], &mut dx), Ok(()));
        assert!(dx.iter().all(|d| d.is_finite()));
    }
}

#[test]
fn single_precision_sees_gimbal_lock_with_a_limit_of_its_own() {
    use dqdt_generated::kane_two_body::{Model, Q_ALPHA2, START, dqdt};
    // The cosine of π/2 in single precision is 4e-8, above the limit for double precision.
    let mut model = Model::<f32>::default();
    model.epsilon = 1e-6;
    let mut x = START.map(|x| x as f32);
    x[Q_ALPHA2] = std::f32::consts::FRAC_PI_2;
    let mut dx = [f32::NAN; 8];
    assert!(dqdt(&model, 0.0, &x, &[], &mut dx).is_err());
    assert_eq!(dx, [0.0; 8]);
    x[Q_ALPHA2] -= 1e-3;
    assert!(dqdt(&model, 0.0, &x, &[], &mut dx).is_ok());
}

#[test]
fn only_the_lane_in_gimbal_lock_becomes_zero() {
    let case = case!(kane_two_body);
    let mut states: [Vec<f64>; 4] = std::array::from_fn(|_| case.start.clone());
    states[2][1] = FRAC_PI_2;
    let (singular, dx) = (case.lanes)(&states, &[]);
    assert_eq!(singular, [false, false, true, false]);
    let expected = (case.dqdt)(&states[0], &[]).dx;
    for i in [0, 1, 3] {
        assert!(relative(&dx[i], &expected) < 1e-14);
    }
    assert_eq!(dx[2], [0.0; 8]);
}

#[test]
fn lanes_agree_with_one_state_at_a_time() {
    for case in cases() {
        let u = inputs(&case);
        for four in states(&case, 40).chunks_exact(4) {
            let four: [Vec<f64>; 4] = std::array::from_fn(|i| four[i].clone());
            let (singular, dx) = (case.lanes)(&four, &u);
            for i in 0..4 {
                let alone = (case.dqdt)(&four[i], &u);
                assert_eq!(singular[i], !alone.is_regular);
                let error = relative(&dx[i], &alone.dx) / rounding_amplification(&case, &four[i]);
                assert!(error < 1e-15, "{}: {error:e} at {:?}", case.name, four[i]);
            }
        }
    }
}

#[test]
fn duals_carry_the_same_values_and_their_derivatives() {
    for case in cases() {
        let u = inputs(&case);
        let mut worst = 0.0f64;
        for (k, x) in states(&case, 20).iter().enumerate() {
            let direction: Vec<f64> = (0..x.len()).map(|i| ((i * 7 + k * 3) as f64).sin()).collect();
            let (value, derivative) = (case.dual)(x, &direction, &u);
            let alone = (case.dqdt)(x, &u);
            if !alone.is_regular {
                continue;
            }
            let error = relative(&value, &alone.dx) / rounding_amplification(&case, x);
            assert!(error < 1e-15, "{}: {error:e} at {x:?}", case.name);
            // Differences of the plain function: central, extrapolated once, error of order h⁴.
            let at = |h: f64| {
                let moved: Vec<f64> = x.iter().zip(&direction).map(|(x, d)| x + h * d).collect();
                (case.dqdt)(&moved, &u).dx
            };
            let centred =
                |h: f64| -> Vec<f64> { at(h).iter().zip(at(-h)).map(|(a, b)| (a - b) / (2.0 * h)).collect() };
            let h = 1e-5;
            let expected: Vec<f64> =
                centred(h).iter().zip(centred(2.0 * h)).map(|(a, b)| (4.0 * a - b) / 3.0).collect();
            worst = worst.max(relative(&derivative, &expected));
        }
        println!("{}: {worst:e}", case.name);
        assert!(worst < 1e-6, "{}: {worst:e}", case.name);
    }
}

#[test]
fn single_precision_is_close_to_double_precision() {
    for case in cases() {
        let u = inputs(&case);
        let mut worst = 0.0f64;
        for x in states(&case, 100) {
            let (single, double) = ((case.single)(&x, &u), (case.dqdt)(&x, &u));
            assert!(single.is_regular == double.is_regular, "{} at {x:?}", case.name);
            if double.is_regular {
                worst = worst.max(relative(&single.dx, &double.dx) / rounding_amplification(&case, &x));
            }
        }
        println!("{}: {worst:e}", case.name);
        // Eight units in the last place, times the amplification by the solution of M v̇ = ….
        assert!(worst < 8.0 * f64::from(f32::EPSILON), "{}: {worst:e}", case.name);
    }
}

#[test]
fn half_of_v_m_v_is_the_kinetic_energy() {
    // All these modules are scleronomic, so T = T₂.
    for case in cases().into_iter().filter(|c| !c.constrained) {
        for x in states(&case, 20) {
            let (mass, v) = ((case.mass)(&x), &x[case.nq..case.nq + case.nv]);
            for (i, row) in mass.iter().enumerate() {
                assert!((0..case.nv).all(|j| row[j] == mass[j][i]), "{}: not symmetric", case.name);
            }
            let twice: f64 = mass
                .iter()
                .zip(v)
                .map(|(row, vi)| vi * row.iter().zip(v).map(|(m, vj)| m * vj).sum::<f64>())
                .sum();
            let [kinetic, _] = (case.energy)(&x);
            let error = relative(&[0.5 * twice], &[kinetic]);
            assert!(error < 1e-13, "{}: {error:e}", case.name);
        }
    }
}

#[test]
fn inverse_dynamics_undoes_forward_dynamics() {
    for case in cases().into_iter().filter(|c| !c.constrained) {
        let none = vec![0.0; case.nu];
        for x in states(&case, 20) {
            let bias = (case.bias)(&x);
            let error = relative(&(case.inverse)(&x, &vec![0.0; case.nv]), &bias);
            assert!(error < 1e-13, "{}: bias {error:e}", case.name);
            let forward = (case.dqdt)(&x, &none);
            if !forward.is_regular {
                continue;
            }
            // Without inputs the residual effort is rounding of terms as large as M v̇.
            let a = &forward.dx[case.nq..case.nq + case.nv];
            let mass = (case.mass)(&x);
            let size = a.iter().fold(norm(&mass), |m, a| m.max(norm(&mass) * a.abs()));
            let left = (case.inverse)(&x, a).iter().fold(0.0f64, |m, e| m.max(e.abs())) / size.max(1.0);
            assert!(left < 1e-13, "{}: {left:e} at {x:?}", case.name);
        }
    }
}

/// Message of the check of changed parameters; empty if they are accepted.
fn check_changed(change: fn(&mut dqdt_generated::cart_pole::Params)) -> String {
    use dqdt_generated::cart_pole::Params;
    let mut p = Params::default();
    change(&mut p);
    p.check().err().map_or(String::new(), |e| e.to_string())
}

#[test]
fn parameters_that_make_no_sense_are_named() {
    use dqdt_generated::cart_pole::Params;
    assert_eq!(check_changed(|_| {}), "");
    assert_eq!(check_changed(|p| p.m_pole = -0.1), "the mass of body `pole` is negative");
    assert_eq!(
        check_changed(|p| p.f_max = -1.0),
        "the lower limit of input `force` is greater than the upper limit"
    );
    assert_eq!(check_changed(|p| p.l = f64::NAN), "parameter `l` is not a finite number");
    // J is m_pole·l²/3, which overflows.
    assert_eq!(check_changed(|p| p.l = 1e200), "parameter `J` is not a finite number");
    // One bad lane is enough.
    let mut lanes = Params::<Lanes<f64, 4>>::default();
    lanes.m_cart.0[2] = -1.0;
    assert_eq!(lanes.check(), Err(dqdt::Senseless::Fault("the mass of body `cart` is negative")));
}
