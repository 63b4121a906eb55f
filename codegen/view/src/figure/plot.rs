//! Time series as SVG.

use super::decimate;
use super::svg::{self, GRID, INK, SOFT};
use super::theme::{self, Colours};
use super::ticks::{self, Scale};
use dqdt_document::report;

/// Data of a plot: panels below each other, with one horizontal axis.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Plot {
    /// Title above the panels; may be empty.
    pub title: String,
    /// Label of the shared axis: `t`.
    pub x_label: String,
    /// Unit of the shared axis: `s`; may be empty.
    pub x_unit: String,
    /// Sample positions of all series on the horizontal axis, ascending.
    pub x: Vec<f64>,
    /// Panels of the plot from top to bottom.
    pub panels: Vec<Panel>,
}

/// A panel of a plot: series over one vertical axis.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Panel {
    /// Label of the vertical axis; may be empty.
    pub label: String,
    /// Unit of the vertical axis; may be empty.
    pub unit: String,
    /// Series of the panel in drawing order.
    pub series: Vec<Series>,
}

/// Curve of a plot, in one of its panels.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Series {
    /// Name in the legend: plain text, such as `Math::identifier(name).text()`.
    pub name: String,
    /// One value for each sample position; a value that is not finite leaves a gap.
    pub values: Vec<f64>,
}

/// Width of the left margin of plots in SVG units, for tick labels.
pub(super) const LEFT: f64 = 68.0;
pub(super) const RIGHT: f64 = 16.0;
/// Width of plots in SVG units: narrow, with large letters, so that they are readable on a phone.
pub(super) const WIDTH: f64 = 560.0;
pub(super) const FONT: f64 = 14.0;
const PANEL: f64 = 150.0;
/// Gap between the panels of a plot in SVG units, in addition to the lines of their legends.
const GAP: f64 = 22.0;
const LEGEND: f64 = 19.0;

/// Draws a plot as SVG. Curves are thinned to the resolution of the picture without losing a peak.
/// The colours follow the reader's light or dark scheme.
pub fn plot(plot: &Plot) -> String {
    draw_with_colours(plot, Colours::Distinct)
}

/// Draws a plot as SVG whose curves are steps of one parameter: their colours form a sequence.
pub fn plot_with_ordered_colours(plot: &Plot) -> String {
    draw_with_colours(plot, Colours::Ordered)
}

fn draw_with_colours(plot: &Plot, colours: Colours) -> String {
    let mut body = String::new();
    let mut y = 14.0;
    if !plot.title.is_empty() {
        y += 28.0 + draw_heading(&mut body, y, &plot.title);
    }
    y = draw_panels(&mut body, plot, y, &[], colours);
    let title = if plot.title.is_empty() { "plot" } else { &plot.title };
    format!(
        "{}{}{body}</svg>\n",
        svg::open_svg_with_font("plot", WIDTH, y, title, FONT),
        theme::dark_style_sheet("plot")
    )
}

/// Draws the title of a plot at `y`, on several lines if it is wider than the picture. Returns the
/// height of the lines after the first.
pub(super) fn draw_heading(body: &mut String, y: f64, title: &str) -> f64 {
    const LINE: f64 = 20.0;
    // Average width of a bold letter at font size 16.
    let fits = ((WIDTH - LEFT - RIGHT) / 9.8) as usize;
    let mut lines: Vec<String> = Vec::new();
    for word in title.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= fits => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    let style = format!("font-size=\"16\" font-weight=\"600\" fill=\"{INK}\"");
    for (k, line) in lines.iter().enumerate() {
        body.push_str(&svg::text_element(LEFT, y + 12.0 + LINE * k as f64, "start", &style, line));
    }
    LINE * lines.len().saturating_sub(1) as f64
}

