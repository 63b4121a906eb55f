//! Constraints at the levels of position, velocity and acceleration.
//!
//! Problem: from `Φ(q, t) = 0` and `Ψ(q, v, t) = 0`, linear in v, the rows of `A v + a₀ = 0` and
//! `A v̇ = γ`.
//! Method:  for a geometric constraint, a row of A is a functional of the relative twist of its two
//! bodies (`mechanism::constraint`, `relative_motion`). For a formula, an entry is its derivative
//! along `q̇ = N e_j`, or along `v_j`, by jets. γ is minus the derivative of `A v + a₀` along the
//! motion at constant speeds, by jets.
//! Shapes:  one row a scalar equation, in spec order; nv columns.
//! Units:   those of the formula, per second and per second squared.
//! Cost:    O(depth) a row for geometric constraints, O(nv) evaluations of a formula.
//! Not handled: which rows depend on others (`assemble`); which rows of a group are active at a
//! pose (`selection`).

use super::chosen_axes::{MotionInChosenAxes, convert_to_formulation_axes};
use super::measures::evaluate_formula;
use super::motion::{coordinate_rates, kinematics};
use super::pose::{Pose, body_poses};
use super::relative_frame::{BodyToMotionAxes, ends_in_body_axes, relative_frame};
use super::relative_motion::{TwistFunctional, relative_motion};
use super::relative_pose::relative_pose;
use crate::mechanism::constraint::{Level, RelativeFrame, functional_in_body_axes};
use crate::mechanism::{BodyId, Constraint, Environment, Mechanism, Partition, RowIndex, SpeedId, row_name};
use dqdt_algebra::{Jet, Mat3, Scalar, Vec3, Wrench};

/// One scalar constraint row with its residuals, its row of A and its γ, evaluated at `q, v, t`.
#[derive(Clone, Debug)]
pub struct ConstraintRow<S> {
    /// Index of the row's constraint in the mechanism.
    pub constraint: usize,
    /// Index of the row within its constraint.
    pub index: usize,
    /// Name of the constraint, followed by a component if the constraint has several rows.
    pub name: String,
    /// Position residual `Φ`, zero where the constraint is fulfilled; `None` for a velocity
    /// constraint.
    pub position: Option<S>,
    /// Velocity residual `A v + a₀`: `Φ̇`, or `Ψ` for a velocity constraint.
    pub velocity: S,
    /// Row of the constraint Jacobian `A`: one coefficient a speed.
    pub jacobian: Vec<S>,
    /// Right side `γ` of `A v̇ = γ`, without Baumgarte stabilisation.
    pub gamma: S,
    /// Drift `a₀`: the part of `velocity` that remains when all speeds are zero.
    pub drift: S,
}

impl<S> ConstraintRow<S> {
    /// Index of the row among the constraints of the mechanism: constraint and row.
    pub fn row_index(&self) -> RowIndex {
        RowIndex { constraint: self.constraint, row: self.index }
    }
}

impl<S: Scalar> ConstraintRow<S> {
    /// Right side `γ` of the row with the Baumgarte stabilisation of its constraint, if any.
    pub fn stabilised_gamma(&self, m: &Mechanism, env: &Environment<'_, S>) -> S {
        let Some(s) = &m.constraints[self.constraint].stabilisation else { return self.gamma };
        let alpha = s.alpha.eval(env);
        match self.position {
            None => self.gamma - alpha * self.velocity,
            Some(position) => {
                let beta = s.beta.eval(env);
                let damping = (alpha + alpha) * self.velocity;
                self.gamma - damping - beta * beta * position
            }
        }
    }

    /// True unless the partition marks the row as redundant in every pose. Rows of a group count as
    /// independent; `selection` decides between them at each pose.
    pub fn is_independent(&self, partition: &Partition) -> bool {
        !partition.is_redundant(self.row_index())
    }
}

