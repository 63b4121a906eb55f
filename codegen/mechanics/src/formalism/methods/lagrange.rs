//! Lagrange's equations of the second kind, by differentiation of the poses, T and V.
//!
//! Problem: `M v̇ + c = Q` from `d/dt ∂T/∂q̇ − ∂T/∂q = −∂V/∂q + Q'`, without motion subspaces or
//!          partial velocities.
//! Method:  poses over jets. With one jet along a coordinate and one along time, a pose gives
//!          `∂r/∂q_k` and its rate. Since `∂ṙ/∂q̇_k = ∂r/∂q_k` ("cancelling the dots") and
//!          `d/dt ∂r/∂q_k = ∂ṙ/∂q_k`, these are the velocity of a body as a jet in `q̇_k` and as a
//!          jet in `q_k`; ω follows in the same way from `RᵀṘ`. `T = Σ ½ m ṙ² + ½ ω J ω` is then
//!          differentiated by jets. V is differentiated by jets; other forces do work along
//!          `∂r/∂q_k` and `∂ω/∂q̇_k`.
//! Quasi-velocities and quaternions: projection. With `q̇ = N v + n₀` and `q̈ = N v̇ + q̈₀`,
//! `q̈₀ = Ṅ v + ṅ₀` by jets, `M = Nᵀ (∂²T/∂q̇²) N`, `c = Nᵀ (d/dt ∂T/∂q̇ − ∂T/∂q)` at `q̈₀`.
//! Boltzmann–Hamel equations would need the structure coefficients of every kind of speed, and as
//! many coordinates as speeds; projection needs neither. It is exact for the redundant quaternion
//! too: two extensions of T off the unit sphere differ by `a(q, q̇) f + b(q, q̇) ḟ` with the
//! constraint `f(q) = 0`, whose Lagrange terms on the motion are `(ḃ − a) ∂f/∂q`, and
//! `Nᵀ ∂f/∂q = 0`. Prescribed coordinates are functions of `t` in the poses; `T₁`, `T₀` need no
//! special treatment.
//! Rotors:  `T = J n q̇ (a · ω)` with the angular velocity ω of the carrier, by the same jets.
//!          `½ J (n q̇)²` is part of the armature.
//! Armature: its inertia force `−I v̇` is an effort on the speed, added to the diagonal of M. For a
//!           speed that is a rate, it equals the contribution of `½ I v²` to T; for a
//!           quasi-velocity there is no such energy.
//! Shapes:  nv; nq inside.
//! Frames:  velocities of mass centres in ground axes, angular velocities in body axes.
//! Cost:    O(nq² · bodies), nq sweeps of poses over jets of jets.
//!
//! Not handled: loops, constraints.

use crate::formalism::dynamics::actions::{is_identically_zero, opposite_moment};
use crate::formalism::dynamics::measures_by_jets::evaluate_measures_by_jets;
use crate::formalism::dynamics::solved::{DynamicsSolution, solve_by_mass_matrix};
use crate::formalism::method::{ConstraintsBy, Facts, Implicit, Lean, Method, SolvedSystem};
use crate::formalism::quantities::energy::{PoseState, angular_velocity_from_rotation, potential_energy};
use crate::kinematics::{
    ConstraintRow, Pose, body_poses, central_inertia, coordinate_rates, evaluate_prescribed_motion,
    evaluate_rotation, evaluate_vector, joint_armature, kinematics, rotor_momentum,
};
use crate::mechanism::load::{LoadState, LoadWork, RelativeFrameMotion, vector_between_ends};
use crate::mechanism::{
    BodyId, CoordinateId, Ends, Environment, Formula, JointVariable, Mechanism, Placement, SpeedId,
    VectorFrame,
};
use dqdt_algebra::{Jet, Mat3, Scalar, Vec3};

/// Formalism `lagrange`: Lagrange's equations of the second kind, by differentiation of T and V.
pub(crate) struct Lagrange;

impl Method for Lagrange {
    const FACTS: Facts = Facts {
        name: "lagrange",
        description: "Lagrange's equations of the second kind, by differentiation",
        solves: SolvedSystem::Implicit,
        constraints: ConstraintsBy::Multipliers,
        states_equations: true,
        mass: Some("differentiation of the kinetic energy T"),
        partial_velocities: false,
        growth: 12,
        lean: Lean::No,
        cubes_denominators: true,
        sources: &["Wittenburg2008"],
    };

