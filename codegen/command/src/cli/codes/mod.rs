//! The codes of messages: cause, remedy and an example of each. `dqdt explain` and the reference print them.
//!
//! One table in files by subject. Tests hold that every code in the sources has an entry, that every entry is in the sources,
//! and that each example brings about its message.

mod bodies;
mod code;
mod constraints;
mod formulas;
mod mjcf;
mod repeats;
mod text;
mod urdf;

#[cfg(test)]
mod tests;

pub(super) use code::{Code, Example};

/// All, by their names.
pub(super) fn all() -> impl Iterator<Item = &'static Code> {
    let parts = [
        text::CODES,
        repeats::CODES,
        formulas::CODES,
        bodies::CODES,
        constraints::CODES,
        urdf::CODES,
        mjcf::CODES,
    ];
    let mut all: Vec<&'static Code> = parts.into_iter().flatten().collect();
    all.sort_by_key(|c| c.code);
    all.into_iter()
}
