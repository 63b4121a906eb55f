//! `dqdt prove --engine symbolica`: compares Kane's equations with Lagrange's, derived by
//! Symbolica.

use std::process::ExitCode;
use std::time::Instant;

use super::conclusion::conclude;
use super::output;
use super::source::{Failure, Source, load};
use dqdt_equations::prove;
use dqdt_equations::symbolic::Status;
use dqdt_second_opinion::{Answer, lagrange};

/// Prints the overall verdict, a line per entry that is not equal, and the summary line of
/// `dqdt prove`.
pub(super) fn run(source: &Source) -> Result<ExitCode, Failure> {
    let start = Instant::now();
    let loaded = load(source)?;
    let (entries, texts) = prove::lagrange_texts(&loaded.mechanism).map_err(|e| refused(&e))?;
    let answers = lagrange(&texts).map_err(|e| refused(&e))?;
    let answers: Vec<Answer> = answers.mass.into_iter().chain(answers.bias).collect();
    let statuses: Vec<Status> = answers.iter().map(status).collect();
    let all = statuses.iter().copied().max().unwrap_or(Status::Proved);
    let title = "Symbolica: the closed forms of Kane's M and c − Q are those of Lagrange's equations that it derives \
                 from T and V";
    output::print(&format!("{:<10} {}\n", all.word(), output::wrapped(title, 11)))?;
    for (name, answer) in entries.iter().zip(&answers) {
        let text = match answer {
            Answer::Equal => continue,
            Answer::Different { numerator } => {
                format!("{name}: the difference has the numerator {numerator}")
            }
            Answer::Open { reason } => format!("{name}: {reason}"),
        };
        output::print(&format!("           {}\n", output::wrapped(&text, 11)))?;
    }
    conclude(&loaded.mechanism.name, "element", &statuses, false, start)
}

fn refused(e: &dyn std::error::Error) -> Failure {
    Failure::Option { option: "--engine symbolica", message: e.to_string() }
}

fn status(answer: &Answer) -> Status {
    match answer {
        Answer::Equal => Status::Proved,
        Answer::Different { .. } => Status::Refuted,
        Answer::Open { .. } => Status::Undecided,
    }
}
