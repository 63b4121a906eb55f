//! `dqdt assemble`: a state that fulfils the constraints, and what is left to move.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, ValueEnum};
use serde_json::{Map, Value, json};

use super::{Failure, Source, load, output};
use crate::assembly::{self, Assembled, Manifold};
use crate::ir::lower::{free_parameters, layout};
use crate::ir::{Arguments, Slot};
use crate::kinematics;
use crate::pipeline::Loaded;

#[derive(Args)]
pub(super) struct Assemble {
    #[command(flatten)]
    source: Source,
    /// State and parameters to start from, as for `eval --at`
    #[arg(long)]
    at: Option<PathBuf>,
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

/// The constraints at the parameters of `arguments`.
pub(super) fn manifold<'l>(loaded: &'l Loaded, arguments: &Arguments) -> Manifold<'l> {
    let m = &loaded.mechanism;
    let number = |n: crate::algebra::Number| n.to_f64();
    Manifold::new(m, kinematics::parameters(m, &number, &arguments.p))
}

/// Brings the state of `arguments` onto the constraints.
pub(super) fn assemble(loaded: &Loaded, arguments: &mut Arguments) -> Result<Option<Assembled>, Failure> {
    let m = &loaded.mechanism;
    if m.constraints.is_empty() {
        return Ok(None);
    }
    let manifold = manifold(loaded, arguments);
    let held = (&loaded.held.coordinates[..], &loaded.held.speeds[..]);
    match assembly::assemble(&manifold, arguments.t, (&arguments.q, &arguments.v), held) {
        Ok(found) => {
            arguments.q.clone_from(&found.q);
            arguments.v.clone_from(&found.v);
            Ok(Some(found))
        }
        Err(e) => {
            let rows = manifold.rows(arguments.t, &e.q, &arguments.v);
            let of_level = rows.iter().filter(|r| e.speeds || r.position.is_some());
            let row =
                of_level.map(|r| r.name.clone()).nth(e.row).unwrap_or_else(|| "a quaternion".to_owned());
            let what = if e.speeds { "speeds" } else { "pose" };
            Err(Failure::NotAssembled { what, row, residual: e.residual })
        }
    }
}

impl Assemble {
    pub(super) fn run(self) -> Result<ExitCode, Failure> {
        let loaded = load(&self.source)?;
        let m = &loaded.mechanism;
        let slots = layout(m);
        let values = |s: &[Slot]| s.iter().map(|s| s.value).collect::<Vec<_>>();
        let mut arguments = Arguments {
            t: 0.0,
            q: values(&slots.q),
            v: values(&slots.v),
            z: values(&slots.z),
            u: values(&slots.u),
            p: values(&slots.p),
            a: vec![0.0; slots.v.len()],
        };
        debug_assert_eq!(arguments.p.len(), free_parameters(m).len());
        if let Some(path) = &self.at {
            let text = std::fs::read_to_string(path).map_err(|e| Failure::file("read", path, e))?;
            super::eval::read_arguments(&text, &slots, &mut arguments)
                .map_err(|message| Failure::Input { place: path.display().to_string(), message })?;
        }
        let given = arguments.q.clone();
        let found = assemble(&loaded, &mut arguments)?;
        let manifold = manifold(&loaded, &arguments);
        let mobility = assembly::mobility(&manifold, arguments.t, &arguments.q);
        let modes = found
            .as_ref()
            .and_then(|_| assembly::modes(&manifold, arguments.t, &given, &loaded.held.coordinates));
        let residuals = found.as_ref().map_or([0.0; 2], |f| f.residuals);
        let start = found.as_ref().map_or(0, |f| f.start);
        let text = match self.format {
            Format::Json => {
                let named = |slots: &[Slot], values: &[f64]| -> Value {
                    let pairs = slots.iter().zip(values).map(|(s, x)| (s.name.clone(), json!(x)));
                    Value::Object(pairs.collect::<Map<_, _>>())
                };
                let modes: Option<Vec<Value>> =
                    modes.map(|all| all.iter().map(|q| named(&slots.q, q)).collect());
                format!(
                    "{:#}\n",
                    json!({
                        "t": arguments.t,
                        "q": named(&slots.q, &arguments.q),
                        "v": named(&slots.v, &arguments.v),
                        "start": start,
                        "residuals": { "position": residuals[0], "velocity": residuals[1] },
                        "mobility": {
                            "coordinates": mobility.coordinates,
                            "speeds": mobility.speeds,
                            "rows": mobility.rows,
                            "holonomic": mobility.holonomic,
                            "redundant": mobility.redundant,
                            "freedom": mobility.freedom,
                        },
                        "modes": modes,
                    })
                )
            }
            Format::Text => {
                let mut out = String::new();
                let mut list = |title: &str, slots: &[Slot], values: &[f64]| {
                    let _ = writeln!(out, "{title}");
                    for (s, x) in slots.iter().zip(values) {
                        let _ = writeln!(out, "  {:24} {x:22.15} {}", s.name, s.unit);
                    }
                };
                list("coordinates", &slots.q, &arguments.q);
                list("speeds", &slots.v, &arguments.v);
                let from = match start {
                    0 => "from the start that is given".to_owned(),
                    k => format!("from start {k} of those drawn around the one that is given"),
                };
                let _ = writeln!(
                    out,
                    "assembled {from}; residuals {:.1e} (positions), {:.1e} (speeds)",
                    residuals[0], residuals[1]
                );
                match &modes {
                    Some(all) => {
                        let _ = writeln!(out, "{} ways to assemble were found with what is held", all.len());
                        for (k, q) in all.iter().enumerate() {
                            let values: Vec<String> = q.iter().map(|x| format!("{x:.6}")).collect();
                            let _ = writeln!(out, "  {}: {}", k + 1, values.join(", "));
                        }
                    }
                    None if found.is_some() => {
                        let _ = writeln!(
                            out,
                            "the mechanism moves with what is held: ways to assemble are not counted"
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

/// One line about the degrees of freedom.
pub(super) fn counts(m: &assembly::Mobility) -> String {
    format!(
        "{} coordinates, {} speeds, {} constraint rows ({} of positions, {} redundant): {} degrees of freedom",
        m.coordinates, m.speeds, m.rows, m.holonomic, m.redundant, m.freedom
    )
}
