//! A root locus as SVG: eigenvalues in the complex plane as a value runs, and their real parts over it.

use super::plot::{FONT, LEFT, Panel, Plot, RIGHT, Series, WIDTH, axis_label, heading, strips};
use super::svg::{self, GRID, INK, SOFT};
use super::theme::{self, Colours};
use super::ticks::{self, Scale};

/// Eigenvalues over a value.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Locus {
    /// Above the picture.
    pub title: String,
    /// What runs, and its unit.
    pub label: String,
    /// Its unit; may be empty.
    pub unit: String,
    /// Ascending or descending.
    pub values: Vec<f64>,
    /// By branch and value: real and imaginary part; what is not finite leaves a gap.
    pub branches: Vec<Vec<[f64; 2]>>,
    /// Values at which stability changes.
    pub changes: Vec<f64>,
}

const PLANE: f64 = 360.0;

/// Draws it: a ring where the value starts, a dot where it ends.
pub fn locus(figure: &Locus) -> String {
    let mut body = String::new();
    let mut y = 14.0;
    y += 64.0 + heading(&mut body, y, &figure.title);
    plane(&mut body, figure, y);
    y += PLANE + 52.0;
    let part = |k: usize, label: &str| Panel {
        label: label.to_owned(),
        unit: "1/s".to_owned(),
        series: (figure.branches.iter())
            .map(|b| Series { name: String::new(), values: b.iter().map(|r| r[k]).collect() })
            .collect(),
    };
    let mut imaginary = part(1, "imaginary part");
    // Of a pair the one above the axis.
    imaginary.series.iter_mut().flat_map(|s| &mut s.values).filter(|x| **x < 0.0).for_each(|x| *x = f64::NAN);
    let plot = Plot {
        title: String::new(),
        x_label: figure.label.clone(),
        x_unit: figure.unit.clone(),
        x: figure.values.clone(),
        panels: vec![part(0, "real part"), imaginary],
    };
    y = strips(&mut body, &plot, y, &figure.changes, Colours::Distinct);
    format!(
        "{}{}{body}</svg>\n",
        svg::open_with("locus", WIDTH, y, &figure.title, FONT),
        theme::style("locus")
    )
}

