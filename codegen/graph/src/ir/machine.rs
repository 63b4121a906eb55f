//! Runs functions of a program in this process, in `f64`: the same values as the emitted functions.

use std::ops::Range;
use std::sync::Arc;

use super::declaration::{Declaration, Role};
use super::delayed_code::DelayedCode;
use super::eval::Tape;
use super::evaluation::{ARGUMENT_VECTORS, Evaluation, TapeCode, argument_place};
use super::node::{NodeId, SymbolKind};
use super::program::{Check, Function, Layout, Program, Slot};

/// Values of all possible arguments of functions in the interpreter. A function reads only those
/// that it depends on.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Arguments {
    /// Value of the time \[s\].
    pub t: f64,
    /// Values of the coordinates `q`.
    pub q: Vec<f64>,
    /// Values of the speeds `v`.
    pub v: Vec<f64>,
    /// Values of the user states `z`.
    pub z: Vec<f64>,
    /// Values of the inputs `u`.
    pub u: Vec<f64>,
    /// Values of the free parameters `p`.
    pub p: Vec<f64>,
    /// Accelerations, one per speed, for inverse dynamics.
    pub a: Vec<f64>,
    /// Impulses of the inputs, one per input, for impacts.
    pub impulses: Vec<f64>,
    /// Efforts along the speeds, one per speed, for systems with the mass matrix.
    pub efforts: Vec<f64>,
    /// Contact flags, one or zero per contact, for impacts.
    pub contacts: Vec<f64>,
    /// Costates λ, the weights of the entries of the state derivative, for second derivatives.
    pub costates: Vec<f64>,
}

/// Reason why a function has no result for some arguments, in the interpreter.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SingularPivot {
    /// The equations cannot be solved, because a divisor vanishes.
    #[error(
        "singular: {name} = {value:.3e}, of {scale:.3e}: {hint}; the equations have no unique accelerations at this state"
    )]
    Vanishes {
        /// Name of the divisor that vanishes, in terms of the spec.
        name: String,
        /// The physical meaning of a vanishing divisor, and a remedy.
        hint: String,
        /// Value of the divisor at these arguments.
        value: f64,
        /// The scale with which the divisor was compared.
        scale: f64,
    },
    /// No divisor vanishes, but a result or a divisor is not finite.
    #[error("a result overflows, or an argument is not finite: {name} = {value:e}")]
    NotFinite {
        /// Name of the divisor or result that is not finite.
        name: String,
        /// The value that is not finite: infinite or NaN.
        value: f64,
    },
}

impl SingularPivot {
    /// Name of the divisor that vanishes, or of the value that is not finite.
    pub fn name(&self) -> &str {
        match self {
            SingularPivot::Vanishes { name, .. } | SingularPivot::NotFinite { name, .. } => name,
        }
    }
}

/// Relative tolerance ε of the conventions: a pivot below ε times the largest term of its sum is
/// singular. Emitted code uses the same.
pub const EPSILON: f64 = 1e-12;

/// A function of a program, ready to be called. Clones share the code.
#[derive(Clone, Debug)]
pub struct Machine {
    declaration: &'static Declaration,
    code: Arc<dyn TapeCode>,
    /// Code that will replace the interpreter.
    pending: Option<Arc<DelayedCode>>,
    values: usize,
    /// The range of the results that are state derivatives and must be finite.
    derivatives: Range<usize>,
    checks: Vec<Check>,
    work: Vec<f64>,
    result: Vec<f64>,
}

/// Default or initial values of the slots of a vector.
fn slot_defaults(slots: &[Slot]) -> Vec<f64> {
    slots.iter().map(|s| s.value).collect()
}

impl Arguments {
    /// Default arguments from the layout of a program: initial state, default inputs and
    /// parameters, `t = 0`, contacts on.
    pub fn defaults(program: &Program) -> Self {
        Arguments::from_layout(&program.layout)
    }

