//! Arrows of forces and moments in an animation: selection, length and end points.

use dqdt_mechanics::formalism::Arrow;

use super::model::Animation;

/// Fraction of the largest force or moment in the motion below which an arrow is not shown.
const SMALL: f64 = 1e-6;

/// Length of the longest arrow in an animation, as a fraction of the size of the scene.
const LONGEST: f64 = 0.25;

/// Arrows of forces and moments that an animation shows, and their scale.
#[derive(Default)]
pub(super) struct Arrows {
    /// For each shown arrow, its index among the arrows of a frame, and `true` for a moment,
    /// `false` for a force.
    pub shown: Vec<(usize, bool)>,
    /// Largest force \[N\] and largest moment \[N·m\] in the motion; the longest arrows.
    pub largest: [f64; 2],
}

impl Arrows {
    pub fn from_motion(animation: &Animation) -> Self {
        let largest_size = |k: usize, is_moment: bool| {
            let sizes = animation
                .arrows
                .iter()
                .filter_map(|all| all.get(k))
                .map(|a| vector_length(arrow_vector(a, is_moment)));
            sizes.fold(0.0, f64::max)
        };
        let count = animation.arrows.first().map_or(0, Vec::len);
        let all = || (0..count).flat_map(|k| [(k, false), (k, true)]);
        let largest = [false, true].map(|kind| {
            all().filter(|(_, m)| *m == kind).map(|(k, m)| largest_size(k, m)).fold(0.0, f64::max)
        });
        // A moment far smaller than the largest force times its arm is a rounding error.
        let reach = largest[0] * farthest_arrow(animation);
        let least = [SMALL * largest[0], SMALL * largest[1].max(reach)];
        let shown = all().filter(|(k, m)| largest_size(*k, *m) > least[usize::from(*m)]).collect();
        Arrows { shown, largest }
    }

    /// Start and end points of the arrows of a frame, in metres, in ground coordinates. `size` is
    /// the size of the scene.
    pub fn end_points<'a>(&'a self, all: &'a [Arrow], size: f64) -> impl Iterator<Item = [f64; 3]> + 'a {
        self.shown.iter().filter_map(move |(k, is_moment)| Some((all.get(*k)?, *is_moment))).flat_map(
            move |(arrow, is_moment)| {
                let scale = LONGEST * size / self.largest[usize::from(is_moment)];
                let along = arrow_vector(arrow, is_moment);
                let tip = [0, 1, 2].map(|i| arrow.at.0[i] + scale * along[i]);
                [arrow.at.0, tip]
            },
        )
    }
}

/// Force or moment of an arrow; zero if it is undetermined, so that it is not shown.
fn arrow_vector(arrow: &Arrow, is_moment: bool) -> [f64; 3] {
    let v = if is_moment { arrow.moment } else { arrow.force };
    if v.0.iter().all(|x| x.is_finite()) { v.0 } else { [0.0; 3] }
}

fn vector_length(v: [f64; 3]) -> f64 {
    v[0].hypot(v[1]).hypot(v[2])
}

/// Largest distance of an arrow from the ground's origin in metres, as a measure of the scene's
/// size.
pub(super) fn farthest_arrow(animation: &Animation) -> f64 {
    animation
        .arrows
        .iter()
        .flatten()
        .map(|a| vector_length(a.at.0))
        .filter(|x| x.is_finite())
        .fold(0.0, f64::max)
}
