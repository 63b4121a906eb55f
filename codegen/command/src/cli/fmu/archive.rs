//! The archive of a functional mock-up unit: the same files give the same bytes.

use std::io::{Cursor, Write};

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

use super::binary::Binary;
use dqdt_targets::fmu::FmuFiles;

/// Packs the text files and the binary of a unit, all with one date.
///
/// # Errors
/// Errors of the archive, which is written to memory.
pub(super) fn pack_unit(unit: &FmuFiles, binary: Option<&Binary>) -> Result<Vec<u8>, zip::result::ZipError> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Stored)
        .last_modified_time(DateTime::default())
        .unix_permissions(0o644);
    for file in &unit.files {
        archive.start_file(file.path.as_str(), options)?;
        archive.write_all(file.text.as_bytes())?;
    }
    if let Some(binary) = binary {
        archive.start_file(binary.path.as_str(), options.unix_permissions(0o755))?;
        archive.write_all(&binary.bytes)?;
    }
    Ok(archive.finish()?.into_inner())
}
