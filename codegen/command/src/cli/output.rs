//! Output of commands: atomic writes of files, and standard output without panics.

use std::io::Write;
use std::path::{Path, PathBuf};

use super::source::{Failure, SpecSource};
use dqdt_diagnostics::base::{InternalError, is_same_file};
use dqdt_generate::pipeline;
use dqdt_view::figure;

/// Prints to standard output; a closed standard output is an error, not a panic.
pub(super) fn print_to_stdout(text: &str) -> Result<(), Failure> {
    if dqdt_stdio::standard_output_was_closed() && !text.is_empty() {
        let closed = std::io::Error::other("standard output was closed when the command started");
        return Err(Failure::from_file_error("write", Path::new("standard output"), closed));
    }
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes())
        .and_then(|()| out.flush())
        .map_err(|e| Failure::from_file_error("write", Path::new("standard output"), e))
}

/// Wraps text at 100 columns. Continuation lines are indented by `indent`; the first line is
/// assumed to start there too.
pub(super) fn wrap_text(text: &str, indent: usize) -> String {
    let mut out = String::new();
    let mut column = indent;
    for word in text.split(' ') {
        let length = word.chars().count();
        if column > indent && column + 1 + length > 100 {
            out.push('\n');
            out.push_str(&" ".repeat(indent));
            column = indent;
        } else if column > indent {
            out.push(' ');
            column += 1;
        }
        out.push_str(word);
        column += length;
    }
    out
}

/// Refuses an output that would overwrite a file that the command reads, or another output of the
/// command.
///
/// `outputs`: options with their paths; `inputs`: files read in addition to those of the spec.
pub(super) fn check_distinct_files(
    source: &SpecSource,
    inputs: &[Option<&Path>],
    outputs: &[(&'static str, Option<&Path>)],
) -> Result<(), Failure> {
    let inputs: Vec<PathBuf> = (dqdt_import::read::files(&source.spec).into_iter())
        .chain(inputs.iter().flatten().map(|p| p.to_path_buf()))
        .collect();
    let files = outputs.iter().filter_map(|(option, path)| Some((*option, (*path)?)));
    let files: Vec<_> = files.filter(|(_, path)| path.as_os_str() != "-").collect();
    for (i, (option, path)) in files.iter().enumerate() {
        let conflict = |what: String| Failure::Option {
            option,
            message: format!("{} is {what}: choose another file", path.display()),
        };
        if let Some(read) = inputs.iter().find(|read| is_same_file(read, path)) {
            return Err(conflict(format!("read by this command ({})", read.display())));
        }
        if let Some((first, _)) =
            files[..i].iter().find(|(_, p)| (p == path || is_same_file(p, path)) && is_plain_or_new(path))
        {
            return Err(conflict(format!("also written by {first}")));
        }
    }
    Ok(())
}

/// True if the path is that of a plain file, or of none yet: only such outputs can be replaced.
fn is_plain_or_new(path: &Path) -> bool {
    std::fs::metadata(path).map_or(true, |m| m.is_file())
}

/// Checks the path of a plot (SVG or PNG by its extension); a `value_parser` of clap.
pub(super) fn parse_plot_path(name: &str) -> Result<PathBuf, String> {
    check_extension(name, "a plot must be an SVG or PNG file", &["svg", "png"])
}

/// Checks the path of an animation (HTML by its extension); a `value_parser` of clap.
pub(super) fn parse_animation_path(name: &str) -> Result<PathBuf, String> {
    check_extension(name, "an animation must be an HTML file", &["html", "htm"])
}

/// Checks the path of a table (CSV by its extension); a `value_parser` of clap.
pub(super) fn parse_table_path(name: &str) -> Result<PathBuf, String> {
    check_extension(name, "a table must be a CSV file", &["csv", "txt", "dat"])
}

/// Path of an output file, if its extension, if any, belongs to the format.
fn check_extension(name: &str, format: &str, endings: &[&str]) -> Result<PathBuf, String> {
    let path = PathBuf::from(name);
    let ending = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    if ending.is_empty() || endings.contains(&ending.as_str()) {
        return Ok(path);
    }
    Err(format!("{format}: use a file name that ends with .{}", endings[0]))
}

/// Writes a file atomically: first under a temporary name, then renamed, so that an interrupted run
/// leaves the old file intact.
pub(super) fn write_file(path: &Path, text: &str) -> Result<(), Failure> {
    pipeline::write_if_changed(path, text).map(|_| ()).map_err(|e| Failure::from_file_error("write", path, e))
}

/// Writes a figure as PNG if the path has that extension, otherwise as SVG.
pub(super) fn write_picture(path: &Path, svg: &str) -> Result<(), Failure> {
    if !path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("png")) {
        return write_file(path, svg);
    }
    write_png("--plot", path, svg)
}

/// Renders an SVG figure to PNG and writes it; `option` is named in errors.
pub(super) fn write_png(option: &'static str, path: &Path, svg: &str) -> Result<(), Failure> {
    let png = figure::png(svg).ok_or_else(|| {
        let message = "this `dqdt` was built without PNG support: use a file name that ends with .svg, or \
                       rebuild `dqdt` with `--features png`";
        Failure::Option { option, message: message.to_owned() }
    })?;
    let png = png.map_err(|e| {
        Failure::Spec(InternalError::new(format!("cannot render a figure as PNG: {e}")).into())
    })?;
    if !png.missing.is_empty() {
        let list: String = png.missing.iter().map(|c| format!(" {c}")).collect();
        dqdt_diagnostics::tell!(
            "warning: the font for PNG output lacks the characters{list}, which are omitted from {}; SVG \
             output uses the fonts of the viewer",
            path.display()
        );
    }
    pipeline::write_if_changed(path, png.bytes)
        .map(|_| ())
        .map_err(|e| Failure::from_file_error("write", path, e))
}

/// Writes to the file, or to standard output if there is no path.
pub(super) fn write_or_print(path: Option<&Path>, text: &str) -> Result<(), Failure> {
    match path {
        Some(path) => write_file(path, text),
        None => print_to_stdout(text),
    }
}
