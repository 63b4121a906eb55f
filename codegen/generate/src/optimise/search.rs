//! Search for a formulation by recorded operations: joint origins, body axes, groups of the mixed
//! formalism.
//!
//! Problem: the position of a joint origin on its axis, the axes in which a body is written, the
//!          neighbouring joints that are eliminated together, and the bodies at which accelerations
//!          restart, all affect operation counts and dependency chains. Every choice is correct.
//! Method:  candidates are recorded without passes and counted. First the origins of the spec
//!          against all joints level with their parents; then every body in its own axes against
//!          non-rotating axes wherever possible; then groups of equal length from the leaves, and
//!          one group for all. From the best two, the choices of single joints are toggled, those
//!          of joints in one class together, as long as the cost falls. Progress is measured in
//!          recorded operations, not in time, so the result is the same everywhere.
//! Cost:    up to [`BUDGET`] recorded operations; four derivations if axes and origins make no
//!          difference.

use super::cost::total_operations;
use super::open::{axes_are_open, default_elimination_groups, groups_are_open, origins_are_open};
use dqdt_derivation::assemble::Assembled;
use dqdt_derivation::derive::{Request, derive_to_count};
use dqdt_graph::ir::{count, function_longest_chain};
use dqdt_mechanics::mechanism::{
    BodyAxes, BodyId, EliminationGroups, Formulation, Joint, JointId, JointOrigins, Mechanism,
    group_equivalent_joints, may_join_parent_group,
};

/// Budget of a search for the equations of motion, in recorded operations. A derivation records
/// about three million per second.
const BUDGET: u64 = 600_000;

/// Budget of a search for functions of the state alone, in recorded operations; these gain less
/// from a search.
const SMALL_BUDGET: u64 = 100_000;

/// Divisor of the budget for the part of the search that compares joint origins alone.
const OF_ORIGINS: u64 = 3;

/// Lengths of elimination groups, in joints, that the search tries first.
const LENGTHS: [usize; 6] = [1, 2, 3, 4, 5, 7];

/// Maximum number of joints on a path to a leaf up to which the search tries one single group for
/// all joints: its rows of M are dense.
const DEEPEST: usize = 16;

/// Cost of a candidate formulation: the larger of operations and weighted chain length, then
/// operations.
type Cost = (u32, u32);

/// A complete candidate of the search: body axes, elimination groups, joint origins.
#[derive(Clone, PartialEq, Eq)]
struct Choices {
    axes: BodyAxes,
    groups: EliminationGroups,
    origins: JointOrigins,
}

impl Choices {
    fn to_formulation(&self) -> Formulation {
        Formulation {
            elimination_groups: Some(self.groups.clone()),
            body_axes: Some(self.axes.clone()),
            joint_origins: Some(self.origins.clone()),
            stand_ins: 0,
        }
    }
}

struct FormulationSearch<'a> {
    loaded: &'a Assembled,
    request: &'a Request,
    budget_left: u64,
    latency_weight: u32,
    known_costs: Vec<(Choices, Cost)>,
}

