//! Replacement of the indices in texts of a template.
//!
//! Each piece that cannot be replaced is reported at its place in the template, with the current
//! values of the indices.

use super::pieces::{self, TextPiece};
use super::{Bound, Expander, Reference};
use dqdt_diagnostics::base::Span;
use dqdt_diagnostics::error::Diagnostic;

impl Expander<'_> {
    /// Place of a byte range of a template text, where `span` is the place of the whole text;
    /// `span` itself if escapes make the source differ.
    pub(super) fn part_span(&self, span: Span, text: &str, range: &std::ops::Range<usize>) -> Span {
        match self.sources.origin(span, text) {
            Some(o) => Span::new(span.source, o + range.start, o + range.end),
            None => span,
        }
    }

    /// Text with all indices replaced, for the bound indices; an error is reported.
    pub(super) fn expand_text(&mut self, text: &str, span: Span, bound: &Bound) -> String {
        if !text.contains(['{', '}']) {
            self.count_bytes(text.len(), span);
            return text.to_owned();
        }
        let Some(pieces) = self.pieces_or_report(text, span, bound) else { return String::new() };
        let Some(out) = self.render_pieces(&pieces, text, span, bound, "this text") else {
            return String::new();
        };
        self.count_bytes(out.len(), span);
        if let Some(skeleton) = pieces::name_skeleton(&pieces) {
            let place = self.span_in_copy(span, bound);
            self.references.push(Reference {
                skeleton,
                name: out.clone(),
                written: text.to_owned(),
                span: place,
            });
        }
        out
    }

    /// Pieces of a template text; `None` after a syntax error, which is reported.
    pub(super) fn pieces_or_report(
        &mut self,
        text: &str,
        span: Span,
        bound: &Bound,
    ) -> Option<Vec<TextPiece>> {
        match pieces::parse_template_text(text) {
            Ok(pieces) => Some(pieces),
            Err((message, range)) => {
                let place = self.part_span(span, text, &range);
                let place = self.span_in_copy(place, bound);
                self.problems
                    .push(Diagnostic::error("repeat-syntax", message).at(Some(place), "this text is not a valid index expression").help(
                    "write an index expression in braces, such as rod{i}, rod{i-1} or q{2*i+1}, and a sum as sum{k}(m{k})",
                ));
                None
            }
        }
    }

    /// Indices in a template text that have no value yet, ordered so that each follows the indices
    /// in its own range. The entry is repeated over them.
    pub(super) fn free_indices(&self, pieces: &[TextPiece], bound: &Bound) -> Vec<String> {
        let mut left: Vec<&str> = pieces::free_names(pieces);
        left.retain(|n| self.scope.is_index(n) && bound.values.iter().all(|(b, _)| b != n));
        let mut out = Vec::new();
        while !left.is_empty() {
            let next = left
                .iter()
                .position(|n| !self.scope.names_in_range(n).into_iter().any(|other| left.contains(&other)))
                .unwrap_or(0);
            out.push(left.remove(next).to_owned());
        }
        out
    }

    /// Template text with its indices replaced by numbers; `None` if an index has no value, which
    /// is reported.
    pub(super) fn render_pieces(
        &mut self,
        pieces: &[TextPiece],
        text: &str,
        span: Span,
        bound: &Bound,
        what: &str,
    ) -> Option<String> {
        let mut out = String::new();
        for piece in pieces {
            match piece {
                TextPiece::Literal(t) => out.push_str(t),
                TextPiece::Index(index, range) => match self.scope.index_value(index, &bound.values) {
                    Ok(n) => out.push_str(&n.to_string()),
                    Err(e) => {
                        let place = self.part_span(span, text, range);
                        let place = self.span_in_copy(place, bound);
                        let d = self.scope.index_error(&e, Some(place), what);
                        self.problems.push(d);
                        return None;
                    }
                },
                TextPiece::Sum(name, inner, range) => {
                    let mut terms = Vec::new();
                    let place = self.part_span(span, text, range);
                    self.for_each_index_value(std::slice::from_ref(name), bound, place, &mut |e, b| {
                        if let Some(term) = e.render_pieces(inner, text, span, b, what)
                            && e.count_bytes(term.len(), span)
                        {
                            terms.push(term);
                        }
                    });
                    out.push_str(&if terms.is_empty() {
                        "0".to_owned()
                    } else {
                        format!("({})", terms.join(" + "))
                    });
                }
            }
        }
        Some(out)
    }
}
