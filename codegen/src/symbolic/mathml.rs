//! Presentation MathML of closed forms.

use super::closed::{Closed, Exact, Function};
use super::decimal::{Style, Written};
use super::names::{Name, NamePiece, applied};
use crate::algebra::{Cmp, Func, Func2};

const TIMES: &str = "<mo>\u{2062}</mo>";
/// Between a name of several letters and its neighbour.
const APART: &str = "<mo>\u{2062}</mo><mspace width=\"0.17em\"/>";
const APPLY: &str = "<mo>\u{2061}</mo>";

/// The expression as a complete `math` element.
pub fn mathml(c: &Closed) -> String {
    format!("<math xmlns=\"http://www.w3.org/1998/Math/MathML\">{}</math>", row(c, Style::of(c)))
}

/// A symbol's name as MathML, without the `math` element around it.
pub fn mathml_name(name: &str) -> String {
    if let Some((operator, inner)) = applied(name) {
        let name = mathml_name(inner);
        return format!("<mi>{}</mi>{APPLY}<mrow><mo>(</mo>{name}<mo>)</mo></mrow>", escaped(operator));
    }
    let name = Name::new(name);
    let mut out = identifier(&name.base);
    if name.dots > 0 {
        let dots = match name.dots {
            1 => "\u{02d9}".to_owned(),
            2 => "\u{00a8}".to_owned(),
            n => format!("({n})"),
        };
        out = format!("<mover accent=\"true\">{out}<mo>{dots}</mo></mover>");
    }
    if name.subscripts.is_empty() {
        return out;
    }
    let subscripts: Vec<String> = name.subscripts.iter().map(identifier).collect();
    format!("<msub>{out}<mrow>{}</mrow></msub>", subscripts.join("<mo>,</mo>"))
}

fn identifier(p: &NamePiece) -> String {
    match p {
        NamePiece::Greek(_, letter) => format!("<mi>{letter}</mi>"),
        NamePiece::Short(s) if s.chars().all(|c| c.is_ascii_digit()) => format!("<mn>{s}</mn>"),
        NamePiece::Short(s) => format!("<mi>{}</mi>", escaped(s)),
        NamePiece::Word(s) => format!("<mi mathvariant=\"normal\">{}</mi>", escaped(s)),
    }
}

fn escaped(s: &str) -> String {
    s.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

fn row(c: &Closed, style: Style) -> String {
    format!("<mrow>{}</mrow>", inner(c, style))
}

fn magnitude(n: &Exact, style: Style) -> String {
    match style.written(n) {
        Written::Digits(digits) => format!("<mn>{digits}</mn>"),
        Written::Scientific(digits, exponent) => {
            let sign = if exponent < 0 { "<mo>\u{2212}</mo>" } else { "" };
            let exponent = exponent.unsigned_abs();
            format!(
                "<mrow><mn>{digits}</mn><mo>·</mo><msup><mn>10</mn><mrow>{sign}<mn>{exponent}</mn></mrow></msup></mrow>"
            )
        }
        Written::Fraction(a, b) => format!("<mfrac><mn>{a}</mn><mn>{b}</mn></mfrac>"),
    }
}

fn fenced(c: &Closed, style: Style) -> String {
    format!("<mrow><mo>(</mo>{}<mo>)</mo></mrow>", inner(c, style))
}

fn inner(c: &Closed, style: Style) -> String {
    if c.is_negative() && !matches!(c, Closed::Sum(_)) {
        let positive = c.clone().negated();
        let body = if matches!(positive, Closed::Sum(_)) {
            fenced(&positive, style)
        } else {
            inner(&positive, style)
        };
        return format!("<mo>\u{2212}</mo>{body}");
    }
    match c {
        Closed::Number(n) => magnitude(n, style),
        Closed::Pi => "<mi>π</mi>".into(),
        Closed::Symbol { name, .. } => mathml_name(name),
        Closed::Sum(terms) => {
            let mut out = String::new();
            for (i, t) in terms.iter().enumerate() {
                // A negative term brings its own sign.
                if i > 0 && !t.is_negative() {
                    out.push_str("<mo>+</mo>");
                }
                out.push_str(&inner(t, style));
            }
            if terms.is_empty() { "<mn>0</mn>".into() } else { out }
        }
        Closed::Product(factors) => {
            let mut out = String::new();
            for (i, f) in factors.iter().enumerate() {
                if i > 0 {
                    let words = is_word(&factors[i - 1]) || starts_with_word(f);
                    out.push_str(if words { APART } else { TIMES });
                }
                let bracket = matches!(f, Closed::Sum(t) if t.len() > 1) || (i > 0 && f.is_negative());
                out.push_str(&if bracket { fenced(f, style) } else { inner(f, style) });
            }
            if out.is_empty() { "<mn>1</mn>".into() } else { out }
        }
        Closed::Power(base, n) => power(base, &format!("<mn>{n}</mn>"), style),
        Closed::Quotient(a, b) => format!("<mfrac>{}{}</mfrac>", row(a, style), row(b, style)),
        Closed::Function(f, args) => match c.as_clamp() {
            Some(args) => format!("<mi>clamp</mi>{APPLY}{}", arguments(args, style)),
            None => function(*f, args, style),
        },
    }
}

/// True for a name that is set as an upright word.
fn is_word(c: &Closed) -> bool {
    match c {
        Closed::Symbol { name, .. } => applied(name).is_none() && Name::new(name).is_word(),
        Closed::Power(base, _) => is_word(base),
        _ => false,
    }
}

/// True for such a name, and for what begins with the name of a function.
fn starts_with_word(c: &Closed) -> bool {
    match c {
        Closed::Symbol { name, .. } => applied(name).is_some() || is_word(c),
        Closed::Power(base, _) => starts_with_word(base),
        Closed::Function(f, _) => head(*f).is_some(),
        _ => false,
    }
}

fn power(base: &Closed, exponent: &str, style: Style) -> String {
    let simple = matches!(base, Closed::Symbol { .. } | Closed::Pi)
        || matches!(base, Closed::Number(n) if !n.negative && n.den == "1");
    match base {
        Closed::Function(f, args)
            if !matches!(f, Function::Sqrt | Function::Select(_)) && args.len() == 1 =>
        {
            match head(*f) {
                Some(name) => {
                    format!("<msup>{name}{exponent}</msup>{APPLY}{}", arguments(args, style))
                }
                None => format!("<msup>{}{exponent}</msup>", fenced(base, style)),
            }
        }
        _ if simple => format!("<msup>{}{exponent}</msup>", inner(base, style)),
        _ => format!("<msup>{}{exponent}</msup>", fenced(base, style)),
    }
}

fn arguments<'a>(args: impl IntoIterator<Item = &'a Closed>, style: Style) -> String {
    let args: Vec<String> = args.into_iter().map(|a| row(a, style)).collect();
    format!("<mrow><mo>(</mo>{}<mo>)</mo></mrow>", args.join("<mo>,</mo>"))
}

