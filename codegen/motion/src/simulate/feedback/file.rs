//! Reader of a feedback file: JSON with a gain, the names of its rows and columns, and the point
//! around which it acts.
//!
//! ```json
//! { "gain": [[-1, -40, -2, -6]], "inputs": ["force"], "states": ["x", "theta", "x_dot", "theta_dot"],
//!   "trim": { "x": 0, "theta": 0, "x_dot": 0, "theta_dot": 0, "inputs": { "force": 0 } } }
//! ```

use dqdt_derivation::derive::full_linearisation::{output_names, residual_names, state_difference_names};
use dqdt_derivation::derive::vector_layout;
use dqdt_diagnostics::base::{OrderedMap, SourceId, Sources, Span, Spanned};
use dqdt_diagnostics::error::{Diagnostic, Errors};
use dqdt_mechanics::mechanism::Mechanism;
use dqdt_spec::spec::did_you_mean;

use super::json::{JsonData, JsonNode, read_json};
use super::law::{Feedback, Measured, StateDifference, all_state_differences};
use super::reader::{FeedbackReader, slot_names, state_names};
use super::trim::TrimPoint;

/// Keys of a feedback file.
const KEYS: [&str; 6] = ["gain", "inputs", "states", "outputs", "unused", "trim"];

/// An input that something else sets along the motion.
#[doc(hidden)]
pub struct InputSetting {
    /// Name of the input.
    pub name: String,
    /// The option or argument that sets it, for messages, such as `--input`.
    pub by: String,
}

/// Reads a feedback file for a mechanism. `name` is that of the file in messages; `settings` are
/// the inputs that something else sets.
///
/// # Errors
/// All mistakes in the text, each with its place.
#[doc(hidden)]
pub fn read_feedback_file(
    name: &str,
    text: &str,
    m: &Mechanism,
    settings: &[InputSetting],
) -> Result<Feedback, Errors> {
    // Some editors write a byte order mark.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut sources = Sources::new();
    let source = sources.add(name, text);
    if !KEYS.iter().any(|key| text.contains(&format!("\"{key}\""))) {
        // The file may be anything, even a secret, so the message quotes none of its content.
        let d = Diagnostic::error("feedback", format!("`{name}` has no key of a feedback file"));
        let keys = KEYS.map(|key| format!("\"{key}\"")).join(", ");
        let diagnostics = vec![d.help(format!("write JSON with these keys, in double quotes: {keys}"))];
        return Err(Errors { sources, diagnostics });
    }
    let mut reader = FeedbackReader { m, layout: vector_layout(m), problems: Vec::new() };
    let feedback = reader.read_file(text, source, settings);
    let mut diagnostics = reader.problems;
    diagnostics.sort_by_key(|d| sources.position(d.primary.as_ref().map(|label| label.span)));
    match feedback {
        Some(feedback) if diagnostics.is_empty() => Ok(Feedback { sources, ..feedback }),
        _ => Err(Errors { sources, diagnostics }),
    }
}

/// Names of the columns of a gain, with their indices and places.
struct NamedColumns {
    /// The key that lists them: `states` or `outputs`.
    key: &'static str,
    columns: Vec<Spanned<usize>>,
}

