//! Derivatives of inverse dynamics against jets on random trees, also in special poses and at rest,
//! where many terms vanish.
//!
//! Most trees have no rotors and no absolute angles: those are differentiated node by node instead.

use dqdt_algebra::{Jet, Number};
use dqdt_codegen::functions;
use dqdt_codegen::pipeline::{Assembled, Request};
use dqdt_derivation::derive::derive;
use dqdt_graph::ir::{Arguments, Machine};
use dqdt_graph::simplify::simplify;
use dqdt_mechanics::formalism::{Formalism, effort_derivatives, efforts_balancing_loads, inverse_dynamics};
use dqdt_mechanics::kinematics::{kinematics, quaternion_starts};
use dqdt_mechanics::mechanism::{CoordinateId, Formula};
use dqdt_samples::random::{Sample, random_mechanism};
use dqdt_samples::tier::cases_by_tier;

use crate::common::{at, relative, trees, unit_vector};

/// A random tree without inputs. Every third is at rest; in every fifth the coordinates of joints
/// with one speed are zero.
pub(crate) fn sample(seed: u64) -> Sample {
    let mut s = random_mechanism(seed, 5);
    let m = &mut s.mechanism;
    if !seed.is_multiple_of(8) {
        m.joints.iter_mut().for_each(|j| j.rotor = None);
    }
    s.u.fill(0.0);
    for input in &mut m.inputs {
        input.default = Formula::Number(Number::ZERO);
        input.limits = None;
    }
    if seed.is_multiple_of(3) {
        s.v.fill(0.0);
    }
    if seed.is_multiple_of(5) {
        let turned = quaternion_starts(m);
        for (i, q) in CoordinateId::enumerate(&mut s.q) {
            let joint = &m.joints[m.coordinates[i].joint];
            if !turned.iter().any(|e| e.quaternion_range().contains(&i.index())) && joint.speeds.len() == 1 {
                *q = 0.0;
            }
        }
    }
    s
}

/// Directions of coordinate rates: three rotations for each quaternion, one direction for each
/// other coordinate.
pub(crate) fn directions(s: &Sample) -> Vec<Vec<f64>> {
    let turned = quaternion_starts(&s.mechanism);
    let (mut out, mut i) = (Vec::new(), 0);
    while i < s.q.len() {
        let mut rates = vec![0.0; s.q.len()];
        if !turned.contains(&CoordinateId(i)) {
            rates[i] = 1.0;
            out.push(rates);
            i += 1;
            continue;
        }
        let [w, x, y, z] = [0, 1, 2, 3].map(|k| s.q[i + k] / 2.0);
        for of_axis in [[-x, w, z, -y], [-y, -z, w, x], [-z, y, -x, w]] {
            let mut rates = rates.clone();
            rates[i..i + 4].copy_from_slice(&of_axis);
            out.push(rates);
        }
        i += 4;
    }
    out
}

fn accelerations(s: &Sample, seed: u64) -> Vec<f64> {
    (0..s.v.len()).map(|i| (i as f64 * 1.7 + seed as f64).sin()).collect()
}

/// Derivatives of the efforts by jets, one column each: first along rotations and
/// coordinates, then along speeds.
fn differentiate_by_jets(s: &Sample, a: &[f64], has_loads: bool) -> Vec<Vec<f64>> {
    let (nq, nv) = (s.q.len(), s.v.len());
    let column = |dq: &[f64], dv: &[f64]| -> Vec<f64> {
        let a: Vec<_> = a.iter().map(|a| Jet::new(*a, 0.0)).collect();
        at(s, |env| {
            env.with_jets(0.0, dq, dv, |env| {
                let m = &s.mechanism;
                let all = inverse_dynamics(m, env, &a);
                let without = efforts_balancing_loads(m, env, &kinematics(m, env));
                all.iter().zip(without).map(|(x, l)| if has_loads { x.d } else { x.d - l.d }).collect()
            })
        })
    };
    let of_pose = directions(s).into_iter().map(|dq| column(&dq, &vec![0.0; nv]));
    of_pose.chain((0..nv).map(|j| column(&vec![0.0; nq], &unit_vector(nv, j)))).collect()
}

