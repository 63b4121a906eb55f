//! Motions of constrained mechanisms in compiled code (DOP853 with projection), against
//! conservation laws, closed-form solutions, published numbers and other formulations.

use dqdt::integrate::{IntegrateError, Method, Options, integrate_constrained, integrate_vec};
use dqdt::{ConstrainedSystem, System, project_constraints};
use dqdt_codegen::Formalism;
use dqdt_codegen::functions;
use dqdt_codegen::pipeline::Request;
use dqdt_codegen::{pipeline, read};
use dqdt_graph::ir::{Arguments, Machine};
use dqdt_samples::tier;

const TIGHT: Options = Options {
    method: Method::Dop853,
    rtol: 1e-10,
    atol: 1e-10,
    max_steps: 10_000_000,
    longest_step: f64::INFINITY,
    rest_speed: 1e-3,
};

/// Largest violation of the position and velocity constraints at a state.
fn violation<S, const NX: usize, const NU: usize, const NP: usize, const NS: usize>(
    system: &S,
    t: f64,
    x: &[f64; NX],
) -> f64
where
    S: ConstrainedSystem<f64, NX, NU, NP, NS>,
{
    let (mut phi, mut phi_x) = ([0.0; NP], [[0.0; NX]; NP]);
    let (mut psi, mut psi_x) = ([0.0; NS], [[0.0; NX]; NS]);
    system.position(t, x, &mut phi, &mut phi_x);
    system.velocity(t, x, &mut psi, &mut psi_x);
    phi.iter().chain(&psi).fold(0.0, |m, r| f64::max(m, r.abs()))
}

/// Simulates a module with projection. Returns the run, the energy drift relative to the peak
/// kinetic energy, and the largest violation.
macro_rules! motion {
    ($name:ident, $model:expr, $x0:expr, $t_end:expr) => {
        motion!($name, $model, $x0, $t_end, TIGHT)
    };
    ($name:ident, $model:expr, $x0:expr, $t_end:expr, $options:expr) => {{
        use dqdt_generated::$name as m;
        let model: m::Model = $model;
        let mut x0: [f64; m::NX] = $x0;
        project_constraints(&model, 0.0, &mut x0, 1e-13).unwrap();
        let times: Vec<f64> = (0..=200).map(|i| f64::from(i) * $t_end / 200.0).collect();
        let run =
            integrate_constrained(&model, (0.0, &x0), &times, |_, _| [0.0; m::NU], &$options, 1e-12).unwrap();
        let energies: Vec<[f64; 2]> = (run.x.iter())
            .map(|x| {
                let mut e = m::Energy::default();
                model.energy(0.0, x, &mut e);
                [e.kinetic, e.potential]
            })
            .collect();
        let peak = energies.iter().fold(0.0f64, |m, e| m.max(e[0]));
        let total = |e: &[f64; 2]| e[0] + e[1];
        let drift = energies.iter().fold(0.0f64, |m, e| m.max((total(e) - total(&energies[0])).abs())) / peak;
        let worst = run.t.iter().zip(&run.x).fold(0.0f64, |m, (t, x)| m.max(violation(&model, *t, x)));
        println!("{}: drift {drift:e}, violation {worst:e}, {:?}", stringify!($name), run.statistics);
        assert!(peak > 0.0);
        (run, drift, worst)
    }};
}

#[test]
fn closed_loops_keep_their_energy_and_stay_closed() {
    use dqdt_generated::{bricard, four_bar, seven_body, slider_crank};
    let seconds = tier::cases_by_tier(2.0, 10.0);
    let (_, drift, off) = motion!(four_bar, four_bar::Model::default(), four_bar::START, seconds);
    assert!(drift < 1e-8 && off < 1e-10);
    let (_, drift, off) = motion!(slider_crank, slider_crank::Model::default(), slider_crank::START, seconds);
    assert!(drift < 1e-8 && off < 1e-10);
    let (_, drift, off) = motion!(bricard, bricard::Model::default(), bricard::START, seconds);
    assert!(drift < 1e-8 && off < 1e-10);
    // Without its motor, with a start speed.
    let model = seven_body::Model::new(seven_body::Params { mom: 0.0, ..Default::default() });
    let mut x0 = seven_body::START;
    x0[seven_body::V_BETA_DOT] = 40.0;
    let (_, drift, off) = motion!(seven_body, model, x0, seconds);
    assert!(drift < 1e-8 && off < 1e-10);
}