    fn implicit<S: Scalar>(m: &Mechanism, env: &Environment<'_, S>) -> Option<Implicit<S>> {
        Some(lagrange_equations(m, env))
    }

    fn solve<S: Scalar>(
        m: &Mechanism,
        env: &Environment<'_, S>,
        rows: &[ConstraintRow<S>],
    ) -> DynamicsSolution<S> {
        let e = lagrange_equations(m, env);
        solve_by_mass_matrix(m, rows, &e.mass, &e.right_side())
    }
}

/// Velocity of a body for the kinetic energy: of the mass centre in ground axes, and angular in
/// body axes.
#[derive(Clone, Copy)]
struct BodyVelocity<S> {
    /// Velocity of the mass centre, in ground axes.
    v: Vec3<S>,
    /// Angular velocity, in body axes.
    w: Vec3<S>,
}

/// Mass and central inertia of a body, for its contribution to the kinetic energy T.
struct BodyMass<S> {
    /// Mass \[kg\].
    mass: S,
    /// Inertia tensor about the centre of mass, in body axes.
    central: Mat3<S>,
}

impl<S: Scalar> BodyMass<S> {
    /// Kinetic energy `½ m v² + ½ ω J ω` of a body over jets; `lift` makes the inertia a constant.
    fn kinetic_energy<T: Scalar>(&self, lift: impl Fn(S) -> T + Copy, velocity: BodyVelocity<T>) -> T {
        let BodyVelocity { v, w } = velocity;
        T::ratio(1, 2) * (lift(self.mass) * v.dot(v) + w.dot(self.central.map(lift).apply(w)))
    }
}

/// Vector of jets with values `a` and derivatives `b`.
fn jet_vector<S: Scalar>(a: Vec3<S>, b: Vec3<S>) -> Vec3<Jet<S>> {
    Vec3([0, 1, 2].map(|i| Jet::new(a[i], b[i])))
}

/// Exchanges the two differentiation directions of a jet of jets.
fn swap_jet_directions<S: Scalar>(x: Jet<Jet<S>>) -> Jet<Jet<S>> {
    Jet { v: Jet::new(x.v.v, x.d.v), d: Jet::new(x.v.d, x.d.d) }
}

/// Unit vector along the coordinate `k` among `n` coordinates, as direction of differentiation.
fn coordinate_direction<S: Scalar>(n: usize, k: CoordinateId) -> Vec<S> {
    CoordinateId::range(n).map(|i| if i == k { S::ONE } else { S::ZERO }).collect()
}

/// Derivatives of the bodies' poses and velocities along one coordinate.
struct CoordinateMotion<S> {
    /// Flags by body: true if the coordinate's joint moves it.
    moves: Vec<bool>,
    /// Partial velocities ∂ṙ/∂q̇ and ∂ω/∂q̇ of each body, with their rates.
    by_rate: Vec<BodyVelocity<Jet<S>>>,
    /// Derivatives ∂ṙ/∂q and ∂ω/∂q of each body.
    by_coordinate: Vec<BodyVelocity<S>>,
    /// Poses of the bodies with their derivative by the coordinate.
    poses: Vec<Pose<Jet<S>>>,
}

/// Contribution `(h · ω) q̇` of a geared rotor to the kinetic energy T.
struct Gear<S> {
    /// Body that carries the rotor.
    carrier: BodyId,
    /// Angular momentum h for a unit q̇, in the axes of the carrier.
    momentum: Vec3<S>,
    /// Coordinate that drives the rotor; `None` if it is prescribed.
    coordinate: Option<CoordinateId>,
    /// Rate q̇ that drives the rotor, with its time derivative at `v̇ = 0`.
    rate: Jet<S>,
}

impl<S: Scalar> Gear<S> {
    /// Derivative `∂q̇/∂q̇ₖ` of the rate that drives the rotor: one or zero.
    fn rate_derivative(&self, coordinate: CoordinateId) -> S {
        if self.coordinate == Some(coordinate) { S::ONE } else { S::ZERO }
    }

    /// Product `h · x` of the rotor's momentum with an angular velocity, over jets.
    fn project_on_momentum(&self, x: Vec3<Jet<S>>) -> Jet<S> {
        self.momentum.map(Jet::constant).dot(x)
    }

