//! Closed forms as typeset mathematics.
//!
//! A terminal prints the text of the form, which a proof reads back; LaTeX and HTML print the tree.

use crate::symbolic::{self, Closed, Exact, Function, NumberStyle, NumberText};
use dqdt_algebra::{Cmp, Func, Func2};
use dqdt_document::report::{Math, Name, Spacing};

/// A closed form, typeset; its text has Unicode letters for names.
pub fn typeset_closed_form(form: &Closed) -> Math {
    typeset_with_names(form, &|name| terminal_name(name), NumberStyle::for_forms([form]))
}

/// A closed form, typeset; its text has names as given by `letter`.
pub(super) fn typeset_with_names(form: &Closed, letter: &dyn Fn(&str) -> String, style: NumberStyle) -> Math {
    let text = symbolic::printed_text(form, letter, style);
    let tree = typeset_tree(form, style).map_subformulas(&|piece| match piece {
        Math::Function(name) => {
            match parse_table_placeholder(&name).map(|table| letter(&table.name_map_key())) {
                Some(table_name) if !table_name.contains(' ') => Math::Function(table_name),
                _ => Math::Function(name),
            }
        }
        other => other,
    });
    Math::TerminalName(text, Box::new(tree))
}

/// The function table that a placeholder such as `table1` denotes.
fn parse_table_placeholder(name: &str) -> Option<Function> {
    name.strip_prefix("table").and_then(|n| n.parse().ok()).map(Function::Table)
}

/// A name in a terminal, with Unicode letters: `θ̇₁`, `sat(τ₁)`.
pub(super) fn terminal_name(name: &str) -> String {
    match split_operator(name) {
        Some((operator, inner)) => format!("{operator}({})", terminal_name(inner)),
        None => Math::identifier(name).text(),
    }
}

/// A symbol, typeset: a name such as `alpha4_dot`, or an operator on a name such as `sat(u)`.
pub(in crate::inspect) fn typeset_symbol(name: &str) -> Math {
    match split_operator(name) {
        Some((operator, inner)) => {
            Math::function_call(Math::Function(operator.to_owned()), [typeset_symbol(inner)])
        }
        None => Math::identifier(name),
    }
}

/// Splits `sat(u)` into operator and operand; `None` for a plain name.
fn split_operator(name: &str) -> Option<(&str, &str)> {
    let (operator, rest) = name.split_once('(')?;
    let inner = rest.strip_suffix(')')?;
    (!operator.is_empty() && !inner.is_empty()).then_some((operator, inner))
}

/// A closed form as typeset mathematics, for LaTeX and HTML.
fn typeset_tree(c: &Closed, style: NumberStyle) -> Math {
    if c.is_negative() && !matches!(c, Closed::Sum(_)) {
        return typeset_without_sign(c, style).negative();
    }
    match c {
        Closed::Number(n) => typeset_magnitude(n, style),
        Closed::Pi => Math::identifier("pi"),
        Closed::Symbol { name, .. } => typeset_symbol(name),
        Closed::Sum(terms) => typeset_sum(terms, style),
        Closed::Product(factors) => typeset_product(factors, style),
        Closed::Power(base, n) => typeset_power(base, Math::integer(i64::from(*n)), style),
        Closed::Quotient(a, b) => typeset_tree(a, style).quotient(typeset_tree(b, style)),
        Closed::Function(f, args) => match c.as_clamp() {
            Some(args) => Math::function_call(
                Math::Function("clamp".to_owned()),
                args.into_iter().map(|a| typeset_tree(a, style)),
            ),
            None => match c.as_between() {
                Some([low, x, high, yes, no]) => {
                    let [low, x, high, yes, no] =
                        [low, x, high, yes, no].map(|part| typeset_tree(part, style));
                    let [below, up_to] = [Math::operator("<", " < "), Math::operator("≤", r" \le ")];
                    Math::Cases([yes, Math::row([low, below, x, up_to, high]), no].map(Box::new))
                }
                None => typeset_function(*f, args, style),
            },
        },
    }
}

