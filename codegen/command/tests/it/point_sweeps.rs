//! Sweeps over points: shards, interruptions, wrong files, points without a motion.

use crate::files::example_path;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

const NUMBER_OF_POINTS: usize = 20;

fn dqdt(arguments: &[&str], variables: &[(&str, &str)]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_dqdt"));
    command.args(arguments).envs(variables.iter().copied()).stdin(Stdio::null()).output().unwrap()
}

fn error(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// A folder with points of the cart-pole and the results of sweeps.
struct SweepFolder(tempfile::TempDir);

impl SweepFolder {
    fn new() -> Self {
        let folder = SweepFolder(tempfile::tempdir().unwrap());
        let rows = (0..NUMBER_OF_POINTS).map(|i| {
            let i = i as f64;
            format!("{},{},{}\n", 0.1 + 0.01 * i, 0.3 - 0.02 * i, 0.5 * i - 2.0)
        });
        folder.write("points.csv", &format!("m_pole,theta,force\n{}", rows.collect::<String>()));
        folder
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.path(name), text).unwrap();
    }

    /// Runs the sweep over a file of points into a folder.
    fn run(&self, points: &str, folder: &str, options: &[&str], variables: &[(&str, &str)]) -> Output {
        let (spec, points, folder) = (example_path("cart_pole"), self.path(points), self.path(folder));
        let paths = [spec.to_str().unwrap(), points.to_str().unwrap(), folder.to_str().unwrap()];
        let fixed = ["simulate", paths[0], "--points", paths[1], "-o", paths[2]];
        let t_end: &[&str] = if options.contains(&"--t-end") { &[] } else { &["--t-end", "0.5"] };
        dqdt(&[&fixed[..], t_end, options].concat(), variables)
    }

    fn run_well(&self, points: &str, folder: &str, options: &[&str]) {
        let output = self.run(points, folder, options, &[]);
        assert!(output.status.success(), "{}", error(&output));
    }

    fn collect(&self, folder: &str, options: &[&str]) -> Output {
        dqdt(&[&["collect", self.path(folder).to_str().unwrap()], options].concat(), &[])
    }

    /// Text of the joined results of a folder.
    fn collected(&self, folder: &str) -> String {
        let output = self.collect(folder, &[]);
        assert!(output.status.success(), "{}", error(&output));
        String::from_utf8(output.stdout).unwrap()
    }
}

/// A number of a line of results.
fn number(text: &str, row: usize, column: &str) -> f64 {
    let mut lines = text.lines().skip(1);
    let i = lines.next().unwrap().split(',').position(|name| name == column);
    let i = i.unwrap_or_else(|| panic!("no column {column}"));
    lines.nth(row).unwrap().split(',').nth(i).unwrap().parse().unwrap()
}

#[test]
fn joined_results_do_not_depend_on_shards_or_threads() {
    let folder = SweepFolder::new();
    folder.run_well("points.csv", "one", &["--threads", "1", "--times", "0.25,0.1234"]);
    let whole = read(&folder.path("one/shard-0000-of-0001.csv"));
    assert_eq!(whole.lines().count(), NUMBER_OF_POINTS + 2);
    assert_eq!(folder.collected("one"), whole);
    for count in [3, 8] {
        let name = format!("{count}");
        for index in 0..count {
            let shard = format!("{index}/{count}");
            let options = ["--shard", &shard, "--threads", "3", "--times", "0.1234,0.25"];
            folder.run_well("points.csv", &name, &options);
        }
        assert_eq!(folder.collected(&name), whole, "{count} shards");
    }
}

