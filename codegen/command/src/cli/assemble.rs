//! `dqdt assemble`: finds a state that fulfils the constraints and counts degrees of freedom.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, ValueEnum};
use serde_json::{Map, Value, json};

use super::at::At;
use super::given::{self, Parameters};
use super::output;
use super::source::{Failure, Source};
use super::start::{no_start, read};
use dqdt_derivation::assemble::{self, KeptStarts, Manifold, start_messages};
use dqdt_derivation::derive::layout;
use dqdt_derivation::symbols::free_parameters;
use dqdt_graph::ir::{Arguments, Slot};
use dqdt_mechanics::mechanism::{Given, StartRole};
use dqdt_motion::simulate::speeds_by_kinetic_energy;
pub use dqdt_motion::simulate::{Start, manifold};

#[derive(Args)]
pub(super) struct Assemble {
    #[command(flatten)]
    source: Source,
    #[command(flatten)]
    parameters: Parameters,
    /// State and parameters to start from, as for `eval --at`
    #[arg(long)]
    at: Option<PathBuf>,
    /// How speeds that break the constraints are brought onto them
    #[arg(long, value_enum, default_value = "size")]
    projection: Projection,
    /// Form of the answer
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people
    Text,
    /// For programs, and for `--at`
    Json,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Projection {
    /// Given speeds are kept, the others change as little as they can
    Size,
    /// All speeds change, by the least kinetic energy: as an inelastic impact leaves them
    Mass,
}

/// Coordinates or speeds of the report, each with its value before and after assembly.
struct Column<'a> {
    title: &'a str,
    /// Label of an entry whose role is [`StartRole::Kept`].
    kept: &'a str,
    slots: &'a [Slot],
    given: &'a [Given],
    before: &'a [f64],
    after: &'a [f64],
}

impl Column<'_> {
    /// Text that describes one entry: given, guessed or not given, and changed by assembly or not.
    fn mark(&self, i: usize) -> String {
        let change = self.after[i] - self.before[i];
        let moved = start_messages::has_changed(self.before[i], self.after[i]);
        match (self.given[i].role, moved) {
            (StartRole::Kept, false) => self.kept.to_owned(),
            (StartRole::Kept, true) => format!("{} as {}, but the file decides", self.kept, self.before[i]),
            (StartRole::Guess, false) => "guess, stays".to_owned(),
            (StartRole::Guess, true) => format!("guess {}, moved by {change:.3e}", self.before[i]),
            (StartRole::Open, false) => "not given".to_owned(),
            (StartRole::Open, true) => "found".to_owned(),
        }
    }

    fn text(&self, out: &mut String) {
        let _ = writeln!(out, "{}", self.title);
        for (i, (s, x)) in self.slots.iter().zip(self.after).enumerate() {
            // Rounding may leave −0 or a tiny negative number, which would print as `-0.000`.
            let x = if x.abs() < 5e-16 { "0".to_owned() } else { format!("{x:.15}") };
            let _ = writeln!(out, "  {:24} {x:>22} {:8} {}", s.name, s.unit, self.mark(i));
        }
    }

    fn json(&self) -> Value {
        let entry = |(i, s): (usize, &Slot)| {
            let role = match self.given[i].role {
                StartRole::Kept => self.kept,
                StartRole::Guess => "guess",
                StartRole::Open => "not given",
            };
            let change = self.after[i] - self.before[i];
            (s.name.clone(), json!({ "role": role, "before": self.before[i], "change": change }))
        };
        Value::Object(self.slots.iter().enumerate().map(entry).collect::<Map<_, _>>())
    }
}

