//! The emitted function `positions`: named points in the ground frame.

use super::{Definition, Derivation, Derive};
use dqdt_graph::ir::FunctionOutput;
use dqdt_graph::ir::declaration::{
    Argument, ConstraintNote, Declaration, EntryGroup, EntryNames, Returns, Solves,
};
use dqdt_mechanics::kinematics;

/// The emitted function `positions`: positions of the named points of bodies from the ground's
/// origin, in ground axes \[m\], three values for each point.
pub const POSITIONS: &Definition = &Definition {
    declaration: Declaration {
        name: "positions",
        summary: "Positions of named points in the ground frame.",
        constraints: Some(ConstraintNote {
            with_dependent_speeds: Some(""),
            names_dependent_speeds: false,
            undetermined: None,
            ..ConstraintNote::new(
                "Uses the state as given, without checking that it satisfies the constraints.",
            )
        }),
        arguments: &[Argument::STATE],
        returns: Returns::Struct {
            name: "Positions",
            about: "Positions of named points in the ground frame.",
        },
        entries: EntryNames::Groups(&[EntryGroup { name: "", unit: "m", entries: &["x", "y", "z"] }]),
        solves: Solves::Nothing,
        checked: false,
        role: None,
        by_default: true,
        in_eval: false,
    },
    derive: Derive::State(derive),
};

fn derive(d: &Derivation<'_, '_>) -> Vec<FunctionOutput> {
    let m = d.mechanism();
    let points = kinematics::point_positions(m, &d.environment(d.saturated_inputs()));
    let named = points.into_iter().filter_map(|p| {
        let body = &m.bodies[p.body?].name;
        let about = format!("position of {} of {body}, in ground axes", p.name);
        Some(FunctionOutput::vector(format!("{body}_{}", p.name), "m", about, d.node_ids(&p.position.0)))
    });
    named.collect()
}
