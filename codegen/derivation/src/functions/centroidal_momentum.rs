//! The emitted function `centroidal_momentum`.

use super::{Definition, Derivation, Derive};
use dqdt_algebra::Wrench;
use dqdt_graph::ir::declaration::{Argument, ConstraintNote, Declaration, Returns};
use dqdt_graph::ir::{FunctionOutput, Tracer};
use dqdt_mechanics::formalism;

/// The emitted function `centroidal_momentum`: momentum and angular momentum about the centre of
/// mass, in ground axes.
///
/// Results: `h = A v` (plus prescribed motion), the 6 × nv matrix A, and `Ȧ v`. The sum of all
/// external wrenches is `ḣ = A v̇ + Ȧ v` (Orin, Goswami and Lee 2013).
pub const CENTROIDAL_MOMENTUM: &Definition = &Definition {
    declaration: Declaration {
        name: "centroidal_momentum",
        summary: "Centroidal momentum h (momentum, and angular momentum about the centre of mass) in ground \
                  axes, the matrix A that maps the speeds to h, and the rate of h at v̇ = 0.",
        constraints: Some(ConstraintNote::new(
            "Ignores the constraints: all speeds of the tree are treated as independent.",
        )),
        arguments: &[Argument::STATE],
        returns: Returns::Struct {
            name: "CentroidalMomentum",
            about: "Rows: momentum [kg·m/s], angular momentum about the centre of mass [kg·m²/s], in ground axes.",
        },
        ..Declaration::ON_REQUEST
    },
    derive: Derive::State(derive),
};

fn derive<'g>(d: &Derivation<'g, '_>) -> Vec<FunctionOutput> {
    let m = d.mechanism();
    let centroid = formalism::evaluate_centroid(m, &d.environment(d.saturated_inputs()));
    if m.nv() == 0 || centroid.mass.constant().is_some_and(|x| x.is_zero()) {
        return Vec::new();
    }
    let rows: Vec<_> =
        (0..6).flat_map(|i| centroid.matrix.iter().map(move |c| wrench_entries(c)[i])).collect();
    vec![
        FunctionOutput::vector("momentum", "", "h", d.node_ids(&wrench_entries(&centroid.momentum))),
        FunctionOutput::matrix(
            "matrix",
            "matrix A that maps the speeds to h; columns: speeds",
            (6, m.nv()),
            d.node_ids(&rows),
        ),
        FunctionOutput::vector(
            "bias",
            "",
            "rate of the centroidal momentum h at v̇ = 0",
            d.node_ids(&wrench_entries(&centroid.bias)),
        ),
    ]
}

/// The six entries of a wrench, force first.
fn wrench_entries<'g>(w: &Wrench<Tracer<'g>>) -> Vec<Tracer<'g>> {
    [w.f.0, w.m.0].concat()
}
