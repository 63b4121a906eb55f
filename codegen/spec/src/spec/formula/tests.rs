//! Tests of the formula parser.

use super::*;

fn parenthesised_text(text: &str) -> String {
    let e = parse_formula(text).unwrap();
    let mut out: Vec<String> = Vec::new();
    for (n, _) in e.nodes() {
        let s = match n {
            Node::Number(n) => n.to_string(),
            Node::Quantity(n, d) => format!("{n}[{d}]"),
            Node::Name(n) => n.clone(),
            Node::Neg(a) => format!("(-{})", out[*a]),
            Node::Binary(op, a, b) => {
                let s = ["+", "-", "*", "/", "^"][*op as usize];
                format!("({}{s}{})", out[*a], out[*b])
            }
            Node::Call(f, a) => {
                format!("{f}({})", a.iter().map(|a| out[*a].as_str()).collect::<Vec<_>>().join(","))
            }
            Node::If(c, a) => {
                format!("if({} {c:?} {},{},{})", out[a[0]], out[a[1]], out[a[2]], out[a[3]])
            }
        };
        out.push(s);
    }
    out.pop().unwrap()
}

#[test]
fn precedence_is_that_of_mathematics() {
    assert_eq!(parenthesised_text("a - b - c*d/e"), "((a-b)-((c*d)/e))");
    assert_eq!(parenthesised_text("-x^2"), "(-(x^2))");
    assert_eq!(parenthesised_text("2^-3^2"), "(2^(-(3^2)))");
    assert_eq!(parenthesised_text("a*-b"), "(a*(-b))");
    assert_eq!(parenthesised_text("if(x >= 2, f(x, 1), -1)"), "if(2 Le x,f(x,1),(-1))");
}

#[test]
fn degrees_below_the_line_stay_exact() {
    assert_eq!(parenthesised_text("2 [N*m*s/deg]"), "(360[kg*m^2/s]/pi)");
    assert_eq!(parenthesised_text("2 [rad/deg^2]"), "((64800[1]/pi)/pi)");
}

#[test]
fn a_number_may_carry_a_unit() {
    assert_eq!(parenthesised_text("45 deg"), "pi/4[1]");
    assert_eq!(parenthesised_text("2 [rad/s] * t"), "(2[1/s]*t)");
    assert_eq!(parenthesised_text("3 [mm] + l"), "(3/1000[m]+l)");
    assert!(parse_formula("3 mm + l").is_err());
    assert!(parse_quantity("9.81 m/s^2").is_some());
    assert!(parse_quantity("9.81 m/q").is_none());
}

/// Value of a sum of the names `a0`, `a1`, …, where `ai` is the i-th power of two.
fn value_in_powers_of_two(text: &str) -> i64 {
    let e = parse_formula(text).unwrap();
    let mut out: Vec<i64> = Vec::new();
    for (n, _) in e.nodes() {
        out.push(match n {
            Node::Name(n) => 1 << n[1..].parse::<u32>().unwrap(),
            Node::Neg(a) => -out[*a],
            Node::Binary(Operator::Add, a, b) => out[*a] + out[*b],
            Node::Binary(_, a, b) => out[*a] - out[*b],
            _ => unreachable!(),
        });
    }
    out.pop().unwrap()
}

#[test]
fn long_sums_are_balanced_and_keep_their_signs() {
    let text = (0..40).map(|i| format!("{}a{i}", if i % 3 == 0 { "-" } else { "+" })).collect::<String>();
    let expected = (0..40).map(|i| if i % 3 == 0 { -(1i64 << i) } else { 1 << i }).sum::<i64>();
    assert_eq!(value_in_powers_of_two(&text), expected);
}

#[test]
fn bad_formulas_are_refused_where_they_go_wrong() {
    for (text, at) in [
        ("", 0),
        ("1 +", 3),
        ("(a", 0),
        ("a)", 1),
        ("2 a", 2),
        ("a b", 2),
        ("a ** b", 2),
        ("sin(a,)", 6),
        ("a < b", 2),
        ("if(a, b, c)", 4),
        ("é", 0),
        ("1e999", 0),
        ("2 [parsec]", 2),
    ] {
        let e = parse_formula(text).unwrap_err();
        assert_eq!(e.range.start, at, "{text}: {}", e.message);
    }
    let deep = "(".repeat(10_000);
    assert!(parse_formula(&deep).unwrap_err().message.contains("nested"));
    assert!(parse_formula(&"2^".repeat(10_000)).unwrap_err().message.contains("nested"));
    assert!(parse_formula(&format!("{}1", "-".repeat(100_000))).is_ok());
}
