//! `--signals` and `--plot-xy`: selection of the signals that are shown.

use crate::cli::source::Failure;
use dqdt_mechanics::mechanism::Mechanism;
use dqdt_motion::simulate::SignalGroup;
use dqdt_spec::spec::did_you_mean;

/// Class of signals of a motion; plots have separate panels for each.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum SignalKind {
    Coordinates,
    Speeds,
    States,
    Energies,
    Group(SignalGroup),
}

impl SignalKind {
    /// All kinds of signals, in the order of the panels of a plot.
    const ALL: [SignalKind; 9] = [
        SignalKind::Coordinates,
        SignalKind::Speeds,
        SignalKind::States,
        SignalKind::Group(SignalGroup::Inputs),
        SignalKind::Group(SignalGroup::Definitions),
        SignalKind::Group(SignalGroup::Outputs),
        SignalKind::Group(SignalGroup::Multipliers),
        SignalKind::Group(SignalGroup::Reactions),
        SignalKind::Energies,
    ];

    /// Plural noun of the signal kind, for options and panel titles.
    pub(super) fn plural_noun(self) -> &'static str {
        match self {
            SignalKind::Coordinates => "coordinates",
            SignalKind::Speeds => "speeds",
            SignalKind::States => "states",
            SignalKind::Energies => "energies",
            SignalKind::Group(SignalGroup::Inputs) => "inputs",
            SignalKind::Group(SignalGroup::Definitions) => "definitions",
            SignalKind::Group(SignalGroup::Outputs) => "outputs",
            SignalKind::Group(SignalGroup::Multipliers) => "multipliers",
            SignalKind::Group(SignalGroup::Reactions) => "reactions",
        }
    }

    fn signal_group(self) -> Option<SignalGroup> {
        match self {
            SignalKind::Group(group) => Some(group),
            _ => None,
        }
    }
}

/// Signals selected by `--signals` or `--plot-xy`. An empty selection means the default signals.
pub(super) struct SignalSelection {
    /// Name of the command-line option of the selection, for messages.
    pub(super) option: &'static str,
    kinds: Vec<SignalKind>,
    /// Selected signals by column name of the table, such as `theta` or `tip` for `tip_x` and
    /// others.
    names: Vec<String>,
    /// Groups of signals to which the selected names may belong, so that they are evaluated.
    groups_to_evaluate: Vec<SignalGroup>,
}

/// Column names of the energy signals in tables of `dqdt simulate`.
pub(super) const ENERGIES: [&str; 5] =
    ["kinetic_energy", "potential_energy", "total_energy", "work", "balance"];

impl SignalSelection {
    /// Parses the words of `--signals` or `--plot-xy`. Component names are not checked yet, since
    /// only the group of a name is known here.
    ///
    /// # Errors
    /// If a word is neither a kind nor a name.
    pub(super) fn new(
        words: &[String],
        m: Option<&Mechanism>,
        option: &'static str,
    ) -> Result<Self, Failure> {
        let mut selection =
            SignalSelection { option, kinds: Vec::new(), names: Vec::new(), groups_to_evaluate: Vec::new() };
        let Some(m) = m else { return Ok(selection) };
        let plain: Vec<&str> = (m.coordinates.iter().map(|c| &*c.name))
            .chain(m.speeds.iter().map(|s| &*s.name))
            .chain(m.states.iter().map(|z| &*z.name))
            .chain(ENERGIES)
            .collect();
        let inputs: Vec<&str> = m.inputs.iter().map(|u| &*u.name).collect();
        let definitions: Vec<&str> = m.named_formulas.iter().map(|f| &*f.name).collect();
        let outputs: Vec<&str> = m.outputs.iter().map(|o| &*o.name).collect();
        let mut unknown = Vec::new();
        for word in words.iter().map(|w| w.trim()).filter(|w| !w.is_empty()) {
            if let Some(kind) = SignalKind::ALL.iter().find(|k| k.plural_noun() == word) {
                selection.kinds.push(*kind);
                continue;
            }
            if word == "forces" {
                selection
                    .kinds
                    .extend([SignalGroup::Multipliers, SignalGroup::Reactions].map(SignalKind::Group));
                continue;
            }
            let group = if plain.contains(&word) {
                None
            } else if inputs.contains(&word) {
                Some(SignalGroup::Inputs)
            } else if definitions.contains(&word) {
                Some(SignalGroup::Definitions)
            } else if outputs.iter().any(|o| is_component(word, o)) {
                Some(SignalGroup::Outputs)
            } else if word.starts_with("lambda_") {
                Some(SignalGroup::Multipliers)
            } else if word.starts_with("reaction_") {
                Some(SignalGroup::Reactions)
            } else {
                unknown.push(word);
                continue;
            };
            selection.names.push(word.to_owned());
            selection.groups_to_evaluate.extend(group);
        }
        if unknown.is_empty() {
            return Ok(selection);
        }
        let kinds = SignalKind::ALL.iter().map(|k| k.plural_noun()).chain(["forces"]);
        let known: Vec<&str> =
            kinds.clone().chain(plain).chain(inputs).chain(definitions).chain(outputs).collect();
        let messages = unknown.iter().map(|word| match did_you_mean(word, known.iter().copied()) {
            Some(near) => format!("there is no signal `{word}`; did you mean `{near}`?"),
            None => format!("there is no signal `{word}`"),
        });
        let messages: Vec<String> = messages.collect();
        let message = format!(
            "{}\n\nhelp: use kinds of signals ({}), or the column names of single signals in the table \
             (`--csv`)",
            messages.join("\n"),
            kinds.collect::<Vec<_>>().join(", ")
        );
        Err(Failure::Option { option, message })
    }

    /// True if the option was absent, so that the default signals are shown.
    pub(super) fn is_default(&self) -> bool {
        self.kinds.is_empty() && self.names.is_empty()
    }

    /// Groups of signals to evaluate: those of the selection, and `besides`.
    pub(super) fn groups(&self, besides: &[SignalGroup]) -> Vec<SignalGroup> {
        let mut all = besides.to_vec();
        for group in
            self.kinds.iter().filter_map(|k| k.signal_group()).chain(self.groups_to_evaluate.iter().copied())
        {
            if !all.contains(&group) {
                all.push(group);
            }
        }
        all
    }

    /// True if the selection includes the signal of this kind and name.
    pub(super) fn includes_signal(&self, kind: SignalKind, name: &str) -> bool {
        let whole = [SignalGroup::Inputs, SignalGroup::Definitions];
        let parts = matches!(kind, SignalKind::Group(group) if !whole.contains(&group));
        self.kinds.contains(&kind) || self.names.iter().any(|n| n == name || parts && is_component(name, n))
    }

    /// True if the selection lists exactly this name, not only its kind or the whole of a
    /// component.
    pub(super) fn has_exact_name(&self, name: &str) -> bool {
        self.names.iter().any(|n| n == name)
    }

    /// Selected names without a signal in `all`: components that do not exist, and forces that the
    /// motion does not determine.
    pub(super) fn names_without_signal(&self, all: &[&str]) -> Vec<&str> {
        let names = self.names.iter().map(String::as_str);
        names.filter(|n| !all.iter().any(|name| name == n || is_component(name, n))).collect()
    }
}

/// True if the signal `name` is `whole` or one of its components, such as `tip_x` of `tip`.
pub(super) fn is_component(name: &str, whole: &str) -> bool {
    name.strip_prefix(whole).is_some_and(|rest| rest.is_empty() || rest.starts_with('_'))
}
