//! Members of a family: one spec evaluated at several values of a size.

use super::source::{Failure, SpecSource};
use dqdt_derivation::assemble::Assembled;
use dqdt_families::indexed::{Member, VERIFIED, derive_member};
use dqdt_generate::pipeline;
use dqdt_spec::read::Settings;

/// Loads the spec once for each value 1 to [`VERIFIED`] of a size, as members of a family for
/// indexed formulas. Also returns the first member as loaded.
pub(super) fn load_family_members(
    source: &SpecSource,
    size: &str,
) -> Result<(Assembled, Vec<Member>), Failure> {
    let mut first = None;
    let mut members = Vec::new();
    for n in 1..=VERIFIED {
        let loaded = load_with_size(source, size, n)?;
        let member = derive_member(&loaded.mechanism, &loaded.partition, n)
            .map_err(|e| Failure::Option { option: "--family", message: format!("at {size} = {n}: {e}") })?;
        members.push(member);
        first.get_or_insert(loaded);
    }
    match first {
        Some(first) => Ok((first, members)),
        None => Err(Failure::Option { option: "--family", message: "the family has no members".to_owned() }),
    }
}

/// Loads the spec with one value of a size of its `[repeat]`.
pub(super) fn load_with_size(source: &SpecSource, size: &str, n: i64) -> Result<Assembled, Failure> {
    let settings = source.set.iter().fold(Settings::new(), |s, (name, v)| s.set(name, *v));
    pipeline::load_with(&source.spec, &settings.set(size, n)).map_err(Failure::Spec)
}
