//! The emitted function `inverse_mass_matrix`.

use super::{Definition, Derivation, Derive, Quotients};
use dqdt_algebra::Scalar;
use dqdt_graph::ir::declaration::{
    Argument, ConstraintNote, Declaration, EntryNames, Returns, Solves, Vector,
};
use dqdt_graph::ir::{FunctionOutput, Tracer};

/// The emitted function `inverse_mass_matrix`: `M⁻¹(q, t)` of the tree, nv × nv, symmetric. Method:
/// `M = LᵀDL` with the sparsity of the tree; of two equal entries, only the one without a
/// right-hand side is computed (`algebra::TreeColumns`).
pub const INVERSE_MASS_MATRIX: &Definition = &Definition {
    declaration: Declaration {
        name: "inverse_mass_matrix",
        summary: "Inverse M⁻¹(q, t) of the mass matrix, symmetric.",
        constraints: Some(ConstraintNote::new(
            "Ignores the constraints: the result applies to the tree of bodies and joints.",
        )),
        arguments: &[Argument::STATE],
        returns: Returns::Array { name: "inverse", dims: &[Vector::Speeds, Vector::Speeds] },
        entries: EntryNames::Symmetric("inverse", Vector::Speeds),
        solves: Solves::MassMatrix,
        checked: true,
        ..Declaration::ON_REQUEST
    },
    derive: Derive::Divided(derive),
};

fn derive<'g>(d: &Derivation<'g, '_>) -> Quotients<'g> {
    let m = d.mechanism();
    let n = m.nv();
    if n == 0 {
        return Quotients::default();
    }
    let factored = d.factor_mass_matrix(&d.equations().mass);
    let units: Vec<Vec<Tracer<'g>>> =
        (0..n).map(|j| (0..n).map(|i| if i == j { Tracer::ONE } else { Tracer::ZERO }).collect()).collect();
    let columns = factored.solve_many(&units);
    let entries = columns.concat();
    let about = "inverse of the mass matrix, symmetric";
    let outputs = vec![FunctionOutput::matrix("inverse", about, (n, n), d.node_ids(&entries))];
    Quotients { outputs, divisors: factored.pivots(m) }
}
