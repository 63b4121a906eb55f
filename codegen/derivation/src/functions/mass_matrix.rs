//! The emitted function `mass_matrix`.

use super::{Definition, Derivation, Derive};
use dqdt_graph::ir::FunctionOutput;
use dqdt_graph::ir::declaration::{
    Argument, ConstraintNote, Declaration, EntryNames, Returns, Role, Solves, Vector,
};

/// The emitted function `mass_matrix`: `M(q, t)` of the tree, nv × nv, symmetric, by speeds in the
/// order of the state. Entry i, j is in units of the effort of speed i per rate of change of speed
/// j (kg, kg·m, kg·m²).
pub const MASS_MATRIX: &Definition = &Definition {
    declaration: Declaration {
        name: "mass_matrix",
        summary: "Mass matrix M(q, t), symmetric.",
        constraints: Some(ConstraintNote::new(
            "Ignores the constraints: the result applies to the tree of bodies and joints.",
        )),
        arguments: &[Argument::STATE],
        returns: Returns::Array { name: "mass", dims: &[Vector::Speeds, Vector::Speeds] },
        entries: EntryNames::Symmetric("M", Vector::Speeds),
        solves: Solves::Nothing,
        checked: false,
        role: Some(Role::MassMatrix),
        by_default: true,
        in_eval: true,
    },
    derive: Derive::State(derive),
};

fn derive(d: &Derivation<'_, '_>) -> Vec<FunctionOutput> {
    let mass = d.equations().mass;
    let shape = (mass.len(), mass.len());
    vec![FunctionOutput::matrix("mass_matrix", "mass matrix, symmetric", shape, d.node_ids(&mass.concat()))]
}
