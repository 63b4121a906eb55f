//! The outputs that the spec asks for.

use super::{Definition, Derivation, Derive, Solved};
use crate::formalism;
use crate::ir::FunctionOutput;
use crate::ir::Shape;
use crate::ir::declaration::{Argument, ConstraintNote, Declaration, EntryNames, Returns, Solves};

/// The outputs of the spec, each in its unit and frame; they may need accelerations, and then fail as [`DQDT`](super::DQDT) does.
pub const OUTPUTS: &Definition = &Definition {
    declaration: Declaration {
        name: "outputs",
        summary: "Outputs of the spec.",
        constraints: Some(ConstraintNote {
            where_solved: true,
            ..ConstraintNote::new("Accelerations in them obey the constraints.")
        }),
        arguments: &[Argument::STATE, Argument::INPUTS],
        returns: Returns::Struct { name: "Outputs", about: "Outputs of the spec." },
        entries: EntryNames::Numbered,
        solves: Solves::Accelerations,
        checked: true,
        role: None,
        by_default: true,
        in_eval: true,
    },
    derive: Derive::Motion(derive),
};

fn derive<'g>(d: &Derivation<'g, '_>, motion: &Solved<'g>) -> Vec<FunctionOutput> {
    let m = d.mechanism();
    if m.outputs.is_empty() {
        return Vec::new();
    }
    let values = formalism::outputs(m, &d.environment(motion.inputs()), motion.accelerations());
    let output = |o: formalism::OutputValue<_>| FunctionOutput {
        shape: if o.values.len() == 1 { Shape::Scalar } else { Shape::Vector(o.values.len()) },
        nodes: d.ids(&o.values),
        name: o.name,
        unit: o.unit,
        description: o.description,
        entries: None,
        // Of a joint with one speed the effort is one value.
        labels: if o.values.len() == 1 { Vec::new() } else { o.labels },
    };
    values.into_iter().map(output).collect()
}
