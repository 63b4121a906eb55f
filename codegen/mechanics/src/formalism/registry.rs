//! The list of formalisms, one line each. Everything about a formalism is in its file of `methods`.

use super::dynamics::solved::DynamicsSolution;
use super::method::{ConstraintsBy, Equations, Facts, Implicit, Method, SolvedSystem, formalisms};
use super::methods;
use crate::kinematics::ConstraintRow;
use crate::mechanism::{Environment, Mechanism, Partition};
use dqdt_algebra::Scalar;

formalisms! {
    kane::Kane,
    lagrange::Lagrange,
    direct::Direct,
    composite_body::CompositeBody,
    articulated_body::ArticulatedBody,
    mixed::Mixed,
    extended::Extended,
    lagrange_first::LagrangeFirst,
    maggi::Maggi,
    maggi_coordinates::MaggiCoordinates,
    momentum::Momentum,
}

impl Formalism {
    /// Name on the command line, such as `kane`.
    pub const fn name(self) -> &'static str {
        self.facts().name
    }

    /// Description of the formalism in one line.
    pub const fn description(self) -> &'static str {
        self.facts().description
    }

    /// Formalisms that have `M`, `c` and `Q` of a tree of their own; proofs compare these.
    pub fn stating_equations() -> impl Iterator<Item = Formalism> {
        Formalism::ALL.into_iter().filter(|f| f.facts().states_equations)
    }

    /// True if the formalism factors a mass matrix.
    pub fn has_mass_matrix(self) -> bool {
        matches!(self.facts().solves, SolvedSystem::Implicit | SolvedSystem::MassMatrix)
    }

    /// True if the formalism projects the equations in the speeds of the tree onto the motions that
    /// constraints allow.
    pub fn projects_speeds(self) -> bool {
        self.has_mass_matrix() && self.facts().constraints == ConstraintsBy::Projection
    }

    /// True if all constraint rows have multipliers, including redundant ones: projection needs no
    /// selection of rows at a pose. Other formalisms set some multipliers of redundant rows to
    /// zero.
    #[doc(hidden)]
    pub fn keeps_all_rows(self, partition: &Partition) -> bool {
        self.facts().constraints == ConstraintsBy::Projection && partition.basis.complete
    }

    /// True if M of both formalisms is the same computation.
    pub fn shares_mass_with(self, other: Formalism) -> bool {
        self != other && self.facts().mass.is_some() && self.facts().mass == other.facts().mass
    }
}

/// Text, for reports, on which formalisms are independent of each other, by the origin of M.
pub fn independence_text() -> String {
    let mut ways: Vec<&str> = Vec::new();
    for way in Formalism::ALL.iter().filter_map(|f| f.facts().mass) {
        if !ways.contains(&way) {
            ways.push(way);
        }
    }
    let ways: Vec<String> = ways
        .into_iter()
        .map(|way| format!("{way} ({})", join_formalism_names(&|f| f.facts().mass == Some(way))))
        .collect();
    format!(
        "The mass matrix M is formed in {} independent ways: {}. {} do not use M. All formalisms except {} compute \
         the velocities of the bodies with the same partial velocities.",
        ways.len(),
        ways.join(", "),
        join_formalism_names(&|f| f.facts().mass.is_none()),
        join_formalism_names(&|f| !f.facts().partial_velocities)
    )
}

/// Names of the formalisms that satisfy the condition, as text: `a, b and c`.
fn join_formalism_names(condition: &dyn Fn(&Formalism) -> bool) -> String {
    let all: Vec<&str> = Formalism::ALL.iter().filter(|f| condition(f)).map(|f| f.name()).collect();
    match &all[..] {
        [rest @ .., last] if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => all.concat(),
    }
}
