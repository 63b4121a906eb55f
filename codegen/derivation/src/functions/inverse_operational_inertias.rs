//! The emitted function `inverse_operational_inertias`: mobility of frames under a wrench.

use super::{Definition, Derivation, Derive, Quotients};
use dqdt_algebra::Scalar;
use dqdt_graph::ir::declaration::{Argument, ConstraintNote, Declaration, Returns, Solves};
use dqdt_graph::ir::{FunctionOutput, Tracer};
use dqdt_mechanics::kinematics::frame_motions;

/// The emitted function `inverse_operational_inertias`: `Λ⁻¹ = J M⁻¹ Jᵀ` of the named points of
/// bodies, 6 × 6, symmetric.
///
/// A wrench `f` at the frame, force before moment, in frame axes, changes the acceleration of the
/// frame by `Λ⁻¹ f`; an impulse changes its twist. The inverse Λ is the operational-space inertia
/// (Khatib 1987), if the frame can move in all six directions; otherwise invert only the rows and
/// columns in which it can. Method: six right-hand sides for each frame are solved with `M = LᵀDL`.
pub const INVERSE_OPERATIONAL_INERTIAS: &Definition = &Definition {
    declaration: Declaration {
        name: "inverse_operational_inertias",
        summary: "Inverse operational-space inertias J M⁻¹ Jᵀ of named frames. Each matrix maps a wrench at \
                  a frame to the acceleration of the frame, in the axes of that frame, with the linear \
                  components first.",
        constraints: Some(ConstraintNote::new(
            "Ignores the constraints: the result applies to the tree of bodies and joints.",
        )),
        arguments: &[Argument::STATE],
        returns: Returns::Struct {
            name: "InverseOperationalInertias",
            about: "Symmetric matrices. Rows: acceleration of the origin, angular acceleration, in the axes of the frame; columns: force at the \
                    origin, moment.",
        },
        solves: Solves::MassMatrix,
        checked: true,
        ..Declaration::ON_REQUEST
    },
    derive: Derive::Divided(derive),
};

fn derive<'g>(d: &Derivation<'g, '_>) -> Quotients<'g> {
    let m = d.mechanism();
    let frames = frame_motions(m, &d.environment(d.saturated_inputs()));
    if m.nv() == 0 || frames.is_empty() {
        return Quotients::default();
    }
    let factored = d.factor_mass_matrix(&d.equations().mass);
    let mut outputs = Vec::new();
    for f in frames {
        let rows: Vec<Vec<Tracer<'g>>> = (0..6)
            .map(|i| f.jacobian.iter().map(|c| if i < 3 { c.v[i] } else { c.w[i - 3] }).collect())
            .collect();
        let solved: Vec<Vec<Tracer<'g>>> = rows.iter().map(|row| factored.solve(row)).collect();
        let entries: Vec<_> = (0..36)
            .map(|k| {
                let (i, j) = ((k / 6).min(k % 6), (k / 6).max(k % 6));
                rows[i].iter().zip(&solved[j]).fold(Tracer::ZERO, |sum, (a, b)| sum + *a * *b)
            })
            .collect();
        let (body, name) = (&m.bodies[f.body].name, &f.name);
        outputs.push(FunctionOutput::matrix(
            format!("{body}_{name}"),
            format!("inverse operational-space inertia of frame {name} of {body}"),
            (6, 6),
            d.node_ids(&entries),
        ));
    }
    Quotients { outputs, divisors: factored.pivots(m) }
}
