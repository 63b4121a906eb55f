//! The emitted function `gravity`.

use super::{Definition, Derivation, Derive};
use dqdt_graph::ir::FunctionOutput;
use dqdt_graph::ir::declaration::{Argument, ConstraintNote, Declaration, EntryNames, Returns, Role, Vector};
use dqdt_mechanics::formalism;

/// The emitted function `gravity`: efforts `g(q)` that balance gravity on the tree at rest, nv
/// values (N or N·m). `bias` is `C v + g` less the loads.
pub const GRAVITY: &Definition = &Definition {
    declaration: Declaration {
        name: "gravity",
        summary: "Efforts g(q) that hold the tree at rest against gravity. Springs are loads and are not included.",
        constraints: Some(ConstraintNote::new(
            "Ignores the constraints: the result applies to the tree of bodies and joints.",
        )),
        arguments: &[Argument::STATE],
        returns: Returns::Array { name: "g", dims: &[Vector::Speeds] },
        entries: EntryNames::Each(Vector::Speeds, "gravity_{}"),
        role: Some(Role::Gravity),
        ..Declaration::ON_REQUEST
    },
    derive: Derive::State(derive),
};

fn derive(d: &Derivation<'_, '_>) -> Vec<FunctionOutput> {
    let m = d.mechanism();
    if m.nv() == 0 {
        return Vec::new();
    }
    let g = formalism::gravity_efforts(m, &d.environment(d.saturated_inputs()));
    vec![FunctionOutput::vector("g", "", "efforts that balance gravity", d.node_ids(&g))]
}