    /// Contribution of the rotor to `∂²T/∂q̇ᵢ ∂q̇ₖ`.
    fn rotor_hessian_entry(&self, along: &[CoordinateMotion<S>], i: CoordinateId, k: CoordinateId) -> S {
        let share = |x: CoordinateId| self.project_on_momentum(along[x].by_rate[self.carrier].w).v;
        self.rate_derivative(i) * share(k) + self.rate_derivative(k) * share(i)
    }

    /// Contribution of the rotor to `d/dt ∂T/∂q̇ₖ − ∂T/∂qₖ`.
    fn rotor_inertial_force(
        &self,
        motion: &[BodyVelocity<Jet<S>>],
        along: &CoordinateMotion<S>,
        k: CoordinateId,
    ) -> S {
        let (now, by_rate) = (motion[self.carrier].w, along.by_rate[self.carrier].w);
        let momentum = self.project_on_momentum(by_rate) * self.rate
            + self.project_on_momentum(now) * Jet::constant(self.rate_derivative(k));
        momentum.d - self.momentum.dot(along.by_coordinate[self.carrier].w) * self.rate.v
    }
}

/// Geared rotors of the mechanism on bodies, with their rates.
fn collect_rotors<S: Scalar>(m: &Mechanism, env: &Environment<'_, S>, qdot: &[Jet<S>]) -> Vec<Gear<S>> {
    m.joint_ids()
        .filter_map(|joint| {
            let (carrier, momentum) = rotor_momentum(m, joint, env)?;
            let (coordinate, rate) = match m.joints[joint].coordinates.first()? {
                JointVariable::Free(q) => (Some(*q), qdot[*q]),
                JointVariable::Prescribed(f) => {
                    let [_, rate, acceleration] = evaluate_prescribed_motion(f, env);
                    (None, Jet::new(rate, acceleration))
                }
            };
            Some(Gear { carrier, momentum, coordinate, rate })
        })
        .collect()
}