/// A row of `A` with its drift `a₀`, before names and γ are added.
struct LinearRow<S> {
    /// Suffix of the row's name: the component, or empty if the constraint has a single row.
    suffix: String,
    /// Position residual `Φ`; `None` for a velocity constraint.
    position: Option<S>,
    /// Coefficients of the speeds: one row of `A`.
    columns: Vec<S>,
    /// Drift `a₀`: value of the row with all speeds zero.
    drift: S,
    /// Value of `A v + a₀`, if computed directly from the twists rather than from `columns`.
    velocity_residual: Option<S>,
}

impl<S: Scalar> LinearRow<S> {
    /// Velocity residual `A v + a₀` at the speeds `v`.
    fn velocity(&self, v: &[S]) -> S {
        self.columns
            .iter()
            .zip(v)
            .fold(self.drift, |sum, (a, v)| if a.is_zero() { sum } else { sum + *a * *v })
    }
}

/// Rows of all constraints except program constraints, in spec order, redundant rows included.
pub fn constraint_rows<S: Scalar>(m: &Mechanism, env: &Environment<'_, S>) -> Vec<ConstraintRow<S>> {
    evaluate_constraint_rows(m, env, &|c| !c.is_program())
}

/// Rows of the program constraints, which inputs realise, in spec order.
pub fn program_constraint_rows<S: Scalar>(m: &Mechanism, env: &Environment<'_, S>) -> Vec<ConstraintRow<S>> {
    evaluate_constraint_rows(m, env, &Constraint::is_program)
}

/// Rows of the constraints that `is_included` accepts, with γ by jets along the motion.
fn evaluate_constraint_rows<S: Scalar>(
    m: &Mechanism,
    env: &Environment<'_, S>,
    is_included: &dyn Fn(&Constraint) -> bool,
) -> Vec<ConstraintRow<S>> {
    if !m.constraints.iter().any(is_included) {
        return Vec::new();
    }
    let mut now = evaluate_linear_rows(m, env, is_included);
    let (qdot, _) = coordinate_rates(m, env);
    let still = vec![S::ZERO; m.nv()];
    let moving: Vec<S> = env.with_jets(S::ONE, &qdot, &still, |env| {
        let rows = evaluate_linear_rows::<Jet<S>>(m, env, is_included);
        rows.iter().map(|(_, row)| row.velocity_residual.unwrap_or_else(|| row.velocity(env.v)).d).collect()
    });
    let columns: Vec<S> = now.iter().flat_map(|(_, row)| row.columns.iter().copied()).collect();
    let forms = S::normal_forms(&[&columns, &moving]);
    let mut columns = forms[0].iter().copied();
    for (_, row) in &mut now {
        row.columns = columns.by_ref().take(m.nv()).collect();
    }
    now.into_iter()
        .zip(&forms[1])
        .map(|((index, row), rate)| {
            let name = row_name(&m.constraints[index.constraint].name, &row.suffix);
            ConstraintRow {
                constraint: index.constraint,
                index: index.row,
                position: row.position.map(|x| x.suggest_name(&|| format!("phi_{name}"))),
                velocity: row.velocity(env.v).suggest_name(&|| format!("phi_dot_{name}")),
                jacobian: SpeedId::enumerate(row.columns)
                    .map(|(i, a)| a.suggest_name(&|| format!("A_{name}_{}", m.speed_name_stem(i))))
                    .collect(),
                gamma: (-*rate).suggest_name(&|| format!("gamma_{name}")),
                drift: row.drift.suggest_name(&|| format!("drift_{name}")),
                name,
            }
        })
        .collect()
}

