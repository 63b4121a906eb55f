//! The symbols of a sketch: joints, centre of mass, ground, gravity, axes. All in pixels, with y
//! downwards.

use super::svg::{self, BACK, INK, SOFT};
use dqdt_diagnostics::base::JointSymbol;

/// Radius of a joint's symbol in SVG units.
pub(super) const RADIUS: f64 = 7.0;

/// SVG symbol of a joint at point `c` of the picture. `axis` is the direction of its axis in the
/// picture, foreshortened by the view.
pub(crate) fn joint_symbol(kind: JointSymbol, c: [f64; 2], axis: [f64; 2]) -> String {
    let open = format!("fill=\"{BACK}\" stroke=\"{INK}\" stroke-width=\"1.8\"");
    let full = format!("fill=\"{INK}\"");
    let length = axis[0].hypot(axis[1]);
    let along = if length > 0.2 { [axis[0] / length, axis[1] / length] } else { [1.0, 0.0] };
    let at = |a: f64, b: f64| [c[0] + a * along[0] - b * along[1], c[1] + a * along[1] + b * along[0]];
    let bar = |a: f64, b: f64| [at(-a, -b), at(a, -b), at(a, b), at(-a, b)];
    let dashes = format!("stroke=\"{SOFT}\" stroke-width=\"1.2\" stroke-dasharray=\"7 2 2 2\"");
    let axis_line =
        if length > 0.2 { svg::line_element(at(-22.0, 0.0), at(22.0, 0.0), &dashes) } else { String::new() };
    match kind {
        JointSymbol::Revolute => {
            axis_line + &*svg::circle_element(c, 6.0, &open) + &*svg::circle_element(c, 1.6, &full)
        }
        JointSymbol::Prismatic => {
            svg::polygon_element(&bar(11.0, 6.5), &open)
                + &*svg::line_element(at(-7.0, 0.0), at(7.0, 0.0), &open)
        }
        JointSymbol::Cylindrical => {
            axis_line + &*svg::polygon_element(&bar(11.0, 6.5), &open) + &*svg::circle_element(c, 3.0, &open)
        }
        JointSymbol::Helical => {
            let threads =
                [-6.0, 0.0, 6.0].map(|a| svg::line_element(at(a - 2.0, 6.5), at(a + 2.0, -6.5), &open));
            axis_line + &*svg::polygon_element(&bar(11.0, 6.5), &open) + &*threads.concat()
        }
        JointSymbol::Universal => {
            let arm = |x: f64, y: f64| svg::line_element([c[0] - x, c[1] - y], [c[0] + x, c[1] + y], &open);
            svg::circle_element(c, 7.0, &open) + &*arm(4.6, 4.6) + &*arm(4.6, -4.6)
        }
        JointSymbol::Planar => {
            svg::polygon_element(&bar(13.0, 3.5), &open) + &*svg::circle_element(c, 3.5, &full)
        }
        JointSymbol::Spherical => svg::circle_element(c, 7.0, &open) + &*svg::circle_element(c, 4.2, &full),
        JointSymbol::Direction => svg::circle_element(c, 7.0, &open) + &*svg::circle_element(c, 3.4, &open),
        JointSymbol::Free => svg::circle_element(
            c,
            8.0,
            &format!("fill=\"none\" stroke=\"{SOFT}\" stroke-width=\"1.4\" stroke-dasharray=\"3 3\""),
        ),
        JointSymbol::Fixed => svg::polygon_element(&bar(4.0, 4.0), &full),
    }
}

/// SVG symbol of a centre of mass: a disc with two quarters filled.
pub(crate) fn mass_center_symbol(c: [f64; 2], color: &str) -> String {
    let (x, y, r) = (c[0], c[1], 5.0);
    let quarter = |sx: f64, sy: f64| {
        format!(
            "M{} {}L{} {}A{r} {r} 0 0 1 {} {}Z",
            svg::coordinate_text(x),
            svg::coordinate_text(y),
            svg::coordinate_text(x + r * sx),
            svg::coordinate_text(y),
            svg::coordinate_text(x),
            svg::coordinate_text(y + r * sy)
        )
    };
    svg::circle_element(c, r, &format!("fill=\"{BACK}\" stroke=\"{color}\" stroke-width=\"1.3\""))
        + &*format!("<path d=\"{}{}\" fill=\"{color}\"/>\n", quarter(1.0, 1.0), quarter(-1.0, -1.0))
}