/// Mass matrix M, bias c and forces Q by Lagrange's equations at `env`.
fn lagrange_equations<S: Scalar>(m: &Mechanism, env: &Environment<'_, S>) -> Implicit<S> {
    let (nq, nv) = (m.nq(), m.nv());
    let still = vec![S::ZERO; nv];
    let (qdot, n) = coordinate_rates(m, env);
    // q̈ at v̇ = 0.
    let qddot: Vec<S> =
        env.with_jets(S::ONE, &qdot, &still, |env| coordinate_rates(m, env).0.iter().map(|x| x.d).collect());
    let masses: Vec<(BodyMass<S>, Vec3<S>)> = m
        .bodies
        .iter()
        .map(|body| {
            let (mass, center, central) = central_inertia(body, env);
            (BodyMass { mass, central }, center)
        })
        .collect();

    // Poses as jets along (dq, dt), over jets in time.
    let sweep_poses = |dt: S, dq: &[Jet<S>]| -> Vec<Pose<Jet<Jet<S>>>> {
        let still_jets = vec![Jet::ZERO; nv];
        env.with_jets(S::ONE, &qdot, &still, |env| {
            env.with_jets(Jet::constant(dt), dq, &still_jets, |env| body_poses(m, env))
        })
    };
    let velocities = |poses: &[Pose<Jet<Jet<S>>>]| -> Vec<BodyVelocity<Jet<S>>> {
        poses
            .iter()
            .zip(&masses)
            .map(|(pose, (_, center))| BodyVelocity {
                v: pose.point_in_ground_axes(center.map(|x| Jet::constant(Jet::constant(x)))).map(|x| x.d),
                w: angular_velocity_from_rotation(&pose.rotation),
            })
            .collect()
    };
    let acceleration: Vec<Jet<S>> = qdot.iter().zip(&qddot).map(|(v, a)| Jet::new(*v, *a)).collect();
    let motion = velocities(&sweep_poses(S::ONE, &acceleration));
    let along: Vec<CoordinateMotion<S>> = m
        .coordinate_ids()
        .map(|k| {
            let swept = sweep_poses(S::ZERO, &coordinate_direction(nq, k));
            let by_rate = velocities(&swept);
            let by_coordinate = swept
                .iter()
                .zip(&by_rate)
                .map(|(pose, by_rate)| BodyVelocity {
                    v: by_rate.v.map(|x| x.d),
                    w: angular_velocity_from_rotation(&pose.rotation.map(swap_jet_directions)).map(|x| x.d),
                })
                .collect();
            CoordinateMotion {
                moves: bodies_moved_by_coordinate(m, k),
                by_rate,
                by_coordinate,
                poses: swept.iter().map(drop_pose_time_derivative).collect(),
            }
        })
        .collect();

    let gears = collect_rotors(m, env, &acceleration);
    let mut hessian = kinetic_energy_hessian(&masses, &along);
    let mut inertial: Vec<S> = along.iter().map(|a| inertial_force(&masses, &motion, a)).collect();
    for gear in &gears {
        for i in m.coordinate_ids() {
            inertial[i] = inertial[i] + gear.rotor_inertial_force(&motion, &along[i], i);
            let row: Vec<S> = CoordinateId::range(i.index() + 1)
                .map(|k| hessian[i][k] + gear.rotor_hessian_entry(&along, i, k))
                .collect();
            for (k, entry) in CoordinateId::enumerate(row) {
                hessian[i][k] = entry;
                hessian[k][i] = entry;
            }
        }
    }
    let measures = evaluate_measures_by_jets(m, env, &qdot, &n);
    let measured = &Environment { measures: &measures, ..*env };
    let applied = generalised_forces(m, measured, &qdot, &along);
    let project = |x: &[S]| -> Vec<S> {
        (0..nv).map(|s| n.iter().zip(x).fold(S::ZERO, |sum, (row, x)| sum + row[s] * *x)).collect()
    };
    let half: Vec<Vec<S>> = hessian.iter().map(|row| project(row)).collect();
    let mut mass: Vec<Vec<S>> =
        (0..nv).map(|s| project(&half.iter().map(|row| row[s]).collect::<Vec<S>>())).collect();
    for joint in &m.joints {
        for (i, slot) in joint.speeds.iter().enumerate() {
            if let JointVariable::Free(s) = slot {
                mass[*s][*s] = mass[*s][*s] + joint_armature(joint, i, env);
            }
        }
    }
    let efforts = sum_load_efforts(m, measured);
    let force = project(&applied).into_iter().zip(efforts).map(|(f, tau)| f + tau).collect();
    Implicit { mass, c: project(&inertial), force }
}

/// Flags by body: true if the coordinate's joint is on the body's path to the root.
fn bodies_moved_by_coordinate(m: &Mechanism, coordinate: CoordinateId) -> Vec<bool> {
    let joint = m.coordinates[coordinate].joint;
    m.body_ids().map(|b| m.path_to_root(b).any(|x| x.inboard_joint() == joint)).collect()
}

/// Jet along the coordinate alone, from a jet of jets.
fn drop_time_derivative<S: Scalar>(x: Jet<Jet<S>>) -> Jet<S> {
    Jet::new(x.v.v, x.d.v)
}

/// Values of a vector of jets, without derivatives.
fn jet_values<S: Scalar>(x: Vec3<Jet<S>>) -> Vec3<S> {
    x.map(|x| x.v)
}

/// Pose with its derivative along a coordinate, without time derivatives.
fn drop_pose_time_derivative<S: Scalar>(pose: &Pose<Jet<Jet<S>>>) -> Pose<Jet<S>> {
    Pose {
        rotation: pose.rotation.map(drop_time_derivative),
        origin: pose.origin.map(drop_time_derivative),
        relative_rotation: pose.relative_rotation.map(drop_time_derivative),
        offset: pose.offset.map(drop_time_derivative),
        pole: pose.pole.map(drop_time_derivative),
    }
}

