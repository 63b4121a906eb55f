//! The emitted function `closure`: one Newton correction of the dependent coordinates of loops.

use super::linearize::IN_INDEPENDENT_DIFFERENCES;
use super::{Definition, Derivation, Derive, Quotients};
use crate::derive::independent::IndependentDifferences;
use dqdt_algebra::Scalar;
use dqdt_graph::ir::declaration::{Argument, ConstraintNote, Declaration, Returns, Role};
use dqdt_graph::ir::{FunctionOutput, Tracer};
use dqdt_mechanics::kinematics::quaternion_starts;
use dqdt_mechanics::mechanism::CoordinateId;

/// The emitted function `closure`: one Newton step towards `Φ(q, t) = 0` in the dependent
/// coordinates with the independent ones fixed, and the dependent speeds from the independent ones.
///
/// Call it once for each step, with the corrected coordinates in the state; three steps suffice
/// from the solution of the previous control cycle. `residual` is Φ before the step. Speeds and
/// derivatives refer to the coordinates of the argument. Derivatives follow from the implicit
/// function theorem: `∂q_d/∂q_i = −(∂Φ/∂q_d)⁻¹ ∂Φ/∂q_i`, and those of the dependent speeds
/// accordingly.
pub const CLOSURE: &Definition = &Definition {
    declaration: Declaration {
        name: "closure",
        summary: "Closes the loops of {mechanism}: takes one step of Newton's method in the dependent \
                  coordinates, and computes the dependent speeds from the independent ones at the given \
                  coordinates.",
        constraints: Some(ConstraintNote::new(IN_INDEPENDENT_DIFFERENCES)),
        arguments: &[Argument::STATE],
        returns: Returns::Struct {
            name: "Closure",
            about: "Coordinates and speeds determined by the independent ones. The difference of a unit \
                    quaternion `e` consists of three angles δ, as in `e ⊗ (1, δ/2)`, in the axes of the \
                    child.",
        },
        checked: true,
        role: Some(Role::Independent),
        ..Declaration::ON_REQUEST
    },
    derive: Derive::Divided(derive),
};

fn derive<'g>(d: &Derivation<'g, '_>) -> Quotients<'g> {
    let m = d.mechanism();
    if m.nv() == 0 || d.rows().is_empty() {
        return Quotients::default();
    }
    let Some(free) = IndependentDifferences::new(d) else { return Quotients::default() };
    let q = step_along_differences(d, &free.solve_dependent(free.positions()));
    // Dependent speeds from `A v + a₀ = 0`.
    let right: Vec<Tracer<'g>> = free.rows().iter().map(|row| -row.drift).collect();
    let mut v = free.motion().solve_dependent(&right);
    let state = d.state_symbols();
    for (column, s) in free.motion().basis.iter().zip(&free.motion().names) {
        let terms = v.iter_mut().zip(column).filter(|(_, b)| !b.is_zero());
        terms.for_each(|(v, b)| *v = *v + *b * state[m.nq() + s]);
    }
    let names = free.difference_names();
    let (pose_size, places) = (free.pose_size(), free.independent_indices());
    let dependent: Vec<usize> = (0..pose_size + m.nv()).filter(|i| !places.contains(i)).collect();
    let (of_pose, of_speeds): (Vec<usize>, Vec<usize>) = dependent.into_iter().partition(|i| *i < pose_size);
    let along = free.complete_state_directions();
    let list = |places: &[usize]| places.iter().map(|i| names[*i]).collect::<Vec<_>>().join(", ");
    let matrix = |name: &str, rows: &[usize], is_column: &dyn Fn(usize) -> bool| {
        let columns: Vec<usize> = (0..places.len()).filter(|k| is_column(places[*k])).collect();
        let mut entries = Vec::with_capacity(rows.len() * columns.len());
        for i in rows {
            for k in &columns {
                let part = along[*k].parts.iter().find(|(place, _)| place == i);
                entries.push(part.map_or(Tracer::ZERO, |(_, x)| *x));
            }
        }
        let column_places: Vec<usize> = columns.iter().map(|k| places[*k]).collect();
        let about = format!("matrix of derivatives; rows: {}; columns: {}", list(rows), list(&column_places));
        (!entries.is_empty())
            .then(|| FunctionOutput::matrix(name, about, (rows.len(), columns.len()), d.node_ids(&entries)))
    };
    let is_coordinate = |place: usize| place < pose_size;
    let mut outputs = Vec::new();
    if !of_pose.is_empty() {
        outputs.push(FunctionOutput::vector(
            "residual",
            "",
            "residuals Φ of all position rows before the step",
            d.node_ids(free.positions()),
        ));
    }
    outputs.push(FunctionOutput::vector("coordinates", "", "all coordinates after the step", d.node_ids(&q)));
    outputs.push(FunctionOutput::vector(
        "speeds",
        "",
        "all speeds, including the computed dependent speeds",
        d.node_ids(&v),
    ));
    outputs.extend(matrix("coordinates_by_coordinates", &of_pose, &is_coordinate));
    outputs.extend(matrix("speeds_by_coordinates", &of_speeds, &is_coordinate));
    outputs.extend(matrix("speeds_by_speeds", &of_speeds, &|place| {
        (pose_size..pose_size + m.nv()).contains(&place)
    }));
    Quotients { outputs, divisors: free.pivots().to_vec() }
}

/// Coordinates after a step along `differences`; a quaternion has three and is normalised.
fn step_along_differences<'g>(d: &Derivation<'g, '_>, differences: &[Tracer<'g>]) -> Vec<Tracer<'g>> {
    let m = d.mechanism();
    let (q, quaternions) = (d.state_symbols(), quaternion_starts(m));
    let mut differences = differences.iter().copied();
    let mut next = || differences.next().unwrap_or(Tracer::ZERO);
    let mut out = Vec::with_capacity(m.nq());
    let mut i = 0;
    while i < m.nq() {
        if !quaternions.contains(&CoordinateId(i)) {
            out.push(q[i] + next());
            i += 1;
            continue;
        }
        let half = Tracer::ratio(1, 2);
        let turn = [next(), next(), next()];
        if turn.iter().all(|x| x.is_zero()) {
            out.extend_from_slice(&q[i..i + 4]);
            i += 4;
            continue;
        }
        let [a, b, c] = turn.map(|x| half * x);
        let [w, x, y, z] = [0, 1, 2, 3].map(|k| q[i + k]);
        let turned = [
            w - a * x - b * y - c * z,
            x + a * w + c * y - b * z,
            y + b * w + a * z - c * x,
            z + c * w + b * x - a * y,
        ];
        let square = turned.iter().fold(Tracer::ZERO, |sum, x| sum + *x * *x);
        let over = Tracer::ONE / square.sqrt();
        out.extend(turned.map(|x| x * over));
        i += 4;
    }
    out
}
