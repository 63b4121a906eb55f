//! Source spans: where each value is written.

use std::fmt;

/// Index of a source text in [`Sources`], such as a spec file or a copy made by a repeat.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct SourceId(pub u32);

/// A byte range of one source text, which messages point to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Span {
    /// The source text (spec file or copy) that the byte range belongs to.
    pub source: SourceId,
    /// Byte offset of the span's first byte in its source text.
    pub start: usize,
    /// Byte offset one past the span's last byte.
    pub end: usize,
}

impl Span {
    /// The byte range `start..end` of `source`.
    pub fn new(source: SourceId, start: usize, end: usize) -> Self {
        Span { source, start, end }
    }
}

/// A value with its place in the source. The place is `None` for values built by a program.
#[derive(Clone, PartialEq, Debug)]
pub struct Spanned<T> {
    /// The value that was read from the source.
    pub value: T,
    /// The place of the value in the source, if it has one.
    pub span: Option<Span>,
}

impl<T> Spanned<T> {
    /// A value with the place in the source from which it was read.
    pub fn with_span(value: T, span: Span) -> Self {
        Spanned { value, span: Some(span) }
    }

    /// A value without a place, such as one of a spec built by a program or a default.
    pub fn without_span(value: T) -> Self {
        Spanned { value, span: None }
    }

    /// Applies a function to the value and keeps the place.
    pub fn map_value<U>(self, f: impl FnOnce(T) -> U) -> Spanned<U> {
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
/// The text of a repeated entry has one id for each copy: the same text with a note that names the
/// copy (`i = 3`). A span in a copy thus records both the place in the file and the index for which
/// a problem occurred.
#[derive(Clone, Default, Debug)]
pub struct Sources {
    texts: Vec<Text>,
}

/// A source text: a file, or a copy of one for an index of a repeat.
#[derive(Clone, Debug)]
enum Text {
    File { name: String, text: String },
    Copy { original: SourceId, note: String },
}

impl Sources {
    /// An empty collection of source texts.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a text; messages show it under `name` (a path as the user typed it).
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<String>) -> SourceId {
        self.push_text(Text::File { name: name.into(), text: text.into() })
    }

    /// Adds a copy of a text; `note` names the copy, for example `i = 3`.
    pub fn add_copy(&mut self, original: SourceId, note: impl Into<String>) -> SourceId {
        self.push_text(Text::Copy { original: self.file(original), note: note.into() })
    }

    fn push_text(&mut self, text: Text) -> SourceId {
        self.texts.push(text);
        SourceId((self.texts.len() - 1) as u32)
    }

    /// Appends the texts of another run. The returned function translates spans of that run to the
    /// new ids.
    pub fn append(&mut self, other: Sources) -> impl Fn(Span) -> Span + use<> {
        let offset = self.texts.len() as u32;
        self.texts.extend(other.texts.into_iter().map(|t| match t {
            Text::Copy { original, note } => Text::Copy { original: SourceId(original.0 + offset), note },
            file => file,
        }));
        move |span| Span { source: SourceId(span.source.0 + offset), ..span }
    }

    /// The id of the original text (a file) of a copy made by a repeat; the id itself if it is no
    /// copy.
    pub fn file(&self, id: SourceId) -> SourceId {
        match self.texts.get(id.0 as usize) {
            Some(Text::Copy { original, .. }) => *original,
            _ => id,
        }
    }

    /// The note that names a copy, for example `i = 3`; `None` for an original text.
    pub fn note(&self, id: SourceId) -> Option<&str> {
        match self.texts.get(id.0 as usize) {
            Some(Text::Copy { note, .. }) => Some(note),
            _ => None,
        }
    }

    /// Sort key that puts messages in the order of the text: file, byte offset, copy. Messages
    /// without a place come first.
    pub fn position(&self, span: Option<Span>) -> (SourceId, usize, SourceId) {
        span.map_or((SourceId(0), 0, SourceId(0)), |s| (self.file(s.source), s.start, s.source))
    }

    /// The file name of a text, shown in messages.
    pub fn name(&self, id: SourceId) -> &str {
        match self.texts.get(self.file(id).0 as usize) {
            Some(Text::File { name, .. }) => name,
            _ => "",
        }
    }

    /// The whole content of a source text.
    pub fn text(&self, id: SourceId) -> &str {
        match self.texts.get(self.file(id).0 as usize) {
            Some(Text::File { text, .. }) => text,
            _ => "",
        }
    }

    /// Byte offset in the source of `text`, the value of a string at `span`; `None` if it is
    /// written differently there, for example with escapes. Locates errors inside formulas.
    pub fn origin(&self, span: Span, text: &str) -> Option<usize> {
        let raw = self.text(span.source).get(span.start..span.end)?;
        raw.find(text).map(|i| span.start + i)
    }

    /// Names and contents of the files, without copies.
    pub fn files(&self) -> impl Iterator<Item = (&str, &str)> {
        self.texts.iter().filter_map(|t| match t {
            Text::File { name, text } => Some((name.as_str(), text.as_str())),
            Text::Copy { .. } => None,
        })
    }
}
