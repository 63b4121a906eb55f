//! Symbols of a family: a name with a number in it is a member of an indexed family.
//!
//! Problem: `m3` of the spec is `m_k` at k = 3 of the formula, while `m0` and `x` are symbols of their own.
//! Method:  the last run of digits of a name is its index; what stands around it names the family. A name whose
//!          members do not change with n, and every member zero, is a scalar.

use std::collections::{BTreeMap, BTreeSet};

/// What a symbol is in the mechanism. The order is that of factors in print.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[allow(missing_docs)]
pub enum Class {
    Parameter,
    Input,
    State,
    Time,
    Coordinate,
    Speed,
    /// π, which stands in arguments of sines and cosines.
    Pi,
}

/// A symbol by class and name.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Symbol {
    /// What it is.
    pub class: Class,
    /// As the spec has it.
    pub name: String,
}

/// A family of names: `phi` and `_dot` around the index.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Stem {
    /// What its members are.
    pub class: Class,
    /// Before the index; the whole name of a scalar.
    pub before: String,
    /// After the index.
    pub after: String,
    /// False for a scalar, whose only member has no index.
    pub indexed: bool,
}

impl Stem {
    /// A scalar as a family of one.
    pub fn scalar(symbol: &Symbol) -> Self {
        Stem { class: symbol.class, before: symbol.name.clone(), after: String::new(), indexed: false }
    }

    /// The only member of a scalar.
    pub fn only(&self) -> Symbol {
        Symbol { class: self.class, name: self.before.clone() }
    }

    /// The member with an index.
    pub fn member(&self, index: i64) -> Symbol {
        Symbol { class: self.class, name: format!("{}{index}{}", self.before, self.after) }
    }
}

/// `phi12_dot` is (`phi`, 12, `_dot`). Leading zeros make no index.
pub fn split(symbol: &Symbol) -> Option<(Stem, i64)> {
    let name = &symbol.name;
    let end = name.rfind(|c: char| c.is_ascii_digit())? + 1;
    let start = name[..end].trim_end_matches(|c: char| c.is_ascii_digit()).len();
    let digits = &name[start..end];
    if start == 0 || digits.len() > 6 || (digits.len() > 1 && digits.starts_with('0')) {
        return None;
    }
    let stem = Stem {
        class: symbol.class,
        before: name[..start].to_owned(),
        after: name[end..].to_owned(),
        indexed: true,
    };
    Some((stem, digits.parse().ok()?))
}

/// Which names are indexed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Stems(BTreeSet<Stem>);

impl Stems {
    /// From the symbols of each member of the family, by n.
    pub fn new<'a>(members: impl IntoIterator<Item = (i64, &'a [Symbol])>) -> Self {
        let mut seen: BTreeMap<Stem, BTreeMap<i64, BTreeSet<i64>>> = BTreeMap::new();
        let mut all = BTreeSet::new();
        for (n, symbols) in members {
            all.insert(n);
            for (stem, index) in symbols.iter().filter_map(split).filter(|(_, index)| *index > 0) {
                seen.entry(stem).or_default().entry(n).or_default().insert(index);
            }
        }
        let changes = |by_n: &BTreeMap<i64, BTreeSet<i64>>| {
            let sets: BTreeSet<_> = all.iter().map(|n| by_n.get(n).cloned().unwrap_or_default()).collect();
            sets.len() > 1
        };
        Stems(seen.into_iter().filter(|(_, by_n)| changes(by_n)).map(|(stem, _)| stem).collect())
    }

    /// The stem and index of an indexed symbol; `None` for a scalar.
    pub fn split(&self, symbol: &Symbol) -> Option<(Stem, i64)> {
        split(symbol).filter(|(stem, index)| *index > 0 && self.0.contains(stem))
    }

    /// The stem, with the whole name before the index for a scalar: what symbols of one kind share.
    pub fn key(&self, symbol: &Symbol) -> Stem {
        match self.split(symbol) {
            Some((stem, _)) => stem,
            None => Stem::scalar(symbol),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn symbol(name: &str) -> Symbol {
        Symbol { class: Class::Parameter, name: name.to_owned() }
    }

    #[test]
    fn the_last_number_of_a_name_is_its_index() {
        let taken = |name| split(&symbol(name)).map(|(s, i)| (s.before, i, s.after));
        assert_eq!(taken("m3"), Some(("m".into(), 3, String::new())));
        assert_eq!(taken("phi12_dot"), Some(("phi".into(), 12, "_dot".into())));
        assert_eq!(taken("J2_rod3_x"), Some(("J2_rod".into(), 3, "_x".into())));
        assert_eq!(taken("g"), None);
        assert_eq!(taken("m01"), None);
    }

    #[test]
    fn a_number_that_does_not_grow_with_n_is_no_index() {
        let names = |n: i64| -> Vec<Symbol> {
            let mut all = vec![symbol("m0"), symbol("c2"), symbol("g")];
            all.extend((1..=n).map(|i| symbol(&format!("m{i}"))));
            all
        };
        let (one, two) = (names(1), names(2));
        let stems = Stems::new([(1, &one[..]), (2, &two[..])]);
        assert_eq!(stems.split(&symbol("m2")).map(|s| s.1), Some(2));
        assert_eq!(stems.split(&symbol("m0")), None);
        assert_eq!(stems.split(&symbol("c2")), None);
    }
}
