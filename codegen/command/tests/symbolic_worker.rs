//! Symbolic work in a child process. No test here may start the engine in this process, except the child's side.
#![cfg(unix)]

use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use dqdt_algebra::Scalar;
use dqdt_equations::symbolic::{
    Assumptions, Expressions, Query, Response, SymbolicError, SymbolicRequest, Verdict, is_running, licensed,
    lock_path, parse_text, respond, run_in_child, serve, text,
};
use dqdt_graph::ir::{Graph, SymbolKind, Tracer};

/// One at a time: a script that is being written while another test forks would be busy.
static ALONE: Mutex<()> = Mutex::new(());

/// A command whose hidden subcommand is `the_childs_side` below.
fn command(name: &str, body: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("dqdt-symbolic-test-{}-{name}.sh", std::process::id()));
    std::fs::write(&path, format!("#!/bin/sh\n{body}\n")).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    path
}

fn ourselves(name: &str) -> PathBuf {
    let exe = std::env::current_exe().unwrap();
    command(name, &child(&exe))
}

fn child(exe: &Path) -> String {
    format!(
        "test \"$1\" = __symbolic || exit 9\nDQDT_TEST_CHILD=1 exec '{}' --exact the_childs_side --nocapture",
        exe.display()
    )
}

/// Does its work only where another test started it as a child.
#[test]
fn the_childs_side() {
    if std::env::var_os("DQDT_TEST_CHILD").is_some() {
        serve().unwrap();
    }
}

fn expressions() -> Expressions {
    let g = Graph::new();
    let x = Tracer::new(&g, g.symbol("x", SymbolKind::Coordinate(0)));
    let m = Tracer::new(&g, g.symbol("m", SymbolKind::Parameter(0)));
    let (s, c) = x.sin_cos();
    Expressions::new(&g, &[(m * c).id(&g), (m * s).id(&g)])
}

fn request(query: Query) -> SymbolicRequest {
    SymbolicRequest { assumptions: Assumptions::default(), query }
}

#[test]
fn a_child_answers_and_a_wrong_sign_in_a_printed_element_is_refuted() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let exe = ourselves("answers");
    let Ok(Response::Forms(forms)) =
        run_in_child(&exe, request(Query::ClosedForms { expressions: expressions() }))
    else {
        panic!("no forms")
    };
    let printed: Vec<String> = forms.iter().map(|f| text(f.closed().unwrap())).collect();
    assert_eq!(printed, ["m*cos(x)", "m*sin(x)"]);
    let read = |t: &str| parse_text(t, expressions().symbol_names()).unwrap();
    let forms = vec![read(&printed[0]), read(&format!("-{}", printed[1]))];
    let query = Query::ProveClosed { expressions: expressions(), forms };
    let Ok(Response::Verdicts(verdicts)) = run_in_child(&exe, request(query)) else { panic!("no verdicts") };
    assert_eq!(verdicts[0], Verdict::Proved { inexact: false });
    let Verdict::Refuted { which: 1, difference, .. } = &verdicts[1] else { panic!("{verdicts:?}") };
    assert_eq!(difference, "2*m*sin(x)");
    assert!(!is_running());
    std::fs::remove_file(exe).unwrap();
}

#[test]
fn a_child_waits_for_the_lock_of_another_process() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    if licensed() {
        return;
    }
    let exe = ourselves("waits");
    let other = std::fs::File::open(lock_path()).or_else(|_| std::fs::File::create(lock_path())).unwrap();
    other.lock().unwrap();
    let start = Instant::now();
    let child = std::thread::spawn({
        let exe = exe.clone();
        move || {
            let response = run_in_child(&exe, request(Query::ClosedForms { expressions: expressions() }));
            (response.is_ok(), start.elapsed())
        }
    });
    std::thread::sleep(Duration::from_millis(1300));
    let released = start.elapsed();
    other.unlock().unwrap();
    let (answered, after) = child.join().unwrap();
    assert!(answered && after >= released, "{after:?}");
    std::fs::remove_file(exe).unwrap();
}

#[test]
fn an_aborted_child_is_an_error_that_says_why() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    // Later than a refused engine: that would be started again.
    let exe = command("aborts", "sleep 5.2; kill -ABRT $$");
    let error = run_in_child(&exe, request(Query::ClosedForms { expressions: expressions() })).unwrap_err();
    assert!(matches!(error, SymbolicError::Aborted { .. }), "{error:?}");
    assert!(error.to_string().contains("SYMBOLICA_LICENSE"), "{error}");
    std::fs::remove_file(exe).unwrap();
}

