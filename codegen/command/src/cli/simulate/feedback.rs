//! `--feedback`: linear feedback along a motion, read from a file.

use super::options::Simulate;
use crate::cli::source::Failure;
use crate::cli::state_file::StateFile;
use dqdt_diagnostics::base::read_text_file_at_most;
use dqdt_mechanics::mechanism::Mechanism;
use dqdt_motion::simulate::{Feedback, InputSetting, read_feedback_file};

/// Maximum length of a feedback file in bytes.
const LONGEST: usize = 16 << 20;

/// Reads the file of `--feedback`, if there is one, for a mechanism with the input laws of the
/// command line. Prints a note about inputs of the file of `--at` that the feedback replaces.
pub(super) fn read_feedback(
    command: &Simulate,
    m: &Mechanism,
    at: Option<&StateFile>,
) -> Result<Option<Feedback>, Failure> {
    let Some(path) = &command.feedback else { return Ok(None) };
    let text =
        read_text_file_at_most(path, LONGEST).map_err(|e| Failure::from_file_error("read", path, e))?;
    let settings = m.inputs.iter().filter(|u| u.law.is_some()).map(|u| {
        let is_varied = command.vary.as_ref().is_some_and(|v| v.name == u.name);
        InputSetting { name: u.name.clone(), by: if is_varied { "`--vary`" } else { "`--input`" }.to_owned() }
    });
    let settings: Vec<InputSetting> = settings.collect();
    let feedback =
        read_feedback_file(&path.display().to_string(), &text, m, &settings).map_err(Failure::Spec)?;
    if let Some(at) = at {
        let entries = at.remaining_entries();
        let replaced = feedback.inputs().iter().map(|i| m.inputs[*i].name.as_str());
        for name in replaced.filter(|name| entries.get("u").is_some_and(|u| u.get(name).is_some())) {
            let place = at.place.display();
            dqdt_diagnostics::tell!("note: {place}: `u.{name}` is ignored, because `--feedback` sets it");
        }
    }
    Ok(Some(feedback))
}
