//! `dqdt simulate`: integrates the motion in the interpreter, with an adaptive step.

mod curves;
mod feedback;
mod frames;
mod options;
mod points_file;
mod recorded_motion;
mod runs;
mod signal_selection;
mod summary;
mod sweep;
mod table;
mod vary;

use std::path::Path;
use std::process::ExitCode;

use super::source::Failure;
use super::state_file::StateFile;
use super::{output, overrides};
use crate::cli::words::{ArrowWord, SignalWord};

use dqdt::integrate::Seconds;
use dqdt_import::read;
use dqdt_motion::simulate::{ArrowGroup, Signal, SignalGroup, Span, motion_arrows};
use dqdt_view::animation::{self, Animation};
use dqdt_view::{figure, scene};
pub(super) use options::Simulate;
use runs::MotionRun;
use signal_selection::{SignalKind, SignalSelection};

fn check_positive(option: &'static str, x: f64) -> Result<f64, Failure> {
    if x.is_finite() && x > 0.0 {
        return Ok(x);
    }
    Err(Failure::Option { option, message: format!("the value must be a positive number, not {x:?}") })
}

impl Simulate {
    pub(super) fn run(self) -> Result<ExitCode, Failure> {
        let span = self.integration_span()?;
        if let (Some(points), Some(folder)) = (&self.points, &self.output) {
            return self.run_sweep(points, folder, span);
        }
        let outputs = [
            ("--csv", self.csv.as_deref()),
            ("--plot", self.plot.as_deref()),
            ("--animate", self.animate.as_deref()),
            ("--frames", self.frames.as_deref()),
        ];
        let at_file = self.at.as_deref().filter(|p| p.as_os_str() != "-");
        let files: Vec<Option<&Path>> = [at_file, self.feedback.as_deref()]
            .into_iter()
            .chain(self.inputs.table_files().map(Some))
            .collect();
        output::check_distinct_files(&self.source, &files, &outputs)?;
        self.check_options()?;
        let varied = self.vary.iter().map(|v| format!("{}=", v.name));
        let parameters: Vec<String> = self.parameters.parameters.iter().cloned().chain(varied).collect();
        let at = StateFile::read_state_file(self.at.as_deref())?;
        let at = overrides::resolve_conflicts(at, &parameters, &self.inputs.inputs)?;
        let motion = self
            .motion
            .as_ref()
            .map(|path| read::read_motion_table(path))
            .transpose()
            .map_err(Failure::Spec)?;
        let mechanisms = runs::assemble_mechanisms(&self, motion.as_ref())?;
        let mechanism = mechanisms.first().map(runs::VariedMechanism::mechanism);
        let feedback =
            mechanism.map(|m| feedback::read_feedback(&self, m, at.as_ref())).transpose()?.flatten();
        let has_laws =
            feedback.is_some() || mechanism.is_some_and(|m| m.inputs.iter().any(|u| u.law.is_some()));
        let slots = mechanism.iter().flat_map(|m| &m.joints).flat_map(|j| &j.coordinates);
        let prescribed = slots.filter_map(|slot| slot.prescribed_formula()).any(|f| f.as_number().is_none());
        let groups = self.required_signal_groups(has_laws, prescribed);
        let phase = self.phase_plot_names()?;
        let names = phase.as_ref().map_or(&self.signals[..], |pair| &pair[..]);
        let option = if phase.is_some() { "--plot-xy" } else { "--signals" };
        let selection = SignalSelection::new(names, mechanism, option)?;
        let always = groups;
        let groups = selection.groups(&always);
        let files = (at.as_ref(), motion.as_ref(), feedback.as_ref());
        let runs = runs::integrate_mechanisms(&self, files, mechanisms, &groups, &span)?;
        if runs.iter().all(|run| run.motion.times.is_empty()) {
            let stopped = runs.into_iter().find_map(|run| run.stopped).map(Failure::Stopped);
            return stopped.map_or(Ok(ExitCode::SUCCESS), Err);
        }
        let Some(first) = runs.first() else { return Ok(ExitCode::SUCCESS) };
        curves::check_signal_names(first, &selection)?;
        let how = format!("{} at rtol {:e}, atol {:e}", self.method.method_title(), self.rtol, self.atol);
        for run in &runs {
            self.print_summary(run, &how);
        }
        let plot = match &self.plot {
            Some(path) => Some((path, self.draw_plot(&runs, &selection, &groups, phase.as_ref())?)),
            None => None,
        };
        if let Some(path) = &self.csv {
            // Groups evaluated only because `--signals` names some of their signals: the table has
            // just those.
            let varied = self.vary.as_ref().map(|v| v.name.as_str());
            let text = table::motions_as_csv(&runs, varied, &|s: &Signal| {
                let always = s.group == SignalGroup::Outputs || always.contains(&s.group);
                always
                    || selection.is_default()
                    || selection.includes_signal(SignalKind::Group(s.group), &s.name)
            });
            let path = Some(path.as_path()).filter(|p| p.as_os_str() != "-");
            output::write_or_print(path, &text)?;
        }
        if let Some((path, picture)) = plot {
            output::write_picture(path, &picture)?;
        }
        if self.animate.is_some() || self.frames.is_some() {
            let animation = self.build_animation(first, &selection, &groups);
            if let Some(path) = &self.animate {
                output::write_file(path, &animation::animation(&animation))?;
            }
            if let Some(folder) = &self.frames {
                frames::write_frames(folder, &animation)?;
            }
        }
        self.report_stopped_runs(runs)
    }

