//! Colours of curves, for light and dark pages.
//!
//! A figure follows the reader's colour scheme by a style of its own. Elements have the light
//! colour as an attribute, which a renderer without styles shows; curves also carry their dark
//! colour.

use super::svg;

/// Colours of curves for a dark background: as [`svg::PALETTE`], lighter.
const DARK: [&str; svg::PALETTE.len()] =
    ["#4aa8e8", "#ff8a3c", "#2fc99b", "#dd77cc", "#9bd5f7", "#f0b429", "#b4b4b4"];

/// Five dash patterns of lines: with seven colours, 35 curves are different, and consecutive ones
/// differ in both.
const DASHES: [&str; 5] = [
    "",
    " stroke-dasharray=\"7 3\"",
    " stroke-dasharray=\"2 3\"",
    " stroke-dasharray=\"9 3 2 3\"",
    " stroke-dasharray=\"14 4\"",
];

/// Kind of colours by which the curves of a panel are distinguished.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Colours {
    /// Distinct colours, for unrelated curves.
    Distinct,
    /// Colours in a sequence, for curves that are steps of one parameter.
    Ordered,
}

/// Support points (RGB) of the colour sequence of ordered curves, from blue over green to yellow,
/// within the range that is visible on a light background.
const LIGHT_STEPS: [[f64; 3]; 4] =
    [[58.0, 30.0, 120.0], [0.0, 105.0, 170.0], [0.0, 148.0, 110.0], [208.0, 130.0, 0.0]];
const DARK_STEPS: [[f64; 3]; 4] =
    [[160.0, 130.0, 245.0], [70.0, 165.0, 235.0], [50.0, 205.0, 155.0], [250.0, 205.0, 70.0]];

/// Colours of curve `i` of `count` on a light and on a dark background.
fn light_and_dark_colour(colours: Colours, i: usize, count: usize) -> [String; 2] {
    match colours {
        Colours::Distinct => [svg::PALETTE, DARK].map(|all| all[i % DARK.len()].to_owned()),
        Colours::Ordered => {
            let at = i as f64 / count.saturating_sub(1).max(1) as f64;
            [LIGHT_STEPS, DARK_STEPS].map(|steps| interpolate_colour(&steps, at))
        }
    }
}

/// Colour of marks (ring, dot) on curve `i` of `count`, visible on both backgrounds.
pub(super) fn mark_colour(colours: Colours, i: usize, count: usize) -> String {
    let [light, _] = light_and_dark_colour(colours, i, count);
    light
}

/// SVG style of curve `i` of `count`: colour, width, dashes.
pub(super) fn curve_style(colours: Colours, i: usize, count: usize) -> String {
    let [light, dark] = light_and_dark_colour(colours, i, count);
    format!(
        "fill=\"none\" stroke=\"{light}\" style=\"--dark:{dark}\" stroke-width=\"1.7\" stroke-linecap=\"round\" stroke-linejoin=\"round\"{}",
        DASHES[i % DASHES.len()]
    )
}

/// Interpolates a sequence of RGB colours: `at` is 0 for the first colour, 1 for the last.
fn interpolate_colour(steps: &[[f64; 3]; 4], at: f64) -> String {
    let place = at.clamp(0.0, 1.0) * (steps.len() - 1) as f64;
    let k = (place as usize).min(steps.len() - 2);
    let part = place - k as f64;
    let mix = |c: usize| (steps[k][c] + part * (steps[k + 1][c] - steps[k][c])).round() as u8;
    format!("#{:02x}{:02x}{:02x}", mix(0), mix(1), mix(2))
}

/// Style sheet that gives a figure of this class its dark colours.
pub(super) fn dark_style_sheet(class: &str) -> String {
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
            let all: Vec<String> = (0..count).map(|i| curve_style(colours, i, count)).collect();
            for (i, one) in all.iter().enumerate() {
                assert!(!all[..i].contains(one), "{one}");
            }
        }
        assert!(curve_style(Colours::Ordered, 0, 1).contains("#3a1e78"));
    }
}
