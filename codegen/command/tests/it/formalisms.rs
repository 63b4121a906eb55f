//! All formalisms against each other: accelerations and reactions on 250 seeded random trees, in
//! doubles and in the interpreter, in general and in symmetric poses.

use crate::build::{add, attach, empty, hinge_about_z, multiply, origin, ratio, rigid, sine, state, zero};
use crate::common::{
    at, flatten_wrenches, forward, implicit, interpret_forward, interpret_forwards, relative, solve, trees,
};
use dqdt_algebra::{Twist, Vec3, Wrench};
use dqdt_derivation::assemble::repartition;
use dqdt_mechanics::formalism::{
    Contact, Equations, Formalism, equations, impact_with_restitution, inverse_dynamics, kinetostatics,
};
use dqdt_mechanics::kinematics::{BodyMotion, constraint_rows, coordinate_rates, kinematics};
use dqdt_mechanics::mechanism::constraint::{Position, Velocity};
use dqdt_mechanics::mechanism::{
    Attitude, BodyId, Constraint, ConstraintKind, CoordinateId, Formula, JointVariable, LoadKind, Placement,
    SpeedId, Variable,
};
use dqdt_samples::random::{Sample, random_mechanism};
use dqdt_samples::tier::cases_by_tier;

const TREES: u64 = 250;
const BODIES: usize = 12;

fn assert_below(x: f64, limit: f64, what: &str) {
    assert!(x < limit, "{what}: {x:e} against {limit:e}");
}

/// Compares the accelerations of all formalisms with a dense solve of Kane's equations, and their
/// reactions with each other. `worst` collects the largest errors.
fn compare_formalisms(s: &Sample, what: &str, worst: &mut (f64, f64)) {
    compare_formalisms_at(&[(s, what.to_owned())], worst);
}

/// Like [`compare_formalisms`], at several states of one mechanism, whose graphs are derived once.
fn compare_formalisms_at(states: &[(&Sample, String)], worst: &mut (f64, f64)) {
    let samples: Vec<&Sample> = states.iter().map(|s| s.0).collect();
    let over_graph = Formalism::ALL.map(|f| (f, interpret_forwards(f, &samples)));
    for (k, (s, what)) in states.iter().enumerate() {
        assert_all_agree(s, what, &over_graph.each_ref().map(|(f, all)| (*f, &all[k])), worst);
    }
}

type OverGraph<'a> = (Formalism, &'a (Vec<f64>, Vec<f64>));

