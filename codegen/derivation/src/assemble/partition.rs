//! Dependent speeds of the constraints and inputs that realise program constraints, chosen once for
//! all formalisms.
//!
//! Problem: generic mechanics cannot compare scalars, so pivots are chosen beforehand in `f64`.
//! Method:  A of the active rows, at the start and at poses that need no assembly. The largest
//!          pivots at the start, or others if those vanish at some pose (`algebra::steady_pivots`).
//!          If every order of pivots vanishes somewhere, speeds whose block stays non-singular
//!          (`algebra::steady_block`). The choice is made for the eliminated rows alone, whose
//!          dependent speeds the program computes, and for all rows, for formalisms that project.
//!
//! Not handled: poses that need an assembly, such as those of closed loops. Pivots that vanish
//! there are reported at run time.

use super::driven::{extend_preferred_dependent, undriven_speeds};
use super::{coordinates, program};
use dqdt_algebra::{
    Number, choose_leading_steady_pivots, choose_steady_block, choose_steady_pivots, pivot_order,
    scale_columns,
};
use dqdt_mechanics::formalism;
use dqdt_mechanics::kinematics::{self, ConstraintRow, Selection};
use dqdt_mechanics::mechanism::{
    Basis, DependentSpeed, Environment, Mechanism, Partition, PivotPlace, RowIndex, SpeedId, Treatment,
    find_embedded_loops,
};

/// Jacobian A of the constraint rows by the speeds at one pose, by rows.
type JacobianRows = Vec<Vec<f64>>;

/// The partition with new choices of pivots, after a change of treatments. Redundant rows, groups
/// and sampled poses are kept.
pub fn repartition(m: &Mechanism, partition: &Partition) -> Partition {
    let (repartitioned, _) = choose_pivots(m, partition);
    let program = program::decoupling_pivots(m, &repartitioned);
    Partition { program, ..repartitioned }
}

/// The partition with its dependent speeds. `ranked` provides redundant rows, groups and poses. The
/// flag is true if the dependent speeds of the eliminated rows stay well determined at all poses.
pub(super) fn choose_pivots(m: &Mechanism, ranked: &Partition) -> (Partition, bool) {
    let known = Partition {
        eliminated: Vec::new(),
        eliminated_as_block: false,
        dependent: Vec::new(),
        basis: Basis::default(),
        driven: None,
        driven_as_block: false,
        coordinates: Some(Vec::new()),
        embedded: None,
        program: Vec::new(),
        ..ranked.clone()
    };
    if m.constraints.is_empty() {
        return (known, true);
    }
    let p = kinematics::evaluate_parameters(m, &Number::to_f64, &[]);
    let s = kinematics::initial_instant(m, &Number::to_f64, &p);
    let env = Environment { partition: ranked, ..s.as_environment(&Number::to_f64) };
    let select =
        |q: &[f64]| Selection::new(m, ranked, &kinematics::constraint_rows(m, &Environment { q, ..env }));
    let at_start = select(env.q);
    let rows = find_eliminated_rows(m, &at_start);
    let of_row: Vec<usize> = at_start.rows.iter().map(|r| r.constraint).collect();
    let places: Vec<RowIndex> = at_start.rows.iter().map(ConstraintRow::row_index).collect();
    let mut samples = vec![row_jacobians(at_start.rows)];
    samples.extend(ranked.sample_poses.iter().map(|q| row_jacobians(select(q).rows)));
    let (eliminated, steadiness) = choose_elimination_pivots(m, ranked, &samples, &rows);
    let mut dependent: Vec<DependentSpeed> = (eliminated.iter())
        .map(|p| DependentSpeed { constraint: of_row[p.row.0], speed: p.speed() })
        .collect();
    dependent.sort_by_key(|d| d.constraint);
    let first: Vec<usize> = dependent.iter().map(|d| d.speed.index()).collect();
    let basis = choose_basis(m, &samples, &first);
    let (driven, driven_as_block) =
        choose_driven_pivots(m, &samples, &first, &basis, known.groups.is_empty());
    let embedded = if known.groups.is_empty() {
        find_embedded_loops(m, &places, &|s| basis.steady.iter().all(|p| p.speed() != s))
    } else {
        None
    };
    let coordinates = driven.as_ref().and_then(|pairs| {
        let speeds: Vec<usize> = pairs.iter().map(|p| p.column).collect();
        let poses: Vec<&[f64]> =
            [env.q].into_iter().chain(ranked.sample_poses.iter().map(Vec::as_slice)).collect();
        coordinates::choose_dependent_coordinates(m, &env, &poses, &speeds)
    });
    let eliminated_as_block = steadiness == Steadiness::Block;
    let partition = Partition {
        eliminated,
        eliminated_as_block,
        dependent,
        basis,
        driven,
        driven_as_block,
        coordinates,
        embedded,
        ..known
    };
    (partition, steadiness != Steadiness::Vanishes)
}

