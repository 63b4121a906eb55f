//! Derives the inverse dynamics of the arm and its regressor, and writes them as Rust.

use dqdt_codegen::{Config, ConfigError, functions};

fn main() -> Result<(), ConfigError> {
    Config::new()
        .functions([functions::INVERSE_DYNAMICS, functions::REGRESSOR, functions::INERTIAL_PARAMETERS])
        .compile(&["../specs/panda_arm.toml"])
}
