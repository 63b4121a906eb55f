//! The keys of one type of constraint, load, output or event, and the registry of a family's types.

use super::key::{Key, TableShape};

/// The keys of a type.
#[derive(Debug)]
pub(crate) struct TypeKeys {
    /// The word of the format.
    pub word: &'static str,
    /// The kind in `mechanism` that it is: a type may be another way to write one.
    pub kind: &'static str,
    /// All keys.
    pub shape: TableShape,
    /// Those of them that only this type has.
    pub own: &'static [Key],
    /// The key that names a coordinate or a speed in place of `joint`, where it acts in one.
    pub target: Option<&'static str>,
    /// A key that needs another one.
    pub needs: Option<Needs>,
    /// One sentence.
    pub text: &'static str,
}

/// A key that needs another one.
#[derive(Debug)]
pub(crate) struct Needs {
    /// The key.
    pub key: &'static str,
    /// The key that it needs.
    pub other: &'static str,
    /// At the value, where the other is missing.
    pub label: &'static str,
    /// How to mend it.
    pub help: &'static str,
}

impl TypeKeys {
    /// Without keys.
    pub const PLAIN: Self = TypeKeys {
        word: "",
        kind: "",
        shape: TableShape { keys: &[] },
        own: &[],
        target: None,
        needs: None,
        text: "",
    };

    /// As a member of a family.
    pub const fn member(self) -> (&'static str, TableShape, &'static str) {
        (self.word, self.shape, self.text)
    }
}

/// The types of a family, from one line each: a file with its `KEYS`.
macro_rules! types {
    ($(#[$about:meta])* $FAMILY:ident, $noun:literal; $($file:ident,)*) => {
        static ALL: &[TypeKeys] = &[$($file::KEYS),*];

        $(#[$about])*
        pub static $FAMILY: Family = Family { noun: $noun, members: &[$($file::KEYS.member()),*] };

        /// The keys of a type, by its word.
        pub(crate) fn by_word(word: &str) -> Option<&'static TypeKeys> {
            ALL.iter().find(|keys| keys.word == word)
        }

        /// The kinds that the types are, in the order of the list.
        pub fn kinds() -> Vec<&'static str> {
            ALL.iter().map(|keys| keys.kind).collect()
        }
    };
}
pub(super) use types;
