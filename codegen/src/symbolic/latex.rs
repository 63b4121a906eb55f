//! LaTeX of closed forms, for mathematics mode (amsmath for cases).

use super::closed::{Closed, Exact, Function};
use super::names::{Name, Part};
use crate::algebra::{Cmp, Func, Func2};

/// The expression as LaTeX, without delimiters.
pub fn latex(c: &Closed) -> String {
    let mut out = String::new();
    write(c, &mut out);
    out
}

/// A symbol's name as LaTeX: `alpha4_dot` is `\dot{\alpha}_{4}`.
pub fn latex_name(name: &str) -> String {
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

fn part(p: &Part) -> String {
    match p {
        Part::Greek(name, _) => format!("\\{name}"),
        Part::Short(s) => escaped(s),
        Part::Word(s) => format!("\\mathrm{{{}}}", escaped(s)),
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

fn number(n: &Exact, out: &mut String) {
    if n.negative {
        out.push('-');
    }
    if n.den == "1" {
        out.push_str(&n.num);
    } else {
        out.push_str(&format!("\\frac{{{}}}{{{}}}", n.num, n.den));
    }
}

fn write(c: &Closed, out: &mut String) {
    match c {
        Closed::Number(n) => number(n, out),
        Closed::Pi => out.push_str("\\pi"),
        Closed::Symbol { name, .. } => out.push_str(&latex_name(name)),
        Closed::Sum(terms) => {
            if terms.is_empty() {
                out.push('0');
            }
            for (i, t) in terms.iter().enumerate() {
                match (i, t.is_negative()) {
                    (0, _) => write(t, out),
                    (_, true) => {
                        out.push_str(" - ");
                        let positive = t.clone().negated();
                        if matches!(positive, Closed::Sum(_)) {
                            bracketed(&positive, out)
                        } else {
                            write(&positive, out)
                        }
                    }
                    (_, false) => {
                        out.push_str(" + ");
                        write(t, out);
                    }
                }
            }
        }
        Closed::Product(factors) => product(factors, out),
        Closed::Power(base, n) => power(base, &n.to_string(), out),
        Closed::Quotient(a, b) => {
            if a.is_negative() {
                out.push('-');
                fraction(&a.as_ref().clone().negated(), b, out);
            } else {
                fraction(a, b, out);
            }
        }
        Closed::Function(f, args) => function(*f, args, None, out),
    }
}

fn fraction(a: &Closed, b: &Closed, out: &mut String) {
    out.push_str("\\frac{");
    write(a, out);
    out.push_str("}{");
    write(b, out);
    out.push('}');
}

fn product(factors: &[Closed], out: &mut String) {
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
            out.push_str(if digits { " \\cdot " } else { " " });
        }
        let negative = i > 0 && f.is_negative();
        if negative || matches!(f, Closed::Sum(t) if t.len() > 1) {
            bracketed(f, out);
        } else {
            write(f, out);
        }
    }
}

fn bracketed(c: &Closed, out: &mut String) {
    out.push_str("\\left(");
    write(c, out);
    out.push_str("\\right)");
}

fn power(base: &Closed, exponent: &str, out: &mut String) {
    match base {
        Closed::Function(f, args) if plain_name(*f).is_some() => function(*f, args, Some(exponent), out),
        // A dot or subscript in braces takes the exponent as it stands.
        Closed::Symbol { .. } | Closed::Pi => {
            out.push_str(&format!("{{{}}}^{{{exponent}}}", latex(base)));
        }
        Closed::Number(n) if !n.negative && n.den == "1" => {
            out.push_str(&format!("{}^{{{exponent}}}", n.num));
        }
        _ => {
            bracketed(base, out);
            out.push_str(&format!("^{{{exponent}}}"));
        }
    }
}

/// Functions that are written by name, with the exponent behind the name.
fn plain_name(f: Function) -> Option<String> {
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

fn function(f: Function, args: &[Closed], exponent: Option<&str>, out: &mut String) {
    if let Some(name) = plain_name(f) {
        out.push_str(&name);
        if let Some(e) = exponent {
            out.push_str(&format!("^{{{e}}}"));
        }
        out.push_str("\\left(");
        for (i, a) in args.iter().enumerate() {
            if i > 0 {
                out.push_str(", ");
            }
            write(a, out);
        }
        out.push_str("\\right)");
        return;
    }
    match (f, args) {
        (Function::Sqrt, [x]) => out.push_str(&format!("\\sqrt{{{}}}", latex(x))),
        (Function::Func(Func::Exp), [x]) => out.push_str(&format!("e^{{{}}}", latex(x))),
        (Function::Func(Func::Abs), [x]) => out.push_str(&format!("\\left|{}\\right|", latex(x))),
        (Function::Func2(Func2::Pow), [x, y]) => power(x, &latex(y), out),
        (Function::Select(cmp), [a, b, yes, no]) => {
            let sign = match cmp {
                Cmp::Lt => "<",
                Cmp::Le => "\\le",
                Cmp::Eq => "=",
            };
            out.push_str(&format!(
                "\\begin{{cases}} {} & {} {sign} {} \\\\ {} & \\text{{otherwise}} \\end{{cases}}",
                latex(yes),
                latex(a),
                latex(b),
                latex(no)
            ));
        }
        _ => {
            let args: Vec<String> = args.iter().map(latex).collect();
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
        let names = ["m2", "l", "theta2", "alpha4_dot", "omega_x", "x"];
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
        check("select_lt(x, 0, 1, l)", r"\begin{cases} 1 & x < 0 \\ l & \text{otherwise} \end{cases}");
        check("(x + l)^2*pi", r"\left(x + l\right)^{2} \pi");
    }
}
