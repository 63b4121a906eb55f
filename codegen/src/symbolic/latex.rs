//! LaTeX of closed forms, for mathematics mode (amsmath for cases).

use super::closed::{Closed, Exact, Function};
use super::decimal::{Style, Written};
use super::names::{Name, NamePiece, applied};
use crate::algebra::{Cmp, Func, Func2};

/// The expression as LaTeX, without delimiters.
pub fn latex(c: &Closed) -> String {
    styled(c, Style::of(c))
}

fn styled(c: &Closed, style: Style) -> String {
    let mut out = String::new();
    write(c, style, &mut out);
    out
}

/// A symbol's name as LaTeX: `alpha4_dot` is `\dot{\alpha}_{4}`, `sat(u)` an operator on u.
pub fn latex_name(name: &str) -> String {
    if let Some((operator, inner)) = applied(name) {
        return format!("\\operatorname{{{}}}\\left({}\\right)", escaped(operator), latex_name(inner));
    }
    let name = Name::new(name);
    let mut out = part(&name.base);
    out = match name.dots {
        0 => out,
        1 => format!("\\dot{{{out}}}"),
        2 => format!("\\ddot{{{out}}}"),
        n => format!("\\overset{{({n})}}{{{out}}}"),
    };
    if !name.subscripts.is_empty() {
        let subscripts: Vec<String> = name.subscripts.iter().map(part).collect();
        out.push_str(&format!("_{{{}}}", subscripts.join(",")));
    }
    out
}

fn part(p: &NamePiece) -> String {
    match p {
        NamePiece::Greek(name, _) => format!("\\{name}"),
        NamePiece::Short(s) => escaped(s),
        NamePiece::Word(s) => format!("\\mathrm{{{}}}", escaped(s)),
    }
}

fn escaped(s: &str) -> String {
    let mut out = String::with_capacity(s.len());
    for c in s.chars() {
        match c {
            '\\' => out.push_str("\\backslash "),
            '~' => out.push_str("\\sim "),
            '^' => out.push_str("\\hat{}"),
            '{' | '}' | '$' | '&' | '#' | '%' | '_' => {
                out.push('\\');
                out.push(c);
            }
            _ => out.push(c),
        }
    }
    out
}

fn number(n: &Exact, style: Style, out: &mut String) {
    if n.negative {
        out.push('-');
    }
    match style.written(n) {
        Written::Digits(digits) => out.push_str(&digits),
        Written::Scientific(digits, exponent) => {
            out.push_str(&format!("{digits} \\cdot 10^{{{exponent}}}"));
        }
        Written::Fraction(a, b) => out.push_str(&format!("\\frac{{{a}}}{{{b}}}")),
    }
}

fn write(c: &Closed, style: Style, out: &mut String) {
    match c {
        Closed::Number(n) => number(n, style, out),
        Closed::Pi => out.push_str("\\pi"),
        Closed::Symbol { name, .. } => out.push_str(&latex_name(name)),
        Closed::Sum(terms) => {
            if terms.is_empty() {
                out.push('0');
            }
            for (i, t) in terms.iter().enumerate() {
                match (i, t.is_negative()) {
                    (0, _) => write(t, style, out),
                    (_, true) => {
                        out.push_str(" - ");
                        let positive = t.clone().negated();
                        if matches!(positive, Closed::Sum(_)) {
                            bracketed(&positive, style, out)
                        } else {
                            write(&positive, style, out)
                        }
                    }
                    (_, false) => {
                        out.push_str(" + ");
                        write(t, style, out);
                    }
                }
            }
        }
        Closed::Product(factors) => product(factors, style, out),
        Closed::Power(base, n) => power(base, &n.to_string(), style, out),
        Closed::Quotient(a, b) => {
            if a.is_negative() {
                out.push('-');
                fraction(&a.as_ref().clone().negated(), b, style, out);
            } else {
                fraction(a, b, style, out);
            }
        }
        Closed::Function(f, args) => match c.as_clamp() {
            Some(args) => operator("\\operatorname{clamp}", args, style, out),
            None => function(*f, args, None, style, out),
        },
    }
}