/// Matrix `∂²T/∂q̇²` of the bodies, nq × nq. T is quadratic in the velocities, so this is its
/// derivative along one column, evaluated at another.
fn kinetic_energy_hessian<S: Scalar>(
    masses: &[(BodyMass<S>, Vec3<S>)],
    along: &[CoordinateMotion<S>],
) -> Vec<Vec<S>> {
    let mut hessian = vec![vec![S::ZERO; along.len()]; along.len()];
    for (i, row) in along.iter().enumerate() {
        for (j, column) in along.iter().enumerate().take(i + 1) {
            let mut entry = S::ZERO;
            for (b, (mass, _)) in masses.iter().enumerate().filter(|(b, _)| row.moves[*b] && column.moves[*b])
            {
                let (x, y) = (row.by_rate[b], column.by_rate[b]);
                let velocity = BodyVelocity {
                    v: jet_vector(jet_values(x.v), jet_values(y.v)),
                    w: jet_vector(jet_values(x.w), jet_values(y.w)),
                };
                entry = entry + mass.kinetic_energy(Jet::constant, velocity).d;
            }
            hessian[i][j] = entry;
            hessian[j][i] = entry;
        }
    }
    hessian
}

/// Inertial force `d/dt ∂T/∂q̇ − ∂T/∂q` of the bodies for one coordinate.
fn inertial_force<S: Scalar>(
    masses: &[(BodyMass<S>, Vec3<S>)],
    motion: &[BodyVelocity<Jet<S>>],
    along: &CoordinateMotion<S>,
) -> S {
    let mut sum = S::ZERO;
    for (b, (mass, _)) in masses.iter().enumerate().filter(|(b, _)| along.moves[*b]) {
        let (now, by_rate, by_coordinate) = (motion[b], along.by_rate[b], along.by_coordinate[b]);
        let moving = BodyVelocity { v: jet_vector(now.v, by_rate.v), w: jet_vector(now.w, by_rate.w) };
        let momentum_rate = mass.kinetic_energy(|x| Jet::constant(Jet::constant(x)), moving).d.d;
        let shifted = BodyVelocity {
            v: jet_vector(jet_values(now.v), by_coordinate.v),
            w: jet_vector(jet_values(now.w), by_coordinate.w),
        };
        sum = sum + momentum_rate - mass.kinetic_energy(Jet::constant, shifted).d;
    }
    sum
}

/// Generalised forces on the coordinates: `−∂V/∂q`, and the work of loads on bodies along each
/// coordinate.
fn generalised_forces<S: Scalar>(
    m: &Mechanism,
    env: &Environment<'_, S>,
    qdot: &[S],
    along: &[CoordinateMotion<S>],
) -> Vec<S> {
    let still = vec![S::ZERO; m.nv()];
    let here = body_poses(m, env);
    let mut forces = vec![S::ZERO; m.nq()];
    for (k, along) in CoordinateId::enumerate(along) {
        let dq = coordinate_direction(m.nq(), k);
        let v = env.with_jets(S::ZERO, &dq, &still, |env| potential_energy(m, &along.poses, env));
        forces[k] = -v.d;
    }
    let mut work = WorkSum { m, env, qdot, here: &here, along, forces };
    for load in &m.loads {
        load.kind.add_work(&mut work);
    }
    work.forces
}

/// True if the speed's joint measures its angles from the ground although it has a parent body.
fn is_measured_from_ground(m: &Mechanism, speed: SpeedId) -> bool {
    let joint = &m.joints[m.speeds[speed].joint];
    joint.absolute && joint.parent.is_some()
}

/// Sum of the work of forces and moments of loads on bodies along each coordinate.
struct WorkSum<'a, S> {
    /// The mechanism.
    m: &'a Mechanism,
    /// Values of the variables, measures included.
    env: &'a Environment<'a, S>,
    /// Rates of the coordinates.
    qdot: &'a [S],
    /// Poses of the bodies at this instant.
    here: &'a [Pose<S>],
    /// Derivatives of the poses along each coordinate.
    along: &'a [CoordinateMotion<S>],
    /// Generalised force on each coordinate.
    forces: Vec<S>,
}

impl<S: Scalar> LoadState<S> for WorkSum<'_, S> {
    fn environment(&self) -> &Environment<'_, S> {
        self.env
    }

    fn is_identically_zero(&self, f: &Formula) -> bool {
        is_identically_zero(self.m, f)
    }
}

