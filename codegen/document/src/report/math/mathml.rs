//! Prints mathematics as presentation MathML.

use super::super::escape;
use super::tree::{Accent, Math, Spacing};

const TIMES: &str = "<mo>\u{2062}</mo>";
/// MathML of the space between a name of several letters, or a function, and its neighbour in a
/// product.
const APART: &str = "<mo>\u{2062}</mo><mspace width=\"0.17em\"/>";
const APPLY: &str = "<mo>\u{2061}</mo>";
/// MathML of the space between a function and an argument without brackets.
const APPLY_APART: &str = "<mo>\u{2061}</mo><mspace width=\"0.17em\"/>";

pub(super) fn push_mathml(math: &Math, out: &mut String) {
    match math {
        Math::Name(name) => out.push_str(&name.mathml()),
        Math::Number(digits, None) => out.push_str(&format!("<mn>{digits}</mn>")),
        Math::Number(digits, Some(exponent)) => out.push_str(&format!(
            "<mrow><mn>{digits}</mn><mo>·</mo><msup><mn>10</mn>{}</msup></mrow>",
            Math::integer(*exponent).mathml()
        )),
        Math::Negative(x) => out.push_str(&format!("<mrow><mo>−</mo>{}</mrow>", x.mathml())),
        Math::Operator(symbol, _) => push_operator(symbol, out),
        Math::Function(name) | Math::Symbol(name, _) => {
            out.push_str(&format!("<mi>{}</mi>", escape::escape_xml(name)));
        }
        Math::Words(words) => out.push_str(&format!("<mtext>{}</mtext>", escape::escape_xml(words))),
        Math::Bold(letter) => out.push_str(&format!(
            r#"<mi mathvariant="normal" style="font-weight:bold">{}</mi>"#,
            escape::escape_xml(letter)
        )),
        Math::Spacing(spacing) => out.push_str(match spacing {
            Spacing::Times => TIMES,
            Spacing::Dot => "<mo>·</mo>",
            Spacing::Apart | Spacing::BeforeFunction => APART,
            Spacing::Argument => APPLY_APART,
            Spacing::Call => APPLY,
            Spacing::Blank => r#"<mspace width="0.3em"/>"#,
        }),
        Math::Row(parts) => {
            out.push_str("<mrow>");
            parts.iter().for_each(|part| push_mathml(part, out));
            out.push_str("</mrow>");
        }
        Math::Bracketed(x) => push_fenced("(", x, ")", out),
        Math::Bars(x) => push_fenced("|", x, "|", out),
        Math::Indexed(base, index) | Math::Lowered(base, index) => {
            out.push_str(&format!("<msub>{}{}</msub>", single_element(base), script_element(index)));
        }
        Math::Raised(base, exponent) => push_power(base, &script_element(exponent), out),
        Math::Scripts(parts) => {
            let [base, below, above] = parts.each_ref();
            let [base, below, above] = [single_element(base), script_element(below), script_element(above)];
            out.push_str(&format!("<msubsup>{base}{below}{above}</msubsup>"));
        }
        Math::Transposed(x) => {
            out.push_str(&format!(r#"<msup>{}<mi mathvariant="normal">T</mi></msup>"#, single_element(x)));
        }
        Math::Accented(x, accent) => {
            let above = match accent {
                Accent::Dot => "˙",
                Accent::Dots => "¨",
                Accent::Hat => "^",
            };
            out.push_str(&format!(
                r#"<mover accent="true">{}<mo stretchy="false">{above}</mo></mover>"#,
                single_element(x)
            ));
        }
        Math::Fraction(above, below) => push_two_children("mfrac", above, below, out),
        Math::Root(x) => out.push_str(&format!("<msqrt>{}</msqrt>", x.mathml())),
        Math::Cases([yes, condition, otherwise]) => out.push_str(&format!(
            "<mrow><mo>{{</mo><mtable><mtr><mtd>{}</mtd><mtd>{}</mtd></mtr><mtr><mtd>{}</mtd>\
             <mtd><mtext>otherwise</mtext></mtd></mtr></mtable></mrow>",
            yes.mathml(),
            condition.mathml(),
            otherwise.mathml()
        )),
        Math::Sum([index, from, to, term]) => out.push_str(&format!(
            "<mrow><munderover><mo>∑</mo><mrow>{}<mo>=</mo>{}</mrow>{}</munderover>{}</mrow>",
            index.mathml(),
            from.mathml(),
            single_element(to),
            term.mathml()
        )),
        Math::TerminalName(_, shown) => push_mathml(shown, out),
    }
}

/// Appends an operator as MathML without blanks around it, since these would hide from the browser
/// which operator it is.
fn push_operator(symbol: &str, out: &mut String) {
    match symbol.trim() {
        "" => out.push_str("<mo> </mo>"),
        "," => out.push_str(r#"<mo separator="true">,</mo>"#),
        symbol => out.push_str(&format!("<mo>{}</mo>", escape::escape_xml(symbol))),
    }
}

fn push_fenced(open: &str, x: &Math, close: &str, out: &mut String) {
    out.push_str(&format!("<mrow><mo>{open}</mo>{}<mo>{close}</mo></mrow>", x.mathml()));
}

/// MathML of a formula as one element, for parents whose children are positional, such as
/// `<mfrac>`.
fn single_element(x: &Math) -> String {
    match x {
        Math::Spacing(_) | Math::TerminalName(..) => format!("<mrow>{}</mrow>", x.mathml()),
        _ => x.mathml(),
    }
}

/// MathML of an index or an exponent. Small Unicode letters are replaced by full-size ones, since
/// the browser makes them small.
fn script_element(x: &Math) -> String {
    match x {
        Math::Symbol(text, latex) => {
            Math::symbol(&text.chars().map(full_size_letter).collect::<String>(), latex).mathml()
        }
        x => single_element(x),
    }
}

/// Full-size letter of a small Unicode letter (subscript or superscript); other characters
/// unchanged.
fn full_size_letter(c: char) -> char {
    const SMALL: &str = "₀₁₂₃₄₅₆₇₈₉ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ₊₋⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺ᵇᴬˡᵍⁱⁿᵘᵗᶜʳᴳˢᵒᵖᴱᴸᵀ";
    const FULL: &str = "0123456789aehijklmnoprstuvx+−0123456789−+bAlginutcrGsopELT";
    SMALL.chars().position(|s| s == c).and_then(|i| FULL.chars().nth(i)).unwrap_or(c)
}

/// Appends a base with an exponent as MathML; the exponent is placed above the index if the base
/// has one.
fn push_power(base: &Math, exponent: &str, out: &mut String) {
    match base {
        Math::Name(name) if !name.indices.is_empty() => {
            let (stem, index) = (name.stem_mathml(), name.index_mathml());
            out.push_str(&format!("<msubsup>{stem}{index}{exponent}</msubsup>"));
        }
        Math::Lowered(inner, index) | Math::Indexed(inner, index) => {
            out.push_str(&format!(
                "<msubsup>{}{}{exponent}</msubsup>",
                single_element(inner),
                script_element(index)
            ));
        }
        base => out.push_str(&format!("<msup>{}{exponent}</msup>", single_element(base))),
    }
}

fn push_two_children(element: &str, a: &Math, b: &Math, out: &mut String) {
    out.push_str(&format!("<{element}>{}{}</{element}>", single_element(a), single_element(b)));
}
