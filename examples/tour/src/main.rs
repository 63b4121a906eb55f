//! Tour of all stages on a real mechanism, the Furuta pendulum of many control laboratories.
//!
//! `build.rs` derives its equations from `examples/specs/furuta_pendulum.toml` and writes them as
//! Rust, which is compiled into this program. The program simulates them and writes, to
//! `target/tour`, a plot of the motion, a report with the equations in closed form, and an
//! animation.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::{env, fs};

use dqdt::integrate::{Options, integrate};
use dqdt_codegen::Formalism;
use dqdt_codegen::{pictures, pipeline};

/// The generated module.
mod furuta_pendulum {
    dqdt::include_mechanism!("furuta_pendulum");
}

use furuta_pendulum::{Energy, Model, NU, NX, START};

fn main() -> Result<(), Box<dyn Error>> {
    let folder = root("target/tour");
    fs::create_dir_all(&folder)?;

    // Simulate with the compiled equations.
    let model = Model::default();
    let times: Vec<f64> = (0..=1000).map(|i| f64::from(i) * 0.01).collect();
    let options = Options { rtol: 1e-10, atol: 1e-10, ..Options::default() };
    let run = integrate(&model, 0.0, &START, &times, |_, _: &[f64; NX]| [0.0; NU], &options)?;
    let energy: Vec<[f64; 2]> = (run.t.iter().zip(&run.x))
        .map(|(t, x)| {
            let mut e = Energy::default();
            model.energy(*t, x, &mut e);
            [e.kinetic, e.potential]
        })
        .collect();
    println!("simulated {} s of motion: {} evaluations of dqdt", times[1000], run.statistics.evaluations);

    // Write plot and animation.
    let loaded = pipeline::load(&root("examples/specs/furuta_pendulum.toml"))?;
    let states: Vec<Vec<f64>> = run.x.iter().map(|x| x.to_vec()).collect();
    let plot = pictures::plot(&pictures::motion(&loaded, &run.t, &states, &energy));
    write(&folder.join("motion.svg"), &plot)?;
    let frames = pictures::frames(&loaded, &[], &run.t, &states);
    write(&folder.join("animation.html"), &pictures::animation(&frames))?;

    // Write the equations in closed form, as `cargo dqdt inspect -o report.html` does.
    write(&folder.join("report.html"), &pictures::report(&loaded, Formalism::Kane))?;
    Ok(())
}

fn write(path: &Path, text: &str) -> std::io::Result<()> {
    fs::write(path, text)?;
    println!("wrote {}", path.display());
    Ok(())
}

/// A path from the root of the repository; relative if the program runs there.
fn root(relative: &str) -> PathBuf {
    let from_root = env::current_dir().is_ok_and(|here| here.join("examples/tour").is_dir());
    if from_root {
        PathBuf::from(relative)
    } else {
        Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).join(relative)
    }
}
