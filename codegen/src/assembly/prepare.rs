//! What a mechanism is told of its constraints before equations are derived.
//!
//! Problem: starts that fulfil the constraints, rows that are left out because they follow from others, speeds that
//! elimination makes dependent; and what is wrong with any of this.
//! Method:  at the default parameters: assemble, take the rank at several poses, write the findings into the mechanism.
//! A start that moves becomes a number.
//! Not handled: other values of parameters; `simulate` assembles anew.

use super::rank::independent;
use super::solve::{Assembled, assemble};
use super::{Manifold, NotAssembled, Relation, RowRank, rank};
use crate::algebra::{Number, Scalar, steady_pivots};
use crate::kinematics::{self, ConstraintRow, Start};
use crate::mechanism::{Formula, Mechanism, Role, RowGroup, Starts, Treatment};

/// Poses far from the start at which dependent speeds are tried.
const FAR: usize = 12;

/// Which starts stay as they are.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[allow(missing_docs)]
pub struct Held {
    pub coordinates: Vec<bool>,
    pub speeds: Vec<bool>,
}

impl From<&Starts> for Held {
    fn from(starts: &Starts) -> Self {
        let kept = |all: &[crate::mechanism::Given]| all.iter().map(|s| s.role == Role::Kept).collect();
        Held { coordinates: kept(&starts.coordinates), speeds: kept(&starts.speeds) }
    }
}

/// What was found out about a constraint.
#[derive(Clone, PartialEq, Debug)]
pub enum Finding {
    /// No start leads to the constraints.
    NotAssembled {
        /// Index of the constraint whose row is violated most.
        constraint: usize,
        /// Name of that row.
        row: String,
        /// By how much it is violated.
        residual: f64,
        /// True if the speeds contradict each other in a pose that assembles.
        speeds: bool,
        /// True if rows at the nearest pose depend on each other: constraints that contradict.
        contradiction: bool,
    },
    /// No pose has the coordinates that are held, but there is one near by.
    HeldApart {
        /// Index of the constraint whose row is violated most.
        constraint: usize,
        /// Name of that row.
        row: String,
        /// By how much it is violated.
        residual: f64,
        /// What is held and differs in that pose, with its value there.
        moved: Vec<(usize, f64)>,
    },
    /// Speeds that are kept contradict each other.
    SpeedsApart {
        /// One of the relations between them that fail.
        relation: Relation,
        /// True if the pose is singular.
        singular: bool,
    },
    /// A row follows from others.
    Redundant {
        /// Index of the constraint.
        constraint: usize,
        /// Name of the row.
        row: String,
        /// Its index within the constraint.
        index: usize,
        /// The rows that it is a sum of; none if nothing can move against it.
        from: Vec<Source>,
    },
    /// Rows that depend on each other, where the pose decides which follow from the others.
    Group {
        /// Index of the constraint of the first.
        constraint: usize,
        /// Their names.
        rows: Vec<String>,
        /// How many of them are independent.
        rank: usize,
    },
    /// Speeds that elimination computes from the others do not follow from them in every pose.
    Unsteady {
        /// Index of the first constraint that is eliminated.
        constraint: usize,
        /// Names of the speeds.
        speeds: Vec<String>,
    },
    /// The named dependent speeds do not follow from the rows.
    NotDependent {
        /// Index of the constraint that names it.
        constraint: usize,
        /// Index of the speed.
        speed: usize,
    },
    /// The start is a pose of lower rank than its neighbours.
    SingularStart,
    /// Nothing can move.
    Rigid,
}

/// A row that another one is a sum of.
#[derive(Clone, PartialEq, Debug)]
pub struct Source {
    /// Its name.
    pub name: String,
    /// Index of its constraint.
    pub constraint: usize,
    /// Its index within the constraint.
    pub index: usize,
    /// Its factor in the sum, at the pose where the rank was taken.
    pub factor: f64,
}

/// The result of [`prepare`].
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Prepared {
    /// The assembled start; `None` if there is none.
    pub start: Option<Assembled>,
    /// What is worth a message.
    pub findings: Vec<Finding>,
}

