//! Mistakes, names and numbers, as shared by the readers of the parts of a feedback file.

use dqdt_diagnostics::base::Span;
use dqdt_diagnostics::error::Diagnostic;
use dqdt_graph::ir::{Layout, Slot};
use dqdt_mechanics::mechanism::Mechanism;
use dqdt_spec::spec::did_you_mean;

use super::json::{JsonData, JsonNode};

/// Reader of a feedback file; collects its mistakes.
pub(super) struct FeedbackReader<'m> {
    pub(super) m: &'m Mechanism,
    pub(super) layout: Layout,
    pub(super) problems: Vec<Diagnostic>,
}

/// Names of slots.
pub(super) fn slot_names(slots: &[Slot]) -> Vec<String> {
    slots.iter().map(|s| s.name.clone()).collect()
}

/// Names of all entries of a state.
pub(super) fn state_names(layout: &Layout) -> Vec<String> {
    [&layout.q, &layout.v, &layout.z].into_iter().flat_map(|slots| slot_names(slots)).collect()
}

impl FeedbackReader<'_> {
    pub(super) fn report(
        &mut self,
        code: &'static str,
        message: String,
        (span, label): (Span, &str),
        help: &str,
    ) {
        self.problems.push(Diagnostic::error(code, message).at(Some(span), label).help(help));
    }

    pub(super) fn report_wrong_type(&mut self, what: &str, node: &JsonNode, expected: &str, help: &str) {
        let message = format!("{what} must be {expected}, not {}", node.data);
        self.report("wrong-type", message, (node.span, "wrong type"), help);
    }

    pub(super) fn report_unknown_name(&mut self, kind: &str, name: &str, span: Span, known: &[String]) {
        let help = match did_you_mean(name, known.iter().map(String::as_str)) {
            Some(near) => format!("write `{near}`"),
            None if known.is_empty() => format!("the mechanism has no {kind}"),
            None => format!("use one of: {}", known.join(", ")),
        };
        self.report("unknown-name", format!("there is no {kind} `{name}`"), (span, "not found"), &help);
    }

    /// Reads a finite number.
    pub(super) fn read_number(&mut self, what: &str, node: &JsonNode) -> Option<f64> {
        match &node.data {
            JsonData::Number(x) if x.is_finite() => Some(*x),
            JsonData::Number(_) => {
                let message = format!("{what} is too large for a number of double precision");
                self.report("not-finite", message, (node.span, "here"), "write a finite number");
                None
            }
            _ => {
                let help = "write a number in SI units and radians, without quotes";
                self.report_wrong_type(what, node, "a number", help);
                None
            }
        }
    }
}
