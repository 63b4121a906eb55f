//! Poses in which many terms vanish or coincide: results are finite, and the formalisms agree.

use std::path::Path;

use crate::build::{attach, axis, chain, empty, origin, ratio, rigid, spherical, state, zero};
use crate::common::{at, implicit, interpret_implicit, relative, solve};
use dqdt_algebra::{Axis, Dimension};
use dqdt_codegen::{functions, pipeline};
use dqdt_derivation::derive::Request;
use dqdt_graph::ir::{Arguments, Machine, Program};
use dqdt_mechanics::formalism::{Formalism, evaluate_powers, inverse_dynamics, momentum};
use dqdt_mechanics::kinematics::{coordinate_rates, kinematics};
use dqdt_mechanics::mechanism::joint::{Free, Prismatic, Revolute};
use dqdt_mechanics::mechanism::load::kinds::{Actuator, Force, LineSpring, Torque};
use dqdt_mechanics::mechanism::{
    Attitude, BodyId, Coordinate, CoordinateId, Ends, Formula, Joint, JointId, JointKind, JointVariable,
    Load, LoadKind, Placement, Rotation, Speed, SpeedId, SpeedKind, VectorFrame, VelocityFrame,
};
use dqdt_samples::random::{Sample, random_mechanism};
use dqdt_samples::tier::cases_by_tier;

fn assert_same_equations(s: &Sample, what: &str) {
    let kane = implicit(Formalism::Kane, s);
    for e in [
        implicit(Formalism::Lagrange, s),
        implicit(Formalism::Direct, s),
        implicit(Formalism::CompositeBody, s),
        interpret_implicit(Formalism::Kane, s).0,
        interpret_implicit(Formalism::Lagrange, s).0,
        interpret_implicit(Formalism::Direct, s).0,
        interpret_implicit(Formalism::CompositeBody, s).0,
    ] {
        for (a, b) in [(&e.mass.concat(), &kane.mass.concat()), (&e.c, &kane.c), (&e.force, &kane.force)] {
            let d = relative(a, b);
            assert!(d < 1e-12, "{what}: {d:e}");
        }
    }
}

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
}

#[test]
fn random_trees_at_zero_and_at_rest() {
    for seed in 0..cases_by_tier(30, 120) {
        let mut s = random_mechanism(seed, 8);
        straighten(&mut s);
        // Frames without offset may put both ends of a spring at one point, where
        // only `k d` is defined.
        s.mechanism.loads.retain(|load| match &load.kind {
            LoadKind::LineSpring(spring) => spring.damping.is_zero() && spring.rest_length.is_zero(),
            _ => true,
        });
        assert_same_equations(&s, &format!("seed {seed} at q = 0"));
        s.v.iter_mut().for_each(|v| *v = 0.0);
        assert_same_equations(&s, &format!("seed {seed} at rest"));
        let power = at(&s, |env| evaluate_powers(&s.mechanism, env, &vec![0.0; s.mechanism.nv()]));
        assert!(power.iter().all(|p| p.value.is_finite()));
    }
}

#[test]
fn random_trees_with_aligned_axes() {
    for seed in 0..cases_by_tier(30, 120) {
        let mut s = random_mechanism(seed, 8);
        straighten(&mut s);
        s.mechanism.loads.clear();
        for joint in &mut s.mechanism.joints {
            joint.parent_frame = Placement::IDENTITY;
            joint.child_frame = Placement::IDENTITY;
            if let JointKind::Revolute(Revolute(a)) | JointKind::Prismatic(Prismatic(a)) = &mut joint.kind {
                *a = axis(0, 0, 1);
            }
        }
        assert_same_equations(&s, &format!("seed {seed}"));
    }
}

#[test]
fn a_straight_chain_at_rest_falls() {
    for n in [1, 2, 5] {
        let count = usize::try_from(n).unwrap();
        let s = state(chain(n), 0.0, vec![0.0; count], vec![0.0; count], vec![]);
        assert_same_equations(&s, "chain");
        let (acceleration, _) = solve(&implicit(Formalism::Kane, &s));
        assert!(acceleration.iter().all(|x| x.is_finite()));
        assert!(acceleration[0] < 0.0);
    }
}

