//! Places of values in their source text.

use std::fmt;

/// Index of a source text in [`Sources`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct SourceId(pub u32);

/// A byte range of one source text.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Span {
    /// The text.
    pub source: SourceId,
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

impl Span {
    /// The byte range `start..end` of `source`.
    pub fn new(source: SourceId, start: usize, end: usize) -> Self {
        Span { source, start, end }
    }
}

/// A value and where it was written. `None` for values that a program built and no file holds.
#[derive(Clone, PartialEq, Debug)]
pub struct Spanned<T> {
    /// The value.
    pub value: T,
    /// Its place, if it has one.
    pub span: Option<Span>,
}

impl<T> Spanned<T> {
    /// A value at a place.
    pub fn at(value: T, span: Span) -> Self {
        Spanned { value, span: Some(span) }
    }

    /// A value that no file holds.
    pub fn bare(value: T) -> Self {
        Spanned { value, span: None }
    }

    /// The same place with another value.
    pub fn map<U>(self, f: impl FnOnce(T) -> U) -> Spanned<U> {
        Spanned { value: f(self.value), span: self.span }
    }
}

impl<T: fmt::Display> fmt::Display for Spanned<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.value.fmt(f)
    }
}

/// The source texts of a run, by [`SourceId`].
///
/// Text that is repeated has an id for each copy: the same text, and a note that says which copy it is (`i = 3`). A
/// span of a copy thus tells where something was written and for which index it went wrong.
#[derive(Clone, Default, Debug)]
pub struct Sources {
    texts: Vec<Text>,
}

#[derive(Clone, Debug)]
enum Text {
    File { name: String, text: String },
    Copy { of: SourceId, note: String },
}

impl Sources {
    /// No texts.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a text under the name that messages show (a path as the user gave it).
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<String>) -> SourceId {
        self.push(Text::File { name: name.into(), text: text.into() })
    }

    /// Adds a copy of a text; `note` says which copy it is.
    pub fn add_copy(&mut self, of: SourceId, note: impl Into<String>) -> SourceId {
        self.push(Text::Copy { of: self.file(of), note: note.into() })
    }

    fn push(&mut self, text: Text) -> SourceId {
        self.texts.push(text);
        SourceId((self.texts.len() - 1) as u32)
    }

    /// Adds the texts of another run; the function returned maps its spans to the new places.
    pub fn append(&mut self, other: Sources) -> impl Fn(Span) -> Span + use<> {
        let offset = self.texts.len() as u32;
        self.texts.extend(other.texts.into_iter().map(|t| match t {
            Text::Copy { of, note } => Text::Copy { of: SourceId(of.0 + offset), note },
            file => file,
        }));
        move |span| Span { source: SourceId(span.source.0 + offset), ..span }
    }

    /// The text that an id is a copy of; of a text itself its own id.
    pub fn file(&self, id: SourceId) -> SourceId {
        match self.texts.get(id.0 as usize) {
            Some(Text::Copy { of, .. }) => *of,
            _ => id,
        }
    }

    /// Which copy an id stands for: `i = 3`.
    pub fn note(&self, id: SourceId) -> Option<&str> {
        match self.texts.get(id.0 as usize) {
            Some(Text::Copy { note, .. }) => Some(note),
            _ => None,
        }
    }

    /// Where a span stands among all texts, for messages in the order of the text; what has no place comes first.
    pub fn position(&self, span: Option<Span>) -> (SourceId, usize, SourceId) {
        span.map_or((SourceId(0), 0, SourceId(0)), |s| (self.file(s.source), s.start, s.source))
    }

    /// The name of a text.
    pub fn name(&self, id: SourceId) -> &str {
        match self.texts.get(self.file(id).0 as usize) {
            Some(Text::File { name, .. }) => name,
            _ => "",
        }
    }

    /// The text itself.
    pub fn text(&self, id: SourceId) -> &str {
        match self.texts.get(self.file(id).0 as usize) {
            Some(Text::File { text, .. }) => text,
            _ => "",
        }
    }

    /// The byte at which `text` stands within a span; `None` if it was written otherwise, such as with escapes.
    pub fn origin(&self, span: Span, text: &str) -> Option<usize> {
        let raw = self.text(span.source).get(span.start..span.end)?;
        raw.find(text).map(|i| span.start + i)
    }

    /// Names and texts of the files, without copies.
    pub fn files(&self) -> impl Iterator<Item = (&str, &str)> {
        self.texts.iter().filter_map(|t| match t {
            Text::File { name, text } => Some((name.as_str(), text.as_str())),
            Text::Copy { .. } => None,
        })
    }
}