/// Names in backquotes, separated by commas.
fn quote_names<'n>(names: impl Iterator<Item = &'n String>) -> String {
    names.map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

impl FeedbackReader<'_> {
    fn read_file(&mut self, text: &str, source: SourceId, settings: &[InputSetting]) -> Option<Feedback> {
        let root = match read_json(text, source, &mut self.problems) {
            Ok(root) => root,
            Err(d) => {
                self.problems.push(*d);
                return None;
            }
        };
        let JsonData::Object(entries) = &root.data else {
            let help = "write {\"gain\": [[…]], \"inputs\": […], \"states\": […], \"trim\": {…}}";
            self.report_wrong_type("a feedback file", &root, "an object", help);
            return None;
        };
        self.check_keys(entries, root.span);
        let find = |key: &str| entries.iter().find(|(k, _)| k.value == key).map(|(_, node)| node);
        let inputs = find("inputs").and_then(|node| self.read_inputs(node, settings));
        let columns = match (find("states"), find("outputs")) {
            (Some(node), _) => self.read_states(node, find("unused")),
            (None, Some(node)) => self.read_outputs(node),
            (None, None) => None,
        };
        let gain = find("gain").and_then(|node| self.read_gain(node, inputs.as_deref(), columns.as_ref()));
        let trim = find("trim").and_then(|node| self.read_trim(node));
        let (inputs, columns, gain, trim) = (inputs?, columns?, gain?, trim?);
        self.assemble(&inputs, &columns, gain, &trim)
    }

    /// Reports unknown, repeated and missing keys, and keys that exclude each other.
    fn check_keys(&mut self, entries: &[(Spanned<String>, JsonNode)], root: Span) {
        let mut first: OrderedMap<&str, Option<Span>> = OrderedMap::default();
        for (key, _) in entries {
            if let Some(earlier) = first.insert(&key.value, key.span) {
                let d = Diagnostic::error("duplicate", format!("`{}` occurs twice", key.value));
                let d = d.at(key.span, "again here").also(earlier, "first here");
                self.problems.push(d.help("keep only one of the two entries"));
            }
            if !KEYS.contains(&key.value.as_str()) {
                let help = match did_you_mean(&key.value, KEYS) {
                    Some(near) => format!("write `{near}`"),
                    None => format!("the keys are {}", KEYS.join(", ")),
                };
                let d =
                    Diagnostic::error("unknown-key", format!("a feedback file has no key `{}`", key.value));
                self.problems.push(d.at(key.span, "unknown key").help(help));
            }
        }
        let place = Span::new(root.source, root.start, (root.start + 1).min(root.end));
        let needed = [
            ("gain", "write the matrix K by rows, one for each input: \"gain\": [[1, 2]]"),
            ("inputs", "name the inputs that the feedback sets: \"inputs\": [\"force\"]"),
            (
                "trim",
                "write the values around which the feedback acts: \"trim\": {\"x\": 0, \"inputs\": {\"force\": 0}}",
            ),
        ];
        for (key, help) in needed.into_iter().filter(|(key, _)| !first.contains_key(key)) {
            self.report("missing-key", format!("`{key}` is missing"), (place, "in this object"), help);
        }
        match (first.get("states"), first.get("outputs")) {
            (None, None) => {
                let help = "name the columns of the gain: \"states\": [\"x\", \"x_dot\"], or \"outputs\": [\"tip_x\"]";
                let message = "`states` or `outputs` is missing".to_owned();
                self.report("missing-key", message, (place, "in this object"), help);
            }
            (Some(states), Some(outputs)) => {
                let d = Diagnostic::error("conflict", "a feedback measures either states or outputs");
                let d = d.at(*outputs, "outputs").also(*states, "states");
                self.problems
                    .push(d.help("keep `states` or `outputs`; a state can be an output of the spec"));
            }
            _ => {}
        }
        if let (None, Some(span)) = (first.get("states"), first.get("unused")) {
            let d =
                Diagnostic::error("conflict", "`unused` belongs to `states`").at(*span, "without `states`");
            self.problems.push(d.help("remove `unused`: outputs that are not listed are not measured"));
        }
    }

    /// Reads a list of names; each must be one of `known`, and occur once.
    fn read_names(
        &mut self,
        key: &str,
        kind: &str,
        node: &JsonNode,
        known: &[String],
    ) -> Option<Vec<Spanned<usize>>> {
        let example = known.first().map_or("name", String::as_str);
        let help = format!("write \"{key}\": [\"{example}\"]");
        let JsonData::List(items) = &node.data else {
            self.report_wrong_type(&format!("`{key}`"), node, "a list of names", &help);
            return None;
        };
        let before = self.problems.len();
        let mut all: Vec<Spanned<usize>> = Vec::new();
        for item in items {
            let JsonData::Text(name) = &item.data else {
                self.report_wrong_type(&format!("an entry of `{key}`"), item, "a name", &help);
                continue;
            };
            let Some(i) = known.iter().position(|n| n == name) else {
                self.report_unknown_name(kind, name, item.span, known);
                continue;
            };
            if let Some(earlier) = all.iter().find(|s| s.value == i) {
                let d = Diagnostic::error("duplicate", format!("`{name}` occurs twice in `{key}`"));
                let d = d.at(Some(item.span), "again here").also(earlier.span, "first here");
                self.problems.push(d.help("list it only once, with one row or column of the gain"));
                continue;
            }
            all.push(Spanned::with_span(i, item.span));
        }
        (self.problems.len() == before).then_some(all)
    }

    /// Reads `inputs`: indices of the inputs that the feedback sets.
    fn read_inputs(&mut self, node: &JsonNode, settings: &[InputSetting]) -> Option<Vec<Spanned<usize>>> {
        let known = slot_names(&self.layout.u);
        let inputs = self.read_names("inputs", "input", node, &known)?;
        if inputs.is_empty() {
            let help = "name the inputs that the feedback sets: \"inputs\": [\"force\"]";
            self.report("wrong-count", "`inputs` names no input".to_owned(), (node.span, "here"), help);
            return None;
        }
        let realising = self.m.inputs_realising_constraints();
        for input in &inputs {
            let name = &known[input.value];
            if realising.contains(&input.value) {
                let message = format!("input `{name}` enforces a constraint, which determines it");
                let d = Diagnostic::error("realised-input", message).at(input.span, "here");
                self.problems.push(d.help("remove it from `inputs`, with its row of the gain"));
            }
            if let Some(setting) = settings.iter().find(|s| s.name == *name) {
                let message = format!("input `{name}` is set by the feedback and by {}", setting.by);
                let d = Diagnostic::error("conflict", message).at(input.span, "set by the feedback");
                let help =
                    format!("remove `{name}` from {}, or from `inputs` with its row of the gain", setting.by);
                self.problems.push(d.help(help));
            }
        }
        Some(inputs)
    }

    /// Reads `states`: the measured states, of which none may be forgotten.
    fn read_states(&mut self, node: &JsonNode, unused: Option<&JsonNode>) -> Option<NamedColumns> {
        let known = state_difference_names(self.m);
        let states = self.read_names("states", "state", node, &known);
        let without_gain = match unused {
            Some(node) => self.read_names("unused", "state", node, &known),
            None => Some(Vec::new()),
        };
        let (columns, without_gain) = (states?, without_gain?);
        if let Some(both) = without_gain.iter().find(|s| columns.iter().any(|c| c.value == s.value)) {
            let message = format!("`{}` is in `states` and in `unused`", known[both.value]);
            let d = Diagnostic::error("conflict", message).at(both.span, "here");
            self.problems.push(d.help("remove it from one of the two lists"));
        }
        let missing = known.iter().enumerate().filter(|(i, _)| {
            let mut names = columns.iter().chain(&without_gain);
            !names.any(|s| s.value == *i)
        });
        let (indices, missing): (Vec<usize>, Vec<&String>) = missing.unzip();
        let (positions, velocities) = residual_names(self.m);
        let dependent = positions.len() + velocities.len();
        // Rows of positions determine no speeds.
        let user_states = known.len() - self.layout.z.len();
        let speeds = user_states - self.layout.v.len()..user_states;
        let missing_speeds: Vec<&String> =
            indices.into_iter().filter(|i| speeds.contains(i)).map(|i| &known[i]).collect();
        let independent = "list the independent states, as `dqdt linearize` prints them, and states without gain \
                           in `unused`";
        if missing.len() > dependent {
            let names = quote_names(missing.iter().copied());
            let list: Vec<String> = missing.iter().map(|n| format!("\"{n}\"")).collect();
            let (message, help) = match dependent {
                0 => (
                    format!("`states` does not list {names}"),
                    format!(
                        "add the name and a column of the gain for each, or list states without gain: \"unused\": [{}]",
                        list.join(", ")
                    ),
                ),
                _ => (
                    format!(
                        "`states` does not list {names}; constraints determine at most {dependent} of the states"
                    ),
                    independent.to_owned(),
                ),
            };
            self.report("feedback", message, (node.span, "states are missing"), &help);
        } else if missing_speeds.len() > velocities.len() {
            let names = quote_names(missing_speeds.into_iter());
            let most = velocities.len();
            let message =
                format!("`states` does not list {names}; constraints determine at most {most} of the speeds");
            self.report("feedback", message, (node.span, "speeds are missing"), independent);
        }
        Some(NamedColumns { key: "states", columns })
    }

    /// Reads `outputs`: the measured entries of outputs.
    fn read_outputs(&mut self, node: &JsonNode) -> Option<NamedColumns> {
        let known = output_names(self.m);
        let columns = self.read_names("outputs", "output", node, &known)?;
        Some(NamedColumns { key: "outputs", columns })
    }

    /// Reads `gain`: a row for each input, with a number for each column.
    fn read_gain(
        &mut self,
        node: &JsonNode,
        inputs: Option<&[Spanned<usize>]>,
        columns: Option<&NamedColumns>,
    ) -> Option<Vec<Vec<f64>>> {
        let help = "write the matrix by rows, one for each input: [[1, 2], [3, 4]]";
        let JsonData::List(rows) = &node.data else {
            self.report_wrong_type("`gain`", node, "a list of rows", help);
            return None;
        };
        if rows.iter().any(|row| matches!(row.data, JsonData::Number(_))) {
            let message = "`gain` must be a list of rows, not a list of numbers".to_owned();
            self.report("wrong-type", message, (node.span, "wrong type"), help);
            return None;
        }
        let before = self.problems.len();
        if let Some(inputs) = inputs.filter(|inputs| inputs.len() != rows.len()) {
            let message = format!("`gain` has {} rows, but `inputs` lists {}", rows.len(), inputs.len());
            self.report("wrong-count", message, (node.span, "these rows"), "write one row for each input");
        }
        let mut gain = Vec::new();
        for row in rows {
            let JsonData::List(items) = &row.data else {
                self.report_wrong_type("a row of `gain`", row, "a list of numbers", help);
                continue;
            };
            if let Some(columns) = columns.filter(|c| c.columns.len() != items.len()) {
                let (key, count) = (columns.key, columns.columns.len());
                let message =
                    format!("a row of `gain` has {} numbers, but `{key}` lists {count}", items.len());
                let help = format!("write one number for each entry of `{key}`");
                self.report("wrong-count", message, (row.span, "this row"), &help);
            }
            let numbers: Vec<Option<f64>> =
                items.iter().map(|item| self.read_number("an entry of `gain`", item)).collect();
            gain.push(numbers.into_iter().flatten().collect());
        }
        (self.problems.len() == before).then_some(gain)
    }

    /// The feedback from the parts of its file, if the trim has all values that it needs.
    fn assemble(
        &mut self,
        inputs: &[Spanned<usize>],
        columns: &NamedColumns,
        gain: Vec<Vec<f64>>,
        trim: &TrimPoint,
    ) -> Option<Feedback> {
        let l = &self.layout;
        let input_names: Vec<String> = inputs.iter().map(|i| l.u[i.value].name.clone()).collect();
        let states = state_names(l);
        let outputs = output_names(self.m);
        let all = all_state_differences(l);
        let indices = columns.columns.iter().map(|c| c.value);
        let (needed, measured): (Vec<String>, Measured) = if columns.key == "states" {
            let differences: Vec<StateDifference> = indices.filter_map(|i| all.get(i).copied()).collect();
            let mut entries: Vec<usize> = differences.iter().flat_map(|d| state_entries(*d)).collect();
            entries.sort_unstable();
            entries.dedup();
            (entries.iter().map(|i| states[*i].clone()).collect(), Measured::States(differences))
        } else {
            let names: Vec<String> = indices.clone().map(|i| outputs[i].clone()).collect();
            let places = columns.columns.iter().map(|c| c.span.unwrap_or(trim.span)).collect();
            (names.clone(), Measured::Outputs { entries: indices.collect(), names, places })
        };
        let missing = needed.iter().filter(|name| !trim.quantities.contains_key(*name));
        let missing: Vec<&String> =
            missing.chain(input_names.iter().filter(|name| !trim.inputs.contains_key(*name))).collect();
        if !missing.is_empty() {
            let message = format!("`trim` has no value for {}", quote_names(missing.into_iter()));
            let help = "write the value around which the feedback acts, those of inputs in `inputs`; the key `at` of \
                        `dqdt linearize --format json` can be copied here";
            self.report("feedback", message, (trim.span, "values are missing"), help);
            return None;
        }
        let value = |name: &String| trim.quantities.get(name).copied().unwrap_or(0.0);
        let reference: Vec<f64> = match &measured {
            Measured::States(differences) => {
                let mut x0: Vec<f64> = states.iter().map(value).collect();
                for difference in differences {
                    self.normalise_quaternion(*difference, &mut x0, trim.span);
                }
                x0
            }
            Measured::Outputs { .. } => needed.iter().map(value).collect(),
        };
        Some(Feedback {
            gain,
            inputs: inputs.iter().map(|i| i.value).collect(),
            measured,
            reference,
            reference_inputs: input_names.iter().filter_map(|n| trim.inputs.get(n).copied()).collect(),
            sources: Sources::new(),
        })
    }

    /// Normalises the quaternion of a rotation in the reference state.
    fn normalise_quaternion(&mut self, difference: StateDifference, x0: &mut [f64], trim: Span) {
        let StateDifference::Rotation { first, .. } = difference else { return };
        let Some(quaternion) = x0.get_mut(first..first + 4) else { return };
        let norm = quaternion.iter().fold(0.0f64, |norm, x| norm.hypot(*x));
        if norm == 0.0 {
            let message = format!(
                "the quaternion of `trim` whose first component is `{}` is zero",
                self.layout.q[first].name
            );
            let help = "write the attitude around which the feedback acts, such as 1, 0, 0, 0";
            if !self.problems.iter().any(|d| d.message == message) {
                self.report("zero-quaternion", message, (trim, "here"), help);
            }
            return;
        }
        quaternion.iter_mut().for_each(|x| *x /= norm);
    }
}

/// Entries of a state that a difference uses.
fn state_entries(difference: StateDifference) -> std::ops::Range<usize> {
    match difference {
        StateDifference::Entry(i) => i..i + 1,
        StateDifference::Rotation { first, .. } => first..first + 4,
    }
}
