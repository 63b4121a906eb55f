//! Derives the equations of the snowboarder with its program constraints and writes them as Rust.

fn main() -> Result<(), dqdt_codegen::ConfigError> {
    dqdt_codegen::compile(&["slalom.toml"])
}
