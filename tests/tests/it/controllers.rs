//! Controllers that are written once, over the traits of the runtime, and drive any mechanism that has them.

use dqdt::{Dynamics, Real, Singular};

/// Computed torque: the efforts for accelerations that pull the state to a pose with `ω = 3/s`, critically damped. For
/// mechanisms whose speeds are the rates of their coordinates, each with an input of its own.
fn computed_torque<S, T: Real, const NX: usize, const NV: usize>(
    system: &S,
    x: &[T; NX],
    wanted: &[T; NV],
) -> ([T; NV], [T; NV])
where
    S: Dynamics<T, NX, NV, NV>,
{
    let omega = T::from_f64(3.0);
    let a =
        core::array::from_fn(|i| omega * omega * (wanted[i] - x[i]) - T::from_f64(2.0) * omega * x[NV + i]);
    let mut effort = [T::ZERO; NV];
    system.inverse_dynamics(T::ZERO, x, &a, &mut effort);
    (effort, a)
}

/// Partial feedback linearisation: the force on the first speed that gives it acceleration `a`, the second being free.
fn of_first_speed<S, T: Real, const NX: usize, const NU: usize>(system: &S, x: &[T; NX], a: T) -> T
where
    S: Dynamics<T, NX, NU, 2>,
{
    let (mut m, mut bias) = ([[T::ZERO; 2]; 2], [T::ZERO; 2]);
    system.mass_matrix(T::ZERO, x, &mut m);
    system.bias(T::ZERO, x, &mut bias);
    let free = (bias[1] + m[1][0] * a) / m[1][1];
    m[0][0] * a - m[0][1] * free + bias[0]
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
        for (found, a) in dx[NV..].iter().zip(a) {
            assert!((found - a).abs() < 1e-9 * (1.0 + a.abs()), "{found} against {a}");
        }
    }
    Ok(())
}

#[test]
fn the_same_controller_in_single_precision() -> Result<(), Singular> {
    use dqdt_generated::swing::{Model, NV, NX};
    let model = Model::<f32>::default();
    let x: [f32; NX] = [0.3, -0.5, 0.2, 0.4];
    let (u, a) = computed_torque(&model, &x, &[0.0; NV]);
    let mut dx = [0.0; NX];
    dqdt_generated::swing::dqdt(&model, 0.0, &x, &u, &mut dx)?;
    for (found, a) in dx[NV..].iter().zip(a) {
        assert!((found - a).abs() < 1e-3 * (1.0 + a.abs()), "{found} against {a}");
    }
    Ok(())
}

#[test]
fn a_cart_follows_whatever_its_pole_does() -> Result<(), Singular> {
    use dqdt_generated::cart_pole::{Model, NX, Params, V_X_DOT};
    let mut model = Model::<f64>::default();
    model.set_params(Params { f_max: 1e3, m_pole: 0.4, ..*model.params() });
    for case in 0..20 {
        let x: [f64; NX] = core::array::from_fn(|i| 2.0 * f64::from(case * 5 + i as i32).sin());
        let a = 3.0 * f64::from(case).cos();
        let force = of_first_speed(&model, &x, a);
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
    let (mut of_trait, mut of_method) = ([0.0; 2], Energy::default());
    Dynamics::energy(&model, 0.0, &START, &mut of_trait);
    model.energy(0.0, &START, &mut of_method);
    assert_eq!(of_trait, [of_method.kinetic, of_method.potential]);
}
