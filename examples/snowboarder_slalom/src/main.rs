//! A snowboarder returns to a winding path.
//!
//! Problem: a ski with an edge slides down a slope, with a rider on it. Given are the path
//! `y = A sin(k x)` and the two angles of the rider; wanted are the steering moment on the ski and
//! the two moments of the leg (A. V. Borisov, I. E. Kaspirovich and R. G. Mukharlyamov). The ski
//! starts off the path.
//!
//! Method: program constraints of `slalom.toml`, realised by the inputs. `dqdt` contains the
//! control law, `program_inputs` returns the moments. A constraint of the pose can be a program if
//! its second derivative contains a moment. The error `e = y − A sin(k x)` cannot: the moment turns
//! the ski, and only the direction of the ski, through the edge, turns the velocity. The moment
//! appears in the third derivative, and the generator refuses such a constraint (see the tests).
//! The edge, `ẏ = ẋ tan φ₀`, gives a substitute:
//!
//! ```text
//! de/dx = tan φ₀ − A k cos(k x)      by the edge alone
//! tan φ₀ = A k cos(k x) − κ e        commanded heading
//! de/dx = −κ e                       so e = e(0) exp(−κ x)
//! ```
//!
//! The heading is a formula of the pose, and its second derivative contains the moment. Baumgarte's
//! terms correct a heading error with their own time constant. The path error decays with the
//! distance down the slope, not with time: at rest nothing steers. With the heading error
//! `h = sin φ₀ − (A k cos(k x) − κ e) cos φ₀`, `de/dx = −κ e + h / cos φ₀`: two stable equations in
//! series.
//!
//! Plots and animation are written to `target/snowboarder_slalom`.

mod pictures;
mod ride;

/// The generated module.
mod slalom {
    dqdt::include_mechanism!("slalom");
}

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use ride::Ride;
use slalom::{Model, START};

fn main() -> Result<(), Box<dyn Error>> {
    let ride = Ride::new(&Model::default(), &START, 6.0)?;
    let (first, last) = (ride.samples.first(), ride.samples.last());
    if let (Some(first), Some(last)) = (first, last) {
        println!(
            "distance from the path: {:.3} m at first, {:.4} m after {:.1} m",
            first.error, last.error, last.x
        );
    }
    let most =
        |value: fn(&ride::RideSample) -> f64| ride.samples.iter().map(|m| value(m).abs()).fold(0.0, f64::max);
    println!("force on the edge: at most {:.0} N", most(|m| m.edge));
    println!(
        "moments: at most {:.1} N·m on the ski, {:.0} and {:.0} N·m in the leg",
        most(|m| m.steering),
        most(|m| m.azimuth),
        most(|m| m.elevation)
    );

    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../target/snowboarder_slalom"));
    fs::create_dir_all(folder)?;
    let spec = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/slalom.toml"));
    for (name, text) in [
        ("path.svg", pictures::path(&ride)),
        ("forces.svg", pictures::forces(&ride)),
        ("animation.html", pictures::animation(&ride, &spec)?),
    ] {
        fs::write(folder.join(name), text)?;
        println!("wrote target/snowboarder_slalom/{name}");
    }
    Ok(())
}