#[test]
fn results_are_those_of_single_motions() {
    let folder = SweepFolder::new();
    folder.run_well("points.csv", "out", &["--times", "0.25"]);
    let text = read(&folder.path("out/shard-0000-of-0001.csv"));
    for row in [0, 7, 19] {
        let fields: Vec<String> = read(&folder.path("points.csv"))
            .lines()
            .nth(row + 1)
            .unwrap()
            .split(',')
            .map(str::to_owned)
            .collect();
        let (mass, force) = (format!("m_pole={}", fields[0]), format!("force={}", fields[2]));
        folder.write("start.json", &format!("{{\"q\": {{\"theta\": {}}}}}", fields[1]));
        let (spec, start) = (example_path("cart_pole"), folder.path("start.json"));
        let (spec, start) = (spec.to_str().unwrap(), start.to_str().unwrap());
        let options = ["--t-end", "0.5", "-p", &mass, "--input", &force, "--at", start, "--csv", "-"];
        let output = dqdt(&[&["simulate", spec], &options[..]].concat(), &[]);
        assert!(output.status.success(), "{}", error(&output));
        let table = String::from_utf8(output.stdout).unwrap();
        let i = table.lines().next().unwrap().split(',').position(|n| n == "theta").unwrap();
        let curve: Vec<f64> =
            table.lines().skip(1).map(|l| l.split(',').nth(i).unwrap().parse().unwrap()).collect();
        let (least, most) = curve.iter().fold((f64::MAX, f64::MIN), |(a, b), x| (a.min(*x), b.max(*x)));
        let expected = [
            ("t_final", 0.5),
            ("theta_final", curve[500]),
            ("theta_min", least),
            ("theta_max", most),
            ("theta_at_0.25", curve[250]),
        ];
        for (column, expected) in expected {
            let x = number(&text, row, column);
            assert!((x - expected).abs() < 1e-8, "{column} of point {row}: {x}, not {expected}");
        }
    }
}

#[test]
fn an_interrupted_sweep_goes_on_to_the_same_bytes() {
    let folder = SweepFolder::new();
    folder.run_well("points.csv", "whole", &[]);
    let file = "shard-0000-of-0001.csv";
    let whole = read(&folder.path("whole").join(file));
    let second_line = whole.find('\n').unwrap() + 20;
    let middle_of_line = whole.len() / 2;
    let end_of_line = middle_of_line + whole[middle_of_line..].find('\n').unwrap() + 1;
    std::fs::create_dir(folder.path("cut")).unwrap();
    let path = folder.path("cut").join(file);
    for cut in [0, 10, second_line, middle_of_line, end_of_line, whole.len() - 1, whole.len()] {
        std::fs::write(&path, &whole[..cut]).unwrap();
        if cut > 0 {
            let refused = folder.run("points.csv", "cut", &[], &[]);
            assert!(
                !refused.status.success() && error(&refused).contains("`--resume`"),
                "{}",
                error(&refused)
            );
            assert_eq!(read(&path), whole[..cut], "an error must not change the file");
        }
        folder.run_well("points.csv", "cut", &["--resume"]);
        assert_eq!(read(&path), whole, "cut at byte {cut}");
    }
    // Lines in another order, as several threads write them.
    let mut lines: Vec<&str> = whole.split_inclusive('\n').collect();
    lines[2..].reverse();
    std::fs::write(&path, lines[..10].concat()).unwrap();
    folder.run_well("points.csv", "cut", &["--resume"]);
    assert_eq!(read(&path), whole);
}

