//! Symbolic work as messages, here or in a child process.
//!
//! Problem: the restricted engine prints its licence notice on standard output, aborts the process when another
//!          program runs it too, and cannot be released while a process lives.
//! Method:  the command runs the work in a child of itself, over the child's standard streams: the request goes in as its
//!          length and that many bytes; the answer comes out likewise, behind a mark that no notice has. What else the
//!          child prints goes to standard error: the notice once for a process, and with an answer, since without one
//!          nothing of the engine is shown. The lock ends with the child. The request's stream stays open: when it
//!          closes the parent has gone, and the child ends too. No file is made.
//! Limits:  in a process that owns the engine already the work is done in that process, since its child would wait
//!          for it forever.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::closed::Closed;
use super::error::{Failure, SymbolicError};
use super::expressions::Expressions;
use super::lagrange::{LagrangeRequest, LagrangeVerdicts, prove_lagrange};
use super::prove::{Assumptions, Verdict, prove_closed, prove_equal};
use super::session;
use super::simplify::{Simplified, closed_forms};

/// The hidden subcommand of the command.
pub const SUBCOMMAND: &str = "__symbolic";

/// Stands on a line of its own before the length of the answer.
const MARK: &str = "@@ answer of the symbolic child process";

/// An engine that aborts within this time was refused its place by another one. Work that ends so is older.
const REFUSED_WITHIN: Duration = Duration::from_secs(5);
/// Refusals that are waited for, five minutes in all.
const REFUSALS: u32 = 150;

/// A query and what it may assume.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct SymbolicRequest {
    /// Assumptions and limits.
    pub assumptions: Assumptions,
    /// The query.
    pub query: Query,
}

/// What is to be done.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum Query {
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
    Forms(Vec<Simplified>),
    /// One verdict a pair.
    Verdicts(Vec<Verdict>),
    /// One verdict an entry.
    Lagrange(LagrangeVerdicts),
    /// Nothing but an error.
    Failed(Failure),
}

/// Does the work in this process. The engine's licence notice goes to standard output.
pub fn run_here(request: SymbolicRequest) -> Result<Response, SymbolicError> {
    let assumptions = &request.assumptions;
    Ok(match request.query {
        Query::ClosedForms { expressions } => Response::Forms(closed_forms(expressions, assumptions)?),
        Query::ProveEqual { left, right } => Response::Verdicts(prove_equal(left, right, assumptions)?),
        Query::ProveClosed { expressions, forms } => {
            Response::Verdicts(prove_closed(expressions, forms, assumptions)?)
        }
        Query::ProveLagrange { request } => Response::Lagrange(prove_lagrange(request, assumptions)?),
    })
}

/// The child's side over its standard streams. Ends the process when standard input closes before the answer is out.
///
/// # Errors
/// Streams that cannot be read or written. A failed query is an answer.
pub fn serve() -> Result<(), SymbolicError> {
    let request = receive(&mut std::io::stdin().lock());
    // This thread never touches the engine.
    std::thread::spawn(|| {
        // Nothing comes any more: this returns when the parent has closed the stream, or died.
        let _ = std::io::copy(&mut std::io::stdin().lock(), &mut std::io::sink());
        std::process::exit(1);
    });
    let answer = respond(&request?)?;
    let mut out = std::io::stdout().lock();
    write!(out, "\n{MARK}\n{}\n{answer}\n", answer.len())
        .and_then(|()| out.flush())
        .map_err(io("write the symbolic answer"))
}

/// The answer to the text of a request. A request that cannot be read and a failed query are answers too.
///
/// # Errors
/// An answer that is no JSON.
pub fn respond(request: &str) -> Result<String, SymbolicError> {
    let response = serde_json::from_str(request).map_err(SymbolicError::from).and_then(run_here);
    let response = response.unwrap_or_else(|error| Response::Failed(Failure::from(&error)));
    Ok(serde_json::to_string(&response)?)
}

fn io(what: &'static str) -> impl Fn(std::io::Error) -> SymbolicError {
    move |source| SymbolicError::Io { what, source }
}