#[test]
fn springs_of_no_length_pull_without_dividing() {
    let mut m = empty(origin());
    let body = rigid(ratio(1, 1), origin(), [ratio(1, 1), ratio(1, 1), ratio(1, 1), zero(), zero(), zero()]);
    let free =
        Free { attitude: Attitude::Quaternion, angular: SpeedKind::BodyRates, linear: VelocityFrame::Parent }
            .into();
    attach(&mut m, body, free, None, origin(), origin());
    let ends = Ends { from: (None, Placement::IDENTITY), to: (Some(BodyId(0)), Placement::IDENTITY) };
    let spring = LineSpring { ends, stiffness: ratio(3, 1), damping: zero(), rest_length: zero() }.into();
    m.loads.push(Load { name: "spring".to_owned(), kind: spring });
    for x in [0.0, 0.5] {
        let s = state(m.clone(), 0.0, vec![x, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0], vec![0.0; 6], vec![]);
        assert_same_equations(&s, "spring");
        let (acceleration, _) = solve(&implicit(Formalism::Kane, &s));
        assert!((acceleration[0] + 3.0 * x).abs() < 1e-15);
    }
}

#[test]
fn gimbal_lock_shows_in_the_denominator() {
    let mut m = empty(origin());
    let body = rigid(ratio(1, 1), origin(), [ratio(1, 1), ratio(1, 1), ratio(1, 1), zero(), zero(), zero()]);
    attach(&mut m, body, spherical(SpeedKind::BodyRates), None, origin(), origin());
    let s = state(m, 0.0, vec![0.3, std::f64::consts::FRAC_PI_2, 0.1], vec![1.0; 3], vec![]);
    let k = at(&s, |env| kinematics(&s.mechanism, env));
    assert_eq!(k.denominators.len(), 1);
    assert_eq!(k.denominators[0].0, "joint0");
    assert!(k.denominators[0].1.abs() < 1e-15);
}

fn offset_placement() -> Placement {
    Placement::at_origin([ratio(1, 7), ratio(2, 5), ratio(-1, 3)])
}

fn load_value() -> [Formula; 3] {
    [ratio(1, 2), ratio(-3, 2), ratio(2, 3)]
}

/// Attaches a random tree to a free root, with internal springs only.
fn float(mut s: Sample, gravity: [Formula; 3]) -> Sample {
    let m = &mut s.mechanism;
    m.gravity = gravity;
    m.loads.clear();
    m.outputs.clear();
    let (nq, nv) = (m.nq(), m.nv());
    for joint in &mut m.joints {
        joint.parent = Some(BodyId(joint.parent.map_or(0, |p| p.index() + 1)));
        // A direction, axis or prescribed angle relative to the ground would
        // transmit a moment from it.
        let driven = joint.speeds.iter().any(|s| matches!(s, JointVariable::Prescribed(_)));
        if driven || matches!(joint.kind, JointKind::Direction(_) | JointKind::Revolute(_)) {
            joint.absolute = false;
        }
    }
    for c in &mut m.coordinates {
        c.joint.0 += 1;
    }
    for v in &mut m.speeds {
        v.joint.0 += 1;
    }
    let root = rigid(
        ratio(3, 2),
        [ratio(1, 10), ratio(1, 5), ratio(-1, 10)],
        [ratio(1, 2), ratio(2, 3), ratio(3, 4), ratio(1, 20), ratio(1, 30), ratio(1, 40)],
    );
    m.bodies.insert(0, root);
    m.joints.insert(
        0,
        Joint {
            name: "root".to_owned(),
            kind: Free {
                attitude: Attitude::Quaternion,
                angular: SpeedKind::BodyRates,
                linear: VelocityFrame::Body,
            }
            .into(),
            parent: None,
            parent_frame: Placement::IDENTITY,
            child_frame: Placement::at_origin([ratio(1, 3), ratio(1, 4), ratio(1, 5)]),
            absolute: false,
            coordinates: (nq..nq + 7).map(|i| JointVariable::Free(CoordinateId(i))).collect(),
            names: (0..7).map(|k| format!("root{k}")).collect(),
            speeds: (nv..nv + 6).map(|i| JointVariable::Free(SpeedId(i))).collect(),
            armature: vec![None; 6],
            rotor: None,
            limits: Default::default(),
        },
    );
    // The body axes refer to the original joint indices.
    s.formulation.body_axes = None;
    for k in 0..7 {
        let (name, description) = (format!("root{k}"), String::new());
        let c = Coordinate {
            name,
            description,
            dimension: Dimension::NONE,
            joint: JointId(0),
            start: Formula::ZERO,
        };
        m.coordinates.push(c);
    }
    for k in 0..6 {
        let (name, description) = (format!("root{k}"), String::new());
        let v = Speed {
            name,
            description,
            dimension: Dimension::VELOCITY,
            joint: JointId(0),
            start: Formula::ZERO,
        };
        m.speeds.push(v);
    }
    // Armatures act on the joint's speed alone and have no momentum.
    m.joints.iter_mut().for_each(|j| j.armature.iter_mut().for_each(|r| *r = None));
    let last = BodyId(m.bodies.len() - 1);
    m.loads.push(Load {
        name: "spring".to_owned(),
        kind: LineSpring {
            ends: Ends {
                from: (Some(BodyId(0)), Placement::at_origin([ratio(1, 1), ratio(1, 2), ratio(3, 1)])),
                to: (Some(last), Placement::at_origin([ratio(-1, 1), ratio(1, 2), ratio(1, 3)])),
            },
            stiffness: ratio(2, 1),
            damping: ratio(1, 2),
            rest_length: ratio(1, 2),
        }
        .into(),
    });
    if last > BodyId(0) {
        let turned = Rotation::Sequence {
            axes: [Axis::X, Axis::Z, Axis::Y],
            angles: [ratio(1, 2), ratio(1, 3), ratio(-1, 5)],
        };
        let frame = VectorFrame::Body { body: last, rotation: Box::new(turned) };
        let pair = [
            LoadKind::Force(Force {
                body: last,
                point: offset_placement(),
                frame,
                value: load_value(),
                reaction: Some(BodyId(0)),
            }),
            LoadKind::Torque(Torque {
                body: BodyId(0),
                frame: VectorFrame::Ground,
                value: load_value(),
                reaction: Some(last),
            }),
        ];
        m.loads.extend(pair.map(|kind| Load { name: "pair".to_owned(), kind }));
    }
    for speed in SpeedId::range(nv) {
        let effort =
            Formula::Sin(Box::new(Formula::Variable(dqdt_mechanics::mechanism::Variable::Speed(speed))));
        m.loads
            .push(Load { name: format!("motor{}", speed.index()), kind: Actuator { speed, effort }.into() });
    }
    s.q.extend([0.3, -0.2, 0.5, 0.5, -0.5, 0.5, 0.5]);
    s.v.extend([0.4, -0.3, 0.2, 0.7, -0.6, 0.9]);
    s
}

