//! Derives the equations of the arm and its inverse dynamics from the URDF, and writes them as
//! Rust.

use dqdt_codegen::{Config, ConfigError, functions};

fn main() -> Result<(), ConfigError> {
    Config::new()
        .functions([functions::DQDT, functions::RATES, functions::INVERSE_DYNAMICS, functions::SATURATE])
        .compile(&["ur5_load.toml"])
}
