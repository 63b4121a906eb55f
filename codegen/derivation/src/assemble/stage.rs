//! The function [`assemble`], from a resolved spec to a mechanism with its start and its choices.
//!
//! Problem: find starts that fulfil the constraints, redundant rows to drop, and dependent speeds
//!          of an elimination; report what is wrong.
//! Method:  at the default parameters: find a state, compute the rank at several poses, choose
//!          pivots (`partition`) and report the findings (`messages`). A start that moves becomes a
//!          number.
//!
//! Not handled: other values of parameters; `simulate` assembles again.

use super::finding::{explain_failure, redundancy_source, value_has_moved};
use super::partition::{choose_pivots, named_dependent_speeds};
use super::slopes::find_row_without_derivative;
use super::solve::{AssembledState, find_state};
use super::{Finding, Manifold, RowRank, messages, program, rank_constraint_rows};
use dqdt_algebra::{Number, Scalar};
use dqdt_diagnostics::base::Spanned;
use dqdt_diagnostics::error::{Diagnostic, Errors};
use dqdt_mechanics::kinematics;
use dqdt_mechanics::mechanism::{
    DependentSpeed, Formula, Given, Instant, Mechanism, Origin, Partition, Resolved, RowGroup, RowIndex,
    SpeedId, StartRole, Starts, Treatment,
};

/// Times \[s\] at which accelerations of rows that no speed changes are compared, since these
/// depend on time alone.
const LATER: [f64; 4] = [0.0, 0.1, 1.0, 10.0];
/// Relative difference above which the accelerations of a redundant row and of its sources
/// contradict each other; pose and factors limit their accuracy.
const APART: f64 = 1e-6;

/// Flags of the start values that assembly must not change: one for each coordinate and each speed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[allow(missing_docs)]
pub struct KeptStarts {
    pub coordinates: Vec<bool>,
    pub speeds: Vec<bool>,
}

impl From<&Starts> for KeptStarts {
    fn from(starts: &Starts) -> Self {
        KeptStarts { coordinates: kept_flags(&starts.coordinates), speeds: kept_flags(&starts.speeds) }
    }
}

/// For each start value, true if assembly must not change it.
fn kept_flags(starts: &[Given]) -> Vec<bool> {
    starts.iter().map(|s| s.role == StartRole::Kept).collect()
}

/// A mechanism from which equations can be derived, with its origin and warnings. Result of
/// [`assemble`].
#[derive(Clone, Debug)]
pub struct Assembled {
    /// The mechanism, with starts that fulfil the constraints.
    pub mechanism: Mechanism,
    /// Pivots, redundant rows and dependent speeds that assembly chose for the mechanism.
    #[doc(hidden)]
    pub partition: Partition,
    /// File name and hash of the spec.
    pub origin: Origin,
    /// Starts as written in the spec. The starts of `mechanism` are corrected to fulfil the
    /// constraints.
    pub starts: Starts,
    /// The assembled start state; `None` for a mechanism without constraints.
    pub state: Option<AssembledState>,
    /// Names of the functions that the spec lists for emission.
    #[doc(hidden)]
    pub functions: Vec<Spanned<String>>,
    /// Errors about motions without inertia in any pose. Functions that divide by inertia are
    /// undefined for such a mechanism.
    pub massless: Vec<Diagnostic>,
    /// Codes of the warnings and notes that the spec accepts and that are not reported.
    pub accepted: Vec<String>,
    /// Warnings and notes about the mechanism, including those of earlier stages, without accepted
    /// ones.
    pub warnings: Errors,
}

impl Assembled {
    /// A mechanism without a spec, with its start and partition unchanged. For tests.
    #[doc(hidden)]
    pub fn without_spec(mechanism: Mechanism, partition: Partition) -> Self {
        let starts = Starts::all_open(mechanism.nq(), mechanism.nv());
        let (origin, warnings) = (Origin::default(), Errors::default());
        let (functions, accepted, massless) = (Vec::new(), Vec::new(), Vec::new());
        Assembled {
            massless,
            mechanism,
            partition,
            origin,
            starts,
            state: None,
            functions,
            accepted,
            warnings,
        }
    }
}