    /// Default arguments of this layout.
    pub fn from_layout(l: &Layout) -> Self {
        Arguments {
            t: 0.0,
            q: slot_defaults(&l.q),
            v: slot_defaults(&l.v),
            z: slot_defaults(&l.z),
            u: slot_defaults(&l.u),
            p: slot_defaults(&l.p),
            a: vec![0.0; l.v.len()],
            impulses: vec![0.0; l.u.len()],
            efforts: vec![0.0; l.v.len()],
            contacts: vec![1.0; l.contacts.len()],
            costates: vec![0.0; l.q.len() + l.v.len() + l.z.len()],
        }
    }

    /// Sets `q`, `v` and `z` from a state vector `x = [q, v, z]`.
    pub fn set_state(&mut self, x: &[f64]) {
        let (q, rest) = x.split_at(self.q.len());
        let (v, z) = rest.split_at(self.v.len());
        self.q.copy_from_slice(q);
        self.v.copy_from_slice(v);
        self.z.copy_from_slice(z);
    }

    /// The state vector `x = [q, v, z]`.
    pub fn state(&self) -> Vec<f64> {
        [&self.q[..], &self.v[..], &self.z[..]].concat()
    }

    /// The vectors of arguments, in the order of [`ARGUMENT_VECTORS`].
    pub fn vectors(&self) -> [&[f64]; ARGUMENT_VECTORS] {
        let time = std::slice::from_ref(&self.t);
        [
            time,
            &self.p,
            &self.q,
            &self.v,
            &self.z,
            &self.u,
            &self.a,
            &self.impulses,
            &self.efforts,
            &self.contacts,
            &self.costates,
        ]
    }

    /// The value of a symbol; NaN for symbols that are not arguments.
    pub fn value(&self, kind: SymbolKind) -> f64 {
        argument_place(kind).map_or(f64::NAN, |(vector, i)| self.vectors()[vector][i])
    }
}

impl Machine {
    /// Prepares a function of a program; `None` if the program does not contain it.
    pub fn new(program: &Program, declaration: &Declaration) -> Option<Self> {
        program.function(declaration).map(|f| Machine::from_function(program, f))
    }

    /// Prepares two functions as one, with the outputs of `also` at the end; operations that both
    /// need are done once. `None` if the program does not contain the first.
    pub fn with(program: &Program, declaration: &Declaration, also: &Declaration) -> Option<Self> {
        let mut f = program.function(declaration)?.clone();
        f.outputs.extend(program.function(also).into_iter().flat_map(|other| other.outputs.iter().cloned()));
        Some(Machine::from_function(program, &f))
    }

    /// Prepares this function of a program.
    pub fn from_function(program: &Program, f: &Function) -> Self {
        Machine::from_function_evaluated(program, f, program.evaluation)
    }

    /// Prepares this function with another evaluation than that of its program.
    #[doc(hidden)]
    pub fn from_function_evaluated(program: &Program, f: &Function, evaluation: Evaluation) -> Self {
        let mut nodes: Vec<NodeId> = f.outputs.iter().flat_map(|o| o.nodes.iter().copied()).collect();
        let values = nodes.len();
        nodes.extend(f.checks.iter().flat_map(|c| [c.value, c.scale]));
        let tape = Arc::new(Tape::new(&program.graph, &nodes));
        let pending = DelayedCode::new(&tape, evaluation).map(Arc::new);
        Machine {
            declaration: f.declaration,
            code: tape,
            pending,
            values,
            derivatives: state_derivative_range(f),
            checks: f.checks.clone(),
            work: Vec::new(),
            result: vec![0.0; nodes.len()],
        }
    }

    /// The declaration of the function.
    pub fn declaration(&self) -> &'static Declaration {
        self.declaration
    }

    /// Replaces the interpreter by machine code when the number of calls makes that pay.
    fn compile_if_due(&mut self) {
        let Some(delayed) = &self.pending else { return };
        let Some(compiled) = delayed.code_if_due() else { return };
        if let Some(code) = compiled {
            self.code = code;
            self.work.clear();
        }
        self.pending = None;
    }

    /// Evaluates the function; returns the values of all outputs in order, by rows.
    pub fn call(&mut self, a: &Arguments) -> Result<&[f64], SingularPivot> {
        self.compile_if_due();
        self.code.run(&a.vectors(), &mut self.work, &mut self.result);
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

/// The range of the results of a function that are derivatives of the state, and must be finite.
pub fn state_derivative_range(f: &Function) -> Range<usize> {
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
