//! Prints a report as one self-contained HTML file, without scripts or downloads; a live page has a
//! script that shows it anew when the file is written again.

use std::hash::{DefaultHasher, Hasher};

use super::entries::matrix_entries;
use super::heading_slug;
use dqdt_document::report::html_math::LinePart;
use dqdt_document::report::{Block, Cell, Math, Prose, Report, Section, Steps, escape, html_math};

/// Width in characters above which a formula in HTML may be broken; also the maximum width of its
/// unbroken parts.
const PART: usize = 26;
/// Width in characters above which an HTML matrix is replaced by a list of its entries.
const ROW: usize = 240;
/// Width in characters above which a formula may need scrolling on a phone, so that it must be
/// focusable with the keyboard.
const NARROW: usize = 30;

/// Prints a report as a complete HTML document.
pub fn print_html(report: &Report) -> String {
    print_page(report, None)
}

/// Prints a report as an HTML document that a browser shows anew whenever the file has another
/// version. `errors` are messages about the present text of the spec, of which the report is not.
pub fn print_live_html(report: &Report, errors: Option<&str>) -> String {
    let mut hasher = DefaultHasher::new();
    hasher.write(print_html(report).as_bytes());
    hasher.write(errors.unwrap_or_default().as_bytes());
    print_page(report, Some(&Live { version: format!("{:016x}", hasher.finish()), errors }))
}

/// Parts of a live page.
struct Live<'a> {
    version: String,
    errors: Option<&'a str>,
}