fn fraction(a: &Closed, b: &Closed, style: Style, out: &mut String) {
    out.push_str("\\frac{");
    write(a, style, out);
    out.push_str("}{");
    write(b, style, out);
    out.push('}');
}

fn product(factors: &[Closed], style: Style, out: &mut String) {
    if factors.is_empty() {
        out.push('1');
    }
    for (i, f) in factors.iter().enumerate() {
        if let (0, Closed::Number(n)) = (i, f)
            && n.negative
            && n.abs().is_one()
            && factors.len() > 1
        {
            out.push('-');
            continue;
        }
        if !out.is_empty() && i > 0 && !out.ends_with('-') {
            let digits = matches!(f, Closed::Number(_))
                || matches!(f, Closed::Power(b, _) if matches!(**b, Closed::Number(_)));
            // Upright words side by side would read as one; a power of ten would end the number before it.
            let words = ends_with_word(&factors[i - 1]) || starts_with_word(f);
            out.push_str(match (digits, words) {
                (true, _) => " \\cdot ",
                (false, true) => " \\, ",
                (false, false) => " ",
            });
        }
        let negative = i > 0 && f.is_negative();
        if negative || matches!(f, Closed::Sum(t) if t.len() > 1) {
            bracketed(f, style, out);
        } else {
            write(f, style, out);
        }
    }
}

/// True if what is printed begins with an upright word: a name of several letters.
fn starts_with_word(c: &Closed) -> bool {
    match c {
        Closed::Symbol { name, .. } => applied(name).is_some() || Name::new(name).is_word(),
        Closed::Power(base, _) => starts_with_word(base),
        Closed::Product(factors) => factors.first().is_some_and(starts_with_word),
        _ => false,
    }
}

/// True if what is printed ends with one.
fn ends_with_word(c: &Closed) -> bool {
    match c {
        Closed::Symbol { name, .. } => applied(name).is_none() && Name::new(name).is_word(),
        Closed::Power(base, _) => ends_with_word(base),
        Closed::Product(factors) => factors.last().is_some_and(ends_with_word),
        _ => false,
    }
}

fn bracketed(c: &Closed, style: Style, out: &mut String) {
    out.push_str("\\left(");
    write(c, style, out);
    out.push_str("\\right)");
}

fn power(base: &Closed, exponent: &str, style: Style, out: &mut String) {
    match base {
        Closed::Function(f, args) if operator_name(*f).is_some() => {
            function(*f, args, Some(exponent), style, out)
        }
        // A dot or subscript in braces takes the exponent as it stands.
        Closed::Symbol { .. } | Closed::Pi => {
            out.push_str(&format!("{{{}}}^{{{exponent}}}", styled(base, style)));
        }
        Closed::Number(n) if !n.negative && n.den == "1" => {
            out.push_str(&format!("{}^{{{exponent}}}", n.num));
        }
        _ => {
            bracketed(base, style, out);
            out.push_str(&format!("^{{{exponent}}}"));
        }
    }
}

/// Functions that are written by name, with the exponent behind the name.
fn operator_name(f: Function) -> Option<String> {
    Some(match f {
        Function::Sin => "\\sin".into(),
        Function::Cos => "\\cos".into(),
        Function::Func(f) => match f {
            Func::Tan => "\\tan".into(),
            Func::Asin => "\\arcsin".into(),
            Func::Acos => "\\arccos".into(),
            Func::Atan => "\\arctan".into(),
            Func::Sinh => "\\sinh".into(),
            Func::Cosh => "\\cosh".into(),
            Func::Tanh => "\\tanh".into(),
            Func::Ln => "\\ln".into(),
            Func::Sign => "\\operatorname{sign}".into(),
            Func::Exp | Func::Abs => return None,
        },
        Function::Func2(Func2::Atan2) => "\\operatorname{atan2}".into(),
        Function::Func2(Func2::Min) => "\\min".into(),
        Function::Func2(Func2::Max) => "\\max".into(),
        Function::Table(t) => format!("\\operatorname{{table}}_{{{t}}}"),
        Function::Sqrt | Function::Func2(Func2::Pow) | Function::Select(_) => return None,
    })
}

