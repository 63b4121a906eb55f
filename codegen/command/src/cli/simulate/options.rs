//! Command-line options of `dqdt simulate`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::vary::{Vary, parse_vary};
use crate::cli::output::{parse_animation_path, parse_plot_path, parse_table_path};
use crate::cli::overrides::{Inputs, Parameters};
use crate::cli::source::{SpecSource, formalism_parser};
use crate::cli::words::{ArrowWord, SignalWord};
use dqdt_generate::pipeline::FormalismChoice;
use dqdt_motion::simulate::Method;

/// How steps are taken.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum MethodName {
    /// Dormand and Prince, order 8, explicit
    Dop853,
    /// Radau IIA, order 5, implicit: for stiff motions
    Radau,
}

impl MethodName {
    pub(super) fn method(self) -> Method {
        match self {
            MethodName::Dop853 => Method::Dop853,
            MethodName::Radau => Method::Radau,
        }
    }

    pub(super) fn title(self) -> &'static str {
        match self {
            MethodName::Dop853 => "DOP853",
            MethodName::Radau => "Radau IIA",
        }
    }
}

#[derive(Args)]
pub(in crate::cli) struct Simulate {
    #[command(flatten)]
    pub(super) source: SpecSource,
    #[command(flatten)]
    pub(super) parameters: Parameters,
    #[command(flatten)]
    pub(super) inputs: Inputs,
    /// A parameter or an input with several values, one motion each, in one table and one plot: m_pole=0.1,0.2,0.3 or
    /// m_pole=0.1:0.5:5, at most 20
    #[arg(long, value_name = "NAME=VALUES", value_parser = parse_vary)]
    pub(super) vary: Option<Vary>,
    /// Formalism that derives the equations; if absent, kane up to 12 speeds and with constraints, else mixed
    #[arg(long, value_parser = formalism_parser())]
    pub(super) formalism: Option<FormalismChoice>,
    /// End of the motion, in seconds; it starts at 0
    #[arg(long, default_value_t = 10.0)]
    pub(super) t_end: f64,
    /// How steps are taken; `radau` where something stiff makes those of `dop853` short
    #[arg(long, value_enum, default_value_t = MethodName::Dop853)]
    pub(super) method: MethodName,
    /// Relative tolerance
    #[arg(long, default_value = "1e-9")]
    pub(super) rtol: f64,
    /// Absolute tolerance
    #[arg(long, default_value = "1e-9")]
    pub(super) atol: f64,
    /// Time between two rows of the table, in seconds; a five-hundredth of the motion if absent
    #[arg(long)]
    pub(super) step: Option<f64>,
    /// State to start from, as for `eval --at`. Where it does not fulfil the constraints it is
    /// assembled first, which `eval` does not do; a note tells what moved
    #[arg(long)]
    pub(super) at: Option<PathBuf>,
    /// A motion that another program made, as a controller of yours, to be shown in place of one that is integrated: CSV with `t`, every
    /// coordinate, and speeds and user states if they are to be shown
    #[arg(long, value_name = "FILE", conflicts_with_all = ["vary", "at", "t_end", "step", "method"])]
    pub(super) motion: Option<PathBuf>,
    /// Table of states, energies, the work of loads and outputs; `-` for standard output
    #[arg(long, value_parser = parse_table_path)]
    pub(super) csv: Option<PathBuf>,
    /// Plot (SVG, or PNG in a command that was built with the feature `png`)
    #[arg(long, value_parser = parse_plot_path)]
    pub(super) plot: Option<PathBuf>,
    /// The plot draws the second of two signals over the first: `theta,theta_dot`
    #[arg(long, value_name = "X,Y", requires = "plot", conflicts_with = "signals", value_delimiter = ',')]
    pub(super) plot_xy: Vec<String>,
    /// Animation (HTML)
    #[arg(long, value_parser = parse_animation_path)]
    pub(super) animate: Option<PathBuf>,
    /// Folder for the animation as pictures, frame_0001.png and so on, one per row and at most
    /// 1,500: 25 per second with `--step 0.04` (in a command that was built with the feature `png`)
    #[arg(long, value_name = "FOLDER")]
    pub(super) frames: Option<PathBuf>,
    /// Arrows in animation and frames, separated by commas
    #[arg(long, value_enum, value_delimiter = ',')]
    pub(super) arrows: Vec<ArrowWord>,
    /// What the plot shows, separated by commas: coordinates, speeds, states, energies, inputs,
    /// definitions (and prescribed coordinates), outputs, multipliers (of constraints), reactions
    /// (in joints), forces (both), or single names. The table has it too
    #[arg(long, value_delimiter = ',', value_name = "NAMES")]
    pub(super) signals: Vec<String>,
    /// What table and plot also show, separated by commas
    #[arg(long, value_enum, value_delimiter = ',')]
    pub(super) with: Vec<SignalWord>,
    /// Title of the plot; the name of the mechanism if absent
    #[arg(long)]
    pub(super) title: Option<String>,
}
