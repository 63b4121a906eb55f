//! The values that keys of a spec may hold. One table of keys drives the reader, the messages, the JSON
//! schema and the reference.

/// A key of a table.
#[derive(Debug)]
pub struct Key {
    /// The word before `=`.
    pub name: &'static str,
    /// The values that it may have.
    pub kind: Kind,
    /// Whether a table without it is an error.
    pub required: bool,
    /// What it is.
    pub doc: &'static str,
    /// SI unit of a bare number; empty where there is none.
    pub unit: &'static str,
    /// What holds where it is left out; empty where nothing does.
    pub default: &'static str,
    /// A value as a spec writes it; empty for `type`, whose words stand in the list of types.
    pub example: &'static str,
}

/// A table with fixed keys.
#[derive(Debug)]
pub struct TableShape {
    /// The keys, in parts that tables share.
    pub keys: &'static [&'static [Key]],
}

/// Tables told apart by their key `type`.
#[derive(Debug)]
pub struct Family {
    /// What one of them is called: `joint`.
    pub noun: &'static str,
    /// Word, keys and description of each type.
    pub members: &'static [(&'static str, TableShape, &'static str)],
}

/// What a value may be.
#[derive(Debug, Clone, Copy)]
pub enum Kind {
    /// Free text.
    Text,
    /// The name of something.
    Name,
    /// A number or a formula.
    Value,
    /// Three numbers or formulas.
    Triple,
    /// Two numbers or formulas.
    Pair,
    /// Numbers or formulas.
    Values,
    /// Names.
    Names,
    /// Entries by their sections, as `loads.motor`.
    Entries,
    /// Codes of messages, as `redundant-constraint`.
    Codes,
    /// `true` or `false`.
    Flag,
    /// A unit such as `kg*m^2`.
    Unit,
    /// `"x"`, `"-y"`, or three numbers.
    Axis,
    /// Two axes.
    Axes,
    /// A 3 × 3 matrix by rows.
    Matrix,
    /// One of these words.
    Word(&'static [&'static str]),
    /// `"ground"`, a body, or a table that says where on it.
    Frame,
    /// A place without axes of its own, or the axes of a vector: `"ground"`, a body, or `{ body, at }`.
    Spot,
    /// A point's name or three numbers or formulas.
    Point,
    /// A table.
    Table(&'static TableShape),
    /// A table with names of the user's as keys.
    Named(&'static Kind),
    /// Tables told apart by `type`.
    Typed(&'static Family),
    /// One of several.
    Either(&'static [Kind]),
}

impl TableShape {
    /// All keys.
    pub fn keys(&self) -> impl Iterator<Item = &'static Key> {
        self.keys.iter().flat_map(|part| part.iter())
    }

    /// The key of a name.
    pub fn key(&self, name: &str) -> Option<&'static Key> {
        self.keys().find(|k| k.name == name)
    }
}

impl Family {
    /// The keys of a type.
    pub fn member(&'static self, name: &str) -> Option<&'static TableShape> {
        self.members.iter().find(|(n, _, _)| *n == name).map(|(_, s, _)| s)
    }
}

impl Key {
    /// With the unit of a bare number.
    pub const fn unit(self, unit: &'static str) -> Key {
        Key { unit, ..self }
    }

    /// With what holds where it is left out.
    pub const fn default(self, default: &'static str) -> Key {
        Key { default, ..self }
    }

    /// With a value as a spec writes it. A test reads the smallest entry of each type, of the
    /// examples of its required keys: names in them are those of `AROUND` in
    /// `command/src/cli/reference/tests.rs`.
    pub const fn example(self, example: &'static str) -> Key {
        Key { example, ..self }
    }

    /// All that is said of it, in one text: what an editor shows.
    pub fn text(&self) -> String {
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

/// A key that must be there.
pub const fn required(name: &'static str, kind: Kind, doc: &'static str) -> Key {
    Key { name, kind, required: true, doc, unit: "", default: "", example: "" }
}

/// A key that may be left out.
pub(crate) const fn optional(name: &'static str, kind: Kind, doc: &'static str) -> Key {
    Key { name, kind, required: false, doc, unit: "", default: "", example: "" }
}
