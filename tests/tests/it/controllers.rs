//! Controllers written once over the runtime traits, for any mechanism that implements them.

use dqdt::{
    Actuated, Bias, ConstrainedDynamics, Dynamics, InverseDynamics, Labelled, Lanes, MassMatrix,
    MechanicalEnergy, Real, Singular, System, UnknownName, index_of,
};

/// Computed torque: efforts that drive the state to a pose with `ω = 3/s`, critically
/// damped, and the requested accelerations. For mechanisms whose speeds are coordinate
/// rates, with one input each.
fn computed_torque<S, T: Real, const NX: usize, const NV: usize>(
    system: &S,
    x: &[T; NX],
    wanted: &[T; NV],
) -> ([T; NV], [T; NV])
where
    S: InverseDynamics<T, NX, NV>,
{
    let omega = T::from_f64(3.0);
    let a =
        core::array::from_fn(|i| omega * omega * (wanted[i] - x[i]) - T::from_f64(2.0) * omega * x[NV + i]);
    let mut effort = [T::ZERO; NV];
    system.inverse_dynamics(T::ZERO, x, &a, &mut effort);
    (effort, a)
}

/// Partial feedback linearisation: the force on the first speed that gives it the acceleration `a`;
/// the second speed is free.
fn linearise_first_speed<S, T: Real, const NX: usize>(system: &S, x: &[T; NX], a: T) -> T
where
    S: MassMatrix<T, NX, 2> + Bias<T, NX, 2>,
{
    let (mut m, mut bias) = ([[T::ZERO; 2]; 2], [T::ZERO; 2]);
    system.mass_matrix(T::ZERO, x, &mut m);
    system.bias(T::ZERO, x, &mut bias);
    let free = (bias[1] + m[1][0] * a) / m[1][1];
    m[0][0] * a - m[0][1] * free + bias[0]
}

/// Computed torque with constraints, for one input and one independent speed: the input that gives
/// the speed the acceleration `a`. `along`: the rates of all speeds at a unit rate of the
/// independent one.
fn computed_torque_of_loop<S, T: Real, const NX: usize, const NV: usize>(
    system: &S,
    x: &[T; NX],
    along: &[T; NV],
    a: T,
) -> Result<T, Singular<T::Mask>>
where
    S: Actuated<T, NX, 1, NV> + ConstrainedDynamics<T, NX, 1>,
{
    let (mut effort, mut b) = ([T::ZERO], [[T::ZERO]; NV]);
    system.inverse_dynamics_constrained(T::ZERO, x, &[a], &mut effort)?;
    system.input_matrix(T::ZERO, x, &mut b);
    let gain = b.iter().zip(along).fold(T::ZERO, |sum, (b, n)| sum + b[0] * *n);
    Ok(effort[0] / gain)
}

#[test]
fn computed_torque_gives_an_arm_the_accelerations_that_it_asks_for() -> Result<(), Singular> {
    use dqdt_generated::panda_arm::{Model, NV, NX, START};
    let model = Model::<f64>::default();
    for case in 0..20 {
        let mut x: [f64; NX] = START;
        x.iter_mut().enumerate().for_each(|(i, x)| *x += 0.4 * f64::from(case * 7 + i as i32).sin());
        let (u, a) = computed_torque(&model, &x, &[0.1; NV]);
        let mut dx = [0.0; NX];
        model.dqdt(0.0, &x, &u, &mut dx)?;
        for (actual, a) in dx[NV..].iter().zip(a) {
            assert!((actual - a).abs() < 1e-9 * (1.0 + a.abs()), "{actual} against {a}");
        }
    }
    Ok(())
}

/// The largest difference, scaled, between the accelerations requested by computed torque and those
/// of the equations of motion, for any robot, scalar and number of lanes.
fn error_of_computed_torque<S, T, const NX: usize, const NV: usize>(
    system: &S,
    x: &[T; NX],
) -> Result<T, Singular<T::Mask>>
where
    T: Real,
    S: Dynamics<T, NX, NV, NV>,
{
    let (u, wanted) = computed_torque(system, x, &[T::from_f64(0.1); NV]);
    let dx = system.rate(T::ZERO, x, &u)?;
    let error = |i: usize| (dx[S::NQ + i] - wanted[i]).abs() / (T::ONE + wanted[i].abs());
    Ok((0..NV).map(error).fold(T::ZERO, |largest, error| largest.max(error)))
}

