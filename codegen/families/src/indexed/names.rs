//! Names of symbols: a name that contains a number is a member of an indexed family of names.
//!
//! Problem: `m3` in the spec is `m_k` at k = 3 in the formula, while `m0` and `x` are scalars.
//! Method:  the last run of digits of a name is its index; the text around it names the family. A
//!          name whose set of members does not change with n, and any member with index zero, is a
//!          scalar.

use std::collections::{BTreeMap, BTreeSet};

/// Class of a symbol in the mechanism; the order is that of factors in printed products.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[allow(missing_docs)]
pub enum Class {
    Parameter,
    Input,
    State,
    Time,
    Coordinate,
    Speed,
    /// The constant π in arguments of sines and cosines.
    Pi,
}

/// A symbol of the equations by class and name, such as the parameter `m3`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Symbol {
    /// Class of the symbol, such as parameter or speed.
    pub class: Class,
    /// Name of the symbol in the spec, such as `m3`.
    pub name: String,
}

/// A name without its index, such as `phi` and `_dot` of `phi3_dot`, common to all symbols that
/// differ only in the index. Or a scalar.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Stem {
    /// Class of these symbols in the mechanism.
    pub class: Class,
    /// Text of the name before the index; for a scalar the whole name.
    pub prefix: String,
    /// Text of the name after the index.
    pub suffix: String,
    /// True if symbols of this name have an index; false for a scalar.
    pub indexed: bool,
}

impl Stem {
    /// Builds the stem of a symbol without an index.
    pub fn from_scalar(symbol: &Symbol) -> Self {
        Stem { class: symbol.class, prefix: symbol.name.clone(), suffix: String::new(), indexed: false }
    }

    /// The symbol of a stem without an index.
    pub fn scalar_symbol(&self) -> Symbol {
        Symbol { class: self.class, name: self.prefix.clone() }
    }

    /// The symbol of this stem with an index, such as `phi3_dot`.
    pub fn indexed_symbol(&self, index: i64) -> Symbol {
        Symbol { class: self.class, name: format!("{}{index}{}", self.prefix, self.suffix) }
    }
}

/// Splits a name at its last number: `phi12_dot` is (`phi`, 12, `_dot`). A number with leading
/// zeros is not an index.
pub fn split_index(symbol: &Symbol) -> Option<(Stem, i64)> {
    let name = &symbol.name;
    let end = name.rfind(|c: char| c.is_ascii_digit())? + 1;
    let start = name[..end].trim_end_matches(|c: char| c.is_ascii_digit()).len();
    let digits = &name[start..end];
    if start == 0 || digits.len() > 6 || (digits.len() > 1 && digits.starts_with('0')) {
        return None;
    }
    let stem = Stem {
        class: symbol.class,
        prefix: name[..start].to_owned(),
        suffix: name[end..].to_owned(),
        indexed: true,
    };
    Some((stem, digits.parse().ok()?))
}

/// The names of a family that have an index, as determined from the symbols of its members.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Stems(BTreeSet<Stem>);

impl Stems {
    /// Determines the indexed names from the symbols of each member (n, symbols): their indices
    /// change with n.
    pub fn new<'a>(members: impl IntoIterator<Item = (i64, &'a [Symbol])>) -> Self {
        let mut indices: BTreeMap<Stem, BTreeMap<i64, BTreeSet<i64>>> = BTreeMap::new();
        let mut all = BTreeSet::new();
        for (n, symbols) in members {
            all.insert(n);
            for (stem, index) in symbols.iter().filter_map(split_index).filter(|(_, index)| *index > 0) {
                indices.entry(stem).or_default().entry(n).or_default().insert(index);
            }
        }
        // A family has other indices in another member.
        indices.retain(|_, by_n| {
            let sets: BTreeSet<_> = all.iter().map(|n| by_n.get(n).cloned().unwrap_or_default()).collect();
            sets.len() > 1
        });
        Stems(indices.into_keys().collect())
    }

    /// Splits an indexed symbol into name and index; `None` for a scalar.
    pub fn split_index(&self, symbol: &Symbol) -> Option<(Stem, i64)> {
        split_index(symbol).filter(|(stem, index)| *index > 0 && self.0.contains(stem))
    }

    /// The kind of a symbol: its indexed name, or itself as a scalar. Equal for symbols of one
    /// kind.
    pub fn symbol_stem(&self, symbol: &Symbol) -> Stem {
        match self.split_index(symbol) {
            Some((stem, _)) => stem,
            None => Stem::from_scalar(symbol),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parameter_symbol(name: &str) -> Symbol {
        Symbol { class: Class::Parameter, name: name.to_owned() }
    }

    fn split_name(name: &str) -> Option<(String, i64, String)> {
        split_index(&parameter_symbol(name)).map(|(s, i)| (s.prefix, i, s.suffix))
    }

    fn member_symbols(n: i64) -> Vec<Symbol> {
        let mut all = vec![parameter_symbol("m0"), parameter_symbol("c2"), parameter_symbol("g")];
        all.extend((1..=n).map(|i| parameter_symbol(&format!("m{i}"))));
        all
    }

    #[test]
    fn the_last_number_of_a_name_is_its_index() {
        assert_eq!(split_name("m3"), Some(("m".into(), 3, String::new())));
        assert_eq!(split_name("phi12_dot"), Some(("phi".into(), 12, "_dot".into())));
        assert_eq!(split_name("J2_rod3_x"), Some(("J2_rod".into(), 3, "_x".into())));
        assert_eq!(split_name("g"), None);
        assert_eq!(split_name("m01"), None);
    }

    #[test]
    fn a_number_that_does_not_grow_with_n_is_no_index() {
        let (one, two) = (member_symbols(1), member_symbols(2));
        let stems = Stems::new([(1, &one[..]), (2, &two[..])]);
        assert_eq!(stems.split_index(&parameter_symbol("m2")).map(|s| s.1), Some(2));
        assert_eq!(stems.split_index(&parameter_symbol("m0")), None);
        assert_eq!(stems.split_index(&parameter_symbol("c2")), None);
    }
}
