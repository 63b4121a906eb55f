//! `--frames`: the animation as a sequence of PNG files.

use std::fs;
use std::path::Path;

use super::super::output;
use super::super::source::Failure;
use dqdt_view::animation::{Animation, still_pictures};
use dqdt_view::figure;

/// Checks the folder of `--frames` before anything is computed. Refuses a build without PNG, a path
/// that is not a folder, and a folder with frames of another motion.
pub(super) fn check_frames_folder(folder: &Path) -> Result<(), Failure> {
    if figure::png("").is_none() {
        let message = "this `dqdt` was built without PNG support: rebuild it with `--features png`, or use \
                       `--animate FILE`";
        return refuse_frames(message.to_owned());
    }
    if folder.exists() && !folder.is_dir() {
        return refuse_frames(format!("{} is a file: specify a folder", folder.display()));
    }
    let entries = fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
    if entries.map(|e| e.file_name()).any(|name| is_frame_file(&name.to_string_lossy())) {
        return refuse_frames(format!(
            "{} already contains frames, which would mix with the new ones: choose an empty folder",
            folder.display()
        ));
    }
    Ok(())
}

fn refuse_frames(message: String) -> Result<(), Failure> {
    Err(Failure::Option { option: "--frames", message })
}

fn is_frame_file(name: &str) -> bool {
    name.starts_with("frame_") && name.ends_with(".png")
}

/// Writes one PNG file per frame of the animation into the folder of `--frames`.
pub(super) fn write_frames(folder: &Path, animation: &Animation) -> Result<(), Failure> {
    fs::create_dir_all(folder).map_err(|e| Failure::from_file_error("create", folder, e))?;
    let stills = still_pictures(animation);
    for k in 0..stills.count_stills() {
        output::write_png("--frames", &folder.join(format!("frame_{:04}.png", k + 1)), &stills.still_svg(k))?;
    }
    Ok(())
}