/// Draws the panels of a plot below `y` and the label of their horizontal axis, with vertical lines
/// at `marks`. Returns the vertical position of the lower end.
pub(super) fn draw_panels(
    body: &mut String,
    plot: &Plot,
    mut y: f64,
    marks: &[f64],
    colours: Colours,
) -> f64 {
    let x = Scale::new(ticks::finite_range(&plot.x), 8, 0.0);
    for (i, panel) in plot.panels.iter().enumerate() {
        y += draw_panel_legend(body, panel, y, colours);
        draw_panel_frame(body, &x, y, i + 1 == plot.panels.len());
        for mark in marks {
            let px = horizontal_position(&x, *mark);
            let style = format!("stroke=\"{SOFT}\" stroke-dasharray=\"4 3\"");
            body.push_str(&svg::line_element([px, y], [px, y + PANEL], &style));
        }
        draw_panel_curves(body, plot, panel, &x, y, colours);
        y += PANEL + GAP;
    }
    let label = match axis_label_text(&plot.x_label, &plot.x_unit, x.exponent) {
        label if plot.panels.is_empty() => format!("{label} (nothing to plot)"),
        label => label,
    };
    y += 14.0;
    let style = format!("fill=\"{INK}\"");
    body.push_str(&svg::text_element((LEFT + WIDTH - RIGHT) / 2.0, y, "middle", &style, &label));
    y + 12.0
}

/// Estimated width of a text in SVG units, at the font size of plots.
fn plot_text_width(text: &str) -> f64 {
    svg::text_width(text) * FONT / 13.0
}

pub(super) fn axis_label_text(label: &str, unit: &str, exponent: i32) -> String {
    let digits: String = exponent
        .to_string()
        .chars()
        .filter_map(|c| "-0123456789".find(c).and_then(|i| "⁻⁰¹²³⁴⁵⁶⁷⁸⁹".chars().nth(i)))
        .collect();
    let unit = match (unit, exponent) {
        ("", 0) => String::new(),
        ("", _) => format!(" [10{digits}]"),
        (text, 0) => format!(" [{}]", report::format_unit(text)),
        (text, _) => format!(" [10{digits} {}]", report::format_unit(text)),
    };
    format!("{label}{unit}")
}

/// Draws the label of a panel and the names of its curves above it, on as many lines as needed.
/// Returns their height.
fn draw_panel_legend(out: &mut String, panel: &Panel, y: f64, colours: Colours) -> f64 {
    let scale = vertical_scale(panel);
    let label = axis_label_text(&panel.label, &panel.unit, scale.exponent);
    out.push_str(&svg::text_element(
        LEFT,
        y + 10.0,
        "start",
        &format!("font-weight=\"600\" fill=\"{INK}\""),
        &label,
    ));
    let indent = if label.is_empty() { LEFT } else { LEFT + plot_text_width(&label) + 20.0 };
    let names: Vec<&str> = panel.series.iter().map(|s| s.name.as_str()).collect();
    draw_legend_names(out, [indent, y], &names, colours)
}

/// Draws the names of curves in a legend from a position on, on as many lines as needed. Returns
/// their height.
pub(super) fn draw_legend_names(
    out: &mut String,
    [indent, y]: [f64; 2],
    names: &[&str],
    colours: Colours,
) -> f64 {
    let (mut x, mut line) = (indent, 0);
    for (i, name) in names.iter().enumerate().filter(|(_, name)| !name.is_empty()) {
        let w = 26.0 + plot_text_width(name) + 18.0;
        if x + w > WIDTH - RIGHT && x > indent {
            (x, line) = (indent, line + 1);
        }
        let base = y + LEGEND * line as f64 + 10.0;
        out.push_str(&svg::line_element(
            [x, base - 4.0],
            [x + 20.0, base - 4.0],
            &theme::curve_style(colours, i, names.len()),
        ));
        out.push_str(&svg::text_element(x + 26.0, base, "start", &format!("fill=\"{INK}\""), name));
        x += w;
    }
    LEGEND * (line + 1) as f64
}

fn vertical_scale(panel: &Panel) -> Scale {
    Scale::new(ticks::finite_range(panel.series.iter().flat_map(|s| &s.values)), 5, 0.06)
}

fn horizontal_position(x: &Scale, value: f64) -> f64 {
    LEFT + x.axis_position(value) * (WIDTH - LEFT - RIGHT)
}

fn draw_panel_frame(out: &mut String, x: &Scale, y: f64, last: bool) {
    for (value, label) in &x.ticks {
        let px = horizontal_position(x, *value);
        out.push_str(&svg::line_element([px, y], [px, y + PANEL], &format!("stroke=\"{GRID}\"")));
        if last {
            out.push_str(&svg::text_element(
                px,
                y + PANEL + 16.0,
                "middle",
                &format!("fill=\"{SOFT}\""),
                label,
            ));
        }
    }
}

