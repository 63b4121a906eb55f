//! Table of message codes: cause, remedy and an example of each. `dqdt explain` and the reference
//! print it.
//!
//! The table is split into files by subject. Tests check that the table has exactly the codes that
//! the sources raise, and that each example provokes its message.

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

/// All entries of the table of message codes, sorted by code.
pub(super) fn all_codes() -> impl Iterator<Item = &'static Code> {
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
