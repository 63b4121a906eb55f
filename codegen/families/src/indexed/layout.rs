//! Layout of an emitted family: which names are arrays, and their order.
//!
//! Problem: emitted code has one array for each kind of parameter, coordinate, speed and input.
//! Method:  the stems of the last member, in the order of the spec; the indices of each must be 1
//!          to n.
//! Not handled: user states; kinds whose number of members is not n.

use super::blocks::find_indexed_names;
use super::family::Member;
use super::kinds::{FamilySymbol, describe_family, name_with_placeholder};
use super::names::{Class, Stem, Symbol};
use super::search::{Answer, Missing};

/// A family that can be emitted as a Rust module: its kinds of symbols and the formulas of its
/// equations.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FamilyProgram {
    /// Name of the mechanism, for the documentation of the emitted module.
    pub name: String,
    /// Name of the number of links in texts, such as `n`.
    pub size: String,
    /// File name of the spec, and the hash of its text, for the header of the module.
    pub origin: (String, String),
    /// Kinds of parameters, in spec order: the fields of the emitted `Params`.
    pub parameters: Vec<FamilySymbol>,
    /// Kinds of coordinates, in spec order: the first part of the state x.
    pub coordinates: Vec<FamilySymbol>,
    /// For each kind of row of the equations, the symbol that names it and its speed.
    pub rows: Vec<(Stem, Stem)>,
    /// Kinds of independent speeds, in the order of the rows: the second part of the state x.
    pub speeds: Vec<FamilySymbol>,
    /// Kinds of inputs, in spec order.
    pub inputs: Vec<FamilySymbol>,
    /// True if some coordinates form quaternions: an integrator must keep their norm at one, so the
    /// module gets no `System` impl.
    pub quaternions: bool,
    /// Formulas of all blocks of M, c, Q and q̇, none missing.
    pub answers: Vec<Answer>,
}

/// Reason why a family cannot be emitted as a Rust module.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Irregular {
    /// A block of M, c, Q or q̇ has no formula.
    #[error("some of the equations have no formula: {0}")]
    Missing(Missing),
    /// The indices of a kind of symbol are not 1 to n, so it cannot be an array of length n.
    #[error("the indices of {name} are not 1 to n")]
    Indices {
        /// Name of the kind of symbol whose indices are not 1 to n.
        name: String,
    },
    /// The mechanism has user states, which a family module does not support.
    #[error("a family with user states cannot be emitted")]
    States,
}

/// Collects kinds of symbols and formulas of a family for the Rust printer.
///
/// # Errors
/// The first reason why the family cannot be emitted.
pub fn build_family_program(
    mechanism: &str,
    size: &str,
    origin: (String, String),
    members: &[Member],
    answers: Vec<Answer>,
) -> Result<FamilyProgram, Irregular> {
    if let Some(missing) = answers.iter().find_map(|a| a.formula.as_ref().err()) {
        return Err(Irregular::Missing(missing.clone()));
    }
    let stems = find_indexed_names(members);
    let Some(last) = members.iter().max_by_key(|m| m.n) else { return Err(Irregular::States) };
    let listed = |symbols: &[Symbol]| -> Result<Vec<Stem>, Irregular> {
        let mut all: Vec<(Stem, Vec<i64>)> = Vec::new();
        for symbol in symbols {
            let key = stems.symbol_stem(symbol);
            let index = stems.split_index(symbol).map(|s| s.1);
            match all.iter_mut().find(|(stem, _)| *stem == key) {
                Some((_, indices)) => indices.extend(index),
                None => all.push((key, index.into_iter().collect())),
            }
        }
        for (stem, indices) in &mut all {
            indices.sort_unstable();
            if stem.indexed && !indices.iter().copied().eq(1..=last.n) {
                return Err(Irregular::Indices { name: name_with_placeholder(stem) });
            }
        }
        Ok(all.into_iter().map(|a| a.0).collect())
    };
    let of_class = |class: Class| -> Vec<Symbol> {
        super::expand::graph_symbols(&last.graph).into_iter().filter(|s| s.class == class).collect()
    };
    if !of_class(Class::State).is_empty() {
        return Err(Irregular::States);
    }
    let rows = listed(&last.rows)?;
    let speeds = listed(&last.speeds)?;
    let kinds = |symbols: &[Symbol]| -> Result<Vec<FamilySymbol>, Irregular> {
        Ok(listed(symbols)?.iter().map(|stem| describe_family(stem, members, &stems)).collect())
    };
    Ok(FamilyProgram {
        name: mechanism.to_owned(),
        size: size.to_owned(),
        origin,
        parameters: kinds(&of_class(Class::Parameter))?,
        coordinates: kinds(&last.coordinates)?,
        rows: rows.into_iter().zip(speeds).collect(),
        speeds: kinds(&last.speeds)?,
        inputs: kinds(&of_class(Class::Input))?,
        quaternions: last.quaternions,
        answers,
    })
}
