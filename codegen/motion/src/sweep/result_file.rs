//! Results file of a sweep: lines are appended whole, and a file that was cut goes on.
//!
//! Problem: a process can be killed at any instant, and must lose at most the points that run.
//! Method:  a line is written by one call, with its line break. A last line without one is cut off
//!          when the file is continued. Points end in any order; the file is sorted at the end, by
//!          an atomic replacement. A lock refuses a second process.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::error::SweepError;
use super::fingerprint::SweepFingerprint;
use super::row::{FIRST_COLUMNS, parse_row};
use super::shard::Shard;
use dqdt_diagnostics::base::write_if_changed;

/// A results file that is being written.
#[derive(Debug)]
pub struct ResultFile {
    path: PathBuf,
    file: File,
    /// True for each point of the sweep with a line in the file.
    is_done: Vec<bool>,
    shard: Shard,
    /// Number of the last line; `None` if lines are not in order.
    last: Option<usize>,
    is_sorted: bool,
}

impl ResultFile {
    /// Creates the file, or continues it if `resume` is true. `head` has the first two lines, with
    /// `fingerprint` in the first.
    ///
    /// # Errors
    /// If the file exists and is not continued, belongs to another sweep, is damaged, or cannot be
    /// written.
    pub fn open(
        path: &Path,
        (fingerprint, head): (&SweepFingerprint, &str),
        shard: Shard,
        resume: bool,
    ) -> Result<Self, SweepError> {
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let file = options.open(path).map_err(|e| SweepError::from_file_error("write", path, e))?;
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => {
                let message = "another process writes this file: wait for its end, or choose another file";
                return Err(SweepError::from_content(path, message));
            }
            // Some network file systems have no locks.
            Ok(()) | Err(TryLockError::Error(_)) => {}
        }
        let is_done = vec![false; fingerprint.count()];
        let mut results =
            ResultFile { path: path.to_owned(), file, is_done, shard, last: None, is_sorted: true };
        results.read_lines((fingerprint, head), resume)?;
        Ok(results)
    }

    fn fail<T>(&self, message: impl Into<String>) -> Result<T, SweepError> {
        Err(SweepError::from_content(&self.path, message))
    }

    /// Reads the lines of the file, cuts an incomplete one off, and writes the head if it is
    /// missing.
    fn read_lines(
        &mut self,
        (fingerprint, head): (&SweepFingerprint, &str),
        resume: bool,
    ) -> Result<(), SweepError> {
        let mut bytes = Vec::new();
        self.file.read_to_end(&mut bytes).map_err(|e| SweepError::from_file_error("read", &self.path, e))?;
        if !bytes.is_empty() && !resume {
            return self.fail("the file exists: continue it with `--resume`, or choose another folder");
        }
        let end = bytes.iter().rposition(|b| *b == b'\n').map_or(0, |i| i + 1);
        let is_cut_in_head = bytes.len() < head.len() && head.as_bytes().starts_with(&bytes);
        let end = if is_cut_in_head { 0 } else { end };
        let text = std::str::from_utf8(bytes.get(..end).unwrap_or_default());
        let Ok(text) = text else { return self.fail("the file is not UTF-8 text: it is no results file") };
        if end > 0 || !is_cut_in_head {
            self.check_head(text, (fingerprint, head))?;
            self.read_rows(text.get(head.len()..).unwrap_or_default(), head)?;
        }
        let failed = |e| SweepError::from_file_error("write", &self.path, e);
        self.file.set_len(end as u64).map_err(failed)?;
        self.file.seek(SeekFrom::End(0)).map_err(failed)?;
        if end == 0 {
            self.file.write_all(head.as_bytes()).map_err(failed)?;
        }
        Ok(())
    }

    /// Checks that the file belongs to the sweep.
    fn check_head(
        &self,
        text: &str,
        (fingerprint, head): (&SweepFingerprint, &str),
    ) -> Result<(), SweepError> {
        if text.starts_with(head) {
            return Ok(());
        }
        let Some(other) = text.lines().next().and_then(SweepFingerprint::parse) else {
            return self.fail("this is not a results file of a sweep: choose another file or folder");
        };
        let differences = fingerprint.differences(&other);
        let what = if differences.is_empty() { "the columns".to_owned() } else { differences.join(" and ") };
        self.fail(format!(
            "this file belongs to another sweep: {what} changed since it was begun. Delete the file, choose another \
             folder, or restore what changed"
        ))
    }

    /// Marks the points of these lines as done.
    fn read_rows(&mut self, text: &str, head: &str) -> Result<(), SweepError> {
        let columns = head.lines().nth(1).unwrap_or_default().split(',').count();
        for (i, line) in text.lines().enumerate() {
            let number = parse_row(line, columns.saturating_sub(FIRST_COLUMNS.len())).map(|row| row.number);
            let known = number.filter(|n| *n < self.is_done.len() && self.shard.has(*n));
            let Some(number) = known else {
                return self.fail(format!("line {} is damaged: delete this line", i + 3));
            };
            self.note_line(number);
        }
        Ok(())
    }

    /// Records the line of a point.
    fn note_line(&mut self, number: usize) {
        self.is_sorted &= self.last.is_none_or(|last| last < number);
        self.last = Some(number);
        if let Some(is_done) = self.is_done.get_mut(number) {
            *is_done = true;
        }
    }

    /// Numbers of the points of the shard without a line.
    pub fn missing(&self) -> Vec<usize> {
        self.shard.numbers(self.is_done.len()).filter(|n| !self.is_done[*n]).collect()
    }

    /// Appends the line of a point, by one call of the system.
    ///
    /// # Errors
    /// Errors of the file system.
    pub fn append(&mut self, number: usize, line: &str) -> Result<(), SweepError> {
        self.file
            .write_all(line.as_bytes())
            .map_err(|e| SweepError::from_file_error("write", &self.path, e))?;
        self.note_line(number);
        Ok(())
    }

    /// Sorts the file, if points ended in another order than theirs, and returns its text.
    ///
    /// # Errors
    /// Errors of the file system.
    pub fn finish(mut self) -> Result<String, SweepError> {
        let mut text = String::new();
        (self.file.seek(SeekFrom::Start(0)))
            .and_then(|_| self.file.read_to_string(&mut text))
            .map_err(|e| SweepError::from_file_error("read", &self.path, e))?;
        if self.is_sorted {
            return Ok(text);
        }
        let mut lines: Vec<&str> = text.split_inclusive('\n').collect();
        let rows = lines.get_mut(2..).unwrap_or_default();
        rows.sort_by_key(|line| line.split(',').next().and_then(|n| n.parse::<usize>().ok()));
        // A point has one line unless two processes wrote the file; theirs are equal.
        lines.dedup();
        let sorted = lines.concat();
        write_if_changed(&self.path, &sorted)
            .map_err(|e| SweepError::from_file_error("write", &self.path, e))?;
        Ok(sorted)
    }
}