#[test]
fn the_stewart_platform_keeps_its_energy_and_stays_closed() {
    use dqdt_generated::stewart_platform as m;
    let (run, drift, off) = motion!(stewart_platform, m::Model::default(), m::START, 10.0);
    assert!(drift < 1e-8 && off < 1e-10);
    // All six degrees of freedom move.
    let range = |i: usize| {
        let values = run.x.iter().map(|x| x[i]);
        values.clone().fold(f64::NEG_INFINITY, f64::max) - values.fold(f64::INFINITY, f64::min)
    };
    for i in [m::Q_X, m::Q_Y, m::Q_Z, m::Q_E1, m::Q_E2, m::Q_E3] {
        assert!(range(i) > 0.01, "coordinate {i}: {}", range(i));
    }
}

/// The four-bar linkage with cranks of equal length and the given coupler length.
fn parallelogram(coupler: f64) -> (dqdt_generated::four_bar::Model, [f64; 6]) {
    use dqdt_generated::four_bar as m;
    let params = m::Params { a: 0.1, b: coupler, c: 0.1, d: 0.4, ..m::Params::default() };
    let quarter = std::f64::consts::FRAC_PI_2;
    let mut x = m::START;
    x[..3].copy_from_slice(&[quarter, -quarter, quarter]);
    x[3..].copy_from_slice(&[10.0, -10.0, 10.0]);
    (m::Model::new(params), x)
}

#[test]
fn a_parallelogram_stops_at_its_change_point_and_says_so() {
    let (model, x0) = parallelogram(0.4);
    // φ̇² = φ̇₀² + 2 w (1 − sin φ), from 90 to 180 degrees by Simpson's rule.
    let p = model.params();
    let inertia = (p.m1 + p.m3) * p.a * p.a / 3.0 + p.m2 * p.a * p.a;
    let weight = ((p.m1 + p.m3) / 2.0 + p.m2) * p.g * p.a;
    let h = std::f64::consts::FRAC_PI_2 / 1000.0;
    let terms = (0..=1000).map(|i| {
        let simpson_weight = if i == 0 || i == 1000 { 1.0 } else { 2.0 + 2.0 * f64::from(i % 2) };
        let angle = std::f64::consts::FRAC_PI_2 + f64::from(i) * h;
        simpson_weight * (100.0 + 2.0 * weight / inertia * (1.0 - angle.sin())).sqrt().recip()
    });
    let expected = terms.sum::<f64>() * h / 3.0;
    // Independent of output times and tolerances.
    for tolerance in [1e-10, 1e-8, 1e-6] {
        for end in [0.2, 1.0, 10.0] {
            let options = Options { rtol: tolerance, atol: tolerance, ..TIGHT };
            let run = integrate_constrained(&model, (0.0, &x0), &[end], |_, _| [0.0], &options, 1e-12);
            let error = run.unwrap_err();
            let IntegrateError::SingularPose { t, row } = error else { panic!("{error}") };
            assert!((t - expected).abs() < 4.0 * f64::sqrt(tolerance), "{tolerance}: {t} against {expected}");
            assert!(row < 2);
            println!("tolerance {tolerance:e}, end {end}: {error}");
        }
    }
}

#[test]
fn a_linkage_next_to_a_parallelogram_moves_on() {
    // Half a millimetre: a sharp bend of the motion near alignment, which the steps resolve.
    let (model, mut x0) = parallelogram(0.4005);
    project_constraints(&model, 0.0, &mut x0, 1e-13).unwrap();
    let (_, drift, off) = motion!(four_bar, model, x0, 10.0);
    assert!(drift < 1e-8 && off < 1e-10);
}

#[test]
fn the_squeezing_mechanism_has_the_published_numbers() {
    use dqdt_generated::seven_body as m;
    let model = m::Model::default();
    let mut dx = [0.0; m::NX];
    model.dqdt(0.0, &m::START, &[], &mut dx).unwrap();
    // Problem "Andrews" of the Test Set for IVP Solvers (Mazzia and Magherini), after Hairer and
    // Wanner, Solving Ordinary Differential Equations II, section VII.7: the accelerations at the
    // start, and the end state at t = 0.03.
    assert!((dx[m::V_BETA_DOT] / 14_222.443_919_954_114 - 1.0).abs() < 1e-11);
    assert!((dx[m::V_THETA_DOT] / -10_666.832_939_965_585 - 1.0).abs() < 1e-11);
    let (run, _, off) = motion!(seven_body, model, m::START, 0.03);
    assert!(off < 1e-10);
    let end = run.x[200];
    let published = [
        (m::Q_BETA, 15.810_771_196_299_04),
        (m::Q_THETA, -15.756_371_059_842_98),
        (m::Q_GAMMA, 0.040_822_240_130_731_01),
        (m::Q_PHI, -0.534_730_116_322_694_8),
        (m::Q_DELTA, 0.524_409_965_880_530_4),
        (m::Q_OMEGA, 0.534_730_116_322_694_8),
        (m::Q_EPSILON, 1.048_080_741_042_263),
    ];
    for (i, value) in published {
        assert!((end[i] - value).abs() < 1e-7, "{i}: {} against {value}", end[i]);
    }
}

