//! Replaces the constants of equal limbs by parameters, so that all passes treat the limbs alike.
//!
//! Problem: four legs of one shape give four times the same operations, which SIMD lanes can do at
//!          once (`plan::equal`). But their constants differ in sign and magnitude, and passes
//!          fold, order and factor by constants, so the results differ.
//! Method:  limbs on one body with the same joints, and zeros in the same places, get parameters
//!          for their constants. Passes cannot fold these and do the same in all limbs. Finally the
//!          constants are substituted, and only those equal to zero or ±1 are folded.
//! Constants of a limb that are equal in magnitude in every limb share a parameter, so that they
//! still cancel.

use std::collections::BTreeMap;

use dqdt_algebra::Number;
use dqdt_graph::ir::{Op, Program, SymbolKind, rebuild};
use dqdt_mechanics::mechanism::{
    BodyId, Formula, Mechanism, Parameter, ParameterId, ParameterKind, Placement, Variable,
};

/// A mechanism in which the constants of equal limbs are free parameters, at the end of the list,
/// with their values.
pub(super) struct ParametrisedLimbs {
    /// The mechanism with a parameter in place of each constant of the equal limbs.
    pub mechanism: Mechanism,
    /// Constants that the additional parameters replace, in the order of the parameters.
    pub numbers: Vec<Number>,
}

fn magnitude_bits(n: Number) -> u64 {
    n.to_f64().abs().to_bits()
}

fn is_negative(n: Number) -> bool {
    n.to_f64() < 0.0
}

fn is_zero_or_unit(n: Number) -> bool {
    n.is_zero() || n.to_f64().abs() == 1.0
}

/// Replaces the constants of equal limbs by parameters; `None` if there are no equal limbs.
pub(super) fn parametrise_equal_limbs(m: &Mechanism) -> Option<ParametrisedLimbs> {
    let teams = equal_limb_teams(m);
    if teams.is_empty() {
        return None;
    }
    let mut mechanism = m.clone();
    let mut numbers: Vec<Number> = Vec::new();
    for limbs in &teams {
        // For each limb, its constants in order.
        let places: Vec<Vec<Number>> = limbs.iter().map(|limb| limb_constants(m, limb)).collect();
        let count = places[0].len();
        if places.iter().any(|p| p.len() != count) {
            continue;
        }
        // The first constant with the same values in every limb, up to one sign per limb.
        let mut first: BTreeMap<Vec<(u64, bool)>, usize> = BTreeMap::new();
        let mut shared: Vec<(usize, bool)> = Vec::with_capacity(count);
        for i in 0..count {
            let negative = is_negative(places[0][i]);
            let key = places.iter().map(|p| (magnitude_bits(p[i]), is_negative(p[i]) ^ negative)).collect();
            let at = *first.entry(key).or_insert(i);
            shared.push((at, negative ^ is_negative(places[0][at])));
        }
        for (limb, places) in limbs.iter().zip(&places) {
            let base = mechanism.parameters.len();
            let mut index: BTreeMap<usize, usize> = BTreeMap::new();
            for (i, (at, _)) in shared.iter().enumerate().filter(|(i, (at, _))| i == at) {
                index.insert(*at, base + index.len());
                numbers.push(places[i]);
            }
            let names = (0..index.len()).map(|i| format!("number_{}", base + i));
            mechanism.parameters.extend(names.zip(index.keys()).map(|(name, at)| Parameter {
                name,
                unit: String::new(),
                dimension: None,
                description: String::new(),
                kind: ParameterKind::Free(places[*at]),
            }));
            let mut place = 0;
            change_limb_constants(&mut mechanism, limb, &mut |formula| {
                let Some((at, negative)) = shared.get(place) else { return };
                let parameter = Formula::Variable(Variable::Parameter(ParameterId(index[at])));
                *formula = if *negative { Formula::Neg(Box::new(parameter)) } else { parameter };
                place += 1;
            });
        }
    }
    (!numbers.is_empty()).then_some(ParametrisedLimbs { mechanism, numbers })
}

/// Substitutes the constants for the parameters that [`parametrise_equal_limbs`] introduced.
/// `plain` is the program derived with constants.
pub(super) fn restore_limb_constants(program: &Program, numbers: &[Number], plain: &Program) -> Program {
    let from = program.layout.p.len().saturating_sub(numbers.len());
    let graph = &program.graph;
    let mut result = rebuild(program, |b, _, node, map| {
        let args: Vec<_> = node.args().iter().map(|a| map(*a)).collect();
        let number = match node.op {
            Op::Symbol(s) => match graph.symbol_info(s).kind {
                SymbolKind::Parameter(i) => i.checked_sub(from).and_then(|i| numbers.get(i)),
                _ => None,
            },
            _ => None,
        };
        if let Some(number) = number {
            return Some(b.graph.number(*number));
        }
        let constant = |id| b.graph.constant(id);
        let all = args.iter().all(|a| constant(*a).is_some());
        let folds = all || args.iter().any(|a| constant(*a).is_some_and(is_zero_or_unit));
        Some(match node.op {
            Op::Const(_) | Op::Symbol(_) | Op::Table(_) => b.copy_operation(graph, node, &args),
            op if folds => b.graph.operation(op, &args),
            op => b.graph.raw(op, &args),
        })
    });
    // Constants keep the names that they have in `plain`.
    result.graph.copy_knowledge(&plain.graph);
    result.layout.clone_from(&plain.layout);
    result.parameter_checks.clone_from(&plain.parameter_checks);
    result
}

