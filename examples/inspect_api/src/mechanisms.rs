//! Two mechanisms: one from a file, one built in Rust.

use std::path::Path;

use dqdt_codegen::Errors;
use dqdt_codegen::pipeline::{self, Assembled};
use dqdt_codegen::spec::{Entries, SpecBuilder};

/// The cart-pole of `examples/specs`.
///
/// # Errors
/// Errors in the file.
pub fn cart_pole() -> Result<Assembled, Errors> {
    pipeline::load(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../specs/cart_pole.toml")))
}

/// A chain of equal rods that hangs from the ground, built in a loop.
///
/// The builder writes TOML and parses it, so keys, defaults and checks are those of the format.
///
/// # Errors
/// Errors in the spec.
pub fn chain(n: usize) -> Result<Assembled, Errors> {
    let mut builder = SpecBuilder::new(format!("hanging_chain_{n}"))
        .description(format!("{n} equal rods"))
        .gravity((0, "-g", 0))
        .parameter("g", Entries::quantity(9.81, "m/s^2"))
        .parameter("m", Entries::quantity(0.3, "kg").with("description", "mass of a rod"))
        .parameter("l", Entries::quantity(0.2, "m").with("description", "length of a rod"));
    for i in 1..=n {
        let rod = Entries::new()
            .with("mass", "m")
            .with("center_of_mass", (0, "-l/2", 0))
            .with("inertia", ("m*l^2/12", 0, "m*l^2/12"))
            .with("points", Entries::new().with("end", (0, "-l", 0)));
        let hinge = Entries::new().with("axis", "z").with("child", format!("rod{i}")).with(
            "coordinates",
            Entries::new().with("names", [format!("theta{i}")]).with("start", [format!("{} deg", 10 * i)]),
        );
        let hinge = match i {
            1 => hinge.with("parent", "ground"),
            _ => hinge.with("parent", Entries::at(format!("rod{}", i - 1), "end")),
        };
        builder = builder.body(format!("rod{i}"), rod).joint(format!("hinge{i}"), "revolute", hinge);
    }
    pipeline::build(&builder.build()?, "")
}