/// Finds a start that fulfils the constraints, and chooses the active rows and the dependent
/// speeds.
///
/// # Errors
///
/// All problems with constraints and starts, and all warnings.
pub fn assemble(resolved: Resolved) -> Result<Assembled, Errors> {
    let Resolved { massless, mechanism, origin, starts, places, functions, accepted, mut warnings } =
        resolved;
    let AssemblyResult { mechanism, mut partition, state, findings } =
        assemble_mechanism(mechanism, &KeptStarts::from(&starts));
    warnings.diagnostics.extend(messages::assembly_diagnostics(&mechanism, &starts, &places, &findings));
    if warnings.count() == 0 {
        let (pivots, findings) = program::check_program_constraints(&mechanism, &partition);
        partition.program = pivots;
        warnings.diagnostics.extend(messages::program_diagnostics(&mechanism, &places, &findings));
    }
    if warnings.count() > 0 {
        Err(warnings)
    } else {
        // Accepted codes are not reported. Errors never reach this point.
        warnings.diagnostics.retain(|d| !accepted.iter().any(|code| code == d.code));
        Ok(Assembled { massless, mechanism, partition, origin, starts, state, functions, accepted, warnings })
    }
}

/// A mechanism with its start and its partition, as far as assembly succeeded.
struct AssemblyResult {
    mechanism: Mechanism,
    partition: Partition,
    state: Option<AssembledState>,
    findings: Vec<Finding>,
}

impl AssemblyResult {
    /// Result of an assembly that failed, or of a mechanism without constraints.
    fn without_state(mechanism: Mechanism, findings: Vec<Finding>) -> Self {
        AssemblyResult { mechanism, partition: Partition::default(), state: None, findings }
    }
}

/// Assembles at the default parameters: start, rank, dependent speeds. Without constraints, nothing
/// changes.
fn assemble_mechanism(m: Mechanism, held: &KeptStarts) -> AssemblyResult {
    if m.constraints.is_empty() {
        return AssemblyResult::without_state(m, Vec::new());
    }
    let manifold = Manifold::with_default_parameters(&m);
    let start = kinematics::initial_instant(&m, &Number::to_f64, &manifold.parameters);
    let state = match find_state(&manifold, 0.0, (&start.q, &start.v), (&held.coordinates, &held.speeds)) {
        Ok(state) => state,
        Err(e) => {
            let findings = explain_failure(&manifold, 0.0, &e, (&start.q, &start.v), &held.coordinates);
            return AssemblyResult::without_state(m, findings);
        }
    };
    if let Some((constraint, row)) = find_row_without_derivative(&manifold, 0.0, &state.q) {
        return AssemblyResult::without_state(m, vec![Finding::NoDerivative { constraint, row }]);
    }
    let ranks = rank_constraint_rows(&manifold, 0.0, &state.q);
    let (rows, mut findings) = constraint_rank_findings(&manifold, &state, &ranks);
    let mechanism = with_assembled_start(&m, &start, &state);
    let (partition, steady) = choose_pivots(&mechanism, &partition_by_ranks(&ranks, &rows));
    findings.extend(dependent_speed_findings(&mechanism, &partition, steady));
    AssemblyResult { mechanism, partition, state: Some(state), findings }
}

/// Indices of all constraint rows, and the findings about their rank.
fn constraint_rank_findings(
    manifold: &Manifold<'_>,
    state: &AssembledState,
    ranks: &RowRank,
) -> (Vec<RowIndex>, Vec<Finding>) {
    let rows = manifold.constraint_rows(0.0, &state.q, &state.v);
    let redundant = ranks.redundant.iter().zip(&ranks.from).map(|(row, from)| Finding::Redundant {
        constraint: rows[*row].constraint,
        row: rows[*row].name.clone(),
        index: rows[*row].index,
        from: from.iter().map(|(i, factor)| redundancy_source(&rows[*i], *factor)).collect(),
    });
    let mut findings: Vec<Finding> = redundant.collect();
    findings.extend(find_contradicting_acceleration(manifold, state, ranks));
    findings.extend(ranks.singular_start.then_some(Finding::SingularStart));
    findings.extend(ranks.groups.iter().map(|(group, rank)| Finding::Group {
        constraint: rows[group[0]].constraint,
        rows: group.iter().map(|i| rows[*i].name.clone()).collect(),
        rank: *rank,
    }));
    findings.extend(
        (rows.len() - ranks.redundant_row_count() >= manifold.mechanism.nv()).then_some(Finding::Rigid),
    );
    (rows.iter().map(|row| row.row_index()).collect(), findings)
}

