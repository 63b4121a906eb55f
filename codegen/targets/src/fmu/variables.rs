//! Variables of a functional mock-up unit: names, units, meaning, dependencies.
//!
//! Value references are consecutive: time, states, rates of the states, inputs, parameters,
//! outputs, further values on request, event functions. The file `support/unit.h` counts in the
//! same way.

use std::collections::BTreeSet;

use super::dependencies::{Dependencies, SymbolPlaces};
use super::options::{FmuOptions, offers_model_exchange};
use dqdt_derivation::functions::{self, Definition};
use dqdt_graph::ir::{NodeId, Program, Slot};

/// Kind of a variable of a functional mock-up unit.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum UnitVariableKind {
    Time,
    /// An entry of the state: true if an importer integrates it or sets its start.
    State {
        is_independent: bool,
    },
    /// The rate of the state with this index.
    Rate(usize),
    Input,
    /// A parameter: true if it may change during a simulation.
    Parameter {
        is_tunable: bool,
    },
    Output,
    /// A value on request: an energy, a reaction or a multiplier.
    Extra,
    Event,
}

/// A variable of a functional mock-up unit.
pub(super) struct UnitVariable {
    pub(super) reference: usize,
    pub(super) name: String,
    /// SI unit as text; empty if unknown.
    pub(super) unit: String,
    pub(super) description: String,
    pub(super) kind: UnitVariableKind,
    pub(super) start: Option<f64>,
    /// Lower and upper bound, infinite if there is none.
    pub(super) bounds: [f64; 2],
    /// True for the rate of an independent state.
    pub(super) is_of_integrated_state: bool,
    /// Value references of the time, the independent states and the inputs on which the variable
    /// depends.
    pub(super) dependencies: Vec<usize>,
}

/// Definitions whose results are further values on request, with the prefix of their names.
pub(super) fn extra_functions(options: &FmuOptions) -> Vec<(&'static Definition, &'static str)> {
    [
        (options.energies, functions::ENERGY, ""),
        (options.reactions, functions::REACTIONS, "reaction_"),
        (options.multipliers, functions::MULTIPLIERS, "lambda_"),
    ]
    .into_iter()
    .filter(|(is_requested, ..)| *is_requested)
    .map(|(_, function, prefix)| (function, prefix))
    .collect()
}

/// A result of a function: name, unit, description, node.
struct ResultEntry {
    name: String,
    unit: String,
    description: String,
    node: NodeId,
}

/// Results of a function of the program, entry by entry.
fn result_entries(program: &Program, definition: &Definition, prefix: &str) -> Vec<ResultEntry> {
    let Some(function) = program.function(definition) else { return Vec::new() };
    let mut out = Vec::new();
    for o in &function.outputs {
        let names = definition.entry_names(o, &program.layout);
        for ((name, unit), node) in names.into_iter().zip(definition.entry_units(o)).zip(&o.nodes) {
            let name = format!("{prefix}{name}");
            out.push(ResultEntry { name, unit, description: o.description.clone(), node: *node });
        }
    }
    out
}

/// Bounds of an input whose limits are numbers; infinite for parameters and formulas.
fn input_bounds(slot: &Slot) -> [f64; 2] {
    let number = |k: usize, other: f64| {
        slot.limits
            .as_ref()
            .and_then(|pair| pair[k].parse().ok())
            .filter(|x: &f64| !x.is_nan())
            .unwrap_or(other)
    };
    [number(0, f64::NEG_INFINITY), number(1, f64::INFINITY)]
}

/// Description of an input, which names limits that are no numbers.
fn input_description(slot: &Slot) -> String {
    let Some(limits) = &slot.limits else { return slot.description.clone() };
    // The layout has no text of a formula.
    let [lower, upper] = limits.each_ref().map(|text| match text.as_str() {
        "formula" => "a formula of the spec",
        other => other,
    });
    let between = format!("clamped between {lower} and {upper}");
    if slot.description.is_empty() { between } else { format!("{}; {between}", slot.description) }
}

/// Residuals and derivatives of all constraints.
fn constraint_nodes(program: &Program) -> Vec<NodeId> {
    let rows = [functions::POSITION_CONSTRAINTS, functions::VELOCITY_CONSTRAINTS];
    (rows.iter().filter_map(|f| program.function(f)))
        .flat_map(|f| f.outputs.iter().flat_map(|o| o.nodes.iter().copied()))
        .collect()
}

/// True for each parameter on which a constraint depends. A change of it during a simulation would
/// violate the constraint.
fn constrained_parameters(program: &Program, all: &Dependencies, places: SymbolPlaces) -> Vec<bool> {
    let nodes = constraint_nodes(program);
    (0..program.layout.p.len())
        .map(|i| nodes.iter().any(|node| all.depends(*node, places.parameter_place(i))))
        .collect()
}

/// Variables so far, with the names that are taken.
#[derive(Default)]
struct UnitVariableTable {
    variables: Vec<UnitVariable>,
    names: BTreeSet<String>,
}

