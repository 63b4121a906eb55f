//! `generated/FOOTPRINT.md` lists every generated function.

use dqdt_tests::{plain_functions, root};

#[test]
fn every_generated_function_has_its_stack_and_code_listed() {
    let text = std::fs::read_to_string(root("generated/FOOTPRINT.md")).unwrap();
    let mut listed = Vec::new();
    for line in text.lines() {
        if let Some(module) = line.strip_prefix("## ") {
            listed.push((module.to_owned(), Vec::new()));
        }
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        if let ([_, name, numbers @ .., _], Some(module)) = (&cells[..], listed.last_mut())
            && numbers.iter().all(|n| n.parse::<u64>().is_ok())
        {
            let numbers: Vec<u64> = numbers.iter().map(|n| n.parse().unwrap()).collect();
            let [frame, stack, code, arm_frame, arm_stack, arm_code] = numbers[..] else { panic!("{line}") };
            assert!(frame <= stack && arm_frame <= arm_stack && code > 0 && arm_code > 0, "{line}");
            module.1.push((*name).to_owned());
        }
    }
    let help = "`cargo run -p dqdt-tests --bin footprint` writes it anew";
    assert_eq!(listed, plain_functions().unwrap(), "{help}");
    assert!(text.contains("rustc 1."), "the table names the compiler");
}
