//! `dqdt inspect --watch`: a page that follows the spec.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, SystemTime};

use super::output;
use super::source::{Failure, SpecSource};
use dqdt_document::report::Report;
use dqdt_view::report::print_live_html;

/// Time between two looks at the files.
const PAUSE: Duration = Duration::from_millis(150);

/// Time of the last change and length of a file; `None` if it cannot be read.
type FileState = Option<(SystemTime, u64)>;

fn file_state(path: &PathBuf) -> FileState {
    let metadata = std::fs::metadata(path).ok()?;
    Some((metadata.modified().ok()?, metadata.len()))
}

/// Writes the report as a live page whenever a file of the spec changes; ends with the process. If
/// the spec has errors, the page shows them above the last report.
pub(super) fn watch(
    source: &SpecSource,
    output: &Path,
    build: impl Fn() -> Result<Report, Failure>,
) -> Result<ExitCode, Failure> {
    let mut last = Report::new(source.spec.display().to_string(), String::new());
    loop {
        let files = dqdt_import::read::files(&source.spec);
        let states: Vec<FileState> = files.iter().map(file_state).collect();
        let page = match build() {
            Ok(report) => {
                last = report;
                print_live_html(&last, None)
            }
            Err(e) => {
                match &e {
                    Failure::Spec(errors) => dqdt_diagnostics::tell_on!("{}", errors.render(false)),
                    e => dqdt_diagnostics::tell!("error: {e}"),
                }
                print_live_html(&last, Some(&e.to_string()))
            }
        };
        output::write_or_print(Some(output), &page)?;
        dqdt_diagnostics::tell!("wrote {}", output.display());
        while files.iter().map(file_state).eq(states.iter().copied()) {
            std::thread::sleep(PAUSE);
        }
    }
}
