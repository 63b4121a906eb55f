//! Documentation of the functions: what they compute, tables of their arguments, what they cost.

use super::layout::meaning;
use super::signature::Arguments;
use super::syntax::{code, doc, prose};
use crate::ir::{Function, FunctionKind, Layout, Program, Slot, count};

fn summary(kind: FunctionKind, name: &str) -> String {
    let name = prose(name);
    match kind {
        FunctionKind::Dqdt => format!("State derivative of {name}: writes ẋ = (q̇, v̇, ż) to `dx`."),
        FunctionKind::Rates => "Rates of the coordinates: writes q̇ to `dq`.".to_owned(),
        FunctionKind::MassMatrix => "Mass matrix M(q, t), symmetric.".to_owned(),
        FunctionKind::Bias => "Bias c − Q(u = 0), so that M v̇ + bias = B u.".to_owned(),
        FunctionKind::InverseDynamics => {
            "Inverse dynamics: the efforts M a + bias for accelerations a = v̇.".to_owned()
        }
        FunctionKind::InverseDynamicsConstrained => {
            "Inverse dynamics with constraints: from the accelerations `a` of the independent speeds, in the order of \
             [`INDEPENDENT`], the efforts Bᵀ (M v̇ + bias) along them."
                .to_owned()
        }
        FunctionKind::Energy => "Kinetic and potential energy.".to_owned(),
        FunctionKind::Outputs => "Outputs of the spec.".to_owned(),
        FunctionKind::Positions => "Positions of named points in the ground frame.".to_owned(),
        FunctionKind::Multipliers => {
            "Multipliers λ of the constraints, which act on the mechanism: M v̇ + bias = B u + Aᵀ λ."
                .to_owned()
        }
        FunctionKind::Events => "Values of the event functions, in the order of [`EVENTS`].".to_owned(),
        FunctionKind::AfterEvents => {
            "The state right after each event, from the state right before it: call it where an event happened, and take \
             the one that did."
                .to_owned()
        }
        FunctionKind::ProgramInputs => {
            "The inputs that realise the program constraints; what `u` holds for them is not read.".to_owned()
        }
        FunctionKind::PositionConstraints => "Residuals Φ(q, t) of the constraints, and ∂Φ/∂q.".to_owned(),
        FunctionKind::VelocityConstraints => {
            "Residuals A v + a₀ of the constraints at the speeds of the state, and A.".to_owned()
        }
        FunctionKind::Reactions => {
            "Reactions: force and moment on each child through its joint, about the joint, in child axes."
                .to_owned()
        }
        FunctionKind::Power => {
            "Rates at which work is done on the mechanism by what has no potential: their sum is the rate of kinetic and \
             potential energy together."
                .to_owned()
        }
        FunctionKind::Saturation => {
            "Inputs within their limits, and which of them a limit acted on.".to_owned()
        }
    }
}

/// What constraints do in a function.
fn constraints(kind: FunctionKind, l: &Layout) -> Option<&'static str> {
    let dependent = !l.dependent_speeds.is_empty();
    Some(match kind {
        FunctionKind::Dqdt => "The constraints are obeyed: M v̇ + c = Q + Aᵀ λ with A v̇ = γ.",
        FunctionKind::Rates => "Of the speeds as they are; that they fulfil the constraints is not checked.",
        FunctionKind::MassMatrix => "Of the tree: constraints are not in it.",
        FunctionKind::Bias => {
            "Of the tree: constraints are not in it. A motion that fulfils them has M v̇ + bias = B u + Aᵀ λ."
        }
        FunctionKind::InverseDynamics => {
            "Of the tree: constraints are not in it, and `a` need not fulfil them. For accelerations that do, what the \
             constraints carry is part of the result: it is B u + Aᵀ λ. `inverse_dynamics_constrained`, emitted on request, \
             takes the accelerations of independent speeds."
        }
        FunctionKind::InverseDynamicsConstrained => {
            "The constraints are obeyed: v̇ follows from `a` by A v̇ = γ, and Aᵀ λ does no work along the independent speeds. \
             Inputs with Bᵀ B_u u = effort drive that motion, where the columns of Bᵀ are the motions of all speeds at unit \
             rates of the independent ones and B_u says how inputs enter."
        }
        FunctionKind::Energy | FunctionKind::Positions if !dependent => {
            "Of the state as it is; that it fulfils the constraints is not checked."
        }
        FunctionKind::Energy => "Of the speeds with the dependent ones computed from the others.",
        FunctionKind::Outputs => "Accelerations in them obey the constraints.",
        FunctionKind::Power => "At accelerations that obey the constraints.",
        FunctionKind::Reactions => "The constraints are obeyed, and what they carry goes through the joints.",
        FunctionKind::Multipliers => {
            "Each acts on the body named `to` in its constraint, its opposite on the one named `from`; axes, signs and \
             units stand with the fields of the result."
        }
        FunctionKind::AfterEvents => {
            "Impacts obey the constraints; what they carry of an impact is not told."
        }
        FunctionKind::ProgramInputs => "All other constraints are obeyed.",
        FunctionKind::PositionConstraints | FunctionKind::VelocityConstraints => {
            "All rows, also those that follow from others."
        }
        FunctionKind::Positions | FunctionKind::Events | FunctionKind::Saturation => return None,
    })
}