fn draw_panel_curves(out: &mut String, plot: &Plot, panel: &Panel, x: &Scale, y: f64, colours: Colours) {
    let scale = vertical_scale(panel);
    let down = |value: f64| y + PANEL * (1.0 - scale.axis_position(value));
    for (value, label) in &scale.ticks {
        let py = down(*value);
        out.push_str(&svg::line_element([LEFT, py], [WIDTH - RIGHT, py], &format!("stroke=\"{GRID}\"")));
        out.push_str(&svg::text_element(LEFT - 7.0, py + 4.0, "end", &format!("fill=\"{SOFT}\""), label));
    }
    let border = format!("fill=\"none\" stroke=\"{SOFT}\" stroke-width=\"0.8\"");
    let corners = [[LEFT, y], [WIDTH - RIGHT, y], [WIDTH - RIGHT, y + PANEL], [LEFT, y + PANEL]];
    out.push_str(&svg::polygon_element(&corners, &border));
    for (i, series) in panel.series.iter().enumerate() {
        let points = plot.x.iter().zip(&series.values).map(|(t, v)| match t.is_finite() && v.is_finite() {
            true => [horizontal_position(x, *t), down(*v)],
            false => [f64::NAN; 2],
        });
        let mut path = String::new();
        for run in decimate::thinned_runs(points) {
            for (k, p) in run.iter().enumerate() {
                path.push_str(&format!("{}{:.1} {:.1}", if k == 0 { 'M' } else { 'L' }, p[0], p[1]));
            }
            if run.len() == 1 {
                path.push_str("h0");
            }
        }
        if !path.is_empty() {
            let style = theme::curve_style(colours, i, panel.series.len());
            out.push_str(&format!("<path d=\"{path}\" {style}/>\n"));
        }
    }
    if panel.series.iter().all(|s| !s.values.iter().any(|v| v.is_finite())) {
        let middle = [(LEFT + WIDTH - RIGHT) / 2.0, y + PANEL / 2.0];
        out.push_str(&svg::text_element(
            middle[0],
            middle[1],
            "middle",
            &format!("fill=\"{SOFT}\""),
            "no data",
        ));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(x: Vec<f64>, values: Vec<f64>) -> Plot {
        let series = vec![Series { name: "a<b".into(), values }];
        Plot { x, panels: vec![Panel { label: "y".into(), unit: "m".into(), series }], ..Plot::default() }
    }

    #[test]
    fn empty_constant_and_broken_series_are_drawn() {
        for (x, v) in [
            (vec![], vec![]),
            (vec![0.0], vec![1.0]),
            (vec![0.0, 1.0], vec![3.0, 3.0]),
            (vec![0.0, 1.0], vec![f64::NAN, f64::INFINITY]),
            (vec![0.0, f64::NAN, 2.0], vec![1.0]),
            (vec![0.0, 1.0], vec![-1e308, 1e308]),
        ] {
            let svg = plot(&one(x, v));
            assert!(svg.ends_with("</svg>\n") && !svg.contains("NaN") && !svg.contains("inf"));
            assert!(svg.contains("a&lt;b"));
        }
        assert!(plot(&Plot::default()).contains("nothing to plot"));
    }

    fn count_title_lines(title: &str) -> usize {
        let svg = plot(&Plot { title: title.into(), ..Plot::default() });
        svg.matches("font-size=\"16\"").count()
    }

    #[test]
    fn a_long_title_takes_several_lines() {
        assert_eq!(count_title_lines("short"), 1);
        let title = "Furuta pendulum: the speed of the pendulum, from counted angles";
        assert_eq!(count_title_lines(title), 2);
        assert_eq!(count_title_lines(&"a_word_without_blanks".repeat(9)), 1);
    }

    #[test]
    fn a_million_samples_stay_a_small_file() {
        let x: Vec<f64> = (0..1_000_000).map(|i| f64::from(i) * 1e-3).collect();
        let y = x.iter().map(|t| (t * 50.0).sin()).collect();
        assert!(plot(&one(x, y)).len() < 100_000);
    }
}
