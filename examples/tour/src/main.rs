//! The whole way on a real mechanism, the Furuta pendulum of many control laboratories.
//!
//! `build.rs` derived its equations from `examples/specs/furuta_pendulum.toml` and wrote them as Rust, which is
//! compiled into this program. It simulates them and writes, under `target/tour`, a plot of the motion, a report with
//! the equations in closed form, and an animation.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::{env, fs};

use dqdt::integrate::{Options, integrate};
use dqdt_codegen::formalism::Formalism;
use dqdt_codegen::print::{animation, figure, report};
use dqdt_codegen::{inspect, pipeline, scene};

/// The generated module.
mod furuta_pendulum {
    dqdt::include_mechanism!("furuta_pendulum");
}

use furuta_pendulum::{Energy, Model, NU, NX, START};

fn main() -> Result<(), Box<dyn Error>> {
    let folder = root("target/tour");
    fs::create_dir_all(&folder)?;

    // The motion, by the compiled equations.
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

    // Plot and animation.
    let loaded = pipeline::load(&root("examples/specs/furuta_pendulum.toml"))?;
    let layout = dqdt_codegen::derive::layout(&loaded.mechanism);
    let states: Vec<Vec<f64>> = run.x.iter().map(|x| x.to_vec()).collect();
    let plot = figure::plot(&scene::plot(&loaded.mechanism.name, &layout, &run.t, &states, &energy));
    write(&folder.join("motion.svg"), &plot)?;
    let frames = scene::animation(&loaded.mechanism, &layout, &[], &run.t, &states);
    write(&folder.join("animation.html"), &animation::animation(&frames))?;

    // The equations, in closed form.
    let sketch = figure::sketch(&scene::initial(&loaded.mechanism));
    let mut closed = inspect::closed_forms(&loaded.mechanism);
    let document = inspect::report(&loaded, Formalism::Kane, &mut closed, Some(sketch));
    write(&folder.join("report.html"), &report::html(&document))?;
    Ok(())
}

fn write(path: &Path, text: &str) -> std::io::Result<()> {
    fs::write(path, text)?;
    println!("wrote {}", path.display());
    Ok(())
}

/// A path from the root of the repository, as short as it can be said from here.
fn root(relative: &str) -> PathBuf {
    let from_root = env::current_dir().is_ok_and(|here| here.join("examples/tour").is_dir());
    if from_root {
        PathBuf::from(relative)
    } else {
        Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).join(relative)
    }
}
