//! Running a program by the interpreter: the same functions as the emitted ones, over doubles.

use std::ops::Range;

use super::declaration::{Declaration, Role};
use super::eval::Tape;
use super::node::{NodeId, SymbolKind};
use super::program::{Check, Function, Program};

/// Values of all arguments. A function reads those that it depends on.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Arguments {
    /// Time \[s\].
    pub t: f64,
    /// Coordinates.
    pub q: Vec<f64>,
    /// Speeds.
    pub v: Vec<f64>,
    /// User states.
    pub z: Vec<f64>,
    /// Inputs.
    pub u: Vec<f64>,
    /// Free parameters.
    pub p: Vec<f64>,
    /// Given accelerations (inverse dynamics).
    pub a: Vec<f64>,
    /// Impulses of the inputs (impacts).
    pub impulses: Vec<f64>,
    /// Efforts along the speeds (systems with the mass matrix).
    pub efforts: Vec<f64>,
    /// Which contacts are on: one or zero each.
    pub contacts: Vec<f64>,
}

/// There is no result at this point.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SingularPivot {
    /// The equations cannot be solved: this divisor vanishes.
    #[error(
        "singular: {name} = {value:.3e}, of {scale:.3e}: {hint}; the equations have no unique accelerations at this state"
    )]
    Vanishes {
        /// By the names of the spec.
        name: String,
        /// What it means, and what to do.
        hint: String,
        /// The divisor.
        value: f64,
        /// What it is compared with.
        scale: f64,
    },
    /// No divisor vanishes, but a result is not finite.
    #[error("a result overflows, or an argument is not finite: {name} = {value:e}")]
    NotFinite {
        /// What is not finite.
        name: String,
        /// Its value.
        value: f64,
    },
}

impl SingularPivot {
    /// What vanishes or is not finite.
    pub fn name(&self) -> &str {
        match self {
            SingularPivot::Vanishes { name, .. } | SingularPivot::NotFinite { name, .. } => name,
        }
    }
}

/// ε of the conventions: a pivot below ε times the largest term of the sum that forms it is singular.
pub const EPSILON: f64 = 1e-12;

/// A function ready to run.
#[derive(Clone, Debug)]
pub struct Machine {
    declaration: &'static Declaration,
    tape: Tape,
    values: usize,
    /// The values that are derivatives.
    derivatives: Range<usize>,
    checks: Vec<Check>,
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
            impulses: vec![0.0; l.u.len()],
            efforts: vec![0.0; l.v.len()],
            contacts: vec![1.0; l.contacts.len()],
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
            SymbolKind::Impulse(i) => self.impulses[i],
            SymbolKind::Effort(i) => self.efforts[i],
            SymbolKind::Contact(i) => self.contacts[i],
            SymbolKind::Rate(_) | SymbolKind::Auxiliary(_) | SymbolKind::Length(_) | SymbolKind::Named(_) => {
                f64::NAN
            }
        }
    }
}

impl Machine {
    /// Prepares a function of a program; `None` if the program does not hold it.
    pub fn new(program: &Program, declaration: &Declaration) -> Option<Self> {
        program.function(declaration).map(|f| Machine::of(program, f))
    }

    /// Prepares a function together with another one, whose outputs follow: what both need is computed once. `None` if
    /// the program does not hold the first.
    pub fn with(program: &Program, declaration: &Declaration, also: &Declaration) -> Option<Self> {
        let mut f = program.function(declaration)?.clone();
        f.outputs.extend(program.function(also).into_iter().flat_map(|other| other.outputs.iter().cloned()));
        Some(Machine::of(program, &f))
    }

    /// Prepares a function of a program.
    pub fn of(program: &Program, f: &Function) -> Self {
        let mut nodes: Vec<NodeId> = f.outputs.iter().flat_map(|o| o.nodes.iter().copied()).collect();
        let values = nodes.len();
        nodes.extend(f.checks.iter().flat_map(|c| [c.value, c.scale]));
        Machine {
            declaration: f.declaration,
            tape: Tape::new(&program.graph, &nodes),
            values,
            derivatives: derivatives(f),
            checks: f.checks.clone(),
            work: Vec::new(),
            result: vec![0.0; nodes.len()],
        }
    }

    /// Which function it is.
    pub fn declaration(&self) -> &'static Declaration {
        self.declaration
    }

    /// The values of all outputs in order, by rows.
    pub fn call(&mut self, a: &Arguments) -> Result<&[f64], SingularPivot> {
        self.tape.run(|kind| a.value(kind), &mut self.work, &mut self.result);
        let (values, checks) = self.result.split_at(self.values);
        let mut overflow = None;
        for (check, pair) in self.checks.iter().zip(checks.chunks_exact(2)) {
            let (value, scale) = (pair[0], pair[1]);
            let epsilon = if check.squared { EPSILON * EPSILON } else { EPSILON };
            if !value.is_finite() || !scale.is_finite() {
                let value = if value.is_finite() { scale } else { value };
                overflow.get_or_insert(SingularPivot::NotFinite { name: check.name.clone(), value });
            } else if value.abs() <= epsilon * scale.abs() {
                let (name, hint) = (check.name.clone(), check.hint.clone());
                return Err(SingularPivot::Vanishes { name, hint, value, scale });
            }
        }
        if let Some(overflow) = overflow {
            return Err(overflow);
        }
        match values[self.derivatives.clone()].iter().find(|x| !x.is_finite()) {
            Some(value) => Err(SingularPivot::NotFinite { name: "a derivative".to_owned(), value: *value }),
            None => Ok(values),
        }
    }
}

/// Which values of a function are derivatives of the state, and must be finite.
fn derivatives(f: &Function) -> Range<usize> {
    let mut start = 0;
    for (declaration, outputs) in f.results() {
        let end = start + outputs.iter().map(|o| o.nodes.len()).sum::<usize>();
        if declaration.role == Some(Role::StateDerivative) {
            return start..end;
        }
        start = end;
    }
    0..0
}
