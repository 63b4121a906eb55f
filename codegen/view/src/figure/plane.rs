//! Curves in a plane, with a ring at the start and a dot at the end of each.

use super::plot::{LEFT, RIGHT, WIDTH, axis_label_text};
use super::svg::{self, GRID, INK, SOFT};
use super::theme::{self, Colours};
use super::ticks::{self, Scale};

/// Label and unit of an axis of a plane plot (phase plot or root locus).
#[derive(Clone, Copy)]
pub(super) struct Axis<'a> {
    pub label: &'a str,
    /// Unit of the axis; may be empty.
    pub unit: &'a str,
}

/// Consecutive points of a curve in a plane plot; one that is not finite leaves a gap.
#[derive(Clone, Copy)]
pub(super) struct PlaneCurve<'a> {
    pub points: &'a [[f64; 2]],
}

const HEIGHT: f64 = 360.0;

fn is_finite(point: &[f64; 2]) -> bool {
    point.iter().all(|x| x.is_finite())
}

/// Draws axes and curves of a plane plot below `y`, where the label of its vertical axis is. `line`
/// is a value of the horizontal axis with a vertical line. Returns the vertical position of the
/// lower end.
pub(super) fn draw_plane(
    out: &mut String,
    y: f64,
    [across, up]: [Axis<'_>; 2],
    curves: &[PlaneCurve<'_>],
    (line, colours): (Option<f64>, Colours),
) -> f64 {
    let values = |k: usize, more: Option<f64>| -> Vec<f64> {
        let points = curves.iter().flat_map(|c| c.points).filter(|p| is_finite(p));
        points.map(|p| p[k]).chain(more).collect()
    };
    let x_scale = Scale::new(ticks::finite_range(&values(0, line)), 7, 0.06);
    let y_scale = Scale::new(ticks::finite_range(&values(1, None)), 8, 0.06);
    let px = |x: f64| LEFT + x_scale.axis_position(x) * (WIDTH - LEFT - RIGHT);
    let py = |x: f64| y + HEIGHT * (1.0 - y_scale.axis_position(x));
    let soft = format!("fill=\"{SOFT}\"");
    let grid = format!("stroke=\"{GRID}\"");
    for (value, label) in &x_scale.ticks {
        out.push_str(&svg::line_element([px(*value), y], [px(*value), y + HEIGHT], &grid));
        out.push_str(&svg::text_element(px(*value), y + HEIGHT + 16.0, "middle", &soft, label));
    }
    for (value, label) in &y_scale.ticks {
        out.push_str(&svg::line_element([LEFT, py(*value)], [WIDTH - RIGHT, py(*value)], &grid));
        out.push_str(&svg::text_element(LEFT - 7.0, py(*value) + 4.0, "end", &soft, label));
    }
    if let Some(x) = line {
        let ink = format!("stroke=\"{INK}\" stroke-width=\"1.2\"");
        out.push_str(&svg::line_element([px(x), y], [px(x), y + HEIGHT], &ink));
    }
    let corners = [[LEFT, y], [WIDTH - RIGHT, y], [WIDTH - RIGHT, y + HEIGHT], [LEFT, y + HEIGHT]];
    out.push_str(&svg::polygon_element(
        &corners,
        &format!("fill=\"none\" stroke=\"{SOFT}\" stroke-width=\"0.8\""),
    ));
    let ink = format!("fill=\"{INK}\"");
    let bold = format!("font-weight=\"600\" {ink}");
    let above = axis_label_text(up.label, up.unit, y_scale.exponent);
    out.push_str(&svg::text_element(LEFT, y - 8.0, "start", &bold, &above));
    let below = axis_label_text(across.label, across.unit, x_scale.exponent);
    out.push_str(&svg::text_element((LEFT + WIDTH - RIGHT) / 2.0, y + HEIGHT + 34.0, "middle", &ink, &below));
    for (i, curve) in curves.iter().enumerate() {
        draw_plane_curve(out, curve, &|p| [px(p[0]), py(p[1])], (i, curves.len(), colours));
    }
    y + HEIGHT + 52.0
}

fn draw_plane_curve(
    out: &mut String,
    curve: &PlaneCurve<'_>,
    place: &dyn Fn(&[f64; 2]) -> [f64; 2],
    (i, count, colours): (usize, usize, Colours),
) {
    let mut path = String::new();
    let mut pen = 'M';
    for point in curve.points {
        if is_finite(point) {
            let [x, y] = place(point);
            path.push_str(&format!("{pen}{x:.1} {y:.1}"));
            pen = 'L';
        } else {
            pen = 'M';
        }
    }
    if path.is_empty() {
        return;
    }
    out.push_str(&format!("<path d=\"{path}\" {}/>\n", theme::curve_style(colours, i, count)));
    let colour = theme::mark_colour(colours, i, count);
    if let Some(first) = curve.points.iter().find(|p| is_finite(p)) {
        let ring = format!("fill=\"{}\" stroke=\"{colour}\" stroke-width=\"1.5\"", svg::BACK);
        out.push_str(&svg::circle_element(place(first), 4.0, &ring));
    }
    if let Some(last) = curve.points.iter().rev().find(|p| is_finite(p)) {
        out.push_str(&svg::circle_element(place(last), 3.5, &format!("fill=\"{colour}\"")));
    }
}
