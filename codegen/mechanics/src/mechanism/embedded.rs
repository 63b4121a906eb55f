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

use super::constraint::Level;
use super::environment::Variable;
use super::index::{BodyId, JointId, SpeedId};
use super::partition::{EmbeddedLoop, RowId, RowIndex};
use super::whole::Mechanism;

/// The loops in the order in which they are embedded; `None` if some constraint cannot be. `rows`:
/// the active constraint rows. `independent`: returns true if a degree of freedom may be named
/// after this speed.
pub fn embedded(
    m: &Mechanism,
    rows: &[RowIndex],
    independent: &dyn Fn(SpeedId) -> bool,
) -> Option<Vec<EmbeddedLoop>> {
    // Each remaining degree of freedom, with the speeds that it moves.
    let mut motions: Vec<Option<Vec<SpeedId>>> = m.speed_ids().map(|i| Some(vec![i])).collect();
    let mut left: Vec<usize> =
        (0..m.constraints.len()).filter(|c| rows.iter().any(|r| r.constraint == *c)).collect();
    let mut loops = Vec::new();
    while !left.is_empty() {
        let next = left.iter().enumerate().find_map(|(at, c)| {
            let own: Vec<RowId> = (0..rows.len()).filter(|i| rows[*i].constraint == *c).map(RowId).collect();
            let felt = speeds_of(m, *c)?;
            let meets = |moved: &Vec<SpeedId>| moved.iter().any(|s| felt.contains(s));
            let met: Vec<usize> =
                (0..motions.len()).filter(|i| motions[*i].as_ref().is_some_and(meets)).collect();
            (own.len() <= 2 && met.len() == own.len() + 1).then_some((at, own, met))
        });
        let (at, own, met) = next?;
        left.remove(at);
        let moved: Vec<SpeedId> = met.iter().filter_map(|i| motions[*i].take()).flatten().collect();
        let name = moved.iter().copied().find(|s| independent(*s)).or(moved.first().copied())?;
        motions.push(Some(moved));
        loops.push(EmbeddedLoop { rows: own, motions: met, name });
    }
    Some(loops)
}

/// Speeds that enter a constraint; `None` if the topology does not determine them.
fn speeds_of(m: &Mechanism, constraint: usize) -> Option<Vec<SpeedId>> {
    let form = m.constraints[constraint].kind.form();
    if let Some((level, f)) = form.formula() {
        let mentioned = |s: &SpeedId| {
            f.mentions(&|v| match (v, level) {
                (Variable::Coordinate(i), Level::Positions) => m.coordinates[i].joint == m.speeds[*s].joint,
                (Variable::Speed(i), Level::Speeds) => i == *s,
                _ => false,
            })
        };
        return (!f.measures()).then(|| m.speed_ids().filter(mentioned).collect());
    }
    let ends = form.ends()?;
    let path = |body: Option<BodyId>| -> Vec<JointId> {
        body.map_or_else(Vec::new, |b| m.path(b).map(BodyId::inboard_joint).collect())
    };
    let [a, b] = [path(ends.from.0), path(ends.to.0)];
    let beyond: Vec<JointId> =
        a.iter().chain(&b).copied().filter(|x| !(a.contains(x) && b.contains(x))).collect();
    // With an angle measured from the ground, speeds on the shared path enter too.
    let absolute = beyond.iter().any(|x| m.joints[*x].absolute);
    let joints: Vec<JointId> = if absolute { a.iter().chain(&b).copied().collect() } else { beyond };
    Some(m.speed_ids().filter(|s| joints.contains(&m.speeds[*s].joint)).collect())
}
