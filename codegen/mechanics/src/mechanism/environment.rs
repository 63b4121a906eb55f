//! Names of formulas and their values: time, coordinates, speeds, user states, inputs, parameters.

use super::formulation::Formulation;
use super::index::{CoordinateId, ParameterId, SpeedId};
use super::partition::Partition;
use dqdt_algebra::{Jet, Number, Scalar};

/// What a name in a formula refers to; the number is the position in its list.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Variable {
    /// `t`
    Time,
    /// `p[i]`: any parameter, free, constant or derived.
    Parameter(ParameterId),
    /// `q[i]`
    Coordinate(CoordinateId),
    /// `v[i]`
    Speed(SpeedId),
    /// `z[i]`
    State(usize),
    /// `u[i]`, after saturation.
    Input(usize),
    /// `measures[i]` of the mechanism, one that the pose decides.
    Position(usize),
    /// `measures[i]` of the mechanism, one that depends on the speeds.
    Velocity(usize),
}

/// All that the equations of a mechanism depend on, at one instant, over a scalar.
///
/// `p` has a value for every parameter of the mechanism: constants and derived ones included.
#[derive(Clone, PartialEq, Debug, Default)]
#[allow(missing_docs)]
pub struct Instant<S> {
    pub t: S,
    pub q: Vec<S>,
    pub v: Vec<S>,
    pub z: Vec<S>,
    pub u: Vec<S>,
    pub p: Vec<S>,
    /// Formulas with names that stand for themselves, by their place; empty but where equations are
    /// printed.
    pub named: Vec<Option<NamedSymbol<S>>>,
}

/// What a formula with a name is where it stands for itself.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct NamedSymbol<S> {
    /// Its symbol.
    pub value: S,
    /// Its first and second derivative by time; `None`: where it is differentiated, it is the
    /// formula.
    pub rates: Option<[S; 2]>,
}

impl<S: Scalar> NamedSymbol<S> {
    /// As a jet along which time runs at the rate `dt` and everything else moves as well.
    fn moving(self, dt: S) -> Option<NamedSymbol<Jet<S>>> {
        let [first, second] = self.rates?;
        let jet = |x: S, rate: S| Jet::new(x, rate * dt);
        // Nothing of motion has a third derivative.
        let rates = Some([jet(first, second), Jet::constant(second)]);
        Some(NamedSymbol { value: jet(self.value, first), rates })
    }
}

impl<S: Copy> Instant<S> {
    /// The same as formulas see it; `number` lifts an exact constant.
    pub fn environment<'a>(&'a self, number: &'a dyn Fn(Number) -> S) -> Environment<'a, S> {
        let Instant { t, q, v, z, u, p, named } = self;
        let partition = Partition::ALL_ROWS;
        Environment {
            number,
            t: *t,
            q,
            v,
            z,
            u,
            p,
            named,
            measures: &[],
            regrouped: &[],
            formulation: None,
            partition,
        }
    }

    /// As formulas see it with other inputs.
    pub fn with_inputs<'a>(&'a self, number: &'a dyn Fn(Number) -> S, u: &'a [S]) -> Environment<'a, S> {
        Environment { u, ..self.environment(number) }
    }
}

/// What the names of a formula stand for, over a scalar: an [`Instant`], of which any part can be another.
///
/// `p` has a value for every parameter of the mechanism: constants and derived ones included.
#[derive(Clone, Copy)]
#[allow(missing_docs)]
pub struct Environment<'a, S> {
    /// Lifts an exact constant.
    pub number: &'a dyn Fn(Number) -> S,
    pub t: S,
    pub q: &'a [S],
    pub v: &'a [S],
    pub z: &'a [S],
    pub u: &'a [S],
    pub p: &'a [S],
    /// Formulas with names that stand for themselves, by their place.
    pub named: &'a [Option<NamedSymbol<S>>],
    /// Values of the measures; empty but where a formula that may name them is evaluated (`kinematics::value_of`).
    pub measures: &'a [S],
    /// For each joint whether its body's inertia is written with base parameters, where that keeps the values; empty: none.
    pub regrouped: &'a [bool],
    /// How the equations are written; `None`: all choices open.
    pub formulation: Option<&'a Formulation>,
    /// Which rows of constraints take part; formulas do not depend on it.
    pub partition: &'a Partition,
}

impl<S: Scalar> Environment<'_, S> {
    /// The value of a name.
    pub fn variable(&self, v: Variable) -> S {
        match v {
            Variable::Time => self.t,
            Variable::Parameter(i) => self.p[i],
            Variable::Coordinate(i) => self.q[i],
            Variable::Speed(i) => self.v[i],
            Variable::State(i) => self.z[i],
            Variable::Input(i) => self.u[i],
            Variable::Position(i) | Variable::Velocity(i) => self.measures[i],
        }
    }

    /// Calls `f` with the environment lifted to jets: `t`, `q`, `v` move with the given rates, the rest stands still.
    pub fn with_jets<R>(
        &self,
        dt: S,
        dq: &[S],
        dv: &[S],
        f: impl FnOnce(&Environment<'_, Jet<S>>) -> R,
    ) -> R {
        let pair =
            |x: &[S], d: &[S]| -> Vec<Jet<S>> { x.iter().zip(d).map(|(x, d)| Jet::new(*x, *d)).collect() };
        let (number, still) = (|n: Number| Jet::constant((self.number)(n)), self.still());
        let named = self.named.iter().map(|n| n.and_then(|n| n.moving(dt))).collect();
        let moving =
            Instant { t: Jet::new(self.t, dt), q: pair(self.q, dq), v: pair(self.v, dv), named, ..still };
        f(&Environment {
            formulation: self.formulation,
            partition: self.partition,
            ..moving.environment(&number)
        })
    }

    /// Calls `f` with the environment lifted to jets of which input `k` alone moves, from zero, at the rate one.
    pub fn with_jet_of_input<R>(&self, k: usize, f: impl FnOnce(&Environment<'_, Jet<S>>) -> R) -> R {
        let (number, mut lifted) = (|n: Number| Jet::constant((self.number)(n)), self.still());
        lifted.u[k] = Jet::variable(S::ZERO);
        f(&Environment {
            formulation: self.formulation,
            partition: self.partition,
            ..lifted.environment(&number)
        })
    }

    /// Calls `f` with the environment lifted to jets of which the inputs alone move, from zero, at these rates.
    pub fn with_jets_of_inputs<R>(&self, rates: &[S], f: impl FnOnce(&Environment<'_, Jet<S>>) -> R) -> R {
        let (number, mut lifted) = (|n: Number| Jet::constant((self.number)(n)), self.still());
        lifted.u.iter_mut().zip(rates).for_each(|(u, d)| *u = Jet::new(S::ZERO, *d));
        f(&Environment {
            formulation: self.formulation,
            partition: self.partition,
            ..lifted.environment(&number)
        })
    }

    /// Whether some body is written in axes that do not turn with its joint.
    pub fn any_unturned(&self) -> bool {
        self.formulation.is_some_and(Formulation::any_unturned)
    }

    /// As jets that stand still.
    fn still(&self) -> Instant<Jet<S>> {
        let still = |x: &[S]| -> Vec<Jet<S>> { x.iter().map(|x| Jet::constant(*x)).collect() };
        Instant {
            t: Jet::constant(self.t),
            q: still(self.q),
            v: still(self.v),
            z: still(self.z),
            u: still(self.u),
            p: still(self.p),
            // Time stands still: what is of time alone does, too.
            named: self.named.iter().map(|n| n.and_then(|n| n.moving(S::ZERO))).collect(),
        }
    }
}