#[test]
fn one_controller_drives_two_robots_in_doubles_singles_and_lanes() {
    macro_rules! errors {
        ($module:ident) => {{
            use dqdt_generated::$module::{Model, NX, start};
            let single = error_of_computed_torque(&Model::<f32>::default(), &start::<f32>()).unwrap();
            let double = error_of_computed_torque(&Model::<f64>::default(), &start::<f64>()).unwrap();
            // Two states at once, the second a different one.
            let mut x = start::<Lanes<f64, 2>>();
            x.iter_mut().enumerate().for_each(|(i, x)| x.0[1] += 0.3 * (1.0 + i as f64).sin());
            let lanes = error_of_computed_torque(&Model::<Lanes<f64, 2>>::default(), &x).unwrap();
            assert_eq!(lanes.0[0].to_bits(), double.to_bits(), "a lane is what one call gives");
            let apart: [f64; NX] = x.map(|x| x.0[1]);
            let second = error_of_computed_torque(&Model::<f64>::default(), &apart).unwrap();
            assert_eq!(lanes.0[1].to_bits(), second.to_bits());
            assert!(single < 1e-3 && double.max(second) < 1e-9, "{single:e}, {double:e}, {second:e}");
        }};
    }
    errors!(panda_arm);
    errors!(swing);
}

#[test]
fn a_method_is_the_same_call_over_every_scalar() {
    use dqdt_generated::quadrotor::{Model, ND, NX, QUATERNIONS, START, default_inputs, start};
    fn all<T: Real>() -> Result<[T; NX], Singular<T::Mask>> {
        let model = Model::<T>::default();
        let (x, u) = (start::<T>(), default_inputs::<T>());
        let mut dx = [T::ZERO; NX];
        model.dqdt(T::ZERO, &x, &u, &mut dx)?;
        assert_eq!(model.rate(T::ZERO, &x, &u)?, dx);
        Ok(dx)
    }
    let double = all::<f64>().unwrap();
    let lanes = all::<Lanes<f64, 3>>().unwrap();
    assert_eq!(lanes.map(|x| x.0[2]), double);
    for (single, double) in all::<f32>().unwrap().iter().zip(double) {
        assert!((f64::from(*single) - double).abs() < 1e-5, "{single} against {double}");
    }
    assert_eq!((ND, QUATERNIONS), (NX - 1, [3]));
    let dx = System::rate(&Model::<f64>::default(), 0.0, &START, &default_inputs()).unwrap();
    assert_eq!(dx, double);
}

#[test]
fn a_cart_follows_whatever_its_pole_does() -> Result<(), Singular> {
    use dqdt_generated::cart_pole::{Model, NX, Params, V_X_DOT};
    let mut model = Model::<f64>::default();
    model.set_params(Params { f_max: 1e3, m_pole: 0.4, ..*model.params() });
    for case in 0..20 {
        let x: [f64; NX] = core::array::from_fn(|i| 2.0 * f64::from(case * 5 + i as i32).sin());
        let a = 3.0 * f64::from(case).cos();
        let force = linearise_first_speed(&model, &x, a);
        let mut dx = [0.0; NX];
        model.dqdt(0.0, &x, &[force], &mut dx)?;
        assert!((dx[V_X_DOT] - a).abs() < 1e-10, "{} against {a}", dx[V_X_DOT]);
    }
    Ok(())
}

#[test]
fn the_energy_of_the_trait_is_that_of_the_method() {
    use dqdt_generated::cart_pole::{Energy, Model, START};
    let model = Model::<f64>::default();
    let mut of_method = Energy::default();
    let of_trait = model.kinetic_and_potential(0.0, &START);
    model.energy(0.0, &START, &mut of_method);
    assert_eq!(of_trait, [of_method.kinetic, of_method.potential]);
}

/// Angles of coupler and rocker that close the four-bar loop at the crank angle `phi`, near
/// `q`, and their rates for a unit rate of the crank, by Newton's method on a closing
/// equation written here.
fn close_four_bar(p: &dqdt_generated::four_bar::Params<f64>, phi: f64, q: [f64; 2]) -> ([f64; 2], [f64; 2]) {
    let [mut beta, mut psi] = q;
    for step in 0..40 {
        let (s, c) = (phi + beta).sin_cos();
        let gap =
            [p.a * phi.cos() + p.b * c - p.d - p.c * psi.cos(), p.a * phi.sin() + p.b * s - p.c * psi.sin()];
        // Columns along β and ψ.
        let jacobian = [[-p.b * s, p.c * psi.sin()], [p.b * c, -p.c * psi.cos()]];
        let determinant = jacobian[0][0] * jacobian[1][1] - jacobian[0][1] * jacobian[1][0];
        let solve = |r: [f64; 2]| {
            [
                (r[0] * jacobian[1][1] - r[1] * jacobian[0][1]) / determinant,
                (r[1] * jacobian[0][0] - r[0] * jacobian[1][0]) / determinant,
            ]
        };
        if step == 39 {
            let along = [-p.a * phi.sin() - p.b * s, p.a * phi.cos() + p.b * c];
            let [rate_beta, rate_psi] = solve(along);
            return ([beta, psi], [-rate_beta, -rate_psi]);
        }
        let [d_beta, d_psi] = solve(gap);
        (beta, psi) = (beta - d_beta, psi - d_psi);
    }
    unreachable!("the last step returns")
}

