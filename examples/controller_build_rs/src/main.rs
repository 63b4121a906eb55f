//! A controller that uses a generated model of its plant: it swings the pole of a cart-pole up and
//! balances it.
//!
//! `build.rs` derives the equations from `examples/specs/cart_pole.toml`. The controller uses the
//! generated `mass_matrix`, `bias` and `energy`, and computes its gain by evaluating `dqdt` over
//! dual numbers. The plant is the same `dqdt`, integrated by `rk4_step`. The plot is written to
//! `target/controller_build_rs/swing_up.svg`.

mod controller;
mod lqr;
mod plant;
mod simulation;

/// The generated module.
mod cart_pole {
    dqdt::include_mechanism!("cart_pole");
}

use std::error::Error;
use std::fs;
use std::path::PathBuf;

use cart_pole::{Model, Q_THETA, Q_X};
use controller::Controller;
use simulation::{ClosedLoopRun, HANGING};

fn main() -> Result<(), Box<dyn Error>> {
    let mut controller = Controller::new()?;
    println!("gain of the regulator: {:.3?} (N/m, N/rad, N·s/m, N·s/rad)", controller.gain());
    let run = ClosedLoopRun::new(&Model::default(), &mut controller, HANGING, 10.0)?;
    match run.upright_from() {
        Some(t) => println!("upright from {t:.2} s on"),
        None => println!("never upright"),
    }
    let [commanded, applied] = run.greatest_force();
    println!(
        "cart within ±{:.3} m; at most {commanded:.2} N asked for, {applied:.2} N given",
        run.reach(Q_X)
    );
    println!(
        "motor at its limit in {} of {} periods",
        run.limited.iter().filter(|l| **l).count(),
        run.t.len()
    );
    let last = run.x.last().copied().unwrap_or_default();
    println!("at the end: x = {:.4} m, theta = {:.4} rad", last[Q_X], controller::wrap(last[Q_THETA]));

    let folder = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../target/controller_build_rs"));
    fs::create_dir_all(&folder)?;
    fs::write(folder.join("swing_up.svg"), run.plot())?;
    println!("wrote target/controller_build_rs/swing_up.svg");
    Ok(())
}