#[test]
fn free_floating_trees_keep_their_momentum() {
    for seed in 0..120 {
        for gravity in [0i64, 9] {
            let s = float(random_mechanism(seed, 5), [zero(), ratio(-gravity, 1), zero()]);
            let m = &s.mechanism;
            let (acceleration, condition) = solve(&implicit(Formalism::Kane, &s));
            if !m.joints.iter().any(|j| j.absolute) {
                // With relative angles the free root carries the whole tree.
                assert!(acceleration.iter().all(|x| x.is_finite()), "seed {seed}");
            }
            let (rate, weight, size) = at(&s, |env| {
                let (qdot, _) = coordinate_rates(m, env);
                let rate = env.with_jets(1.0, &qdot, &acceleration, |env| momentum(m, env));
                let k = kinematics(m, env);
                let (mut mass, mut moment) = (0.0, [0.0; 3]);
                for body in &k.bodies {
                    mass += body.inertia.mass;
                    let first =
                        body.origin.scale(body.inertia.mass) + body.rotation.apply(body.inertia.first);
                    (0..3).for_each(|i| moment[i] += first[i]);
                }
                let g = -(gravity as f64);
                // Moment of the weight about the ground's origin: r × m g.
                let weight = [0.0, mass * g, 0.0, -moment[2] * g, 0.0, moment[0] * g];
                let size =
                    inverse_dynamics(m, env, &vec![0.0; m.nv()]).iter().fold(1.0f64, |a, b| a.max(b.abs()));
                (rate, weight, size)
            });
            let got: Vec<f64> = rate.linear.0.iter().chain(&rate.angular.0).map(|x| x.d).collect();
            let e = relative(&got, &weight) / size;
            assert!(e < 1e-13 * condition.max(10.0), "seed {seed}: {e:e}, condition {condition:e}");
            assert!(e < 1e-10, "seed {seed}: {e:e}");
        }
    }
}

