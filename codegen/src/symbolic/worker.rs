//! Symbolic work as messages, here or in a child process.
//!
//! Problem: the restricted engine prints its licence notice on standard output, may abort the process when another
//!          program runs it too, and cannot be released while a process lives.
//! Method:  the command runs the work in a child of itself: the request goes to the child's standard input, the answer
//!          comes back in a file, and what the child says on standard output is passed on to standard error: the notice
//!          once for a process, and with an answer, since without one nothing of the engine is shown. The lock
//!          ends with the child. An abort becomes [`SymbolicError::Aborted`].
//! Limits:  in a process that owns the engine already the work is done in that process, since its child would wait
//!          for it forever.

use std::fs::File;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Serialize};

use super::closed::Closed;
use super::error::{Failure, SymbolicError};
use super::lagrange::{LagrangeRequest, LagrangeVerdicts, prove_lagrange};
use super::plain::Expressions;
use super::prove::{Assumptions, Verdict, prove_closed, prove_equal};
use super::session;
use super::simplify::{Form, closed_forms};

/// The hidden subcommand of the command; its argument is the path of the answer.
pub const SUBCOMMAND: &str = "__symbolic";

/// A task and what it may assume.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Request {
    /// Assumptions and limits.
    pub assumptions: Assumptions,
    /// The task.
    pub task: Task,
}

/// What is to be done.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum Task {
    /// Simplified closed forms of all outputs.
    ClosedForms {
        /// The outputs.
        expressions: Expressions,
    },
    /// Equality of outputs, position by position; symbols are matched by kind.
    ProveEqual {
        /// One side.
        left: Expressions,
        /// The other.
        right: Expressions,
    },
    /// Equality of outputs with closed forms, printed ones for example.
    ProveClosed {
        /// The outputs.
        expressions: Expressions,
        /// One form an output.
        forms: Vec<Closed>,
    },
    /// Lagrange's equations by the engine's calculus against given ones.
    ProveLagrange {
        /// Energies and equations.
        request: LagrangeRequest,
    },
}

/// The answer.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum Response {
    /// One form an output.
    Forms(Vec<Form>),
    /// One verdict a pair.
    Verdicts(Vec<Verdict>),
    /// One verdict an entry.
    Lagrange(LagrangeVerdicts),
    /// Nothing but an error.
    Failed(Failure),
}

/// Does the work in this process. The engine's licence notice goes to standard output.
pub fn run_here(request: Request) -> Result<Response, SymbolicError> {
    let assumptions = &request.assumptions;
    Ok(match request.task {
        Task::ClosedForms { expressions } => Response::Forms(closed_forms(expressions, assumptions)?),
        Task::ProveEqual { left, right } => Response::Verdicts(prove_equal(left, right, assumptions)?),
        Task::ProveClosed { expressions, forms } => {
            Response::Verdicts(prove_closed(expressions, forms, assumptions)?)
        }
        Task::ProveLagrange { request } => Response::Lagrange(prove_lagrange(request, assumptions)?),
    })
}

/// The child's side: reads a request, does the work, writes the answer. A failed task is an answer too.
pub fn serve(mut request: impl Read, answer: &Path) -> Result<(), SymbolicError> {
    let io = |what| move |source| SymbolicError::Io { what, source };
    let mut text = String::new();
    request.read_to_string(&mut text).map_err(io("read the symbolic request"))?;
    let response = serde_json::from_str(&text).map_err(SymbolicError::from).and_then(run_here);
    let response = response.unwrap_or_else(|error| Response::Failed(Failure::from(&error)));
    let text = serde_json::to_string(&response)?;
    std::fs::write(answer, text).map_err(io("write the symbolic answer"))
}

/// Does the work in a child process, `exe __symbolic <answer file>`. What the child prints goes to standard error.
pub fn run_in_child(exe: &Path, request: Request) -> Result<Response, SymbolicError> {
    match session::while_idle(|| in_child(exe, &request)) {
        Some(response) => response,
        None => run_here(request),
    }
}

fn in_child(exe: &Path, request: &Request) -> Result<Response, SymbolicError> {
    let io = |what| move |source| SymbolicError::Io { what, source };
    let text = serde_json::to_string(request)?;
    let answer = Answer::new()?;
    let mut child = Command::new(exe)
        .arg(SUBCOMMAND)
        .arg(&answer.0)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(io("start the symbolic child process"))?;
    if let Some(mut stdin) = child.stdin.take() {
        // A child that died early does not read; its status says more than the broken pipe.
        let _ = stdin.write_all(text.as_bytes());
    }
    let mut said = Vec::new();
    if let Some(mut stdout) = child.stdout.take() {
        // What cannot be read is not passed on; the work goes on.
        let _ = stdout.read_to_end(&mut said);
    }
    let status = child.wait().map_err(io("wait for the symbolic child process"))?;
    if !status.success() {
        let text = status.to_string();
        return Err(if aborted(status) {
            SymbolicError::Aborted { status: text }
        } else {
            SymbolicError::Child { status: text }
        });
    }
    let text = std::fs::read_to_string(&answer.0).map_err(io("read the symbolic answer"))?;
    match serde_json::from_str(&text)? {
        Response::Failed(failure) => Err(SymbolicError::Reported(failure)),
        response => {
            pass_on(&said);
            Ok(response)
        }
    }
}

/// What children said last.
static SAID: Mutex<Vec<u8>> = Mutex::new(Vec::new());

/// To standard error, unless the child before said the same.
fn pass_on(said: &[u8]) {
    let mut last = SAID.lock().unwrap_or_else(PoisonError::into_inner);
    if *last != said {
        // Standard error may be closed; the work goes on.
        let _ = std::io::stderr().write_all(said);
        *last = said.to_vec();
    }
}

/// True if a signal ended the process (or what a shell or Windows make of one).
fn aborted(status: ExitStatus) -> bool {
    status.code().is_none_or(|code| code == 134 || code == 3 || code < 0)
}

/// A file of our own that goes when it is no longer needed.
struct Answer(PathBuf);

static COUNT: AtomicU64 = AtomicU64::new(0);

impl Answer {
    fn new() -> Result<Self, SymbolicError> {
        let mut last = None;
        for _ in 0..100 {
            let count = COUNT.fetch_add(1, Ordering::Relaxed);
            let name = format!("dqdt-symbolic-{}-{count}.json", std::process::id());
            let path = std::env::temp_dir().join(name);
            match File::options().write(true).create_new(true).open(&path) {
                Ok(_) => return Ok(Answer(path)),
                Err(error) => last = Some(error),
            }
        }
        let source = last.unwrap_or_else(|| std::io::ErrorKind::AlreadyExists.into());
        Err(SymbolicError::Io { what: "make a file for the symbolic answer", source })
    }
}

impl Drop for Answer {
    fn drop(&mut self) {
        // What is left in the temporary folder does no harm.
        let _ = std::fs::remove_file(&self.0);
    }
}