#[test]
fn a_killed_sweep_goes_on_to_the_same_bytes() {
    let folder = SweepFolder::new();
    folder.run_well("points.csv", "whole", &["--t-end", "20"]);
    let file = "shard-0000-of-0001.csv";
    let whole = read(&folder.path("whole").join(file));
    let (spec, points, out) = (example_path("cart_pole"), folder.path("points.csv"), folder.path("killed"));
    let mut command = Command::new(env!("CARGO_BIN_EXE_dqdt"));
    command.arg("simulate").arg(spec).arg("--points").arg(points).arg("-o").arg(&out);
    let mut child = command.args(["--t-end", "20", "--threads", "2"]).stderr(Stdio::null()).spawn().unwrap();
    let path = out.join(file);
    let lines = || std::fs::read_to_string(&path).map_or(0, |text| text.lines().count());
    while lines() < 5 && child.try_wait().unwrap().is_none() {
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(lines() >= 5);
    folder.run_well("points.csv", "killed", &["--t-end", "20", "--resume"]);
    assert_eq!(read(&path), whole);
}

#[test]
fn points_without_a_whole_motion_have_a_reason_and_the_others_go_on() {
    let folder = SweepFolder::new();
    folder.write("odd.csv", "m_pole,x,x_dot\n0.2,1,0\n-1,1,0\n0.2,0.05,-1\n0.2,-0.1,0\n0.2,2,0\n");
    let options = ["--input", "force=1 [N]*sqrt(x/1 [m])", "--times", "0.01,0.4"];
    let output = folder.run("odd.csv", "out", &options, &[]);
    assert!(output.status.success() && error(&output).contains("point 1: "), "{}", error(&output));
    let text = read(&folder.path("out/shard-0000-of-0001.csv"));
    let statuses: Vec<&str> = text.lines().skip(2).map(|l| l.split(',').nth(1).unwrap()).collect();
    assert_eq!(statuses[..3], ["ok", "failed", "stopped"], "{text}");
    assert_ne!(statuses[3], "ok", "{text}");
    assert_eq!(statuses[4], "ok", "{text}");
    assert!(text.lines().nth(3).unwrap().contains("mass"), "{text}");
    let stopped = text.lines().nth(4).unwrap();
    assert!(stopped.contains("\"the motion stops at t = 0.05"), "{text}");
    // The message has commas, so the results are counted from the end of the line.
    let names: Vec<&str> = text.lines().nth(1).unwrap().split(',').collect();
    let value = |column: &str| {
        let from_end = names.iter().rev().position(|n| *n == column).unwrap();
        stopped.rsplit(',').nth(from_end).unwrap().parse::<f64>().unwrap()
    };
    assert!((value("x_at_0.01") - 0.04).abs() < 1e-3 && value("x_at_0.4").is_nan());
    assert!((0.04..0.06).contains(&value("t_final")) && value("x_min") >= 0.0);
}

#[test]
fn tasks_of_a_slurm_array_are_shards() {
    let folder = SweepFolder::new();
    folder.run_well("points.csv", "whole", &[]);
    for id in ["1", "4", "7"] {
        let values = [("ID", id), ("MIN", "1"), ("MAX", "7"), ("STEP", "3"), ("COUNT", "3")];
        let variables = values.map(|(part, value)| (format!("SLURM_ARRAY_TASK_{part}"), value));
        let variables: Vec<(&str, &str)> =
            variables.iter().map(|(name, value)| (name.as_str(), *value)).collect();
        let output = folder.run("points.csv", "array", &[], &variables);
        assert!(output.status.success(), "{}", error(&output));
    }
    assert!(folder.path("array/shard-0002-of-0003.csv").is_file());
    assert_eq!(folder.collected("array"), folder.collected("whole"));
    let wrong = folder.run("points.csv", "array", &[], &[("SLURM_ARRAY_TASK_ID", "1")]);
    assert!(!wrong.status.success() && error(&wrong).contains("SLURM_ARRAY_TASK_MIN"), "{}", error(&wrong));
}

#[test]
fn points_can_come_from_standard_input() {
    let folder = SweepFolder::new();
    folder.run_well("points.csv", "file", &[]);
    let (spec, out) = (example_path("cart_pole"), folder.path("input"));
    let run = |options: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_dqdt"));
        command.arg("simulate").arg(&spec).args(["--points", "-", "--t-end", "0.5", "-o"]).arg(&out);
        command.args(options).stdin(std::fs::File::open(folder.path("points.csv")).unwrap());
        command.output().unwrap()
    };
    let output = run(&[]);
    assert!(output.status.success(), "{}", error(&output));
    assert_eq!(folder.collected("input"), folder.collected("file"));
    let output = run(&["--resume"]);
    assert!(error(&output).contains("no point was missing"), "{}", error(&output));
    folder.write("wrong.csv", "m_pole\nx\n");
    std::fs::rename(folder.path("wrong.csv"), folder.path("points.csv")).unwrap();
    assert!(error(&run(&[])).contains("standard input:2:1"), "{}", error(&run(&[])));
}

#[test]
fn json_lines_are_points_too() {
    let folder = SweepFolder::new();
    let csv = read(&folder.path("points.csv"));
    let rows = csv.lines().skip(1).map(|line| {
        let x: Vec<&str> = line.split(',').collect();
        format!("{{\"m_pole\": {}, \"theta\": {}, \"force\": {}}}\n", x[0], x[1], x[2])
    });
    folder.write("points.jsonl", &rows.collect::<String>());
    folder.run_well("points.csv", "csv", &[]);
    folder.run_well("points.jsonl", "jsonl", &[]);
    assert_eq!(folder.collected("csv"), folder.collected("jsonl"));
}

