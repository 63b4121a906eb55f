//! The macro that includes generated files.

/// Includes the code that `build.rs` generated for a mechanism.
///
/// `include_mechanism!("name")` includes `$OUT_DIR/name.rs` at this place. `include_mechanism!(pub
/// mod arm = "name")` puts it into a module, with attributes and documentation before `pub`; clippy
/// ignores that module.
///
/// `build.rs`:
///
/// ```text
/// fn main() -> Result<(), Box<dyn std::error::Error>> {
///     dqdt_codegen::Config::new().compile(&["mechanisms/arm.toml"])?; // writes $OUT_DIR/arm.rs
///     Ok(())
/// }
/// ```
///
/// `src/lib.rs`:
///
/// ```text
/// dqdt::include_mechanism! {
///     /// The arm of the loader.
///     pub mod arm = "arm"
/// }
///
/// let model = arm::Model::<f64>::default();
/// model.dqdt(t, &x, &u, &mut dx)?;
/// ```
///
/// # Errors
/// A missing file, or a crate without `build.rs`, is a compile-time error.
#[macro_export]
macro_rules! include_mechanism {
    ($name:literal) => {
        include!(concat!(env!("OUT_DIR"), "/", $name, ".rs"));
    };
    ($(#[$attribute:meta])* $visibility:vis mod $module:ident = $name:literal) => {
        $(#[$attribute])*
        #[allow(clippy::all, clippy::pedantic, reason = "lints of the user's crate do not apply to emitted code")]
        $visibility mod $module {
            include!(concat!(env!("OUT_DIR"), "/", $name, ".rs"));
        }
    };
}
