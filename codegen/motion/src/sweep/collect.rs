//! Joins the results files of the shards of a sweep.

use std::path::{Path, PathBuf};

use super::error::SweepError;
use super::fingerprint::SweepFingerprint;
use super::row::{FIRST_COLUMNS, parse_row};

/// Joined results of a sweep.
#[derive(Clone, Debug)]
pub struct Collection {
    /// Text of the joined file: fingerprint, names of the columns, lines by number.
    pub text: String,
    /// Number of points of the whole sweep.
    pub count: usize,
    /// Numbers of the points without a line.
    pub missing: Vec<usize>,
    /// Number of the joined files.
    pub files: usize,
}

/// Maximum number of ranges of missing points in a message.
const NAMED: usize = 8;

impl Collection {
    /// The missing points as text: ranges, and their number.
    pub fn missing_text(&self) -> String {
        let mut ranges: Vec<(usize, usize)> = Vec::new();
        for number in &self.missing {
            match ranges.last_mut() {
                Some((_, last)) if *last + 1 == *number => *last = *number,
                _ => ranges.push((*number, *number)),
            }
        }
        let more = if ranges.len() > NAMED { ", …" } else { "" };
        let texts: Vec<String> = (ranges.iter().take(NAMED))
            .map(|(first, last)| if first == last { first.to_string() } else { format!("{first}–{last}") })
            .collect();
        format!("{} of {} points are missing: {}{more}", self.missing.len(), self.count, texts.join(", "))
    }
}

/// Joins the files `shard-*.csv` of a folder.
///
/// # Errors
/// If there are none, a file cannot be read or is damaged, files belong to different sweeps, or a
/// point has different lines.
pub fn collect_folder(folder: &Path) -> Result<Collection, SweepError> {
    let paths = shard_files(folder)?;
    let (Some(first), mut lines, mut head) = (paths.first(), Vec::new(), String::new()) else {
        let message = "the folder has no file `shard-….csv`: write them with `dqdt simulate --points`";
        return Err(SweepError::from_content(folder, message));
    };
    let mut fingerprint: Option<SweepFingerprint> = None;
    for (file, path) in paths.iter().enumerate() {
        let text = std::fs::read_to_string(path).map_err(|e| SweepError::from_file_error("read", path, e))?;
        // A line without a line break was cut off.
        let whole = text.rfind('\n').map_or("", |end| &text[..=end]);
        let mut rows = whole.split_inclusive('\n');
        let (Some(start), Some(names)) = (rows.next(), rows.next()) else {
            // A process was killed before it wrote a line.
            continue;
        };
        let Some(here) = SweepFingerprint::parse(start.trim_end()) else {
            return Err(SweepError::from_content(path, "this is not a results file of a sweep"));
        };
        match &fingerprint {
            None => {
                head = format!("{start}{names}");
                if lines.try_reserve_exact(here.count()).is_err() {
                    let message =
                        "the first line counts more points than fit into memory: the file is damaged";
                    return Err(SweepError::from_content(path, message));
                }
                lines.resize(here.count(), None);
                fingerprint = Some(here);
            }
            Some(expected) if head != format!("{start}{names}") => {
                let differences = expected.differences(&here);
                let what =
                    if differences.is_empty() { "columns".to_owned() } else { differences.join(" and ") };
                let message = format!(
                    "this file and {} belong to different sweeps: they differ in {what}. Delete the file that does \
                     not belong here",
                    first.display()
                );
                return Err(SweepError::from_content(path, message));
            }
            Some(_) => {}
        }
        let results = names.split(',').count().saturating_sub(FIRST_COLUMNS.len());
        store_lines((&paths, file), rows, results, &mut lines)?;
    }
    let missing = lines.iter().enumerate().filter(|(_, line)| line.is_none()).map(|(i, _)| i).collect();
    let mut text = head;
    lines.iter().flatten().for_each(|(line, _)| text.push_str(line));
    match fingerprint {
        Some(fingerprint) => Ok(Collection { text, count: fingerprint.count(), missing, files: paths.len() }),
        None => Err(SweepError::from_content(
            folder,
            "no file of a shard has a whole line: continue with `--resume`",
        )),
    }
}

/// Paths of the files of shards, by name.
fn shard_files(folder: &Path) -> Result<Vec<PathBuf>, SweepError> {
    let failed = |e| SweepError::from_file_error("read", folder, e);
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if name.starts_with("shard-") && name.ends_with(".csv") {
            paths.push(path);
        }
    }
    paths.sort();
    Ok(paths)
}

/// Stores the lines of a file, by its index, under the number of their point.
fn store_lines<'t>(
    (paths, file): (&[PathBuf], usize),
    rows: impl Iterator<Item = &'t str>,
    results: usize,
    lines: &mut [Option<(String, usize)>],
) -> Result<(), SweepError> {
    let path = paths[file].as_path();
    for (i, row) in rows.enumerate() {
        let number = parse_row(row.trim_end_matches('\n'), results).map(|row| row.number);
        let Some((number, line)) = number.and_then(|n| Some((n, lines.get_mut(n)?))) else {
            let message =
                format!("line {} is damaged: delete this line, and continue with `--resume`", i + 3);
            return Err(SweepError::from_content(path, message));
        };
        match line {
            Some((before, other)) if before != row => {
                let message = format!(
                    "the results of point {number} differ from those in {}: delete one of the two lines",
                    paths[*other].display()
                );
                return Err(SweepError::from_content(path, message));
            }
            Some(_) => {}
            None => *line = Some((row.to_owned(), file)),
        }
    }
    Ok(())
}
