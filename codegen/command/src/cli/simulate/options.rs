//! Command-line options of `dqdt simulate`.

use std::num::NonZero;
use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::vary::{Vary, parse_vary};
use crate::cli::evaluation::EvaluatedBy;
use crate::cli::output::{parse_animation_path, parse_plot_path, parse_table_path};
use crate::cli::overrides::{Inputs, Parameters};
use crate::cli::source::{SpecSource, formalism_parser};
use crate::cli::words::{ArrowWord, SignalWord};
use dqdt_generate::pipeline::FormalismChoice;
use dqdt_motion::simulate::Method;
use dqdt_motion::sweep::Shard;

/// Integration method.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum MethodName {
    /// Dormand and Prince, order 8, explicit
    Dop853,
    /// Radau IIA, order 5, implicit: for stiff motions
    Radau,
}

impl MethodName {
    pub(super) fn integrator(self) -> Method {
        match self {
            MethodName::Dop853 => Method::Dop853,
            MethodName::Radau => Method::Radau,
        }
    }

    pub(super) fn method_title(self) -> &'static str {
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
    /// Linear feedback u = u₀ − K (x − x₀) of states, or of outputs, along the motion: JSON with
    /// the gain, the names of its rows and columns, and the point around which it acts
    /// (docs/how-to/control-design.md). Limits of inputs apply
    #[arg(long, value_name = "FILE", conflicts_with = "motion")]
    pub(super) feedback: Option<PathBuf>,
    /// Several values of a parameter or an input, for motions that share one table and one
    /// plot: m_pole=0.1,0.2,0.3 or m_pole=0.1:0.5:5, at most 20 values
    #[arg(long, value_name = "NAME=VALUES", value_parser = parse_vary)]
    pub(super) vary: Option<Vary>,
    /// Formalism that derives the equations; by default kane up to 12 speeds and with constraints,
    /// else mixed
    #[arg(long, value_parser = formalism_parser())]
    pub(super) formalism: Option<FormalismChoice>,
    /// End time of the motion, in seconds; it starts at 0
    #[arg(long, default_value_t = 10.0)]
    pub(super) t_end: f64,
    /// Integration method; use `radau` if stiffness makes the steps of `dop853` short
    #[arg(long, value_enum, default_value_t = MethodName::Dop853)]
    pub(super) method: MethodName,
    /// Evaluation of the equations: interpreted or compiled; the motion is the same to the last bit
    #[arg(long, value_enum, default_value_t = EvaluatedBy::Auto)]
    pub(super) evaluate: EvaluatedBy,
    /// Relative tolerance of the integration
    #[arg(long, default_value = "1e-9")]
    pub(super) rtol: f64,
    /// Absolute tolerance of the integration
    #[arg(long, default_value = "1e-9")]
    pub(super) atol: f64,
    /// Approach speed of a stop, in m/s or rad/s, below which its impact is plastic, so that the
    /// motion may rest on it
    #[arg(long, default_value = "1e-3")]
    pub(super) rest_speed: f64,
    /// Time between two rows of the table, in seconds; by default 1/500 of the motion
    #[arg(long)]
    pub(super) step: Option<f64>,
    /// State to start from, as for `eval --at`. If it violates the constraints, it is assembled
    /// first, unlike in `eval`, and a note says what changed
    #[arg(long)]
    pub(super) at: Option<PathBuf>,
    /// Motion from another program, such as a controller, to show instead of an integrated one: CSV
    /// with `t`, every coordinate, and optionally speeds and user states
    #[arg(long, value_name = "FILE", conflicts_with_all = ["vary", "at", "t_end", "step", "method"])]
    pub(super) motion: Option<PathBuf>,
    /// Sweep over many points, in SI units: CSV whose header names parameters, coordinates, speeds,
    /// states or inputs, or JSON lines, an object for each point; `-` for standard input. One line
    /// of results for each point, in a file of the folder `-o`
    #[arg(long, value_name = "FILE", requires = "output",
          conflicts_with_all = ["vary", "at", "feedback", "motion", "csv", "plot", "plot_xy", "animate", "frames", "arrows", "title"])]
    pub(super) points: Option<PathBuf>,
    /// Folder for the results of a sweep
    #[arg(short = 'o', long, value_name = "FOLDER", requires = "points")]
    pub(super) output: Option<PathBuf>,
    /// Part of a sweep, such as 0/8: the points whose row, counted from 0, leaves this remainder.
    /// By default that of a Slurm array task, else all points
    #[arg(long, value_name = "I/N", requires = "points", value_parser = Shard::parse)]
    pub(super) shard: Option<Shard>,
    /// Continue the results of a sweep that was interrupted
    #[arg(long, requires = "points")]
    pub(super) resume: bool,
    /// Further times at which the quantities of a sweep are results, in seconds, separated by
    /// commas
    #[arg(long, value_name = "TIMES", value_delimiter = ',', requires = "points")]
    pub(super) times: Vec<f64>,
    /// Number of threads of a sweep; by default one for each core
    #[arg(long, value_name = "NUMBER", requires = "points")]
    pub(super) threads: Option<NonZero<usize>>,
    /// Table of states, energies, the work of loads and outputs; `-` for standard output
    #[arg(long, value_parser = parse_table_path)]
    pub(super) csv: Option<PathBuf>,
    /// Output file of the plot (SVG; also PNG if `dqdt` was built with the feature `png`)
    #[arg(long, value_parser = parse_plot_path)]
    pub(super) plot: Option<PathBuf>,
    /// Plot the second of two signals against the first: `theta,theta_dot`
    #[arg(long, value_name = "X,Y", requires = "plot", conflicts_with = "signals", value_delimiter = ',')]
    pub(super) plot_xy: Vec<String>,
    /// Output file of the animation (HTML)
    #[arg(long, value_parser = parse_animation_path)]
    pub(super) animate: Option<PathBuf>,
    /// Folder for the animation as PNG files, frame_0001.png and so on, one for each row and at
    /// most 1,500: 25 per second with `--step 0.04` (requires a command built with the feature
    /// `png`)
    #[arg(long, value_name = "FOLDER")]
    pub(super) frames: Option<PathBuf>,
    /// Arrows in the animation and its frames, separated by commas
    #[arg(long, value_enum, value_delimiter = ',')]
    pub(super) arrows: Vec<ArrowWord>,
    /// Signals of the plot, separated by commas: coordinates, speeds, states, energies, inputs,
    /// definitions (and prescribed coordinates), outputs, multipliers (of constraints), reactions
    /// (in joints), forces (both), or single names. The table has them too
    #[arg(long, value_delimiter = ',', value_name = "NAMES")]
    pub(super) signals: Vec<String>,
    /// Additional signals of the table and the plot, separated by commas
    #[arg(long, value_enum, value_delimiter = ',')]
    pub(super) with: Vec<SignalWord>,
    /// Title of the plot; by default the name of the mechanism
    #[arg(long)]
    pub(super) title: Option<String>,
}
