//! A plot of quantities over a problem size, with logarithmic axes, as SVG.
//!
//! Every curve has its name at its end: in the margin, or next to its last point if it stops early.
//! A power of the size is a straight line, and equal slopes are equal powers.

use super::labels::Labels;
use super::svg::{self, BACK, GRID, INK, PALETTE, SOFT};

/// Data of a figure of panels below each other, with one logarithmic axis of problem sizes. Values
/// that are not positive are omitted. Used by `dqdt compare --sweep`.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Growth {
    /// Title above the panels; may be empty.
    pub title: String,
    /// Label of the shared horizontal axis.
    pub x_label: String,
    /// Problem sizes (numbers of bodies) for the horizontal axis, ascending.
    pub x: Vec<f64>,
    /// Panels of the growth figure from top to bottom.
    pub panels: Vec<GrowthPanel>,
    /// Notes below the horizontal axis, one paragraph each.
    pub notes: Vec<String>,
}

/// Panel of a growth figure: curves over one logarithmic vertical axis.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct GrowthPanel {
    /// Label of the vertical axis, with its unit.
    pub label: String,
    /// Names and values of the curves, one value for each size; `None` leaves a gap.
    pub curves: Vec<(String, Vec<Option<f64>>)>,
}

const LEFT: f64 = 62.0;
const WIDTH: f64 = 780.0;
/// Width of the right margin of a growth figure in SVG units, for the names of the curves.
const RIGHT: f64 = 172.0;
const PANEL: f64 = 390.0;
/// Minimum distance from the right margin at which a curve has its name next to its last point.
const MIN_EARLY: f64 = 90.0;
const LINE: f64 = 17.0;

/// Draws a growth figure as SVG.
pub fn growth_svg(figure: &Growth) -> String {
    let x = Logarithmic::new(figure.x.iter().copied());
    let mut body = String::new();
    let mut y = 14.0;
    if !figure.title.is_empty() {
        let style = format!("font-size=\"15\" font-weight=\"600\" fill=\"{INK}\"");
        body.push_str(&svg::text_element(LEFT, y + 12.0, "start", &style, &figure.title));
        y += 30.0;
    }
    let bold = format!("font-weight=\"600\" fill=\"{INK}\"");
    for panel in &figure.panels {
        body.push_str(&svg::text_element(LEFT, y + 8.0, "start", &bold, &panel.label));
        y += 18.0;
        draw_growth_panel(&mut body, figure, panel, &x, y);
        y += PANEL + 34.0;
    }
    let middle = (LEFT + WIDTH - RIGHT) / 2.0;
    body.push_str(&svg::text_element(middle, y, "middle", &format!("fill=\"{INK}\""), &figure.x_label));
    y += 12.0;
    for line in figure.notes.iter().flat_map(|n| wrap_words(n, WIDTH - LEFT - 18.0)) {
        y += LINE;
        body.push_str(&svg::text_element(LEFT, y, "start", &format!("fill=\"{SOFT}\""), &line));
    }
    let title = if figure.title.is_empty() { "growth" } else { &figure.title };
    format!("{}{body}</svg>\n", svg::open_svg("growth", WIDTH, y + 16.0, title))
}

/// Logarithmic axis from the smallest to the largest value, with a margin.
struct Logarithmic {
    low: f64,
    high: f64,
}

impl Logarithmic {
    fn new(values: impl Iterator<Item = f64>) -> Self {
        let logs = values.filter(|v| *v > 0.0 && v.is_finite()).map(f64::log10);
        let range = logs.fold(None, |r: Option<(f64, f64)>, v| match r {
            None => Some((v, v)),
            Some((a, b)) => Some((a.min(v), b.max(v))),
        });
        let (a, b) = range.unwrap_or((0.0, 1.0));
        // The margin separates curves from the frame, and gives a single value a range with a tick.
        let margin = (0.04 * (b - a)).max(0.3 - (b - a) / 2.0);
        Logarithmic { low: a - margin, high: b + margin }
    }

