//! Files that are neither specs nor robots give one message, which quotes none of their content.

use std::path::Path;

use dqdt_codegen::read;

/// A line that no message may quote.
const SECRET: &str = "hunter2";

fn load_error(file: &str, text: &[u8]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(file);
    std::fs::write(&path, text).unwrap();
    dqdt_codegen::pipeline::load(&path).unwrap_err().to_string()
}

#[test]
fn no_message_quotes_a_file_that_is_no_spec() {
    let texts: [(&str, &[u8]); 6] = [
        ("shadow", b"root:hunter2:0:0\nname: hunter2\n"),
        ("keys.toml", b"[registry]\ntoken = \"hunter2\"\n"),
        ("broken.toml", b"[registry]\nname = \"x\"\ntoken = hunter2 hunter2\n"),
        ("program", b"\x7fELF hunter2 \xff hunter2\n"),
        ("settings.urdf", b"<settings password=\"hunter2\"/>"),
        ("settings.xml", b"<settings password=\"hunter2\">"),
    ];
    for (file, text) in texts {
        let message = load_error(file, text);
        assert!(!message.contains(SECRET), "{file}: {message}");
    }
    let text = load_error("shadow", texts[0].1);
    assert!(text.contains("not-a-spec") || text.contains("neither a spec nor a robot"), "{text}");
    assert!(text.contains("line 1"), "{text}");
}

#[test]
fn a_broken_spec_is_quoted() {
    for text in ["name = pendulum\n", "[bodies.rod]\nmass = 2*m\n", "[joints]\nhinge = {"] {
        let message = read::parse("broken.toml", text).unwrap_err().render(false);
        assert!(
            message.contains(text.lines().next().unwrap()) || message.contains("broken.toml:"),
            "{message}"
        );
    }
}

#[cfg(unix)]
#[test]
fn a_device_without_an_end_is_refused() {
    let text = dqdt_codegen::pipeline::load(Path::new("/dev/zero")).unwrap_err().to_string();
    assert!(text.contains("larger than"), "{text}");
}
