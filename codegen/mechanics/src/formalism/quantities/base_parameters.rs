//! Base inertial parameters: a minimal set of combinations that determine the efforts.
//!
//! Problem: of the ten inertial parameters of each body, `τ = Y π` reveals only some combinations.
//!          Find them.
//! Method:  first, dependences that follow from the joints in every pose: inertia that a joint
//!          shares may belong to the parent as well (Gautier and Khalil 1990), so one column of the
//!          child is dropped for each shared inertia; zero columns are dropped. Then the remaining
//!          columns at random states: a column that is a combination of earlier ones is added to
//!          them (Gautier 1991). If there is none, the number is proven: from above by the joints,
//!          from below by the columns.
//! Shapes:  each base parameter is a linear combination of the 10 parameters of all bodies. One of
//!          them has the factor one and occurs in no other base parameter: if these have the values
//!          of the base parameters and all others are zero, the efforts are the same.
//! Units:   columns are compared without units: lengths relative to the size of the mechanism,
//!          times to the time in which gravity moves it by its size.
//! Cost:    O(columns² · rows), once.
//!
//! Not handled: constraints (the result is that of the tree); parameters of rotors and loads.

use super::regressor::{INERTIAL, inertia_to_parameters, regressor, zero_inertia};
use crate::kinematics::{self, BodyMotion, Kinematics, evaluate_vector, kinematics, quaternion_starts};
use crate::mechanism::{BodyId, Environment, Formula, Instant, Joint, JointVariable, Mechanism, Variable};
use dqdt_algebra::{Dimension, Inertia, Mat3, Number, Vec3};
use dqdt_diagnostics::base::Random;

/// Fraction of the longest regressor column below which a column counts as zero.
const ZERO: f64 = 1e-12;
/// Fraction of a column's length: a remainder below it after orthogonalisation makes it dependent.
const DEPENDENT: f64 = 1e-10;
/// Fraction of a column's length: a remainder above it makes it independent. In between it is
/// uncertain.
const INDEPENDENT: f64 = 1e-6;
/// Factor of a combination below which it counts as rounding error.
const NOTHING: f64 = 1e-12;

/// One base parameter: a linear combination of inertial parameters.
#[derive(Clone, PartialEq, Debug)]
pub struct BaseParameter {
    /// Index, among the 10 parameters of all bodies, of the one with the factor one that occurs in
    /// no other combination.
    pub place: usize,
    /// Indices of inertial parameters and factors of the combination, in order of the indices.
    pub combination: Vec<(usize, f64)>,
}

/// Base parameters of the efforts of a tree: combinations of inertial parameters that a motion
/// determines.
#[derive(Clone, PartialEq, Debug)]
pub struct BaseParameters {
    /// The base parameters in order of their indices.
    pub parameters: Vec<BaseParameter>,
    /// Names of all inertial parameters, ten a body, such as `body.Ixx`.
    pub names: Vec<String>,
    /// Number of parameters left by the joints alone; further dependences were found at random
    /// states.
    pub by_joints: usize,
    /// Number of columns that are neither clearly independent nor clearly dependent.
    pub uncertain: usize,
    /// True if gravity or a prescribed motion depends on time, which was only sampled from 0 to 3
    /// s.
    pub sampled_in_time: bool,
    /// Number of random states at which the efforts are not finite, which were skipped. If all were
    /// skipped, the result is unknown.
    pub without_numbers: usize,
}

impl BaseParameters {
    /// Values of the base parameters, from those of all inertial parameters.
    pub fn values(&self, all: &[f64]) -> Vec<f64> {
        let combinations = self.parameters.iter().map(|p| &p.combination);
        combinations.map(|c| c.iter().map(|(i, factor)| factor * all[*i]).sum()).collect()
    }

    /// Values of all inertial parameters that give these base parameters: zero, except one for
    /// each.
    pub fn all(&self, values: &[f64]) -> Vec<f64> {
        let mut all = vec![0.0; self.names.len()];
        for (p, value) in self.parameters.iter().zip(values) {
            all[p.place] = *value;
        }
        all
    }
}

