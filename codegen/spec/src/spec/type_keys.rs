//! Keys of the types of constraints, loads, outputs and events, and the macro for their registries.

use super::key::{Key, TableShape};

/// Declaration of one type of constraint, load, output or event in the format of specs: its word,
/// keys and description.
#[derive(Debug)]
pub(crate) struct TypeKeys {
    /// Value of the key `type` of such an entry, for example `spring`.
    pub word: &'static str,
    /// Name of the kind in the crate `mechanics` that implements the type. Several types may map to
    /// one kind.
    pub kind: &'static str,
    /// All keys that an entry of this type may have.
    pub shape: TableShape,
    /// The keys that only this type has, such as `stiffness` of a spring.
    pub own: &'static [Key],
    /// For types that act in a joint: the key that names a coordinate or a speed instead of
    /// `joint`.
    pub target: Option<&'static str>,
    /// A key of this type that requires another one, such as `coulomb` of friction.
    pub needs: Option<Needs>,
    /// Description of the type, one sentence for the reference.
    pub text: &'static str,
}

/// Rule that a key of a type requires another key.
#[derive(Debug)]
pub(crate) struct Needs {
    /// The key that may only be present together with `other`.
    pub key: &'static str,
    /// The key that must be present if `key` is.
    pub other: &'static str,
    /// Label at `key` in the message that `other` is missing.
    pub label: &'static str,
    /// Help in the message that `other` is missing.
    pub help: &'static str,
}

impl TypeKeys {
    /// A declaration without keys, the base of all others: `..TypeKeys::PLAIN`.
    pub const PLAIN: Self = TypeKeys {
        word: "",
        kind: "",
        shape: TableShape { keys: &[] },
        own: &[],
        target: None,
        needs: None,
        text: "",
    };

    /// The type as a member of the family of loads, constraints, outputs or events.
    pub const fn member(self) -> (&'static str, TableShape, &'static str) {
        (self.word, self.shape, self.text)
    }
}

/// Declares the registry of a family: one line for each type, which is a file with its `KEYS`.
macro_rules! types {
    ($(#[$about:meta])* $FAMILY:ident, $noun:literal; $($file:ident,)*) => {
        static ALL: &[TypeKeys] = &[$($file::KEYS),*];

        $(#[$about])*
        pub static $FAMILY: Family = Family { noun: $noun, members: &[$($file::KEYS.member()),*] };

        /// Keys of the type with this name; `None` if it is unknown.
        pub(crate) fn by_word(word: &str) -> Option<&'static TypeKeys> {
            ALL.iter().find(|keys| keys.word == word)
        }

        /// Kinds of all types, in the order of the registry.
        pub fn kinds() -> Vec<&'static str> {
            ALL.iter().map(|keys| keys.kind).collect()
        }
    };
}
pub(super) use types;
