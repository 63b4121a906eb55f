//! A root locus as SVG: eigenvalues in the complex plane as a parameter varies, and their parts
//! over it.

use super::plane::{Axis, PlaneCurve, draw_plane};
use super::plot::{FONT, Panel, Plot, RIGHT, Series, WIDTH, draw_heading, draw_panels};
use super::svg::{self, INK};
use super::theme::{self, Colours};

/// Data of a root locus: eigenvalues as functions of a parameter. Used by `dqdt linearize --over`.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Locus {
    /// Title above the root locus.
    pub title: String,
    /// Name of the parameter that varies.
    pub label: String,
    /// Unit of the parameter that varies; may be empty.
    pub unit: String,
    /// Values of the parameter that varies, ascending or descending.
    pub values: Vec<f64>,
    /// Real and imaginary part \[1/s\] of the eigenvalue of each branch at each value; an entry
    /// that is not finite leaves a gap.
    pub branches: Vec<Vec<[f64; 2]>>,
    /// Parameter values at which stability changes, marked in the plots.
    pub changes: Vec<f64>,
}

/// Draws a root locus as SVG, with a ring at the first value of the parameter and a dot at the
/// last.
pub fn locus_svg(figure: &Locus) -> String {
    let mut body = String::new();
    let mut y = 14.0;
    y += 64.0 + draw_heading(&mut body, y, &figure.title);
    draw_ends_legend(&mut body, figure, y - 32.0);
    let curves: Vec<PlaneCurve<'_>> = figure.branches.iter().map(|points| PlaneCurve { points }).collect();
    let axes = [Axis { label: "real part", unit: "1/s" }, Axis { label: "imaginary part", unit: "1/s" }];
    // The imaginary axis is the stability boundary.
    y = draw_plane(&mut body, y, axes, &curves, (Some(0.0), Colours::Distinct));
    let part = |k: usize, label: &str| Panel {
        label: label.to_owned(),
        unit: "1/s".to_owned(),
        series: (figure.branches.iter())
            .map(|b| Series { name: String::new(), values: b.iter().map(|r| r[k]).collect() })
            .collect(),
    };
    let mut imaginary = part(1, "imaginary part");
    // Only the eigenvalue above the real axis is drawn of a conjugate pair.
    imaginary.series.iter_mut().flat_map(|s| &mut s.values).filter(|x| **x < 0.0).for_each(|x| *x = f64::NAN);
    let plot = Plot {
        title: String::new(),
        x_label: figure.label.clone(),
        x_unit: figure.unit.clone(),
        x: figure.values.clone(),
        panels: vec![part(0, "real part"), imaginary],
    };
    y = draw_panels(&mut body, &plot, y, &figure.changes, Colours::Distinct);
    format!(
        "{}{}{body}</svg>\n",
        svg::open_svg_with_font("locus", WIDTH, y, &figure.title, FONT),
        theme::dark_style_sheet("locus")
    )
}

/// Draws the legend of a root locus: ring (first value) and dot (last value).
fn draw_ends_legend(out: &mut String, figure: &Locus, y: f64) {
    // Only values with eigenvalues count: elsewhere there was no state at which to linearise.
    let with_eigenvalues: Vec<usize> = (0..figure.values.len())
        .filter(|k| {
            figure.branches.iter().any(|b| b.get(*k).is_some_and(|r| r.iter().all(|x| x.is_finite())))
        })
        .collect();
    let (Some(first), Some(last)) = (with_eigenvalues.first(), with_eigenvalues.last()) else { return };
    let (first, last) = (&figure.values[*first], &figure.values[*last]);
    let unit = if figure.unit.is_empty() { String::new() } else { format!(" {}", figure.unit) };
    let text = |x: &f64| format!("{} = {x}{unit}", figure.label).replace('-', "−");
    let ink = format!("fill=\"{INK}\"");
    let (first, last) = (text(first), text(last));
    let mut x = WIDTH - RIGHT - svg::text_width(&last);
    out.push_str(&svg::text_element(x, y + 4.0, "start", &ink, &last));
    out.push_str(&svg::circle_element([x - 10.0, y], 3.5, &ink));
    x -= 34.0 + svg::text_width(&first);
    out.push_str(&svg::text_element(x, y + 4.0, "start", &ink, &first));
    let ring = format!("fill=\"{}\" stroke=\"{INK}\" stroke-width=\"1.5\"", svg::BACK);
    out.push_str(&svg::circle_element([x - 10.0, y], 4.0, &ring));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_and_nothing_at_all_are_drawn() {
        let figure = Locus {
            title: "a<b".into(),
            label: "k".into(),
            unit: "N/m".into(),
            values: vec![0.0, 1.0, 2.0],
            branches: vec![vec![[-1.0, 2.0], [f64::NAN; 2], [1.0, 2.0]], vec![[f64::NAN; 2]; 3]],
            changes: vec![1.0],
        };
        let svg = locus_svg(&figure);
        assert!(svg.contains("k = 0 N/m") && svg.contains("k = 2 N/m"), "{svg}");
        let mut shorter = figure.clone();
        shorter.branches[0][2] = [f64::NAN; 2];
        shorter.branches[0][1] = [0.0, 2.0];
        assert!(locus_svg(&shorter).contains("k = 1 N/m") && !locus_svg(&shorter).contains("k = 2 N/m"));
        assert!(svg.contains("a&lt;b") && svg.contains("k = 2 N/m") && !svg.contains("NaN"), "{svg}");
        assert!(locus_svg(&Locus::default()).ends_with("</svg>\n"));
    }
}
