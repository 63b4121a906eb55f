//! The point around which a feedback acts, as its file states it.

use dqdt_derivation::derive::full_linearisation::output_names;
use dqdt_diagnostics::base::{OrderedMap, Span, Spanned};

use super::json::{JsonData, JsonNode};
use super::reader::{FeedbackReader, slot_names, state_names};

/// The point around which a feedback acts: values by name.
pub(super) struct TrimPoint {
    pub span: Span,
    pub quantities: OrderedMap<String, f64>,
    pub inputs: OrderedMap<String, f64>,
}

impl FeedbackReader<'_> {
    /// Reads `trim`: values of states and outputs by name, those of inputs in `inputs`. The groups
    /// of the point that `dqdt linearize` prints are accepted, too; its time and parameters have no
    /// effect.
    pub(super) fn read_trim(&mut self, node: &JsonNode) -> Option<TrimPoint> {
        let help = "write values by name: {\"x\": 0, \"inputs\": {\"force\": 0}}";
        let JsonData::Object(entries) = &node.data else {
            self.report_wrong_type("`trim`", node, "an object", help);
            return None;
        };
        let l = &self.layout;
        let states = state_names(l);
        let inputs = slot_names(&l.u);
        let known = [states.clone(), output_names(self.m)].concat();
        let mut point =
            TrimPoint { span: node.span, quantities: OrderedMap::default(), inputs: OrderedMap::default() };
        let before = self.problems.len();
        let mut direct_entries: Vec<(&Spanned<String>, &JsonNode)> = Vec::new();
        for (key, value) in entries {
            match (key.value.as_str(), &value.data) {
                ("inputs" | "u", JsonData::Object(values)) => {
                    let values = values.iter().map(|(key, value)| (key, value));
                    self.read_values("input", values, &inputs, &mut point.inputs);
                }
                ("q" | "v" | "z", JsonData::Object(values)) => {
                    let values = values.iter().map(|(key, value)| (key, value));
                    self.read_values("state", values, &states, &mut point.quantities);
                }
                ("p", JsonData::Object(_)) => {}
                ("t", JsonData::Number(_)) if !known.iter().any(|name| name == "t") => {}
                _ => direct_entries.push((key, value)),
            }
        }
        self.read_values("state or output", direct_entries.into_iter(), &known, &mut point.quantities);
        (self.problems.len() == before).then_some(point)
    }

    /// Reads numbers by name into `values`.
    fn read_values<'n>(
        &mut self,
        kind: &str,
        entries: impl Iterator<Item = (&'n Spanned<String>, &'n JsonNode)>,
        known: &[String],
        values: &mut OrderedMap<String, f64>,
    ) {
        for (key, node) in entries {
            let name = &key.value;
            if !known.contains(name) {
                self.report_unknown_name(kind, name, key.span.unwrap_or(node.span), known);
                continue;
            }
            let Some(x) = self.read_number(&format!("the value of `{name}`"), node) else { continue };
            if values.insert(name.clone(), x).is_some() {
                let span = key.span.unwrap_or(node.span);
                let message = format!("`trim` has two values for `{name}`");
                self.report("duplicate", message, (span, "again here"), "keep one of the two values");
            }
        }
    }
}
