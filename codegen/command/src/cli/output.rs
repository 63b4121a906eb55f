//! Writing files whole, and standard output without panics.

use std::io::Write;
use std::path::{Path, PathBuf};

use super::source::{Failure, Source};
use dqdt_diagnostics::base::{InternalError, same_file};
use dqdt_generate::pipeline;
use dqdt_view::figure;

/// Prints to standard output.
pub(super) fn print(text: &str) -> Result<(), Failure> {
    if dqdt_stdio::standard_output_was_closed() && !text.is_empty() {
        let closed = std::io::Error::other("it was closed when the command started");
        return Err(Failure::file("write", Path::new("standard output"), closed));
    }
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes())
        .and_then(|()| out.flush())
        .map_err(|e| Failure::file("write", Path::new("standard output"), e))
}

/// Lines of at most 100 columns, the second and later ones moved to the right; the first begins there too.
pub(super) fn wrapped(text: &str, indent: usize) -> String {
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

/// Sees to it that no output goes over a file that the command reads, or over another output. `outputs`: options with
/// their values; `inputs`: what is read besides the spec.
pub(super) fn apart(
    source: &Source,
    inputs: &[Option<&Path>],
    outputs: &[(&'static str, Option<&Path>)],
) -> Result<(), Failure> {
    let inputs: Vec<PathBuf> = (dqdt_import::read::files(&source.spec).into_iter())
        .chain(inputs.iter().flatten().map(|p| p.to_path_buf()))
        .collect();
    let given = outputs.iter().filter_map(|(option, path)| Some((*option, (*path)?)));
    let given: Vec<_> = given.filter(|(_, path)| path.as_os_str() != "-").collect();
    for (i, (option, path)) in given.iter().enumerate() {
        let other = |what: String| Failure::Option {
            option,
            message: format!("{} is {what}: choose another file", path.display()),
        };
        if let Some(read) = inputs.iter().find(|read| same_file(read, path)) {
            return Err(other(format!("read by this command ({})", read.display())));
        }
        let plain = |p: &Path| std::fs::metadata(p).map_or(true, |m| m.is_file());
        if let Some((first, _)) =
            given[..i].iter().find(|(_, p)| (p == path || same_file(p, path)) && plain(path))
        {
            return Err(other(format!("written by {first} too")));
        }
    }
    Ok(())
}

/// The name of a plot, for `value_parser`.
pub(super) fn plot_file(name: &str) -> Result<PathBuf, String> {
    named(name, "a plot is written as SVG or PNG", &["svg", "png"])
}

/// The name of an animation, for `value_parser`.
pub(super) fn animation_file(name: &str) -> Result<PathBuf, String> {
    named(name, "an animation is written as HTML", &["html", "htm"])
}

/// The name of a table, for `value_parser`.
pub(super) fn table_file(name: &str) -> Result<PathBuf, String> {
    named(name, "a table is written as CSV", &["csv", "txt", "dat"])
}

/// A path whose ending, if there is one, is that of the format.
fn named(name: &str, format: &str, endings: &[&str]) -> Result<PathBuf, String> {
    let path = PathBuf::from(name);
    let ending = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    if ending.is_empty() || endings.contains(&ending.as_str()) {
        return Ok(path);
    }
    Err(format!("{format}: end the name with .{}", endings[0]))
}

/// Writes a file whole: under another name first, then renamed, so that a kill leaves the old file.
pub(super) fn write(path: &Path, text: &str) -> Result<(), Failure> {
    pipeline::write_if_changed(path, text).map(|_| ()).map_err(|e| Failure::file("write", path, e))
}

/// Writes a figure: as PNG if the name ends so, else as SVG.
pub(super) fn picture(path: &Path, svg: &str) -> Result<(), Failure> {
    if !path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("png")) {
        return write(path, svg);
    }
    png("--plot", path, svg)
}

/// Writes a figure as PNG.
pub(super) fn png(option: &'static str, path: &Path, svg: &str) -> Result<(), Failure> {
    let png = figure::png(svg).ok_or_else(|| {
        let message = "this command was built without PNG: name a file that ends with .svg, or build it with `--features png`";
        Failure::Option { option, message: message.to_owned() }
    })?;
    let png = png.map_err(|e| Failure::Spec(InternalError::new(format!("a figure: {e}")).into()))?;
    if !png.missing.is_empty() {
        let list: String = png.missing.iter().map(|c| format!(" {c}")).collect();
        dqdt_diagnostics::tell!(
            "warning: the font of PNG has no{list}: left out in {}; SVG takes the fonts of the viewer",
            path.display()
        );
    }
    pipeline::write_if_changed(path, png.bytes).map(|_| ()).map_err(|e| Failure::file("write", path, e))
}

/// To the file if there is one, else to standard output.
pub(super) fn product(path: Option<&Path>, text: &str) -> Result<(), Failure> {
    match path {
        Some(path) => write(path, text),
        None => print(text),
    }
}
