//! Fuzz target: reading, building and rendering must not panic for any bytes.

#![no_main]

use dqdt_codegen::read;
use dqdt_spec::resolve;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let rendered = match read::parse("fuzz.toml", bytes) {
        Ok(spec) => match resolve::resolve(&spec) {
            Ok(built) => built.render(false),
            Err(errors) => errors.render(false),
        },
        Err(errors) => errors.render(true),
    };
    std::hint::black_box(rendered);
});