    /// Refuses options of `dqdt simulate` that exclude or need each other, and a folder with frames
    /// of another motion.
    fn check_options(&self) -> Result<(), Failure> {
        let shows = [("--animate", &self.animate), ("--frames", &self.frames)];
        let mut shows = shows.into_iter().filter(|(_, path)| path.is_some()).map(|(option, _)| option);
        match shows.next() {
            Some(option) if self.vary.is_some() => {
                let message = "this option shows a single motion: omit `--vary`, and set one value with `-p`"
                    .to_owned();
                return Err(Failure::Option { option, message });
            }
            None if !self.arrows.is_empty() => {
                let message =
                    "this option requires `--animate FILE` or `--frames FOLDER`: add one of them".to_owned();
                return Err(Failure::Option { option: "--arrows", message });
            }
            _ => {}
        }
        if let Some(folder) = &self.frames {
            frames::check_frames_folder(folder)?;
        }
        Ok(())
    }

    /// Plot of the selected signals, or of one signal over another, as SVG.
    fn draw_plot(
        &self,
        runs: &[MotionRun],
        selection: &SignalSelection,
        groups: &[SignalGroup],
        phase: Option<&[String; 2]>,
    ) -> Result<String, Failure> {
        let title = runs.first().map(|run| self.plot_title(run)).unwrap_or_default();
        Ok(match phase {
            Some(pair) => figure::phase_svg(&curves::phase_plot(runs, pair, &title)?),
            None => {
                let plot = curves::signal_plot(runs, selection, groups, &title)?;
                if self.vary.is_some() {
                    figure::plot_with_ordered_colours(&plot)
                } else {
                    figure::plot(&plot)
                }
            }
        })
    }

    /// Animation of a motion, with curves below it and arrows of forces.
    fn build_animation(
        &self,
        run: &MotionRun,
        selection: &SignalSelection,
        groups: &[SignalGroup],
    ) -> Animation {
        let (motion, parameters, m) = (&run.motion, &run.arguments.p, &run.loaded.mechanism);
        let (times, states) = (&motion.times, &motion.states);
        let mut animation = scene::motion_animation(m, &run.program.layout, parameters, times, states);
        animation.rests = motion.rest_spans();
        animation.signals = curves::animation_signals(run, selection, groups);
        let shown: Vec<ArrowGroup> = self.arrows.iter().map(|word| (*word).into()).collect();
        if !shown.is_empty() {
            let rows = scene::frame_rows(times.len());
            let along = (motion, &run.signals);
            animation.arrows = motion_arrows(&run.loaded, &run.program, &run.arguments, along, &shown, &rows);
        }
        animation
    }