/// Rows whose constraints are eliminated. A row that the pose may select from several constraints
/// is one only if all of these are eliminated.
fn find_eliminated_rows(m: &Mechanism, selection: &Selection<f64>) -> Vec<usize> {
    (0..selection.rows.len())
        .filter(|i| {
            let mut constraints = selection.row_constraints(*i).into_iter();
            constraints.all(|c| matches!(m.constraints[c].treatment, Treatment::Elimination(_)))
        })
        .collect()
}

/// Pivots of all rows for inverse dynamics, with driven speeds independent where possible. Without
/// steady pivots, and if `allows_block`, a steady block; the flag is true for it.
fn choose_driven_pivots(
    m: &Mechanism,
    samples: &[JacobianRows],
    first: &[usize],
    basis: &Basis,
    allows_block: bool,
) -> (Option<Vec<PivotPlace>>, bool) {
    let driven = choose_undriven_pivots(m, samples, first, basis).or_else(|| {
        let samples: Vec<JacobianRows> = samples.iter().map(|a| scale_columns(a, &speed_units(m))).collect();
        choose_undriven_pivots(m, &samples, first, &choose_basis(m, &samples, first))
    });
    match driven {
        None if allows_block => {
            let preferred =
                extend_preferred_dependent(&samples[0], first.to_vec(), &preferred_dependent_speeds(m));
            let block = choose_steady_block(samples, &preferred);
            let block = block.or_else(|| choose_steady_block(samples, first));
            let as_block = block.is_some();
            (block.map(to_pivot_places), as_block)
        }
        pairs => (pairs, false),
    }
}

/// Jacobians of constraint rows, without their residuals.
fn row_jacobians(rows: Vec<ConstraintRow<f64>>) -> JacobianRows {
    rows.into_iter().map(|r| r.jacobian).collect()
}

/// Unit of each speed: the size of the mechanism for translations, one for rotations. Without it,
/// the unit of length would decide if the pivots of a small linkage count as zero.
fn speed_units(m: &Mechanism) -> Vec<f64> {
    let size = formalism::default_mechanism_length(m);
    m.speeds.iter().map(|s| if s.dimension.is_translational() { size } else { 1.0 }).collect()
}

/// Parts of the elimination of dependent speeds that stay away from zero at all sampled poses.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Steadiness {
    /// Each pivot of the dependent speeds, in the order of elimination.
    Pivots,
    /// Only the determinant of the block `A_d` of the dependent speeds; its single pivots vanish
    /// somewhere.
    Block,
    /// Neither: the dependent speeds are undetermined at some pose.
    Vanishes,
}

/// Speeds to prefer as dependent ones: those that no input drives.
fn preferred_dependent_speeds(m: &Mechanism) -> Vec<SpeedId> {
    if m.driven.is_empty() {
        undriven_speeds(m)
    } else {
        m.speed_ids().filter(|s| !m.driven.contains(s)).collect()
    }
}