#[test]
fn all_errors_of_a_file_are_reported_with_their_places() {
    let folder = SweepFolder::new();
    folder.write("wrong.csv", "m_pole,thet,J,theta,theta\n0.1,x,1,1,1\n\n0.2,1\n0.1,1,nan,1,1\n");
    let output = folder.run("wrong.csv", "out", &[], &[]);
    let text = error(&output);
    assert!(!output.status.success() && !folder.path("out").exists(), "{text}");
    for expected in [
        "did you mean `theta`?",
        "points cannot set parameter `J`",
        "`theta` occurs twice",
        "`x` is not a finite number",
        "wrong.csv:2:5",
        "this row has 2 fields, but the header has 5",
        "wrong.csv:4:1",
        "`nan` is not a finite number",
        "wrong.csv:5:7",
        "6 errors",
    ] {
        assert!(text.contains(expected), "{expected}:\n{text}");
    }
    folder.write(
        "wrong.jsonl",
        "{\"theta\": 0.1}\n{\"theta\": \"a\", \"x\": 1}\n[1]\n{}\n{\"theta\": 1, \"theta\": 2}\n",
    );
    let text = error(&folder.run("wrong.jsonl", "out", &[], &[]));
    for expected in [
        "`\"a\"` is not a finite number",
        "wrong.jsonl:2:11",
        "`x` is not in the first line",
        "this line is no JSON object",
        "wrong.jsonl:3:1",
        "this line has no value of theta",
        "`theta` occurs twice",
        "5 errors",
    ] {
        assert!(text.contains(expected), "{expected}:\n{text}");
    }
    folder.write("list.json", "[{\"theta\": 0.1},\n {\"theta\": 0.2}]\n");
    let text = error(&folder.run("list.json", "out", &[], &[]));
    assert!(text.contains("a JSON list is no list of points") && text.contains("list.json:1:1"), "{text}");
    folder.write("empty.csv", "# nothing\n");
    assert!(error(&folder.run("empty.csv", "out", &[], &[])).contains("the file has no points"));
    let text = error(&folder.run("points.csv", "out", &["--input", "force=1"], &[]));
    assert!(text.contains("points cannot set input `force`: it has a law"), "{text}");
    for (options, expected) in [
        (["--times", "0.7"], "from 0 to the end time 0.5"),
        (["--shard", "3/3"], "there is no shard 3 of 3"),
        (["--signals", "thet"], "did you mean `theta`"),
    ] {
        let text = error(&folder.run("points.csv", "out", &options, &[]));
        assert!(text.contains(expected), "{text}");
    }
}

#[test]
fn an_override_that_points_would_make_wrong_is_refused() {
    let folder = SweepFolder::new();
    for (override_text, expected) in [
        ("m_pole=0.2", "`m_pole` is also a column of the points"),
        ("m_cart=2*m_pole", "the formula of `m_cart` names `m_pole`, a column of the points"),
    ] {
        let output = folder.run("points.csv", "refused", &["-p", override_text], &[]);
        assert!(!output.status.success() && error(&output).contains(expected), "{}", error(&output));
        assert!(!folder.path("refused").exists());
    }
    // A unit is no name, and `m_pole` is no part of this formula.
    folder.run_well("points.csv", "accepted", &["-p", "l=40 cm", "-p", "m_cart=2*1.1"]);
}

#[test]
fn a_start_that_the_constraints_move_is_named_in_its_line() {
    let folder = SweepFolder::new();
    folder.write("bar.csv", "beta\n-0.5\n");
    let (spec, points, out) = (example_path("four_bar"), folder.path("bar.csv"), folder.path("bar"));
    let paths = [spec.to_str().unwrap(), points.to_str().unwrap(), out.to_str().unwrap()];
    let output = dqdt(&["simulate", paths[0], "--points", paths[1], "-o", paths[2], "--t-end", "0.1"], &[]);
    assert!(output.status.success(), "{}", error(&output));
    let line = read(&out.join("shard-0000-of-0001.csv"));
    let line = line.lines().last().unwrap();
    assert!(line.starts_with("0,ok,\"assembly changed a value in the start state"), "{line}");
    assert!(line.contains("`beta`: -0.5 rad becomes "), "{line}");
}

