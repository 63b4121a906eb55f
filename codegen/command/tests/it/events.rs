//! Impacts in emitted programs, by the gradient of the gap, against the formalism of impacts, by
//! wrenches and a recursive sweep.

use dqdt_algebra::{Number, Vec3};
use dqdt_codegen::pipeline::Assembled;
use dqdt_codegen::{functions, read};
use dqdt_derivation::derive::{Request, derive};
use dqdt_graph::ir::{Arguments, Machine};
use dqdt_graph::simplify::simplify;
use dqdt_mechanics::formalism::{Contact, Formalism, impact_with_restitution};
use dqdt_mechanics::kinematics::evaluate_parameters;
use dqdt_mechanics::mechanism::event::EventFunction;
use dqdt_mechanics::mechanism::{self, Environment, Formulation, Mechanism, Partition};
use dqdt_spec::resolve;

fn build(text: &str) -> Mechanism {
    let parsed = read::parse("event.toml", text).unwrap_or_else(|e| panic!("{e}"));
    resolve::resolve(&parsed).unwrap_or_else(|e| panic!("{e}")).mechanism
}

/// Spec of a chain of three links in space. The last link hits a plane on the first, the second
/// hits the ground.
const CHAIN: &str = r#"
name = "chain"
gravity = [0, 0, -9.81]
[bodies.a]
mass = 2
center_of_mass = [0.2, 0.1, 0]
inertia = [0.1, 0.2, 0.15]
points = { end = [0.5, 0, 0], wall = [0.1, -0.3, 0.2] }
[bodies.b]
mass = 1
center_of_mass = [0.1, 0, 0.1]
inertia = [0.05, 0.04, 0.06]
points = { end = [0.3, 0.1, 0] }
[bodies.c]
mass = 0.5
center_of_mass = [0.2, 0, 0]
inertia = [0.01, 0.02, 0.02]
points = { tip = [0.4, 0, 0.1] }
[joints.base]
type = "spherical"
parent = "ground"
child = "a"
coordinates = { sequence = "zyx", names = ["a1", "a2", "a3"] }
speeds = { kind = "body_rates", names = ["w1", "w2", "w3"] }
[joints.slide]
type = "cylindrical"
axis = [1, 1, 0]
parent = { body = "a", at = "end" }
child = "b"
coordinates = { names = ["b1", "b2"] }
[joints.hinge]
type = "revolute"
axis = "y"
parent = { body = "b", at = "end" }
child = "c"
coordinates = { names = ["c1"] }
[events.floor]
type = "impact"
body = "b"
at = "end"
plane = { body = "ground", at = [0, 0, -0.5] }
normal = [0.2, 0, 1]
restitution = 0.6
[events.wall]
type = "impact"
body = "c"
at = "tip"
plane = { body = "a", at = "wall" }
normal = "y"
radius = 0.05
restitution = 0.3
"#;

/// Spec text to append to [`CHAIN`]: a rod that closes a loop from the chain to the ground.
const LOOP: &str = r#"
[constraints.rod]
type = "distance"
from = { body = "ground", at = [0.4, 0.6, 0.2] }
to = { body = "c", at = "tip" }
length = 0.9
"#;

#[test]
fn impacts_of_the_program_are_those_of_the_formalism() {
    let looped = format!("{CHAIN}{LOOP}");
    for (text, rows) in [(CHAIN, 0), (&looped, 1)] {
        let m = build(text);
        let program = simplify(&derive(
            &Assembled::without_spec(m.clone(), Partition::default()),
            &Formulation::default(),
            &Request::all(Formalism::Kane),
        ));
        assert_eq!(program.layout.velocity_rows.len(), rows);
        let mut machine = Machine::new(&program, functions::AFTER_EVENTS).unwrap();
        let mut gaps = Machine::new(&program, functions::EVENTS).unwrap();
        for case in 0..20 {
            let number = |i: usize, scale: f64| scale * ((case * 37 + i * 11) as f64 * 0.7).sin();
            let mut a = Arguments::defaults(&program);
            a.q.iter_mut().enumerate().for_each(|(i, x)| *x = number(i, 0.8));
            a.v.iter_mut().enumerate().for_each(|(i, x)| *x = number(i + 20, 2.0));
            let states = machine.call(&a).unwrap().to_vec();
            let (nq, nx) = (a.q.len(), a.q.len() + a.v.len());
            let p = evaluate_parameters(&m, &Number::to_f64, &[]);
            let env = Environment {
                number: &Number::to_f64,
                t: 0.0,
                q: &a.q,
                v: &a.v,
                z: &[],
                u: &[],
                p: &p,
                named: &[],
                measures: &[],
                regrouped: &[],
                formulation: None,
                partition: Partition::ALL_ROWS,
            };
            let k = dqdt_mechanics::kinematics::kinematics(&m, &env);
            for (index, event) in m.events.iter().enumerate() {
                let EventFunction::Gap(gap) = event.kind.form().trigger().function else { panic!("no gap") };
                let n =
                    dqdt_mechanics::mechanism::joint::unit_vector_along::<f64>(gap.normal, &Number::to_f64);
                let direction = gap.plane.map_or(n, |b| k.bodies[b].rotation.apply(n));
                let carrier = &k.bodies[gap.body];
                let point = Vec3(gap.point.origin.clone().map(|f| f.eval(&env)));
                let center = carrier.origin + carrier.rotation.apply(point - carrier.pole);
                // Position of the contact point on the other body.
                let place = gap.plane.map(|b| {
                    let body = &k.bodies[b];
                    let r = body.rotation.apply_transposed(center - body.origin) + body.pole;
                    let fixed = r.0.map(|x| mechanism::Formula::Number(Number::float(x)));
                    (b, mechanism::Placement::at_origin(fixed))
                });
                let restitution = [0.6, 0.3][index];
                let contact = Contact {
                    on: (gap.body, &gap.point),
                    by: place.as_ref().map(|(b, p)| (*b, p)),
                    direction,
                    restitution,
                };
                let expected = impact_with_restitution(&m, &env, &contact);
                let after = &states[index * nx..][..nx];
                assert_eq!(&after[..nq], &a.q[..], "coordinates do not jump");
                for ((new, old), jump) in after[nq..].iter().zip(&a.v).zip(&expected.jump) {
                    let error = (new - old - jump).abs() / jump.abs().max(1.0);
                    assert!(error < 1e-10, "{}: {new} − {old} is not {jump}", event.name);
                }
            }
            // The gap rate changes sign, by finite differences along the motion.
            let mut gap_at = |v: &[f64], h: f64| {
                let mut b = a.clone();
                b.v.copy_from_slice(v);
                let mut rates = Machine::new(&program, functions::RATES).unwrap();
                let qdot = rates.call(&b).unwrap().to_vec();
                b.q.iter_mut().zip(qdot).for_each(|(q, r)| *q += h * r);
                gaps.call(&b).unwrap().to_vec()
            };
            for (index, e) in [0.6, 0.3].into_iter().enumerate() {
                let mut rate = |v: &[f64]| (gap_at(v, 1e-6)[index] - gap_at(v, -1e-6)[index]) / 2e-6;
                let (before, after) = (rate(&a.v), rate(&states[index * nx + nq..][..nx - nq]));
                assert!((after + e * before).abs() < 1e-7, "{after} {before}");
            }
        }
    }
}
