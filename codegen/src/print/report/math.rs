//! A piece of mathematics in the three forms that the printers need.

use super::escape;
use super::names::Name;

/// One formula, written three times.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct MathText {
    /// For a terminal: Unicode, one line.
    pub text: String,
    /// For LaTeX's math mode.
    pub latex: String,
    /// Well-formed presentation MathML without the `<math>` element around it.
    pub mathml: String,
}

impl MathText {
    /// From three finished forms.
    pub fn new(text: impl Into<String>, latex: impl Into<String>, mathml: impl Into<String>) -> Self {
        MathText { text: text.into(), latex: latex.into(), mathml: mathml.into() }
    }

    /// A name of the mechanism: `theta1` is θ₁, `alpha4_dot` is α̇₄, `m_cart` is m with an upright index.
    pub fn identifier(name: &str) -> Self {
        Name::parse(name).math()
    }

    /// A whole number.
    pub fn integer(n: i64) -> Self {
        let digits = n.unsigned_abs().to_string();
        if n < 0 {
            MathText::new(
                format!("-{digits}"),
                format!("-{digits}"),
                format!("<mrow><mo>−</mo><mn>{digits}</mn></mrow>"),
            )
        } else {
            MathText::new(digits.clone(), digits.clone(), format!("<mn>{digits}</mn>"))
        }
    }

    /// A number, with the fewest digits that give it back.
    pub fn number(x: f64) -> Self {
        if x.is_nan() {
            return MathText::words("NaN");
        }
        if x.is_infinite() {
            return if x > 0.0 {
                MathText::operator("∞", r"\infty")
            } else {
                MathText::row([MathText::operator("−", "-"), MathText::operator("∞", r"\infty")])
            };
        }
        let (sign, a) = if x < 0.0 { ("-", -x) } else { ("", x.abs()) };
        let plain = if a == 0.0 || (1e-4..1e6).contains(&a) { format!("{a}") } else { format!("{a:e}") };
        let minus = if sign.is_empty() { "" } else { "<mo>−</mo>" };
        match plain.split_once('e') {
            None => MathText::new(
                format!("{sign}{plain}"),
                format!("{sign}{plain}"),
                format!("<mrow>{minus}<mn>{plain}</mn></mrow>"),
            ),
            Some((m, e)) => {
                let exponent = MathText::integer(e.parse().unwrap_or(0));
                MathText::new(
                    format!("{sign}{plain}"),
                    format!(r"{sign}{m} \cdot 10^{{{}}}", exponent.latex),
                    format!(
                        "<mrow>{minus}<mn>{m}</mn><mo>·</mo><msup><mn>10</mn>{}</msup></mrow>",
                        exponent.mathml
                    ),
                )
            }
        }
    }

    /// Upright words.
    pub fn words(words: &str) -> Self {
        MathText::new(
            escape::line(words),
            format!(r"\text{{{}}}", escape::latex(words)),
            format!("<mtext>{}</mtext>", escape::xml(words)),
        )
    }

    /// An operator, a comma, a bracket: a Unicode character and the LaTeX for it.
    pub fn operator(symbol: &str, latex: &str) -> Self {
        MathText::new(symbol, latex, format!("<mo>{}</mo>", escape::xml(symbol)))
    }

    /// A matrix or vector: an upright bold letter.
    pub fn bold(letter: &str) -> Self {
        MathText::new(
            escape::line(letter),
            format!(r"\mathbf{{{}}}", escape::latex(letter)),
            format!(r#"<mi mathvariant="normal" style="font-weight:bold">{}</mi>"#, escape::xml(letter)),
        )
    }

    /// Side by side, without a space.
    pub fn row(parts: impl IntoIterator<Item = MathText>) -> Self {
        let mut all = MathText::default();
        for part in parts {
            all.text.push_str(&part.text);
            if all.latex.ends_with(|c: char| c.is_ascii_alphabetic())
                && part.latex.starts_with(|c: char| c.is_ascii_alphabetic())
            {
                all.latex.push(' ');
            }
            all.latex.push_str(&part.latex);
            all.mathml.push_str(&part.mathml);
        }
        all.mathml = format!("<mrow>{}</mrow>", all.mathml);
        all
    }

    /// With indices: `M[1, 2]` in a terminal, a subscript elsewhere.
    pub fn indexed(&self, indices: &[usize]) -> Self {
        let list = |comma: &str| indices.iter().map(ToString::to_string).collect::<Vec<_>>().join(comma);
        let numbers: Vec<String> = indices.iter().map(|i| format!("<mn>{i}</mn>")).collect();
        MathText::new(
            format!("{}[{}]", self.text, list(", ")),
            format!("{{{}}}_{{{}}}", self.latex, list(",")),
            format!(
                "<msub><mrow>{}</mrow><mrow>{}</mrow></msub>",
                self.mathml,
                numbers.join(r#"<mo separator="true">,</mo>"#)
            ),
        )
    }

    /// With a name as index, as it stands: `λ[pin_fx]` in a terminal, an upright subscript elsewhere.
    pub fn labelled(&self, name: &str) -> Self {
        MathText::new(
            format!("{}[{}]", self.text, escape::line(name)),
            format!(r"{{{}}}_{{\text{{{}}}}}", self.latex, escape::latex(name)),
            format!("<msub><mrow>{}</mrow><mtext>{}</mtext></msub>", self.mathml, escape::xml(name)),
        )
    }

    /// With a small letter or digit as index: `vᵢ`.
    pub fn part(&self, letter: &str) -> Self {
        let index = MathText::identifier(letter);
        // The letters that have a lowered form are those of names, too.
        let lowered = MathText::identifier(&format!("x_{letter}")).text;
        MathText::new(
            format!("{}{}", self.text, lowered.trim_start_matches('x')),
            format!("{{{}}}_{{{}}}", self.latex, index.latex),
            format!("<msub><mrow>{}</mrow><mrow>{}</mrow></msub>", self.mathml, index.mathml),
        )
    }

    /// The transpose of a matrix.
    pub fn transposed(&self) -> Self {
        MathText::new(
            format!("{}ᵀ", self.text),
            format!(r"{{{}}}^{{\mathsf T}}", self.latex),
            format!(r#"<msup><mrow>{}</mrow><mi mathvariant="normal">T</mi></msup>"#, self.mathml),
        )
    }

    /// With a dot above: the derivative by time of a single symbol.
    pub fn dot(&self) -> Self {
        self.accented('\u{307}', "dot", "˙")
    }

    /// With a hat above.
    pub fn hat(&self) -> Self {
        self.accented('\u{302}', "hat", "^")
    }

    fn accented(&self, combining: char, latex: &str, above: &str) -> Self {
        let mut chars = self.text.chars();
        let first: String = chars.next().into_iter().collect();
        MathText::new(
            format!("{first}{combining}{}", chars.as_str()),
            format!(r"\{latex}{{{}}}", self.latex),
            format!(
                r#"<mover accent="true"><mrow>{}</mrow><mo stretchy="false">{above}</mo></mover>"#,
                self.mathml
            ),
        )
    }
}
