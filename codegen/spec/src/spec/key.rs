//! Declaration of the keys of the format and the values they permit. One table of keys drives the
//! reader, the messages, the JSON schema and the reference.

/// Declaration of a key in the format of specs: its name, values, unit, default.
#[derive(Debug)]
pub struct Key {
    /// Name of the key in a TOML table, the word before `=`.
    pub name: &'static str,
    /// Kind of values that the key permits.
    pub kind: Kind,
    /// True if a table without this key is an error of the spec.
    pub required: bool,
    /// Description of the key, for the reference and for editors.
    pub doc: &'static str,
    /// SI unit of a bare number as its value; empty if there is none.
    pub unit: &'static str,
    /// Default of the key, in words; empty if there is none.
    pub default: &'static str,
    /// An example of a value of the key in TOML; empty for `type`, whose words are those of the
    /// family.
    pub example: &'static str,
}

/// Keys that a table of a spec may have.
#[derive(Debug)]
pub struct TableShape {
    /// The keys, in groups that several tables share.
    pub keys: &'static [&'static [Key]],
}

/// A family of entries with a key `type`, such as joints: their types, each with its own keys.
#[derive(Debug)]
pub struct Family {
    /// Noun for an entry in messages: `joint`.
    pub noun: &'static str,
    /// Value of the key `type`, keys and description of each type of the family.
    pub members: &'static [(&'static str, TableShape, &'static str)],
}

/// Kind of values that a key of a spec permits. The reader, the schema and the reference follow it.
#[derive(Debug, Clone, Copy)]
pub enum Kind {
    /// A free text, such as a description.
    Text,
    /// The name of another entry, such as a body.
    Name,
    /// A number or a formula.
    Value,
    /// Three numbers or formulas: a vector.
    Triple,
    /// Two numbers or formulas, such as lower and upper limit.
    Pair,
    /// A list of numbers or formulas.
    Values,
    /// A list of names, such as those of the coordinates of a joint.
    Names,
    /// A list of paths of entries, such as `loads.motor`.
    Entries,
    /// A list of codes of messages, such as `redundant-constraint`.
    Codes,
    /// `true` or `false`.
    Flag,
    /// The text of a unit, such as `kg*m^2`.
    Unit,
    /// An axis: `"x"`, `"-y"`, or three numbers.
    Axis,
    /// Two axes, as those of a universal joint.
    Axes,
    /// A 3 × 3 matrix of numbers or formulas, row by row.
    Matrix,
    /// One of the listed words, such as `"linear"`.
    Word(&'static [&'static str]),
    /// A frame: `"ground"`, a body, or a table with a body and a pose on it.
    Frame,
    /// A point without axes of its own, or the axes of a vector: `"ground"`, a body, or `{ body, at
    /// }`.
    Spot,
    /// A point: a name, or three numbers or formulas.
    Point,
    /// A table with fixed keys, such as `rotation = { … }`.
    Table(&'static TableShape),
    /// A table whose keys are names chosen by the user, each with a value of this kind.
    Named(&'static Kind),
    /// A table of one of several types, given by its key `type`.
    Typed(&'static Family),
    /// A value of any one of several kinds.
    Either(&'static [Kind]),
}

impl TableShape {
    /// Declarations of all keys that the table permits.
    pub fn keys(&self) -> impl Iterator<Item = &'static Key> {
        self.keys.iter().flat_map(|part| part.iter())
    }

    /// Declaration of the key of the given name, if the table permits it.
    pub fn key(&self, name: &str) -> Option<&'static Key> {
        self.keys().find(|k| k.name == name)
    }
}

impl Family {
    /// The keys of a member of the family, by the word of its type.
    pub fn member_shape(&'static self, name: &str) -> Option<&'static TableShape> {
        self.members.iter().find(|(n, _, _)| *n == name).map(|(_, s, _)| s)
    }
}

impl Key {
    /// Sets the unit of a bare number as the value of the key.
    pub const fn unit(self, unit: &'static str) -> Key {
        Key { unit, ..self }
    }

    /// Sets the description of the default of the key.
    pub const fn default(self, default: &'static str) -> Key {
        Key { default, ..self }
    }

    /// Sets the example of a value. A test reads the smallest entry of each type, composed of the
    /// examples of its required keys; names in them must be among those of `AROUND` in
    /// `command/src/cli/reference/tests.rs`.
    pub const fn example(self, example: &'static str) -> Key {
        Key { example, ..self }
    }

    /// Description, unit and default of the key in one text, as editors show it.
    pub fn editor_text(&self) -> String {
        let mut text = self.doc.to_owned();
        if !self.unit.is_empty() {
            text.push_str(&format!(" Unit: {}.", self.unit));
        }
        if !self.default.is_empty() {
            text.push_str(&format!(" Default: {}.", self.default));
        }
        text
    }
}

/// Declares a required key of a table, with its kind of values and its description.
pub const fn required(name: &'static str, kind: Kind, doc: &'static str) -> Key {
    Key { name, kind, required: true, doc, unit: "", default: "", example: "" }
}

/// Declares an optional key of a table, with its kind of values and its description.
pub(crate) const fn optional(name: &'static str, kind: Kind, doc: &'static str) -> Key {
    Key { name, kind, required: false, doc, unit: "", default: "", example: "" }
}
