//! Numbers, text and colours in SVG.

/// Colours of curves and bodies that remain distinguishable with the common kinds of colour
/// blindness (Okabe and Ito 2008, without yellow).
pub(crate) const PALETTE: [&str; 7] =
    ["#0072b2", "#d55e00", "#009e73", "#aa4499", "#3a9fd6", "#c98500", "#5a5a5a"];

/// Fractions of white (positive) or black (negative) mixed into the colours of bodies beyond the
/// first seven.
const SHADES: [f64; 9] = [0.0, -0.35, 0.4, -0.55, 0.6, -0.2, 0.22, -0.45, 0.5];

/// Hexadecimal colour of body `i` in pictures; the first 63 are different.
pub(crate) fn body_color(i: usize) -> String {
    let color = PALETTE[i % PALETTE.len()];
    let shade = SHADES[i / PALETTE.len() % SHADES.len()];
    let part = |k: usize| {
        let x = u8::from_str_radix(color.get(k..k + 2).unwrap_or("00"), 16).map_or(0.0, f64::from);
        let mixed = if shade < 0.0 { x * (1.0 + shade) } else { x + shade * (255.0 - x) };
        mixed.round() as u8
    };
    format!("#{:02x}{:02x}{:02x}", part(1), part(3), part(5))
}

/// Colour of text and axes in figures.
pub(crate) const INK: &str = "#1b1f24";
/// Colour of ticks and secondary text in figures.
pub(crate) const SOFT: &str = "#57606a";
/// Colour of the grid in figures.
pub(super) const GRID: &str = "#e3e7ec";
/// Colour of the background of figures.
pub(super) const BACK: &str = "#ffffff";

/// Coordinate for SVG with at most two decimals. A number that is not finite becomes 0; no caller
/// relies on that.
pub(super) fn coordinate_text(x: f64) -> String {
    if !x.is_finite() {
        return "0".to_owned();
    }
    let text = format!("{x:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// Opening `<svg>` tag with a background, and with a title for screen readers.
pub(crate) fn open_svg(class: &str, width: f64, height: f64, title: &str) -> String {
    open_svg_with_font(class, width, height, title, 13.0)
}

/// Opening `<svg>` tag with a font size in SVG units. The figure shrinks with the page.
pub(super) fn open_svg_with_font(class: &str, width: f64, height: f64, title: &str, font: f64) -> String {
    let (w, h) = (coordinate_text(width), coordinate_text(height));
    format!(
        "<svg class=\"{class}\" xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {w} {h}\" width=\"{w}\" height=\"{h}\" \
         style=\"max-width:100%;height:auto\" role=\"img\" \
         aria-label=\"{}\" font-family=\"system-ui, 'Segoe UI', 'Noto Sans', 'DejaVu Sans', sans-serif\" font-size=\"{font}\">\n\
         <rect width=\"{w}\" height=\"{h}\" fill=\"{BACK}\"/>\n",
        escape_text(title)
    )
}

/// An SVG text at `(x, y)`; `anchor` is `start`, `middle` or `end`.
pub(crate) fn text_element(x: f64, y: f64, anchor: &str, style: &str, content: &str) -> String {
    format!(
        "<text x=\"{}\" y=\"{}\" text-anchor=\"{anchor}\" {style}>{}</text>\n",
        coordinate_text(x),
        coordinate_text(y),
        escape_text(content)
    )
}

/// An SVG line from `a` to `b`.
pub(crate) fn line_element(a: [f64; 2], b: [f64; 2], style: &str) -> String {
    format!(
        "<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" {style}/>\n",
        coordinate_text(a[0]),
        coordinate_text(a[1]),
        coordinate_text(b[0]),
        coordinate_text(b[1])
    )
}

/// An SVG circle.
pub(super) fn circle_element(center: [f64; 2], radius: f64, style: &str) -> String {
    format!(
        "<circle cx=\"{}\" cy=\"{}\" r=\"{}\" {style}/>\n",
        coordinate_text(center[0]),
        coordinate_text(center[1]),
        coordinate_text(radius)
    )
}

/// An SVG polygon.
pub(crate) fn polygon_element(corners: &[[f64; 2]], style: &str) -> String {
    let list: Vec<String> =
        corners.iter().map(|c| format!("{},{}", coordinate_text(c[0]), coordinate_text(c[1]))).collect();
    format!("<polygon points=\"{}\" {style}/>\n", list.join(" "))
}

/// Estimated width of a text in SVG units, at font size 13, to place labels.
pub(super) fn text_width(text: &str) -> f64 {
    text.chars().filter(|c| !('\u{300}'..='\u{36f}').contains(c)).count() as f64 * 7.4
}

/// Escapes plain text for SVG elements and attributes.
pub(super) fn escape_text(text: &str) -> String {
    dqdt_document::report::escape::escape_xml(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bodies_of_large_robots_have_colours_of_their_own() {
        let colors: std::collections::BTreeSet<String> = (0..63).map(body_color).collect();
        assert_eq!(colors.len(), 63);
        assert_eq!(body_color(6), PALETTE[6]);
    }
}