fn assert_all_agree(s: &Sample, what: &str, over_graph: &[OverGraph<'_>], worst: &mut (f64, f64)) {
    let kane = implicit(Formalism::Kane, s);
    let (expected, condition) = solve(&kane);
    let condition = condition.max(1.0);
    let first = flatten_wrenches(&forward(Formalism::Kane, s).reactions);
    for (f, (a, r)) in over_graph.iter().copied() {
        let solution = forward(f, s);
        for (over, a, r) in
            [("f64", &solution.accelerations, &flatten_wrenches(&solution.reactions)), ("graph", a, r)]
        {
            let (e, d) = (relative(a, &expected) / condition, relative(r, &first) / condition);
            assert_below(
                e,
                1e-12,
                &format!("{what}: {} over {over}: accelerations, condition {condition:e}", f.name()),
            );
            assert_below(
                d,
                1e-12,
                &format!("{what}: {} over {over}: reactions, condition {condition:e}", f.name()),
            );
            *worst = (worst.0.max(e), worst.1.max(d));
        }
    }
}

#[test]
fn all_formalisms_agree_on_random_trees() {
    let mut worst = (0.0, 0.0);
    for seed in 0..trees(TREES) {
        compare_formalisms(&random_mechanism(seed, BODIES), &format!("seed {seed}"), &mut worst);
    }
    println!("accelerations {:e}, reactions {:e}, by condition", worst.0, worst.1);
}

#[test]
fn solutions_fulfil_the_systems_as_the_paper_prints_them() {
    for seed in 0..60 {
        let s = random_mechanism(seed, 6);
        let m = &s.mechanism;
        for f in [Formalism::Extended, Formalism::LagrangeFirst, Formalism::Maggi] {
            let Equations::Extended(system) = at(&s, |env| equations(f, m, env)) else {
                panic!("{} is a sparse system", f.name())
            };
            let (n, nv) = (m.bodies.len(), m.nv());
            let expected = match f {
                Formalism::Extended => 12 * n + nv,
                Formalism::LagrangeFirst => 12 * n - nv,
                _ => 6 * n,
            };
            assert_eq!(system.unknowns.len(), expected, "seed {seed}: {}", f.name());
            // A dense solve with pivoting, independent of the sparse one.
            let dense: Vec<Vec<f64>> = (0..expected)
                .map(|i| {
                    let row = system.rows.row_entries(i);
                    (0..expected).map(|j| row.get(&j).copied().unwrap_or(0.0)).collect()
                })
                .collect();
            let inverse = crate::common::inverse(&dense);
            let x = crate::common::product(&inverse, system.rows.right());
            let solution = forward(f, &s);
            let expected = at(&s, |env| {
                let k = kinematics(m, env);
                k.bodies
                    .iter()
                    .flat_map(|b: &BodyMotion<f64>| {
                        let t = b
                            .partial
                            .iter()
                            .fold(b.bias, |sum, (s, j)| sum + j.scale(solution.accelerations[*s]));
                        [t.v.0, t.w.0].concat()
                    })
                    .collect::<Vec<f64>>()
            });
            let (_, condition) = solve(&implicit(Formalism::Kane, &s));
            let error = relative(&x[..6 * n], &expected) / condition.max(1.0);
            assert_below(error, 1e-10, &format!("seed {seed}: {}", f.name()));
        }
    }
}

/// Sets all free coordinates to zero, where joint axes coincide; quaternions to the identity.
fn straighten(s: &mut Sample) {
    for joint in &s.mechanism.joints {
        let (from, attitude) =
            joint.kind.form().attitude_coordinate().map_or((0, None), |(from, a)| (from, Some(a)));
        for (k, slot) in joint.coordinates.iter().enumerate() {
            let JointVariable::Free(i) = slot else { continue };
            s.q[*i] = match attitude {
                Some(Attitude::Quaternion) if k == from => 1.0,
                Some(Attitude::Sequence([i, _, j])) if i == j && k == from + 1 => std::f64::consts::FRAC_PI_2,
                _ => 0.0,
            };
        }
    }
    // Frames without offset may put both ends of a spring at one point, where
    // only `k d` is defined.
    s.mechanism.loads.retain(|load| match &load.kind {
        LoadKind::LineSpring(spring) => spring.damping.is_zero() && spring.rest_length.is_zero(),
        _ => true,
    });
}

#[test]
fn all_formalisms_agree_in_symmetric_poses() {
    let mut worst = (0.0, 0.0);
    let mut regular = 0;
    for seed in 0..trees(120) {
        let mut s = random_mechanism(seed, BODIES);
        straighten(&mut s);
        let condition = solve(&implicit(Formalism::Kane, &s)).1;
        // A massless body and its child may become aligned, so that M itself is singular.
        if condition < 1e7 {
            regular += 1;
            let rest = Sample { v: vec![0.0; s.v.len()], ..s.clone() };
            let states = [(&s, format!("seed {seed} at q = 0")), (&rest, format!("seed {seed} at rest"))];
            compare_formalisms_at(&states, &mut worst);
        }
    }
    println!("{regular} trees; accelerations {:e}, reactions {:e}, by condition", worst.0, worst.1);
    assert!(regular > cases_by_tier(16, 105), "{regular}");
}

#[test]
fn reactions_carry_the_weight_and_the_momentum_of_what_hangs_on_them() {
    for seed in 0..300 {
        let mut s = random_mechanism(seed, BODIES);
        // Keep loads inside joints only: external loads on bodies would have to be added below.
        s.mechanism.loads.retain(|load| matches!(load.kind, LoadKind::Actuator(_)));
        // An armature has no momentum; a rotor has.
        s.mechanism.joints.iter_mut().for_each(|j| j.armature.iter_mut().for_each(|r| *r = None));
        let m = &s.mechanism;
        let condition = solve(&implicit(Formalism::Kane, &s)).1.max(1.0);
        let solution = forward(Formalism::ArticulatedBody, &s);
        let (still, moving, g) = at(&s, |env| {
            let (qdot, _) = coordinate_rates(m, env);
            let moving = env.with_jets(1.0, &qdot, &solution.accelerations, |env| kinematics(m, env));
            (kinematics(m, env), moving, Vec3([0, 1, 2].map(|i| m.gravity[i].eval(env))))
        });
        // Momentum of each body about the ground's origin in ground axes, and its
        // rate minus the weight.
        let needed: Vec<Wrench<f64>> = BodyId::enumerate(&moving.bodies)
            .map(|(i, b)| {
                let h = b.inertia.momentum(b.twist);
                let linear = b.rotation.apply(h.f);
                let rotors = moving.rotors.iter().filter(|r| r.carrier == i);
                let spin = rotors.fold(h.m, |sum, r| sum + r.momentum.scale(r.rate));
                let angular = b.rotation.apply(spin) + b.origin.cross(linear);
                let mass = b.inertia.mass.v;
                let center = b.origin.map(|x| x.v).scale(mass)
                    + b.rotation.map(|x| x.v).apply(b.inertia.first.map(|x| x.v));
                Wrench { f: linear.map(|x| x.d) - g.scale(mass), m: angular.map(|x| x.d) - center.cross(g) }
            })
            .collect();
        for (i, body) in BodyId::enumerate(&still.bodies) {
            let beyond = m.body_ids().filter(|b| m.path_to_root(*b).any(|x| x == i));
            let sum = beyond.fold(Wrench::ZERO, |sum, b| sum + needed[b]);
            let r = solution.reactions[i.inboard_joint()];
            let (f, moment) = (body.rotation.apply(r.f), body.rotation.apply(r.m));
            let about_ground = moment + body.origin.cross(f);
            let e = relative(&[f.0, about_ground.0].concat(), &[sum.f.0, sum.m.0].concat());
            assert_below(e / condition, 1e-12, &format!("seed {seed}: joint {}", i.index()));
        }
    }
}

#[test]
fn kinetostatics_returns_the_efforts_and_reactions_of_a_motion() {
    let mut partial = 0;
    for seed in 0..200 {
        let s = random_mechanism(seed, 8);
        let m = &s.mechanism;
        let condition = solve(&implicit(Formalism::Kane, &s)).1.max(1.0);
        let motion = forward(Formalism::Kane, &s);
        // If the given motion is that of the loads, all drives are zero,
        // whichever speeds are driven.
        for every in [1, 2, 3] {
            let prescribed: Vec<Option<f64>> = (motion.accelerations.iter().enumerate())
                .map(|(i, a)| (i % every == 0).then_some(*a))
                .collect();
            let driven_motion = at(&s, |env| kinetostatics(m, env, &prescribed)).unwrap();
            let size =
                flatten_wrenches(&motion.reactions).iter().fold(1.0f64, |x, y| x.max(y.abs())) * condition;
            assert_below(
                relative(&driven_motion.accelerations, &motion.accelerations) / condition,
                1e-12,
                "accelerations",
            );
            assert_below(
                relative(&driven_motion.drives, &vec![0.0; m.nv()]) / size,
                1e-12,
                &format!("seed {seed}: drives"),
            );
            let e =
                relative(&flatten_wrenches(&driven_motion.reactions), &flatten_wrenches(&motion.reactions))
                    / condition;
            assert_below(e, 1e-12, &format!("seed {seed}: reactions"));
            assert_eq!(driven_motion.pivots.len(), prescribed.iter().filter(|g| g.is_none()).count());
        }
        // At another motion the drives are the efforts of inverse dynamics, and zero
        // for the free speeds.
        let prescribed: Vec<Option<f64>> =
            (0..m.nv()).map(|i| (i % 2 == 0).then_some((1.3 * i as f64 + 0.2).sin())).collect();
        let driven_motion = at(&s, |env| kinetostatics(m, env, &prescribed)).unwrap();
        let efforts = at(&s, |env| inverse_dynamics(m, env, &driven_motion.accelerations));
        let size = efforts.iter().fold(1.0f64, |x, y| x.max(y.abs())) * condition;
        for (i, prescribed) in prescribed.iter().enumerate() {
            let expected = if prescribed.is_some() { efforts[i] } else { 0.0 };
            assert_below(
                (driven_motion.drives[i] - expected).abs() / size,
                1e-12,
                &format!("seed {seed}: drive {i}"),
            );
            assert_below(
                (efforts[i] - driven_motion.drives[i]).abs() / size,
                1e-12,
                &format!("seed {seed}: effort {i}"),
            );
            partial += usize::from(prescribed.is_none());
        }
    }
    assert!(partial > 200);
}

#[test]
fn impacts_change_momentum_by_their_impulses_and_lose_energy_by_restitution() {
    for seed in 0..200 {
        let s = random_mechanism(seed, 8);
        let m = &s.mechanism;
        let mass = implicit(Formalism::Kane, &s).mass;
        let condition = solve(&implicit(Formalism::Kane, &s)).1.max(1.0);
        let struck = BodyId(m.bodies.len() - 1);
        let point = m.bodies[struck].points[0].placement.clone();
        let direction = Vec3([2.0 / 7.0, 3.0 / 7.0, 6.0 / 7.0]);
        let k = at(&s, |env| kinematics(m, env));
        for (restitution, other) in [(0.0, None), (0.4, None), (1.0, None), (0.7, Some(BodyId(0)))] {
            let Some(other) = other.map_or(Some(None), |o| (o != struck).then_some(Some(o))) else {
                continue;
            };
            let place = other.map(|o: BodyId| m.bodies[o].points[1].placement.clone());
            let by = other.zip(place.as_ref());
            let contact = Contact { on: (struck, &point), by, direction, restitution };
            let (hit, approach) = at(&s, |env| {
                let speed_at = |v: &[f64]| {
                    let at = |body: BodyId, place: &Placement| {
                        let b = &k.bodies[body];
                        let r = Vec3([0, 1, 2].map(|i| place.origin[i].eval(env))) - b.pole;
                        let drift = b.rotation.apply(b.drift.velocity_at(r)).dot(direction);
                        let by_speeds = b
                            .partial
                            .iter()
                            .map(|(s, j)| v[*s] * b.rotation.apply(j.velocity_at(r)).dot(direction));
                        drift + by_speeds.sum::<f64>()
                    };
                    at(struck, &point) - by.map_or(0.0, |(o, place)| at(o, place))
                };
                let hit = impact_with_restitution(m, env, &contact);
                let after: Vec<f64> = s.v.iter().zip(&hit.jump).map(|(v, d)| v + d).collect();
                (hit.clone(), [speed_at(&s.v), speed_at(&after)])
            });
            // A prescribed or locked joint may leave the point immobile along the direction.
            let pivot = hit.pivots.last().map_or(0.0, |p| p.value);
            if pivot < 1e-6 {
                continue;
            }
            let scale = condition / pivot.min(1.0) * (1.0 + hit.contact.abs());
            assert_below((approach[1] + restitution * approach[0]).abs() / scale, 1e-12, "restitution");
            // T₂ changes by the work of the impulse at the mean speed, plus a drift term: Δ(½ vᵀMv)
            // = Δvᵀ M (v + Δv/2).
            let change = crate::common::product(&mass, &hit.jump);
            let work: f64 = change.iter().zip(&s.v).zip(&hit.jump).map(|((p, v), d)| p * (v + 0.5 * d)).sum();
            let kinetic = |v: &[f64]| -> f64 {
                0.5 * crate::common::product(&mass, v).iter().zip(v).map(|(p, v)| p * v).sum::<f64>()
            };
            let after: Vec<f64> = s.v.iter().zip(&hit.jump).map(|(v, d)| v + d).collect();
            let gained = kinetic(&after) - kinetic(&s.v);
            assert_below((gained - work).abs() / (scale * (1.0 + gained.abs())), 1e-11, "work");
            let drifts = k.bodies.iter().any(|b| b.columns.iter().any(|c| c.speed.is_none()));
            if !drifts {
                // Newton's loss: −½ (1 − e²) (g v⁻)² / (g M⁻¹ gᵀ).
                let loss = -0.5 * (1.0 - restitution * restitution) * approach[0] * approach[0] / pivot;
                assert_below(
                    (gained - loss).abs() / (scale * (1.0 + loss.abs())),
                    1e-11,
                    &format!("seed {seed}: loss"),
                );
            }
            // The momentum of the whole tree changes by the impulse and by those of the
            // joints to the ground.
            if other.is_none() && !m.joints.iter().any(|j| j.absolute && j.parent.is_some()) {
                let mut jump = Vec3::ZERO;
                for b in &k.bodies {
                    let twist = b.partial.iter().fold(Twist::ZERO, |sum, (s, j)| sum + j.scale(hit.jump[*s]));
                    jump = jump + b.rotation.apply(b.inertia.momentum(twist).f);
                }
                let mut transmitted = direction.scale(hit.contact);
                for (joint, (b, r)) in m.joints.iter().zip(k.bodies.iter().zip(&hit.reactions)) {
                    if joint.parent.is_none() {
                        transmitted = transmitted + b.rotation.apply(r.f);
                    }
                }
                assert_below(
                    relative(&jump.0, &transmitted.0) / scale,
                    1e-11,
                    &format!("seed {seed}: momentum"),
                );
            }
        }
    }
}

#[test]
fn momenta_change_at_the_rate_that_the_form_gives() {
    let mut worst = 0.0f64;
    for seed in 0..200 {
        let s = random_mechanism(seed, 8);
        let m = &s.mechanism;
        let momentum_equations = |s: &Sample| {
            let Equations::Momentum(p) = at(s, |env| equations(Formalism::Momentum, m, env)) else {
                panic!("generalised momenta")
            };
            p
        };
        let now = momentum_equations(&s);
        let left: Vec<f64> = now.momentum.iter().zip(&now.drift).map(|(p, d)| p - d).collect();
        assert_below(
            relative(&crate::common::product(&now.mass, &s.v), &left),
            1e-12,
            &format!("seed {seed}: p"),
        );
        // ṗ by central differences along the motion of another formalism, and v̇ from it.
        let (acceleration, condition) = solve(&implicit(Formalism::Lagrange, &s));
        let qdot = at(&s, |env| coordinate_rates(m, env).0);
        let h = 1e-5;
        let shifted = |h: f64| {
            let mut s = s.clone();
            s.t += h;
            // The rates change along the motion; the symmetric difference cancels
            // this second-order term.
            s.q.iter_mut().zip(&qdot).for_each(|(q, d)| *q += h * d);
            s.v.iter_mut().zip(&acceleration).for_each(|(v, a)| *v += h * a);
            momentum_equations(&s).momentum
        };
        let rate: Vec<f64> = shifted(h).iter().zip(shifted(-h)).map(|(a, b)| (a - b) / (2.0 * h)).collect();
        let speed = s.v.iter().chain(&acceleration).fold(1.0f64, |x, y| x.max(y.abs()));
        let e = relative(&rate, &now.rate) / speed.powi(3) / condition.max(1.0).sqrt();
        assert_below(e, 1e-7, &format!("seed {seed}: ṗ"));
        worst = worst.max(e);
    }
    println!("{worst:e}");
}

/// A hinged rod with a massless link at its end, whose tip slides along a line through the ground.
/// The link's own angle has no inertia; only the constraint determines it.
#[test]
fn a_massless_link_in_a_loop_needs_no_inertia_where_the_form_has_no_mass_matrix() {
    let mut m = empty([zero(), ratio(-981, 100), zero()]);
    let rod = rigid(
        ratio(2, 1),
        [ratio(1, 2), zero(), zero()],
        [zero(), ratio(1, 6), ratio(1, 6), zero(), zero(), zero()],
    );
    attach(&mut m, rod, hinge_about_z(), None, origin(), origin());
    let link = rigid(zero(), origin(), [zero(), zero(), zero(), zero(), zero(), zero()]);
    attach(&mut m, link, hinge_about_z(), Some(BodyId(0)), [ratio(1, 1), zero(), zero()], origin());
    // The tip is at height zero: sin q₁ + 2 sin (q₁ + q₂) = 0.
    let (a, b) = (Variable::Coordinate(CoordinateId(0)), Variable::Coordinate(CoordinateId(1)));
    let sum = add(Formula::Variable(a), Formula::Variable(b));
    let twice = multiply(Formula::from_integer(2), sine(sum));
    let height = add(sine(Formula::Variable(a)), twice);
    m.constraints.push(Constraint::new("slide".to_owned(), Position(height).into()));
    let (q1, w1) = (0.6f64, 1.3f64);
    let sum = -(q1.sin() / 2.0).asin();
    let w2 = -w1 * q1.cos() / (2.0 * sum.cos()) - w1;
    let mut s = state(m, 0.0, vec![q1, sum - q1], vec![w1, w2], vec![]);
    s.partition = repartition(&s.mechanism, &s.partition);
    // The tip slides without friction and the link is massless, so the rod is a simple pendulum.
    let expected = -9.81 * 0.5 * 2.0 * q1.cos() / (2.0 / 4.0 + 1.0 / 6.0);
    for f in [Formalism::Extended, Formalism::LagrangeFirst, Formalism::Maggi, Formalism::MaggiCoordinates] {
        let solution = forward(f, &s);
        let (a, _) = interpret_forward(f, &s);
        for a in [&solution.accelerations, &a] {
            assert!((a[0] - expected).abs() < 1e-12, "{}: {a:?} against {expected}", f.name());
            assert!(a[1].is_finite());
        }
        assert!(solution.multipliers[0].abs() < 1e-12, "{}: {:?}", f.name(), solution.multipliers);
        assert!(solution.pivots.iter().all(|p| p.value.abs() > 1e-3), "{}: {:?}", f.name(), solution.pivots);
    }
}

fn sine_of_coordinate(i: usize) -> Formula {
    Formula::Sin(Box::new(Formula::Variable(Variable::Coordinate(CoordinateId(i)))))
}

#[test]
fn constrained_forms_agree_and_constraint_forces_go_through_the_joints() {
    let mut compared = 0;
    for seed in 0..120 {
        let mut s = random_mechanism(seed, 8);
        let (nq, nv) = (s.mechanism.nq(), s.mechanism.nv());
        if nv < 4 {
            continue;
        }
        // A constraint on two coordinates and one on all speeds, both time-dependent.
        let coupling = add(
            sine_of_coordinate(0),
            multiply(ratio(2, 3), add(sine_of_coordinate(nq - 1), Formula::Variable(Variable::Time))),
        );
        let speeds = (0..nv).fold(Formula::Variable(Variable::Time), |sum, i| {
            add(
                sum,
                multiply(
                    add(ratio(i as i64 + 1, 7), sine_of_coordinate(0)),
                    Formula::Variable(Variable::Speed(SpeedId(i))),
                ),
            )
        });
        for (name, kind) in
            [("coupling", ConstraintKind::from(Position(coupling))), ("drift", Velocity(speeds).into())]
        {
            s.mechanism.constraints.push(Constraint::new(name.to_owned(), kind));
        }
        let m = &s.mechanism;
        let rows = at(&s, |env| constraint_rows(m, env));
        let kane = implicit(Formalism::Kane, &s);
        let (_, condition) = solve(&kane);
        let first = forward(Formalism::Kane, &s);
        let size = first.accelerations.iter().chain(&first.multipliers).fold(1.0f64, |x, y| x.max(y.abs()));
        // Skip states in which rows are nearly dependent.
        if first.independence.iter().fold(f64::MAX, |x, p| x.min(p.abs())) < 1e-4 {
            continue;
        }
        compared += 1;
        for f in Formalism::ALL {
            let solution = forward(f, &s);
            let what = format!("seed {seed}: {}", f.name());
            let scale = size * condition.max(1.0) * 1e4;
            for row in &rows {
                let left: f64 = row.jacobian.iter().zip(&solution.accelerations).map(|(a, x)| a * x).sum();
                assert_below((left - row.gamma).abs() / scale, 1e-14, &format!("{what}: {}", row.name));
            }
            let pulled = crate::common::product(&kane.mass, &solution.accelerations);
            for (i, pulled) in pulled.iter().enumerate() {
                let held: f64 = rows.iter().zip(&solution.multipliers).map(|(r, l)| r.jacobian[i] * l).sum();
                let error = pulled + kane.c[i] - kane.force[i] - held;
                assert_below(error.abs() / scale, 1e-14, &format!("{what}: motion"));
            }
            let e =
                relative(&flatten_wrenches(&solution.reactions), &flatten_wrenches(&first.reactions)) / scale;
            assert_below(e, 1e-14, &format!("{what}: reactions"));
        }
    }
    assert!(compared > 30, "{compared}");
}