/// Of the constraints: what they do in the function, and what it cannot tell.
fn of_constraints(kind: FunctionKind, l: &Layout, lines: &mut Vec<String>) {
    if l.velocity_rows.is_empty() {
        return;
    }
    let Some(text) = constraints(kind, l) else { return };
    let list = |names: &[String]| names.iter().map(|name| code(name)).collect::<Vec<_>>().join(", ");
    let mut text = text.to_owned();
    let motion = matches!(
        kind,
        FunctionKind::Dqdt
            | FunctionKind::Rates
            | FunctionKind::InverseDynamicsConstrained
            | FunctionKind::Energy
            | FunctionKind::Multipliers
    );
    if !l.dependent_speeds.is_empty() && motion {
        let names = list(&l.dependent_speeds);
        text.push_str(&format!(" Dependent speeds are computed from the others, and not read: {names}."));
    }
    if !l.undetermined_rows.is_empty() {
        let names = list(&l.undetermined_rows);
        match kind {
            FunctionKind::Multipliers => text.push_str(&format!(
                " Left out, since the motion of rigid bodies does not determine them, only what they do together: {names}."
            )),
            FunctionKind::Reactions => text.push_str(&format!(
                " Where the multipliers of {names} take part, which the motion of rigid bodies does not determine, the \
                 wrenches are one of many possible ones."
            )),
            _ => {}
        }
    }
    lines.extend([text, String::new()]);
}

/// The documentation of a function.
pub fn documentation(program: &Program, function: &Function, arguments: &Arguments) -> Vec<syn::Attribute> {
    let l = &program.layout;
    let mut lines = vec![summary(function.kind, &program.name), String::new()];
    of_constraints(function.kind, l, &mut lines);
    let tables = function.kind == FunctionKind::Dqdt
        || !program.functions.iter().any(|f| f.kind == FunctionKind::Dqdt && !f.outputs.is_empty());
    for a in arguments.arrays.iter().filter(|_| tables) {
        let slots: Vec<&Slot> = match a.name {
            "x" => l.q.iter().chain(&l.v).chain(&l.z).collect(),
            "u" => l.u.iter().collect(),
            "q" => l.q.iter().collect(),
            _ => continue,
        };
        table(a.name, &slots, &mut lines);
    }
    lines.push(format!("Cost: {}.", count(program, function)));
    if arguments.fallible {
        lines.extend([String::new(), "# Errors".to_owned()]);
        lines.push(
            "[`Singular`](::dqdt::Singular) where the equations cannot be solved; the result is zero there."
                .into(),
        );
    }
    doc(&lines)
}

fn table(name: &str, slots: &[&Slot], lines: &mut Vec<String>) {
    if slots.is_empty() {
        return;
    }
    let mut rows = vec![[name.to_owned(), "name".to_owned(), "meaning".to_owned(), "unit".to_owned()]];
    let row = |(i, s): (usize, &&Slot)| [format!("`{name}[{i}]`"), code(&s.name), meaning(s), code(&s.unit)];
    rows.extend(slots.iter().enumerate().map(row));
    let width = |c: usize| rows.iter().map(|r| r[c].chars().count()).max().unwrap_or(0);
    let widths = [width(0), width(1), width(2), width(3)];
    for (i, row) in rows.iter().enumerate() {
        let cells: Vec<String> = row.iter().zip(widths).map(|(text, w)| format!("{text:w$}")).collect();
        lines.push(format!("| {} |", cells.join(" | ")));
        if i == 0 {
            lines.push(format!("|{}|", widths.map(|w| "-".repeat(w + 2)).join("|")));
        }
    }
    lines.push(String::new());
}