/// Assembles the start and fills in what the equations need to know.
pub fn prepare(m: &mut Mechanism, held: &Held) -> Prepared {
    if m.constraints.is_empty() {
        return Prepared::default();
    }
    let manifold = Manifold::at_defaults(m);
    let start = kinematics::start(m, &Number::to_f64, &manifold.parameters);
    let mut findings = Vec::new();
    let found = assemble(&manifold, 0.0, (&start.q, &start.v), (&held.coordinates, &held.speeds));
    let assembled = match found {
        Ok(a) => a,
        Err(e) => {
            findings.extend(why_not(&manifold, 0.0, &e, (&start.q, &start.v), &held.coordinates));
            return Prepared { start: None, findings };
        }
    };
    let found = rank(&manifold, 0.0, &assembled.q);
    let rows = manifold.rows(0.0, &assembled.q, &assembled.v);
    for (row, from) in found.redundant.iter().zip(&found.from) {
        findings.push(Finding::Redundant {
            constraint: rows[*row].constraint,
            row: rows[*row].name.clone(),
            index: rows[*row].index,
            from: from.iter().map(|(i, factor)| source(&rows[*i], *factor)).collect(),
        });
    }
    if found.singular_start {
        findings.push(Finding::SingularStart);
    }
    for (group, rank) in &found.groups {
        findings.push(Finding::Group {
            constraint: rows[group[0]].constraint,
            rows: group.iter().map(|i| rows[*i].name.clone()).collect(),
            rank: *rank,
        });
    }
    if rows.len() - found.beyond() >= m.nv() {
        findings.push(Finding::Rigid);
    }
    let places: Vec<(usize, usize)> = rows.iter().map(|r| (r.constraint, r.index)).collect();
    let matrix = |q: &[f64]| -> Vec<Vec<f64>> {
        manifold.rows(0.0, q, &assembled.v).into_iter().map(|row| row.jacobian).collect()
    };
    let mut matrices = vec![matrix(&assembled.q)];
    if m.constraints.iter().any(|c| matches!(c.treatment, Treatment::Elimination(_))) {
        let far = manifold.at(0.0, &assembled.q, &assembled.v, |env| kinematics::free_poses(m, env, FAR));
        matrices.extend(far.iter().map(|q| matrix(q)));
    }
    drop(rows);
    write_ranks(m, &found, &places);
    findings.extend(choose_dependent(m, &found, &places, &matrices));
    write_start(m, &start, &assembled);
    Prepared { start: Some(assembled), findings }
}

fn source(row: &ConstraintRow<f64>, factor: f64) -> Source {
    Source { name: row.name.clone(), constraint: row.constraint, index: row.index, factor }
}

/// Why there is no state on the constraints with what is kept of `q`, `v`.
pub fn why_not(
    manifold: &Manifold<'_>,
    t: f64,
    e: &NotAssembled,
    (q, v): (&[f64], &[f64]),
    held: &[bool],
) -> Vec<Finding> {
    if e.speeds && !e.relations.is_empty() {
        let singular = rank(manifold, t, &e.q).singular_start;
        return e.relations.iter().map(|r| Finding::SpeedsApart { relation: r.clone(), singular }).collect();
    }
    let rows = manifold.rows(t, &e.q, v);
    let of_level: Vec<_> = rows.iter().filter(|r| e.speeds || r.position.is_some()).collect();
    let (constraint, row) = of_level
        .get(e.row)
        .map_or((0, "the norm of a quaternion".to_owned()), |r| (r.constraint, r.name.clone()));
    let residual = e.residual;
    if let Some(near) = &e.unheld {
        let changes = q.iter().zip(near).enumerate();
        let held = changes.filter(|(i, (old, new))| held[*i] && moved(**old, **new));
        let moved: Vec<_> = held.map(|(i, (_, x))| (i, *x)).collect();
        if !moved.is_empty() {
            return vec![Finding::HeldApart { constraint, row, residual, moved }];
        }
    }
    let matrix: Vec<Vec<f64>> = of_level.iter().map(|r| r.jacobian.clone()).collect();
    let contradiction = independent(&matrix).0.len() < matrix.len();
    vec![Finding::NotAssembled { constraint, row, residual, speeds: e.speeds, contradiction }]
}

