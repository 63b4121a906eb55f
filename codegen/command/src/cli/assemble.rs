//! `dqdt assemble`: finds a state that fulfils the constraints and counts degrees of freedom.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, ValueEnum};
use serde_json::{Map, Value, json};

use super::eval::named_values;
use super::output;
use super::overrides::{self, Parameters};
use super::source::{Failure, SpecSource};
use super::start::{default_values, read_start_state, start_failure};
use super::state_file::StateFile;
use dqdt_derivation::assemble::{self, Assembled, KeptStarts, Manifold, Mobility, start_messages};
use dqdt_derivation::derive::vector_layout;
use dqdt_derivation::symbols::free_parameter_names;
use dqdt_graph::ir::{Arguments, Layout, Slot};
use dqdt_mechanics::mechanism::{Given, StartRole};
use dqdt_motion::simulate::speeds_by_kinetic_energy;
pub use dqdt_motion::simulate::{Start, constraint_manifold};

#[derive(Args)]
pub(super) struct Assemble {
    #[command(flatten)]
    source: SpecSource,
    #[command(flatten)]
    parameters: Parameters,
    /// State and parameters to start from, as for `eval --at`
    #[arg(long)]
    at: Option<PathBuf>,
    /// Projection of speeds that violate the constraints
    #[arg(long, value_enum, default_value = "size")]
    projection: Projection,
    /// Output format
    #[arg(long, value_enum, default_value = "text")]
    format: AssembleFormat,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum AssembleFormat {
    /// Text to read
    Text,
    /// JSON for programs, and for `--at`
    Json,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Projection {
    /// Keep the given speeds, and change the others as little as possible
    Size,
    /// Change all speeds, by the least kinetic energy, as an inelastic impact does
    Mass,
}

/// Coordinates or speeds of the report of `dqdt assemble`, each with its value before and after
/// assembly.
struct VariableTable<'a> {
    title: &'a str,
    /// Words printed for an entry whose start value assembly keeps ([`StartRole::Kept`]).
    kept: &'a str,
    slots: &'a [Slot],
    starts: &'a [Given],
    before: &'a [f64],
    after: &'a [f64],
}

impl VariableTable<'_> {
    /// Remark on one entry of the report: given, guessed or not given, and changed by assembly or
    /// not.
    fn describe_entry(&self, i: usize) -> String {
        let change = self.after[i] - self.before[i];
        let moved = start_messages::has_changed(self.before[i], self.after[i]);
        match (self.starts[i].role, moved) {
            (StartRole::Kept, false) => self.kept.to_owned(),
            (StartRole::Kept, true) => {
                format!("{} at {}, but overridden by the `--at` file", self.kept, self.before[i])
            }
            (StartRole::Guess, false) => "guess, unchanged".to_owned(),
            (StartRole::Guess, true) => format!("guess {}, changed by {change:.3e}", self.before[i]),
            (StartRole::Open, false) => "not given".to_owned(),
            (StartRole::Open, true) => "computed".to_owned(),
        }
    }

    fn write_text(&self, out: &mut String) {
        let _ = writeln!(out, "{}", self.title);
        for (i, (s, x)) in self.slots.iter().zip(self.after).enumerate() {
            // Rounding may leave −0 or a tiny negative number, which would print as `-0.000`.
            let x = if x.abs() < 5e-16 { "0".to_owned() } else { format!("{x:.15}") };
            let _ = writeln!(out, "  {:24} {x:>22} {:8} {}", s.name, s.unit, self.describe_entry(i));
        }
    }

    fn as_json(&self) -> Value {
        let entries = self.slots.iter().enumerate().map(|(i, s)| {
            let role = match self.starts[i].role {
                StartRole::Kept => self.kept,
                StartRole::Guess => "guess",
                StartRole::Open => "not given",
            };
            let change = self.after[i] - self.before[i];
            (s.name.clone(), json!({ "role": role, "before": self.before[i], "change": change }))
        });
        Value::Object(entries.collect::<Map<_, _>>())
    }
}

/// Result of `dqdt assemble`, to be printed as text or JSON.
struct AssemblyReport<'a> {
    slots: &'a Layout,
    arguments: &'a Arguments,
    /// Index of the start from which assembly succeeded: 0 is the given state, others were drawn
    /// around it. `None` without constraints.
    start: Option<usize>,
    coordinates: VariableTable<'a>,
    speeds: VariableTable<'a>,
    /// Largest violations of the constraints as `[before, after]` assembly, each `[position,
    /// velocity]`.
    residuals: [[f64; 2]; 2],
    mobility: Mobility,
    /// Coordinates of every assembled pose that was found; `None` if they were not counted.
    modes: Option<Vec<Vec<f64>>>,
}

