//! Equations of motion by any formalism.
//!
//! A formalism returns one of the variants of [`Equations`]. All can be solved for accelerations by
//! [`super::forward()`], over any scalar, and compared. Formalisms without `M`, `c`, `Q` of their
//! own use those of CRBA ([`implicit_equations`]). Two problems of the conventions do not derive
//! accelerations and have functions of their own: [`super::kinetostatics()`] and
//! [`super::impact()`].

use super::dynamics::mass_matrix::simplify_mass_and_vectors;
use super::forward::solve_forward_dynamics;
use super::method::{Equations, Implicit};
use super::methods::composite_body::composite_body_equations;
use super::registry::Formalism;
use crate::kinematics::active_stabilised_rows;
use crate::mechanism::{Environment, Mechanism};
use dqdt_algebra::Scalar;

/// Matrices `M`, `c` and `Q` of the tree: those of the formalism if it has its own, else those of
/// CRBA.
pub fn implicit_equations<S: Scalar>(f: Formalism, m: &Mechanism, env: &Environment<'_, S>) -> Implicit<S> {
    let tree = f.dispatch_implicit(m, env).unwrap_or_else(|| composite_body_equations(m, env));
    let (mass, [c, force]) = simplify_mass_and_vectors(&tree.mass, [&tree.c, &tree.force]);
    Implicit { mass, c, force }
}

/// Mass matrix and right-hand side `Q − c`, the latter by one RNEA sweep; `None` if the formalism
/// has no such sweep.
pub fn mass_matrix_and_right_side<S: Scalar>(
    f: Formalism,
    m: &Mechanism,
    env: &Environment<'_, S>,
) -> Option<(Vec<Vec<S>>, Vec<S>)> {
    let right = f.dispatch_right_side(m, env)?;
    let tree = f.dispatch_implicit(m, env)?;
    let (mass, [right]) = simplify_mass_and_vectors(&tree.mass, [&right]);
    Some((mass, right))
}

/// Equations of motion by the formalism `f`, in its form. Used by proofs.
pub fn equations<S: Scalar>(f: Formalism, m: &Mechanism, env: &Environment<'_, S>) -> Equations<S> {
    if let Some(equations) = f.dispatch_equations(m, env) {
        return equations;
    }
    match f.dispatch_implicit(m, env) {
        Some(tree) if m.constraints.is_empty() => Equations::Implicit(tree),
        Some(tree) => Equations::Augmented(tree, active_stabilised_rows(m, env)),
        None => Equations::Explicit(solve_forward_dynamics(f, m, env).accelerations),
    }
}
