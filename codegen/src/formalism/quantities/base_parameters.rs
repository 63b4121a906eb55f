//! Base inertial parameters: the combinations that efforts depend on, as few as there can be.
//!
//! Problem: of the ten inertial parameters of each body, `τ = Y π` shows only some combinations. Which are they?
//! Method:  first what follows from the joints alone, in every pose: what a joint shares goes from the child to the parent
//!          ([`super::super::dynamics::regroup`]; Gautier and Khalil 1990), and what then has a column of zeros is left out.
//!          Then the columns that are left, at random states: one that is a combination of those before it is added to them
//!          (Gautier 1991). Where none is, the number is proved: from above by the joints, from below by the columns.
//! Shapes:  each base parameter is a linear combination of the 10 parameters of all bodies; one of them has the factor one and stands
//!          in no other: with the base parameters at those and zeros elsewhere the efforts are the same.
//! Cost:    O(columns² · rows), once.
//! Not handled: constraints: it is that of the tree; parameters of rotors and loads.

use super::super::dynamics::regroup::handed_on;
use super::regressor::{INERTIAL, nothing, of_inertia, regressor, unit};
use crate::algebra::{Inertia, Number};
use crate::base::Random;
use crate::kinematics::{self, kinematics, quaternions};
use crate::mechanism::{Environment, Instant, Mechanism};

/// A column below this share of its length, once those before it are taken out of it, is their combination.
const DEPENDENT: f64 = 1e-9;
/// Above this share it is none. In between it is not known.
const INDEPENDENT: f64 = 1e-6;
/// Factors below this are rounding.
const NOTHING: f64 = 1e-12;

/// One of them.
#[derive(Clone, PartialEq, Debug)]
pub struct BaseParameter {
    /// Its place among the 10 parameters of all bodies: the one with the factor one, that stands in no other.
    pub place: usize,
    /// Places and factors of the combination, in order of the places.
    pub combination: Vec<(usize, f64)>,
}

/// The base parameters of the efforts of a tree.
#[derive(Clone, PartialEq, Debug)]
pub struct BaseParameters {
    /// In order of their places.
    pub parameters: Vec<BaseParameter>,
    /// Names of all parameters, `body.Ixx`.
    pub names: Vec<String>,
    /// Combinations that follow from the joints alone; those beyond were found at random states.
    pub by_joints: usize,
    /// Columns that are neither clearly independent nor clearly not.
    pub uncertain: usize,
}

impl BaseParameters {
    /// Values from those of all parameters.
    pub fn values(&self, all: &[f64]) -> Vec<f64> {
        let one = |p: &BaseParameter| p.combination.iter().map(|(i, factor)| factor * all[*i]).sum();
        self.parameters.iter().map(one).collect()
    }

    /// All parameters that have these values: zero, but for one each.
    pub fn all(&self, values: &[f64]) -> Vec<f64> {
        let mut all = vec![0.0; self.names.len()];
        for (p, value) in self.parameters.iter().zip(values) {
            all[p.place] = *value;
        }
        all
    }
}

/// What of each parameter is where, once joints have handed on what they share: a column a parameter.
fn by_joints(m: &Mechanism, env: &Environment<'_, f64>) -> Vec<Vec<f64>> {
    let k = kinematics(m, env);
    let column = |at: usize| {
        let mut inertias: Vec<Inertia<f64>> = vec![nothing(); m.bodies.len()];
        inertias[at / 10] = unit(at % 10);
        for (i, body) in k.bodies.iter().enumerate().rev() {
            let (left, moved) = handed_on(body, &inertias[i]);
            inertias[i] = left;
            if let Some(parent) = m.joints[i].parent {
                inertias[parent] = inertias[parent] + moved;
            }
        }
        inertias.iter().flat_map(of_inertia).collect()
    };
    (0..10 * m.bodies.len()).map(column).collect()
}

/// A random state near nothing in particular.
fn random_state(m: &Mechanism, start: &Instant<f64>, random: &mut Random) -> Instant<f64> {
    let mut s = start.clone();
    s.t = random.within(0.0, 3.0);
    s.q.iter_mut().for_each(|q| *q = random.within(-1.4, 1.4));
    s.v.iter_mut().for_each(|v| *v = random.within(-2.0, 2.0));
    for first in quaternions(m) {
        let e = &mut s.q[first..first + 4];
        let length = e.iter().map(|x| x * x).sum::<f64>().sqrt().max(1e-3);
        e.iter_mut().for_each(|x| *x /= length);
    }
    s
}