/// First redundant row whose acceleration contradicts that of the rows from which it follows. Rows
/// that no speed changes depend on time alone, so they are also checked at later times.
fn find_contradicting_acceleration(
    manifold: &Manifold<'_>,
    state: &AssembledState,
    ranks: &RowRank,
) -> Option<Finding> {
    LATER.iter().find_map(|t| {
        let rows = manifold.constraint_rows(*t, &state.q, &state.v);
        ranks.redundant.iter().zip(&ranks.from).find_map(|(row, from)| {
            if *t > 0.0 && !from.is_empty() {
                return None;
            }
            let terms: Vec<f64> = from.iter().map(|(i, factor)| factor * rows[*i].gamma).collect();
            let size = terms.iter().fold(1.0 + rows[*row].gamma.abs(), |sum, x| sum + x.abs());
            let residual = rows[*row].gamma - terms.iter().sum::<f64>();
            (residual.abs() > APART * size).then(|| Finding::ContradictingAcceleration {
                constraint: rows[*row].constraint,
                row: rows[*row].name.clone(),
                residual: residual.abs(),
                t: *t,
                from: from.iter().map(|(i, _)| rows[*i].name.clone()).collect(),
            })
        })
    })
}

/// A partition with the redundant rows and groups of `ranks`, without dependent speeds. `rows` are
/// the places of all rows.
fn partition_by_ranks(ranks: &RowRank, rows: &[RowIndex]) -> Partition {
    let places = |all: &[usize]| -> Vec<RowIndex> { all.iter().map(|i| rows[*i]).collect() };
    Partition {
        redundant: places(&ranks.redundant),
        undetermined: places(&ranks.dependent),
        groups: (ranks.groups.iter())
            .map(|(rows, rank)| RowGroup { rows: places(rows), rank: *rank })
            .collect(),
        sample_poses: ranks.poses.clone(),
        ..Partition::default()
    }
}

/// Findings about dependent speeds: named ones that do not follow from the rows, and chosen ones
/// that do not follow in every pose.
fn dependent_speed_findings(m: &Mechanism, partition: &Partition, steady: bool) -> Vec<Finding> {
    let eliminated: Vec<SpeedId> = partition.eliminated.iter().map(|p| p.speed()).collect();
    let mut findings: Vec<Finding> = named_dependent_speeds(m)
        .filter(|d| !eliminated.contains(&d.speed))
        .map(|DependentSpeed { constraint, speed }| Finding::NotDependent { constraint, speed })
        .collect();
    if !steady && findings.is_empty() && !partition.sample_poses.is_empty() {
        let constraint = (m.constraints.iter())
            .position(|c| matches!(c.treatment, Treatment::Elimination(_)))
            .unwrap_or(0);
        let speeds = eliminated.iter().map(|s| m.speeds[*s].name.clone()).collect();
        findings.push(Finding::Unsteady { constraint, speeds });
    }
    findings
}

/// A copy of the mechanism with numbers in place of the start values that assembly moved.
fn with_assembled_start(m: &Mechanism, start: &Instant<f64>, state: &AssembledState) -> Mechanism {
    let mut m = m.clone();
    for (i, c) in m.coordinates.iter_mut().enumerate() {
        if value_has_moved(start.q[i], state.q[i]) {
            c.start = start_formula(state.q[i]);
        }
    }
    for (i, s) in m.speeds.iter_mut().enumerate() {
        if value_has_moved(start.v[i], state.v[i]) {
            s.start = start_formula(state.v[i]);
        }
    }
    m
}

/// The formula of a numeric start; −0 becomes 0.
fn start_formula(x: f64) -> Formula {
    Formula::Number(Number::float(x + f64::ZERO))
}
