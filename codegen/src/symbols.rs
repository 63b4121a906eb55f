//! The symbols of a mechanism in a graph.

use crate::algebra::Number;
use crate::ir::{Graph, SymbolKind, Tracer};
use crate::kinematics;
use crate::mechanism::{Environment, Mechanism, ParameterKind};

/// Names of the free parameters in spec order: the vector `p` of emitted functions.
pub fn free_parameters(m: &Mechanism) -> Vec<&str> {
    m.parameters
        .iter()
        .filter(|p| matches!(p.kind, ParameterKind::Free(_)))
        .map(|p| p.name.as_str())
        .collect()
}

/// Positions of the parameters that are formulas of others, in spec order.
pub fn derived_parameters(m: &Mechanism) -> Vec<usize> {
    let derived = |i: &usize| matches!(m.parameters[*i].kind, ParameterKind::Derived(_));
    (0..m.parameters.len()).filter(derived).collect()
}

/// The symbols of a mechanism in a graph, and everything that formulas refer to.
pub struct Symbols<'g> {
    /// `t`
    pub t: Tracer<'g>,
    /// `q`
    pub q: Vec<Tracer<'g>>,
    /// `v`
    pub v: Vec<Tracer<'g>>,
    /// `z`
    pub z: Vec<Tracer<'g>>,
    /// `u` as given.
    pub u: Vec<Tracer<'g>>,
    /// All parameters: free ones are symbols, constant and derived ones are computed.
    pub p: Vec<Tracer<'g>>,
}

impl<'g> Symbols<'g> {
    /// Records the symbols of `m`.
    pub fn new(graph: &'g Graph, m: &Mechanism) -> Self {
        let symbol = |name: &str, kind| Tracer::new(graph, graph.symbol(name, kind));
        let named = |names: Vec<&str>, kind: fn(usize) -> SymbolKind| -> Vec<Tracer<'g>> {
            names.into_iter().enumerate().map(|(i, n)| symbol(n, kind(i))).collect()
        };
        let free: Vec<Tracer<'g>> = named(free_parameters(m), SymbolKind::Parameter);
        Symbols {
            t: symbol("t", SymbolKind::Time),
            q: named(m.coordinates.iter().map(|c| c.name.as_str()).collect(), SymbolKind::Coordinate),
            v: named(m.speeds.iter().map(|c| c.name.as_str()).collect(), SymbolKind::Speed),
            z: named(m.states.iter().map(|c| c.name.as_str()).collect(), SymbolKind::State),
            u: named(m.inputs.iter().map(|c| c.name.as_str()).collect(), SymbolKind::Input),
            p: kinematics::parameters(m, &|n| Tracer::number(graph, n), &free),
        }
    }

    /// Symbols as a reader knows them: a derived parameter stands for itself. Its position is behind the free ones, in the
    /// order of [`derived_parameters`].
    pub fn named(graph: &'g Graph, m: &Mechanism) -> Self {
        let mut symbols = Symbols::new(graph, m);
        let free = free_parameters(m).len();
        for (k, i) in derived_parameters(m).into_iter().enumerate() {
            let kind = SymbolKind::Parameter(free + k);
            symbols.p[i] = Tracer::new(graph, graph.symbol(&m.parameters[i].name, kind));
        }
        symbols
    }

    /// Inputs as a reader knows them: one with limits is `sat(u)`. Its position is behind the inputs themselves.
    pub fn named_inputs(&self, graph: &'g Graph, m: &Mechanism) -> Vec<Tracer<'g>> {
        let named = |(i, u): (usize, &Tracer<'g>)| match m.inputs[i].limits {
            None => *u,
            Some(_) => {
                let name = format!("sat({})", m.inputs[i].name);
                Tracer::new(graph, graph.symbol(&name, SymbolKind::Input(m.inputs.len() + i)))
            }
        };
        self.u.iter().enumerate().map(named).collect()
    }

    /// The environment with the given inputs (after saturation).
    pub fn environment<'a>(
        &'a self,
        number: &'a dyn Fn(Number) -> Tracer<'g>,
        u: &'a [Tracer<'g>],
    ) -> Environment<'a, Tracer<'g>> {
        Environment { number, t: self.t, q: &self.q, v: &self.v, z: &self.z, u, p: &self.p }
    }
}