impl AssemblyReport<'_> {
    /// The assembled state as JSON, with these entries of the file of `--at` and these parameters.
    fn as_json(&self, remaining: Map<String, Value>, parameters: Map<String, Value>) -> Value {
        let (slots, a, mobility) = (self.slots, self.arguments, &self.mobility);
        let modes = self.modes.as_ref();
        let modes: Option<Vec<Value>> =
            modes.map(|all| all.iter().map(|q| named_values(&slots.q, q)).collect());
        let mut state = Map::new();
        state.insert("t".to_owned(), json!(a.t));
        state.insert("q".to_owned(), named_values(&slots.q, &a.q));
        state.insert("v".to_owned(), named_values(&slots.v, &a.v));
        state.extend(remaining);
        if !parameters.is_empty() {
            state.insert("p".to_owned(), Value::Object(parameters));
        }
        let [before, after] = self.residuals.map(residuals_as_json);
        let details = json!({
            "start": self.start.unwrap_or(0),
            "starts": { "q": self.coordinates.as_json(), "v": self.speeds.as_json(), "residuals": before },
            "residuals": after,
            "mobility": {
                "coordinates": mobility.coordinates,
                "speeds": mobility.speeds,
                "rows": mobility.rows,
                "holonomic": mobility.holonomic,
                "redundant": mobility.redundant,
                "freedom": mobility.freedom,
            },
            "modes": modes,
        });
        state.extend(details.as_object().cloned().unwrap_or_default());
        Value::Object(state)
    }

    fn as_text(&self) -> String {
        let mut out = String::new();
        self.coordinates.write_text(&mut out);
        self.speeds.write_text(&mut out);
        let from = match self.start {
            None | Some(0) => "from the given start".to_owned(),
            Some(k) => format!("from random start {k} near the given start"),
        };
        let [old, new] = self.residuals;
        let _ = writeln!(
            out,
            "assembled {from};\nresiduals: {:.1e} (positions), {:.1e} (speeds); before assembly: {:.1e} and \
             {:.1e}",
            new[0], new[1], old[0], old[1]
        );
        match &self.modes {
            Some(modes) => self.write_assembly_modes(&mut out, modes),
            None if self.start.is_some() => {
                let _ = writeln!(
                    out,
                    "with the held coordinates fixed, the mechanism can still move in this pose or in \
                     another,\nso assembled poses are not counted"
                );
            }
            None => {}
        }
        let _ = writeln!(out, "{}", describe_mobility(&self.mobility));
        out
    }

    /// Appends the coordinates of each way to assemble to the report as text.
    fn write_assembly_modes(&self, out: &mut String, modes: &[Vec<f64>]) {
        let ways = match modes.len() {
            1 => "one assembled pose".to_owned(),
            n => format!("{n} assembled poses"),
        };
        let _ = writeln!(out, "{ways} found with the held coordinates fixed");
        for (k, q) in modes.iter().enumerate() {
            let values: Vec<String> = (q.iter().zip(&self.slots.q))
                .map(|(x, s)| {
                    let unit = if s.unit == "1" { String::new() } else { format!(" {}", s.unit) };
                    format!("{} = {x:.6}{unit}", s.name)
                })
                .collect();
            let _ = writeln!(out, "  {}: {}", k + 1, values.join(", "));
        }
    }
}

