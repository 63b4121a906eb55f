//! Closed loops that can be treated as generalised joints with one degree of freedom, in their
//! order.
//!
//! Problem: a loop that leaves one degree of freedom acts as one generalised joint in every pose,
//! without a choice of dependent speeds. Which constraints of a mechanism can be embedded so, one
//! after the other?
//! Method:  the speeds that enter a constraint follow from the tree: those between its two bodies,
//! or those in a formula. While a constraint has r rows that involve r + 1 degrees of freedom, it
//! is embedded; it leaves one degree of freedom for the next loop.
//! Not handled: loops of more than two rows, whose minors cost more operations than they save;
//! loops that only together leave one degree of freedom.

use super::arenas::Mechanism;
use super::constraint::Level;
use super::environment::Variable;
use super::index::{BodyId, JointId, SpeedId};
use super::partition::{EmbeddedLoop, RowId, RowIndex};

/// Closed loops that each leave one degree of freedom, as generalised joints, inner ones first;
/// `None` unless every constraint is part of one. `rows`: the active constraint rows. The degree of
/// freedom of a loop is named after a speed with `is_independent`, else after its first speed. Used
/// by assembly.
pub fn find_embedded_loops(
    m: &Mechanism,
    rows: &[RowIndex],
    is_independent: &dyn Fn(SpeedId) -> bool,
) -> Option<Vec<EmbeddedLoop>> {
    // Each remaining degree of freedom, with the speeds that it moves.
    let mut motions: Vec<Option<Vec<SpeedId>>> = m.speed_ids().map(|i| Some(vec![i])).collect();
    let mut remaining: Vec<usize> =
        (0..m.constraints.len()).filter(|c| rows.iter().any(|r| r.constraint == *c)).collect();
    let mut loops = Vec::new();
    while !remaining.is_empty() {
        let next = remaining.iter().enumerate().find_map(|(at, c)| {
            let loop_rows: Vec<RowId> =
                (0..rows.len()).filter(|i| rows[*i].constraint == *c).map(RowId).collect();
            let involved = speeds_in_constraint(m, *c)?;
            let loop_motions: Vec<usize> = (0..motions.len())
                .filter(|i| motions[*i].iter().flatten().any(|speed| involved.contains(speed)))
                .collect();
            let is_embeddable = loop_rows.len() <= 2 && loop_motions.len() == loop_rows.len() + 1;
            is_embeddable.then_some((at, loop_rows, loop_motions))
        });
        let (at, loop_rows, loop_motions) = next?;
        remaining.remove(at);
        let moved: Vec<SpeedId> = loop_motions.iter().filter_map(|i| motions[*i].take()).flatten().collect();
        let name = moved.iter().copied().find(|s| is_independent(*s)).or(moved.first().copied())?;
        motions.push(Some(moved));
        loops.push(EmbeddedLoop { rows: loop_rows, motions: loop_motions, parametrising_speed: name });
    }
    Some(loops)
}

/// Speeds that enter a constraint; `None` if the topology does not determine them.
fn speeds_in_constraint(m: &Mechanism, constraint: usize) -> Option<Vec<SpeedId>> {
    let form = m.constraints[constraint].kind.form();
    if let Some((level, f)) = form.level_and_formula() {
        if f.uses_measures() {
            return None;
        }
        let mut speeds: Vec<SpeedId> = m.speed_ids().collect();
        speeds.retain(|s| {
            f.any_variable(&|v| match (v, level) {
                (Variable::Coordinate(i), Level::Positions) => m.coordinates[i].joint == m.speeds[*s].joint,
                (Variable::Speed(i), Level::Speeds) => i == *s,
                _ => false,
            })
        });
        return Some(speeds);
    }
    let ends = form.ends()?;
    let path = |body: Option<BodyId>| -> Vec<JointId> {
        body.map_or_else(Vec::new, |b| m.path_to_root(b).map(BodyId::inboard_joint).collect())
    };
    let [a, b] = [path(ends.from.0), path(ends.to.0)];
    let beyond: Vec<JointId> =
        a.iter().chain(&b).copied().filter(|x| !(a.contains(x) && b.contains(x))).collect();
    // With an angle measured from the ground, speeds on the shared path enter too.
    let absolute = beyond.iter().any(|x| m.joints[*x].absolute);
    let joints: Vec<JointId> = if absolute { a.iter().chain(&b).copied().collect() } else { beyond };
    Some(m.speed_ids().filter(|s| joints.contains(&m.speeds[*s].joint)).collect())
}
