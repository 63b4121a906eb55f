//! Plots and animation of the ride.

use std::error::Error;
use std::path::Path;

use dqdt_codegen::pictures::{self, Line, Panel, Plot, SceneBody, Series};
use dqdt_codegen::pipeline;

use crate::ride::{Ride, RideSample};
use crate::slalom::Params;

/// Name of a curve, and its value at a sample.
type SampleCurve = (&'static str, fn(&RideSample) -> f64);

fn panel(ride: &Ride, label: &str, unit: &str, curves: &[SampleCurve]) -> Panel {
    let series = curves.iter().map(|(name, value)| Series {
        name: (*name).to_owned(),
        values: ride.samples.iter().map(value).collect(),
    });
    Panel { label: label.to_owned(), unit: unit.to_owned(), series: series.collect() }
}

/// Actual and commanded path, their distance, and the heading error, over the distance down the
/// slope.
pub fn path(ride: &Ride) -> String {
    pictures::plot(&Plot {
        title: "the way down the slope".to_owned(),
        x_label: "x".to_owned(),
        x_unit: "m".to_owned(),
        x: ride.samples.iter().map(|m| m.x).collect(),
        panels: vec![
            panel(ride, "y", "m", &[("ridden", |m| m.y), ("wanted", |m| m.commanded)]),
            panel(ride, "distance from the path", "m", &[("", |m| m.error)]),
            panel(ride, "its logarithm: a straight line", "", &[("", |m| m.error.abs().ln())]),
            panel(ride, "how wrong the heading is", "", &[("", |m| m.heading)]),
        ],
    })
}

/// Speed, force on the edge and moments over time.
pub fn forces(ride: &Ride) -> String {
    pictures::plot(&Plot {
        title: "what it takes".to_owned(),
        x_label: "t".to_owned(),
        x_unit: "s".to_owned(),
        x: ride.samples.iter().map(|m| m.t).collect(),
        panels: vec![
            panel(ride, "speed along the edge", "m/s", &[("", |m| m.speed)]),
            panel(ride, "force on the edge, to the right", "N", &[("", |m| m.edge)]),
            panel(ride, "moment on the ski", "N·m", &[("M0", |m| m.steering)]),
            panel(
                ride,
                "moments of the leg",
                "N·m",
                &[("about the vertical", |m| m.azimuth), ("raising", |m| m.elevation)],
            ),
        ],
    })
}

/// Number of line segments of the commanded path in the animation.
const SEGMENTS: u32 = 120;

/// Animation of the mechanism, with the commanded path on the slope.
///
/// # Errors
/// Errors in the spec.
pub fn animation(ride: &Ride, spec: &Path) -> Result<String, Box<dyn Error>> {
    let loaded = pipeline::load(spec)?;
    let times: Vec<f64> = ride.samples.iter().map(|m| m.t).collect();
    let states: Vec<Vec<f64>> = ride.states.iter().map(|x| x.to_vec()).collect();
    let mut frames = pictures::frames(&loaded, &[], &times, &states);
    let path =
        SceneBody { name: "wanted path".to_owned(), lines: commanded_path(ride), ..SceneBody::default() };
    for scene in &mut frames.scenes {
        // Display name: the rider is a single link.
        scene.bodies.iter_mut().filter(|b| b.name == "link1").for_each(|b| b.name = "rider".to_owned());
        scene.bodies.push(path.clone());
    }
    Ok(pictures::animation(&frames))
}

/// The path y = A sin(k x) from the start to the end of the ride.
fn commanded_path(ride: &Ride) -> Vec<Line> {
    let Params { A, k, .. }: Params = Params::default();
    let end = ride.samples.last().map_or(0.0, |m| m.x);
    let point = |i: u32| {
        let x = end * f64::from(i) / f64::from(SEGMENTS);
        [x, A * (k * x).sin(), 0.0]
    };
    (0..SEGMENTS).map(|i| [point(i), point(i + 1)]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::slalom::{Model, START};

    #[test]
    fn every_picture_shows_its_curves() -> Result<(), Box<dyn Error>> {
        let ride = Ride::new(&Model::default(), &START, 1.0)?;
        let names = [
            (path(&ride), ["ridden", "wanted", "distance"]),
            (forces(&ride), ["edge", "M0", "raising"]),
            (
                animation(&ride, Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/slalom.toml")))?,
                ["rider", "ski", "wanted path"],
            ),
        ];
        for (picture, names) in names {
            for name in names {
                assert!(picture.contains(name), "{name}");
            }
            assert!(!picture.contains("NaN") && !picture.contains("no data"));
        }
        Ok(())
    }
}