#[test]
fn derivatives_of_efforts_are_those_of_jets_on_random_trees() {
    let (mut worst, mut skipped) = (0.0f64, 0);
    for seed in 0..trees(300) {
        let s = sample(seed);
        let a = accelerations(&s, seed);
        let request = Request::new(Formalism::Kane, vec![functions::INVERSE_DYNAMICS_DERIVATIVES]);
        let program = simplify(&derive(
            &Assembled::without_spec(s.mechanism.clone(), s.partition.clone()),
            &s.formulation,
            &request,
        ));
        let mut machine = Machine::new(&program, functions::INVERSE_DYNAMICS_DERIVATIVES).unwrap();
        let (q, v, z, u) = (s.q.clone(), s.v.clone(), s.z.clone(), s.u.clone());
        let at = Arguments { t: s.t, q, v, z, u, a: a.clone(), ..Arguments::defaults(&program) };
        let actual = machine.call(&at).unwrap().to_vec();
        let expected = differentiate_by_jets(&s, &a, true);
        // A spring of zero length has no derivative.
        if expected.iter().flatten().any(|x| !x.is_finite()) {
            skipped += 1;
            continue;
        }
        let (nv, turns) = (s.v.len(), expected.len() - s.v.len());
        let by_rows = |columns: &[Vec<f64>]| -> Vec<f64> {
            (0..nv).flat_map(|i| columns.iter().map(move |c| c[i])).collect()
        };
        let expected = [by_rows(&expected[..turns]), by_rows(&expected[turns..])].concat();
        let error = relative(&actual, &expected);
        assert!(error < 1e-10, "seed {seed}: {error:e}");
        worst = worst.max(error);
    }
    println!("{worst:e}, {skipped} skipped");
    assert!(skipped < 20, "{skipped}");
}

fn is_constant(x: &Jet<f64>) -> bool {
    x.d.abs() < 1e-14
}

/// True if derivatives by subtree inertias apply: no rotors, no absolute or prescribed joints,
/// partial velocities constant in body axes.
fn has_slopes_by_subtrees(s: &Sample) -> bool {
    let m = &s.mechanism;
    let plain = m
        .joints
        .iter()
        .all(|j| j.rotor.is_none() && !j.absolute && j.speeds.iter().all(|x| x.free_index().is_some()));
    plain
        && directions(s).iter().all(|dq| {
            at(s, |env| {
                env.with_jets(1.0, dq, &vec![0.0; s.v.len()], |env| {
                    let k = kinematics(m, env);
                    let twists = k.bodies.iter().flat_map(|b| &b.columns).map(|c| c.twist);
                    twists.flat_map(|t| [t.v.0, t.w.0]).flatten().all(|x| is_constant(&x))
                        && m.gravity.iter().all(|g| is_constant(&g.eval(env)))
                        && k.bodies.iter().all(|b| is_constant(&b.inertia.mass))
                })
            })
        })
}

/// Derivatives along a speed are combinations of those along coordinates, with the rate matrix as
/// coefficients (the identity for quaternions).
#[test]
fn slopes_from_inertias_of_subtrees_are_those_of_jets() {
    let mut counts = [0; 3];
    for seed in 0..trees(1600).max(600) {
        let s = sample(seed);
        if !has_slopes_by_subtrees(&s) {
            continue;
        }
        let (m, a) = (&s.mechanism, accelerations(&s, seed));
        let jets = differentiate_by_jets(&s, &a, false);
        if jets.iter().flatten().any(|x| !x.is_finite()) {
            continue;
        }
        let turns = jets.len() - s.v.len();
        let (slopes, rates) = at(&s, |env| {
            let k = kinematics(m, env);
            (effort_derivatives(m, env, &k, &a), k.rate_matrix)
        });
        let turned = quaternion_starts(m);
        for j in 0..s.v.len() {
            let by_speed: Vec<f64> = slopes.by_speed.iter().map(|row| row[j]).collect();
            let error = relative(&by_speed, &jets[turns + j]);
            assert!(error < 1e-10, "seed {seed}: speed {j}: {error:e}");
            let mut expected = vec![0.0; s.v.len()];
            for (dq, column) in directions(&s).iter().zip(&jets) {
                // For a quaternion the dot product with its four rates, otherwise the rate itself.
                let coordinate = dq.iter().position(|x| *x != 0.0).unwrap();
                let turned = turned.iter().find(|e| e.quaternion_range().contains(&coordinate));
                let rate = match turned {
                    Some(e) => 4.0 * e.quaternion_range().map(|i| dq[i] * rates[i][j]).sum::<f64>(),
                    None => rates[coordinate][j],
                };
                expected.iter_mut().zip(column).for_each(|(x, c)| *x += rate * c);
            }
            let by_displacement: Vec<f64> = slopes.by_displacement.iter().map(|row| row[j]).collect();
            let error = relative(&by_displacement, &expected);
            assert!(error < 1e-10, "seed {seed}: displacement {j}: {error:e}");
        }
        counts[0] += 1;
        counts[1] += usize::from(!turned.is_empty());
        counts[2] += usize::from(m.joints.len() > 2);
    }
    println!("{counts:?}");
    assert!(counts.iter().all(|n| *n >= cases_by_tier(1, 12)), "{counts:?}");
}
