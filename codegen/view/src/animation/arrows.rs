//! Arrows of an animation: which are shown, how long they are, their points.

use dqdt_mechanics::formalism::Arrow;

use super::model::Animation;

/// A force or moment this much smaller than the largest of the motion is not shown.
const SMALL: f64 = 1e-6;

/// Length of the longest arrow over the size of the scene.
const LONGEST: f64 = 0.25;

/// The arrows of a motion.
#[derive(Default)]
pub(super) struct Arrows {
    /// The place of each among those of a frame, and whether its moment is shown or its force.
    pub shown: Vec<(usize, bool)>,
    /// The largest force \[N\] and moment [N·m].
    pub largest: [f64; 2],
}

impl Arrows {
    pub fn of(animation: &Animation) -> Self {
        let most = |k: usize, is_moment: bool| {
            let sizes =
                animation.arrows.iter().filter_map(|all| all.get(k)).map(|a| size(vector(a, is_moment)));
            sizes.fold(0.0, f64::max)
        };
        let count = animation.arrows.first().map_or(0, Vec::len);
        let both = || (0..count).flat_map(|k| [(k, false), (k, true)]);
        let largest = [false, true]
            .map(|sort| both().filter(|(_, m)| *m == sort).map(|(k, m)| most(k, m)).fold(0.0, f64::max));
        // A moment that is left of a force at its point is rounding.
        let reach = largest[0] * extent(animation);
        let least = [SMALL * largest[0], SMALL * largest[1].max(reach)];
        let shown = both().filter(|(k, m)| most(*k, *m) > least[usize::from(*m)]).collect();
        Arrows { shown, largest }
    }

    /// Where the arrows of a frame begin and end; `size`: of the scene.
    pub fn points<'a>(&'a self, all: &'a [Arrow], size: f64) -> impl Iterator<Item = [f64; 3]> + 'a {
        self.shown.iter().filter_map(move |(k, is_moment)| Some((all.get(*k)?, *is_moment))).flat_map(
            move |(arrow, is_moment)| {
                let scale = LONGEST * size / self.largest[usize::from(is_moment)];
                let along = vector(arrow, is_moment);
                let tip = [0, 1, 2].map(|i| arrow.at.0[i] + scale * along[i]);
                [arrow.at.0, tip]
            },
        )
    }
}

/// What is not determined is not shown.
fn vector(arrow: &Arrow, is_moment: bool) -> [f64; 3] {
    let v = if is_moment { arrow.moment } else { arrow.force };
    if v.0.iter().all(|x| x.is_finite()) { v.0 } else { [0.0; 3] }
}

fn size(v: [f64; 3]) -> f64 {
    v[0].hypot(v[1]).hypot(v[2])
}

/// About how far arrows are apart, and from the origin.
pub(super) fn extent(animation: &Animation) -> f64 {
    animation.arrows.iter().flatten().map(|a| size(a.at.0)).filter(|x| x.is_finite()).fold(0.0, f64::max)
}
