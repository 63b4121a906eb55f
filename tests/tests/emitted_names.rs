//! Names in `generated/`: none stands for two values in a function.

use dqdt_tests::emitted::{functions, modules};

#[test]
fn no_name_stands_for_two_values() {
    let mut faults = Vec::new();
    let mut seen = 0;
    for module in modules().unwrap() {
        for f in functions(&module) {
            seen += 1;
            faults.extend(f.ambiguous.into_iter().map(|a| format!("{}::{}: {a}", module.name, f.name)));
        }
    }
    assert!(seen > 300, "{seen} functions were read");
    assert!(faults.is_empty(), "{} names stand for two values:\n{}", faults.len(), faults.join("\n"));
}
