//! Printers of reports: HTML, LaTeX and terminal text.

mod entries;
mod html;
mod latex;
mod latex_pieces;
mod latex_table;
mod steps;
mod text;
mod tikz;
mod wrap;

pub use html::{print_html, print_live_html};
pub use latex::print_latex;
pub use text::{Ink, print_terminal, print_text};

/// First words of a heading in lower case, joined by hyphens; for ids and labels.
fn heading_slug(heading: &str, words: usize) -> String {
    let text: String = heading
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { ' ' })
        .collect();
    text.split_whitespace().take(words).collect::<Vec<_>>().join("-")
}

#[cfg(test)]
mod tests {
    use super::*;
    use dqdt_document::report::{Block, Math, Prose, Report, Section};

    /// A report whose texts all contain markup of some target.
    fn hostile() -> Report {
        let bad =
            "</svg></p><script>alert(1)</script> \u{1b}[31m \\input{x} % $ _ ^ ~ & # {} [2] \u{0} \"'> 中 θ₁";
        let math = Math::identifier("a_<b>\\x");
        let blocks = vec![
            Block::Paragraph(bad.into()),
            Block::Note(bad.into()),
            Block::Code(format!("{bad}\n\t{bad}")),
            Block::Figure { svg: "<svg></svg>".into(), caption: bad.into(), lines: vec![bad.into()] },
            Block::Table {
                caption: bad.into(),
                header: vec![bad.into()],
                rows: vec![vec![bad.into(), math.clone().into()], vec![]],
                numeric: vec![0, 9],
            },
            Block::Table { caption: Prose::default(), header: vec![], rows: vec![], numeric: vec![] },
            Block::Matrix {
                name: math.clone(),
                rows: vec![vec![math.clone()], vec![], vec![math.clone(); 60]],
                note: bad.into(),
            },
            Block::Matrix { name: math.clone(), rows: vec![], note: Prose::default() },
            Block::Equations(vec![(math.clone(), Math::words(bad)), (math, Math::default())]),
            Block::Equations(vec![]),
            Block::Relations(vec![(Math::words(bad), Math::bold("A").with_name_index(bad).transposed())]),
            Block::Relations(vec![]),
        ];
        let section = Section { heading: bad.into(), blocks };
        Report { title: bad.into(), subtitle: bad.into(), sections: vec![section.clone(), section] }
    }

    #[test]
    fn texts_stay_texts_in_every_target() {
        let report = hostile();
        let page = print_html(&report);
        assert!(!page.contains("<script") && !page.contains('\u{1b}') && !page.contains('\u{0}'));
        let article = print_latex(&report);
        assert!(!article.contains(r"\input") && !article.contains('\u{1b}'));
        for width in [0, 40, 100] {
            assert!(!print_text(&report, width).contains('\u{1b}'));
        }
        // The only escape sequences are those of the printer.
        let colors = print_terminal(&report, 100, Ink::Colors);
        let sequences = ["\u{1b}[1m", "\u{1b}[1;36m", "\u{1b}[2m", "\u{1b}[33m", "\u{1b}[0m"];
        let without = sequences.iter().fold(colors.clone(), |t, code| t.replace(code, ""));
        assert!(colors.contains("\u{1b}[1;36m") && !without.contains('\u{1b}'));
        assert_eq!(without, print_text(&report, 100));
    }

    #[test]
    fn the_tags_of_the_page_are_balanced_and_its_ids_are_unique() {
        let page = print_html(&hostile());
        for tag in [
            "p", "div", "span", "section", "table", "thead", "tbody", "tr", "td", "th", "math", "mrow",
            "mtd", "figure",
        ] {
            let open = page.matches(&format!("<{tag}>")).count() + page.matches(&format!("<{tag} ")).count();
            assert_eq!(open, page.matches(&format!("</{tag}>")).count(), "{tag}");
        }
        let ids: Vec<&str> = page.split(" id=\"").skip(1).filter_map(|s| s.split('"').next()).collect();
        let unique: std::collections::BTreeSet<&str> = ids.iter().copied().collect();
        assert_eq!(ids.len(), unique.len());
    }

    #[test]
    fn the_page_has_no_script_and_names_no_address() {
        let page = print_html(&hostile());
        assert!(page.contains("default-src 'none'"));
        // The font is embedded in the page.
        let page = page.replace("url(data:font/woff2;", "");
        assert!(!page.contains("http:") && !page.contains("https:") && !page.contains("url("));
    }

    #[test]
    fn lines_of_text_keep_the_width_and_end_without_blanks() {
        let words = "word ".repeat(60);
        let long = (1..40).map(|i| format!("m_{i}*l_{i}")).collect::<Vec<_>>().join(" + ");
        let report = Report::new("title", words.clone()).clone();
        let section = Section::new("a")
            .with_block(Block::paragraph(words.clone()))
            .with_block(Block::Table {
                caption: words.clone().into(),
                header: vec!["a".into(), "b".into()],
                rows: vec![vec![words.clone().into(), words.into()]],
                numeric: vec![],
            })
            .with_block(Block::Equations(vec![(
                Math::identifier("T"),
                Math::TerminalName(long, Box::default()),
            )]));
        let printed = print_text(&Report { sections: vec![section], ..report }, 72);
        for line in printed.lines() {
            assert!(wrap::terminal_width(line) <= 72 && line.trim_end() == line, "{line}");
        }
    }

    #[test]
    fn a_matrix_with_the_letter_of_a_name_is_set_apart() {
        let block =
            Block::Relations(vec![(Math::bold("M").with_number_indices(&[1, 2]), Math::identifier("M"))]);
        let note = Block::note(Prose::from("with ") + Math::bold("c"));
        let section = Section { heading: String::new(), blocks: vec![block, note] };
        let report = Report { sections: vec![section], ..Report::new("", "") };
        let print =
            |taken: &str| print_text(&report.clone().disambiguate_letters(&|l| l == taken, &|_| None).0, 100);
        assert!(print("M").contains("𝐌₁₂ = M") && print("M").contains("with c"));
        assert!(print("c").contains("M₁₂ = M") && print("c").contains("with 𝐜"));
    }
}
