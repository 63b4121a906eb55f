//! Converts a sketch to a TikZ picture, so that an article needs no separate file for it.
//!
//! Method:  converts the SVG elements that [`crate::figure`] writes: lines, circles, polygons,
//!          paths of straight lines and arcs, texts. Each becomes one command.
//!
//! Elements that no sketch has (groups, transformations, curves) are not supported: such a figure
//! has no TikZ picture.

use dqdt_document::report::{Block, Report, escape};

/// LaTeX line that loads TikZ, if the report has a figure that can be converted; otherwise empty.
pub(super) fn tikz_package(report: &Report) -> &'static str {
    let mut blocks = report.sections.iter().flat_map(|s| &s.blocks);
    let has_picture = blocks.any(|b| matches!(b, Block::Figure { svg, .. } if tikz_picture(svg).is_some()));
    if has_picture { "\\usepackage{tikz}\n" } else { "" }
}

/// Element of an SVG figure: its name, its attributes, its text.
struct SvgElement<'a> {
    name: &'a str,
    attributes: Vec<(&'a str, &'a str)>,
    text: &'a str,
}

impl SvgElement<'_> {
    fn attribute(&self, key: &str) -> Option<&str> {
        self.attributes.iter().find(|(k, _)| *k == key).map(|(_, value)| *value)
    }

    fn numeric_attribute(&self, key: &str) -> Option<f64> {
        self.attribute(key)?.parse().ok()
    }
}

/// Elements of an SVG figure, in order, without closing tags.
fn parse_elements(svg: &str) -> Vec<SvgElement<'_>> {
    let mut out = Vec::new();
    let mut rest = svg;
    while let Some(start) = rest.find('<') {
        let Some(end) = rest[start..].find('>').map(|e| start + e) else { break };
        let tag = rest[start + 1..end].trim_end_matches('/');
        rest = &rest[end + 1..];
        if tag.starts_with(['/', '!', '?']) {
            continue;
        }
        let (name, mut list) = tag.split_once(char::is_whitespace).unwrap_or((tag, ""));
        let mut attributes = Vec::new();
        while let Some((key, after)) = list.split_once("=\"") {
            let Some((value, after)) = after.split_once('"') else { break };
            attributes.push((key.trim(), value));
            list = after;
        }
        let text = if name == "text" { rest.split('<').next().unwrap_or_default() } else { "" };
        out.push(SvgElement { name, attributes, text });
    }
    out
}

/// TikZ picture of an SVG figure, in its size at 96 units per inch; `None` if the figure has an
/// unsupported element.
pub(super) fn tikz_picture(svg: &str) -> Option<String> {
    let mut all = parse_elements(svg).into_iter();
    let open = all.next().filter(|e| e.name == "svg")?;
    let (width, height) = (open.numeric_attribute("width")?, open.numeric_attribute("height")?);
    let mut body = String::new();
    let mut any = false;
    for e in all {
        match element_command(&e) {
            Some(command) => body.push_str(&command),
            None => return None,
        }
        any = true;
    }
    any.then(|| {
        format!(
            "\\begin{{tikzpicture}}[x=0.75bp,y=-0.75bp]\n\\useasboundingbox (0,0) rectangle ({},{});\n{body}\\end{{tikzpicture}}",
            short_decimal(width),
            short_decimal(height)
        )
    })
}