#[test]
fn the_sleigh_follows_its_closed_solution() {
    use dqdt_generated::chaplygin_sleigh as m;
    let model = m::Model::default();
    let (run, drift, off) = motion!(chaplygin_sleigh, model, m::START, 10.0);
    assert!(drift < 1e-10 && off < 1e-12);
    // u' = a w², w' = −(m a / (J + m a²)) u w: with E = m u² + (J + m a²) w² and c = √(E/m), u = c
    // tanh(k t + s), k = m a c / (J + m a²), w² = (E − m u²) / (J + m a²).
    let p = model.params();
    let inertia = p.J + p.m * p.a * p.a;
    let (u0, w0) = (-0.5, 2.0);
    let energy = p.m * u0 * u0 + inertia * w0 * w0;
    let c = (energy / p.m).sqrt();
    let (k, shift) = (p.m * p.a * c / inertia, f64::atanh(u0 / c));
    for (t, x) in run.t.iter().zip(&run.x) {
        let (sin, cos) = x[m::Q_THETA].sin_cos();
        let along = x[m::V_X_DOT] * cos + x[m::V_Y_DOT] * sin;
        let u = c * (k * t + shift).tanh();
        assert!((along - u).abs() < 1e-8, "t = {t}: {along} against {u}");
        let w = ((energy - p.m * u * u) / inertia).sqrt();
        assert!((x[m::V_THETA_DOT] - w).abs() < 1e-8, "t = {t}: {} against {w}", x[m::V_THETA_DOT]);
    }
}

#[test]
fn the_ball_goes_round_with_two_sevenths_of_the_turntable() {
    use dqdt_generated::ball_on_turntable as m;
    let model = m::Model::default();
    let (run, _, off) = motion!(ball_on_turntable, model, m::START, 10.0);
    assert!(off < 1e-10);
    let rate = 2.0 / 7.0 * model.params().Omega;
    for (t, x) in run.t.iter().zip(&run.x) {
        let (sin, cos) = (rate * t).sin_cos();
        // v rotates with the rate.
        assert!((x[m::V_VX] - 0.3 * cos).abs() < 1e-8 && (x[m::V_VY] - 0.3 * sin).abs() < 1e-8, "t = {t}");
        let centre = [0.4, 0.3 / rate];
        let expected = [centre[0] + 0.3 / rate * sin, centre[1] - 0.3 / rate * cos];
        assert!((x[m::Q_X] - expected[0]).abs() < 1e-8 && (x[m::Q_Y] - expected[1]).abs() < 1e-8, "t = {t}");
    }
    // The plane carries the weight.
    let mut y = m::Multipliers::default();
    model.multipliers(0.0, &m::START, &[], &mut y).unwrap();
    assert!((y.contact_fn - model.params().m * model.params().g).abs() < 1e-12);
}

/// Lateral slip velocity of wheels with heading `axle`, at the distance `along` ahead of the origin
/// of a frame with velocity `v`, `heading` and yaw `rate`; planar.
fn lateral_slip(v: [f64; 2], heading: f64, rate: f64, along: f64, axle: f64) -> f64 {
    let (sin, cos) = heading.sin_cos();
    let at = [v[0] - rate * along * sin, v[1] + rate * along * cos];
    at[1] * axle.cos() - at[0] * axle.sin()
}

#[test]
fn a_snakeboard_goes_by_its_gait_and_its_wheels_do_not_slip() {
    use dqdt_generated::snakeboard as m;
    let model = m::Model::default();
    let (run, drift, off) = motion!(snakeboard, m::Model::default(), m::START, 10.0);
    assert!(drift < 1e-9 && off < 1e-10, "{drift} {off}");
    let l = model.params().l;
    for (t, x) in run.t.iter().zip(&run.x) {
        let (v, theta) = ([x[m::V_X_DOT], x[m::V_Y_DOT]], x[m::Q_THETA]);
        let front = lateral_slip(v, theta, x[m::V_THETA_DOT], l, theta + x[m::Q_PHI_FRONT]);
        let back = lateral_slip(v, theta, x[m::V_THETA_DOT], -l, theta + x[m::Q_PHI_BACK]);
        assert!(front.abs() < 1e-12 && back.abs() < 1e-12, "t = {t}: {front} {back}");
    }
    let far = run.x.iter().fold(0.0f64, |far, x| far.max(x[m::Q_X].abs()));
    assert!(far > 0.5, "it went {far} m");
}