fn plane(out: &mut String, figure: &Locus, y: f64) {
    let all = || figure.branches.iter().flatten().filter(|r| r.iter().all(|x| x.is_finite()));
    let real: Vec<f64> = all().map(|r| r[0]).chain([0.0]).collect();
    let imaginary: Vec<f64> = all().map(|r| r[1]).collect();
    let across = Scale::new(ticks::extent(&real), 7, 0.06);
    let up = Scale::new(ticks::extent(&imaginary), 8, 0.06);
    let px = |x: f64| LEFT + across.at(x) * (WIDTH - LEFT - RIGHT);
    let py = |x: f64| y + PLANE * (1.0 - up.at(x));
    let soft = format!("fill=\"{SOFT}\"");
    for (value, label) in &across.ticks {
        out.push_str(&svg::line([px(*value), y], [px(*value), y + PLANE], &format!("stroke=\"{GRID}\"")));
        out.push_str(&svg::text(px(*value), y + PLANE + 16.0, "middle", &soft, label));
    }
    for (value, label) in &up.ticks {
        out.push_str(&svg::line(
            [LEFT, py(*value)],
            [WIDTH - RIGHT, py(*value)],
            &format!("stroke=\"{GRID}\""),
        ));
        out.push_str(&svg::text(LEFT - 7.0, py(*value) + 4.0, "end", &soft, label));
    }
    // The border of stability.
    out.push_str(&svg::line(
        [px(0.0), y],
        [px(0.0), y + PLANE],
        &format!("stroke=\"{INK}\" stroke-width=\"1.2\""),
    ));
    let corners = [[LEFT, y], [WIDTH - RIGHT, y], [WIDTH - RIGHT, y + PLANE], [LEFT, y + PLANE]];
    out.push_str(&svg::polygon(&corners, &format!("fill=\"none\" stroke=\"{SOFT}\" stroke-width=\"0.8\"")));
    let ink = format!("fill=\"{INK}\"");
    let bold = format!("font-weight=\"600\" {ink}");
    out.push_str(&svg::text(
        LEFT,
        y - 8.0,
        "start",
        &bold,
        &axis_label("imaginary part", "1/s", up.exponent),
    ));
    let below = axis_label("real part", "1/s", across.exponent);
    out.push_str(&svg::text((LEFT + WIDTH - RIGHT) / 2.0, y + PLANE + 34.0, "middle", &ink, &below));
    ends(out, figure, y - 32.0);
    for (i, branch) in figure.branches.iter().enumerate() {
        let mut path = String::new();
        let mut pen = 'M';
        for root in branch {
            if root.iter().all(|x| x.is_finite()) {
                path.push_str(&format!("{pen}{:.1} {:.1}", px(root[0]), py(root[1])));
                pen = 'L';
            } else {
                pen = 'M';
            }
        }
        if path.is_empty() {
            continue;
        }
        out.push_str(&format!(
            "<path d=\"{path}\" {}/>\n",
            theme::stroke(Colours::Distinct, i, figure.branches.len())
        ));
        let colour = svg::PALETTE[i % svg::PALETTE.len()];
        let finite = |r: &&[f64; 2]| r.iter().all(|x| x.is_finite());
        if let Some(r) = branch.iter().find(finite) {
            let ring = format!("fill=\"{}\" stroke=\"{colour}\" stroke-width=\"1.5\"", svg::BACK);
            out.push_str(&svg::circle([px(r[0]), py(r[1])], 4.0, &ring));
        }
        if let Some(r) = branch.iter().rev().find(finite) {
            out.push_str(&svg::circle([px(r[0]), py(r[1])], 3.5, &format!("fill=\"{colour}\"")));
        }
    }
}

/// What ring and dot mean.
fn ends(out: &mut String, figure: &Locus, y: f64) {
    // Where there are eigenvalues: beyond it there was no state to linearise at.
    let drawn = |k: &usize| {
        figure.branches.iter().any(|b| b.get(*k).is_some_and(|r| r.iter().all(|x| x.is_finite())))
    };
    let there: Vec<usize> = (0..figure.values.len()).filter(drawn).collect();
    let (Some(first), Some(last)) = (there.first(), there.last()) else { return };
    let (first, last) = (&figure.values[*first], &figure.values[*last]);
    let unit = if figure.unit.is_empty() { String::new() } else { format!(" {}", figure.unit) };
    let text = |x: &f64| format!("{} = {x}{unit}", figure.label).replace('-', "−");
    let ink = format!("fill=\"{INK}\"");
    let (first, last) = (text(first), text(last));
    let mut x = WIDTH - RIGHT - svg::text_width(&last);
    out.push_str(&svg::text(x, y + 4.0, "start", &ink, &last));
    out.push_str(&svg::circle([x - 10.0, y], 3.5, &ink));
    x -= 34.0 + svg::text_width(&first);
    out.push_str(&svg::text(x, y + 4.0, "start", &ink, &first));
    let ring = format!("fill=\"{}\" stroke=\"{INK}\" stroke-width=\"1.5\"", svg::BACK);
    out.push_str(&svg::circle([x - 10.0, y], 4.0, &ring));
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
        let svg = locus(&figure);
        assert!(svg.contains("k = 0 N/m") && svg.contains("k = 2 N/m"), "{svg}");
        let mut shorter = figure.clone();
        shorter.branches[0][2] = [f64::NAN; 2];
        shorter.branches[0][1] = [0.0, 2.0];
        assert!(locus(&shorter).contains("k = 1 N/m") && !locus(&shorter).contains("k = 2 N/m"));
        assert!(svg.contains("a&lt;b") && svg.contains("k = 2 N/m") && !svg.contains("NaN"), "{svg}");
        assert!(locus(&Locus::default()).ends_with("</svg>\n"));
    }
}