impl FormulationSearch<'_> {
    /// Cost of these choices, cached; `None` once the budget of the search is used up.
    fn candidate_cost(&mut self, choices: &Choices) -> Option<Cost> {
        if let Some((_, cost)) = self.known_costs.iter().find(|(c, _)| c == choices) {
            return Some(*cost);
        }
        if self.budget_left == 0 {
            return None;
        }
        let program = derive_to_count(self.loaded, &choices.to_formulation(), self.request);
        self.budget_left = self.budget_left.saturating_sub(program.graph.len() as u64);
        let costs = program.functions.iter().map(|f| {
            count(&program, f).call.total().max(self.latency_weight * function_longest_chain(&program, f))
        });
        let cost = (costs.sum(), total_operations(&program));
        self.known_costs.push((choices.clone(), cost));
        Some(cost)
    }

    /// Replaces the origins in `first` by the best found from those of the spec and from all level
    /// ones, with a part of the budget. False if both cost the same, so that origins do not matter.
    fn compare_origins(&mut self, first: &mut Choices, classes: &[Vec<JointId>], budget: u64) -> bool {
        let mut matters = true;
        let joints = &self.loaded.mechanism.joints;
        let level = Choices { origins: JointOrigins::all_level(joints), ..first.clone() };
        let whole = std::mem::replace(&mut self.budget_left, budget / OF_ORIGINS);
        if let [Some(own_cost), Some(all)] = [&*first, &level].map(|c| self.candidate_cost(c)) {
            matters = all != own_cost;
            let mut ends = [(own_cost, first.clone()), (all, level)];
            ends.sort_by_key(|end| end.0);
            let ends = ends.map(|end| descend_by_toggling(self, classes, &[ChoiceKind::Origins], end));
            if let Some((_, best)) = ends.into_iter().min_by_key(|f| f.0) {
                *first = best;
            }
        }
        self.budget_left += whole - budget / OF_ORIGINS;
        matters
    }

    /// Replaces the axes in `first` by non-rotating ones if these cost less. Returns the other
    /// extreme with its cost, and false if both cost the same: as a rule, such functions depend on
    /// the pose alone, and stay in the axes of the spec.
    fn compare_axes(&mut self, first: &mut Choices) -> (bool, Option<(Cost, Choices)>) {
        let joints = &self.loaded.mechanism.joints;
        let unturned = Choices { axes: first.axes.all_unrotated(joints), ..first.clone() };
        let costs = [&*first, &unturned].map(|c| self.candidate_cost(c));
        let [Some(own_cost), Some(all)] = costs else { return (true, None) };
        let (cost, mut other) = (all.max(own_cost), unturned);
        if all < own_cost {
            std::mem::swap(first, &mut other);
        }
        (all != own_cost, Some((cost, other)))
    }
}

/// Elimination groups to start from: of equal lengths from the leaves, and one for all joints.
fn list_candidate_groups(m: &Mechanism) -> Vec<EliminationGroups> {
    let deepest = m.body_ids().map(|b| m.path_to_root(b).count()).max().unwrap_or(0);
    let one = (deepest <= DEEPEST).then(|| EliminationGroups::largest_groups(&m.joints));
    LENGTHS.iter().map(|k| EliminationGroups::from_leaves(&m.joints, *k)).chain(one).collect()
}

/// Searches for the body axes, elimination groups and joint origins that `partial` leaves open, for
/// the lowest cost of these functions: for each the larger of its operations and `latency_weight`
/// times its longest dependency chain.
pub(super) fn search_formulation(
    loaded: &Assembled,
    partial: &Formulation,
    request: &Request,
    latency_weight: u32,
) -> Formulation {
    let m = &loaded.mechanism;
    let moves = request.functions.iter().any(|f| f.derive.needs_motion());
    let budget = if moves { BUDGET } else { SMALL_BUDGET };
    let mut search =
        FormulationSearch { loaded, request, budget_left: budget, latency_weight, known_costs: Vec::new() };
    let of_groups = moves && groups_are_open(partial, request.formalism);
    let mut of_axes = axes_are_open(m, partial);
    let mut of_origins = origins_are_open(m, partial, request);
    let mut first = Choices {
        axes: partial.body_axes.clone().unwrap_or_else(|| BodyAxes::from_joints(&m.joints)),
        groups: partial.elimination_groups.clone().unwrap_or_else(|| default_elimination_groups(m)),
        origins: partial.joint_origins.clone().unwrap_or_default(),
    };
    let mut starts: Vec<(Cost, Choices)> = Vec::new();
    let classes = group_equivalent_joints(&m.joints);
    if of_origins {
        of_origins = search.compare_origins(&mut first, &classes, budget);
    }
    if of_axes {
        let (matters, other) = search.compare_axes(&mut first);
        of_axes = matters;
        // If only operations count, the better extreme is less often the better start.
        starts.extend(other.filter(|_| latency_weight == 0 && of_axes));
    }
    let candidates = if of_groups { list_candidate_groups(m) } else { vec![first.groups.clone()] };
    for groups in candidates {
        let choices = Choices { groups, ..first.clone() };
        if let Some(cost) = search.candidate_cost(&choices) {
            starts.push((cost, choices));
        }
    }
    starts.sort_by_key(|s| s.0);
    starts.dedup_by(|a, b| a.1 == b.1);
    let kinds: Vec<ChoiceKind> = [
        (of_groups, ChoiceKind::Joined),
        (of_groups, ChoiceKind::Carried),
        (of_axes, ChoiceKind::Axes),
        (of_origins, ChoiceKind::Origins),
    ]
    .into_iter()
    .filter_map(|(on, kind)| on.then_some(kind))
    .collect();
    let mut best = starts.first().cloned();
    let tried = if latency_weight == 0 { 3 } else { 2 };
    for start in starts.into_iter().take(tried) {
        let local_best = descend_by_toggling(&mut search, &classes, &kinds, start);
        if best.as_ref().is_none_or(|b| local_best.0 < b.0) {
            best = Some(local_best);
        }
    }
    let Choices { axes, groups, origins } = best.map_or(first, |b| b.1);
    let origins = partial.joint_origins.clone().unwrap_or_else(|| origins.keep_effective(&m.joints));
    let groups = groups_are_open(partial, request.formalism).then_some(groups);
    Formulation {
        elimination_groups: partial.elimination_groups.clone().or(groups),
        body_axes: Some(axes),
        joint_origins: Some(origins),
        stand_ins: 0,
    }
}

