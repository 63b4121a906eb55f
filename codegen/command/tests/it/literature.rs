//! Reference states of mechanisms from the literature; provenance in
//! tests/data/reference/README.md.

use crate::build::{
    attach, axis, chain, drive, empty, hinge_about_z, number, origin, ratio, rigid, sphere, spherical, state,
    vector, zero,
};
use crate::common::{at, flatten_wrenches, forward, implicit, interpret_forward, relative};
use dqdt_algebra::{Number, Twist, Vec3};
use dqdt_codegen::Formalism;
use dqdt_mechanics::kinematics::{BodyMotion, coordinate_rates, kinematics};
use dqdt_mechanics::mechanism::joint::{Prismatic, Revolute};
use dqdt_mechanics::mechanism::{
    AxisVector, Body, BodyId, Formula, JointKind, JointVariable, Mechanism, SpeedId, SpeedKind, Variable,
};
use dqdt_samples::random::Sample;
use serde_json::Value;

fn reference(name: &str) -> Value {
    let path = format!("{}/../../tests/data/reference/{name}", env!("CARGO_MANIFEST_DIR"));
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn list(v: &Value) -> Vec<f64> {
    v.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
}

fn lists(v: &Value) -> Vec<Vec<f64>> {
    v.as_array().unwrap().iter().map(list).collect()
}

fn three(v: &[f64]) -> [f64; 3] {
    [v[0], v[1], v[2]]
}

/// Accelerations and reactions by all formalisms, in doubles and in the interpreter.
fn motions(s: &Sample) -> Vec<(Vec<f64>, Vec<f64>)> {
    let both = Formalism::ALL.iter().flat_map(|f| {
        let solution = forward(*f, s);
        let reactions = flatten_wrenches(&solution.reactions);
        [(solution.accelerations, reactions), interpret_forward(*f, s)]
    });
    both.collect()
}

/// Accelerations by all formalisms, in doubles and in the interpreter.
fn accelerations(s: &Sample) -> Vec<Vec<f64>> {
    motions(s).into_iter().map(|(a, _)| a).collect()
}

fn rod_of_one_kilogram() -> Body {
    sphere(ratio(1, 1), origin(), ratio(10, 1))
}

#[test]
fn the_two_rods_of_the_kane_lecture_move_as_in_its_reference() {
    let mut m = empty([zero(), zero(), ratio(-9807, 1000)]);
    let first = attach(
        &mut m,
        rod_of_one_kilogram(),
        spherical(SpeedKind::BodyRates),
        None,
        origin(),
        [zero(), zero(), ratio(1, 1)],
    );
    let hinge = JointKind::from(Revolute(axis(0, 1, 0)));
    attach(
        &mut m,
        rod_of_one_kilogram(),
        hinge,
        Some(first),
        [zero(), zero(), ratio(-1, 1)],
        [zero(), zero(), ratio(1, 1)],
    );
    let reference = reference("kane_two_body_states.json");
    let states = reference["states"].as_array().unwrap();
    assert!(states.len() > 5);
    for entry in states {
        let (x, expected) = (list(&entry["state"]), list(&entry["rhs"]));
        let s = state(m.clone(), 0.0, x[..4].to_vec(), x[4..].to_vec(), vec![]);
        let qdot = at(&s, |env| coordinate_rates(&s.mechanism, env).0);
        for vdot in accelerations(&s) {
            let e = relative(&[&qdot[..], &vdot].concat(), &expected);
            assert!(e < 1e-12, "{e:e}");
        }
    }
}

/// Force in the plane of motion, in ground axes.
fn force_in_ground_axes((body, wrench): (&BodyMotion<f64>, &[f64])) -> [f64; 2] {
    let f = body.rotation.apply(Vec3([wrench[0], wrench[1], wrench[2]]));
    assert!(f[2].abs() < 1e-12 && wrench[5].abs() < 1e-11, "out of the plane, or a moment");
    [f[0], f[1]]
}

#[test]
fn planar_chains_move_as_in_the_chain_lecture() {
    let reference = reference("chain_states.json");
    let mut sizes = std::collections::BTreeSet::new();
    for entry in reference["states"].as_array().unwrap() {
        let n = entry["n"].as_i64().unwrap();
        sizes.insert(n);
        let expected = list(&entry["ddq"]);
        let s = state(chain(n), 0.0, list(&entry["q"]), list(&entry["dq"]), vec![]);
        // Forces in ground axes, hinge by hinge.
        let hinges: Vec<f64> = lists(&entry["hinge_force"]).concat();
        let k = at(&s, |env| kinematics(&s.mechanism, env));
        for (vdot, reactions) in motions(&s) {
            let e = relative(&vdot, &expected);
            assert!(e < 1e-12, "n = {n}: {e:e}");
            let forces: Vec<f64> =
                k.bodies.iter().zip(reactions.chunks(6)).flat_map(force_in_ground_axes).collect();
            let e = relative(&forces, &hinges);
            assert!(e < 1e-11, "n = {n}: hinge forces: {e:e}");
        }
    }
    assert_eq!(sizes.into_iter().collect::<Vec<_>>(), vec![2, 3, 10]);
}

#[test]
fn the_swing_has_the_matrix_and_the_accelerations_of_its_text() {
    let reference = reference("swing.json");
    for case in reference["cases"].as_array().unwrap() {
        let p = |name: &str| number(case["params"][name].as_f64().unwrap());
        let mut m = empty([p("g_x"), p("g_y"), zero()]);
        let first = attach(
            &mut m,
            sphere(p("m1"), [p("rho1"), zero(), zero()], p("J1")),
            hinge_about_z(),
            None,
            origin(),
            origin(),
        );
        let second = sphere(p("m2"), [p("rho2"), zero(), zero()], p("J2"));
        attach(&mut m, second, hinge_about_z(), Some(first), [p("l"), zero(), zero()], origin());
        drive(&mut m, SpeedId(0));
        drive(&mut m, SpeedId(1));
        let (q, v) = (list(&case["state"]["theta"]), list(&case["state"]["dtheta"]));
        let tau = list(&case["tau"]);
        let s = state(m, 0.0, q, v, tau.clone());
        for f in Formalism::stating_equations() {
            let e = implicit(f, &s);
            assert!(relative(&e.mass.concat(), &lists(&case["M"]).concat()) < 1e-12);
            let h: Vec<f64> = (0..2).map(|i| e.c[i] - (e.force[i] - tau[i])).collect();
            assert!(relative(&h, &list(&case["h"])) < 1e-12, "{h:?}");
        }
        for vdot in accelerations(&s) {
            let e = relative(&vdot, &list(&case["ddtheta"]));
            assert!(e < 1e-12, "{e:e}");
        }
    }
}

fn float_axis(x: [f64; 3]) -> AxisVector {
    AxisVector(x.map(Number::float))
}

/// The tree of a reference case, and our body index for each of its bodies. A joint with a moving
/// origin becomes a massless slider with prescribed stroke and a hinge.
fn tree(case: &Value) -> (Mechanism, Vec<BodyId>) {
    let p = &case["params"];
    let (r, axes, centers) = (lists(&p["r"]), lists(&p["axis"]), lists(&p["com"]));
    let masses = list(&p["m"]);
    let stroke = three(&list(&p["rheo"]["b"]));
    let frequency = p["rheo"]["W"].as_f64().unwrap();
    let mut m = empty(vector(three(&list(&p["g"]))));
    let mut index: Vec<BodyId> = Vec::new();
    for (i, parent) in case["parent"].as_array().unwrap().iter().enumerate() {
        let mut parent = usize::try_from(parent.as_i64().unwrap()).ok().map(|p| index[p]);
        let j = lists(&p["Jc"][i]);
        let inertia = [j[0][0], j[1][1], j[2][2], j[0][1], j[0][2], j[1][2]].map(number);
        let body = rigid(number(masses[i]), vector(three(&centers[i])), inertia);
        let mut at_parent = vector(three(&r[i]));
        let kind = match case["kinds"][i].as_str().unwrap() {
            "S" => spherical(SpeedKind::Rates),
            "P1" => {
                let kind = JointKind::from(Prismatic(float_axis(stroke)));
                let length = stroke.iter().map(|x| x * x).sum::<f64>().sqrt();
                let carriage = sphere(Formula::ZERO, origin(), Formula::ZERO);
                let slider = attach(&mut m, carriage, kind, parent, at_parent, origin());
                let phase =
                    Formula::Mul(Box::new(number(frequency)), Box::new(Formula::Variable(Variable::Time)));
                let law = Formula::Mul(Box::new(number(length)), Box::new(Formula::Sin(Box::new(phase))));
                m.joints[slider.inboard_joint()].coordinates = vec![JointVariable::Prescribed(law.clone())];
                m.joints[slider.inboard_joint()].speeds = vec![JointVariable::Prescribed(law)];
                m.coordinates.pop();
                m.speeds.pop();
                (parent, at_parent) = (Some(slider), origin());
                JointKind::from(Revolute(float_axis(three(&axes[i]))))
            }
            _ => JointKind::from(Revolute(float_axis(three(&axes[i])))),
        };
        index.push(attach(&mut m, body, kind, parent, at_parent, origin()));
    }
    (m, index)
}

fn flatten_twist(t: Twist<f64>) -> Vec<f64> {
    [t.v.0, t.w.0].concat()
}

#[test]
fn trees_move_as_in_the_tree_forms_paper() {
    let reference = reference("trees.json");
    let cases = reference["cases"].as_array().unwrap();
    assert_eq!(cases.len(), 15);
    for case in cases {
        let name = case["case"].as_str().unwrap();
        let (m, index) = tree(case);
        let s = state(m, case["t"].as_f64().unwrap(), list(&case["q"]), list(&case["dq"]), vec![]);
        let expected = list(&case["ddq"]);
        let wrenches = list(&case["reactions"]);
        for (vdot, reactions) in motions(&s) {
            let e = relative(&vdot, &expected);
            assert!(e < 1e-11, "{name}: {e:e}");
            let of_bodies: Vec<f64> =
                index.iter().flat_map(|i| reactions[6 * i.index()..6 * i.index() + 6].to_vec()).collect();
            let e = relative(&of_bodies, &wrenches);
            assert!(e < 1e-11, "{name}: reactions: {e:e}");
        }
        let k = at(&s, |env| kinematics(&s.mechanism, env));
        let (mut twists, mut rates) = (Vec::new(), Vec::new());
        for i in index {
            let body = &k.bodies[i];
            twists.extend(flatten_twist(body.twist));
            let rate = body.partial.iter().fold(body.bias, |sum, (s, j)| sum + j.scale(expected[*s]));
            // The paper lists rates of components, without ω × v.
            let v = rate.v - body.twist.w.cross(body.twist.v);
            rates.extend(flatten_twist(Twist { v, ..rate }));
        }
        assert!(relative(&twists, &list(&case["V"])) < 1e-11, "{name}: V");
        assert!(relative(&rates, &list(&case["Vdot"])) < 1e-11, "{name}: V̇");
    }
}
