//! `dqdt prove`: proves that the formalisms agree, or that formulas in a file equal the derived
//! ones.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use clap::Args;

use super::conclusion::print_conclusion;
use super::output;
use super::second_opinion;
use super::source::{self, Failure, SpecSource, load_source};
use dqdt_diagnostics::base::{map_parallel_in_order, read_file_at_most};
use dqdt_equations::prove;
use dqdt_equations::symbolic::{Assumptions, Expressions, Query, Reason, Status, Verdict};
use dqdt_families::indexed::{Answer, Member, build_comparison};
use dqdt_import::read;

#[derive(Args)]
pub(super) struct Prove {
    #[command(flatten)]
    source: SpecSource,
    /// File of formulas to compare with the derived ones: elements of M, c, Q, equations of motion
    #[arg(long, value_name = "FILE")]
    against: Option<PathBuf>,
    /// Engine: `dqdt` proves all claims with its own normal form; `symbolica`, a second opinion,
    /// derives Lagrange's equations from the text of T and V and compares them with Kane's M and c
    /// − Q
    #[arg(long, value_enum, default_value_t = ProofEngine::Dqdt, conflicts_with = "against")]
    engine: ProofEngine,
}

/// Engine of `dqdt prove --engine`: the normal form of this project, or a computer algebra system.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum ProofEngine {
    Dqdt,
    Symbolica,
}

impl Prove {
    pub(super) fn run(self) -> Result<ExitCode, Failure> {
        match (&self.against, self.engine) {
            (Some(file), _) => compare_with_file(&self.source, file),
            (None, ProofEngine::Dqdt) => prove_claims(&self.source),
            (None, ProofEngine::Symbolica) => second_opinion::prove_with_symbolica(&self.source),
        }
    }
}

/// Sentence with the verdict on the inferred formulas of a family, compared with the derivation of
/// its last member. Used by `dqdt inspect --family`.
pub(super) fn family_verdict(answers: &[Answer], members: &[Member]) -> String {
    let Some(m) = members.last() else { return String::new() };
    let c = build_comparison(answers, m);
    let left = Expressions::new(&c.graph, &c.formula_nodes);
    let right = Expressions::new(&m.graph, &c.reference_nodes);
    let verdicts = match (Query::ProveEqual { left, right }).verdicts(&Assumptions::default()) {
        Ok(verdicts) => verdicts,
        Err(e) => return format!("The symbolic engine did not return a result: {e}."),
    };
    let n = m.n;
    let overall = Verdict::overall(&verdicts);
    match (overall.status(), overall) {
        (Status::Checked, _) => {
            format!(
                "At size {n}, the symbolic engine confirms these formulas at random points with 100 digits."
            )
        }
        (_, Verdict::Proved { .. }) => {
            format!("At size {n}, the symbolic engine proves these formulas with its own normal form.")
        }
        (_, Verdict::Refuted { difference, .. }) => {
            format!("At size {n}, the symbolic engine refutes these formulas: {difference}")
        }
        (_, Verdict::Undecided { reason, .. }) => {
            format!(
                "At size {n}, the symbolic engine cannot decide whether these formulas are correct: \
                 {reason}."
            )
        }
    }
}

/// Runs `dqdt prove`: proves that the formalisms agree with each other, and with the printed closed
/// forms.
fn prove_claims(source: &SpecSource) -> Result<ExitCode, Failure> {
    let start = Instant::now();
    let loaded = load_source(source)?;
    dqdt_generate::pipeline::check_functions(&loaded, &[dqdt_derivation::functions::DQDT])
        .map_err(Failure::Spec)?;
    source::check_memory_size(&loaded, &dqdt_mechanics::formalism::Formalism::ALL)?;
    let mut claims = prove::mechanism_claims(&loaded)?;
    let prove::Printed { claims: printed, missing } = prove::printed_forms_claims(&loaded)?;
    claims.extend(printed);
    let mut all = Vec::new();
    map_parallel_in_order(
        claims,
        |claim| {
            let start = Instant::now();
            let decision = prove::decide_claim(claim)?;
            Ok::<_, Failure>((decision, start.elapsed()))
        },
        |result| {
            let (decision, time) = result?;
            output::print_to_stdout(&claim_lines(&decision, time))?;
            all.push(decision);
            Ok::<_, Failure>(())
        },
    )?;
    if missing > 0 {
        output::print_to_stdout(&format!(
            "note       {missing} quantities have no closed form that is short enough to print\n"
        ))?;
    }
    output::print_to_stdout(&summarise_by_formalism(&all))?;
    let verdicts: Vec<_> = all.iter().map(prove::Decision::overall).collect();
    print_conclusion(
        &loaded.mechanism.name,
        "claim",
        &verdict_statuses(&verdicts),
        is_inexact(&verdicts),
        start,
    )
}

/// Runs `dqdt prove --against FILE`: compares the formulas of the file with the derived ones.
fn compare_with_file(source: &SpecSource, file: &Path) -> Result<ExitCode, Failure> {
    /// Maximum size of a file of formulas, in bytes.
    const LONGEST: usize = 64 << 20;

    let start = Instant::now();
    let spec = read::read_with(&source.spec, &source::read_settings(source)).map_err(Failure::Spec)?;
    let text = read_file_at_most(file, LONGEST).map_err(|e| Failure::from_file_error("read", file, e))?;
    let text = text.ok_or_else(|| {
        let long = std::io::Error::other(format!("the file is larger than {} MiB", LONGEST >> 20));
        Failure::from_file_error("read", file, long)
    })?;
    let against =
        prove::read_formula_file(&spec, &file.display().to_string(), text).map_err(Failure::Spec)?;
    let comparison = against.equality_claim(&file.display().to_string()).map_err(Failure::Spec)?;
    let decision = comparison.decide()?;
    for (entry, verdict) in decision.entries.iter().zip(&decision.verdicts) {
        output::print_to_stdout(&element_lines(entry, verdict))?;
    }
    let verdicts = &decision.verdicts;
    print_conclusion(&decision.title, "element", &verdict_statuses(verdicts), is_inexact(verdicts), start)
}