/// A negative form without its leading sign.
fn typeset_without_sign(c: &Closed, style: NumberStyle) -> Math {
    let positive = c.clone().negated();
    let inner = typeset_tree(&positive, style);
    if matches!(positive, Closed::Sum(_)) { inner.bracketed() } else { inner }
}

/// A number without its sign, typeset: digits, a power of ten or a fraction.
fn typeset_magnitude(n: &Exact, style: NumberStyle) -> Math {
    match style.number_text(n) {
        NumberText::Digits(digits) => Math::Number(digits, None),
        NumberText::Scientific(digits, exponent) => Math::Number(digits, Some(exponent)),
        NumberText::Fraction(a, b) => Math::Number(a, None).quotient(Math::Number(b, None)),
    }
}

/// A sum, typeset, with minus signs in front of negative terms.
fn typeset_sum(terms: &[Closed], style: NumberStyle) -> Math {
    let mut parts = Vec::new();
    for (i, t) in terms.iter().enumerate() {
        match (i, t.is_negative()) {
            (0, _) => parts.push(typeset_tree(t, style)),
            (_, true) => parts.extend([Math::operator(" − ", " - "), typeset_without_sign(t, style)]),
            (_, false) => parts.extend([Math::operator(" + ", " + "), typeset_tree(t, style)]),
        }
    }
    if parts.is_empty() { Math::integer(0) } else { Math::Row(parts) }
}

/// A product, typeset, with sums in brackets.
fn typeset_product(factors: &[Closed], style: NumberStyle) -> Math {
    let mut parts = Vec::new();
    for (i, f) in factors.iter().enumerate() {
        if i > 0 {
            parts.push(Math::Spacing(factor_spacing(&factors[i - 1], f)));
        }
        let inner = typeset_tree(f, style);
        let bracket = matches!(f, Closed::Sum(t) if t.len() > 1) || i > 0 && f.is_negative();
        parts.push(if bracket { inner.bracketed() } else { inner });
    }
    if parts.is_empty() { Math::integer(1) } else { Math::Row(parts) }
}

/// Spacing between two factors: adjacent upright words would read as one word, adjacent digits as
/// one number.
fn factor_spacing(before: &Closed, after: &Closed) -> Spacing {
    match () {
        () if starts_with_number(after) => Spacing::Dot,
        () if is_word(before) || starts_with_word(after) || is_function_without_brackets(before) => {
            Spacing::Apart
        }
        () if starts_with_function(after) => Spacing::BeforeFunction,
        () => Spacing::Times,
    }
}

fn starts_with_number(c: &Closed) -> bool {
    match c {
        Closed::Number(_) => true,
        Closed::Power(base, _) => matches!(**base, Closed::Number(_)),
        _ => false,
    }
}

/// True for a function whose argument is printed without brackets.
fn is_function_without_brackets(c: &Closed) -> bool {
    match c {
        Closed::Function(Function::Table(_), _) => false,
        Closed::Function(f, args) => {
            typeset_function_name(*f).is_some() && argument_without_brackets(args).is_some()
        }
        Closed::Power(base, _) => {
            matches!(**base, Closed::Function(..)) && is_function_without_brackets(base)
        }
        _ => false,
    }
}

/// The argument of a function, if it is a single name or a multiple of one, which needs no
/// brackets.
fn argument_without_brackets(args: &[Closed]) -> Option<&Closed> {
    match args {
        [c] if c.is_name_or_multiple() => Some(c),
        _ => None,
    }
}

/// A function call, without brackets if the argument is a single name or a multiple of one.
fn call_function(name: Math, args: &[Closed], style: NumberStyle) -> Math {
    match argument_without_brackets(args) {
        Some(Closed::Product(factors)) => {
            let multiple = Math::row(factors.iter().map(|f| typeset_tree(f, style)));
            Math::row([name, Math::Spacing(Spacing::Argument), multiple])
        }
        Some(c) => Math::row([name, Math::Spacing(Spacing::Argument), typeset_tree(c, style)]),
        None => Math::function_call(name, args.iter().map(|a| typeset_tree(a, style))),
    }
}

