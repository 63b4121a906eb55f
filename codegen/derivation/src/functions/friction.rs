//! The emitted function `friction`.

use super::{Definition, Derivation, Derive};
use dqdt_graph::ir::FunctionOutput;
use dqdt_graph::ir::declaration::{Argument, ConstraintNote, Declaration, EntryNames, Returns, Vector};
use dqdt_mechanics::formalism;

/// The emitted function `friction`: efforts of all loads of the type `friction` on the speeds, nv
/// values (N or N·m): `−viscous v − coulomb tanh(v / transition)`. Added to `inverse_dynamics`,
/// they give inverse dynamics without friction.
pub const FRICTION: &Definition = &Definition {
    declaration: Declaration {
        name: "friction",
        summary: "Efforts of the loads of type `friction`, which oppose the speeds. Adding these efforts to \
                  the result of inverse dynamics gives inverse dynamics without friction.",
        constraints: Some(ConstraintNote::new(
            "Ignores the constraints: the result applies to the tree of bodies and joints.",
        )),
        arguments: &[Argument::STATE],
        returns: Returns::Array { name: "effort", dims: &[Vector::Speeds] },
        entries: EntryNames::Each(Vector::Speeds, "friction_{}"),
        ..Declaration::ON_REQUEST
    },
    derive: Derive::State(derive),
};

fn derive(d: &Derivation<'_, '_>) -> Vec<FunctionOutput> {
    let m = d.mechanism();
    if m.nv() == 0 {
        return Vec::new();
    }
    let efforts = formalism::friction_efforts(m, &d.environment(d.saturated_inputs()));
    vec![FunctionOutput::vector("effort", "", "friction efforts", d.node_ids(&efforts))]
}
