//! Build script with all options at their defaults.

fn main() -> Result<(), dqdt_codegen::ConfigError> {
    dqdt_codegen::compile(&["mechanisms/arm.toml"])
}