/// Local search for a formulation: toggles choices, one class of joints after the other, as long as
/// the cost falls.
fn descend_by_toggling(
    search: &mut FormulationSearch<'_>,
    classes: &[Vec<JointId>],
    kinds: &[ChoiceKind],
    mut best: (Cost, Choices),
) -> (Cost, Choices) {
    loop {
        let before = best.0;
        for class in classes.iter().rev() {
            for kind in kinds {
                let joints = &search.loaded.mechanism.joints;
                let Some(choices) = kind.toggle_choice(joints, class, &best.1) else { continue };
                let Some(cost) = search.candidate_cost(&choices) else { return best };
                if cost < best.0 {
                    best = (cost, choices);
                }
            }
        }
        if best.0 == before {
            return best;
        }
    }
}

/// True if the axes of the joint's child may be toggled without splitting a chain of bodies in
/// non-rotating axes: within such a chain a body in its own axes would need an additional rotation.
fn may_toggle_axes(joints: &[Joint], axes: &BodyAxes, joint: JointId) -> bool {
    let body = joint.child();
    let unturned = |other: BodyId, joint: JointId| axes.is_unrotated(other) && axes.along(joint) != 0;
    let before = joints[joint].parent.is_some_and(|p| unturned(p, joint));
    let mut beyond = JointId::range(joints.len()).filter(|j| joints[*j].parent == Some(body)).peekable();
    let is_leaf = beyond.peek().is_none();
    let after = beyond.any(|j| unturned(j.child(), j));
    let fits = if axes.is_unrotated(body) { !(before && after) } else { before || after || is_leaf };
    fits && axes.may_be_unrotated(joints, body)
}

/// Kind of choice that the search for a formulation toggles for a joint.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ChoiceKind {
    Joined,
    Carried,
    Axes,
    Origins,
}

impl ChoiceKind {
    /// The choices with this kind toggled for all joints of a class; `None` if that is not
    /// possible. `joints` are those of the spec. A step of the local search.
    fn toggle_choice(self, joints: &[Joint], class: &[JointId], choices: &Choices) -> Option<Choices> {
        let mut out = choices.clone();
        let first = class[0];
        match self {
            ChoiceKind::Joined if !may_join_parent_group(joints, first) => return None,
            ChoiceKind::Carried if choices.groups.is_grouped_with_parent(first) => return None,
            ChoiceKind::Joined => class.iter().for_each(|j| out.groups.joined[*j] = !out.groups.joined[*j]),
            ChoiceKind::Carried => {
                class.iter().for_each(|j| out.groups.carried[*j] = !out.groups.carried[*j])
            }
            ChoiceKind::Origins => {
                out.origins.level.resize(joints.len(), false);
                class.iter().for_each(|j| out.origins.level[*j] = !out.origins.level[*j]);
                if out.origins.move_joint_origins(joints) == choices.origins.move_joint_origins(joints) {
                    return None;
                }
            }
            ChoiceKind::Axes => {
                out.axes.unturned.resize(joints.len(), false);
                for j in class.iter().filter(|j| may_toggle_axes(joints, &choices.axes, **j)) {
                    out.axes.unturned[*j] = !out.axes.unturned[*j];
                }
            }
        }
        (out != *choices).then_some(out)
    }
}