/// Coefficients `A` and drift `a₀` of the included constraints, row by row, each with its index.
fn evaluate_linear_rows<S: Scalar>(
    m: &Mechanism,
    env: &Environment<'_, S>,
    is_included: &dyn Fn(&Constraint) -> bool,
) -> Vec<(RowIndex, LinearRow<S>)> {
    let motion = convert_to_formulation_axes(m, env, kinematics(m, env), true);
    let k = &motion.kinematics;
    let zeros = vec![S::ZERO; m.nv()];
    // Coordinate rates `n₀` that remain when all speeds are zero.
    let (drift_rates, _) = coordinate_rates(m, &Environment { v: &zeros, ..*env });
    let mut out = Vec::new();
    for (i, c) in m.constraints.iter().enumerate().filter(|(_, c)| is_included(c)) {
        let rows = match c.kind.form().level_and_formula() {
            Some((Level::Positions, f)) => {
                let along =
                    |dt: S, dq: &[S]| env.with_jets(dt, dq, &zeros, |env| evaluate_formula(m, env, f)).d;
                let column = |j: SpeedId| -> Vec<S> { k.rate_matrix.iter().map(|row| row[j]).collect() };
                vec![LinearRow {
                    suffix: String::new(),
                    position: Some(evaluate_formula(m, env, f)),
                    columns: m.speed_ids().map(|j| along(S::ZERO, &column(j))).collect(),
                    drift: along(S::ONE, &drift_rates),
                    velocity_residual: None,
                }]
            }
            Some((Level::Speeds, f)) => {
                let still = vec![S::ZERO; m.nq()];
                let column = |j: SpeedId| {
                    let e: Vec<S> = m.speed_ids().map(|i| if i == j { S::ONE } else { S::ZERO }).collect();
                    env.with_jets(S::ZERO, &still, &e, |env| evaluate_formula(m, env, f)).d
                };
                vec![LinearRow {
                    suffix: String::new(),
                    position: None,
                    columns: m.speed_ids().map(column).collect(),
                    drift: evaluate_formula(m, &Environment { v: &zeros, ..*env }, f),
                    velocity_residual: None,
                }]
            }
            None => geometric_constraint_rows(m, &motion, c, env),
        };
        out.extend(rows.into_iter().enumerate().map(|(r, row)| (RowIndex { constraint: i, row: r }, row)));
    }
    out
}

/// Rows of a geometric constraint, from the relative motion of its two frames.
fn geometric_constraint_rows<S: Scalar>(
    m: &Mechanism,
    moving: &MotionInChosenAxes<S>,
    c: &Constraint,
    env: &Environment<'_, S>,
) -> Vec<LinearRow<S>> {
    let Some(ends) = c.kind.form().ends() else { return Vec::new() };
    let motion = relative_motion(m, &moving.kinematics, ends.from.0, ends.to.0);
    let to_motion_axes =
        |pole, body: Option<BodyId>| BodyToMotionAxes { pole, turn: body.and_then(|b| moving.turns[b]) };
    let bodies =
        [to_motion_axes(motion.first_pole, ends.from.0), to_motion_axes(motion.second_pole, ends.to.0)];
    let frame = relative_frame(ends, &motion.pose, bodies, env);
    let axes = ["x", "y", "z"];
    for (i, axis) in axes.iter().enumerate() {
        motion.pose.offset[i].suggest_name_with_rate(&|| format!("offset_{}_{axis}", c.name));
        frame.origin[i].suggest_name_with_rate(&|| format!("span_{}_{axis}", c.name));
        for (j, other) in axes.iter().enumerate() {
            motion.pose.rotation.0[i][j].suggest_name_with_rate(&|| format!("o_{}_{axis}{other}", c.name));
        }
    }
    let mut rows = Vec::new();
    for p in c.kind.row_functionals(&frame, env) {
        let (n, h) = functional_in_body_axes(&p, &frame);
        let TwistFunctional { columns, drift, velocity } = if p.in_second {
            motion.functional_in_second_axes(m.nv(), frame.arm, n, h)
        } else {
            motion.functional_in_first_axes(m.nv(), frame.arm, n, h)
        };
        for (i, a) in SpeedId::enumerate(&columns) {
            a.suggest_name_with_rate(&|| {
                format!("A_{}_{}", row_name(&c.name, &p.suffix), m.speed_name_stem(i))
            });
        }
        for (axis, (n, h)) in axes.iter().zip(n.0.iter().zip(&h.0)) {
            n.suggest_name_with_rate(&|| format!("n_{}_{axis}", row_name(&c.name, &p.suffix)));
            h.suggest_name_with_rate(&|| format!("h_{}_{axis}", row_name(&c.name, &p.suffix)));
        }
        let (drift, velocity) = (drift + p.drift, Some(velocity + p.drift));
        rows.push(LinearRow {
            suffix: p.suffix,
            position: p.position,
            columns,
            drift,
            velocity_residual: velocity,
        });
    }
    rows
}

