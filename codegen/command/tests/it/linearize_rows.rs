//! Linearisations with many states keep their sparsity.

use std::fmt::Write as _;

use dqdt_codegen::linearize::{LinearizeRequest, linearize};
use dqdt_codegen::{pipeline, read};

#[test]
fn a_row_of_many_states_is_linearised_without_eigenvalues() {
    const STATES: usize = 450;
    let mut text = String::from(
        r#"
        name = "row"
        [bodies.b]
        mass = 1
        [joints.j]
        type = "prismatic"
        axis = "x"
        parent = "ground"
        child = "b"
        coordinates = { names = ["x"] }
        [states]
        z1 = { rate = "-z1" }
        "#,
    );
    for i in 2..=STATES {
        writeln!(text, "z{i} = {{ rate = \"z{} - z{i}\" }}", i - 1).unwrap();
    }
    let loaded = pipeline::build(&read::parse("row.toml", text).unwrap(), "row.toml").unwrap();
    let linearized = linearize(&loaded, &LinearizeRequest::default()).unwrap();
    assert_eq!(linearized.states.len(), STATES + 2);
    assert!(linearized.modes.is_empty());
    for (i, row) in linearized.a.iter().enumerate() {
        for (j, x) in row.iter().enumerate() {
            let right = match (i, j) {
                (0, 1) => 1.0,
                (2.., _) if i == j => -1.0,
                (3.., _) if i == j + 1 => 1.0,
                _ => 0.0,
            };
            assert_eq!(*x, right, "{i} {j}");
        }
    }
}
