//! Contacts switched on and off: Jacobians against velocities of the contact points, forward
//! dynamics against a dense solve of all equations.

use crate::common::{at, forward, implicit, relative, trees};
use dqdt_codegen::pipeline::{self, Assembled, Request};
use dqdt_codegen::{functions, read};
use dqdt_derivation::derive::derive;
use dqdt_graph::ir::{Arguments, Machine, Program};
use dqdt_graph::simplify::simplify;
use dqdt_mechanics::formalism::Formalism;
use dqdt_mechanics::kinematics::{contact_motions, coordinate_rates, point_positions};
use dqdt_samples::random::{Sample, random_mechanism};
use nalgebra::{DMatrix, DVector};

fn arguments(s: &Sample, p: &Program, on: &[f64]) -> Arguments {
    let mut a = Arguments::defaults(p);
    (a.t, a.q, a.v, a.z, a.u) = (s.t, s.q.clone(), s.v.clone(), s.z.clone(), s.u.clone());
    assert_eq!(a.contacts, vec![1.0; on.len()], "on, if nobody says otherwise");
    a.contacts = on.to_vec();
    a
}

#[test]
fn jacobians_are_those_of_the_points_and_zero_where_a_contact_is_off() {
    for seed in 0..trees(60) {
        let s = random_mechanism(seed, 5);
        let m = &s.mechanism;
        let request = Request::new(Formalism::Kane, vec![functions::CONTACT_JACOBIANS]);
        let p = simplify(&derive(
            &Assembled::without_spec(m.clone(), s.partition.clone()),
            &s.formulation,
            &request,
        ));
        let names: Vec<&str> = p.layout.contacts.iter().map(|c| c.name.as_str()).collect();
        let wanted: Vec<String> = (m.bodies.iter())
            .flat_map(|b| b.points.iter().filter(|p| p.contact).map(|p| format!("{}_{}", b.name, p.name)))
            .collect();
        assert_eq!(names, wanted);
        let n = names.len();
        if n == 0 {
            continue;
        }
        let on: Vec<f64> = (0..n).map(|i| f64::from(u8::from(i % 3 != 1))).collect();
        let mut machine = Machine::new(&p, functions::CONTACT_JACOBIANS).unwrap();
        let actual = machine.call(&arguments(&s, &p, &on)).unwrap().to_vec();
        let (jacobian, bias) = actual.split_at(3 * n * m.nv());
        at(&s, |env| {
            let (qdot, map) = coordinate_rates(m, env);
            let still = vec![0.0; m.nv()];
            let places: Vec<usize> = point_positions(m, env)
                .iter()
                .enumerate()
                .filter(|(_, p)| {
                    p.body.is_some_and(|b| m.bodies[b].points.iter().any(|q| q.name == p.name && q.contact))
                })
                .map(|(i, _)| i)
                .collect();
            assert_eq!(places.len(), n);
            for (c, place) in places.iter().enumerate() {
                for j in 0..m.nv() {
                    let along: Vec<f64> = map.iter().map(|row| row[j]).collect();
                    let moved =
                        env.with_jets(0.0, &along, &still, |env| point_positions(m, env)[*place].position);
                    for i in 0..3 {
                        let (x, y) = (jacobian[(3 * c + i) * m.nv() + j], on[c] * moved.0[i].d);
                        assert!(
                            (x - y).abs() < 1e-11 * y.abs().max(1.0),
                            "seed {seed}, contact {c}, {i} {j}"
                        );
                    }
                }
                // The acceleration of the point at v̇ = 0.
                let twice = env.with_jets(1.0, &qdot, &still, |env| {
                    let (qdot, _) = coordinate_rates(m, env);
                    let still = vec![dqdt_algebra::Jet::constant(0.0); m.nv()];
                    env.with_jets(dqdt_algebra::Jet::constant(1.0), &qdot, &still, |env| {
                        point_positions(m, env)[*place].position
                    })
                });
                for i in 0..3 {
                    let y = on[c] * twice.0[i].d.d;
                    assert!(
                        (bias[3 * c + i] - y).abs() < 1e-10 * y.abs().max(1.0),
                        "seed {seed}: bias {c} {i}"
                    );
                }
            }
        });
    }
}

/// Accelerations and contact forces by a dense solve of the whole system of equations.
fn solve_whole_system(s: &Sample, on: &[f64]) -> (Vec<f64>, Vec<f64>, f64) {
    let m = &s.mechanism;
    let e = implicit(Formalism::Kane, s);
    let all = at(s, |env| contact_motions(m, env));
    let (nv, n) = (m.nv(), 3 * all.len());
    let mut a = DMatrix::zeros(nv + n, nv + n);
    let mut b = DVector::zeros(nv + n);
    for i in 0..nv {
        (0..nv).for_each(|j| a[(i, j)] = e.mass[i][j]);
        b[i] = e.force[i] - e.c[i];
    }
    for (c, contact) in all.iter().enumerate() {
        for i in 0..3 {
            let row = nv + 3 * c + i;
            if on[c] == 0.0 {
                a[(row, row)] = 1.0;
                continue;
            }
            for j in 0..nv {
                a[(row, j)] = contact.jacobian[j].0[i];
                a[(j, row)] = -contact.jacobian[j].0[i];
            }
            b[row] = -contact.bias.0[i];
        }
    }
    let svd = a.clone().svd(true, true);
    let condition = svd.singular_values.max() / svd.singular_values.min();
    let x = a.lu().solve(&b).unwrap();
    (x.as_slice()[..nv].to_vec(), x.as_slice()[nv..].to_vec(), condition)
}

