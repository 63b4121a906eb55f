//! The emitted function `coriolis_matrix`.

use super::{Definition, Derivation, Derive};
use dqdt_graph::ir::FunctionOutput;
use dqdt_graph::ir::declaration::{Argument, ConstraintNote, Declaration, EntryNames, Returns, Vector};
use dqdt_mechanics::formalism;

/// The emitted function `coriolis_matrix`: `C(q, v)`, nv × nv. `C v` is the velocity-quadratic part
/// of c, and `Ṁ − 2C` is skew.
///
/// The entries come from Christoffel symbols where `v = q̇`, else from the same connection in the
/// frame of the speeds. Terms of prescribed motion are not included.
pub const CORIOLIS_MATRIX: &Definition = &Definition {
    declaration: Declaration {
        name: "coriolis_matrix",
        summary: "Coriolis matrix C(q, v): C v is the velocity-quadratic part of the inertia terms, and Ṁ − 2C \
                  is skew-symmetric. Its entries are computed from Christoffel symbols in the frame of the speeds.",
        constraints: Some(ConstraintNote::new(
            "Ignores the constraints: the result applies to the tree of bodies and joints.",
        )),
        arguments: &[Argument::STATE],
        returns: Returns::Array { name: "c", dims: &[Vector::Speeds, Vector::Speeds] },
        entries: EntryNames::Square("C", Vector::Speeds),
        ..Declaration::ON_REQUEST
    },
    derive: Derive::State(derive),
};

fn derive(d: &Derivation<'_, '_>) -> Vec<FunctionOutput> {
    let m = d.mechanism();
    if m.nv() == 0 {
        return Vec::new();
    }
    let c = formalism::coriolis_matrix(m, &d.environment(d.saturated_inputs()));
    let shape = (m.nv(), m.nv());
    vec![FunctionOutput::matrix("coriolis_matrix", "Coriolis matrix", shape, d.node_ids(&c.concat()))]
}