/// Inertias that a body may share with its parent, in body axes about the pole. A joint that keeps
/// its pole in place shares a point mass there; if it rotates about one axis a only, also a first
/// moment along a and the tensor `E − a aᵀ`; if it does not rotate, everything. A joint that moves
/// its pole shares the part of the tensor that its rotation permits.
fn inertias_shared_with_parent(body: &BodyMotion<f64>, size: f64) -> Vec<Inertia<f64>> {
    let mut out = Vec::new();
    let keeps_pole = body.columns.iter().all(|c| vector_length(c.twist.v) <= 1e-14 * size);
    if keeps_pole {
        out.push(Inertia { mass: 1.0, ..zero_inertia() });
    }
    if body.absolute {
        return out;
    }
    let turns: Vec<Vec3<f64>> =
        body.columns.iter().map(|c| c.twist.w).filter(|w| vector_length(*w) > 1e-14).collect();
    match turns.as_slice() {
        [] => {
            if keeps_pole {
                out.extend([0, 1, 2].map(|i| Inertia { first: Vec3::unit_vector(i), ..zero_inertia() }));
            }
            out.extend([(0, 0), (0, 1), (1, 1), (0, 2), (1, 2), (2, 2)].map(|(i, j)| {
                let mut unit = zero_inertia();
                (unit.second.0[i][j], unit.second.0[j][i]) = (1.0, 1.0);
                unit
            }));
        }
        [w] => {
            let axis = w.scale(1.0 / vector_length(*w));
            if keeps_pole {
                out.push(Inertia { first: axis, ..zero_inertia() });
            }
            let across =
                [0, 1, 2].map(|i| [0, 1, 2].map(|j| f64::from(u8::from(i == j)) - axis[i] * axis[j]));
            out.push(Inertia { second: Mat3(across), ..zero_inertia() });
        }
        _ => {}
    }
    out
}

fn vector_length(x: Vec3<f64>) -> f64 {
    x.dot(x).sqrt()
}

/// Inertial parameters as combinations of all: a row for each one that has not been dropped.
struct ParameterRows(Vec<Option<Vec<f64>>>);

impl ParameterRows {
    /// Drops a parameter whose regressor column is the sum of others, with these factors.
    fn drop_parameter(&mut self, place: usize, others: &[(usize, f64)]) {
        let Some(dropped) = self.0[place].take() else { return };
        for (other, factor) in others {
            if let Some(row) = &mut self.0[*other] {
                row.iter_mut().zip(&dropped).for_each(|(x, o)| *x += factor * o);
            }
        }
    }
}

/// Combinations of parameters that follow from the joints, from the leaves to the root. Each shared
/// inertia drops the parameter in which it is largest.
fn combine_parameters_by_joints(m: &Mechanism, k: &Kinematics<f64>, size: f64) -> ParameterRows {
    let n = 10 * m.bodies.len();
    let mut rows =
        ParameterRows((0..n).map(|i| Some((0..n).map(|j| f64::from(u8::from(i == j))).collect())).collect());
    for (b, body) in BodyId::enumerate(&k.bodies).rev() {
        for inertia in inertias_shared_with_parent(body, size) {
            let parameters = inertia_to_parameters(&inertia);
            let largest = parameters.iter().fold(0.0f64, |x, y| x.max(y.abs()));
            let Some(pivot) = parameters.iter().rposition(|x| x.abs() > (1.0 - 1e-9) * largest) else {
                continue;
            };
            let mut others: Vec<(usize, f64)> = (0..10)
                .filter(|i| *i != pivot && parameters[*i].abs() > NOTHING)
                .map(|i| (10 * b.index() + i, -parameters[i] / parameters[pivot]))
                .collect();
            if let Some(parent) = m.parent_body(b) {
                let there =
                    inertia_to_parameters(&inertia.transform_to_frame(&body.relative_rotation, body.offset));
                others.extend(
                    there.iter().enumerate().map(|(i, x)| (10 * parent.index() + i, x / parameters[pivot])),
                );
            }
            rows.drop_parameter(10 * b.index() + pivot, &others);
        }
    }
    rows
}

/// Size of a mechanism \[m\]: the largest distance along an axis between neighbouring joints, or of
/// a centre of mass from its joint; one if all are zero.
fn mechanism_length(k: &Kinematics<f64>) -> f64 {
    let largest = k.bodies.iter().fold(0.0, |a, b| {
        let heavy = b.inertia.mass > 0.0;
        let centre = if heavy { b.inertia.first.scale(1.0 / b.inertia.mass) } else { b.offset };
        b.offset.0.iter().chain(&centre.0).fold(a, |a: f64, x| a.max(x.abs()))
    });
    positive_or_one(largest)
}

/// The value if it is finite and positive, else one.
fn positive_or_one(x: f64) -> f64 {
    if x.is_finite() && x > 0.0 { x } else { 1.0 }
}

