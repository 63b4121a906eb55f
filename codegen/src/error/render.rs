//! Rendering like that of rustc.

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

use super::{Diagnostic, Severity};
use crate::base::{SourceId, Sources};

/// Longest text that a message quotes from; of longer ones only name, line and column are shown.
const QUOTE_LIMIT: usize = 1 << 20;

pub(super) fn render(sources: &Sources, diagnostics: &[Diagnostic], color: bool) -> String {
    let renderer = if color { Renderer::styled() } else { Renderer::plain() };
    let mut out = String::new();
    for d in diagnostics {
        let level = match d.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
        };
        let title = level.primary_title(d.message.as_str()).id(d.code);
        let mut group = Group::with_title(title);
        for id in touched(d) {
            let text = sources.text(id);
            if text.len() > QUOTE_LIMIT {
                continue;
            }
            let clamp =
                |n: usize| (0..=n.min(text.len())).rev().find(|n| text.is_char_boundary(*n)).unwrap_or(0);
            let mut snippet = Snippet::source(text).path(sources.name(id)).line_start(1);
            if let Some(p) = d.primary.as_ref().filter(|p| p.span.source == id) {
                let range = clamp(p.span.start)..clamp(p.span.end);
                snippet = snippet.annotation(AnnotationKind::Primary.span(range).label(p.text.as_str()));
            }
            for s in d.secondary.iter().filter(|s| s.span.source == id) {
                let range = clamp(s.span.start)..clamp(s.span.end);
                snippet = snippet.annotation(AnnotationKind::Context.span(range).label(s.text.as_str()));
            }
            group = group.element(snippet);
        }
        for help in &d.help {
            group = group.element(Level::HELP.message(help.as_str()));
        }
        out.push_str(&renderer.render(&[group]));
        out.push_str("\n\n");
    }
    out
}

fn touched(d: &Diagnostic) -> Vec<SourceId> {
    let mut ids: Vec<SourceId> = Vec::new();
    for span in d.primary.iter().chain(&d.secondary).map(|l| l.span) {
        if !ids.contains(&span.source) {
            ids.push(span.source);
        }
    }
    ids
}
