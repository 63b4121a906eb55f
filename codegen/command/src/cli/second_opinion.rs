//! `dqdt prove --engine symbolica`: compares Kane's equations with Lagrange's, derived by
//! Symbolica.

use std::process::ExitCode;
use std::time::Instant;

use super::conclusion::print_conclusion;
use super::output;
use super::source::{Failure, SpecSource, load_source};
use dqdt_equations::prove;
use dqdt_equations::symbolic::Status;
use dqdt_second_opinion::{EntryVerdict, compare_lagrange_equations};

/// Runs `dqdt prove --engine symbolica`: prints the overall verdict, a line per entry that is not
/// equal, and the summary line.
pub(super) fn prove_with_symbolica(source: &SpecSource) -> Result<ExitCode, Failure> {
    let start = Instant::now();
    let loaded = load_source(source)?;
    let (entries, texts) =
        prove::lagrange_claim_texts(&loaded.mechanism).map_err(|e| symbolica_failure(&e))?;
    let verdicts = compare_lagrange_equations(&texts).map_err(|e| symbolica_failure(&e))?;
    let verdicts: Vec<EntryVerdict> = verdicts.mass.into_iter().chain(verdicts.bias).collect();
    let statuses: Vec<Status> = verdicts.iter().map(entry_status).collect();
    let all = statuses.iter().copied().max().unwrap_or(Status::Proved);
    let title = "Symbolica: the closed forms of Kane's M and c − Q equal those of Lagrange's equations, \
                 which Symbolica derives from T and V";
    output::print_to_stdout(&format!("{:<10} {}\n", all.status_word(), output::wrap_text(title, 11)))?;
    for (name, verdict) in entries.iter().zip(&verdicts) {
        let text = match verdict {
            EntryVerdict::Equal => continue,
            EntryVerdict::Different { numerator } => {
                format!("{name}: the numerator of the difference is {numerator}")
            }
            EntryVerdict::Open { reason } => format!("{name}: {reason}"),
        };
        output::print_to_stdout(&format!("           {}\n", output::wrap_text(&text, 11)))?;
    }
    print_conclusion(&loaded.mechanism.name, "element", &statuses, false, start)
}

fn symbolica_failure(e: &dyn std::error::Error) -> Failure {
    Failure::Option { option: "--engine symbolica", message: e.to_string() }
}

fn entry_status(verdict: &EntryVerdict) -> Status {
    match verdict {
        EntryVerdict::Equal => Status::Proved,
        EntryVerdict::Different { .. } => Status::Refuted,
        EntryVerdict::Open { .. } => Status::Undecided,
    }
}
