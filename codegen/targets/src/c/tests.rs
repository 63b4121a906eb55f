//! Checks that the C printer has no special case for any function by name.

use dqdt_derivation::functions;

#[test]
fn the_printer_names_no_function() {
    for text in [
        include_str!("mod.rs"),
        include_str!("data.rs"),
        include_str!("functions.rs"),
        include_str!("header.rs"),
        include_str!("names.rs"),
        include_str!("scope.rs"),
        include_str!("casadi.rs"),
    ] {
        for f in functions::ALL {
            assert!(
                !text.contains(&format!("\"{}\"", f.name)) && !text.contains("functions::by_name"),
                "{}",
                f.name
            );
        }
    }
}
