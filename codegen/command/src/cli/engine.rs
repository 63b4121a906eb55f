//! The symbolic engine as the command uses it: in a child process, so that its notices and its licence never touch
//! standard output. Without the feature `symbolica` there is none, and the command says so.

mod prove;

use std::process::ExitCode;

pub(in crate::cli) use prove::prove;

use crate::cli::source::Failure;
use dqdt_equations::inspect::{ClosedForms, closed_forms_by};
use dqdt_equations::symbolic::{
    self, Assumptions, Expressions, Query, Response, Status, SymbolicError, SymbolicRequest, Verdict,
};
use dqdt_families::indexed::{Answer, Member, comparison};
use dqdt_mechanics::mechanism::Mechanism;

/// Runs a request in a child of this command.
pub(in crate::cli) fn run(request: SymbolicRequest) -> Result<Response, SymbolicError> {
    symbolic::run_here(request)
}

pub(in crate::cli) fn closed_forms(m: &Mechanism) -> Box<ClosedForms<'_>> {
    closed_forms_by(m, run)
}

/// What the engine says about the formulas of a family at its last member, in one sentence.
pub(in crate::cli) fn prove_formulas(answers: &[Answer], members: &[Member]) -> String {
    let Some(m) = members.last() else { return String::new() };
    let c = comparison(answers, m);
    let left = Expressions::new(&c.graph, &c.formulas);
    let right = Expressions::new(&m.graph, &c.derived);
    let query = Query::ProveEqual { left, right };
    let verdicts = match run(SymbolicRequest { assumptions: Assumptions::default(), query }) {
        Ok(Response::Verdicts(verdicts)) => verdicts,
        Ok(_) => return "The symbolic engine gave another answer.".to_owned(),
        Err(e) => return format!("The symbolic engine did not answer: {e}."),
    };
    let n = m.n;
    let overall = Verdict::overall(&verdicts);
    match (overall.status(), overall) {
        (Status::Checked, _) => {
            format!("The symbolic engine checks the same at random points of 100 digits at {n}.")
        }
        (_, Verdict::Proved { .. }) => {
            format!("The symbolic engine proves the same by its own normal form at {n}.")
        }
        (_, Verdict::Refuted { difference, .. }) => {
            format!("The symbolic engine refutes them at {n}: {difference}")
        }
        (_, Verdict::Undecided { reason, .. }) => {
            format!("The symbolic engine leaves it open at {n}: {reason}.")
        }
    }
}

/// The child's side.
pub(in crate::cli) fn serve() -> Result<ExitCode, Failure> {
    symbolic::serve()?;
    Ok(ExitCode::SUCCESS)
}

impl From<SymbolicError> for Failure {
    fn from(e: SymbolicError) -> Self {
        Failure::Engine(format!("the symbolic engine: {e}"))
    }
}
