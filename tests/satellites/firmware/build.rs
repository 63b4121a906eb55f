//! Build script that emits only the functions called by the firmware, by another formalism.

use dqdt_codegen::Config;
use dqdt_codegen::Formalism;
use dqdt_codegen::functions;

fn main() -> Result<(), dqdt_codegen::ConfigError> {
    Config::new()
        .formalism(Formalism::Lagrange)
        .functions([functions::DQDT, functions::MASS_MATRIX])
        .compile(&["mechanisms/pendulum.toml", "mechanisms/slider.toml"])
}
