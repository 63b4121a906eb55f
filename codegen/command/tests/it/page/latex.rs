//! Parser for the equations of a LaTeX page. A symbol is named by its LaTeX text.

use super::Equation;
use super::value::Token;

/// All equations of a document, on lines of their own or several to a line.
pub fn equations(page: &str) -> Vec<Equation> {
    let (_, page) = page.split_once("Equations step by step").expect("the page has equations");
    let mut out = Vec::new();
    for line in page.lines() {
        if let Some(formula) = line.strip_prefix("\\equationline{").and_then(|l| l.strip_suffix('}')) {
            out.push(equation(formula));
        } else if line.contains('$') {
            out.extend(line.split('$').skip(1).step_by(2).map(equation));
        }
    }
    out
}

fn read_symbol(text: &str) -> String {
    match tokens(text).as_slice() {
        [Token::Name(name)] => name.clone(),
        other => panic!("{text} is no symbol: {other:?}"),
    }
}

fn equation(formula: &str) -> Equation {
    let sides: Vec<&str> = formula.split(" = ").collect();
    let [left @ .., right] = sides.as_slice() else { panic!("{formula}") };
    if let Some(inner) = right.strip_prefix('[').and_then(|r| r.strip_suffix(']')) {
        let whole = read_symbol(left[0]);
        // The index is the first group; the axis is its last letter.
        let (before, after) = whole.split_once("_{").unwrap();
        let (index, after) = after.split_once('}').unwrap();
        let comma = if index.ends_with(|c: char| c.is_ascii_alphabetic()) { "," } else { "" };
        let left = ["x", "y", "z"].map(|axis| format!("{before}_{{{index}{comma}{axis}}}{after}")).to_vec();
        return Equation { left, right: inner.split(r",\; ").map(tokens).collect() };
    }
    let left = if *right == "0" {
        left.iter().map(|l| read_symbol(l)).collect()
    } else {
        vec![read_symbol(left[0])]
    };
    let right = right.split(r"\text").next().unwrap();
    Equation { left, right: vec![tokens(right)] }
}

/// Length of the braced group at the start of a text.
fn group(text: &str) -> usize {
    let mut depth = 0;
    for (i, c) in text.char_indices() {
        depth += i32::from(c == '{') - i32::from(c == '}');
        if depth == 0 {
            return i + 1;
        }
    }
    panic!("{text} is not closed");
}

fn read_braced_number(text: &str) -> f64 {
    text[1..text.len() - 1].parse::<f64>().unwrap()
}

fn tokens(latex: &str) -> Vec<Token> {
    let (mut out, mut rest) = (Vec::new(), latex);
    while let Some(c) = rest.chars().next() {
        let command = rest.strip_prefix('\\').map_or("", |r| {
            let n = r.bytes().take_while(u8::is_ascii_alphabetic).count();
            &r[..n]
        });
        match c {
            ' ' => rest = &rest[1..],
            '(' | ')' | '+' | '-' | '/' | ',' => {
                out.push(Token::Sign(c));
                rest = &rest[1..];
            }
            '\\' if rest.starts_with(r"\,") || rest.starts_with(r"\ ") => rest = &rest[2..],
            '\\' if command == "cdot" => {
                rest = &rest[5..];
                if let Some(exponent) = rest.strip_prefix(" 10^{") {
                    let (n, after) = exponent.split_once('}').unwrap();
                    out.push(Token::Number(10f64.powi(n.parse().unwrap())));
                    // 1.5 · 10ⁿ is one number, not a product.
                    let Some(Token::Number(ten)) = out.pop() else { unreachable!() };
                    let Some(Token::Number(digits)) = out.pop() else { panic!("{latex}") };
                    let text = format!("{digits}e{}", ten.log10().round());
                    out.push(Token::Number(text.parse().unwrap()));
                    rest = after;
                }
            }
            '\\' if command == "frac" => {
                let above = group(&rest[5..]);
                let below = group(&rest[5 + above..]);
                out.push(Token::Number(
                    read_braced_number(&rest[5..5 + above])
                        / read_braced_number(&rest[5 + above..5 + above + below]),
                ));
                rest = &rest[5 + above + below..];
            }
            '\\' if matches!(command, "sin" | "cos" | "tanh" | "min" | "max" | "ln" | "tan") => {
                out.push(Token::Call(command.to_owned()));
                rest = &rest[1 + command.len()..];
            }
            c if c.is_ascii_digit() => {
                let n = rest.bytes().take_while(|b| b.is_ascii_digit() || *b == b'.').count();
                out.push(Token::Number(rest[..n].parse().unwrap()));
                rest = &rest[n..];
            }
            _ => rest = symbol(rest, command, &mut out),
        }
    }
    out
}

/// Parses a symbol with its subscript, superscript and power. Returns the rest of the text.
fn symbol<'a>(text: &'a str, command: &str, out: &mut Vec<Token>) -> &'a str {
    if text.starts_with('{') {
        let n = group(text);
        out.extend(tokens(&text[1..n - 1]));
        return read_exponent(&text[n..], out);
    }
    let mut n =
        if text.starts_with('\\') { 1 + command.len() } else { text.chars().next().unwrap().len_utf8() };
    if matches!(command, "mathrm" | "mathit" | "dot" | "ddot") {
        n += group(&text[n..]);
    }
    if text[n..].starts_with("_{") {
        n += 1 + group(&text[n + 1..]);
        // A superscript after an index is a mark, unless it is a power.
        if let Some(above) = text[n..].strip_prefix('^') {
            let length = group(above);
            if above[1..length - 1].parse::<u8>().is_ok_and(|power| power > 1) {
                out.push(Token::Name(text[..n].to_owned()));
                return read_exponent(&text[n..], out);
            }
            n += 1 + length;
        }
    }
    out.push(Token::Name(text[..n].to_owned()));
    read_exponent(&text[n..], out)
}

fn read_exponent<'a>(text: &'a str, out: &mut Vec<Token>) -> &'a str {
    let Some(above) = text.strip_prefix('^') else { return text };
    let n = group(above);
    out.push(Token::Power(above[1..n - 1].parse().unwrap()));
    &above[n..]
}
