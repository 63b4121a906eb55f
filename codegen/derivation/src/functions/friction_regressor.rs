//! The emitted function `friction_regressor`.

use super::{Definition, Derivation, Derive};
use dqdt_graph::ir::FunctionOutput;
use dqdt_graph::ir::declaration::{Argument, ConstraintNote, Declaration, Returns};
use dqdt_mechanics::formalism;

/// The emitted function `friction_regressor`: matrix `Y` of `Q_f = Y π_f`, in which the efforts of
/// `friction` are linear in the viscous and the Coulomb coefficient of each load of that type.
///
/// There are two columns for each load, in spec order; transition speeds are constants. Used with
/// `regressor` to identify friction together with inertias: in `τ = Y π + rest`, friction is part
/// of the rest.
pub const FRICTION_REGRESSOR: &Definition = &Definition {
    declaration: Declaration {
        name: "friction_regressor",
        summary: "Regressor of friction: the matrix Y that maps the friction coefficients to the friction efforts.",
        constraints: Some(ConstraintNote::new(
            "Ignores the constraints: the result applies to the tree of bodies and joints.",
        )),
        arguments: &[Argument::STATE],
        returns: Returns::Struct {
            name: "FrictionRegressor",
            about: "Regressor of friction. Columns: the coefficients of each load of type `friction`, in the \
                    order of the spec, viscous, then Coulomb.",
        },
        ..Declaration::ON_REQUEST
    },
    derive: Derive::State(derive),
};

fn derive(d: &Derivation<'_, '_>) -> Vec<FunctionOutput> {
    let m = d.mechanism();
    let frictions: Vec<&str> =
        (m.loads.iter()).filter(|l| !l.kind.by_coefficients().is_empty()).map(|l| l.name.as_str()).collect();
    if m.nv() == 0 || frictions.is_empty() {
        return Vec::new();
    }
    let columns = formalism::friction_regressor_columns(m, &d.environment(d.saturated_inputs()));
    let rows = (0..m.nv()).flat_map(|i| columns.iter().map(move |c| c[i])).collect::<Vec<_>>();
    let about = format!("friction regressor Y, with columns for the loads {}", frictions.join(", "));
    vec![FunctionOutput::matrix("matrix", &about, (m.nv(), columns.len()), d.node_ids(&rows))]
}
