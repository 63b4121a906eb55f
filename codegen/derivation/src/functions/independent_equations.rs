//! The emitted function `independent_equations`: the equations of motion in independent speeds.

use super::linearize::IN_INDEPENDENT_DIFFERENCES;
use super::{Definition, Derivation, Derive, Quotients};
use crate::derive::independent::IndependentDifferences;
use crate::derive::input_force_column;
use dqdt_algebra::{Scalar, dot};
use dqdt_graph::ir::declaration::{Argument, ConstraintNote, Declaration, Returns, Role};
use dqdt_graph::ir::{FunctionOutput, Tracer};
use dqdt_mechanics::formalism;

/// The emitted function `independent_equations`: the coefficients of
/// `mass · v̇_i + bias = inputs · u` in the independent speeds alone. They are `BᵀMB`,
/// `Bᵀ(M v̇₀ + c − Q)` at `u = 0`, and `BᵀB_u`, where `v̇ = B v̇_i + v̇₀` fulfils the constraints.
/// A gripper whose fingers mimic each other has one equation.
///
/// Together with `closure`, which computes the whole state from the independent coordinates and
/// speeds, this describes the mechanism in fewer coordinates.
/// Method: Maggi's projection (Maggi 1896; Kane and Levinson 1985), with the pivots that assembly
/// chose.
pub const INDEPENDENT_EQUATIONS: &Definition = &Definition {
    declaration: Declaration {
        name: "independent_equations",
        summary: "The equations of {mechanism} in the independent speeds: mass · v̇ + bias = inputs · u.",
        constraints: Some(ConstraintNote::new(IN_INDEPENDENT_DIFFERENCES)),
        arguments: &[Argument::STATE],
        returns: Returns::Struct {
            name: "IndependentEquations",
            about: "Rows and columns: the independent speeds, in the order of the state.",
        },
        checked: true,
        role: Some(Role::Independent),
        ..Declaration::ON_REQUEST
    },
    derive: Derive::Divided(derive),
};

fn derive<'g>(d: &Derivation<'g, '_>) -> Quotients<'g> {
    let m = d.mechanism();
    if m.nv() == 0 || d.rows().is_empty() || !m.inputs_realising_constraints().is_empty() {
        return Quotients::default();
    }
    let Some(free) = IndependentDifferences::new(d) else { return Quotients::default() };
    let silent = vec![Tracer::ZERO; m.inputs.len()];
    let env = d.tree_environment(&silent);
    let (basis, rows) = (&free.motion().basis, free.rows());
    let n = basis.len();
    let mass = d.equations().mass;
    let mass_columns: Vec<Vec<Tracer<'g>>> =
        basis.iter().map(|column| mass.iter().map(|row| dot(row, column)).collect()).collect();
    let entries: Vec<Tracer<'g>> = (0..n * n)
        .map(|k| (k / n, k % n))
        .map(|(i, j)| dot(&basis[i.min(j)], &mass_columns[i.max(j)]))
        .collect();
    let gamma: Vec<Tracer<'g>> = rows.iter().map(|row| row.stabilised_gamma(m, &env)).collect();
    let efforts = formalism::inverse_dynamics(m, &env, &free.motion().solve_dependent(&gamma));
    let bias: Vec<Tracer<'g>> = basis.iter().map(|column| dot(column, &efforts)).collect();
    let mut outputs = vec![
        FunctionOutput::matrix(
            "mass",
            format!("BᵀMB, of: {}", free.independent_speed_names(m)),
            (n, n),
            d.node_ids(&entries),
        ),
        FunctionOutput::vector("bias", "", "Bᵀ (M v̇₀ + c − Q) at u = 0", d.node_ids(&bias)),
    ];
    if !m.inputs.is_empty() {
        let columns: Vec<Vec<Tracer<'g>>> =
            (0..m.inputs.len()).map(|k| input_force_column(m, &env, k)).collect();
        let entries: Vec<Tracer<'g>> = basis
            .iter()
            .flat_map(|column| columns.iter().map(|c| dot(column, c)).collect::<Vec<_>>())
            .collect();
        let about = "coefficients of the inputs, if the forces are linear in the inputs";
        outputs.push(FunctionOutput::matrix("inputs", about, (n, m.inputs.len()), d.node_ids(&entries)));
    }
    Quotients { outputs, divisors: free.pivots().to_vec() }
}