/// Columns of `Y` at random states.
fn columns(m: &Mechanism) -> Vec<Vec<f64>> {
    let n = 10 * m.bodies.len();
    let p = kinematics::parameters(m, &Number::to_f64, &[]);
    let start = kinematics::start(m, &Number::to_f64, &p);
    let mut random = Random::new(7);
    let mut columns = vec![Vec::new(); n];
    let states = 2 * n / m.nv().max(1) + 8;
    for _ in 0..states {
        let state = random_state(m, &start, &mut random);
        let a: Vec<f64> = (0..m.nv()).map(|_| random.within(-2.0, 2.0)).collect();
        let y = regressor(m, &state.environment(&Number::to_f64), &a);
        // A state in which the kinematics divides by nothing has no columns.
        if y.matrix.iter().flatten().all(|x| x.is_finite()) {
            for row in &y.matrix {
                columns.iter_mut().zip(row).for_each(|(c, x)| c.push(*x));
            }
        }
    }
    columns
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Columns taken so far: orthonormal, and each as a combination of the given ones.
#[derive(Default)]
struct Taken {
    directions: Vec<Vec<f64>>,
    /// Of each direction its factors by the columns taken.
    factors: Vec<Vec<f64>>,
}

impl Taken {
    /// What is left of a column, and its factors by the columns taken.
    fn split(&self, column: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let (mut left, mut by) = (column.to_vec(), vec![0.0; self.directions.len()]);
        // Twice: once is not orthogonal to rounding.
        for _ in 0..2 {
            for (direction, factors) in self.directions.iter().zip(&self.factors) {
                let share = dot(direction, &left);
                left.iter_mut().zip(direction).for_each(|(x, d)| *x -= share * d);
                by.iter_mut().zip(factors).for_each(|(b, f)| *b += share * f);
            }
        }
        (left, by)
    }

    fn push(&mut self, left: &[f64], by: &[f64]) {
        let size = dot(left, left).sqrt();
        self.factors.iter_mut().for_each(|f| f.push(0.0));
        self.factors.push(by.iter().map(|b| -b / size).chain([1.0 / size]).collect());
        self.directions.push(left.iter().map(|x| x / size).collect());
    }
}

/// The base parameters of the efforts of a tree, at its default parameters.
pub fn base_parameters(m: &Mechanism) -> BaseParameters {
    let names: Vec<String> =
        m.bodies.iter().flat_map(|b| INERTIAL.iter().map(move |p| format!("{}.{p}", b.name))).collect();
    let p = kinematics::parameters(m, &Number::to_f64, &[]);
    let start = kinematics::start(m, &Number::to_f64, &p);
    let moved = by_joints(m, &start.environment(&Number::to_f64));
    let columns = columns(m);
    let largest = columns.iter().flatten().fold(0.0f64, |a, x| a.max(x.abs()));
    // Rows: what stands at each place.
    let combination = |place: usize| -> Vec<f64> { moved.iter().map(|column| column[place]).collect() };
    let seen: Vec<usize> = (0..names.len())
        .filter(|i| columns[*i].iter().any(|x| x.abs() > NOTHING * largest))
        .filter(|i| combination(*i).iter().any(|x| x.abs() > NOTHING))
        .collect();
    let (mut taken, mut kept): (Taken, Vec<(usize, Vec<f64>)>) = Default::default();
    let mut uncertain = 0;
    for place in &seen {
        let column = &columns[*place];
        let (left, by) = taken.split(column);
        let share = (dot(&left, &left) / dot(column, column)).sqrt();
        if share < DEPENDENT {
            let own = combination(*place);
            for ((_, all), factor) in kept.iter_mut().zip(&by).filter(|(_, f)| f.abs() > DEPENDENT) {
                all.iter_mut().zip(&own).for_each(|(x, o)| *x += factor * o);
            }
            continue;
        }
        uncertain += usize::from(share < INDEPENDENT);
        taken.push(&left, &by);
        kept.push((*place, combination(*place)));
    }
    let parameter = |(place, all): (usize, Vec<f64>)| {
        let factors = all.into_iter().enumerate().filter(|(_, x)| x.abs() > NOTHING);
        BaseParameter { place, combination: factors.collect() }
    };
    let parameters = kept.into_iter().map(parameter).collect();
    BaseParameters { parameters, names, by_joints: seen.len(), uncertain }
}
