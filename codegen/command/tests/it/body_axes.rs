//! Body axes do not change results: equations, efforts and accelerations agree for
//! every choice of axes.

use crate::common::{at, product, relative, trace, trees};
use dqdt_algebra::{Axis, Number, Ratio, Scalar};
use dqdt_codegen::pipeline::{self, Request};
use dqdt_codegen::{functions, read};
use dqdt_diagnostics::base::Random;
use dqdt_generate::optimise;
use dqdt_mechanics::formalism::{self, Formalism, Implicit};
use dqdt_mechanics::mechanism::joint::{Revolute, Turning};
use dqdt_mechanics::mechanism::{
    AxisVector, BodyAxes, BodyId, Environment, Formula, Formulation, Joint, JointId, JointVariable,
    Mechanism, Rotation,
};
use dqdt_samples::random::{Sample, random_mechanism};
use dqdt_samples::tier::cases_by_tier;

/// Quantities computed in body axes: M, `Q − c` by a recursive sweep, efforts, gravity efforts, C;
/// and the accelerations of all formalisms that choose body axes.
fn values<S: Scalar>(m: &Mechanism, env: &Environment<'_, S>) -> (Vec<S>, Vec<Vec<S>>) {
    let a: Vec<S> = (0..m.nv()).map(|i| S::ratio(i as i32 % 3 - 1, 2)).collect();
    let Implicit { mass, .. } = formalism::implicit_equations(Formalism::Kane, m, env);
    let (_, swept) = formalism::mass_matrix_and_right_side(Formalism::Kane, m, env).unwrap();
    let efforts = formalism::inverse_dynamics(m, env, &a);
    let weights = formalism::gravity_efforts(m, env);
    let coriolis = formalism::coriolis_matrix(m, env).concat();
    let forms =
        [Formalism::CompositeBody, Formalism::ArticulatedBody, Formalism::Mixed, Formalism::MaggiCoordinates];
    let accelerations = forms.map(|f| formalism::solve_forward_dynamics(f, m, env).accelerations);
    let equations =
        mass.concat().into_iter().chain(swept).chain(efforts).chain(weights).chain(coriolis).collect();
    (equations, accelerations.to_vec())
}

/// Axis of a joint that turns about one axis, relative to its parent.
fn revolute_axis(j: &Joint) -> Option<AxisVector> {
    match j.kind.form().allowed_rotation() {
        Turning::About(axis) if !j.absolute && j.coordinates.len() == 1 => Some(axis),
        _ => None,
    }
}

fn negate(n: Number) -> Number {
    n.checked_neg().unwrap()
}

/// Turns the joint axes of a random tree parallel to those of their parents; some are opposite,
/// some lie behind frames rotated by 90°.
fn with_parallel_axes(s: &Sample, random: &mut Random) -> Sample {
    let mut s = s.clone();
    let joints = &mut s.mechanism.joints;
    for i in JointId::range(joints.len()) {
        let Some(p) = joints[i].parent.map(BodyId::inboard_joint) else { continue };
        if revolute_axis(&joints[i]).is_none() || random.next_below(4) == 0 {
            continue;
        }
        let Some(axis) = revolute_axis(&joints[p]) else { continue };
        let AxisVector([x, y, z]) = axis;
        joints[p].child_frame.rotation = Rotation::Identity;
        let quarter = Formula::Number(Number::pi(Ratio::new(1, 2).unwrap()));
        // After a rotation of 90° about z, the parent's components (x, y, z) become (y, −x, z).
        let (rotation, axis) = match random.next_below(3) {
            0 => (Rotation::Identity, [x, y, z]),
            1 => (Rotation::Identity, [negate(x), negate(y), negate(z)]),
            _ => {
                let axes = [Axis::Z, Axis::X, Axis::Y];
                (
                    Rotation::Sequence { axes, angles: [quarter, Formula::ZERO, Formula::ZERO] },
                    [y, negate(x), z],
                )
            }
        };
        joints[i].parent_frame.rotation = rotation;
        joints[i].kind = Revolute(AxisVector(axis)).into();
    }
    s.formulation.body_axes = Some(BodyAxes::from_joints(joints));
    s
}

