//! The emitted function `solve_mass_matrix`.

use super::{Definition, Derivation, Derive, Quotients};
use dqdt_graph::ir::FunctionOutput;
use dqdt_graph::ir::declaration::{
    Argument, ConstraintNote, Declaration, EntryNames, Returns, Solves, Vector,
};

/// The emitted function `solve_mass_matrix`: solution `a` of `M(q, t) a = τ` for given efforts τ,
/// nv values. These are the accelerations that τ adds in the tree. Method: `M = LᵀDL` with the
/// sparsity of the tree.
pub const SOLVE_MASS_MATRIX: &Definition = &Definition {
    declaration: Declaration {
        name: "solve_mass_matrix",
        summary: "Solution a of M(q, t) a = τ: the contribution of given efforts τ to the accelerations.",
        constraints: Some(ConstraintNote::new(
            "Ignores the constraints: the result applies to the tree of bodies and joints.",
        )),
        arguments: &[Argument::STATE, Argument::EFFORTS],
        returns: Returns::Array { name: "solution", dims: &[Vector::Speeds] },
        entries: EntryNames::Each(Vector::Speeds, "solution_{}"),
        solves: Solves::MassMatrix,
        checked: true,
        ..Declaration::ON_REQUEST
    },
    derive: Derive::Divided(derive),
};

fn derive<'g>(d: &Derivation<'g, '_>) -> Quotients<'g> {
    let m = d.mechanism();
    if m.nv() == 0 {
        return Quotients::default();
    }
    let factored = d.factor_mass_matrix(&d.equations().mass);
    let solution = factored.solve(&d.effort_symbols());
    let outputs =
        vec![FunctionOutput::vector("solution", "", "solution a of M a = τ", d.node_ids(&solution))];
    Quotients { outputs, divisors: factored.pivots(m) }
}
