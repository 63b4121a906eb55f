//! The emitted function `coriolis`: the part of the efforts that is quadratic in the speeds.

use super::{Definition, Derivation, Derive};
use dqdt_graph::ir::FunctionOutput;
use dqdt_graph::ir::declaration::{Argument, ConstraintNote, Declaration, EntryNames, Returns, Vector};
use dqdt_mechanics::formalism;

/// The emitted function `coriolis`: `C(q, v) v`, the velocity-quadratic part of the inertia terms,
/// nv values (N or N·m), by one RNEA sweep. Without prescribed motion, `bias` is `coriolis` plus
/// `gravity` less the loads.
pub const CORIOLIS: &Definition = &Definition {
    declaration: Declaration {
        name: "coriolis",
        summary: "Coriolis and centrifugal efforts C(q, v) v.",
        constraints: Some(ConstraintNote::new(
            "Ignores the constraints: the result applies to the tree of bodies and joints.",
        )),
        arguments: &[Argument::STATE],
        returns: Returns::Array { name: "effort", dims: &[Vector::Speeds] },
        entries: EntryNames::Each(Vector::Speeds, "coriolis_{}"),
        ..Declaration::ON_REQUEST
    },
    derive: Derive::State(derive),
};

fn derive(d: &Derivation<'_, '_>) -> Vec<FunctionOutput> {
    let m = d.mechanism();
    if m.nv() == 0 {
        return Vec::new();
    }
    let efforts = formalism::coriolis_efforts(m, &d.environment(d.saturated_inputs()));
    vec![FunctionOutput::vector("effort", "", "C v", d.node_ids(&efforts))]
}
