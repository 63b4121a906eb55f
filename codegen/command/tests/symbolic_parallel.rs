//! Many processes at once: the engine's restriction to one process a machine must not show.

use std::path::Path;
use std::process::{Command, Stdio};

#[test]
fn eight_processes_at_once_give_the_same_report_and_a_clean_standard_output() {
    let spec = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/specs/double_pendulum.toml");
    let start = || {
        Command::new(env!("CARGO_BIN_EXE_dqdt"))
            .arg("inspect")
            .arg(&spec)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
    };
    let children: Vec<_> = (0..8).map(|_| start()).collect();
    let outputs: Vec<_> = children.into_iter().map(|c| c.wait_with_output().unwrap()).collect();
    for o in &outputs {
        assert!(o.status.success(), "{}", String::from_utf8_lossy(&o.stderr));
        let text = String::from_utf8_lossy(&o.stdout);
        assert!(text.starts_with("double pendulum\n"), "{text}");
        assert!(text.contains("m₁ l₁² + m₂ (l₁² + l₂²"), "closed forms are missing:\n{text}");
        assert!(!text.to_lowercase().contains("symbolica"), "the licence notice is on standard output");
        assert_eq!(o.stdout, outputs[0].stdout);
    }
    let notices =
        outputs.iter().filter(|o| String::from_utf8_lossy(&o.stderr).to_lowercase().contains("symbolica"));
    assert!(notices.count() > 0, "the licence notice reaches the user on standard error");
}