#[test]
fn the_crank_of_a_closed_loop_has_the_acceleration_that_its_controller_asks_for() -> Result<(), Singular> {
    use dqdt_generated::four_bar::{INDEPENDENT, Model, NX, START, V_PHI_DOT};
    let model = Model::<f64>::default();
    assert_eq!(INDEPENDENT, [V_PHI_DOT - 3]);
    let mut near = [START[1], START[2]];
    for case in 0..30 {
        let phi = START[0] + 0.07 * f64::from(case);
        let (angles, rates) = close_four_bar(model.params(), phi, near);
        near = angles;
        let rate = 3.0 * f64::from(case).sin();
        let x: [f64; NX] = [phi, angles[0], angles[1], rate, rates[0] * rate, rates[1] * rate];
        let a = 40.0 * f64::from(case).cos();
        let u = computed_torque_of_loop(&model, &x, &[1.0, rates[0], rates[1]], a)?;
        let mut dx = [0.0; NX];
        model.dqdt(0.0, &x, &[u], &mut dx)?;
        assert!((dx[V_PHI_DOT] - a).abs() < 1e-9 * (1.0 + a.abs()), "{} against {a}", dx[V_PHI_DOT]);
    }
    Ok(())
}

#[test]
fn parameters_are_read_from_a_file_at_run_time() -> Result<(), Box<dyn std::error::Error>> {
    use dqdt_generated::cart_pole::{Model, PARAMETERS, Params, STATES};
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("measured.toml");
    std::fs::write(&path, "m_pole = 0.31\nl = 0.27\nf_max = 12.0\n")?;
    let table: toml::Table = std::fs::read_to_string(&path)?.parse()?;
    let mut params = Params::<f64>::default();
    for (name, value) in &table {
        params.set(name, value.as_float().ok_or("a number")?).map_err(|e| e.to_string())?;
    }
    params.check()?;
    let expected = Params { m_pole: 0.31, l: 0.27, f_max: 12.0, ..Params::default() };
    assert_eq!(params, expected);
    assert_eq!(params.set("m_ploe", 1.0), Err(UnknownName { name: "m_ploe" }));
    assert_eq!((params, params.get("l")), (expected, Some(0.27)));
    let i = index_of(&PARAMETERS, "f_max").ok_or("f_max")?;
    assert_eq!((PARAMETERS[i].unit, params.values()[i]), ("N", 12.0));
    let model = Model::new(params);
    let mut m = [[0.0; 2]; 2];
    model.mass_matrix(0.0, &[0.0, 0.5, 0.0, 0.0], &mut m);
    assert!((m[0][1] - 0.31 * 0.27 * 0.5f64.cos()).abs() < 1e-15);
    let shown = Labelled(&STATES, &[0.25, 0.5, 0.0, -1.5]).to_string();
    assert_eq!(shown, "x = 0.25 m, theta = 0.5 rad, x_dot = 0 m/s, theta_dot = -1.5 rad/s");
    Ok(())
}

fn parse_error(text: &str) -> String {
    toml::from_str::<dqdt_generated::cart_pole::Params>(text).err().map_or(String::new(), |e| e.to_string())
}

#[test]
fn parameters_are_a_struct_for_serde_with_the_names_of_the_spec() -> Result<(), Box<dyn std::error::Error>> {
    use dqdt_generated::cart_pole::{NP, PARAMETERS, Params};
    let some: Params = toml::from_str("m_pole = 0.31\nl = 0.27\nf_max = 12\n")?;
    let expected = Params { m_pole: 0.31, l: 0.27, f_max: 12.0, ..Params::default() };
    assert_eq!(some, expected, "what is missing has its default");
    let text = toml::to_string(&some)?;
    let names: Vec<&str> = text.lines().filter_map(|l| Some(l.split_once(" = ")?.0)).collect();
    assert_eq!(names, PARAMETERS.map(|p| p.name));
    assert_eq!(toml::from_str::<Params>(&text)?, expected);
    let single: Params<f32> = toml::from_str(&text)?;
    assert_eq!(single.l, 0.27f32);

    let unknown = parse_error("m_ploe = 1.0");
    assert!(unknown.contains("unknown field `m_ploe`") && unknown.contains("`m_pole`"), "{unknown}");
    assert!(parse_error("l = \"long\"").contains("invalid type"), "{}", parse_error("l = \"long\""));
    let twice = serde_json::from_str::<Params>(r#"{ "l": 1.0, "l": 2.0 }"#);
    assert!(twice.is_err_and(|e| e.to_string().contains("l is specified twice")));

    // Formats without names list all values in order.
    let values = serde_json::to_string(&expected.values())?;
    assert_eq!(serde_json::from_str::<Params>(&values)?, expected);
    let short = serde_json::to_string(&expected.values()[..NP - 1])?;
    assert!(serde_json::from_str::<Params>(&short).is_err());
    Ok(())
}
