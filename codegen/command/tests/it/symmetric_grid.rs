//! Every example on a grid of symmetric poses, by every formalism: results are finite, or the error
//! names the singular quantity.

use std::f64::consts::{FRAC_PI_2, PI};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use dqdt_algebra::Dimension;
use dqdt_codegen::pipeline::{self, Assembled, Request};
use dqdt_codegen::{Formalism, functions};
use dqdt_graph::ir::{Arguments, Machine, Program};
use dqdt_mechanics::mechanism::Mechanism;
use dqdt_samples::tier::cases_by_tier;

/// Number of poses per mechanism. If the grid has more, a fixed pseudo-random part is tried.
fn pose_count() -> u64 {
    cases_by_tier(24, 128)
}

fn specs_in(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path());
    let mut specs: Vec<PathBuf> = entries.filter(|p| p.extension().is_some_and(|e| e == "toml")).collect();
    specs.sort();
    specs
}

/// Spec files of the examples, and of the families at their default sizes.
fn specs() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/specs");
    let mut all = specs_in(&folder);
    all.extend(specs_in(&folder.join("families")));
    all
}

/// A dimension of the grid: a coordinate with its values, or a quaternion.
enum GridDimension {
    Coordinate(usize, Vec<f64>),
    Quaternion(usize),
}

fn grid_dimensions(m: &Mechanism, quaternions: &[usize]) -> Vec<GridDimension> {
    let mut entries = Vec::new();
    let mut i = 0;
    while i < m.nq() {
        if quaternions.contains(&i) {
            entries.push(GridDimension::Quaternion(i));
            i += 4;
            continue;
        }
        let values = if m.coordinates[i].dimension == Dimension::LENGTH {
            vec![0.0, 1.0]
        } else {
            vec![0.0, FRAC_PI_2, -FRAC_PI_2, PI]
        };
        entries.push(GridDimension::Coordinate(i, values));
        i += 1;
    }
    entries
}

fn poses(m: &Mechanism, quaternions: &[usize]) -> Vec<Vec<f64>> {
    let entries = grid_dimensions(m, quaternions);
    let sizes = entries.iter().map(|e| match e {
        GridDimension::Coordinate(_, values) => values.len() as u64,
        GridDimension::Quaternion(_) => 4,
    });
    let sizes: Vec<u64> = sizes.collect();
    let pose = |choices: &dyn Fn(usize) -> u64| {
        let mut q = vec![0.0; m.nq()];
        for (k, entry) in entries.iter().enumerate() {
            let choice = (choices(k) % sizes[k]) as usize;
            match entry {
                GridDimension::Coordinate(i, values) => q[*i] = values[choice],
                GridDimension::Quaternion(i) => q[*i + choice] = 1.0,
            }
        }
        q
    };
    let count = sizes.iter().try_fold(1u64, |n, size| n.checked_mul(*size)).unwrap_or(u64::MAX);
    let mixed = |index: u64| {
        let mut digits = Vec::new();
        sizes.iter().fold(index, |rest, size| {
            digits.push(rest % size);
            rest / size
        });
        digits
    };
    if count <= pose_count() {
        return (0..count).map(&mixed).map(|d| pose(&|k| d[k])).collect();
    }
    // All coordinates alike, each one alone away from zero, then pseudo-random combinations.
    let mut out: Vec<Vec<f64>> = (0..4).map(|choice| pose(&|_| choice)).collect();
    for (turned, size) in sizes.iter().enumerate() {
        out.extend((1..*size).map(|choice| pose(&|k| if k == turned { choice } else { 0 })));
    }
    let step = (count as f64 * 0.618_033_988_749_895) as u64;
    let any = (1..).map(|i: u64| mixed(i.wrapping_mul(step | 1) % count)).map(|d| pose(&|k| d[k]));
    let some = (pose_count() as usize).saturating_sub(out.len());
    out.extend(any.take(some));
    out
}