/// Size of a mechanism \[m\] at its default parameters, one if it has none.
pub fn default_mechanism_length(m: &Mechanism) -> f64 {
    let p = kinematics::evaluate_parameters(m, &Number::to_f64, &[]);
    let start = kinematics::initial_instant(m, &Number::to_f64, &p);
    mechanism_length(&kinematics(m, &start.as_environment(&Number::to_f64)))
}

/// Units of length and time in which a mechanism has the size one, to compare regressor columns.
struct Units {
    /// Unit of length \[m\].
    length: f64,
    /// Unit of time \[s\].
    time: f64,
}

impl Units {
    /// Units from the size of the mechanism and gravity; the second if it depends on time.
    fn new(m: &Mechanism, k: &Kinematics<f64>, env: &Environment<'_, f64>) -> Self {
        let length = mechanism_length(k);
        let gravity = evaluate_vector(&m.gravity, env).0.iter().fold(0.0f64, |a, x| a.max(x.abs()));
        let moves_by_itself = depends_on_time(m);
        // Prescribed motion has a time scale of its own.
        Units { length, time: if moves_by_itself { 1.0 } else { positive_or_one((length / gravity).sqrt()) } }
    }

    /// Unit of a coordinate or speed of this dimension, without its time.
    fn motion_unit(&self, dimension: Dimension) -> f64 {
        if dimension.is_translational() { self.length } else { 1.0 }
    }

    /// Unit of an inertial parameter, by its index among those of all bodies.
    fn parameter_unit(&self, place: usize) -> f64 {
        match place % 10 {
            0 => 1.0,
            1..=3 => self.length,
            _ => self.length * self.length,
        }
    }
}

/// True if gravity or a prescribed motion depends on time.
fn depends_on_time(m: &Mechanism) -> bool {
    m.gravity.iter().any(mentions_time) || m.joints.iter().any(is_prescribed_in_time)
}

/// True if a coordinate or speed of the joint is prescribed as a function of time.
fn is_prescribed_in_time(joint: &Joint) -> bool {
    let mut coordinates = joint.coordinates.iter().filter_map(JointVariable::prescribed_formula);
    let mut speeds = joint.speeds.iter().filter_map(JointVariable::prescribed_formula);
    coordinates.any(mentions_time) || speeds.any(mentions_time)
}

/// True if the formula depends on time explicitly.
fn mentions_time(f: &Formula) -> bool {
    f.any_variable(&|v| v == Variable::Time)
}

/// Random state of generic coordinates and speeds, in units of the mechanism.
fn random_state(m: &Mechanism, start: &Instant<f64>, units: &Units, random: &mut Random) -> Instant<f64> {
    let mut s = start.clone();
    s.t = random.next_between(0.0, 3.0);
    for (q, c) in s.q.iter_mut().zip(&m.coordinates) {
        *q = random.next_between(-1.4, 1.4) * units.motion_unit(c.dimension);
    }
    for (v, speed) in s.v.iter_mut().zip(&m.speeds) {
        *v = random.next_between(-2.0, 2.0) * units.motion_unit(speed.dimension) / units.time;
    }
    for first in quaternion_starts(m) {
        let e = &mut s.q[first.quaternion_range()];
        let length = e.iter().map(|x| x * x).sum::<f64>().sqrt().max(1e-3);
        e.iter_mut().for_each(|x| *x /= length);
    }
    s
}

