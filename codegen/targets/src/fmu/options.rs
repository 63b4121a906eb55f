//! Options of a functional mock-up unit, and what a mechanism can offer with them.

use dqdt_graph::ir::Program;

/// Options of a functional mock-up unit.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FmuOptions {
    /// Add kinetic and potential energy as variables.
    pub energies: bool,
    /// Add the reactions of the joints as variables.
    pub reactions: bool,
    /// Add the multipliers of the constraints as variables.
    pub multipliers: bool,
    /// Emit directional and adjoint derivatives.
    pub derivatives: bool,
    /// Integrate by the implicit midpoint rule in co-simulation.
    pub stiff: bool,
    /// For each entry of the state, true if it is independent; empty if no independent states were
    /// named. With them a constrained mechanism can be exchanged as a model.
    pub independent: Vec<bool>,
}

/// True if constraints make states depend on each other.
pub(super) fn is_constrained(program: &Program) -> bool {
    !program.layout.velocity_rows.is_empty()
}

/// True if an importer can integrate the states of the unit.
pub(super) fn offers_model_exchange(program: &Program, options: &FmuOptions) -> bool {
    !is_constrained(program) || !options.independent.is_empty()
}
