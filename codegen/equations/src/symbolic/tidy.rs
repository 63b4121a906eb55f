//! Trigonometric identities within brackets: `1 − cos² x` becomes `sin² x`, `1 − sin² x` becomes
//! `cos² x`, `1 − 2 sin² x` becomes `cos 2x`.
//!
//! Problem: brackets that remain after common factors moved in front are not simplified by the
//!          angle rules.
//! Method:  bottom up; two terms of a sum whose ratio is `−sin²`, `−cos²` or twice that become one
//!          term. The result is proved like every other form.

use super::closed::{Closed, Exact, Function};

/// The form with `1 − sin² x` written as `cos² x` and `1 − 2 sin² x` as `cos 2x`, in all brackets.
pub(super) fn apply_square_identities(c: &Closed) -> Closed {
    match c {
        Closed::Number(_) | Closed::Pi | Closed::Symbol { .. } => c.clone(),
        Closed::Sum(terms) => merge_trigonometric_terms(apply_square_identities_to_all(terms)),
        Closed::Product(factors) => Closed::product(apply_square_identities_to_all(factors)),
        Closed::Power(base, n) => match apply_square_identities(base) {
            Closed::Power(inner, m) => Closed::Power(inner, m * n),
            base => Closed::Power(Box::new(base), *n),
        },
        Closed::Quotient(a, b) => {
            Closed::Quotient(Box::new(apply_square_identities(a)), Box::new(apply_square_identities(b)))
        }
        Closed::Function(f, args) => Closed::Function(*f, apply_square_identities_to_all(args)),
    }
}

/// Forms with these identities applied.
fn apply_square_identities_to_all(all: &[Closed]) -> Vec<Closed> {
    all.iter().map(apply_square_identities).collect()
}

/// The sum of terms, with pairs merged by these identities until none is left.
fn merge_trigonometric_terms(mut terms: Vec<Closed>) -> Closed {
    let mut is_changed = false;
    'again: loop {
        for i in 0..terms.len() {
            for j in 0..terms.len() {
                if let Some(one) = (i != j).then(|| merge_trigonometric_pair(&terms[i], &terms[j])).flatten()
                {
                    terms[i] = one;
                    terms.remove(j);
                    is_changed = true;
                    continue 'again;
                }
            }
        }
        break;
    }
    if is_changed {
        terms.sort_by(Closed::cmp_terms);
    }
    Closed::sum(terms)
}

/// The sum of `x` and `−x sin²` as `x cos²`, of `x` and `−2 x sin²` as `x` times the cosine of
/// twice the angle; also with cosines for sines. `None` for other terms.
fn merge_trigonometric_pair(x: &Closed, other: &Closed) -> Option<Closed> {
    let (number, factors) = split_number(x);
    let (other_number, mut rest) = split_number(other);
    let at = rest
        .iter()
        .position(|f| squared_sine_or_cosine(f).is_some_and(|_| without_factor(&rest, f) == factors))?;
    let (function, angle) = squared_sine_or_cosine(&rest.remove(at))?;
    let opposite = Exact { negative: !number.negative, ..number.clone() };
    let mut product = vec![Closed::Number(number)];
    product.extend(factors);
    if other_number == opposite {
        let f = if function == Function::Sin { Function::Cos } else { Function::Sin };
        product.push(Closed::Power(Box::new(Closed::Function(f, vec![angle])), 2));
    } else if is_twice(&other_number, &opposite) {
        product.push(Closed::Function(Function::Cos, vec![double_angle(angle)?]));
        if function == Function::Cos {
            product.push(Closed::integer(-1));
        }
    } else {
        return None;
    }
    Some(Closed::product(product))
}

/// Factors of a product without the first one that equals `one`.
fn without_factor(factors: &[Closed], one: &Closed) -> Vec<Closed> {
    let at = factors.iter().position(|f| f == one);
    factors.iter().enumerate().filter(|(i, _)| Some(*i) != at).map(|(_, f)| f.clone()).collect()
}

/// The number in front of a product, and the remaining factors.
fn split_number(c: &Closed) -> (Exact, Vec<Closed>) {
    match c {
        Closed::Number(n) => (n.clone(), Vec::new()),
        Closed::Product(factors) => match factors.split_first() {
            Some((Closed::Number(n), rest)) => (n.clone(), rest.to_vec()),
            _ => (Exact::integer(1), factors.clone()),
        },
        other => (Exact::integer(1), vec![other.clone()]),
    }
}

/// The function and the angle of a squared sine or cosine.
fn squared_sine_or_cosine(c: &Closed) -> Option<(Function, Closed)> {
    let Closed::Power(base, 2) = c else { return None };
    match &**base {
        Closed::Function(f @ (Function::Sin | Function::Cos), args) => Some((*f, args.first()?.clone())),
        _ => None,
    }
}

/// True if the number `a` is twice `b`.
fn is_twice(a: &Exact, b: &Exact) -> bool {
    let numerators = small_numerator(a).zip(small_numerator(b));
    a.negative == b.negative && a.den == b.den && numerators.is_some_and(|(a, b)| a == 2 * b)
}

/// The numerator of a number, if its double fits in 64 bits.
fn small_numerator(n: &Exact) -> Option<i64> {
    n.num.parse::<i64>().ok().filter(|n| *n < 1 << 60)
}

/// Twice an angle that is a name or an integer multiple of one.
fn double_angle(angle: Closed) -> Option<Closed> {
    match angle {
        Closed::Symbol { .. } => Some(Closed::Product(vec![Closed::integer(2), angle])),
        Closed::Product(mut factors) => match factors.first_mut() {
            Some(Closed::Number(n)) if n.den == "1" => {
                n.num = n.num.parse::<u64>().ok()?.checked_mul(2)?.to_string();
                Some(Closed::Product(factors))
            }
            _ => None,
        },
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::symbolic::{parse_text, plain_text};
    use dqdt_graph::ir::SymbolKind;

    #[track_caller]
    fn check(from: &str, to: &str) {
        let names = ["a", "b", "x", "y"];
        let symbols = names.iter().enumerate().map(|(i, n)| (*n, SymbolKind::Parameter(i)));
        assert_eq!(plain_text(&apply_square_identities(&parse_text(from, symbols).unwrap())), to);
    }

    #[test]
    fn squares_of_sines_become_cosines_wherever_they_stand() {
        check("a*(1 - sin(x)^2)", "a*cos(x)^2");
        check("b + a*y - 2*a*y*sin(x)^2", "b + a*y*cos(2*x)");
        check("1 - 2*cos(x)^2", "-cos(2*x)");
        check("(1 - 2*sin(3*x)^2)/b", "cos(6*x)/b");
        check("1 - sin(x + y)^2", "cos(x + y)^2");
    }

    #[test]
    fn other_sums_stay() {
        for text in ["1 - 3*sin(x)^2", "a - sin(x)^2", "1 + sin(x)^2", "1 - 2*sin(x + y)^2"] {
            check(text, text);
        }
    }
}
