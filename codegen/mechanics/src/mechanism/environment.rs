//! Variables of formulas and their values: time, coordinates, speeds, user states, inputs,
//! parameters.

use super::formulation::Formulation;
use super::index::{CoordinateId, ParameterId, SpeedId};
use super::partition::Partition;
use dqdt_algebra::{Jet, Number, Scalar};

/// A variable in a formula of the spec; the number is an index into the list of its kind.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Variable {
    /// Time `t`.
    Time,
    /// Parameter `p[i]`: free, constant or derived.
    Parameter(ParameterId),
    /// Coordinate `q[i]`.
    Coordinate(CoordinateId),
    /// Speed `v[i]`.
    Speed(SpeedId),
    /// User state `z[i]`.
    State(usize),
    /// Input `u[i]`, after saturation.
    Input(usize),
    /// Measure `i` of the mechanism, one that depends on coordinates only, such as a distance.
    Position(usize),
    /// Measure `i` of the mechanism, one that depends on speeds, such as the rate of a distance.
    Velocity(usize),
}

/// Values of all variables at one instant, over any scalar.
///
/// `p` has a value for every parameter of the mechanism, constant and derived ones included.
#[derive(Clone, PartialEq, Debug, Default)]
#[allow(missing_docs)]
pub struct Instant<S> {
    pub t: S,
    pub q: Vec<S>,
    pub v: Vec<S>,
    pub z: Vec<S>,
    pub u: Vec<S>,
    pub p: Vec<S>,
    /// Symbols that replace named formulas, indexed by
    /// [`NamedFormula::place`](super::NamedFormula::place). Empty unless equations are printed.
    pub named: Vec<Option<NamedSymbol<S>>>,
}

/// A symbol that replaces a named formula (definition, prescribed coordinate) in printed equations.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct NamedSymbol<S> {
    /// Value of the symbol: its node in the graph.
    pub value: S,
    /// First and second time derivative of the symbol; `None` if derivatives are taken of the
    /// formula instead.
    pub rates: Option<[S; 2]>,
}

impl<S: Scalar> NamedSymbol<S> {
    /// Lifts the symbol to a jet along a motion in which time has the rate `dt`; `None` without
    /// rates.
    fn lift_to_jet(self, dt: S) -> Option<NamedSymbol<Jet<S>>> {
        let [first, second] = self.rates?;
        let jet = |x: S, rate: S| Jet::new(x, rate * dt);
        // No equation of motion needs the third derivative.
        let rates = Some([jet(first, second), Jet::constant(second)]);
        Some(NamedSymbol { value: jet(self.value, first), rates })
    }
}

impl<S: Copy> Instant<S> {
    /// A view of these values for evaluating formulas. `number` converts an exact constant to the
    /// scalar.
    pub fn as_environment<'a>(&'a self, number: &'a dyn Fn(Number) -> S) -> Environment<'a, S> {
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

    /// View of these values, as by [`Self::as_environment`], with other inputs `u`.
    pub fn environment_with_inputs<'a>(
        &'a self,
        number: &'a dyn Fn(Number) -> S,
        u: &'a [S],
    ) -> Environment<'a, S> {
        Environment { u, ..self.as_environment(number) }
    }
}

/// Values of the variables by reference, with the choices that evaluation depends on. [`Instant`]
/// owns the values; any part can be replaced.
///
/// `p` has a value for every parameter of the mechanism, constant and derived ones included.
#[derive(Clone, Copy)]
#[allow(missing_docs)]
pub struct Environment<'a, S> {
    /// Converts an exact constant to the scalar type.
    pub number: &'a dyn Fn(Number) -> S,
    pub t: S,
    pub q: &'a [S],
    pub v: &'a [S],
    pub z: &'a [S],
    pub u: &'a [S],
    pub p: &'a [S],
    /// Symbols that replace named formulas in printed equations, by their place.
    pub named: &'a [Option<NamedSymbol<S>>],
    /// Values of the measures. Empty except while a formula that names measures is evaluated
    /// (`kinematics::value_of`).
    pub measures: &'a [S],
    /// Joints for which the inertia of the outboard body is written with base parameters, one flag
    /// a joint. Set only where that does not change the values. Empty: none.
    pub regrouped: &'a [bool],
    /// Formulation of the equations (body axes, joint origins, elimination groups); `None`:
    /// defaults.
    pub formulation: Option<&'a Formulation>,
    /// Active constraint rows and dependent speeds, as chosen by assembly. Formulas do not depend
    /// on it.
    pub partition: &'a Partition,
}