impl UnitVariableTable {
    /// Appends a variable without a start, under this name or, if it is taken, with a number.
    fn push(
        &mut self,
        name: &str,
        unit: &str,
        description: &str,
        kind: UnitVariableKind,
    ) -> &mut UnitVariable {
        let (mut unique, mut number) = (name.to_owned(), 2);
        while !self.names.insert(unique.clone()) {
            unique = format!("{name}_{number}");
            number += 1;
        }
        let reference = self.variables.len();
        self.variables.push(UnitVariable {
            reference,
            name: unique,
            unit: unit.to_owned(),
            description: description.to_owned(),
            kind,
            start: None,
            bounds: [f64::NEG_INFINITY, f64::INFINITY],
            is_of_integrated_state: false,
            dependencies: Vec::new(),
        });
        &mut self.variables[reference]
    }
}

/// All variables of the unit of a program, in the order of their value references. `independent` is
/// true for each entry of the state that an importer integrates or whose start it sets.
pub(super) fn unit_variables(
    program: &Program,
    options: &FmuOptions,
    independent: &[bool],
) -> Vec<UnitVariable> {
    let l = &program.layout;
    let places = SymbolPlaces::new(l);
    let all = Dependencies::new(&program.graph, places);
    let states = [&l.q[..], &l.v, &l.z].concat();
    let (nx, nu) = (states.len(), l.u.len());
    // With dependent states an importer that changes one independent state changes all of them.
    let has_dependent_states = independent.contains(&false);
    let constraints_depend_on_time =
        constraint_nodes(program).iter().any(|node| all.depends(*node, SymbolPlaces::TIME));
    let dependencies_of = |node: NodeId| -> Vec<usize> {
        let of_time =
            all.depends(node, SymbolPlaces::TIME) || has_dependent_states && constraints_depend_on_time;
        let of_states = (0..nx).filter(|i| {
            independent[*i]
                && (has_dependent_states || all.depends(node, places.state_place(*i)))
                && offers_model_exchange(program, options)
        });
        let of_inputs = (0..nu).filter(|i| all.depends(node, places.input_place(*i)));
        let of_states = of_states.map(|i| 1 + i);
        of_time.then_some(0).into_iter().chain(of_states).chain(of_inputs.map(|i| 1 + 2 * nx + i)).collect()
    };
    let mut table = UnitVariableTable::default();
    table.push("time", "s", "", UnitVariableKind::Time);
    for (i, s) in states.iter().enumerate() {
        let kind = UnitVariableKind::State { is_independent: independent[i] };
        let v = table.push(&s.name, &s.unit, &s.description, kind);
        v.start = Some(s.value);
        if let Some(bounds) = l.limits.as_ref().and_then(|limits| limits.position.get(i)) {
            v.bounds = *bounds;
        }
    }
    let rates: Vec<NodeId> = (program.function(functions::DQDT).into_iter())
        .flat_map(|f| f.outputs.iter().flat_map(|o| o.nodes.iter().copied()))
        .collect();
    for (i, s) in states.iter().enumerate() {
        let unit = rate_unit(&s.unit);
        let v = table.push(&format!("der({})", s.name), &unit, "", UnitVariableKind::Rate(i));
        v.is_of_integrated_state = independent[i];
        v.dependencies = rates.get(i).map(|node| dependencies_of(*node)).unwrap_or_default();
    }
    for s in &l.u {
        let v = table.push(&s.name, &s.unit, &input_description(s), UnitVariableKind::Input);
        v.start = Some(s.value);
        v.bounds = input_bounds(s);
    }
    for (s, is_constrained) in l.p.iter().zip(constrained_parameters(program, &all, places)) {
        let kind = UnitVariableKind::Parameter { is_tunable: !is_constrained };
        table.push(&s.name, &s.unit, &s.description, kind).start = Some(s.value);
    }
    for e in result_entries(program, functions::OUTPUTS, "") {
        let v = table.push(&e.name, &e.unit, &e.description, UnitVariableKind::Output);
        v.dependencies = dependencies_of(e.node);
    }
    for (function, prefix) in extra_functions(options) {
        for e in result_entries(program, function, prefix) {
            table.push(&e.name, &e.unit, &e.description, UnitVariableKind::Extra);
        }
    }
    let values = result_entries(program, functions::EVENTS, "");
    for (e, slot) in values.into_iter().zip(&l.events) {
        let about = if slot.description.is_empty() { &e.description } else { &slot.description };
        table.push(&e.name, &e.unit, about, UnitVariableKind::Event).dependencies = dependencies_of(e.node);
    }
    table.variables
}

/// SI unit of the rate of a quantity: its unit divided by seconds.
fn rate_unit(unit: &str) -> String {
    match unit.trim() {
        "" => String::new(),
        "1" => "1/s".to_owned(),
        "s" => "1".to_owned(),
        text => match text.strip_suffix("/s") {
            Some(rest) if !rest.contains('/') => format!("{rest}/s^2"),
            _ => format!("{text}/s"),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::rate_unit;

    #[test]
    fn the_unit_of_a_rate_is_divided_by_seconds() {
        let pairs = [("rad", "rad/s"), ("m/s", "m/s^2"), ("1", "1/s"), ("s", "1"), ("kg/m^3", "kg/m^3/s")];
        for (unit, rate) in pairs {
            assert_eq!(rate_unit(unit), rate);
        }
    }
}
