//! `dqdt simulate` at the change point of a parallelogram linkage, and near it.
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn spec() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/parallelogram.toml")
}

fn simulate(spec: &Path, options: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_dqdt")).arg("simulate").arg(spec).args(options).output().unwrap()
}

fn read_angles(line: &str) -> [f64; 3] {
    let numbers: Vec<f64> = line.split(',').skip(1).take(3).map(|x| x.parse().unwrap()).collect();
    numbers.try_into().unwrap()
}

/// Simulates the changed spec. Returns the command output, and crank, coupler and
/// rocker angles by row.
fn simulate_changed(changes: &[(&str, &str)], options: &[&str]) -> (Output, Vec<[f64; 3]>) {
    let mut text = std::fs::read_to_string(spec()).unwrap();
    for (from, to) in changes {
        assert!(text.contains(from), "{from}");
        text = text.replace(from, to);
    }
    let folder = tempfile::tempdir().unwrap();
    let (path, table) = (folder.path().join("linkage.toml"), folder.path().join("motion.csv"));
    std::fs::write(&path, text).unwrap();
    let output = simulate(&path, &[options, &["--csv", table.to_str().unwrap()]].concat());
    let table = std::fs::read_to_string(table).unwrap_or_default();
    (output, table.lines().skip(1).map(read_angles).collect())
}

/// Time at which the crank aligns with the ground hinges, by quadrature of the energy equation of a
/// parallelogram.
fn change_point() -> f64 {
    // Crank and rocker rotate; the coupler translates on the circle of their ends.
    let (g, a, m1, m2) = (9.81, 0.1, 0.5, 1.0);
    let inertia = 2.0 * m1 * a * a / 3.0 + m2 * a * a;
    let weight = (m1 + m2) * g * a;
    // Simpson's rule from 90 to 180 degrees.
    let n = 2000;
    let h = std::f64::consts::FRAC_PI_2 / f64::from(n);
    let terms = (0..=n).map(|i| {
        let phi = std::f64::consts::FRAC_PI_2 + f64::from(i) * h;
        let rate = (100.0 + 2.0 * weight / inertia * (1.0 - phi.sin())).sqrt();
        let simpson_weight = if i == 0 || i == n { 1.0 } else { 2.0 + 2.0 * f64::from(i % 2) };
        simpson_weight * (1.0 / rate)
    });
    terms.sum::<f64>() * h / 3.0
}

#[test]
fn the_change_point_of_a_parallelogram_ends_the_motion_with_a_clear_message() {
    // Independent of the rows of the table and of the tolerance.
    let all: [&[&str]; 5] = [
        &["--t-end", "10"],
        &["--t-end", "4.4"],
        &["--t-end", "10", "--step", "10"],
        &["--t-end", "1", "--rtol", "1e-11", "--atol", "1e-11"],
        &["--t-end", "10", "--rtol", "1e-6", "--atol", "1e-6", "--step", "0.037"],
    ];
    for options in all {
        let output = simulate(&spec(), options);
        assert_eq!(output.status.code(), Some(1));
        let text = String::from_utf8(output.stderr).unwrap();
        for part in ["singular pose", "lose rank", "row `C_fx`", "more than one branch", "help: ", "--t-end"]
        {
            assert!(text.contains(part), "{part}: {text}");
        }
        let time = text.split("stops at t = ").nth(1).and_then(|t| t.split(':').next()).unwrap();
        let time: f64 = time.strip_suffix(" s").unwrap().parse().unwrap();
        // The pose counts as reached where the tolerance decides about the branch.
        let near = if options.contains(&"1e-6") { 4e-3 } else { 1e-4 };
        assert!((time - change_point()).abs() < near, "{options:?}: {time} against {}", change_point());
    }
}

#[test]
fn a_parallelogram_that_does_not_reach_its_change_point_moves_on() {
    // The linkage oscillates about its lowest pose.
    let rocking = [
        ("start = [\"90 deg\"], hold", "start = [\"-80 deg\"], hold"),
        ("start = [\"-90 deg\"]", "start = [\"80 deg\"]"),
        ("start = [\"90 deg\"]", "start = [\"-80 deg\"]"),
        ("start = [10]", "start = [5]"),
    ];
    let (output, rows) = simulate_changed(&rocking, &["--t-end", "10"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(rows.len(), 501);
    for [phi, beta, psi] in rows {
        assert!((phi - psi).abs() < 1e-8 && (phi + beta).abs() < 1e-8, "{phi} {beta} {psi}");
    }
}

#[test]
fn a_gear_between_crank_and_rocker_keeps_the_parallelogram() {
    let belt = "[constraints.belt]\ntype = \"gear\"\nfirst = \"psi\"\nsecond = \"phi\"\nratio = 1\n\n[constraints.C]";
    let (output, rows) = simulate_changed(&[("[constraints.C]", belt)], &["--t-end", "10"]);
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{text}");
    assert!(
        text.contains("follows from the others") && text.contains("from the others depends on the pose"),
        "{text}"
    );
    for [phi, beta, psi] in &rows {
        assert!((phi - psi).abs() < 1e-8 && (phi + beta).abs() < 1e-8, "{phi} {beta} {psi}");
    }
    // Many turns, each through two change points.
    assert!(rows.last().unwrap()[0] > 100.0);
}

#[test]
fn a_linkage_that_only_nearly_fits_turns_over_without_a_stop() {
    // The coupler is 0.5 mm too long: near alignment the configuration curve has a sharp bend.
    let longer = [("points = { C = [\"b\", 0, 0] }", "points = { C = [\"b + 0.0005 [m]\", 0, 0] }")];
    let (output, rows) = simulate_changed(&longer, &["--t-end", "10"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let largest_difference = rows.iter().fold(0.0f64, |m, [phi, _, psi]| m.max((phi - psi).abs()));
    assert!(largest_difference > 0.5, "{largest_difference}: it becomes an antiparallelogram and back");
}

#[test]
fn a_stabilisation_that_is_quicker_than_the_step_is_warned_of() {
    let stiff = "[constraints.C]\nstabilisation = { time_constant = \"0.01 [s]\" }";
    let run = |step: &[&str]| {
        let (output, _) =
            simulate_changed(&[("[constraints.C]", stiff)], &[&["--t-end", "0.1"], step].concat());
        assert!(output.status.success());
        String::from_utf8(output.stderr).unwrap()
    };
    let text = run(&["--step", "0.02"]);
    assert!(text.contains("warning[quick-stabilisation]"), "{text}");
    assert!(text.contains("constraint `C`") && text.contains("alpha * step = 2.000 exceeds 1"), "{text}");
    for quiet in [&["--step", "0.005"][..], &[]] {
        let text = run(quiet);
        assert!(!text.contains("quick-stabilisation"), "{text}");
    }
}
