//! The list of formalisms: one line each. All that is said and done of one is in its file of `methods`.

use super::dynamics::solved::Solved;
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
    /// As on the command line.
    pub const fn name(self) -> &'static str {
        self.facts().name
    }

    /// What it is, in a line.
    pub const fn description(self) -> &'static str {
        self.facts().description
    }

    /// Those that state `M`, `c` and `Q` of a tree.
    pub fn stating_equations() -> impl Iterator<Item = Formalism> {
        Formalism::ALL.into_iter().filter(|f| f.facts().states_equations)
    }

    /// True if it factors a mass matrix.
    pub fn has_mass_matrix(self) -> bool {
        matches!(self.facts().solves, SolvedSystem::Implicit | SolvedSystem::MassMatrix)
    }

    /// True if it projects the equations in the speeds of the tree on what constraints leave free.
    pub fn projects_speeds(self) -> bool {
        self.has_mass_matrix() && self.facts().constraints == ConstraintsBy::Projection
    }

    /// True if all rows have multipliers, also those that follow from others: projection needs no choice of rows at a pose. Other
    /// formalisms have multipliers of zero in some combinations of them.
    #[doc(hidden)]
    pub fn keeps_all_rows(self, partition: &Partition) -> bool {
        self.facts().constraints == ConstraintsBy::Projection && partition.basis.complete
    }

    /// True if its M is the same computation as that of another.
    pub fn shares_mass_with(self, other: Formalism) -> bool {
        self != other && self.facts().mass.is_some() && self.facts().mass == other.facts().mass
    }
}

/// Which forms are independent of each other, in words.
pub fn independence() -> String {
    let names = |keep: &dyn Fn(&Formalism) -> bool| -> String {
        let all: Vec<&str> = Formalism::ALL.iter().filter(|f| keep(f)).map(|f| f.name()).collect();
        match &all[..] {
            [rest @ .., last] if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
            _ => all.concat(),
        }
    };
    let mut ways: Vec<&str> = Vec::new();
    for way in Formalism::ALL.iter().filter_map(|f| f.facts().mass) {
        if !ways.contains(&way) {
            ways.push(way);
        }
    }
    let ways: Vec<String> =
        ways.into_iter().map(|way| format!("{way} ({})", names(&|f| f.facts().mass == Some(way)))).collect();
    format!(
        "M is formed in {} ways that share nothing: {}. {} need no M. All but {} take the velocities of the bodies from the \
         same partial velocities.",
        ways.len(),
        ways.join(", "),
        names(&|f| f.facts().mass.is_none()),
        names(&|f| !f.facts().partial_velocities)
    )
}