/// Pivots of all rows that leave driven speeds independent, where possible; else those of `other`.
/// `None` if neither is complete.
fn choose_undriven_pivots(
    m: &Mechanism,
    samples: &[JacobianRows],
    first: &[usize],
    other: &Basis,
) -> Option<Vec<PivotPlace>> {
    let mut undriven_basis = None;
    let preferred = extend_preferred_dependent(&samples[0], first.to_vec(), &preferred_dependent_speeds(m));
    if preferred != first {
        undriven_basis = Some(choose_basis(m, samples, &preferred)).filter(|b| b.complete);
    }
    undriven_basis.map(|b| b.steady).or_else(|| other.complete.then(|| other.steady.clone()))
}

/// Pivots of the eliminated rows. Dependent speeds that the spec names come first, then speeds that
/// are not driven.
fn choose_elimination_pivots(
    m: &Mechanism,
    ranked: &Partition,
    samples: &[JacobianRows],
    rows: &[usize],
) -> (Vec<PivotPlace>, Steadiness) {
    let named: Vec<usize> = named_dependent_speeds(m).map(|n| n.speed.index()).collect();
    let eliminated: Vec<JacobianRows> =
        samples.iter().map(|a| rows.iter().map(|i| a[*i].clone()).collect()).collect();
    let by = |first: &[usize]| match choose_steady_pivots(&eliminated, first) {
        (pairs, true) => (pairs, Steadiness::Pivots),
        (pairs, false) if !ranked.groups.is_empty() => (pairs, Steadiness::Vanishes),
        (pairs, false) => match choose_steady_block(&eliminated, first) {
            Some(block) => (block, Steadiness::Block),
            None => (pairs, Steadiness::Vanishes),
        },
    };
    let undriven = if m.driven.is_empty() { Vec::new() } else { preferred_dependent_speeds(m) };
    let first = extend_preferred_dependent(&eliminated[0], named.clone(), &undriven);
    let (pairs, steadiness) = match by(&first) {
        (_, Steadiness::Vanishes) if first != named => by(&named),
        choice => choice,
    };
    (pairs.into_iter().map(|(row, speed)| (rows[row], speed).into()).collect(), steadiness)
}

/// Constraints with their dependent speeds, as named in the spec.
pub(super) fn named_dependent_speeds(m: &Mechanism) -> impl Iterator<Item = DependentSpeed> + '_ {
    m.constraints.iter().enumerate().flat_map(|(c, x)| {
        let speeds = match &x.treatment {
            Treatment::Elimination(speeds) => speeds.as_slice(),
            Treatment::Multipliers | Treatment::Inputs(_) => &[],
        };
        speeds.iter().map(move |s| DependentSpeed { constraint: c, speed: *s })
    })
}

/// Pivots (row, dependent speed) of all rows, preferring the speeds `first` as dependent ones.
fn choose_basis(m: &Mechanism, samples: &[JacobianRows], first: &[usize]) -> Basis {
    let at_start = to_pivot_places(pivot_order(&samples[0], first));
    let count = samples[0].len();
    let (mut pairs, all) = choose_steady_pivots(samples, first);
    if !all && samples.len() > 1 {
        pairs = choose_leading_steady_pivots(samples, first);
        return Basis { complete: pairs.len() == count, steady: to_pivot_places(pairs), at_start };
    }
    // A row without a pivot at the start may have one elsewhere.
    for row in 0..count {
        if pairs.iter().all(|p| p.0 != row)
            && let Some(speed) = (0..m.nv()).find(|s| pairs.iter().all(|p| p.1 != *s))
        {
            pairs.push((row, speed));
        }
    }
    Basis { complete: pairs.len() == count, steady: to_pivot_places(pairs), at_start }
}

/// Converts pairs of row and speed (column) to pivot places.
fn to_pivot_places(pairs: Vec<(usize, usize)>) -> Vec<PivotPlace> {
    pairs.into_iter().map(PivotPlace::from).collect()
}
