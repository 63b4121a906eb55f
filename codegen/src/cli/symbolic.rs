//! The symbolic engine as the command uses it: in a child process, so that its notices and its licence never touch
//! standard output. Without the feature `symbolica` there is none, and the command says so.

#[cfg(feature = "symbolica")]
pub(super) use with_engine::{closed_forms, run, serve};
#[cfg(not(feature = "symbolica"))]
pub(super) use without_engine::{closed_forms, serve};

#[cfg(feature = "symbolica")]
mod with_engine {
    use std::path::Path;
    use std::process::ExitCode;

    use crate::cli::Failure;
    use crate::inspect::{ClosedForms, closed_forms_by};
    use crate::mechanism::Mechanism;
    use crate::symbolic::{self, Request, Response, SymbolicError};

    /// Runs a request in a child of this command.
    pub(in crate::cli) fn run(request: Request) -> Result<Response, SymbolicError> {
        match std::env::current_exe() {
            Ok(exe) => symbolic::run_in_child(&exe, request),
            Err(_) => symbolic::run_here(request),
        }
    }

    pub(in crate::cli) fn closed_forms(m: &Mechanism) -> Box<ClosedForms<'static>> {
        closed_forms_by(m, run)
    }

    /// The child's side.
    pub(in crate::cli) fn serve(response: &Path) -> Result<ExitCode, Failure> {
        symbolic::serve(std::io::stdin(), response)?;
        Ok(ExitCode::SUCCESS)
    }
}

#[cfg(not(feature = "symbolica"))]
mod without_engine {
    use std::path::Path;
    use std::process::ExitCode;

    use crate::cli::Failure;
    use crate::inspect::ClosedForms;
    use crate::mechanism::Mechanism;

    pub(in crate::cli) fn closed_forms(_: &Mechanism) -> Box<ClosedForms<'static>> {
        Box::new(|_, nodes| nodes.iter().map(|_| Err(Failure::NoEngine.to_string())).collect())
    }

    pub(in crate::cli) fn serve(_: &Path) -> Result<ExitCode, Failure> {
        Err(Failure::NoEngine)
    }
}
