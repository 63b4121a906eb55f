//! How the formalism is found.

use std::fmt;
use std::str::FromStr;

use super::cost::WAITING;
use dqdt_derivation::derive::Request;
use dqdt_derivation::functions::Definition;
use dqdt_mechanics::formalism::Formalism;

/// How the formalism is found. As text ([`FromStr`], [`Display`](fmt::Display)) it is what `--formalism` takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum FormalismChoice {
    /// Of the formalisms whose graphs stay small, the one of the least [`cost`](super::cost()); up to
    /// [`AUTO_ALL`](super::AUTO_ALL) speeds Kane's unless the mixed form, or projection saves more than 3 percent and more than
    /// 16 operations.
    ///
    /// Kane's mass matrix is what people know from books. For a large mechanism the choice
    /// decides whether the code compiles in seconds or in minutes: the dense solve of a chain grows with the cube of its
    /// length. Projection is not taken where loops are closed: it is quicker, but says `Singular` where the dependent speeds
    /// that it chose do not follow from the others.
    #[default]
    BySize,
    /// As [`BySize`](Self::BySize) if its accelerations in single precision are within [`LIMIT`](super::singles::LIMIT) of those
    /// in double precision, else the cheapest that are; the most accurate where none is.
    ForSingles,
    /// The one whose functions cost least a call.
    ///
    /// Candidates are all formalisms; above [`AUTO_ALL`](super::AUTO_ALL) speeds only those whose graphs stay small, and
    /// `maggi_coordinates` where there are constraints. What takes three times the operations of
    /// another before any pass is not simplified. Of equals the first in [`Formalism::ALL`] wins.
    /// Where none fits in memory it is `articulated_body`, which is then refused.
    LeastCost,
    /// Of the formalisms of [`BySize`](Self::BySize) the one of the fewest operations, however long they wait for each other: for
    /// processors that do one after the other, as those of microcontrollers.
    FewestOperations,
    /// No search: Kane's form up to [`AUTO_ALL`](super::AUTO_ALL) speeds and with constraints, else the mixed form in groups of
    /// three joints, and where that outgrows memory a form that does not; every body in its own axes.
    Quick,
    /// This one.
    Given(Formalism),
}

impl FormalismChoice {
    /// Those that a user names: every formalism, then the searches.
    pub fn named() -> impl Iterator<Item = FormalismChoice> {
        let searches = [Self::LeastCost, Self::FewestOperations, Self::Quick];
        Formalism::ALL.into_iter().map(Self::Given).chain(searches)
    }

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::BySize => "by_size",
            Self::ForSingles => "for_singles",
            Self::LeastCost => "auto",
            Self::FewestOperations => "fewest",
            Self::Quick => "quick",
            Self::Given(f) => f.name(),
        }
    }

    /// What it is, in a line.
    pub const fn description(self) -> &'static str {
        match self {
            Self::BySize => "by the size of the mechanism",
            Self::ForSingles => "as `by_size`, and close in single precision",
            Self::LeastCost => {
                "the one of the least cost for the functions asked for: operations, or the longest chain of them"
            }
            Self::FewestOperations => {
                "the one of the fewest operations, however long they wait: for microcontrollers"
            }
            Self::Quick => "nothing is looked for: kane, or mixed above 12 speeds; emission is quickest",
            Self::Given(f) => f.description(),
        }
    }

    /// What an operation of the longest chain counts.
    pub const fn waiting(self) -> u32 {
        if matches!(self, Self::FewestOperations) { 0 } else { WAITING }
    }

    /// What is derived by it: a processor that does one operation after the other gains nothing from equal limbs.
    pub fn request(self, formalism: Formalism, functions: Vec<&'static Definition>) -> Request {
        let side_by_side = !matches!(self, Self::FewestOperations);
        Request { side_by_side, ..Request::new(formalism, functions) }
    }
}

impl From<Formalism> for FormalismChoice {
    fn from(formalism: Formalism) -> Self {
        Self::Given(formalism)
    }
}

impl fmt::Display for FormalismChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// There is no choice of this name.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("there is no formalism `{0}`")]
pub struct UnknownFormalism(pub String);

impl FromStr for FormalismChoice {
    type Err = UnknownFormalism;

    fn from_str(name: &str) -> Result<Self, UnknownFormalism> {
        let all = Self::named().chain([Self::BySize, Self::ForSingles]);
        all.into_iter().find(|c| c.name() == name).ok_or_else(|| UnknownFormalism(name.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_choice_is_read_back_from_its_name() {
        for choice in FormalismChoice::named().chain([FormalismChoice::BySize, FormalismChoice::ForSingles]) {
            assert_eq!(choice.to_string().parse(), Ok(choice));
        }
        assert_eq!("kanes".parse::<FormalismChoice>(), Err(UnknownFormalism("kanes".to_owned())));
    }
}
