//! Check that the named inputs can realise the program constraints.
//!
//! Problem: the decoupling matrix `G V` of the program constraints must be regular, and forces must
//!          be linear in the inputs.
//! Method:  in `f64` at the start: `V` from the equations of motion with constraints as one dense
//!          system; linearity from second differences of the generalised forces along each input.
//!
//! Not handled: other poses; there the emitted functions return `Singular`.

use dqdt_algebra::{DenseFactors, Number, pivot_order};
use dqdt_mechanics::formalism::{self, Formalism};
use dqdt_mechanics::kinematics::{self, ConstraintRow};
use dqdt_mechanics::mechanism::{Environment, Mechanism, Partition, PivotPlace, Treatment};

/// A problem with the inputs that should realise program constraints, found in assembly; `messages`
/// turns it into an error.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum ProgramFinding {
    /// One input is named to realise two rows.
    Twice {
        /// Index of the constraint that names the input again.
        constraint: usize,
        /// Index of the input that is named twice.
        input: usize,
    },
    /// A force is not linear in the input.
    NotLinear {
        /// Index of the constraint that names the input.
        constraint: usize,
        /// Index of the input.
        input: usize,
    },
    /// The input has limits, so it cannot always realise the constraint.
    Limited {
        /// Index of the constraint that names the input.
        constraint: usize,
        /// Index of the limited input.
        input: usize,
    },
    /// The inputs have no independent effect on a constraint row at this pose.
    NotDecoupled {
        /// Index of the constraint that contains the row.
        constraint: usize,
        /// Name of the row without an effective input.
        row: String,
        /// Coordinates of the pose at which the decoupling matrix is singular.
        q: Vec<f64>,
    },
}

/// Pivots of the decoupling matrix `G V` at the start, for `Partition::program`. Fewer than its
/// rows if it is singular there.
pub(super) fn decoupling_pivots(m: &Mechanism, partition: &Partition) -> Vec<PivotPlace> {
    check_program_constraints(m, partition).0
}

/// Checks the inputs of program constraints at the start. Returns the pivots of the decoupling
/// matrix, and all problems; both empty without program constraints.
pub(super) fn check_program_constraints(
    m: &Mechanism,
    partition: &Partition,
) -> (Vec<PivotPlace>, Vec<ProgramFinding>) {
    let named: Vec<(usize, usize)> = (m.constraints.iter().enumerate())
        .flat_map(|(c, x)| match &x.treatment {
            Treatment::Inputs(inputs) => inputs.iter().map(|i| (c, *i)).collect(),
            _ => Vec::new(),
        })
        .collect();
    let mut findings = Vec::new();
    for (k, (constraint, input)) in named.iter().copied().enumerate() {
        if named[..k].iter().any(|n| n.1 == input) {
            findings.push(ProgramFinding::Twice { constraint, input });
        } else if m.inputs[input].limits.is_some() {
            findings.push(ProgramFinding::Limited { constraint, input });
        }
    }
    if named.is_empty() || !findings.is_empty() {
        return (Vec::new(), findings);
    }
    let p = kinematics::evaluate_parameters(m, &Number::to_f64, &[]);
    let start = kinematics::initial_instant(m, &Number::to_f64, &p);
    let at = |u: &[f64], f: &mut dyn FnMut(&Environment<'_, f64>)| {
        f(&Environment { partition, ..start.environment_with_inputs(&Number::to_f64, u) });
    };
    let mut columns = Vec::new();
    for (constraint, input) in &named {
        let force_at = |x: f64| {
            let mut u = start.u.clone();
            u[*input] = x;
            let mut force = Vec::new();
            at(&u, &mut |env| force = formalism::implicit_equations(Formalism::Kane, m, env).force);
            force
        };
        let (zero, one, three) = (force_at(0.0), force_at(1.0), force_at(3.0));
        let slope: Vec<f64> = one.iter().zip(&zero).map(|(a, b)| a - b).collect();
        let is_nonlinear = (three.iter().zip(&zero).zip(&slope))
            .any(|((a, b), s)| (a - b - 3.0 * s).abs() > 1e-9 * (1.0 + a.abs() + b.abs()));
        if is_nonlinear {
            findings.push(ProgramFinding::NotLinear { constraint: *constraint, input: *input });
        }
        columns.push(slope);
    }
    if !findings.is_empty() {
        return (Vec::new(), findings);
    }
    let (mut matrix, mut rows) = (Vec::new(), Vec::new());
    at(&start.u, &mut |env| (matrix, rows) = decoupling_matrix(m, env, &columns));
    let pairs = pivot_order(&matrix, &[]);
    for (i, row) in rows.iter().enumerate() {
        if !pairs.iter().any(|p| p.0 == i) {
            findings.push(ProgramFinding::NotDecoupled {
                constraint: row.constraint,
                row: row.name.clone(),
                q: start.q.clone(),
            });
        }
    }
    (pairs.into_iter().map(PivotPlace::from).collect(), findings)
}

/// The decoupling matrix `G V` at a pose, and the rows of G. `columns` are the forces of unit
/// inputs.
fn decoupling_matrix(
    m: &Mechanism,
    env: &Environment<'_, f64>,
    columns: &[Vec<f64>],
) -> (Vec<Vec<f64>>, Vec<ConstraintRow<f64>>) {
    let e = formalism::implicit_equations(Formalism::Kane, m, env);
    let nv = m.nv();
    let active = kinematics::active_stabilised_rows(m, env);
    let n = nv + active.len();
    let mut whole = vec![vec![0.0; n]; n];
    for (i, row) in e.mass.iter().enumerate() {
        whole[i][..nv].copy_from_slice(row);
    }
    for (k, row) in active.iter().enumerate() {
        for (j, a) in row.jacobian.iter().enumerate() {
            whole[nv + k][j] = *a;
            whole[j][nv + k] = -a;
        }
    }
    let pairs = pivot_order(&whole, &[]);
    let rows = kinematics::program_constraint_rows(m, env);
    if pairs.len() < n {
        // The equations are singular even without program constraints; that is reported elsewhere.
        return (vec![vec![0.0; columns.len()]; rows.len()], rows);
    }
    let ordered = pairs.iter().map(|(r, _)| pairs.iter().map(|(_, c)| whole[*r][*c]).collect()).collect();
    let factors = DenseFactors::new(ordered);
    let answers: Vec<Vec<f64>> = (columns.iter())
        .map(|column| {
            let right: Vec<f64> = pairs.iter().map(|(r, _)| column.get(*r).copied().unwrap_or(0.0)).collect();
            let mut x = vec![0.0; n];
            pairs.iter().zip(factors.solve(&right)).for_each(|((_, c), value)| x[*c] = value);
            x
        })
        .collect();
    let matrix = (rows.iter())
        .map(|row| answers.iter().map(|x| row.jacobian.iter().zip(x).map(|(a, b)| a * b).sum()).collect())
        .collect();
    (matrix, rows)
}