#[test]
fn any_axes_give_the_same_equations_and_accelerations() {
    let (mut chains, mut compared) = (0, 0);
    for seed in 0..trees(300) {
        let mut random = Random::new(seed);
        let mut s = with_parallel_axes(&random_mechanism(seed, 8), &mut random);
        if seed % 5 == 0 {
            let coordinates =
                s.mechanism.joints.iter().filter(|j| j.coordinates.len() == 1).flat_map(|j| &j.coordinates);
            for slot in coordinates {
                if let JointVariable::Free(i) = slot {
                    s.q[*i] = 0.0;
                }
            }
        }
        if seed % 10 == 0 {
            s.v.iter_mut().for_each(|v| *v = 0.0);
        }
        let m = &s.mechanism;
        let n = m.nv();
        let body_axes = BodyAxes::from_joints(&m.joints);
        let may_be_unturned: Vec<bool> =
            m.body_ids().map(|i| body_axes.may_be_unrotated(&m.joints, i)).collect();
        chains += m
            .body_ids()
            .filter(|i| may_be_unturned[*i] && !m.joints.iter().all(|j| j.parent != Some(*i)))
            .count();
        let with_axes = |axes: BodyAxes| {
            let formulation = Formulation { body_axes: Some(axes), ..s.formulation.clone() };
            Sample { formulation, ..s.clone() }
        };
        let (expected, _) = at(&with_axes(body_axes.clone()), |env| values(m, env));
        let e =
            at(&with_axes(body_axes.clone()), |env| formalism::implicit_equations(Formalism::Direct, m, env));
        let right: Vec<f64> = e.force.iter().zip(&e.c).map(|(q, c)| q - c).collect();
        let some = may_be_unturned.iter().map(|x| *x && random.next_below(2) == 0).collect();
        for unturned in [may_be_unturned.clone(), some] {
            let sample = with_axes(BodyAxes { unturned, ..body_axes.clone() });
            let numbers = at(&sample, |env| values(m, env));
            let every = vec![true; m.bodies.len()];
            let (actual, _) = trace(&sample, |m, env| {
                let (x, a) = values(m, &Environment { regrouped: &every, ..*env });
                x.into_iter().chain(a.concat()).collect()
            });
            let (equations, accelerations) = actual.split_at(expected.len());
            let accelerations = accelerations.chunks(n).map(<[f64]>::to_vec).collect();
            for (equations, accelerations) in [numbers, (equations.to_vec(), accelerations)] {
                let lengths = [n * n, n, n, n, n * n];
                let mut first = 0;
                for length in lengths {
                    let part = first..first + length;
                    first += length;
                    let error = relative(&equations[part.clone()], &expected[part.clone()]);
                    assert!(error < 1e-12, "seed {seed}, {part:?} of {n}: {error:e}");
                }
                // Compare residuals of `M v̇ = Q − c`: errors of accelerations grow with the
                // condition of M.
                for a in accelerations {
                    let size = right.iter().chain(&a).fold(1.0f64, |x, y| x.max(y.abs()));
                    let left = product(&e.mass, &a);
                    let off = left.iter().zip(&right).fold(0.0f64, |x, (l, r)| x.max((l - r).abs()));
                    assert!(off < 1e-9 * size, "seed {seed}: {off:e}");
                    compared += 1;
                }
            }
        }
    }
    assert!(
        chains > cases_by_tier(15, 100) && compared > cases_by_tier(600, 4000),
        "{chains} bodies with parallel joints on them, {compared}"
    );
}

/// An arm with three joints about y, one of them reversed and one behind a rotated frame, then one
/// joint about x.
const ARM: &str = r#"
name = "arm"
gravity = [0, 0, -9.81]
[bodies.turret]
mass = 3
inertia = [0.05, 0.06, 0.02]
[bodies.upper]
mass = 2
center_of_mass = [0.2, 0.01, 0.03]
inertia = { xx = 0.03, yy = 0.04, zz = 0.02, xy = 0.001, xz = 0.002, yz = 0.0005 }
[bodies.lower]
mass = 1.5
center_of_mass = [0.25, 0.02, 0.01]
inertia = { xx = 0.03, yy = 0.031, zz = 0.004, xy = 0.001, xz = 0.0012, yz = 0.0003 }
[bodies.wrist]
mass = 0.5
center_of_mass = [0.05, 0, 0.01]
inertia = { xx = 0.003, yy = 0.002, zz = 0.001, xy = 0.0001, xz = 0.0002, yz = 0.0003 }
[bodies.hand]
mass = 0.4
center_of_mass = [0.05, 0.02, 0.01]
inertia = { xx = 0.003, yy = 0.002, zz = 0.001, xy = 0.0001, xz = 0.0002, yz = 0.0003 }
[joints.a]
type = "revolute"
axis = "z"
parent = "ground"
child = "turret"
[joints.b]
type = "revolute"
axis = "y"
parent = "turret"
child = "upper"
[joints.c]
type = "revolute"
axis = "-y"
parent = { body = "upper", at = [0.5, 0, 0] }
child = "lower"
[joints.d]
type = "revolute"
axis = "x"
parent = { body = "lower", at = [0.4, 0, 0], rotation = { sequence = "zxy", angles = ["pi/2", 0, 0] } }
child = "wrist"
[joints.e]
type = "revolute"
axis = "z"
parent = { body = "wrist", at = [0.1, 0, 0] }
child = "hand"
"#;

#[test]
fn axes_are_found_where_they_save_operations() {
    let loaded = pipeline::build(&read::parse("arm.toml", ARM).unwrap(), "arm.toml").unwrap();
    let m = &loaded.mechanism;
    let body_axes = BodyAxes::from_joints(&m.joints);
    let along: Vec<i8> = m.joint_ids().map(|i| body_axes.along(i)).collect();
    assert_eq!(along, [0, 0, -1, -1, 0]);
    let may_be_unturned: Vec<bool> = m.body_ids().map(|i| body_axes.may_be_unrotated(&m.joints, i)).collect();
    assert_eq!(may_be_unturned, [false, true, true, false, true]);
    let count = |requested: &Formulation, f| {
        let request = Request::new(Formalism::CompositeBody, vec![f]);
        let formulation = optimise::complete_formulation(&loaded, requested, &request, pipeline::WAITING);
        let program = pipeline::program_with(&loaded, &formulation, &request);
        program.functions.iter().map(|f| dqdt_graph::ir::count(&program, f).call.total()).sum::<u32>()
    };
    let body_axes = Formulation { body_axes: Some(body_axes), ..Formulation::default() };
    for f in [functions::DQDT, functions::INVERSE_DYNAMICS, functions::MASS_MATRIX] {
        let (by_default, of_bodies) = (count(&Formulation::default(), f), count(&body_axes, f));
        assert!(
            by_default * 100 < of_bodies * 95,
            "{}: {by_default} operations, {of_bodies} in body axes",
            f.name
        );
    }
}
