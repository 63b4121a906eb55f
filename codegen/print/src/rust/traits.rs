//! Emits implementations of the runtime's traits for integrators and controllers, if a program has
//! the functions that they need.

use super::data::{MacroCall, ModulePart, identifier_text};
use super::results::result_field_names;
use dqdt_graph::ir::{Effect, EventCrossing, EventSlot, Function, Program, Role};

/// Traits of the runtime with one method, each with the role of the emitted function that
/// implements it.
const SINGLE_FUNCTION_TRAITS: [(&str, Role); 8] = [
    ("MassMatrix", Role::MassMatrix),
    ("Bias", Role::Bias),
    ("InverseDynamics", Role::InverseDynamics),
    ("MechanicalEnergy", Role::Energy),
    ("Gravity", Role::Gravity),
    ("Saturate", Role::Saturate),
    ("Actuated", Role::InputMatrix),
    ("ConstrainedDynamics", Role::InverseDynamicsConstrained),
];

/// Implementations of the runtime's traits for the model, as a macro call with one line for each
/// trait; `None` without any.
pub fn traits_macro(program: &Program) -> Option<ModulePart> {
    let mut call = MacroCall::new("traits");
    if let Some(state) = function_with_role(program, Role::StateDerivative) {
        let system: Vec<String> =
            [Some(state), function_with_role(program, Role::Rates)].into_iter().flatten().collect();
        call = call.push_line(1, &format!("System({});", system.join(", ")));
        call = add_integrator_traits(call, program);
    }
    for (name, role) in SINGLE_FUNCTION_TRAITS {
        if let Some(function) = program.with_role(role).filter(|f| has_trait_results(f, role)) {
            let function = self::identifier_text(function.declaration.name);
            call = call.push_line(1, &format!("{name}({function});"));
        }
    }
    (!call.is_empty()).then(|| call.finish_call())
}

/// Returns `true` if a function has the results that the runtime trait of its role returns. A
/// program may emit kinetic energy without potential energy, or the reverse.
fn has_trait_results(function: &Function, role: Role) -> bool {
    let has = |name| function.outputs.iter().any(|o| o.name == name);
    role != Role::Energy || has("kinetic") && has("potential")
}

/// Name in emitted code of the function with a role; `None` if the program lacks it.
fn function_with_role(program: &Program, role: Role) -> Option<String> {
    program.with_role(role).map(|f| identifier_text(f.declaration.name))
}

/// Appends the traits that integrators need in addition to `System` to the macro call.
fn add_integrator_traits(mut call: MacroCall, program: &Program) -> MacroCall {
    let list = |roles: &[Role]| {
        let names = roles.iter().map(|role| function_with_role(program, *role)).collect::<Option<Vec<_>>>();
        names.map(|names| names.join(", "))
    };
    if let Some(function) = function_with_role(program, Role::Derivatives) {
        let inputs = if program.layout.u.is_empty() { "" } else { ", by_input" };
        call = call.push_line(1, &format!("Differentiable({function}{inputs});"));
    }
    let velocity = if program.layout.position_rows.is_empty() {
        &[Role::VelocityConstraints][..]
    } else {
        &[Role::PositionConstraints, Role::VelocityConstraints]
    };
    if let Some(functions) = list(velocity) {
        call = call.push_line(1, &format!("ConstrainedSystem({functions});"));
    }
    if let Some(functions) = list(&[Role::Events, Role::AfterEvents]) {
        let stops = function_with_role(program, Role::Stops).map_or_else(String::new, |f| format!(", {f}"));
        call = call
            .push_section(1, &format!("HybridSystem({functions}{stops})"), &event_rows(program))
            .push_section(1, "stops", &stop_rows(program));
    }
    call
}

/// Rows of the macro call for events: name, crossing direction and effect of each.
fn event_rows(program: &Program) -> Vec<Vec<String>> {
    let fields = program.with_role(Role::Events).map_or_else(Vec::new, |f| result_field_names(&f.outputs));
    fields.iter().zip(&program.layout.events).map(|(field, event)| event_row(field, event)).collect()
}

/// Rows of the macro call for stops: index of the event, and the fields with its terms.
fn stop_rows(program: &Program) -> Vec<Vec<String>> {
    let Some(stops) = program.with_role(Role::Stops) else { return Vec::new() };
    let fields = result_field_names(&stops.outputs);
    let events = program.layout.events.iter().enumerate().filter(|(_, e)| e.effect == Effect::Bounces);
    let per_stop = fields.len() / events.clone().count().max(1);
    events
        .zip(fields.chunks(per_stop.max(1)))
        .map(|((index, _), fields)| {
            let fields: Vec<String> = fields.iter().map(|f| identifier_text(f)).collect();
            vec![format!("{index}:"), fields.join(", ") + ";"]
        })
        .collect()
}

/// Row of the macro call for one event: name, crossing direction, effect.
fn event_row(field: &str, event: &EventSlot) -> Vec<String> {
    let crossing = match event.crossing {
        EventCrossing::Falling => "Falling",
        EventCrossing::Rising => "Rising",
        EventCrossing::Both => "Both",
    };
    let effect = match event.effect {
        Effect::Ends => "Ends",
        Effect::Bounces => "Bounces",
        Effect::Passes => "Passes",
    };
    vec![identifier_text(field) + ":", format!("{crossing},"), format!("{effect};")]
}
