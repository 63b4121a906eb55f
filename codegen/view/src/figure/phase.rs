//! One signal over another as SVG: a phase plot, or a path in a plane.

use super::plane::{Axis, PlaneCurve, draw_plane};
use super::plot::{FONT, LEFT, WIDTH, draw_heading, draw_legend_names};
use super::svg;
use super::theme::{self, Colours};

/// Data of a phase plot: curves of one signal over another. Used by `dqdt simulate --plot-xy`.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Phase {
    /// Title above the phase plot.
    pub title: String,
    /// Label and unit of the horizontal and the vertical axis of the phase plot. A unit may be
    /// empty.
    pub axes: [(String, String); 2],
    /// One curve for each motion: its name in the legend, and its points. A point that is not
    /// finite leaves a gap.
    pub curves: Vec<(String, Vec<[f64; 2]>)>,
}

/// Draws a phase plot as SVG, with a ring where a motion starts and a dot where it ends. The
/// colours follow the reader's light or dark scheme.
pub fn phase_svg(figure: &Phase) -> String {
    let colours = if figure.curves.len() > 1 { Colours::Ordered } else { Colours::Distinct };
    let mut body = String::new();
    let mut y = 14.0;
    y += 28.0 + draw_heading(&mut body, y, &figure.title);
    let names: Vec<&str> = figure.curves.iter().map(|(name, _)| name.as_str()).collect();
    if names.iter().any(|name| !name.is_empty()) {
        y += draw_legend_names(&mut body, [LEFT, y], &names, colours);
    }
    y += 24.0;
    let curves: Vec<PlaneCurve<'_>> = figure.curves.iter().map(|(_, points)| PlaneCurve { points }).collect();
    let axes = figure.axes.each_ref().map(|(label, unit)| Axis { label, unit });
    y = draw_plane(&mut body, y, axes, &curves, (None, colours));
    let title = if figure.title.is_empty() { "phase plot" } else { &figure.title };
    format!(
        "{}{}{body}</svg>\n",
        svg::open_svg_with_font("phase", WIDTH, y, title, FONT),
        theme::dark_style_sheet("phase")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_has_its_ends_and_its_axes() {
        let figure = Phase {
            title: "orbit".into(),
            axes: [("x".into(), "m".into()), ("v".into(), "m/s".into())],
            curves: vec![(String::new(), vec![[0.0, 1.0], [f64::NAN, 0.0], [1.0, 0.0], [2.0, -1.0]])],
        };
        let svg = phase_svg(&figure);
        assert!(svg.contains(">x [m]<") && svg.contains(">v [m/s]<") && !svg.contains("NaN"), "{svg}");
        assert_eq!(svg.matches("<circle").count(), 2);
        assert!(phase_svg(&Phase::default()).ends_with("</svg>\n"));
    }
}