/// True for a name that is printed as an upright word.
fn is_word(c: &Closed) -> bool {
    match c {
        Closed::Symbol { name, .. } => split_operator(name).is_none() && Name::parse(name).is_upright_word(),
        Closed::Power(base, _) => is_word(base),
        _ => false,
    }
}

/// True for a name that is printed as an upright word, and for an operator on a symbol.
fn starts_with_word(c: &Closed) -> bool {
    match c {
        Closed::Symbol { name, .. } => split_operator(name).is_some() || is_word(c),
        Closed::Power(base, _) => starts_with_word(base),
        _ => false,
    }
}

fn starts_with_function(c: &Closed) -> bool {
    match c {
        Closed::Power(base, _) => starts_with_function(base),
        Closed::Function(f, _) => typeset_function_name(*f).is_some(),
        _ => false,
    }
}

/// A power, typeset; the exponent of a function follows its name, `sin² x`.
fn typeset_power(base: &Closed, exponent: Math, style: NumberStyle) -> Math {
    let simple = matches!(base, Closed::Symbol { .. } | Closed::Pi)
        || matches!(base, Closed::Number(n) if !n.negative && n.den == "1");
    match base {
        Closed::Symbol { name, .. } if split_operator(name).is_some() => {
            typeset_tree(base, style).bracketed().to_power(exponent)
        }
        Closed::Function(f, args) if base.as_clamp().is_none() => match typeset_function_name(*f) {
            // The exponent follows the name of the function: `sin² x`.
            Some(name) if matches!(f, Function::Table(_)) => {
                Math::function_call(name.to_power(exponent), args.iter().map(|a| typeset_tree(a, style)))
            }
            Some(name) => call_function(name.to_power(exponent), args, style),
            None => typeset_tree(base, style).bracketed().to_power(exponent),
        },
        _ if simple => typeset_tree(base, style).to_power(exponent),
        _ => typeset_tree(base, style).bracketed().to_power(exponent),
    }
}

/// Name of a function; `None` if it is printed as a root, bars, cases or a power.
fn typeset_function_name(f: Function) -> Option<Math> {
    match f {
        Function::Sqrt | Function::Select(_) | Function::Func2(Func2::Pow) => None,
        Function::Func(Func::Abs) => None,
        other => Some(Math::Function(other.name())),
    }
}

