//! Derives the equations of the cart-pole and writes them as Rust.

fn main() -> Result<(), dqdt_codegen::ConfigError> {
    dqdt_codegen::Config::new().compile(&["../specs/cart_pole.toml"])
}
