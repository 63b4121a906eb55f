//! `--motion`: a motion that another program made, shown in place of one that is integrated.

use std::path::Path;

use crate::cli::source::Failure;
use crate::ir::Layout;
use crate::read;
use crate::simulate::Motion;

/// The rows of a table as a motion: all coordinates; speeds and states of the user where it has them, else zero.
///
/// # Errors
/// If the file is no table, or a coordinate is missing.
pub(super) fn read(path: &Path, layout: &Layout) -> Result<Motion, Failure> {
    let table = read::motion(path).map_err(Failure::Spec)?;
    let missing: Vec<&str> =
        layout.q.iter().map(|s| s.name.as_str()).filter(|name| table.column(name).is_none()).collect();
    if !missing.is_empty() {
        let found: Vec<&str> = table.names().collect();
        let message = format!(
            "{} has no column for `{}`\n\nhelp: it has {}; the first row names the columns, `t` and all coordinates as the spec calls \
             them, angles in radians",
            path.display(),
            missing.join("`, `"),
            if found.is_empty() { "`t` alone".to_owned() } else { found.join(", ") }
        );
        return Err(Failure::Option { option: "--motion", message });
    }
    let times = table.times().to_vec();
    let names: Vec<&str> =
        layout.q.iter().chain(&layout.v).chain(&layout.z).map(|s| s.name.as_str()).collect();
    let value = |name: &&str, k: usize| table.column(name).and_then(|c| c.get(k)).copied().unwrap_or(0.0);
    let states = (0..times.len()).map(|k| names.iter().map(|name| value(name, k)).collect()).collect();
    let work = vec![0.0; times.len()];
    Ok(Motion {
        times,
        states,
        work,
        taken: 0.0,
        events: Vec::new(),
        ended: false,
        stopped: None,
        evaluations: 0,
        steps: 0,
        jacobians: 0,
    })
}
