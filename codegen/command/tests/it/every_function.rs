//! Functions for controllers, on all examples and robots, by the interpreter: against jets,
//! differences of energies, dense algebra in doubles, and differences at 50 digits. Tolerance
//! 1e-10; at the start, with all coordinates zero, and in motion; quaternions with both signs.
//!
//! Above 500 lines: all functions of a mechanism are derived once, and compared at the same states.
//!
//! These functions ignore constraints, unlike those of `linearize_constrained` and `kinetostatics`.

use std::cell::RefCell;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::common::{at, at_start, implicit, unit_vector};
use crate::digits::Digits;
use crate::linearize::{
    EvaluateAlong, MotionDerivatives, MotionDirection, MotionJets, differentiate_by_components,
    differentiate_by_parameter, evaluate_by_jets, expected_columns, free_parameters,
};
use dqdt_algebra::{Jet, Twist, Vec3};
use dqdt_codegen::functions::{self, Definition};
use dqdt_codegen::pipeline::{self, Assembled, FormalismChoice, Request};
use dqdt_graph::ir::{Arguments, Machine, Program};
use dqdt_mechanics::formalism::{self, Formalism};
use dqdt_mechanics::kinematics::{
    FrameMotion, coordinate_rates, evaluate_formula, frame_motions, point_positions, quaternion_starts,
};
use dqdt_mechanics::mechanism::{Environment, Formula, LoadKind, Mechanism};
use dqdt_samples::random::Sample;
use dqdt_samples::tier::cases_by_tier;
use nalgebra::{DMatrix, DVector};

/// Limit on speeds for tests in doubles; only chain50 and the Talos with hands have more.
const LARGE: usize = 40;

const OF_TREES: [&Definition; 20] = [
    functions::MASS_MATRIX,
    functions::BIAS,
    functions::INVERSE_DYNAMICS,
    functions::INPUT_MATRIX,
    functions::GRAVITY,
    functions::FRICTION,
    functions::CORIOLIS_MATRIX,
    functions::CORIOLIS,
    functions::INVERSE_MASS_MATRIX,
    functions::SOLVE_MASS_MATRIX,
    functions::ENERGY_GRADIENTS,
    functions::CENTER_OF_MASS,
    functions::CENTROIDAL_MOMENTUM,
    functions::REGRESSOR,
    functions::INERTIAL_PARAMETERS,
    functions::FRAMES,
    functions::FRAME_TWISTS,
    functions::FRAME_JACOBIANS,
    functions::FRAME_BIASES,
    functions::FRAME_ACCELERATIONS,
];

#[derive(Clone)]
struct CheckedProgram<'a> {
    sample: &'a Sample,
    program: &'a Program,
    arguments: Arguments,
    what: String,
    tolerance: f64,
}

impl CheckedProgram<'_> {
    fn call(&self, f: &Definition) -> Option<Vec<f64>> {
        let mut machine = Machine::new(self.program, f)?;
        match machine.call(&self.arguments) {
            Ok(result) => Some(result.to_vec()),
            // Dependent speeds cannot be computed from the others in every pose.
            Err(_) if !self.sample.mechanism.constraints.is_empty() => None,
            Err(e) => panic!("{}, {}: {e}", self.what, f.name),
        }
    }

    /// Compares the entries of a function, with a tolerance relative to them, to one and to `size`.
    fn assert_close(&self, f: &Definition, actual: &[f64], wanted: &[f64], size: f64) {
        assert_eq!(actual.len(), wanted.len(), "{}, {}", self.what, f.name);
        let scale = wanted.iter().fold(size.max(1.0), |m, x| m.max(x.abs()));
        for (i, (x, y)) in actual.iter().zip(wanted).enumerate() {
            assert!(
                (x - y).abs() < self.tolerance * scale,
                "{}, {}, entry {i}: {x} against {y} of {scale}",
                self.what,
                f.name
            );
        }
    }

    /// Compares the entries whose expected derivative is finite.
    fn assert_close_where_finite(&self, f: &Definition, actual: &[f64], wanted: &[f64]) {
        let (actual, wanted) = select_finite(actual, wanted, &self.what);
        self.assert_close(f, &actual, &wanted, 0.0);
    }

    fn assert_equals(&self, f: &Definition, wanted: impl FnOnce(&Environment<'_, f64>) -> Vec<f64>) {
        if let Some(actual) = self.call(f) {
            self.assert_close(f, &actual, &at(self.sample, wanted), 0.0);
        }
    }
}

