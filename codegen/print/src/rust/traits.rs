//! Emits implementations of the runtime's traits for integrators and controllers, if a program has
//! the functions that they need.

use super::data::{Call, Part, name};
use dqdt_graph::ir::{Crossing, Effect, Function, Program, Role, Taken};

/// Traits with one method, each with the role of its function.
const OF_ONE_FUNCTION: [(&str, Role); 8] = [
    ("MassMatrix", Role::MassMatrix),
    ("Bias", Role::Bias),
    ("InverseDynamics", Role::InverseDynamics),
    ("MechanicalEnergy", Role::Energy),
    ("Gravity", Role::Gravity),
    ("Saturate", Role::Saturate),
    ("Actuated", Role::InputMatrix),
    ("ConstrainedDynamics", Role::InverseDynamicsConstrained),
];

/// The implementations for the model, one line for each trait.
pub fn part(program: &Program) -> Option<Part> {
    let mut call = Call::new("traits");
    if let Some(state) = name_of(program, Role::StateDerivative) {
        let system: Vec<String> =
            [Some(state), name_of(program, Role::Rates)].into_iter().flatten().collect();
        call = call.line(1, &format!("System({});", system.join(", ")));
        call = integrated(call, program);
    }
    for (name, role) in OF_ONE_FUNCTION {
        // A program may emit kinetic energy without potential energy, or the reverse.
        let has_results = |f: &&Function| {
            let has = |name| f.outputs.iter().any(|o| o.name == name);
            role != Role::Energy || has("kinetic") && has("potential")
        };
        if let Some(function) = program.with_role(role).filter(has_results) {
            let function = self::name(function.declaration.name);
            call = call.line(1, &format!("{name}({function});"));
        }
    }
    (!call.is_empty()).then(|| call.end())
}

/// The name in emitted code of the function with a role.
fn name_of(program: &Program, role: Role) -> Option<String> {
    program.with_role(role).map(|f| name(f.declaration.name))
}

/// The traits that integrators need in addition to `System`.
fn integrated(mut call: Call, program: &Program) -> Call {
    let list = |roles: &[Role]| {
        let names = roles.iter().map(|role| name_of(program, *role)).collect::<Option<Vec<_>>>();
        names.map(|names| names.join(", "))
    };
    if let Some(function) = name_of(program, Role::Derivatives) {
        let inputs = if program.layout.u.is_empty() { "" } else { ", by_input" };
        call = call.line(1, &format!("Differentiable({function}{inputs});"));
    }
    let velocity = if program.layout.position_rows.is_empty() {
        &[Role::VelocityConstraints][..]
    } else {
        &[Role::PositionConstraints, Role::VelocityConstraints]
    };
    if let Some(functions) = list(velocity) {
        call = call.line(1, &format!("ConstrainedSystem({functions});"));
    }
    if let Some(functions) = list(&[Role::Events, Role::AfterEvents]) {
        call = call.section(1, &format!("HybridSystem({functions})"), &rules(program));
    }
    call
}

/// The rule of each event: its crossing direction and its effect.
fn rules(program: &Program) -> Vec<Vec<String>> {
    let mut taken = Taken::default();
    let outputs = program.with_role(Role::Events).into_iter().flat_map(|f| &f.outputs);
    let rule = |(field, e): (String, &dqdt_graph::ir::EventSlot)| {
        let crossing = match e.crossing {
            Crossing::Falling => "Falling",
            Crossing::Rising => "Rising",
            Crossing::Both => "Both",
        };
        let effect = match e.effect {
            Effect::Ends => "Ends",
            Effect::Bounces => "Bounces",
            Effect::Passes => "Passes",
        };
        vec![name(&field) + ":", format!("{crossing},"), format!("{effect};")]
    };
    outputs.map(|o| taken.unique(&o.name)).zip(&program.layout.events).map(rule).collect()
}
