//! `dqdt compare` prints one row a formalism.

use std::path::Path;
use std::process::Command;

#[test]
fn every_formalism_has_a_row() {
    let spec = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/specs/double_pendulum.toml");
    let run = Command::new(env!("CARGO_BIN_EXE_dqdt")).arg("compare").arg(spec).output().unwrap();
    assert!(run.status.success() && run.stderr.is_empty());
    let text = String::from_utf8(run.stdout).unwrap();
    for formalism in dqdt_codegen::formalism::Formalism::ALL {
        let name = formalism.name();
        assert!(text.lines().any(|l| l.split_whitespace().next() == Some(name)), "{name}\n{text}");
    }
    assert!(text.lines().all(|l| l.chars().count() <= 100), "{text}");
    assert!(text.contains("Fewest operations: "));
}