/// Wrenches on the two bodies for one unit of a constraint row's multiplier, in body axes about the
/// poles. Rows that are formulas have none: their forces act on the speeds.
#[derive(Clone, Debug)]
pub struct RowWrenches<S> {
    /// Index of the row's constraint in the mechanism.
    pub constraint: usize,
    /// Index of the row within its constraint.
    pub index: usize,
    /// Each body with the wrench on it for one unit of the multiplier; the ground is left out.
    pub wrenches: Vec<(BodyId, Wrench<S>)>,
}

/// Wrenches for one unit of each multiplier, for all geometric constraints except program
/// constraints. Used for reactions and arrows.
pub fn constraint_wrenches<S: Scalar>(m: &Mechanism, env: &Environment<'_, S>) -> Vec<RowWrenches<S>> {
    let mut out = Vec::new();
    if m.constraints.is_empty() {
        return out;
    }
    let k = kinematics(m, env);
    for (constraint, c) in m.constraints.iter().enumerate().filter(|(_, c)| !c.is_program()) {
        let Some(ends) = c.kind.form().ends() else { continue };
        let motion = relative_motion(m, &k, ends.from.0, ends.to.0);
        let bodies =
            [motion.first_pole, motion.second_pole].map(|pole| BodyToMotionAxes { pole, turn: None });
        let frame = relative_frame(ends, &motion.pose, bodies, env);
        for (index, p) in c.kind.row_functionals(&frame, env).into_iter().enumerate() {
            let (n, h) = functional_in_body_axes(&p, &frame);
            let both = motion.unit_multiplier_wrenches(frame.arm, n, h, p.in_second);
            let bodies = [ends.from.0, ends.to.0].into_iter().zip(both);
            let wrenches = bodies.filter_map(|(body, w)| body.map(|b| (b, w))).collect();
            out.push(RowWrenches { constraint, index, wrenches });
        }
    }
    out
}

/// Pose of a geometric constraint's second frame relative to its first, from body poses; `None` for
/// a formula.
fn constraint_relative_frame<S: Scalar>(
    m: &Mechanism,
    poses: &[Pose<S>],
    c: &Constraint,
    env: &Environment<'_, S>,
) -> Option<RelativeFrame<S>> {
    let ends = c.kind.form().ends()?;
    let pose = relative_pose(m, &|i| poses[i], ends.to.0, ends.from.0);
    Some(relative_frame(ends, &pose, ends_in_body_axes(ends, |i| poses[i].pole), env))
}

/// Residuals `Φ` of all position-level rows, in the order of [`constraint_rows`]. Speeds are not
/// used.
pub fn position_residuals<S: Scalar>(m: &Mechanism, env: &Environment<'_, S>) -> Vec<S> {
    let poses = body_poses(m, env);
    let mut out = Vec::new();
    for c in m.constraints.iter().filter(|c| !c.is_program()) {
        match c.kind.form().level_and_formula() {
            Some((Level::Positions, f)) => out.push(evaluate_formula(m, env, f)),
            Some((Level::Speeds, _)) => {}
            None => {
                let Some(frame) = constraint_relative_frame(m, &poses, c, env) else { continue };
                out.extend(c.kind.row_functionals(&frame, env).iter().filter_map(|p| p.position));
            }
        }
    }
    out
}

