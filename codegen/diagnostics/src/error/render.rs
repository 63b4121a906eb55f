//! Rendering of messages in the style of rustc.

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};

use super::{Diagnostic, Severity, SpanLabel};
use crate::base::{SourceId, Sources, Span, is_display_control, sanitise};

/// Maximum bytes of source text that a message quotes; of a longer one only name, line and column
/// are shown.
const QUOTE_LIMIT: usize = 1 << 16;
/// Maximum number of messages that are rendered; the others are counted.
const MESSAGE_LIMIT: usize = 100;
/// Maximum number of repeat indices listed in a message that recurs for several copies of a text.
const COPY_LIMIT: usize = 8;

/// Renders diagnostics as text in the style of rustc, with quoted source lines; `color` adds ANSI
/// colours. Used by `Errors::render`.
pub(super) fn render_diagnostics(sources: &Sources, diagnostics: &[Diagnostic], color: bool) -> String {
    let renderer = if color { Renderer::styled() } else { Renderer::plain() };
    let mut out = String::new();
    let messages: Vec<Diagnostic> =
        merge_copy_messages(sources, diagnostics).into_iter().map(sanitise_texts).collect();
    for d in messages.iter().take(MESSAGE_LIMIT) {
        let level = match d.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
            Severity::Note => Level::NOTE,
        };
        let mut group = Group::with_title(level.primary_title(d.message.as_str()).id(d.code));
        for id in distinct_source_ids(d) {
            let excerpt = Excerpt::new(sources, id, d);
            let (labels, first_line) = (excerpt.labels_in_excerpt(d, id), excerpt.first_line);
            if excerpt.text.len() > QUOTE_LIMIT {
                let (line, column) =
                    line_and_column(sources.text(id), labels.iter().map(|l| l.2.span.start).next());
                group =
                    group.element(Origin::path(sanitise(sources.name(id))).line(line).char_column(column));
                continue;
            }
            let mut snippet = Snippet::source(replace_control_characters(excerpt.text))
                .path(sanitise(sources.name(id)))
                .line_start(first_line);
            for (kind, range, label) in labels {
                snippet = snippet.annotation(kind.span(range).label(label.text.as_str()));
            }
            group = group.element(snippet);
        }
        for help in &d.help {
            group = group.element(Level::HELP.message(help.as_str()));
        }
        out.push_str(&renderer.render(&[group]));
        out.push_str("\n\n");
    }
    if let Some(more) = messages.len().checked_sub(MESSAGE_LIMIT).filter(|n| *n > 0) {
        out.push_str(&format!("{more} more messages are not shown\n\n"));
    }
    out
}

/// Removes control characters from all texts of a message and cuts long names.
fn sanitise_texts(mut d: Diagnostic) -> Diagnostic {
    d.message = sanitise(&d.message);
    d.primary.iter_mut().chain(&mut d.secondary).for_each(|l| l.text = sanitise(&l.text));
    d.help.iter_mut().for_each(|h| *h = sanitise(h));
    d
}

/// Replaces messages about copies of a repeated text by messages about the text itself. Labels name
/// the index, and a message that recurs for other indices is shown once.
fn merge_copy_messages(sources: &Sources, diagnostics: &[Diagnostic]) -> Vec<Diagnostic> {
    let mut folded: Vec<(Diagnostic, Vec<String>)> = Vec::new();
    for d in diagnostics {
        let copies: Vec<String> = d.primary.iter().filter_map(|l| copy_note(sources, l)).collect();
        let mut d = d.clone();
        d.primary.iter_mut().chain(&mut d.secondary).for_each(|l| {
            if let Some(note) = copy_note(sources, l) {
                l.text.push_str(&format!(" ({note})"));
            }
            l.span.source = sources.file(l.span.source);
        });
        match folded.iter_mut().rfind(|(s, _)| code_and_span(s) == code_and_span(&d)) {
            Some((_, more)) if !copies.is_empty() => more.extend(copies),
            Some((s, _)) if s.message == d.message && d.primary.is_some() => {}
            _ => folded.push((d, Vec::new())),
        }
    }
    folded
        .into_iter()
        .map(|(d, more)| match more.len() {
            0 => d,
            n if n <= COPY_LIMIT => d.help(format!("this message also applies to {}", more.join("; "))),
            n => d.help(format!(
                "this message also applies to {} and {} more",
                more[..COPY_LIMIT].join("; "),
                n - COPY_LIMIT
            )),
        })
        .collect()
}

/// Key by which messages about copies of a repeated text are recognised as the same message.
fn code_and_span(d: &Diagnostic) -> (&str, Option<Span>) {
    (d.code, d.primary.as_ref().map(|l| l.span))
}

/// The note that names the copy in which a label points, such as `i = 3`; `None` outside repeats.
fn copy_note(sources: &Sources, label: &SpanLabel) -> Option<String> {
    sources.note(label.span.source).map(str::to_owned)
}