/// At rest, with all speeds one, and with a single speed of one.
fn speeds(nv: usize, pose: usize) -> [Vec<f64>; 3] {
    let alone = (0..nv).map(|i| f64::from(u8::from(i == pose % nv.max(1)))).collect();
    [vec![0.0; nv], vec![1.0; nv], alone]
}

/// True if the reason names a part of the mechanism.
fn names_what_is_singular(m: &Mechanism, program: &Program, reason: &str) -> bool {
    let starts = [
        "pivot of constraint ",
        "pivot of ",
        "independence measure of constraint ",
        "squared row length of constraint ",
        "squared length of ",
        "angles of ",
        "quaternion of ",
        "decoupling of constraint ",
    ];
    let Some(what) = starts.iter().find_map(|start| reason.strip_prefix(start)) else { return false };
    let mut names = (m.speeds.iter().map(|s| &s.name))
        .chain(m.joints.iter().map(|j| &j.name))
        .chain(m.loads.iter().map(|l| &l.name))
        .chain(m.constraints.iter().map(|c| &c.name))
        .chain(program.layout.velocity_rows.iter().map(|r| &r.name));
    // Rows selected by the pose are numbered, after the name of their constraint, or of the first
    // and last of several.
    let constraint_names = || m.constraints.iter().map(|c| c.name.as_str());
    let is_numbered_row = what.rsplit_once("_row").is_some_and(|(name, n)| {
        n.parse::<usize>().is_ok()
            && constraint_names().any(|a| a == name || constraint_names().any(|b| name == format!("{a}_{b}")))
    });
    is_numbered_row || names.any(|name| name == what)
}

/// Calls all functions at every pose. Returns the numbers of finite and of singular calls.
fn count_calls(loaded: &Assembled, formalism: Formalism, place: &str) -> [usize; 2] {
    let m = &loaded.mechanism;
    // Functions without a solve are the same in all formalisms.
    let functions = if formalism == Formalism::Kane {
        functions::defaults_and(&[functions::REACTIONS])
    } else {
        vec![functions::DQDT, functions::MULTIPLIERS, functions::REACTIONS]
    };
    let program = pipeline::program(loaded, &Request::new(formalism, functions.clone()));
    let mut machines: Vec<Machine> = functions.iter().filter_map(|f| Machine::new(&program, f)).collect();
    let mut counts = [0, 0];
    for (k, q) in poses(m, &program.layout.quaternions).into_iter().enumerate() {
        for v in speeds(m.nv(), k) {
            let mut a = Arguments::defaults(&program);
            (a.q, a.v) = (q.clone(), v);
            for machine in &mut machines {
                let function = machine.declaration();
                let place =
                    || format!("{place} by {}: {} at {:?}, {:?}", formalism.name(), function.name, a.q, a.v);
                match machine.call(&a) {
                    Ok(values) => {
                        counts[0] += 1;
                        assert!(values.iter().all(|x| x.is_finite()), "{}: {values:?}", place());
                    }
                    Err(e) => {
                        counts[1] += 1;
                        assert!(names_what_is_singular(m, &program, e.name()), "{}: {e}", place());
                    }
                }
            }
        }
    }
    counts
}

#[test]
fn examples_are_finite_at_symmetric_poses_or_say_what_is_singular() {
    let specs = specs();
    assert!(specs.len() > 30, "{}", specs.len());
    let specs: Vec<_> = specs.into_iter().step_by(cases_by_tier(4, 1)).collect();
    let next = AtomicUsize::new(0);
    let work = || {
        while let Some(path) = specs.get(next.fetch_add(1, Ordering::Relaxed)) {
            let loaded = pipeline::load(path).unwrap_or_else(|e| panic!("{e}"));
            let place = path.file_stem().unwrap().to_string_lossy().into_owned();
            let mut totals = [0, 0];
            for f in Formalism::ALL {
                let counts = count_calls(&loaded, f, &place);
                (0..2).for_each(|i| totals[i] += counts[i]);
            }
            println!("{place}: {} finite, {} singular", totals[0], totals[1]);
            assert!(totals[0] > 0, "{place} is never regular");
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(work);
        scope.spawn(work);
    });
}