/// A length on a line and that many bytes.
fn receive(from: &mut impl BufRead) -> Result<String, SymbolicError> {
    let failed = io("read a symbolic message");
    let mut line = String::new();
    from.read_line(&mut line).map_err(&failed)?;
    let length: usize = line.trim().parse().map_err(|_| failed(std::io::ErrorKind::UnexpectedEof.into()))?;
    let mut text = vec![0; length];
    from.read_exact(&mut text).map_err(&failed)?;
    String::from_utf8(text).map_err(|_| failed(std::io::ErrorKind::InvalidData.into()))
}

/// Does the work in a child process, `exe __symbolic`. What the child prints goes to standard error. While another
/// program's engine holds the machine it waits and says so.
///
/// # Errors
/// As the work itself; a child that could not be started or failed.
pub fn run_in_child(exe: &Path, request: SymbolicRequest) -> Result<Response, SymbolicError> {
    match session::while_idle(|| in_child(exe, &request)) {
        Some(response) => response,
        None => run_here(request),
    }
}

fn in_child(exe: &Path, request: &SymbolicRequest) -> Result<Response, SymbolicError> {
    let text = serde_json::to_string(request)?;
    let mut refusals = 0;
    loop {
        let began = Instant::now();
        let answer = ask(exe, &text);
        let refused =
            matches!(answer, Err(SymbolicError::Aborted { .. })) && began.elapsed() < REFUSED_WITHIN;
        if !refused || refusals == REFUSALS {
            return answer;
        }
        if refusals == 0 {
            dqdt_diagnostics::tell!("dqdt: the symbolic engine is in use by another program; waiting for it");
        }
        refusals += 1;
        std::thread::sleep(Duration::from_millis(100 * u64::from(refusals.min(20))));
    }
}

/// One child, one question.
fn ask(exe: &Path, request: &str) -> Result<Response, SymbolicError> {
    let mut child = Command::new(exe)
        .arg(SUBCOMMAND)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(io("start the symbolic child process"))?;
    // Kept until the answer is there: the child takes its end for ours.
    let mut stdin = child.stdin.take();
    if let Some(stdin) = &mut stdin {
        // A child that died early does not read; its status says more than the broken pipe.
        let _ = write!(stdin, "{}\n{request}", request.len()).and_then(|()| stdin.flush());
    }
    let mut said = Vec::new();
    let answer = child.stdout.take().map(|out| listen(BufReader::new(out), &mut said));
    drop(stdin);
    let status = end(&mut child)?;
    match answer {
        Some(Ok(Some(text))) => match serde_json::from_str(&text)? {
            Response::Failed(failure) => Err(SymbolicError::Reported(failure)),
            response => {
                pass_on(&said);
                Ok(response)
            }
        },
        _ if aborted(status) => Err(SymbolicError::Aborted { status: status.to_string() }),
        Some(Err(error)) if status.success() => Err(error),
        _ => Err(SymbolicError::Child { status: status.to_string() }),
    }
}

/// The answer in what a child prints, the rest in `said`. `None` if there is no answer.
fn listen(mut out: impl BufRead, said: &mut Vec<u8>) -> Result<Option<String>, SymbolicError> {
    let mut line = Vec::new();
    while out.read_until(b'\n', &mut line).is_ok_and(|n| n > 0) {
        if line.trim_ascii_end() == MARK.as_bytes() {
            let answer = receive(&mut out)?;
            // To the end: a child that writes into a closed pipe would report it.
            let _ = std::io::copy(&mut out, &mut std::io::sink());
            return Ok(Some(answer));
        }
        // The empty line before the mark is ours.
        if !line.trim_ascii().is_empty() {
            said.extend_from_slice(&line);
        }
        line.clear();
    }
    Ok(None)
}

fn end(child: &mut Child) -> Result<ExitStatus, SymbolicError> {
    child.wait().map_err(io("wait for the symbolic child process"))
}

/// What children said last.
static SAID: Mutex<Vec<u8>> = Mutex::new(Vec::new());

/// To standard error, unless a child before said the same. A child that had no need of the engine says nothing.
fn pass_on(said: &[u8]) {
    let mut last = SAID.lock().unwrap_or_else(PoisonError::into_inner);
    if !said.is_empty() && *last != said {
        // Standard error may be closed; the work goes on.
        let _ = std::io::stderr().write_all(said);
        *last = said.to_vec();
    }
}

/// True if a signal ended the process (or what a shell or Windows make of one).
fn aborted(status: ExitStatus) -> bool {
    status.code().is_none_or(|code| code == 134 || code == 3 || code < 0)
}
