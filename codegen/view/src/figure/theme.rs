//! Colours of curves, in light and in dark surroundings.
//!
//! A figure follows the reader's scheme by a style of its own: what is drawn has the light colour as an attribute, which a
//! renderer without styles shows, and curves carry their dark one along.

use super::svg;

/// The palette where the background is dark: as [`svg::PALETTE`], lighter.
const DARK: [&str; svg::PALETTE.len()] =
    ["#4aa8e8", "#ff8a3c", "#2fc99b", "#dd77cc", "#9bd5f7", "#f0b429", "#b4b4b4"];

/// Beside seven colours, five kinds of line: 35 curves differ, and those next to each other in both.
const DASHES: [&str; 5] = [
    "",
    " stroke-dasharray=\"7 3\"",
    " stroke-dasharray=\"2 3\"",
    " stroke-dasharray=\"9 3 2 3\"",
    " stroke-dasharray=\"14 4\"",
];

/// How the curves of a panel are told apart.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Colours {
    /// They are different things.
    Distinct,
    /// They are steps of one thing: colours go from the first to the last, ever lighter or darker.
    Ordered,
}

/// Ends and middles of the ordered colours: from blue over green to yellow, as far as both kinds of background show them.
const LIGHT_STEPS: [[f64; 3]; 4] =
    [[58.0, 30.0, 120.0], [0.0, 105.0, 170.0], [0.0, 148.0, 110.0], [208.0, 130.0, 0.0]];
const DARK_STEPS: [[f64; 3]; 4] =
    [[160.0, 130.0, 245.0], [70.0, 165.0, 235.0], [50.0, 205.0, 155.0], [250.0, 205.0, 70.0]];

/// The colours of a curve on a light and on a dark ground.
fn pair(colours: Colours, i: usize, count: usize) -> [String; 2] {
    match colours {
        Colours::Distinct => [svg::PALETTE, DARK].map(|all| all[i % DARK.len()].to_owned()),
        Colours::Ordered => {
            let at = i as f64 / count.saturating_sub(1).max(1) as f64;
            [LIGHT_STEPS, DARK_STEPS].map(|steps| step(&steps, at))
        }
    }
}

/// The colour of marks on a curve, which shows on both grounds.
pub(super) fn mark(colours: Colours, i: usize, count: usize) -> String {
    let [light, _] = pair(colours, i, count);
    light
}

/// The style of a curve, the `i`-th of `count`.
pub(super) fn stroke(colours: Colours, i: usize, count: usize) -> String {
    let [light, dark] = pair(colours, i, count);
    format!(
        "fill=\"none\" stroke=\"{light}\" style=\"--dark:{dark}\" stroke-width=\"1.7\" stroke-linecap=\"round\" stroke-linejoin=\"round\"{}",
        DASHES[i % DASHES.len()]
    )
}

/// A colour between the steps, 0 the first and 1 the last.
fn step(steps: &[[f64; 3]; 4], at: f64) -> String {
    let place = at.clamp(0.0, 1.0) * (steps.len() - 1) as f64;
    let k = (place as usize).min(steps.len() - 2);
    let part = place - k as f64;
    let mix = |c: usize| (steps[k][c] + part * (steps[k + 1][c] - steps[k][c])).round() as u8;
    format!("#{:02x}{:02x}{:02x}", mix(0), mix(1), mix(2))
}

/// The style that turns a figure of a class dark.
pub(super) fn style(class: &str) -> String {
    let pairs = [
        ("fill", svg::INK, "#e6edf3"),
        ("stroke", svg::INK, "#e6edf3"),
        ("fill", svg::SOFT, "#a3adb8"),
        ("stroke", svg::SOFT, "#8b949e"),
        ("stroke", svg::GRID, "#2d333b"),
        ("fill", svg::BACK, "#0d1117"),
    ];
    let rules: String = pairs
        .iter()
        .map(|(what, light, dark)| format!(".{class} [{what}=\"{light}\"]{{{what}:{dark}}}"))
        .collect();
    format!(
        "<style>@media (prefers-color-scheme: dark){{{rules}.{class} [style]{{stroke:var(--dark)}}}}</style>\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn twenty_eight_curves_and_twenty_steps_differ() {
        for (colours, count) in [(Colours::Distinct, 28), (Colours::Ordered, 20)] {
            let all: Vec<String> = (0..count).map(|i| stroke(colours, i, count)).collect();
            for (i, one) in all.iter().enumerate() {
                assert!(!all[..i].contains(one), "{one}");
            }
        }
        assert!(stroke(Colours::Ordered, 0, 1).contains("#3a1e78"));
    }
}