/// The lines of a source text from the first to the last span of a message, which the message
/// quotes.
struct Excerpt<'t> {
    whole: &'t str,
    text: &'t str,
    start: usize,
    first_line: usize,
}

impl<'t> Excerpt<'t> {
    fn new(sources: &'t Sources, id: SourceId, d: &Diagnostic) -> Self {
        let whole = sources.text(id);
        let spans = d.primary.iter().chain(&d.secondary).map(|l| l.span).filter(|s| s.source == id);
        let (low, high) = spans.fold((whole.len(), 0), |(a, b), s| (a.min(s.start), b.max(s.end)));
        let low = char_boundary_before(whole, low);
        let high = char_boundary_before(whole, high).max(low);
        let start = whole[..low].rfind('\n').map_or(0, |i| i + 1);
        let end = whole[high..].find('\n').map_or(whole.len(), |i| high + i);
        let first_line = whole[..start].matches('\n').count() + 1;
        Excerpt { whole, text: &whole[start..end], start, first_line }
    }

    /// Labels of a message in this source, with kind (primary or context) and byte range relative
    /// to the excerpt.
    fn labels_in_excerpt<'d>(
        &self,
        d: &'d Diagnostic,
        id: SourceId,
    ) -> Vec<(AnnotationKind, std::ops::Range<usize>, &'d SpanLabel)> {
        let primary = d.primary.iter().map(|l| (AnnotationKind::Primary, l));
        let others = d.secondary.iter().map(|l| (AnnotationKind::Context, l));
        primary
            .chain(others)
            .filter(|(_, l)| l.span.source == id)
            .map(|(kind, l)| {
                let place = |n: usize| {
                    char_boundary_before(self.whole, n).saturating_sub(self.start).min(self.text.len())
                };
                (kind, place(l.span.start)..place(l.span.end).max(place(l.span.start)), l)
            })
            .collect()
    }
}

/// Replaces control characters by visible ones of the same byte length, so that spans stay valid.
fn replace_control_characters(text: &str) -> String {
    text.chars()
        .map(|c| match c {
            '\n' | '\r' | '\t' => c,
            c if !is_display_control(c) => c,
            c => match c.len_utf8() {
                1 => '?',
                2 => '¿',
                _ => char::REPLACEMENT_CHARACTER,
            },
        })
        .collect()
}

/// The nearest character boundary of a text at or before byte `n`.
fn char_boundary_before(text: &str, n: usize) -> usize {
    (0..=n.min(text.len())).rev().find(|n| text.is_char_boundary(*n)).unwrap_or(0)
}

/// Line and column of a byte offset, both from 1; columns count characters.
pub(super) fn line_and_column(text: &str, byte: Option<usize>) -> (usize, usize) {
    let before = &text[..char_boundary_before(text, byte.unwrap_or(0))];
    let line_start = before.rfind('\n').map_or(0, |i| i + 1);
    (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
}

/// The source texts that the labels of a message point into, each once, the primary one first.
fn distinct_source_ids(d: &Diagnostic) -> Vec<SourceId> {
    let mut ids: Vec<SourceId> = Vec::new();
    for span in d.primary.iter().chain(&d.secondary).map(|l| l.span) {
        if !ids.contains(&span.source) {
            ids.push(span.source);
        }
    }
    ids
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_names_line_and_column_however_long_the_line_is() {
        let mut sources = Sources::new();
        let id = sources.add("long.toml", format!("a = 1\nb = {}", "x".repeat(2 * QUOTE_LIMIT)));
        let d = Diagnostic::error("test", "something").at(Some(Span::new(id, 10, 11)), "here");
        let text = render_diagnostics(&sources, &[d], false);
        assert!(text.contains("long.toml:2:5"), "{text}");
        assert!(text.len() < 1000, "{text}");
    }

    #[test]
    fn a_message_about_several_copies_is_told_once() {
        let mut sources = Sources::new();
        let id = sources.add("a.toml", "abc\n");
        let copies = [1, 2].map(|i| sources.add_copy(id, format!("i = {i}")));
        let all = copies.map(|c| Diagnostic::error("test", "something").at(Some(Span::new(c, 0, 1)), "here"));
        let text = render_diagnostics(&sources, &all, false);
        assert_eq!(text.matches("something").count(), 1, "{text}");
        assert!(
            text.contains("here (i = 1)") && text.contains("this message also applies to i = 2"),
            "{text}"
        );
    }

    #[test]
    fn places_within_characters_and_beyond_the_end_are_shown() {
        let mut sources = Sources::new();
        let id = sources.add("é.toml", "é = é\n");
        let d = Diagnostic::error("test", "something")
            .at(Some(Span::new(id, 1, 900)), "here")
            .also(Some(Span::new(id, 900, 901)), "there");
        assert!(render_diagnostics(&sources, &[d], false).contains("é.toml:1:1"));
    }
}
