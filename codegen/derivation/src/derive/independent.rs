//! Independent differences of the state under constraints, recorded in the graph.
//!
//! Problem: among `δx = (δq, δv, δz)` with `∂Φ/∂q δq = 0` and `∂Ψ/∂q δq + A δv = 0` some
//!          differences are independent. For each of them, and for a change of an input or a
//!          parameter, the dependent differences follow.
//! Method:  position rows are solved for dependent coordinates (`Partition::coordinates`), then the
//!          active rows for dependent speeds (`Partition::driven`), with pivots that assembly
//!          chose. For a joint whose speeds are the rates of its coordinates, `∂Φ/∂q` is A. Where
//!          the pose selects among rows, all of them are used: `Dᵀ G δq = 0` with the columns D of
//!          the dependent differences.
//! States:  as in `directions`; a quaternion has three rotations.
//!
//! Not handled: constraints whose dependent coordinates or speeds change with the pose: `None`.

use super::derivation::Derivation;
use super::directions::{
    Direction, DirectionKind, child_axis_angular_speeds, pose_directions, speed_directions,
    user_state_directions,
};
use dqdt_algebra::{Scalar, Vec3};
use dqdt_graph::ir::{NodeId, Tangents, Tracer};
use dqdt_mechanics::formalism::{NullSpace, Pivot};
use dqdt_mechanics::kinematics::{ConstraintRow, Selection, constraint_rows};
use dqdt_mechanics::mechanism::{JointId, Mechanism, SpeedId};

/// Independent differences of the state under constraints, with the dependent ones as functions of
/// them. Used by `linearize`, `sensitivities`, `closure` and `independent_equations`.
pub struct IndependentDifferences<'g> {
    /// Directions of all entries of `δx` (coordinates, speeds, user states), one at a time.
    elementary_directions: Vec<Direction<'g>>,
    /// Number of entries of `δq`, which come first in `elementary`; the `speeds` entries of `δv`
    /// follow.
    pose_size: usize,
    speeds: usize,
    /// Null space of the position rows: dependent coordinate differences by independent ones.
    pose: NullSpace<Tracer<'g>>,
    /// Equations, from the position rows, that determine the dependent coordinates.
    equations: PositionEquations<'g>,
    /// Null space B of the active rows: dependent speeds by independent ones.
    motion_null_space: NullSpace<Tracer<'g>>,
    /// Active rows at the speeds of the state.
    active_constraint_rows: Vec<ConstraintRow<Tracer<'g>>>,
    /// Residuals `Φ` of all position rows.
    position_residuals: Vec<Tracer<'g>>,
    /// Derivatives of the position residuals, along any direction.
    of_positions: Tangents<'g>,
    /// Derivatives of the velocity residuals of the active rows, along any direction.
    of_velocities: Tangents<'g>,
    /// Divisors of the dependent coordinates and speeds, which emitted functions check.
    difference_pivots: Vec<Pivot<Tracer<'g>>>,
}

/// Equations for the dependent coordinates, formed from the position rows.
enum PositionEquations<'g> {
    /// The position rows with these indices.
    Rows(Vec<usize>),
    /// Linear combinations of all position rows, each with one factor per row; used where the pose
    /// selects among rows.
    Combined(Vec<Vec<Tracer<'g>>>),
}

