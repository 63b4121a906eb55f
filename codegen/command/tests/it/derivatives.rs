//! The emitted `dqdt_derivatives` against finite differences of the emitted `dqdt`, for every
//! example: on constraints, and with quaternions that are not normalised. Robots: see
//! `every_function`.

use std::path::Path;

use dqdt_codegen::functions;
use dqdt_codegen::pipeline::{self, Assembled, FormalismChoice};
use dqdt_graph::ir::{Arguments, Machine};
use dqdt_samples::tier::cases_by_tier;

/// Central differences of order eight. Rounding leaves about ten digits.
fn difference(f: &mut dyn FnMut(f64) -> Vec<f64>, h: f64) -> Vec<f64> {
    let weights = [(1.0, 4.0 / 5.0), (2.0, -1.0 / 5.0), (3.0, 4.0 / 105.0), (4.0, -1.0 / 280.0)];
    let mut sum: Vec<f64> = Vec::new();
    for (k, weight) in weights {
        let (above, below) = (f(k * h), f(-k * h));
        sum.resize(above.len(), 0.0);
        for (s, (a, b)) in sum.iter_mut().zip(above.iter().zip(&below)) {
            *s += weight * (a - b) / h;
        }
    }
    sum
}

/// The arguments with entry `j` of the state, or of the inputs beyond it, displaced by `h`.
fn displace_entry(a: &Arguments, j: usize, h: f64) -> Arguments {
    let mut moved = a.clone();
    let mut x = moved.state();
    match j.checked_sub(x.len()) {
        None => {
            x[j] += h;
            moved.set_state(&x);
        }
        Some(k) => moved.u[k] += h,
    }
    moved
}

/// Compares `dqdt_derivatives` with differences of `dqdt`, for every entry of the
/// state and every input.
fn check(loaded: &Assembled, name: &str) {
    let wanted = [functions::DQDT, functions::DQDT_DERIVATIVES];
    let program =
        pipeline::derive(loaded, FormalismChoice::BySize, &wanted).unwrap_or_else(|e| panic!("{e}")).program;
    let mut rate = Machine::new(&program, functions::DQDT).unwrap();
    let mut derivatives = Machine::new(&program, functions::DQDT_DERIVATIVES).unwrap();
    let mut a = Arguments::defaults(&program);
    a.t = 0.3;
    // Away from kinks of formulas, but near the constraints.
    let count = a.q.len() + a.v.len();
    for (i, x) in a.q.iter_mut().chain(&mut a.v).enumerate() {
        *x += 0.03 * (1.7 * (i * 5 % count.max(1)) as f64 + 0.6).sin();
    }
    let n = a.state().len();
    let m = a.u.len();
    let Ok(linearised) = derivatives.call(&a).map(<[f64]>::to_vec) else { panic!("{name}: singular") };
    let here = rate.call(&a).unwrap().to_vec();
    assert_eq!(linearised[..n], here, "{name}: the rates");
    let scale = here.iter().chain(&linearised).fold(1.0f64, |s, x| s.max(x.abs()));
    for j in 0..n + m {
        // A short step where a function is steep, such as friction near zero speed;
        // a long one elsewhere.
        let all = [2e-3, 2e-4, 2e-5].map(|step| {
            difference(
                &mut |h| {
                    let moved = displace_entry(&a, j, h);
                    rate.call(&moved).unwrap_or_else(|e| panic!("{name}: {e}")).to_vec()
                },
                step,
            )
        });
        for i in 0..all[0].len() {
            let derivative =
                if j < n { linearised[n + i * n + j] } else { linearised[n + n * n + i * m + j - n] };
            let error = all.iter().map(|want| (derivative - want[i]).abs()).fold(f64::INFINITY, f64::min);
            assert!(error < 1e-10 * scale, "{name}: {i} by {j}: {derivative} {:?}, of {scale}", all[0][i]);
        }
    }
}

#[test]
fn derivatives_of_the_motion_are_those_of_dqdt_on_all_examples() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut paths = Vec::new();
    for folder in ["examples/specs", "tests/data/measures"] {
        paths.extend(std::fs::read_dir(root.join(folder)).unwrap().map(|e| e.unwrap().path()));
    }
    paths.retain(|p| p.extension().is_some_and(|e| e == "toml"));
    paths.sort();
    let mut checked = 0;
    for path in paths.into_iter().step_by(cases_by_tier(4, 1)) {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        // Differentiating through the solve takes a minute for this spec.
        if name == "stewart_platform" {
            continue;
        }
        check(&pipeline::load(&path).unwrap_or_else(|e| panic!("{e}")), &name);
        checked += 1;
    }
    assert!(checked > cases_by_tier(6, 28), "{checked}");
}

/// Structural derivatives cover quaternions as attitudes only. A formula that reads one entry needs
/// differentiation by that entry.
#[test]
fn friction_that_reads_an_entry_of_a_quaternion_is_differentiated_by_it() {
    let text = "\
name = \"reading\"
gravity = [0, 0, -9.81]
[bodies.base]
mass = 2
inertia = [0.3, 0.4, 0.5]
[bodies.arm]
mass = 0.7
center_of_mass = [0.2, 0, 0]
inertia = [0.1, 0.2, 0.25]
[joints.base]
type = \"free\"
coordinates = { quaternion = true, names = [\"x\", \"y\", \"z\", \"e0\", \"e1\", \"e2\", \"e3\"] }
speeds = { names = [\"vx\", \"vy\", \"vz\", \"wx\", \"wy\", \"wz\"] }
parent = \"ground\"
child = \"base\"
[joints.hinge]
type = \"revolute\"
axis = \"y\"
coordinates = { start = [0.4] }
speeds = { start = [1.5] }
parent = \"base\"
child = \"arm\"
[loads.rub]
type = \"friction\"
joint = \"hinge\"
viscous = \"0.3 [N*m*s] + 0.8 [N*m*s]*e1\"
";
    let spec = dqdt_codegen::read::parse("reading.toml", text).unwrap_or_else(|e| panic!("{e}"));
    check(&pipeline::build(&spec, "reading.toml").unwrap_or_else(|e| panic!("{e}")), "reading");
}
