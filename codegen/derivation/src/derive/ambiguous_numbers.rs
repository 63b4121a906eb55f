//! Numbers that occur in one mechanism as quantities of different kinds.
//!
//! Problem: equal numbers are one node and would get one name: a lever arm of 0.3 m, named after an
//!          inertia of 0.3 kg m², would make an equation look dimensionally wrong.
//! Method:  all numbers of the spec are collected with their kinds. A number of a single kind is
//!          named after its quantity; all others are printed as digits.

use rustc_hash::{FxHashMap, FxHashSet};

use dqdt_algebra::Number;
use dqdt_mechanics::mechanism::load::ActsOn;
use dqdt_mechanics::mechanism::{Formula, Mechanism, ParameterKind, Placement};

/// Kind of quantity whose value is a number of the spec. Equal numbers of two kinds are printed as
/// digits.
#[derive(Clone, Copy, PartialEq, Eq)]
enum NumberKind {
    Mass,
    Length,
    Inertia,
    Gravity,
    /// A stiffness, a coefficient, or a number within a formula.
    Other,
}

/// Numbers of the spec by magnitude, with their kinds.
#[derive(Default)]
struct Numbers {
    /// First kind with which each magnitude occurs.
    kinds: FxHashMap<Number, NumberKind>,
    /// Magnitudes that occur with more than one kind.
    several: FxHashSet<Number>,
}

impl Numbers {
    fn add_formula(&mut self, formula: &Formula, kind: NumberKind) {
        if let Formula::Number(n) = formula {
            let n = n.magnitude();
            if *self.kinds.entry(n).or_insert(kind) != kind {
                self.several.insert(n);
            }
        }
        for argument in formula.operands() {
            // The dimension of a number within a formula depends on the rest of the formula.
            self.add_formula(argument, NumberKind::Other);
        }
    }

    fn add_formulas<'f>(&mut self, formulas: impl IntoIterator<Item = &'f Formula>, kind: NumberKind) {
        formulas.into_iter().for_each(|f| self.add_formula(f, kind));
    }

    fn add_placement(&mut self, placement: &Placement) {
        self.add_formulas(&placement.origin, NumberKind::Length);
    }
}

/// Magnitudes of the numbers that occur with several kinds. These are printed as digits.
pub(super) fn find_ambiguous_numbers(m: &Mechanism) -> FxHashSet<Number> {
    let mut numbers = Numbers::default();
    for body in &m.bodies {
        numbers.add_formula(&body.mass, NumberKind::Mass);
        numbers.add_formulas(&body.center_of_mass, NumberKind::Length);
        numbers.add_formulas(body.inertia_about.iter().flatten(), NumberKind::Length);
        numbers.add_formulas(&body.inertia, NumberKind::Inertia);
        body.points.iter().for_each(|p| numbers.add_placement(&p.placement));
    }
    m.ground_points.iter().for_each(|p| numbers.add_placement(&p.placement));
    for joint in &m.joints {
        numbers.add_placement(&joint.parent_frame);
        numbers.add_placement(&joint.child_frame);
        numbers.add_formulas(joint.rotor.iter().map(|r| &r.inertia), NumberKind::Inertia);
        numbers.add_formulas(joint.rotor.iter().map(|r| &r.ratio), NumberKind::Other);
        numbers.add_formulas(joint.armature.iter().flatten(), NumberKind::Inertia);
    }
    numbers.add_formulas(&m.gravity, NumberKind::Gravity);
    for ends in m.measures.iter().filter_map(|measure| measure.subject.ends()) {
        numbers.add_placement(&ends.from.1);
        numbers.add_placement(&ends.to.1);
    }
    for load in &m.loads {
        let load = load.kind.form();
        match load.acts_on() {
            ActsOn::Point(_, point) => numbers.add_placement(point),
            ActsOn::Ends(ends) => {
                numbers.add_placement(&ends.from.1);
                numbers.add_placement(&ends.to.1);
            }
            ActsOn::Body(_) | ActsOn::Speed(_) => {}
        }
        numbers.add_formulas(load.force_law_formulas(), NumberKind::Other);
        numbers.add_formulas(load.length_formulas(), NumberKind::Length);
    }
    for parameter in &m.parameters {
        // A constant keeps the name that the user gave it, even if another quantity has the same
        // value.
        if let ParameterKind::Constant(Formula::Number(n)) = &parameter.kind {
            numbers.several.remove(&n.magnitude());
        }
    }
    numbers.several
}

#[cfg(test)]
mod tests {
    use super::*;
    use dqdt_samples::random::random_mechanism;

    #[test]
    fn a_number_of_two_kinds_is_found_and_its_sign_does_not_count() {
        let mut m = random_mechanism(3, 3).mechanism;
        let mass = Number::ratio(12345, 10000).unwrap();
        assert!(!find_ambiguous_numbers(&m).contains(&mass));
        m.bodies[0].mass = Formula::Number(mass);
        assert!(!find_ambiguous_numbers(&m).contains(&mass));
        m.joints[0].parent_frame.origin[1] = Formula::Number(Number::ratio(-12345, 10000).unwrap());
        assert!(find_ambiguous_numbers(&m).contains(&mass));
    }
}