/// A name and its arguments in brackets.
fn operator<'a>(name: &str, args: impl IntoIterator<Item = &'a Closed>, style: Style, out: &mut String) {
    out.push_str(name);
    out.push_str("\\left(");
    for (i, a) in args.into_iter().enumerate() {
        if i > 0 {
            out.push_str(", ");
        }
        write(a, style, out);
    }
    out.push_str("\\right)");
}

fn function(f: Function, args: &[Closed], exponent: Option<&str>, style: Style, out: &mut String) {
    if let Some(name) = operator_name(f) {
        out.push_str(&name);
        if let Some(e) = exponent {
            out.push_str(&format!("^{{{e}}}"));
        }
        return operator("", args, style, out);
    }
    match (f, args) {
        (Function::Sqrt, [x]) => out.push_str(&format!("\\sqrt{{{}}}", styled(x, style))),
        (Function::Func(Func::Exp), [x]) => out.push_str(&format!("e^{{{}}}", styled(x, style))),
        (Function::Func(Func::Abs), [x]) => out.push_str(&format!("\\left|{}\\right|", styled(x, style))),
        (Function::Func2(Func2::Pow), [x, y]) => power(x, &styled(y, style), style, out),
        (Function::Select(cmp), [a, b, yes, no]) => {
            let sign = match cmp {
                Cmp::Lt => "<",
                Cmp::Le => "\\le",
                Cmp::Eq => "=",
            };
            out.push_str(&format!(
                "\\begin{{cases}} {} & {} {sign} {} \\\\ {} & \\text{{otherwise}} \\end{{cases}}",
                styled(yes, style),
                styled(a, style),
                styled(b, style),
                styled(no, style)
            ));
        }
        _ => {
            let args: Vec<String> = args.iter().map(|a| styled(a, style)).collect();
            out.push_str(&format!(
                "\\operatorname{{{}}}\\left({}\\right)",
                escaped(&f.name()),
                args.join(", ")
            ));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::parse::parse_text;
    use super::*;
    use crate::ir::SymbolKind;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let names = ["m2", "l", "theta2", "alpha4_dot", "omega_x", "x", "wy", "wz", "sat(force)"];
        let symbols = names.iter().enumerate().map(|(i, n)| (*n, SymbolKind::Parameter(i)));
        assert_eq!(latex(&parse_text(text, symbols).unwrap()), expected);
    }

    #[test]
    fn closed_forms_print_as_in_a_textbook() {
        check("m2*(l^2 - 2*l*cos(theta2))", r"m_{2} \left({l}^{2} - 2 l \cos\left(\theta_{2}\right)\right)");
        check("-alpha4_dot^2*omega_x", r"-{\dot{\alpha}_{4}}^{2} \omega_{x}");
        check("sin(theta2)^2/(2*x)", r"\frac{\sin^{2}\left(\theta_{2}\right)}{2 x}");
        check("sqrt(x + 1)*exp(-x)", r"\sqrt{x + 1} e^{-x}");
        check("-x/l + abs(x)", r"-\frac{x}{l} + \left|x\right|");
        check("if(x < 0, 1, l)", r"\begin{cases} 1 & x < 0 \\ l & \text{otherwise} \end{cases}");
        check("(x + l)^2*pi", r"\left(x + l\right)^{2} \pi");
        check("clamp(x, -l, l)", r"\operatorname{clamp}\left(x, -l, l\right)");
    }

    #[test]
    fn upright_names_stand_apart() {
        check("wy*wz", r"\mathrm{wy} \, \mathrm{wz}");
        check("2*wy^2*x", r"2 \, {\mathrm{wy}}^{2} \, x");
        check("x*l", "x l");
        check("x*sat(force)*l", r"x \, \operatorname{sat}\left(\mathrm{force}\right) l");
    }

    #[test]
    fn decimals_stay_decimals() {
        check("0.002081*x + 0.5*l", r"0.002081 x + 0.5 l");
        check("1/2*x", r"\frac{1}{2} x");
        check("0.000000025*x", r"2.5 \cdot 10^{-8} x");
    }
}
