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
    pub(super) fn part(&self, span: Span, text: &str, range: &std::ops::Range<usize>) -> Span {
        match self.sources.origin(span, text) {
            Some(o) => Span::new(span.source, o + range.start, o + range.end),
            None => span,
        }
    }

    /// Text with all indices replaced, for the bound indices; an error is reported.
    pub(super) fn text(&mut self, text: &str, span: Span, bound: &Bound) -> String {
        if !text.contains(['{', '}']) {
            self.spend(text.len(), span);
            return text.to_owned();
        }
        let Some(pieces) = self.pieces(text, span, bound) else { return String::new() };
        let Some(out) = self.render(&pieces, text, span, bound, "this text") else { return String::new() };
        self.spend(out.len(), span);
        if let Some(skeleton) = pieces::skeleton(&pieces) {
            let place = self.place(span, bound);
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
    pub(super) fn pieces(&mut self, text: &str, span: Span, bound: &Bound) -> Option<Vec<TextPiece>> {
        match pieces::parse(text) {
            Ok(pieces) => Some(pieces),
            Err((message, range)) => {
                let place = self.part(span, text, &range);
                let place = self.place(place, bound);
                self.problems
                    .push(Diagnostic::error("repeat-syntax", message).at(Some(place), "not an index").help(
                    "write an index in braces, such as rod{i}, rod{i-1} or q{2*i+1}, and a sum as sum{k}(m{k})",
                ));
                None
            }
        }
    }

    /// Indices in a template text that have no value yet, ordered so that each follows the indices
    /// in its own range. The entry is repeated over them.
    pub(super) fn free(&self, pieces: &[TextPiece], bound: &Bound) -> Vec<String> {
        let mut left: Vec<&str> = pieces::names(pieces);
        left.retain(|n| self.scope.is_index(n) && bound.values.iter().all(|(b, _)| b != n));
        let mut out = Vec::new();
        while !left.is_empty() {
            let next = left
                .iter()
                .position(|n| !self.scope.needs(n).into_iter().any(|other| left.contains(&other)))
                .unwrap_or(0);
            out.push(left.remove(next).to_owned());
        }
        out
    }

    /// Template text with its indices replaced by numbers; `None` if an index has no value, which
    /// is reported.
    pub(super) fn render(
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
                TextPiece::Index(index, range) => match self.scope.value(index, &bound.values) {
                    Ok(n) => out.push_str(&n.to_string()),
                    Err(e) => {
                        let place = self.part(span, text, range);
                        let place = self.place(place, bound);
                        let d = self.scope.explain(&e, Some(place), what);
                        self.problems.push(d);
                        return None;
                    }
                },
                TextPiece::Sum(name, inner, range) => {
                    let mut terms = Vec::new();
                    let place = self.part(span, text, range);
                    self.over(std::slice::from_ref(name), bound, place, &mut |e, b| {
                        if let Some(term) = e.render(inner, text, span, b, what)
                            && e.spend(term.len(), span)
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
