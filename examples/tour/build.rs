//! Derives the equations of motion and writes them as Rust.

fn main() -> Result<(), dqdt_codegen::ConfigError> {
    dqdt_codegen::compile(&["../specs/furuta_pendulum.toml"])
}
