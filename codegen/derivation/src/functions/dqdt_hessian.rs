//! The emitted function `dqdt_hessian`: second derivatives of the state derivative, weighted by
//! costates.

use super::{Definition, Derivation, Derive, Quotients, Solved};
use crate::derive::hessian;
use dqdt_algebra::Scalar;
use dqdt_graph::ir::FunctionOutput;
use dqdt_graph::ir::declaration::{Argument, ConstraintNote, Declaration, Returns, Solves};

/// The emitted function `dqdt_hessian`: `ẋ`, and the second derivatives of `λᵀẋ = Σ λᵢ ẋᵢ` by the
/// state, the inputs and the free parameters, for given costates λ; for optimisers that need the
/// exact Hessian of a Lagrangian.
///
/// The variables are `[x, u, p]`, with the entries of the state as they are: four of a quaternion,
/// and dependent speeds as if they were independent. The output `hessian` has the structural
/// non-zeros of the lower triangle, by rows; their rows and columns are constants. Each entry has
/// the unit of `λᵀẋ` divided by those of its two variables. The Hessian is symmetric and linear in
/// λ. First derivatives are those of `dqdt_derivatives`. Not emitted if no second derivative
/// exists, or if they would need too many operations, as in large mechanisms whose independent
/// constraint rows depend on the pose.
pub const DQDT_HESSIAN: &Definition = &Definition {
    declaration: Declaration {
        name: "dqdt_hessian",
        summary: "The state derivative ẋ of {mechanism} and the second derivatives of λᵀẋ for given costates λ, with \
                  respect to the variables `[x, u, p]`: each entry of the state, each input and each parameter. Only \
                  the lower triangle has entries. Derivatives with respect to an input that exceeds a limit are zero.",
        constraints: Some(ConstraintNote::new(
            "The constraints are enforced. The derivatives are those of `dqdt`, even at states that violate \
             the constraints.",
        )),
        arguments: &[Argument::STATE, Argument::INPUTS, Argument::COSTATES],
        returns: Returns::Struct {
            name: "DqdtHessian",
            about: "The state derivative and the second derivatives of λᵀẋ: the structural non-zeros of the lower \
                    triangle, by rows. Entry `k` is at row [`DQDT_HESSIAN_ROWS`]`[k]` and column \
                    [`DQDT_HESSIAN_COLUMNS`]`[k]`, indices of the variables `[x, u, p]`.",
        },
        solves: Solves::Accelerations,
        checked: true,
        ..Declaration::ON_REQUEST
    },
    derive: Derive::MotionDivided(derive),
};

fn derive<'g>(d: &Derivation<'g, '_>, motion: &Solved<'g>) -> Quotients<'g> {
    let m = d.mechanism();
    if m.nv() == 0 {
        return Quotients::default();
    }
    let Some(result) = hessian::hessian_of_motion(d, motion, &d.costate_symbols()) else {
        return Quotients::default();
    };
    let (mut places, mut labels, mut entries) = (Vec::new(), Vec::new(), Vec::new());
    for (i, row) in result.rows.iter().enumerate() {
        for (j, x) in row.iter().enumerate().filter(|(_, x)| !x.is_zero()) {
            places.push([i, j]);
            labels.push(format!("{}_{}", result.variables[i], result.variables[j]));
            entries.push(*x);
        }
    }
    if entries.is_empty() {
        return Quotients::default();
    }
    let about = format!("∇²(λᵀẋ), lower triangle by rows; variables: {}", result.variables.join(", "));
    let outputs = vec![
        FunctionOutput::vector("rate", "", "ẋ", d.node_ids(&hessian::state_rates(d, motion))),
        FunctionOutput::sparse("hessian", about, places, labels, d.node_ids(&entries)),
    ];
    Quotients { outputs, divisors: result.divisors }
}
