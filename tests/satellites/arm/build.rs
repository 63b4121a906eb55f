//! All defaults, in one line.

fn main() -> Result<(), dqdt_codegen::ConfigError> {
    dqdt_codegen::compile(&["mechanisms/arm.toml"])
}