/// The name of a function that is written by name.
fn head(f: Function) -> Option<String> {
    match f {
        Function::Sqrt | Function::Select(_) | Function::Func2(Func2::Pow) => None,
        Function::Func(Func::Exp | Func::Abs) => None,
        other => Some(format!("<mi>{}</mi>", other.name())),
    }
}

fn function(f: Function, args: &[Closed], style: Style) -> String {
    if let Some(name) = head(f) {
        return format!("{name}{APPLY}{}", arguments(args, style));
    }
    match (f, args) {
        (Function::Sqrt, [x]) => format!("<msqrt>{}</msqrt>", inner(x, style)),
        (Function::Func(Func::Exp), [x]) => format!("<msup><mi>e</mi>{}</msup>", row(x, style)),
        (Function::Func(Func::Abs), [x]) => format!("<mrow><mo>|</mo>{}<mo>|</mo></mrow>", inner(x, style)),
        (Function::Func2(Func2::Pow), [x, y]) => power(x, &row(y, style), style),
        (Function::Select(cmp), [a, b, yes, no]) => {
            let sign = match cmp {
                Cmp::Lt => "&lt;",
                Cmp::Le => "≤",
                Cmp::Eq => "=",
            };
            format!(
                "<mrow><mo>{{</mo><mtable><mtr><mtd>{}</mtd><mtd>{}<mo>{sign}</mo>{}</mtd></mtr><mtr><mtd>{}</mtd>\
                 <mtd><mtext>otherwise</mtext></mtd></mtr></mtable></mrow>",
                row(yes, style),
                row(a, style),
                row(b, style),
                row(no, style)
            )
        }
        _ => format!("<mi>{}</mi>{APPLY}{}", f.name(), arguments(args, style)),
    }
}

#[cfg(test)]
mod tests {
    use super::super::parse::parse_text;
    use super::*;
    use crate::ir::SymbolKind;

    fn print(text: &str) -> String {
        let names = ["alpha4_dot", "x", "y", "wy", "wz", "sat(force)"];
        let symbols = names.iter().enumerate().map(|(i, n)| (*n, SymbolKind::Parameter(i)));
        mathml(&parse_text(text, symbols).unwrap())
    }

    #[test]
    fn elements_are_balanced_and_signs_stand_once() {
        for text in ["-x*(y - 2)^2/sqrt(x)", "sin(x)^2 + exp(-y) - abs(x)", "if(x <= y, 1, x - y)"] {
            let out = print(text);
            let opened = out.matches('<').count() - out.matches("</").count();
            assert_eq!(opened, out.matches("</").count(), "{out}");
        }
        let minus = print("x - 2*y");
        assert_eq!(minus.matches('\u{2212}').count(), 1);
        assert!(!minus.contains("<mo>+</mo>"));
    }

    #[test]
    fn upright_names_stand_apart_and_decimals_stay() {
        assert_eq!(print("wy*wz").matches(APART).count(), 1);
        assert_eq!(print("x*y").matches(APART).count(), 0);
        assert_eq!(print("x*cos(y)^2*y").matches(APART).count(), 1);
        assert!(print("0.002081*x").contains("<mn>0.002081</mn>"));
        let limited = print("sat(force) - x");
        assert!(limited.contains("<mi>sat</mi>") && !limited.contains('|'), "{limited}");
    }

    #[test]
    fn dots_and_subscripts_are_elements() {
        let out = print("alpha4_dot^2");
        assert!(out.contains("<msup><msub><mover accent=\"true\"><mi>α</mi><mo>˙</mo></mover>"), "{out}");
    }
}
