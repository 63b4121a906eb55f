//! Places labels where they cover as little as possible.

use super::svg;

/// Occupied areas of a picture: boxes of labels and symbols, and lines. New labels are placed where
/// they cover the least.
#[derive(Default)]
pub(super) struct Labels {
    boxes: Vec<[f64; 4]>,
    lines: Vec<[[f64; 2]; 2]>,
    size: [f64; 2],
}

impl Labels {
    /// Empty layout for a picture of this size `[width, height]` in SVG units.
    pub fn new(size: [f64; 2]) -> Self {
        Labels { size, ..Labels::default() }
    }

    /// Adds a line that later labels avoid.
    pub fn avoid_line(&mut self, a: [f64; 2], b: [f64; 2]) {
        self.lines.push([a, b]);
    }

    /// Adds a disc that later labels avoid.
    pub fn avoid_disc(&mut self, c: [f64; 2], r: f64) {
        self.boxes.push([c[0] - r, c[1] - r, c[0] + r, c[1] + r]);
    }

    /// Adds a box that later labels avoid, by its smallest and largest coordinates.
    pub fn avoid_box(&mut self, low: [f64; 2], high: [f64; 2]) {
        self.boxes.push([low[0], low[1], high[0], high[1]]);
    }

    /// Places a label next to a point with a symbol of radius `clear`, where it covers the least,
    /// and returns its SVG.
    pub fn place_label(&mut self, at: [f64; 2], clear: f64, content: &str, style: &str) -> String {
        let (w, h) = (svg::text_width(content), 14.0);
        let mut best: Option<(f64, [f64; 4])> = None;
        for (ring, distance) in [clear + 5.0, clear + 16.0, clear + 30.0].into_iter().enumerate() {
            for (k, (dx, dy)) in DIRECTIONS.into_iter().enumerate() {
                let c = [at[0] + dx * (distance + w / 2.0), at[1] + dy * (distance + h / 2.0)];
                let area = [c[0] - w / 2.0, c[1] - h / 2.0, c[0] + w / 2.0, c[1] + h / 2.0];
                let cost = self.overlap_cost(area) + ring as f64 * 12.0 + k as f64 * 0.5;
                if best.is_none_or(|(b, _)| cost < b) {
                    best = Some((cost, area));
                }
            }
        }
        let Some((_, area)) = best else { return String::new() };
        self.boxes.push(area);
        let halo = "paint-order=\"stroke\" stroke=\"#ffffff\" stroke-width=\"3\" stroke-linejoin=\"round\"";
        svg::text_element(
            (area[0] + area[2]) / 2.0,
            area[3] - 3.0,
            "middle",
            &format!("{halo} {style}"),
            content,
        )
    }

    /// Finds and reserves a place for a box of names of size `[w, h]` in `area`: where it covers
    /// the least, close to `near`. Returns its corner with the smallest coordinates.
    pub fn reserve_room(&mut self, [w, h]: [f64; 2], near: [f64; 2], area: [f64; 4]) -> [f64; 2] {
        let mut best = (f64::INFINITY, [area[0], area[1]]);
        for x in grid_positions(area[0], area[2] - w) {
            for y in grid_positions(area[1], area[3] - h) {
                let distance = (x + w / 2.0 - near[0]).hypot(y + h / 2.0 - near[1]);
                let cost = self.overlap_cost([x, y, x + w, y + h]) + 0.3 * distance;
                if cost < best.0 {
                    best = (cost, [x, y]);
                }
            }
        }
        let [x, y] = best.1;
        self.boxes.push([x, y, x + w, y + h]);
        best.1
    }

    fn overlap_cost(&self, area: [f64; 4]) -> f64 {
        let outside = (4.0 - area[0]).max(0.0)
            + (4.0 - area[1]).max(0.0)
            + (area[2] + 4.0 - self.size[0]).max(0.0)
            + (area[3] + 4.0 - self.size[1]).max(0.0);
        let boxes: f64 = self.boxes.iter().map(|b| overlap_area(area, *b)).sum();
        let lines: f64 = self.lines.iter().map(|l| length_inside(area, *l)).sum();
        100.0 * outside + boxes + 2.0 * lines
    }
}

/// Candidate positions of a label in a range at equal distances, at least one.
fn grid_positions(from: f64, to: f64) -> impl Iterator<Item = f64> {
    let count = ((to - from) / 8.0).max(0.0) as usize;
    (0..=count).map(move |k| from + 8.0 * k as f64)
}

/// Candidate directions of a label from its point, in order of preference: right, left, above,
/// below, diagonals.
const DIRECTIONS: [(f64, f64); 8] =
    [(1.0, 0.0), (-1.0, 0.0), (0.0, -1.0), (0.0, 1.0), (0.8, -0.8), (-0.8, -0.8), (0.8, 0.8), (-0.8, 0.8)];

fn overlap_area(a: [f64; 4], b: [f64; 4]) -> f64 {
    let w = a[2].min(b[2]) - a[0].max(b[0]);
    let h = a[3].min(b[3]) - a[1].max(b[1]);
    if w > 0.0 && h > 0.0 { w * h } else { 0.0 }
}

/// Length of the part of a line segment that is inside a box; the cost of a label over a line.
fn length_inside(area: [f64; 4], [a, b]: [[f64; 2]; 2]) -> f64 {
    let (mut from, mut to) = (0.0f64, 1.0f64);
    for k in 0..2 {
        let (low, high, d) = (area[k] - 2.0, area[k + 2] + 2.0, b[k] - a[k]);
        if d.abs() < 1e-9 {
            if a[k] < low || a[k] > high {
                return 0.0;
            }
            continue;
        }
        let (s, t) = ((low - a[k]) / d, (high - a[k]) / d);
        from = from.max(s.min(t));
        to = to.min(s.max(t));
    }
    (to - from).max(0.0) * (b[0] - a[0]).hypot(b[1] - a[1])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_moves_away_from_a_line_and_from_another_label() {
        let mut labels = Labels::new([200.0, 200.0]);
        labels.avoid_line([100.0, 100.0], [200.0, 100.0]);
        let first = labels.place_label([100.0, 100.0], 4.0, "abc", "");
        let second = labels.place_label([100.0, 100.0], 4.0, "abc", "");
        assert_ne!(first, second);
        for (i, a) in labels.boxes.iter().enumerate() {
            assert_eq!(length_inside(*a, labels.lines[0]), 0.0);
            assert!(labels.boxes[..i].iter().all(|b| overlap_area(*a, *b) == 0.0));
        }
    }
}