impl Assemble {
    pub(super) fn run(self) -> Result<ExitCode, Failure> {
        let at = At::read(self.at.as_deref())?;
        let at = given::apart(at, &self.parameters.parameters, &[])?;
        let loaded = given::load_near(&self.source, &self.parameters, at.as_ref())?;
        let m = &loaded.mechanism;
        let slots = layout(m);
        let values = |s: &[Slot]| s.iter().map(|s| s.value).collect::<Vec<_>>();
        let given = |all: &[Given]| all.iter().map(|g| g.value).collect::<Vec<_>>();
        let arguments = Arguments {
            t: 0.0,
            // Start values as written in the spec, before assembly at load time changed them.
            q: given(&loaded.starts.coordinates),
            v: given(&loaded.starts.speeds),
            z: values(&slots.z),
            u: values(&slots.u),
            p: values(&slots.p),
            a: vec![0.0; slots.v.len()],
            impulses: vec![0.0; slots.u.len()],
            efforts: vec![0.0; slots.v.len()],
            contacts: vec![1.0; slots.contacts.len()],
        };
        debug_assert_eq!(arguments.p.len(), free_parameters(m).len());
        let mut start = read(&loaded, &slots, arguments, at.as_ref())?;
        let before = start.arguments.clone();
        let place = at.as_ref().map_or(&self.source.spec, |at| &at.place);
        if self.projection == Projection::Mass {
            start.guess_speeds();
        }
        let found = start.assemble(&loaded).map_err(|e| no_start(e, place))?;
        if self.projection == Projection::Mass {
            start.arguments.v = speeds_by_kinetic_energy(&loaded, &start.arguments, &before.v);
        }
        let Start { arguments, starts, .. } = start;
        let manifold = manifold(&loaded, &arguments);
        let mobility = assemble::mobility(&manifold, &loaded.partition, arguments.t, &arguments.q);
        let held = KeptStarts::from(&starts).coordinates;
        let modes = found.as_ref().and_then(|_| assemble::modes(&manifold, arguments.t, &before.q, &held));
        let modes: Option<Vec<Vec<f64>>> = modes.map(|all| {
            all.iter().map(|q| unwound(&manifold, &slots.q, (arguments.t, &before.q, q))).collect()
        });
        let residuals = [&before, &arguments].map(|a| residuals(&manifold, a));
        let start = found.as_ref().map_or(0, |f| f.start);
        let q = Column {
            title: "coordinates",
            kept: "held",
            slots: &slots.q,
            given: &starts.coordinates,
            before: &before.q,
            after: &arguments.q,
        };
        let v = Column {
            title: "speeds",
            kept: "given",
            slots: &slots.v,
            given: &starts.speeds,
            before: &before.v,
            after: &arguments.v,
        };
        let text = match self.format {
            Format::Json => {
                let named = |slots: &[Slot], values: &[f64]| -> Value {
                    let pairs = slots.iter().zip(values).map(|(s, x)| (s.name.clone(), json!(x)));
                    Value::Object(pairs.collect::<Map<_, _>>())
                };
                let modes: Option<Vec<Value>> =
                    modes.map(|all| all.iter().map(|q| named(&slots.q, q)).collect());
                let levels = |r: [f64; 2]| json!({ "position": r[0], "velocity": r[1] });
                let mut state = Map::new();
                state.insert("t".to_owned(), json!(arguments.t));
                state.insert("q".to_owned(), named(&slots.q, &arguments.q));
                state.insert("v".to_owned(), named(&slots.v, &arguments.v));
                state.extend(at.as_ref().map(At::others).unwrap_or_default());
                let parameters = &self.parameters.parameters;
                let p = given::given_parameters(at.as_ref(), parameters, &slots.p, &arguments.p);
                if !p.is_empty() {
                    state.insert("p".to_owned(), Value::Object(p));
                }
                let told = json!({
                        "start": start,
                        "starts": { "q": q.json(), "v": v.json(), "residuals": levels(residuals[0]) },
                        "residuals": levels(residuals[1]),
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
                state.extend(told.as_object().cloned().unwrap_or_default());
                format!("{:#}\n", Value::Object(state))
            }
            Format::Text => {
                let mut out = String::new();
                q.text(&mut out);
                v.text(&mut out);
                let from = match start {
                    0 => "from the start that is given".to_owned(),
                    k => format!("from start {k} of those drawn around the one that is given"),
                };
                let [old, new] = residuals;
                let _ = writeln!(
                    out,
                    "assembled {from};\nresiduals {:.1e} (positions), {:.1e} (speeds); before {:.1e} and {:.1e}",
                    new[0], new[1], old[0], old[1]
                );
                match &modes {
                    Some(all) => {
                        let ways = match all.len() {
                            1 => "one way to assemble was".to_owned(),
                            n => format!("{n} ways to assemble were"),
                        };
                        let _ = writeln!(out, "{ways} found with what is held");
                        for (k, q) in all.iter().enumerate() {
                            let unit =
                                |s: &Slot| if s.unit == "1" { String::new() } else { format!(" {}", s.unit) };
                            let value = |(x, s): (&f64, &Slot)| format!("{} = {x:.6}{}", s.name, unit(s));
                            let values: Vec<String> = q.iter().zip(&slots.q).map(value).collect();
                            let _ = writeln!(out, "  {}: {}", k + 1, values.join(", "));
                        }
                    }
                    None if found.is_some() => {
                        let _ = writeln!(
                            out,
                            "with what is held the mechanism moves, in this pose or in another way to assemble:\nways are not counted"
                        );
                    }
                    None => {}
                }
                let _ = writeln!(out, "{}", counts(&mobility));
                out
            }
        };
        output::print(&text)?;
        Ok(ExitCode::SUCCESS)
    }
}

/// Moves each angle to within half a turn of its start value, if the pose still fulfils the
/// constraints; otherwise returns `q` unchanged. A gear, for example, tells turns apart.
fn unwound(manifold: &Manifold<'_>, slots: &[Slot], (t, start, q): (f64, &[f64], &[f64])) -> Vec<f64> {
    let turn = std::f64::consts::TAU;
    let near = |(i, s): (usize, &Slot)| match s.unit.as_str() {
        "rad" => q[i] - turn * ((q[i] - start[i]) / turn).round(),
        _ => q[i],
    };
    let nearer: Vec<f64> = slots.iter().enumerate().map(near).collect();
    let still = vec![0.0; manifold.mechanism.nv()];
    let left = |q: &[f64]| {
        let rows = manifold.rows(t, q, &still);
        rows.iter().filter_map(|r| r.position).fold(0.0f64, |most, x| most.max(x.abs()))
    };
    if left(&nearer) <= left(q).max(1e-9) { nearer } else { q.to_vec() }
}

/// Largest absolute violation of the constraints: `[position, velocity]`.
fn residuals(manifold: &Manifold<'_>, a: &Arguments) -> [f64; 2] {
    let rows = manifold.rows(a.t, &a.q, &a.v);
    let largest = |all: &mut dyn Iterator<Item = f64>| all.fold(0.0f64, |m, x| m.max(x.abs()));
    [largest(&mut rows.iter().filter_map(|r| r.position)), largest(&mut rows.iter().map(|r| r.velocity))]
}

/// One line of text that counts coordinates, speeds, constraint rows and degrees of freedom.
pub(super) fn counts(m: &assemble::Mobility) -> String {
    format!(
        "{} coordinates, {} speeds, {} constraint {} ({} of positions, {} redundant): {} {} of freedom",
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
