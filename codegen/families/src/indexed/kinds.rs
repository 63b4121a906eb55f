//! Kinds of parameters, coordinates, speeds and inputs: unit, meaning and default for any index.
//!
//! Problem: a spec describes `m3` as "mass of rod 3"; documentation of the array `m` needs "mass of
//!          rod {i}".
//! Method:  the index in the description of each member is replaced by `{i}`; the results must
//!          agree.

use super::defaults::{Default, DefaultSample, fit_default};
use super::family::Member;
use super::names::{Stem, Stems};

/// One kind of symbol of a family, such as the masses `m1`, `m2`, …, with unit, description and
/// default that hold for any index.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FamilySymbol {
    /// Common name of these symbols without the index.
    pub stem: Stem,
    /// SI unit as text; empty if there is none or the members of the family differ.
    pub unit: String,
    /// One-line description for the emitted documentation, with `{i}` for the index; the name if
    /// the members do not agree.
    pub meaning: String,
    /// Default value of a parameter as a function of the index and n, if there is one.
    pub default: Option<Default>,
}

/// Collects unit, description and default of one kind of symbol from all members of the family.
pub(super) fn describe_family(stem: &Stem, members: &[Member], stems: &Stems) -> FamilySymbol {
    let mut units: Vec<&str> = Vec::new();
    let mut meanings: Vec<String> = Vec::new();
    let mut samples: Vec<Option<DefaultSample>> = Vec::new();
    for member in members {
        for d in member.descriptions.iter().filter(|d| stems.symbol_stem(&d.symbol) == *stem) {
            let i = stems.split_index(&d.symbol).map_or(0, |s| s.1);
            units.push(&d.unit);
            meanings.push(if i > 0 {
                replace_index_with_placeholder(&d.description, i)
            } else {
                d.description.clone()
            });
            samples.push(d.default.map(|value| DefaultSample { n: member.n, index: i, default: value }));
        }
    }
    let meaning = common_value(&meanings)
        .filter(|m| !m.is_empty())
        .cloned()
        .unwrap_or_else(|| name_with_placeholder(stem));
    let samples: Option<Vec<DefaultSample>> = samples.into_iter().collect();
    FamilySymbol {
        stem: stem.clone(),
        unit: common_value(&units).map_or_else(String::new, |u| (*u).to_owned()),
        meaning,
        default: samples.and_then(|samples| fit_default(&samples)),
    }
}

/// Printed name of a kind of symbol with `{i}` for the index, such as `m{i}`; the plain name of a
/// scalar.
pub fn name_with_placeholder(stem: &Stem) -> String {
    if stem.indexed { format!("{}{{i}}{}", stem.prefix, stem.suffix) } else { stem.prefix.clone() }
}

/// The value that all elements of a list equal, if they do.
fn common_value<T: PartialEq>(all: &[T]) -> Option<&T> {
    all.first().filter(|first| all.iter().all(|x| x == *first))
}

/// Replaces every integer in a text that equals the index by `{i}`.
fn replace_index_with_placeholder(text: &str, index: i64) -> String {
    let index = index.to_string();
    let mut out = String::with_capacity(text.len() + 2);
    let mut rest = text;
    while !rest.is_empty() {
        let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        let (number, after) = rest.split_at(digits);
        out.push_str(if number == index { "{i}" } else { number });
        let other = after.find(|c: char| c.is_ascii_digit()).unwrap_or(after.len());
        out.push_str(&after[..other]);
        rest = &after[other..];
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_index_is_taken_out_of_a_description() {
        assert_eq!(
            replace_index_with_placeholder("angle of joint `hinge12`, 2 of 12", 12),
            "angle of joint `hinge{i}`, 2 of {i}"
        );
        assert_eq!(replace_index_with_placeholder("112 and é1", 1), "112 and é{i}");
    }
}
