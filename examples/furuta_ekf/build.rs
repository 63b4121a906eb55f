//! Derives the equations of the Furuta pendulum and their derivatives, and writes them as Rust.

use dqdt_codegen::{Config, ConfigError, functions};

fn main() -> Result<(), ConfigError> {
    Config::new()
        .functions([functions::DQDT, functions::RATES, functions::DQDT_DERIVATIVES])
        .compile(&["../specs/furuta_pendulum.toml"])
}
