//! Changes between stages: to the mechanism before derivation, to the program before printing.

use dqdt_codegen::functions;
use dqdt_codegen::pipeline::mechanism::{Formula, Mechanism, ParameterKind};
use dqdt_codegen::pipeline::program::{FunctionOutput, Program, SymbolKind, Tracer};

/// Replaces a free parameter by its default as a constant. Returns false if there is no free
/// parameter of this name.
pub fn make_constant(m: &mut Mechanism, name: &str) -> bool {
    let free = m.parameters.iter_mut().find_map(|p| match p.kind {
        ParameterKind::Free(default) if p.name == name => Some((&mut p.kind, default)),
        _ => None,
    });
    match free {
        Some((kind, default)) => {
            *kind = ParameterKind::Constant(Formula::Number(default));
            true
        }
        None => false,
    }
}

/// Removes a load. Returns false if there is none of this name.
pub fn drop_load(m: &mut Mechanism, name: &str) -> bool {
    let before = m.loads.len();
    m.loads.retain(|l| l.name != name);
    m.loads.len() < before
}

/// Adds an output to a program: the power of an input, given the speed conjugate to it. Returns
/// false if the program has no function `outputs`.
///
/// The graph is append-only and reuses existing nodes, so a program can be extended in place.
pub fn add_power(program: &mut Program, name: &str, input: usize, speed: usize) -> bool {
    // The input after its limits.
    let limited = (program.functions.iter())
        .find(|f| f.is(functions::SATURATE))
        .and_then(|f| f.outputs.first()?.nodes.get(input).copied());
    let graph = &program.graph;
    let symbol = |name: &str, kind| Tracer::new(graph, graph.symbol(name, kind));
    let force = limited.map_or_else(
        || symbol(&program.layout.u[input].name, SymbolKind::Input(input)),
        |id| Tracer::new(graph, id),
    );
    let rate = symbol(&program.layout.v[speed].name, SymbolKind::Speed(speed));
    let Tracer::Node(_, node) = force * rate else { return false };
    let Some(outputs) = program.functions.iter_mut().find(|f| f.is(functions::OUTPUTS)) else {
        return false;
    };
    outputs.outputs.push(FunctionOutput::scalar(name, "W", "power of the motor", node));
    true
}
