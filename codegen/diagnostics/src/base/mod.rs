//! Base utilities used by all crates of the generator: source spans, internal errors, ordered maps,
//! random numbers, atomic writes.

mod file;
mod internal;
mod name;
mod parallel;
mod random;
mod simplest_fraction;
mod span;
mod symbol;
mod text;

pub use file::{
    is_same_file, read_at_most, read_file_at_most, read_text_at_most, read_text_file_at_most,
    write_if_changed,
};
pub use internal::{InternalError, Invariants};
pub use name::{MAX_NAME, first_free_name, is_name, is_rust_word};
pub use parallel::map_parallel_in_order;
pub use random::Random;
pub use simplest_fraction::simplest_fraction;
pub use span::{SourceId, Sources, Span, Spanned};
pub use symbol::JointSymbol;
pub use text::{is_display_control, sanitise, speed_stem};

/// A map that keeps insertion order. The generator never iterates over a hash map, so that the same
/// input always gives the same bytes.
pub type OrderedMap<K, V> = indexmap::IndexMap<K, V, rustc_hash::FxBuildHasher>;
