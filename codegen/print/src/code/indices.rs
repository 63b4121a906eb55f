//! Names of index constants, such as `Q_THETA` for an entry of the state.

use dqdt_graph::ir::{Layout, Slot, Taken, to_identifier};

/// Names of the index constants of the entries of q, v, z and u in the emitted module, each with
/// `prefix` in front: `Q_THETA`.
pub fn index_constant_names(layout: &Layout, prefix: &str) -> [Vec<String>; 4] {
    let mut taken = Taken::default();
    let mut names = |letter: &str, slots: &[Slot]| -> Vec<String> {
        slots.iter().map(|s| taken.make_unique(&format!("{prefix}{letter}_{}", upper_case_name(s)))).collect()
    };
    [names("Q", &layout.q), names("V", &layout.v), names("Z", &layout.z), names("U", &layout.u)]
}

fn upper_case_name(slot: &Slot) -> String {
    to_identifier(&slot.name).trim_end_matches('_').to_uppercase()
}