    /// The two signal names of `--plot-xy`; `None` without the option.
    fn phase_plot_names(&self) -> Result<Option<[String; 2]>, Failure> {
        match &self.plot_xy[..] {
            [] => Ok(None),
            [x, y] => Ok(Some([x, y].map(|name| name.trim().to_owned()))),
            _ => {
                let message = "expected the names of two signals, such as `theta,theta_dot`".to_owned();
                Err(Failure::Option { option: "--plot-xy", message })
            }
        }
    }

    fn integration_span(&self) -> Result<Span, Failure> {
        let t_end = check_positive("--t-end", self.t_end)?;
        let (rtol, atol) = (check_positive("--rtol", self.rtol)?, check_positive("--atol", self.atol)?);
        let step = check_positive("--step", self.step.unwrap_or(t_end / 500.0))?;
        if t_end / step > 1e7 {
            let message = "the table would have more than ten million rows; use a longer step".to_owned();
            return Err(Failure::Option { option: "--step", message });
        }
        let rest_speed = check_positive("--rest-speed", self.rest_speed)?;
        Ok(Span { t_end, step, rtol, atol, method: self.method.integrator(), rest_speed })
    }

    /// Signal groups that are evaluated in any case: those of `--with`, inputs with laws,
    /// definitions if a coordinate is prescribed, and multipliers for arrows.
    fn required_signal_groups(&self, has_laws: bool, prescribed: bool) -> Vec<SignalGroup> {
        let with = self.with.iter().map(|word| SignalGroup::from(*word));
        let has_laws = has_laws && !self.with.contains(&SignalWord::Inputs);
        let prescribed = prescribed && !self.with.contains(&SignalWord::Definitions);
        let multipliers =
            self.arrows.contains(&ArrowWord::Constraints) && !self.with.contains(&SignalWord::Multipliers);
        with.chain(has_laws.then_some(SignalGroup::Inputs))
            .chain(prescribed.then_some(SignalGroup::Definitions))
            .chain(multipliers.then_some(SignalGroup::Multipliers))
            .collect()
    }

    fn plot_title(&self, run: &MotionRun) -> String {
        self.title.clone().unwrap_or_else(|| run.program.name.clone())
    }

    fn print_summary(&self, run: &MotionRun, how: &str) {
        if !run.label.is_empty() {
            dqdt_diagnostics::tell!("{}", run.label);
        }
        if let Some(path) = &self.motion {
            let rows = run.motion.times.len();
            dqdt_diagnostics::tell!(
                "{}: {rows} rows of {} are shown unchanged",
                run.program.name,
                path.display()
            );
            summary::print_largest_violation(&run.program, &run.arguments, &run.motion, "");
            return;
        }
        summary::print_motion_summary(
            &run.program,
            &run.arguments,
            &run.motion,
            &run.signals,
            (how, run.stops),
        );
        if let Some(stiffness) = &run.stiffness {
            dqdt_diagnostics::tell!("{stiffness}");
        }
    }

    /// Reports motions that stopped before their end time, which make `dqdt simulate` fail.
    fn report_stopped_runs(&self, runs: Vec<MotionRun>) -> Result<ExitCode, Failure> {
        let outputs = [
            ("table", &self.csv),
            ("plot", &self.plot),
            ("animation", &self.animate),
            ("frames", &self.frames),
        ];
        let outputs: Vec<&str> = outputs.iter().filter(|(_, path)| path.is_some()).map(|(n, _)| *n).collect();
        let mut failure = None;
        for run in runs {
            let Some(stop) = run.stopped else { continue };
            let label = if run.label.is_empty() { String::new() } else { format!(" for {}", run.label) };
            if !outputs.is_empty() {
                let end = Seconds(run.motion.times.last().copied().unwrap_or(0.0));
                dqdt_diagnostics::tell!(
                    "{}: written up to t = {end} s{label}, where the motion stops",
                    outputs.join(", ")
                );
            }
            failure.get_or_insert(Failure::Stopped(stop));
        }
        failure.map_or(Ok(ExitCode::SUCCESS), Err)
    }
}