fn write_ranks(m: &mut Mechanism, found: &RowRank, places: &[(usize, usize)]) {
    for c in &mut m.constraints {
        c.redundant.clear();
        c.undetermined.clear();
    }
    for row in &found.redundant {
        let (constraint, index) = places[*row];
        m.constraints[constraint].redundant.push(index);
    }
    m.row_groups = found
        .groups
        .iter()
        .map(|(rows, rank)| RowGroup { rows: rows.iter().map(|i| places[*i]).collect(), rank: *rank })
        .collect();
    for row in &found.dependent {
        let (constraint, index) = places[*row];
        m.constraints[constraint].undetermined.push(index);
    }
}

/// Completes the dependent speeds of eliminated constraints: the largest pivots at the assembled pose, or others if those
/// vanish at poses that are reached without assembly. `matrices`: A at the assembled pose and at such poses.
fn choose_dependent(
    m: &mut Mechanism,
    found: &RowRank,
    places: &[(usize, usize)],
    matrices: &[Vec<Vec<f64>>],
) -> Vec<Finding> {
    let eliminated: Vec<usize> = (0..places.len())
        .filter(|i| !found.redundant.contains(i))
        .filter(|i| matches!(m.constraints[places[*i].0].treatment, Treatment::Elimination(_)))
        .collect();
    let named: Vec<(usize, usize)> = (m.constraints.iter().enumerate())
        .flat_map(|(c, x)| match &x.treatment {
            Treatment::Elimination(speeds) => speeds.iter().map(|s| (c, *s)).collect(),
            _ => Vec::new(),
        })
        .collect();
    let wanted: Vec<usize> = named.iter().map(|n| n.1).collect();
    let samples: Vec<Vec<Vec<f64>>> =
        matrices.iter().map(|a| eliminated.iter().map(|i| a[*i].clone()).collect()).collect();
    let (pairs, steady) = steady_pivots(&samples, &wanted);
    let taken: Vec<usize> = pairs.iter().map(|p| p.1).collect();
    let mut lists: Vec<Vec<usize>> = vec![Vec::new(); m.constraints.len()];
    for (row, speed) in &pairs {
        lists[places[eliminated[*row]].0].push(*speed);
    }
    for (c, list) in m.constraints.iter_mut().zip(lists) {
        if let Treatment::Elimination(speeds) = &mut c.treatment {
            *speeds = list;
        }
    }
    let mut findings: Vec<Finding> = (named.into_iter())
        .filter(|(_, speed)| !taken.contains(speed))
        .map(|(constraint, speed)| Finding::NotDependent { constraint, speed })
        .collect();
    if !steady && findings.is_empty() && samples.len() > 1 {
        let constraint = eliminated.first().map_or(0, |i| places[*i].0);
        let speeds = taken.iter().map(|s| m.speeds[*s].name.clone()).collect();
        findings.push(Finding::Unsteady { constraint, speeds });
    }
    findings
}

/// True if assembly changed a value, not only its rounding.
fn moved(old: f64, new: f64) -> bool {
    (old - new).abs() > 1e-12 * (1.0 + old.abs())
}

/// Starts that moved become numbers.
fn write_start(m: &mut Mechanism, start: &Start<f64>, assembled: &Assembled) {
    let number = |x: f64| Formula::Number(Number::float(x + f64::ZERO));
    for (i, c) in m.coordinates.iter_mut().enumerate() {
        if moved(start.q[i], assembled.q[i]) {
            c.start = number(assembled.q[i]);
        }
    }
    for (i, s) in m.speeds.iter_mut().enumerate() {
        if moved(start.v[i], assembled.v[i]) {
            s.start = number(assembled.v[i]);
        }
    }
}
