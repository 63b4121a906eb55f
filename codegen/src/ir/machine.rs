//! Running a program by the interpreter: the same functions as the emitted ones, over doubles.

use super::eval::Tape;
use super::graph::{NodeId, SymbolKind};
use super::program::{Function, FunctionKind, Program};

/// Values of all arguments. A function reads those that it depends on.
#[derive(Clone, Debug, Default, PartialEq)]
#[allow(missing_docs)]
pub struct Arguments {
    pub t: f64,
    pub q: Vec<f64>,
    pub v: Vec<f64>,
    pub z: Vec<f64>,
    pub u: Vec<f64>,
    /// Free parameters.
    pub p: Vec<f64>,
    /// Given accelerations (inverse dynamics).
    pub a: Vec<f64>,
}

/// The equations cannot be solved at this point.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("singular: {name} = {value:e}")]
pub struct SingularPivot {
    /// Name of the pivot or denominator.
    pub name: String,
    /// Its value.
    pub value: f64,
}

/// ε of CONVENTIONS: a pivot below ε times the largest is singular.
pub const EPSILON: f64 = 1e-12;

/// A function ready to run.
#[derive(Clone, Debug)]
pub struct Machine {
    kind: FunctionKind,
    tape: Tape,
    values: usize,
    pivots: Vec<String>,
    denominators: Vec<String>,
    work: Vec<f64>,
    result: Vec<f64>,
}

impl Arguments {
    /// The defaults of the program: initial state, default inputs and parameters, `t = 0`.
    pub fn defaults(program: &Program) -> Self {
        let values = |slots: &[super::Slot]| slots.iter().map(|s| s.value).collect::<Vec<_>>();
        let l = &program.layout;
        Arguments {
            t: 0.0,
            q: values(&l.q),
            v: values(&l.v),
            z: values(&l.z),
            u: values(&l.u),
            p: values(&l.p),
            a: vec![0.0; l.v.len()],
        }
    }

    /// Splits a state `x = [q, v, z]`.
    pub fn set_state(&mut self, x: &[f64]) {
        let (q, rest) = x.split_at(self.q.len());
        let (v, z) = rest.split_at(self.v.len());
        self.q.copy_from_slice(q);
        self.v.copy_from_slice(v);
        self.z.copy_from_slice(z);
    }

    /// The state `x = [q, v, z]`.
    pub fn state(&self) -> Vec<f64> {
        [&self.q[..], &self.v[..], &self.z[..]].concat()
    }

    /// The value of a symbol; auxiliary symbols have none.
    pub fn value(&self, kind: SymbolKind) -> f64 {
        match kind {
            SymbolKind::Time => self.t,
            SymbolKind::Parameter(i) => self.p[i],
            SymbolKind::Coordinate(i) => self.q[i],
            SymbolKind::Speed(i) => self.v[i],
            SymbolKind::State(i) => self.z[i],
            SymbolKind::Input(i) => self.u[i],
            SymbolKind::Acceleration(i) => self.a[i],
            SymbolKind::Rate(_) | SymbolKind::Auxiliary(_) => f64::NAN,
        }
    }
}

impl Machine {
    /// Prepares a function of a program; `None` if the program does not hold it.
    pub fn new(program: &Program, kind: FunctionKind) -> Option<Self> {
        program.functions.iter().find(|f| f.kind == kind).map(|f| Machine::of(program, f))
    }

    /// Prepares a function together with another one, whose outputs follow: what both need is computed once. `None` if
    /// the program does not hold the first.
    pub fn with(program: &Program, kind: FunctionKind, also: FunctionKind) -> Option<Self> {
        let find = |kind| program.functions.iter().find(|f| f.kind == kind);
        let mut f = find(kind)?.clone();
        f.outputs.extend(find(also).into_iter().flat_map(|other| other.outputs.iter().cloned()));
        Some(Machine::of(program, &f))
    }

    fn of(program: &Program, f: &Function) -> Self {
        let mut nodes: Vec<NodeId> = f.outputs.iter().flat_map(|o| o.nodes.iter().copied()).collect();
        let values = nodes.len();
        nodes.extend(f.pivots.iter().chain(&f.denominators).map(|p| p.1));
        Machine {
            kind: f.kind,
            tape: Tape::new(&program.graph, &nodes),
            values,
            pivots: f.pivots.iter().map(|p| p.0.clone()).collect(),
            denominators: f.denominators.iter().map(|p| p.0.clone()).collect(),
            work: Vec::new(),
            result: vec![0.0; nodes.len()],
        }
    }

    /// Which function it is.
    pub fn kind(&self) -> FunctionKind {
        self.kind
    }

    /// The values of all outputs in order, by rows.
    pub fn call(&mut self, a: &Arguments) -> Result<&[f64], SingularPivot> {
        self.tape.run(|kind| a.value(kind), &mut self.work, &mut self.result);
        let (pivots, denominators) = self.result[self.values..].split_at(self.pivots.len());
        let largest = pivots.iter().fold(0.0f64, |m, p| m.max(p.abs()));
        let bad =
            |value: f64, scale: f64| !value.is_finite() || value.abs() < EPSILON * scale || value == 0.0;
        let denominator = denominators.iter().position(|d| bad(*d, 1.0));
        let pivot = pivots.iter().position(|p| bad(*p, largest));
        let singular = match (denominator, pivot) {
            (Some(i), _) => Some((&self.denominators[i], denominators[i])),
            (None, Some(i)) => Some((&self.pivots[i], pivots[i])),
            (None, None) => None,
        };
        if let Some((name, value)) = singular {
            return Err(SingularPivot { name: name.clone(), value });
        }
        let values = &self.result[..self.values];
        match values.iter().find(|x| !x.is_finite()) {
            Some(value) if self.kind == FunctionKind::Dqdt => {
                Err(SingularPivot { name: "a derivative".to_owned(), value: *value })
            }
            _ => Ok(values),
        }
    }
}