    /// Position of a value on the axis: 0 at the low end, 1 at the high end.
    fn axis_position(&self, x: f64) -> f64 {
        (x.log10() - self.low) / (self.high - self.low)
    }

    /// Ticks of the axis with labels, at 1, 2 and 5 times the powers of ten, or at the powers alone
    /// if there are many.
    fn axis_ticks(&self) -> Vec<(f64, String)> {
        let digits: &[f64] = if self.high - self.low > 4.5 { &[1.0] } else { &[1.0, 2.0, 5.0] };
        let (first, last) = (self.low.floor() as i32, self.high.ceil() as i32);
        (first..=last)
            .flat_map(|p| digits.iter().map(move |d| d * 10f64.powi(p)))
            .filter(|x| (0.0..=1.0).contains(&self.axis_position(*x)))
            .map(|x| (x, tick_label(x)))
            .collect()
    }
}

/// Number as a tick label, with thousands separated by a narrow space: 20 000.
fn tick_label(x: f64) -> String {
    if x < 1.0 {
        return format!("{x}");
    }
    let digits = format!("{x:.0}");
    let mut out = String::new();
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) && digits.len() > 4 {
            out.push('\u{202f}');
        }
        out.push(c);
    }
    out
}

/// Axes of a panel of curves, whose top is at `top`.
struct PanelAxes<'a> {
    x: &'a Logarithmic,
    scale: Logarithmic,
    top: f64,
}

impl PanelAxes<'_> {
    fn across(&self, value: f64) -> f64 {
        LEFT + self.x.axis_position(value) * (WIDTH - LEFT - RIGHT)
    }

    fn down(&self, value: f64) -> f64 {
        self.top + PANEL * (1.0 - self.scale.axis_position(value))
    }

    /// Draws the grid with the labels of the ticks, and the frame.
    fn draw_grid(&self, out: &mut String) {
        let y = self.top;
        let (grid, soft) = (format!("stroke=\"{GRID}\""), format!("fill=\"{SOFT}\""));
        let edge = WIDTH - RIGHT;
        for (value, label) in self.x.axis_ticks() {
            out.push_str(&svg::line_element([self.across(value), y], [self.across(value), y + PANEL], &grid));
            out.push_str(&svg::text_element(self.across(value), y + PANEL + 16.0, "middle", &soft, &label));
        }
        for (value, label) in self.scale.axis_ticks() {
            out.push_str(&svg::line_element([LEFT, self.down(value)], [edge, self.down(value)], &grid));
            out.push_str(&svg::text_element(LEFT - 7.0, self.down(value) + 4.0, "end", &soft, &label));
        }
        let corners = [[LEFT, y], [edge, y], [edge, y + PANEL], [LEFT, y + PANEL]];
        out.push_str(&svg::polygon_element(
            &corners,
            &format!("fill=\"none\" stroke=\"{SOFT}\" stroke-width=\"0.8\""),
        ));
    }
}

fn draw_growth_panel(out: &mut String, figure: &Growth, panel: &GrowthPanel, x: &Logarithmic, y: f64) {
    let scale = Logarithmic::new(panel.curves.iter().flat_map(|c| &c.1).filter_map(|v| *v));
    let axes = PanelAxes { x, scale, top: y };
    axes.draw_grid(out);
    let edge = WIDTH - RIGHT;
    let mut ends: Vec<CurveEnd> = Vec::new();
    let mut labels = Labels::new([WIDTH, y + PANEL]);
    labels.avoid_box([edge, y], [WIDTH, y + PANEL]);
    for (i, (name, values)) in panel.curves.iter().enumerate() {
        let points: Vec<[f64; 2]> = (figure.x.iter().zip(values))
            .filter_map(|(x, v)| v.filter(|v| *v > 0.0 && v.is_finite() && *x > 0.0).map(|v| (*x, v)))
            .map(|(x, v)| [axes.across(x), axes.down(v)])
            .collect();
        points.windows(2).for_each(|p| labels.avoid_line(p[0], p[1]));
        let path: Vec<String> = (points.iter().enumerate())
            .map(|(k, p)| {
                format!(
                    "{}{} {}",
                    if k == 0 { 'M' } else { 'L' },
                    svg::coordinate_text(p[0]),
                    svg::coordinate_text(p[1])
                )
            })
            .collect();
        if let Some(end) = points.last() {
            out.push_str(&format!("<path d=\"{}\" {}/>\n", path.concat(), curve_stroke(i)));
            ends.push((i, name.as_str(), *end));
        }
        let dot = format!("fill=\"{}\"", curve_color(i));
        points.iter().for_each(|p| out.push_str(&svg::circle_element(*p, 2.4, &dot)));
    }
    name_growth_curves(out, ends, labels, y);
}