/// Summary of the verdicts of `dqdt prove`: for equations and accelerations, the formalisms of each
/// status.
fn summarise_by_formalism(all: &[dqdt_equations::prove::Decision]) -> String {
    use dqdt_equations::prove::FormalismPart;
    use dqdt_mechanics::formalism::Formalism;

    let mut text = String::new();
    for (part, name) in
        [(FormalismPart::Equations, "equations"), (FormalismPart::Accelerations, "accelerations")]
    {
        for known in [Status::Proved, Status::Checked, Status::Undecided, Status::Refuted] {
            let named: Vec<&str> = Formalism::ALL
                .iter()
                .filter(|f| {
                    let decisions = all.iter().filter(|d| d.about == Some((**f, part)));
                    decisions.map(dqdt_equations::prove::Decision::status).max() == Some(known)
                })
                .map(|f| f.name())
                .collect();
            if !named.is_empty() {
                let all = format!("{name} of {}", named.join(", "));
                text.push_str(&format!("{:<10} {}\n", known.status_word(), output::wrap_text(&all, 11)));
            }
        }
    }
    let note = dqdt_mechanics::formalism::independence_text();
    text.push_str(&format!("{:<10} {}\n", "note", output::wrap_text(&note, 11)));
    text
}

fn verdict_statuses(verdicts: &[Verdict]) -> Vec<Status> {
    verdicts.iter().map(Verdict::status).collect()
}

/// True if one of the proofs treats inexact constants as if they were exact.
fn is_inexact(verdicts: &[Verdict]) -> bool {
    verdicts.iter().any(|v| matches!(v, Verdict::Proved { inexact: true }))
}

/// Reason why there is no exact proof, as text for the report of `dqdt prove`.
fn describe_missing_proof(reason: &Reason) -> String {
    match reason {
        // A limit of one term means that no proof was attempted.
        Reason::TooLarge { limit: 1, .. } => {
            "no exact proof was attempted, because the mechanism has too many speeds".to_owned()
        }
        reason => format!("the exact proof was stopped: {reason}"),
    }
}

/// Text about an entry that is not proved; `None` if it is proved. `difference_is` introduces the
/// non-zero difference.
fn describe_unproved(name: &str, verdict: &Verdict, difference_is: &str) -> Option<String> {
    match verdict {
        Verdict::Proved { .. } => None,
        Verdict::Refuted { witness, difference, .. } => {
            let point: Vec<_> = witness.iter().map(|a| format!("{} = {}", a.name, a.value)).collect();
            Some(format!(
                "{name}: {difference_is} {difference}\n           which is not zero at {}",
                point.join(", ")
            ))
        }
        Verdict::Undecided { reason: Reason::OffConstraints, .. } => Some(format!(
            "{name}: the two sides are equal only where the constraints are satisfied, because only there \
             are the constraint rows selected by the pose linearly dependent; the random test points do not \
             satisfy the constraints, so the two sides differ"
        )),
        Verdict::Undecided { reason, largest, uncrossed, .. } => Some(match (largest, uncrossed) {
            (Some(x), Some(switch)) => {
                format!(
                    "{name}: {}; at points with 100 digits, the two sides differ by at most {x}, but no \
                     points were found on one side of the switch at {switch} = 0",
                    describe_missing_proof(reason)
                )
            }
            (Some(x), None) => {
                format!(
                    "{name}: {}; at random points with 100 digits, the two sides differ by at most {x}",
                    describe_missing_proof(reason)
                )
            }
            (None, _) => {
                format!(
                    "{name}: {}; too few random points were in the domain of the expressions",
                    describe_missing_proof(reason)
                )
            }
        }),
    }
}

/// Report lines about one element of a file of `prove --against`.
fn element_lines(name: &str, verdict: &Verdict) -> String {
    let word = verdict.status().status_word();
    format!(
        "{word:<10} {}\n",
        describe_unproved(name, verdict, "the derived expression minus the one in the file is")
            .unwrap_or_else(|| name.to_owned())
    )
}

/// Report lines about a claim of `dqdt prove`, with details of entries that were refuted or left
/// undecided.
fn claim_lines(d: &dqdt_equations::prove::Decision, time: std::time::Duration) -> String {
    use std::fmt::Write as _;

    let status = d.status();
    let noun = if d.verdicts.len() == 1 { "entry" } else { "entries" };
    let claim =
        format!("{} ({}\u{a0}{noun},\u{a0}{:.1}\u{a0}s)", d.title, d.verdicts.len(), time.as_secs_f64());
    let mut text =
        format!("{:<10} {}\n", status.status_word(), output::wrap_text(&claim, 11).replace('\u{a0}', " "));
    if let (Status::Checked, Verdict::Undecided { reason, .. }) = (status, d.overall()) {
        let how = format!("checked at random points with 100 digits; {}", describe_missing_proof(&reason));
        let _ = writeln!(text, "           {}", output::wrap_text(&how, 11));
        return text;
    }
    for (position, verdict) in d.verdicts.iter().enumerate().filter(|(_, v)| v.status() > Status::Checked) {
        let name = d.entries.get(position).map_or("an entry", String::as_str);
        text.extend(
            describe_unproved(name, verdict, "the two sides differ by").map(|e| format!("           {e}\n")),
        );
    }
    text
}
