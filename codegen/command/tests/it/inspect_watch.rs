//! `dqdt inspect --watch`: the page follows the spec.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A watching command, which is ended with its test.
struct Watch(Child);

impl Drop for Watch {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Waits until the page satisfies a condition, at most a minute.
fn wait_for(page: &Path, condition: impl Fn(&str) -> bool) -> String {
    let start = Instant::now();
    loop {
        let text = std::fs::read_to_string(page).unwrap_or_default();
        if condition(&text) {
            return text;
        }
        assert!(start.elapsed() < Duration::from_secs(60), "the page did not follow:\n{text:.2000}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn the_page_follows_the_spec_and_shows_its_errors_above_the_last_report() {
    let folder = tempfile::tempdir().unwrap();
    let [spec, page] = ["cart.toml", "cart.html"].map(|name| folder.path().join(name));
    let text = std::fs::read_to_string(
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/specs/cart_pole.toml"),
    );
    let text = text.unwrap();
    std::fs::write(&spec, &text).unwrap();
    let child = Command::new(env!("CARGO_BIN_EXE_dqdt"))
        .args(["inspect", "--watch", "--sections", "state", "-o"])
        .args([&page, &spec])
        .stderr(Stdio::null())
        .spawn();
    let _watch = Watch(child.unwrap());
    let first = wait_for(&page, |page| page.ends_with("</html>\n"));
    assert!(first.contains("data-version=\"") && first.contains('θ') && !first.contains("role=\"alert\""));
    std::fs::write(&spec, text.replace("theta", "tilt")).unwrap();
    wait_for(&page, |page| page.contains("tilt") && !page.contains('θ'));
    std::fs::write(&spec, text.replace("theta", "tilt").replace("[bodies.cart]\nmass", "[bodies.cart]\nmas"))
        .unwrap();
    let wrong = wait_for(&page, |page| page.contains("role=\"alert\""));
    assert!(wrong.contains("did you mean `mass`?") && wrong.contains("tilt"), "{wrong}");
    std::fs::write(&spec, &text).unwrap();
    wait_for(&page, |page| page.contains('θ') && !page.contains("role=\"alert\""));
}

#[test]
fn only_a_page_can_be_watched() {
    let spec = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/specs/cart_pole.toml");
    let output = Command::new(env!("CARGO_BIN_EXE_dqdt"))
        .args(["inspect", "--watch", "-o", "cart.tex"])
        .arg(spec)
        .output()
        .unwrap();
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), text.contains("write `-o FILE.html`")), (Some(1), true), "{text}");
}
