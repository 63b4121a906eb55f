//! Where results are written.

use dqdt_graph::ir::declaration::{Declaration, Returns};

/// The argument that a struct of results is written to.
const RESULT: &str = "y";
/// The argument that limited values are written to.
const LIMITED: &str = "limited";

/// The functions that a call joins, or this one.
pub fn parts(declaration: &Declaration) -> Vec<&Declaration> {
    match declaration.returns {
        Returns::Joint(all) => all.to_vec(),
        _ => vec![declaration],
    }
}

/// The argument to which each result is written. Where there are several, a struct goes to one of the name of its function.
pub fn places(declaration: &Declaration) -> Vec<&'static str> {
    let joint = matches!(declaration.returns, Returns::Joint(_));
    let place = |d: &Declaration| match d.returns {
        Returns::Array { name, .. } => name,
        Returns::Limited { .. } => LIMITED,
        Returns::Struct { .. } | Returns::Joint(_) if joint => d.name,
        Returns::Struct { .. } | Returns::Joint(_) => RESULT,
    };
    let mut places: Vec<&'static str> = Vec::new();
    for d in parts(declaration) {
        let name = place(d);
        places.push(if places.contains(&name) { d.name } else { name });
    }
    places
}
