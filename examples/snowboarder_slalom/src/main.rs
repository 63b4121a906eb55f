//! A snowboarder returns to a winding path.
//!
//! Problem: a ski with an edge goes down a slope with a rider on it. The path y = A sin(k x) is wanted and the rider's two
//! angles; found are the steering moment on the ski and the two moments of the leg (A. V. Borisov, I. E. Kaspirovich and
//! R. G. Mukharlyamov). The ski starts beside the path.
//!
//! Method: program constraints of `slalom.toml`, which the inputs realise: `dqdt` contains the law, `program_inputs` tells
//! the moments. What can be asked for is what a moment reaches after two differentiations of a constraint of the pose.
//! The error e = y − A sin(k x) is not: the moment turns the ski, and only the ski's direction, through the edge, turns
//! the velocity. It shows in the third derivative, and the generator refuses such a constraint (see the tests). The edge,
//! ẏ = ẋ tan φ₀, gives what to ask for instead:
//!
//! ```text
//! de/dx = tan φ₀ − A k cos(k x)      the edge, and nothing else
//! tan φ₀ = A k cos(k x) − κ e        the heading that is asked for
//! de/dx = −κ e                       so e = e(0) exp(−κ x)
//! ```
//!
//! The heading is a formula of the pose, the moment is in its second derivative, and Baumgarte's terms bring a wrong
//! heading back with a time constant of its own. The error decays over the way down the slope: at rest nothing steers.
//! With the heading h = sin φ₀ − (A k cos(k x) − κ e) cos φ₀ still wrong it is de/dx = −κ e + h / cos φ₀, two stable
//! equations one after the other.
//!
//! The plots and the animation go to `target/snowboarder_slalom`.

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
    let (first, last) = (ride.moments.first(), ride.moments.last());
    if let (Some(first), Some(last)) = (first, last) {
        println!(
            "distance from the path: {:.3} m at first, {:.4} m after {:.1} m",
            first.error, last.error, last.x
        );
    }
    let most =
        |value: fn(&ride::Moment) -> f64| ride.moments.iter().map(|m| value(m).abs()).fold(0.0, f64::max);
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