impl<'g> PositionEquations<'g> {
    /// Values of the equations, from one value for each position row.
    fn evaluate_equations(&self, values: &[Tracer<'g>]) -> Vec<Tracer<'g>> {
        match self {
            PositionEquations::Rows(rows) => rows.iter().map(|r| values[*r]).collect(),
            PositionEquations::Combined(factors) => {
                let sums = factors.iter().map(|row| {
                    let terms = row.iter().zip(values).filter(|(a, b)| !a.is_zero() && !b.is_zero());
                    terms.fold(Tracer::ZERO, |sum, (a, b)| sum + *a * *b)
                });
                sums.collect()
            }
        }
    }
}

/// A direction of the state, an input or a parameter along which the constraints stay fulfilled.
pub struct CompletedDirection<'g> {
    /// The direction with all dependent differences included.
    pub direction: Direction<'g>,
    /// Direction of the input or parameter that causes the change; `None` for a direction of the
    /// state.
    pub base: Option<Direction<'g>>,
    /// Indices of the entries of `δx` that change along the direction, with their rates.
    pub parts: Vec<(usize, Tracer<'g>)>,
}

impl<'g> IndependentDifferences<'g> {
    /// Independent differences of a mechanism; `None` if they are not the same in all poses.
    pub fn new(d: &Derivation<'g, '_>) -> Option<Self> {
        let m = d.m;
        let coordinate_pairs = d.partition.coordinates.clone()?;
        let all = d.evaluate_at_state_speeds(|_, m, env| constraint_rows(m, env));
        let rows = Selection::new(m, d.partition, &all).rows;
        let holonomic: Vec<&ConstraintRow<Tracer<'g>>> =
            all.iter().filter(|r| r.position.is_some()).collect();
        let positions: Vec<Tracer<'g>> = holonomic.iter().filter_map(|r| r.position).collect();
        let mut elementary = pose_directions(d);
        let pose_size = elementary.len();
        elementary.extend(speed_directions(d));
        elementary.extend(user_state_directions(d));
        let of_positions = Tangents::new(d.graph, &positions);
        let columns: Vec<Vec<Tracer<'g>>> = elementary[..pose_size]
            .iter()
            .map(|x| match speed_equal_to_rate(d, x.kind) {
                Some(speed) => holonomic.iter().map(|r| r.jacobian[speed]).collect(),
                None => of_positions.derivatives_along(&x.seeds, &x.name),
            })
            .collect();
        // Rows that are redundant in every pose have no pivot.
        let equations = match d.partition.groups.is_empty() {
            true => PositionEquations::Rows(coordinate_pairs.iter().map(|p| p.row.0).collect()),
            false => PositionEquations::Combined(
                coordinate_pairs.iter().map(|p| columns[p.column].clone()).collect(),
            ),
        };
        let equation_columns: Vec<Vec<Tracer<'g>>> =
            (0..pose_size).map(|j| equations.evaluate_equations(&columns[j])).collect();
        let matrix: Vec<Vec<Tracer<'g>>> =
            (0..coordinate_pairs.len()).map(|r| equation_columns.iter().map(|c| c[r]).collect()).collect();
        let matrix: Vec<&[Tracer<'g>]> = matrix.iter().map(Vec::as_slice).collect();
        let still = vec![Tracer::ZERO; matrix.len()];
        let pairs = coordinate_pairs.iter().enumerate().map(|(k, p)| (k, p.column).into()).collect();
        let pose = NullSpace::from_matrix((&matrix, pose_size), &still, pairs, None, |_| Tracer::ONE);
        let motion = NullSpace::leaving_driven_independent(m, d.partition, &rows)?;
        let name = |r: &usize| rows[*r].name.as_str();
        let of_coordinates = (pose.pivots.iter())
            .map(|(k, x)| Pivot::coordinate_pivot(&holonomic[coordinate_pairs[*k].row.0].name, *x));
        let of_motion = motion.pivots.iter().map(|(r, x)| Pivot::row_pivot(name(r), *x, None));
        let pivots = of_coordinates.chain(of_motion).collect();
        let velocities: Vec<Tracer<'g>> = rows.iter().map(|row| row.velocity).collect();
        let of_velocities = Tangents::new(d.graph, &velocities);
        for (column, k) in pose.basis.iter().zip(&pose.names) {
            for (x, other) in column.iter().zip(&elementary) {
                x.suggest_name(&|| format!("{}_by_{}", other.name, elementary[*k].name));
            }
        }
        let speeds = m.nv();
        Some(IndependentDifferences {
            elementary_directions: elementary,
            pose_size,
            speeds,
            pose,
            equations,
            motion_null_space: motion,
            active_constraint_rows: rows,
            position_residuals: positions,
            of_positions,
            of_velocities,
            difference_pivots: pivots,
        })
    }

    /// Indices of the independent differences in `δx`.
    pub fn independent_indices(&self) -> Vec<usize> {
        let of_users = self.pose_size + self.speeds..self.elementary_directions.len();
        let of_speeds = self.motion_null_space.names.iter().map(|s| self.pose_size + s);
        self.pose.names.iter().copied().chain(of_speeds).chain(of_users).collect()
    }

    /// Names of the independent differences, separated by commas.
    pub fn independent_difference_names(&self) -> String {
        let places = self.independent_indices();
        places.iter().map(|i| self.elementary_directions[*i].name.as_str()).collect::<Vec<_>>().join(", ")
    }

    /// Names of the independent speeds, separated by commas.
    pub fn independent_speed_names(&self, m: &Mechanism) -> String {
        self.motion_null_space
            .independent_speeds()
            .map(|s| m.speeds[s].name.as_str())
            .collect::<Vec<_>>()
            .join(", ")
    }

    /// Names of all entries of `δx`.
    pub fn difference_names(&self) -> Vec<&str> {
        self.elementary_directions.iter().map(|x| x.name.as_str()).collect()
    }

    /// Directions that change one entry of `δx` each, without the dependent changes.
    pub fn elementary(&self) -> &[Direction<'g>] {
        &self.elementary_directions
    }

    /// Completed directions of the independent differences, in the order of
    /// [`IndependentDifferences::independent_indices`].
    pub fn complete_state_directions(&self) -> Vec<CompletedDirection<'g>> {
        let mut states = Vec::new();
        for place in self.independent_indices() {
            let parts = match self.pose.names.iter().position(|k| *k == place) {
                Some(k) => nonzero_entries(&self.pose.basis[k], 0),
                None => vec![(place, Tracer::ONE)],
            };
            states.push(self.complete_speeds(self.elementary_directions[place].name.clone(), None, parts));
        }
        states
    }

    /// Direction of an input or a parameter, completed by the dependent differences; the
    /// independent ones are zero.
    pub fn complete_direction(&self, base: Direction<'g>) -> CompletedDirection<'g> {
        let along = self.of_positions.derivatives_along(&base.seeds, &base.name);
        let parts = nonzero_entries(&self.solve_dependent(&along), 0);
        self.complete_speeds(base.name.clone(), Some(base), parts)
    }

    /// Changes of the dependent coordinates that compensate the given changes of all position rows.
    pub fn solve_dependent(&self, changes: &[Tracer<'g>]) -> Vec<Tracer<'g>> {
        let right: Vec<_> = self.equations.evaluate_equations(changes).iter().map(|x| -*x).collect();
        self.pose.solve_dependent(&right)
    }

    /// Completes a direction by the changes of the dependent speeds that keep the velocity rows
    /// fulfilled.
    fn complete_speeds(
        &self,
        name: String,
        base: Option<Direction<'g>>,
        mut parts: Vec<(usize, Tracer<'g>)>,
    ) -> CompletedDirection<'g> {
        let before = self.combine_directions(&name, base.as_ref(), &parts);
        let along = self.of_velocities.derivatives_along(&before.seeds, &name);
        let right: Vec<_> = along.iter().map(|x| -*x).collect();
        let follow = self.motion_null_space.solve_dependent(&right);
        for (s, x) in follow.iter().enumerate().filter(|(_, x)| !x.is_zero()) {
            x.suggest_name(&|| format!("{}_by_{name}", self.elementary_directions[self.pose_size + s].name));
        }
        parts.extend(nonzero_entries(&follow, self.pose_size));
        let direction = self.combine_directions(&name, base.as_ref(), &parts);
        CompletedDirection { direction, base, parts }
    }

    /// Linear combination of `base` and several entries of `δx`, each at its rate.
    fn combine_directions(
        &self,
        name: &str,
        base: Option<&Direction<'g>>,
        parts: &[(usize, Tracer<'g>)],
    ) -> Direction<'g> {
        let mut seeds: Vec<(NodeId, Tracer<'g>)> = base.map_or_else(Vec::new, |b| b.seeds.clone());
        let mut turns: Vec<(JointId, Vec3<Tracer<'g>>)> = Vec::new();
        for (place, rate) in parts {
            let elementary = &self.elementary_directions[*place];
            for (id, x) in &elementary.seeds {
                let x = *x * *rate;
                match seeds.iter_mut().find(|s| s.0 == *id) {
                    Some(s) => s.1 = s.1 + x,
                    None => seeds.push((*id, x)),
                }
            }
            for (joint, turn) in &elementary.turns {
                let turn = turn.scale(*rate);
                match turns.iter_mut().find(|t| t.0 == *joint) {
                    Some(t) => t.1 = t.1 + turn,
                    None => turns.push((*joint, turn)),
                }
            }
        }
        Direction { name: name.to_owned(), seeds, kind: DirectionKind::Combined, turns }
    }

    /// Active constraint rows at the speeds of the state.
    pub fn rows(&self) -> &[ConstraintRow<Tracer<'g>>] {
        &self.active_constraint_rows
    }

    /// Residuals `Φ` of all position rows, before a Newton step of `closure`.
    pub fn positions(&self) -> &[Tracer<'g>] {
        &self.position_residuals
    }

    /// Null space of the active rows: a basis of the motions that the constraints allow.
    pub fn motion(&self) -> &NullSpace<Tracer<'g>> {
        &self.motion_null_space
    }

    /// Number of entries of `δq`; a quaternion has three.
    pub fn pose_size(&self) -> usize {
        self.pose_size
    }

    /// Pivots by which the dependent differences were divided.
    pub fn pivots(&self) -> &[Pivot<Tracer<'g>>] {
        &self.difference_pivots
    }
}

/// Non-zero entries of a column, with their indices offset by `first`.
fn nonzero_entries<'g>(column: &[Tracer<'g>], first: usize) -> Vec<(usize, Tracer<'g>)> {
    column.iter().enumerate().filter(|(_, x)| !x.is_zero()).map(|(i, x)| (first + i, *x)).collect()
}

/// The speed that equals the rate of this entry of `δq` and moves nothing else; `None` if there is
/// none.
fn speed_equal_to_rate(d: &Derivation<'_, '_>, kind: DirectionKind) -> Option<SpeedId> {
    match kind {
        DirectionKind::Attitude { joint, axis } => child_axis_angular_speeds(d.m, joint)[axis],
        DirectionKind::Coordinate(i) => {
            let rates = &d.kinematics.rate_matrix;
            let mut speeds = d.m.speed_ids().filter(|j| !rates[i][*j].is_zero());
            let speed = speeds.next().filter(|j| rates[i][*j].constant().is_some_and(|x| x.is_one()))?;
            let alone = d.m.coordinate_ids().all(|k| k == i || rates[k][speed].is_zero());
            (alone && speeds.next().is_none()).then_some(speed)
        }
        DirectionKind::Speed(_)
        | DirectionKind::Parameter
        | DirectionKind::Other
        | DirectionKind::Combined => None,
    }
}
