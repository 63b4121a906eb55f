//! Derivatives of the motion by the parameters.

use super::{Definition, Derivation, Derive, Solved};
use crate::derive::{directions, linear};
use crate::ir::FunctionOutput;
use crate::ir::declaration::{Argument, Declaration, Returns, Role, Solves};

/// `∂ẋ/∂p` by the free parameters, and `∂y/∂p` of the outputs: rows as `linearize` counts them. For mechanisms without constraints.
pub const SENSITIVITIES: &Definition = &Definition {
    declaration: Declaration {
        name: "sensitivities",
        summary: "Derivatives of ẋ and of the outputs by the parameters, at a state of {mechanism} that stays.",
        arguments: &[Argument::STATE, Argument::INPUTS],
        returns: Returns::Struct {
            name: "Sensitivities",
            about: "Derivatives by the free parameters, by rows; rows of `e` are those of `linearize`.",
        },
        solves: Solves::Accelerations,
        checked: true,
        role: Some(Role::Sensitivities),
        ..Declaration::ON_REQUEST
    },
    derive: Derive::Motion(derive),
};

fn derive<'g>(d: &Derivation<'g, '_>, motion: &Solved<'g>) -> Vec<FunctionOutput> {
    let m = d.mechanism();
    let parameters = directions::of_parameters(d);
    if parameters.is_empty() || m.nv() == 0 || !d.rows().is_empty() || !m.realising_inputs().is_empty() {
        return Vec::new();
    }
    let columns = linear::columns(d, motion, &parameters);
    let names: Vec<_> = parameters.iter().map(|x| x.name.as_str()).collect();
    let part = |name: &str, what: &str, rows: Vec<Vec<_>>| {
        let about = format!("{what}, columns: {}", names.join(", "));
        let entries: Vec<_> = (0..rows[0].len()).flat_map(|i| rows.iter().map(move |c| c[i])).collect();
        FunctionOutput::matrix(name, about, (rows[0].len(), rows.len()), d.ids(&entries))
    };
    let mut out = vec![part("e", "∂ẋ/∂p", columns.iter().map(|c| c.state.clone()).collect())];
    if !columns[0].outputs.is_empty() {
        out.push(part("outputs", "∂y/∂p", columns.iter().map(|c| c.outputs.clone()).collect()));
    }
    out
}
