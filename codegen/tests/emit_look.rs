//! temporary
mod emit_support;
#[test]
fn look() {
    use dqdt_codegen::emit::{RustOptions, rust};
    let o = RustOptions::default();
    for p in [
        emit_support::pendulum(),
        emit_support::chain(3),
        emit_support::everything(),
        emit_support::nothing(),
    ] {
        std::fs::write(format!("/tmp/look_{}.rs", p.name), rust(&p, &o)).unwrap();
    }
}