/// SVG of a line of the ground with a hatch on the side of `down`. A line of length zero becomes a
/// short line below the point, a support.
pub(crate) fn ground_symbol(a: [f64; 2], b: [f64; 2], down: [f64; 2]) -> String {
    let (dx, dy) = (b[0] - a[0], b[1] - a[1]);
    let length = dx.hypot(dy);
    let style = format!("stroke=\"{SOFT}\" stroke-width=\"1.4\" stroke-linecap=\"round\"");
    if length < 2.0 {
        let side = [-down[1], down[0]];
        let base = [a[0] + 15.0 * down[0], a[1] + 15.0 * down[1]];
        let at = |s: f64| [base[0] + s * side[0], base[1] + s * side[1]];
        let triangle = svg::polygon_element(
            &[a, at(-10.0), at(10.0)],
            &format!("fill=\"{BACK}\" {style} stroke-linejoin=\"round\""),
        );
        return triangle + &*ground_symbol(at(-18.0), at(18.0), down);
    }
    let t = [dx / length, dy / length];
    let side = if -t[1] * down[0] + t[0] * down[1] >= 0.0 { [-t[1], t[0]] } else { [t[1], -t[0]] };
    let mut out = svg::line_element(a, b, &style);
    let count = (length / 8.0).floor().clamp(1.0, 400.0);
    for i in 0..=count as usize {
        let s = length * i as f64 / count;
        let from = [a[0] + s * t[0], a[1] + s * t[1]];
        let to = [from[0] + 7.0 * (side[0] - t[0] * 0.7), from[1] + 7.0 * (side[1] - t[1] * 0.7)];
        out.push_str(&svg::line_element(from, to, &format!("stroke=\"{SOFT}\" stroke-width=\"0.9\"")));
    }
    out
}

/// SVG of a named arrow from `a`. An arrow that points at or away from the viewer becomes a disc.
pub(super) fn labelled_arrow(
    a: [f64; 2],
    direction: [f64; 2],
    length: f64,
    towards: f64,
    name: &str,
    color: &str,
) -> String {
    let size = direction[0].hypot(direction[1]);
    let label = format!("fill=\"{color}\" font-style=\"italic\"");
    if size < 0.15 {
        let ring = format!("fill=\"{BACK}\" stroke=\"{color}\" stroke-width=\"1.3\"");
        let mark = match towards > 0.0 {
            true => svg::circle_element(a, 1.7, &format!("fill=\"{color}\"")),
            false => {
                svg::line_element([a[0] - 3.0, a[1] - 3.0], [a[0] + 3.0, a[1] + 3.0], &ring)
                    + &*svg::line_element([a[0] - 3.0, a[1] + 3.0], [a[0] + 3.0, a[1] - 3.0], &ring)
            }
        };
        return svg::circle_element(a, 4.6, &ring)
            + &*mark
            + &*svg::text_element(a[0] - 12.0, a[1] + 13.0, "middle", &label, name);
    }
    let u = [direction[0] / size, direction[1] / size];
    let tip = [a[0] + length * direction[0], a[1] + length * direction[1]];
    let back = |s: f64| [tip[0] - 7.0 * u[0] - s * u[1], tip[1] - 7.0 * u[1] + s * u[0]];
    svg::line_element(a, back(0.0), &format!("stroke=\"{color}\" stroke-width=\"1.5\""))
        + &*svg::polygon_element(&[tip, back(3.4), back(-3.4)], &format!("fill=\"{color}\""))
        + &*svg::text_element(tip[0] + 9.0 * u[0], tip[1] + 9.0 * u[1] + 4.0, "middle", &label, name)
}