#[test]
fn other_failures_of_a_child_are_errors() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let query = || Query::ClosedForms { expressions: expressions() };
    let exe = command("fails", "exit 7");
    assert!(matches!(run_in_child(&exe, request(query())), Err(SymbolicError::Child { .. })));
    std::fs::remove_file(exe).unwrap();
    let exe = command("silent", "exit 0");
    assert!(matches!(run_in_child(&exe, request(query())), Err(SymbolicError::Child { .. })));
    std::fs::remove_file(exe).unwrap();
    assert!(matches!(run_in_child(Path::new("/nowhere"), request(query())), Err(SymbolicError::Io { .. })));
    // The child reports what it cannot do.
    let exe = ourselves("reports");
    let query = Query::ProveClosed { expressions: expressions(), forms: Vec::new() };
    assert!(matches!(run_in_child(&exe, request(query)), Err(SymbolicError::Reported(_))));
    std::fs::remove_file(exe).unwrap();
}

#[test]
fn requests_survive_the_protocol() {
    let request = request(Query::ProveEqual { left: expressions(), right: expressions() });
    let text = serde_json::to_string(&request).unwrap();
    assert_eq!(serde_json::from_str::<SymbolicRequest>(&text).unwrap(), request);
    let broken = text.replacen("\"args\":[", "\"args\":[99,", 1);
    // A malformed request is refused before the engine starts.
    let response = respond(&broken).unwrap();
    assert!(response.contains("Failed"), "{response}");
    assert!(!is_running());
}

#[test]
fn an_engine_that_is_refused_its_place_is_started_again() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    // The first two starts end as the engine ends beside another one.
    let exe = std::env::current_exe().unwrap();
    let count = std::env::temp_dir().join(format!("dqdt-symbolic-test-{}-starts", std::process::id()));
    let body = format!(
        "echo x >> '{0}'\ntest $(wc -l < '{0}') -gt 2 || kill -ABRT $$\n{1}",
        count.display(),
        child(&exe)
    );
    let exe = command("refused", &body);
    let response = run_in_child(&exe, request(Query::ClosedForms { expressions: expressions() }));
    assert!(matches!(response, Ok(Response::Forms(_))), "{response:?}");
    assert_eq!(std::fs::read_to_string(&count).unwrap().lines().count(), 3);
    std::fs::remove_file(exe).unwrap();
    std::fs::remove_file(count).unwrap();
}

#[test]
fn a_child_ends_with_its_parent_and_gives_the_lock_back() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    if licensed() {
        return;
    }
    // The child waits for the lock that this test holds, when its parent goes: it must not wait on.
    let other = std::fs::File::open(lock_path()).or_else(|_| std::fs::File::create(lock_path())).unwrap();
    other.lock().unwrap();
    let exe = ourselves("orphan");
    let mut orphan = std::process::Command::new(&exe)
        .arg("__symbolic")
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let text = serde_json::to_string(&request(Query::ClosedForms { expressions: expressions() })).unwrap();
    let mut stdin = orphan.stdin.take().unwrap();
    write!(stdin, "{}\n{text}", text.len()).unwrap();
    stdin.flush().unwrap();
    std::thread::sleep(Duration::from_millis(300));
    assert!(orphan.try_wait().unwrap().is_none(), "the child waits for the lock");
    drop(stdin);
    let began = Instant::now();
    while orphan.try_wait().unwrap().is_none() {
        assert!(began.elapsed() < Duration::from_secs(20), "the child outlives its parent");
        std::thread::sleep(Duration::from_millis(10));
    }
    other.unlock().unwrap();
    std::fs::remove_file(exe).unwrap();
}

/// Tells the place of the lock where another test started it as a child.
#[test]
fn the_place_of_the_lock() {
    if std::env::var_os("DQDT_TEST_CHILD").is_some() {
        println!("lock at {}", lock_path().display());
    }
}

#[test]
fn the_lock_does_not_depend_on_the_users_environment() {
    let mut child = std::process::Command::new(std::env::current_exe().unwrap());
    child.args(["--exact", "the_place_of_the_lock", "--nocapture"]).env("DQDT_TEST_CHILD", "1");
    let elsewhere = tempfile::tempdir().unwrap();
    child.env("TMPDIR", elsewhere.path()).env("LOGNAME", "somebody").env_remove("USER");
    let output = child.output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains(&format!("lock at {}\n", lock_path().display())), "{text}");
}
