//! Figures as PNG.
//!
//! Problem: some documents and programs do not accept SVG.
//! Method:  `resvg` renders the SVG in light colours, with two pixels per unit and with fonts that
//!          are compiled in: the same bytes on every machine.
//! Limits:  characters that the fonts lack are omitted, and listed in the result. Needs the feature
//!          `png`.

/// A figure rendered as a PNG file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Png {
    /// The contents of the PNG file.
    pub bytes: Vec<u8>,
    /// Characters of the figure that the fonts lack, each once.
    pub missing: Vec<char>,
}

pub use rendered::png;

#[cfg(not(feature = "png"))]
mod rendered {
    use super::Png;

    /// Returns `None`: built without the feature `png`.
    ///
    /// # Errors
    /// None.
    pub fn png(_svg: &str) -> Option<Result<Png, String>> {
        None
    }
}

#[cfg(feature = "png")]
mod rendered {
    use std::collections::BTreeSet;

    use resvg::tiny_skia::{Pixmap, Transform};
    use resvg::usvg::{Options, Tree};

    use super::Png;

    /// Fonts compiled in to render PNG: Noto Sans, and the signs of Noto Sans Math that it lacks;
    /// see `font/subset.py` for their origin.
    const FONTS: [&[u8]; 2] = [include_bytes!("font/plot_font.ttf"), include_bytes!("font/plot_signs.ttf")];
    /// All characters that the compiled-in fonts contain; others are reported as missing.
    const CHARACTERS: &str = include_str!("font/characters.txt");
    /// Pixels of the PNG per unit of the SVG.
    const SCALE: f32 = 2.0;

    /// Renders a figure as PNG; `None` without the feature `png`.
    ///
    /// # Errors
    /// The message of the renderer, if it cannot read the SVG.
    pub fn png(svg: &str) -> Option<Result<Png, String>> {
        Some(render_png(svg))
    }

    fn render_png(svg: &str) -> Result<Png, String> {
        let mut options = Options { font_family: "Noto Sans".to_owned(), ..Options::default() };
        let fonts = options.fontdb_mut();
        FONTS.iter().for_each(|font| fonts.load_font_data(font.to_vec()));
        fonts.set_sans_serif_family("Noto Sans");
        let tree = Tree::from_str(svg, &options).map_err(|e| e.to_string())?;
        let size = tree.size().to_int_size().scale_by(SCALE).ok_or("the area of the figure is zero")?;
        let mut pixels = Pixmap::new(size.width(), size.height()).ok_or("the figure is too large")?;
        resvg::render(&tree, Transform::from_scale(SCALE, SCALE), &mut pixels.as_mut());
        let bytes = pixels.encode_png().map_err(|e| e.to_string())?;
        let missing: BTreeSet<char> =
            svg.chars().filter(|c| !c.is_ascii() && !CHARACTERS.contains(*c)).collect();
        Ok(Png { bytes, missing: missing.into_iter().collect() })
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        const HEAD: &str = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"60\" height=\"30\" \
                            font-family=\"system-ui, sans-serif\" font-size=\"13\">";

        fn picture(content: &str) -> Png {
            png(&format!("{HEAD}<rect width=\"60\" height=\"30\" fill=\"#ffffff\"/>{content}</svg>"))
                .unwrap()
                .unwrap()
        }

        fn text(content: &str) -> Png {
            picture(&format!("<text x=\"5\" y=\"20\">{content}</text>"))
        }

        /// Number of dark pixels.
        fn ink(png: &Png) -> usize {
            let pixels = Pixmap::decode_png(&png.bytes).unwrap();
            assert_eq!((pixels.width(), pixels.height()), (120, 60));
            pixels.pixels().iter().filter(|p| p.red() < 128).count()
        }

        #[test]
        fn letters_dots_and_signs_are_drawn_on_a_machine_without_fonts() {
            let empty = ink(&picture(""));
            assert_eq!(empty, 0);
            for character in ["θ", "₁", "ᵢ", "−", "→", "√", "·", "²", "ü", "ж"] {
                let png = text(character);
                assert!(ink(&png) > 4 && png.missing.is_empty(), "{character}");
            }
            // The dot above adds to the letter, and is not drawn next to it.
            let [letter, dotted] = ["θ", "θ\u{307}"].map(|t| ink(&text(t)));
            assert!(dotted > letter + 3, "{letter}, {dotted}");
            assert_eq!(text("字").missing, ['字']);
            assert_eq!(text("θ"), text("θ"), "the same bytes");
        }

        #[test]
        fn what_is_no_svg_is_an_error() {
            assert!(png("<html/>").unwrap().is_err());
        }
    }
}