/// Bodies of a subtree: a body with all bodies outboard of it, in order of their distance.
fn subtree_bodies(root: BodyId, children: &[Vec<BodyId>]) -> Vec<BodyId> {
    let (mut bodies, mut next) = (vec![root], 0);
    while let Some(body) = bodies.get(next).copied() {
        bodies.extend(&children[body]);
        next += 1;
    }
    bodies
}

/// Teams of equal limbs: for each team its limbs, for each limb its bodies, in corresponding order.
fn equal_limb_teams(m: &Mechanism) -> Vec<Vec<Vec<BodyId>>> {
    let mut children: Vec<Vec<BodyId>> = vec![Vec::new(); m.bodies.len()];
    let mut of_ground: Vec<BodyId> = Vec::new();
    for (i, joint) in BodyId::enumerate(&m.joints) {
        joint.parent.map_or(&mut of_ground, |p| &mut children[p]).push(i);
    }
    // Leaves first.
    let mut shapes = vec![String::new(); m.bodies.len()];
    for i in m.body_ids().rev() {
        let below: Vec<&str> = children[i].iter().map(|c| shapes[*c].as_str()).collect();
        shapes[i] = format!("{}[{}]", body_joint_key(m, i), below.join(","));
    }
    let mut teams = Vec::new();
    let mut taken = vec![false; m.bodies.len()];
    // From the root outwards: parts of equal limbs are equal, too, and need no team of their own.
    for siblings in std::iter::once(&of_ground).chain(&children) {
        let mut of_shape: BTreeMap<&str, Vec<BodyId>> = BTreeMap::new();
        for child in siblings.iter().filter(|c| !taken[**c]) {
            of_shape.entry(&shapes[*child]).or_default().push(*child);
        }
        for roots in of_shape.into_values().filter(|roots| roots.len() > 1) {
            let limbs: Vec<Vec<BodyId>> =
                roots.into_iter().map(|root| subtree_bodies(root, &children)).collect();
            limbs.iter().flatten().for_each(|b| taken[*b] = true);
            teams.push(limbs);
        }
    }
    teams
}

/// Comparison key of a formula: equal for nonzero constants of any value.
fn formula_key(f: &Formula) -> String {
    match f {
        Formula::Number(n) if n.is_zero() => "0".to_owned(),
        Formula::Number(_) => "n".to_owned(),
        // Limbs may name their formulas differently; compare the formulas.
        f => format!("{:?}", f.replace_variables(&|v| v)),
    }
}

fn formulas_key(all: &[Formula]) -> String {
    all.iter().map(formula_key).collect::<Vec<_>>().join(" ")
}

fn placement_key(p: &Placement) -> String {
    format!("{} {:?}", formulas_key(&p.origin), p.rotation)
}

/// Comparison key of a body and its joint: all that its equations depend on, except the values of
/// nonzero constants.
fn body_joint_key(m: &Mechanism, i: BodyId) -> String {
    let (body, joint) = (&m.bodies[i], &m.joints[i.inboard_joint()]);
    let about = body.inertia_about.as_ref().map(|p| formulas_key(p));
    let armature: Vec<Option<String>> = joint.armature.iter().map(|a| a.as_ref().map(formula_key)).collect();
    format!(
        "{:?} {} {} {} {} {} {} {} {about:?} {armature:?} {}",
        joint.kind,
        joint.absolute,
        joint.coordinates.len(),
        placement_key(&joint.parent_frame),
        placement_key(&joint.child_frame),
        formula_key(&body.mass),
        formulas_key(&body.center_of_mass),
        formulas_key(&body.inertia),
        joint.rotor.is_some(),
    )
}

/// Calls `change` for every nonzero constant of the bodies and joints of a limb.
fn change_limb_constants(m: &mut Mechanism, limb: &[BodyId], change: &mut dyn FnMut(&mut Formula)) {
    for i in limb {
        let (body, joint) = (&mut m.bodies[*i], &mut m.joints[i.inboard_joint()]);
        let body = [&mut body.mass]
            .into_iter()
            .chain(&mut body.center_of_mass)
            .chain(&mut body.inertia)
            .chain(body.inertia_about.iter_mut().flatten());
        let joint = joint.parent_frame.origin.iter_mut().chain(&mut joint.child_frame.origin);
        for formula in body.chain(joint) {
            if formula.as_number().is_some_and(|n| !n.is_zero()) {
                change(formula);
            }
        }
    }
}

/// Nonzero constants of the bodies and joints of a limb, in the order of [`change_limb_constants`].
fn limb_constants(m: &Mechanism, limb: &[BodyId]) -> Vec<Number> {
    let mut numbers = Vec::new();
    for i in limb {
        let (body, joint) = (&m.bodies[*i], &m.joints[i.inboard_joint()]);
        let body = std::iter::once(&body.mass)
            .chain(&body.center_of_mass)
            .chain(&body.inertia)
            .chain(body.inertia_about.iter().flatten());
        let formulas = body.chain(&joint.parent_frame.origin).chain(&joint.child_frame.origin);
        numbers.extend(formulas.filter_map(Formula::as_number).filter(|n| !n.is_zero()));
    }
    numbers
}
