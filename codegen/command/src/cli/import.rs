//! `dqdt import`: writes the spec of a robot in URDF or MJCF.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;

use super::output;
use super::source::{Failure, warn_unused_accepts};
use super::words::BaseWord;
use dqdt_diagnostics::base::{is_same_file, sanitise};
use dqdt_import::robot::format::Format;
use dqdt_import::robot::{Base, Options, SNAP};
use dqdt_import::{read, urdf};
use dqdt_spec::spec::Spec;

#[derive(Args)]
pub(super) struct Import {
    /// File of the robot (URDF or MJCF)
    robot: PathBuf,
    /// Output file of the spec; standard output by default
    #[arg(short, long)]
    output: Option<PathBuf>,
    /// Connection of the root of a URDF to the ground [default: fixed]; an MJCF declares it itself
    #[arg(long, value_enum)]
    base: Option<BaseWord>,
    /// Tolerance within which angles and axes are rounded to right angles [rad]; 0 to keep them
    #[arg(long, value_name = "RAD", default_value_t = SNAP)]
    snap: f64,
    /// Omit the damping of the joints
    #[arg(long)]
    no_damping: bool,
    /// Include the dry friction of joints, which reaches 76 % at this speed [rad/s or m/s]
    #[arg(long, value_name = "SPEED")]
    dry_friction: Option<f64>,
    /// A YAML file that lists the closures, motors and ball joints of a URDF
    #[arg(long, value_name = "FILE")]
    loops: Option<PathBuf>,
    /// Accept that this part of the robot is omitted although it changes the equations, such as
    /// `tendon`; repeatable
    #[arg(long, value_name = "PART")]
    accept: Vec<String>,
    /// File for the complete report, which is also printed with long lists shortened
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
}

impl Import {
    pub(super) fn run(self) -> Result<ExitCode, Failure> {
        self.check_options()?;
        let name = self.robot.display().to_string();
        let robot = read::read_robot_file(&self.robot, &name).map_err(Failure::Spec)?;
        if self.base.is_some() && robot.format == Format::Mjcf {
            return refuse_option(
                "--base",
                "this option does not apply to MJCF files, in which <freejoint/> declares a free base",
            );
        }
        if self.loops.is_some() && robot.format == Format::Mjcf {
            return refuse_option(
                "--loops",
                "this option does not apply to MJCF files, in which <equality> declares loops",
            );
        }
        let options = Options {
            base: self.base.map(Base::from).unwrap_or_default(),
            snap: self.snap,
            damping: !self.no_damping,
            dry_friction: self.dry_friction,
            accept: self.accept.clone(),
            files: read::FileSource::Disk,
        };
        let imported = match &self.loops {
            Some(path) => {
                let shown = path.display().to_string();
                let loops = read::read_robot_file(path, &shown).map_err(Failure::Spec)?.text;
                urdf::import_with_loops(&name, &robot.text, (&shown, &loops), &options)
            }
            None => read::import_robot(&self.robot, &name, &robot, &options, &mut Vec::new()),
        };
        let imported = imported.map_err(Failure::Spec)?;
        output::write_or_print(self.output.as_deref(), &imported.spec)?;
        if read::parse(&name, imported.spec.clone()).is_ok_and(|spec| is_without_inertia(&spec)) {
            dqdt_diagnostics::tell!(
                "note: no link has mass or inertia, so the spec is suitable only for kinematics"
            );
        }
        if let Some(path) = &self.report {
            output::write_file(path, &format!("{:#}", imported.report))?;
        }
        dqdt_diagnostics::tell_on!("{}", imported.report);
        let unused = self.accept.into_iter().filter(|name| !imported.report.accepted.contains(name));
        warn_unused_accepts(&unused.collect::<Vec<_>>());
        if let Some(path) = &self.output {
            let path = sanitise(&path.display().to_string());
            dqdt_diagnostics::tell!("wrote {path}\nnext: dqdt inspect {path}");
        }
        Ok(ExitCode::SUCCESS)
    }
}

impl Import {
    /// Checks the values of options, and that no output overwrites another file.
    fn check_options(&self) -> Result<(), Failure> {
        if !(0.0..0.5).contains(&self.snap) {
            return refuse_option("--snap", "the tolerance must be an angle from 0 to 0.5 rad");
        }
        if self.dry_friction.is_some_and(|v| !(v.is_finite() && v > 0.0)) {
            return refuse_option("--dry-friction", "the speed must be positive");
        }
        let outputs = [("--output", &self.output), ("--report", &self.report)];
        for (name, path) in outputs.iter().filter_map(|(n, p)| p.as_ref().map(|p| (*n, p))) {
            if is_same_file(path, &self.robot) {
                return refuse_option(name, "the output would overwrite the robot file: choose another file");
            }
            if self.loops.as_ref().is_some_and(|loops| is_same_file(path, loops)) {
                return refuse_option(
                    name,
                    "the output would overwrite the file of `--loops`: choose another file",
                );
            }
        }
        if let (Some(output), Some(report)) = (&self.output, &self.report)
            && (canonical_path(output) == canonical_path(report) || is_same_file(output, report))
        {
            return refuse_option(
                "--report",
                "the report would overwrite the file of `--output`: choose another file",
            );
        }
        Ok(())
    }
}

fn refuse_option<T>(option: &'static str, message: &str) -> Result<T, Failure> {
    Err(Failure::Option { option, message: message.to_owned() })
}

fn is_without_inertia(spec: &Spec) -> bool {
    !spec.bodies.is_empty() && spec.bodies.iter().all(|b| b.mass.is_none() && b.inertia.is_none())
}

/// Path with its folder canonicalised, to compare whether two options name one file; the file
/// itself need not exist.
fn canonical_path(path: &Path) -> PathBuf {
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let folder = std::fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned());
    path.file_name().map_or_else(|| path.to_owned(), |name| folder.join(name))
}
