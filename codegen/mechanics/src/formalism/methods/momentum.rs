//! Poisson's form: generalised momenta and their rates.
//!
//! Problem: `p = (TA)ᵀ M V`, `ṗ` and `v = M⁻¹ (p − p₀)` for a state of coordinates and momenta,
//!          also for quasi-velocities.
//! Method:  mechanics 1.5: `ṗ = (d/dt TA)ᵀ M V + (TA)ᵀ F* + τ`, and `p₀` is due to prescribed
//!          motion alone. The rate of `T A` is that of the partial velocities along the motion, by
//!          jets; it needs neither w nor accelerations. `v̇` follows from `p = M v + p₀` along the
//!          motion at `v̇ = 0`, again by jets: `M v̇ = ṗ − (Ṁ v + ṗ₀)`.
//! Rotors:  p includes `I v` of armatures, and the terms of `rotors`: `h v` on the carrier, `h · ω`
//!          in p of their speed. `ṗ` then contains `I v̇` with the rest of `M v̇`.
//! Shapes:  nv.
//! Frames:  body axes, about the pole.
//! Units:   p in the unit of effort i times s.
//! Cost:    O(nv · depth) for M and for the rate of `T A`; O(bodies) for the rest.
//!
//! Not handled: constraints; `forward` adds them.

use crate::formalism::dynamics::applied::Applied;
use crate::formalism::dynamics::mass_matrix::mass_matrix;
use crate::formalism::dynamics::rotors;
use crate::formalism::dynamics::solved::{DynamicsSolution, solve_by_mass_matrix};
use crate::formalism::method::{
    ConstraintsBy, Equations, Facts, GeneralisedMomentum, Lean, Method, OF_SUBTREES, SolvedSystem,
};
use crate::kinematics::accumulate::{accumulate_wrenches_to_root, project_on_partial_velocities};
use crate::kinematics::{
    BodyMotion, ConstraintRow, Kinematics, coordinate_rates, kinematics, kinematics_without_jacobians,
};
use crate::mechanism::{Environment, Mechanism};
use dqdt_algebra::{Jet, Scalar, Twist, Vec3, Wrench};

/// Formalism `momentum`: Poisson's form, with generalised momenta.
pub(crate) struct Momentum;

impl Method for Momentum {
    const FACTS: Facts = Facts {
        name: "momentum",
        description: "Poisson's form of the equations, in generalised momenta",
        solves: SolvedSystem::MassMatrix,
        constraints: ConstraintsBy::Multipliers,
        states_equations: false,
        mass: Some(OF_SUBTREES),
        partial_velocities: true,
        growth: 4,
        lean: Lean::No,
        cubes_denominators: false,
        sources: &["ByachkovIvanovShimanovsky2009"],
    };

    fn equations<S: Scalar>(m: &Mechanism, env: &Environment<'_, S>) -> Option<Equations<S>> {
        Some(Equations::Momentum(generalised_momentum(m, env)))
    }

    fn solve<S: Scalar>(
        m: &Mechanism,
        env: &Environment<'_, S>,
        rows: &[ConstraintRow<S>],
    ) -> DynamicsSolution<S> {
        let p = generalised_momentum(m, env);
        let right: Vec<S> = p.rate.iter().zip(&p.convective).map(|(rate, c)| *rate - *c).collect();
        solve_by_mass_matrix(m, rows, &p.mass, &right)
    }
}

/// Generalised momenta `(TA)ᵀ M X` for twists X of the bodies, with `I v` of armatures and rotor
/// terms for the given speeds.
fn momenta_from_twists<S: Scalar>(
    m: &Mechanism,
    k: &Kinematics<S>,
    twist: impl Fn(&BodyMotion<S>) -> Twist<S>,
    speeds: Option<&[S]>,
) -> Vec<S> {
    let mut body_momenta: Vec<Wrench<S>> = k.bodies.iter().map(|b| b.inertia.momentum(twist(b))).collect();
    for rotor in &k.rotors {
        // For the drift, free speeds are zero.
        let rate = rotor.speed.map_or(rotor.rate, |s| speeds.map_or(S::ZERO, |v| v[s]));
        body_momenta[rotor.carrier] = body_momenta[rotor.carrier] + rotor.moment_on_carrier(rate);
    }
    let mut p =
        project_on_partial_velocities(m, k, &accumulate_wrenches_to_root(m, k, body_momenta, "momentum"));
    for column in k.bodies.iter().flat_map(|b| &b.columns) {
        if let (Some(s), Some(v)) = (column.speed, speeds) {
            p[s] = p[s] + column.armature * v[s];
        }
    }
    rotors::add_rotor_efforts(k, |b| twist(&k.bodies[b]), &mut p);
    p
}

/// Mass matrix, generalised momenta and their rates at `env`.
fn generalised_momentum<S: Scalar>(m: &Mechanism, env: &Environment<'_, S>) -> GeneralisedMomentum<S> {
    let k = kinematics_without_jacobians(m, env);
    let applied = Applied::new(m, &k, env);
    let (qdot, _) = coordinate_rates(m, env);
    let still = vec![S::ZERO; m.nv()];
    let moving = env.with_jets(S::ONE, &qdot, &still, |env| kinematics(m, env));
    // Components in body axes also change by the transport term with `ω × v`.
    let forces = (k.bodies.iter().zip(&applied.forces))
        .map(|(b, f)| *f - b.inertia.momentum(Twist { v: b.twist.w.cross(b.twist.v), w: Vec3::ZERO }))
        .collect();
    let active = project_on_partial_velocities(m, &k, &accumulate_wrenches_to_root(m, &k, forces, "load"));
    let mut rate: Vec<S> = active.into_iter().zip(applied.efforts).map(|(f, tau)| f + tau).collect();
    let mut body_momenta: Vec<Wrench<S>> = k.bodies.iter().map(|b| b.inertia.momentum(b.twist)).collect();
    for rotor in &k.rotors {
        body_momenta[rotor.carrier] = body_momenta[rotor.carrier] + rotor.moment_on_carrier(rotor.rate);
    }
    for (momentum, moving) in body_momenta.iter().zip(&moving.bodies) {
        for (speed, column) in &moving.partial {
            let turning = Twist { v: column.v.map(|x| x.d), w: column.w.map(|x| x.d) };
            rate[*speed] = rate[*speed] + momentum.power_on_twist(turning);
        }
    }
    let still_moving: Vec<Jet<S>> = env.v.iter().map(|v| Jet::constant(*v)).collect();
    let convective =
        momenta_from_twists(m, &moving, |b| b.twist, Some(&still_moving)).iter().map(|p| p.d).collect();
    GeneralisedMomentum {
        mass: mass_matrix(m, &k),
        momentum: momenta_from_twists(m, &k, |b| b.twist, Some(env.v)),
        drift: momenta_from_twists(m, &k, |b| b.drift, None),
        rate,
        convective,
    }
}
