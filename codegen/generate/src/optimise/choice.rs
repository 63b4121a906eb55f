//! Ways to choose the formalism.

use std::fmt;
use std::str::FromStr;

use super::cost::WAITING;
use dqdt_derivation::derive::Request;
use dqdt_derivation::functions::Definition;
use dqdt_mechanics::formalism::Formalism;

/// Strategy for choosing the formalism of a derivation. Its text form ([`FromStr`],
/// [`Display`](fmt::Display)) is the value of `--formalism`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum FormalismChoice {
    /// The formalism of least [`cost`](super::cost()) among those whose graphs stay small. Up to
    /// [`AUTO_ALL`](super::AUTO_ALL) speeds Kane's, unless the mixed formalism, or projection,
    /// saves more than 3 percent and more than 16 operations.
    ///
    /// Kane's mass matrix is the one in textbooks. For a large mechanism the choice decides whether
    /// the code compiles in seconds or in minutes: the dense solve of a chain grows with the cube
    /// of its length. Projection is not used for closed loops: it is faster, but returns `Singular`
    /// where the chosen dependent speeds do not follow from the others.
    #[default]
    BySize,
    /// Same as [`BySize`](Self::BySize) if its accelerations in single precision are within
    /// [`LIMIT`](super::singles::LIMIT) of those in double precision, else the cheapest formalism
    /// within the limit, or the most accurate one if none is.
    ForSingles,
    /// The formalism of least cost per call of the functions.
    ///
    /// Candidates are all formalisms; above [`AUTO_ALL`](super::AUTO_ALL) speeds only those whose
    /// graphs stay small, including `maggi_coordinates` if there are constraints. A candidate with
    /// three times the operations of another before any pass is not simplified. Among equals the
    /// first in [`Formalism::ALL`] wins. If none fits in memory, the result is `articulated_body`,
    /// which is then rejected by its size.
    LeastCost,
    /// The formalism of fewest operations among those whose graphs stay small, regardless of
    /// dependency chains: for processors that do one operation at a time, such as microcontrollers.
    FewestOperations,
    /// No search: Kane's formalism up to [`AUTO_ALL`](super::AUTO_ALL) speeds and with constraints,
    /// else the mixed one in groups of three joints; if that outgrows memory, a formalism that
    /// fits. Every body is written in its own axes.
    Quick,
    /// No choice: this formalism, as the user names it.
    Given(Formalism),
}

impl FormalismChoice {
    /// Choices that a user can name in `--formalism`: every formalism, then the searches.
    pub fn named() -> impl Iterator<Item = FormalismChoice> {
        let searches = [Self::LeastCost, Self::FewestOperations, Self::Quick];
        Formalism::ALL.into_iter().map(Self::Given).chain(searches)
    }

    /// Name of the choice as a value of `--formalism`.
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

    /// Description of the choice in one line, for help texts.
    pub const fn description(self) -> &'static str {
        match self {
            Self::BySize => "the formalism is chosen by the size of the mechanism",
            Self::ForSingles => "like `by_size`, but the formalism must be accurate in single precision",
            Self::LeastCost => {
                "search for the lowest cost of the requested functions: the number of operations or a multiple of the longest chain of dependent operations, whichever is larger"
            }
            Self::FewestOperations => {
                "search for the fewest operations, regardless of dependency chains; suited to microcontrollers"
            }
            Self::Quick => "no search: use `kane`, or `mixed` above 12 speeds; generates the code fastest",
            Self::Given(f) => f.description(),
        }
    }

    /// Weight of an operation on the longest dependency chain, in the cost of a call: [`WAITING`],
    /// or 0 for [`FewestOperations`](Self::FewestOperations).
    pub const fn waiting(self) -> u32 {
        if matches!(self, Self::FewestOperations) { 0 } else { WAITING }
    }

    /// Request to derive functions by this choice. With
    /// [`FewestOperations`](Self::FewestOperations) no limbs are vectorised, since a processor that
    /// does one operation at a time gains nothing.
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

/// Error: no formalism or strategy has this name.
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
