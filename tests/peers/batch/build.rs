//! Emits `dqdt` of every robot named in `PEERS_MODELS` (all by default), with default options and
//! with `--unfused`, and a list of the modules. Specs of robots from packages are in `PEERS_SPECS`
//! (`robots.py`); if `PEERS_FIELD` is set, modules with `--unfused` are those with default options.

use std::fmt::Write as _;

const ALL: &str =
    "chain2 chain3 chain5 chain10 chain20 chain50 ur5 panda sph_rev solo12 anymal hyq talos talosfull";

/// The robots whose specs are in `PEERS_SPECS`.
const FROM_PACKAGES: [&str; 3] = ["iiwa14", "go2", "g1"];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for name in ["PEERS_MODELS", "PEERS_SPECS", "PEERS_FIELD"] {
        println!("cargo::rerun-if-env-changed={name}");
    }
    let selection = std::env::var("PEERS_MODELS").unwrap_or_default();
    let selection: Vec<&str> = selection.split_whitespace().collect();
    let mut robots: Vec<&str> =
        ALL.split(' ').filter(|m| selection.is_empty() || selection.contains(m)).collect();
    let mut specs: Vec<String> = robots.iter().map(|m| format!("../../data/robots/{m}.toml")).collect();
    if let Ok(folder) = std::env::var("PEERS_SPECS") {
        for m in FROM_PACKAGES.into_iter().filter(|m| selection.contains(m)) {
            robots.push(m);
            specs.push(format!("{folder}/{m}.toml"));
        }
    }
    let without_unfused = std::env::var_os("PEERS_FIELD").is_some();
    let out = std::path::PathBuf::from(std::env::var("OUT_DIR")?);
    let mut config = dqdt_codegen::Config::new();
    config.functions([dqdt_codegen::functions::DQDT]).single_precision().compile(&specs)?;
    if !without_unfused {
        std::fs::create_dir_all(out.join("unfused"))?;
        config.unfused().out_dir(out.join("unfused")).compile(&specs)?;
    }
    let mut list = String::new();
    for m in &robots {
        writeln!(list, "dqdt::include_mechanism!(pub mod {m} = \"{m}\");")?;
        if without_unfused {
            writeln!(list, "pub use {m} as {m}_unfused;")?;
        } else {
            writeln!(list, "dqdt::include_mechanism!(pub mod {m}_unfused = \"unfused/{m}\");")?;
        }
    }
    writeln!(
        list,
        "macro_rules! each {{ ($one:ident) => {{ {} }} }}",
        robots.iter().map(|m| format!("$one!({m} {m}_unfused);")).collect::<String>()
    )?;
    std::fs::write(out.join("robots.rs"), list)?;
    Ok(())
}
