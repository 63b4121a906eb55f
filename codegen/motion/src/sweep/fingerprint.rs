//! SweepFingerprint of a sweep: the first line of a results file.

use std::fmt;

use dqdt_graph::ir::{NodeId, Program, Tape};
use sha2::{Digest, Sha256};

use crate::simulate::Start;

/// Text at the start of the first line of a results file.
const FINGERPRINT_START: &str = "# dqdt sweep of ";

/// Hashes of everything that determines the numbers of a sweep, and the number of its points.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SweepFingerprint {
    /// Name of the mechanism.
    pub(super) name: String,
    /// Hash of the derived functions, of the names and values, and of the version of this program.
    pub(super) mechanism: String,
    /// Hash of the options, such as the end time and tolerances.
    pub(super) options: String,
    /// Hash of the points.
    pub(super) points: String,
    /// Number of points.
    pub(super) count: usize,
}

impl SweepFingerprint {
    /// Reads the first line of a results file; `None` if it is no such line.
    pub fn parse(line: &str) -> Option<Self> {
        let (name, rest) = line.strip_prefix(FINGERPRINT_START)?.split_once(": mechanism ")?;
        let (mechanism, rest) = rest.split_once(", options ")?;
        let (options, rest) = rest.split_once(", points ")?;
        let (points, count) = rest.split_once(", count ")?;
        let [name, mechanism, options, points] = [name, mechanism, options, points].map(str::to_owned);
        Some(SweepFingerprint { name, mechanism, options, points, count: count.parse().ok()? })
    }

    /// Number of points of the whole sweep.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Words for the parts in which two fingerprints differ.
    pub(super) fn differences(&self, other: &SweepFingerprint) -> Vec<&'static str> {
        let parts = [
            (
                "the mechanism with its values (spec, `-p`, `--input`)",
                self.name != other.name || self.mechanism != other.mechanism,
            ),
            ("the options", self.options != other.options),
            ("the points", self.points != other.points || self.count != other.count),
        ];
        parts.into_iter().filter(|(_, differs)| *differs).map(|(part, _)| part).collect()
    }
}

impl fmt::Display for SweepFingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let SweepFingerprint { name, mechanism, options, points, count } = self;
        write!(
            f,
            "{FINGERPRINT_START}{name}: mechanism {mechanism}, options {options}, points {points}, count {count}"
        )
    }
}

/// The first 16 hexadecimal digits of the SHA-256 of these parts.
pub(super) fn hash_of(parts: impl IntoIterator<Item = Vec<u8>>) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    }
    hash.finalize().iter().take(8).map(|b| format!("{b:02x}")).collect()
}

/// Hash of the derived functions of a mechanism, and of the start of its motions. Comments of the
/// spec have no effect on it.
pub(super) fn hash_mechanism(program: &Program, start: &Start) -> String {
    let head = format!("{} {} {:?}", env!("CARGO_PKG_VERSION"), program.formalism, program.layout);
    let roles = (start.starts.coordinates.iter().chain(&start.starts.speeds))
        .map(|s| format!("{:?} {:?}", s.role, s.value));
    let functions = program.functions.iter().map(|f| {
        let nodes: Vec<NodeId> = (f.outputs.iter().flat_map(|o| o.nodes.iter().copied()))
            .chain(f.checks.iter().flat_map(|c| [c.value, c.scale]))
            .collect();
        format!("{} {:?}", f.declaration.name, Tape::new(&program.graph, &nodes))
    });
    let texts = std::iter::once(head).chain(roles).chain(functions);
    hash_of(texts.map(String::into_bytes))
}
