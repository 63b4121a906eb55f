//! The traits of integrators and controllers, where a program has the functions that they need.

use super::data::{Call, Part, name};
use dqdt_graph::ir::{Crossing, Effect, Program, Role, Taken};

/// Implementations for the model: a line a trait.
pub fn part(program: &Program) -> Option<Part> {
    let of = |role: Role| program.with_role(role).map(|f| name(f.declaration.name));
    let list = |roles: &[Role]| Some(roles.iter().map(|r| of(*r)).collect::<Option<Vec<_>>>()?.join(", "));
    let state = of(Role::StateDerivative)?;
    let system: Vec<String> = [Some(state), of(Role::Rates)].into_iter().flatten().collect();
    let starts: Vec<String> = program.layout.quaternions.iter().map(usize::to_string).collect();
    let normalising =
        if starts.is_empty() { String::new() } else { format!(" normalising({})", starts.join(", ")) };
    let mut call = Call::new("traits").line(1, &format!("System({}){normalising};", system.join(", ")));
    if let Some(derivatives) = program.with_role(Role::Derivatives) {
        let inputs = if program.layout.u.is_empty() { "" } else { ", by_input" };
        let function = name(derivatives.declaration.name);
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
    if let Some(functions) = list(&[Role::MassMatrix, Role::Bias, Role::InverseDynamics, Role::Energy]) {
        call = call.line(1, &format!("Dynamics({functions});"));
        if let Some(matrix) = of(Role::InputMatrix) {
            call = call.line(1, &format!("Actuated({matrix});"));
        }
        if let Some(inverse) = of(Role::InverseDynamicsConstrained) {
            call = call.line(1, &format!("ConstrainedDynamics({inverse});"));
        }
    }
    Some(call.end())
}

/// What happens at each event, by the fields of its functions.
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
