//! Where a value stood in its source text.

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
#[derive(Clone, Default, Debug)]
pub struct Sources {
    texts: Vec<(String, String)>,
}

impl Sources {
    /// No texts.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a text under the name that messages show (a path as the user gave it).
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<String>) -> SourceId {
        self.texts.push((name.into(), text.into()));
        SourceId((self.texts.len() - 1) as u32)
    }

    /// Adds the texts of another run; the function returned maps its spans to the new places.
    pub fn append(&mut self, other: Sources) -> impl Fn(Span) -> Span + use<> {
        let offset = self.texts.len() as u32;
        self.texts.extend(other.texts);
        move |span| Span { source: SourceId(span.source.0 + offset), ..span }
    }

    /// The name of a text.
    pub fn name(&self, id: SourceId) -> &str {
        self.texts.get(id.0 as usize).map_or("", |t| &t.0)
    }

    /// The text itself.
    pub fn text(&self, id: SourceId) -> &str {
        self.texts.get(id.0 as usize).map_or("", |t| &t.1)
    }
}