/// Writes the names of the curves at their ends: inside the panel for those that end early, else to
/// the right of it.
fn name_growth_curves(out: &mut String, mut ends: Vec<CurveEnd<'_>>, mut labels: Labels, y: f64) {
    let edge = WIDTH - RIGHT;
    let last = ends.iter().fold(LEFT, |last, e| last.max(e.2[0]));
    for (i, _, end) in ends.iter().filter(|e| e.2[0] < last) {
        out.push_str(&svg::circle_element(
            *end,
            4.0,
            &format!("fill=\"{BACK}\" stroke=\"{}\"", curve_color(*i)),
        ));
    }
    ends.sort_by(|a, b| a.2[0].total_cmp(&b.2[0]));
    let (early, late): (Vec<CurveEnd>, Vec<CurveEnd>) =
        ends.into_iter().partition(|e| e.2[0] < last - MIN_EARLY);
    // Curves that end at the same size have their names in one list.
    for group in early.chunk_by(|a, b| a.2[0] == b.2[0]) {
        if let [(i, name, end)] = group {
            out.push_str(&labels.place_label(*end, 5.0, name, &curve_name_style(*i)));
            continue;
        }
        let width = group.iter().map(|e| svg::text_width(e.1)).fold(0.0, f64::max) * 1.08 + 14.0;
        let size = [width, LINE * group.len() as f64];
        let center = group.iter().map(|e| e.2[1]).sum::<f64>() / group.len() as f64;
        let frame = [LEFT + 6.0, y + 6.0, edge - 6.0, y + PANEL - 6.0];
        let corner = labels.reserve_room(size, [group[0].2[0] + width / 2.0, center], frame);
        let places = (0..group.len()).map(|k| corner[1] + LINE * (k as f64 + 0.5)).collect();
        draw_curve_names(out, sort_from_above(group), corner[0] + 6.0, places);
    }
    let late = sort_from_above(&late);
    let wanted: Vec<f64> = late.iter().map(|e| e.2[1]).collect();
    draw_curve_names(out, late, edge + 16.0, spread_positions(&wanted, LINE, y + 8.0, y + PANEL - 6.0));
}

/// Index, name and last point (in SVG units) of a curve, to place its name.
type CurveEnd<'a> = (usize, &'a str, [f64; 2]);

/// Ends of the curves sorted from top to bottom, to place their names.
fn sort_from_above<'a>(ends: &[CurveEnd<'a>]) -> Vec<CurveEnd<'a>> {
    let mut ends = ends.to_vec();
    ends.sort_by(|a, b| a.2[1].total_cmp(&b.2[1]).then(a.0.cmp(&b.0)));
    ends
}

/// Draws the names of curves below each other, with leaders from the ends of their curves.
fn draw_curve_names(out: &mut String, ends: Vec<CurveEnd>, left: f64, places: Vec<f64>) {
    for ((i, name, end), place) in ends.into_iter().zip(places) {
        let leader = format!("stroke=\"{}\" stroke-width=\"0.9\" stroke-dasharray=\"1 3\"", curve_color(i));
        out.push_str(&svg::line_element(end, [left, place], &leader));
        let halo = format!("paint-order=\"stroke\" stroke=\"{BACK}\" stroke-width=\"3\"");
        let style = format!("{halo} {}", curve_name_style(i));
        out.push_str(&svg::text_element(left + 4.0, place + 4.0, "start", &style, name));
    }
}

