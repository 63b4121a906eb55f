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

/// Kind of quantity whose value is a number of the spec.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Mass,
    Length,
    Inertia,
    Gravity,
    /// A stiffness, a coefficient, or a number within a formula.
    Other,
}

#[derive(Default)]
struct Numbers {
    kinds: FxHashMap<Number, Kind>,
    several: FxHashSet<Number>,
}

impl Numbers {
    fn all(&mut self, formula: &Formula, kind: Kind) {
        if let Formula::Number(n) = formula {
            let n = n.magnitude();
            if *self.kinds.entry(n).or_insert(kind) != kind {
                self.several.insert(n);
            }
        }
        for argument in formula.arguments() {
            // The dimension of a number within a formula depends on the rest of the formula.
            self.all(argument, Kind::Other);
        }
    }

    fn each<'f>(&mut self, formulas: impl IntoIterator<Item = &'f Formula>, kind: Kind) {
        formulas.into_iter().for_each(|f| self.all(f, kind));
    }

    fn place(&mut self, placement: &Placement) {
        self.each(&placement.origin, Kind::Length);
    }
}

/// Magnitudes of the numbers that occur with several kinds. These are printed as digits.
pub(super) fn numbers(m: &Mechanism) -> FxHashSet<Number> {
    let mut found = Numbers::default();
    for body in &m.bodies {
        found.all(&body.mass, Kind::Mass);
        found.each(&body.center_of_mass, Kind::Length);
        found.each(body.inertia_about.iter().flatten(), Kind::Length);
        found.each(&body.inertia, Kind::Inertia);
        body.points.iter().for_each(|p| found.place(&p.placement));
    }
    m.ground_points.iter().for_each(|p| found.place(&p.placement));
    for joint in &m.joints {
        found.place(&joint.parent_frame);
        found.place(&joint.child_frame);
        found.each(joint.rotor.iter().map(|r| &r.inertia), Kind::Inertia);
        found.each(joint.rotor.iter().map(|r| &r.ratio), Kind::Other);
        found.each(joint.armature.iter().flatten(), Kind::Inertia);
    }
    found.each(&m.gravity, Kind::Gravity);
    for ends in m.measures.iter().filter_map(|measure| measure.subject.ends()) {
        found.place(&ends.from.1);
        found.place(&ends.to.1);
    }
    for load in &m.loads {
        let load = load.kind.form();
        match load.acts_on() {
            ActsOn::Point(_, point) => found.place(point),
            ActsOn::Ends(ends) => {
                found.place(&ends.from.1);
                found.place(&ends.to.1);
            }
            ActsOn::Body(_) | ActsOn::Speed(_) => {}
        }
        found.each(load.formulas(), Kind::Other);
        found.each(load.lengths(), Kind::Length);
    }
    for parameter in &m.parameters {
        // A constant keeps the name that the user gave it, even if another quantity has the same
        // value.
        if let ParameterKind::Constant(Formula::Number(n)) = &parameter.kind {
            found.several.remove(&n.magnitude());
        }
    }
    found.several
}

#[cfg(test)]
mod tests {
    use super::*;
    use dqdt_samples::random::random_mechanism;

    #[test]
    fn a_number_of_two_kinds_is_found_and_its_sign_does_not_count() {
        let mut m = random_mechanism(3, 3).mechanism;
        let number = |n: i64, d: i64| Formula::Number(Number::ratio(n, d).unwrap());
        let own = Number::ratio(12345, 10000).unwrap();
        assert!(!numbers(&m).contains(&own));
        m.bodies[0].mass = number(12345, 10000);
        assert!(!numbers(&m).contains(&own));
        m.joints[0].parent_frame.origin[1] = number(-12345, 10000);
        assert!(numbers(&m).contains(&own));
    }
}