/// A function call, typeset: roots, bars, cases or a name with its arguments.
fn typeset_function(f: Function, args: &[Closed], style: NumberStyle) -> Math {
    let subtree = |c: &Closed| typeset_tree(c, style);
    match (f, args) {
        (Function::Sqrt, [x]) => match symbolic::magnitude_operand(x) {
            Some(x) => Math::Bars(Box::new(subtree(x))),
            None => Math::Root(Box::new(subtree(x))),
        },
        (Function::Func(Func::Abs), [x]) => Math::Bars(Box::new(subtree(x))),
        (Function::Func2(Func2::Pow), [x, y]) => typeset_power(x, subtree(y), style),
        (Function::Table(_), args) => Math::function_call(Math::Function(f.name()), args.iter().map(subtree)),
        (Function::Select(cmp), [a, b, yes, no]) => {
            let sign = match cmp {
                Cmp::Lt => Math::operator("<", " < "),
                Cmp::Le => Math::operator("≤", r" \le "),
                Cmp::Eq => Math::operator("=", " = "),
            };
            Math::Cases([subtree(yes), Math::row([subtree(a), sign, subtree(b)]), subtree(no)].map(Box::new))
        }
        _ => {
            let name = typeset_function_name(f).unwrap_or_else(|| Math::Function(f.name()));
            call_function(name, args, style)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::symbolic::parse_text;
    use dqdt_graph::ir::SymbolKind;

    fn print(text: &str) -> Math {
        let names = ["m2", "l", "theta2", "alpha4_dot", "omega_x", "x", "y", "load", "gain", "sat(force)"];
        let symbols = names.iter().enumerate().map(|(i, n)| (*n, SymbolKind::Parameter(i)));
        typeset_closed_form(&parse_text(text, symbols).unwrap())
    }

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(print(text).latex(), expected);
    }

    #[test]
    fn closed_forms_print_as_in_a_textbook() {
        check("m2*(l^2 - 2*l*cos(theta2))", r"m_{2} \left(l^{2} - 2 l \cos \theta_{2}\right)");
        check("-alpha4_dot^2*omega_x", r"-\dot{\alpha}_{4}^{2} \omega_{x}");
        check("sin(theta2)^2/(2*x)", r"\frac{\sin^{2} \theta_{2}}{2 x}");
        // A parameter may be named e, so exponentials are printed as `exp`.
        check("sqrt(x + 1)*exp(-x)", r"\sqrt{x + 1} \exp\left(-x\right)");
        check("-x/l + abs(x)", r"-\frac{x}{l} + \left|x\right|");
        check("sqrt(x^2) + sqrt(x^4)", r"\left|x\right| + \sqrt{x^{4}}");
        check("if(y < x <= l, 1, 0)", r"\begin{cases} 1 & y < x \le l \\ 0 & \text{otherwise} \end{cases}");
        check("if(x < 0, 1, l)", r"\begin{cases} 1 & x < 0 \\ l & \text{otherwise} \end{cases}");
        check("(x + l)^2*pi", r"\left(x + l\right)^{2} \pi");
        check("clamp(x, -l, l)", r"\operatorname{clamp}\left(x, -l, l\right)");
    }

    #[test]
    fn upright_names_stand_apart() {
        check("load*gain", r"\mathrm{load} \, \mathrm{gain}");
        check("2*load^2*x", r"2 \, \mathrm{load}^{2} \, x");
        check("x*l", "x l");
        check("x*sat(force)*l", r"x \, \operatorname{sat}\left(\mathrm{force}\right) l");
        let space = "<mspace width=\"0.17em\"/>";
        for (text, count) in [("load*gain", 1), ("x*y", 0), ("x*cos(y)^2*y", 3)] {
            assert_eq!(print(text).mathml().matches(space).count(), count, "{text}");
        }
        let limited = print("sat(force) - x").mathml();
        assert!(limited.contains("<mi>sat</mi>") && !limited.contains('|'), "{limited}");
    }

    #[test]
    fn decimals_stay_decimals() {
        check("0.002081*x + 0.5*l", r"0.002081 x + 0.5 l");
        check("1/2*x", r"\frac{1}{2} x");
        check("0.000000025*x", r"2.5 \cdot 10^{-8} x");
        assert!(print("0.002081*x").mathml().contains("<mn>0.002081</mn>"));
    }

    #[test]
    fn elements_are_balanced_and_signs_stand_once() {
        for text in [
            "-x*(y - 2)^2/sqrt(x)",
            "sin(x)^2 + exp(-y) - abs(x)",
            "if(x <= y, 1, x - y)",
            "if(y < x <= 2, x, 0)",
        ] {
            let out = print(text).mathml();
            let single = out.matches("/>").count();
            let opened = out.matches('<').count() - out.matches("</").count() - single;
            assert_eq!(opened, out.matches("</").count(), "{out}");
        }
        let minus = print("x - 2*y").mathml();
        assert_eq!(minus.matches('\u{2212}').count(), 1);
        assert!(!minus.contains("<mo>+</mo>"));
    }

    #[test]
    fn dots_and_subscripts_are_elements_and_the_text_is_read_back() {
        let form = print("alpha4_dot^2");
        let expected = "<msubsup><mover accent=\"true\"><mi>α</mi><mo stretchy=\"false\">˙</mo></mover>";
        assert!(form.mathml().contains(expected), "{}", form.mathml());
        assert_eq!(form.text(), "α\u{307}₄²");
    }
}