fn print_page(report: &Report, live: Option<&Live<'_>>) -> String {
    let ids = section_ids(&report.sections);
    let title = escape::escape_xml(&report.title);
    let version = live.map_or_else(String::new, |live| format!(" data-version=\"{}\"", live.version));
    let mut out = format!("<!doctype html>\n<html lang=\"en\"{version}>\n<head>\n<meta charset=\"utf-8\">\n");
    out.push_str("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
    out.push_str("<meta name=\"color-scheme\" content=\"light dark\">\n");
    let policy = match live {
        None => "",
        Some(_) => "; script-src 'unsafe-inline'; frame-src file: http: https:",
    };
    out.push_str(&format!("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:{policy}\">\n"));
    out.push_str("<link rel=\"icon\" href=\"data:,\">\n");
    out.push_str(&format!(
        "<title>{title}</title>\n<style>\n{}{}</style>\n</head>\n<body>\n",
        include_str!("font/math_font.css"),
        include_str!("report.css")
    ));
    out.push_str(&format!("<header>\n<h1>{title}</h1>\n"));
    if !report.subtitle.is_empty() {
        out.push_str(&format!("<p class=\"subtitle\">{}</p>\n", escape::escape_xml(&report.subtitle)));
    }
    if let Some(errors) = live.and_then(|live| live.errors) {
        out.push_str(&format!(
            "<div class=\"note\" role=\"alert\"><p>The spec has errors; the report below is that of its last text without errors.</p>\n<pre>{}</pre></div>\n",
            escape::escape_xml(errors)
        ));
    }
    out.push_str("</header>\n<div class=\"page\">\n");
    if report.sections.len() > 1 {
        push_contents(&mut out, &report.sections, &ids);
    }
    out.push_str("<main>\n");
    for (section, id) in report.sections.iter().zip(&ids) {
        out.push_str(&format!(
            "<section id=\"{id}\">\n<h2>{}<a class=\"anchor\" href=\"#{id}\" aria-label=\"Link to this section\">#</a></h2>\n",
            escape::escape_xml(&section.heading)
        ));
        for block in &section.blocks {
            push_block(&mut out, block);
        }
        out.push_str("</section>\n");
    }
    out.push_str("</main>\n</div>\n");
    if live.is_some() {
        out.push_str(&format!("<script>\n{}</script>\n", include_str!("live.js")));
    }
    out.push_str("</body>\n</html>\n");
    out
}

/// Identifiers (`id` attributes) of the sections, made of their headings. Equal ones get a number.
fn section_ids(sections: &[Section]) -> Vec<String> {
    sections.iter().enumerate().map(|(i, s)| format!("{}-{}", i + 1, heading_slug(&s.heading, 8))).collect()
}

fn push_contents(out: &mut String, sections: &[Section], ids: &[String]) {
    out.push_str("<nav aria-label=\"Contents\">\n<p>Contents</p>\n<ol>\n");
    for (section, id) in sections.iter().zip(ids) {
        out.push_str(&format!("<li><a href=\"#{id}\">{}</a></li>\n", escape::escape_xml(&section.heading)));
    }
    out.push_str("</ol>\n</nav>\n");
}

fn math_element(math: &Math) -> String {
    format!("<math>{}</math>", html_math::fix_bracket_size(&math.mathml()))
}

fn push_block(out: &mut String, block: &Block) {
    match block {
        Block::Paragraph(text) => out.push_str(&format!("<p>{}</p>\n", text.html())),
        Block::Note(text) => out.push_str(&format!("<p class=\"note\" role=\"note\">{}</p>\n", text.html())),
        Block::Sources(list) => {
            out.push_str("<ul class=\"sources\">\n");
            for (key, what) in list {
                out.push_str(&format!(
                    "<li><code>{}</code> {}</li>\n",
                    escape::escape_xml(key),
                    escape::escape_xml(what)
                ));
            }
            out.push_str("</ul>\n");
        }
        Block::Code(code) => out.push_str(&format!("<pre><code>{}</code></pre>\n", escape::escape_xml(code))),
        Block::Figure { svg, caption, .. } => {
            out.push_str(&format!("<figure>\n{svg}\n"));
            if !caption.is_empty() {
                out.push_str(&format!("<figcaption>{}</figcaption>\n", escape::escape_xml(caption)));
            }
            out.push_str("</figure>\n");
        }
        Block::Equations(equations) => {
            out.push_str("<div class=\"equations\">\n");
            for (left, right) in equations {
                push_equation(out, left, right);
            }
            out.push_str("</div>\n");
        }
        Block::Legend { lead, items } => {
            if !lead.is_empty() {
                out.push_str(&format!("<p class=\"caption\">{}</p>\n", escape::escape_xml(lead)));
            }
            out.push_str("<ul class=\"legend\">\n");
            for (symbol, meaning) in items {
                let meaning = escape::escape_xml(meaning);
                out.push_str(&format!(
                    "<li><span>{}</span><span>{meaning}</span></li>\n",
                    math_element(symbol)
                ));
            }
            out.push_str("</ul>\n");
        }
        Block::Steps(all) => push_steps(out, all),
        Block::Relations(relations) => {
            out.push_str("<div class=\"equations\">\n");
            for (left, right) in relations {
                push_relation(out, left, right);
            }
            out.push_str("</div>\n");
        }
        Block::Matrix { name, rows, note } => {
            if !note.is_empty() {
                out.push_str(&format!("<p class=\"caption\">{}</p>\n", note.html()));
            }
            push_matrix(out, name, rows);
        }
        Block::Table { caption, header, rows, numeric } => push_table(out, caption, header, rows, numeric),
    }
}

fn push_equation(out: &mut String, left: &Math, right: &Math) {
    let parts = html_math::split_formula(&html_math::fix_bracket_size(&right.mathml()), PART, "");
    let widest =
        parts.iter().map(LinePart::widest_word).max().unwrap_or(0) + html_math::visible_width(&left.mathml());
    let lead =
        format!("<span class=\"left\">{}<math><mo form=\"infix\">=</mo></math></span>", math_element(left));
    out.push_str(&format!(
        "<div class=\"equation{}\" role=\"math\"{} aria-label=\"{} = {}\">{lead}<span class=\"right\">",
        scroll_attributes(widest).0,
        scroll_attributes(widest).1,
        escape::escape_xml(&left.text()),
        escape::escape_xml(&right.text()),
    ));
    html_math::write_pieces(&parts, out);
    out.push_str("</span></div>\n");
}

/// Class and attributes of an HTML element that may need scrolling: it can have the keyboard focus.
fn scroll_attributes(width: usize) -> (&'static str, &'static str) {
    if width > NARROW { (" wide", " tabindex=\"0\"") } else { ("", "") }
}

/// Appends blocks of equations as HTML in columns, as many as the page has room for.
fn push_steps(out: &mut String, all: &[Steps]) {
    out.push_str("<div class=\"steps\">\n");
    for steps in all {
        let class = if steps.flow { "step flow" } else { "step" };
        out.push_str(&format!("<div class=\"{class}\">\n"));
        if let Some((function, section)) = &steps.place {
            out.push_str(&format!(
                "<p class=\"place\"><code>{}</code> {}</p>\n",
                escape::escape_xml(function),
                escape::escape_xml(section)
            ));
        }
        if !steps.heading.is_empty() {
            out.push_str(&format!("<p class=\"about\">{}</p>\n", escape::escape_xml(&steps.heading)));
        }
        for (left, right) in &steps.equations {
            push_equation(out, left, right);
        }
        out.push_str("</div>\n");
    }
    out.push_str("</div>\n");
}

fn push_relation(out: &mut String, left: &Math, right: &Math) {
    let [left_mathml, right_mathml] = [left, right].map(|side| html_math::fix_bracket_size(&side.mathml()));
    let left_parts = html_math::split_formula(&left_mathml, PART, "");
    // The equals sign stays with the right side.
    let right_parts =
        html_math::split_formula(&right_mathml, PART, r#"<mo form="infix" lspace="0em">=</mo>"#);
    let widest = left_parts.iter().chain(&right_parts).map(LinePart::widest_word).max().unwrap_or(0);
    out.push_str(&format!(
        "<div class=\"relation{}\" role=\"math\"{} aria-label=\"{} = {}\">",
        scroll_attributes(widest).0,
        scroll_attributes(widest).1,
        escape::escape_xml(&left.text()),
        escape::escape_xml(&right.text())
    ));
    html_math::write_pieces(&left_parts, out);
    html_math::write_pieces(&right_parts, out);
    out.push_str("</div>\n");
}

fn push_matrix(out: &mut String, name: &Math, rows: &[Vec<Math>]) {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let column_widths = (0..columns).map(|j| {
        rows.iter().filter_map(|r| r.get(j)).map(|e| html_math::visible_width(&e.mathml())).max().unwrap_or(0)
    });
    let width = column_widths.sum::<usize>();
    if width > ROW {
        let (list, omitted) = matrix_entries(name, rows);
        out.push_str("<div class=\"equations\">\n");
        for (left, right) in &list {
            push_equation(out, left, right);
        }
        if !omitted.is_empty() {
            out.push_str(&format!("<p class=\"omitted\">{omitted}</p>\n"));
        }
        return out.push_str("</div>\n");
    }
    let focus = match scroll_attributes(width + 3 * columns + html_math::visible_width(&name.mathml())).1 {
        "" => String::new(),
        focus => format!(" role=\"group\" aria-label=\"matrix {}\"{focus}", escape::escape_xml(&name.text())),
    };
    out.push_str(&format!(
        "<div class=\"scroll matrix\"{focus}><math display=\"block\"><mrow>{}<mo>=</mo><mrow><mo>[</mo><mtable>",
        name.mathml()
    ));
    for row in rows {
        out.push_str("<mtr>");
        for j in 0..columns {
            out.push_str(&format!(
                "<mtd>{}</mtd>",
                row.get(j).map_or(String::new(), |e| html_math::fix_bracket_size(&e.mathml()))
            ));
        }
        out.push_str("</mtr>");
    }
    out.push_str("</mtable><mo>]</mo></mrow></mrow></math></div>\n");
}

fn push_table(out: &mut String, caption: &Prose, header: &[String], rows: &[Vec<Cell>], numeric: &[usize]) {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0).max(header.len());
    let class = |j: usize| if numeric.contains(&j) { " class=\"number\"" } else { "" };
    let label = match caption.text() {
        text if text.is_empty() => "table".to_owned(),
        text => escape::escape_xml(&text),
    };
    out.push_str(&format!(
        "<div class=\"scroll\" role=\"group\" aria-label=\"{label}\" tabindex=\"0\"><table>\n"
    ));
    if !caption.is_empty() {
        out.push_str(&format!("<caption>{}</caption>\n", caption.html()));
    }
    if !header.is_empty() {
        out.push_str("<thead><tr>");
        for j in 0..columns {
            let text = header.get(j).map_or(String::new(), |h| cell_text(&Prose::from(h.as_str()), 20));
            out.push_str(&format!("<th scope=\"col\"{}>{text}</th>", class(j)));
        }
        out.push_str("</tr></thead>\n");
    }
    out.push_str("<tbody>\n");
    for row in rows {
        out.push_str("<tr>");
        for j in 0..columns {
            let cell = match row.get(j) {
                None => String::new(),
                Some(Cell::Text(text)) => cell_text(text, 36),
                Some(Cell::Math(m)) => math_element(m),
            };
            out.push_str(&format!("<td{}>{cell}</td>", class(j)));
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody>\n</table></div>\n");
}

/// HTML text of a table cell. A text longer than `short` gets a readable minimum width.
fn cell_text(text: &Prose, short: usize) -> String {
    match text.text().chars().count() > short {
        true => format!("<div class=\"long\">{}</div>", text.html()),
        false => text.html(),
    }
}