#[test]
fn objects_without_names_and_damaged_counts_are_errors() {
    let folder = SweepFolder::new();
    folder.write("empty.jsonl", "{}\n{}\n");
    let output = folder.run("empty.jsonl", "empty", &[], &[]);
    assert!(
        !output.status.success() && error(&output).contains("the file has no points"),
        "{}",
        error(&output)
    );
    folder.run_well("points.csv", "counted", &[]);
    let path = folder.path("counted").join("shard-0000-of-0001.csv");
    let text = read(&path).replacen("count 20", "count 99999999999999999", 1);
    std::fs::write(&path, text).unwrap();
    let output = folder.collect("counted", &[]);
    let message = error(&output);
    assert!(output.status.code() == Some(1) && message.contains("than fit into memory"), "{message}");
}

#[test]
fn a_file_of_another_sweep_is_neither_continued_nor_joined() {
    let folder = SweepFolder::new();
    folder.run_well("points.csv", "out", &["--shard", "0/2"]);
    let before = read(&folder.path("out/shard-0000-of-0002.csv"));
    folder.write("more.csv", &format!("{}0.2,0.1,0\n", read(&folder.path("points.csv"))));
    for (points, options, expected) in [
        ("points.csv", ["--rtol", "1e-6"], "the options changed"),
        ("points.csv", ["-p", "l=0.4"], "the mechanism with its values (spec, `-p`, `--input`) changed"),
        ("more.csv", ["--rtol", "1e-9"], "the points changed"),
    ] {
        let output =
            folder.run(points, "out", &[&["--resume", "--shard", "0/2"], &options[..]].concat(), &[]);
        assert!(!output.status.success() && error(&output).contains(expected), "{}", error(&output));
    }
    assert_eq!(read(&folder.path("out/shard-0000-of-0002.csv")), before);
    folder.run_well("points.csv", "out", &["--shard", "1/2", "--rtol", "1e-6"]);
    let output = folder.collect("out", &[]);
    let text = error(&output);
    assert!(!output.status.success() && text.contains("differ in the options"), "{text}");
    assert!(text.contains("shard-0001-of-0002.csv"), "{text}");
}

#[test]
fn joining_names_missing_and_contradicting_points() {
    let folder = SweepFolder::new();
    folder.run_well("points.csv", "out", &["--shard", "0/2"]);
    let output = folder.collect("out", &["-o", folder.path("joined.csv").to_str().unwrap()]);
    let text = error(&output);
    assert!(!output.status.success() && text.contains("10 of 20 points are missing: 1, 3, 5"), "{text}");
    assert!(!folder.path("joined.csv").exists());
    let output = folder.collect("out", &["--partial"]);
    assert!(output.status.success() && error(&output).contains("warning: 10 of 20"), "{}", error(&output));
    assert_eq!(String::from_utf8(output.stdout).unwrap().lines().count(), 12);
    // The same points again, by other shards: equal lines are joined, others are refused.
    folder.run_well("points.csv", "out", &["--shard", "0/1"]);
    let whole = folder.collected("out");
    assert_eq!(whole.lines().count(), NUMBER_OF_POINTS + 2);
    let half = folder.path("out/shard-0000-of-0002.csv");
    std::fs::write(&half, read(&half).replacen("\n2,ok,,0.5,", "\n2,ok,,0.4,", 1)).unwrap();
    let text = error(&folder.collect("out", &[]));
    assert!(text.contains("the results of point 2 differ"), "{text}");
    std::fs::write(&half, read(&half).replacen("\n2,ok,,0.4,", "\n2,ok,,", 1)).unwrap();
    assert!(error(&folder.collect("out", &[])).contains("line 4 is damaged"));
    std::fs::create_dir(folder.path("nothing")).unwrap();
    assert!(error(&folder.collect("nothing", &[])).contains("no file `shard-"));
}
