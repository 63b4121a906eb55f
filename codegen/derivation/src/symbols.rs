//! Graph symbols for the variables and parameters of a mechanism.

use dqdt_graph::ir::{Graph, SymbolKind, Tracer};
use dqdt_mechanics::kinematics;
use dqdt_mechanics::mechanism::{
    Environment, Instant, Mechanism, NamedFormula, NamedSymbol, ParameterId, ParameterKind,
};

/// Names of the free parameters in spec order: the vector `p` of emitted functions.
pub fn free_parameter_names(m: &Mechanism) -> Vec<&str> {
    m.parameters
        .iter()
        .filter(|p| matches!(p.kind, ParameterKind::Free(_)))
        .map(|p| p.name.as_str())
        .collect()
}

/// Indices of the parameters that are formulas of other parameters, in spec order.
pub fn derived_parameters(m: &Mechanism) -> Vec<ParameterId> {
    m.parameter_ids().filter(|i| matches!(m.parameters[*i].kind, ParameterKind::Derived(_))).collect()
}

/// Symbols of `m`, recorded in a graph, for derivations. Free parameters are symbols; constant and
/// derived ones are computed. Inputs are those before saturation.
pub fn mechanism_symbols<'g>(graph: &'g Graph, m: &Mechanism) -> Instant<Tracer<'g>> {
    let symbol = |name: &str, kind| Tracer::new(graph, graph.symbol(name, kind));
    let named = |names: Vec<&str>, kind: fn(usize) -> SymbolKind| -> Vec<Tracer<'g>> {
        names.into_iter().enumerate().map(|(i, n)| symbol(n, kind(i))).collect()
    };
    let free: Vec<Tracer<'g>> = named(free_parameter_names(m), SymbolKind::Parameter);
    Instant {
        t: symbol("t", SymbolKind::Time),
        q: named(m.coordinates.iter().map(|c| c.name.as_str()).collect(), SymbolKind::Coordinate),
        v: named(m.speeds.iter().map(|c| c.name.as_str()).collect(), SymbolKind::Speed),
        z: named(m.states.iter().map(|c| c.name.as_str()).collect(), SymbolKind::State),
        u: named(m.inputs.iter().map(|c| c.name.as_str()).collect(), SymbolKind::Input),
        p: kinematics::evaluate_parameters(m, &|n| Tracer::number(graph, n), &free),
        named: Vec::new(),
    }
}

/// Symbols for printed equations. Unlike in [`mechanism_symbols`], named intermediate quantities
/// have symbols too.
///
/// A derived parameter has an index after the free ones, in the order of [`derived_parameters`]. A
/// limited input is `sat(u)`, with an index after the inputs themselves. Definitions and prescribed
/// coordinates have symbols of their own.
pub fn symbols_for_printing<'g>(graph: &'g Graph, m: &Mechanism) -> Instant<Tracer<'g>> {
    let mut named = mechanism_symbols(graph, m);
    let free = free_parameter_names(m).len();
    for (k, i) in derived_parameters(m).into_iter().enumerate() {
        let kind = SymbolKind::Parameter(free + k);
        named.p[i] = Tracer::new(graph, graph.symbol(&m.parameters[i].name, kind));
    }
    for (i, input) in m.inputs.iter().enumerate().filter(|(_, input)| input.limits.is_some()) {
        let kind = SymbolKind::Input(m.inputs.len() + i);
        named.u[i] = Tracer::new(graph, graph.symbol(&format!("sat({})", input.name), kind));
    }
    let formulas = m.named_formulas.iter();
    let formulas: Vec<_> = formulas
        .map(|f| Some(formula_symbol(graph, m, f, &named.as_environment(&|n| Tracer::number(graph, n)))))
        .collect();
    named.named = formulas;
    named
}

/// Symbol of a named formula, with symbols of its time derivatives if the formula depends on time
/// alone. A derivative that is a number or a parameter gets no symbol.
pub fn formula_symbol<'g>(
    graph: &'g Graph,
    m: &Mechanism,
    f: &NamedFormula,
    env: &Environment<'_, Tracer<'g>>,
) -> NamedSymbol<Tracer<'g>> {
    let symbol = |order: usize| {
        let kind = SymbolKind::Named(3 * f.place + order);
        Tracer::new(graph, graph.symbol(&formula_name(m, f, order), kind))
    };
    let rates = f.depends_only_on_time().then(|| {
        let [_, first, second] = kinematics::evaluate_prescribed_motion(&f.formula, env);
        [(1, first), (2, second)].map(|(order, x)| {
            let short = graph.node(x.id(graph)).args().is_empty();
            if short { x } else { symbol(order) }
        })
    });
    NamedSymbol { value: symbol(0), rates }
}

/// Name of a formula or of its time derivative of the given order: `l`, `l_dot`, `l_ddot`.
/// Underscores are appended to the name of a derivative that another symbol of the mechanism
/// already has.
pub fn formula_name(m: &Mechanism, f: &NamedFormula, order: usize) -> String {
    let suffix = ["", "_dot", "_ddot"].get(order).copied().unwrap_or_default();
    let mut name = format!("{}{suffix}", f.name);
    while order > 0 && m.has_symbol(&name) {
        name.push('_');
    }
    name
}
