//! Parser for the equations of a page printed for a terminal.

use super::value::Token;
use super::{Equation, Tables};

const RAISED: &str = "⁰¹²³⁴⁵⁶⁷⁸⁹";

/// The equation of a parameter without the unit that follows its value.
fn strip_unit(e: &str) -> String {
    match e.split_once(" = ") {
        Some((left, right)) => format!("{left} = {}", right.split(' ').next().unwrap()),
        None => e.to_owned(),
    }
}

/// The equations of a page. An equation is indented by four blanks, its
/// continuation lines by eight.
pub fn equations(page: &str) -> Vec<Equation> {
    let (_, page) = page.split_once("\nEquations step by step\n").expect("the page has equations");
    let mut lines: Vec<String> = Vec::new();
    let mut parameters = false;
    for line in page.lines().skip(1) {
        if let Some(more) = line.strip_prefix("        ") {
            let last = lines.last_mut().expect("a line goes on");
            last.push(' ');
            last.push_str(more);
        } else if let Some(line) = line.strip_prefix("    ").filter(|l| l.contains(" = ")) {
            lines.extend(line.split(";  ").map(|e| if parameters { strip_unit(e) } else { e.to_owned() }));
        } else if !line.is_empty() {
            parameters = line == "  parameters";
        }
    }
    lines.iter().map(|line| equation(line)).collect()
}

/// Splits a text at a separator outside brackets.
fn split(text: &str, between: &str) -> Vec<String> {
    let (mut out, mut depth, mut part) = (Vec::new(), 0i32, String::new());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        if depth == 0
            && let Some(after) = rest.strip_prefix(between)
        {
            out.push(std::mem::take(&mut part));
            rest = after;
            continue;
        }
        depth += i32::from(c == '(') - i32::from(c == ')');
        part.push(c);
        rest = &rest[c.len_utf8()..];
    }
    out.push(part);
    out
}

fn equation(line: &str) -> Equation {
    let sides = split(line, " = ");
    let [left @ .., right] = sides.as_slice() else { panic!("{line}") };
    if let Some(inner) = right.strip_prefix('[').and_then(|r| r.strip_suffix(']')) {
        let whole = &left[0];
        let comma = if whole.ends_with(|c: char| c.is_ascii_alphabetic()) { "," } else { "" };
        let left = ["x", "y", "z"].map(|axis| format!("{whole}{comma}{axis}")).to_vec();
        return Equation { left, right: split(inner, ", ").iter().map(|part| tokens(part)).collect() };
    }
    // `name = formula = number`: the last is the value.
    let left = if right == "0" { left.to_vec() } else { vec![left[0].clone()] };
    Equation { left, right: vec![tokens(right)] }
}

/// True if the character `i` is no part of a name.
fn ends_name(chars: &[char], i: usize) -> bool {
    let next = chars.get(i + 1);
    chars[i].is_whitespace()
        || matches!(chars[i], '(' | ')' | '/' | '^')
        || chars[i] == ',' && next.is_none_or(|c| c.is_whitespace())
}

/// Tokens of a formula in terminal notation.
pub fn tokens(text: &str) -> Vec<Token> {
    let chars: Vec<char> = text.chars().collect();
    let (mut out, mut i) = (Vec::new(), 0);
    while i < chars.len() {
        let c = chars[i];
        match c {
            ' ' | '·' => i += 1,
            '(' | ')' | '/' | '+' | '<' | '≤' | '=' | '^' | ',' => {
                out.push(Token::Sign(c));
                i += 1;
                i = power(&chars, i, &mut out);
            }
            '−' | '-' => {
                out.push(Token::Sign('-'));
                i += 1;
            }
            '√' => {
                out.push(Token::Call("sqrt".to_owned()));
                i += 1;
            }
            c if c.is_ascii_digit() => {
                let start = i;
                while i < chars.len()
                    && (chars[i].is_ascii_digit()
                        || matches!(chars[i], '.' | 'e')
                        || chars[i] == '-' && chars[i - 1] == 'e')
                {
                    i += 1;
                }
                let digits: String = chars[start..i].iter().collect();
                out.push(Token::Number(digits.parse().unwrap_or_else(|_| panic!("{digits} in {text}"))));
            }
            _ => {
                let start = i;
                while i < chars.len() && !ends_name(&chars, i) {
                    i += 1;
                }
                let mut name: String = chars[start..i].iter().collect();
                let called = chars.get(i) == Some(&'(');
                let mut powers = 0;
                while let Some(n) = name.chars().last().and_then(|c| RAISED.chars().position(|r| r == c)) {
                    // A mark precedes an index.
                    powers += n as i32;
                    name.pop();
                }
                out.push(match name.as_str() {
                    "if" => Token::If,
                    "else" => Token::Else,
                    _ if called => Token::Call(name),
                    _ => Token::Name(name),
                });
                if powers > 0 {
                    out.push(Token::Power(powers));
                }
            }
        }
    }
    out
}

/// Parses the powers (superscript digits) after a bracket. Returns the next index.
fn power(chars: &[char], mut i: usize, out: &mut Vec<Token>) -> usize {
    while let Some(n) = chars.get(i).and_then(|c| RAISED.chars().position(|r| r == *c)) {
        out.push(Token::Power(n as i32));
        i += 1;
    }
    i
}

/// The interpolation tables printed after the equations of a page.
pub fn tables(page: &str) -> Tables {
    let mut tables = Tables::new();
    let lines: Vec<&str> = page.lines().collect();
    let mut caption = String::new();
    let mut open: Option<u32> = None;
    for line in lines {
        if line.starts_with("table ") {
            caption = line.to_owned();
            open = None;
        } else if !caption.is_empty() && open.is_none() && !line.trim_start().starts_with("knot") {
            caption.push(' ');
            caption.push_str(line);
        }
        if line.trim_start().starts_with("knot") {
            let number = caption.split([' ', ':']).nth(1).unwrap().parse().unwrap();
            let before = caption.split_whitespace().last().unwrap().parse().unwrap();
            tables.insert(number, (Vec::new(), before));
            open = Some(number);
            caption.clear();
        } else if let Some(number) = open {
            let row: Vec<f64> = line.split_whitespace().filter_map(|x| x.parse().ok()).collect();
            if let [a, b, c, d, e] = row[..] {
                tables.get_mut(&number).unwrap().0.push([a, b, c, d, e]);
            }
        }
    }
    tables
}
