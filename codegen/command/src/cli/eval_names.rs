//! Names of the entries of arrays in the output of `dqdt eval`: vectors, rows and columns of
//! matrices.

use serde_json::{Map, Value, json};

use dqdt_graph::ir::declaration::{EntryNames, Returns};
use dqdt_graph::ir::{Function, FunctionOutput, Layout, ResultShape};

/// JSON with the names of the entries of results, by function and output. If all outputs of a
/// function have the same names, as the wrenches of joints, they are listed once for the function.
/// A matrix has one list for both rows and columns.
pub(super) fn list_entry_names<'a>(layout: &Layout, functions: impl Iterator<Item = &'a Function>) -> Value {
    let mut all = Map::new();
    for f in functions {
        let names = |o: &FunctionOutput| entry_names_as_json(f, o, layout);
        let value = match f.declaration.returns {
            Returns::Array { .. } | Returns::Limited { .. } => f.outputs.first().and_then(names),
            _ if has_common_entry_names(f) => f.outputs.first().and_then(names),
            Returns::Struct { .. } | Returns::Joint(_) => {
                let named = f.outputs.iter().filter_map(|o| Some((o.name.clone(), names(o)?)));
                Some(Value::Object(named.collect::<Map<_, _>>())).filter(|v| v != &json!({}))
            }
        };
        all.extend(value.map(|v| (f.declaration.name.to_owned(), v)));
    }
    Value::Object(all)
}

fn has_common_entry_names(f: &Function) -> bool {
    matches!(f.declaration.entries, EntryNames::Groups(_)) && f.outputs.iter().all(|o| o.entries.is_none())
}

/// Names of the entries of an output as JSON; `None` for a scalar and for entries that only have
/// indices.
fn entry_names_as_json(f: &Function, output: &FunctionOutput, layout: &Layout) -> Option<Value> {
    let rows = match output.shape {
        ResultShape::Scalar => return None,
        ResultShape::Vector(n) | ResultShape::Matrix(n, _) => n,
    };
    if output.labels.len() == output.nodes.len() {
        return Some(json!(output.labels));
    }
    match f.declaration.entries_of(output) {
        EntryNames::Numbered => None,
        EntryNames::Each(vector, _) | EntryNames::Symmetric(_, vector) | EntryNames::Square(_, vector) => {
            let slots = vector.slots(layout);
            let names: Vec<&str> = slots.iter().map(|(_, slot)| slot.name.as_str()).collect();
            (names.len() == rows).then(|| json!(names))
        }
        EntryNames::Groups([group]) => Some(json!(group.entries)),
        EntryNames::Groups(groups) => {
            Some(Value::Object(groups.iter().map(|g| (g.name.to_owned(), json!(g.entries))).collect()))
        }
    }
}