impl Assemble {
    pub(super) fn run(self) -> Result<ExitCode, Failure> {
        let at = StateFile::read_state_file(self.at.as_deref())?;
        let at = overrides::resolve_conflicts(at, &self.parameters.parameters, &[])?;
        let loaded = overrides::load_near_state(&self.source, &self.parameters, at.as_ref())?;
        let m = &loaded.mechanism;
        let slots = vector_layout(m);
        let arguments = arguments_before_assembly(&loaded, &slots);
        debug_assert_eq!(arguments.p.len(), free_parameter_names(m).len());
        let mut start = read_start_state(&loaded, &slots, arguments, at.as_ref())?;
        let before = start.arguments.clone();
        let place = at.as_ref().map_or(&self.source.spec, |at| &at.place);
        if self.projection == Projection::Mass {
            start.turn_speeds_into_guesses();
        }
        let solution = start.assemble(&loaded).map_err(|e| start_failure(e, place))?;
        if self.projection == Projection::Mass {
            start.arguments.v = speeds_by_kinetic_energy(&loaded, &start.arguments, &before.v);
        }
        let Start { arguments, starts, .. } = start;
        let manifold = constraint_manifold(&loaded, &arguments);
        let mobility = assemble::count_mobility(&manifold, &loaded.partition, arguments.t, &arguments.q);
        let kept = KeptStarts::from(&starts).coordinates;
        let modes = solution
            .as_ref()
            .and_then(|_| assemble::find_assembly_modes(&manifold, arguments.t, &before.q, &kept));
        let modes: Option<Vec<Vec<f64>>> = modes.map(|all| {
            all.iter().map(|q| unwind_angles(&manifold, &slots.q, (arguments.t, &before.q, q))).collect()
        });
        let report = AssemblyReport {
            slots: &slots,
            arguments: &arguments,
            start: solution.map(|s| s.start),
            coordinates: VariableTable {
                title: "coordinates",
                kept: "held",
                slots: &slots.q,
                starts: &starts.coordinates,
                before: &before.q,
                after: &arguments.q,
            },
            speeds: VariableTable {
                title: "speeds",
                kept: "given",
                slots: &slots.v,
                starts: &starts.speeds,
                before: &before.v,
                after: &arguments.v,
            },
            residuals: [&before, &arguments].map(|a| largest_violations(&manifold, a)),
            mobility,
            modes,
        };
        let text = match self.format {
            AssembleFormat::Json => {
                let parameters = &self.parameters.parameters;
                let p = overrides::overridden_parameters(at.as_ref(), parameters, &slots.p, &arguments.p);
                let remaining = at.as_ref().map(StateFile::remaining_entries).unwrap_or_default();
                format!("{:#}\n", report.as_json(remaining, p))
            }
            AssembleFormat::Text => report.as_text(),
        };
        output::print_to_stdout(&text)?;
        Ok(ExitCode::SUCCESS)
    }
}

/// Moves each angle of the assembled pose to within half a turn of its start value, if the
/// constraints still hold there; otherwise returns `q` unchanged. A gear, for example, tells turns
/// apart.
fn unwind_angles(manifold: &Manifold<'_>, slots: &[Slot], (t, start, q): (f64, &[f64], &[f64])) -> Vec<f64> {
    let turn = std::f64::consts::TAU;
    let nearer = slots.iter().enumerate().map(|(i, s)| match s.unit.as_str() {
        "rad" => q[i] - turn * ((q[i] - start[i]) / turn).round(),
        _ => q[i],
    });
    let nearer: Vec<f64> = nearer.collect();
    let rest = vec![0.0; manifold.mechanism.nv()];
    let violation = |q: &[f64]| {
        let rows = manifold.constraint_rows(t, q, &rest);
        largest_magnitude(rows.iter().filter_map(|r| r.position))
    };
    if violation(&nearer) <= violation(q).max(1e-9) { nearer } else { q.to_vec() }
}

/// Largest absolute violation of the constraints at these arguments: `[position, velocity]`.
fn largest_violations(manifold: &Manifold<'_>, a: &Arguments) -> [f64; 2] {
    let rows = manifold.constraint_rows(a.t, &a.q, &a.v);
    [
        largest_magnitude(rows.iter().filter_map(|r| r.position)),
        largest_magnitude(rows.iter().map(|r| r.velocity)),
    ]
}

fn largest_magnitude(values: impl Iterator<Item = f64>) -> f64 {
    values.fold(0.0f64, |m, x| m.max(x.abs()))
}

/// The start state as written in the spec, before assembly at load time changed it, with the
/// defaults of the other arguments.
fn arguments_before_assembly(loaded: &Assembled, slots: &Layout) -> Arguments {
    Arguments {
        t: 0.0,
        q: start_values(&loaded.starts.coordinates),
        v: start_values(&loaded.starts.speeds),
        z: default_values(&slots.z),
        u: default_values(&slots.u),
        p: default_values(&slots.p),
        a: vec![0.0; slots.v.len()],
        impulses: vec![0.0; slots.u.len()],
        efforts: vec![0.0; slots.v.len()],
        contacts: vec![1.0; slots.contacts.len()],
        costates: vec![0.0; slots.q.len() + slots.v.len() + slots.z.len()],
    }
}

fn start_values(starts: &[Given]) -> Vec<f64> {
    starts.iter().map(|g| g.value).collect()
}

/// JSON of the largest violations of the constraints at position and at velocity level.
fn residuals_as_json([position, velocity]: [f64; 2]) -> Value {
    json!({ "position": position, "velocity": velocity })
}

/// One line of text that counts coordinates, speeds, constraint rows and degrees of freedom.
fn describe_mobility(m: &Mobility) -> String {
    format!(
        "{} coordinates, {} speeds, {} constraint {} ({} holonomic, {} redundant): {} {} of freedom",
        m.coordinates,
        m.speeds,
        m.rows,
        if m.rows == 1 { "row" } else { "rows" },
        m.holonomic,
        m.redundant,
        m.freedom,
        if m.freedom == 1 { "degree" } else { "degrees" }
    )
}