#[test]
fn a_car_and_its_trailers_drive_through_every_heading() {
    use dqdt_generated::car_with_trailers as m;
    let model = m::Model::default();
    let (run, drift, off) = motion!(car_with_trailers, m::Model::default(), m::START, 20.0);
    assert!(drift < 1e-9 && off < 1e-10, "{drift} {off}");
    let p = &model.params();
    for (t, x) in run.t.iter().zip(&run.x) {
        let (heading, turn) = (x[m::Q_HEADING], x[m::V_TURN]);
        let v = [x[m::V_VX], x[m::V_VY]];
        let rear = lateral_slip(v, heading, turn, 0.0, heading);
        let front = lateral_slip(v, heading, turn, p.l, heading + x[m::Q_STEER]);
        // The hitch of the car carries the first trailer, whose axle is behind it.
        let hitch = [v[0] + turn * p.h * heading.sin(), v[1] - turn * p.h * heading.cos()];
        let (first, rate) = (heading + x[m::Q_BEND], turn + x[m::V_BEND_DOT]);
        let axle = lateral_slip(hitch, first, rate, -p.lt, first);
        for slip in [rear, front, axle] {
            assert!(slip.abs() < 1e-11, "t = {t}: {slip}");
        }
    }
    let last = run.x.last().unwrap();
    assert!(last[m::Q_HEADING] > std::f64::consts::TAU, "once round: {}", last[m::Q_HEADING]);
}

/// The rolling disc with a quaternion and dependent speeds, for the interpreter.
const OTHER_DISC: &str = r#"
name = "disc"
gravity = [0, 0, -9.81]
[bodies.disc]
mass = 1
inertia = [0.01, 0.02, 0.01]
[joints.free]
type = "free"
parent = "ground"
child = "disc"
coordinates = { quaternion = true, names = ["x", "y", "z", "e0", "e1", "e2", "e3"], start = [0, 0, "0.2*cos(0.1)", "cos(0.05)", "sin(0.05)", 0, 0] }
speeds = { kind = "body_rates", velocity_frame = "body", names = ["vx", "vy", "vz", "wx", "wy", "wz"], start = ["1.6 [m/s]", 0, 0, 0, "8 [rad/s]", 0] }
[constraints.contact]
type = "rolling_disc"
to = "disc"
radius = 0.2
axis = "y"
treatment = "elimination"
"#;

#[test]
fn the_disc_keeps_its_energy_and_both_formulations_agree() {
    use dqdt_generated::rolling_disc as m;
    let (_, drift, off) = motion!(rolling_disc, m::Model::default(), m::START, 20.0);
    assert!(drift < 1e-9 && off < 1e-10);
    let tight = Options { rtol: 1e-12, atol: 1e-12, ..TIGHT };
    let (run, ..) = motion!(rolling_disc, m::Model::default(), m::START, 20.0, tight);

    let loaded = pipeline::build(&read::parse("disc.toml", OTHER_DISC).unwrap(), "disc.toml").unwrap();
    let program = pipeline::program(&loaded, &Request::all(Formalism::Kane));
    let defaults = Arguments::defaults(&program);
    let machine =
        std::cell::RefCell::new((Machine::new(&program, functions::DQDT).unwrap(), defaults.clone()));
    let (states, _) = integrate_vec(
        |t: f64, x: &[f64], dx: &mut [f64]| {
            let (machine, a) = &mut *machine.borrow_mut();
            a.t = t;
            a.set_state(x);
            dx.copy_from_slice(machine.call(a).unwrap());
            Ok(())
        },
        |_: f64, x: &mut [f64]| {
            dqdt::normalise_quaternion_at(x, 3);
            Ok(())
        },
        0.0,
        &defaults.state(),
        &run.t,
        &tight,
    )
    .unwrap();
    for ((t, a), b) in run.t.iter().zip(&run.x).zip(&states) {
        for i in 0..3 {
            assert!((a[i] - b[i]).abs() < 1e-8, "t = {t}: {} against {}", a[i], b[i]);
        }
        // The upward component of the axle, the body's y axis.
        let (sin_lean, _) = a[m::Q_LEAN].sin_cos();
        let up = 2.0 * (b[5] * b[6] + b[4] * b[3]);
        assert!((sin_lean - up).abs() < 1e-8, "t = {t}: {sin_lean} against {up}");
    }
}

#[test]
fn a_fixed_step_with_projection_stays_on_the_constraints() {
    use dqdt_generated::four_bar as m;
    let model = m::Model::default();
    let mut x = m::START;
    for i in 0..2000 {
        let t = f64::from(i) * 1e-3;
        dqdt::rk4_step(&model, t, 1e-3, &mut x, &[0.0]).unwrap();
        project_constraints(&model, t, &mut x, 1e-12).unwrap();
    }
    assert!(violation(&model, 0.0, &x) < 1e-11);
    assert_eq!(<m::Model as System<f64, { m::NX }, { m::NU }>>::NV, m::NV);
}