impl<S: Scalar> Environment<'_, S> {
    /// Value of a variable in this environment.
    pub fn variable_value(&self, v: Variable) -> S {
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

    /// Calls `f` with the environment lifted to jets: `t`, `q`, `v` have these rates, all else is
    /// constant.
    pub fn with_jets<R>(
        &self,
        dt: S,
        dq: &[S],
        dv: &[S],
        f: impl FnOnce(&Environment<'_, Jet<S>>) -> R,
    ) -> R {
        let (number, constant) = (|n: Number| Jet::constant((self.number)(n)), self.lift_to_constant_jets());
        let named = self.named.iter().map(|n| n.and_then(|n| n.lift_to_jet(dt))).collect();
        let moving = Instant {
            t: Jet::new(self.t, dt),
            q: combine_to_jets(self.q, dq),
            v: combine_to_jets(self.v, dv),
            named,
            ..constant
        };
        f(&Environment {
            formulation: self.formulation,
            partition: self.partition,
            ..moving.as_environment(&number)
        })
    }

    /// Calls `f` with the environment lifted to jets in which only input `k` varies, from zero, at
    /// rate one.
    pub fn with_input_jet<R>(&self, k: usize, f: impl FnOnce(&Environment<'_, Jet<S>>) -> R) -> R {
        let (number, mut lifted) =
            (|n: Number| Jet::constant((self.number)(n)), self.lift_to_constant_jets());
        lifted.u[k] = Jet::variable(S::ZERO);
        f(&Environment {
            formulation: self.formulation,
            partition: self.partition,
            ..lifted.as_environment(&number)
        })
    }

    /// Calls `f` with the environment lifted to jets in which only the inputs vary, from zero, at
    /// these rates.
    pub fn with_input_jets<R>(&self, rates: &[S], f: impl FnOnce(&Environment<'_, Jet<S>>) -> R) -> R {
        let (number, mut lifted) =
            (|n: Number| Jet::constant((self.number)(n)), self.lift_to_constant_jets());
        lifted.u.iter_mut().zip(rates).for_each(|(u, d)| *u = Jet::new(S::ZERO, *d));
        f(&Environment {
            formulation: self.formulation,
            partition: self.partition,
            ..lifted.as_environment(&number)
        })
    }

    /// True if the formulation writes some body in axes that do not rotate with its joint.
    pub fn has_unrotated_axes(&self) -> bool {
        self.formulation.is_some_and(Formulation::has_unrotated_axes)
    }

    /// All values as constant jets.
    fn lift_to_constant_jets(&self) -> Instant<Jet<S>> {
        Instant {
            t: Jet::constant(self.t),
            q: lift_slice_to_constant_jets(self.q),
            v: lift_slice_to_constant_jets(self.v),
            z: lift_slice_to_constant_jets(self.z),
            u: lift_slice_to_constant_jets(self.u),
            p: lift_slice_to_constant_jets(self.p),
            // Time is constant here, so named formulas of time are too.
            named: self.named.iter().map(|n| n.and_then(|n| n.lift_to_jet(S::ZERO))).collect(),
        }
    }
}

/// Jets of these values with these rates.
fn combine_to_jets<S: Scalar>(values: &[S], rates: &[S]) -> Vec<Jet<S>> {
    values.iter().zip(rates).map(|(x, d)| Jet::new(*x, *d)).collect()
}

fn lift_slice_to_constant_jets<S: Scalar>(values: &[S]) -> Vec<Jet<S>> {
    values.iter().map(|x| Jet::constant(*x)).collect()
}