/// Columns of the regressor `Y` at random states, without units, and the number of states at which
/// they are not finite.
fn sample_regressor_columns(m: &Mechanism, start: &Instant<f64>, units: &Units) -> (Vec<Vec<f64>>, usize) {
    let n = 10 * m.bodies.len();
    let mut random = Random::new(7);
    let mut columns = vec![Vec::new(); n];
    let (wanted, mut sampled, mut skipped) = (2 * n / m.nv().max(1) + 8, 0, 0);
    // States with a zero divisor in the kinematics, or a formula that is not finite, are skipped.
    while sampled < wanted && skipped < 4 * wanted {
        let state = random_state(m, start, units, &mut random);
        let pace = 1.0 / (units.time * units.time);
        let a: Vec<f64> = (m.speeds.iter())
            .map(|s| random.next_between(-2.0, 2.0) * (units.motion_unit(s.dimension) * pace))
            .collect();
        let y = regressor(m, &state.as_environment(&Number::to_f64), &a);
        if !y.matrix.iter().flatten().all(|x| x.is_finite()) {
            skipped += 1;
            continue;
        }
        sampled += 1;
        for (row, speed) in y.matrix.iter().zip(&m.speeds) {
            let effort = units.length * units.length / units.motion_unit(speed.dimension) * pace;
            for (place, (column, x)) in columns.iter_mut().zip(row).enumerate() {
                column.push(x / effort * units.parameter_unit(place));
            }
        }
    }
    (columns, skipped)
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Euclidean length of a vector.
fn norm(a: &[f64]) -> f64 {
    dot(a, a).sqrt()
}

/// Independent regressor columns so far: as orthonormal directions, and these as combinations of
/// the columns.
#[derive(Default)]
struct OrthogonalColumns {
    /// Orthonormal directions that the columns span.
    directions: Vec<Vec<f64>>,
    /// Factors of each direction by the independent columns.
    factors: Vec<Vec<f64>>,
}

impl OrthogonalColumns {
    /// Remainder of a column after orthogonalisation, and its factors by the independent columns.
    fn orthogonalise_column(&self, column: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let (mut left, mut by) = (column.to_vec(), vec![0.0; self.directions.len()]);
        // Orthogonalises twice; a single pass is not accurate to rounding.
        for _ in 0..2 {
            for (direction, factors) in self.directions.iter().zip(&self.factors) {
                let share = dot(direction, &left);
                left.iter_mut().zip(direction).for_each(|(x, d)| *x -= share * d);
                by.iter_mut().zip(factors).for_each(|(b, f)| *b += share * f);
            }
        }
        (left, by)
    }

    /// Adds an independent column by its remainder `left` and its factors `by`.
    fn add_independent_column(&mut self, left: &[f64], by: &[f64]) {
        let size = norm(left);
        self.factors.iter_mut().for_each(|f| f.push(0.0));
        self.factors.push(by.iter().map(|b| -b / size).chain([1.0 / size]).collect());
        self.directions.push(left.iter().map(|x| x / size).collect());
    }
}

/// Base parameters of the efforts of a tree, at its default parameters.
pub fn base_parameters(m: &Mechanism) -> BaseParameters {
    let names: Vec<String> =
        m.bodies.iter().flat_map(|b| INERTIAL.iter().map(move |p| format!("{}.{p}", b.name))).collect();
    let p = kinematics::evaluate_parameters(m, &Number::to_f64, &[]);
    let start = kinematics::initial_instant(m, &Number::to_f64, &p);
    let env = start.as_environment(&Number::to_f64);
    let k = kinematics(m, &env);
    let units = Units::new(m, &k, &env);
    let mut rows = combine_parameters_by_joints(m, &k, units.length);
    let (columns, without_numbers) = sample_regressor_columns(m, &start, &units);
    let largest = columns.iter().fold(0.0f64, |a, c| a.max(norm(c)));
    let revealed: Vec<usize> = (0..names.len())
        .filter(|i| rows.0[*i].is_some())
        .filter(|i| norm(&columns[*i]) > ZERO * largest)
        .collect();
    let (mut independent, mut kept, mut uncertain): (OrthogonalColumns, Vec<usize>, usize) =
        Default::default();
    for place in &revealed {
        let column = &columns[*place];
        let (left, by) = independent.orthogonalise_column(column);
        let share = norm(&left) / norm(column);
        // The remainder of a short column is rounding error of the long ones.
        let rounding = DEPENDENT.max(ZERO * largest / norm(column)).min(0.1);
        if share < rounding {
            let others: Vec<(usize, f64)> = (kept.iter().zip(&by))
                .filter(|(_, f)| f.abs() > DEPENDENT)
                .map(|(i, f)| (*i, f * units.parameter_unit(*i) / units.parameter_unit(*place)))
                .collect();
            rows.drop_parameter(*place, &others);
            continue;
        }
        uncertain += usize::from(share < INDEPENDENT.max(1e3 * rounding));
        independent.add_independent_column(&left, &by);
        kept.push(*place);
    }
    if columns.iter().all(Vec::is_empty) {
        uncertain = names.len();
    }
    let parameters = (kept.into_iter())
        .map(|place| {
            let factors = rows.0[place].iter().flatten().copied().enumerate();
            let combination = factors
                .filter(|(i, x)| (x * units.parameter_unit(*i) / units.parameter_unit(place)).abs() > NOTHING)
                .collect();
            BaseParameter { place, combination }
        })
        .collect();
    BaseParameters {
        parameters,
        names,
        by_joints: revealed.len(),
        uncertain,
        sampled_in_time: depends_on_time(m),
        without_numbers,
    }
}
