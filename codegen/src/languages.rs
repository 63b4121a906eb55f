//! Target languages of emitted code, for [`Config::language`](crate::Config::language).

#[doc(inline)]
pub use dqdt_print::rust::TARGET as RUST;
pub use dqdt_print::target::Target;
/// Languages beside Rust. `C`: a header and a source file in C99; compile them with the crate `cc`,
/// in the same build script. `CUDA`: one header for the host and the device, which is also C++14.
///
/// # Example
/// ```no_run
/// use dqdt_codegen::{Config, languages};
///
/// fn main() -> Result<(), dqdt_codegen::ConfigError> {
///     Config::new().language(&languages::C).option("steps",
/// "true").compile(&["mechanisms/cart_pole.toml"])?;
///     // cc::Build::new().file(out_dir.join("cart_pole.c")).compile("cart_pole");
///     Ok(())
/// }
/// ```
#[cfg(feature = "c")]
#[doc(inline)]
pub use dqdt_targets::{C, CUDA};