/// Pose of each geometric constraint's second frame relative to its first: index of the constraint,
/// rotation matrix, origin in the axes of the first \[m\].
pub fn constraint_relative_frames<S: Scalar>(
    m: &Mechanism,
    env: &Environment<'_, S>,
) -> Vec<(usize, Mat3<S>, Vec3<S>)> {
    let poses = body_poses(m, env);
    let frames = m.constraints.iter().enumerate().filter(|(_, c)| !c.is_program());
    frames
        .filter_map(|(i, c)| constraint_relative_frame(m, &poses, c, env).map(|f| (i, f.rotation, f.origin)))
        .collect()
}

/// `∂Φ/∂q`: one row a residual of [`position_residuals`], one column a coordinate.
pub fn position_jacobian<S: Scalar>(m: &Mechanism, env: &Environment<'_, S>) -> Vec<Vec<S>> {
    differentiate_by_coordinates(
        m,
        env,
        |env| position_residuals(m, env),
        || position_residuals(m, env).len(),
    )
}

/// Derivatives of [`attitude_residuals`] by the coordinates: one row a residual, one column a
/// coordinate. Used by assembly.
pub fn attitude_jacobian<S: Scalar>(m: &Mechanism, env: &Environment<'_, S>) -> Vec<Vec<S>> {
    differentiate_by_coordinates(
        m,
        env,
        |env| attitude_residuals(m, env),
        || attitude_residuals(m, env).len(),
    )
}

/// Derivatives of residuals by the coordinates, one row a residual. `count` gives the number of
/// rows if the mechanism has no coordinates.
fn differentiate_by_coordinates<S: Scalar>(
    m: &Mechanism,
    env: &Environment<'_, S>,
    residuals: impl Fn(&Environment<'_, Jet<S>>) -> Vec<Jet<S>>,
    count: impl FnOnce() -> usize,
) -> Vec<Vec<S>> {
    let still = vec![S::ZERO; m.nv()];
    let columns: Vec<Vec<S>> = m
        .coordinate_ids()
        .map(|i| {
            let dq: Vec<S> = m.coordinate_ids().map(|k| if k == i { S::ONE } else { S::ZERO }).collect();
            env.with_jets(S::ZERO, &dq, &still, |env| residuals(env).iter().map(|x| x.d).collect())
        })
        .collect();
    let rows = columns.first().map_or_else(count, Vec::len);
    (0..rows).map(|r| columns.iter().map(|c| c[r]).collect()).collect()
}

/// [`position_residuals`], followed by differences of attitudes. Together they vanish only where
/// the axes also point in the intended directions, not in the opposite ones. Used by assembly.
pub fn attitude_residuals<S: Scalar>(m: &Mechanism, env: &Environment<'_, S>) -> Vec<S> {
    let poses = body_poses(m, env);
    let mut out = position_residuals(m, env);
    for c in m.constraints.iter().filter(|c| !c.is_program()) {
        if let Some(frame) = constraint_relative_frame(m, &poses, c, env) {
            out.extend(c.kind.attitude_differences(&frame, env));
        }
    }
    out
}

/// Signed alignments with the index of the constraint: positive where its axes point in the
/// intended directions, negative where in the opposite ones.
pub fn constraint_alignments<S: Scalar>(m: &Mechanism, env: &Environment<'_, S>) -> Vec<(usize, S)> {
    let poses = body_poses(m, env);
    let mut out = Vec::new();
    for (i, c) in m.constraints.iter().enumerate().filter(|(_, c)| !c.is_program()) {
        if let Some(frame) = constraint_relative_frame(m, &poses, c, env) {
            out.extend(c.kind.alignments(&frame, env).into_iter().map(|x| (i, x)));
        }
    }
    out
}
