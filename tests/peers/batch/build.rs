//! Emits `dqdt` of every robot named in `PEERS_MODELS` (all by default), with default options and
//! with `--unfused`, and a list of the modules.

use std::fmt::Write as _;

const ALL: &str =
    "chain2 chain3 chain5 chain10 chain20 chain50 ur5 panda sph_rev solo12 anymal hyq talos talosfull";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("cargo::rerun-if-env-changed=PEERS_MODELS");
    let selection = std::env::var("PEERS_MODELS").unwrap_or_default();
    let selection: Vec<&str> = selection.split_whitespace().collect();
    let robots: Vec<&str> =
        ALL.split(' ').filter(|m| selection.is_empty() || selection.contains(m)).collect();
    let specs: Vec<String> = robots.iter().map(|m| format!("../../data/robots/{m}.toml")).collect();
    let out = std::path::PathBuf::from(std::env::var("OUT_DIR")?);
    let mut config = dqdt_codegen::Config::new();
    config.functions([dqdt_codegen::functions::DQDT]).single_precision().compile(&specs)?;
    std::fs::create_dir_all(out.join("unfused"))?;
    config.unfused().out_dir(out.join("unfused")).compile(&specs)?;
    let mut list = String::new();
    for m in &robots {
        writeln!(list, "dqdt::include_mechanism!(pub mod {m} = \"{m}\");")?;
        writeln!(list, "dqdt::include_mechanism!(pub mod {m}_unfused = \"unfused/{m}\");")?;
    }
    writeln!(
        list,
        "macro_rules! each {{ ($one:ident) => {{ {} }} }}",
        robots.iter().map(|m| format!("$one!({m} {m}_unfused);")).collect::<String>()
    )?;
    std::fs::write(out.join("robots.rs"), list)?;
    Ok(())
}
