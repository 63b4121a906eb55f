//! The emitted function `sensitivities`: derivatives of the motion by parameters.

use super::linearize::IN_INDEPENDENT_DIFFERENCES;
use super::{Definition, Derivation, Derive, Quotients, Solved};
use crate::derive::independent::IndependentDifferences;
use crate::derive::{directions, linear, reduced};
use dqdt_graph::ir::FunctionOutput;
use dqdt_graph::ir::declaration::{Argument, ConstraintNote, Declaration, Returns, Role, Solves};

/// The emitted function `sensitivities`: `∂ẋ/∂p` by the free parameters, and `∂y/∂p` of the
/// outputs. Rows are those of `linearize`. With constraints, the independent entries of the state
/// are constant and the dependent ones change with the parameter, such as the length of a rod.
pub const SENSITIVITIES: &Definition = &Definition {
    declaration: Declaration {
        name: "sensitivities",
        summary: "Derivatives of ẋ and of the outputs with respect to the parameters, at a fixed state of {mechanism}.",
        constraints: Some(ConstraintNote::new(IN_INDEPENDENT_DIFFERENCES)),
        arguments: &[Argument::STATE, Argument::INPUTS],
        returns: Returns::Struct {
            name: "Sensitivities",
            about: "Derivatives with respect to the free parameters, in row-major order; the rows of `e` \
                    correspond to those of `linearize`.",
        },
        solves: Solves::Accelerations,
        checked: true,
        role: Some(Role::Sensitivities),
        ..Declaration::ON_REQUEST
    },
    derive: Derive::MotionDivided(derive),
};

fn derive<'g>(d: &Derivation<'g, '_>, motion: &Solved<'g>) -> Quotients<'g> {
    let m = d.mechanism();
    let parameters = directions::parameter_directions(d);
    if parameters.is_empty() || m.nv() == 0 {
        return Quotients::default();
    }
    let names: Vec<_> = parameters.iter().map(|x| x.name.clone()).collect();
    let (columns, divisors) = if d.rows().is_empty() && m.inputs_realising_constraints().is_empty() {
        (linear::tree_motion_derivatives(d, motion, &parameters), Vec::new())
    } else {
        let Some(free) = IndependentDifferences::new(d) else { return Quotients::default() };
        let along: Vec<_> = parameters.into_iter().map(|x| free.complete_direction(x)).collect();
        let reduced = reduced::constrained_motion_derivatives(d, motion, &free, &along);
        (reduced.columns, reduced.divisors)
    };
    let part = |name: &str, what: &str, columns: Vec<Vec<_>>| {
        let about = format!("{what}, columns: {}", names.join(", "));
        let rows = columns[0].len();
        let entries: Vec<_> = (0..rows).flat_map(|i| columns.iter().map(move |c| c[i])).collect();
        (rows > 0).then(|| FunctionOutput::matrix(name, about, (rows, columns.len()), d.node_ids(&entries)))
    };
    let of_state = part("e", "∂ẋ/∂p", columns.iter().map(|c| c.state.clone()).collect());
    let of_outputs = part("outputs", "∂y/∂p", columns.iter().map(|c| c.outputs.clone()).collect());
    Quotients { outputs: [of_state, of_outputs].into_iter().flatten().collect(), divisors }
}