fn curve_name_style(i: usize) -> String {
    format!("fill=\"{}\" font-weight=\"600\"", curve_color(i))
}

/// Positions of names in ascending order, at least `gap` apart and as close to `wanted` as that
/// allows. Positions that would overlap form a group around their mean.
fn spread_positions(wanted: &[f64], gap: f64, top: f64, bottom: f64) -> Vec<f64> {
    // Each group: number of members, and position of the first.
    let mut groups: Vec<(usize, f64)> = Vec::new();
    let inside = |count: usize, first: f64| first.min(bottom - (count - 1) as f64 * gap).max(top);
    for w in wanted {
        let mut group = (1, inside(1, *w));
        while let Some(&(count, first)) = groups.last() {
            if first + count as f64 * gap <= group.1 {
                break;
            }
            groups.pop();
            let shifted = group.1 - count as f64 * gap;
            let total = count + group.0;
            let mean = (count as f64 * first + group.0 as f64 * shifted) / total as f64;
            group = (total, inside(total, mean));
        }
        groups.push(group);
    }
    groups.iter().flat_map(|(count, first)| (0..*count).map(move |k| first + k as f64 * gap)).collect()
}

fn curve_color(i: usize) -> &'static str {
    PALETTE[i % PALETTE.len()]
}

/// SVG style of a curve. Colours repeat with a dash, which also lets a covered curve show through.
fn curve_stroke(i: usize) -> String {
    let dash = if i < PALETTE.len() { "" } else { " stroke-dasharray=\"7 5\"" };
    format!(
        "fill=\"none\" stroke=\"{}\" stroke-width=\"1.7\" stroke-linejoin=\"round\"{dash}",
        curve_color(i)
    )
}

/// Splits a note into lines no wider than `width` SVG units, between words.
fn wrap_words(text: &str, width: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if svg::text_width(line) + svg::text_width(word) + 7.0 <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_keep_apart_and_near_their_curves() {
        let places = spread_positions(&[50.0, 51.0, 52.0, 120.0], 10.0, 0.0, 200.0);
        assert_eq!(places, [41.0, 51.0, 61.0, 120.0]);
        let places = spread_positions(&[0.0, 1.0, 2.0, 195.0, 199.0, 200.0], 10.0, 5.0, 195.0);
        assert_eq!(places, [5.0, 15.0, 25.0, 175.0, 185.0, 195.0]);
    }

    fn labels(values: [f64; 2]) -> Vec<String> {
        Logarithmic::new(values.into_iter()).axis_ticks().into_iter().map(|t| t.1).collect()
    }

    #[test]
    fn ticks_are_round_and_labels_readable() {
        assert_eq!(labels([1.0, 20.0]), ["1", "2", "5", "10", "20"]);
        assert_eq!(
            labels([20.0, 50_000.0]),
            [
                "20",
                "50",
                "100",
                "200",
                "500",
                "1000",
                "2000",
                "5000",
                "10\u{202f}000",
                "20\u{202f}000",
                "50\u{202f}000"
            ]
        );
        assert_eq!(labels([3.0, 3.0]), ["2", "5"]);
        assert_eq!(labels([1.0, 1e6]).len(), 7);
    }

    #[test]
    fn empty_and_broken_curves_are_drawn() {
        for values in [vec![], vec![None, None], vec![Some(0.0), Some(f64::NAN)], vec![Some(3.0)]] {
            let panel = GrowthPanel { label: "a<b".into(), curves: vec![("c".into(), values)] };
            let svg = growth_svg(&Growth { x: vec![1.0, 2.0], panels: vec![panel], ..Growth::default() });
            assert!(svg.ends_with("</svg>\n") && !svg.contains("NaN") && !svg.contains("inf"));
            assert!(svg.contains("a&lt;b"));
        }
    }
}