/// Evaluates `f` on jets along coordinate rates `dq` and speed rates `dv`.
fn evaluate_along<T>(
    s: &Sample,
    dq: &[f64],
    dv: &[f64],
    f: impl FnOnce(&Environment<'_, Jet<f64>>) -> T,
) -> T {
    at(s, |env| env.with_jets(0.0, dq, dv, f))
}

/// Derivatives of a scalar along each coordinate direction.
fn differentiate_by_pose(s: &Sample, f: impl Fn(&Environment<'_, Jet<f64>>) -> Jet<f64>) -> Vec<f64> {
    let still = vec![0.0; s.v.len()];
    crate::effort_slopes::directions(s).iter().map(|dq| evaluate_along(s, dq, &still, &f).d).collect()
}

/// Mass matrix computed from kinetic energies alone.
fn mass_by_energies(s: &Sample) -> DMatrix<f64> {
    let n = s.v.len();
    let t2 = |v: Vec<f64>| {
        let moving = Sample { v, ..s.clone() };
        at(&moving, |env| formalism::energy(&s.mechanism, env).t2)
    };
    let alone: Vec<f64> = (0..n).map(|i| t2(unit_vector(n, i))).collect();
    DMatrix::from_fn(n, n, |i, j| match i == j {
        true => 2.0 * alone[i],
        false => t2((0..n).map(|k| f64::from(u8::from(k == i || k == j))).collect()) - alone[i] - alone[j],
    })
}

/// Entries of a matrix, row by row.
fn matrix_by_rows(x: &DMatrix<f64>) -> Vec<f64> {
    x.transpose().as_slice().to_vec()
}

fn check_tree(c: &CheckedProgram<'_>) {
    let (s, m) = (c.sample, &c.sample.mechanism);
    let (n, a) = (s.v.len(), &c.arguments.a);
    let mass = mass_by_energies(s);
    let silent = Sample { u: vec![0.0; s.u.len()], ..s.clone() };
    if let Some(actual) = c.call(functions::MASS_MATRIX) {
        c.assert_close(functions::MASS_MATRIX, &actual, &matrix_by_rows(&mass), 0.0);
    }
    // Lagrange's equations use neither partial velocities nor composite inertias.
    let lagrange = implicit(Formalism::Lagrange, &silent);
    let bias: Vec<f64> = lagrange.c.iter().zip(&lagrange.force).map(|(c, q)| c - q).collect();
    let terms = lagrange.c.iter().chain(&lagrange.force).fold(0.0f64, |m, x| m.max(x.abs()));
    if let Some(actual) = c.call(functions::BIAS) {
        c.assert_close(functions::BIAS, &actual, &bias, terms);
    }
    let moved = &mass * DVector::from_column_slice(a);
    let efforts: Vec<f64> = moved.iter().zip(&bias).map(|(a, b)| a + b).collect();
    let terms = terms.max(moved.amax());
    if let Some(actual) = c.call(functions::INVERSE_DYNAMICS) {
        c.assert_close(functions::INVERSE_DYNAMICS, &actual, &efforts, terms);
    }
    if let (Some(y), Some(p)) = (c.call(functions::REGRESSOR), c.call(functions::INERTIAL_PARAMETERS)) {
        let columns = p.len();
        let (matrix, rest) = y.split_at(n * columns);
        let actual: Vec<f64> = (0..n)
            .map(|i: usize| -> f64 {
                (0..columns).map(|k| matrix[i * columns + k] * p[k]).sum::<f64>() + rest[i]
            })
            .collect();
        c.assert_close(functions::REGRESSOR, &actual, &efforts, terms);
    }
    let inverse = mass.clone().cholesky().unwrap_or_else(|| panic!("{}: {mass}", c.what)).inverse();
    // An inverse loses digits with the condition of M.
    let condition = (mass.norm() * inverse.norm()).max(1.0) * inverse.amax();
    if let Some(actual) = c.call(functions::INVERSE_MASS_MATRIX) {
        let wanted = matrix_by_rows(&inverse);
        let off = actual.iter().zip(&wanted).fold(0.0f64, |m, (x, y)| m.max((x - y).abs()));
        assert!(off < 1e-13 * condition + 1e-10 * inverse.amax(), "{}: M⁻¹ {off:e} of {condition:e}", c.what);
    }
    // With more speeds, terms cancel: accelerations are large against efforts (see
    // `check_in_digits`).
    if let Some(actual) = c.call(functions::SOLVE_MASS_MATRIX).filter(|_| n <= LARGE) {
        let actual = DVector::from_vec(actual);
        c.assert_close(functions::SOLVE_MASS_MATRIX, (&mass * actual).as_slice(), &c.arguments.efforts, 0.0);
    }
    check_forces(c, &mass);
    c.assert_equals(functions::ENERGY_GRADIENTS, |env| {
        let energy = |env: &Environment<'_, Jet<f64>>| formalism::energy(m, env);
        let mut out = differentiate_by_pose(s, |env| energy(env).kinetic);
        out.extend(differentiate_by_pose(s, |env| energy(env).potential));
        let still = vec![0.0; s.q.len()];
        out.extend(
            (0..n).map(|j| env.with_jets(0.0, &still, &unit_vector(n, j), |env| energy(env).kinetic.d)),
        );
        out
    });
    check_whole_mechanism(c);
    check_frames(c);
}

/// Checks gravity, friction, inputs and the Coriolis matrix.
fn check_forces(c: &CheckedProgram<'_>, mass: &DMatrix<f64>) {
    let (s, m, n) = (c.sample, &c.sample.mechanism, c.sample.v.len());
    let without = |change: &dyn Fn(&mut Mechanism)| {
        let mut other = s.clone();
        change(&mut other.mechanism);
        at(&other, |env| formalism::inverse_dynamics(&other.mechanism, env, &vec![0.0; n]))
    };
    let all = without(&|_| {});
    let size = all.iter().fold(0.0f64, |m, x| m.max(x.abs()));
    if let Some(actual) = c.call(functions::GRAVITY) {
        // Loads may measure gravity.
        let unloaded = without(&|m| m.loads.clear());
        let weightless = without(&|m| {
            m.loads.clear();
            m.gravity = std::array::from_fn(|_| Formula::ZERO);
        });
        let expected: Vec<f64> = unloaded.iter().zip(weightless).map(|(a, b)| a - b).collect();
        c.assert_close(functions::GRAVITY, &actual, &expected, size);
    }
    if let Some(actual) = c.call(functions::FRICTION) {
        let frictionless = without(&|m| m.loads.retain(|l| !matches!(l.kind, LoadKind::Friction(_))));
        let of_friction: Vec<f64> = frictionless.iter().zip(&all).map(|(a, b)| a - b).collect();
        c.assert_close(functions::FRICTION, &actual, &of_friction, size);
    }
    if let Some(actual) = c.call(functions::INPUT_MATRIX) {
        let u = vec![0.0; s.u.len()];
        let columns: Vec<Vec<f64>> = (0..s.u.len())
            .map(|k: usize| {
                at(&Sample { u: u.clone(), ..s.clone() }, |env| {
                    env.with_input_jet(k, |env| {
                        formalism::inverse_dynamics(m, env, &vec![Jet::constant(0.0); n])
                            .iter()
                            .map(|x| -x.d)
                            .collect()
                    })
                })
            })
            .collect();
        let wanted: Vec<f64> = (0..n).flat_map(|i| columns.iter().map(move |c| c[i])).collect();
        c.assert_close(functions::INPUT_MATRIX, &actual, &wanted, 0.0);
    }
    if let Some(actual) = c.call(functions::CORIOLIS_MATRIX) {
        // `C v` is the part of c of degree two, and `C + Cᵀ` the rate of M.
        let c_at = |factor: f64| {
            let v = s.v.iter().map(|v| factor * v).collect();
            implicit(Formalism::Lagrange, &Sample { v, ..s.clone() }).c
        };
        let (ahead, back, still) = (c_at(1.0), c_at(-1.0), c_at(0.0));
        let quadratic: Vec<f64> = (0..n).map(|i| 0.5 * (ahead[i] + back[i]) - still[i]).collect();
        if let Some(actual) = c.call(functions::CORIOLIS) {
            c.assert_close(functions::CORIOLIS, &actual, &quadratic, mass.amax());
        }
        let matrix = DMatrix::from_row_slice(n, n, &actual);
        let product = &matrix * DVector::from_column_slice(&s.v);
        c.assert_close(functions::CORIOLIS_MATRIX, product.as_slice(), &quadratic, mass.amax());
        let rate = at(s, |env| {
            let dq: Vec<f64> = coordinate_rates(m, env)
                .1
                .iter()
                .map(|row| row.iter().zip(&s.v).map(|(a, b)| a * b).sum())
                .collect();
            env.with_jets(0.0, &dq, &vec![0.0; n], |env| {
                formalism::implicit_equations(Formalism::Lagrange, m, env).mass
            })
        });
        let wanted: Vec<f64> = rate.iter().flatten().map(|x| x.d).collect();
        let both = &matrix + matrix.transpose();
        c.assert_close(functions::CORIOLIS_MATRIX, both.transpose().as_slice(), &wanted, mass.amax());
    }
}

fn to_six_components(f: Vec3<f64>, m: Vec3<f64>) -> Vec<f64> {
    [f.0, m.0].concat()
}

/// Checks the centre of mass and the momentum about it, by jets along the motion and each speed.
fn check_whole_mechanism(c: &CheckedProgram<'_>) {
    let (s, m, n) = (c.sample, &c.sample.mechanism, c.sample.v.len());
    let (Some(com), Some(momentum)) =
        (c.call(functions::CENTER_OF_MASS), c.call(functions::CENTROIDAL_MOMENTUM))
    else {
        return;
    };
    at(s, |env| {
        let (qdot, _) = coordinate_rates(m, env);
        let about = formalism::momentum(m, env);
        let here = formalism::evaluate_centroid(m, env);
        let still = vec![0.0; n];
        let moving = env.with_jets(1.0, &qdot, &still, |env| formalism::evaluate_centroid(m, env));
        let velocity = moving.position.0.map(|x| x.d);
        let mut wanted = vec![here.mass];
        wanted.extend(here.position.0);
        wanted.extend(velocity);
        let columns: Vec<Vec<f64>> = (0..n)
            .map(|j| {
                let (_, map) = coordinate_rates(m, env);
                let dq: Vec<f64> = map.iter().map(|row| row[j]).collect();
                env.with_jets(0.0, &dq, &still, |env| {
                    formalism::evaluate_centroid(m, env).position.0.map(|x| x.d).to_vec()
                })
            })
            .collect();
        wanted.extend((0..3).flat_map(|i| columns.iter().map(move |c| c[i])));
        wanted.extend(moving.momentum.f.0.map(|x| x.d / here.mass));
        c.assert_close(functions::CENTER_OF_MASS, &com, &wanted, 0.0);
        let angular = about.angular - here.position.cross(about.linear);
        let mut wanted = to_six_components(about.linear, angular);
        let drift = at(&Sample { v: still.clone(), ..s.clone() }, |env| formalism::momentum(m, env));
        let about_center = |p: &formalism::Momentum<f64>| {
            to_six_components(p.linear, p.angular - here.position.cross(p.linear))
        };
        let resting = about_center(&drift);
        let columns: Vec<Vec<f64>> = (0..n)
            .map(|j| {
                let by_speed =
                    at(&Sample { v: unit_vector(n, j), ..s.clone() }, |env| formalism::momentum(m, env));
                about_center(&by_speed).iter().zip(&resting).map(|(a, b)| a - b).collect()
            })
            .collect();
        wanted.extend((0..6).flat_map(|i| columns.iter().map(move |c| c[i])));
        wanted.extend(moving.momentum.f.0.iter().chain(&moving.momentum.m.0).map(|x| x.d));
        c.assert_close(functions::CENTROIDAL_MOMENTUM, &momentum, &wanted, 0.0);
    });
}

/// Angular velocity, in body axes, from a rotation matrix and its rate.
fn angular_velocity(r: &[[Jet<f64>; 3]; 3]) -> Vec3<f64> {
    let entry = |a: usize, b: usize| (0..3).map(|k| r[k][a].v * r[k][b].d).sum::<f64>();
    Vec3([entry(2, 1), entry(0, 2), entry(1, 0)])
}

fn flatten_twists(all: &[Twist<f64>]) -> Vec<f64> {
    all.iter().flat_map(|t| to_six_components(t.v, t.w)).collect::<Vec<f64>>()
}

/// Velocity and angular velocity of a frame, differentiated along a motion.
fn differentiate_twist((f, d): (&FrameMotion<f64>, &FrameMotion<Jet<f64>>)) -> Vec<f64> {
    let turned = |x: Vec3<Jet<f64>>| match f.in_ground_axes {
        true => Vec3(x.0.map(|x| x.d)),
        false => f.rotation.apply_transposed(Vec3(d.rotation.apply(x).0.map(|x| x.d))),
    };
    to_six_components(turned(d.twist.v), turned(d.twist.w))
}

/// Checks twists, Jacobians and biases of named frames by jets of poses, speeds and velocities.
fn check_frames(c: &CheckedProgram<'_>) {
    let (s, m, n) = (c.sample, &c.sample.mechanism, c.sample.v.len());
    let Some(poses) = c.call(functions::FRAMES) else { return };
    let all = [
        functions::FRAME_TWISTS,
        functions::FRAME_JACOBIANS,
        functions::FRAME_BIASES,
        functions::FRAME_ACCELERATIONS,
    ];
    // The dependent speeds are not determined in this pose.
    let [Some(twists), Some(jacobians), Some(biases), Some(accelerations)] = all.map(|f| c.call(f)) else {
        assert!(!m.constraints.is_empty(), "{}: frames have all of it", c.what);
        return;
    };
    at(s, |env| {
        let (qdot, map) = coordinate_rates(m, env);
        let still = vec![0.0; n];
        let here = frame_motions(m, env);
        let wanted: Vec<f64> =
            here.iter().flat_map(|f| [&f.position.0[..], f.rotation.0.as_flattened()].concat()).collect();
        c.assert_close(functions::FRAMES, &poses, &wanted, 0.0);
        let of_bodies = point_positions(m, env).into_iter().filter(|p| p.body.is_some()).count();
        assert_eq!(of_bodies, here.len(), "{}", c.what);
        let twist_along = |dt: f64, dq: &[f64]| -> Vec<Twist<f64>> {
            let moved = env.with_jets(dt, dq, &still, |env| frame_motions(m, env));
            here.iter()
                .zip(&moved)
                .map(|(f, d): (&FrameMotion<f64>, &FrameMotion<Jet<f64>>)| {
                    let (v, w) = (Vec3(d.position.0.map(|x| x.d)), angular_velocity(&d.rotation.0));
                    match f.in_ground_axes {
                        true => Twist { v, w: f.rotation.apply(w) },
                        false => Twist { v: f.rotation.apply_transposed(v), w },
                    }
                })
                .collect()
        };
        c.assert_close(functions::FRAME_TWISTS, &twists, &flatten_twists(&twist_along(1.0, &qdot)), 0.0);
        let columns: Vec<Vec<f64>> = (0..n)
            .map(|j| flatten_twists(&twist_along(0.0, &map.iter().map(|row| row[j]).collect::<Vec<_>>())))
            .collect();
        let wanted: Vec<f64> = (0..6 * here.len()).flat_map(|i| columns.iter().map(move |c| c[i])).collect();
        c.assert_close(functions::FRAME_JACOBIANS, &jacobians, &wanted, 0.0);
        // Velocities in ground axes, whose rates are accelerations.
        let moving = env.with_jets(1.0, &qdot, &still, |env| frame_motions(m, env));
        let wanted: Vec<f64> = here.iter().zip(&moving).flat_map(differentiate_twist).collect();
        c.assert_close(functions::FRAME_BIASES, &biases, &wanted, 0.0);
        // Along the motion with accelerations.
        let moving = env.with_jets(1.0, &qdot, &c.arguments.a, |env| frame_motions(m, env));
        let wanted: Vec<f64> = here.iter().zip(&moving).flat_map(differentiate_twist).collect();
        c.assert_close(functions::FRAME_ACCELERATIONS, &accelerations, &wanted, 0.0);
    });
}

/// Checks energies by inertial parameters, friction by coefficients, and effects of a frame wrench.
fn check_products(c: &CheckedProgram<'_>) {
    let (s, m, n) = (c.sample, &c.sample.mechanism, c.sample.v.len());
    let mass = mass_by_energies(s);
    let v = DVector::from_column_slice(&s.v);
    let energy = at(s, |env| {
        let energy = formalism::energy(m, env);
        (energy.kinetic, energy.t2)
    });
    // Rotors and prescribed motions do not depend on the inertial parameters of bodies.
    let plain = m.joints.iter().all(|j| j.rotor.is_none()) && energy.0 == energy.1;
    if let (true, Some(y), Some(p)) =
        (plain, c.call(functions::ENERGY_REGRESSOR), c.call(functions::INERTIAL_PARAMETERS))
    {
        let actual: Vec<f64> = y
            .chunks(p.len())
            .map(|row: &[f64]| row.iter().zip(&p).map(|(a, b)| a * b).sum::<f64>())
            .collect();
        let springless = Mechanism {
            loads: m.loads.iter().filter(|l| l.kind.parts()[0].is_none()).cloned().collect(),
            ..m.clone()
        };
        let potential = at(s, |env| formalism::energy(&springless, env).potential);
        let momenta = &mass * &v;
        let wanted = [&[0.5 * v.dot(&momenta), potential], momenta.as_slice()].concat();
        c.assert_close(functions::ENERGY_REGRESSOR, &actual, &wanted, 0.0);
    }
    if let (Some(y), Some(efforts)) = (c.call(functions::FRICTION_REGRESSOR), c.call(functions::FRICTION)) {
        let coefficients: Vec<f64> = at(s, |env| {
            let pairs = m.loads.iter().filter_map(|l| match &l.kind {
                LoadKind::Friction(f) => {
                    Some([evaluate_formula(m, env, &f.viscous), evaluate_formula(m, env, &f.coulomb)])
                }
                _ => None,
            });
            pairs.flatten().collect()
        });
        let product = DMatrix::from_row_slice(n, coefficients.len(), &y) * DVector::from_vec(coefficients);
        c.assert_close(functions::FRICTION_REGRESSOR, product.as_slice(), &efforts, 0.0);
    }
    if let (Some(actual), Some(jacobians)) =
        (c.call(functions::INVERSE_OPERATIONAL_INERTIAS), c.call(functions::FRAME_JACOBIANS))
    {
        let inverse = mass.cholesky().unwrap_or_else(|| panic!("{}", c.what)).inverse();
        let wanted: Vec<f64> = jacobians
            .chunks(6 * n)
            .flat_map(|rows: &[f64]| {
                let j = DMatrix::from_row_slice(6, n, rows);
                let product = &j * &inverse * j.transpose();
                product.transpose().as_slice().to_vec()
            })
            .collect();
        c.assert_close_where_finite(functions::INVERSE_OPERATIONAL_INERTIAS, &actual, &wanted);
    }
}

/// The entries whose expected derivative is finite; quadratic drag has none at rest.
fn select_finite(actual: &[f64], wanted: &[f64], what: &str) -> (Vec<f64>, Vec<f64>) {
    assert_eq!(actual.len(), wanted.len(), "{what}");
    actual.iter().zip(wanted).filter(|(_, x)| x.is_finite()).map(|(x, y)| (*x, *y)).unzip()
}

/// Checks derivatives of efforts and of the motion, by jets through Kane's equations.
fn check_derivatives(c: &CheckedProgram<'_>) {
    let (s, m, n) = (c.sample, &c.sample.mechanism, c.sample.v.len());
    let a: Vec<Jet<f64>> = c.arguments.a.iter().map(|a| Jet::constant(*a)).collect();
    if let Some(actual) = c.call(functions::INVERSE_DYNAMICS_DERIVATIVES) {
        let silent = Sample { u: vec![0.0; s.u.len()], ..s.clone() };
        let column = |dq: &[f64], dv: &[f64]| -> Vec<f64> {
            evaluate_along(&silent, dq, dv, |env| {
                formalism::inverse_dynamics(m, env, &a).iter().map(|x| x.d).collect()
            })
        };
        let poses = crate::effort_slopes::directions(s);
        let of_pose: Vec<Vec<f64>> = poses.iter().map(|dq| column(dq, &vec![0.0; n])).collect();
        let of_speeds: Vec<Vec<f64>> =
            (0..n).map(|j| column(&vec![0.0; s.q.len()], &unit_vector(n, j))).collect();
        let by_rows = |columns: &[Vec<f64>]| -> Vec<f64> {
            (0..n).flat_map(|i| columns.iter().map(move |c| c[i])).collect()
        };
        let wanted = [by_rows(&of_pose), by_rows(&of_speeds)].concat();
        c.assert_close_where_finite(functions::INVERSE_DYNAMICS_DERIVATIVES, &actual, &wanted);
    }
    if n <= LARGE {
        check_solutions(c, &|f| c.call(f), &evaluate_by_jets);
    }
}

/// Entries of a matrix from its columns, row by row.
fn columns_by_rows(columns: &[Vec<f64>]) -> Vec<f64> {
    let rows = columns.first().map_or(0, Vec::len);
    (0..rows).flat_map(|i| columns.iter().map(move |c| c[i])).collect()
}

/// Checks derivatives of the motion: results by `call` against those by `evaluate`.
fn check_solutions(
    c: &CheckedProgram<'_>,
    call: &dyn Fn(&Definition) -> Option<Vec<f64>>,
    evaluate: EvaluateAlong<'_>,
) {
    let (s, m) = (c.sample, &c.sample.mechanism);
    let parts: [fn(MotionDerivatives) -> Vec<f64>; 2] = [|x| x.state, |x| x.outputs];
    if let Some(actual) = call(functions::LINEARIZE).filter(|_| m.constraints.is_empty()) {
        let (by_state, by_input) = expected_columns(s, evaluate);
        let mut wanted: Vec<f64> = Vec::new();
        for part in parts {
            for columns in [&by_state, &by_input] {
                wanted.extend(columns_by_rows(&columns.iter().cloned().map(part).collect::<Vec<_>>()));
            }
        }
        c.assert_close_where_finite(functions::LINEARIZE, &actual, &wanted);
    }
    if let Some(actual) = call(functions::DQDT_DERIVATIVES) {
        let (by_state, by_input) = differentiate_by_components(s, evaluate);
        let wanted = [columns_by_rows(&by_state), columns_by_rows(&by_input)].concat();
        let nx = by_state.len();
        c.assert_close_where_finite(functions::DQDT_DERIVATIVES, &actual[nx..], &wanted);
    }
    if let Some(actual) = call(functions::SENSITIVITIES).filter(|_| m.constraints.is_empty()) {
        let columns: Vec<MotionDerivatives> =
            (0..free_parameters(m).len()).map(|k| differentiate_by_parameter(s, k, evaluate)).collect();
        let wanted =
            parts.map(|part| columns_by_rows(&columns.iter().cloned().map(part).collect::<Vec<_>>()));
        c.assert_close_where_finite(functions::SENSITIVITIES, &actual, &wanted.concat());
    }
}

/// Checks functions that divide by M at 50 digits: solutions by multiplication with M, derivatives
/// of the motion by differences of an ABA program.
///
/// Up to [`LARGE`] speeds, derivatives in doubles are compared with these. Above, doubles lose
/// digits in every formalism: results at 50 digits are compared, and the default program to 1e-9.
fn check_in_digits(
    c: &CheckedProgram<'_>,
    by_default: Option<&Program>,
    other: &Program,
    digits: &RefCell<Digits>,
) {
    let here = Arguments { p: Arguments::defaults(other).p, ..c.arguments.clone() };
    let value = |kind| Digits::float(here.value(kind));
    let n = c.sample.v.len();
    let call_in_digits = |f: &Definition| digits.borrow_mut().call(c.program, &[f], &value);
    let mass = call_in_digits(functions::MASS_MATRIX);
    for (f, right) in [
        (functions::SOLVE_MASS_MATRIX, here.efforts.clone()),
        (functions::INVERSE_MASS_MATRIX, DMatrix::<f64>::identity(n, n).as_slice().to_vec()),
    ] {
        let solved = call_in_digits(f);
        let columns = solved.len() / n;
        let entries = (0..n * columns).map(|at| {
            let (i, j) = (at / columns, at % columns);
            let column: Vec<_> = (0..n).map(|k| solved[k * columns + j].clone()).collect();
            digits.borrow_mut().dot(&mass[i * n..(i + 1) * n], &column)
        });
        c.assert_close(f, &entries.collect::<Vec<_>>(), &right, 0.0);
    }
    let motion = [functions::DQDT, functions::OUTPUTS];
    let standing = digits.borrow_mut().call(other, &motion, &value);
    let evaluate = |s: &Sample, d: &MotionDirection| {
        let mut along = Arguments { t: 0.0, ..Arguments::defaults(other) };
        [&mut along.a, &mut along.efforts, &mut along.contacts].into_iter().for_each(|x| x.fill(0.0));
        (along.q, along.v, along.z) = (d.q.clone(), d.v.clone(), d.z.clone());
        (along.u, along.p) = (d.u.clone(), d.p.clone());
        let slopes = digits.borrow_mut().slopes(other, &motion, &here, &standing, &along);
        let (rates, rest) = slopes.split_at(s.q.len());
        let (accelerations, rest) = rest.split_at(s.v.len());
        let (states, outputs) = rest.split_at(s.z.len());
        let [rates, accelerations, states, outputs] =
            [rates, accelerations, states, outputs].map(<[Jet<f64>]>::to_vec);
        MotionJets { rates, accelerations, states, outputs }
    };
    let Some(by_default) = by_default else {
        check_solutions(c, &|f| c.call(f), &evaluate);
        return;
    };
    check_solutions(
        c,
        &|f| {
            c.program.function(f).map(|_| {
                let digits_of_entries = call_in_digits(f);
                digits_of_entries.iter().map(|x| digits.borrow_mut().double(x)).collect()
            })
        },
        &evaluate,
    );
    let doubles = CheckedProgram { program: by_default, tolerance: 1e-9, ..c.clone() };
    check_solutions(&doubles, &|f| doubles.call(f), &evaluate);
}

/// Test states: the start, all coordinates zero, two states in motion; quaternions with both signs.
pub(crate) fn samples(loaded: &Assembled) -> Vec<(String, Sample)> {
    let m = &loaded.mechanism;
    let first = at_start(loaded);
    let turned = quaternion_starts(m);
    let mut out = vec![("start".to_owned(), first.clone())];
    let mut zero = first.clone();
    zero.q.fill(0.0);
    turned.iter().for_each(|e| zero.q[*e] = 1.0);
    zero.v.fill(0.0);
    out.push(("zero".to_owned(), zero));
    // Dependent speeds cannot be changed freely: emitted functions compute them from the others.
    if !loaded.partition.eliminated.is_empty() {
        return out;
    }
    for (k, by) in [0.3, 1.1].into_iter().enumerate() {
        let mut moved = first.clone();
        moved.t = 0.3;
        for (i, x) in moved.q.iter_mut().chain(&mut moved.v).chain(&mut moved.z).enumerate() {
            *x += by * (1.7 * i as f64 + 0.5 + k as f64).sin();
        }
        moved.u.iter_mut().enumerate().for_each(|(i, u)| *u += 0.05 * (i as f64 + 1.0));
        for e in &turned {
            let length = moved.q[e.quaternion_range()].iter().map(|x| x * x).sum::<f64>().sqrt();
            let sign = if k == 1 { -1.0 } else { 1.0 };
            moved.q[e.quaternion_range()].iter_mut().for_each(|x| *x *= sign / length);
        }
        out.push((format!("moved by {by}"), moved));
    }
    out
}

/// Checks all functions for a spec. Returns the number of tested states with a regular M.
fn check(loaded: &Assembled, name: &str) -> usize {
    let m = &loaded.mechanism;
    let mut all = OF_TREES.to_vec();
    all.extend([functions::INVERSE_DYNAMICS_DERIVATIVES, functions::INVERSE_OPERATIONAL_INERTIAS]);
    all.extend([functions::ENERGY_REGRESSOR, functions::FRICTION_REGRESSOR]);
    if m.constraints.is_empty() {
        all.extend([functions::LINEARIZE, functions::DQDT_DERIVATIVES, functions::SENSITIVITIES]);
    }
    let program = pipeline::program(loaded, &Request::new(Formalism::Kane, all));
    let by_others = [functions::DQDT, functions::OUTPUTS].to_vec();
    let other = pipeline::program(loaded, &Request::new(Formalism::ArticulatedBody, by_others));
    let by_default = (m.nv() > LARGE).then(|| {
        let functions = vec![functions::LINEARIZE, functions::DQDT_DERIVATIVES, functions::SENSITIVITIES];
        pipeline::program(
            loaded,
            &Request::new(
                pipeline::choose(loaded, FormalismChoice::LeastCost, &functions).unwrap(),
                functions,
            ),
        )
    });
    let digits = RefCell::new(Digits::new());
    let mut states = 0;
    for (pose, s) in samples(loaded) {
        let kane = implicit(Formalism::Kane, &s);
        let mut values = kane.c.iter().chain(&kane.force).chain(kane.mass.iter().flatten());
        // Skips gimbal lock, a force along a line of zero length, and a pose without inertia.
        if !values.all(|x| x.is_finite()) {
            continue;
        }
        let eigenvalues = DMatrix::from_fn(m.nv(), m.nv(), |i, j| kane.mass[i][j]).symmetric_eigenvalues();
        let condition = eigenvalues.max() / eigenvalues.min();
        if !(0.0..1e8).contains(&condition) {
            continue;
        }
        let mut arguments = Arguments::defaults(&program);
        (arguments.t, arguments.q, arguments.v, arguments.z, arguments.u) =
            (s.t, s.q.clone(), s.v.clone(), s.z.clone(), s.u.clone());
        arguments.a = (0..m.nv()).map(|i| (1.3 * i as f64 + 0.2).sin()).collect();
        arguments.efforts = (0..m.nv()).map(|i| (2.1 * i as f64 + 0.7).cos()).collect();
        let what = format!("{name}, {pose}");
        let checked = CheckedProgram { sample: &s, program: &program, arguments, what, tolerance: 1e-10 };
        check_tree(&checked);
        check_products(&checked);
        check_derivatives(&checked);
        // At rest friction and contacts may have a kink.
        if m.constraints.is_empty() && (by_default.is_some() || pose == "moved by 1.1") {
            check_in_digits(&checked, by_default.as_ref(), &other, &digits);
        }
        states += 1;
    }
    states
}

#[test]
fn all_functions_of_all_examples_and_robots_are_those_of_jets() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut paths = Vec::new();
    for folder in ["examples/specs", "tests/data/robots", "tests/data/robots/loops", "tests/data/measures"] {
        let files = std::fs::read_dir(root.join(folder)).unwrap().map(|e| e.unwrap().path());
        paths.extend(files.filter(|f| f.extension().is_some_and(|e| e == "toml")));
    }
    paths.sort();
    let mut specs: Vec<(String, Assembled)> = paths
        .into_iter()
        .map(|p| (p.file_stem().unwrap().to_string_lossy().into_owned(), pipeline::load(&p).unwrap()))
        .filter(|(_, loaded)| (1..=cases_by_tier(4, usize::MAX)).contains(&loaded.mechanism.nv()))
        .collect();
    // The largest first, so that no thread finishes late.
    specs.sort_by_key(|(_, loaded)| std::cmp::Reverse(loaded.mechanism.nv()));
    let (next, state_count) = (AtomicUsize::new(0), Mutex::new(0));
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some((name, loaded)) = specs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let states = check(loaded, name);
                    assert!(states > 0, "{name}: M is singular at all states");
                    *state_count.lock().unwrap() += states;
                }
            });
        }
    });
    let state_count = state_count.into_inner().unwrap();
    println!("{} specs, {state_count} states", specs.len());
    assert!(
        specs.len() > cases_by_tier(15, 40) && state_count > 3 * specs.len(),
        "{} {state_count}",
        specs.len()
    );
}
