//! The inverse of the mass matrix.

use super::{Definition, Derivation, Derive, Quotients};
use crate::algebra::Scalar;
use crate::ir::declaration::{Argument, ConstraintNote, Declaration, EntryNames, Returns, Vector};
use crate::ir::{FunctionOutput, Tracer};

/// `M⁻¹(q, t)` of the tree: symmetric, nv × nv, the inverse of `mass_matrix`. Method: `M = LᵀDL` with the sparsity of the tree, solved
/// for the columns of one.
pub const INVERSE_MASS_MATRIX: &Definition = &Definition {
    declaration: Declaration {
        name: "inverse_mass_matrix",
        summary: "Inverse M⁻¹(q, t) of the mass matrix, symmetric.",
        constraints: Some(ConstraintNote::new("Of the tree: constraints are not in it.")),
        arguments: &[Argument::STATE],
        returns: Returns::Array { name: "inverse", dims: &[Vector::Speeds, Vector::Speeds] },
        entries: EntryNames::Symmetric("inverse", Vector::Speeds),
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
    let factored = d.factored(&d.equations().mass);
    let column = |j: usize| {
        let mut unit = vec![Tracer::ZERO; n];
        unit[j] = Tracer::ONE;
        factored.solve(&unit)
    };
    let columns: Vec<Vec<Tracer<'g>>> = (0..n).map(column).collect();
    // Of the two equal entries the one that takes less: that of the speed further from the root.
    let entry = |i: usize, j: usize| {
        let (a, b) = if factored.place[i] >= factored.place[j] { (i, j) } else { (j, i) };
        columns[b][a]
    };
    let entries: Vec<Tracer<'g>> =
        (0..n).flat_map(|i| (0..n).map(move |j| (i, j))).map(|(i, j)| entry(i, j)).collect();
    let about = "inverse of the mass matrix, symmetric";
    let outputs = vec![FunctionOutput::matrix("inverse", about, (n, n), d.ids(&entries))];
    Quotients { outputs, divisors: factored.pivots(m) }
}