fn short_decimal(x: f64) -> String {
    let text = format!("{x:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// TikZ colour of a hexadecimal colour such as `#0072b2`; `None` for other text.
fn tikz_colour(text: &str) -> Option<String> {
    let hex = text.strip_prefix('#').filter(|h| h.len() == 6)?;
    let part = |i: usize| u8::from_str_radix(hex.get(2 * i..2 * i + 2)?, 16).ok();
    Some(format!("{{rgb,255:red,{};green,{};blue,{}}}", part(0)?, part(1)?, part(2)?))
}

/// TikZ options of the path of an SVG element: stroke, fill, dashes.
fn path_options(e: &SvgElement<'_>) -> Vec<String> {
    let mut options = Vec::new();
    match e.attribute("stroke").and_then(tikz_colour) {
        Some(c) => options.push(format!("draw={c}")),
        None => options.push("draw=none".to_owned()),
    }
    let fill = match (e.name, e.attribute("fill")) {
        ("line", _) | (_, Some("none")) => None,
        (_, None) => Some("{rgb,255:red,0;green,0;blue,0}".to_owned()),
        (_, Some(text)) => tikz_colour(text),
    };
    options.extend(fill.map(|c| format!("fill={c}")));
    if let Some(w) = e.numeric_attribute("stroke-width") {
        options.push(format!("line width={}bp", short_decimal(0.75 * w)));
    }
    if e.attribute("stroke-linecap") == Some("round") {
        options.push("line cap=round".to_owned());
    }
    if let Some(dashes) = e.attribute("stroke-dasharray") {
        let lengths: Vec<f64> = dashes.split_whitespace().filter_map(|d| d.parse().ok()).collect();
        let pairs = lengths.chunks(2).map(|p| {
            format!(
                "on {}bp off {}bp",
                short_decimal(0.75 * p[0]),
                short_decimal(0.75 * p.get(1).copied().unwrap_or(p[0]))
            )
        });
        options.push(format!("dash pattern={}", pairs.collect::<Vec<_>>().join(" ")));
    }
    options
}

fn element_command(e: &SvgElement<'_>) -> Option<String> {
    let path = |path: String| format!("\\path[{}] {path};\n", path_options(e).join(","));
    match e.name {
        // The background is not drawn.
        "rect" => Some(String::new()),
        "line" => {
            let at = |x, y| {
                Some(format!(
                    "({},{})",
                    short_decimal(e.numeric_attribute(x)?),
                    short_decimal(e.numeric_attribute(y)?)
                ))
            };
            Some(path(format!("{} -- {}", at("x1", "y1")?, at("x2", "y2")?)))
        }
        "circle" => {
            let (x, y, r) =
                (e.numeric_attribute("cx")?, e.numeric_attribute("cy")?, e.numeric_attribute("r")?);
            Some(path(format!(
                "({},{}) circle[radius={}bp]",
                short_decimal(x),
                short_decimal(y),
                short_decimal(0.75 * r)
            )))
        }
        "polygon" => {
            let corners: Option<Vec<String>> = e
                .attribute("points")?
                .split_whitespace()
                .map(|c| {
                    let (x, y) = c.split_once(',')?;
                    Some(format!("({},{})", short_decimal(x.parse().ok()?), short_decimal(y.parse().ok()?)))
                })
                .collect();
            Some(path(format!("{} -- cycle", corners?.join(" -- "))))
        }
        "path" => Some(path(path_command(e.attribute("d")?)?)),
        "text" => Some(text_node(e)?),
        _ => None,
    }
}

/// TikZ path of an SVG path of moves, lines and circular arcs. An arc is short, so it is drawn
/// through its ends and its apex.
fn path_command(d: &str) -> Option<String> {
    let spaced: String =
        d.chars().flat_map(|c| if c.is_ascii_alphabetic() { vec![' ', c, ' '] } else { vec![c] }).collect();
    let mut words = spaced.split(|c: char| c.is_whitespace() || c == ',').filter(|w| !w.is_empty());
    let mut out = String::new();
    let mut at = [0.0; 2];
    while let Some(command) = words.next() {
        let mut number = || words.next()?.parse::<f64>().ok();
        match command {
            "M" | "L" => {
                at = [number()?, number()?];
                let join = if command == "M" { " " } else { " -- " };
                out.push_str(&format!("{join}({},{})", short_decimal(at[0]), short_decimal(at[1])));
            }
            "A" => {
                let (r, _, _, _, sweep) = (number()?, number()?, number()?, number()?, number()?);
                let to = [number()?, number()?];
                let (dx, dy) = (to[0] - at[0], to[1] - at[1]);
                let chord = dx.hypot(dy);
                let depth = r - (r * r - chord * chord / 4.0).max(0.0).sqrt();
                let side = if sweep > 0.5 { 1.0 } else { -1.0 };
                if chord > 0.0 {
                    // Through the apex of the arc, where the tangent is parallel to the chord.
                    let top = [
                        (at[0] + to[0]) / 2.0 + side * depth * dy / chord,
                        (at[1] + to[1]) / 2.0 - side * depth * dx / chord,
                    ];
                    out.push_str(&format!(
                        " .. controls ({},{}) .. ({},{})",
                        short_decimal(2.0 * top[0] - (at[0] + to[0]) / 2.0),
                        short_decimal(2.0 * top[1] - (at[1] + to[1]) / 2.0),
                        short_decimal(to[0]),
                        short_decimal(to[1])
                    ));
                }
                at = to;
            }
            "Z" => out.push_str(" -- cycle"),
            _ => return None,
        }
    }
    Some(out.trim().to_owned())
}

fn text_node(e: &SvgElement<'_>) -> Option<String> {
    let plain = ["&lt;", "&gt;", "&quot;", "&#39;", "&amp;"];
    let shown =
        plain.iter().zip(["<", ">", "\"", "'", "&"]).fold(e.text.to_owned(), |t, (a, b)| t.replace(a, b));
    let anchor = match e.attribute("text-anchor") {
        Some("end") => "base east",
        Some("middle") => "base",
        _ => "base west",
    };
    let mut font = String::from("\\footnotesize\\sffamily");
    if e.attribute("font-style") == Some("italic") {
        font.push_str("\\itshape");
    }
    if e.attribute("font-weight").is_some() {
        font.push_str("\\bfseries");
    }
    let color = e.attribute("fill").and_then(tikz_colour).map_or_else(String::new, |c| format!(",text={c}"));
    Some(format!(
        "\\node[anchor={anchor},inner sep=0pt,font={font}{color}] at ({},{}) {{{}}};\n",
        short_decimal(e.numeric_attribute("x")?),
        short_decimal(e.numeric_attribute("y")?),
        escape::escape_latex(&shown)
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_element_of_a_sketch_becomes_a_command() {
        let svg = "<svg width=\"100\" height=\"50\"><rect width=\"100\" height=\"50\" fill=\"#ffffff\"/>\n\
                   <line x1=\"0\" y1=\"1\" x2=\"2\" y2=\"3\" stroke=\"#0072b2\" stroke-width=\"5\"/>\n\
                   <circle cx=\"1\" cy=\"2\" r=\"3\" fill=\"none\" stroke=\"#000000\" stroke-dasharray=\"3 3\"/>\n\
                   <polygon points=\"0,0 1,0 1,1\" fill=\"#d55e00\"/>\n\
                   <path d=\"M1 2L6 2A5 5 0 0 1 1 7Z\" fill=\"#000000\"/>\n\
                   <text x=\"3\" y=\"4\" text-anchor=\"middle\" font-style=\"italic\">a_b &amp; c</text></svg>";
        let picture = tikz_picture(svg).unwrap();
        for part in [
            "(0,1) -- (2,3)",
            "draw={rgb,255:red,0;green,114;blue,178}",
            "line width=3.75bp",
            "circle[radius=2.25bp]",
            "dash pattern=on 2.25bp off 2.25bp",
            "(0,0) -- (1,0) -- (1,1) -- cycle",
            r"{a\_b \& c}",
        ] {
            assert!(picture.contains(part), "{part}: {picture}");
        }
        assert_eq!(picture.matches("\\path").count(), 4);
    }

    #[test]
    fn what_no_sketch_has_is_not_drawn() {
        for svg in [
            "",
            "<svg></svg>",
            "<svg width=\"1\" height=\"1\"><g/></svg>",
            "<svg width=\"1\" height=\"1\"><path d=\"M0 0C1 1\"/></svg>",
        ] {
            assert_eq!(tikz_picture(svg), None, "{svg}");
        }
    }
}