/// A spring of zero length has no direction: its force is 0/0.
#[test]
fn a_spring_of_no_length_is_singular_and_not_nan() {
    let text = r#"
name = "slider"
[bodies.slider]
mass = 1
inertia = [1, 1, 1]
[joints.rail]
type = "prismatic"
axis = "x"
parent = "ground"
child = "slider"
coordinates = { names = ["x"], start = [1] }
[loads.spring]
type = "spring"
from = "ground"
to = "slider"
stiffness = 100
damping = 1
rest_length = 0.5
"#;
    use dqdt_codegen::Formalism;
    use dqdt_codegen::pipeline::Request;
    use dqdt_graph::ir::{Arguments, Machine};
    let spec = dqdt_codegen::read::parse("slider.toml", text).unwrap();
    let loaded = dqdt_codegen::pipeline::build(&spec, "slider.toml").unwrap();
    for formalism in Formalism::ALL {
        let program = dqdt_codegen::pipeline::program(&loaded, &Request::all(formalism));
        let mut dqdt = Machine::new(&program, functions::DQDT).unwrap();
        let mut arguments = Arguments::defaults(&program);
        assert_eq!(dqdt.call(&arguments).unwrap(), [0.0, -50.0]);
        arguments.q[0] = 0.0;
        let singular = dqdt.call(&arguments).unwrap_err();
        assert_eq!(singular.name(), "squared length of spring");
    }
}

/// Program and interpreter of `dqdt` for a spec by one formalism.
fn machine(spec: &str, formalism: Formalism) -> (Program, Machine) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(spec);
    let loaded = pipeline::load(&path).unwrap_or_else(|e| panic!("{e}"));
    let program = pipeline::program(&loaded, &Request::new(formalism, vec![functions::DQDT]));
    let machine = Machine::new(&program, functions::DQDT).unwrap();
    (program, machine)
}

#[test]
fn near_gimbal_lock_every_form_is_right_or_singular() {
    let spec = "examples/specs/kane_two_body.toml";
    let (program, mut kane) = machine(spec, Formalism::Kane);
    for f in Formalism::ALL {
        let mut other = machine(spec, f).1;
        let mut regular = 0;
        for k in 0..320 {
            // From 0.3 to 1e-12 rad from both locks.
            let distance = 0.3 * 10f64.powf(-f64::from(k / 2) * 0.072);
            let lock = if k % 2 == 0 { 1.0 } else { -1.0 } * std::f64::consts::FRAC_PI_2;
            let mut a = Arguments::defaults(&program);
            a.q[0] = (0.7 * f64::from(k)).sin();
            a.q[1] = lock - distance;
            a.v = (0..4).map(|i| 2.0 * (1.3 * f64::from(i) + 0.9 * f64::from(k)).sin()).collect();
            let expected = kane.call(&a).map(<[f64]>::to_vec);
            match (other.call(&a), expected) {
                (Ok(actual), Ok(expected)) => {
                    regular += 1;
                    let error = relative(&actual[4..], &expected[4..]);
                    assert!(error < 1e-6, "{} at {distance:e}: {error:e}", f.name());
                }
                (Err(e), _) => {
                    assert_eq!(e.name(), "angles of O", "{}", f.name());
                    assert!(e.to_string().contains("angles xyz are singular at alpha2 = ±90 deg"), "{e}");
                    assert!(distance < 2e-4, "{} at {distance:e}: {e}", f.name());
                }
                (Ok(_), Err(e)) => panic!("{} at {distance:e}: only Kane is singular: {e}", f.name()),
            }
        }
        assert!(regular > 90, "{}: {regular}", f.name());
    }
}

#[test]
fn a_quaternion_of_any_length_means_one_attitude_in_every_form() {
    for spec in ["tests/data/humanoid.toml", "examples/specs/quadrotor.toml"] {
        let mut unit: Option<Vec<f64>> = None;
        for f in Formalism::ALL {
            let (program, mut machine) = machine(spec, f);
            let e = program.layout.quaternions[0];
            let mut a = Arguments::defaults(&program);
            for (i, x) in a.q.iter_mut().chain(&mut a.v).enumerate() {
                *x += (1.7 * i as f64 + 0.4).sin();
            }
            let length = a.q[e..e + 4].iter().map(|x| x * x).sum::<f64>().sqrt();
            let q = a.q.clone();
            for wanted in [1.0, 0.7, 1.01, 3.0, 1e-3] {
                a.q.copy_from_slice(&q);
                a.q[e..e + 4].iter_mut().for_each(|x| *x *= wanted / length);
                let mut dx = machine.call(&a).unwrap_or_else(|e| panic!("{}: {e}", f.name())).to_vec();
                // ė = ½ e ⊗ ω scales with |e|; nothing else depends on it.
                dx[e..e + 4].iter_mut().for_each(|x| *x /= wanted);
                let unit = unit.get_or_insert_with(|| dx.clone());
                let error = relative(&dx, unit);
                assert!(error < 1e-9, "{spec} by {}, length {wanted}: {error:e}", f.name());
            }
            a.q[e..e + 4].fill(0.0);
            let error = machine.call(&a).map(<[f64]>::to_vec).unwrap_err();
            assert!(error.name().starts_with("quaternion of "), "{}: {error}", f.name());
        }
    }
}
