//! Derives the cart-pole with its linearisation and the bicycle with its constraints, and writes
//! them as Rust.

use dqdt_codegen::{Config, ConfigError, functions};

fn main() -> Result<(), ConfigError> {
    Config::new()
        .functions(functions::defaults_and(&[functions::LINEARIZE]))
        .compile(&["../specs/cart_pole.toml"])?;
    dqdt_codegen::compile(&["../../tests/data/linearize/whipple_torques.toml"])
}