impl<S: Scalar> LoadWork<S> for WorkSum<'_, S> {
    fn vector_in_ground_axes(&self, value: &[Formula; 3], frame: &VectorFrame) -> Vec3<S> {
        let value = evaluate_vector(value, self.env);
        match frame {
            VectorFrame::Ground => value,
            VectorFrame::Body { body: frame_body, rotation: turn } => {
                self.here[*frame_body].rotation.apply(evaluate_rotation(turn, self.env).apply(value))
            }
        }
    }

    fn point_position(&self, body: Option<BodyId>, point: &Placement) -> Vec3<S> {
        let point = evaluate_vector(&point.origin, self.env);
        body.map_or(point, |body| self.here[body].point_in_ground_axes(point))
    }

    fn add_force(&mut self, body: BodyId, at: Vec3<S>, f: Vec3<S>) {
        let pose = &self.here[body];
        let r = pose.rotation.apply_transposed(at - pose.origin) + pose.pole;
        for (force, along) in self.forces.iter_mut().zip(self.along) {
            let point = along.poses[body].point_in_ground_axes(r.map(Jet::constant));
            *force = *force + f.dot(point.map(|x| x.d));
        }
    }

    fn add_moment(&mut self, body: BodyId, moment: Vec3<S>) {
        let moment = self.here[body].rotation.apply_transposed(moment);
        for (force, along) in self.forces.iter_mut().zip(self.along) {
            *force = *force + moment.dot(angular_velocity_from_rotation(&along.poses[body].rotation));
        }
    }

    fn add_tension(&mut self, ends: &Ends, tension: S) {
        let still = vec![S::ZERO; self.m.nv()];
        for (k, along) in CoordinateId::enumerate(self.along) {
            let dq = coordinate_direction(self.m.nq(), k);
            let l = self.env.with_jets(S::ZERO, &dq, &still, |env| {
                distance_between_ends(self.m, &along.poses, env, ends)
            });
            self.forces[k] = self.forces[k] - tension * l.d;
        }
    }

    fn length_rate(&self, ends: &Ends) -> S {
        let still = vec![S::ZERO; self.m.nv()];
        let lifted = self.env.with_jets(S::ONE, self.qdot, &still, |env| {
            distance_between_ends(self.m, &body_poses(self.m, env), env, ends)
        });
        lifted.d
    }

    fn relative_motion(&self, ends: &Ends) -> RelativeFrameMotion<S> {
        let still = vec![S::ZERO; self.m.nv()];
        let [first, second] = self.env.with_jets(S::ONE, self.qdot, &still, |env| {
            let poses = body_poses(self.m, env);
            [&ends.from, &ends.to].map(|(body, frame)| {
                let (axes, origin) =
                    (evaluate_rotation(&frame.rotation, env), evaluate_vector(&frame.origin, env));
                body.map_or((axes, origin), |b| {
                    (poses[b].rotation.mul(&axes), poses[b].point_in_ground_axes(origin))
                })
            })
        });
        let turn = first.0.transposed_mul(&second.0);
        RelativeFrameMotion {
            axes: first.0.map(|x| x.v),
            velocity: first.0.apply_transposed(second.1 - first.1).map(|x| x.d),
            angular_velocity: turn.map(|x| x.v).apply(angular_velocity_from_rotation(&turn)),
        }
    }

    fn add_opposite_effort(&mut self, speed: SpeedId, effort: &Formula) {
        if !is_measured_from_ground(self.m, speed) {
            return;
        }
        if let Some((parent, moment)) = opposite_moment(self.m, &kinematics(self.m, self.env), speed) {
            let moment = self.here[parent].rotation.apply(moment.scale(effort.eval(self.env)));
            self.add_moment(parent, -moment);
        }
    }
}

/// Distance between the two points of `ends`, over the scalar of `poses`.
fn distance_between_ends<S: Scalar>(
    m: &Mechanism,
    poses: &[Pose<S>],
    env: &Environment<'_, S>,
    ends: &Ends,
) -> S {
    let d = vector_between_ends(&PoseState { m, poses, env }, ends);
    d.dot(d).sqrt()
}

/// Efforts of loads on speeds, one a speed, except elastic ones, which are part of V.
fn sum_load_efforts<S: Scalar>(m: &Mechanism, env: &Environment<'_, S>) -> Vec<S> {
    let mut load_efforts = vec![S::ZERO; m.nv()];
    let state = PoseState { m, poses: &[], env };
    for (speed, effort) in m.loads.iter().filter_map(|load| load.kind.effort(&state)) {
        load_efforts[speed] = load_efforts[speed] + effort;
    }
    load_efforts
}