const HOPPER: &str = r#"
name = "quad"
gravity = [0, 0, -9.81]
[repeat]
n = 4
i = "1 to n"
[bodies.trunk]
mass = 10
inertia = [0.1, 0.3, 0.35]
points = { hip1 = [0.2, 0.1, 0], hip2 = [0.2, -0.1, 0], hip3 = [-0.2, 0.1, 0], hip4 = [-0.2, -0.1, 0] }
[bodies."thigh{i}"]
mass = 1
center_of_mass = [0, 0, -0.1]
inertia = [0.004, 0.004, 0.001]
[bodies."shank{i}"]
mass = 0.5
center_of_mass = [0, 0, -0.1]
inertia = [0.002, 0.002, 0.0005]
points = { foot = { at = [0, 0, -0.2], contact = true } }
[bodies."hip{i}"]
mass = 0.4
inertia = [0.001, 0.001, 0.001]
[joints.base]
type = "free"
parent = "ground"
child = "trunk"
coordinates = { quaternion = true }
[joints."each i"."abduction{i}"]
type = "revolute"
axis = "x"
parent = { body = "trunk", at = "hip{i}" }
child = "hip{i}"
coordinates = { names = ["a{i}"], start = ["0.1"] }
[joints."each i"."flexion{i}"]
type = "revolute"
axis = "y"
parent = "hip{i}"
child = "thigh{i}"
coordinates = { names = ["b{i}"], start = ["0.6"] }
[joints."each i"."knee{i}"]
type = "revolute"
axis = "y"
parent = { body = "thigh{i}", at = [0, 0, -0.2] }
child = "shank{i}"
coordinates = { names = ["c{i}"], start = ["-1.2"] }
"#;

#[test]
fn a_quadruped_on_any_of_its_feet_fulfils_all_equations() {
    let loaded = pipeline::build(&read::parse("quad.toml", HOPPER).unwrap(), "quad.toml")
        .unwrap_or_else(|e| panic!("{e}"));
    let m = &loaded.mechanism;
    let request = Request::new(Formalism::Mixed, vec![functions::CONTACT_DYNAMICS]);
    let p = pipeline::program(&loaded, &request);
    let mut a = Arguments::defaults(&p);
    for (i, x) in a.q.iter_mut().skip(7).chain(&mut a.v).enumerate() {
        *x += 0.3 * (1.7 * i as f64 + 0.5).sin();
    }
    let sample = Sample {
        mechanism: m.clone(),
        formulation: Default::default(),
        partition: loaded.partition.clone(),
        t: 0.0,
        q: a.q.clone(),
        v: a.v.clone(),
        z: vec![],
        u: vec![],
    };
    let mut machine = Machine::new(&p, functions::CONTACT_DYNAMICS).unwrap();
    for feet in 0..16u32 {
        a.contacts = (0..4).map(|i| f64::from(feet >> i & 1)).collect();
        let solution = machine.call(&a).unwrap_or_else(|e| panic!("{feet:b}: {e}")).to_vec();
        let (accelerations, forces, condition) = solve_whole_system(&sample, &a.contacts);
        let (x, f) = solution.split_at(m.nv());
        assert!(relative(x, &accelerations) < 1e-15 * condition.max(1e4), "{feet:b}: {condition:e}");
        assert!(relative(f, &forces) < 1e-15 * condition.max(1e4), "{feet:b}: {condition:e}");
        let off = f.chunks(3).zip(&a.contacts).filter(|(_, on)| **on == 0.0);
        assert!(off.into_iter().all(|(f, _)| f.iter().all(|x| *x == 0.0)), "{feet:b}: {f:?}");
        if feet == 0 {
            let free = forward(Formalism::ArticulatedBody, &sample).accelerations;
            assert!(relative(x, &free) < 1e-11, "in the air");
        }
    }
}

#[test]
fn contacts_that_depend_on_each_other_are_singular_and_fine_one_by_one() {
    let text = r#"
        name = "plate"
        gravity = [0, 0, -9.81]
        [bodies.plate]
        mass = 2
        inertia = [0.1, 0.1, 0.2]
        points = { a = { at = [1, 1, 0], contact = true }, b = { at = [-1, 1, 0], contact = true }, c = { at = [0, -1, 0], contact = true } }
        [joints.j]
        type = "free"
        parent = "ground"
        child = "plate"
    "#;
    let loaded = pipeline::build(&read::parse("plate.toml", text).unwrap(), "plate.toml").unwrap();
    let p = pipeline::program(&loaded, &Request::new(Formalism::Kane, vec![functions::CONTACT_DYNAMICS]));
    let mut machine = Machine::new(&p, functions::CONTACT_DYNAMICS).unwrap();
    let mut a = Arguments::defaults(&p);
    // Nine rows for six speeds are rank deficient.
    let said = machine.call(&a).unwrap_err();
    assert!(said.name().starts_with("pivot of contact plate_"), "{said}");
    for on in [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]] {
        a.contacts = on.to_vec();
        let solution = machine.call(&a).unwrap().to_vec();
        let forces: f64 = solution[6..].chunks(3).map(|f| f[2]).sum();
        // A plate at rest, suspended at one point.
        assert!(forces > 0.0 && forces < 2.0 * 9.81, "{solution:?}");
    }
}
